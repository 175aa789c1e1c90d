"""Limits in units of their own, of a bare index, and of things counted (guidelines section 6)."""

from __future__ import annotations

import re
from dataclasses import replace

from regreact.fastpath.thresholds.cases import case_behind
from regreact.fastpath.thresholds.label_names import of_label, place_quantity, without_preposition
from regreact.fastpath.thresholds.naming import (
    GENERIC,
    adjective_quantity,
    case_of,
    noun_phrase,
    quantity,
)
from regreact.fastpath.thresholds.phrases import capitalised, lowered, plain, split_openers, tidy
from regreact.fastpath.thresholds.reading import READ
from regreact.fastpath.thresholds.records import Findings, Limit, Place, Setting
from regreact.fastpath.thresholds.time_limits import WITHIN
from regreact.legal.units import counts_things, normalise_unit, spell_unit
from regreact.schema import Operator

# Bare numbers are limits of an index only (guidelines section 6: unit "")
_INDEX = re.compile(
    r"\b(?:potential|index|GWP|ILI|factor|ratio|coefficient|score|rate|value|pH|SCOP|SEER|COP|PUE|WUE|effectiveness|"
    r"quotient|multiplier|turbidity|albedo|reflectance)\b",
    re.I,
)
_NO_UNIT = re.compile(r"\s*(?:[.,;:)]|$)|\s(?:and|or|in|at|for|by|on|over|when|where|if|as|from|until|during|to|per)\b")
# Things that are counted, but not parts of the rules themselves ("at least 2 criteria")
_THINGS = re.compile(
    r"\s(?P<n>(?:(?!(?:of|the|these|those|different|other|following|and|or|to)\b)[a-z][a-z-]*\s){0,2}?[a-z]+(?:-[a-z]+)*s)\b"
    r"(?=\s*(?:[.,;:)]|$)|\s(?:per|in|for|on|at|and|or|is|are|have|has|of the)\b)"
)
_OFFERS = re.compile(r"(?:^|\s)(?:has|have|offers?|provides?|contains?|includes?|comprises?|there (?:is|are)|"
                     r"(?:is|are) (?:equipped|fitted|provided) with)\s*$")  # fmt: skip
_PARTS_OF_RULES = frozenset(
    "criteria conditions elements measures options points requirements actions indicators aspects methods sources "
    "cases forms types categories classes tests occasions steps ways principles objectives routes paths services features "
    "items practices techniques stages levels phases limits values properties characteristics times parties authorities "
    "thirds quarters fifths tenths halves others members".split()
)
_OF_RULES = re.compile(
    rf"\s(?:of )?(?:the |these |different |other )?(?:following|{'|'.join(sorted(_PARTS_OF_RULES))})\b"
)
_HOW_OFTEN = re.compile(r"\s(?:an?|per|each|every|in (?:an?|any|each|every))\s(?:calendar )?(?:year|month|week|day|quarter|season)\b")
_LENGTHS = frozenset("mm cm m km nmi".split())
# "the limit is 1 mg/kg", "limit values of 5 mg/l", "target values: 95 g CO2/km": values without comparison words
_LIMIT_WORD = re.compile(
    r"(?<!to )\b(?:limits?|limit values?|ceilings?|target values?|values)\b(?:\s(?:for|of)\s[^.,;:()]*?)?"
    r"(?:\s(?:is|are|of)|:)\s*$",
    re.I,
)
# "emit less than 0,06 mg of formaldehyde per m3 of air": the unit is mg/m3, the substance belongs to the metric
_SUBSTANCE = re.compile(r"(?P<u>[mkµ]?g|t)\s+of (?P<what>[^.;¦]{3,90}?) per (?P<per>m[23²³]|kg|t|litre|l)(?!\w)")
_EMITTER = re.compile(r"^(?P<s>.+?) emits?\b")
_RELEASED = re.compile(r"\b(?:emits?|emissions?|releases?|discharges?)\b", re.I)
# "Member States that collectively represent at least 100 million inhabitants"
_COUNT = re.compile(
    r"(?:^|.*\b(?:in|of|for|by|or)\s)(?P<s>[\w -]+?) (?:that |which )?(?:\w+ly )?"
    r"(?:represents?|counts?|houses?|serves?|have|has)$"
)
_COUNTED = {"inhabitants": "Population", "employees": "Number of employees", "passengers": "Number of passengers"}
_PEOPLE = frozenset("persons passengers inhabitants employees".split())
_HOLDS = re.compile(r"(?P<s>.+?)\s(?:carry|carries|carrying|seats?|seating|accommodates?|accommodating|shelters?|sheltering|takes?|"
                    r"taking|holds?|holding|houses?|housing|employs?|employing|occupied by|shared by|used by)$")  # fmt: skip
