"""Right answers to the questions of all stages, from a gold tree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import TypeAdapter

from regreact.evaluation.gold import GoldNode, GoldTree, GoldUnit
from regreact.fastpath.tree import CriterionIndex
from regreact.reference import Reference
from regreact.schema import Criterion, Threshold
from signatures.types import CriterionView, FootnoteValue

_PLAIN = TypeAdapter(Any)


def reference_of(gold: GoldUnit, tree: GoldTree) -> Reference:
    """Return the right answer to every question about a unit.

    Args:
        gold: The annotation.
        tree: The same with its texts.
    """
    records = {c.criterion_id: c for c in tree.root.walk()}
    place = {n.criterion_id: _place(n) for n in gold.nodes}
    views = [CriterionView(criterion_id=n.criterion_id, parent=n.parent, block=None, text="") for n in gold.nodes]
    index = CriterionIndex(views)
    boxes = {n.criterion_id for n in gold.nodes if not n.blocks and n.criterion_id != "ROOT"}
    values: dict[str, dict[str, Any]] = {name: {} for name in _NAMES}
    nodes = []
    for node in gold.nodes:
        record, at = records[node.criterion_id], place[node.criterion_id]
        for block in node.blocks:
            values["ParseStructure"][str(block)] = {
                "criterion_id": node.criterion_id,
                "parent": "" if node.parent is None else _real_parent(node, gold, boxes),
            }
        own, inherited = _split(node, records, index)
        members = [[m.criterion_id for m in index.children(b)] for b in _boxes_below(node, gold, boxes)]
        answers = {
            "ExtractThresholds": {"threshold": _plain(own)},
            "ExtractReferences": {"references": _plain(record.references)},
            "DetectPathways": {"groups": members},
            "InferLogic": {"evaluation_logic": node.evaluation_logic, "n_required": node.n_required},
            "ClassifyApplicability": {"applicability": node.applicability},
            "AssignTags": {"tags": list(node.tags)},
            "CorrectCrossReferences": {"corrections": [{"from": c.from_, "to": c.to} for c in node.corrections]},
            "InheritThresholds": {"threshold_from": node.threshold_from, "threshold": _plain(inherited)},
            "ResolveDependencies": {"dependencies": _plain(record.dependencies)},
            "SummariseRules": {"rule_summary": node.rule_summary},
        }
        for name, value in answers.items():
            values[name][at] = value
        notes = {f.id: {"footnote": _footnote(f)} for f in record.footnotes}
        values["ProcessFootnotes"].update(notes)
        nodes.append(_flat(node, record, answers, notes))
    values["ExtractSection"] = {"nodes": nodes}
    return Reference(values, place)


_NAMES = (
    "ParseStructure", "ExtractThresholds", "ExtractReferences", "ProcessFootnotes", "DetectPathways", "InferLogic",
    "ClassifyApplicability", "AssignTags", "CorrectCrossReferences", "InheritThresholds", "ResolveDependencies",
    "SummariseRules",
)  # fmt: skip


def _place(node: GoldNode) -> str:
    return str(node.blocks[0]) if node.blocks else node.criterion_id


def _plain(value: Any) -> Any:
    return _PLAIN.dump_python(value, mode="json", by_alias=True)


def _real_parent(node: GoldNode, gold: GoldUnit, boxes: set[str]) -> str | None:
    """Return the parent that is known when the structure is read: inferred containers come later."""
    parents = {n.criterion_id: n.parent for n in gold.nodes}
    up = node.parent
    while up in boxes:
        up = parents[up]
    return up


def _boxes_below(node: GoldNode, gold: GoldUnit, boxes: set[str]) -> list[str]:
    return [n.criterion_id for n in gold.nodes if n.parent == node.criterion_id and n.criterion_id in boxes]


def _split(
    node: GoldNode, records: dict[str, Criterion], index: CriterionIndex
) -> tuple[Threshold | None, Threshold | None]:
    """Return the threshold that the node states itself, and the one it takes over."""
    if node.threshold_from is None or node.threshold is None:
        return node.threshold, None
    family = [node.threshold_from, *(d.criterion_id for d in index.descendants(node.threshold_from))]
    values = {i.value for c in family if c in records for i in _quantities(records[c].threshold)}
    if {i.value for i in _quantities(node.threshold)} <= values:
        return None, node.threshold
    return node.threshold, None


def _quantities(threshold: Threshold | None) -> Iterable[Any]:
    return threshold.quantitative.items if threshold and threshold.quantitative else ()


def _footnote(footnote: Any) -> Any:
    value = FootnoteValue(categories=footnote.categories, items=footnote.items, definitions=footnote.definitions)
    return _plain(value)


def _flat(node: GoldNode, record: Criterion, answers: dict[str, Any], notes: dict[str, Any]) -> dict[str, Any]:
    """Return the node as the single-pass baseline gives it."""
    return {
        "criterion_id": node.criterion_id,
        "parent": node.parent,
        "block": node.blocks[0] if node.blocks else None,
        "category": node.category,
        "applicability": node.applicability,
        "tags": list(node.tags),
        "rule_summary": node.rule_summary,
        "evaluation_logic": node.evaluation_logic,
        "n_required": node.n_required,
        "threshold": _plain(node.threshold),
        "references": answers["ExtractReferences"]["references"],
        "dependencies": answers["ResolveDependencies"]["dependencies"],
        "corrections": answers["CorrectCrossReferences"]["corrections"],
        "threshold_from": node.threshold_from,
        "footnotes": [{"id": i, **value} for i, value in notes.items()],
    }
