"""The loop around one question: stops, repairs item by item, never gets worse."""

import json
from collections.abc import Sequence
from typing import Any

import dspy
import pytest

from regreact.answers import Answer
from regreact.config import LMSettings, OdrSettings
from regreact.errors import LMCallError
from regreact.observers.base import Issue
from regreact.odr import Outcome, Question, Report
from regreact.schema import Quantitative, QuantitativeItem, Threshold
from regreact.simulated import to_item
from signatures.thresholds import ExtractThresholds
from signatures.types import CriterionView, UnitHeader
from tests.lm import ScriptedEngine, scripted

UNIT = UnitHeader(unit="X-1/SC", activity="Ore washing", objective="", section="SC")
CRITERIA = [
    CriterionView(criterion_id="1", parent="ROOT", block=0, text="Water losses are below 5 %."),
    CriterionView(criterion_id="2", parent="ROOT", block=1, text="Dust losses are below 7 %."),
]


def limit(value: float) -> Threshold:
    item = QuantitativeItem(metric="Losses", operator="<", value=value, unit="%")
    return Threshold(quantitative=Quantitative(items=(item,)))


def item(criterion_id: str, value: float) -> dict[str, Any]:
    return to_item("ExtractThresholds", Answer(criterion_id, limit(value), 0.9))


def diagnosis(action: str = "retry_modified") -> dict[str, Any]:
    return {
        "diagnosis": {
            "root_cause": "misread number",
            "contributing_factors": [],
            "recommended_action": action,
            "specific_guidance": "Copy the number.",
        }
    }


def ask(replies: Sequence[dict[str, Any] | str], mode: str = "off", **odr: Any) -> tuple[Outcome, ScriptedEngine]:
    lm, engine = scripted(replies)
    settings = OdrSettings(lm_observer=False, **odr)
    question = Question(ExtractThresholds, lambda _: None, mode, LMSettings(model="test", reasoning=False), settings)
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        return question({"unit": UNIT, "criteria": CRITERIA}, ["1", "2"]), engine


def values(outcome: Outcome) -> dict[str, float | None]:
    return {i: a.value.quantitative.items[0].value if a.value is not None else None for i, a in outcome.answers.items()}


def test_right_answers_need_one_call() -> None:
    outcome, engine = ask([{"answers": [item("1", 5), item("2", 7)]}])
    assert values(outcome) == {"1": 5, "2": 7}
    assert outcome.stopped == "confident"
    assert len(engine.prompts) == 1


def test_only_the_wrong_item_is_asked_again_and_with_guidance() -> None:
    outcome, engine = ask([{"answers": [item("1", 5), item("2", 77)]}, diagnosis(), {"answers": [item("2", 7)]}])
    assert values(outcome) == {"1": 5, "2": 7}
    assert outcome.rounds[0].asked == ("2",) and outcome.rounds[0].accepted == ("2",)
    assert "Copy the number." in engine.prompts[2]
    assert json.loads(engine.field(2, "asked")) == ["2"]
    assert outcome.iterations == {"1": 1, "2": 2}


def test_a_repair_that_is_worse_is_not_taken_over() -> None:
    wrong_twice = {"answers": [item("2", 88)]}
    outcome, _ = ask([{"answers": [item("1", 5)]}, diagnosis(), wrong_twice, diagnosis(), wrong_twice])
    assert values(outcome)["1"] == 5
    assert outcome.rounds[-1].issues, "the wrong number stays reported"


def test_same_issues_again_stop_the_loop() -> None:
    wrong = {"answers": [item("1", 5), item("2", 77)]}
    outcome, engine = ask([wrong, diagnosis(), {"answers": [item("2", 77)]}, diagnosis()], k_max=9)
    assert outcome.stopped == "same issues again"
    assert len(engine.prompts) == 3
    assert [i.severity for i in outcome.issues] == ["critical"]


