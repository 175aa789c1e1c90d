"""Periods over which a limit is measured (guidelines section 6: bounded or lifetime)."""

from __future__ import annotations

import re
from contextlib import suppress

from regreact.fastpath.thresholds.reading import Reading
from regreact.legal.numbers import NUMBER, parse_number
from regreact.legal.units import time_unit
from regreact.schema import BoundedPeriod, LifetimePeriod

_UNIT = r"(?P<unit>years?|months?|days?)"
_LIFETIME = re.compile(
    r"\bover (?:the|its|their)(?: (?:entire|whole|expected|full|technical|service))* (?:life ?time|life ?span)\b", re.I
)
# "over 20 years", "averaged over three years", "over a rolling five-year period", "in 7 days"
_SPAN = re.compile(
    rf"\b(?:over|averaged over|averaged for|within|during|in)\s(?:an?\s|the\s|any\s)?(?:rolling\s)?(?:period of\s)?"
    rf"(?:last\s|past\s|consecutive\s)?(?P<n>(?i:{NUMBER}))[ \u00a0-]{_UNIT}\b(?!\s(?:of|after|from|following)\b)",
    re.I,
)
_ROLLING = re.compile(rf"\b(?:rolling|an?) (?P<n>(?i:{NUMBER}))[ \u00a0-]{_UNIT} (?:average|period|mean)", re.I)
_ANNUAL = re.compile(
    r"\b(?:as|on|in) an? (?P<word>annual|yearly|monthly|daily) (?:average|mean)\b|"
    r"\baveraged (?:over|for) (?:an?|the|each|one)(?: calendar| full| whole)? (?P<one>year|month|day)\b(?! of\b)|"
    r"\baveraged (?P<adverb>annually|yearly|monthly|daily)\b",
    re.I,
)
_ONE = {"annual": "years", "annually": "years", "yearly": "years", "monthly": "months", "daily": "days"}
# "Averaged over three years, the losses are": the period stands in front
_FRONT = re.compile(
    rf"\b(?:averaged|calculated|measured|determined|assessed|taken|on average)\s(?:over|for)\s(?:an?\s|the\s|any\s)?"
    rf"(?:rolling\s)?(?:period of\s)?(?:last\s|past\s|consecutive\s)?(?P<n>(?i:{NUMBER}))(?:\sconsecutive)?"
    rf"[ \u00a0-]{_UNIT}\b",
    re.I,
)


def period_of(reading: Reading, start: int, end: int, later: list[int]) -> BoundedPeriod | LifetimePeriod | None:
    """Return the period that the sentence of a limit names for it, None if it names none.

    Args:
        reading: The text.
        start: First character of the limit.
        end: Character after it.
        later: Where later limits start; a span counts for the last limit before it.
    """
    first, last = reading.sentence(start)
    behind = reading.masked[end : min([last, *later])]
    if _LIFETIME.search(behind) or (_LIFETIME.search(reading.masked[first:start]) and not later):
        return LifetimePeriod()
    match = _SPAN.search(behind) or _ROLLING.search(behind) or _FRONT.search(reading.masked[first:start])
    if match:
        with suppress(ValueError):
            return BoundedPeriod(value=parse_number(match["n"]), unit=time_unit(match["unit"]))
    clause, stop = reading.clause(start)
    annual = _ANNUAL.search(reading.masked[clause:stop])
    if annual:
        printed = annual["word"] or annual["adverb"]
        unit = _ONE[printed.lower()] if printed else time_unit(annual["one"])
        return BoundedPeriod(value=1, unit=unit)
    return None
