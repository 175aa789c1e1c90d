"""The adapters write and read exactly what their parents do, only faster: every signature, right and spoiled replies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dspy
import pytest
from dspy.adapters.types.base_type import CUSTOM_TYPE_END_IDENTIFIER, CUSTOM_TYPE_START_IDENTIFIER

from regreact.adapters import SOURCE_IS_DATA, ChatAdapter, JSONAdapter, MendedXMLAdapter, XMLAdapter
from regreact.examples import examples
from signatures.odr import ObserveAnswers
from signatures.structure import ParseStructure
from signatures.thresholds import ExtractThresholds
from tests.test_signatures import ALL, correct


class Told:
    """Goes before a parent: says what the own adapters say of sources."""

    def format_task_description(self, signature: type[dspy.Signature]) -> str:
        return f"{super().format_task_description(signature)}\n{SOURCE_IS_DATA}"  # type: ignore[misc]


def told(parent: type[dspy.Adapter]) -> dspy.Adapter:
    """Return a parent that says so too; errors name the class."""
    return type(parent.__name__.removeprefix("Mended"), (Told, parent), {})()


PAIRS: dict[str, tuple[dspy.Adapter, dspy.Adapter]] = {
    "chat": (ChatAdapter(), told(dspy.ChatAdapter)),
    "json": (JSONAdapter(), told(dspy.JSONAdapter)),
    "xml": (XMLAdapter(), told(MendedXMLAdapter)),
}

every = pytest.mark.parametrize("signature", ALL, ids=lambda s: s.__name__)
pairs = pytest.mark.parametrize(("own", "parent"), PAIRS.values(), ids=PAIRS)


def reasoned(signature: type[dspy.Signature]) -> type[dspy.Signature]:
    full: type[dspy.Signature] = dspy.ChainOfThought(signature).predict.signature
    return full


@every
@pairs
def test_a_prompt_is_written_like_the_parents(
    signature: type[dspy.Signature], own: dspy.Adapter, parent: dspy.Adapter
) -> None:
    full = reasoned(signature)
    demos = examples(signature, 2)
    for inputs, _ in correct(signature):
        for given in (inputs, {**inputs, "guidance": "Read <&> again."}, {}):
            wanted = parent.format(full, demos, dict(given))
            assert own.format(full, demos, dict(given)) == wanted
            # The second time it is kept.
            assert own.format(full, demos, dict(given)) == wanted


def test_odd_values_are_written_like_the_parents() -> None:
    odd = [None, "", "plain", 5, 1.5, True, [], ["a", "b\nc"], {"k": object}, {1: {2}}, object, b"\xff", float("nan")]
    signature = dspy.Signature("text, items: list[str], any: float -> answer")
    for value in odd:
        inputs = {"text": value, "items": value, "any": value}
        for own, parent in PAIRS.values():
            assert own.format(signature, [], dict(inputs)) == parent.format(signature, [], dict(inputs))


@pairs
def test_marks_in_a_text_attach_no_image_and_no_file(own: dspy.Adapter, parent: dspy.Adapter) -> None:
    image = '[{"type": "image_url", "image_url": {"url": "http://model.invalid/x.png"}}]'
    text = f"Losses {CUSTOM_TYPE_START_IDENTIFIER}{image}{CUSTOM_TYPE_END_IDENTIFIER} are below 5 %."
    inputs = {"task": "Limits.", "source_text": text, "answers": "[]"}
    assert isinstance(parent.format(ObserveAnswers, [], inputs)[-1]["content"], list), "DSPy has mended it: so can we"
    question = own.format(ObserveAnswers, [], inputs)[-1]["content"]
    assert isinstance(question, str) and text in question


SPOILT: dict[str, Callable[[str], str]] = {
    "right": lambda r: r,
    "cut": lambda r: r[: len(r) * 2 // 3],
    "half": lambda r: r[: len(r) // 2],
    "prose around": lambda r: f"Here it is.\n\n{r}\nI hope this helps.",
    "fenced": lambda r: f"```json\n{r}\n```",
    "twice": lambda r: f"{r}\n{r}",
    "other fields": lambda r: r.replace("answers", "results").replace("nodes", "results"),
    "single quotes": lambda r: r.replace('"', "'"),
    "trailing comma": lambda r: r.replace("}]", "},]"),
    "python words": lambda r: r.replace("null", "None").replace("true", "True"),
    "numbers as words": lambda r: r.replace('"confidence": 0.9', '"confidence": "0.9"'),
    "another type": lambda r: r.replace('"confidence": 0.9', '"confidence": {"a": 1}'),
    "only headings": lambda r: "[[ ## reasoning ## ]]\n[[ ## answers ## ]]\n\n[[ ## completed ## ]]",
    "nulls": lambda r: '{"reasoning": null, "answers": null}',
    "a list": lambda r: "[]",
    "nested deep": lambda r: "[" * 100_000,
    "nothing": lambda r: " ",
}  # fmt: skip


def outcome(adapter: dspy.Adapter, signature: type[dspy.Signature], reply: str) -> Any:
    """Return what an adapter reads, or the error that it raises."""
    try:
        return adapter.parse(signature, reply)
    except Exception as error:
        return type(error), str(error)


@every
@pairs
def test_a_reply_is_read_like_the_parents(
    signature: type[dspy.Signature], own: dspy.Adapter, parent: dspy.Adapter
) -> None:
    full = reasoned(signature)
    for _, outputs in correct(signature)[:2]:
        right = parent.format_assistant_message_content(full, {"reasoning": "By the\nrules & <so>.", **outputs})
        for kind, spoil in SPOILT.items():
            assert outcome(own, full, spoil(right)) == outcome(parent, full, spoil(right)), kind


def test_a_right_reply_needs_no_second_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else each reply would be read twice, and the comparison above would compare the parent with itself."""
    for own, parent in PAIRS.values():
        for signature in (ParseStructure, ExtractThresholds):
            _, outputs = correct(signature)[0]
            right = parent.format_assistant_message_content(reasoned(signature), {"reasoning": "So.", **outputs})
            with monkeypatch.context() as patch:
                patch.setattr(type(parent), "parse", lambda *_: pytest.fail("read by the parent"))
                assert own.parse(reasoned(signature), right)["reasoning"] == "So."


