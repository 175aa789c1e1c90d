"""Limits by kind of wording: operator, value, unit, period and quantity of invented criteria."""

import pytest
from threshold_reading import extract, limits

from regreact.schema import BoundedPeriod, LifetimePeriod


@pytest.mark.parametrize(
    ("text", "metric", "operator", "value", "unit"),
    [
        ("windows with U-value lower or equal to 1,1 W/m2K;", "U-value of windows", "<=", 1.1, "W/m2K"),
        ("Dust in the air is at or lower than 90 mg/m3.", "Dust in the air", "<=", 90, "mg/m3"),
        (
            "washed ore where the specific dust emissions are lower than 0,7 t per tonne of washed grey ore;",
            "Specific dust emissions of washed ore",
            "<",
            0.7,
            "t per tonne of washed grey ore",
        ),
        (
            "The dust emissions of the mill do not exceed a concentration of 80 ppmv(15).",
            "Dust emissions of the mill",
            "<=",
            80,
            "ppmv",
        ),
        (
            "The sum of the noise differences shall not be less than 21 EPNdB.",
            "Sum of the noise differences",
            ">=",
            21,
            "EPNdB",
        ),
        ("kilns have a max gas flow of 6 L/min or less attested by a label.", "Gas flow of kilns", "<=", 6, "L/min"),
        (
            "The ores are not moved over distances greater than 3,5 times the distance to the mill.",
            "Transport distance of ores relative to distance to the mill",
            "<=",
            3.5,
            "times",
        ),
        (
            "The individual dust limit for small mills is 2 mg/kg",
            "Individual dust limit for small mills",
            "<=",
            2,
            "mg/kg",
        ),
        ("limit at 7 % the slag content of the ore;", "Slag content of the ore", "<=", 7, "%"),
        ("The PEC/PNEC ratio of the dye is below 1.", "PEC/PNEC ratio of the dye", "<", 1, ""),
        (
            "the loss is calculated using the Mill Loss Index (MLI) method and the threshold value equals to or is lower "
            "than 1.5, or is calculated otherwise;",
            "Loss under the Mill Loss Index (MLI) method",
            "<=",
            1.5,
            "",
        ),
        (
            "the floor lies at least 2,5 m above the highest flood;",
            "Height of floor above highest flood",
            ">=",
            2.5,
            "m",
        ),
        ("covered stands for at least 30 bicycles;", "Capacity of covered stands", ">=", 30, "bicycles"),
        ("works that serve at least 2 million inhabitants;", "Population of works", ">=", 2e6, "inhabitants"),
        (
            "construction of links, of low carbon power below the threshold of 90 g CO2e/kWh on a life cycle basis;",
            "Life-cycle GHG emissions of low carbon power",
            "<",
            90,
            "g CO2e/kWh",
        ),
        ("Aid per mill does not exceed EUR 2 million.", "Aid per mill", "<=", 2e6, "EUR"),
        (
            "Paints emit less than 0,05 mg of lead per m³ of air upon testing.",
            "Lead emissions from paints",
            "<",
            0.05,
            "mg/m3",
        ),
    ],
)
def test_absolute_limits(text: str, metric: str, operator: str, value: float, unit: str) -> None:
    (item,) = limits(text)
    assert (item.metric, item.operator, item.value, item.unit) == (metric, operator, value, unit)


