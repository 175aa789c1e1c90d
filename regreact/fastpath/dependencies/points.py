"""Cited points of a section as criteria: what "point (b)" means where it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from regreact.fastpath.tree import CriterionIndex
from regreact.identifiers import anchor_above
from regreact.legal.citations import InternalPoint, find_internal_points
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
    found = [_ROMAN.index(label)] if label in _ROMAN else []
    if len(label) == 1 and label.isalpha():
        found.append(ord(label) - ord("a"))
    return found


_REFERRED = re.compile(
    r",? (?:as )?(?:referred to|set out|set|specified|laid down|stated|given|provided|defined) (?:in|under|by)$"
)


def words_before(text: str, cited: Cited) -> str:
    """Return the noun phrase that a point is to define, from the last punctuation on.

    Example:
        >>> text = "In winter, the value for mills, referred to in point 1(b), is checked."
        >>> point = find_internal_points(text)[0]
        >>> words_before(text, Cited(point, "1(b)", None))
        'the value for mills'
    """
    before = _REFERRED.sub("", text[: cited.point.start].rstrip(" ,"))
    return before[max(before.rfind(c) for c in ",.;:") + 1 :].strip()


class PointReader:
    """Reads the points that criteria cite.

    Args:
        index: The tree.
        mappings: What cited points stand for instead of what is printed.
    """

    def __init__(self, index: CriterionIndex, mappings: Iterable[MappingEntry] = ()) -> None:
        self.index = index
        self._mapped: Mapping[tuple[str, str], str] = {(m.criterion_id, m.phrase): m.target for m in mappings}

    def cited(self, view: CriterionView, start: int = 0, end: int | None = None) -> list[Cited]:
        """Return the points that a criterion names between two characters of its text, in order."""
        stop = len(view.text) if end is None else end
        points = [p for p in find_internal_points(view.text) if start <= p.start and p.end <= stop]
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
        """Yield the criteria that end in these labels, from the citing list outwards, nearest first."""
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
