"""Tables of all criteria: CSV for people, JSON Lines and Parquet with the dataset's flat rows for programs."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from datetime import date
from io import StringIO

from regreact.dataset.rows import CriterionRow
from regreact.dataset.tables import json_lines, parquet
from regreact.export.cells import clean, is_formula
from regreact.export.rows import COLUMNS, Cell, cells_of, flat_rows, lines_of
from regreact.phrases import number_text
from regreact.schema import Extraction


def csv_table(extractions: Iterable[Extraction]) -> bytes:
    """Return one line a criterion as CSV (RFC 4180), in UTF-8 with a byte order mark, by which Excel knows it.

    CSV cannot say that a cell is text, so one that a spreadsheet could take for a formula gets an apostrophe in
    front, as OWASP advises; numbers stay numbers, a negative one too. For programs there is JSON Lines, without it.
    """
    buffer = StringIO()
    writer = csv.writer(buffer)
    writer.writerow(COLUMNS)
    number = 0
    for line in (line for extraction in extractions for line in lines_of(extraction)):
        number += 1
        cells = cells_of(line, number)
        writer.writerow([_text(cells[column]) for column in COLUMNS])
    return buffer.getvalue().encode("utf-8-sig", "replace")


def _text(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, date):
        return value.isoformat()
    text = clean(str(value))
    return f"'{text}" if is_formula(text) else text


def jsonl_table(extractions: Sequence[Extraction]) -> bytes:
    """Return the flat rows of the dataset as JSON Lines."""
    return json_lines(flat_rows(extractions))


def parquet_table(extractions: Sequence[Extraction]) -> bytes:
    """Return the flat rows of the dataset as Parquet."""
    return parquet(jsonl_table(extractions), CriterionRow)
