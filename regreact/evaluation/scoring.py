"""Scores of an output folder against gold: per unit, then mean over units, with micro values over nodes beside it."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from regreact.errors import PredictionError
from regreact.evaluation.alignment import Alignment, FlatNode, align, flatten
from regreact.evaluation.classification import LABELS, correct_labels, label
from regreact.evaluation.gold import GoldTree, GoldUnit, attach
from regreact.evaluation.semantic import dependency_score, footnote_score, reference_score, threshold_score
from regreact.evaluation.structural import StructuralScore, structural_score
from regreact.schema import Dependencies, Extraction, Footnote, References, Threshold
from regreact.sources.model import Unit

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
class FieldError:
    """One wrong field, for `--errors`."""

    unit: str
    criterion_id: str
    field: str
    gold: str
    predicted: str


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
        errors: Every wrong field.
        missing: True if there is no usable prediction.
    """

    unit: str
    document: str
    nodes: int
    structural: StructuralScore
    structural_with_root: StructuralScore
    correct: dict[str, int]
    semantic: dict[str, tuple[float, ...]]
    errors: tuple[FieldError, ...] = ()
    missing: bool = False

    def value(self, metric: str) -> float | None:
        """Return a metric of this unit: percent, or 1 to 5, or None if the unit has nothing to score."""
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
    """Scores of a folder. `problems` lists prediction files that could not be used, `missing` the units without one."""

    units: list[UnitScore] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """1 if any prediction is missing, else 0."""
        return 1 if self.missing else 0

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
        return {**values, "units": float(len(self.units)), "missing": float(len(self.missing))}

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
            "summary": summary,
            "units": self.rows(),
            "missing": self.missing,
            "problems": self.problems,
            "errors": [
                {
                    "unit": e.unit,
                    "criterion_id": e.criterion_id,
                    "field": e.field,
                    "gold": e.gold,
                    "predicted": e.predicted,
                }
                for u in self.units
                for e in u.errors
            ],
        }


def score_unit(gold: GoldTree, prediction: Mapping[str, Any] | None) -> UnitScore:
    """Score one prediction; None counts as an empty one.

    Args:
        gold: The gold tree with its texts.
        prediction: Content of an extraction file. Only `criteria` is needed; `edges` and `corrections` count for the
            dependency score.
    """
    gold_nodes = flatten(gold.root)
    predicted = flatten(prediction["criteria"]) if prediction is not None else []
    alignment = align(gold_nodes, predicted)
    facts = _dependency_facts(prediction or {})
    semantic: dict[str, list[float]] = {name: [] for name in SEMANTIC}
    errors = [*_label_errors(gold.unit, alignment)]
    pairs: list[tuple[FlatNode | None, FlatNode | None]] = [*alignment.pairs]
    pairs += [(g, None) for g in alignment.missing] + [(None, p) for p in alignment.surplus]
    for gold_node, found in pairs:
        for name, score, shown in _semantic(gold, gold_node, found, facts):
            if score > 0:
                semantic[name].append(score)
            if 0 < score < 5:
                node = gold_node or found
                assert node is not None
                errors.append(FieldError(gold.unit, node.criterion_id, f"{name} ({score:.1f})", *shown))
    return UnitScore(
        unit=gold.unit,
        document=gold.source,
        nodes=len(gold_nodes),
        structural=structural_score(alignment, with_root=False),
        structural_with_root=structural_score(alignment, with_root=True),
        correct=correct_labels(alignment),
        semantic={name: tuple(scores) for name, scores in semantic.items()},
        errors=tuple(errors),
        missing=prediction is None,
    )


def _label_errors(unit: str, alignment: Alignment) -> Iterator[FieldError]:
    for g, p in alignment.pairs:
        if g.parent != p.parent:
            yield FieldError(unit, g.criterion_id, "parent", str(g.parent), str(p.parent))
        if g.criterion_id != p.criterion_id:
            yield FieldError(unit, g.criterion_id, "criterion_id", g.criterion_id, p.criterion_id)
        for name in LABELS:
            wanted, given = label(g.data, name), label(p.data, name)
            if wanted != given:
                yield FieldError(unit, g.criterion_id, name, _shown(wanted), _shown(given))
    for g in alignment.missing:
        yield FieldError(unit, g.criterion_id, "node", g.text[:80], "missing")
    for p in alignment.surplus:
        yield FieldError(unit, p.criterion_id, "node", "none", p.text[:80])


def _shown(value: Any) -> str:
    if isinstance(value, frozenset):
        return ", ".join(sorted(value)) or "none"
    if isinstance(value, tuple):
        return " ".join(str(v) for v in value if v is not None)
    return str(value)


def _field(node: FlatNode | None, name: str, adapter: TypeAdapter[Any], empty: Any) -> Any:
    """Return a field of a node as a record; what does not fit the schema counts as empty."""
    if node is None or node.data.get(name) is None:
        return empty
    try:
        return adapter.validate_python(node.data[name])
    except ValidationError:
        return empty


_THRESHOLD: TypeAdapter[Any] = TypeAdapter(Threshold)
_REFERENCES: TypeAdapter[Any] = TypeAdapter(References)
_FOOTNOTES: TypeAdapter[Any] = TypeAdapter(tuple[Footnote, ...])
_DEPENDENCIES: TypeAdapter[Any] = TypeAdapter(Dependencies)


