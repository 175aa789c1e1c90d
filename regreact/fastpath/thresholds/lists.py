"""Items of a list of values: operator and quantity come from the chapeau (guidelines section 6)."""

from __future__ import annotations

import re

from regreact.fastpath.thresholds.conditions import EXCLUDING_CHAPEAU
from regreact.fastpath.thresholds.naming import chapeau_subject, quantity
from regreact.fastpath.thresholds.operators import last_words
from regreact.fastpath.thresholds.phrases import capitalised, plain, tidy
from regreact.fastpath.thresholds.reading import Amount, Reading
from regreact.fastpath.thresholds.records import Limit, Range, Setting
from regreact.fastpath.tree import CriterionIndex
from regreact.legal.dates import DATE
from regreact.legal.units import spell_unit
from regreact.schema import Operator, QuantitativeItem
from signatures.types import CriterionView

# "… do not exceed the following values applied to the process steps:"
_VALUES_FOLLOW = re.compile(
    r"\b(?:following|these|below)\b[^.:]{0,60}\b(?:values|limits|thresholds|amounts|levels)\b[^.:]*:?\s*$|"
    r"\b(?:values|limits)\b[^.:]*\b(?:are|is):\s*$",
    re.I,
)
# "recovers the following shares of fibre by weight:"
_LISTED = re.compile(
    r"\bthe following (?P<n>shares?|rates?|amounts?|quantities|concentrations?|percentages?)(?P<of> of .+)?$"
)
_EQUIVALENT = re.compile(r"\s(?:equivalent to|the following|one of the following|to)\s*$", re.I)
_CASE_BEFORE = re.compile(
    r"^\s*[\[(]?\s*(?:(?:for|in the case of)\s)?(?P<case>[^=\d]*?)\s*(?::|=|,|\bis\b)?\s*[\[(]?\s*$"
)
_UPPER_BOUND = re.compile(r"\b(?:emissions?|consumption|demand|losses|limits?|concentrations?|intensity)\b", re.I)


def setting_of(criterion: CriterionView, index: CriterionIndex) -> Setting:
    """Return what the chapeau of a criterion says about its items; empty without chapeau."""
    parent = index.parent(criterion.criterion_id)
    if parent is None or parent.block is None:
        return Setting()
    reading = Reading(parent.text)
    text = reading.names
    last = reading.sentence(max(0, len(text.rstrip()) - 2))[0]
    tail = text[last:].strip()
    if not tail.endswith(":"):
        return Setting()
    return Setting(_chapeau_quantity(tail), chapeau_subject(tail), bool(EXCLUDING_CHAPEAU.search(tail)))


def _chapeau_quantity(tail: str) -> str:
    """Return the quantity of a chapeau that leaves only values to its items, "" if it says more."""
    head = _EQUIVALENT.sub("", tail.rstrip(": "))
    listed = _LISTED.search(head)
    if listed:
        return capitalised(f"{listed['n'].removesuffix('s')}{listed['of'] or ''}")
    words = last_words(head)
    if words is not None:
        return quantity(head[: words.start])
    return quantity(head) if re.search(r"\b(?:is|are)$", head) else ""


def chapeau_operator(text: str) -> Operator | None:
    """Return the operator that a chapeau gives to the values of its items, None if it announces none.

    Example:
        >>> chapeau_operator("Emissions from the works do not exceed the following values:")
        '<='
    """
    head = text.strip()
    if not head.endswith(":"):
        return None
    words = last_words(head)
    if _VALUES_FOLLOW.search(head):
        return words.operator if words else "<=" if _UPPER_BOUND.search(head) else "="
    head = _EQUIVALENT.sub("", head.rstrip(": "))
    return words.operator if words and words.end >= len(head.rstrip()) else None


def list_values(
    criterion: CriterionView, index: CriterionIndex, reading: Reading, explained: list[Range]
) -> list[Limit]:
    """Return the values of an item such as "for adipic acid: 0,32 tCO2e/t" below a chapeau that announces them.

    Args:
        criterion: The item.
        index: Its unit.
        reading: Its text.
        explained: Places of numbers that are known to be no limits.
    """
    for ancestor in index.ancestors(criterion.criterion_id):
        if ancestor.block is None:
            return []
        operator = chapeau_operator(Reading(ancestor.text).names)
        if operator is not None:
            name = _chapeau_quantity(Reading(ancestor.text).names.strip())
            return _values(reading, name, operator, explained)
    return []


def cell_value(criterion: CriterionView, index: CriterionIndex, reading: Reading) -> list[Limit]:
    """Return the limit of a table cell that holds nothing but an amount, named after the cell before it."""
    if len(reading.amounts) != 1:
        return []
    amount = reading.amounts[0]
    alone = not f"{reading.masked[: amount.start]}{reading.masked[amount.end :]}".strip(" .;*")
    if not alone or not amount.unit or amount.of_time:
        return []
    at = index.criteria.index(criterion)
    before = re.split(r"\s(?:is|are|shall|must|do|does)\s", plain(index.criteria[at - 1].text))[0] if at else ""
    name = f"Concentration limit, {tidy(before)}" if amount.unit.startswith("%") else tidy(before)
    item = QuantitativeItem(metric=capitalised(name), operator="<=", value=amount.value, unit=spell_unit(amount.unit))
    return [Limit(amount.start, amount.end, item, 0.7)] if tidy(before) else []


def _values(reading: Reading, name: str, operator: Operator, explained: list[Range]) -> list[Limit]:
    amounts = [
        a for a in reading.amounts
        if a.unit and not a.of_time and not a.tolerance and not any(s <= a.start < e for s, e in explained)
    ]  # fmt: skip
    if not amounts:
        return []
    first = amounts[0]
    match = _CASE_BEFORE.match(plain(reading.names[: first.start]))
    same = [a for a in amounts if spell_unit(a.unit) == spell_unit(first.unit) and "/" in a.unit]
    if len(same) > 1:
        # "target values as specified: 95 g CO2/km for cars and 147 g CO2/km for vans"
        return [_value(a, name, re.split(r"\sand (?=\d)", _case_after(reading, a))[0], operator, 0.75) for a in same]
    if match is None:
        return []
    return [_value(first, name, tidy(match["case"]) or _case_after(reading, first), operator)]


def _case_after(reading: Reading, amount: Amount) -> str:
    _, end = reading.clause(amount.start)
    words = plain(f"x{reading.text[amount.end : end]}")[1:]
    words = re.sub(r"^\s*of (?:the )?", "share of ", words) if amount.unit == "%" else words
    words = re.sub(rf"^\s*(?:(?:from|until|to|as of|by)\s{DATE}\s?)+", "", words)
    return tidy(re.sub(r"^[\s,]*for\s", "", words))


def _value(amount: Amount, name: str, case: str, operator: Operator, confidence: float = 0.88) -> Limit:
    metric = f"{name}, {case}" if name and case else name or capitalised(case)
    item = QuantitativeItem(metric=metric, operator=operator, value=amount.value, unit=spell_unit(amount.unit))
    return Limit(amount.start, amount.end, item, confidence)