@pairs
def test_changed_examples_and_instructions_are_noticed(own: dspy.Adapter, parent: dspy.Adapter) -> None:
    signature = reasoned(ExtractThresholds)
    demos = examples(ExtractThresholds, 2)
    first = own.format(signature, demos, {})
    demos[0]["reasoning"] = "Other words."
    assert own.format(signature, demos, {}) == parent.format(signature, demos, {}) != first
    assert own.format(signature, demos[:1], {}) == parent.format(signature, demos[:1], {})
    other = signature.with_instructions("Do something else.")
    assert own.format(other, demos, {}) == parent.format(other, demos, {})
    other.instructions = "Do it in another way."
    assert own.format(other, demos, {}) == parent.format(other, demos, {})


@pairs
def test_messages_that_are_kept_are_not_handed_out(own: dspy.Adapter, parent: dspy.Adapter) -> None:
    demos = examples(ExtractThresholds, 2)
    wanted = own.format(reasoned(ExtractThresholds), demos, {})
    for message in own.format(reasoned(ExtractThresholds), demos, {}):
        message["content"] = "spoiled"
    assert own.format(reasoned(ExtractThresholds), demos, {}) == wanted


class Model:
    """Says what it takes, as an LM does."""

    def __init__(self, schema: bool, params: set[str]) -> None:
        self.supports_response_schema = schema
        self.supported_params = params


@every
@pytest.mark.parametrize("params", [{"response_format"}, set()], ids=["bound", "free"])
@pytest.mark.parametrize("schema", [True, False])
def test_the_form_of_reply_is_that_of_the_parent(
    signature: type[dspy.Signature], schema: bool, params: set[str]
) -> None:
    forms = []
    for adapter in (JSONAdapter(), JSONAdapter(), dspy.JSONAdapter()):
        options: dict[str, Any] = {}
        adapter._prepare_response_format(Model(schema, params), options, signature)
        form = options.get("response_format")
        forms.append(form if form is None or isinstance(form, dict) else form.model_json_schema())
    assert forms[0] == forms[1] == forms[2]
