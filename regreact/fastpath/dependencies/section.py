"""A section as the gating rules see it, and what they find."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from regreact.fastpath.dependencies.points import PointReader
from regreact.fastpath.tree import CriterionIndex
from regreact.fastpath.wording import Sentence, read_sentences
from regreact.identifiers import anchor_type
from regreact.schema import Clause, ClauseStatus, Span
from signatures.types import CriterionFacts, CriterionView, MappingEntry


@dataclass(frozen=True, slots=True)
class Gate:
    """What gates one criterion, as one rule found it.

    Attributes:
        criterion_id: The gated criterion.
        clauses: The criteria that gate it, and whether each must be met or must not be met.
        summary: The condition in words.
        confidence: How often a careful annotator agrees.
        evidence: Characters that the gate rests on.
        rule: Name of the rule.
        needed: How many of the clauses must hold.
    """

    criterion_id: str
    clauses: tuple[Clause, ...]
    summary: str
    confidence: float
    evidence: tuple[Span, ...] = ()
    rule: str = ""
    needed: int = 1

    @property
    def targets(self) -> tuple[str, ...]:
        return tuple(c.criterion_id for c in self.clauses)


class Section:
    """The criteria of a unit with what earlier stages found out."""

    def __init__(
        self, criteria: Sequence[CriterionView], facts: Iterable[CriterionFacts], mappings: Iterable[MappingEntry]
    ) -> None:
        self.index = CriterionIndex(criteria)
        self.facts = {f.criterion_id: f for f in facts}
        self.reader = PointReader(self.index, mappings)

    def kin(self, criterion_id: str) -> frozenset[str]:
        """Return a criterion with those above and below it: they do not gate each other."""
        related = (*self.index.ancestors(criterion_id), *self.index.descendants(criterion_id))
        return frozenset({criterion_id, *(c.criterion_id for c in related)})

    def offers_alternatives(self, criterion_id: str | None) -> bool:
        """True if the children of a criterion are alternatives."""
        fact = self.facts.get(criterion_id or "")
        return fact is not None and fact.evaluation_logic in ("OR", "N_OF_K")

    def is_alternative(self, criterion_id: str) -> bool:
        node = self.index.by_id.get(criterion_id)
        return node is not None and self.offers_alternatives(node.parent)

    def belongs_to_alternative(self, criterion_id: str) -> bool:
        """True if a criterion is one of several alternatives, or stands below one."""
        return self.is_alternative(criterion_id) or any(
            self.is_alternative(a.criterion_id) for a in self.index.ancestors(criterion_id)
        )

    def may_not_apply(self, criterion_id: str) -> bool:
        """True if a criterion, or one above it, applies to some instances only."""
        above = (criterion_id, *(a.criterion_id for a in self.index.ancestors(criterion_id)))
        return any((fact := self.facts.get(i)) is not None and fact.applicability == "Conditional" for i in above)

    def are_alternatives(self, criterion_ids: Sequence[str]) -> bool:
        """True if criteria are alternatives of one and the same choice."""
        parents = {node.parent for i in criterion_ids if (node := self.index.by_id.get(i))}
        return len(parents) == 1 and self.offers_alternatives(next(iter(parents)))

    def is_background(self, criterion_id: str) -> bool:
        fact = self.facts.get(criterion_id)
        if fact is not None and fact.tags:
            return "BackgroundInformation" in fact.tags
        return anchor_type(criterion_id) == "BackgroundInformation"


def span(view: CriterionView, start: int, end: int) -> tuple[Span, ...]:
    return ((view.block, start, end),) if view.block is not None and end > start else ()


def first_sentence(view: CriterionView) -> Sentence | None:
    return next(iter(read_sentences(view.text)), None)


def any_of(targets: Iterable[str], status: ClauseStatus) -> tuple[Clause, ...]:
    return tuple(Clause(criterion_id=t, status=status) for t in targets)
