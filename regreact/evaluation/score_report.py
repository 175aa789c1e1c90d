"""The outcome of scoring: per unit, then mean over units, with micro values over nodes beside it."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from regreact.evaluation.classification import LABELS
from regreact.evaluation.structural import StructuralScore

if TYPE_CHECKING:
    from rich.table import Table

SEMANTIC = ("threshold", "reference", "footnote", "dependency")
PERCENT = ("structural_f1", "structural_f1_with_root", *LABELS)
NAMES = {
    "structural_f1": "Structural F1 without ROOT, %",
    "structural_f1_with_root": "Structural F1 with ROOT, %",
    "category": "Category accuracy, %",
    "applicability": "Applicability accuracy, %",
    "logic": "Evaluation logic accuracy, %",
    "tags": "Tags exact, %",
    "threshold": "Threshold, 1-5",
    "reference": "Reference, 1-5",
    "footnote": "Footnote, 1-5",
    "dependency": "Dependency, 1-5",
}


@dataclass(frozen=True, slots=True)
class FieldResult:
    """One scored field of one criterion, right or wrong, with what is known of how it was answered.

    Attributes:
        unit: Unit key.
        criterion_id: The gold criterion; the predicted one where gold has none.
        field: `node` (is it in the tree), `criterion_id`, `parent`, a label, or a semantic score.
        correct: True if the value is right; semantic scores are right if they are 5, or empty on both sides.
        gold: Value of the annotation, as text.
        predicted: Value of the prediction, as text.
        score: Semantic score of a field that has one.
        source: Text that the field was read from.
        answered_by: Who answered, "" if the prediction does not say.
        confidence: In [0, 1], None if the prediction does not say.
        rule: Rules that decided, "" if none did or the prediction does not say.
        reason: What a judge says of its score, "" if nothing.
        comparisons: What a judge compared before it scored, with a verdict each.
        content: Digest of what a judge compared, "" if no judge was needed.
    """

    unit: str
    criterion_id: str
    field: str
    correct: bool
    gold: str
    predicted: str
    score: float | None = None
    source: str = ""
    answered_by: str = ""
    confidence: float | None = None
    rule: str = ""
    reason: str = ""
    comparisons: tuple[Mapping[str, Any], ...] = ()
    content: str = ""


@dataclass(frozen=True, slots=True)
class UnitScore:
    """Scores of one unit.

    Attributes:
        unit: Unit key.
        document: Source document id.
        nodes: Number of gold nodes, ROOT included.
        structural: Structural score without ROOT.
        structural_with_root: The same with ROOT.
        correct: Number of gold nodes with the right label, by label.
        semantic: Scores above 0 of the nodes that have the field on either side, by field.
        fields: Every scored field, right or wrong.
        missing: True if there is no usable prediction.
        unscored: Semantic fields that the judge gave no readable score for, with the reason; they count nowhere.
    """

    unit: str
    document: str
    nodes: int
    structural: StructuralScore
    structural_with_root: StructuralScore
    correct: dict[str, int]
    semantic: dict[str, tuple[float, ...]]
    fields: tuple[FieldResult, ...] = ()
    missing: bool = False
    unscored: tuple[FieldResult, ...] = ()

    @property
    def errors(self) -> tuple[FieldResult, ...]:
        """Every wrong field."""
        return tuple(f for f in self.fields if not f.correct)

    def value(self, metric: str) -> float | None:
        """Return a metric of this unit: percent, or 1 to 5, or None if the unit has nothing to score."""
        if self.missing and metric in PERCENT:
            return 0.0
        if metric == "structural_f1":
            return 100 * self.structural.f1
        if metric == "structural_f1_with_root":
            return 100 * self.structural_with_root.f1
        if metric in LABELS:
            return 100 * self.correct[metric] / self.nodes
        scores = self.semantic[metric]
        return statistics.fmean(scores) if scores else None


@dataclass(frozen=True, slots=True)
class Statistic:
    """Mean, standard deviation and median over units, number of units, and the value over all nodes."""

    mean: float
    std: float
    median: float
    n: int
    micro: float


@dataclass
class ScoreReport:
    """Scores of a folder.

    Attributes:
        units: Scores of each unit.
        missing: Units without a usable prediction.
        problems: Prediction files that could not be used.
        judge: Who scored the semantic fields.
    """

    units: list[UnitScore] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    judge: str = "rubric"

    @property
    def unscored(self) -> list[FieldResult]:
        """Semantic fields without a readable score of the judge, of all units."""
        return [f for u in self.units for f in u.unscored]

    def shortcomings(self) -> list[str]:
        """Return a line for each missing prediction and each field without score."""
        unscored = [f"unscored: {f.unit} {f.criterion_id} {f.field}: {f.reason}" for f in self.unscored]
        return [*(f"missing: {m}" for m in self.missing), *unscored]

    @property
    def exit_code(self) -> int:
        """1 if any prediction is missing or any field has no score, else 0."""
        return 1 if self.missing or self.unscored else 0

    def statistic(self, metric: str) -> Statistic | None:
        """Return the statistic of a metric, None if no unit has anything to score."""
        values = [v for u in self.units if (v := u.value(metric)) is not None]
        if not values:
            return None
        std = statistics.stdev(values) if len(values) > 1 else 0.0
        return Statistic(statistics.fmean(values), std, statistics.median(values), len(values), self._micro(metric))

    def _micro(self, metric: str) -> float:
        if metric in LABELS:
            return 100 * sum(u.correct[metric] for u in self.units) / sum(u.nodes for u in self.units)
        if metric in SEMANTIC:
            return statistics.fmean(s for u in self.units for s in u.semantic[metric])
        scores = [u.structural if metric == "structural_f1" else u.structural_with_root for u in self.units]
        return (
            100
            * StructuralScore(
                sum(s.quality for s in scores), sum(s.gold for s in scores), sum(s.predicted for s in scores)
            ).f1
        )

    def metrics(self) -> dict[str, float]:
        """Return the means by metric, for tracking; metrics without any unit are left out."""
        found = {m: self.statistic(m) for m in (*PERCENT, *SEMANTIC)}
        values = {m: s.mean for m, s in found.items() if s is not None}
        return {**values, **self._counts()}

    def _counts(self) -> dict[str, float]:
        counts = {"units": len(self.units), "missing": len(self.missing)}
        if self.judge != "rubric":
            counts["unscored"] = len(self.unscored)
        return {name: float(count) for name, count in counts.items()}

    def rows(self) -> list[dict[str, Any]]:
        """Return one row a unit, all with the same keys."""
        return [
            {
                "unit": u.unit,
                "document": u.document,
                "nodes": u.nodes,
                "missing": u.missing,
                **{m: None if (v := u.value(m)) is None else round(v, 2) for m in (*PERCENT, *SEMANTIC)},
            }
            for u in self.units
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the whole report as JSON data."""
        summary = {}
        for metric in (*PERCENT, *SEMANTIC):
            found = self.statistic(metric)
            names = ("mean", "std", "median", "n", "micro")
            summary[metric] = None if found is None else {n: round(getattr(found, n), 4) for n in names}
        return {
            "judge": self.judge,
            "summary": summary,
            "units": self.rows(),
            "missing": self.missing,
            "problems": self.problems,
            "errors": [asdict(e) for u in self.units for e in u.errors],
            "unscored": [asdict(f) for f in self.unscored],
        }


def render(report: ScoreReport) -> Table:
    """Return the report as a table for the terminal."""
    from rich.table import Table as RichTable  # noqa: PLC0415  heavy

    title = f"{len(report.units)} units, {len(report.missing)} missing"
    if report.judge != "rubric":
        title += f", judge: {report.judge}, {len(report.unscored)} fields unscored"
    table = RichTable(title=title)
    table.add_column("metric")
    for name in ("mean", "std", "median", "n", "micro"):
        table.add_column(name, justify="right")
    for metric, cells in table_rows(report):
        table.add_row(NAMES[metric], *cells)
    return table


def table_rows(report: ScoreReport) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Yield each metric with its formatted mean, std, median, n and micro value."""
    for metric in (*PERCENT, *SEMANTIC):
        found = report.statistic(metric)
        if found is None:
            yield metric, ("-", "-", "-", "0", "-")
        else:
            values = (found.mean, found.std, found.median)
            yield metric, (*(f"{v:.2f}" for v in values), str(found.n), f"{found.micro:.2f}")
