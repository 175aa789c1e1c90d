"""Dates and intervals of a criterion (guidelines section 6, rulings R11, R14, D15, appendix D.3)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from regreact.legal.dates import DATE, parse_date
from regreact.legal.numbers import NUMBER, parse_number
from regreact.legal.units import TIME_UNIT, time_unit
from regreact.schema import Deadline, EffectiveFrom, EffectiveUntil, Recurring, TemporalItem, Window
from regreact.screen import Screened

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
    return _interval(_count(m["count"]), m["unit"])


_ORDINALS = {"second": 2, "other": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "tenth": 10}


def _count(printed: str | None) -> float:
    if printed is None:
        return 1.0
    return float(_ORDINALS[printed.lower()]) if printed.lower() in _ORDINALS else parse_number(printed)


def _interval(value: float, unit: str) -> TemporalItem:
    """Return an interval in units that the schema knows; what recurs after no time at all is none."""
    if value <= 0:
        raise ValueError("an interval of zero")
    name = unit.lower().removesuffix("s")
    if name == "week":
        return Recurring(interval_value=7 * value, interval_unit="days")
    if name == "fortnight":
        return Recurring(interval_value=14 * value, interval_unit="days")
    name = name.replace(" ", "-")
    if name in ("quarter", "season", "half-year"):
        return Recurring(interval_value={"quarter": 3, "season": 3, "half-year": 6}[name] * value, interval_unit="months")
    return Recurring(interval_value=value, interval_unit=time_unit(unit))


# Words for an interval: how often, in units that the schema knows
_ADVERBS: dict[str, tuple[float, str]] = {
    "annually": (1, "years"),
    "yearly": (1, "years"),
    "half-yearly": (6, "months"),
    "semi-annually": (6, "months"),
    "bi-annually": (6, "months"),
    "biannually": (6, "months"),
    "bimonthly": (2, "months"),
    "fortnightly": (14, "days"),
    "biennially": (2, "years"),
    "monthly": (1, "months"),
    "quarterly": (3, "months"),
    "weekly": (7, "days"),
    "daily": (1, "days"),
}
_BASES = _ADVERBS | {
    "annual": (1, "years"),
    "biennial": (2, "years"),
    "triennial": (3, "years"),
    "semi-annual": (6, "months"),
    "bi-annual": (6, "months"),
    "biannual": (6, "months"),
}


def _adverb(m: Match) -> TemporalItem:
    value, unit = _BASES[m["word"].lower()]
    return Recurring.model_validate({"interval_value": value, "interval_unit": unit})


def _once(m: Match) -> TemporalItem:
    return _interval(1, "year" if m["unit"].lower() == "annum" else m["unit"])


_WHOLE = {"annually": "year", "yearly": "year", "per annum": "year", "monthly": "month", "weekly": "week"}


def _times_a(m: Match) -> TemporalItem:
    """ "three times a year": every four months."""
    count = {"twice": 2.0, "thrice": 3.0}.get(m["count"].lower()) or parse_number(m["count"].split()[0])
    whole = _WHOLE[m["adverb"].lower()] if m["adverb"] else m["unit"].lower()
    unit, within = {"year": ("months", 12), "month": ("days", 30), "week": ("days", 7)}[whole]
    if count <= 0 or within % count:
        raise ValueError(f"{m[0]!r} gives no whole interval")
    return Recurring.model_validate({"interval_value": within / count, "interval_unit": unit})


def _yearly(m: Match) -> TemporalItem:
    return _interval(_count(m["count"]), {"yearly": "years", "monthly": "months", "weekly": "weeks"}[m["word"].lower()])


@dataclass(frozen=True, slots=True)
class TemporalRule:
    """A wording of a date or interval, in order of precedence."""

    name: str
    pattern: Screened
    build: Callable[[Match], TemporalItem]
    example: str


_COUNT = rf"(?P<count>{NUMBER}|{'|'.join(_ORDINALS)})"
_YEAR_OF = r"(?:the )?(?:(?:calendar |financial |reporting )?year )?"
_END_OF = rf"(?: the)?(?: (?:end|close) of)? {_YEAR_OF}"
RULES = (
    TemporalRule(
        "window",
        Screened(
            rf"\b(?:between|from|in the years?|during(?: the years?)?|for the years?|in the period) "
            rf"(?:the (?:beginning|start) of )?{_YEAR_OF}(?P<date>{DATE})(?:,)? (?:and|to|until|till|up to|through)(?: and including)?"
            rf"{_END_OF}(?P<end>{DATE})",
            re.I,
        ),
        _window,
        "between 1 January 2026 and 31 December 2030",
    ),
    TemporalRule(
        "open window",
        Screened(rf"\bafter {_YEAR_OF}(?P<date>{DATE})(?:,)? (?:and|but) before {_YEAR_OF}(?P<end>{DATE})", re.I),
        _open_window,
        "sold after 2025 and before 2030",
    ),
    TemporalRule(
        "in a year or later",
        Screened(rf"\b(?:in|on) {_YEAR_OF}(?P<date>{DATE}) (?:or|and) (?:later|after|afterwards|thereafter)\b|"
                   rf"\b(?:in or after|in or since|on and after) {_YEAR_OF}(?P<date_>{DATE})", re.I),
        lambda m: EffectiveFrom(date=parse_date(m["date"] or m["date_"], last_day=False)),
        "built in 2020 or later",
    ),
    TemporalRule(
        "in a year or earlier",
        Screened(rf"\b(?:in|on) {_YEAR_OF}(?P<date>{DATE}) (?:or|and) (?:earlier|before)\b|"
                   rf"\b(?:in or before|on and before) {_YEAR_OF}(?P<date_>{DATE})", re.I),
        lambda m: Deadline(date=parse_date(m["date"] or m["date_"], last_day=True)),
        "built in 2019 or earlier",
    ),
    TemporalRule(
        "not after",
        Screened(rf"\b(?:not|never)\s(?:\w+\s){{0,3}}?(?:after|later than) {_YEAR_OF}(?P<date>{DATE})", re.I),
        _deadline,
        "has not been opened after 8 July 2020",
    ),
    TemporalRule(
        "not before",
        Screened(rf"\b(?:(?:not|never) (?:yet )?(?:be |been )?(?:\w+ )?(?:before|prior to|earlier than)|no sooner than|not until) "
                   rf"{_YEAR_OF}(?P<date>{DATE})", re.I),
        _from,
        "takes effect not before 1 July 2027",
    ),
    TemporalRule(
        "deadline",
        Screened(
            rf"\b(?:(?:by|no later than|not later than|at the latest (?:by|on|in)|latest by|on or before|up to and including the end of|"
            rf"(?:expires?|lapses?|ends?|ceases? to (?:apply|have effect|be valid)) (?:on|in|at))"
            rf"{_END_OF}|(?:on|in) (?=(?:{DATE}),? at the latest\b))(?P<date>{DATE})",
            re.I,
        ),
        _deadline,
        "by 31 December 2030",
    ),
    TemporalRule(
        "before",
        Screened(rf"\b(?:before|prior to|earlier than|ahead of)(?: the end of)? {_YEAR_OF}(?P<date>{DATE})", re.I),
        _before,
        "built before 31 December 2020",
    ),
    TemporalRule(
        "until",
        Screened(rf"\b(?:until|till|up to|through(?: to)?)(?: and including)?{_END_OF}(?P<date>{DATE})", re.I),
        _until,
        "until 2028",
    ),
    TemporalRule(
        "from",
        Screened(
            rf"\b(?:from(?: and including)?|as from|as of|as at|starting (?:from|on|in|with)|beginning (?:on|in|with)|commencing (?:on|in)|"
            rf"with effect (?:from|as of|as from)|on or after|no earlier than|not earlier than|on and from)"
            rf"(?: the)?(?: beginning of| start of)? {_YEAR_OF}(?P<date>{DATE})",
            re.I,
        ),
        _from,
        "from 1 January 2026",
    ),
    TemporalRule("after", Screened(rf"\b(?:after|since|later than|following) {_YEAR_OF}(?P<date>{DATE})", re.I), _after, "after 2025"),
    TemporalRule(
        "every",
        Screened(rf"\b(?:every|each) (?:{_COUNT}[ \u00a0-])?(?P<unit>{TIME_UNIT}|quarters?|half[- ]years?|fortnights?)\b(?! of\b)", re.I),
        _every,
        "every ten years",
    ),
    TemporalRule(
        "at intervals of",
        Screened(
            rf"\b(?:at|in|with) (?:regular )?intervals (?:of|not exceeding|no longer than|not longer than|shorter than)? ?"
            rf"(?:(?:not|no) (?:more|longer) than |at most |a maximum of |up to )?"
            rf"{_COUNT}[ \u00a0-](?P<unit>{TIME_UNIT})\b",
            re.I,
        ),
        _every,
        "at intervals of three years",
    ),
    TemporalRule(
        "year intervals",
        Screened(
            rf"\b(?:at|in) (?:regular )?{_COUNT}[ \u00a0-](?P<unit>year|month|week|day)(?:ly)?[ \u00a0](?:intervals|cycles?|rhythm)\b|"
            rf"\b(?:in|on) an? (?P<count_>{NUMBER})[ \u00a0-](?P<unit_>year|month|week|day)(?:ly)?[ \u00a0](?:intervals?|cycles?|rhythm|basis)\b",
            re.I,
        ),
        lambda m: _interval(_count(m["count"] or m["count_"]), m["unit"] or m["unit_"]),
        "at three-year intervals",
    ),
    TemporalRule(
        "once in so many years",
        Screened(rf"\bonce (?:in|within|per|during) (?:every |each |any |a period of )?{_COUNT}[ \u00a0-](?P<unit>{TIME_UNIT})\b", re.I),
        _every,
        "once in three years",
    ),
    TemporalRule(
        "so many times a year",
        Screened(rf"\b(?P<count>twice|thrice|{NUMBER}[ \u00a0]times)[ -](?:(?:a|an|per|each|every|in each|in every|in a)(?: calendar)? "
                   r"(?P<unit>year|month|week)|(?P<adverb>annually|yearly|per annum|monthly|weekly))\b(?! of\b)", re.I),
        _times_a,
        "three times a year",
    ),
    TemporalRule(
        "numbered adverb",
        Screened(rf"\b(?P<count>{NUMBER})[ \u00a0-](?P<word>yearly|monthly|weekly)\b", re.I),
        _yearly,
        "on a two-yearly basis",
    ),
    # "yearly losses" is an adjective: these words tell an interval at the end of a clause or before a particle
    TemporalRule(
        "adverb",
        Screened(
            rf"\b(?P<word>annually|biennially|(?:{'|'.join(_ADVERBS)})(?=\s*[.,;:)]|\s*$|"
            r"\s(?:and|or|by|in|to|with|at|for|from|on|thereafter)\b))",
            re.I,
        ),
        _adverb,
        "is updated annually",
    ),
    TemporalRule(
        "periodic act",
        Screened(
            rf"\b(?P<word>{'|'.join(_BASES)}) (?:\w+ )?(?:reports?|reporting|audits?|reviews?|"
            r"inspections?|checks?|monitoring|verifications?|surveys?|measurements?|samples?|sampling|tests?|testing|"
            r"meetings?|visits?|maintenance|cleanings?|updates?|assessments?|evaluations?|counts?|drills?|exercises?|"
            r"statements?|declarations?|trainings?)\b",
            re.I,
        ),
        _adverb,
        "an annual report is published",
    ),
    TemporalRule(
        "basis",
        Screened(rf"\b(?P<word>{'|'.join(_BASES)}) (?:basis|intervals)\b", re.I),
        _adverb,
        "on an annual basis",
    ),
    TemporalRule(
        "once",
        Screened(
            r"\b(?:(?:once (?:a|an|per|every|each|in every|in each|in a)|each|every)(?: calendar| reporting| financial)?|"
            r"per (?:calendar|reporting|financial)) "
            r"(?P<unit>year|month|week|day|quarter|season|fortnight|half-year|annum)\b(?! of\b)",
            re.I,
        ),
        _once,
        "once a year",
    ),
)


# Every date has four digits, every interval one of these words: most criteria have neither
_ANY_TIME = re.compile(r"\d{4}|year|month|week|da[yi]|quarter|season|annual|annum|ennial|fortnight", re.I)


def find_temporal(masked: str) -> list[Found]:
    """Return the temporal items of a masked text in order, without overlaps; equal items once."""
    if not _ANY_TIME.search(masked):
        return []
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
