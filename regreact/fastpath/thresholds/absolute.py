"""Limits in units of their own, of a bare index, and of things counted (guidelines section 6)."""

from __future__ import annotations

import re
from dataclasses import replace

from regreact.fastpath.thresholds.cases import case_behind
from regreact.fastpath.thresholds.durations import WITHIN
from regreact.fastpath.thresholds.naming import (
    GENERIC,
    adjective_quantity,
    case_of,
    noun_phrase,
    place_quantity,
    quantity,
)
from regreact.fastpath.thresholds.phrases import capitalised, lowered, plain, tidy
from regreact.fastpath.thresholds.reading import READ
from regreact.fastpath.thresholds.records import Findings, Limit, Place, Setting
from regreact.legal.units import normalise_unit, spell_unit
from regreact.schema import Operator

# Bare numbers are limits of an index only (guidelines section 6: unit "")
_INDEX = re.compile(r"\b(?:potential|index|GWP|ILI|factor|ratio|coefficient|score|rate|value)\b", re.I)
# Things that are counted, but not parts of the rules themselves ("at least 2 criteria")
_THINGS = re.compile(r"\s(?P<n>[a-z]+(?:-[a-z]+)*s)\b(?=\s*(?:[.,;:)]|$)|\s(?:per|in|for|on|at|and|or|are|of the)\b)")
_PARTS_OF_RULES = frozenset(
    "criteria conditions elements measures options points requirements actions indicators aspects methods sources "
    "cases forms types categories classes tests occasions steps ways principles objectives".split()
)
_OF_RULES = re.compile(
    rf"\s(?:of )?(?:the |these |different |other )?(?:following|{'|'.join(sorted(_PARTS_OF_RULES))})\b"
)
_LENGTHS = frozenset("mm cm m km nmi".split())
# "the limit is 1 mg/kg", "limit values of 5 mg/l", "target values: 95 g CO2/km": values without comparison words
_LIMIT_WORD = re.compile(
    r"(?<!to )\b(?:limits?|limit values?|ceilings?|target values?|values)\b(?:\s(?:for|of)\s[^.,;:()]*?)?"
    r"(?:\s(?:is|are|of)|:)\s*$",
    re.I,
)
# "emit less than 0,06 mg of formaldehyde per m3 of air": the unit is mg/m3, the substance belongs to the metric
_SUBSTANCE = re.compile(r"\s*of (?P<what>[^.;¦]{3,90}?) per (?P<per>m[23²³]|kg|t|litre|l)(?!\w)")
_EMITTER = re.compile(r"^(?P<s>.+?) emits?\b")
# "Member States that collectively represent at least 100 million inhabitants"
_COUNT = re.compile(
    r"(?:^|.*\b(?:in|of|for|by|or)\s)(?P<s>[\w -]+?) (?:that |which )?(?:\w+ly )?"
    r"(?:represents?|counts?|houses?|serves?|have|has)$"
)
_COUNTED = {"inhabitants": "Population", "employees": "Number of employees", "passengers": "Number of passengers"}
_MORE_ADJECTIVE = re.compile(r"^more (?P<a>[\w -]+?) than\b")
# "limit at 6 % the lead content": the quantity stands behind
_LIMIT_AT = re.compile(r"^(?:limit|keep)s?\b", re.I)
# A unit with CO2 measures emissions, whatever the sentence's subject is
_EMISSION = re.compile(r"emission|intens|footprint|factor|potential|GHG|CO2|value", re.I)
_PRONOUN = re.compile(r"(?:it|this|they|these)", re.I)


def clause_quantity(place: Place, setting: Setting, previous: str) -> str:
    """Return the quantity that the clause names, else that of the chapeau with the case of the clause.

    Args:
        place: The amount.
        setting: What the list around the criterion says.
        previous: Quantity of the limit before; "it" stands for it.
    """
    name = quantity(place.before, setting.subject)
    if not name and _LIMIT_AT.match(place.words):
        return capitalised(tidy(re.split(r"[.,;]|\s(?:after|with|as)\s", plain(f"x{place.after}")[1:])[0]))
    if _PRONOUN.fullmatch(name):
        name = previous
    if name:
        return name
    case = case_of(place.clause) or case_behind(place.after)
    known = setting.quantity or setting.subject or ("Share" if place.amount.unit == "%" else "")
    return capitalised(", ".join(part for part in (known, case) if part))


