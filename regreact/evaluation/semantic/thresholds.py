"""Threshold score: items paired by least loss, then value, unit, operator, metric, period and logic."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from regreact.evaluation.semantic import deductions as points
from regreact.evaluation.semantic.wording import bare_unit, overlap, plain_unit, same_quantity
from regreact.schema import (
    Deadline,
    EffectiveFrom,
    EffectiveUntil,
    Quantitative,
    QuantitativeItem,
    Recurring,
    Temporal,
    TemporalItem,
    Threshold,
)

T = TypeVar("T")
# An item with a wrong value or unit and more than one minor error besides is not the item at all.
UNRELATED = points.WRONG_VALUE + points.VAGUE_METRIC
_ACTS = {"<": -1, "<=": -1, "=": 0, ">=": 1, ">": 1}
# What the metric of an interval says: "Interval between two audits", "Frequency of the review".
_INTERVAL = re.compile(
    r"\binterval|\bfrequen|\bevery\b|\brecurr|\bperiodic|\bbetween\b|\brenew|\brepe[at]", re.IGNORECASE
)
# Which side of its date a temporal item bounds.
_BOUND = {"deadline": "end", "effective_until": "end", "effective_from": "start"}


def threshold_score(gold: Threshold | None, found: Threshold | None) -> float:
    """Score the thresholds of one node, quantitative and temporal together."""
    early = points.one_sided(gold, found)
    if early is not None or gold is None or found is None:
        return early or points.EMPTY
    gold_numbers, gold_times = _sides(gold)
    found_numbers, found_times = _sides(found)
    numbers = _paired(gold_numbers, found_numbers, quantity_deduction)
    times = _paired(gold_times, found_times, temporal_deduction)
    pairs = numbers + times
    if not pairs:
        return points.WRONG
    missing = len(gold_numbers) + len(gold_times) - len(pairs)
    surplus = len(found_numbers) + len(found_times) - len(pairs)
    lost = sum(pairs) + points.series(missing + surplus, points.ABSENT_ITEM, points.NEXT_ITEM)
    if len(numbers) > 1:
        lost += _joiner_deduction(gold.quantitative, found.quantitative)
    if len(times) > 1:
        lost += _joiner_deduction(gold.temporal, found.temporal)
    return points.graded(lost)


def _sides(threshold: Threshold) -> tuple[list[QuantitativeItem], list[TemporalItem]]:
    """Return numbers and times; intervals count as numbers wherever they stand (rule 1)."""
    numbers = list(threshold.quantitative.items) if threshold.quantitative else []
    times: list[TemporalItem] = []
    for item in threshold.temporal.items if threshold.temporal else ():
        if isinstance(item, Recurring):
            interval = QuantitativeItem(metric="", operator="=", value=item.interval_value, unit=item.interval_unit)
            numbers.append(interval)
        else:
            times.append(item)
    return numbers, times


def _paired(gold: Sequence[T], found: Sequence[T], deduction: Callable[[T, T], float]) -> list[float]:
    """Return the points lost by each pair, the closest pairs first; too different items stay alone."""
    ranked = sorted((deduction(g, f), i, j) for i, g in enumerate(gold) for j, f in enumerate(found))
    used_gold: set[int] = set()
    used_found: set[int] = set()
    lost = []
    for value, i, j in ranked:
        if value > UNRELATED or i in used_gold or j in used_found:
            continue
        used_gold.add(i)
        used_found.add(j)
        lost.append(value)
    return lost


def quantity_deduction(gold: QuantitativeItem, found: QuantitativeItem) -> float:
    """Return the points that one item loses against the gold item."""
    lost = 0.0
    if abs(gold.value - found.value) > 1e-9 * max(1.0, abs(gold.value)):
        lost += points.WRONG_VALUE
    if plain_unit(gold.unit) != plain_unit(found.unit):
        same = bare_unit(gold.unit) == bare_unit(found.unit)
        lost += points.UNIT_QUALIFIER if same else points.WRONG_UNIT
    lost += _meaning_deduction(gold, found)
    if gold.period != found.period:
        one_side = gold.period is None or found.period is None
        lost += points.PERIOD_ON_ONE_SIDE if one_side else points.WRONG_PERIOD
    return lost


def _meaning_deduction(gold: QuantitativeItem, found: QuantitativeItem) -> float:
    """Compare operator and metric; an interval from the temporal side (no metric) with a number that may be one."""
    if not gold.metric and not found.metric:
        return 0.0
    if not gold.metric or not found.metric:
        number = gold if gold.metric else found
        lost = 0.0 if _INTERVAL.search(number.metric) else points.VAGUE_METRIC
        return lost + (points.OPERATOR_DIRECTION if _ACTS[number.operator] > 0 else 0.0)
    lost = _operator_deduction(gold.operator, found.operator)
    if not same_quantity(gold.metric, found.metric):
        lost += points.VAGUE_METRIC if overlap(gold.metric, found.metric) > 0 else points.OTHER_METRIC
    return lost


def _operator_deduction(gold: str, found: str) -> float:
    if gold == found:
        return 0.0
    on_bound = "=" in (gold, found) and gold[-1] == found[-1]
    if _ACTS[gold] == _ACTS[found] or on_bound:
        return points.OPERATOR_STRICTNESS
    return points.OPERATOR_DIRECTION


def temporal_deduction(gold: TemporalItem, found: TemporalItem) -> float:
    """Return the points that one date or window loses against the gold one."""
    dated = (Deadline, EffectiveFrom, EffectiveUntil)
    if isinstance(gold, dated) and isinstance(found, dated):
        lost = 0.0 if gold.date == found.date else points.WRONG_VALUE
        if gold.type == found.type:
            return lost
        same_side = _BOUND[gold.type] == _BOUND[found.type]
        return lost + (points.OPERATOR_STRICTNESS if same_side else points.OPERATOR_DIRECTION)
    if gold.type != found.type:
        return points.WRONG_VALUE + points.WRONG_UNIT
    return 0.0 if gold == found else points.WRONG_VALUE


def _joiner_deduction(gold: Quantitative | Temporal | None, found: Quantitative | Temporal | None) -> float:
    """Compare the logic of two sets that both have several items."""
    if gold is None or found is None or min(len(gold.items), len(found.items)) < 2 or gold.logic == found.logic:
        return 0.0
    return points.JOINER_NULL if gold.logic is None or found.logic is None else points.JOINER_INVERTED
