"""Agreement between two annotation sets by dimension, as the paper's Table 8 (appendix G), and for every label."""

from __future__ import annotations

import csv
import io
import json
import random
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from regreact.evaluation.agreement import cohen_kappa
from regreact.evaluation.gold import GoldUnit
from regreact.evaluation.gold_tools.annotations import placed
from regreact.evaluation.gold_tools.compare import DIMENSIONS, Pair, compare
from regreact.schema import TAG_ORDER

# Table 8 of arXiv 2604.12054: 15 activities, two doctoral students, another gold set.
PAPER = {"structure": 0.91, "dependency": 0.86, "threshold": 0.84}
RESAMPLES = 2000
MEAN_TAGS = "mean over tags"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement on one dimension.

    Attributes:
        dimension: Key of `compare.DIMENSIONS`, or `MEAN_TAGS`.
        n: Number of items that both decided on.
        observed: Share of items with equal labels; None without items.
        kappa: Cohen's kappa; None without items, or if both gave one and the same label to all of them.
        low: Lower end of the 95 % interval of kappa; None if kappa is None.
        high: Its upper end.
        paper: The paper's kappa on its own gold set, None if it gives none.
    """

    dimension: str
    n: int
    observed: float | None
    kappa: float | None
    low: float | None
    high: float | None
    paper: float | None


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """Agreement by dimension, and how far the two sets have the same criteria."""

    units: int
    nodes: tuple[int, int]
    shared: int
    rows: tuple[Agreement, ...]

    @property
    def node_f1(self) -> float:
        """Share of criteria that both have (positive agreement: what neither has cannot be counted)."""
        return 2 * self.shared / sum(self.nodes)


def agree(pairs: Sequence[tuple[GoldUnit, GoldUnit]], seed: int = 0) -> AgreementReport:
    """Return the agreement of two annotations of the same units.

    The interval is the percentile interval over resampled units: criteria of one unit are not independent.

    Args:
        pairs: The two annotations of each unit.
        seed: Of the resampling.
    """
    sides = [(placed(a), placed(b)) for a, b in pairs]
    units = [compare(a, b) for a, b in sides]
    rng = random.Random(seed)
    samples = [rng.choices(range(len(units)), k=len(units)) for _ in range(RESAMPLES)]
    rows = []
    for name in DIMENSIONS:
        rows.append(_row(name, [unit[name] for unit in units], samples))
        if name == f"tag:{TAG_ORDER[-1]}":
            rows.append(_mean_of_tags([[u[f"tag:{t}"] for t in TAG_ORDER] for u in units], samples, rows))
    shared = sum(len(a.keys() & b.keys()) for a, b in sides)
    nodes = sum(len(a) for a, _ in sides), sum(len(b) for _, b in sides)
    return AgreementReport(len(units), nodes, shared, tuple(rows))


def kappa_of(pairs: Sequence[Pair]) -> float | None:
    """Return Cohen's kappa, None where it is not defined."""
    labels = {label for pair in pairs for label in pair}
    return None if len(labels) < 2 else cohen_kappa([a for a, _ in pairs], [b for _, b in pairs])


def _row(name: str, units: Sequence[Sequence[Pair]], samples: Sequence[Sequence[int]]) -> Agreement:
    pairs = [p for unit in units for p in unit]
    kappa = kappa_of(pairs)
    observed = sum(a == b for a, b in pairs) / len(pairs) if pairs else None
    found = [kappa_of([p for i in sample for p in units[i]]) for sample in samples] if kappa is not None else []
    low, high = interval([k for k in found if k is not None])
    return Agreement(name, len(pairs), observed, kappa, low, high, PAPER.get(name))


def _mean_of_tags(
    units: Sequence[Sequence[Sequence[Pair]]], samples: Sequence[Sequence[int]], rows: Sequence[Agreement]
) -> Agreement:
    """Return the mean kappa of the tags for which it is defined."""

    def mean(numbers: Sequence[int]) -> float | None:
        kappas = [kappa_of([p for i in numbers for p in units[i][tag]]) for tag in range(len(TAG_ORDER))]
        return _mean([k for k in kappas if k is not None])

    tags = [r for r in rows if r.dimension.startswith("tag:")]
    low, high = interval([m for s in samples if (m := mean(s)) is not None])
    observed = _mean([r.observed for r in tags if r.observed is not None])
    return Agreement(MEAN_TAGS, sum(r.n for r in tags), observed, mean(range(len(units))), low, high, None)


def _mean(values: Sequence[float]) -> float | None:
    return statistics.fmean(values) if values else None


def interval(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Return the 2.5th and 97.5th percentile (nearest rank); None without values."""
    if not values:
        return None, None
    ranked = sorted(values)
    last = len(ranked) - 1
    return ranked[round(0.025 * last)], ranked[round(0.975 * last)]


def markdown(report: AgreementReport) -> str:
    """Return the report as a Markdown table."""
    a, b = report.nodes
    head = f"{report.units} units, {a} and {b} criteria, {report.shared} in both (F1 {report.node_f1:.3f})."
    lines = [head, "", "| dimension | n | observed | kappa | 95 % interval | paper (another gold set) |"]
    lines.append("|---|---:|---:|---:|---:|---:|")
    for row in report.rows:
        title = DIMENSIONS.get(row.dimension, "Tags, mean of the six")
        kappa = "not defined" if row.kappa is None else f"{row.kappa:.2f}"
        ends = "-" if row.low is None or row.high is None else f"{row.low:.2f} to {row.high:.2f}"
        paper = "-" if row.paper is None else f"{row.paper:.2f}"
        observed = "-" if row.observed is None else f"{row.observed:.3f}"
        lines.append(f"| {title} | {row.n} | {observed} | {kappa} | {ends} | {paper} |")
    return "\n".join(lines)


def csv_text(report: AgreementReport) -> str:
    """Return the rows as CSV; what is not defined is empty."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(Agreement.__dataclass_fields__), lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) for row in report.rows)
    return out.getvalue()


def json_text(report: AgreementReport) -> str:
    """Return the report as JSON."""
    return json.dumps({**asdict(report), "node_f1": report.node_f1}, ensure_ascii=False, indent=1)


FORMATS = {"md": markdown, "csv": csv_text, "json": json_text}


