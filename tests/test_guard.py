"""The policy around a model: every kind of failure ends as documented, the budget holds, thinking is no answer."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import dspy
import pytest
import stamina
from dspy.clients.cache import Cache

from regreact import guard
from regreact.config import LMSettings, Settings, load
from regreact.errors import (
    BudgetError,
    ConfigError,
    LMAccessError,
    LMCallError,
    LMQuotaError,
    LMRequiredError,
    LMStopError,
    LMUnknownModelError,
    RegReActError,
)
from regreact.gate import Gate
from regreact.guard import split_thinking
from regreact.lm import build_lm, in_use
from regreact.prices import Price, price_of
from regreact.runner import Extractor
from regreact.schema import Extraction
from regreact.sources.model import Block, Unit
from regreact.step import Step
from signatures.classification import ClassifyApplicability
from signatures.types import CriterionView, UnitHeader
from tests.stub_openai import StubServer

KEY = "sk-invented-7316"
UNIT = Unit(
    "X-1/SC", "Ore washing", "water", "SC", "doc-1", "0" * 64, "html",
    (Block(0, "p", 0, None, "1. Water losses are below 5 %."),),
)  # fmt: skip
HEADER = UnitHeader(unit="X-1/SC", activity="Ore washing", objective="", section="SC")
CRITERIA = [CriterionView(criterion_id="1", parent="ROOT", block=0, text="Where ponds are used, losses are measured.")]


@pytest.fixture(autouse=True)
def _key_and_no_waiting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("REGREACT_API_KEY", KEY)
    with stamina.set_testing(True, attempts=3, cap=True):
        yield


def settings(server: StubServer, *more: str, model: str = "hosted_vllm/stub") -> Settings:
    wanted = {"lm": "compatible", "lm.api_base": server.url, "lm.model": model, "lm.timeout_s": "30"}
    wanted |= {"fastpath": "off", "odr": "off", "lm.cache": "false", "lm.retries": "2"}
    wanted |= dict(m.split("=", 1) for m in more)
    return load([f"{k}={v}" for k, v in wanted.items()])


def outcome(server: StubServer, *more: str, model: str = "hosted_vllm/stub") -> Extraction | RegReActError:
    try:
        return Extractor(settings(server, *more, model=model)).extract(UNIT)
    except RegReActError as error:
        return error


@dataclass(frozen=True)
class Case:
    """One kind of failure: how often it is asked, what error ends it, with which exit code, and words to say."""

    kind: str
    requests: int
    error: type[RegReActError]
    code: int
    words: tuple[str, ...] = ()


ONE, ALL = 1, 3
FAILURES = [
    Case("400", ONE, LMCallError, 1, ("HTTP 400", "wrong parameter")),
    Case("400 too long", ONE, LMCallError, 1, ("lm.batch_tokens",)),
    Case("401", ONE, LMAccessError, 2, ("REGREACT_API_KEY",)),
    Case("402", ONE, LMQuotaError, 1, ("top up", "run the same command again")),
    Case("403", ONE, LMAccessError, 2, ("REGREACT_API_KEY",)),
    Case("404", ONE, LMUnknownModelError, 2, ("lm.model", "lm.api_base")),
    Case("429 quota", ONE, LMQuotaError, 1, ("top up",)),
    Case("429", ALL, LMCallError, 1, ("HTTP 429", "tries: 3")),
    Case("429 retry after", ALL, LMCallError, 1, ("HTTP 429",)),
    Case("500", ALL, LMCallError, 1, ("HTTP 500", "tries: 3")),
    Case("503", ALL, LMCallError, 1, ("HTTP 503",)),
    Case("reset", ALL, LMCallError, 1, ("tries: 3",)),
    Case("broken body", ALL, LMCallError, 1, ("not JSON",)),
    Case("drip", ALL, LMCallError, 1, ("not complete in time",)),
]


@pytest.mark.parametrize("case", FAILURES, ids=lambda c: c.kind)
def test_every_failure_ends_as_documented(case: Case) -> None:
    with StubServer(default=case.kind) as server:
        found = outcome(server, "lm.timeout_s=0.5") if case.kind == "drip" else outcome(server)
    assert type(found) is case.error
    assert isinstance(found, LMStopError) == (case.error is not LMCallError)
    assert found.exit_code == case.code
    assert server.seen == [case.kind] * case.requests
    message = str(found)
    for word in (*case.words, "hosted_vllm/stub", server.url):
        assert word in message
    assert KEY not in message and "\n" not in message


@pytest.mark.slow
def test_a_provider_that_only_litellm_knows_fails_the_same_way() -> None:
    # The import of litellm alone takes seconds. It bounds the wait for each next byte only: no drip.
    for case in (c for c in FAILURES if c.kind != "drip"):
        with StubServer(default=case.kind) as server:
            found = outcome(server, model="together_ai/stub")
        assert type(found) is case.error, case.kind
        assert server.seen == [case.kind] * case.requests, case.kind
        assert KEY not in str(found)


def test_nobody_at_the_address() -> None:
    with StubServer() as server:
        pass
    found = outcome(server)
    assert type(found) is LMCallError and server.url in str(found)


@pytest.mark.parametrize("kind", ["429", "429 retry in a day", "500", "reset", "broken body"])
def test_a_passing_failure_leaves_no_trace_in_the_result(kind: str) -> None:
    with StubServer([kind, kind]) as server:
        found = outcome(server, "lm.retry_after_s=0.1")
    assert isinstance(found, Extraction)
    assert server.seen[:3] == [kind, kind, "solve"]
    assert found.usage.lm_calls == server.seen.count("solve")


@pytest.mark.parametrize(
    ("kind", "limit", "least", "most"), [("429 retry after", 5, 1.0, 10), ("429 retry in a day", 0.2, 0.2, 10)]
)
def test_the_server_says_how_long_to_wait_up_to_a_limit(kind: str, limit: float, least: float, most: float) -> None:
    with stamina.set_testing(False), StubServer([kind]) as server:
        ask(settings(server, f"lm.retry_after_s={limit}"))
    assert least <= server.log[1].at - server.log[0].at <= most


def test_waits_grow_and_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "WAIT_INITIAL_S", 0.2)
    monkeypatch.setattr(guard, "WAIT_JITTER_S", 0.1)
    gaps = []
    for _ in range(2):
        with stamina.set_testing(False), StubServer(["500", "500"]) as server:
            ask(settings(server))
        gaps.append([b.at - a.at for a, b in zip(server.log[:2], server.log[1:3], strict=True)])
    for first, second in gaps:
        assert first >= 0.2 and second >= 0.4
    assert gaps[0] != pytest.approx(gaps[1], abs=1e-3)


# Thinking, and replies without an answer.


def ask(chosen: Settings) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Ask one question; return the values found, and type and severity of the issues."""
    step = Step(ClassifyApplicability, chosen.lm)
    with in_use(build_lm(chosen.lm), chosen):
        answers, issues = step.by_lm({"unit": HEADER, "activity": [], "criteria": CRITERIA}, ["1"])
    return {i: a.value for i, a in answers.items()}, [(i.type, i.severity) for i in issues]


