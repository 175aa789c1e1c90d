"""The working record of the structure parser: one `Node` per block, filled in pass by pass."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from regreact.schema import Span
from signatures.types import BlockView


class Role(Enum):
    """What a block is in the tree."""

    OPEN = "not decided yet"
    NUMBER = "criterion with an explicit number, or top-level criterion counted through"
    ITEM = "list item below its chapeau"
    ANCHORED = "paragraph that qualifies another criterion"
    ROOT = "chapeau of the numbered top level"
    NOISE = "layout only"


_PLAIN_RULES = {
    Role.OPEN: "not placed",
    Role.NUMBER: "explicit number",
    Role.ITEM: "list item",
    Role.ANCHORED: "anchored paragraph",
    Role.ROOT: "chapeau of the section",
    Role.NOISE: "layout",
}


@dataclass(slots=True)
class Node:
    """One block and what the passes found out about it.

    Attributes:
        at: Position of the block in the section, from 0; hosts are positions too.
        view: The block.
        number: Explicit number read from text or marker ("1", "2.1"), None if there is none.
        marker: List label, from the markup or from the text; None outside lists, "-" for bullets.
        heading: True if the block only names a topic (ruling R1).
        introduces: True if the block announces a list.
        label_span: Characters [start, end) of number or marker in the text, None if it is not in the text.
        role: What the block is.
        host: Chapeau of an item, anchor of an anchored paragraph.
        label: Number, list label or anchor type, as it goes into the identifier.
        confidence: In [0, 1]; lowered by every pass that had to guess.
        rule: What made the decision doubtful, or found the anchor; "" where number or marker speak for themselves.
        evidence: Spans that carried the decision.
    """

    at: int
    view: BlockView
    number: str | None = None
    marker: str | None = None
    heading: bool = False
    introduces: bool = False
    label_span: tuple[int, int] | None = None
    role: Role = Role.OPEN
    host: int | None = None
    label: str = ""
    confidence: float = 1.0
    rule: str = ""
    evidence: list[Span] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Text of the block."""
        return self.view.text

    @property
    def listed(self) -> bool:
        """True for a list item of the markup or of the text."""
        return self.marker is not None

    @property
    def decided_by(self) -> str:
        """Name of the rule that placed the block."""
        return self.rule or _PLAIN_RULES[self.role]

    def cite(self, start: int, end: int) -> None:
        """Record characters of the own block as evidence."""
        if end > start:
            self.evidence.append((self.view.index, start, end))

    def unsure(self, confidence: float, why: str) -> None:
        """Lower the confidence to at most this value; the least sure pass names the rule."""
        if confidence < self.confidence:
            self.confidence, self.rule = confidence, why


Draft = list[Node]
"""Nodes in document order; `draft[i].at == i`."""
