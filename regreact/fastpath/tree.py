"""Look-ups over a flat list of criteria that several solvers need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from signatures.types import CriterionView


class CriterionIndex:
    """Children, siblings and ancestors of criteria given as a flat list.

    Example:
        >>> a = CriterionView(criterion_id="ROOT", parent=None, block=None, text="")
        >>> b = CriterionView(criterion_id="1", parent="ROOT", block=0, text="x")
        >>> [c.criterion_id for c in CriterionIndex([a, b]).children("ROOT")]
        ['1']
    """

    def __init__(self, criteria: Iterable[CriterionView]) -> None:
        self.criteria = tuple(criteria)

    @cached_property
    def by_id(self) -> dict[str, CriterionView]:
        """Criteria by id."""
        return {c.criterion_id: c for c in self.criteria}

    @cached_property
    def position(self) -> dict[str, int]:
        """Places of the criteria in the list, by id."""
        return {c.criterion_id: at for at, c in enumerate(self.criteria)}

    @cached_property
    def _children(self) -> dict[str, list[CriterionView]]:
        children: dict[str, list[CriterionView]] = {}
        for c in self.criteria:
            if c.parent is not None:
                children.setdefault(c.parent, []).append(c)
        return children

    def children(self, criterion_id: str) -> list[CriterionView]:
        """Direct children in document order."""
        return self._children.get(criterion_id, [])

    def parent(self, criterion_id: str) -> CriterionView | None:
        """The parent, or None for ROOT and unknown ids."""
        node = self.by_id.get(criterion_id)
        return self.by_id.get(node.parent) if node and node.parent else None

    def siblings(self, criterion_id: str) -> list[CriterionView]:
        """Children of the same parent, without the criterion itself."""
        node = self.by_id.get(criterion_id)
        if node is None or node.parent is None:
            return []
        return [c for c in self.children(node.parent) if c.criterion_id != criterion_id]

    def ancestors(self, criterion_id: str) -> Iterator[CriterionView]:
        """Parent, grandparent and so on up to ROOT."""
        seen = {criterion_id}
        node = self.parent(criterion_id)
        while node is not None and node.criterion_id not in seen:
            yield node
            seen.add(node.criterion_id)
            node = self.parent(node.criterion_id)

    def descendants(self, criterion_id: str) -> Iterator[CriterionView]:
        """All criteria below, in document order."""
        for child in self.children(criterion_id):
            yield child
            yield from self.descendants(child.criterion_id)