@pytest.mark.parametrize("adapter", ["chat", "json", "xml"])
@pytest.mark.parametrize("kind", ["think", "think twice", "think without start", "reasoning field"])
def test_thinking_is_no_part_of_the_answer(kind: str, adapter: str) -> None:
    with StubServer(default=kind) as server:
        answers, issues = ask(settings(server, f"lm.adapter={adapter}"))
    assert answers == {"1": "Conditional"} and issues == []
    assert server.seen == [kind]


@pytest.mark.parametrize("adapter", ["chat", "json", "xml"])
@pytest.mark.parametrize("kind", ["think without end", "empty", "null", "no form", "nulls"])
def test_a_reply_without_an_answer_is_an_issue_and_no_crash(kind: str, adapter: str) -> None:
    with StubServer(default=kind) as server:
        answers, issues = ask(settings(server, f"lm.adapter={adapter}"))
    assert answers == {}
    assert ("structural", "critical") in issues


@pytest.mark.parametrize("adapter", ["chat", "json", "xml"])
def test_a_spoilt_reply_is_asked_for_once_more_as_json(adapter: str) -> None:
    with StubServer(["no form"]) as server:
        answers, _ = ask(settings(server, f"lm.adapter={adapter}"))
    assert answers == ({} if adapter == "json" else {"1": "Conditional"})
    assert server.seen == (["no form"] if adapter == "json" else ["no form", "solve"])


def test_a_tag_inside_an_answer_stays() -> None:
    assert split_thinking("five <think> six") == ("", "five <think> six")
    assert split_thinking("  <THINKING>a</THINKING>\n b ") == ("a", "b")


# Budget.


def test_the_number_of_calls_is_a_limit() -> None:
    with StubServer() as server:
        found = outcome(server, "lm.max_calls=3")
    assert type(found) is BudgetError and "lm.max_calls=3" in str(found)
    assert len(server.log) == 3


def test_retries_count() -> None:
    with StubServer(["500", "500"]) as server:
        found = outcome(server, "lm.max_calls=2")
    assert type(found) is BudgetError
    assert server.seen == ["500", "500"]


def test_the_cost_is_a_limit() -> None:
    with StubServer() as server:
        found = outcome(server, "lm.max_cost=0.003", "lm.input_price=1", "lm.output_price=10", "runner.workers=1")
    assert type(found) is BudgetError and "lm.max_cost=0.003" in str(found)
    spent = [(e.prompt_tokens + 10 * e.completion_tokens) / 1e6 for e in server.log]
    # No request begins once the limit is reached; up to three stages ask at the same time.
    assert sum(spent) >= 0.003 > sum(spent[:-3])


