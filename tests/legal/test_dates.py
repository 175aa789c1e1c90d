"""Printed dates: full, by month, bare year."""

import calendar
import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreact.legal.dates import DATE, YEAR, parse_date

DAYS = st.dates(dt.date(1950, 1, 1), dt.date(2099, 12, 31))


@given(DAYS, st.sampled_from(["{d} {m} {y}", "{d}\u00a0{m}\u00a0{y}", "{d}th of {m} {y}", "{d}.{n}.{y}", "{d}/{n}/{y}"]))
def test_full_dates_round_trip(date: dt.date, form: str) -> None:
    printed = form.format(d=date.day, m=f"{date:%B}", n=date.month, y=date.year)
    assert re.fullmatch(DATE, printed)
    assert parse_date(printed, last_day=True) == parse_date(printed, last_day=False) == date.isoformat()


@given(DAYS)
def test_iso_dates_round_trip(date: dt.date) -> None:
    assert parse_date(date.isoformat(), last_day=True) == date.isoformat()


@given(DAYS)
def test_a_month_takes_its_first_or_last_day(date: dt.date) -> None:
    printed = f"{date:%B} {date.year}"
    last = calendar.monthrange(date.year, date.month)[1]
    assert parse_date(printed, last_day=False) == f"{date:%Y-%m}-01"
    assert parse_date(printed, last_day=True) == f"{date:%Y-%m}-{last}"


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("by 2030.", ["2030"]),
        ("in 2030, from 2035", ["2030", "2035"]),
        ("Directive 2018/2001", []),
        ("ISO 14067:2018", []),
        ("the period 2021-2027", []),
        ("2030,5 kg", []),
        ("12 030 kg", []),
    ],
)
def test_years_are_told_from_other_numbers(text: str, years: list[str]) -> None:
    assert re.findall(YEAR, text) == years


@pytest.mark.parametrize("text", ["31 April 2030", "29.2.2023", "5 Juin 2030", "soon", "2030-13-01", "0.5.2030"])
def test_impossible_dates_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no date"):
        parse_date(text, last_day=True)
