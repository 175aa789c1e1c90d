"""What a model is asked, and what has one answer by construction."""

from __future__ import annotations

from typing import Any

import pytest

from regreact.schema import Quantitative, QuantitativeItem, Threshold
from regreact.stages import asking
from signatures.types import CriterionFacts, CriterionView, ThresholdEntry

LIMIT = Threshold(quantitative=Quantitative(items=(QuantitativeItem(metric="Dust", operator="<", value=5, unit="%"),)))


def section(*rows: tuple[str, str | None, str], logic: dict[str, Any] | None = None, limits: tuple[str, ...] = ()) -> Any:
    criteria = [CriterionView(criterion_id=i, parent=p, block=n, text=t) for n, (i, p, t) in enumerate(rows)]
    facts = [CriterionFacts(criterion_id=i, evaluation_logic=(logic or {}).get(i)) for i, _, _ in rows]
    registered = [ThresholdEntry(criterion_id=i, threshold=LIMIT) for i in limits]
    return {"criteria": criteria, "facts": facts, "thresholds": registered}


def children(chapeau: str, *items: str) -> Any:
    return section(("1", "ROOT", chapeau), *((f"1({c})", "1", t) for c, t in zip("abcdef", items, strict=False)))


def test_only_what_has_children_has_a_logic() -> None:
    inputs = children("The mill is clean:", "dust is swept;")
    assert asking.has_children(inputs, "1")
    assert not asking.has_children(inputs, "1(a)")


@pytest.mark.parametrize(
    ("chapeau", "items", "worth"),
    [
        ("The mill meets either of the following:", ("it is new;", "its dust is measured;", "it is closed."), True),
        ("The mill has:", ("a lid;", "a fan; or", "a hood."), True),
        ("The mill meets all of the following:", ("a lid;", "a fan;", "a hood."), False),
        ("The mill meets either of the following:", ("a lid;", "a fan."), False),
    ],
)
def test_pathways_need_a_choice_among_three(chapeau: str, items: tuple[str, ...], worth: bool) -> None:
    assert asking.may_hold_pathways(children(chapeau, *items), "1") is worth


@pytest.mark.parametrize(
    ("text", "worth"),
    [("Dust is below 5 %.", True), ("Half of the dust is kept.", True), ("The mill is checked annually.", True),
     ("Emissions are zero.", True), ("The mill is closed.", False)],
)  # fmt: skip
def test_thresholds_need_a_number_or_a_period(text: str, worth: bool) -> None:
    assert asking.may_state_a_number(section(("1", "ROOT", text)), "1") is worth


@pytest.mark.parametrize(
    ("text", "worth"),
    [("Dust is measured under Directive 2008/50/EC.", True), ("The mill follows the Lakes Convention.", True),
     ("The mill follows a code of conduct.", True), ("The mill is closed.", False), ("1. Dust is swept.", False)],
)  # fmt: skip
def test_references_need_a_number_a_name_or_a_word_for_documents(text: str, worth: bool) -> None:
    assert asking.may_cite(section(("1", "ROOT", text)), "1") is worth


def test_a_wrong_point_is_one_that_is_missing_or_that_a_serving_paragraph_names() -> None:
    rows = (
        ("1", "ROOT", "1. Mills meet point 2."),
        ("2", "ROOT", "2. Mills meet point 7(c)."),
        ("2.Verification", "ROOT", "Compliance with point 1 is verified."),
        ("3", "ROOT", "3. Mills are clean."),
    )
    inputs = section(*rows)
    assert [asking.may_cite_wrongly(inputs, i) for i, _, _ in rows] == [False, True, True, False]


def test_inheritance_needs_a_point_with_a_limit_or_one_to_be_looked_for() -> None:
    rows = (
        ("1", "ROOT", "1. Dust is below 5 %."),
        ("2", "ROOT", "2. Old mills respect the limit of point 1."),
        ("3", "ROOT", "3. Mills that meet point 4 have a log."),
        ("4", "ROOT", "4. Mills are clean."),
        ("5", "ROOT", "5. Small mills respect the limit of point 9(b)."),
    )
    inputs = section(*rows, limits=("1",))
    assert [asking.may_inherit(inputs, i) for i, _, _ in rows] == [False, True, False, False, True]
    assert [asking.may_inherit(section(*rows), i) for i, _, _ in rows] == [False, True, False, False, True]


def test_gating_needs_an_alternative_a_point_or_words_of_exemption() -> None:
    rows = (
        ("1", "ROOT", "1. The mill meets one of the following:"),
        ("1(a)", "1", "it has a lid;"),
        ("1(b)", "1", "where a lid is not feasible, it has a hood."),
        ("1(a).Methodology", "1", "Lids are tested every year."),
        ("2", "ROOT", "2. Mills are clean."),
        ("2.Methodology", "ROOT", "Cleaning follows a plan."),
        ("3", "ROOT", "3. Small mills are not required to keep a log."),
    )
    inputs = section(*rows, logic={"ROOT": "AND", "1": "OR"})
    worth = {i: asking.may_be_gated(inputs, i) for i, _, _ in rows}
    assert [i for i, yes in worth.items() if yes] == ["1(b)", "1(a).Methodology", "3"]
