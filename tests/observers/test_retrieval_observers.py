"""What the checks of retrieval find: invented numbers, dates, places, quotes, turned comparisons, missing values."""

from __future__ import annotations

from typing import Any

import pytest

from regreact.answers import Answer
from regreact.observers.base import Issue, observe
from signatures.passages import Evaluation, Gap, Located, SourceSummary
from tests.fastpath.kiln_act import ACT, CRITERION, LIMITS, PARAGRAPH, REPORTS

RIGHT = SourceSummary(
    summary="Article 4(2) limits the dust of lime kilns to 10 or 20 mg/Nm3, the latter from 1 March 2031.",
    key_facts=(Located(text="Kilns of more than 5 MW emit at most 10 mg/Nm3.", address="art_4/par_2/pnt_a"),),
    thresholds=(Located(text="20 mg/Nm3 from 1 March 2031", address="art_4/par_2/pnt_b"),),
    quotes=(Located(text="10 mg/Nm3 for kilns of more than 5 MW", address="art_4/par_2/pnt_a"),),
    confidence=0.9,
)


def check(**changes: Any) -> list[Issue]:
    inputs = {"criterion": CRITERION, "reference": PARAGRAPH, "passages": [LIMITS, REPORTS]}
    return observe("SummarisePassages", inputs, [Answer("", RIGHT.model_copy(update=changes), 0.9)])


def test_a_right_summary_passes() -> None:
    assert check() == []


@pytest.mark.parametrize(
    ("summary", "named"),
    [
        (f"{RIGHT.summary} Ash stays below 30 mg/kg.", "30 mg/kg"),
        (RIGHT.summary.replace("1 March 2031", "1 March 2033"), "1 March 2033"),
        (f"{RIGHT.summary} Article 7 adds to it.", "Article 7"),
        (f"{RIGHT.summary} See Directive 2095/8/EU.", "2095/8/EU"),
        (f"{RIGHT.summary} This is 5 % of all.", "5 %"),
    ],
)
def test_what_stands_in_no_passage_is_critical(summary: str, named: str) -> None:
    found = [i for i in check(summary=summary) if i.observer == "stated_in_passages"]
    assert [i.severity for i in found] == ["critical"] and named in found[0].description


@pytest.mark.parametrize("field", ["key_facts", "thresholds"])
def test_facts_and_thresholds_are_checked_as_well(field: str) -> None:
    found = check(**{field: (*getattr(RIGHT, field), Located(text="at most 77 mg/Nm3"))})
    assert [(i.observer, i.field) for i in found] == [("stated_in_passages", field)]


def test_other_forms_of_a_number_pass() -> None:
    assert check(summary=RIGHT.summary.replace("20 mg/Nm3", "20.0\u00a0mg/Nm3")) == []


def test_a_turned_comparison_is_critical() -> None:
    found = check(summary=f"{RIGHT.summary} Dust is at least 10 mg/Nm3.")
    assert [(i.observer, i.severity) for i in found] == [("comparison_kept", "critical")]


def test_a_quote_must_be_copied() -> None:
    found = check(quotes=(Located(text="10 mg/Nm3 for kilns above 5 MW"),))
    assert [i.observer for i in found] == ["quotes_verbatim"]
    assert check(quotes=(Located(text="10 mg/Nm3  for kilns of\u00a0more than 5 MW"),)) == []


def test_a_quote_of_100_words_is_too_long() -> None:
    long = LIMITS.model_copy(update={"text": " ".join(["dust"] * 120)})
    inputs = {"criterion": CRITERION, "reference": PARAGRAPH.model_copy(update={"addresses": ()}), "passages": [long]}
    for words, expected in ((99, []), (100, ["quotes_verbatim"])):
        value = SourceSummary(summary="Dust.", quotes=(Located(text=" ".join(["dust"] * words)),))
        assert [i.observer for i in observe("SummarisePassages", inputs, [Answer("", value, 0.9)])] == expected


def test_an_address_must_be_one_of_the_passages() -> None:
    found = check(key_facts=(Located(text="Kilns of more than 5 MW.", address="art_6"),))
    assert [i.observer for i in found] == ["addresses_known"]


def test_a_number_left_out_of_a_short_provision_is_named() -> None:
    found = check(summary="Article 4(2) limits dust.", key_facts=())
    assert [(i.observer, i.severity) for i in found] == [("numbers_reported", "major")]
    assert "10 mg/Nm3" in found[0].description and "5 MW" in found[0].description


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (f"What does Article 4(2) of {ACT} require of kilns?", []),
        ("What does Article 4 require of kilns?", []),
        ("What does Article 6 require of kilns?", ["Article 6"]),
        ("What does Directive 2090/1/EU require of kilns?", ["2090/1/EU"]),
        ("What does Annex II require of kilns?", ["Annex II"]),
        ("", ["empty"]),
    ],
)
def test_a_query_names_only_what_the_criterion_prints(query: str, found: list[str]) -> None:
    inputs = {"query": CRITERION, "activity": "Lime", "objective": "mitigation", "section": "SC", "reference": PARAGRAPH}
    issues = observe("RewriteQuery", inputs, [Answer("", query, 0.9)])
    assert len(issues) == len(found) and all(f in i.description for f, i in zip(found, issues, strict=True))


def test_a_refined_query_may_name_what_a_gap_names() -> None:
    gap = Gap(kind="provision", wanted="Article 6(1)")
    for gaps, count in (([gap], 0), ([], 1)):
        inputs = {"original_query": "Which rules hold for kilns?", "gaps": gaps}
        assert len(observe("RefineQuery", inputs, [Answer("", "text of Article 6(1)", 0.9)])) == count


@pytest.mark.parametrize(
    ("value", "count"),
    [
        (Evaluation(confidence=0.9, relevant=("p1",)), 0),
        (Evaluation(confidence=0.9, relevant=("p7",)), 1),
        (Evaluation(confidence=0.9), 1),
        (Evaluation(confidence=0.3), 0),
    ],
)
def test_an_evaluation_names_passages_that_exist(value: Evaluation, count: int) -> None:
    inputs = {"criterion": CRITERION, "reference": PARAGRAPH, "passages": [LIMITS]}
    assert len(observe("EvaluatePassages", inputs, [Answer("", value, 0.9)])) == count
