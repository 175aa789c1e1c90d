"""Limits and dates: one row per rule, invented sentences in the style of the sources."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreact.fastpath.thresholds import extract_thresholds
from regreact.observers.thresholds import numbers_in
from regreact.schema import QuantitativeItem, Threshold
from signatures.types import CriterionView, UnitHeader

UNIT = UnitHeader(unit="X-1/SC", activity="Ore washing", objective="", section="SC")


def extract(text: str, chapeau: str | None = None) -> Threshold | None:
    views = [CriterionView(criterion_id="ROOT", parent=None, block=None, text="")]
    if chapeau is not None:
        views.append(CriterionView(criterion_id="1", parent="ROOT", block=0, text=chapeau))
    views.append(CriterionView(criterion_id="1(a)", parent=views[-1].criterion_id, block=1, text=text))
    return {a.id: a.value for a in extract_thresholds(UNIT, views)}["1(a)"]


def limits(text: str, chapeau: str | None = None) -> list[QuantitativeItem]:
    found = extract(text, chapeau)
    return list(found.quantitative.items) if found and found.quantitative else []


def times(text: str) -> list[dict[str, Any]]:
    found = extract(text)
    return [i.model_dump() for i in found.temporal.items] if found and found.temporal else []


@pytest.mark.parametrize(
    ("text", "operator", "value", "unit"),
    [
        ("Dust emissions from the mill are lower than 40 mg/m3.", "<", 40, "mg/m3"),
        ("Dust emissions are below 0,5 kg per tonne of ore.", "<", 0.5, "kg per tonne of ore"),
        ("The water use of the plant does not exceed 3 m3/t.", "<=", 3, "m3/t"),
        ("The mill has a maximum power draw of 6 kW.", "<=", 6, "kW"),
        ("The share of recycled ore is at least 65 %.", ">=", 65, "%"),
        ("The yield of the mill is not lower than 90 %.", ">=", 90, "%"),
        ("The power density of the dam is above 5 W/m2.", ">", 5, "W/m2"),
        ("The yield exceeds 80 %.", ">", 80, "%"),
        ("Methane emissions are equal to 0 g CO2e/km.", "=", 0, "g CO2e/km"),
        ("Washing does not lead to losses above 0,5 %.", "<=", 0.5, "%"),
        ("The energy use equals to or is lower than 0.5 kWh/m3.", "<=", 0.5, "kWh/m3"),
        ("The recovery rate is 10 % or more.", ">=", 10, "%"),
        ("The global warming potential (GWP) of the coolant does not exceed 150.", "<=", 150, ""),
        ("Life-cycle GHG emissions are lower than 100gCO2e/kWh.", "<", 100, "g CO2e/kWh"),
        ("Emissions are lower than 0,038(150) tCO2e per tonne of soda.", "<", 0.038, "tCO2e per tonne of soda"),
        ("Direct emissions of the mill are zero.", "=", 0, ""),
        ("Trucks have zero direct (tailpipe) CO2 emissions.", "=", 0, ""),
        ("The retrofit reduces fuel consumption of the pump by at least 10 %.", ">=", 10, "%"),
        ("Emissions of the pump are at least 20 % lower than the reference.", ">=", 20, "%"),
        ("The pond has a value 10 % below the reference value.", ">=", 10, "%"),
        ("The plan covers a period of at least ten years.", ">=", 10, "years"),
        ("Within two years after the beginning of the activity, dams are inspected.", "<=", 2, "years"),
        ("The pump is not older than 10 years.", "<=", 10, "years"),
    ],
)
def test_limits(text: str, operator: str, value: float, unit: str) -> None:
    (item,) = limits(text)
    assert (item.operator, item.value, item.unit) == (operator, value, unit)


@pytest.mark.parametrize(
    "text",
    [
        "Plants with a rated thermal input exceeding 50 MW apply the best techniques.",
        "Holdings under 13 ha are not required to draw up a plan.",
        "Where the pond holds more than 500 m3, its dam is inspected.",
        "The plan follows Article 29(4) of Directive (EU) 2018/2001.",
        "The method follows ISO 14067:2018.",
        "Vehicles of category M2 are washed.",
        "The technology has reached at least TRL 7.",
        "Trucks are zero-emission vehicles.",
        "The site runs zero tailpipe CO2 emission trains.",
        "Emissions are lower than the reference.",
        "2.1. The plan is updated.",
        "The note(12) explains the plan.",
    ],
)
def test_numbers_that_are_no_limits(text: str) -> None:
    assert limits(text) == []


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        (
            "1. The life-cycle GHG emissions from ore washing are lower than 3 kg.",
            "Life-cycle GHG emissions from ore washing",
        ),
        ("showers have a maximum water flow of 8 litres/min;", "Water flow of showers"),
        (
            "The retrofit reduces fuel consumption of the pump by at least 10 %.",
            "Fuel consumption of the pump reduction",
        ),
        ("At least 65 % of the ore by weight consists of recycled ore.", "Recycled ore share of the ore by weight"),
        ("The plan covers a period of 10 years or more.", "Period covered by the plan"),
    ],
)
def test_metrics_keep_their_qualifiers(text: str, metric: str) -> None:
    assert limits(text)[0].metric == metric


def test_alternatives_are_or_and_joint_limits_are_and() -> None:
    either = extract("Losses are lower than 5 %, or dust emissions do not exceed 3 mg/m3.")
    both = extract("Losses are lower than 5 % and dust emissions do not exceed 3 mg/m3.")
    assert either is not None and either.quantitative is not None and either.quantitative.logic == "OR"
    assert both is not None and both.quantitative is not None and both.quantitative.logic == "AND"


def test_periods() -> None:
    (bounded,) = limits("Annual emissions do not exceed 550 kg over 20 years.")
    (lifetime,) = limits("Emissions fall by at least 55 % over the lifetime of the plant.")
    assert bounded.period is not None and bounded.period.model_dump() == {
        "type": "bounded",
        "value": 20,
        "unit": "years",
    }
    assert lifetime.period is not None and lifetime.period.type == "lifetime"


def test_items_take_operator_and_quantity_from_their_chapeau() -> None:
    (item,) = limits("for soda: 0,32(142) tCO2e/t of soda;", "Emissions from the works are lower than:")
    assert (item.operator, item.value, item.unit) == ("<", 0.32, "tCO2e/t of soda")
    assert "soda" in item.metric and "Emissions" in item.metric


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("The pump is replaced by 31 December 2030.", {"type": "deadline", "date": "2030-12-31"}),
        ("The pump is replaced by 2030.", {"type": "deadline", "date": "2030-12-31"}),
        ("From 1 January 2026, dams are lined.", {"type": "effective_from", "date": "2026-01-01"}),
        ("From 2028, dams are lined.", {"type": "effective_from", "date": "2028-01-01"}),
        ("For pumps installed after 2011, filters are fitted.", {"type": "effective_from", "date": "2012-01-01"}),
        ("Until 31 December 2025, losses are reported.", {"type": "effective_until", "date": "2025-12-31"}),
        ("Between 2026 and 2030, losses fall.", {"type": "window", "start": "2026-01-01", "end": "2030-12-31"}),
        ("Dams are inspected every five years.", {"type": "recurring", "interval_value": 5, "interval_unit": "years"}),
        ("Dams are inspected annually.", {"type": "recurring", "interval_value": 1, "interval_unit": "years"}),
        ("Dams are inspected every 6 months.", {"type": "recurring", "interval_value": 6, "interval_unit": "months"}),
    ],
)
def test_dates_and_intervals(text: str, item: dict[str, Any]) -> None:
    assert times(text) == [item]


@pytest.mark.parametrize(
    "text",
    [
        "It complies with the Decision of 3 May 2011.",
        "It meets the requirements applicable on 1 April 2022.",
        "It reflects the average of plants in 2016 and 2017.",
    ],
)
def test_dates_of_other_things_are_skipped(text: str) -> None:
    assert times(text) == []


@given(st.floats(0.001, 99999).map(lambda x: round(x, 3)), st.sampled_from(["%", "kWh", "g CO2e/kWh", "W/m2"]))
def test_every_value_stands_in_the_text(value: float, unit: str) -> None:
    text = f"The losses of the plant are lower than {value:.3f} {unit}."
    for item in limits(text):
        assert item.value in numbers_in(text)


@given(st.text(max_size=300))
def test_any_text_gets_an_answer(text: str) -> None:
    extract(text)
