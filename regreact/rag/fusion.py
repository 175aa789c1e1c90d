"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)

RRF_K = 60  # the constant of the original paper


def reciprocal_rank_fusion(
    rankings: Iterable[Sequence[Item]], k: float = RRF_K, weights: Sequence[float] = ()
) -> list[tuple[Item, float]]:
    """Fuse rankings: an item scores the sum of weight / (k + rank) over the rankings that hold it.

    Args:
        rankings: Items best first, each at most once.
        k: Damps the lead of the first ranks.
        weights: One a ranking; 1 each if none are given.

    Returns:
        Items with their score, best first; equal scores in the order in which the items are met first.

    Example:
        >>> [item for item, _ in reciprocal_rank_fusion([["a", "b", "c"], ["b", "c"]])]
        ['b', 'c', 'a']
    """
    scores: dict[Item, float] = defaultdict(float)
    listed = list(rankings)
    for ranking, weight in zip(listed, weights or [1.0] * len(listed), strict=True):
        for rank, item in enumerate(ranking, 1):
            scores[item] += weight / (k + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])