_MORE_ADJECTIVE = re.compile(r"^more (?P<a>[\w -]+?) than\b")
# "limit at 6 % the lead content": the quantity stands behind
_CONTAINS = re.compile(r"^(?P<s>.+?)\s(?:contains?|holds?|comprises?)$")
_OF_CONTENT = re.compile(r"\sof (?P<w>[^.,;:¦]+?)(?=\sper\s|[.,;:]|$)")
_LIMIT_AT = re.compile(r"^(?:limit|keep)s?\b", re.I)
# A unit with CO2 measures emissions, whatever the sentence's subject is
_EMISSION = re.compile(r"emission|intens|footprint|factor|potential|GHG|CO2|value", re.I)
_PRONOUN = re.compile(r"(?:(?:thereafter|then|afterwards|later|subsequently)[ ,]+)?(?:it|this|they|these)", re.I)


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
    if place.label and (labelled := of_label(place.label, setting.quantity, setting.subject, place.amount.unit)):
        return labelled
    case = case_of(place.clause) or case_behind(place.after) or _circumstance(place.clause)
    known = setting.quantity or setting.subject or ("Share" if place.amount.unit == "%" else "")
    return capitalised(", ".join(part for part in (known, case) if part))


# "by night, not more than 40 dB": nothing but a circumstance in front
_CIRCUMSTANCE = re.compile(r"\W*(?P<c>(?:by|at|in|during|on)\s(?!the (?:case|absence))[a-z][a-z -]{1,40}),?\s*")


def _circumstance(clause: str) -> str:
    match = _CIRCUMSTANCE.fullmatch(plain(clause))
    return match["c"].strip() if match else ""


def absolute_limit(place: Place, findings: Findings, setting: Setting) -> Limit | None:
    """Return the limit of an amount with a unit of its own or of an index, None if it sets none."""
    amount, found = place.amount, place.found
    if not amount.unit and not (_INDEX.search(place.before) or _bare_decimal(place)):
        return _count(place, setting)
    if not amount.unit and (amount.word or _OF_RULES.match(place.after)):
        return None
    if amount.unit == "times" and _HOW_OFTEN.match(place.after):
        return None  # "at least three times a year" recurs
    operator = found.operator if found else _value_operator(place)
    if operator is None:
        return None
    substance = _substance(place, operator)
    if substance is not None:
        return substance
    if counts_things(amount.unit) and (not place.before.strip(" ,") or _OFFERS.search(place.before)):
        name = _number_of(spell_unit(amount.unit), place, setting)
    else:
        name = _name(place, setting, findings.last_quantity)
    return place.limit(name, operator, 0.9 if found and found.finite else 0.85) if name else None


def _bare_decimal(place: Place) -> bool:
    """True for "does not exceed 1,25 and": a number of no unit that counts nothing, said of a quantity."""
    fraction = place.amount.value % 1 != 0
    between = re.match(r"between\s+[^\d\s]", place.words)
    return fraction and place.found is not None and not between and bool(_NO_UNIT.match(place.after))


# "No fuel is stored within 40 m of a well": the distance is to be exceeded
_KEPT_AWAY = re.compile(r"^\W*no\s|\b(?:is|are|does|do|shall|must|may) not\b", re.I)
_NEAR = re.compile(r"\s*(?:of|from)\s(?P<r>[^.,;¦]+)")