def _semantic(
    gold: GoldTree, gold_node: FlatNode | None, found: FlatNode | None, facts: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[str, float, tuple[str, str]]]:
    """Yield name, score and both sides of the four semantic fields of a pair."""
    text = (gold_node or found).text if gold_node or found else ""  # type: ignore[union-attr]
    scorers: tuple[tuple[str, str, TypeAdapter[Any], Any, Any], ...] = (
        ("threshold", "threshold", _THRESHOLD, None, threshold_score),
        ("reference", "references", _REFERENCES, None, lambda g, p: reference_score(g, p, text)),
        ("footnote", "footnotes", _FOOTNOTES, (), footnote_score),
    )
    for name, key, adapter, empty, scorer in scorers:
        a, b = _field(gold_node, key, adapter, empty), _field(found, key, adapter, empty)
        yield name, scorer(a, b), (_dump(gold_node, key), _dump(found, key))
    own_id = gold_node.criterion_id if gold_node else ""
    wanted = {
        "dependencies": _field(gold_node, "dependencies", _DEPENDENCIES, None),
        "threshold_from": gold.threshold_from.get(own_id),
        "corrections": frozenset(gold.corrections.get(own_id, ())),
    }
    empty_facts: Mapping[str, Any] = {"threshold_from": None, "corrections": frozenset()}
    given = {
        "dependencies": _field(found, "dependencies", _DEPENDENCIES, None),
        **(facts.get(found.criterion_id, empty_facts) if found else empty_facts),
    }
    yield "dependency", dependency_score(wanted, given), (_facts_shown(wanted), _facts_shown(given))


def _dump(node: FlatNode | None, key: str) -> str:
    return json.dumps(node.data.get(key), ensure_ascii=False, default=str) if node is not None else "none"


def _facts_shown(facts: Mapping[str, Any]) -> str:
    clauses = [f"{c.status} {c.criterion_id}" for c in facts["dependencies"].clauses] if facts["dependencies"] else []
    inherits = [f"threshold from {facts['threshold_from']}"] if facts["threshold_from"] else []
    return "; ".join([*clauses, *inherits, *(f"{a} -> {b}" for a, b in sorted(facts["corrections"]))]) or "none"


def _dependency_facts(prediction: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return inheritance and corrections by predicted criterion id."""
    facts: dict[str, dict[str, Any]] = {}

    def entry(criterion_id: str) -> dict[str, Any]:
        return facts.setdefault(criterion_id, {"threshold_from": None, "corrections": frozenset()})

    for edge in prediction.get("edges") or ():
        if edge.get("type") == "inherits_threshold":
            entry(str(edge.get("source")))["threshold_from"] = edge.get("target")
    for c in prediction.get("corrections") or ():
        own = entry(str(c.get("criterion_id")))
        own["corrections"] = own["corrections"] | {(c.get("from"), c.get("to"))}
    return facts


def read_prediction(path: Path) -> dict[str, Any]:
    """Read an extraction file far enough to be scored.

    Raises:
        PredictionError: It is no JSON object with a `criteria` tree.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise PredictionError(f"{path}: cannot be read as JSON: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("criteria"), dict):
        raise PredictionError(f"{path}: has no criterion tree under 'criteria'")
    return data


def score_folder(pred_dir: Path, gold: Sequence[GoldUnit], units: Mapping[tuple[str, str], Unit]) -> ScoreReport:
    """Score `PRED_DIR/<document>/<unit>.json` for every gold unit.

    Args:
        pred_dir: Folder of extraction files.
        gold: Gold units; each is compared with predictions from its own document only.
        units: Source units by document and key, for the texts of the gold.

    Raises:
        GoldError: A gold unit does not fit its source.
    """
    report = ScoreReport()
    for unit in gold:
        source = units[(unit.source, unit.unit)]
        tree = attach(unit, source)
        paths = [pred_dir / unit.source / (key.replace("/", "__") + ".json") for key in (unit.unit, source.key)]
        path = next((p for p in paths if p.is_file()), paths[0])
        prediction: dict[str, Any] | None = None
        if path.is_file():
            try:
                prediction = read_prediction(path)
            except PredictionError as error:
                report.problems.append(str(error))
        if prediction is None:
            report.missing.append(f"{unit.source} {unit.unit}")
        report.units.append(score_unit(tree, prediction))
    return report


def validate_folder(pred_dir: Path) -> tuple[int, list[str]]:
    """Check every extraction file of a folder against the schema.

    Returns:
        Number of files, and a line for each that does not fit.
    """
    problems, count = [], 0
    for path in sorted(pred_dir.glob("*/*.json")):
        count += 1
        try:
            Extraction.model_validate(read_prediction(path))
        except PredictionError as error:
            problems.append(str(error))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(p) for p in first["loc"])
            problems.append(f"{path}: {place}: {first['msg']}")
    return count, problems


def render(report: ScoreReport) -> Table:
    """Return the report as a table for the terminal."""
    from rich.table import Table as RichTable  # noqa: PLC0415  heavy

    table = RichTable(title=f"{len(report.units)} units, {len(report.missing)} missing")
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
