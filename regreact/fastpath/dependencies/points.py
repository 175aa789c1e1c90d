"""Cited points of a section as criteria: what "point (b)" means where it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from regreact.fastpath.tree import CriterionIndex
from regreact.identifiers import anchor_above
from regreact.legal.citations import InternalPoint, find_internal_points
from regreact.legal.window import window_before
from signatures.types import CriterionView, MappingEntry

_LABEL = re.compile(r"\(([^()]+)\)$")
# "point (d) and paragraph 2 of Section 9.9": the place after the conjunction holds for both.
_ELSEWHERE = re.compile(
    r"\s*(?:,|and|or)\s+(?:paragraphs?|points?|criteri(?:on|a)|subparagraphs?)\s[^.;]{0,40}?\bof\s+(?:the\s+)?"
    r"(?:Section|Article|Annex|Appendix|Regulation|Directive)\b"
)
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")


@dataclass(frozen=True, slots=True)
class Cited:
    """A point as written, and the criterion that it stands for (None if the section has none such).

    Attributes:
        point: The words.
        path: Its full path, e.g. `1(b)(i)`; for a relative point that leads nowhere, its own label.
        target: Id of the criterion.
    """

    point: InternalPoint
    path: str
    target: str | None


def label_of(criterion_id: str) -> str:
    """Return the last list label of an id without brackets, "" if it ends otherwise."""
    match = _LABEL.search(criterion_id)
    return match[1] if match else ""


def position(label: str) -> list[int]:
    """Return the positions in a list, from 0, that a label may stand for: "i" is a numeral and a letter.

    Example:
        >>> position("v"), position("b")
        ([4, 21], [1])
    """
    found = [_ROMAN.index(label)] if label in _ROMAN else [int(label) - 1] if label.isdigit() else []
    if len(label) == 1 and label.isalpha():
        found.append(ord(label) - ord("a"))
    return found


_DELEGATING = (
    r"referred to|set out|set|specified|laid down|stated|given|provided(?: for)?|defined|fixed|required|prescribed"
    r"|established|indicated|mentioned|listed|contained|determined|applicable|applying|named|imposed|described|foreseen"
    r"|enumerated|appearing|shown|spelled out|expressed|envisaged|demanded|called for|allowed|permitted|authorised"
)
DELEGATES = (
    rf"(?:(?:which|that) (?:(?:is|are|was|were)(?: to be)?|(?:has|have) been|(?:may|must|shall|can) be|appl(?:y|ies)) )?"
    rf"(?:{_DELEGATING})|(?:which|that) (?:appl(?:y|ies)|results?|follows?)"
)
"""What joins a thing and the point that lays it down ("set out", "which is stated"), before "in", "under" or "by"."""

QUALIFIED = r"(?: (?:for|as regards|with regard to|in respect of|in relation to) [\w -]{1,40}?)?"
"""What may stand between them: "the value fixed FOR INLAND WATERS in point 1"."""

_REFERRED = re.compile(rf",? (?:as )?(?:{DELEGATES})(?P<qualifier>{QUALIFIED}) (?:in|under|by|from)$")
# "points 1 to 4, with the exception of point 3", "instead of meeting point 2"
_SPARES = re.compile(
    r"\b(?:except(?: for)?|with the exception of|apart from|excluding|instead of|rather than|in place of|in lieu of)"
    r"(?: \w+ing(?: with)?| compliance with)?(?: the)?(?: (?!where|when|if)\w+)?(?: (?:in|under|of))?"
    r" (?:points? [\w.()]+(?:,| or| and) (?:points? )?)*(?:points?|criteri(?:on|a)|paragraphs?)?\s*$",
    re.IGNORECASE,
)


def words_before(text: str, cited: Cited) -> str:
    """Return the noun phrase that a point is to define, from the last punctuation on.

    Example:
        >>> text = "In winter, the value for mills, referred to in point 1(b), is checked."
        >>> point = find_internal_points(text)[0]
        >>> words_before(text, Cited(point, "1(b)", None))
        'the value for mills'
    """
    before = _REFERRED.sub(r"\g<qualifier>", text[: cited.point.start].rstrip(" ,"))
    return before[max(before.rfind(c) for c in ",.;:") + 1 :].strip()


def spared(text: str, cited: Cited) -> bool:
    """True if words before a point leave it out ("except point 3", "instead of meeting point 2")."""
    return _SPARES.search(text[: cited.point.start] + " ") is not None


def adjacent(text: str, cited: Sequence[Cited]) -> list[Cited]:
    """Return the first point with those that follow it in one list ("points 1, 2 and point 3")."""
    group = list(cited[:1])
    for point in cited[1:]:
        between = text[group[-1].point.end : point.point.start]
        if not _IN_LIST.fullmatch(between) and point.point.start >= group[-1].point.end:
            break
        group.append(point)
    return group


_IN_LIST = re.compile(
    r"\s*(?:,|and|or|nor|to|and/or|–|-|, (?:and|or)|as well as|and of|or of|and (?:under|in|with)|or (?:under|in|with))?\s*"
)


_DETERMINER = re.compile(r"\b(?:the|that|those|this|these|its|their|an?|both|all|each)\b\s*", re.IGNORECASE)
_JOINS = re.compile(r"(?<!comply )(?<!complies )(?<!complying )\b(?:of|with|for|on|between|from|per|in)\s+$", re.IGNORECASE)
_HEAD_ENDS = re.compile(
    r"\b(?:of|with|for|on|between|from|per|in|to|by|at|under|that|which|is|are|was|were|has|have|does|do)\b|[,.;:]"
)
# "the same share applies as in point 1", "identical to that of point 1"
_AS = re.compile(r"(?: appl(?:y|ies))? (?:as|to)(?: (?:that|those|the one|the ones))?$")
_PLAIN = re.compile(r",?\s+(?:of|in|under|from|for)\s*$")
_NUMBER = re.compile(r"\s*\d+(?:\.\d+)*\.\s+")
_ABOUT = re.compile(r"\b(?:of|from|for|on|in|to|with|between)\s+(?:(?:the|that|those|this|these|its|their|an?)\s+)?", re.IGNORECASE)


# "both of the shares", "all four of these values"
_OF_SEVERAL = re.compile(
    r"(?:(?:one|two|three|four|five|six|some|any|each|every|all|most|none|\d) )?of (?:the|those|these|its|their) ",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase.

    Attributes:
        words: Its words.
        head: Those before what qualifies them ("agreement" in "agreement with the growers").
        start: Character where it begins.
    """

    words: str
    head: str
    start: int = 0

    @classmethod
    def of(cls, words: str, start: int = 0) -> NounPhrase:
        """Return the noun phrase of some words."""
        return cls(words, head_of(words), start)


