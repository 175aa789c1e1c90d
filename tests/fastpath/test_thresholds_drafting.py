"""Limits and dates in the word order of other drafters: insertions, parts in front, numbers written twice, denial."""

from typing import Any

import pytest
from threshold_reading import extract, limits, times


@pytest.mark.parametrize(
    ("text", "metric", "operator", "value", "unit"),
    [
        # insertions stay as qualifiers if they narrow the quantity, else they go
        ("The height of the stack, pots not included, is at least 12 m.", "Height of the stack, pots not included", ">=", 12, "m"),
        ("Its draught, stops being counted, does not exceed 4 Pa.", "Draught, stops counted", "<=", 4, "Pa"),
        ("The yield, at full load, amounts to at least 70 %.", "Yield, at full load", ">=", 70, "%"),
        ("The heat use, referred to dry malt, is below 3 GJ/t.", "Heat use, referred to dry malt", "<", 3, "GJ/t"),
        ("The flow, measured at the inlet, does not exceed 9 m3/h.", "Flow, at the inlet", "<=", 9, "m3/h"),
        ("The flow, tested every year in accordance with ISO 9906:2012, is at least 9 m3/h.", "Flow", ">=", 9, "m3/h"),
        ("Coolants have, each of them, a warming potential below 90.", "Warming potential of coolants", "<", 90, ""),
        # relative clauses in the subject
        ("The temperature at which milk is kept is not higher than 6 °C.", "Temperature at which milk is kept", "<=", 6, "°C"),
        ("The boards of which the floor is made have a thickness of 30 mm or more.", "Thickness of boards", ">=", 30, "mm"),
        ("a kiln which burns wood and the loss of which is 5 % or less;", "Loss of kiln", "<=", 5, "%"),
        ("Air is supplied at a pressure which does not exceed 3 bar.", "Pressure of air", "<=", 3, "bar"),
        # verbs of change, results
        ("The lake falls on hot days, by not more than 0,4 m per month.", "Fall of lake", "<=", 0.4, "m per month"),
        ("The feed is warmed, by spent steam, by not less than 12 K.", "Warming of feed", ">=", 12, "K"),
        ("Sludge is pressed in filters to a water content of less than 70 %.", "Water content of sludge", "<", 70, "%"),
        ("The level is read daily, the level so read being below 3 m.", "Level", "<", 3, "m"),
        ("Pools are no deeper than 2 m.", "Depth of pools", "<=", 2, "m"),
        ("pooled vans carrying at least five persons;", "Number of persons per pooled vans", ">=", 5, "persons"),
        # denial in front or in the middle
        ("At no time does the noise exceed 45 dB(A).", "Noise", "<=", 45, "dB(A)"),
        ("The noise is at no time in excess of 45 dB(A).", "Noise", "<=", 45, "dB(A)"),
        ("The capacity, spare pumps not being counted, is not in excess of 8 kW.", "Capacity, spare pumps not counted", "<=", 8, "kW"),
        ("The level is in no case below 3 m.", "Level", ">=", 3, "m"),
        ("The yard is not to exceed 3 ha.", "Area of yard", "<=", 3, "ha"),
        # units
        ("Water use does not exceed 3 m3 per cow and year.", "Water use", "<=", 3, "m3 per cow and year"),
        ("The exchange rate of the air is lower than 2 h-1.", "Exchange rate of the air", "<", 2, "h-1"),
        ("hedges: 30 m or more per hectare of field;", "Length of hedges", ">=", 30, "m per hectare of field"),
        ("Sheds use not more than 6¼ litres of water per cow.", "Use of sheds", "<=", 6.25, "litres of water per cow"),
    ],
)  # fmt: skip
def test_names_and_values(text: str, metric: str, operator: str, value: float, unit: str) -> None:
    (item,) = limits(text)
    assert (item.metric, item.operator, item.value, item.unit) == (metric, operator, value, unit)


