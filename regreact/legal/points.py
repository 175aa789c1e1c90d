"""Points of the section itself: "point 1(b)(i)", "points (a) to (c)", "criterion 2", as criterion ids.

These are dependencies or nothing, never references (guidelines section 7), unless the section has no such point.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from regreact.legal.window import window_before
from regreact.remember import remembered


@dataclass(frozen=True, slots=True)
class InternalPoint:
    """A point of the section, as a criterion id.

    Attributes:
        start: First character in the text ("point" included for the first of a list).
        end: Character after the last.
        phrase: The words between; for a point that a range implies, those of the range's last point.
        path: Criterion id ("1(b)(i)", "1.2(k)", "2"); labels only ("(a)") if relative.
        relative: True if only the last labels are named: the point is one of the list at hand.
        title: Title in brackets behind the point ("(Afforestation plan)"), without brackets, "" if none.
    """

    start: int
    end: int
    phrase: str
    path: str
    relative: bool = False
    title: str = ""

    @property
    def span(self) -> tuple[int, int]:
        """Half-open character range in the text."""
        return self.start, self.end


_SP = r"[ \u00a0]"
_LABEL = r"\((?:[a-z]|[ivxl]{1,5}|\d{1,2})\)"
# "1", "1.2.", "1.2. (i)", "1(b)(i)", "(a)", "(a)(ii)", "a)", "1 a)"
_PATH = (
    rf"(?:\d+(?:\.\d+)*(?:\.?{_SP}?{_LABEL})?(?:{_LABEL})*(?:{_SP}?[a-z]\)|\.?)|{_LABEL}(?:{_LABEL})*|[a-z]\))(?!\w)"
)
_TITLE = rf"(?:{_SP}\((?P<title>[A-Z][^()]{{3,80}})\))?"
_TITLE_PLAIN = rf"(?:{_SP}\([A-Z][^()]{{3,80}}\))?"
_RANGE = rf"(?:to|through|up{_SP}to(?:{_SP}and{_SP}including)?)"
_MAYBE = rf"or,{_SP}(?:as{_SP}the{_SP}case{_SP}may{_SP}be|where{_SP}(?:applicable|appropriate|relevant)|respectively),"
_SEPARATOR = (
    rf"(?:,?{_SP}(?:and/or|{_MAYBE}|and|or|nor|as{_SP}well{_SP}as|{_RANGE}){_SP}|,{_SP}|{_SP}?[–-]{_SP}?)"
)
_LEAD = (
    r"\b(?:[Ss]ubpoints?|[Pp]oints?|[Cc]riteri(?:on|a)|[Pp]aragraphs?|[Ss]ubparagraphs?|[Ii]tems?|[Rr]equirements?"
    r"|[Cc]onditions?|[Ll]etters?|[Oo]ptions?)"
)
# Words for an item of a list; with a bare number they may name something else ("phase 2", "clause 5 of a contract").
_ITEM_LEAD = r"\b(?:[Ii]ndents?|[Cc]lauses?|[Ll]imbs?|[Rr]outes?|[Aa]lternatives?|[Vv]ariants?|[Pp]athways?|[Cc]ases?)"
_NO = rf"(?:{_SP}(?:[Nn]os?\.?|[Nn]umbers?))?"
_BY_LABEL = r"\((?:[a-z]|[ivx]{1,5})\)"
# "as set out in 1(a)", "described in (b)": no word for the point at all
_BARE = (
    rf"(?P<bare>\b(?:in|under|by|with|of|from){_SP}(?=\d{{1,2}}(?:\.\d{{1,2}})*{_BY_LABEL})"
    rf"|\b(?:referred{_SP}to|set{_SP}out|laid{_SP}down|mentioned|described|specified|stated|listed|defined|required|named)"
    rf"{_SP}(?:in|under|by){_SP}(?={_BY_LABEL}(?:[.,;:]|{_SP}(?:and|or|to|above|is|are|has|have)\b|$)))"
)
_POINTS = re.compile(
    rf"(?:{_LEAD}{_NO}{_SP}|{_ITEM_LEAD}{_SP}(?=\d*(?:\.\d+)*\()|{_BARE})"
    rf"(?P<list>{_PATH}{_TITLE_PLAIN}(?:{_SEPARATOR}{_PATH}{_TITLE_PLAIN})*)"
)
_PART = re.compile(_PATH + _TITLE)
# "points (a) and (b) of point 1", "point 1, letter (a)": the labels and the point that holds them
_OUTER = re.compile(rf",?{_SP}(?:of|in|under){_SP}(?:the{_SP})?(?:point|criterion|paragraph|requirement|condition){_SP}(?P<path>{_PATH})")
_INNER = re.compile(rf",?{_SP}(?={_LEAD}{_SP}\()")

# A point of something else: "point 1.2 of Annex V", "point (a) and paragraph 2 of Section 6.19", "point (c) of that …"
_FURTHER = rf"(?:,?{_SP}(?:and|or|of){_SP}(?:points?|paragraphs?|criteri(?:on|a)|[Pp]art){_SP}(?:{_PATH}|[A-Z]\b))*"
_ELSEWHERE_AFTER = re.compile(
    rf"{_FURTHER},?{_SP}(?:of|to|in|under){_SP}(?:the{_SP})?(?:Annex|Article|Sections?{_SP}\d|Appendix|[Pp]art{_SP}|Chapter|"
    rf"(?:Delegated{_SP}|Implementing{_SP})?(?:Regulation|Directive|Decision|Recommendation)|that{_SP}\w+|"
    rf"(?:best{_SP}available|BAT|standard)\b|(?:[A-Z][\w-]*{_SP}){{0,4}}(?:Convention|Treaty|Protocol|Code|Guidelines)\b|"
    rf"(?:EN|ISO|IEC|CEN|ETSI|ASTM|DIN)\b)|{_SP}thereof\b"
)
# "Article 3, point (2)", "Annex II, point 1.3", "subsection ‘…’, points (b) or (c)", "BAT 23 point (b)"
_ELSEWHERE_BEFORE = re.compile(
    rf"(?:Articles?|Annex(?:es)?|Sections?|Appendix|[Pp]arts?|BAT|[Pp]aragraphs?|Chapter){_SP}"
    rf"[\dA-Z][^;:’‘]{{0,40}}?,?{_SP}(?:in{_SP})?$|[Ss]ubsection{_SP}‘[^’]{{3,90}}’,?{_SP}$"
)


def find_internal_points(text: str) -> list[InternalPoint]:
    """Return the points of the section itself that a text names, in order; ranges are expanded.

    Example:
        >>> [(p.path, p.relative) for p in find_internal_points("the limits in point 1(b)(i) and points (a) to (c)")]
        [('1(b)(i)', False), ('(a)', True), ('(b)', True), ('(c)', True)]
        >>> [p.path for p in find_internal_points("as in point 1(e) and (f), not in point 3 of Annex V")]
        ['1(e)', '1(f)']
        >>> [p.path for p in find_internal_points("points (a) and (b) of point 1; point 2, letter (c)")]
        ['1(a)', '1(b)', '2(c)']
    """
    return list(_internal_points(text))


@remembered
def _internal_points(text: str) -> tuple[InternalPoint, ...]:
    points: list[InternalPoint] = []
    read_to = 0
    for match in _POINTS.finditer(text):
        if match.start() < read_to or _ELSEWHERE_AFTER.match(text, match.end()):
            continue
        outer = points[-1] if points and _holds(text, points, match) else None
        if outer is None and _ELSEWHERE_BEFORE.search(text, *window_before(match.start())):
            continue
        found = list(_listed(text, match))
        if outer is not None:
            points[-1:] = _within(text, found, outer.path, outer.start, match.end())
        elif found[0].relative and (holder := _OUTER.match(text, match.end())) and holder["path"][0].isdigit():
            read_to = holder.end()
            points.extend(_within(text, found, _path(holder["path"]), match.start(), read_to))
        else:
            points.extend(found)
    return tuple(points)


def _holds(text: str, points: list[InternalPoint], match: re.Match[str]) -> bool:
    """True if the point before holds the labels of a list: "point 1, letter (a)"."""
    joint = _INNER.match(text, points[-1].end)
    alone = re.match(_LEAD, points[-1].phrase) is not None and not points[-1].relative
    return joint is not None and joint.end() == match.start() and alone


def _within(text: str, labels: list[InternalPoint], holder: str, start: int, end: int) -> list[InternalPoint]:
    """Return labels as points of the one that holds them; the first begins at `start`, the last ends at `end`."""
    found = [replace(p, path=holder + p.path, relative=False) if p.relative else p for p in labels]
    found[0] = replace(found[0], start=start, phrase=text[start : found[0].end])
    found[-1] = replace(found[-1], end=end, phrase=text[found[-1].start : end])
    return found


def _listed(text: str, match: re.Match[str]) -> Iterator[InternalPoint]:
    """Yield the points of one list, those within ranges included."""
    previous: InternalPoint | None = None
    gap_from = match.start("list")
    for part in _PART.finditer(text, match.start("list"), match.end("list")):
        gap = text[gap_from : part.start()].strip(" \u00a0,")
        start = part.start() if previous or match["bare"] else match.start()
        end = part.end() - (part[0].endswith("."))
        printed = text[part.start() : part.start("title") - 1] if part["title"] else part[0]
        path = _path(printed)
        if previous is not None and path.startswith("("):
            path = _continued(previous.path, path)
        point = InternalPoint(start, end, text[start:end], path, path.startswith("("), part["title"] or "")
        if previous is not None and re.fullmatch(rf"{_RANGE}|[–-]", gap):
            yield from _between(previous, point)
        yield point
        previous, gap_from = point, part.end()


def _path(printed: str) -> str:
    """Return a criterion id: "1.2. (i)" is "1.2(i)", "1 a)" is "1(a)"."""
    bare = re.sub(r"[ \u00a0]", "", printed)
    return re.sub(r"\.(?=\(|$)", "", re.sub(r"(?<![(a-z])([a-z]\))$", r"(\1", bare))


def _continued(previous: str, path: str) -> str:
    """Return a path that goes on from another: "(f)" after "1(e)" is "1(f)", "(ii)" after "1(b)(i)" is "1(b)(ii)"."""
    labels = re.findall(r"\([^)]*\)", previous)
    stem = previous[: previous.find("(")] if labels else previous
    if not labels:
        return path
    first = re.findall(r"\([^)]*\)", path)[0]
    depth = len(labels) - 1
    while depth > 0 and _follows_as_roman(labels[depth]) and not _follows_as_roman(first):
        depth -= 1
    return stem + "".join(labels[:depth]) + path


def _follows_as_roman(label: str) -> bool:
    return bool(re.fullmatch(r"\([ivx]+\)", label))


_UNITS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = tuple(tens + unit for tens in ("", "x", "xx", "xxx") for unit in _UNITS)[1:]


def expand(first: str, last: str) -> list[str]:
    """Return the labels strictly between two labels of one list, empty if they are of different kinds.

    Example:
        >>> expand("a", "d"), expand("i", "iv"), expand("3.9", "3.12"), expand("1", "b")
        (['b', 'c'], ['ii', 'iii'], ['3.10', '3.11'], [])
    """
    stem, dot, first_part = first.rpartition(".")
    last_stem, _, last_part = last.rpartition(".")
    if first_part.isdigit() and last_part.isdigit() and stem == last_stem:
        return [f"{stem}{dot}{n}" for n in range(int(first_part) + 1, int(last_part))]
    if first.isupper() and last.isupper() and (len(first) > 1 or len(last) > 1):
        return [label.upper() for label in expand(first.lower(), last.lower())]
    roman = first in _ROMAN and last in _ROMAN and (len(last) > 1 or first == "i")
    if roman:
        return list(_ROMAN[_ROMAN.index(first) + 1 : _ROMAN.index(last)])
    if len(first) == len(last) == 1 and first.isalpha() and last.isalpha():
        return [chr(n) for n in range(ord(first) + 1, ord(last))]
    return []


def _between(first: InternalPoint, last: InternalPoint) -> Iterator[InternalPoint]:
    """Yield the points between the ends of a range."""
    a, b = re.search(r"(\w+)\)?$", first.path), re.search(r"(\w+)\)?$", last.path)
    if a is None or b is None:
        return
    for label in expand(a[1], b[1]):
        yield replace(last, path=first.path[: a.start(1)] + label + first.path[a.end(1) :], title="")