def _value_operator(place: Place) -> Operator | None:
    """Return the operator of a value without comparison words, None if the words before it name no limit."""
    if WITHIN.search(place.before) and normalise_unit(place.amount.unit) in _LENGTHS:
        if _KEPT_AWAY.search(place.before):
            return ">"
        return "<=" if re.match(r"\s(?:of|from)\s", place.after) else None
    return "<=" if _LIMIT_WORD.search(place.before) and place.amount.unit else None


# "at least one tree" says only that there is some
_FEWEST_IN_WORDS = 2


def _count(place: Place, setting: Setting) -> Limit | None:
    """A count of things in figures: "covered stands for at least 40 bicycles"."""
    match = _THINGS.match(place.after)
    if place.found is None or match is None:
        return None
    if place.amount.word and (place.amount.value < _FEWEST_IN_WORDS or place.found.operator not in ("<=", ">=")):
        return None
    thing = match["n"]
    if thing.split()[-1] in _PARTS_OF_RULES and not thing.endswith(("ing points", "ion points")):
        return None
    limit = place.limit(_number_of(thing, place, setting), place.found.operator, 0.75, thing)
    return replace(limit, end=place.amount.end + match.end("n"))


_NO_OWNER = re.compile(rf"(?:{GENERIC.pattern})|(?:there|total|a total)$", re.I)


def _number_of(things: str, place: Place, setting: Setting) -> str:
    """Return "Number of stands of the hall": things, and what has them if the clause or the list names it."""
    before = plain(place.before)
    owner = noun_phrase(_OFFERS.sub("", before)) if _OFFERS.search(before) else quantity(before, setting.subject)
    owner = owner or setting.subject
    if re.search(r"\sfor\s*$", before) and owner:
        return f"Capacity of {lowered(owner)}"
    return f"Number of {things}" + (f" of {lowered(owner)}" if owner and not _NO_OWNER.match(owner) else "")


def _substance(place: Place, operator: Operator) -> Limit | None:
    """A substance named inside the unit: "emit less than 0,06 mg of formaldehyde per m3"."""
    match = _SUBSTANCE.match(f"{place.amount.unit}{place.after}")
    if match is None or not _RELEASED.search(place.before):
        return None
    emitter = _EMITTER.match(plain(place.before.split(READ)[0]))
    source = tidy(emitter["s"]) if emitter else quantity(place.before)
    name = f"{tidy(match['what'])} emissions from {lowered(source)}"
    return place.limit(name, operator, 0.9, f"{match['u']}/{spell_unit(match['per'])}")


def _name(place: Place, setting: Setting, previous: str) -> str:
    """Return the name of an absolute quantity, "" if the text names none."""
    unit = place.amount.unit
    contents = _CONTAINS.match(tidy(plain(place.before)))
    content = _OF_CONTENT.search(f"{unit}{plain(f'x{place.after}')[1:]}")
    if contents and content and not unit.startswith("%"):
        return f"Content of {tidy(content['w'])} in {lowered(tidy(contents['s']))}"
    if name := _of_length(place) or _of_people(place):
        return name
    adjective = _MORE_ADJECTIVE.match(place.words)
    if adjective:
        return adjective_quantity(place.before, adjective["a"])
    name = clause_quantity(place, setting, previous)
    if place.found is None and name:
        name = f"{name} {case_behind(place.after)}".strip()
    return _with_kind(name, unit, place) if name else ""


def _of_length(place: Place) -> str:
    """Return the name of a height or distance, "" for other units and words."""
    if normalise_unit(place.amount.unit) not in _LENGTHS:
        return ""
    if name := place_quantity(place.before, place.after):
        return name
    near = _NEAR.match(plain(f"x{place.after}")[1:])
    if near is None or not WITHIN.search(place.before):
        return ""
    what = noun_phrase(re.split(r"\s(?:is|are|lies|lie|stands?|takes? place)\b", plain(place.before))[0])
    return f"Distance of {lowered(what)} from {tidy(near['r'])}" if what else f"Distance from {tidy(near['r'])}"


