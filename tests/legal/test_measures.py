"""Numbers, dates and units as legal texts print them."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreact.legal.dates import parse_date
from regreact.legal.numbers import parse_number
from regreact.legal.units import normalise_unit, spell_unit, time_unit


@pytest.mark.parametrize(
    ("printed", "value"),
    [("0,722", 0.722), ("10 000", 10000), ("10\u00a0000", 10000), ("1\u2009200,5", 1200.5), ("73.4", 73.4), ("zero", 0),
     ("twelve", 12), ("half", 0.5), ("two thirds", 2 / 3), ("100 million", 1e8), ("1,000,000", 1e6), ("0", 0)],
)  # fmt: skip
def test_numbers(printed: str, value: float) -> None:
    assert parse_number(printed) == pytest.approx(value)


@given(st.integers(0, 10**7), st.sampled_from([" ", "\u00a0", "\u202f"]))
def test_spaced_thousands_round_trip(value: int, space: str) -> None:
    assert parse_number(f"{value:,}".replace(",", space)) == value


@given(st.decimals(0, 1000, places=3).map(float))
def test_decimal_commas_round_trip(value: float) -> None:
    assert parse_number(f"{value:.3f}".replace(".", ",")) == pytest.approx(value)


def test_words_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="could not convert"):
        parse_number("many")


@given(st.dates(dt.date(1950, 1, 1), dt.date(2099, 12, 31)))
def test_dates_round_trip(date: dt.date) -> None:
    for printed in (f"{date.day} {date:%B} {date.year}", f"{date.day}.{date.month}.{date.year}", f"{date:%d/%m/%Y}"):
        assert parse_date(printed, last_day=True) == date.isoformat()


def test_a_bare_year_takes_its_last_or_first_day() -> None:
    assert parse_date("2030", last_day=True) == "2030-12-31"
    assert parse_date("2030", last_day=False) == "2030-01-01"


@pytest.mark.parametrize("printed", ["31 February 2030", "31.13.2030", "0 May 2030"])
def test_impossible_dates_are_refused(printed: str) -> None:
    with pytest.raises(ValueError, match="is no date"):
        parse_date(printed, last_day=True)


@pytest.mark.parametrize(
    ("printed", "spelt"),
    [("gCO2e/kWh", "g CO2e/kWh"), ("g CO2-eq/kWh", "g CO2e/kWh"), ("t CO2e/t", "tCO2e/t"), ("W/m²", "W/m2"),
     ("tCO2e per tonne of soda", "tCO2e per tonne of soda"), ("litres / min", "litres/min"), ("%", "%")],
)  # fmt: skip
def test_units_are_spelt_as_printed(printed: str, spelt: str) -> None:
    assert spell_unit(printed) == spelt


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("gCO2e/kWh", "g CO2 equivalent per kWh"),
        ("tCO2e/t", "t CO2-eq/tonne"),
        ("litre", "litres"),
        ("m³", "cubic metre"),
    ],
)
def test_spellings_of_one_unit_are_equal(a: str, b: str) -> None:
    assert normalise_unit(a) == normalise_unit(b)


@pytest.mark.parametrize(("a", "b"), [("g CO2e/kWh", "kg CO2e/kWh"), ("kW", "kWh"), ("years", "months")])
def test_different_units_differ(a: str, b: str) -> None:
    assert normalise_unit(a) != normalise_unit(b)


def test_time_units() -> None:
    assert [time_unit(x) for x in ("year", "Months", "days")] == ["years", "months", "days"]
