"""Deterministic rubric for the semantic fields: threshold, reference, footnote, dependency (paper appendix D.19).

Each function returns 0 if both sides are empty (not counted), 1 if only one side is, else 5 minus the deductions of
the rubric, at least 1. Free text is compared by its content words, since the rubric judges meaning, not wording.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from regreact.schema import Criterion, Footnote, FootnoteItem, QuantitativeItem, References, Threshold

# Deductions in points (appendix D.19).
OPERATOR_DIRECTION = 2.0  # "operator direction wrong on one item" leaves 3
OPERATOR_BOUNDARY = 1.0  # "> against >= is a meaningful difference"
WRONG_VALUE = 3.0  # "wrong numeric value" leaves 2
WRONG_UNIT = 3.0  # "fundamentally different unit" leaves 2
VAGUE_METRIC = 1.0  # "one minor issue (vague metric label …)" leaves 4
WRONG_JOINER = 2.0  # threshold logic with two or more items
MISSING_PERIOD = 1.0
WRONG_PERIOD = 2.0
MISSING_ITEM = 2.0  # "one item entirely missing" leaves 3
EXTRA_ITEM = 2.0
TYPE_MISMATCH = 1.0  # references: must_be_fetched against citation_only
MISSING_SOURCE = 2.0  # "one source missing" leaves 3; further ones take one more each
NEXT_SOURCE = 1.0
REFERENCE_JOINER = 1.0
EXTRA_CATEGORY = 0.5
WRONG_CATEGORY = 1.0
MISSING_ITEMS = 1.0
MISSING_DEFINITIONS = 1.0
MISSING_FOOTNOTE = 2.0
TRUNCATED = 2.0
STATUS = 3.0  # "status inverted" leaves 2
MISSING_CLAUSE = 2.0
MINIMUM = 2.0

# Two metrics name the same quantity if they share half of their content words (F1 of word stems).
SAME_QUANTITY = 0.5

_STOP = frozenset(
    "the a an of for in on from to by with and or per its their that which this is are be at as used".split()
)


def words(text: str) -> set[str]:
    """Return the content words of a text: lower case, without plural and participle endings."""
    found = re.findall(r"[a-z0-9]+", text.lower().replace("greenhouse gas", "ghg").replace("lifecycle", "life cycle"))
    return {re.sub(r"(?:ies|es|s|ing|ed)$", "", w) if len(w) > 4 else w for w in found if w not in _STOP}


def same_quantity(a: str, b: str) -> bool:
    """True if two metric names share enough content words to name the same quantity."""
    first, second = words(a), words(b)
    if not first or not second:
        return first == second
    return 2 * len(first & second) / (len(first) + len(second)) >= SAME_QUANTITY


def plain_unit(unit: str) -> str:
    """Return a unit without what the rubric ignores: case, spaces, "eq", "percent", sub- and superscripts."""
    low = (
        unit.lower().replace("percent", "%").replace("per ", "/").replace("²", "2").replace("³", "3").replace("₂", "2")
    )
    low = re.sub(r"[\s.·*]", "", low).replace("co2eq", "co2e").replace("co2-e", "co2e")
    return {"year": "years", "month": "months", "day": "days", "tonnes": "t", "tonne": "t"}.get(low, low)


def _score(deductions: float) -> float:
    return max(1.0, 5.0 - deductions)


def _one_sided(a: object, b: object) -> float | None:
    """Return 0 if both sides are empty, 1 if one is, None if both have something."""
    if not a and not b:
        return 0.0
    return 1.0 if not a or not b else None


def threshold_score(gold: Threshold | None, found: Threshold | None) -> float:
    """Score the thresholds of one node, quantitative and temporal together."""
    early = _one_sided(gold, found)
    if early is not None or gold is None or found is None:
        return early or 0.0
    gold_items = list(gold.quantitative.items) if gold.quantitative else []
    left = list(found.quantitative.items) if found.quantitative else []
    lost, pairs = 0.0, 0
    for item in gold_items:
        best = min(left, key=lambda other: quantity_deduction(item, other), default=None)
        if best is None or (quantity_deduction(item, best) >= WRONG_VALUE + VAGUE_METRIC and len(gold_items) > 1):
            lost += MISSING_ITEM
            continue
        left.remove(best)
        pairs += 1
        lost += quantity_deduction(item, best)
    lost += EXTRA_ITEM * len(left)
    if pairs > 1 and gold.quantitative and found.quantitative and gold.quantitative.logic != found.quantitative.logic:
        lost += WRONG_JOINER if found.quantitative.logic else VAGUE_METRIC
    lost += _temporal_deduction(gold, found)
    return _score(lost)


def quantity_deduction(gold: QuantitativeItem, found: QuantitativeItem) -> float:
    """Return the points that one item loses against the gold item."""
    lost = 0.0
    if abs(gold.value - found.value) > 1e-9 * max(1.0, abs(gold.value)):
        lost += WRONG_VALUE
    if plain_unit(gold.unit) != plain_unit(found.unit):
        lost += WRONG_UNIT
    if gold.operator != found.operator:
        lost += OPERATOR_BOUNDARY if gold.operator[0] == found.operator[0] else OPERATOR_DIRECTION
    if not same_quantity(gold.metric, found.metric):
        lost += VAGUE_METRIC
    if gold.period != found.period:
        lost += MISSING_PERIOD if found.period is None or gold.period is None else WRONG_PERIOD
    return lost


def _temporal_deduction(gold: Threshold, found: Threshold) -> float:
    wanted = [i.model_dump_json() for i in gold.temporal.items] if gold.temporal else []
    given = [i.model_dump_json() for i in found.temporal.items] if found.temporal else []
    missing = sum(i not in given for i in wanted)
    extra = sum(i not in wanted for i in given)
    return MISSING_ITEM * max(missing, extra)


def _source_key(text: str, celex: str | None) -> tuple[str, ...]:
    """Return what identifies a cited source: the act with its pinpoint numbers, or its designation."""
    numbers = tuple(re.findall(r"\d+(?:[./-]\d+)*(?:\([a-z0-9]+\))*", text.lower()))
    if celex is not None:
        year, number = str(int(celex[1:5])), str(int(celex[6:10])) if celex[6:10].isdigit() else ""
        pins = tuple(n for n in numbers if not re.fullmatch(r"\d+/\d+", n) and n not in (year, number))
        return (celex, *pins)
    return numbers or tuple(sorted(words(text)))


def _same_source(gold: tuple[str, ...], found: tuple[str, ...]) -> bool:
    """Sources match by CELEX id or designation (appendix D.19: not by wording)."""
    return (
        gold == found
        or (gold[:1] == found[:1] and len(gold[0]) == 10)
        or len({*gold} & {*found}) * 2 > len({*gold} | {*found})
    )


def reference_score(gold: References | None, found: References | None, text: str = "") -> float:
    """Score the references of one node; a surplus source is accepted if it stands in the text."""
    early = _one_sided(gold, found)
    if early is not None or gold is None or found is None:
        return early or 0.0
    left = list(found.sources)
    missing, lost = 0, 0.0
    for source in gold.sources:
        key = _source_key(source.text, source.celex_id)
        same = [s for s in left if _same_source(key, _source_key(s.text, s.celex_id))]
        if not same:
            missing += 1
            continue
        best = max(same, key=lambda s: (_source_key(s.text, s.celex_id) == key, s.type == source.type))
        left.remove(best)
        lost += TYPE_MISMATCH * (best.type != source.type)
        lost += TYPE_MISMATCH * (best.celex_id != source.celex_id)
    if missing == len(gold.sources):
        return 1.0
    extra = sum(s.text not in text for s in left)
    wrong = missing + extra
    lost += (MISSING_SOURCE + NEXT_SOURCE * (wrong - 1)) if wrong else 0.0
    if len(gold.sources) > 1 and len(found.sources) > 1 and gold.logic != found.logic:
        lost += REFERENCE_JOINER
    return _score(lost)


def footnote_score(gold: Sequence[Footnote], found: Sequence[Footnote], same_document: bool = True) -> float:
    """Score the footnotes of one node, matched by id within one document, else by text."""
    early = _one_sided(gold, found)
    if early is not None:
        return early
    left = list(found)
    missing, worst = 0, 0.0
    for note in gold:
        match = next((f for f in left if (f.id == note.id if same_document else _same_text(f, note))), None)
        if match is None:
            missing += 1
            continue
        left.remove(match)
        worst += footnote_deduction(note, match)
    wrong = missing + len(left)
    if missing == len(gold):
        return 1.0
    return _score(
        worst / max(1, len(gold) - missing) + (MISSING_FOOTNOTE + NEXT_SOURCE * (wrong - 1) if wrong else 0.0)
    )


def _same_text(a: Footnote, b: Footnote) -> bool:
    return "".join(a.verbatim.split()) == "".join(b.verbatim.split())


def footnote_deduction(gold: Footnote, found: Footnote) -> float:
    """Return the points that one footnote loses against the gold footnote."""
    lost = 0.0
    if gold.verbatim and len(found.verbatim) < 0.8 * len(gold.verbatim):
        lost += TRUNCATED
    wanted, given = set(gold.categories), set(found.categories)
    if wanted - given:
        lost += WRONG_CATEGORY
    elif given - wanted:
        lost += EXTRA_CATEGORY
    lost += _items_deduction(gold.items, found.items)
    if bool(gold.definitions) != bool(found.definitions):
        lost += MISSING_DEFINITIONS
    return lost


def _items_deduction(gold: Sequence[FootnoteItem], found: Sequence[FootnoteItem]) -> float:
    if not gold and not found:
        return 0.0
    left = {_item_key(i): i for i in found}
    lost, missing = 0.0, 0
    for item in gold:
        match = left.pop(_item_key(item), None)
        if match is None:
            missing += 1
        elif match.type != item.type or match.kind != item.kind:
            lost += 0.5
    wrong = max(missing, len(left))
    if wrong:
        lost += MISSING_ITEMS if wrong * 2 <= max(len(gold), len(found)) else 2 * MISSING_ITEMS
    return min(lost, 3.0)


def _item_key(item: FootnoteItem) -> str:
    if item.celex_id:
        return item.celex_id
    return " ".join(re.findall(r"[a-z0-9]+", item.title.lower()))


def dependency_score(gold: Mapping[str, Any], found: Mapping[str, Any]) -> float:
    """Score gating, threshold inheritance and corrections of one node together.

    Args:
        gold: `dependencies` (Dependencies or None), `threshold_from` (id or None), `corrections` (set of pairs).
        found: The same of the prediction.
    """
    parts = []
    if gold["dependencies"] or found["dependencies"]:
        parts.append(_gating(gold["dependencies"], found["dependencies"]))
    if gold["threshold_from"] or found["threshold_from"]:
        same = gold["threshold_from"] == found["threshold_from"]
        one_sided = not gold["threshold_from"] or not found["threshold_from"]
        parts.append(5.0 if same else 1.0 if one_sided else 2.0)
    if gold["corrections"] or found["corrections"]:
        shared = len(gold["corrections"] & found["corrections"])
        total = len(gold["corrections"] | found["corrections"])
        parts.append(1.0 + 4.0 * shared / total)
    return sum(parts) / len(parts) if parts else 0.0


def _gating(gold: Any, found: Any) -> float:
    early = _one_sided(gold, found)
    if early is not None:
        return early
    wanted = {c.criterion_id.rstrip("."): c.status for c in gold.clauses}
    given = {c.criterion_id.rstrip("."): c.status for c in found.clauses}
    shared = wanted.keys() & given.keys()
    if not shared:
        return 2.0
    lost = MISSING_CLAUSE * (len(wanted.keys() ^ given.keys()) > 0)
    lost += STATUS * any(wanted[i] != given[i] for i in shared)
    if gold.min_conditions_to_meet != found.min_conditions_to_meet:
        lost += MINIMUM if len(wanted) > 1 else 1.0
    return _score(lost)


def node_scores(gold: Criterion, found: Criterion | None) -> dict[str, float]:
    """Return threshold, reference and footnote score of a node; a missing partner counts as an empty one."""
    return {
        "threshold": threshold_score(gold.threshold, found.threshold if found else None),
        "reference": reference_score(gold.references, found.references if found else None, gold.verbatim_text),
        "footnote": footnote_score(gold.footnotes, found.footnotes if found else ()),
    }