def test_a_cost_limit_needs_a_price() -> None:
    with StubServer() as server, pytest.raises(ConfigError, match=r"lm\.input_price"):
        Extractor(settings(server, "lm.max_cost=1"))


def test_a_size_that_is_not_reported_is_estimated() -> None:
    with StubServer() as reporting, StubServer(usage=False) as silent:
        one, two = outcome(reporting), outcome(silent)
    assert isinstance(one, Extraction) and isinstance(two, Extraction)
    assert two.usage.prompt_tokens == pytest.approx(one.usage.prompt_tokens, rel=0.02)
    assert two.usage.completion_tokens == pytest.approx(one.usage.completion_tokens, rel=0.1)


def test_replies_from_the_cache_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dspy, "cache", Cache(False, True, None))
    with StubServer() as server:
        first = outcome(server, "lm.cache=true")
        calls = len(server.log)
        again = outcome(server, "lm.cache=true", "lm.max_calls=0")
    assert isinstance(first, Extraction) and isinstance(again, Extraction)
    assert len(server.log) == calls == first.usage.lm_calls
    assert again.usage.lm_calls == 0 and again.usage.cost == 0
    assert again.criteria == first.criteria


def test_another_server_is_another_model_to_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dspy, "cache", Cache(False, True, None))
    for _ in range(2):
        with StubServer() as server:
            ask(settings(server, "lm.cache=true"))
        assert len(server.log) == 1


def test_the_gate_counts_for_all_threads() -> None:
    gate = Gate(LMSettings(max_calls=100), Price(1.0, 0.0))
    refused = []

    def knock() -> None:
        for _ in range(50):
            try:
                gate.enter()
            except BudgetError as error:
                refused.append(error)
                continue
            gate.leave()
            time.sleep(0)

    threads = [threading.Thread(target=knock) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert gate.calls == 100 and len(refused) == 300


def test_prices() -> None:
    listed = price_of(LMSettings(model="openai/gpt-4o"))
    assert listed is not None and listed.of(1_000_000, 0) == pytest.approx(2.5)
    assert price_of(LMSettings(model="hosted_vllm/nobody-knows")) is None
    own = price_of(LMSettings(model="hosted_vllm/x", input_price=1, output_price=2))
    assert own is not None and own.of(1_000_000, 1_000_000) == pytest.approx(3)


# Settings.


def test_what_cannot_change_an_answer_costs_no_finished_unit() -> None:
    with StubServer() as server:
        one = Extractor(settings(server)).config_hash
        same = ("lm.max_calls=9", "lm.max_cost=2", "lm.input_price=1", "lm.output_price=1", "lm.timeout_s=9", "lm.retries=1")
        assert Extractor(settings(server, *same)).config_hash == one
        assert Extractor(settings(server, "lm.temperature=0.5")).config_hash != one


@pytest.mark.parametrize("name", ["openai", "gpt4o", "anthropic", "ollama", "vllm", "compatible", "simulated"])
def test_every_shipped_model_can_be_built(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = load([f"lm={name}"]).lm
    monkeypatch.delenv(chosen.api_key_env, raising=False)
    if chosen.api_base is None and name != "simulated":
        with pytest.raises(LMRequiredError, match=chosen.api_key_env):
            build_lm(chosen)
    monkeypatch.setenv(chosen.api_key_env, KEY)
    assert build_lm(chosen) is not None
    # Whoever serves a model under a name of their own choosing has to say what it costs.
    assert (price_of(chosen) is None) == (name == "compatible")


@pytest.mark.parametrize(
    "override", [f"lm.api_key_env={KEY}", f"lm.api_base=https://user:{KEY}@example.org/v1", f"+lm.api_key={KEY}"]
)
def test_a_key_in_the_wrong_place_is_refused_and_not_repeated(override: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(["lm=openai", override])
    assert KEY not in str(caught.value) and "lm.api_" in str(caught.value)


def test_a_model_that_does_not_take_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(ConfigError, match="max_tokens"):
        build_lm(load(["lm=openai", "lm.model=openai/gpt-5"]).lm)


def test_the_key_is_in_no_representation_of_the_model() -> None:
    with StubServer() as server:
        lm = Extractor(settings(server)).lm
    assert lm is not None
    assert KEY not in repr(vars(lm)) and KEY not in str(lm.kwargs)


def test_a_proxy_that_the_environment_names_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with StubServer() as server:
        monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1"))
        assert isinstance(outcome(server, "lm.api_base=http://model.invalid/v1"), Extraction)
        assert server.seen
