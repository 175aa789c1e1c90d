"""The engine over llama.cpp, with a stand-in for the library."""

import sys
import types
from pathlib import Path
from typing import Any

import pytest

from regreact import local_lm
from regreact.config import Settings, load
from regreact.errors import ConfigError, LMCallError
from regreact.lm import build_lm, in_use
from regreact.step import Step
from signatures.classification import ClassifyApplicability
from tests.stub_openai import solve
from tests.test_guard import CRITERIA, HEADER


class Llama:
    """Stand-in for `llama_cpp.Llama` that answers by the solvers."""

    def __init__(self, model_path: str, n_ctx: int, verbose: bool) -> None:
        if not Path(model_path).read_bytes().startswith(b"GGUF"):
            raise ValueError(f"Failed to load model from file: {model_path}")
        self.room = n_ctx
        self.calls: list[dict[str, Any]] = []

    def create_chat_completion(self, messages: list[dict[str, str]], **options: Any) -> dict[str, Any]:
        self.calls.append(options)
        if sum(len(m["content"]) for m in messages) > 4 * self.room:
            raise ValueError(f"Requested tokens exceed context window of {self.room}")
        assert (messages[0]["role"], messages[-1]["role"]) == ("system", "user")
        content = solve(messages[0]["content"], messages[-1]["content"])
        return {
            "id": "1",
            "choices": [{"message": {"content": content}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 4},
        }


@pytest.fixture
def gguf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model file, with the library in place."""
    module = types.ModuleType("llama_cpp")
    module.Llama = Llama  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "llama_cpp", module)
    path = tmp_path / "small.gguf"
    path.write_bytes(b"GGUF")
    return path


def chosen(*more: str) -> Settings:
    return load(["lm=local", "fastpath=off", "lm.cache=false", *more])


def test_the_reply_is_bound_to_the_schema_of_the_question(gguf: Path) -> None:
    settings = chosen(f"lm.file={gguf}")
    lm = build_lm(settings.lm)
    assert lm is not None
    with in_use(lm, settings):
        answers, issues = Step(ClassifyApplicability, settings.lm).by_lm(
            {"unit": HEADER, "activity": [], "criteria": CRITERIA}, ["1"]
        )
    assert answers["1"].value == "Conditional" and issues == []
    (call,) = lm.engine.inner._llama.calls
    assert (call["temperature"], call["max_tokens"]) == (0.0, 4000)
    schema = call["response_format"]["schema"]
    assert call["response_format"]["type"] == "json_object"
    assert list(schema["properties"]) == ["reasoning", "answers"]
    assert schema["properties"]["answers"]["type"] == "array"


def test_regular_expressions_are_kept_from_the_grammar() -> None:
    pattern = {"type": "string", "pattern": r"^\d{4}$"}
    schema = {"properties": {"pattern": pattern, "more": {"anyOf": [pattern, {"type": "null"}]}}}
    bare = {"type": "string"}
    assert local_lm._grammar({"type": "json_schema", "schema": schema}) == {
        "type": "json_object",
        "schema": {"properties": {"pattern": bare, "more": {"anyOf": [bare, {"type": "null"}]}}},
    }


def test_a_question_too_long_for_the_model_names_the_setting(gguf: Path) -> None:
    settings = chosen(f"lm.file={gguf}", "lm.context_tokens=512")
    long = [CRITERIA[0].model_copy(update={"text": "Losses are measured. " * 200})]
    with pytest.raises(LMCallError, match=r"lm\.context_tokens"), in_use(build_lm(settings.lm), settings):
        Step(ClassifyApplicability, settings.lm).by_lm({"unit": HEADER, "activity": [], "criteria": long}, ["1"])


def test_what_is_missing_is_named(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match=r"set lm\.file"):
        build_lm(chosen().lm)
    with pytest.raises(ConfigError, match=r"nowhere\.gguf: no such file"):
        build_lm(chosen("lm.file=nowhere.gguf").lm)
    gguf.write_bytes(b"text")
    with pytest.raises(ConfigError, match="cannot be loaded"):
        build_lm(chosen(f"lm.file={gguf}").lm)
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    with pytest.raises(ConfigError, match=r"regreact\[local-lm\]"):
        build_lm(chosen(f"lm.file={gguf}").lm)
