"""Nested lists from paragraphs that only their printed labels tell apart.

The tables of consolidated pages hold an item of any depth as a paragraph with a label. What the label
continues tells the depth.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from regreact.sources.blocks import clean_marker, ordinal_marker
from regreact.sources.eurlex_markup import Marks, Piece, plain, write

_ROMAN = re.compile(r"[ivxlc]+")


@dataclass(frozen=True, slots=True)
class Line:
    """A printed paragraph.

    Attributes:
        pieces: Its text without the label.
        label: Label as printed (`(a)`, `2.1.`), "" for an item without one, None for a paragraph that is no item
            (it may stand within one).
        closes: True for a paragraph that no list item can hold (a numbered one).
    """

    pieces: list[Piece]
    label: str | None = None
    closes: bool = False


def follows(marker: str, last: str) -> bool:
    """True if a list's item `marker` can stand next after its item `last`.

    Example:
        >>> [follows(m, n) for m, n in (("b", "a"), ("iv", "iii"), ("i", "h"), ("3", "2"), ("2.2", "2.1"), ("-", "-"))]
        [True, True, True, True, True, True]
        >>> [follows(m, n) for m, n in (("c", "a"), ("ii", "a"), ("2.1", "2"), ("3.1", "2.1"))]
        [False, False, False, False]
    """
    if marker == last and marker in ("-", ""):
        return True
    head, _, number = marker.rpartition(".")
    last_head, _, last_number = last.rpartition(".")
    if number.isdigit() and last_number.isdigit():
        return head == last_head and int(number) == int(last_number) + 1
    return marker in (_after(last, "i"), _after(last, "a"))


def _after(last: str, kind: str) -> str | None:
    """Return the label after `last` in lists numbered in letters (`a`) or Roman numerals (`i`)."""
    for number in range(1, 100):
        if ordinal_marker(kind, number) == last:
            return ordinal_marker(kind, number + 1)
    return None


def _marker(label: str) -> str:
    return clean_marker(label) or ""


def _begins(marker: str) -> bool:
    return marker in ("a", "i", "1", "-", "") or marker.endswith(".1")


@dataclass
class _List:
    """A list that is not at its end; `introduced` if a paragraph without label introduces it."""

    element: etree._Element
    last: str
    item: etree._Element
    introduced: bool


class _Nester:
    def __init__(self, lines: list[Line], out: etree._Element, marks: Marks) -> None:
        self.lines = lines
        self.out = out
        self.marks = marks
        self.open: list[_List] = []

    def run(self) -> None:
        for i, line in enumerate(self.lines):
            if line.label is not None:
                self._item(i, _marker(line.label), line)
            elif not plain(line.pieces).strip():
                write(self._holder(), line.pieces, self.marks)
            else:
                del self.open[0 if line.closes else self._depth_of_paragraph(i) :]
                write(etree.SubElement(self._holder(), "P"), line.pieces, self.marks)

    def _holder(self) -> etree._Element:
        return self.open[-1].item if self.open else self.out

    def _item(self, i: int, marker: str, line: Line) -> None:
        depth = self._continued(i, marker)
        if depth is None:
            element = etree.SubElement(self._holder(), "LIST")
            introduced = i > 0 and self.lines[i - 1].label is None
            self.open.append(_List(element, marker, element, introduced))
        else:
            del self.open[depth:]
        item = etree.SubElement(self.open[-1].element, "ITEM")
        self.open[-1].last, self.open[-1].item = marker, item
        if line.label:
            etree.SubElement(item, "NO.P").text = line.label
        write(etree.SubElement(item, "TXT"), line.pieces, self.marks)

    def _continued(self, i: int, marker: str) -> int | None:
        """Return the depth (from 1) of the open list that item `i` continues, None if it begins a list."""
        if marker == "i" and self._next_marker(i) == "ii":
            return None
        depths = range(len(self.open), 0, -1)
        found = next((d for d in depths if follows(marker, self.open[d - 1].last)), None)
        if found is None and not _begins(marker):
            # A label is missing (repealed, or misprinted): the innermost list of the same kind goes on.
            found = next((d for d in depths if _kind(marker) & _kind(self.open[d - 1].last)), None)
        return found

    def _next_marker(self, i: int) -> str | None:
        return next((_marker(line.label) for line in self.lines[i + 1 :] if line.label is not None), None)

    def _depth_of_paragraph(self, i: int) -> int:
        """Return the depth of the list whose last item holds paragraph `i`, 0 if none does."""
        depth = self._depth_continued(i)
        if self.open and plain(self.lines[i].pieces).lstrip()[:1].islower():
            # The sentence goes on that the inner list, or the paragraph before, has broken off.
            return max(depth, len(self.open) - (self.lines[i - 1].label is not None))
        if not depth and self.open and self.open[-1].introduced and self.lines[i - 1].label is not None:
            # After its list the text goes on where the paragraph stands that introduced the list.
            return len(self.open) - 1
        return depth

    def _depth_continued(self, i: int) -> int:
        """Return the depth of the open list that goes on after paragraph `i`: its item holds the paragraph."""
        inner: list[str] = []
        for line in self.lines[i + 1 :]:
            if line.closes:
                return 0
            if line.label is None:
                continue
            marker = _marker(line.label)
            within = next((n for n in range(len(inner), 0, -1) if follows(marker, inner[n - 1])), None)
            if within is not None:
                inner[within - 1 :] = [marker]
                continue
            depths = range(len(self.open), 0, -1)
            found = next((d for d in depths if follows(marker, self.open[d - 1].last)), None)
            if found is not None:
                return found
            inner.append(marker)
        return 0


def _kind(marker: str) -> set[str]:
    """Return the ways of numbering that the label may belong to."""
    if marker.replace(".", "").isdigit():
        return {f"number {marker.count('.')}"}
    if _ROMAN.fullmatch(marker):
        return {"letter", "roman"} if len(marker) == 1 else {"roman"}
    return {"letter"}


def write_lines(lines: list[Line], out: etree._Element, marks: Marks) -> None:
    """Append paragraphs, and lists with their items nested, to an element.

    A paragraph without label belongs to the item before it if a later label continues that item's list, else to
    no list.

    Args:
        lines: Paragraphs of one table cell, in order.
        out: The Formex element for the cell.
        marks: Amendment marks so far.
    """
    _Nester(lines, out, marks).run()
