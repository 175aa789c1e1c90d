"""A section as the gating rules see it, and what they find."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from regreact.fastpath.dependencies.points import PointReader
from regreact.fastpath.tree import CriterionIndex
from regreact.fastpath.wording import Sentence, read_sentences
from regreact.identifiers import anchor_type
from regreact.schema import ClauseStatus, Span
from signatures.types import CriterionFacts, CriterionView, MappingEntry


@dataclass(frozen=True, slots=True)
class Gate:
    """What gates one criterion, as one rule found it.

    Attributes:
        criterion_id: The gated criterion.
        targets: The criteria that gate it; one of them is enough.
        status: Whether they must be met or must not be met.
        summary: The condition in words.
        confidence: How often a careful annotator agrees.
        evidence: Characters that the gate rests on.
    """

    criterion_id: str
    targets: tuple[str, ...]
    status: ClauseStatus
    summary: str
    confidence: float
    evidence: tuple[Span, ...] = ()


class Section:
    """The criteria of a unit with what earlier stages found out."""

    def __init__(
        self, criteria: Sequence[CriterionView], facts: Iterable[CriterionFacts], mappings: Iterable[MappingEntry]
    ) -> None:
        self.index = CriterionIndex(criteria)
        self.facts = {f.criterion_id: f for f in facts}
        self.reader = PointReader(self.index, mappings)

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

    def is_background(self, criterion_id: str) -> bool:
        fact = self.facts.get(criterion_id)
        if fact is not None and fact.tags:
            return "BackgroundInformation" in fact.tags
        return anchor_type(criterion_id) == "BackgroundInformation"


def span(view: CriterionView, start: int, end: int) -> tuple[Span, ...]:
    return ((view.block, start, end),) if view.block is not None and end > start else ()


def first_sentence(view: CriterionView) -> Sentence | None:
    return next(iter(read_sentences(view.text)), None)


def listed(ids: Sequence[str]) -> str:
    return ids[0] if len(ids) == 1 else f"{', '.join(ids[:-1])} or {ids[-1]}"
