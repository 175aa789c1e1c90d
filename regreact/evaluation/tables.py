"""Tables of a report as data: columns, rows, notes; written as Markdown or CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from regreact.evaluation.statistics import Interval

Cell: TypeAlias = str | int | float | Interval | None
Record: TypeAlias = Mapping[str, Cell]

# Columns with p values end so; a p value is never printed as zero.
P_COLUMNS = ("p", "p, Holm")


@dataclass(frozen=True, slots=True)
class Table:
    """One table.

    Attributes:
        key: Name of its files (`table2`).
        title: Heading.
        records: Rows, all with the same keys; the keys are the columns.
        notes: What a reader must know, a sentence each.
        digits: Decimal places of numbers by column; 2 where nothing is said.
    """

    key: str
    title: str
    records: tuple[Record, ...]
    notes: tuple[str, ...] = ()
    digits: Mapping[str, int] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self.records[0]) if self.records else ()

    def markdown(self) -> str:
        """Return heading, table and notes."""
        right = {c for c in self.columns if any(isinstance(r[c], (int, float, Interval)) for r in self.records)}
        lines = [f"## {self.title}", "", "| " + " | ".join(self.columns) + " |"]
        lines.append("|" + "|".join("---:" if c in right else "---" for c in self.columns) + "|")
        for record in self.records:
            lines.append("| " + " | ".join(self.shown(c, record[c]) for c in self.columns) + " |")
        return "\n".join([*lines, "", *(f"* {note}" for note in self.notes)]).rstrip() + "\n"

    def shown(self, column: str, cell: Cell) -> str:
        """Return a cell as text."""
        digits = self.digits.get(column, 2)
        if cell is None:
            return "-"
        if isinstance(cell, Interval):
            return f"{cell.low:.{digits}f} to {cell.high:.{digits}f}"
        if isinstance(cell, float) and column in P_COLUMNS:
            return "< 0.001" if cell < 0.001 else f"{cell:.3f}"
        return f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell)

    def csv(self) -> str:
        """Return the rows as CSV, numbers in full (six places), an interval as two columns, what is absent empty."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        intervals = {c for c in self.columns if any(isinstance(r[c], Interval) for r in self.records)}
        head = [[f"{c}: low", f"{c}: high"] if c in intervals else [c] for c in self.columns]
        writer.writerow([name for names in head for name in names])
        for record in self.records:
            cells = [_plain(record[c], c in intervals) for c in self.columns]
            writer.writerow([cell for own in cells for cell in own])
        return out.getvalue()


def _plain(cell: Cell, is_interval: bool) -> list[str]:
    if isinstance(cell, Interval):
        return [f"{cell.low:.6f}", f"{cell.high:.6f}"]
    if is_interval:
        return ["", ""]
    return ["" if cell is None else f"{cell:.6f}" if isinstance(cell, float) else str(cell)]


def page(tables: Sequence[Table], title: str, head: Sequence[str] = ()) -> str:
    """Return several tables as one Markdown page."""
    return "\n".join([f"# {title}", "", *head, *([""] if head else []), *(t.markdown() for t in tables)])
