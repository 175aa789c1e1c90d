"""Numeric limits of a criterion: amounts with comparison, quantity and period (guidelines section 6, appendix D.2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from regreact.fastpath.thresholds.absolute import absolute_limit, clause_quantity
from regreact.fastpath.thresholds.cases import base_unit, case_behind, in_case
from regreact.fastpath.thresholds.conditions import (
    EXCLUDED,
    IN_A_CASE,
    MAIN_CLAUSE_AFTER,
    NONE_SUCH,
    PREDICATE,
    condition,
)
from regreact.fastpath.thresholds.durations import (
    NO_DURATION,
    duration_name,
    implied_operator,
)
from regreact.fastpath.thresholds.naming import case_of, fuller, quantity
from regreact.fastpath.thresholds.operators import FLIPPED, after_words, comparison
from regreact.fastpath.thresholds.periods import period_of
from regreact.fastpath.thresholds.phrases import lowered, plain, tidy
from regreact.fastpath.thresholds.reading import READ, Amount, Reading
from regreact.fastpath.thresholds.records import Findings, Limit, Place, Setting
from regreact.fastpath.thresholds.shares import complement, share
from regreact.fastpath.thresholds.time_limits import WITHIN, time_limit_name
from regreact.legal.dates import DATE
from regreact.legal.units import RATIO, TIME_UNIT
from regreact.screen import Screened

Kind = Callable[[Reading, Place, Findings, Setting], Limit | None]

# "a maximum water flow of": the words of comparison hold the quantity
_MAXIMUM_OF = re.compile(r"^(?:an?\s)?(?:maximum|minimum|max\.?|min\.?)\s(?P<q>(?!of\b)[\w -]+?)(?:\sof)?\s*$", re.I)
_IS = re.compile(r"\b(?:is|are|equals?)\s*$")
_COORDINATED = re.compile(
    r"^(?P<gap>[^.;:]*?)(?:(?:,\s|\s\()?\b(?:and|or)\s(?:for\s|of\s)?|(?<=\d),\s)$|"
    r"^(?P<case>\s(?:for|in|at|by|during|on)\s[^.,;:]{2,60}),\s$"
)
# "more than 60 % of the power is below the value of 100 g CO2e/kWh": the value belongs to the share
_SHARE_PREDICATE = re.compile(rf"\s*(?:\w+\s)?{READ}\s*(?:,[^,]*,)?\s*of\b[^,;]*\b(?:is|are|has|have)\s*(?:an?\s)?$")
_RELATIVE_CLAUSE = re.compile(r"\b(?:that|which|where)\b[^,]*$")


# Characters of a clause that can name a quantity: longer ones are lists without punctuation
_REACH = 1500


def find_limits(reading: Reading, setting: Setting, taken: list[Limit]) -> Findings:
    """Return the limits that a text states, in order.

    Args:
        reading: The text.
        setting: What the list around it says.
        taken: Limits already found by other rules ("zero").
    """
    findings = Findings(limits=list(taken))
    for amount in reading.amounts:
        if any(m.start <= amount.start < m.end for m in findings.limits):
            continue
        limit = None if amount.tolerance else _read(reading, _place(reading, amount, findings), findings, setting)
        if limit is not None:
            findings.limits.append(limit)
    findings.limits.sort(key=lambda m: m.start)
    named = [_qualified(reading, _fuller(reading, m)) for m in findings.limits]
    findings.limits = _with_periods(reading, _distinct(reading, named))
    return findings


def _place(reading: Reading, amount: Amount, findings: Findings) -> Place:
    start = max(reading.clause(amount.start)[0], amount.start - _REACH)
    end = min(reading.sentence(amount.end)[1], amount.end + _REACH)
    found = comparison(reading.masked, start, amount.start, amount.end)
    words = found.start if found else amount.start
    before = _marked(reading, start, words, findings)
    amount = _with_denominator(reading, amount) if found else amount
    inside = _MAXIMUM_OF.match(reading.names[words : amount.start])
    return Place(
        amount=amount,
        found=found,
        before=f"{before}{inside['q']}" if inside else before,
        clause=reading.names[start:words],
        own_quantity=inside is not None,
        words=reading.text[words : amount.start],
        after=reading.names[amount.end + (after_words(reading.masked[amount.end : end]) if found else 0) : end],
        label=_label(reading, start),
    )


_PER = Screened(RATIO, words=("/", "per"))


def _with_denominator(reading: Reading, amount: Amount) -> Amount:
    """Return "40 m per hectare" for "40 m or more per hectare": comparison words stand inside the unit."""
    words = after_words(reading.masked[amount.end :]) if amount.unit and not re.search(r"[/%]|\bper\b", amount.unit) else 0
    below = _PER.match(reading.masked, amount.end + words) if words else None
    return replace(amount, end=below.end(), unit=f"{amount.unit}{below[0]}") if below else amount


# A label has no verb and is short
_LABEL = re.compile(r"(?:^|[;.]\s)(?P<l>(?:(?!\b(?:is|are|has|have|shall|must|may|following)\b)[^;:.]){2,70}):\s*$")


def _label(reading: Reading, start: int) -> str:
    """Return what stands before the colon that the clause follows, "" if there is none or it is a sentence."""
    match = _LABEL.search(reading.names[:start])
    return match["l"].strip() if match and len(match["l"].split()) <= 9 else ""


def _marked(reading: Reading, start: int, end: int, findings: Findings) -> str:
    """Return the names of a range, with the amounts in it that are already read as `¦`."""
    out, at = [], start
    for left, right in sorted(findings.spans()):
        if start <= left and right <= end and left >= at:
            out += [reading.names[at:left], READ]
            at = right
    return "".join([*out, reading.names[at:end]])


def _read(reading: Reading, place: Place, findings: Findings, setting: Setting) -> Limit | None:
    """Return the limit at a place; a number that a rule knows to be none is noted as explained."""
    found = place.found
    if place.amount.word and not place.amount.unit and re.match(r"between\s*$", place.words):
        return None  # "between two inspections"
    relative = found is not None and (not found.finite or bool(_RELATIVE_CLAUSE.search(place.before)))
    none_such = NONE_SUCH.match(place.before) and PREDICATE.search(place.after)
    if found is not None and _NO_DUTY.search(f"{place.before}{place.words}"):
        findings.explained.append((place.start, place.amount.end))
        return None
    excluded = relative and (setting.excludes or bool(EXCLUDED.search(place.after) or none_such))
    if _is_no_limit(reading, place, findings, excluded):
        findings.explained.append((place.start, place.amount.end))
        return None
    for kind in KINDS:
        limit = kind(reading, place, findings, setting)
        if limit is not None:
            limit = _labelled(replace(limit, rule=kind.__name__.replace("_", " ")), place)
            turned = limit.item.model_copy(update={"operator": FLIPPED[limit.item.operator]})
            return replace(limit, item=turned) if excluded else limit
    return None


# A label that names what has the quantity, not a case or a date
_NO_BEARER = re.compile(r"^\W*(?:for|in|at|from|until|till|where|when|if|by|on|with|as|after|before|during|unless)\b|\d", re.I)
_VERB = re.compile(r"\b(?:is|are|has|have|does|do|shall|must|may|exceeds?|reach(?:es)?|attains?|uses?)\b")


def _labelled(limit: Limit, place: Place) -> Limit:
    """Return "noise of pumps" for "pumps: noise of at most 60 dB": a clause without verb leaves its bearer to the label."""
    name, label = limit.item.metric, tidy(re.sub(r"\s(?:thresholds?|limits?|values?)\s*$", "", plain(place.label)))
    if not label or _NO_BEARER.search(place.label) or _VERB.search(place.before) or label.lower() in name.lower():
        return limit
    if name.startswith("Share of "):
        name = f"{name}, {lowered(label)}"
    elif place.before.strip() and len(name.split()) <= 3 and " of " not in name:
        name = f"{name} of {lowered(label)}"
    return replace(limit, item=limit.item.model_copy(update={"metric": name}))


# "need not be lower than 5 %", "does not have to reach": words that free from a duty set no limit
_NO_DUTY = re.compile(
    r"\b(?:needs? not|(?:does|do) not (?:need|have) to|(?:is|are) not (?:required|obliged|bound|necessarily)(?: to)?)"
    r"(?:\s(?!(?:where|when|if|that|which|who|but|and|or|unless)\b)[\w-]+){0,6}\s*$",
    re.I,
)


def _is_no_limit(reading: Reading, place: Place, findings: Findings, excluded: bool) -> bool:
    """True for conditions, their second bounds, and comparators that belong to a share before."""
    found = place.found
    if found is None:
        if WITHIN.search(place.before) and IN_A_CASE.search(place.before) and MAIN_CLAUSE_AFTER.match(place.after):
            return True
        # "85 % come from within 120 km": the distance belongs to the share
        return READ in place.before and bool(WITHIN.search(place.before)) and not place.amount.of_time
    if re.match(r"between\s*$", place.words):
        if place.amount.of_time or not re.match(r"\s*and\s\d", place.after):
            return True
    elif findings.limits and _SHARE_PREDICATE.match(place.before):
        return True
    if findings.explained:
        # "above 5 t and below 60 t"
        gap = reading.masked[findings.explained[-1][1] : found.start]
        if re.fullmatch(r"\s*,?\s*(?:and|or|to|but)\s*", gap):
            return True
    unit = place.amount.unit
    return condition(place.before, place.after, unit, finite=found.finite, excluded=excluded) is not None


def further_value(reading: Reading, place: Place, findings: Findings, setting: Setting) -> Limit | None:
    """A further value of the quantity before: "0,5 % in mass and 0,1 % in mass in coastal waters"."""
    unit = base_unit(place.amount.unit)
    earlier = [m for m in findings.limits if m.end <= place.amount.start and base_unit(m.item.unit) == unit]
    if not earlier or place.own_quantity:
        return None
    last = earlier[-1]
    match = _COORDINATED.match(reading.names[last.end : place.start])
    case = case_behind(place.after)
    gap = (match["gap"] or match["case"] or "") if match else ""
    if match is None or (gap.strip() and not case) or (match["case"] and not case):
        return None
    if place.found is not None and _PREDICATE.search(gap) and _PREDICATE.search(place.after):
        return None  # a clause of its own
    name = in_case(last.item.metric, plain(f"x{gap}")[1:], case) if case else last.item.metric
    first = case_behind(gap)
    if case and first and first.split()[0] != "of" and _kind_of_case(first) == _kind_of_case(case) and last.item.metric != name:
        _add_case(findings, last, first)
    return place.limit(name, place.found.operator if place.found else last.item.operator, 0.85)


_PREDICATE = re.compile(r"\b(?:is|are|has|have|consists?|comes?)\s")


# "at intervals of not more than five years" recurs
_INTERVALS = re.compile(r"\b(?:at|in|with) (?:regular )?intervals(?: of)?\s*$")
_LATEST = re.compile(r"\b(?:not? later than|at the latest)\s*$", re.I)
_AHEAD = re.compile(r"\s*(?:before|prior to|ahead of|in advance of)\b")


_OF_DATES = frozenset("from until till as after before up between thereafter".split())


def _kind_of_case(case: str) -> str:
    """Return the link of a case, one for all links of time and place ("at night", "by day")."""
    link = case.split(maxsplit=1)[0]
    if link in _OF_DATES:
        return "from"
    return "at" if link in ("at", "by", "during", "in", "on", "elsewhere", "otherwise") else link


def _add_case(findings: Findings, limit: Limit, case: str) -> None:
    """Add to the first of several values the case that stands behind it ("5 dB at night and 6 dB by day")."""
    if case.rsplit(maxsplit=1)[-1] not in limit.item.metric:
        item = limit.item.model_copy(update={"metric": f"{limit.item.metric} {case}"})
        findings.limits[findings.limits.index(limit)] = replace(limit, item=item)


def duration(reading: Reading, place: Place, findings: Findings, setting: Setting) -> Limit | None:
    """Durations to be reached and relative time limits; intervals and spans of measurement are neither."""
    amount, found = place.amount, place.found
    if not amount.of_time:
        return None
    before = f"{place.clause}{reading.names[place.start : amount.start]}"
    operator = found.operator if found else implied_operator(before, place.after)
    unit = f"{amount.unit.lower().rstrip('s')}s"
    if found is None and operator == "<=":
        head = WITHIN.sub("", before)
        if _LATEST.search(before) and _AHEAD.match(place.after):
            operator = ">="  # "no later than 14 days before": at least 14 days lie between
        limit = place.limit(time_limit_name(head, place.after), operator, 0.8, unit)
        return replace(limit, start=amount.start - (len(before) - len(head)))
    span = found is not None and found.operator == ">" and re.match(r"over\b", place.words)
    if operator is None or span or NO_DURATION.search(before) or _INTERVALS.search(place.before):
        return None
    name = duration_name(place.before, place.words, place.after, setting.subject, place.label)
    return place.limit(name, operator, 0.82 if found else 0.78, unit) if name else None


def relative_limit(reading: Reading, place: Place, findings: Findings, setting: Setting) -> Limit | None:
    """Percentages: shares, reductions, ranks."""
    found = place.found
    if not re.match(r"%|per\b|percent", place.amount.unit) or place.amount.of_time:
        return None
    compared = found is not None
    named = share(place.before, place.after, setting.subject, findings.last_quantity, compared=compared)
    if named is not None:
        name, implied = named
        operator = found.operator if found else implied
        against = found is not None and implied in ("<=", ">=") and implied[0] != found.operator[0]
        against = against and not name.startswith("Increase of")  # "not more than 10 % above that of"
        if operator is None or against:
            return None
        case = case_of(place.clause)
        if case and len(case.split()) <= 12 and re.search(r"\bshare\b", name, re.I):
            name = f"{name}, {case}"
        return place.limit(name, operator, 0.9 if found else 0.8)
    if found is not None:
        name = clause_quantity(place, setting, findings.last_quantity)
    else:
        name = quantity(place.before, setting.subject) if _IS.search(place.before) else ""
    if not name:
        return None
    name = complement(name, place.before, place.after)
    return place.limit(name, found.operator, 0.9) if found else place.limit(name, "=", 0.8)


def absolute(reading: Reading, place: Place, findings: Findings, setting: Setting) -> Limit | None:
    """Amounts with a unit of their own, bare numbers of an index, counts."""
    return None if place.amount.of_time else absolute_limit(place, findings, setting)


# "0,5 % (the global sulphur limit)": a name of its own behind the value
_NAMED = re.compile(r"\s*\((?:the )?(?P<n>[^()]*\b(?:limit|threshold|ceiling|target))\)")
# "Where no such standard exists, the emissions are zero", behind another sentence: the limit of a case
_CASE_SENTENCE = re.compile(r"(?P<c>(?:where|if|when)\s[^,.;]{3,90}),\s", re.I)


def _qualified(reading: Reading, limit: Limit) -> Limit:
    """Add to a quantity the limit's own name, and the case that a later sentence opens with."""
    metric = limit.item.metric
    own = _NAMED.match(reading.names, limit.end)
    if own:
        metric = f"{metric} ({own['n'].strip()})"
    start, _ = reading.sentence(limit.start)
    case = _CASE_SENTENCE.match(reading.names[start:].lstrip()) if reading.names[:start].strip() else None
    if case and metric.split()[0].lower() not in case["c"].lower():
        metric = f"{metric} {lowered(tidy(plain(case['c'])))}"
    return replace(limit, item=limit.item.model_copy(update={"metric": metric}))


