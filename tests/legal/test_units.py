"""Units of measure: where they end in a sentence, how they are spelt and compared."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreact.legal.units import UNIT, UNITS, normalise_unit, spell_unit, time_unit

UNIT_AT_START = re.compile(rf"{UNIT}(?!\w)")


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("gCO2e/kWh over the year", "g CO2e/kWh"),
        ("t CO2-eq/t of grey soda lime;", "tCO2e/t of grey soda lime"),
        ("tCO2e per tonne of soda or other salt made.", "tCO2e per tonne of soda or other salt made"),
        ("kWh per population equivalent (p.e.) per annum for mills", "kWh per population equivalent (p.e.) per annum"),
        ("tCO2e/t product;", "tCO2e/t product"),
        ("MWh/t Al.", "MWh/t Al"),
        ("g CO2e per 1 kWh of heat output from the mill", "g CO2e per 1 kWh of heat output"),
        ("kgCO2e/kW of the mill’s capacity over 20 years", "kg CO2e/kW of the mill’s capacity"),
        ("W/m²K;", "W/m2K"),
        ("litres/bowl/hour.", "litres/bowl/hour"),
        ("L/min or less", "L/min"),
        ("mg/kg dry matter Organic carbon", "mg/kg dry matter"),
        ("% in mass (the limit)", "% in mass"),
        ("% by weight", "%"),
        ("% w/w", "% w/w"),
        ("percentage points below", "percentage points"),
        ("tonnes of CO2 equivalent per year", "tonnes of CO2e per year"),
        ("g CO2/km calculated as", "g CO2/km"),
        ("g CO2/km for cars", "g CO2/km"),
        ("dB(A) at night", "dB(A)"),
        ("EPNdB;", "EPNdB"),
        ("ppmv(15)", "ppmv"),
        ("per litre.", "per litre"),
        ("gross tonnage and", "gross tonnage"),
        ("months of delivery", "months"),
        ("kg per cow and year;", "kg per cow and year"),
        ("kWh per m² of floor   and year.", "kWh per m2 of floor and year"),
        ("m3 per hectare and the loss", "m3 per hectare"),
        ("litres a day;", "litres a day"),
        ("hours a week", "hours"),
        ("h-1;", "h-1"),
        ("W m⁻² K⁻¹ for", "W m-2 K-1"),
        ("g/km elsewhere.", "g/km"),
        ("persons;", "persons"),
    ],
)
def test_a_unit_ends_where_its_words_end(text: str, unit: str) -> None:
    match = UNIT_AT_START.match(text)
    assert match is not None
    assert spell_unit(match[0]) == unit


@pytest.mark.parametrize("text", ["of the", "following", "mW", "Kilns", "gas", "metal", "tons2"])
def test_other_words_are_no_unit(text: str) -> None:
    assert UNIT_AT_START.match(text) is None


@pytest.mark.parametrize(
    "spelling",
    ["CO2e", "CO2eq", "CO2 eq", "CO2-eq", "CO2 eq.", "CO2 e", "CO2-e", "CO2 equivalent", "CO2 equivalents", "CO2-equivalent", "CO₂e"],
)  # fmt: skip
def test_spellings_of_co2_equivalent_are_one(spelling: str) -> None:
    assert normalise_unit(f"g {spelling}/kWh") == normalise_unit("gCO2e/kWh")


@pytest.mark.parametrize("row", UNITS, ids=lambda r: r.normal)
def test_every_spelling_of_a_unit_is_found_and_normal(row: object) -> None:
    for spelling in (*row.symbols, *row.words):  # type: ignore[attr-defined]
        match = UNIT_AT_START.match(f"{spelling}.")
        assert match is not None and match[0] in (spelling, f"{spelling}.")
        assert normalise_unit(spelling) == row.normal.lower()  # type: ignore[attr-defined]


def test_no_spelling_stands_for_two_units() -> None:
    spellings = [s for row in UNITS for s in (*row.symbols, *row.words)]
    assert len(spellings) == len(set(spellings))


@given(st.sampled_from(UNITS), st.sampled_from(UNITS))
def test_different_units_stay_different(a: object, b: object) -> None:
    same = normalise_unit(a.normal) == normalise_unit(b.normal)  # type: ignore[attr-defined]
    assert same == (a is b or a.normal.lower() == b.normal.lower())  # type: ignore[attr-defined]


def test_a_second_denominator_is_one_however_written() -> None:
    assert len({normalise_unit(f"kg{w}") for w in ("/ha/year", " per hectare and year", "/ha a year", " per ha and per year")}) == 1


def test_units_of_time_of_dates_and_periods() -> None:
    assert time_unit("Years") == "years"
    with pytest.raises(KeyError):
        time_unit("hours")
