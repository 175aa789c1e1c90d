"""Printed paragraphs of a PDF from its lines: by leading, indentation and the length of lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from regreact.rag.act import Table
from regreact.rag.convert.pdf_glyphs import LABEL, PrintedLine
from regreact.rag.convert.pdf_layout import Column, PageLayout
from regreact.rag.convert.pdf_tables import PlacedTable
from regreact.rag.convert.pdf_words import Vocabulary, joined

_INDENT = 3.0  # points: edges closer than this are the same
_SHORT = 0.75  # of the width: a line that ends before it is the last of its paragraph
_LEADING = 1.25  # of the usual distance from line to line: more is a space between paragraphs
_HEADING_LEADING = 1.6  # of the usual: headings are set wider
# A number of a division stands alone above its heading.
_NUMBERED = re.compile(r"(?:article|annex|appendix|part|title|chapter|section)(?:\s+\w{1,6})?\.?", re.IGNORECASE)
_CLOSED = re.compile(r"[.;:!?—’”](?:\s*\(\d+\))?$")
_ENDED = re.compile(r"(?:[.;:!?—’”]|\b(?:and|or),?)(?:\s*\(\d+\))?$")  # the last but one item ends with "and"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A printed paragraph, heading, footnote or table.

    Attributes:
        text: Its text on one line, hyphens at line ends undone.
        page: Number of the page it begins on, from 0.
        centred: All its lines are centred in their column.
        bold: All of it is bold.
        italic: All of it is italic.
        full_width: Stands across the page, not in one of two columns.
        note: It is a footnote.
        table: The table, for a paragraph that is one.
    """

    text: str
    page: int = 0
    centred: bool = False
    bold: bool = False
    italic: bool = False
    full_width: bool = True
    note: bool = False
    table: Table | None = None


@dataclass
class _Open:
    """A paragraph that may go on: its lines with the columns they stand in."""

    lines: list[PrintedLine] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)

    def fits(self, line: PrintedLine, column: Column) -> bool:
        """Say whether a line begins where the next line of the paragraph would.

        That is below the last line, or after the first one below its text where a label hangs before it, or left of it
        where its first line is indented.
        """
        last, before = self.lines[-1], self.columns[-1]
        indent = line.x0 - column.x0
        edges = last.starts[:3] if len(self.lines) == 1 else (last.x0,)
        if any(abs(indent - (edge - before.x0)) <= _INDENT for edge in edges):
            return True
        return len(self.lines) == 1 and indent < last.x0 - before.x0 and not _ends_short(last, before)


def paragraphs(pages: Sequence[PageLayout], vocabulary: Vocabulary) -> list[Paragraph]:
    """Return text, tables and footnotes of a document; footnotes come last, in order.

    Args:
        pages: Pages without running heads, footnotes set apart.
        vocabulary: Words of the document.
    """
    leading = usual_leading(pages)
    columns = [column for page in pages for column in page.columns]
    return [*_text(columns, leading, vocabulary), *_notes(columns, vocabulary)]


def usual_leading(pages: Iterable[PageLayout]) -> float:
    """Return the distance from line to line within paragraphs, as a multiple of the size."""
    steps: Counter[float] = Counter()
    for page in pages:
        for column in page.columns:
            lines = [i for i in column.items if isinstance(i, PrintedLine)]
            for above, below in pairwise(lines):
                step = (below.bottom - above.bottom) / max(below.size, 1.0)
                if 0.8 < step < 2.5:
                    steps[round(step, 1)] += 1
    return steps.most_common(1)[0][0] if steps else 1.2


def _text(columns: Sequence[Column], leading: float, vocabulary: Vocabulary) -> Iterator[Paragraph]:
    close = partial(_closed, vocabulary=vocabulary)
    current = _Open()
    for column in columns:
        for item in column.items:
            if isinstance(item, PlacedTable):
                yield from close(current)
                current = _Open()
                yield Paragraph("", column.page, full_width=column.full_width, table=item.table)
                continue
            if current.lines and _begins(current, item, column, leading):
                yield from close(current)
                current = _Open()
            current.lines.append(item)
            current.columns.append(column)
    yield from close(current)