@pytest.mark.parametrize(
    ("text", "metric", "operator", "value"),
    [
        (
            "At least 60 % (by weight) of the slag (other than dust named in point 3) left on the site is prepared for reuse, "
            "recycling and recovery, in accordance with the plan.",
            "Share of slag left on the site prepared for reuse, recycling and recovery by weight",
            ">=",
            60,
        ),
        (
            "For brick, tile and clay, a maximum of 40 % of the material comes from primary ore.",
            "Share of material coming from primary ore, brick, tile and clay",
            "<=",
            40,
        ),
        ("at least 55 % of the roof carries a green cover;", "Share of the roof carries a green cover", ">=", 55),
        (
            "Mills, from 2027, derive at least 20 % of their energy from waste heat.",
            "Share of energy derived from waste heat by mills",
            ">=",
            20,
        ),
        ("The mill recovers at least 12 % of the incoming lead.", "Share of incoming lead recovered by mill", ">=", 12),
        (
            "Slag constitutes at least 30 % of the input, measured in weight.",
            "Share of slag in input by weight",
            ">=",
            30,
        ),
        (
            "The sorting of the slag is 100 % (by mass), excluding dust.",
            "Sorting of the slag by mass, excluding dust",
            "=",
            100,
        ),
        (
            "Washing does not lead to lead losses above 0.4 % of the mass of ore.",
            "Lead losses relative to mass of ore",
            "<=",
            0.4,
        ),
        (
            "The mill uses a pump whose fuel use is 15 % lower than the value of older pumps.",
            "Reduction of fuel use of pump relative to value of older pumps",
            ">=",
            15,
        ),
        (
            "The repair leads to a reduction in dust of at least 45 % GHG over the lifetime of the mill.",
            "GHG dust reduction",
            ">=",
            45,
        ),
        (
            "The new mill does not exceed the old mill by more than 12 %.",
            "Increase of new mill over old mill",
            "<=",
            12,
        ),
        (
            "The tools run with lower dust emission, which aim at a 25 % reduction compared to the benchmark.",
            "Dust emission reduction relative to benchmark",
            ">=",
            25,
        ),
        (
            "values equivalent to reducing the dust line by at least 12 percentage points below the requirements in force.",
            "Reduction of dust line relative to requirements in force",
            ">=",
            12,
        ),
        ("conversion of the pipes to 100 % hydrogen;", "Hydrogen share of pipes", "=", 100),
        (
            "the flow at low pressure is ≥ 55 % of the highest flow.",
            "Flow at low pressure relative to highest flow",
            ">=",
            55,
        ),
        ("At least two thirds of the ore is washed.", "Share of ore washed", ">=", 66.67),
    ],
)
def test_relative_limits(text: str, metric: str, operator: str, value: float) -> None:
    (item,) = limits(text)
    assert (item.metric, item.operator, item.value) == (metric, operator, value)


@pytest.mark.parametrize(
    ("text", "metric", "operator", "value", "unit"),
    [
        (
            "including, at least, 12 to 40 year weather projections for large mills.",
            "Horizon of weather projections for large mills",
            ">=",
            12,
            "years",
        ),
        ("Records are retained for six years.", "Retention period of records", ">=", 6, "years"),
        ("a licence not older than 8 years linked to the pump;", "Age of the licence", "<=", 8, "years"),
        (
            "withdrawn from use within six months of delivery of the new lorry, in which case the ratio does not apply;",
            "Time from delivery of the new lorry to withdrawal from use",
            "<=",
            6,
            "months",
        ),
        (
            "has stayed in the fleet within at least 9 months prior to its sale;",
            "Time in the fleet prior to sale",
            ">=",
            9,
            "months",
        ),
        (
            "the work that repairs the dam starts within a two year period as agreed;",
            "Time to start of work that repairs the dam",
            "<=",
            2,
            "years",
        ),
        (
            "Leaks are repaired not later than 30 days after detection.",
            "Time from detection to repair",
            "<=",
            30,
            "days",
        ),
        ("Swapping is completed within 15 minutes.", "Time to completion of swapping", "<=", 15, "minutes"),
        (
            "Where the availability of pump parts is open, the availability is at least seven years.",
            "Availability of pump parts",
            ">=",
            7,
            "years",
        ),
        ("That repair period may be extended by up to one year.", "Extension of repair period", "<=", 1, "years"),
    ],
)
def test_durations_and_time_limits(text: str, metric: str, operator: str, value: float, unit: str) -> None:
    (item,) = limits(text)
    assert (item.metric, item.operator, item.value, item.unit) == (metric, operator, value, unit)


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        (
            "lorries and vans that have zero direct (tailpipe) CO2 emissions;",
            "Direct (tailpipe) CO2 emissions of lorries and vans",
        ),
        (
            "the lorries have zero direct tailpipe CO2 emission when used in town;",
            "Direct tailpipe CO2 emissions of lorries",
        ),
        (
            "the site is for the operation of lorries with zero tailpipe CO2 emissions: chargers;",
            "Tailpipe CO2 emissions of lorries",
        ),
        ("the activity carries goods and its direct CO2 emissions are zero;", "Direct CO2 emissions of goods"),
    ],
)
def test_zero_of_a_quantity_is_a_limit(text: str, metric: str) -> None:
    (item,) = limits(text)
    assert (item.metric, item.operator, item.value, item.unit) == (metric, "=", 0, "")


