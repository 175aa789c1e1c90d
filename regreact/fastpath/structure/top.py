"""Passes for the top level: explicit numbers, the ROOT chapeau, numbers that got lost, topic headings."""

from __future__ import annotations

from regreact.fastpath.cues import anchored_type
from regreact.fastpath.structure.draft import Draft, Node, Role


def place_numbers(draft: Draft) -> None:
    """Make every block with an explicit number a criterion of that number."""
    for node in draft:
        if node.number is not None and node.role is Role.OPEN:
            node.role, node.label = Role.NUMBER, node.number
            if node.label_span is not None:
                node.cite(*node.label_span)


def place_before_numbers(draft: Draft) -> None:
    """Decide on what stands before the first explicit number.

    It is the chapeau of the top level, and so ROOT, if the numbers begin with 1. If they begin with 2, it is the
    criterion whose number got lost.
    """
    first = next((n for n in draft if n.role is Role.NUMBER), None)
    if first is None:
        return
    before = [n for n in draft[: first.at] if n.role is Role.OPEN or _homeless(n)]
    if not before:
        return
    if first.label == "2":
        lost = next((n for n in before if not n.heading), before[0])
        lost.role, lost.label = Role.NUMBER, "1"
        lost.unsure(0.8, "number lost before 2")
        return
    announcing = [n for n in before if n.introduces]
    chapeau = announcing[-1] if announcing else before[0]
    for node in before:
        sure = node is chapeau and bool(announcing)
        node.unsure(0.9 if sure else 0.6, "chapeau of the section" if sure else "before the first number")
        if node is chapeau:
            node.role = Role.ROOT
            node.cite(0, len(node.text))
        elif node.role is Role.OPEN:
            # Not expected in a published act: the paragraph qualifies the section as a whole.
            node.role, node.host, node.label = Role.ANCHORED, chapeau.at, anchored_type(node.text).type
        else:
            node.host = chapeau.at


def _homeless(node: Node) -> bool:
    """True for a list item that no chapeau announces."""
    return node.role is Role.ITEM and node.host is None


def place_headings(draft: Draft) -> None:
    """Decide on topic headings without a number.

    One that opens a section without numbers names the section (ROOT). Any other one with sentences below it is a
    criterion like a numbered heading; a mere label is left to be anchored.
    """
    loose = [n for n in draft if n.heading and n.role is Role.OPEN]
    counting = Counting(draft)
    numbered = any(n.role is Role.NUMBER for n in draft)
    if loose and not numbered and loose[0].at == 0 and len(loose) == 1:
        loose[0].role = Role.ROOT
        loose[0].cite(0, len(loose[0].text))
        return
    for node in loose:
        if _names_a_section(draft, node) and all(n.label.isdigit() for n in draft[: node.at] if _top(n)):
            node.role, node.label = Role.NUMBER, counting.next(node.at)
            node.unsure(0.7, "topic heading")
            node.cite(0, len(node.text))


def _names_a_section(draft: Draft, node: Node) -> bool:
    below = draft[node.at + 1] if node.at + 1 < len(draft) else None
    return below is not None and not below.heading and below.text.rstrip().endswith((".", ":", ";"))


def _top(node: Node) -> bool:
    return node.role is Role.NUMBER and "." not in node.label


class Counting:
    """Numbers for criteria of the top level that have none; asked for positions in document order.

    Args:
        draft: The section. Explicit numbers do not change while it is counted, nor does what was passed.
    """

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._printed = {n.label for n in draft if n.number is not None}
        self._passed = self._highest = 0

    def next(self, at: int) -> str:
        """Return the number after the highest one of the top level before a position."""
        for node in self._draft[self._passed : at]:
            if _top(node) and node.label.isdigit():
                self._highest = max(self._highest, int(node.label))
        self._passed = max(self._passed, at)
        number = self._highest + 1
        while str(number) in self._printed:
            number += 1
        return str(number)


def place_homeless_items(draft: Draft) -> None:
    """Make list items without chapeau criteria of the top level, counted through."""
    counting = Counting(draft)
    for node in draft:
        if _homeless(node):
            node.role, node.label = Role.NUMBER, counting.next(node.at)
            if node.number is not None:  # what it printed counts no more
                counting = Counting(draft)
            node.unsure(0.7, "item without chapeau")
