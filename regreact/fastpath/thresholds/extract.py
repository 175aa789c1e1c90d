"""The solver of stage 2: limits and dates of each criterion, list items with operator and quantity of their chapeau."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from regreact.answers import Answer, solver
from regreact.fastpath.thresholds.limits import find_limits
from regreact.fastpath.thresholds.lists import cell_value, list_values, setting_of
from regreact.fastpath.thresholds.reading import Reading, read
from regreact.fastpath.thresholds.records import Findings, Limit, Range, Setting
from regreact.fastpath.thresholds.temporal import find_temporal
from regreact.fastpath.thresholds.zero import zero_limits
from regreact.fastpath.tree import CriterionIndex
from regreact.legal.numbers import thousands_mark
from regreact.remember import remembered
from regreact.schema import Joiner, Quantitative, Temporal, Threshold
from signatures.types import CriterionView, UnitHeader

# How often annotators agreed on texts that no rule had been written for (experiments/confidence.py).
NOTHING_NUMERIC = 0.995
NUMBERS_EXPLAINED = 0.985
NUMBERS_LEFT = 0.75
DATES = 0.88


@solver("ExtractThresholds")
def extract_thresholds(
    unit: UnitHeader, criteria: Sequence[CriterionView], guidance: str = ""
) -> list[Answer[Threshold | None]]:
    """Return the thresholds that each criterion states itself, None where it states none.

    Evidence spans cover comparison words, number and unit, counted in the criterion's text. Confidence is lower where
    numbers are left over that no rule accounts for.

    Args:
        unit: Not used: thresholds follow from the words of the criterion and its chapeau.
        criteria: All criteria of the section; parents give list items their operator and quantity.
        guidance: Not used.
    """
    index = CriterionIndex(criteria)
    thousands = thousands_mark(c.text for c in criteria)
    return [_answer(c, index, thousands) for c in criteria]


def _answer(criterion: CriterionView, index: CriterionIndex, thousands: str) -> Answer[Threshold | None]:
    if criterion.block is None or not criterion.text.strip():
        return Answer(criterion.criterion_id, None, 1.0, rule="no text")
    reading = read(criterion.text, thousands)
    findings = _limits(criterion, index, reading)
    limits, times = findings.limits, find_temporal(reading.masked)
    spans = [*((m.start, m.end) for m in limits), *((t.start, t.end) for t in times)]
    quantitative = temporal = None
    if limits:
        quantitative = Quantitative(logic=_joiner(criterion.text, limits), items=tuple(m.item for m in limits))
    if times:
        found = tuple(t.item for t in times)
        temporal = Temporal(logic="AND" if len(found) > 1 else None, items=found)
    value = Threshold(quantitative=quantitative, temporal=temporal) if limits or times else None
    confidence = _confidence(reading, findings, spans)
    evidence = tuple((criterion.block, start, end) for start, end in sorted(spans))
    names = [*(m.rule for m in limits), *(t.item.type for t in times)] or [_nothing(reading, findings, spans)]
    return Answer(criterion.criterion_id, value, confidence, evidence, rule=" + ".join(dict.fromkeys(names)))


def _limits(criterion: CriterionView, index: CriterionIndex, reading: Reading) -> Findings:
    """Return the limits of a criterion: its own, else its values under the chapeau's operator."""
    if not reading.amounts and "zero" not in reading.masked.lower():
        return Findings()
    setting = setting_of(criterion, index)
    limits, explained = _own_limits(criterion.text, setting, reading.thousands)
    findings = Findings(list(limits), list(explained))
    values: list[Limit] = []
    if _open_values(findings, reading):
        values = list_values(criterion, index, reading, findings.explained) or cell_value(criterion, index, reading)
    if values:
        findings.limits = [replace(v, rule="value under a chapeau") for v in values]
    return findings


@remembered
def _own_limits(text: str, setting: Setting, thousands: str) -> tuple[tuple[Limit, ...], tuple[Range, ...]]:
    """Return the limits that a text states, and the places of numbers that are known to be none."""
    reading = read(text, thousands)
    findings = find_limits(reading, setting, list(zero_limits(reading, setting.subject)))
    return tuple(findings.limits), tuple(findings.explained)


def _open_values(findings: Findings, reading: Reading) -> bool:
    """True if the text has amounts and no limit with comparison words of its own."""
    return bool(reading.amounts) and all(m.item.operator == "=" and m.item.value for m in findings.limits)


def _nothing(reading: Reading, findings: Findings, spans: list[tuple[int, int]]) -> str:
    if any(reading.numbers_left([*spans, *findings.explained])):
        return "numbers that no rule reads"
    return "numbers that set no limit" if re.search(r"\d", reading.text) else "no number"


def _confidence(reading: Reading, findings: Findings, spans: list[tuple[int, int]]) -> float:
    left = any(reading.numbers_left([*spans, *findings.explained]))
    certain = [m.confidence for m in findings.limits]
    if len(spans) > len(findings.limits):
        certain.append(DATES)
    if certain:
        return min(certain) - (0.05 if left else 0.0)
    if left:
        return NUMBERS_LEFT
    return NUMBERS_EXPLAINED if re.search(r"\d", reading.text) else NOTHING_NUMERIC


def _joiner(text: str, limits: Sequence[Limit]) -> Joiner | None:
    """OR if "or" or "alternatively" joins two limits, else AND."""
    if len(limits) < 2:
        return None
    gaps = [text[a.end : b.start] for a, b in pairwise(limits)]
    either = re.search(r"\beither\b", text[: limits[0].start], re.I)
    joined = [re.search(r"[,;]\s*or\b|\balternatively\b|^\s*or\b(?!.*\sand\b)", gap, re.I) for gap in gaps]
    return "OR" if any(joined) or (either and any(re.search(r"\sor\s", g) for g in gaps)) else "AND"
