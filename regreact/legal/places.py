"""Places of the same act outside the section: other sections, appendices and annexes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regreact.legal.model import Citation, CitationKind, Taken
from regreact.legal.window import window_before

_SP = r"[ \u00a0]"
_NUMBER = r"\d+\.\d+\.?(?!\d)"
_LIST = rf"\(?[\da-z]+\)?(?:(?:,|{_SP}(?:and|or|to)){_SP}\(?[\da-z]+\)?)*"
_POINTS = rf"(?:criteri(?:a|on)|[Pp]oints?|[Pp]aragraphs?){_SP}{_LIST}"
_THIS = (
    rf"(?:{_SP}?,?{_SP}respectively,?)?{_SP}(?:of|in|to){_SP}"
    rf"(?:this{_SP}Annex|Annex{_SP}[IVX]+{_SP}to{_SP}this{_SP}Regulation)"
)
_TITLE = rf"{_SP}\([A-Z][^()]{{5,90}}\)"
_SUBSECTION = (
    rf",?{_SP}[Ss]ubsection{_SP}‘[^’]+’(?:,?{_SP}[Pp]oints?{_SP}\([a-z]\)(?:{_SP}(?:and|or|to){_SP}\([a-z]\))*)?"
)
# "criteria 1 and 2 of Section 5.7 of this Annex", "Sections 3.7 to 3.17 of this Annex", "Section 4.5 (Hydropower)"
_SECTIONS = re.compile(
    rf"(?P<lead>(?:{_POINTS}{_SP}(?:and|or){_SP})?{_POINTS}{_SP}of{_SP})?\b[Ss]ections?{_SP}"
    rf"(?P<list>{_NUMBER}(?:(?:,{_SP}|,?{_SP}(?:and|or|to){_SP}|{_SP}?–{_SP}?){_NUMBER})*)"
    rf"(?P<rest>{_SUBSECTION}|{_TITLE}(?!{_THIS})|{_THIS})?"
)


@dataclass(frozen=True, slots=True)
class PlaceRule:
    """A form in which a place of the same act is cited; `example` shows one."""

    name: str
    kind: CitationKind
    pattern: re.Pattern[str]
    example: str


RULES: tuple[PlaceRule, ...] = (
    PlaceRule(
        "section by description",
        "section",
        re.compile(rf"the{_SP}(?:[a-z]+{_SP}){{1,2}}Sections?{_SP}of{_SP}this{_SP}Annex"),
        "the relevant Section of this Annex",
    ),
    PlaceRule(
        "appendix",
        "appendix",
        re.compile(
            rf"Appendi(?:x|ces){_SP}[A-Z](?:{_SP}(?:and|or){_SP}[A-Z])*{_SP}(?:to|of){_SP}"
            rf"(?:this{_SP}Annex|Annex{_SP}[IVX]+\b(?:{_SP}to{_SP}this{_SP}Regulation|(?!{_SP}?,?{_SP}(?:to|of){_SP})))|"
            rf"(?<=See{_SP})Appendix{_SP}[A-Z]\b(?!{_SP}(?:to|of))"
        ),
        "Appendix E to Annex I to this Regulation",
    ),
    PlaceRule(
        "subsection by title",
        "section",
        re.compile(
            rf"\b[Ss]ubsection{_SP}‘[^’]+’(?:,?{_SP}[Pp]oints?{_SP}\([a-z]\)(?:{_SP}(?:and|or|to){_SP}\([a-z]\))*)?"
        ),
        "subsection ‘Substantial contribution to climate change mitigation’, points (b) to (c)",
    ),
    PlaceRule(
        "annex", "annex", re.compile(rf"Annex{_SP}[IVX]+{_SP}to{_SP}this{_SP}Regulation"), "Annex II to this Regulation"
    ),
)


def find_places(text: str, taken: Sequence[Citation]) -> list[Citation]:
    """Return the sections, appendices and annexes of the same act that a text cites, in order.

    Args:
        text: Text of a criterion or footnote.
        taken: Citations of acts and documents; "Section 5 of Annex I to Directive …" belongs to them.

    Example:
        >>> [c.phrase for c in find_places("set out in Sections 5.11 and 5.12, respectively, of this Annex", ())]
        ['Section 5.11', 'Section 5.12']
    """
    spoken_for, ends = Taken(taken), {c.end for c in taken}
    found: list[Citation] = []
    for match in _SECTIONS.finditer(text):
        # "Guidance on tolls, Section 3.1": a section of that document
        start = match.start()
        behind = any(end in ends and _COMMA.fullmatch(text, end, start) for end in range(max(0, start - 3), start))
        within = behind or _INSIDE_ANOTHER.search(text, *window_before(start)) or text.startswith("(", match.end())
        if not within and not _of_another_act(text, match.end()) and not spoken_for.overlaps(start, match.end()):
            found.extend(_sections(text, match))
    for citation in found:
        spoken_for.add(*citation.span)
    for rule in RULES:
        for match in rule.pattern.finditer(text):
            if spoken_for.overlaps(*match.span()):
                continue
            phrase = match[0]
            spoken_for.add(*match.span())
            found.append(Citation(*match.span(), phrase, rule.kind, None, "", phrase, rule.name))
    return sorted(found, key=lambda c: c.start)


_COMMA = re.compile(rf"{_SP}?,{_SP}")
# "Annex I, Section 5.1(c) of Directive …": a section of an annex of that act
_INSIDE_ANOTHER = re.compile(rf"(?:Annex|Part){_SP}\w+,{_SP}$")
_ANOTHER = re.compile(
    rf",?{_SP}(?:of|to|in){_SP}(?:the{_SP})?(?:(?:Part|Annex){_SP}[\w.]+,?{_SP}(?:of|to){_SP})*(?:[A-Z]\w+{_SP})*"
    r"(?:Regulation|Directive|Decision|that (?:Directive|Regulation|Decision))"
)


def _of_another_act(text: str, end: int) -> bool:
    return bool(_ANOTHER.match(text, end))


def _sections(text: str, match: re.Match[str]) -> Iterator[Citation]:
    """Yield one citation for each section of a list; a range stays one (rulings R15, D17)."""
    numbers = list(re.finditer(_NUMBER, match["list"]))
    rest = match["rest"] or ""
    is_range = bool(re.search(rf"{_SP}to{_SP}|–", match["list"]))
    if len(numbers) == 1 or is_range:
        end = match.end() if rest else match.end() - (match["list"].endswith("."))
        phrase = text[match.start() : end]
        if not rest and re.match(r"[Ss]ections ", text[match.start("list") - 9 : match.end("list")]) and not is_range:
            phrase = re.sub(r"\b([Ss]ection)s ", r"\1 ", phrase)
        yield Citation(match.start(), end, phrase, "section", None, "", phrase, "section")
        return
    for number in numbers:
        start = match.start("list") + number.start()
        bare = number[0].rstrip(".")
        phrase = f"Section {bare}"
        yield Citation(start, start + len(bare), phrase, "section", None, "", phrase, "section")
