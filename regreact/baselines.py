"""What the pipeline is compared with: the markup floor, and a single call of a model.

Neither corrects itself nor checks a graph; both give the same extraction record.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError

from regreact.answers import Answer, LogicValue, Place
from regreact.config import Settings
from regreact.errors import UnitError
from regreact.examples import examples, of_other_units
from regreact.fastpath.markup import markup_structure
from regreact.fastpath.tree import CriterionIndex
from regreact.guard import typed
from regreact.schema import (
    TAG_ORDER,
    AnsweredBy,
    Correction,
    Criterion,
    Edge,
    Extraction,
    FieldProvenance,
    Footnote,
    SourceInfo,
)
from regreact.sources.limits import check_unit
from regreact.sources.model import Unit
from regreact.sources.views import block_views
from regreact.stages.base import header
from regreact.stages.s1_structure import build_tree, hierarchy
from regreact.stages.s4_references import footnote_views
from signatures.baseline import ExtractSection
from signatures.types import CriterionView, FlatNode


class Markup(dspy.Module):
    """Follows the nesting of the markup and gives every criterion the majority labels: the floor of every table."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings

    def forward(self, unit: Unit) -> Extraction:
        """Return the tree that the markup spells out, Qualitative, Mandatory, untagged, AND over children."""
        check_unit(unit)
        places = {a.id: a for a in markup_structure(block_views(unit))}
        criteria = build_tree(unit.blocks, places)
        parents = {c.parent for c in criteria}
        nodes = [
            FlatNode(
                criterion_id=c.criterion_id,
                parent=c.parent,
                block=c.block,
                evaluation_logic="AND" if c.criterion_id in parents else "LEAF",
                rule_summary=c.text,
            )
            for c in criteria
        ]
        return _extraction(unit, criteria, nodes, "rule")


