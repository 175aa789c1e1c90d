"""Scores of predictions against gold: one unit, or a folder of extraction files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from regreact.errors import GoldError, PredictionError
from regreact.evaluation.alignment import Alignment, FlatNode, align, flatten
from regreact.evaluation.classification import LABELS, correct_labels, label
from regreact.evaluation.gold import GoldTree, GoldUnit, attach
from regreact.evaluation.predictions import (
    Links,
    field_value,
    links,
    prediction_path,
    read_prediction,
    validate_folder,
)
from regreact.evaluation.score_report import (
    NAMES,
    PERCENT,
    SEMANTIC,
    FieldError,
    ScoreReport,
    Statistic,
    UnitScore,
    render,
    table_rows,
)
from regreact.evaluation.semantic import dependency_score, footnote_score, reference_score, threshold_score
from regreact.evaluation.semantic.deductions import BEST, EMPTY, WRONG
from regreact.evaluation.structural import structural_score
from regreact.sources.model import Unit

__all__ = [
    "NAMES",
    "PERCENT",
    "SEMANTIC",
    "FieldError",
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

# Semantic score -> field of the node.
_FIELDS = {"threshold": "threshold", "reference": "references", "footnote": "footnotes", "dependency": "dependencies"}
_SHOWN = 80


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
    given = links(prediction or {})
    semantic: dict[str, list[float]] = {name: [] for name in SEMANTIC}
    errors = [*_label_errors(gold.unit, alignment)]
    pairs: list[tuple[FlatNode | None, FlatNode | None]] = [*alignment.pairs]
    pairs += [(g, None) for g in alignment.missing] + [(None, p) for p in alignment.surplus]
    for gold_node, found in pairs:
        own_id = (gold_node or found or gold_nodes[0]).criterion_id
        for name, score, wanted, shown in _semantic(gold, gold_node, found, given):
            if score > EMPTY:
                semantic[name].append(score)
            if EMPTY < score < BEST:
                errors.append(FieldError(gold.unit, own_id, f"{name} ({score:.1f})", wanted, shown))
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
                yield FieldError(unit, g.criterion_id, name, _label_shown(wanted), _label_shown(given))
    for g in alignment.missing:
        yield FieldError(unit, g.criterion_id, "node", g.text[:_SHOWN], "missing")
    for p in alignment.surplus:
        yield FieldError(unit, p.criterion_id, "node", "none", p.text[:_SHOWN])


def _label_shown(value: Any) -> str:
    if isinstance(value, frozenset):
        return ", ".join(sorted(value)) or "none"
    if isinstance(value, tuple):
        return " ".join(str(v) for v in value if v is not None)
    return str(value)


def _semantic(
    gold: GoldTree, gold_node: FlatNode | None, found: FlatNode | None, given: Mapping[str, Links]
) -> Iterator[tuple[str, float, str, str]]:
    """Yield name, score, gold and predicted value of the four semantic fields of a pair."""
    own_id = gold_node.criterion_id if gold_node else ""
    wanted_links = Links(gold.threshold_from.get(own_id), frozenset(gold.corrections.get(own_id, ())))
    found_links = given.get(found.criterion_id, Links()) if found else Links()
    text = gold_node.text if gold_node else ""
    for name, key in _FIELDS.items():
        wanted = field_value(gold_node.data, key) if gold_node else None
        shown_gold = _shown(gold_node, key, wanted_links)
        try:
            value = field_value(found.data, key) if found else None
        except PredictionError as error:
            # There is an answer, but nobody can read it: as wrong as a false one.
            yield name, WRONG, shown_gold, f"unreadable: {error}"
            continue
        score = _score(name, (wanted, value), (wanted_links, found_links), text)
        yield name, score, shown_gold, _shown(found, key, found_links)


def _score(name: str, values: tuple[Any, Any], both: tuple[Links, Links], text: str) -> float:
    wanted, found = values
    if name == "threshold":
        return threshold_score(wanted, found)
    if name == "reference":
        return reference_score(wanted, found, text)
    if name == "footnote":
        return footnote_score(wanted or (), found or ())
    gold_side, found_side = (
        {"dependencies": value, "threshold_from": side.threshold_from, "corrections": side.corrections}
        for value, side in zip(values, both, strict=True)
    )
    return dependency_score(gold_side, found_side)


def _shown(node: FlatNode | None, key: str, own: Links) -> str:
    parts = []
    value = node.data.get(key) if node else None
    if value:
        parts.append(json.dumps(value, ensure_ascii=False, default=str))
    if key == "dependencies":
        parts += [f"threshold from {own.threshold_from}"] if own.threshold_from else []
        parts += [f"{a} -> {b}" for a, b in sorted(own.corrections)]
    return "; ".join(parts) or "none"


def score_folder(pred_dir: Path, gold: Sequence[GoldUnit], units: Mapping[tuple[str, str], Unit]) -> ScoreReport:
    """Score `PRED_DIR/<document>/<unit>.json` for every gold unit.

    Args:
        pred_dir: Folder of extraction files.
        gold: Gold units; each is compared with predictions from its own document only.
        units: Source units by document and key, for the texts of the gold.

    Raises:
        GoldError: A gold unit does not fit its source, or its source is not among `units`.
    """
    report = ScoreReport()
    for unit in gold:
        source = units.get((unit.source, unit.unit))
        if source is None:
            raise GoldError(f"{unit.unit}: its text is not there: {unit.source} was not read or holds no such unit")
        tree = attach(unit, source)
        # A fragment's extraction may be named after its file instead (see `command.source_units`).
        keys = (unit.unit, source.key)
        paths = [prediction_path(pred_dir, unit.source, key) for key in keys]
        path = next((p for p in paths if p.is_file()), paths[0])
        prediction: dict[str, Any] | None = None
        if path.is_file():
            try:
                prediction = read_prediction(path, unit.source, keys)
            except PredictionError as error:
                report.problems.append(str(error))
        if prediction is None:
            report.missing.append(f"{unit.source} {unit.unit}")
        report.units.append(score_unit(tree, prediction))
    return report
