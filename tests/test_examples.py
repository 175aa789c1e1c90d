"""Worked examples: right, fresh, small, and never of the unit that is asked about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import dspy
import pytest

from regreact.adapters import XMLAdapter
from regreact.baselines import SinglePass
from regreact.config import LMSettings, data_dir, load
from regreact.evaluation.example_choice import built, without_words
from regreact.evaluation.gold import load_gold
from regreact.examples import FILE_NAME, examples, of_other_units
from regreact.odr import Question
from regreact.simulated import STAGE_SIGNATURES
from regreact.step import CHARS_PER_TOKEN, RELATING, Step
from signatures.baseline import ExtractSection
from signatures.odr import ObserveAnswers
from signatures.thresholds import ExtractThresholds
from signatures.types import CriterionView, UnitHeader
from tests.lm import scripted

ROOT = Path(__file__).resolve().parents[1]
SIGNATURES: list[type[dspy.Signature]] = [*STAGE_SIGNATURES.values(), ExtractSection]
STORED: dict[str, list[dict[str, Any]]] = json.loads((data_dir("samples") / FILE_NAME).read_text(encoding="utf-8"))
CASES = [(name, example) for name, listed in STORED.items() for example in listed]

each = pytest.mark.parametrize(("name", "example"), CASES, ids=[f"{n}-{e['unit']['unit']}" for n, e in CASES])


def test_the_stored_examples_are_fresh() -> None:
    fresh = {n: [without_words(e) for e in listed] for n, listed in built().items()}
    stored = {n: [without_words(e) for e in listed] for n, listed in STORED.items()}
    assert stored == fresh, "run `make examples`"


def test_every_stage_has_two_and_all_are_of_samples() -> None:
    assert {s.__name__ for s in SIGNATURES} == set(STORED)
    assert min(len(listed) for listed in STORED.values()) >= 2
    samples = {u.unit for u in load_gold(data_dir("samples") / "gold")}
    annotated = {u.unit for u in load_gold(ROOT / "data/gold")}
    units = {e["unit"]["unit"] for _, e in CASES}
    assert units <= samples and not units & annotated


@each
def test_an_example_is_complete_and_answers_what_it_asks(name: str, example: dict[str, Any]) -> None:
    signature = next(s for s in SIGNATURES if s.__name__ == name)
    assert set(example) == {*signature.input_fields, *signature.output_fields, "reasoning"}
    assert all(v is not None for v in example.values())
    ids = [str(a.get("criterion_id", a.get("id"))) for a in example.get("answers", example.get("nodes"))]
    if name == "ParseStructure":
        ids = [str(a["block"]) for a in example["answers"]]
    assert ids == example.get("asked", ids)
    assert [line.partition(":")[0] for line in example["reasoning"].splitlines()] == ids


@each
def test_quotes_stand_in_the_text_of_their_item(name: str, example: dict[str, Any]) -> None:
    texts = {str(b["index"]): b["text"] for b in example.get("blocks", ())}
    texts.update({c["criterion_id"]: c["text"] for c in example.get("criteria", ())})
    for item_id, item in zip(example.get("asked", ()), example.get("answers", ()), strict=True):
        assert all(quote in texts[item_id] for quote in item["quotes"])
        assert all(d["definition"] for d in item.get("footnote", {}).get("definitions", ()))


@each
def test_an_example_is_small(name: str, example: dict[str, Any]) -> None:
    most = 2700 if name == "ExtractSection" else 2100 if name in RELATING else 1100
    assert len(json.dumps(example, ensure_ascii=False)) / CHARS_PER_TOKEN <= most


def test_two_examples_of_thresholds_show_or_dates_and_nothing() -> None:
    values = [a["threshold"] for e in STORED["ExtractThresholds"][:2] for a in e["answers"]]
    assert any(v and v["quantitative"] and v["quantitative"]["logic"] == "OR" for v in values)
    assert {i["type"] for v in values if v and v["temporal"] for i in v["temporal"]["items"]} >= {"recurring", "window"}
    assert None in values


@pytest.mark.parametrize("adapter", [dspy.ChatAdapter(), dspy.JSONAdapter(), XMLAdapter()], ids=["chat", "json", "xml"])
@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda s: s.__name__)
def test_an_example_is_shown_in_the_form_that_is_read(signature: type[dspy.Signature], adapter: dspy.Adapter) -> None:
    full = dspy.ChainOfThought(signature).predict.signature
    demos = examples(signature, 10)
    messages = adapter.format_demos(full, demos)
    assert len(messages) == 2 * len(demos)
    assert not any("not supplied" in m["content"].lower() for m in messages)
    for demo, said in zip(demos, messages[1::2], strict=True):
        (output,) = signature.output_fields
        parsed = adapter.parse(full, said["content"])
        assert len(parsed[output]) == len(demo[output])
        assert parsed["reasoning"] == demo.reasoning


def test_typed_inputs_read_like_those_of_a_request() -> None:
    (demo,) = examples(ExtractThresholds, 1)
    assert isinstance(demo.unit, UnitHeader) and isinstance(demo.criteria[0], CriterionView)
    assert set(demo.inputs().keys()) == set(ExtractThresholds.input_fields)


def test_a_signature_without_gold_in_the_samples_has_none() -> None:
    assert examples(ObserveAnswers, 2) == []


@pytest.mark.parametrize("reasoning", [True, False])
@pytest.mark.parametrize(("count", "carried"), [(0, 0), (1, 1), (2, 2), (10, len(STORED["ExtractThresholds"]))])
def test_the_setting_says_how_many_a_request_carries(count: int, carried: int, reasoning: bool) -> None:
    settings = LMSettings(model="test", reasoning=reasoning, examples=count)
    lm, engine = scripted(["[[ ## reasoning ## ]]\nx\n\n[[ ## answers ## ]]\n[]\n\n[[ ## completed ## ]]"])
    unit = UnitHeader(unit="X-1/SC", activity="Ore washing", objective="", section="SC")
    one = CriterionView(criterion_id="1", parent="ROOT", block=0, text="Losses are below 5 %.")
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        Step(ExtractThresholds, settings).by_lm({"unit": unit, "criteria": [one]}, ["1"])
    assert engine.prompts[0].count("[[ ## completed ## ]]\n") == carried


def test_the_default_is_two_for_stages_and_single_pass() -> None:
    assert LMSettings().examples == 2
    single = SinglePass(load(["+ablation=single_pass", "lm=compatible"]))
    assert len(single.predictor.demos) == 2
    question = Question(ExtractThresholds, lambda _: None, "off", LMSettings(), load().odr)
    assert len(question.step.predictor.demos) == 2


def test_an_example_of_the_unit_asked_about_is_left_out() -> None:
    demos = examples(ExtractThresholds, 2)
    unit = demos[0].unit.unit
    assert of_other_units(demos, unit) == demos[1:]
    loaded = json.loads(
        json.dumps(dspy.Predict(ExtractThresholds).dump_state() | {"demos": STORED["ExtractThresholds"]})
    )
    predict = dspy.Predict(ExtractThresholds).load_state(loaded)
    assert [d["unit"]["unit"] for d in of_other_units(predict.demos, unit)] == [
        e["unit"]["unit"] for e in STORED["ExtractThresholds"][1:]
    ]


def test_the_model_never_sees_the_answers_of_its_own_unit() -> None:
    demo = examples(ExtractThresholds, 1)[0]
    lm, engine = scripted(["[[ ## answers ## ]]\n[]\n\n[[ ## completed ## ]]"])
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        step = Step(ExtractThresholds, LMSettings(model="test", reasoning=False, examples=1))
        step.by_lm({"unit": demo.unit, "criteria": demo.criteria}, demo.asked)
    assert engine.prompts[0].count("[[ ## unit ## ]]") == 1, "the request itself"