def thing_named(text: str, start: int) -> NounPhrase | None:
    """Return the thing that a point at `start` is said to lay down or to hold, None if no thing stands before it.

    Example:
        >>> text = "Old mills keep to the agreement with the growers mentioned in point 1(c)."
        >>> thing_named(text, text.index("point"))
        NounPhrase(words='agreement with the growers', head='agreement', start=22)
    """
    first, _ = window_before(start)
    before = text[first:start]
    referred = _REFERRED.search(before.rstrip(" ,"))
    joint = referred or _PLAIN.search(before)
    if joint is None:
        return None
    bare = _AS.sub("", before[: joint.start()].rstrip(" ,"))
    from_ = max(bare.rfind(c) for c in ",;:") + 1
    if number := _NUMBER.match(bare, from_):
        from_ = number.end()
    begins = list(_DETERMINER.finditer(bare, from_))
    begin = begins.pop() if begins else None
    while begin and begins and _JOINS.search(bare[from_ : begin.start()]):
        begin = begins.pop()
    from_ = begin.end() if begin else from_
    if several := _OF_SEVERAL.match(bare, from_):
        from_ = several.end()
    words = bare[from_:].strip()
    if not words:
        return None
    return NounPhrase(words + ((referred and referred["qualifier"]) or ""), head_of(words), first + bare.index(words, from_))


def inner_thing(thing: NounPhrase) -> NounPhrase | None:
    """Return the thing that a noun phrase is about, None if it has none ("survey" in "findings of the survey")."""
    found = _ABOUT.search(thing.words)
    if found is None:
        return None
    words = thing.words[found.end() :]
    return NounPhrase.of(words, thing.start + found.end())


def head_of(words: str) -> str:
    """Return a noun phrase up to what qualifies it ("share" in "share of heat")."""
    return _HEAD_ENDS.split(words, maxsplit=1)[0].strip()


class PointReader:
    """Reads the points that criteria cite.

    Args:
        index: The tree.
        mappings: What cited points stand for instead of what is printed.
    """

    def __init__(self, index: CriterionIndex, mappings: Iterable[MappingEntry] = ()) -> None:
        self.index = index
        self._all = cache(find_internal_points)  # texts are asked about once a sentence
        self._mapped: Mapping[tuple[str, str], str] = {(m.criterion_id, m.phrase): m.target for m in mappings}

    def cited(self, view: CriterionView, start: int = 0, end: int | None = None) -> list[Cited]:
        """Return the points that a criterion names between two characters of its text, in order."""
        stop = len(view.text) if end is None else end
        points = [p for p in self._all(view.text) if start <= p.start and p.end <= stop]
        return [
            self._read(view, point, previous)
            for previous, point in pairwise([None, *points])
            if point is not None and not _ELSEWHERE.match(view.text, point.end)
        ]

    def _read(self, view: CriterionView, point: InternalPoint, previous: InternalPoint | None) -> Cited:
        path = point.path
        if point.relative and previous is not None and not previous.relative and previous.end + 12 > point.start:
            # "point 1(a) and (b)"
            stem = previous.path.removesuffix(f"({label_of(previous.path)})")
            path = stem + path
        elif point.relative:
            path = next(self._relative(view, path), path)
        target = self._mapped.get((view.criterion_id, path)) or (path if path in self.index.by_id else None)
        return Cited(point, path, target)

    def _relative(self, view: CriterionView, path: str) -> Iterator[str]:
        """Yield the criteria that end in these labels: the own list, then from the citing list outwards."""
        if view.criterion_id + path in self.index.by_id:
            yield view.criterion_id + path
        own = {c.criterion_id for c in self.index.descendants(view.criterion_id)} | {view.criterion_id}
        scopes = [a.criterion_id for a in self.index.ancestors(view.criterion_id)]
        if anchor := anchor_above(view.criterion_id):
            scopes.insert(0, anchor)
        for scope in scopes:
            for candidate in self.index.descendants(scope):
                i = candidate.criterion_id
                if i not in own and i.endswith(path) and i.removesuffix(path)[-1:] != ")" and not anchor_above(i):
                    yield i
                elif i not in own and i == scope + path:
                    yield i