@pytest.mark.parametrize(
    ("text", "metric", "value"),
    [
        ("no less than two fifths (40 %) of the heat is reused;", "Share of heat reused", 40),
        ("At least one third (33 %) of the ore is washed.", "Share of ore washed", 33),
        ("Half or more of the feed is grown on the farm.", "Share of feed that are grown on the farm", 50),
        ("Bark is, to the extent of at least 60 % by mass, burnt.", "Share of bark burnt by mass", 60),
        ("Boxes consist, as to not less than 70 %, of paper.", "Paper share of boxes", 70),
        ("Of the water drawn, at least 30 % is reused.", "Share of water drawn reused", 30),
        ("meals of which at least 50 %, by cost, consists of local produce;", "Local produce share of the meals by cost", 50),
        ("Panels extend over at least 60 % of that part of the roof which is flat.", "Share of panels in roof which is flat", 60),
        ("pesticides: on no more than 5 % of the land.", "Share of the land, pesticides", 5),
        ("Losses are at least a third lower than in 2019.", "Reduction of losses relative to 2019", 33.33),
        ("The tank has a capacity equal to at least 110 % of the oil.", "Capacity of tank relative to oil", 110),
    ],
)  # fmt: skip
def test_shares(text: str, metric: str, value: float) -> None:
    (item,) = limits(text)
    assert (item.metric, item.value, item.unit) == (metric, value, "%")


def test_alternatives_with_a_predicate_each_are_two_shares() -> None:
    text = "either not less than 50 % of the heat is waste heat, or not less than 75 % of the heat is solar heat;"
    found = extract(text)
    assert found is not None and found.quantitative is not None and found.quantitative.logic == "OR"
    assert [i.metric for i in found.quantitative.items] == ["Share of heat that are waste heat", "Share of heat that are solar heat"]


def test_values_in_their_periods() -> None:
    first, second = limits("Dust is at most 25 mg/m3 until 31 March 2029 and at most 10 mg/m3 from 1 April 2029.")
    assert (first.metric, first.value) == ("Dust until 31 March 2029", 25)
    assert (second.metric, second.value) == ("Dust from 1 April 2029", 10)
    first, second = limits("Dust does not exceed 5 mg/m3 in towns and 9 mg/m3 elsewhere.")
    assert (second.metric, second.value, second.unit) == ("Dust elsewhere", 9, "mg/m3")


@pytest.mark.parametrize(
    ("text", "metric", "value", "unit"),
    [
        ("Where lorries are bought used, they have an engine and are at most six years old.", "Age of the lorries", 6, "years"),
        ("Where pumps are kept in reserve, each of them runs for not more than 90 hours.", "Running time of pumps", 90, "hours"),
        ("The lease runs for at least seven and a half years.", "Period covered by the lease", 7.5, "years"),
        ("draining time of the basin: 8½ minutes at most;", "Draining time of the basin", 8.5, "minutes"),
        ("lease: at least ten (10) years;", "Duration of the lease", 10, "years"),
        ("lamps: standby after no more than 60 seconds;", "Time to standby", 60, "seconds"),
        ("The miller keeps the records for at least six years.", "Retention period of records", 6, "years"),
        ("The mill checks the dam within 60 days of the flood and twice a year thereafter.", "Time from flood", 60, "days"),
    ],
)  # fmt: skip
def test_durations(text: str, metric: str, value: float, unit: str) -> None:
    (item,) = limits(text)
    assert item.metric.startswith(metric)
    assert (item.value, item.unit) == (value, unit)


def test_a_rolling_period_counts_for_hours() -> None:
    (item,) = limits("Engines run for not more than 40 hours in any rolling period of two years.")
    assert item.period is not None and item.period.model_dump() == {"type": "bounded", "value": 2, "unit": "years"}


@pytest.mark.parametrize(
    ("item", "chapeau", "metric", "operator", "value"),
    [
        ("from 1 May 2027 to 30 April 2031: 30 %;", "The lime content of the feed is, by mass, not lower than that given for the period:",
         "Lime content of the feed, by mass", ">=", 30),
        ("for kilns built after 2019: 4,4;", "The heat factor of the kiln is not lower than the value, among those given below, which "
         "corresponds to its age:", "Heat factor of the kiln, kilns built after 2019", ">=", 4.4),
        ("class B: 0,5;", "The losses do not exceed what is stated for the class:", "Losses, class B", "<=", 0.5),
        ("by night, a maximum of 40 dB(A);", "as regards noise at the fence, each of the following values is observed:",
         "Noise at the fence, by night", "<=", 40),
        ("yard lighting: at least 50 lux;", "The rebuilt yard shows all four values below:", "Yard lighting", ">=", 50),
        ("fans: noise of not more than 55 dB(A);", "The shed meets both of the following:", "Noise of fans", "<=", 55),
    ],
)  # fmt: skip
def test_values_of_lists(item: str, chapeau: str, metric: str, operator: str, value: float) -> None:
    (found,) = limits(item, chapeau)
    assert found.metric.startswith(metric)
    assert (found.operator, found.value) == (operator, value)


