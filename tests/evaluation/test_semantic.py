"""The deterministic rubric: one row per deduction of appendix D.19."""

from typing import Any

import pytest

from regreact.evaluation.semantic import (
    dependency_score,
    footnote_score,
    plain_unit,
    reference_score,
    same_quantity,
    threshold_score,
)
from regreact.schema import References
from tests.evaluation.builders import NO, YES, facts, limits, note, sources


@pytest.mark.parametrize(
    ("change", "score"),
    [
        ({}, 5.0),
        ({"unit": "kg / t"}, 5.0),
        ({"metric": "Emissions of dust from the mill"}, 5.0),
        ({"metric": "Emissions"}, 4.0),
        ({"metric": "Water use"}, 3.0),
        ({"operator": "<="}, 4.0),
        ({"operator": ">"}, 3.0),
        ({"period": {"type": "lifetime"}}, 4.0),
        ({"value": 50}, 2.0),
        ({"unit": "g/t"}, 2.0),
    ],
)
def test_threshold_deductions(change: dict[str, Any], score: float) -> None:
    assert threshold_score(limits({}), limits(change)) == score


def test_threshold_sets() -> None:
    two = limits({}, {"metric": "Noise of the mill", "value": 60, "unit": "dB"}, logic="AND")
    inverted = limits({}, {"metric": "Noise of the mill", "value": 60, "unit": "dB"}, logic="OR")
    assert threshold_score(two, two) == 5.0
    assert threshold_score(two, limits({})) == 3.0
    assert threshold_score(limits({}), two) == 3.0
    assert threshold_score(two, inverted) == 2.0


def test_threshold_order_does_not_matter() -> None:
    a, b = {"value": 5}, {"metric": "Noise", "value": 60, "unit": "dB"}
    assert threshold_score(limits(a, b, logic="AND"), limits(b, a, logic="AND")) == 5.0


def test_dates_count() -> None:
    dated = limits({}, temporal=[{"type": "deadline", "date": "2030-12-31"}])
    assert threshold_score(dated, limits({})) == 3.0
    assert threshold_score(dated, dated) == 5.0


def test_absence_on_both_sides_is_not_scored_and_on_one_side_is_one() -> None:
    assert threshold_score(None, None) == 0.0
    assert threshold_score(limits({}), None) == threshold_score(None, limits({})) == 1.0
    assert reference_score(None, None) == footnote_score((), ()) == 0.0


@pytest.mark.parametrize(
    ("gold", "found", "score"),
    [
        (sources("Directive 2010/75/EU", celex="32010L0075"),
         sources("Directive 2010/75/EU of the Council", celex="32010L0075"), 5.0),
        (sources("ISO 1:2018"), sources("ISO 1:2018", kind="citation_only"), 4.0),
        (sources("ISO 1:2018", "ISO 22:2019", logic="OR"), sources("ISO 1:2018", "ISO 22:2019", logic="AND"), 4.0),
        (sources("ISO 1:2018", "ISO 22:2019", logic="OR"), sources("ISO 1:2018"), 3.0),
        (sources("ISO 1:2018"), sources("ISO 1:2018", "ISO 333:2020", logic="AND"), 3.0),
        (sources("ISO 1:2018", "ISO 22:2019", "ISO 333:2020", logic="OR"), sources("ISO 1:2018"), 2.0),
        (sources("ISO 1:2018"), sources("ISO 99:2001"), 1.0),
    ],
)  # fmt: skip
def test_reference_deductions(gold: References, found: References, score: float) -> None:
    assert reference_score(gold, found) == score


def test_a_surplus_source_that_stands_in_the_text_is_accepted() -> None:
    text = "as in ISO 1:2018 and ISO 333:2020"
    assert reference_score(sources("ISO 1:2018"), sources("ISO 1:2018", "ISO 333:2020", logic="AND"), text) == 5.0


@pytest.mark.parametrize(
    ("change", "score"),
    [
        ({}, 5.0),
        ({"categories": ["Official Guideline/Standard", "Explanatory Note"]}, 4.5),
        ({"categories": ["Explanatory Note"]}, 4.0),
        ({"items": []}, 3.0),
        ({"definitions": [{"term": "x", "definition": "y"}]}, 4.0),
        ({"verbatim": "See"}, 3.0),
    ],
)
def test_footnote_deductions(change: dict[str, Any], score: float) -> None:
    assert footnote_score((note(),), (note(**change),)) == score


def test_footnotes_of_another_document_match_by_text() -> None:
    other = note(id="fn-77")
    assert footnote_score((note(),), (other,)) == 1.0
    assert footnote_score((note(),), (other,), same_document=False) == 5.0


@pytest.mark.parametrize(
    ("gold", "found", "score"),
    [
        (facts(), facts(), 0.0),
        (facts(("1", YES)), facts(("1.", YES)), 5.0),
        (facts(("1", YES)), facts(), 1.0),
        (facts(("1", YES)), facts(("1", NO)), 2.0),
        (facts(("1", YES)), facts(("2", YES)), 2.0),
        (facts(("1", YES), ("2", YES)), facts(("1", YES)), 3.0),
        (facts(("1", YES), ("2", YES), minimum=2), facts(("1", YES), ("2", YES)), 3.0),
        (facts(inherits="1"), facts(inherits="1"), 5.0),
        (facts(inherits="1"), facts(inherits="2"), 2.0),
        (facts(fixed=[("1(b)", "1(f)")]), facts(), 1.0),
        (facts(("1", YES), inherits="1"), facts(("1", YES)), 3.0),
    ],
)
def test_dependency_deductions(gold: dict[str, Any], found: dict[str, Any], score: float) -> None:
    assert dependency_score(gold, found) == score


def test_units_and_metrics_are_compared_by_meaning() -> None:
    assert plain_unit("g CO2eq/kWh") == plain_unit("gCO2e / kWh")
    assert plain_unit("g CO2e/kWh") != plain_unit("kg CO2e/kWh")
    assert same_quantity("Direct GHG emissions", "direct greenhouse gas emissions")
    assert not same_quantity("Direct GHG emissions", "Water flow of showers")
