"""Cohen's kappa on tables small enough to compute by hand."""

import pytest

from regreact.evaluation.agreement import cohen_kappa


@pytest.mark.parametrize(
    ("first", "second", "kappa"),
    [
        ("aabb", "aabb", 1.0),
        # observed 3/4; by chance 2/4 x 3/4 + 2/4 x 1/4 = 1/2
        ("aabb", "aaba", 0.5),
        # observed 1/2, by chance 1/2
        ("aabb", "abab", 0.0),
        # observed 0, by chance 1/2
        ("aabb", "bbaa", -1.0),
        ("aaaa", "aaaa", 1.0),
        # no label in common: observed 0, by chance 0
        ("aa", "bb", 0.0),
    ],
)
def test_kappa(first: str, second: str, kappa: float) -> None:
    assert cohen_kappa(list(first), list(second)) == pytest.approx(kappa)
    assert cohen_kappa(list(second), list(first)) == pytest.approx(kappa)


@pytest.mark.parametrize(("first", "second"), [("", ""), ("a", "ab")])
def test_lists_must_be_of_the_same_items(first: str, second: str) -> None:
    with pytest.raises(ValueError, match="labels of the same items"):
        cohen_kappa(list(first), list(second))
