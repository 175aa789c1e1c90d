"""The sheets that list all thresholds, all references and all review flags, each row linked to its criterion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regreact.export.cells import day
from regreact.export.rows import Cell
from regreact.export.sheet import WIDTHS, Places, finish, link, put
from regreact.export.styles import Style, dress_header, height, style_of
from regreact.phrases import date_text, first_and_last_day, limit_text, period_text, reference_state, safe_link
from regreact.schema import Enrichment, Extraction, Recurring

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

THRESHOLD_COLUMNS = (
    "Unit", "Criterion", "Kind", "Joined by", "Metric", "Operator", "Value", "Unit of measure", "Period", "From",
    "Until", "Interval", "Interval unit", "In words", "Activity", "Document",
)  # fmt: skip
REFERENCE_COLUMNS = (
    "Unit", "Criterion", "Footnote", "Citation", "CELEX", "Status", "Summary", "Key facts", "Stated limits",
    "Confidence", "Addresses", "Gaps", "Activity", "Document",
)  # fmt: skip
REVIEW_COLUMNS = ("Unit", "Criterion", "Severity", "Stage", "Reason", "Activity", "Document", "Decision", "Comment")


@dataclass(frozen=True, slots=True)
class ListRow:
    """A row of a list sheet: its cells, the criterion it links to, and the link of one of its columns."""

    extraction: Extraction
    criterion_id: str
    cells: dict[str, Cell]
    linked: str = ""
    link: str | None = None


def list_sheet(sheet: Worksheet, columns: Sequence[str], rows: Iterable[ListRow], places: Places) -> None:
    """Fill a sheet of all limits, references or flags; each row links to its criterion."""
    dress_header(sheet, 1, columns)
    last = 1
    for last, entry in enumerate(rows, start=2):
        common = {
            "Unit": entry.extraction.unit, "Criterion": entry.criterion_id, "Activity": entry.extraction.activity,
            "Document": entry.extraction.source.document,
        }  # fmt: skip
        cells = {**common, **entry.cells}
        for at, column in enumerate(columns, start=1):
            put(sheet, last, at, cells.get(column), style_of(column, Style()))
        link(sheet, last, columns.index("Criterion") + 1, places.of(entry.extraction, entry.criterion_id), inside=True)
        if entry.link:
            link(sheet, last, columns.index(entry.linked) + 1, entry.link)
        long = [(cells.get(c), WIDTHS[c]) for c in columns if WIDTHS.get(c, 0) >= 28]
        sheet.row_dimensions[last].height = height(long)
    finish(sheet, columns, last, frozen="C2")


def threshold_rows(extractions: Iterable[Extraction]) -> Iterator[ListRow]:
    """Yield a row for each limit and each date."""
    for extraction in extractions:
        for node in extraction.criteria.walk():
            limits = node.threshold.quantitative if node.threshold else None
            for item in limits.items if limits else ():
                yield ListRow(extraction, node.criterion_id, {
                    "Kind": "limit", "Joined by": limits.logic if limits else None, "Metric": item.metric,
                    "Operator": item.operator, "Value": item.value, "Unit of measure": item.unit,
                    "Period": period_text(item.period), "In words": limit_text(item),
                })  # fmt: skip
            dates = node.threshold.temporal if node.threshold else None
            for when in dates.items if dates else ():
                start, end = first_and_last_day(when)
                again = when if isinstance(when, Recurring) else None
                yield ListRow(extraction, node.criterion_id, {
                    "Kind": when.type, "Joined by": dates.logic if dates else None, "From": day(start),
                    "Until": day(end), "Interval": again.interval_value if again else None,
                    "Interval unit": again.interval_unit if again else None, "In words": date_text(when),
                })  # fmt: skip


def reference_rows(extractions: Iterable[Extraction]) -> Iterator[ListRow]:
    """Yield a row for each cited source and each item of a footnote."""
    for extraction in extractions:
        records = {(r.criterion_id, r.source): r for r in extraction.retrieval}
        for node in extraction.criteria.walk():
            cited: list[tuple[str, str, str, str | None, str | None, Enrichment | None]] = [
                ("", s.text, s.type, s.celex_id, s.link, s.enrichment)
                for s in (node.references.sources if node.references else ())
            ]
            cited += [(f.id, i.title, i.type, i.celex_id, None, i.enrichment) for f in node.footnotes for i in f.items]
            for footnote, text, kind, celex, address, found in cited:
                record = records.get((node.criterion_id, text))
                yield ListRow(extraction, node.criterion_id, {
                    "Footnote": footnote, "Citation": text, "CELEX": celex, "Status": reference_state(kind, found),
                    "Summary": found.summary if found else None,
                    "Key facts": "\n".join(found.key_facts or ()) if found else None,
                    "Stated limits": "\n".join(found.thresholds or ()) if found else None,
                    "Confidence": found.confidence if found else None,
                    "Addresses": "\n".join(record.addresses) if record else None,
                    "Gaps": "\n".join(record.gaps) if record else None,
                }, "Citation", safe_link(address, celex))  # fmt: skip


def review_rows(extractions: Iterable[Extraction]) -> Iterator[ListRow]:
    """Yield a row for each review flag."""
    for extraction in extractions:
        for item in extraction.review:
            cells: dict[str, Cell] = {"Severity": item.severity, "Stage": item.stage, "Reason": item.reason}
            yield ListRow(extraction, item.criterion_id, cells)
