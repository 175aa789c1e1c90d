"""Wordings that other drafters use for the same kinds of limit, condition, value and date."""

from typing import Any

import pytest
from threshold_reading import extract, limits, times

from regreact.legal.numbers import parse_number
from regreact.legal.units import counts_things, normalise_unit


@pytest.mark.parametrize(
    "text",
    [
        "Points 2 and 3 do not apply to mills with fewer than 8 employees.",
        "Neither point 1 nor point 2 applies to mills with fewer than 5 employees.",
        "Point 2 applies only to ponds larger than 3 ha.",
        "This point is not applicable to mills of less than 3 MW.",
        "The duty is waived for sheds under 90 m2.",
        "The audit is not required for mills with fewer than 9 employees.",
        "Mills grinding less than 60 kg of ore per day are not required to comply with point 1.",
        "Sheds with less than 150 m2 of floor are exempt from this requirement.",
        "Mills employing not more than 40 people are released from the duty in point 3.",
        "Ponds below 2 ha are excluded from the requirement in point 2.",
        "Mills with an annual output of less than 900 tonnes do not have to comply with point 1.",
        "With the exception of boats shorter than 7 m, boats have a holding tank.",
        "In mills with more than 60 employees a council is heard.",
        "On slopes steeper than 12 % no maize is grown.",
        "Sheds larger than 800 m2 have a warden.",
        "For the purposes of this point, pond means water with a depth of at least 2 m.",
    ],
)
def test_who_is_concerned_is_a_condition(text: str) -> None:
    assert limits(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Mills have losses below 5 % and are not required to report them.", 5),
        ("The operator is required to keep losses below 4 %.", 4),
        ("A strip of at least 9 m is kept along the bank.", 9),
        ("A plan with a term of no less than 6 years is in place.", 6),
        ("A contract with a duration of at least 3 years has been concluded with the miller.", 3),
        ("Windows with a transmittance below 1,1 W/m2K are installed.", 1.1),
    ],
)
def test_what_must_be_is_a_limit(text: str, value: float) -> None:
    assert [item.value for item in limits(text)] == [value]


@pytest.mark.parametrize(
    ("text", "operator", "value", "unit"),
    [
        ("The power use factor is not more than 1,35 in winter.", "<=", 1.35, ""),
        ("The usage effectiveness of the mill is lower than 1.4.", "<", 1.4, ""),
        ("The pH of the wash water is at least 6,5.", ">=", 6.5, ""),
        ("The noise is no louder than 48 dB(A).", "<=", 48, "dB(A)"),
        ("The wash water is not warmer than 27 °C.", "<=", 27, "°C"),
        ("Losses do not fall below 3 %.", ">=", 3, "%"),
        ("The noise nowhere exceeds 52 dB.", "<=", 52, "dB"),
        ("The yield of the mill reaches 91 %.", ">=", 91, "%"),
        ("The water use is reduced to 3 litres per kg.", "<=", 3, "litres per kg"),
        ("The depth is 20 cm at most.", "<=", 20, "cm"),
        ("The maximum time between two washings is 5 weeks.", "<=", 5, "weeks"),
        ("No ore with a lead content of more than 2 % is used.", "<=", 2, "%"),
        ("Lorries that emit more than 60 g CO2/km are not admitted.", "<=", 60, "g CO2/km"),
        ("The fuel use is at most 24 l/100 km.", "<=", 24, "l/100 km"),
        ("Its air leakage is below 1,2 air changes per hour.", "<", 1.2, "air changes per hour"),
        ("Not fewer than 40 trees per hectare remain.", ">=", 40, "trees per hectare"),
        ("Fuel use is below 25 g of fuel per tonne-kilometre.", "<", 25, "g of fuel per tonne-kilometre"),
        ("Manure does not exceed 150 kg N/ha.", "<=", 150, "kg N/ha"),
        ("The roof has a U-value of no more than 0,2 W/(m2·K).", "<=", 0.2, "W/(m2·K)"),
        ("The yard has no fewer than 4 loading points.", ">=", 4, "loading points"),
        ("At least four fifths of the ore is washed.", ">=", 80, "%"),
    ],
)
def test_comparisons_numbers_and_units(text: str, operator: str, value: float, unit: str) -> None:
    (item,) = limits(text)
    assert (item.operator, item.value, item.unit) == (operator, value, unit)


