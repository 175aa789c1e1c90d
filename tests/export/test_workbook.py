"""The workbook read back: numbers and dates are values, texts are texts, nothing is computed."""

from __future__ import annotations

from datetime import datetime
from io import BytesIO
from typing import Any

import openpyxl
import pytest

from regreact.export.cells import CELL_LIMIT, clean, cut, day, is_formula
from regreact.export.workbook import workbook
from regreact.schema import Extraction
from tests.dataset.builders import criterion
from tests.export.cases import HOSTILE, extraction, limits


def opened(*extractions: Extraction) -> Any:
    return openpyxl.load_workbook(BytesIO(workbook(extractions)))


def table(sheet: Any, top: int = 1) -> list[dict[str, Any]]:
    rows = list(sheet.iter_rows(min_row=top, values_only=True))
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def test_one_row_a_criterion_with_numbers_and_dates_as_values(washing: Extraction) -> None:
    rows = table(opened(washing)["Circular economy"])
    assert [(r["Criterion"], r["Level"], r["Logic"]) for r in rows] == [
        ("ROOT", 0, "AND"), ("1", 1, "OR"), ("1(a)", 2, "LEAF"), ("1(b)", 2, "LEAF"),
    ]  # fmt: skip
    first, second = rows[2], rows[3]
    assert (first["Metric"], first["Operator"], first["Value"], first["Unit of measure"]) == ("Losses", "<=", 5, "%")
    assert first["Limits"] == 3 and first["Until"] == datetime(2031, 12, 31)
    assert first["All thresholds"] == "Losses ≤ 5 % AND Losses < 0.25 l/kg; by 2031-12-31"
    assert second["Depends on"] == "Where steam is not used [1(a) not met]"
    assert second["What the references require"] == "Directive (EU) 2099/1: Rinsing water is filtered."
    assert (second["Confidence"], second["Least sure of"], second["Flags"]) == (0.4, "tags", 1)
    assert second["Footnotes"] == "fn-1: Steam above 2 bar." and second["Inherits from"] == "1(a)"


def test_every_limit_and_date_has_a_row_of_its_own(washing: Extraction) -> None:
    rows = table(opened(washing)["Thresholds"])
    assert [(r["Kind"], r["Operator"], r["Value"], r["Unit of measure"], r["Until"]) for r in rows] == [
        ("limit", "<=", 5, "%", None), ("limit", "<", 0.25, "l/kg", None),
        ("deadline", None, None, None, datetime(2031, 12, 31)),
    ]  # fmt: skip


def test_a_team_can_filter_fold_and_follow(washing: Extraction) -> None:
    book = opened(washing)
    sheet = book["Circular economy"]
    assert sheet.freeze_panes == "D2"
    assert sheet.auto_filter.ref == f"A1:{sheet.cell(5, sheet.max_column).coordinate}"
    assert [sheet.row_dimensions[row].outlineLevel for row in range(2, 6)] == [0, 1, 2, 2]
    assert not sheet.sheet_properties.outlinePr.summaryBelow
    assert [sheet.cell(row, 4).alignment.indent for row in range(2, 6)] == [0, 1, 2, 2]
    references = [cell for cell in sheet[5] if cell.hyperlink]
    assert [cell.hyperlink.target for cell in references] == ["https://example.org/act"]
    assert book["Thresholds"]["B2"].hyperlink.location == "'Circular economy'!C4"
    assert book["Overview"]["A3"].hyperlink.location == "'Circular economy'!A1"
    assert [v.formula1 for v in sheet.data_validations.dataValidation] == ['"open,met,not met,not applicable"']


def test_a_sheet_per_objective_and_an_overview_that_counts(washing: Extraction) -> None:
    water = extraction("WTR-1.1/SC", criterion("1", "Water is clean."), objective="water")
    book = opened(washing, water)
    names = ["Overview", "Water", "Circular economy", "Thresholds", "References", "Review"]
    assert book.sheetnames == names
    units = table(book["Overview"], top=len(names) + 3)
    assert [(u["Unit"], u["Criteria"], u["Thresholds"], u["Citations"], u["Flags"]) for u in units] == [
        ("CE-1.1/SC", 3, 1, 1, 1), ("WTR-1.1/SC", 1, 0, 0, 0),
    ]  # fmt: skip


def test_no_text_becomes_a_formula_a_link_or_an_illegal_character(hostile: Extraction) -> None:
    book = opened(hostile)
    for sheet in book:
        assert len(sheet.title) <= 31
        for cell in (cell for row in sheet.iter_rows() for cell in row):
            assert cell.data_type in ("s", "n", "d"), cell.coordinate
            if isinstance(cell.value, str) and is_formula(cell.value):
                assert cell.quotePrefix, cell.value
            if cell.hyperlink is not None:
                assert cell.hyperlink.target is None, "only links inside the workbook"
    texts = [row["Text"] for row in table(book.worksheets[1])][1:]
    # Excel reads a tab or line feed at the start back as it was written; the XML keeps the rest.
    assert texts == [clean(text) or None for text in HOSTILE]
    assert {row["Value"] for row in table(book["Thresholds"])} == {-5}


@pytest.mark.parametrize("value", [1e-300, 123456789012345.0, -0.5])
def test_numbers_are_numbers(value: float) -> None:
    node = criterion("1", "a", category="Quantitative", threshold=limits(("m", "<", value, "%")))
    (row,) = table(opened(extraction("CE-1.1/SC", node))["Thresholds"])
    assert row["Value"] == value


def test_long_texts_are_cut_with_a_mark_that_counts() -> None:
    text = "ab😀" * 12_000
    short = cut(text)
    assert len(short.encode("utf-16-le")) // 2 <= CELL_LIMIT
    kept, _, mark = short.partition(" … [")
    assert text.startswith(kept) and mark == f"{len(text) - len(kept)} characters cut]"
    assert cut("x" * CELL_LIMIT) == "x" * CELL_LIMIT
    node = criterion("1", text)
    assert table(opened(extraction("CE-1.1/SC", node))["Circular economy"])[1]["Text"] == short


def test_days_that_no_calendar_has_stay_text() -> None:
    assert day("2031-02-30") == "2031-02-30"
    assert day("1899-12-31") == "1899-12-31"
    assert day(None) is None


def test_objectives_of_one_name_get_sheets_of_their_own() -> None:
    units = [
        extraction(f"X-{n}/SC", criterion("1", "a"), objective=o) for n, o in enumerate(("Overview", "a/b", "A:B", ""))
    ]
    assert opened(*units).sheetnames[1:5] == ["Overview 2", "a b", "A B 2", "Other"]


def test_deep_trees_keep_their_levels() -> None:
    node = criterion("9", "deep")
    for level in range(20, 0, -1):
        node = criterion(f"l{level}", f"level {level}", node)
    rows = table(opened(extraction("CE-1.1/SC", node))["Circular economy"])
    assert [row["Level"] for row in rows] == list(range(22))


def test_what_excel_would_decode_stays_as_it_is_written() -> None:
    """`_x003D_` in a string means "="; escaped, Excel shows the seven characters."""
    rows = table(opened(extraction("CE-1.1/SC", criterion("1", "_x003D_1+1 and _xyz_")))["Circular economy"])
    assert rows[1]["Text"] == "_x005F_x003D_1+1 and _xyz_"
