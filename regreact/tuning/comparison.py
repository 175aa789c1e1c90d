"""Before and after on the same units: means, and bootstrap intervals over units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

RESAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its 95 % percentile bootstrap interval, in percent."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.1f} [{self.low:.1f}, {self.high:.1f}]"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Scores of the same `n` units before and after; `gain` is that of the paired differences."""

    n: int
    before: Estimate
    after: Estimate
    gain: Estimate

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as plain data."""
        parts = {"before": self.before, "after": self.after, "gain": self.gain}
        return {"n": self.n, **{k: [round(v, 3) for v in (e.mean, e.low, e.high)] for k, e in parts.items()}}


def estimate(values: np.ndarray[Any, Any], seed: int = 0) -> Estimate:
    """Return mean and interval of values in [-1, 1], shape (n,), as percent."""
    drawn = np.random.default_rng(seed).integers(0, len(values), size=(RESAMPLES, len(values)))
    low, high = np.percentile(100 * values[drawn].mean(axis=1), [2.5, 97.5])
    return Estimate(100 * float(values.mean()), float(low), float(high))


def compare(before: Mapping[int, float], after: Mapping[int, float], seed: int = 0) -> Comparison:
    """Compare scores in [0, 1] by unit number; both must be of the same units, at least one.

    Example:
        >>> compare({0: 0.5, 1: 0.5}, {0: 1.0, 1: 1.0}).gain
        Estimate(mean=50.0, low=50.0, high=50.0)
    """
    numbers = sorted(before)
    first, second = (np.array([side[i] for i in numbers]) for side in (before, after))
    return Comparison(len(numbers), estimate(first, seed), estimate(second, seed), estimate(second - first, seed))