class SinglePass(dspy.Module):
    """One call for the whole section, with the same instructions and schema as the stages."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        settings.need_lm()
        self.extract = dspy.ChainOfThought(ExtractSection) if settings.lm.reasoning else dspy.Predict(ExtractSection)
        (self.predictor,) = self.extract.predictors()
        self.predictor.demos = examples(ExtractSection, settings.lm.examples)

    def forward(self, unit: Unit) -> Extraction:
        """Extract one unit.

        Raises:
            LMCallError: The model fails for good.
            UnitError: The reply cannot be read as a list of criteria.
        """
        check_unit(unit)
        try:
            demos = of_other_units(self.predictor.demos, unit.key)
            reply = self.extract(**section_inputs(unit), demos=demos)
        except AdapterParseError as error:
            raise UnitError(unit.key, "single pass", f"reply cannot be parsed: {str(error)[:200]}") from error
        except dspy.LMError as error:
            raise typed(error, "single pass") from None
        if reply.nodes is None:
            raise UnitError(unit.key, "single pass", "the reply holds no nodes")
        return from_flat(unit, reply.nodes, "lm")


def section_inputs(unit: Unit) -> dict[str, Any]:
    """Return what `ExtractSection` is told about a unit."""
    carriers = [
        CriterionView(criterion_id=str(b.index), parent=None, block=b.index, text=b.text, footnotes=b.footnotes)
        for b in unit.blocks
    ]
    return {"unit": header(unit), "blocks": block_views(unit), "footnotes": footnote_views(unit, carriers)}


def from_flat(unit: Unit, nodes: Sequence[FlatNode], answered_by: AnsweredBy) -> Extraction:
    """Return an extraction from a flat list with parents; blocks that no node claims become top-level criteria.

    Args:
        unit: The unit read.
        nodes: In any order; ids that repeat, parents that do not exist and circles are mended, since the schema
            has room for a tree only.
        answered_by: Who gave the list.
    """
    by_block = {n.block: n for n in nodes if n.block is not None}
    places = {
        str(b): Answer(str(b), Place(n.criterion_id, n.parent or ("" if n.criterion_id == "ROOT" else "ROOT")), 1.0)
        for b, n in by_block.items()
    }
    ids = {n.criterion_id for n in nodes}
    criteria = list(build_tree(unit.blocks, places))
    placed = {c.criterion_id for c in criteria}
    for node in nodes:
        if node.block is None and node.criterion_id not in placed and node.parent in ids | {"ROOT"}:
            criteria.append(CriterionView(criterion_id=node.criterion_id, parent=node.parent, block=None, text=""))
            placed.add(node.criterion_id)
    parents = {n.criterion_id: n.parent for n in nodes}
    criteria = [_reattached(c, parents, placed) for c in criteria]
    return _extraction(unit, _connected(criteria), nodes, answered_by)


def _reattached(view: CriterionView, parents: dict[str, str | None], placed: set[str]) -> CriterionView:
    """Give a criterion the container its node names, which was not known when the tree was built."""
    wanted = parents.get(view.criterion_id)
    if view.criterion_id == "ROOT" or wanted is None or wanted not in placed or wanted == view.criterion_id:
        return view
    return view.model_copy(update={"parent": wanted})


def _connected(criteria: Sequence[CriterionView]) -> tuple[CriterionView, ...]:
    """Return the criteria with every one that ROOT does not reach moved below ROOT."""
    index = CriterionIndex(criteria)
    reached = {"ROOT"} | {c.criterion_id for c in index.descendants("ROOT")}
    return tuple(c if c.criterion_id in reached else c.model_copy(update={"parent": "ROOT"}) for c in criteria)


def _extraction(
    unit: Unit,
    criteria: Sequence[CriterionView],
    nodes: Iterable[FlatNode],
    answered_by: AnsweredBy,
) -> Extraction:
    by_id = {n.criterion_id: n for n in nodes}
    index = CriterionIndex(criteria)
    known = set(index.by_id)
    edges = [*hierarchy(criteria)]
    corrections = []
    for node in by_id.values():
        if node.criterion_id not in known:
            continue
        if node.threshold_from in known:
            edges.append(Edge(source=node.criterion_id, target=node.threshold_from or "", type="inherits_threshold"))
        for c in node.corrections:
            corrections.append(
                Correction(
                    criterion_id=node.criterion_id,
                    from_=c.from_,
                    to=c.to,
                    reason=c.reason,
                    decided_by=answered_by,
                )
            )
    return Extraction(
        unit=unit.key,
        activity=unit.activity,
        objective=unit.objective,
        section=unit.section,
        source=SourceInfo(document=unit.document, sha256=unit.sha256, format=unit.format),
        criteria=_criterion("ROOT", index, by_id, unit),
        edges=tuple(edges),
        corrections=tuple(corrections),
        provenance={i: {"criterion_id": FieldProvenance(answered_by=answered_by, confidence=0.5)} for i in index.by_id},
    )


def _criterion(criterion_id: str, index: CriterionIndex, nodes: dict[str, FlatNode], unit: Unit) -> Criterion:
    view = index.by_id[criterion_id]
    node = nodes.get(criterion_id) or FlatNode(criterion_id=criterion_id, parent=view.parent, block=view.block)
    children = tuple(_criterion(c.criterion_id, index, nodes, unit) for c in index.children(criterion_id))
    logic = LogicValue(node.evaluation_logic, node.n_required if node.evaluation_logic == "N_OF_K" else None)
    if logic.evaluation_logic == "N_OF_K" and logic.n_required is None:
        logic = LogicValue("AND")
    tags = tuple(t for t in TAG_ORDER if t in node.tags)
    if "BackgroundInformation" in tags:
        tags = ("BackgroundInformation",)
    values = {f.id: f.footnote for f in node.footnotes}
    return Criterion(
        criterion_id=criterion_id,
        category=node.category,
        applicability=node.applicability,
        tags=tags[:3],
        verbatim_text=view.text,
        rule_summary=node.rule_summary or view.text or f"Criterion {criterion_id} must be met.",
        evaluation_logic=logic.evaluation_logic,
        n_required=logic.n_required,
        threshold=node.threshold,
        references=node.references,
        dependencies=node.dependencies,
        sub_criteria=children,
        footnotes=tuple(
            Footnote(
                id=i,
                verbatim=unit.footnotes.get(i, ""),
                categories=values[i].categories if i in values else (),
                items=values[i].items if i in values else (),
                definitions=values[i].definitions if i in values else (),
            )
            for i in view.footnotes
        ),
    )
