"""The "and" and "or" between the items of a list: "x; and", "y; or" (guidelines section 3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from regreact.fastpath.combination.family import OR, Decision, Family
from regreact.fastpath.cues import main_clause
from regreact.fastpath.structure.totals import connective

_LEADING = re.compile(r"^(and|or)\b(?!/)")
_NOT = re.compile(r"\b(?:not|no|never|neither|without)\b", re.IGNORECASE)


def junctions(texts: Sequence[str]) -> list[str | None]:
    """Return the connective between each item and the next; one without takes that of the next that has one.

    Example:
        >>> junctions(["x;", "y; and", "z; or", "w."])
        ['and', 'and', 'or']
    """
    found: list[str | None] = []
    following: str | None = None
    for before, after in reversed(list(pairwise(texts))):
        leading = _LEADING.match(after)
        following = connective(before) or (leading[1] if leading else None) or following
        found.append(following)
    return found[::-1]


def joined_by_and(texts: Sequence[str]) -> list[list[int]]:
    """Return the runs of items between two "or", none unless both connectives stand between the items.

    Example:
        >>> joined_by_and(["x; and", "y; or", "z."])
        [[0, 1], [2]]
    """
    between = junctions(texts)
    if not {"and", "or"} <= set(between):
        return []
    runs = [[0]]
    for number, word in enumerate(between, start=1):
        if word == "and":
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def alternatives(family: Family) -> Decision | None:
    """ "Or" before the last item, where nothing is forbidden."""
    chapeau = family.chapeau[main_clause(family.chapeau) :]
    return (OR, None) if set(junctions(family.texts)) == {"or"} and not _NOT.search(chapeau) else None