def test_a_chapeau_with_a_duty_besides_its_value_announces_no_values() -> None:
    assert limits("for wet ore: 5 kg;", "The losses are lower than the value for the ore and the mill has a plan:") == []


@pytest.mark.parametrize(
    "text",
    [
        "Where no quay lies within 50 km of the mill, the ore is burnt.",
        "Where a mill is not repaired within 5 days, it is closed.",
        "In mills that have a capacity of more than 5 MW a council is heard.",
        "Samples are taken at least three times a year.",
        "At least two of the following are met.",
        "At least one tree is left.",
        "The group consists of over ten mills of one owner.",
        "The period between two washings is stated.",
    ],
)
def test_cases_frequencies_and_parts_of_rules_are_no_limits(text: str) -> None:
    assert limits(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("If ore is moved as described in point 1(a), oils have a plant content of at least 60 %, determined in accordance with EN 16640:2017.", 60),
        ("in rows which lie at a distance of not less than 300 m from the nearest house.", 300),
        ("The supply temperature, measured at the point of delivery, does not exceed 60 °C.", 60),
        ("Where a check finds a leak, the leak is repaired within 9 days.", 9),
        ("At least two trees are planted on the bank.", 2),
        ("By way of derogation from point 1, where no sewer lies within 2 km of it, the water is brought to less than 90 mg/l.", 90),
    ],
)  # fmt: skip
def test_cases_leave_the_limit_behind_them(text: str, value: float) -> None:
    assert [item.value for item in limits(text)] == [value]


def _recurring(value: float, unit: str) -> dict[str, Any]:
    return {"type": "recurring", "interval_value": value, "interval_unit": unit}


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("From the year 2027, losses fall.", {"type": "effective_from", "date": "2027-01-01"}),
        ("From and including 1 May 2027, oil is not burnt.", {"type": "effective_from", "date": "2027-05-01"}),
        ("Following 1 May 2027, oil is not burnt.", {"type": "effective_from", "date": "2027-05-01"}),
        ("The kiln is not lit before 1 May 2027.", {"type": "effective_from", "date": "2027-05-01"}),
        ("It is opened no sooner than 1 June 2028.", {"type": "effective_from", "date": "2028-06-01"}),
        ("Mills built before 1 May 2007 are not used.", {"type": "deadline", "date": "2007-05-01"}),
        ("No mills built before 1 May 2007 are used.", {"type": "deadline", "date": "2007-05-01"}),
        ("By the end of the year 2031, oil is gone.", {"type": "deadline", "date": "2031-12-31"}),
        ("The kiln is closed on 31 December 2027 at the latest.", {"type": "deadline", "date": "2027-12-31"}),
        ("The kiln is closed in 2027 at the latest.", {"type": "deadline", "date": "2027-12-31"}),
        ("Oil is not burnt until 2030.", {"type": "effective_until", "date": "2030-12-31"}),
        ("Through 2029, oil is burnt.", {"type": "effective_until", "date": "2029-12-31"}),
        ("Samples are taken once in three years.", _recurring(3, "years")),
        ("Samples are taken once per annum.", _recurring(1, "years")),
        ("Samples are taken every fortnight.", _recurring(14, "days")),
        ("Samples are taken every half year.", _recurring(6, "months")),
        ("Samples are taken twice yearly.", _recurring(6, "months")),
        ("Samples are taken thrice a year.", _recurring(4, "months")),
        ("Samples are taken at intervals not exceeding five years.", _recurring(5, "years")),
    ],
)
def test_dates_and_intervals(text: str, item: dict[str, Any]) -> None:
    assert times(text) == [item]
