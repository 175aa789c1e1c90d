"""Pairing of predicted and gold criteria (paper appendix E.3): by id, then greedily by text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from regreact.schema import Criterion

# Pairs of unequal id are accepted from this SequenceMatcher ratio on (appendix E.3).
MINIMUM_RATIO = 0.80


@dataclass(frozen=True, slots=True)
class FlatNode:
    """One node of a tree with what the scores need of its surroundings.

    `data` is the node as JSON data without its children; `siblings` holds the ids below the same parent, without its
    own; `children` counts direct children.
    """

    criterion_id: str
    parent: str | None
    siblings: frozenset[str]
    children: int
    data: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The verbatim text, "" if there is none."""
        value = self.data.get("verbatim_text")
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Pairs of gold and predicted nodes, and what is left on either side."""

    pairs: tuple[tuple[FlatNode, FlatNode], ...]
    missing: tuple[FlatNode, ...]
    surplus: tuple[FlatNode, ...]


def flatten(root: Criterion | Mapping[str, Any]) -> list[FlatNode]:
    """Return the nodes of a tree in document order; a prediction may be plain JSON data."""
    tree: Mapping[str, Any] = root.model_dump(mode="json") if isinstance(root, Criterion) else root
    nodes: list[FlatNode] = []
    stack: list[tuple[Mapping[str, Any], str | None, frozenset[str]]] = [(tree, None, frozenset())]
    while stack:
        node, parent, siblings = stack.pop()
        children = [c for c in node.get("sub_criteria") or () if isinstance(c, Mapping)]
        ids = [str(c.get("criterion_id", "")) for c in children]
        own = str(node.get("criterion_id", ""))
        nodes.append(FlatNode(own, parent, siblings, len(children), node))
        for child, child_id in zip(reversed(children), reversed(ids), strict=True):
            stack.append((child, own, frozenset(i for i in ids if i != child_id)))
    return nodes


def align(gold: Sequence[FlatNode], predicted: Sequence[FlatNode]) -> Alignment:
    """Pair nodes: first equal ids, then the most similar texts of what is left (ratio at least 0.80).

    Ties are broken by document order. An id that occurs twice on one side pairs once. Nodes without text pair by id
    only.
    """
    by_id: dict[str, FlatNode] = {}
    for node in predicted:
        by_id.setdefault(node.criterion_id, node)
    pairs: dict[int, FlatNode] = {}
    used: set[int] = set()
    for position, node in enumerate(gold):
        match = by_id.get(node.criterion_id)
        if match is not None and id(match) not in used:
            pairs[position] = match
            used.add(id(match))
    left_gold = [p for p in range(len(gold)) if p not in pairs and gold[p].text]
    left_predicted = [n for n in predicted if id(n) not in used and n.text]
    candidates = []
    for position in left_gold:
        for order, node in enumerate(left_predicted):
            ratio = similarity(gold[position].text, node.text)
            if ratio >= MINIMUM_RATIO:
                candidates.append((-ratio, position, order))
    for _, position, order in sorted(candidates):
        node = left_predicted[order]
        if position not in pairs and id(node) not in used:
            pairs[position] = node
            used.add(id(node))
    return Alignment(
        tuple((gold[p], pairs[p]) for p in sorted(pairs)),
        tuple(n for p, n in enumerate(gold) if p not in pairs),
        tuple(n for n in predicted if id(n) not in used),
    )


def similarity(a: str, b: str) -> float:
    """Return the SequenceMatcher ratio, or 0.0 as soon as an upper bound shows that it is below the minimum."""
    if a == b:
        return 1.0
    if 2 * min(len(a), len(b)) < MINIMUM_RATIO * (len(a) + len(b)):
        return 0.0
    shared = sum((Counter(a) & Counter(b)).values())
    if 2 * shared < MINIMUM_RATIO * (len(a) + len(b)):
        return 0.0
    return SequenceMatcher(None, a, b, autojunk=False).ratio()
