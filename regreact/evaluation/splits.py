"""Splits of annotated units that keep near-duplicates together.

The same section often stands in two annexes, and the conditions of "no significant harm" repeat from activity to
activity. A unit whose twin is in the training part measures memory, so units are first clustered by their texts, and
only whole clusters are dealt out.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from regreact.errors import ConfigError
from regreact.sources.model import Unit

# Words a shingle (Broder 1997 uses 4 to 10): long enough that shared drafting formulas alone join nothing.
SHINGLE_WORDS = 5
# Shared share of all shingles from which two units are near-duplicates.
MINIMUM_JACCARD = 0.5
# Share of the smaller unit's shingles that the larger one holds: a section that repeats another and adds to it.
MINIMUM_CONTAINMENT = 0.8
# Containment says nothing about a unit of a line or two: a reference to an appendix stands in hundreds of sections.
CONTAINMENT_SHINGLES = 20

_WORD = re.compile(r"\w+")
Shingle = tuple[str, ...]


def shingles(unit: Unit) -> frozenset[Shingle]:
    """Return the runs of `SHINGLE_WORDS` words inside each block, in lower case; a shorter block is one run."""
    found: set[Shingle] = set()
    for block in unit.blocks:
        words = _WORD.findall(block.text.lower())
        last = max(1, len(words) - SHINGLE_WORDS + 1)
        found.update(tuple(words[i : i + SHINGLE_WORDS]) for i in range(last) if words)
    return frozenset(found)


def near_duplicates(first: frozenset[Shingle], second: frozenset[Shingle], shared: int | None = None) -> bool:
    """True if two sets of shingles overlap so far that one text gives the other away.

    Args:
        first: Shingles of one unit.
        second: Shingles of the other.
        shared: Size of their intersection, if it is known.
    """
    common = len(first & second) if shared is None else shared
    union = len(first) + len(second) - common
    if not union or common / union >= MINIMUM_JACCARD:
        return True
    smaller = min(len(first), len(second))
    return smaller >= CONTAINMENT_SHINGLES and common / smaller >= MINIMUM_CONTAINMENT


def clusters(units: Sequence[Unit]) -> list[list[str]]:
    """Return the keys of near-duplicate units together (single linkage), each cluster sorted, clusters by first key.

    Units of the same key from two documents share a cluster, so that a key names one part of a split.
    """
    same: dict[frozenset[Shingle], list[str]] = defaultdict(list)
    for unit in units:
        same[shingles(unit)].append(unit.key)
    groups = _Groups()
    texts = list(same)
    for keys in same.values():
        for key in keys:
            groups.join(keys[0], key)
    for (i, j), shared in _overlaps(texts).items():
        if near_duplicates(texts[i], texts[j], shared):
            groups.join(same[texts[i]][0], same[texts[j]][0])
    return groups.sorted()


def _overlaps(texts: Sequence[frozenset[Shingle]]) -> Counter[tuple[int, int]]:
    """Return the number of shared shingles of every pair that shares any."""
    holders: dict[Shingle, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        for shingle in text:
            holders[shingle].append(number)
    counts: Counter[tuple[int, int]] = Counter()
    for held in holders.values():
        counts.update((i, j) for at, i in enumerate(held) for j in held[at + 1 :])
    return counts


class _Groups:
    """Union-find over keys."""

    def __init__(self) -> None:
        self._up: dict[str, str] = {}

    def _top(self, key: str) -> str:
        while (up := self._up.setdefault(key, key)) != key:
            self._up[key] = self._up[up]
            key = up
        return key

    def join(self, first: str, second: str) -> None:
        self._up[self._top(second)] = self._top(first)

    def sorted(self) -> list[list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for key in sorted(self._up):
            found[self._top(key)].append(key)
        return list(found.values())


def split(units: Sequence[Unit], parts: Mapping[str, float], seed: int = 0) -> dict[str, list[str]]:
    """Deal units out to parts so that near-duplicates never straddle.

    Args:
        units: Units with their texts.
        parts: Share of the units by name of the part; the shares sum to 1.
        seed: Decides which clusters go where; the order of `units` does not.

    Returns:
        Sorted unit keys by part, in the order of `parts`. Sizes come as near to the shares as whole clusters allow.

    Raises:
        ConfigError: Shares are not positive or do not sum to 1, or a part would stay empty.

    Example:
        >>> from regreact.sources.model import Block
        >>> texts = {"A/SC": "kilns run on dry wood only", "B/SC": "boats carry no coal at all", "C/SC": "kilns run on dry wood only"}
        >>> made = [Unit(k, "", "", "SC", "d", "", "html", (Block(0, "p", 0, None, t),)) for k, t in texts.items()]
        >>> sorted(split(made, {"train": 0.7, "test": 0.3}).values())
        [['A/SC', 'C/SC'], ['B/SC']]
    """  # noqa: E501
    check_parts(parts)
    return deal(clusters(units), parts, seed)


def deal(groups: Iterable[list[str]], parts: Mapping[str, float], seed: int) -> dict[str, list[str]]:
    """Deal whole clusters out: the largest first, each to the part that lacks most of its share.

    Raises:
        ConfigError: A part would stay empty.
    """
    waiting = sorted(groups)
    random.Random(seed).shuffle(waiting)
    waiting.sort(key=len, reverse=True)
    total = sum(map(len, waiting))
    dealt: dict[str, list[str]] = {name: [] for name in parts}
    for group in waiting:
        # Equal needs fall to the part that is named first.
        neediest = max(parts, key=lambda name: parts[name] * total - len(dealt[name]))
        dealt[neediest].extend(group)
    for name, keys in dealt.items():
        if not keys:
            raise ConfigError(
                f"parts: {name} stays empty: {len(waiting)} clusters of near-duplicates in {total} units do not give "
                f"{len(parts)} parts (name fewer parts, larger shares or more units)"
            )
    return {name: sorted(keys) for name, keys in dealt.items()}


def check_parts(parts: Mapping[str, float]) -> None:
    """Refuse shares that make no split.

    Raises:
        ConfigError: They are not positive or do not sum to 1.
    """
    shares = list(parts.values())
    if not shares or not all(s > 0 and math.isfinite(s) for s in shares) or not math.isclose(sum(shares), 1.0):
        shown = ",".join(f"{name}={share:g}" for name, share in parts.items())
        raise ConfigError(f"parts={shown}: shares are positive and sum to 1, such as train=0.6,validation=0.2,test=0.2")
