"""Dates and intervals of a criterion (guidelines section 6, appendix D.3)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from regreact.legal.dates import DATE, FULL_DATE, YEAR, parse_date
from regreact.legal.numbers import WORDS, parse_number
from regreact.legal.units import TIME_UNIT, time_unit
from regreact.schema import Deadline, EffectiveFrom, EffectiveUntil, Recurring, TemporalItem, Window


@dataclass(frozen=True, slots=True)
class Found:
    """A temporal item and its place in the text."""

    start: int
    end: int
    item: TemporalItem


def _deadline(m: re.Match[str]) -> TemporalItem:
    return Deadline(date=parse_date(m["date"], last_day=True))


def _until(m: re.Match[str]) -> TemporalItem:
    return EffectiveUntil(date=parse_date(m["date"], last_day=True))


def _from(m: re.Match[str]) -> TemporalItem:
    return EffectiveFrom(date=parse_date(m["date"], last_day=False))


def _after(m: re.Match[str]) -> TemporalItem:
    date = m["date"]
    return EffectiveFrom(date=f"{int(date) + 1}-01-01" if date.isdigit() else parse_date(date, last_day=False))


def _window(m: re.Match[str]) -> TemporalItem:
    return Window(start=parse_date(m["date"], last_day=False), end=parse_date(m["end"], last_day=True))


def _every(m: re.Match[str]) -> TemporalItem:
    printed = m["count"]
    value = 1.0 if printed is None else 2.0 if printed in ("second", "other") else parse_number(printed)
    return Recurring(interval_value=value, interval_unit=time_unit(m["unit"]))


def _yearly(_: re.Match[str]) -> TemporalItem:
    return Recurring(interval_value=1, interval_unit="years")


def _monthly(_: re.Match[str]) -> TemporalItem:
    return Recurring(interval_value=1, interval_unit="months")


@dataclass(frozen=True, slots=True)
class TemporalRule:
    """A wording of a date or interval, in order of precedence."""

    name: str
    pattern: re.Pattern[str]
    build: Callable[[re.Match[str]], TemporalItem]
    example: str


_COUNT = rf"(?P<count>\d+|{'|'.join(WORDS)}|second|other)"
RULES = (
    TemporalRule(
        "window",
        re.compile(rf"\b(?:between|from) (?P<date>{DATE}) (?:and|to|until|up to) (?P<end>{DATE})", re.I),
        _window,
        "between 1 January 2026 and 31 December 2030",
    ),
    TemporalRule(
        "deadline",
        re.compile(
            rf"\b(?:by|no later than|not later than|at the latest (?:by|on)|not after|prior to|before)"
            rf"(?: the end of)? (?P<date>{DATE})",
            re.I,
        ),
        _deadline,
        "by 31 December 2030",
    ),
    TemporalRule("until", re.compile(rf"\b(?:un)?till?(?: the end of)? (?P<date>{DATE})", re.I), _until, "until 2028"),
    TemporalRule(
        "from",
        re.compile(
            rf"\b(?:from|as from|as of|starting (?:from|on)|with effect from)(?: the beginning of)? (?P<date>{DATE})",
            re.I,
        ),
        _from,
        "from 1 January 2026",
    ),
    TemporalRule("after", re.compile(rf"\b(?:after|since) (?P<date>{FULL_DATE}|{YEAR})", re.I), _after, "after 2025"),
    TemporalRule(
        "every",
        re.compile(rf"\bevery (?:{_COUNT} )?(?P<unit>{TIME_UNIT})\b", re.I),
        _every,
        "every ten years",
    ),
    TemporalRule(
        "yearly",
        re.compile(r"\b(?:annually|yearly basis|(?:on )?an annual basis|once (?:a|per|every) year|each year)\b", re.I),
        _yearly,
        "is updated annually",
    ),
    TemporalRule(
        "monthly", re.compile(r"\b(?:monthly basis|once (?:a|per) month|each month)\b", re.I), _monthly, "each month"
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
                continue
            if all(item != f.item for f in found):
                found.append(Found(match.start(), match.end(), item))
    return sorted(found, key=lambda f: f.start)
