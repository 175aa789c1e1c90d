"""What only the answers of several stages show, and that the stage that answered has to answer again."""

from __future__ import annotations

from typing import Any

import pytest

from regreact.answers import Inheritance, LogicValue
from regreact.config import load
from regreact.observers.cross_stage import Answers, findings
from regreact.program import RegReAct
from regreact.reference import Reference
from regreact.runner import Extractor
from regreact.schema import Clause, Dependencies, Quantitative, QuantitativeItem, Threshold
from regreact.sources.model import Block, Unit
from signatures.types import CriterionView

LIMIT = Threshold(quantitative=Quantitative(items=(QuantitativeItem(metric="Dust", operator="<", value=5, unit="%"),)))
TREE = [
    CriterionView(criterion_id="ROOT", parent=None, block=None, text=""),
    CriterionView(criterion_id="1", parent="ROOT", block=0, text="1. The mill meets one of the following:"),
    CriterionView(criterion_id="1(a)", parent="1", block=1, text="dust is below 5 %;"),
    CriterionView(criterion_id="1(b)", parent="1", block=2, text="the mill is closed."),
    CriterionView(criterion_id="1(a).Verification", parent="1", block=3, text="Dust is verified by an auditor."),
    CriterionView(criterion_id="2", parent="ROOT", block=4, text="2. Old mills meet the limit of point 1(a)."),
]
GATE = Dependencies(
    condition_summary="Applies only where 1(a) is chosen.", min_conditions_to_meet=1,
    clauses=(Clause(criterion_id="1(a)", status="Affirmation"),),
)  # fmt: skip


def right() -> dict[str, dict[str, Any]]:
    return {
        "ExtractThresholds": {"1(a)": LIMIT, "1(b)": None, "1(a).Verification": None, "1": None, "2": None},
        "InferLogic": {"ROOT": LogicValue("AND"), "1": LogicValue("OR"), "1(a)": LogicValue("LEAF")},
        "AssignTags": {"1(a)": (), "1(b)": (), "1(a).Verification": ("Verification",)},
        "InheritThresholds": {"2": Inheritance("1(a)", LIMIT)},
        "ResolveDependencies": {"1(a).Verification": GATE, "2": None},
    }


def seen(signature: str, item: str, value: Any) -> list[tuple[str, str, str]]:
    values = right()
    values[signature][item] = value
    return [(name, i.item_id, i.field) for name, i in findings(Answers(TREE, values))]


def test_right_answers_show_nothing() -> None:
    assert findings(Answers(TREE, right())) == []


def test_a_limit_that_others_take_over_must_have_been_found() -> None:
    assert seen("ExtractThresholds", "1(a)", None) == [
        ("ExtractThresholds", "1(a)", "threshold"),
        ("InheritThresholds", "2", "threshold"),
    ]


@pytest.mark.parametrize(
    ("item", "value"), [("1", LogicValue("LEAF")), ("1(a)", LogicValue("AND")), ("1", LogicValue("N_OF_K", 3))]
)
def test_logic_must_fit_the_children_that_take_part(item: str, value: LogicValue) -> None:
    assert ("InferLogic", item, "evaluation_logic") in seen("InferLogic", item, value)


def test_a_dependency_leads_to_a_criterion() -> None:
    clause = Clause(criterion_id="7", status="Affirmation")
    found = seen("ResolveDependencies", "2", GATE.model_copy(update={"clauses": (clause,)}))
    assert found == [("ResolveDependencies", "2", "dependencies")]


def test_a_paragraph_on_an_alternative_depends_on_it() -> None:
    assert seen("ResolveDependencies", "1(a).Verification", None) == [
        ("ResolveDependencies", "1(a).Verification", "dependencies")
    ]


def test_the_type_in_an_identifier_is_a_tag() -> None:
    assert seen("AssignTags", "1(a).Verification", ("Assessment",)) == [("AssignTags", "1(a).Verification", "tags")]


UNIT = Unit(
    "X-1/SC", "Milling", "", "SC", "x", "0" * 64, "html",
    (
        Block(0, "p", 0, None, "1. Dust is below 5 % of the flour.", path="/p[1]"),
        Block(1, "p", 0, None, "2. Old mills respect the limit laid down in point 1.", path="/p[2]"),
    ),
)  # fmt: skip


def reference() -> Reference:
    """The right answers, as the solvers give them."""
    from regreact.simulated import STAGE_SIGNATURES, to_item  # noqa: PLC0415  registers all solvers

    state = RegReAct(load([])).flow.run({"unit": UNIT, "activity_memory": _memory(), "official": None})
    places = {c.criterion_id: str(c.block) if c.block is not None else c.criterion_id for c in state["structure"].criteria}
    values: dict[str, dict[str, Any]] = {}
    for output in state.values():
        for name, outcome in getattr(output, "outcomes", {}).items():
            for i, a in outcome.answers.items():
                left = {"confidence", "quotes", "block" if name == "ParseStructure" else "criterion_id"}
                place = i if name == "ParseStructure" else places[i]
                values.setdefault(name, {})[place] = {
                    k: v for k, v in to_item(name, a).items() if k not in left
                }
    assert set(values) <= set(STAGE_SIGNATURES)
    values["SummariseRules"] = {p: {"rule_summary": f"Criterion {p}."} for p in places.values()}
    return Reference(values, places)


def _memory() -> Any:
    from regreact.program import activity_memory  # noqa: PLC0415

    return activity_memory(UNIT)


class Forgetful:
    """A plan that leaves the threshold of criterion 1 out until the guidance says that another one needs it."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, str]] = []
        self.injected: list[Any] = []

    def spoil_reply(self, unit: str, signature: str) -> str:
        return ""

    def spoil(self, unit: str, signature: str, place: str, item_id: str, item: Any, guidance: str, scene: Any) -> Any:
        self.asked.append((signature, item_id, guidance))
        if signature == "ExtractThresholds" and item_id == "1" and "takes its limit from here" not in guidance:
            return {**item, "threshold": None}
        if signature == "InheritThresholds" and item_id == "2":
            return {**item, "threshold_from": "1", "threshold": {"quantitative": {"logic": None, "items": [
                {"metric": "Dust", "operator": "<", "value": 5, "unit": "%"}]}, "temporal": None}}  # fmt: skip
        return item


def test_a_missed_limit_is_found_again_because_another_criterion_takes_it_over() -> None:
    settings = ["lm=simulated", "fastpath=off", "lm.reasoning=false", "lm.examples=0", "odr.lm_observer=false"]
    extractor = Extractor(load(settings), references={UNIT.key: reference()})
    assert extractor.simulation is not None
    plan = Forgetful()
    extractor.simulation.plan = plan  # type: ignore[assignment]
    found = extractor.extract(UNIT)
    by_id = {c.criterion_id: c for c in found.criteria.walk()}
    assert by_id["1"].category == by_id["2"].category == "Quantitative"
    assert ("2", "1", "inherits_threshold") in {(e.source, e.target, e.type) for e in found.edges}
    asked = [s for s, _, _ in plan.asked]
    assert asked.count("ParseStructure") == 2, "two blocks, asked once: what stands upstream is not asked again"
    assert [g != "" for s, i, g in plan.asked if s == "ExtractThresholds" and i == "1"] == [False, True]
    assert not [r for r in found.review if r.severity != "minor"]