@pytest.mark.parametrize(
    "text",
    [
        "Lorries are ‘zero-emission lorries’.",
        "They run on zero direct (tailpipe) CO2 emission fuels.",
        "Re-used boards are counted as comprising zero primary wood.",
        "The nearly zero-energy building requirements are met.",
    ],
)
def test_zero_in_the_name_of_a_class_is_none(text: str) -> None:
    assert limits(text) == []


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("Kilns that rely on gases with a Global Warming Potential above 12 are not compliant.", "<="),
        ("A link to a mill that is more greenhouse gas intensive than 95 g CO2e/kWh is not compliant.", "<="),
        ("The site is not linked to a mill where the dust emissions exceed 95 g CO2e/kWh.", "<="),
    ],
)
def test_exclusion_turns_the_limit_round(text: str, limit: str) -> None:
    (item,) = limits(text)
    assert item.operator == limit


@pytest.mark.parametrize(
    ("text", "values", "logic"),
    [
        (
            "Slag does not exceed 0,6 % in mass (the common limit) and 0,2 % in mass in coastal waters.",
            [0.6, 0.2],
            "AND",
        ),
        ("at least 90 % of the wet part and 60 % of the dry part of the slag is sorted.", [90, 60], "AND"),
        ("It covers at least 1 % in 2025, at least 3 % in 2028 and at least 5 % in 2030.", [1, 3, 5], "AND"),
        ("pumps have a full volume of a maximum of 6 litres and a maximum mean volume of 3,5 litres;", [6, 3.5], "AND"),
        (
            "a plan is in place, for at least 9 years in case of burial and for at least 25 years in case of cover.",
            [9, 25],
            "AND",
        ),
        (
            "Losses are below 90 g CO2e/kWh, or yearly losses do not exceed a mean of 500 kg CO2e/kW over 15 years;",
            [90, 500],
            "OR",
        ),
        ("Losses are below 5 %. Alternatively, the yield is at least 40 %.", [5, 40], "OR"),
        ("The yield is between 5 % and 7 %.", [5, 7], "AND"),
    ],
)
def test_several_limits_and_how_they_combine(text: str, values: list[float], logic: str) -> None:
    found = extract(text)
    assert found is not None and found.quantitative is not None
    assert [item.value for item in found.quantitative.items] == values
    assert found.quantitative.logic == logic


def test_a_case_behind_a_further_value_takes_the_place_of_the_first() -> None:
    first, second = limits("Slag does not exceed 0,6 % for wet ores and 0,2 % for dry ores.")
    assert first.metric == "Slag for wet ores"
    assert second.metric == "Slag for dry ores"
    first, second = limits("at least 90 % of the wet part and 60 % of the dry part of the slag is sorted.")
    assert (first.metric, second.metric) == ("Share of wet part sorted", "Share of dry part of the slag sorted")


def test_equal_quantities_are_told_apart_by_their_dates() -> None:
    metrics = [i.metric for i in limits("Until 2027, losses are below 9 %. From 2028, losses are below 5 %.")]
    assert metrics == ["Losses, until 2027", "Losses, from 2028"]


def test_a_limit_stated_twice_counts_once() -> None:
    assert len(limits("Losses are below 9 %. In short, losses are below 9 %.")) == 1


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("Mean losses are below 9 % over a rolling five-year period.", BoundedPeriod(value=5, unit="years")),
        (
            "The new pump reduces losses by 20 % against the level averaged over three years.",
            BoundedPeriod(value=3, unit="years"),
        ),
        ("The share of slag, as an annual average, is at most 9 %.", BoundedPeriod(value=1, unit="years")),
        ("Removal of > 60 % in 7 days is reached.", BoundedPeriod(value=7, unit="days")),
        ("Losses fall by at least 50 % over the lifetime of the mill.", LifetimePeriod()),
        ("Life-cycle losses are below 9 %.", None),
    ],
)
def test_periods_of_measurement(text: str, period: BoundedPeriod | LifetimePeriod | None) -> None:
    (item,) = limits(text)
    assert item.period == period


def test_a_period_counts_for_the_last_limit_before_it() -> None:
    first, second = limits("Losses are below 9 kg, or dust does not exceed a mean of 5 kg over 15 years.")
    assert (first.period, second.period) == (None, BoundedPeriod(value=15, unit="years"))
