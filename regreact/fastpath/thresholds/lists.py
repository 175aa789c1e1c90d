"""Items of a list of values: operator and quantity come from the chapeau (guidelines section 6)."""

from __future__ import annotations

import re

from regreact.fastpath.thresholds.conditions import EXCLUDING_CHAPEAU
from regreact.fastpath.thresholds.label_names import of_label
from regreact.fastpath.thresholds.masking import mask_citations
from regreact.fastpath.thresholds.naming import chapeau_subject, quantity
from regreact.fastpath.thresholds.operators import last_words
from regreact.fastpath.thresholds.phrases import capitalised, plain, tidy
from regreact.fastpath.thresholds.reading import Amount, Reading, read
from regreact.fastpath.thresholds.records import Limit, Range, Setting
from regreact.fastpath.tree import CriterionIndex
from regreact.legal.dates import DATE
from regreact.legal.numbers import NUMBER
from regreact.legal.units import spell_unit
from regreact.remember import remembered
from regreact.schema import Operator, QuantitativeItem
from signatures.types import CriterionView

# "… do not exceed the following values applied to the process steps:"
_VALUES_FOLLOW = re.compile(
    r"\b(?:following|these|below)\b[^.:]{0,60}\b(?:values|limits|thresholds|amounts|levels)\b[^.:]*:?\s*$|"
    r"\b(?:values|limits)\b[^.:]*\b(?:are|is):\s*$|"
    r"\b(?:respects?|compl(?:y|ies) with|meets?|observes?|fulfils?|(?:keeps?|stays?|remains?) (?:to|within))\s"
    r"(?:(?:both|each|all|one|either) )?(?:of )?the\s[^.:]{0,40}?\b(?:limits?|values?|ceilings?|thresholds?)\b"
    r"(?:(?!\b(?:and|that|which|requirements|criteria|conditions)\b)[^.:]){0,60}:\s*$",
    re.I,
)
# "is lower than the value given for the product:": comparison words that leave the value to the items
_GIVEN = (
    r"(?:(?:is|are)\s)?(?:given|indicated|stated|set(?: out| down)?|laid down|fixed|specified|shown|listed|mentioned|applicable|"
    r"relevant|prescribed|provided for|corresponding)\b"
)
_CORRESPONDS = rf"(?:that|which)\s(?:corresponds?|appl(?:y|ies)|belongs?|relates?|matches|holds?|is|are|{_GIVEN})\b"
_VALUE_OF_THE_CASE = re.compile(
    r"\s*(?:(?:any|each|one|all) of )?(?:(?:the|these|their|its)\s(?:(?!(?:and|that|which|value|limit)\b)[\w-]+\s){0,3}?"
    r"(?:values?|levels?|limits?|thresholds?|ceilings?|amounts?|figures?|quantit(?:y|ies)|percentages?|shares?|rates?|"
    rf"benchmarks?|targets?|numbers?)\b|(?:that|those|the ones?|what)(?=\s{_GIVEN}))"
    rf"(?:(?:\s|,\s)(?:{_CORRESPONDS}|(?!(?:and|that|which|requirements|criteria|conditions)\b)[^\s.:]+)){{0,18}}",
    re.I,
)
# "recovers the following shares of fibre by weight:"
_LISTED = re.compile(
    r"\bthe following (?P<n>shares?|rates?|amounts?|quantities|concentrations?|percentages?)(?P<of> of .+)?$"
)
_EQUIVALENT = re.compile(r"\s(?:equivalent to|the following|one of the following|to)\s*$", re.I)
_CASE_BEFORE = re.compile(
    r"^\s*[\[(]?\s*(?:(?:for|in the case of)\s)?(?:(?P<case>[^=\d]*?)\s*(?::|=|,|\bis\b)?|(?P<sized>[^:=]*?):)"
    r"\s*[\[(]?\s*$"
)
_UPPER_BOUND = re.compile(r"\b(?:emissions?|consumption|demand|losses|limits?|concentrations?|intensity)\b", re.I)


def setting_of(criterion: CriterionView, index: CriterionIndex) -> Setting:
    """Return what the chapeau of a criterion says about its items; empty without chapeau."""
    parent = index.parent(criterion.criterion_id)
    if parent is None or parent.block is None:
        return Setting()
    return _setting(parent.text)


@remembered
def _setting(chapeau: str) -> Setting:
    reading = read(chapeau)
    text = reading.names
    last = reading.sentence(max(0, len(text.rstrip()) - 2))[0]
    tail = text[last:].strip()
    if not tail.endswith(":"):
        return Setting()
    return Setting(_chapeau_quantity(tail), chapeau_subject(tail), bool(EXCLUDING_CHAPEAU.search(tail)))


# "at least three of the following": a number of conditions, no value
_OF_CONDITIONS = re.compile(rf"\s(?:{NUMBER}|half)\b", re.I)
# "as regards noise at the fence, each of the following values is observed:"
_EACH_VALUE = re.compile(
    r"^\W*(?:as regards|as to|as for|regarding|concerning|with (?:regard|respect) to|in respect of|in the case of|for)\s(?P<q>[^,;]{3,90}),\s"
    r"(?:(?:each|both|all|any|either|one) of )?(?:the|these|all)?\s?(?:following|[\w-]+\s)?\s?"
    r"(?:values?|limits?|levels?|ceilings?|thresholds?|loads?|figures?)\b[^.;]*$",
    re.I,
)