def _closed(current: _Open, vocabulary: Vocabulary, note: bool = False) -> Iterator[Paragraph]:
    if not current.lines:
        return
    lines, column = current.lines, current.columns[0]
    yield Paragraph(
        text=joined([line.text for line in lines], vocabulary),
        page=column.page,
        centred=_all_centred(current),
        bold=all(line.bold for line in lines),
        italic=all(line.italic for line in lines),
        full_width=column.full_width,
        note=note,
    )


def _all_centred(current: _Open) -> bool:
    """Say whether a paragraph is centred; a heading's longest line may fill the column."""
    centred = [is_centred(line, at) for line, at in zip(current.lines, current.columns, strict=True)]
    return all(centred) or (any(centred) and _is_heading_style(current.lines))


def _is_heading_style(lines: Sequence[PrintedLine]) -> bool:
    return all(line.bold for line in lines) or all(line.italic for line in lines)


def is_centred(line: PrintedLine, column: Column) -> bool:
    """Say whether a line stands in the middle of its column, not filling it."""
    return abs(line.x0 - column.x0 - (column.x1 - line.x1)) < 2 * _INDENT and line.x0 - column.x0 > _INDENT


def _begins(current: _Open, line: PrintedLine, column: Column, leading: float) -> bool:
    """Say whether a line begins a paragraph rather than going on with the open one."""
    last, before = current.lines[-1], current.columns[-1]
    centred = is_centred(line, column), is_centred(last, before)
    restyled = any(centred) and (line.bold, line.italic) != (last.bold, last.italic)
    numbered = any(centred) and any(_NUMBERED.fullmatch(part.text) for part in (last, line))
    if abs(line.size - last.size) > 1.5 or restyled or numbered:
        return True
    if before is not column:
        return _begins_after_break(current, line, column)
    heading = any(centred) and _is_heading_style([*current.lines, line])
    space = _HEADING_LEADING if heading else _LEADING
    if line.bottom - last.bottom > space * leading * max(line.size, last.size):
        return True
    return not (heading or all(centred)) and _begins_below(current, line, column)


def _begins_below(current: _Open, line: PrintedLine, column: Column) -> bool:
    """Say whether a line begins a paragraph by its indentation, its label or the shortness of the line above."""
    last = current.lines[-1]
    if _is_labelled(line):
        left_of_text = line.x0 < last.x0 - _INDENT
        level = abs(line.x0 - last.x0) <= _INDENT and len(current.lines) == 1 and _is_labelled(last)
        if left_of_text or level or _CLOSED.search(last.text):
            return True
    short = _ends_short(last, column) and not line.text[0].islower()
    return short or not current.fits(line, column)


def _begins_after_break(current: _Open, line: PrintedLine, column: Column) -> bool:
    """Say whether the first line of a column begins a paragraph; the space above it does not show."""
    last, before = current.lines[-1], current.columns[-1]
    if is_centred(last, before) and (last.bold or last.italic):
        return True
    ended = _ENDED.search(last.text) is not None
    fits, short = current.fits(line, column), _ends_short(last, before)
    if _is_labelled(line):
        return ended or short or not fits
    if not ended and line.text[0].islower():
        return False
    if short or not fits:
        return ended or short or is_centred(line, column)
    return ended and last.x1 < before.x1 - _INDENT


def _is_labelled(line: PrintedLine) -> bool:
    return LABEL.fullmatch(line.text.split(" ", 1)[0]) is not None


def _ends_short(line: PrintedLine, column: Column) -> bool:
    return line.x1 - column.x0 < _SHORT * (column.x1 - column.x0)


def _notes(columns: Sequence[Column], vocabulary: Vocabulary) -> Iterator[Paragraph]:
    """Yield the footnotes; one without a marker goes on from the column before."""
    current = _Open()
    for column in columns:
        for line in column.notes:
            if line.marked:
                yield from _closed(current, vocabulary, note=True)
                current = _Open()
            current.lines.append(line)
            current.columns.append(column)
    yield from _closed(current, vocabulary, note=True)
