"""Near-duplicates never straddle the parts of a split."""

from __future__ import annotations

import itertools
import random

import pytest

from regreact.errors import ConfigError
from regreact.evaluation.splits import clusters, near_duplicates, shingles, split
from regreact.sources.model import Block, Unit

PARTS = {"train": 0.6, "validation": 0.2, "test": 0.2}


def unit(key: str, *texts: str) -> Unit:
    blocks = tuple(Block(i, "p", 0, None, t) for i, t in enumerate(texts))
    return Unit(key, "Weaving", "", key.partition("/")[2], "loom-1", "", "html", blocks)


def words(seed: int, count: int) -> str:
    rng = random.Random(seed)
    return " ".join(f"w{rng.randrange(10**6)}" for _ in range(count))


LONG = words(0, 60)
UNITS = [
    unit("CCM-1.1/SC", LONG),
    unit("CCA-1.1/SC", LONG.replace(LONG.split()[30], "other")),
    unit("CCA-1.2/SC", LONG, words(1, 200)),
    unit("CCM-2.1/DNSH.water", "The loom keeps to Appendix Q."),
    unit("CCM-2.2/DNSH.water", "The loom keeps to Appendix Q."),
    unit("CCM-2.3/DNSH.water", "The loom keeps to Appendix Q.", words(2, 100)),
    *(unit(f"WTR-{n}.1/SC", words(10 + n, 40)) for n in range(8)),
]


def test_what_counts_as_near_duplicate() -> None:
    """One word changed and a text taken up into a longer one do; a shared line in a longer unit does not."""
    found = [c for c in clusters(UNITS) if len(c) > 1]
    assert found == [["CCA-1.1/SC", "CCA-1.2/SC", "CCM-1.1/SC"], ["CCM-2.1/DNSH.water", "CCM-2.2/DNSH.water"]]


def test_clusters_agree_with_a_slow_comparison_of_all_pairs() -> None:
    groups = {u.key: {u.key} for u in UNITS}
    for a, b in itertools.combinations(UNITS, 2):
        if near_duplicates(shingles(a), shingles(b)):
            merged = groups[a.key] | groups[b.key]
            groups.update(dict.fromkeys(merged, merged))
    assert {tuple(sorted(g)) for g in groups.values()} == set(map(tuple, clusters(UNITS)))


def test_units_without_text_and_one_key_of_two_documents_stay_together() -> None:
    other = Unit("CCM-3.1/SC", "", "", "SC", "loom-2", "", "html", (Block(0, "p", 0, None, words(5, 30)),))
    found = clusters([unit("A/SC"), unit("B/SC"), unit("CCM-3.1/SC", words(6, 30)), other])
    assert found == [["A/SC", "B/SC"], ["CCM-3.1/SC"]]


@pytest.mark.parametrize("seed", range(5))
def test_every_unit_lands_in_one_part_and_no_cluster_in_two(seed: int) -> None:
    dealt = split(UNITS, PARTS, seed)
    assert list(dealt) == list(PARTS)
    assert sorted(k for keys in dealt.values() for k in keys) == sorted(u.key for u in UNITS)
    place = {k: name for name, keys in dealt.items() for k in keys}
    assert all(len({place[k] for k in cluster}) == 1 for cluster in clusters(UNITS))
    assert [len(v) for v in dealt.values()] == [8, 3, 3]


def test_order_of_units_does_not_matter_and_the_seed_does() -> None:
    shuffled = random.Random(3).sample(UNITS, len(UNITS))
    assert split(UNITS, PARTS, 1) == split(shuffled, PARTS, 1)
    assert len({str(split(UNITS, PARTS, seed)) for seed in range(5)}) > 1


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        ({}, "sum to 1"),
        ({"train": 0.6, "test": 0.2}, "sum to 1"),
        ({"train": 1.5, "test": -0.5}, "positive"),
        ({"train": float("nan"), "test": 0.5}, "positive"),
    ],
)
def test_shares_that_make_no_split_are_refused(parts: dict[str, float], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        split(UNITS, parts)


def test_a_part_that_would_stay_empty_is_refused() -> None:
    with pytest.raises(ConfigError, match="test stays empty: 1 clusters"):
        split(UNITS[3:5], {"train": 0.5, "test": 0.5})
