"""Grammar of citations: acts with pinpoints, places of the same annex, standards, named documents, internal points.

`find_citations` reads what leads out of the section, `find_internal_points` what stays in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from regreact.legal.celex import ActType, derive

CitationKind = Literal["eu-act", "section", "appendix", "annex", "standard", "convention", "document"]


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation.

    Attributes:
        start: First character in the text.
        end: Character after the last.
        phrase: Words of the citation; parts of a split conjunction are written out.
        kind: What is cited.
        celex: CELEX id of the act, None if it is none or unknown.
        pinpoint: Words of the place within the act, "" for the whole act.
        title: Type and number of the act, or designation of the standard, without pinpoint.
    """

    start: int
    end: int
    phrase: str
    kind: CitationKind
    celex: str | None = None
    pinpoint: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class InternalPoint:
    """A point of the section itself, as a criterion id; `relative` if it names only the last part ("point (a)")."""

    start: int
    end: int
    phrase: str
    path: str
    relative: bool = False


_SP = r"[ \u00a0]"
_TAIL = rf"(?:{_SP}of{_SP}the{_SP}European{_SP}Parliament{_SP}and{_SP}of{_SP}the{_SP}Council)?"
_NUMBER = r"(?P<first>\d{1,4})/(?P<second>\d{1,4})(?:/(?P<suffix>EU|EC|EEC|Euratom))?(?![\d/])"
# "Commission Delegated Regulation (EU) No 807/2014", "Directive 92/43/EEC"
_ACT = re.compile(
    rf"(?:(?P<issuer>Commission|Council){_SP})?(?:(?P<kind>Delegated|Implementing){_SP})?"
    rf"(?P<type>Regulation|Directive|Decision|Recommendation)(?P<plural>s)?{_SP}?"
    rf"(?:\((?P<domain>EU|EC|EEC|Euratom|EU,{_SP}Euratom)\){_SP}?)?(?P<numero>Nos?\.?{_SP}?)?{_NUMBER}"
)
# "… and 2009/147/EC", "… , (EU) 2015/652": a further number of the same type
_NEXT = re.compile(
    rf"(?:,|,?{_SP}(?:and|or)){_SP}(?:\((?P<domain>EU|EC|EEC|Euratom)\){_SP}?)?(?P<numero>No\.?{_SP}?)?{_NUMBER}"
)

_LABEL = r"(?:\d+[a-z]?(?:\.\d+)*|[IVXL]+(?:\.\d+)*|[A-Z])(?:\([0-9a-z]+\))*"
_BRACKET = r"\([0-9a-z]+\)"
_ONE = rf"(?:{_LABEL}|{_BRACKET})"
_MANY = rf"{_ONE}(?:(?:,{_SP}|,?{_SP}(?:and|or|to){_SP}){_ONE})*"
_ATOM = (
    rf"(?:(?:Articles?|Annex(?:es)?|Appendi(?:x|ces)|Sections?|Chapters?|[Pp]arts?|Tables?|[Pp]oints?|[Pp]aragraphs?|"
    rf"[Ii]ndents?|[Ss]ubparagraphs?|Component{_SP}Material{_SP}Categor(?:y|ies)(?:{_SP}\(CMC\))?){_SP}{_MANY}|the{_SP}Annex)"
)
# "Article 29, paragraphs 2 to 5, of", "Annex II.2 to", "Table 2 of the Annex to", "Annex III, Part B, of"
_PINPOINT = re.compile(
    rf"(?P<pin>{_ATOM}(?:(?:,?{_SP}(?:(?:of|to|in){_SP})?(?:of|to|in|and|or){_SP}|,{_SP}){_ATOM})*),?{_SP}"
    rf"(?:of|to|in){_SP}(?:the{_SP})?$"
)
_THAT = re.compile(
    rf"(?P<pin>{_ATOM}(?:(?:,?{_SP}(?:of|to|in|and|or){_SP}|,{_SP}){_ATOM})*),?{_SP}(?:of|to|in){_SP}that{_SP}"
    rf"(?P<type>Regulation|Directive|Decision|Recommendation)\b"
)

# "Sections 5.11 and 5.12 of this Annex": independent sections are split, a range stays one (guidelines R15, D17)
_SECTIONS = re.compile(
    rf"(?P<lead>(?:criteria|criterion|points?|paragraphs?){_SP}{_MANY}{_SP}of{_SP})?Sections?{_SP}"
    rf"(?P<list>\d+\.\d+\.?(?:(?:,{_SP}|{_SP}(?:and|or|to){_SP})\d+\.\d+\.?)*)(?P<tail>{_SP}of{_SP}this{_SP}Annex)?"
)
_RELEVANT = re.compile(rf"the{_SP}relevant{_SP}Section{_SP}of{_SP}this{_SP}Annex")
_APPENDIX = re.compile(rf"Appendix{_SP}[A-Z]{_SP}(?:to|of){_SP}this{_SP}Annex")
_ANNEX_OF_THIS = re.compile(rf"Annex{_SP}[IVX]+{_SP}to{_SP}this{_SP}Regulation")

