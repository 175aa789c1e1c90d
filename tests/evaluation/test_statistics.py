"""Statistics against values computed by hand and against slow implementations that share no code with them."""

import itertools
import math
import random
import statistics as plain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regreact.evaluation.statistics import (
    EXACT_UP_TO,
    bootstrap_interval,
    compare,
    describe,
    equal_bins,
    holm,
    permutation_test,
    wilson_interval,
)

scores = st.floats(0, 100, allow_nan=False).map(lambda v: round(v, 2))


# --- description --------------------------------------------------------------------------------------------------


def test_description_by_hand() -> None:
    found = describe([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0])
    assert found is not None
    assert (found.mean, found.median, found.n) == (5.0, 4.5, 8)
    # squares of the distances: 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32; of the sample, so over 7
    assert found.std == pytest.approx(math.sqrt(32 / 7))


def test_one_value_has_neither_spread_nor_interval() -> None:
    found = describe([3.0])
    assert found is not None
    assert (found.mean, found.std, found.interval) == (3.0, None, None)
    assert describe([]) is None


# --- bootstrap ----------------------------------------------------------------------------------------------------


def all_resamples(values: list[float], groups: list[int]) -> list[float]:
    """Return the mean of every ordered draw of groups with replacement, each as likely as any other."""
    names = sorted(set(groups))
    held = {n: [v for v, g in zip(values, groups, strict=True) if g == n] for n in names}
    return [
        plain.fmean([v for name in draw for v in held[name]]) for draw in itertools.product(names, repeat=len(names))
    ]


def share(values: list[float], low: float, high: float) -> float:
    """Return the share of values in [low, high]."""
    return sum(low - 1e-9 <= v <= high + 1e-9 for v in values) / len(values)


@pytest.mark.parametrize(
    ("values", "groups"),
    [
        ([1.0, 2.0, 3.0, 4.0, 5.0], [0, 1, 2, 3, 4]),
        ([0.0, 0.0, 0.0, 0.0, 100.0], [0, 1, 2, 3, 4]),
        # groups of unequal size: a draw of two of the first has six values
        ([1.0, 1.0, 1.0, 5.0, 3.0, 4.0], [0, 0, 0, 1, 2, 2]),
    ],
)
def test_bootstrap_against_all_resamples(values: list[float], groups: list[int]) -> None:
    means = all_resamples(values, groups)
    found = bootstrap_interval(values, groups, resamples=100_000)
    assert found is not None
    # 2.5 % of all draws lie below the low end and 2.5 % above the high one, half a percent left to chance; with so few
    # means the ends themselves have a share of their own.
    for tail in (share(means, 0, found.low), share(means, found.high, 100)):
        assert tail >= 0.02
    for beyond in (share(means, 0, found.low - 1e-6), share(means, found.high + 1e-6, 100)):
        assert beyond <= 0.03


@settings(deadline=None, max_examples=40)
@given(st.lists(scores, min_size=2, max_size=30), st.integers(0, 5))
def test_interval_lies_among_the_values_and_comes_again(values: list[float], seed: int) -> None:
    found = bootstrap_interval(values, seed=seed, resamples=500)
    assert found is not None
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
    assert found == bootstrap_interval(values, seed=seed, resamples=500)


def test_copies_within_a_group_do_not_narrow_the_interval() -> None:
    values = [1.0, 2.0, 4.0, 8.0, 9.0, 3.0]
    copied, groups = values * 10, list(range(6)) * 10
    alone, clustered, wrong = (
        bootstrap_interval(values), bootstrap_interval(copied, groups), bootstrap_interval(copied)
    )  # fmt: skip
    assert alone is not None and clustered is not None and wrong is not None
    assert clustered.high - clustered.low == pytest.approx(alone.high - alone.low, rel=1e-9)
    assert wrong.high - wrong.low < (alone.high - alone.low) / 2


def test_interval_covers_the_true_mean_about_as_often_as_it_says() -> None:
    rng = random.Random(1)
    covered = 0
    for trial in range(200):
        found = bootstrap_interval([rng.gauss(50, 10) for _ in range(40)], seed=trial, resamples=1000)
        assert found is not None
        covered += found.low <= 50 <= found.high
    assert 0.90 <= covered / 200 <= 0.985


def test_interval_needs_two_groups() -> None:
    assert bootstrap_interval([1.0, 2.0], ["a", "a"]) is None
    with pytest.raises(ValueError, match="as many groups"):
        bootstrap_interval([1.0, 2.0], ["a"])


# --- permutation test ---------------------------------------------------------------------------------------------


def all_signs(differences: list[float]) -> float:
    """Return the share of all sign assignments, zeros included, whose sum is as far from 0 as the observed one."""
    observed = abs(sum(differences))
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    return sum(s >= observed - 1e-9 for s in sums) / len(sums)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(-9, 9).map(float), min_size=1, max_size=9))
def test_permutation_against_all_sign_assignments(differences: list[float]) -> None:
    assert permutation_test(differences) == pytest.approx(all_signs(differences))


