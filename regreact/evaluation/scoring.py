"""Scores of predictions against gold: one unit, or a folder of extraction files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from regreact.errors import GoldError, PredictionError
from regreact.evaluation.alignment import Alignment, FlatNode, align, flatten
from regreact.evaluation.classification import LABELS, correct_labels, label
from regreact.evaluation.gold import GoldTree, GoldUnit, attach
from regreact.evaluation.predictions import (
    Links,
    Provenance,
    field_value,
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
from regreact.evaluation.semantic import dependency_score, footnote_score, reference_score, threshold_score
from regreact.evaluation.semantic.deductions import BEST, EMPTY, WRONG
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

# Semantic score -> field of the node.
_FIELDS = {"threshold": "threshold", "reference": "references", "footnote": "footnotes", "dependency": "dependencies"}
_SHOWN = 80
# Field of the report -> field that the prediction's provenance speaks of; the category follows from the threshold.
_ANSWERED_AS = {
    "node": "criterion_id",
    "parent": "criterion_id",
    "criterion_id": "criterion_id",
    "category": "threshold",
    "logic": "evaluation_logic",
    "applicability": "applicability",
    "tags": "tags",
    **_FIELDS,
}


def score_unit(gold: GoldTree, prediction: Mapping[str, Any] | None) -> UnitScore:
    """Score one prediction; None counts as an empty one.

    Args:
        gold: The gold tree with its texts.
        prediction: Content of an extraction file. Only `criteria` is needed; `edges` and `corrections` count for the
            dependency score, `provenance` tells for each field how it was answered.
    """
    gold_nodes = flatten(gold.root)
    predicted = flatten(prediction["criteria"]) if prediction is not None else []
    alignment = align(gold_nodes, predicted)
    given = links(prediction or {})
    told = provenance(prediction or {})
    semantic: dict[str, list[float]] = {name: [] for name in SEMANTIC}
    fields = [_told(f, told, own, text) for f, own, text in _tree_fields(gold.unit, alignment)]
    pairs: list[tuple[FlatNode | None, FlatNode | None]] = [*alignment.pairs]
    pairs += [(g, None) for g in alignment.missing] + [(None, p) for p in alignment.surplus]
    for gold_node, found in pairs:
        node = gold_node or found or gold_nodes[0]
        for name, score, wanted, shown in _semantic(gold, gold_node, found, given):
            if score > EMPTY:
                semantic[name].append(score)
            right = score in (EMPTY, BEST)
            result = FieldResult(gold.unit, node.criterion_id, name, right, wanted, shown, score)
            fields.append(_told(result, told, found.criterion_id if found else "", node.text))
    return UnitScore(
        unit=gold.unit,
        document=gold.source,
        nodes=len(gold_nodes),
        structural=structural_score(alignment, with_root=False),
        structural_with_root=structural_score(alignment, with_root=True),
        correct=correct_labels(alignment),
        semantic={name: tuple(scores) for name, scores in semantic.items()},
        fields=tuple(fields),
        missing=prediction is None,
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
    for given in predictions(pred_dir, gold, units):
        report.problems += given.problems
        if given.content is None:
            report.missing.append(f"{given.gold.source} {given.gold.unit}")
        report.units.append(score_unit(given.gold, given.content))
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
