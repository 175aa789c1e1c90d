"""Thresholds: each deduction of the table, and how deductions add up."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreact.evaluation.semantic import plain_unit, quantity_deduction, same_quantity, threshold_score, words
from regreact.evaluation.semantic.wording import bare_unit
from regreact.schema import QuantitativeItem, Threshold
from tests.evaluation.builders import BASE, limits

OVER_3 = {"type": "bounded", "value": 3, "unit": "years"}
OVER_5 = {"type": "bounded", "value": 5, "unit": "years"}


@pytest.mark.parametrize(
    ("gold", "found", "lost"),
    [
        # strictness: one side of the bound or the other
        ({"operator": "<"}, {"operator": "<="}, 1),
        ({"operator": ">="}, {"operator": ">"}, 1),
        ({"operator": "="}, {"operator": "<="}, 1),
        # direction: what passes one fails the other
        ({"operator": "<"}, {"operator": ">="}, 2),
        ({"operator": "="}, {"operator": "<"}, 2),
        ({"operator": "<="}, {"operator": ">="}, 2),
        ({"value": 10}, {"value": 10.0}, 0),
        ({"value": 10}, {"value": 100}, 3),
        ({"unit": "%"}, {"unit": "per cent"}, 0),
        ({"unit": "litres"}, {"unit": "litre"}, 0),
        ({"unit": "g CO2e/kWh"}, {"unit": "gCO2eq/kWh"}, 0),
        ({"unit": "g"}, {"unit": "kg"}, 3),
        ({"unit": "tCO2e/t of slag"}, {"unit": "tCO2e/t"}, 1),
        ({"unit": "% by weight"}, {"unit": "%"}, 1),
        ({"period": OVER_3}, {}, 1),
        ({"period": OVER_3}, {"period": OVER_5}, 2),
        ({"period": OVER_3}, {"period": {"type": "lifetime"}}, 2),
        ({"metric": "Water use of the urinals"}, {"metric": "Urinals"}, 1),
        ({"metric": "Primary Energy Demand"}, {"metric": "PED"}, 0),
        ({"metric": "Noise at the fence"}, {"metric": "Water use"}, 2),
        # errors add up
        ({"operator": "<", "value": 1}, {"operator": "<=", "value": 2}, 4),
    ],
)
def test_an_item_loses(gold: dict[str, Any], found: dict[str, Any], lost: float) -> None:
    first, second = (QuantitativeItem.model_validate({**BASE, **side}) for side in (gold, found))
    assert quantity_deduction(first, second) == lost
    assert quantity_deduction(second, first) == lost


A, B, C = (
    {"metric": f"Share of metal {metal}", "value": value, "unit": "%"}
    for metal, value in (("tin", 1), ("zinc", 20), ("lead", 300))
)


@pytest.mark.parametrize(
    ("gold", "found", "score"),
    [
        # one of two absent or one too many: level 3; two of three absent: level 2
        (limits(A, B, logic="AND"), limits(A), 3.0),
        (limits(A), limits(A, B, logic="AND"), 3.0),
        (limits(A, B, C, logic="AND"), limits(A), 2.0),
        (limits(A, B, logic="OR"), limits(A, B), 4.0),
        (limits(A, B, logic="OR"), limits(A, B, logic="AND"), 2.0),
        # one of two values wrong: level 2, as for a single item
        (limits(A, B, logic="OR"), limits(A, {**B, "value": 7}, logic="OR"), 2.0),
        # errors of detail alone do not go below 2: the threshold was recognised
        (limits(A), limits({**A, "value": 9, "operator": "<="}), 2.0),
        # value, unit and metric wrong: another threshold, as wrong as none
        (limits(A), limits({"metric": "Noise", "value": 60, "unit": "dB"}), 1.0),
    ],
)
def test_sets_of_items(gold: Threshold, found: Threshold, score: float) -> None:
    assert threshold_score(gold, found) == score


def by(date: str, kind: str = "deadline") -> dict[str, Any]:
    return {"type": kind, "date": date}


EVERY_10 = {"type": "recurring", "interval_value": 10, "interval_unit": "years"}
EVERY_5 = {"type": "recurring", "interval_value": 5, "interval_unit": "years"}
WINDOW = {"type": "window", "start": "2030-01-01", "end": "2030-12-31"}
INTERVAL = {"metric": "Interval between two audits", "operator": "=", "value": 10, "unit": "years"}


@pytest.mark.parametrize(
    ("gold", "found", "score"),
    [
        ([by("2030-12-31")], [by("2030-12-31")], 5.0),
        ([by("2030-12-31")], [by("2031-12-31")], 2.0),
        # until and deadline bound the same side, from the other one
        ([by("2030-12-31")], [by("2030-12-31", "effective_until")], 4.0),
        ([by("2030-12-31")], [by("2030-12-31", "effective_from")], 3.0),
        ([EVERY_10], [EVERY_5], 2.0),
        ([WINDOW], [{**WINDOW, "end": "2031-12-31"}], 2.0),
        ([WINDOW], [by("2030-12-31")], 1.0),
    ],
)
def test_dates_and_intervals(gold: list[dict[str, Any]], found: list[dict[str, Any]], score: float) -> None:
    assert threshold_score(limits(temporal=gold), limits(temporal=found)) == score


def test_logic_of_dates_counts() -> None:
    both = [by("2030-12-31"), by("2025-01-01", "effective_from")]
    assert threshold_score(limits(temporal=both, joiner="AND"), limits(temporal=both, joiner="OR")) == 2.0
    assert threshold_score(limits(temporal=both, joiner="AND"), limits(temporal=both)) == 4.0


def test_an_absent_date_beside_a_right_number_is_one_gap() -> None:
    assert threshold_score(limits({}, temporal=[by("2030-12-31")]), limits({})) == 3.0
    assert threshold_score(limits({}), limits({}, temporal=[by("2030-12-31")])) == 3.0


def test_an_interval_may_stand_on_either_side() -> None:
    # Rule 1 of the threshold judge.
    assert threshold_score(limits(temporal=[EVERY_10]), limits(INTERVAL)) == 5.0
    assert threshold_score(limits(INTERVAL), limits(temporal=[EVERY_10])) == 5.0
    # A duration that must be reached is no interval: another quantity (-1) with the opposite direction (-2).
    duration = {"metric": "Age of the kiln", "operator": ">=", "value": 10, "unit": "years"}
    assert threshold_score(limits(temporal=[EVERY_10]), limits(duration)) == 2.0


def test_words_are_compared_by_stem_and_without_expanded_acronyms() -> None:
    assert words("reduced properties") == words("reducing property")
    assert words("Kiln Load Index (KLI) of the site") == words("KLI of the site")
    assert same_quantity("Direct GHG emissions", "direct emissions of greenhouse gases")
    # F1 of content words: 4 of 4 and 8 is 0.67, 1 of 1 and 3 is 0.5.
    assert same_quantity("Direct (tailpipe) dust emissions", "Direct (tailpipe) dust emissions of kilns by road per trip made")
    assert not same_quantity("Urinals", "Water use of urinals")
    assert same_quantity("", "") and not same_quantity("", "Dust")


def test_what_a_unit_counts_is_set_apart() -> None:
    assert bare_unit("tCO2e/t of slag") == plain_unit("tCO2e/t")
    assert bare_unit("kWh per m3 of water") == plain_unit("kWh/m3")


ITEMS = st.fixed_dictionaries(
    {
        "metric": st.sampled_from(["Dust of the mill", "Dust", "Noise", "Water use"]),
        "operator": st.sampled_from(["<", "<=", "=", ">=", ">"]),
        "value": st.integers(1, 3),
        "unit": st.sampled_from(["%", "kg", "kg of slag"]),
        "period": st.sampled_from([None, OVER_3]),
    }
)
THRESHOLDS = st.builds(
    lambda items, logic: limits(*items, logic=logic if len(items) > 1 else None),
    st.lists(ITEMS, min_size=1, max_size=3),
    st.sampled_from([None, "AND", "OR"]),
)


@given(THRESHOLDS, THRESHOLDS)
def test_scores_are_bounded_and_identity_is_best(a: Threshold, b: Threshold) -> None:
    assert 1.0 <= threshold_score(a, b) <= 5.0
    assert threshold_score(a, a) == 5.0
