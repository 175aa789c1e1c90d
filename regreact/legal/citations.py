"""Grammar of citations: what a text cites outside its own section, and the points of the section that it names.

Read in passes: names (acts, documents), the places before or behind them, places of the same annex, "that Directive".
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter

from regreact.legal.acts import acts_with_number_behind, named_acts, numbered_acts
from regreact.legal.documents import find_documents
from regreact.legal.lookup import Acts, Group, Unbound, is_act
from regreact.legal.model import Citation, CitationKind, Taken
from regreact.legal.pinpoints import place_up_to
from regreact.legal.place_grammar import CUT, ITEMS, LABELS, PINPOINT
from regreact.legal.places import find_places
from regreact.legal.points import InternalPoint, find_internal_points
from regreact.legal.window import window_before
from regreact.remember import remembered

__all__ = ["Citation", "CitationKind", "InternalPoint", "find_citations", "find_internal_points"]

_SP = r"[ \u00a0]"
_PINPOINT = re.compile(PINPOINT)
# What joins a place and the document it is in: "of", ", of the", "to", "set out in"; "Article 41 Euratom Treaty" has nothing
_INTO = re.compile(
    rf"(?:\(\d{{1,3}}\))?[,;]?{_SP}(?:of|to|(?:(?:set{_SP}out|laid{_SP}down|described|specified){_SP})?in|under|from),?"
    rf"(?:{_SP}the)?(?:{_SP}EU)?{_SP}|{_SP}(?=Euratom|TFEU|thereof\b)"
)
# "Annex I to Regulation (EU) 2019/631, in Part A, point 6.0", "Directive 2004/35/CE, Annex II": the place behind
_BEHIND = re.compile(rf"{_SP}?,{_SP}(?:in{_SP})?$")
# "Article 57 and identified in accordance with Article 59(1) of …": places joined in one sentence share the act
_JOINED = re.compile(r"^,?\s(?:and|or)\b[^.;]{0,50}$")
_TOP_LEVEL = re.compile(r"^(?:Article|Annex)|\bof (?:Article|Annex)")
# "Articles 4, 6(2) and 9 of …": independent places under one noun, the act repeated in each (ruling D17). A range or
# brackets alone ("Articles 7(2) and (3)") go on from the number before; paragraphs and points stay one pinpoint.
_SINGULAR = {
    "Articles": "Article", "Annexes": "Annex", "Appendices": "Appendix", "Chapters": "Chapter", "Titles": "Title",
}  # fmt: skip
_PLURAL = re.compile(rf"(?P<noun>{'|'.join(_SINGULAR)}){_SP}(?P<labels>{LABELS})")
_NEXT_LABEL = re.compile(rf"(?:,|,?{_SP}(?:and|or)){_SP}(?!\()")
_IS_RANGE = re.compile(rf"{_SP}to{_SP}|[–-]")
# "Regulation (EU) 2019/5, in particular with the requirements of Annex II": a place of the act just named
_IN_PARTICULAR = re.compile(
    rf"^(?:\(\d{{1,3}}\))?,?{_SP}(?:and,?{_SP})?(?:in{_SP}particular|especially|notably|including),?{_SP}(?:(?:with|under|by|to|in){_SP})?"
    rf"(?:(?:the{_SP})?(?:requirements|provisions|conditions|criteria|rules|limits){_SP}(?:(?:set{_SP}out|laid{_SP}down){_SP})?(?:of|in|under){_SP})?$"
)
_OF_ANOTHER = re.compile(rf",?{_SP}(?:of|to){_SP}")
# Characters between an act and a place of it "in particular"; `_IN_PARTICULAR` reads fewer.
_LONGEST_AIM = 120
# "the implementing act on fuel quality adopted under Article 3 of …": an act named by its subject (ruling D19)
_ADOPTED_UNDER = re.compile(
    rf"\b(?:implementing|delegated){_SP}act{_SP}on{_SP}[^.;,()]{{5,120}}?{_SP}adopted{_SP}under{_SP}(?:the{_SP})?$"
)
# "category 17 05 04 in the European List of Waste established by Decision …": a list with the act that lays it down
_LIST_OF = re.compile(
    rf"(?:(?P<pin>category{_SP}\d\d{_SP}\d\d{_SP}\d\d\*?){_SP}in{_SP}the{_SP})?European{_SP}List{_SP}of{_SP}\w+(?:{_SP}\w+){{0,3}}?"
    rf"{_SP}(?:as{_SP})?(?:established|laid{_SP}down){_SP}(?:by|in|under){_SP}(?:the{_SP})?$"
)
_THAT = re.compile(
    rf"\b(?:that|the{_SP}same){_SP}(?:Delegated{_SP}|Implementing{_SP})?(?P<type>Regulation|Directive|Decision|Recommendation)\b"
    rf"(?!{_SP}?\d|{_SP}\()|\bthe{_SP}(?P<the>Regulation|Directive|Decision)(?!\w|{_SP}(?:No|EU|EC|[(\d]))"
)
# "paragraph 7 of that Article", "point (b) of that paragraph", "in particular paragraph 2 thereof"
_THAT_PLACE = re.compile(
    rf"\b(?:that|the{_SP}same){_SP}(?P<place>Article|Annex|Chapter|Part|[Ss]ection|paragraph|point|subparagraph)\b(?!{_SP}?[\d(])"
    r"|\bthereof\b"
)


def find_citations(text: str, previous: Sequence[Citation] = ()) -> list[Citation]:
    """Return all citations that lead out of the section, in order, without overlaps.

    Args:
        text: Text of one criterion or footnote.
        previous: Citations of earlier criteria, which "that Directive" may mean.

    Example:
        >>> c = find_citations("as set out in Article 6(3) of Directive 92/43/EEC")[0]
        >>> c.phrase, c.celex, c.addresses
        ('Article 6(3) of Directive 92/43/EEC', '31992L0043', ('art_6/par_3',))
    """
    return list(_citations(text, tuple(previous)))


@remembered
def _citations(text: str, previous: tuple[Citation, ...]) -> tuple[Citation, ...]:
    names, places, groups = _read(text)
    anaphors = list(_anaphors(text, names, previous))
    holders = sorted([*names, *anaphors], key=lambda c: c.start)
    found = _with_antecedents([_with_items(text, c) for c in _bound(text, holders, groups)], previous)
    cited = Taken(found)
    for place in places:
        if not cited.overlaps(*place.span):
            cited.add(*place.span)
            found.append(place)
    found.extend(_in_particular(text, found, groups))
    return tuple(sorted((c for c in found if c.phrase), key=lambda c: (c.start, c.end)))


@remembered
def _read(text: str) -> tuple[tuple[Citation, ...], tuple[Citation, ...], tuple[Group, ...]]:
    """Return what a text names whatever was cited before: acts and documents, places of the same act, bare places."""
    names = _names(text)
    places = find_places(text, names)
    named = Taken([*names, *places])
    groups = tuple(Group(*m.span()) for m in _PINPOINT.finditer(text) if not named.overlaps(*m.span()))
    return tuple(names), tuple(places), groups


def _names(text: str) -> list[Citation]:
    """Return acts and documents by name, without the places in them."""
    taken = Taken()
    found: list[Citation] = []
    for candidates in (acts_with_number_behind(text), numbered_acts(text), named_acts(text)):
        for citation in candidates:
            if not taken.overlaps(*citation.span):
                taken.add(*citation.span)
                found.append(citation)
    found.extend(find_documents(text, found))
    return sorted((_with_subject(text, c) for c in found), key=lambda c: c.start)


def _with_subject(text: str, citation: Citation) -> Citation:
    """Return an act with the list before it that it lays down."""
    match = _LIST_OF.search(text, *window_before(citation.start)) if citation.kind == "eu-act" else None
    if match is None:
        return citation
    phrase = text[match.start() : citation.start] + citation.phrase
    return replace(citation, start=match.start(), phrase=phrase, pinpoint=match["pin"] or "")


def _anaphors(text: str, own: Sequence[Citation], previous: Sequence[Citation]) -> Iterator[Citation]:
    """Yield "that Directive" as the last act of its type named before, "that Article" as a place in the last act."""
    acts = Acts(own)
    for match in _THAT.finditer(text):
        act = _last_act(acts, previous, match.start(), match["type"] or match["the"])
        if act is not None or match["type"]:
            celex, title = (act.celex, act.title) if act else (None, "")
            yield Citation(match.start(), match.end(), match[0], "eu-act", celex, "", title, "that act")
    for match in _THAT_PLACE.finditer(text):
        act = _last_act(acts, previous if match["place"] else (), match.start(), "")
        if act is not None:
            yield Citation(match.start(), match.end(), match[0], "eu-act", act.celex, "", act.title, "that place")


def _with_items(text: str, citation: Citation) -> Citation:
    """Return a citation with the numbered items before it that it singles out; its words stay as they are."""
    if not re.match(r"(?:Annex|Appendix|Part|Table)\b", citation.pinpoint):
        return citation
    items = next((m for m in ITEMS.finditer(text, *window_before(citation.start)) if m.end() == citation.start), None)
    return replace(citation, items=items[0]) if items else citation


def _with_antecedents(found: Sequence[Citation], previous: Sequence[Citation]) -> list[Citation]:
    """Return the citations with the place written out that "that Article" or "thereof" means.

    The last citation of the same act before it that names such a place counts, in the text itself, else in earlier
    criteria.
    """
    done: list[Citation] = []
    for citation in found:
        place = _antecedent(citation, chain(reversed(done), reversed(previous)))
        done.append(replace(citation, pinpoint=f"{citation.pinpoint} of {place}") if place else citation)
    return done


def _antecedent(citation: Citation, before: Iterable[Citation]) -> str:
    """Return the words of the place that the end of a citation refers back to, "" if it does not or none was named.

    Args:
        citation: The citation.
        before: Citations before it, the nearest first.
    """
    if citation.rule != "that place" or not citation.pinpoint:
        return ""
    noun = citation.phrase.split()[-1]
    if noun == "thereof" and _TOP_LEVEL.search(citation.pinpoint):
        return ""
    for earlier in before:
        if earlier.celex == citation.celex and earlier.pinpoint:
            return place_up_to(earlier.pinpoint, "" if noun == "thereof" else noun)
    return ""


def _last_act(own: Acts, previous: Sequence[Citation], position: int, wanted: str) -> Citation | None:
    """Return the last act of a type named before a place in the text itself, else in earlier criteria."""
    return own.last(position, wanted) or next((c for c in reversed(previous) if is_act(c, wanted)), None)


# Characters between a place and the document it is in, or the place it is joined to; `_INTO` and `_JOINED` read fewer.
_LONGEST_JOINT = 80
# Characters between an act and the place behind it.
_NEAR = 6


def _bound(text: str, holders: Sequence[Citation], groups: Sequence[Group]) -> Iterator[Citation]:
    """Yield every holder with the places that lead to it, one citation for each independent place."""
    left = Unbound(groups)
    for number, holder in enumerate(holders):
        own: list[Group] = []
        begin = holder.start + (4 if holder.phrase.startswith("the ") else 0)  # "of the Directive": `_INTO` has "the"
        before = left.ending(begin - _LONGEST_JOINT, begin)
        group = next((g for g in before if (m := _INTO.match(text, g.end)) and m.end() == begin), None)
        if group is not None:
            floor = holders[number - 1].end if number else 0
            joined = left.ending(group.start - _LONGEST_JOINT, group.start)
            own = [g for g in joined if floor <= g.start < group.start and _joined(text, g, group)] + [group]
        near = left.starting(holder.end, holder.end + _NEAR)
        behind = next((g for g in near if _stands_behind(text, holder, g, bool(own))), None)
        left.take(own if behind is None else [*own, behind])
        cited = list(_placed(text, holder, own, keep=behind is not None))
        if behind is not None and cited:
            place = text[behind.start : behind.end]
            last = cited.pop()
            words = f"{last.pinpoint}, {place}" if last.pinpoint else place
            cited.append(
                replace(last, end=behind.end, phrase=last.phrase + text[holder.end : behind.end], pinpoint=words)
            )
        yield from cited


def _in_particular(text: str, found: Sequence[Citation], groups: Sequence[Group]) -> list[Citation]:
    """Return the places that stand alone right behind the act they are in ("…, in particular with Annex II on …")."""
    acts = [c for c in found if c.kind == "eu-act" and not c.pinpoint]
    if not acts:
        return []
    taken = Taken(found)
    alone = [
        g
        for g in groups
        if _TOP_LEVEL.match(text[g.start : g.end])
        and not _OF_ANOTHER.match(text, g.end)
        and not taken.overlaps(g.start, g.end)
    ]
    key = attrgetter("start")
    return [
        replace(act, start=piece.start, end=piece.end, phrase=piece.words, pinpoint=piece.words, rule="place in particular")
        for act in acts
        for group in alone[
            bisect_left(alone, act.end, key=key) : bisect_right(alone, act.end + _LONGEST_AIM, key=key)
        ]
        if _IN_PARTICULAR.match(text[act.end : group.start])
        for piece in _pieces(text, group)
    ]


def _joined(text: str, place: Group, bound: Group) -> bool:
    """True for "Article 57 and identified in accordance with Article 59(1) of …": one act for both."""
    return bool(_JOINED.match(text[place.end : bound.start]) and _TOP_LEVEL.search(text[place.start : place.end]))


def _stands_behind(text: str, holder: Citation, place: Group, placed: bool) -> bool:
    """True for "Directive 2004/35/CE, Annex II"; what stands behind "Annex I to Regulation …" must be a part of it."""
    if not 0 <= place.start - holder.end <= _NEAR or not _BEHIND.search(text[holder.end : place.start]):
        return False
    return not placed or not _TOP_LEVEL.search(text[place.start : place.end])


def _placed(text: str, holder: Citation, groups: Sequence[Group], keep: bool) -> Iterator[Citation]:
    """Yield the citations of one holder; "that Directive" without a place is none of its own unless `keep`."""
    if not groups:
        if keep or holder.rule not in ("that act", "that place"):
            yield holder
        return
    pieces = [piece for group in groups for piece in _pieces(text, group)]
    last = pieces[-1]
    joint = _unmarked(text[last.end : holder.start])
    for piece in pieces[:-1]:
        comma = "," if "," in piece.words else ""
        if _noun(piece.words) == _noun(last.words):
            joiner = joint.lstrip(",")
        else:
            joiner = " to " if re.match(r"Annex|Appendi", piece.words) else " of "
        phrase = f"{piece.words}{comma}{joiner}{holder.phrase}"
        yield replace(holder, start=piece.start, end=piece.end, phrase=phrase, pinpoint=piece.words)
    begin = _subject_start(text, last.start)
    phrase = text[begin : last.start] + last.words + joint + holder.phrase
    yield replace(holder, start=begin, phrase=phrase, pinpoint=last.words)


def _noun(words: str) -> str:
    """Return the noun that opens a place, in the singular."""
    first = words.split(maxsplit=1)[0]
    return _SINGULAR.get(first, first)


@dataclass(frozen=True, slots=True)
class _Piece:
    """An independent place: its range in the text, and its words written out."""

    start: int
    end: int
    words: str


def _pieces(text: str, group: Group) -> list[_Piece]:
    """Return the independent places that a pinpoint joins (rulings R15, D17)."""
    cuts = list(CUT.finditer(text, group.start, group.end))
    starts = [group.start, *(c.end() for c in cuts)]
    ends = [*(c.start() for c in cuts), group.end]
    return [piece for start, end in zip(starts, ends, strict=True) for piece in _written_out(text, start, end)]


def _written_out(text: str, start: int, end: int) -> list[_Piece]:
    """Return the places that share one noun: "Articles 4 and 9" is "Article 4" and "Article 9"."""
    plural = _PLURAL.fullmatch(text, start, end)
    cuts = list(_NEXT_LABEL.finditer(text, plural.start("labels"), end)) if plural else []
    if plural is None or not cuts:
        return [_Piece(start, end, _unmarked(text[start:end]))]
    starts = [start, *(c.end() for c in cuts)]
    ends = [*(c.start() for c in cuts), end]
    pieces = []
    for first, last in zip(starts, ends, strict=True):
        label = text[max(first, plural.start("labels")) : last]
        noun = plural["noun"] if _IS_RANGE.search(label) else _SINGULAR[plural["noun"]]
        pieces.append(_Piece(first, last, f"{noun} {label}"))
    return pieces


def _unmarked(words: str) -> str:
    """Return a place without footnote marker: "Regulation 14(253) of" is "Regulation 14 of"."""
    return re.sub(r"(?<=Regulation \d\d)\(\d{1,3}\)|(?<=Regulation \d)\(\d{1,3}\)|^\(\d{1,3}\)(?= of)", "", words)


def _subject_start(text: str, start: int) -> int:
    """Return where the name of an act by subject begins that is adopted under the place at `start`."""
    match = _ADOPTED_UNDER.search(text, *window_before(start))
    return match.start() if match else start