def test_attempts_are_limited_and_the_best_round_is_returned() -> None:
    first = {"answers": [item("1", 55), item("2", 77)]}
    outcome, _ = ask(
        [
            first,
            diagnosis(),
            {"answers": [item("1", 5)]},
            diagnosis(),
            {"answers": [item("1", 56), item("2", 79)]},
        ],
        k_max=3,
    )
    assert len(outcome.rounds) == 3
    assert values(outcome)["1"] == 5


@pytest.mark.parametrize("action", ["accept", "escalate"])
def test_accept_and_escalate_end_the_loop(action: str) -> None:
    outcome, engine = ask([{"answers": [item("1", 5), item("2", 77)]}, diagnosis(action)])
    assert outcome.stopped == f"diagnosis says {action}"
    assert len(engine.prompts) == 2


def test_decompose_asks_one_item_at_a_time() -> None:
    outcome, engine = ask(
        [{"answers": [item("1", 55), item("2", 77)]}, diagnosis("decompose"), {"answers": [item("1", 5)]},
         {"answers": [item("2", 7)]}]
    )  # fmt: skip
    assert values(outcome) == {"1": 5, "2": 7}
    assert [json.loads(engine.field(n, "asked")) for n in (2, 3)] == [["1"], ["2"]]


def test_an_unreadable_reply_is_an_issue_not_a_crash() -> None:
    outcome, _ = ask(["no fields here", "still none", diagnosis(), {"answers": [item("1", 5), item("2", 7)]}])
    assert outcome.rounds[0].issues[0].type == "structural"
    assert values(outcome) == {"1": 5, "2": 7}


def test_a_missing_item_is_asked_for_again() -> None:
    outcome, engine = ask([{"answers": [item("1", 5)]}, diagnosis(), {"answers": [item("2", 7)]}], tau=0.95)
    assert values(outcome) == {"1": 5, "2": 7}
    assert json.loads(engine.field(2, "asked")) == ["2"]


def test_items_nobody_asked_for_are_ignored() -> None:
    outcome, _ = ask([{"answers": [item("1", 5), item("2", 7), item("9", 5)]}])
    assert set(outcome.answers) == {"1", "2"}


def test_without_self_correction_there_is_one_call() -> None:
    outcome, engine = ask([{"answers": [item("1", 55), item("2", 77)]}], enabled=False)
    assert values(outcome) == {"1": 55, "2": 77} and outcome.issues == ()
    assert len(engine.prompts) == 1


def test_fast_path_only_never_touches_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a model was called")

    monkeypatch.setattr(dspy.Predict, "__call__", refuse)
    outcome, engine = ask([], mode="only")
    assert engine.prompts == []
    assert all(a.answered_by in ("rule", "default") for a in outcome.answers.values())


def test_a_model_that_fails_for_good_is_a_typed_error() -> None:
    def broken(_: str) -> str:
        raise dspy.LMError("no route to host")

    with pytest.raises(LMCallError, match="ExtractThresholds"):
        ask([broken])  # type: ignore[list-item]


def test_escalation_hands_every_open_item_to_a_person() -> None:
    outcome, _ = ask([{"answers": [item("1", 5), item("2", 77)]}, diagnosis("escalate")])
    assert outcome.escalated == ("2",)
    assert {i.item_id for i in outcome.to_review()} == {"2"}


def test_a_diagnosis_cannot_wave_a_critical_finding_away() -> None:
    outcome, _ = ask([{"answers": [item("1", 5), item("2", 77)]}, diagnosis("accept")])
    assert [i.severity for i in outcome.issues] == ["critical"]
    assert outcome.to_review() == outcome.issues


def test_fallback_takes_the_solvers_answer() -> None:
    outcome, engine = ask([{"answers": [item("1", 5), item("2", 77)]}, diagnosis("fallback")])
    assert values(outcome) == {"1": 5, "2": 7}
    assert outcome.answers["2"].answered_by == "rule"
    assert len(engine.prompts) == 2


