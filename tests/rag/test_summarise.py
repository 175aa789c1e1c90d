"""Summaries under the observers: a model that invents is asked again, then the extractive fast path answers."""

from __future__ import annotations

from typing import Any

import dspy
import pytest

from regreact.config import load
from regreact.lm import build_lm, in_use
from regreact.rag.iterate import retrieve
from regreact.rag.summarise import summarise
from regreact.schema import Enrichment
from tests.fastpath.kiln_act import LIMITS, PARAGRAPH, REPORTS
from tests.lm import scripted
from tests.rag.kiln_pair import ScriptedRetriever, pair, passage, settings

PASSAGES = [passage(LIMITS), passage(REPORTS)]
OFF = {"lm": {"reasoning": False}}
RIGHT: dict[str, Any] = {
    "summary": "Article 4(2) limits the dust of lime kilns to 10 mg/Nm3 for kilns of more than 5 MW and to 20 mg/Nm3 for others.",
    "key_facts": [{"text": "The limit of 20 mg/Nm3 holds from 1 March 2031.", "address": "art_4/par_2/pnt_b"}],
    "thresholds": [{"text": "not more than 10 mg/Nm3", "address": "art_4/par_2/pnt_a"}],
    "quotes": [{"text": "The dust of lime kilns shall not exceed", "address": "art_4/par_2"}],
    "confidence": 0.95,
}
INVENTED = {**RIGHT, "summary": f"{RIGHT['summary']} Ash stays below 77 mg/kg."}


def by_model(*replies: Any, mode: str = "off") -> tuple[Any, Any]:
    lm, engine = scripted(list(replies))
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        return summarise(pair(), PASSAGES, settings(mode, **OFF)), engine


def test_without_a_model_the_summary_is_extractive_and_clean() -> None:
    found = summarise(pair(), PASSAGES, settings())
    assert (found.answered_by, found.issues, found.attempts) == ("rule", (), 0)
    assert "10 mg/Nm3" in found.value.summary


def test_a_faithful_model_is_believed() -> None:
    found, engine = by_model(RIGHT)
    assert (found.answered_by, found.attempts, len(engine.prompts)) == ("lm", 1, 1)
    assert found.value.summary == RIGHT["summary"]


def test_an_invented_number_is_found_and_asked_again() -> None:
    found, engine = by_model(INVENTED, RIGHT)
    assert "77 mg/kg" in engine.field(1, "guidance")
    assert (found.answered_by, found.attempts) == ("lm", 2)
    assert "77" not in found.value.summary


def test_a_model_that_keeps_inventing_gives_way_to_the_rules() -> None:
    found, engine = by_model(INVENTED, INVENTED, INVENTED)
    assert len(engine.prompts) == 3
    assert (found.answered_by, found.issues) == ("rule", ())
    assert "77" not in found.value.model_dump_json()


@pytest.mark.parametrize(
    "change",
    [
        {"quotes": [{"text": "Dust of kilns may never exceed", "address": "art_4/par_2"}]},
        {"thresholds": [{"text": "at least 10 mg/Nm3", "address": "art_4/par_2/pnt_a"}]},
        {"key_facts": [{"text": "It holds from 7 March 2031.", "address": "art_4/par_2"}]},
        {"summary": RIGHT["summary"].replace("Article 4(2)", "Article 14(2)")},
    ],
)
def test_false_quotes_bounds_dates_and_places_do_not_pass(change: dict[str, Any]) -> None:
    found, engine = by_model({**RIGHT, **change}, RIGHT)
    assert len(engine.prompts) == 2 and found.value.summary == RIGHT["summary"]


def test_a_reply_that_cannot_be_read_is_asked_again() -> None:
    found, engine = by_model("no form at all", "nor this", RIGHT)
    assert "cannot be read" in engine.field(len(engine.prompts) - 1, "guidance")
    assert found.answered_by == "lm"


def test_numbers_that_a_model_leaves_out_of_a_short_provision_are_added() -> None:
    found, _ = by_model({**RIGHT, "key_facts": []})
    assert found.answered_by == "lm"
    assert any("1 March 2031" in t.text and t.address == "art_4/par_2/pnt_b" for t in found.value.thresholds)
    assert found.issues == ()


def test_first_keeps_the_rules_where_nothing_objects() -> None:
    found, engine = by_model(mode="first")
    assert engine.prompts == [] and found.answered_by == "rule"


def test_without_self_correction_the_first_readable_reply_stands() -> None:
    lm, engine = scripted([INVENTED])
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        found = summarise(pair(), PASSAGES, settings("off", odr={"enabled": False}, **OFF))
    assert len(engine.prompts) == 1 and found.answered_by == "lm"
    assert "77" in found.value.summary


def test_the_enrichment_names_places_in_words() -> None:
    found = summarise(pair(), PASSAGES, settings())
    stored = found.to_enrichment(0.8)
    assert stored == Enrichment.model_validate(stored.model_dump())
    assert stored.confidence == 0.8
    assert any(t.endswith("[Article 4(2)(a)]") for t in stored.thresholds or ())


@pytest.mark.parametrize("adapter", ["chat", "json", "xml"])
def test_the_simulated_model_answers_like_the_rules(adapter: str) -> None:
    chosen = load(["lm=simulated", "fastpath=off", f"lm.adapter={adapter}", "lm.cache=false"])
    only = settings()
    with in_use(build_lm(chosen.lm), chosen):
        found = retrieve(pair(), ScriptedRetriever([REPORTS], [LIMITS]), chosen)
        told = summarise(pair(), found.passages, chosen)
    assert found.iterations[0].query_by == told.answered_by == "lm"
    right = retrieve(pair(), ScriptedRetriever([REPORTS], [LIMITS]), only)
    assert (found.queries, found.confidence, found.gaps) == (right.queries, right.confidence, right.gaps)
    assert told.value == summarise(pair(), right.passages, only).value


def test_no_passages_no_facts() -> None:
    found = summarise(pair(), [], settings())
    assert PARAGRAPH.text in found.value.summary and found.value.key_facts == ()