def test_a_decimal_comma_before_and_ends_the_number() -> None:
    first, second = limits("In new mills the use effectiveness is not more than 1,3 and the loss is below 0,4 kg/t.")
    assert (first.metric, first.value, first.unit) == ("Use effectiveness in new mills", 1.3, "")
    assert (second.metric, second.value) == ("Loss", 0.4)


def test_a_comparator_is_no_index() -> None:
    assert [i.value for i in limits("It closes the gap by at least 9 % between the mean loss and an index of 1,5.")] == [9]


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        (
            "Mills built before 2 May 2014 have a floor with a heat loss not exceeding 4 W/m2.",
            "Heat loss of floor of mills built before 2 May 2014",
        ),
        ("Ore is stored below 6 °C.", "Temperature of ore"),
        ("Lead in the wash water is kept under 2 mg/l.", "Lead in the wash water"),
        ("All wash cycles take place at 35 °C or less.", "Temperature of wash cycles"),
        ("Lorries drive no faster than 25 km/h.", "Speed of lorries"),
        ("The strip along the bank is at least 8 m wide.", "Width of strip along the bank"),
        ("Mills stand more than 400 m from dwellings.", "Distance of mills from dwellings"),
        ("No fuel is stored within 40 m of a well.", "Distance of fuel from well"),
        ("The dryer uses less than 2 kWh/t.", "Energy use of dryer"),
        ("Hedges take up at least 4 % of the field.", "Share of field taken up by hedges"),
        ("Solar panels occupy 60 % or more of the roof.", "Share of roof occupied by solar panels"),
        ("Water use falls by at least 12 % compared with 2019.", "Water use reduction relative to 2019"),
        ("Ore use per tonne is at least 15 % lower than in 2020.", "Reduction of ore use per tonne relative to 2020"),
        ("The brine is kept in use for at least 9 months.", "Time for which brine is kept in use"),
        ("Sludge stays in the tank for not less than 30 hours.", "Time for which sludge stays in the tank"),
        (
            "The mill is switched off 20 minutes or more before the end of each shift.",
            "Time between switching off of mill and end of each shift",
        ),
        ("The lease has a remaining term of not less than 12 years.", "Remaining term of the lease"),
        ("No more than 4 months pass between two washings.", "Time between two washings"),
    ],
)
def test_metrics_are_full_noun_phrases(text: str, metric: str) -> None:
    (item,) = limits(text)
    assert item.metric == metric


@pytest.mark.parametrize(
    ("item", "chapeaux", "metric", "operator", "value", "unit"),
    [
        ("until 2027: 30 g of fuel per tonne;", ["The fuel use of the mill is lower than the value for the period concerned:"],
         "Fuel use of the mill", "<", 30, "g of fuel per tonne"),
        ("by 2031, 45 %;", ["The share of washed ore reaches the following minimum levels:"],
         "Share of washed ore", ">=", 45, "%"),
        ("as of 1 January 2029: 70 kWh/t.", ["The heat demand of the kiln shall not exceed:"],
         "Heat demand of the kiln", "<=", 70, "kWh/t"),
        ("for wet ores: 0,2(9) tCO2e/t;", ["Emissions from washing are below the limit given for the ore:"],
         "Emissions from washing, wet ores", "<", 0.2, "tCO2e/t"),
        ("lead: not more than 3 mg/l;", ["its wash water respects both of the following limits:"],
         "Lead in wash water", "<=", 3, "mg/l"),
        ("mills of up to 20 employees: 4 mg/l;", ["The lead content does not exceed the following values:"],
         "Lead content, mills of up to 20 employees", "<=", 4, "mg/l"),
        ("its heat demand is at most 80 kWh/m2;", ["The mill building meets all of the following:"],
         "Heat demand of mill building", "<=", 80, "kWh/m2"),
    ],
)  # fmt: skip
def test_values_and_labels_below_a_chapeau(
    item: str, chapeaux: list[str], metric: str, operator: str, value: float, unit: str
) -> None:
    (found,) = limits(item, *chapeaux)
    assert (found.metric, found.operator, found.value, found.unit) == (metric, operator, value, unit)