def absolute_limit(place: Place, findings: Findings, setting: Setting) -> Limit | None:
    """Return the limit of an amount with a unit of its own or of an index, None if it sets none."""
    amount, found = place.amount, place.found
    if not amount.unit and not _INDEX.search(place.before):
        return _count(place, setting)
    if not amount.unit and (amount.word or _OF_RULES.match(place.after)):
        return None
    operator = found.operator if found else _value_operator(place)
    if operator is None:
        return None
    substance = _substance(place, operator)
    if substance is not None:
        return substance
    name = _name(place, setting, findings.last_quantity)
    return place.limit(name, operator, 0.9 if found and found.finite else 0.85) if name else None


def _value_operator(place: Place) -> Operator | None:
    """Return the operator of a value without comparison words, None if the words before it name no limit."""
    if WITHIN.search(place.before) and normalise_unit(place.amount.unit) in _LENGTHS:
        return "<=" if re.match(r"\s(?:of|from)\s", place.after) else None
    return "<=" if _LIMIT_WORD.search(place.before) and place.amount.unit else None


def _count(place: Place, setting: Setting) -> Limit | None:
    """A count of things in figures: "covered stands for at least 40 bicycles"."""
    match = _THINGS.match(place.after)
    if place.found is None or match is None or place.amount.word or match["n"] in _PARTS_OF_RULES:
        return None
    owner = quantity(place.before, setting.subject) or setting.subject
    name = f"Number of {match['n']}" + (f" of {lowered(owner)}" if owner and not GENERIC.match(owner) else "")
    limit = place.limit(name, place.found.operator, 0.75, match["n"])
    return replace(limit, end=place.amount.end + match.end("n"))


def _substance(place: Place, operator: Operator) -> Limit | None:
    """A substance named inside the unit: "emit less than 0,06 mg of formaldehyde per m3"."""
    match = _SUBSTANCE.match(place.after)
    if match is None or not re.fullmatch(r"[mkµ]?g|t", place.amount.unit):
        return None
    emitter = _EMITTER.match(plain(place.before.split(READ)[0]))
    source = tidy(emitter["s"]) if emitter else quantity(place.before)
    name = f"{tidy(match['what'])} emissions from {lowered(source)}"
    return place.limit(name, operator, 0.9, f"{place.amount.unit}/{spell_unit(match['per'])}")


def _name(place: Place, setting: Setting, previous: str) -> str:
    """Return the name of an absolute quantity, "" if the text names none."""
    unit = place.amount.unit
    adjective = _MORE_ADJECTIVE.match(place.words)
    counted = _COUNT.search(plain(place.before)) if unit.lower() in _COUNTED else None
    if normalise_unit(unit) in _LENGTHS and (name := place_quantity(place.before, place.after)):
        return name
    if counted:
        return f"{_COUNTED[unit.lower()]} of {noun_phrase(counted['s'])}"
    if adjective:
        return adjective_quantity(place.before, adjective["a"])
    name = clause_quantity(place, setting, previous)
    if place.found is None and name:
        name = f"{name} {case_behind(place.after)}".strip()
    return _with_kind(name, unit, place.after) if name else ""


def _with_kind(name: str, unit: str, after: str) -> str:
    """Return a name with what its unit says about the kind of quantity."""
    if "CO2" in unit and not _EMISSION.search(name):
        cycle = "Life-cycle " if re.match(r"[^,;.]*\blife[- ]?cycle\b", after) else ""
        return f"{cycle}GHG emissions of {lowered(re.split(r', (?:of|or) ', name)[-1])}"
    multiple = re.match(r"\s*(?P<w>the [^.,;]+)", after) if unit == "times" else None
    return f"{name} relative to {lowered(tidy(multiple['w']))}" if multiple else name
