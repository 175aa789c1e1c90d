"""Dependency score: gating, threshold inheritance and corrections of one node together (paper section 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from statistics import fmean
from typing import Any

from regreact.evaluation.semantic import deductions as points
from regreact.schema import Dependencies

# "1(f)", "2.1(a)(ii)", "4.Verification-2", "4.Verification(b)" in a summary; bare numbers are mostly no criteria
_CRITERION = re.compile(r"(?<![\w.])\d+(?:\.\d+)*(?:\([a-z]+\)|\.[A-Z][A-Za-z]+(?:-\d+)?)+")


def dependency_score(gold: Mapping[str, Any], found: Mapping[str, Any]) -> float:
    """Score what one node depends on: the mean of the three parts that either side has.

    Args:
        gold: `dependencies` (Dependencies or None), `threshold_from` (id or None), `corrections` (set of pairs).
        found: The same of the prediction.
    """
    parts = (
        _gating(gold["dependencies"], found["dependencies"]),
        _inheritance(gold["threshold_from"], found["threshold_from"]),
        _corrections(gold["corrections"], found["corrections"]),
    )
    scored = [p for p in parts if p > points.EMPTY]
    return fmean(scored) if scored else points.EMPTY


def same_id(criterion_id: str) -> str:
    """Return an id without the variations of format that the rubric accepts ("2.1." for "2.1", "point 1(b)")."""
    return re.sub(r"^points?|\s+|\.$", "", criterion_id.strip())


def _gating(gold: Dependencies | None, found: Dependencies | None) -> float:
    early = points.one_sided(gold, found)
    if early is not None or gold is None or found is None:
        return early or points.EMPTY
    wanted = {same_id(c.criterion_id): c.status for c in gold.clauses}
    given = {same_id(c.criterion_id): c.status for c in found.clauses}
    shared = wanted.keys() & given.keys()
    missing, surplus = len(wanted.keys() - shared), len(given.keys() - shared)
    moved = min(missing, surplus)
    lost = points.OTHER_CRITERION * moved
    lost += points.series(missing + surplus - 2 * moved, points.ABSENT_CLAUSE, points.NEXT_CLAUSE)
    lost += points.STATUS_INVERTED * sum(wanted[i] != given[i] for i in shared)
    lost += _minimum_deduction(gold, found)
    allowed = wanted.keys() | given.keys() | _mentioned(gold.condition_summary)
    lost += points.SUMMARY_CRITERION * bool(_mentioned(found.condition_summary) - allowed)
    return points.graded(lost)


def _minimum_deduction(gold: Dependencies, found: Dependencies) -> float:
    """Compare how many clauses must hold; "all" of them stays "all" where the number of clauses differs."""
    count_gold, count_found = len(gold.clauses), len(found.clauses)
    if min(count_gold, count_found) == 1:
        # One clause is "any" and "all" at once; only a number that no clause count explains is wrong.
        allowed = {1, count_gold, gold.min_conditions_to_meet}
        return 0.0 if found.min_conditions_to_meet in allowed else points.MINIMUM_ONE_CLAUSE
    both_all = gold.min_conditions_to_meet >= count_gold and found.min_conditions_to_meet >= count_found
    same = both_all or gold.min_conditions_to_meet == found.min_conditions_to_meet
    return 0.0 if same else points.MINIMUM


def _mentioned(summary: str) -> set[str]:
    return {same_id(m[0]) for m in _CRITERION.finditer(summary)}


def _inheritance(gold: str | None, found: str | None) -> float:
    early = points.one_sided(gold, found)
    if early is not None:
        return early
    return points.BEST if same_id(str(gold)) == same_id(str(found)) else points.BEST - points.OTHER_CRITERION


def _corrections(gold: Set[tuple[str, str]], found: Set[tuple[str, str]]) -> float:
    """Score corrections as pairs of the printed and the meant criterion, by the share that agrees."""
    early = points.one_sided(gold, found)
    if early is not None:
        return early
    wanted, given = ({(same_id(a), same_id(b)) for a, b in side} for side in (gold, found))
    share = len(wanted & given) / len(wanted | given)
    return max(points.RECOGNISED, points.WRONG + (points.BEST - points.WRONG) * share)
