"""One sheet of the workbook: cells that no spreadsheet computes, links, widths, filter, frozen panes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from regreact.export.cells import clean, cut, is_formula
from regreact.export.rows import Cell
from regreact.export.styles import Style
from regreact.schema import Extraction

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
# Excel knows so many links on a sheet.
_LINKS = 65_000
WIDTHS = {
    "No.": 6, "Unit": 26, "Criterion": 18, "Text": 70, "Level": 6, "Logic": 12, "Applies": 12, "Category": 12,
    "Tags": 22, "Limits": 7, "Joined by": 8, "Metric": 28, "Operator": 9, "Value": 10, "Unit of measure": 16,
    "Period": 16, "From": 12, "Until": 12, "All thresholds": 36, "Inherits from": 13, "References": 32, "CELEX": 14,
    "Reference status": 15, "What the references require": 50, "Depends on": 30, "Footnotes": 40, "Summary": 50,
    "Confidence": 12, "Least sure of": 16, "Flags": 7, "Review": 40, "Activity": 40, "Objective": 13, "Section": 18,
    "Document": 22, "Assessment": 14, "Owner": 16, "Comment": 40, "Citation": 40, "Key facts": 50, "Stated limits": 40,
    "Addresses": 24, "Reason": 50, "In words": 40, "Gaps": 30, "Stage": 14, "Severity": 10, "Kind": 14,
}  # fmt: skip


@dataclass
class Places:
    """Where each criterion stands, as `'Sheet'!A5`, by document, unit and criterion."""

    cells: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def of(self, extraction: Extraction, criterion_id: str) -> str | None:
        return self.cells.get((extraction.source.document, extraction.unit, criterion_id))


def finish(sheet: Worksheet, columns: Sequence[str], last: int, frozen: str, top: int = 1) -> None:
    """Set widths, filter, frozen panes and the print layout of a sheet."""
    from openpyxl.utils import get_column_letter  # noqa: PLC0415

    for at, column in enumerate(columns, start=1):
        sheet.column_dimensions[get_column_letter(at)].width = WIDTHS.get(column, 14)
    sheet.auto_filter.ref = f"A{top}:{get_column_letter(len(columns))}{max(top, last)}"
    sheet.freeze_panes = frozen
    sheet.print_title_rows = f"{top}:{top}"
    sheet.page_setup.orientation, sheet.page_setup.paperSize = "landscape", sheet.PAPERSIZE_A3
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True


def put(sheet: Worksheet, row: int, column: int, value: Cell, style: Style) -> None:
    """Write a value: numbers and dates as such, everything else as text that no spreadsheet computes."""
    if value is None or value == "":
        if style.top:
            style.apply(sheet.cell(row, column))
        return
    cell: Any = sheet.cell(row, column)
    if isinstance(value, (date, int, float)):
        cell.value = value
        style.apply(cell)
        if isinstance(value, date):
            cell.number_format = "yyyy-mm-dd"
        return
    # Excel reads "_x0041_" in a string as the character of that code (ST_Xstring), unless its "_" is written so itself.
    text = cut(_ESCAPE.sub("_x005F_", clean(str(value))))
    cell.value = text
    # openpyxl takes a leading "=" for a formula and "#N/A" for an error.
    cell.data_type = "s"
    style.apply(cell)
    if is_formula(text):
        # Keeps the text a text when somebody edits the cell.
        cell.quotePrefix = True


def link(sheet: Worksheet, row: int, column: int, target: str | None, inside: bool = False) -> None:
    """Put a link behind a cell that holds something."""
    from openpyxl.worksheet.hyperlink import Hyperlink  # noqa: PLC0415

    if target is None or len(sheet._hyperlinks) >= _LINKS:
        return
    cell: Any = sheet.cell(row, column)
    if cell.value is None:
        return
    cell.hyperlink = Hyperlink(ref=cell.coordinate, location=target) if inside else target
    Style.mark_link(cell)
