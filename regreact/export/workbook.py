"""The workbook: an overview, a sheet per objective with one row a criterion, and one sheet each of all limits, all
references and all review flags.

A criterion may have several limits. Columns repeated per limit could not be filtered ("unit is % and value below 5"
would have to look in each group), so a criterion's row holds its first limit and their number, and the sheet
Thresholds has a row for each, linked to the criterion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from regreact.export.cells import clean
from regreact.export.lists import (
    REFERENCE_COLUMNS,
    REVIEW_COLUMNS,
    THRESHOLD_COLUMNS,
    list_sheet,
    reference_rows,
    review_rows,
    threshold_rows,
)
from regreact.export.rows import COLUMNS, Cell, Line, cells_of, lines_of
from regreact.export.sheet import WIDTHS, Places, finish, link, put
from regreact.export.styles import Style, dress_header, height, style_of
from regreact.phrases import OBJECTIVE_NAMES, link_of, reference_state
from regreact.schema import Extraction

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

# Columns that a team fills in.
OWN_COLUMNS = ("Assessment", "Owner", "Comment")
ASSESSMENTS = ("open", "met", "not met", "not applicable")
# Excel knows seven levels of grouping.
_LEVELS = 7
_TITLE_LENGTH = 31
_NOT_IN_TITLES = set("[]:*?/\\'")

UNIT_COLUMNS = (
    "Unit", "Activity", "Objective", "Section", "Criteria", "Thresholds", "Citations", "Unresolved", "Flags",
    "Lowest confidence", "Document",
)  # fmt: skip


def workbook(extractions: Sequence[Extraction]) -> bytes:
    """Return the workbook of extractions as an xlsx file."""
    import openpyxl  # noqa: PLC0415  heavy

    book = openpyxl.Workbook()
    overview = book.active
    assert overview is not None
    overview.title = "Overview"
    places = Places()
    for title, group in _by_objective(extractions):
        _criteria_sheet(book.create_sheet(_title(book, title)), group, places)
    for name, columns, rows in (
        ("Thresholds", THRESHOLD_COLUMNS, threshold_rows),
        ("References", REFERENCE_COLUMNS, reference_rows),
        ("Review", REVIEW_COLUMNS, review_rows),
    ):
        list_sheet(book.create_sheet(name), columns, rows(extractions), places)
    _overview(overview, book, extractions, places)
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _by_objective(extractions: Iterable[Extraction]) -> list[tuple[str, list[Extraction]]]:
    """Return the extractions of each objective under the name of its sheet, objectives in their usual order."""
    groups: dict[str, list[Extraction]] = {}
    for extraction in extractions:
        groups.setdefault(extraction.objective, []).append(extraction)
    known = [o for o in OBJECTIVE_NAMES if o in groups]
    others = [o for o in groups if o not in OBJECTIVE_NAMES]
    return [(OBJECTIVE_NAMES.get(o, o or "Other"), groups[o]) for o in (*known, *others)]


def _title(book: Workbook, wanted: str) -> str:
    """Return a sheet title that Excel allows and the workbook does not have yet (case aside)."""
    plain = "".join(" " if c in _NOT_IN_TITLES or not c.isprintable() else c for c in clean(wanted)).strip() or "Other"
    reserved = {"overview", "thresholds", "references", "review", "history"}
    taken = {title.casefold() for title in book.sheetnames} | reserved
    for count in range(1, len(taken) + 2):
        suffix = "" if count == 1 else f" {count}"
        title = plain[: _TITLE_LENGTH - len(suffix)].strip() + suffix
        if title.casefold() not in taken:
            return title
    raise AssertionError("more candidates than titles taken")


def _criteria_sheet(sheet: Worksheet, extractions: Sequence[Extraction], places: Places) -> None:
    """Fill the sheet of one objective: one row a criterion, grouped by depth."""
    from openpyxl.utils import get_column_letter  # noqa: PLC0415

    columns = (*COLUMNS, *OWN_COLUMNS)
    dress_header(sheet, 1, columns)
    row = 1
    for line in (line for extraction in extractions for line in lines_of(extraction)):
        row += 1
        _criterion_row(sheet, row, line, columns)
        places.cells[line.extraction.source.document, line.extraction.unit, line.node.criterion_id] = (
            f"'{sheet.title}'!C{row}"
        )
    finish(sheet, columns, row, frozen="D2")
    # What is read on paper; all columns on one page would be too small to read.
    sheet.print_area = f"A1:{get_column_letter(columns.index('References') + 1)}{row}"
    # The row that sums up a group, its criterion, stands above it.
    sheet.sheet_properties.outlinePr.summaryBelow = False
    _assessments(sheet, get_column_letter(columns.index("Assessment") + 1), row)


def _criterion_row(sheet: Worksheet, row: int, line: Line, columns: Sequence[str]) -> None:
    cells = cells_of(line, row - 1)
    if line.parent is None and not line.node.verbatim_text:
        cells["Text"] = f"{line.extraction.activity} – {line.extraction.section}"
    look = Style(top=line.parent is None, indent=line.depth)
    for at, column in enumerate(columns, start=1):
        put(sheet, row, at, cells.get(column), style_of(column, look))
    if len(line.sources) == 1:
        # A cell has one link; several references have theirs in the sheet References.
        link(sheet, row, columns.index("References") + 1, link_of(line.sources[0]))
    dimension = sheet.row_dimensions[row]
    dimension.outlineLevel = min(line.depth, _LEVELS)
    dimension.height = height((cells[c], WIDTHS[c]) for c in ("Text", "Summary", "All thresholds", "References"))


def _assessments(sheet: Worksheet, letter: str, last: int) -> None:
    """Let a column offer the assessments as a list."""
    from openpyxl.worksheet.datavalidation import DataValidation  # noqa: PLC0415

    choice = DataValidation(type="list", formula1=f'"{",".join(ASSESSMENTS)}"', allow_blank=True)
    choice.add(f"{letter}2:{letter}{max(2, last)}")
    sheet.add_data_validation(choice)


def _overview(sheet: Worksheet, book: Workbook, extractions: Sequence[Extraction], places: Places) -> None:
    """Fill the overview: what the workbook holds, its sheets, and a row a unit."""
    documents = sorted({e.source.document for e in extractions})
    put(sheet, 1, 1, "Criteria by unit", Style(top=True))
    told = f"{len(extractions)} units of {', '.join(documents)}. Numbers and dates are values; links lead to criteria."
    put(sheet, 2, 1, told, Style(wrap=False))
    for row, name in enumerate(book.sheetnames[1:], start=3):
        rows = max(0, book[name].max_row - 1)
        put(sheet, row, 1, name, Style())
        put(sheet, row, 2, f"{rows} rows", Style())
        link(sheet, row, 1, f"'{name}'!A1", inside=True)
    top = len(book.sheetnames) + 3
    dress_header(sheet, top, UNIT_COLUMNS)
    row = top
    for extraction in extractions:
        row += 1
        for at, (column, value) in enumerate(zip(UNIT_COLUMNS, _unit_cells(extraction), strict=True), start=1):
            put(sheet, row, at, value, style_of(column, Style()))
        link(sheet, row, 1, places.of(extraction, extraction.criteria.criterion_id), inside=True)
        sheet.row_dimensions[row].height = height(
            [(extraction.unit, WIDTHS["Unit"]), (extraction.activity, WIDTHS["Activity"])]
        )
    finish(sheet, UNIT_COLUMNS, row, frozen=f"B{top + 1}", top=top)


def _unit_cells(extraction: Extraction) -> tuple[Cell, ...]:
    nodes = list(extraction.criteria.walk())
    sources = [s for n in nodes if n.references for s in n.references.sources]
    open_ones = [s for s in sources if reference_state(s.type, s.enrichment) in ("skipped", "not asked for")]
    sure = [least[1] for line in lines_of(extraction) if (least := line.least_sure)]
    return (
        extraction.unit, extraction.activity, extraction.objective, extraction.section,
        len(nodes) - 1, sum(n.threshold is not None for n in nodes), len(sources), len(open_ones),
        len(extraction.review), min(sure) if sure else None, extraction.source.document,
    )  # fmt: skip
