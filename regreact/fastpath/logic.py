"""Fast path of `signatures.classification`: how the children of each criterion combine."""

from __future__ import annotations

from collections.abc import Sequence

from regreact.answers import Answer, LogicValue, solver
from regreact.fastpath import pathways  # noqa: F401  registers its solver
from regreact.fastpath.combination import AND, LOGIC_RULES, OR, Family, family_of
from regreact.fastpath.tree import CriterionIndex
from regreact.identifiers import ANCHORED
from regreact.schema import Logic, Span
from signatures.types import CriterionFacts, CriterionView, UnitHeader


@solver("InferLogic")
def infer_logic(
    unit: UnitHeader,
    criteria: Sequence[CriterionView],
    facts: Sequence[CriterionFacts],
    guidance: str = "",
) -> list[Answer[LogicValue]]:
    """Return how the children of every criterion combine; ROOT and criteria without children included.

    Participation (guidelines section 3): background takes no part, nor do anchored paragraphs below OR and N_OF_K.

    Args:
        unit: Not used.
        criteria: All criteria of the section, ROOT first; inferred containers included.
        facts: Tags of the criteria, for the participation rule.
        guidance: Not used.
    """
    index = CriterionIndex(criteria)
    background = {f.criterion_id for f in facts if "BackgroundInformation" in f.tags}
    decided: dict[str, Logic] = {}
    answers = []
    for criterion in _top_down(index):
        answer = _combine(index, criterion, background, decided)
        decided[criterion.criterion_id] = answer.value.evaluation_logic
        answers.append(answer)
    order = {c.criterion_id: n for n, c in enumerate(index.criteria)}
    return sorted(answers, key=lambda a: order[a.id])


def _top_down(index: CriterionIndex) -> list[CriterionView]:
    """Criteria in an order in which parents precede their children, whatever order they came in."""
    ordered: list[CriterionView] = []
    seen: set[str] = set()

    def visit(criterion: CriterionView) -> None:
        if criterion.criterion_id in seen:
            return
        seen.add(criterion.criterion_id)
        parent = index.parent(criterion.criterion_id)
        if parent is not None:
            visit(parent)
        ordered.append(criterion)

    for criterion in index.criteria:
        visit(criterion)
    return ordered


def _combine(
    index: CriterionIndex, criterion: CriterionView, background: set[str], decided: dict[str, Logic]
) -> Answer[LogicValue]:
    children = [c for c in index.children(criterion.criterion_id) if c.criterion_id not in background]
    if not children:
        return Answer(criterion.criterion_id, LogicValue("LEAF"), 0.998, rule="no children that take part")
    items = [c for c in children if not ANCHORED.search(c.criterion_id)]
    container = criterion.block is None and criterion.criterion_id != "ROOT"
    if len(items) < 2 or container:
        return Answer(criterion.criterion_id, AND, 0.985, rule="one child or joint pathway")
    family = family_of(criterion, items, decided.get(criterion.parent or ""))
    if any(c.block is None for c in items):
        return Answer(criterion.criterion_id, OR, 0.9, rule="joint pathways")
    for rule in LOGIC_RULES:
        decision = rule.decide(family)
        if decision is not None:
            value, span = decision
            return Answer(criterion.criterion_id, value, rule.confidence, _evidence(family, span), rule=rule.name)
    return Answer(criterion.criterion_id, AND, 0.96, rule="unclear")


def _evidence(family: Family, span: tuple[int, int] | None) -> tuple[Span, ...]:
    if span is None or family.parent.block is None:
        return ()
    return ((family.parent.block, family.offset + span[0], family.offset + span[1]),)
