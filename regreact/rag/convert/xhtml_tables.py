"""Tables of EUR-Lex pages: data, or two columns that set the label of an item beside its text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from regreact.errors import DocumentRefusedError
from regreact.rag.convert.xhtml_text import classes_of, clean, raw_text
from regreact.sources.eurlex_markup import name_of

_GROUPS = ("thead", "tbody", "tfoot")
_MAX_SPAN, _MAX_CELLS, _TERM = 1000, 1_000_000, 16
# Tables with lines around their cells are data.
_BORDERED = frozenset(("table", "borderOj"))
# "(a)", "1.", "10a.", "10.1.5", "IV.", "—", "(*1)", "‘(b)": what stands in the first of two columns of an item.
LABEL = re.compile(
    r"[‘“„«\"]?\s*(?:\(?\*?[0-9]{1,3}[a-z]{0,3}[.)]{0,2}|[0-9]{1,3}(?:\.[0-9]{1,3})+[a-z]?\.?|\(?[A-Za-z]{1,5}[.)]{1,2}|\(?[IVXLC]{1,7}[.)]{0,2}"
    r"|[A-Z]|[-‐-―−•▪·◦*]|\(?\*{1,3}[0-9]*\)?)"
)
NOTE_LABEL = re.compile(r"\(?\*+\d*\)?")


@dataclass(frozen=True, slots=True)
class Item:
    """A row of a layout table.

    Attributes:
        label: First column as printed, "" if it is empty.
        content: The cell beside it.
        indent: Empty columns before the label.
    """

    label: str
    content: etree._Element
    indent: int


def rows_of(table: etree._Element) -> list[list[etree._Element]]:
    """Return the cells of a table by row, those of tables within it left out."""
    rows = [r for part in table for r in (part if name_of(part) in _GROUPS else [part]) if name_of(r) == "tr"]
    return [[cell for cell in row if name_of(cell) in ("td", "th")] for row in rows]


def items_of(table: etree._Element) -> list[Item] | None:
    """Return the rows of a layout table as items, None if the table is data.

    A table without lines whose rows have a label, or nothing, before one cell of text is a list that is set in columns.
    One row of a short term and its text is one too.
    """
    if classes_of(table) & _BORDERED:
        return None
    rows = [row for row in rows_of(table) if row]
    items = [_item(row) for row in rows]
    if not items or any(item is None for item in items):
        return None
    found = [item for item in items if item is not None]
    if not all(LABEL.fullmatch(item.label) or not item.label for item in found) and len(found) > 1:
        return None
    return found if found[0].label else None


def _item(row: list[etree._Element]) -> Item | None:
    *before, content = row
    if not before or classes_of(content) & _BORDERED or any(holds_table(cell) for cell in before):
        return None
    labels = [clean(raw_text(cell)) for cell in before]
    label = labels[-1]
    return Item(label, content, len(labels) - 1) if not any(labels[:-1]) and len(label) <= _TERM else None


def holds_table(element: etree._Element) -> bool:
    """True if a table stands below the element."""
    return next(element.iterdescendants("{*}table"), None) is not None


def grid_of(table: etree._Element, name: str) -> tuple[tuple[str, ...], ...]:
    """Return the cells' texts; a cell stands where it begins, the rest of its span is "".

    Args:
        table: The table.
        name: Name of the document, for messages.

    Raises:
        DocumentRefusedError: The spans claim more cells than a document can have.
    """
    rows: list[list[str]] = []
    taken: dict[int, int] = {}  # by column: rows that a cell from above still covers
    width = 0
    for cells in rows_of(table):
        row: list[str] = []
        covered = dict(taken)
        taken = {column: left - 1 for column, left in taken.items() if left > 1}
        for cell in cells:
            while covered.get(len(row), 0):
                row.append("")
            columns, down = _span(cell, "colspan"), _span(cell, "rowspan")
            if down > 1:
                taken.update(dict.fromkeys(range(len(row), len(row) + columns), down - 1))
            row += [clean(raw_text(cell)), *[""] * (columns - 1)]
        width = max(width, len(row))
        rows.append(row)
        if width * len(rows) > _MAX_CELLS:
            raise DocumentRefusedError(name, f"a table of more than {_MAX_CELLS} cells", "check where it comes from")
    return tuple(tuple(row + [""] * (width - len(row))) for row in rows if any(row))


def _span(cell: etree._Element, name: str) -> int:
    value = cell.get(name, "1").strip()
    return min(max(int(value), 1), _MAX_SPAN) if value.isdecimal() and len(value) < 10 else 1


def is_caption(classes: frozenset[str]) -> bool:
    """True for the class of a table's title."""
    return bool(classes & {"ti-tbl", "title-table"})
