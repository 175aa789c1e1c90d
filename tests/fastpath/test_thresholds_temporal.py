"""Dates and intervals (guidelines section 6, rulings R11, R14, D15, D21)."""

from typing import Any

import pytest
from threshold_reading import extract, times


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("Mills built before 31 December 2020 are exempt.", {"type": "deadline", "date": "2020-12-31"}),
        ("The switch takes place before 2030.", {"type": "deadline", "date": "2029-12-31"}),
        ("The mill has not been opened after 8 July 2020.", {"type": "deadline", "date": "2020-07-08"}),
        ("It is closed by the end of 2027.", {"type": "deadline", "date": "2027-12-31"}),
        ("It is closed no later than 1 March 2027.", {"type": "deadline", "date": "2027-03-01"}),
        ("It was not extended after May 2020.", {"type": "deadline", "date": "2020-05-31"}),
        ("pumps sold after 11 December 2023;", {"type": "effective_from", "date": "2023-12-11"}),
        ("pumps sold after 2011;", {"type": "effective_from", "date": "2012-01-01"}),
        ("in coastal waters (as of 2025);", {"type": "effective_from", "date": "2025-01-01"}),
        ("until 2028, kilns;", {"type": "effective_until", "date": "2028-12-31"}),
        (
            "5 g from 1 January 2026 until 31 December 2029;",
            {"type": "window", "start": "2026-01-01", "end": "2029-12-31"},
        ),
        ("sold after 2025 and before 2030;", {"type": "window", "start": "2026-01-01", "end": "2029-12-31"}),
        (
            "It is audited at least every three years.",
            {"type": "recurring", "interval_value": 3, "interval_unit": "years"},
        ),
        ("It is shown on an annual basis.", {"type": "recurring", "interval_value": 1, "interval_unit": "years"}),
        ("Every year the mill reports.", {"type": "recurring", "interval_value": 1, "interval_unit": "years"}),
        ("An annual report is made.", {"type": "recurring", "interval_value": 1, "interval_unit": "years"}),
        ("Samples are taken weekly.", {"type": "recurring", "interval_value": 7, "interval_unit": "days"}),
        ("It is checked twice a year.", {"type": "recurring", "interval_value": 6, "interval_unit": "months"}),
    ],
)
def test_items(text: str, item: dict[str, Any]) -> None:
    assert times(text) == [item]


@pytest.mark.parametrize(
    "text",
    [
        "It follows the Treaty adopted on 5 October 2001.",
        "It follows the Decision of 20 May 2020.",
        "transformers of Tier 2 (1 July 2021);",
        "10 % below the requirements applicable on 1 April 2022.",
        "It follows the 2006 Guidelines and the plan in the period 2021-2027.",
        "in line with the ‘Soil Strategy for 2030’.",
        "sites of the Natura 2000 network;",
        "Planned losses for each year of the plan are read.",
        "The yearly average intensity is read.",
        "The daily inflow and the long-term annual average rate are read.",
        "It is based on five consecutive years.",
        "by 31 February 2030",
    ],
)
def test_dates_of_other_things(text: str) -> None:
    assert times(text) == []


def test_two_dates_of_an_n_of_k_chapeau_are_both_kept() -> None:
    found = extract("The mill meets two of the following until 2025 and all of the following after 2025:")
    assert found is not None and found.temporal is not None and found.quantitative is None
    assert found.temporal.logic == "AND"
    assert [i.type for i in found.temporal.items] == ["effective_until", "effective_from"]


def test_a_date_and_an_interval_and_a_time_limit_stand_side_by_side() -> None:
    found = extract("Within two years after the start and every 10 years thereafter, the losses are verified by:")
    assert found is not None and found.quantitative is not None and found.temporal is not None
    assert [i.metric for i in found.quantitative.items] == ["Time from start to verification"]
    assert found.temporal.items[0].model_dump() == {"type": "recurring", "interval_value": 10, "interval_unit": "years"}