_ISO = r"(?:ISO(?:/(?:IEC|TS|TR|WD))*|IEC(?:/TS|/TR)?)"
# "ISO 14064-1:2018", "EN ISO 14024:2018", "CLC/TS 50625-4:2017", "CEN/EN 16516"
_STANDARD = re.compile(
    rf"(?:CEN-CENELEC{_SP}document{_SP})?"
    rf"(?:(?:(?:CEN|CLC|CEN-CENELEC|EN|prEN)(?:/(?:TS|TR|EN|ISO))?{_SP})?{_ISO}{_SP}?(?:standards?{_SP})?|"
    rf"(?:CEN|CLC|CEN/CENELEC|CENELEC)(?:/(?:TS|TR|EN))?{_SP}(?:EN{_SP}|TR{_SP}?)?|\bEN{_SP})"
    rf"\d{{3,6}}(?:-\d+)*(?::{_SP}?\d{{4}})?|\bLevel\(s\){_SP}indicators?{_SP}\d+\.\d+"
)

_CAP = r"(?:[A-Z0-9][\w/&’'-]*(?:\([a-z]\))?|\([A-Z]{2,8}\))"
_SMALL = r"(?:of|on|for|the|and|to|in|with|concerning|de|from)"
_NAME = rf"{_CAP}(?:{_SP}(?:{_SMALL}{_SP}){{0,3}}{_CAP})*"
# A name in capitals around the noun of a document: "2006 IPCC Guidelines for National Greenhouse Gas Inventories"
_NAMED = re.compile(
    rf"\b(?:{_NAME}{_SP}(?:{_SMALL}{_SP}){{0,2}})?(?P<head>Guidelines?|Guidance|Protocol|Code{_SP}of{_SP}Conduct|"
    rf"Convention|Agreement|Scheme|Strategy|Reference{_SP}Document|Ecolabel|Global{_SP}Standard)"
    rf"(?:{_SP}(?:{_SMALL}{_SP}){{1,3}}{_NAME})?(?:{_SP}\([A-Z]{{2,8}}\))?"
)
# "best available techniques (BAT) conclusions for the production of chlor-alkali"
_BAT = re.compile(
    rf"(?:best{_SP}available{_SP}techniques{_SP}\(BAT\){_SP}|BAT{_SP})conclusions(?:{_SP}for{_SP}[a-z][a-z -]{{2,60}}?"
    r"(?=[(,.;]| are| is| and | or |$))?"
)
# "FAO definition of forest", "Forest Europe definition", "ICAO standard"
_BODIES = (
    rf"(?:FAO|Forest{_SP}Europe|ICAO|IMO|IPCC|IUCN|International{_SP}[A-Z]\w+{_SP}[A-Z]\w+{_SP}\([A-Z]{{3,5}}\)|"
    rf"Intergovernmental{_SP}Panel{_SP}on{_SP}Climate{_SP}Change(?:{_SP}\(IPCC\))?)"
)
_BODY = re.compile(
    rf"(?:most{_SP}recent{_SP})?{_BODIES}{_SP}(?:definitions?|standards?|reports?)(?:{_SP}of{_SP}(?:‘[^’]+’|forest))?|"
    rf"[a-z]+(?:{_SP}[a-z]+){{0,3}}{_SP}as{_SP}defined{_SP}by{_SP}(?:the{_SP})?{_BODIES}|"
    rf"\b[A-Z]{{3,6}}{_SP}requirements{_SP}applicable{_SP}on{_SP}\d{{1,2}}{_SP}[A-Z][a-z]+{_SP}\d{{4}}|"
    rf"\bEuro{_SP}(?:[IVX]+|\d){_SP}standards?"
)


def find_citations(text: str, previous: Sequence[Citation] = ()) -> list[Citation]:
    """Return all citations that lead out of the section, in order, without overlaps.

    Args:
        text: Text of one criterion or footnote.
        previous: Citations of earlier criteria, which "that Directive" may mean.

    Example:
        >>> c = find_citations("as set out in Article 6(3) of Directive 92/43/EEC")[0]
        >>> c.phrase, c.celex
        ('Article 6(3) of Directive 92/43/EEC', '31992L0043')
    """
    found: list[Citation] = []
    for candidates in (_acts(text), _places(text), _standards(text)):
        found.extend(c for c in candidates if not _overlaps(c, found))
    found.sort(key=lambda c: c.start)
    found.extend(c for c in list(_anaphors(text, previous, found)) if not _overlaps(c, found))
    found.extend(c for c in _documents(text) if not _overlaps(c, found))
    return sorted(found, key=lambda c: (c.start, c.end))


