"""How the cells of the workbook look."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

# Fill of headings and of the row of a section, RGB.
HEADER, SECTION, LINK = "1F3864", "DDE6F3", "0B57A4"
# Of openpyxl's default style, which every other cell has.
FONT = "Calibri"
_INDENTED = ("Criterion", "Text")
_CENTRED = {
    "No.", "Level", "Limits", "Joined by", "Operator", "Flags", "From", "Until", "Criteria", "Thresholds", "Citations",
    "Unresolved", "Confidence", "Lowest confidence",
}  # fmt: skip
# Excel indents by at most so many steps that a person can follow in a column of this width.
_INDENT = 12
_POINTS, _MOST_LINES = 15, 12


@dataclass(frozen=True, slots=True)
class Style:
    """Look of a cell.

    Attributes:
        top: Row of a whole section: bold on a tint.
        indent: Depth of the criterion.
        centred: In the middle of its column.
        wrap: Break long texts into lines.
        decimals: Number format for shares such as a confidence, "" for none.
    """

    top: bool = False
    indent: int = 0
    centred: bool = False
    wrap: bool = True
    decimals: str = ""

    def apply(self, cell: Any) -> None:
        """Give a cell this look."""
        alignment, font, fill = _parts(self)
        cell.alignment = alignment
        if font is not None:
            cell.font, cell.fill = font, fill
        if self.decimals:
            cell.number_format = self.decimals

    @staticmethod
    def mark_link(cell: Any) -> None:
        """Colour and underline a cell as a link, its weight kept."""
        cell.font = _link_font(bool(cell.font.bold))


@lru_cache(maxsize=256)
def _parts(style: Style) -> tuple[Any, Any, Any]:
    from openpyxl.styles import Alignment, Font, PatternFill  # noqa: PLC0415  heavy

    horizontal = "center" if style.centred else "left" if style.indent else None
    alignment = Alignment(
        vertical="top", wrap_text=style.wrap, horizontal=horizontal, indent=0 if style.centred else style.indent
    )
    if not style.top:
        return alignment, None, None
    return alignment, Font(name=FONT, size=11, bold=True), PatternFill("solid", fgColor=SECTION)


@lru_cache(maxsize=2)
def _link_font(bold: bool) -> Any:
    from openpyxl.styles import Font  # noqa: PLC0415

    return Font(name=FONT, size=11, color=LINK, underline="single", bold=bold)


def style_of(column: str, look: Style) -> Style:
    """Return the look of a cell in a column; only the id and the text of a criterion are indented."""
    # A step between a number and its unit.
    indent = min(look.indent, _INDENT) if column in _INDENTED else int(column == "Unit of measure")
    decimals = "0.00" if column in ("Confidence", "Lowest confidence") else ""
    return replace(look, indent=indent, centred=column in _CENTRED, decimals=decimals)


def dress_header(sheet: Worksheet, row: int, columns: Sequence[str]) -> None:
    """Write the headings of a table."""
    from openpyxl.styles import Alignment, Font, PatternFill  # noqa: PLC0415

    font, fill = Font(name=FONT, size=11, bold=True, color="FFFFFF"), PatternFill("solid", fgColor=HEADER)
    for at, column in enumerate(columns, start=1):
        cell: Any = sheet.cell(row, at, column)
        cell.font, cell.fill = font, fill
        cell.alignment = Alignment(
            vertical="center", wrap_text=True, horizontal="center" if column in _CENTRED else None
        )
    sheet.row_dimensions[row].height = 2 * _POINTS


def height(cells: Iterable[tuple[object, int]]) -> float:
    """Return a row height in points that shows the longest of some cells, twelve lines at most.

    Excel would fit rows by itself, but then a footnote of a page makes a row of a page.

    Args:
        cells: Values and the widths of their columns in characters.
    """
    most = 1
    for value, width in cells:
        lines = str(value or "").split("\n")
        most = max(most, sum(max(1, math.ceil(len(line) / width)) for line in lines))
    return float(_POINTS * min(most, _MOST_LINES))
