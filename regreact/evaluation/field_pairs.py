"""The semantic fields of two aligned trees, as cases for a judge or decided without one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from regreact.errors import PredictionError
from regreact.evaluation.alignment import Alignment, FlatNode
from regreact.evaluation.gold import GoldTree
from regreact.evaluation.judge import Case, Judgement, SemanticField
from regreact.evaluation.predictions import Links, field_value
from regreact.evaluation.semantic.deductions import EMPTY, WRONG

# Semantic score -> field of the node.
FIELDS: dict[SemanticField, str] = {
    "threshold": "threshold",
    "reference": "references",
    "footnote": "footnotes",
    "dependency": "dependencies",
}


@dataclass(frozen=True, slots=True)
class FieldPair:
    """One semantic field of a gold criterion and of its partner.

    Attributes:
        field: Which field.
        gold: The gold criterion, None if the prediction has a criterion too many.
        found: The predicted criterion, None if it is missing.
        verdict: The case for a judge, or the judgement where there is nothing to judge.
        wanted: Value of the annotation, as text.
        shown: Value of the prediction, as text.
    """

    field: SemanticField
    gold: FlatNode | None
    found: FlatNode | None
    verdict: Case | Judgement
    wanted: str
    shown: str

    @property
    def node(self) -> FlatNode:
        """The gold criterion, or the predicted one where gold has none."""
        node = self.gold or self.found
        assert node is not None
        return node


def field_pairs(gold: GoldTree, alignment: Alignment, given: Mapping[str, Links]) -> list[FieldPair]:
    """Return the four semantic fields of every pair, every missing and every surplus criterion.

    Args:
        gold: The gold tree.
        alignment: Its nodes and the predicted ones.
        given: What the prediction says outside its tree, by criterion.
    """
    pairs: list[tuple[FlatNode | None, FlatNode | None]] = [*alignment.pairs]
    pairs += [(g, None) for g in alignment.missing] + [(None, p) for p in alignment.surplus]
    return [pair for g, p in pairs for pair in _fields(gold, g, p, given)]


def _fields(
    gold: GoldTree, gold_node: FlatNode | None, found: FlatNode | None, given: Mapping[str, Links]
) -> Iterator[FieldPair]:
    own_id = gold_node.criterion_id if gold_node else ""
    wanted_links = Links(gold.threshold_from.get(own_id), frozenset(gold.corrections.get(own_id, ())))
    found_links = given.get(found.criterion_id, Links()) if found else Links()
    for field, key in FIELDS.items():
        wanted = field_value(gold_node.data, key) if gold_node else None
        shown_gold = _shown(gold_node, key, wanted_links)
        try:
            value = field_value(found.data, key) if found else None
        except PredictionError as error:
            # There is an answer, but nobody can read it: as wrong as a false one.
            problem = f"unreadable: {error}"
            yield FieldPair(field, gold_node, found, Judgement(WRONG, problem), shown_gold, problem)
            continue
        sides = _side(field, wanted, wanted_links), _side(field, value, found_links)
        verdict = _verdict(field, (gold_node, found), sides)
        yield FieldPair(field, gold_node, found, verdict, shown_gold, _shown(found, key, found_links))


def _verdict(
    field: SemanticField, nodes: tuple[FlatNode | None, FlatNode | None], sides: tuple[Any, Any]
) -> Case | Judgement:
    """Return the case, or what goes without saying: nothing on either side, or a criterion without partner."""
    if not any(map(_has, sides)):
        return Judgement(EMPTY)
    gold_node, found = nodes
    if gold_node is None or found is None:
        return Judgement(WRONG, "the criterion is " + ("surplus" if gold_node is None else "missing"))
    return Case(field, gold_node.text, *sides)


def _side(field: SemanticField, value: Any, links: Links) -> Any:
    if field == "dependency":
        return {"dependencies": value, "threshold_from": links.threshold_from, "corrections": links.corrections}
    return (value or ()) if field == "footnote" else value


def _has(side: Any) -> bool:
    return any(side.values()) if isinstance(side, dict) else bool(side)


def _shown(node: FlatNode | None, key: str, own: Links) -> str:
    parts = []
    value = node.data.get(key) if node else None
    if value:
        parts.append(json.dumps(value, ensure_ascii=False, default=str))
    if key == "dependencies":
        parts += [f"threshold from {own.threshold_from}"] if own.threshold_from else []
        parts += [f"{a} -> {b}" for a, b in sorted(own.corrections)]
    return "; ".join(parts) or "none"
