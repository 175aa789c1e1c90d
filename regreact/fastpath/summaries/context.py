"""What a summary may draw on: the tree and the facts of each criterion."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from regreact.fastpath.classification.cases import CaseTable
from regreact.fastpath.tree import CriterionIndex
from regreact.identifiers import anchor_above, anchor_type
from regreact.schema import Logic
from signatures.types import CriterionFacts, CriterionView

_COUNT = re.compile(
    r"\b(?:at least )?(two|three|four|five|\d)\b of\b|\bat least (two|three|four|five|\d)\b", re.IGNORECASE
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}


class Outline:
    """The criteria of a unit with their facts."""

    def __init__(self, criteria: Sequence[CriterionView], facts: Iterable[CriterionFacts]) -> None:
        self.index = CriterionIndex(criteria)
        self.cases = CaseTable(self.index)
        self._facts = {f.criterion_id: f for f in facts}

    def facts_of(self, criterion_id: str) -> CriterionFacts:
        """The facts of a criterion, empty ones if none were given."""
        return self._facts.get(criterion_id) or CriterionFacts(criterion_id=criterion_id)

    def logic(self, view: CriterionView) -> Logic:
        return self.facts_of(view.criterion_id).evaluation_logic or "AND"

    def members(self, view: CriterionView) -> list[str]:
        """Ids of the children that count: not background, and not anchored where the parent offers alternatives."""
        children = self.index.children(view.criterion_id)
        counted = [
            c.criterion_id for c in children if "BackgroundInformation" not in self.facts_of(c.criterion_id).tags
        ]
        if self.logic(view) in ("OR", "N_OF_K"):
            counted = [i for i in counted if anchor_type(i) is None or anchor_above(i) == view.criterion_id]
        return counted or [c.criterion_id for c in children]

    def required(self, view: CriterionView) -> int:
        """How many members an N_OF_K criterion needs, read from its words; 2 if they do not say."""
        match = _COUNT.search(view.text)
        word = (match[1] or match[2]).lower() if match else "two"
        return int(word) if word.isdigit() else _NUMBERS[word]
