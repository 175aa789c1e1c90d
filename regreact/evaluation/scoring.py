"""Scores of predictions against gold: one unit, or a folder of extraction files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from regreact.errors import GoldError, PredictionError
from regreact.evaluation.alignment import Alignment, align, flatten
from regreact.evaluation.classification import LABELS, correct_labels, label
from regreact.evaluation.field_pairs import FIELDS, FieldPair, field_pairs
from regreact.evaluation.gold import GoldTree, GoldUnit, attach
from regreact.evaluation.judge import Case, Judge, Judgement, Rubric
from regreact.evaluation.predictions import (
    Provenance,
    links,
    prediction_path,
    provenance,
    read_prediction,
    validate_folder,
)
from regreact.evaluation.score_report import (
    NAMES,
    PERCENT,
    SEMANTIC,
    FieldResult,
    ScoreReport,
    Statistic,
    UnitScore,
    render,
    table_rows,
)
from regreact.evaluation.semantic.deductions import BEST, EMPTY
from regreact.evaluation.structural import structural_score
from regreact.sources.model import Unit

__all__ = [
    "NAMES",
    "PERCENT",
    "SEMANTIC",
    "FieldResult",
    "ScoreReport",
    "Statistic",
    "UnitScore",
    "read_prediction",
    "render",
    "score_folder",
    "score_unit",
    "table_rows",
    "validate_folder",
]

_SHOWN = 80
# Field of the report -> field that the prediction's provenance speaks of; the category follows from the threshold.
_ANSWERED_AS: dict[str, str] = {
    "node": "criterion_id",
    "parent": "criterion_id",
    "criterion_id": "criterion_id",
    "category": "threshold",
    "logic": "evaluation_logic",
    "applicability": "applicability",
    "tags": "tags",
    **{str(field): key for field, key in FIELDS.items()},
}


@dataclass(frozen=True, slots=True)
class _Compared:
    """A gold tree beside its prediction, with the semantic fields that a judge has to score."""

    gold: GoldTree
    prediction: Mapping[str, Any]
    missing: bool
    alignment: Alignment
    pairs: tuple[FieldPair, ...]

    @property
    def cases(self) -> list[Case]:
        return [p.verdict for p in self.pairs if isinstance(p.verdict, Case)]


def score_unit(gold: GoldTree, prediction: Mapping[str, Any] | None, judge: Judge | None = None) -> UnitScore:
    """Score one prediction; None counts as an empty one.

    Args:
        gold: The gold tree with its texts.
        prediction: Content of an extraction file. Only `criteria` is needed; `edges` and `corrections` count for the
            dependency score, `provenance` tells for each field how it was answered.
        judge: Who scores the semantic fields; the rubric by default.

    Raises:
        LMStopError: The judge is a model that cannot be asked any more.
    """
    compared = _compare(gold, prediction)
    return _scored(compared, iter((judge or Rubric()).judge(compared.cases)))


def _compare(gold: GoldTree, prediction: Mapping[str, Any] | None) -> _Compared:
    predicted = flatten(prediction["criteria"]) if prediction is not None else []
    alignment = align(flatten(gold.root), predicted)
    pairs = field_pairs(gold, alignment, links(prediction or {}))
    return _Compared(gold, prediction or {}, prediction is None, alignment, tuple(pairs))


def _scored(compared: _Compared, judgements: Iterator[Judgement]) -> UnitScore:
    """Score a unit; `judgements` yields those of its cases, in order."""
    gold, alignment = compared.gold, compared.alignment
    told = provenance(compared.prediction)
    semantic: dict[str, list[float]] = {name: [] for name in SEMANTIC}
    fields = [_told(f, told, own, text) for f, own, text in _tree_fields(gold.unit, alignment)]
    unscored = []
    for pair in compared.pairs:
        found = next(judgements) if isinstance(pair.verdict, Case) else pair.verdict
        own_id = pair.found.criterion_id if pair.found else ""
        result = _told(_field_result(gold.unit, pair, found), told, own_id, pair.node.text)
        if found.score is None:
            unscored.append(result)
            continue
        if found.score > EMPTY:
            semantic[pair.field].append(found.score)
        fields.append(result)
    return UnitScore(
        unit=gold.unit,
        document=gold.source,
        nodes=len(alignment.pairs) + len(alignment.missing),
        structural=structural_score(alignment, with_root=False),
        structural_with_root=structural_score(alignment, with_root=True),
        correct=correct_labels(alignment),
        semantic={name: tuple(scores) for name, scores in semantic.items()},
        fields=tuple(fields),
        missing=compared.missing,
        unscored=tuple(unscored),
    )


def _field_result(unit: str, pair: FieldPair, found: Judgement) -> FieldResult:
    return FieldResult(
        unit,
        pair.node.criterion_id,
        pair.field,
        found.score in (EMPTY, BEST),
        pair.wanted,
        pair.shown,
        found.score,
        reason=found.reason or found.problem,
        comparisons=found.comparisons,
        content=pair.verdict.content if isinstance(pair.verdict, Case) else "",
    )


def _told(result: FieldResult, told: Provenance, own_id: str, text: str) -> FieldResult:
    """Add what the prediction says about how its field was answered, and the text it was read from."""
    answered = told.get(own_id, {}).get(_ANSWERED_AS[result.field], {})
    confidence = answered.get("confidence")
    return replace(
        result,
        source=text,
        answered_by=str(answered.get("answered_by", "")),
        confidence=float(confidence) if isinstance(confidence, (int, float)) else None,
        rule=str(answered.get("rule", "")),
    )


def _tree_fields(unit: str, alignment: Alignment) -> Iterator[tuple[FieldResult, str, str]]:
    """Yield place and labels of every node, with the predicted node's id and the text."""
    for g, p in alignment.pairs:
        values = [("parent", str(g.parent), str(p.parent)), ("criterion_id", g.criterion_id, p.criterion_id)]
        for name, wanted, given in values:
            yield FieldResult(unit, g.criterion_id, name, wanted == given, wanted, given), p.criterion_id, g.text
        for name in LABELS:
            want, have = label(g.data, name), label(p.data, name)
            result = FieldResult(unit, g.criterion_id, name, want == have, _label_shown(want), _label_shown(have))
            yield result, p.criterion_id, g.text
    for g in alignment.missing:
        yield FieldResult(unit, g.criterion_id, "node", False, g.text[:_SHOWN], "missing"), "", g.text
    for p in alignment.surplus:
        yield FieldResult(unit, p.criterion_id, "node", False, "none", p.text[:_SHOWN]), p.criterion_id, p.text