def test_many_open_items_are_decomposed_into_parts_not_into_single_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [
        CriterionView(criterion_id=str(n), parent="ROOT", block=n, text=f"Dust losses are below {n + 2} %.")
        for n in range(20)
    ]
    monkeypatch.setattr("tests.test_odr.CRITERIA", many)
    lm, engine = scripted(
        [{"answers": [item(str(n), 999) for n in range(20)]}, diagnosis("decompose")]
        + [{"answers": [item(str(n), n + 2) for n in range(start, min(start + 3, 20))]} for start in range(0, 20, 3)]
    )
    question = Question(
        ExtractThresholds, lambda _: None, "off", LMSettings(model="test", reasoning=False, examples=0),
        OdrSettings(lm_observer=False),
    )  # fmt: skip
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        outcome = question({"unit": UNIT, "criteria": many}, [str(n) for n in range(20)])
    assert values(outcome) == {str(n): n + 2 for n in range(20)}
    assert len(engine.prompts) == 2 + 7


def test_a_solvers_answer_gives_way_only_to_a_better_one() -> None:
    text = "Dust losses are lower than 5 % and at least 3 % of the dust is kept."
    views = [CriterionView(criterion_id="1", parent="ROOT", block=0, text=text)]
    wrong, worse = limit(5), limit(44)
    question = Question(
        ExtractThresholds, lambda _: None, "first", LMSettings(model="test"), OdrSettings(lm_observer=False)
    )
    rule = {"1": Answer("1", wrong, 0.9)}
    by_model = {"1": Answer("1", limit(3), 0.9, (), "lm")}
    inputs = {"unit": UNIT, "criteria": views}
    assert question._accept(inputs, rule, by_model) == {}, "no better: both numbers stand in the text"
    spoiled = {"1": Answer("1", worse, 0.9)}
    assert question._accept(inputs, spoiled, by_model) == by_model
    assert question._accept(inputs, by_model, {"1": Answer("1", limit(5), 0.9, (), "lm")}) != {}


def test_controls_replace_the_guidance() -> None:
    for mode, shown in (("blank", False), ("wrong", False), ("given", True)):
        _, engine = ask(
            [{"answers": [item("1", 5), item("2", 77)]}, diagnosis(), {"answers": [item("2", 7)]}], guidance=mode
        )
        assert ("Copy the number." in engine.prompts[2]) is shown


def test_a_report_of_a_later_stage_is_worked_on_within_the_same_attempts() -> None:
    first, _ = ask([{"answers": [item("1", 5), item("2", 7)]}])
    found = Issue("2", "consistency", "major", "threshold", "another stage needs it", observer="cross_stage")
    lm, engine = scripted([diagnosis(), {"answers": [item("2", 7)]}])
    question = Question(
        ExtractThresholds, lambda _: None, "off", LMSettings(model="test", reasoning=False),
        OdrSettings(lm_observer=False, k_max=3),
    )  # fmt: skip
    inputs = {"unit": UNIT, "criteria": CRITERIA}
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        again = question(inputs, ["1", "2"], Report((found,), first))
        assert json.loads(engine.field(1, "asked")) == ["2"]
        assert len(again.rounds) == len(first.rounds) + 2 == 3
        assert question(inputs, ["1", "2"], Report((found,), again)) is again, "attempts are used up"
        assert question(inputs, ["1", "2"], Report((), first)) is first, "nothing was found"


def test_quotes_that_the_source_lacks_are_reported() -> None:
    invented = {**item("1", 5), "quotes": ["below 5 %", "as measured by night"]}
    outcome, _ = ask([{"answers": [invented, item("2", 7)]}])
    assert [(i.item_id, i.observer) for i in outcome.issues] == [("1", "quotes")]


def test_the_history_is_plain_data() -> None:
    outcome, _ = ask([{"answers": [item("1", 5), item("2", 77)]}, diagnosis(), {"answers": [item("2", 7)]}])
    told = json.loads(json.dumps([r.to_json() for r in outcome.rounds]))
    assert told[0]["diagnosis"]["recommended_action"] == "retry_modified"
    assert told[0]["issues"][0]["item_id"] == "2" and told[0]["accepted"] == ["2"]