def _overlaps(citation: Citation, others: Sequence[Citation]) -> bool:
    return any(citation.start < o.end and o.start < citation.end for o in others)


def _acts(text: str) -> Iterator[Citation]:
    for match in _ACT.finditer(text):
        kind = cast("ActType", match["type"])
        domain = (match["domain"] or "").split(",")[0]
        pin = _PINPOINT.search(text[: match.start()])
        start = pin.start("pin") if pin else match.start()
        tail = re.compile(_TAIL).match(text, match.end())
        end = tail.end() if tail else match.end()
        celex = derive(
            kind,
            match["first"],
            match["second"],
            numero=bool(match["numero"]),
            domain=domain,
            suffix=match["suffix"] or "",
        )
        title = re.sub(rf"{_SP}+", " ", match[0]).replace("s ", " ", 1) if match["plural"] else match[0]
        phrase = text[start:end] if not match["plural"] else (text[start : match.start()] + title)
        yield from _split(Citation(start, end, phrase, "eu-act", celex, pin["pin"] if pin else "", title))
        position = match.end()
        while (further := _NEXT.match(text, position)) and match["plural"]:
            number = further[0].lstrip(" ,\u00a0").removeprefix("and").removeprefix("or").strip()
            celex = derive(
                kind, further["first"], further["second"], numero=bool(further["numero"] or match["numero"]),
                domain=further["domain"] or domain, suffix=further["suffix"] or "",
            )  # fmt: skip
            begin = further.end() - len(number)
            prefix = f"{match['issuer']} " if match["issuer"] else ""
            phrase = f"{prefix}{kind} {number}"
            yield Citation(begin, further.end(), phrase, "eu-act", celex, "", phrase)
            position = further.end()


# "Article 12 and Annex III, Part B, of": two places, each with the act repeated (ruling D17)
_CUT = re.compile(
    rf",?{_SP}(?:(?:of|to|in){_SP})?(?:and|or){_SP}(?=(?:Articles?|Annex(?:es)?|Appendi(?:x|ces)){_SP})|,{_SP}(?=Articles?{_SP})"
)


def _split(citation: Citation) -> Iterator[Citation]:
    """Yield a citation for each independent place that a pinpoint joins."""
    parts = _CUT.split(citation.pinpoint)
    if len(parts) < 2:
        yield citation
        return
    act = citation.phrase[len(citation.pinpoint) :].lstrip(", ")
    act = re.sub(r"^(?:of|to|in) (?:the )?", "", act)
    position = citation.start
    for number, part in enumerate(parts):
        start = citation.start + citation.phrase.find(part, position - citation.start)
        end = citation.end if number == len(parts) - 1 else start + len(part)
        joiner = " to " if part.startswith(("Annex", "Appendi")) else " of "
        comma = "," if "," in part else ""
        yield replace(citation, start=start, end=end, phrase=f"{part}{comma}{joiner}{act}", pinpoint=part)
        position = start + len(part)


def _anaphors(text: str, previous: Sequence[Citation], own: Sequence[Citation]) -> Iterator[Citation]:
    """Yield pinpoints of "that Directive", resolved to the last act of this type before it."""
    for match in _THAT.finditer(text):
        known = [*previous, *(c for c in own if c.end <= match.start())]
        earlier = [c for c in known if c.kind == "eu-act" and match["type"] in c.title]
        celex = earlier[-1].celex if earlier else None
        title = earlier[-1].title if earlier else ""
        yield from _split(Citation(match.start(), match.end(), match[0], "eu-act", celex, match["pin"], title))


def _places(text: str) -> Iterator[Citation]:
    for match in _SECTIONS.finditer(text):
        numbers = re.findall(r"\d+\.\d+\.?", match["list"])
        is_range = bool(re.search(rf"{_SP}to{_SP}", match["list"]))
        if len(numbers) == 1 or is_range:
            yield Citation(match.start(), match.end(), match[0], "section")
            continue
        for found in re.finditer(r"\d+\.\d+\.?", match["list"]):
            start = match.start("list") + found.start()
            yield Citation(start, start + len(found[0]), f"Section {found[0].rstrip('.')}", "section")
    for pattern, kind in ((_RELEVANT, "section"), (_APPENDIX, "appendix"), (_ANNEX_OF_THIS, "annex")):
        for match in pattern.finditer(text):
            phrase = match[0].removeprefix("the ") if kind != "section" else match[0]
            yield Citation(match.start(), match.end(), phrase, cast("CitationKind", kind))


