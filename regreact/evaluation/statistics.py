"""Statistics of scores over units: description, bootstrap intervals, paired tests, correction for several metrics.

Everything random takes a seed and gives the same result again. Scores are far from normal (many units are perfect), so
nothing here assumes a distribution.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

LEVEL = 0.95
RESAMPLES = 10_000
# With so many differences that are not zero or fewer, every assignment of signs is looked at: 2^14 = 16,384.
EXACT_UP_TO = 14
# Differences closer than this count as equal: sums of the same numbers in another order differ by rounding.
_TOLERANCE = 1e-9

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval of a mean."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Description:
    """What a table says of the values of one metric.

    Attributes:
        mean: Arithmetic mean.
        std: Standard deviation of the sample (n - 1); None for a single value.
        median: Median.
        n: Number of values.
        interval: 95 % bootstrap interval of the mean; None for a single unit, which says nothing about others.
    """

    mean: float
    std: float | None
    median: float
    n: int
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Paired:
    """Two variants on the same units.

    Attributes:
        n: Number of units that both have a value for.
        first: Mean of the first variant over these units.
        second: Mean of the second over these units.
        delta: Mean of first minus second.
        interval: 95 % bootstrap interval of delta; None for a single unit.
        p: Two-sided p value of the paired permutation test.
    """

    n: int
    first: float
    second: float
    delta: float
    interval: Interval | None
    p: float


def describe(values: Sequence[float], groups: Sequence[Hashable] | None = None, seed: int = 0) -> Description | None:
    """Describe values; None if there are none.

    Args:
        values: One value an observation.
        groups: Cluster of each observation, None if each is its own.
        seed: Of the bootstrap.

    Example:
        >>> d = describe([1.0, 2.0, 3.0])
        >>> (d.mean, d.std, d.median, d.n)
        (2.0, 1.0, 2.0, 3)
    """
    if not values:
        return None
    std = statistics.stdev(values) if len(values) > 1 else None
    interval = bootstrap_interval(values, groups, seed)
    return Description(statistics.fmean(values), std, statistics.median(values), len(values), interval)


def bootstrap_interval(
    values: Sequence[float], groups: Sequence[Hashable] | None = None, seed: int = 0, resamples: int = RESAMPLES
) -> Interval | None:
    """Return the 95 % percentile bootstrap interval of the mean.

    With groups, whole groups are drawn with replacement (cluster bootstrap): observations of one unit resemble each
    other, and drawing them one by one would make the interval too narrow.

    Args:
        values: One value an observation, shape (n,).
        groups: Cluster of each observation; None draws observations.
        seed: Of the random numbers.
        resamples: Number of draws.

    Returns:
        None with fewer than two groups.

    Raises:
        ValueError: `groups` is not as long as `values`.
    """
    names = list(range(len(values))) if groups is None else list(groups)
    if len(names) != len(values):
        raise ValueError(f"{len(values)} values need as many groups, not {len(names)}")
    places = {name: i for i, name in enumerate(dict.fromkeys(names))}
    count = len(places)
    if count < 2:
        return None
    sums, sizes = np.zeros(count), np.zeros(count)
    for name, value in zip(names, values, strict=True):
        sums[places[name]] += value
        sizes[places[name]] += 1
    means = _resampled(sums, sizes, np.random.default_rng(seed), resamples)
    tail = 100 * (1 - LEVEL) / 2
    low, high = np.percentile(means, [tail, 100 - tail])
    return Interval(float(low), float(high))


def _resampled(sums: Array, sizes: Array, rng: np.random.Generator, resamples: int) -> Array:
    """Return the mean of each draw of groups, shape (resamples,)."""
    count = len(sums)
    # A draw is told by how often each group is in it.
    times = rng.multinomial(count, np.full(count, 1 / count), size=resamples)
    means: Array = (times @ sums) / (times @ sizes)
    return means


def permutation_test(differences: Sequence[float], seed: int = 0, resamples: int = RESAMPLES) -> float:
    """Return the two-sided p value of the paired permutation (sign-flip) test of a mean difference of zero.

    If the two variants were exchangeable, each difference could as well have the other sign. Differences of zero look
    the same with either, so only the others are flipped: all their assignments if there are few, else random ones,
    counting the observed one among them (so that p is never zero).

    Args:
        differences: First minus second, one a unit.
        seed: Of the random signs.
        resamples: Number of random assignments.

    Example:
        >>> permutation_test([1.0, 1.0, 1.0]), permutation_test([0.0, 0.0])
        (0.25, 1.0)
    """
    moved = np.array([d for d in differences if abs(d) > _TOLERANCE])
    if not len(moved):
        return 1.0
    observed = abs(moved.sum()) - _TOLERANCE
    if len(moved) <= EXACT_UP_TO:
        numbers = np.arange(2 ** len(moved))
        signs = 1 - 2 * ((numbers[:, None] >> np.arange(len(moved))) & 1)
        return float(np.mean(np.abs(signs @ moved) >= observed))
    signs = 1 - 2 * np.random.default_rng(seed).integers(0, 2, size=(resamples, len(moved)))
    return float((np.sum(np.abs(signs @ moved) >= observed) + 1) / (resamples + 1))


def compare(first: Mapping[Hashable, float], second: Mapping[Hashable, float], seed: int = 0) -> Paired | None:
    """Compare two variants on the units that both have a value for; None if they share none.

    Args:
        first: Value by unit.
        second: Value by unit.
        seed: Of interval and test.
    """
    shared = [unit for unit in first if unit in second]
    if not shared:
        return None
    ones, others = [first[u] for u in shared], [second[u] for u in shared]
    differences = [a - b for a, b in zip(ones, others, strict=True)]
    return Paired(
        n=len(shared),
        first=statistics.fmean(ones),
        second=statistics.fmean(others),
        delta=statistics.fmean(differences),
        interval=bootstrap_interval(differences, seed=seed),
        p=permutation_test(differences, seed),
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values corrected for the number of tests by Holm's step-down method, in the order given.

    Example:
        >>> holm([0.01, 0.04, 0.03])
        [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted


def wilson_interval(right: int, n: int) -> Interval:
    """Return the 95 % Wilson score interval of a share, which stays sensible at 0 and 1.

    Args:
        right: Number of successes.
        n: Number of trials, at least 1.

    Example:
        >>> found = wilson_interval(10, 10)
        >>> round(found.low, 3), found.high
        (0.722, 1.0)
    """
    z = statistics.NormalDist().inv_cdf(1 - (1 - LEVEL) / 2)
    share, spread = right / n, z * z / n
    middle = share + spread / 2
    half = z * math.sqrt(share * (1 - share) / n + spread / (4 * n))
    return Interval(max(0.0, (middle - half) / (1 + spread)), min(1.0, (middle + half) / (1 + spread)))


def equal_bins(values: Sequence[float], count: int) -> list[float]:
    """Return the lower bounds of at most `count` bins of about equal size; equal values are never parted.

    Example:
        >>> equal_bins([0.1, 0.2, 0.3, 0.4], 2), equal_bins([0.9, 0.9, 0.9, 1.0], 2)
        ([0.1, 0.3], [0.9, 1.0])
    """
    ranked = sorted(values)
    bounds = ranked[:1]
    for part in range(1, count):
        place = math.ceil(part * len(ranked) / count)
        # The rest of a run of equal values goes to the bin that holds its beginning.
        bound = next((v for v in ranked[place:] if v > ranked[place - 1]), None) if place else None
        if bound is not None and bound > bounds[-1]:
            bounds.append(bound)
    return bounds
