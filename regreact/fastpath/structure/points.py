"""Citations of the section's own points: "point 1(b)", "points (d) and (e)", "this point"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.fastpath.cues import main_clause

_PATH = r"(?:\d{1,2}(?:\.\d{1,2})*\.?(?:\s?\([a-z]{1,5}\))*|\([a-z]{1,5}\)(?:\([a-z]{1,5}\))*)"
_POINTS = re.compile(rf"\b[Pp]oints?\s+({_PATH}(?:\s*(?:,|and|or|to)\s+{_PATH})*)(?!\d)")
_ONE = re.compile(_PATH)
_THIS_POINT = re.compile(r"\bthis point(?! \()", re.IGNORECASE)
# After these the point belongs to an act or to another section ("Article 2, point (30), of Directive …").
_FOREIGN_BEFORE = re.compile(r"(?:Article|Annex|Section|Regulation|Directive|subsection|paragraph)\b[^.;:]{0,60}$")
_FOREIGN_AFTER = re.compile(r"\s*,?\s*(?:of|in|to) (?:Article|Annex|Directive|Regulation|Decision|Section)\b")
_MAIN_VERB = re.compile(
    r"\b(?:is|are|was|were|may|shall|must|takes?|includes?|compl(?:y|ies)|contains?|appl(?:y|ies)|ensures?"
    r"|meets?|does|do|has|have)\b"
)


@dataclass(frozen=True, slots=True)
class Point:
    """A cited point as a normalised path ("1(b)", "(f)") and where it stands in the text."""

    path: str
    start: int
    end: int

    @property
    def relative(self) -> bool:
        """True if the citation leaves the number out."""
        return self.path.startswith("(")


def points(text: str) -> list[Point]:
    """Return the cited points of the section itself, in order; a list of points gives one each.

    Example:
        >>> [p.path for p in points("Compliance with points 1(b) and (c) is checked.")]
        ['1(b)', '(c)']
        >>> points("as defined in Article 2, point (30), of Directive (EU) 2018/2001")
        []
    """
    found: list[Point] = []
    for match in _POINTS.finditer(text):
        if _FOREIGN_BEFORE.search(text[: match.start()]) or _FOREIGN_AFTER.match(text[match.end() :]):
            continue
        for one in _ONE.finditer(text, match.start(1), match.end(1)):
            found.append(Point(normalise(one[0]), one.start(), one.end()))
    return found


def normalise(path: str) -> str:
    """Return the identifier form of a cited point.

    Example:
        >>> normalise("1.2. (k)")
        '1.2(k)'
    """
    return re.sub(r"\.(?=\(|$)", "", re.sub(r"\s+", "", path))


def subject_points(text: str) -> list[Point]:
    """Return the points that stand before the main verb or in an opening: those the paragraph is about.

    Example:
        >>> [p.path for p in subject_points("Compliance with point 2(a) is checked as in point 3.")]
        ['2(a)']
        >>> [p.path for p in subject_points("Where clay is wet as in point 2(a), it is dried.")]
        ['2(a)']
    """
    verb = _MAIN_VERB.search(text, main_clause(text))
    limit = verb.start() if verb else len(text)
    return [p for p in points(text) if p.end <= limit]


def this_point(text: str) -> tuple[int, int] | None:
    """Return the characters of "this point", None if the text does not have it."""
    match = _THIS_POINT.search(text)
    return match.span() if match else None
