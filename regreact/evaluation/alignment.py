"""Pairing of predicted and gold criteria (paper appendix E.3): by id, then greedily by text."""

from __future__ import annotations

from collections import Counter, deque
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
    """Return the nodes of a tree in document order.

    A prediction may be plain JSON data of any maker: what is no list of objects under `sub_criteria` is left out.
    """
    tree: Mapping[str, Any] = root.model_dump(mode="json") if isinstance(root, Criterion) else root
    nodes: list[FlatNode] = []
    stack: list[tuple[Mapping[str, Any], str | None, frozenset[str]]] = [(tree, None, frozenset())]
    while stack:
        node, parent, siblings = stack.pop()
        below = node.get("sub_criteria")
        children = [c for c in below if isinstance(c, Mapping)] if isinstance(below, (list, tuple)) else []
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
    by_id: dict[str, int] = {}
    for order, node in enumerate(predicted):
        by_id.setdefault(node.criterion_id, order)
    # Position of the gold node -> position of its partner.
    pairs: dict[int, int] = {}
    for position, node in enumerate(gold):
        match = by_id.pop(node.criterion_id, None)
        if match is not None:
            pairs[position] = match
    used = set(pairs.values())
    left_gold = [p for p, n in enumerate(gold) if p not in pairs and n.text.strip()]
    left_predicted = [o for o, n in enumerate(predicted) if o not in used and n.text.strip()]
    for position, order in _by_similarity(gold, left_gold, predicted, left_predicted):
        if position not in pairs and order not in used:
            pairs[position] = order
            used.add(order)
    return Alignment(
        tuple((gold[p], predicted[pairs[p]]) for p in sorted(pairs)),
        tuple(n for p, n in enumerate(gold) if p not in pairs),
        tuple(n for o, n in enumerate(predicted) if o not in used),
    )


def _by_similarity(
    gold: Sequence[FlatNode], left_gold: Sequence[int], predicted: Sequence[FlatNode], left_predicted: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the pairs of positions whose texts reach the minimum, the most similar first."""
    # Equal texts come first in any case, so their nodes need no comparison with the others.
    equal: list[tuple[int, int]] = []
    waiting: dict[str, deque[int]] = {}
    for order in left_predicted:
        waiting.setdefault(predicted[order].text, deque()).append(order)
    for position in left_gold:
        if waiting.get(gold[position].text):
            equal.append((position, waiting[gold[position].text].popleft()))
    done_gold, done_predicted = {p for p, _ in equal}, {o for _, o in equal}
    scored = []
    for position in left_gold:
        for order in left_predicted:
            if position not in done_gold and order not in done_predicted:
                ratio = similarity(gold[position].text, predicted[order].text)
                if ratio >= MINIMUM_RATIO:
                    scored.append((-ratio, position, order))
    return equal + [(position, order) for _, position, order in sorted(scored)]


def similarity(a: str, b: str) -> float:
    """Return the SequenceMatcher ratio, or 0.0 as soon as an upper bound shows that it is below the minimum.

    `autojunk` is off: it would make the ratio of texts from 200 characters on depend on which letters are frequent.
    The bounds hold because the matching blocks are a common subsequence: no more can match than the shorter text
    has, than letters are shared, than the longest common subsequence has.
    """
    if a == b:
        return 1.0
    needed = MINIMUM_RATIO * (len(a) + len(b)) / 2
    if min(len(a), len(b)) < needed:
        return 0.0
    if sum((Counter(a) & Counter(b)).values()) < needed or common_subsequence(a, b) < needed:
        return 0.0
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def common_subsequence(a: str, b: str) -> int:
    """Return the length of the longest common subsequence (bit-parallel: Hyyrö 2004).

    Example:
        >>> common_subsequence("kiln", "kilning plan")
        4
    """
    places: dict[str, int] = {}
    for i, letter in enumerate(a):
        places[letter] = places.get(letter, 0) | (1 << i)
    full = row = (1 << len(a)) - 1
    for letter in b:
        hits = row & places.get(letter, 0)
        row = ((row + hits) | (row - hits)) & full
    return len(a) - row.bit_count()
