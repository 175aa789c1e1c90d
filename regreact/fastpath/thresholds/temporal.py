"""Dates and intervals of a criterion (guidelines section 6, rulings R11, R14, D15, appendix D.3)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from regreact.legal.dates import DATE, FULL_DATE, MONTH_YEAR, YEAR, parse_date
from regreact.legal.numbers import NUMBER, parse_number
from regreact.legal.units import TIME_UNIT, time_unit
from regreact.schema import Deadline, EffectiveFrom, EffectiveUntil, Recurring, TemporalItem, Window

Match = re.Match[str]


@dataclass(frozen=True, slots=True)
class Found:
    """A temporal item and its place in the text."""

    start: int
    end: int
    item: TemporalItem


def _deadline(m: Match) -> TemporalItem:
    return Deadline(date=parse_date(m["date"], last_day=True))


def _before(m: Match) -> TemporalItem:
    return Deadline(date=_day_before(m["date"]))


def _until(m: Match) -> TemporalItem:
    return EffectiveUntil(date=parse_date(m["date"], last_day=True))


def _from(m: Match) -> TemporalItem:
    return EffectiveFrom(date=parse_date(m["date"], last_day=False))


def _after(m: Match) -> TemporalItem:
    return EffectiveFrom(date=_day_after(m["date"]))


def _day_after(date: str) -> str:
    """Return a full date as printed, for a bare year the first day of the next (ruling D15)."""
    return f"{int(date) + 1}-01-01" if date.isdigit() else parse_date(date, last_day=True)


def _day_before(date: str) -> str:
    """Return a full date as printed, for a bare year the last day of the year before (ruling D15 turned round)."""
    return f"{int(date) - 1}-12-31" if date.isdigit() else parse_date(date, last_day=False)


def _window(m: Match) -> TemporalItem:
    return Window(start=parse_date(m["date"], last_day=False), end=parse_date(m["end"], last_day=True))


def _open_window(m: Match) -> TemporalItem:
    return Window(start=_day_after(m["date"]), end=_day_before(m["end"]))


def _every(m: Match) -> TemporalItem:
    printed = m["count"]
    value = 1.0 if printed is None else 2.0 if printed.lower() in ("second", "other") else parse_number(printed)
    unit = m["unit"].lower()
    if unit.startswith("week"):
        return Recurring(interval_value=7 * value, interval_unit="days")
    return Recurring(interval_value=value, interval_unit=time_unit(unit))


# Words for an interval: how often, in units that the schema knows
_ADVERBS: dict[str, tuple[float, str]] = {
    "annually": (1, "years"),
    "yearly": (1, "years"),
    "biennially": (2, "years"),
    "monthly": (1, "months"),
    "quarterly": (3, "months"),
    "weekly": (7, "days"),
    "daily": (1, "days"),
}
_BASES = _ADVERBS | {"annual": (1, "years"), "biennial": (2, "years")}


def _adverb(m: Match) -> TemporalItem:
    value, unit = _BASES[m["word"].lower()]
    return Recurring.model_validate({"interval_value": value, "interval_unit": unit})


def _once(m: Match) -> TemporalItem:
    unit = m["unit"].lower()
    if unit == "week":
        return Recurring(interval_value=7, interval_unit="days")
    return Recurring(interval_value=1, interval_unit=time_unit(unit))


def _twice(_: Match) -> TemporalItem:
    return Recurring(interval_value=6, interval_unit="months")


@dataclass(frozen=True, slots=True)
class TemporalRule:
    """A wording of a date or interval, in order of precedence."""

    name: str
    pattern: re.Pattern[str]
    build: Callable[[Match], TemporalItem]
    example: str


_COUNT = rf"(?P<count>{NUMBER}|second|other)"
_END_OF = r"(?: the)?(?: end of)?"
RULES = (
    TemporalRule(
        "window",
        re.compile(
            rf"\b(?:between|from) (?P<date>{DATE})(?:,)? (?:and|to|until|till|up to)"
            rf"{_END_OF} (?P<end>{DATE})",
            re.I,
        ),
        _window,
        "between 1 January 2026 and 31 December 2030",
    ),
    TemporalRule(
        "open window",
        re.compile(rf"\bafter (?P<date>{DATE}) (?:and|but) before (?P<end>{DATE})", re.I),
        _open_window,
        "sold after 2025 and before 2030",
    ),
    TemporalRule(
        "not after",
        re.compile(rf"\b(?:not|never)\s(?:\w+\s){{0,3}}?(?:after|later than) (?P<date>{DATE})", re.I),
        _deadline,
        "has not been opened after 8 July 2020",
    ),
    TemporalRule(
        "deadline",
        re.compile(
            rf"\b(?:by|no later than|not later than|at the latest (?:by|on)|latest by|on or before)"
            rf"{_END_OF} (?P<date>{DATE})",
            re.I,
        ),
        _deadline,
        "by 31 December 2030",
    ),
    TemporalRule(
        "before",
        re.compile(rf"\b(?:before|prior to|earlier than)(?: the end of)? (?P<date>{DATE})", re.I),
        _before,
        "built before 31 December 2020",
    ),
    TemporalRule(
        "until",
        re.compile(rf"\b(?:until|till|up to){_END_OF} (?P<date>{FULL_DATE}|{MONTH_YEAR}|{YEAR})", re.I),
        _until,
        "until 2028",
    ),
    TemporalRule(
        "from",
        re.compile(
            rf"\b(?:from|as from|as of|starting (?:from|on|in)|with effect from|on or after)"
            rf"(?: the)?(?: beginning of| start of)? (?P<date>{DATE})",
            re.I,
        ),
        _from,
        "from 1 January 2026",
    ),
    TemporalRule("after", re.compile(rf"\b(?:after|since|later than) (?P<date>{DATE})", re.I), _after, "after 2025"),
    TemporalRule(
        "every",
        re.compile(rf"\bevery (?:{_COUNT}[ \u00a0-])?(?P<unit>{TIME_UNIT})\b(?! of\b)", re.I),
        _every,
        "every ten years",
    ),
    # "yearly losses" is an adjective: these words tell an interval at the end of a clause or before a particle
    TemporalRule(
        "adverb",
        re.compile(
            rf"\b(?P<word>annually|biennially|(?:{'|'.join(_ADVERBS)})(?=\s*[.,;:)]|\s*$|"
            r"\s(?:and|or|by|in|to|with|at|for|from|on|thereafter)\b))",
            re.I,
        ),
        _adverb,
        "is updated annually",
    ),
    TemporalRule(
        "periodic act",
        re.compile(
            rf"\b(?P<word>{'|'.join(_BASES)}) (?:\w+ )?(?:reports?|reporting|audits?|reviews?|"
            r"inspections?|checks?|monitoring|verifications?|surveys?)\b",
            re.I,
        ),
        _adverb,
        "an annual report is published",
    ),
    TemporalRule(
        "basis",
        re.compile(rf"\b(?P<word>{'|'.join(_BASES)}) (?:basis|intervals)\b", re.I),
        _adverb,
        "on an annual basis",
    ),
    TemporalRule(
        "once",
        re.compile(r"\b(?:once (?:a|per|every|each)|each) (?P<unit>year|month|week|day)\b(?! of\b)", re.I),
        _once,
        "once a year",
    ),
    TemporalRule(
        "twice", re.compile(r"\b(?:twice|two times) (?:a|per|each|every) year\b", re.I), _twice, "twice a year"
    ),
)


def find_temporal(masked: str) -> list[Found]:
    """Return the temporal items of a masked text in order, without overlaps; equal items once."""
    found: list[Found] = []
    for rule in RULES:
        for match in rule.pattern.finditer(masked):
            if any(match.start() < f.end and f.start < match.end() for f in found):
                continue
            try:
                item = rule.build(match)
            except (ValueError, KeyError):
                continue  # an impossible date ("31.02.2030") is none
            if all(item != f.item for f in found):
                found.append(Found(match.start(), match.end(), item))
    return sorted(found, key=lambda f: f.start)