# Kinds of limit in order of precedence
KINDS: tuple[Kind, ...] = (further_value, duration, relative_limit, absolute)

_DATED = re.compile(rf"\b(?:until|from|as of|after|by)\s{DATE}(?:\s(?:until|to)\s{DATE})?", re.I)


def _fuller(reading: Reading, limit: Limit) -> Limit:
    name = fuller(limit.item.metric, reading.names[: limit.start])
    return replace(limit, item=limit.item.model_copy(update={"metric": name}))


def _distinct(reading: Reading, limits: list[Limit]) -> list[Limit]:
    """Give equal names the dates that tell them apart ("until 2028"); a limit stated twice counts once."""
    names = [m.item.metric for m in limits]
    out: list[Limit] = []
    for limit in limits:
        start, _ = reading.clause(limit.start)
        dates = _DATED.findall(reading.text[start : limit.start])
        if names.count(limit.item.metric) > 1 and dates:
            metric = f"{limit.item.metric}, {lowered(dates[-1])}"
            limit = replace(limit, item=limit.item.model_copy(update={"metric": metric}))  # noqa: PLW2901
        if all(limit.item != other.item for other in out):
            out.append(limit)
    return out


def _with_periods(reading: Reading, limits: list[Limit]) -> list[Limit]:
    """Add the periods of measurement; a span that the text names counts for the last limit before it."""
    starts = [m.start for m in limits]
    out = []
    for limit in limits:
        timeless = not re.fullmatch(TIME_UNIT, limit.item.unit)
        later = [s for s in starts if s >= limit.end]
        period = period_of(reading, limit.start, limit.end, later) if timeless else None
        out.append(replace(limit, item=limit.item.model_copy(update={"period": period})))
    return out
