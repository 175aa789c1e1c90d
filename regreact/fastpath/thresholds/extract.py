"""The solver: limits and dates of each criterion, list items with the operator and metric of their chapeau."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from regreact.answers import Answer, solver
from regreact.fastpath.thresholds.masking import mask
from regreact.fastpath.thresholds.metrics import metric_before
from regreact.fastpath.thresholds.operators import BEFORE
from regreact.fastpath.thresholds.quantities import Limit, find_limits
from regreact.fastpath.thresholds.temporal import find_temporal
from regreact.fastpath.tree import CriterionIndex
from regreact.legal.numbers import NUMBER, parse_number
from regreact.legal.units import UNIT, spell_unit
from regreact.schema import Joiner, Operator, Quantitative, QuantitativeItem, Temporal, Threshold
from signatures.types import CriterionView, UnitHeader

# A chapeau that ends with comparison words, or says that values follow, gives its items their operator.
_CHAPEAU = tuple(
    (
        rule.operator,
        re.compile(
            rf"\b(?:{rule.words})(?:\s(?:the following|one of the following|equivalent to|to)\b[^:]*)?\s*:\s*$", re.I
        ),
    )
    for rule in BEFORE
)
_VALUES_FOLLOW = re.compile(r"\b(?:following|these) (?:\w+ )?(?:values|limits|thresholds)\b[^:]*:\s*$", re.I)
_ITEM_VALUE = re.compile(
    rf"^(?:(?:for|in the case of)\s)?(?P<case>[^:=\d]*?)\s?(?::|=|"
    rf"\bis\b)?\s*(?P<number>{NUMBER})(?:\(\d+\))?\s*(?P<unit>{UNIT})",
    re.I,
)


@solver("ExtractThresholds")
def extract_thresholds(
    unit: UnitHeader, criteria: Sequence[CriterionView], guidance: str = ""
) -> list[Answer[Threshold | None]]:
    """Return the thresholds that each criterion states itself, None where it states none."""
    index = CriterionIndex(criteria)
    return [_answer(c, index) for c in criteria]


def _answer(criterion: CriterionView, index: CriterionIndex) -> Answer[Threshold | None]:
    if criterion.block is None or not criterion.text:
        return Answer(criterion.criterion_id, None, 1.0)
    masked = mask(criterion.text)
    parent = index.parent(criterion.criterion_id)
    quantity = _chapeau_quantity(parent.text) if parent is not None and parent.block is not None else ""
    limits = find_limits(criterion.text, masked, quantity) or _item_of_list(criterion, index, masked)
    times = find_temporal(masked)
    if not limits and not times:
        left = re.search(r"\d", masked)
        return Answer(criterion.criterion_id, None, 0.85 if left else 0.98)
    spans = tuple(
        (criterion.block, start, end)
        for start, end in [*((m.start, m.end) for m in limits), *((t.start, t.end) for t in times)]
    )
    quantitative = temporal = None
    if limits:
        items = tuple(m.item for m in limits)
        quantitative = Quantitative(logic=_joiner(criterion.text, limits), items=items)
    if times:
        found = tuple(t.item for t in times)
        temporal = Temporal(logic="AND" if len(found) > 1 else None, items=found)
    confidence = min([m.confidence for m in limits] + [0.9])
    return Answer(criterion.criterion_id, Threshold(quantitative=quantitative, temporal=temporal), confidence, spans)


def _joiner(text: str, limits: Sequence[Limit]) -> Joiner | None:
    """OR if "or" or "alternatively" joins two limits, else AND."""
    if len(limits) < 2:
        return None
    gaps = [text[a.end : b.start] for a, b in pairwise(limits)]
    return "OR" if any(re.search(r",\s*or\b|\balternatively\b|^\s*or\b", gap, re.I) for gap in gaps) else "AND"


def _item_of_list(criterion: CriterionView, index: CriterionIndex, masked: str) -> list[Limit]:
    """Read "for adipic acid: 0,32 tCO2e/t" below a chapeau that says in what direction values count."""
    parent = index.parent(criterion.criterion_id)
    if parent is None or parent.block is None:
        return []
    operator = _chapeau_operator(parent.text)
    match = _ITEM_VALUE.match(masked.lstrip())
    if operator is None or match is None:
        return []
    offset = len(masked) - len(masked.lstrip())
    quantity = _chapeau_quantity(parent.text)
    case = match["case"].strip(" ,:") or re.sub(r"^[\s,]*(?:of )?", "", criterion.text[offset + match.end() :]).rstrip(
        " ;."
    )
    metric = f"{quantity}, {case}" if case else quantity
    item = QuantitativeItem(
        metric=metric, operator=operator, value=parse_number(match["number"]), unit=spell_unit(match["unit"])
    )
    return [Limit(offset + match.start("number"), offset + match.end(), item, 0.7)]


def _chapeau_quantity(text: str) -> str:
    """Return what a chapeau measures ("emissions from the works are lower than:")."""
    if not text.rstrip().endswith(":"):
        return ""
    subject = re.sub(r"\b(?:is|are|do|does|at least|lower|below|not exceed)\b[^:]*:\s*$", "are", text)
    return metric_before(subject.rstrip(": "))


def _chapeau_operator(text: str) -> Operator | None:
    for operator, pattern in _CHAPEAU:
        if pattern.search(text):
            return operator
    if not _VALUES_FOLLOW.search(text):
        return None
    found = [
        (m.start(), rule.operator)
        for rule in BEFORE
        if (m := re.search(rf"\b(?:{rule.words})\b", text, re.I)) is not None
    ]
    return min(found)[1] if found else "="