# "Level(s) indicators 2.3 and 2.4": each is a source of its own (guidelines R15)
_MORE_INDICATORS = re.compile(rf"(?:,{_SP}|{_SP}(?:and|or){_SP})(\d+\.\d+)")


def _standards(text: str) -> Iterator[Citation]:
    for match in _STANDARD.finditer(text):
        title = re.sub(rf"{_SP}standards?(?={_SP})|^CEN-CENELEC{_SP}document{_SP}", "", match[0].strip())
        title = re.sub(rf":{_SP}", ":", title)
        yield Citation(match.start(), match.end(), match[0].strip(), "standard", title=title)
        more = _MORE_INDICATORS.match(text, match.end()) if title.startswith("Level") else None
        if more:
            phrase = f"Level(s) indicator {more[1]}"
            yield Citation(more.start(1), more.end(1), phrase, "standard", title=phrase)


def _documents(text: str) -> Iterator[Citation]:
    for pattern in (_BAT, _BODY, _NAMED):
        for match in pattern.finditer(text):
            phrase = match[0].strip()
            if pattern is _NAMED:
                phrase = re.sub(r"^(?:The|A|An|In|This|These|Where|If)\s+", "", phrase)
                if len(phrase.split()) < 2:
                    continue
            start = match.start() + match[0].find(phrase)
            kind: CitationKind = "convention" if re.search(r"Convention|Agreement|Protocol", phrase) else "document"
            yield Citation(start, start + len(phrase), phrase, kind, title=phrase)


# "point 1(b)(i)", "points 1.2(k) and 1.4(i)", "criterion 2", "points (a) to (c)"
_PATH = r"(?:\d+(?:\.\d+)*\.?(?:\([a-z]+\))*|(?:\([a-z]+\))+)"
_POINTS = re.compile(
    rf"\b(?:[Pp]oints?|[Cc]riteri(?:on|a)){_SP}(?P<list>{_PATH}(?:(?:,{_SP}|,?{_SP}(?:and|or|to){_SP}){_PATH})*)"
)
# A point of something else: "Article 3, point (2)", "point 1.2 of Annex V", "point (a) of Section 2.1"
_ELSEWHERE_AFTER = re.compile(
    rf",?{_SP}(?:of|to|in){_SP}(?:the{_SP})?(?:Annex|Article|Section|Appendix|Part|Regulation|Directive|Decision|that{_SP})"
)
_ELSEWHERE_BEFORE = re.compile(
    rf"(?:Article|Annex|Section|Appendix|[Pp]aragraph|subsection){_SP}[^.;:]{{0,60}},?{_SP}$"
)


def find_internal_points(text: str) -> list[InternalPoint]:
    """Return the points of the section itself that a text names, in order; ranges are expanded.

    Example:
        >>> [(p.path, p.relative) for p in find_internal_points("the limits in point 1(b)(i) and points (a) to (c)")]
        [('1(b)(i)', False), ('(a)', True), ('(b)', True), ('(c)', True)]
    """
    points: list[InternalPoint] = []
    for match in _POINTS.finditer(text):
        if _ELSEWHERE_AFTER.match(text, match.end()) or _ELSEWHERE_BEFORE.search(text[: match.start()]):
            continue
        parts = list(re.finditer(_PATH, match["list"]))
        for number, part in enumerate(parts):
            begin = match.start("list") + part.start()
            start = match.start() if number == 0 else begin
            path = re.sub(r"\.(?=\(|$)", "", part[0])
            point = InternalPoint(start, begin + len(part[0]), text[start : begin + len(part[0])], path, path[0] == "(")
            gap = match["list"][parts[number - 1].end() : part.start()] if number else ""
            if number and "to" in gap.split():
                points.extend(_between(points[-1], point))
            points.append(point)
    return points


def _between(first: InternalPoint, last: InternalPoint) -> Iterator[InternalPoint]:
    """Yield the points between the ends of a range whose last labels are single letters or numbers."""
    a, b = re.search(r"(\w+)\)?$", first.path), re.search(r"(\w+)\)?$", last.path)
    if a is None or b is None:
        return
    if a[1].isdigit() and b[1].isdigit():
        labels = [str(n) for n in range(int(a[1]) + 1, int(b[1]))]
    elif len(a[1]) == len(b[1]) == 1:
        labels = [chr(n) for n in range(ord(a[1]) + 1, ord(b[1]))]
    else:
        return
    for label in labels:
        yield replace(last, path=first.path[: a.start(1)] + label + first.path[a.end(1) :])