def _label_shown(value: Any) -> str:
    if isinstance(value, frozenset):
        return ", ".join(sorted(value)) or "none"
    if isinstance(value, tuple):
        return " ".join(str(v) for v in value if v is not None)
    return str(value)


def score_folder(
    pred_dir: Path, gold: Sequence[GoldUnit], units: Mapping[tuple[str, str], Unit], judge: Judge | None = None
) -> ScoreReport:
    """Score `PRED_DIR/<document>/<unit>.json` for every gold unit.

    Args:
        pred_dir: Folder of extraction files.
        gold: Gold units; each is compared with predictions from its own document only.
        units: Source units by document and key, for the texts of the gold.
        judge: Who scores the semantic fields, of all units at once; the rubric by default.

    Raises:
        GoldError: A gold unit does not fit its source, or its source is not among `units`.
        LMStopError: The judge is a model that cannot be asked any more; the judgements made until then are kept.
    """
    judge = judge or Rubric()
    report = ScoreReport(judge=judge.label)
    compared: list[_Compared] = []
    for given in predictions(pred_dir, gold, units):
        report.problems += given.problems
        if given.content is None:
            report.missing.append(f"{given.gold.source} {given.gold.unit}")
        compared.append(_compare(given.gold, given.content))
    judgements = iter(judge.judge([case for c in compared for case in c.cases]))
    report.units += [_scored(c, judgements) for c in compared]
    return report


@dataclass(frozen=True, slots=True)
class Given:
    """A gold tree with what a folder holds for it: the file's path and content, None if there is no usable file."""

    gold: GoldTree
    unit: Unit
    path: Path
    content: dict[str, Any] | None
    problems: tuple[str, ...] = ()


def predictions(pred_dir: Path, gold: Sequence[GoldUnit], units: Mapping[tuple[str, str], Unit]) -> Iterator[Given]:
    """Yield the prediction of every gold unit; arguments and errors as for `score_folder`."""
    for unit in gold:
        source = units.get((unit.source, unit.unit))
        if source is None:
            raise GoldError(f"{unit.unit}: its text is not there: {unit.source} was not read or holds no such unit")
        tree = attach(unit, source)
        # A fragment's extraction may be named after its file instead (see `command.source_units`).
        keys = (unit.unit, source.key)
        paths = [prediction_path(pred_dir, unit.source, key) for key in keys]
        path = next((p for p in paths if p.is_file()), paths[0])
        content: dict[str, Any] | None = None
        problems: tuple[str, ...] = ()
        if path.is_file():
            try:
                content = read_prediction(path, unit.source, keys)
            except PredictionError as error:
                problems = (str(error),)
        yield Given(tree, source, path, content, problems)
