"""Agreement of two judges on the same fields: rank correlation, closeness, and kappa of good against not good."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regreact.errors import PredictionError
from regreact.evaluation.agreement import cohen_kappa
from regreact.evaluation.judging import JudgementLine, read_judgements

if TYPE_CHECKING:
    from rich.table import Table

# Whole scores are good from 4 on (appendix G: 3 and less against 4 and more); of the rubric's fractions, those that
# round to 4.
GOOD = 3.5
ALL = "all"
# Absolute differences of scores are sums of thirds and halves.
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Agreement:
    """How two judges agree on one field, or on all.

    Attributes:
        field: Which field, or `all`.
        n: Number of things that both scored.
        spearman: Rank correlation in [-1, 1]; None if a judge gives one score to all, which has no ranks.
        within_one: Share whose scores differ by 1 at most.
        kappa: Cohen's kappa of good (4 and more) against not good.
        mean_first: Mean score of the first judge.
        mean_second: Mean score of the second.
    """

    field: str
    n: int
    spearman: float | None
    within_one: float
    kappa: float
    mean_first: float
    mean_second: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two files of judgements compared.

    Attributes:
        judges: Names of the two.
        agreements: One a field, then `all`; empty if they share nothing.
        only_first: Number of things that only the first scored.
        only_second: Number of things that only the second scored.
    """

    judges: tuple[str, str]
    agreements: tuple[Agreement, ...]
    only_first: int
    only_second: int

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as plain data."""
        return asdict(self)


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Spearman's rank correlation, equal values sharing the mean of their ranks.

    Returns:
        A value in [-1, 1]; None if there are fewer than two values or one side is constant.

    Raises:
        ValueError: The lists are of unequal length.

    Example:
        >>> spearman([1, 2, 3, 4], [1, 3, 2, 4])
        0.8
    """
    if len(first) != len(second):
        raise ValueError(f"two lists of scores of the same things are needed, not {len(first)} and {len(second)}")
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    a, b = _ranks(first), _ranks(second)
    middle = (len(first) + 1) / 2
    products = sum((x - middle) * (y - middle) for x, y in zip(a, b, strict=True))
    spread = math.sqrt(sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b))
    return products / spread


def _ranks(values: Sequence[float]) -> list[float]:
    places: dict[float, list[int]] = {}
    for rank, value in enumerate(sorted(values), 1):
        places.setdefault(value, []).append(rank)
    return [sum(places[v]) / len(places[v]) for v in values]


def agreement(field: str, pairs: Sequence[tuple[float, float]]) -> Agreement:
    """Return how two judges agree on pairs of scores; at least one pair is needed."""
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    count = len(pairs)
    return Agreement(
        field=field,
        n=count,
        spearman=spearman(first, second),
        within_one=sum(abs(a - b) <= 1 + _TOLERANCE for a, b in pairs) / count,
        kappa=cohen_kappa([a >= GOOD for a in first], [b >= GOOD for b in second]),
        mean_first=sum(first) / count,
        mean_second=sum(second) / count,
    )


def compare_judges(first: Iterable[JudgementLine], second: Iterable[JudgementLine]) -> Comparison:
    """Compare the judgements of two judges on the things that both scored."""
    a, b = _scored(first), _scored(second)
    shared = [key for key in a if key in b]
    by_field: dict[str, list[tuple[float, float]]] = {}
    for key in shared:
        scores = (a[key][0], b[key][0])
        by_field.setdefault(key[3], []).append(scores)
    found = [agreement(field, pairs) for field, pairs in by_field.items()]
    if len(by_field) > 1:
        found.append(agreement(ALL, [pair for pairs in by_field.values() for pair in pairs]))
    judges = (_names(a), _names(b))
    return Comparison(judges, tuple(found), len(a) - len(shared), len(b) - len(shared))


_Key = tuple[str, str, str, str, str]


def _scored(lines: Iterable[JudgementLine]) -> dict[_Key, tuple[float, str]]:
    """Return score and judge by what was judged."""
    return {
        (line.document, line.unit, line.criterion_id, line.field, line.content): (line.score, line.judge)
        for line in lines
        if line.score is not None
    }


def _names(scored: dict[_Key, tuple[float, str]]) -> str:
    return ", ".join(sorted({judge for _, judge in scored.values()})) or "nobody"


def compare_files(first: Path, second: Path) -> Comparison:
    """Compare two files of judgements.

    Raises:
        PredictionError: A file cannot be read, or the two judge nothing in common.
    """
    found = compare_judges(read_judgements(first), read_judgements(second))
    if not found.agreements:
        raise PredictionError(
            f"{first} and {second} share no scored field: both must come from the same predictions and gold "
            f"({found.only_first} and {found.only_second} scored)"
        )
    return found


def render(comparison: Comparison) -> Table:
    """Return a comparison as a table for the terminal."""
    from rich.table import Table as RichTable  # noqa: PLC0415  heavy

    title = f"{comparison.judges[0]} / {comparison.judges[1]}"
    left = f"scored by one alone: {comparison.only_first} / {comparison.only_second}"
    table = RichTable(title=title, caption=left)
    for name in ("field", "n", "Spearman", "within one, %", "kappa", "mean of first", "mean of second"):
        table.add_column(name, justify="left" if name == "field" else "right")
    for a in comparison.agreements:
        rank = "-" if a.spearman is None else f"{a.spearman:.2f}"
        means = (f"{a.mean_first:.2f}", f"{a.mean_second:.2f}")
        table.add_row(a.field, str(a.n), rank, f"{100 * a.within_one:.1f}", f"{a.kappa:.2f}", *means)
    return table