def _of_people(place: Place) -> str:
    """Return the name of a number of people, "" for other units and words."""
    unit = normalise_unit(place.amount.unit)
    if unit not in _PEOPLE:
        return ""
    counted = _COUNT.search(plain(place.before)) if unit in _COUNTED else None
    if counted:
        return f"{_COUNTED[unit]} of {noun_phrase(counted['s'])}"
    held = _HOLDS.match(tidy(split_openers(plain(place.before))[1]))
    return f"Number of {unit} per {lowered(tidy(held['s']))}" if held else ""


# What a unit measures, where the name does not say it: unit, words that say it already, noun
_KINDS: tuple[tuple[re.Pattern[str], re.Pattern[str], str], ...] = (
    (re.compile(r"°C|K"), re.compile(r"temperature|°|difference|heating|cooling|warming|\bRise|\bFall|\bDrop", re.I), "Temperature"),
    (re.compile(r"dB(?:\(A\))?|EPNdB"), re.compile(r"nois|sound|level|attenuat|insulat|reduc", re.I), "Noise level"),
    (re.compile(r"km/h|knots|m/s"), re.compile(r"speed|velocity|wind", re.I), "Speed"),
    (re.compile(r"k?m/(?:ha|km2|m2).*"), re.compile(r"length|height|depth|width|distance", re.I), "Length"),
    (re.compile(r"m2|ha|km2"), re.compile(r"area|space|surface|floor|size|land|footprint", re.I), "Area"),
)
_DIMENSIONS = {"wide": "Width", "high": "Height", "tall": "Height", "deep": "Depth", "long": "Length",
               "thick": "Thickness", "in width": "Width", "in height": "Height", "in depth": "Depth",
               "in length": "Length", "in diameter": "Diameter", "in thickness": "Thickness"}  # fmt: skip
_DIMENSION = re.compile(rf"\s*(?P<a>{'|'.join(_DIMENSIONS)})\b")
_BY_ADJECTIVE = {"wider": "Width", "narrower": "Width", "thicker": "Thickness", "thinner": "Thickness", "deeper": "Depth",
                 "shallower": "Depth", "nearer": "Distance", "closer": "Distance", "farther": "Distance", "further": "Distance",
                 "taller": "Height", "longer": "Length", "shorter": "Length"}  # fmt: skip
_COMPARED = re.compile(rf"\b(?:{'|'.join(_BY_ADJECTIVE)})\b")
_SAID = re.compile(r"width|thickness|depth|height|length|distance|diameter|dimension", re.I)
_ENERGY = re.compile(r"(?:[kMGT]?Wh|[kMGTP]?J)(?!\w)")
_USES_IT = re.compile(r"^(?P<v>Use|Consumption|Demand) of ")


def _with_kind(name: str, unit: str, place: Place) -> str:
    """Return a name with what its unit, or an adjective beside it, says about the kind of quantity."""
    after = place.after
    dimension, compared = _DIMENSION.match(after), _COMPARED.search(place.words)
    if dimension and normalise_unit(unit) in _LENGTHS:
        return f"{_DIMENSIONS[dimension['a']]} of {lowered(name)}"
    if compared and normalise_unit(unit) in _LENGTHS and not _SAID.search(name):
        return f"{_BY_ADJECTIVE[compared[0]]} of {lowered(without_preposition(name))}"
    for pattern, said, kind in _KINDS:
        if pattern.fullmatch(normalise_unit(unit)) or pattern.fullmatch(spell_unit(unit)):
            name = name if said.search(name) else f"{kind} of {lowered(name)}"
    used = _USES_IT.match(name)
    if used and _ENERGY.match(unit):
        name = f"Energy {lowered(name)}"
    if "CO2" in unit and not _EMISSION.search(name):
        cycle = "Life-cycle " if re.match(r"[^,;.]*\blife[- ]?cycle\b", after) else ""
        return f"{cycle}GHG emissions of {lowered(re.split(r', (?:of|or) ', name)[-1])}"
    multiple = re.match(r"\s*(?P<w>the [^.,;]+)", after) if unit == "times" else None
    return f"{name} relative to {lowered(tidy(multiple['w']))}" if multiple else name
