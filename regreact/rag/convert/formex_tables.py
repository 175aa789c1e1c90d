"""Tables of Formex: cells at their printed places, with spans."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lxml import etree

from regreact.rag.convert.limits import refusal

_MAX_COLUMNS, _MAX_CELLS = 1_000, 1_000_000
_ROWS = ("ROW", "TI.BLK", "STI.BLK")


def grid_of(
    table: etree._Element, text_of: Callable[[etree._Element], str], name: object
) -> tuple[tuple[str, ...], ...]:
    """Return the texts of a table's cells; a cell stands where it begins, the rest of its span is "".

    Args:
        table: A `TBL`.
        text_of: Reads a cell.
        name: The file, for messages.

    Raises:
        DocumentRefusedError: The spans claim more cells than a document can have.
    """
    rows: list[dict[int, str]] = []
    taken: dict[int, int] = {}  # by column: rows that a cell from above still covers
    width = 0
    for row in _rows(table):
        covered = {column for column, left in taken.items() if left}
        taken = {column: left - 1 for column, left in taken.items() if left > 1}
        texts: dict[int, str] = {}
        column = 0
        for cell in row.iterchildren(etree.Element) if row.tag == "ROW" else [row]:
            while column in covered:
                column += 1
            # COL counts from 1; it places cells of rows that leave some out.
            column = max(column, min(_number(cell, "COL", column + 1), _MAX_COLUMNS) - 1)
            across, down = _number(cell, "COLSPAN", 1), _number(cell, "ROWSPAN", 1)
            across = min(across, _MAX_COLUMNS)
            if down > 1:
                taken.update(dict.fromkeys(range(column, column + across), min(down, _MAX_CELLS) - 1))
            texts[column] = text_of(cell)
            column += across
            width = max(width, column)
        rows.append(texts)
        if width * len(rows) > _MAX_CELLS or width > _MAX_COLUMNS * 2:
            raise refusal(name, f"a table of {width * len(rows):,} cells", f"{_MAX_CELLS:,} cells")
    return tuple(tuple(texts.get(i, "") for i in range(width)) for texts in rows if any(texts.values()))


def _rows(table: etree._Element) -> Iterator[etree._Element]:
    """Yield rows and headings of blocks of rows in order, those of tables within cells left out."""
    for part in table:
        if part.tag in _ROWS:
            yield part
        elif part.tag in ("CORPUS", "BLK") or (isinstance(part.tag, str) and part.find(".//ROW") is not None):
            yield from _rows(part)


def _number(cell: etree._Element, name: str, default: int) -> int:
    value = cell.get(name, "")
    return max(int(value), 1) if value.isascii() and value.isdigit() and len(value) < 7 else default