def _chapeau_quantity(tail: str) -> str:
    """Return the quantity of a chapeau that leaves only values to its items, "" if it says more."""
    head = _EQUIVALENT.sub("", tail.rstrip(": "))
    fronted = _EACH_VALUE.match(head)
    if fronted:
        return capitalised(tidy(plain(fronted["q"])))
    listed = _LISTED.search(head)
    if listed:
        return capitalised(f"{listed['n'].removesuffix('s')}{listed['of'] or ''}")
    words = last_words(head)
    if words is not None and _OF_CONDITIONS.match(head[words.end :]):
        return ""
    if words is not None:
        return quantity(_VERB_OF_VALUE.sub("", head[: words.start]))
    return quantity(head) if re.search(r"\b(?:is|are)$", head) else ""


# "the share reaches the following": what is left of a chapeau in front of its comparison words
_VERB_OF_VALUE = re.compile(
    r"(?:\s(?:reach(?:es)?|attains?|achieves?|respects?|meets?|compl(?:y|ies) with))?\s*(?:(?:all|both|each|any|one)\s)?"
    r"(?:of\s)?(?:(?:the|these|those)\s)?(?:(?:following|relevant|respective)\s*)?$"
)


@remembered
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
    if words and _VALUE_OF_THE_CASE.fullmatch(head.rstrip(": ")[words.end :]):
        return words.operator
    if _VALUES_FOLLOW.search(head):
        return words.operator if words else "<=" if _UPPER_BOUND.search(head) else "="
    head = _EQUIVALENT.sub("", head.rstrip(": "))
    if words and re.match(r"reach|attain|achieve", head[words.start :], re.I):
        return None  # "attains one of the following:" announces no values
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
        names = mask_citations(ancestor.text)
        operator = chapeau_operator(names)
        if operator is not None:
            tail = names.strip()
            return _values(reading, Setting(_chapeau_quantity(tail), chapeau_subject(tail)), operator, explained)
    return []


def cell_value(criterion: CriterionView, index: CriterionIndex, reading: Reading) -> list[Limit]:
    """Return the limit of a table cell that holds nothing but an amount, named after the cell before it."""
    if len(reading.amounts) != 1:
        return []
    amount = reading.amounts[0]
    alone = not f"{reading.masked[: amount.start]}{reading.masked[amount.end :]}".strip(" .;*")
    if not alone or not amount.unit or amount.of_time:
        return []
    at = index.position[criterion.criterion_id]
    before = re.split(r"\s(?:is|are|shall|must|do|does)\s", plain(index.criteria[at - 1].text))[0] if at else ""
    name = f"Concentration limit, {tidy(before)}" if amount.unit.startswith("%") else tidy(before)
    item = QuantitativeItem(metric=capitalised(name), operator="<=", value=amount.value, unit=spell_unit(amount.unit))
    return [Limit(amount.start, amount.end, item, 0.7)] if tidy(before) else []


# "until 2028:", "from 1 January 2026 to 31 December 2030,": the time of a value, which temporal items hold
_TIMES = re.compile(rf"^\s*(?:(?:(?:and|between|from|until|till|to|by|as of|as from|after|before|in|up to|through)\s)+(?:the end of\s)?{DATE}(?: onwards)?[\s,:]*)+|^\s*(?:thereafter|afterwards)\b[\s,:]*", re.I)


def _values(reading: Reading, setting: Setting, operator: Operator, explained: list[Range]) -> list[Limit]:
    name = setting.quantity
    amounts = [
        a for a in reading.amounts
        if a.unit and not a.of_time and not a.tolerance and not any(s <= a.start < e for s, e in explained)
    ]  # fmt: skip
    amounts = amounts or [a for a in reading.amounts[-1:] if _bare_value(reading, a)]
    if not amounts:
        return []
    first = amounts[0]
    match = _CASE_BEFORE.match(_TIMES.sub("", plain(reading.names[: first.start])))
    same = [a for a in amounts if spell_unit(a.unit) == spell_unit(first.unit) and "/" in a.unit]
    if len(same) > 1:
        # "target values as specified: 95 g CO2/km for cars and 147 g CO2/km for vans"
        return [_value(a, name, re.split(r"\sand (?=\d)", _case_after(reading, a))[0], operator, 0.75) for a in same]
    if match is None:
        return []
    case = tidy(match["case"] or match["sized"] or "") or _case_after(reading, first)
    if not name and case and setting.subject:
        name, case = of_label(case, "", setting.subject, first.unit), ""
    return [_value(first, name, case, operator)]


def _bare_value(reading: Reading, amount: Amount) -> bool:
    """True for "for old sheds: 3,2;": an item that ends with a number of no unit."""
    before, after = reading.masked[: amount.start], reading.masked[amount.end :]
    ends = not after.strip(" .;,") or re.fullmatch(r"\s*(?:and|or)\s*", after.strip(";, "))
    return bool(ends) and not (amount.unit or amount.word) and before.rstrip().endswith((":", "=", ",", "–", "—", "is"))


def _case_after(reading: Reading, amount: Amount) -> str:
    _, end = reading.clause(amount.start)
    words = plain(f"x{reading.text[amount.end : end]}")[1:]
    words = re.sub(r"^\s*of (?:the )?", "share of ", words) if amount.unit == "%" else words
    words = _TIMES.sub("", words)
    return tidy(re.sub(r"^[\s,]*for\s", "", words))


def _value(amount: Amount, name: str, case: str, operator: Operator, confidence: float = 0.88) -> Limit:
    metric = f"{name}, {case}" if name and case else name or capitalised(case)
    item = QuantitativeItem(metric=metric, operator=operator, value=amount.value, unit=spell_unit(amount.unit))
    return Limit(amount.start, amount.end, item, confidence)