def test_permutation_by_hand() -> None:
    # Sums of ±1 ±2 ±3: 6, 4, 2, 0, 0, -2, -4, -6. Observed 6: two of eight are as far from 0.
    assert permutation_test([1.0, 2.0, 3.0]) == pytest.approx(2 / 8)
    # Observed 4: 6, 4, -4, -6.
    assert permutation_test([-1.0, 2.0, 3.0]) == pytest.approx(4 / 8)


def test_random_signs_agree_with_all_of_them() -> None:
    rng = random.Random(2)
    differences = [rng.gauss(0.4, 1) for _ in range(EXACT_UP_TO + 2)]
    assert permutation_test(differences, resamples=50_000) == pytest.approx(all_signs(differences), abs=0.01)


def test_identical_runs_do_not_differ() -> None:
    values: dict[object, float] = {i: 90.0 + i % 7 for i in range(50)}
    found = compare(values, dict(values))
    assert found is not None
    assert (found.delta, found.p) == (0.0, 1.0)
    assert found.interval is not None and (found.interval.low, found.interval.high) == (0.0, 0.0)


def test_a_planted_difference_is_found_and_noise_is_not() -> None:
    rng = random.Random(3)
    base: dict[object, float] = {i: rng.gauss(80, 8) for i in range(60)}
    better: dict[object, float] = {i: v + rng.gauss(2, 3) for i, v in base.items()}
    noise = [compare(base, {i: v + rng.gauss(0, 3) for i, v in base.items()}, seed=s) for s in range(40)]
    planted = compare(better, base)
    assert planted is not None and planted.interval is not None
    assert planted.p < 0.001
    assert planted.interval.low > 0
    # About one in twenty is below 0.05 by chance.
    assert sum(found is not None and found.p < 0.05 for found in noise) <= 6


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(scores, scores), min_size=1, max_size=25))
def test_the_other_way_round_only_the_sign_changes(pairs: list[tuple[float, float]]) -> None:
    first: dict[object, float] = {i: a for i, (a, _) in enumerate(pairs)}
    second: dict[object, float] = {i: b for i, (_, b) in enumerate(pairs)}
    one, other = compare(first, second), compare(second, first)
    assert one is not None and other is not None
    assert one.delta == pytest.approx(-other.delta)
    assert one.p == pytest.approx(other.p)
    assert 0 < one.p <= 1


def test_only_units_with_both_values_are_compared() -> None:
    found = compare({"a": 5.0, "b": 3.0, "c": 1.0}, {"a": 4.0, "b": 3.0, "d": 1.0})
    assert found is not None
    assert (found.n, found.first, found.second, found.delta) == (2, 4.0, 3.5, 0.5)
    assert compare({"a": 1.0}, {"b": 1.0}) is None


# --- several tests ------------------------------------------------------------------------------------------------


def test_holm_by_hand() -> None:
    # sorted: 0.005 x 4 = 0.02; 0.01 x 3 = 0.03; 0.03 x 2 = 0.06; 0.04 x 1, but not below 0.06
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.001, 0.2))
def test_holm_rejects_what_stepping_down_rejects(p_values: list[float], level: float) -> None:
    rejected = set()
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        if p_values[place] * (len(p_values) - rank) > level:
            break
        rejected.add(place)
    assert {i for i, p in enumerate(holm(p_values)) if p <= level} == rejected


# --- shares and bins ----------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.integers(1, 200), st.data())
def test_wilson_bounds_solve_their_equation(n: int, data: st.DataObject) -> None:
    right = data.draw(st.integers(0, n))
    found, share = wilson_interval(right, n), right / n
    for bound in (found.low, found.high):
        # At a bound the observed share is z standard errors away, the error being that of the bound.
        if 1e-9 < bound < 1 - 1e-9:
            assert abs(share - bound) == pytest.approx(1.959964 * math.sqrt(bound * (1 - bound) / n), rel=1e-4)
    assert found.low <= share + 1e-9 and share - 1e-9 <= found.high


@given(st.lists(st.sampled_from([0.5, 0.7, 0.8, 0.9, 0.95, 1.0]), min_size=1, max_size=60), st.integers(1, 6))
def test_bins_hold_everything_and_part_no_equal_values(values: list[float], count: int) -> None:
    bounds = equal_bins(values, count)
    assert bounds == sorted(set(bounds)) and 1 <= len(bounds) <= count
    assert bounds[0] == min(values)
    bins = [[v for v in values if low <= v < high] for low, high in itertools.pairwise([*bounds, 2.0])]
    assert sum(map(len, bins)) == len(values)
    assert all(bins)


def test_bins_of_distinct_values_are_of_equal_size() -> None:
    assert equal_bins([float(i) for i in range(10)], 5) == [0.0, 2.0, 4.0, 6.0, 8.0]