def test_its_stands_for_the_subject_of_the_list_in_each_clause() -> None:
    text = "its heat demand is at most 90 kWh/m2 and its water use is lower than 2 m3/t;"
    assert [i.metric for i in limits(text, "The mill meets all of the following:")] == [
        "Heat demand of mill",
        "Water use of mill",
    ]


def test_each_of_several_values_keeps_its_case() -> None:
    found = limits("Losses are lower than 4 % for wet ores, 6 % for dry ores and 8 % for slag.")
    assert [(i.metric, i.value) for i in found] == [
        ("Losses for wet ores", 4),
        ("Losses for dry ores", 6),
        ("Losses for slag", 8),
    ]


def test_a_period_may_stand_in_front() -> None:
    (item,) = limits("Averaged over two years, the losses of the mill are below 7 %.")
    assert item.metric == "Losses of the mill"
    assert item.period is not None and item.period.model_dump() == {"type": "bounded", "value": 2, "unit": "years"}


def test_no_later_than_before_an_event_is_a_minimum() -> None:
    (item,) = limits("Neighbours are informed no later than 10 days before the start of the works.")
    assert (item.operator, item.value, item.unit) == (">=", 10, "days")


def _recurring(value: float, unit: str) -> dict[str, Any]:
    return {"type": "recurring", "interval_value": value, "interval_unit": unit}


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("The plan is updated at intervals of four years.", _recurring(4, "years")),
        ("The plan is updated at intervals of not more than four years.", _recurring(4, "years")),
        ("The plan is updated at five-year intervals.", _recurring(5, "years")),
        ("The filters are cleaned three times a year.", _recurring(4, "months")),
        ("The filters are cleaned four times per year.", _recurring(3, "months")),
        ("The filters are cleaned every quarter.", _recurring(3, "months")),
        ("The filters are cleaned half-yearly.", _recurring(6, "months")),
        ("The filters are cleaned on a two-yearly basis.", _recurring(2, "years")),
        ("An audit takes place every third year.", _recurring(3, "years")),
        ("A monthly sample is taken.", _recurring(1, "months")),
        ("Mills built in 2021 or later have filters.", {"type": "effective_from", "date": "2021-01-01"}),
        ("Mills built in or after 2021 have filters.", {"type": "effective_from", "date": "2021-01-01"}),
        ("Mills built in 2018 or earlier have filters.", {"type": "deadline", "date": "2018-12-31"}),
        ("As of 1 March 2027 no oil is burnt.", {"type": "effective_from", "date": "2027-03-01"}),
        ("Starting in 2028, losses are measured.", {"type": "effective_from", "date": "2028-01-01"}),
        ("Up to and including 30 June 2027, oil may be burnt.", {"type": "effective_until", "date": "2027-06-30"}),
        (
            "During the years 2026 to 2029 the use falls.",
            {"type": "window", "start": "2026-01-01", "end": "2029-12-31"},
        ),
    ],
)
def test_intervals_and_dates(text: str, item: dict[str, Any]) -> None:
    assert times(text) == [item]


@pytest.mark.parametrize(
    "text",
    [
        "Losses are reported in tonnes per year.",
        "The mill was named the best in 2020.",
        "Filters follow the Decision of 3 May 2011.",
        "The plant treats 80 tonnes per day.",
    ],
)
def test_other_words_of_time_are_no_dates(text: str) -> None:
    assert times(text) == []


def test_intervals_are_no_durations() -> None:
    found = extract("The plan is updated at intervals of not more than four years.")
    assert found is not None and found.quantitative is None


def test_units_and_fractions() -> None:
    assert counts_things("seats per wagon") and not counts_things("kWh per wagon")
    assert normalise_unit("W/(m2·K)") == normalise_unit("W/m2K")
    assert [parse_number(x) for x in ("one fifth", "nine tenths")] == [0.2, 0.9]
