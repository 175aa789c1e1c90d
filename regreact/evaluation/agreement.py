"""Agreement between two annotators on the labels of the same items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Return Cohen's kappa: agreement beyond what the annotators' own label frequencies give by chance.

    Args:
        first: Labels by one annotator, an item each.
        second: Labels by the other, in the same order.

    Returns:
        1 for full agreement, 0 for what chance gives, below 0 for less. Where both give one and the same label to
        all items, chance alone explains everything and kappa is undefined: 1 by convention.

    Raises:
        ValueError: The lists are empty or of unequal length.

    Example:
        >>> cohen_kappa(["AND", "AND", "OR", "OR"], ["AND", "AND", "OR", "AND"])
        0.5
    """
    if len(first) != len(second) or not first:
        raise ValueError(f"two lists of labels of the same items are needed, not {len(first)} and {len(second)}")
    count = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / count
    ones, others = Counter(first), Counter(second)
    chance = sum(ones[label] * others[label] for label in ones) / count**2
    return 1.0 if chance == 1.0 else (observed - chance) / (1 - chance)
