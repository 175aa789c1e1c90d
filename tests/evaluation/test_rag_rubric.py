"""The four scores of retrieval: each planted fault lowers the score it belongs to, and no other."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from regreact.config import load
from regreact.evaluation.lm_judge import LMJudge
from regreact.evaluation.rag import RagScores, score_summary
from regreact.evaluation.rag_judge import SIGNATURES, SummaryCase, Unscored, judge_summaries
from regreact.fastpath.retrieval import summarise_passages
from signatures.passages import CitedSource, PassageView
from tests.fastpath.kiln_act import ACT, CRITERION, LIMITS, PARAGRAPH, REPORTS, TERMS, WHOLE
from tests.stub_openai import StubServer

SUMMARY = (
    "The dust of lime kilns shall not exceed 10 mg/Nm3 for kilns of more than 5 MW. "
    "Other lime kilns shall not exceed 20 mg/Nm3 of dust from 1 March 2031. "
    "Article 4(2) does not apply to kilns that run for fewer than 100 hours a year."
)
FACTS = ("Dust of lime kilns: 20 mg/Nm3 for other kilns, from 1 March 2031.",)
THRESHOLDS = ("The dust of lime kilns shall not exceed: 10 mg/Nm3 for kilns of more than 5 MW",)
PASSAGES = (LIMITS, TERMS, REPORTS)


def score(
    summary: str = SUMMARY,
    facts: tuple[str, ...] = FACTS,
    thresholds: tuple[str, ...] = THRESHOLDS,
    criterion: str = CRITERION,
    reference: CitedSource = PARAGRAPH,
    passages: tuple[PassageView, ...] = PASSAGES,
) -> dict[str, int]:
    scores = score_summary(criterion, reference, passages, summary, facts, thresholds)
    return {name: getattr(scores, name).score for name in RagScores.__dataclass_fields__}


BEST = {"faithfulness": 5, "relevance": 5, "completeness": 5, "coverage": 5}


def test_a_right_summary_has_full_marks() -> None:
    assert score() == BEST


@pytest.mark.parametrize(
    ("planted", "expected"),
    [
        # a number, a provision, a turned bound: one substantive claim
        ("The dust of lime kilns shall not exceed 45 mg/Nm3 at night.", 3),
        ("Article 12 limits the dust of lime kilns.", 3),
        ("The dust of lime kilns exceeds 10 mg/Nm3.", 3),
        # a detail that the passages do not have
        ("The dust of lime kilns shall never exceed the limits of that day.", 4),
    ],
)
def test_a_hallucination_lowers_faithfulness_alone(planted: str, expected: int) -> None:
    assert score(f"{SUMMARY} {planted}") == {**BEST, "faithfulness": expected}


def test_two_hallucinations_weigh_more_and_many_most() -> None:
    false = [f"The dust of lime kilns shall not exceed {n} mg/Nm3." for n in (41, 42, 43, 44, 46, 47)]
    assert score(f"{SUMMARY} {' '.join(false[:2])}")["faithfulness"] == 2
    assert score(f"{SUMMARY} {' '.join(false)}")["faithfulness"] == 1


def test_an_off_topic_sentence_lowers_relevance_alone() -> None:
    planted = "Member States shall send the Commission a report on fisheries by 30 June of each year."
    assert score(f"{SUMMARY} {planted}") == {**BEST, "relevance": 3}


def test_background_costs_one_point() -> None:
    assert score(f"{SUMMARY} An operator of kilns is whoever runs a furnace.")["relevance"] == 4


def test_another_subject_is_the_wrong_topic() -> None:
    fish = "Member States shall send the Commission a report on fisheries by 30 June of each year."
    found = score(fish, (), ())
    assert found["relevance"] == 1 and found["coverage"] == 1 and found["faithfulness"] == 5


def test_an_omitted_threshold_lowers_completeness_alone() -> None:
    summary = SUMMARY.replace(" 20 mg/Nm3 of dust", " the limit")
    assert score(summary, ()) == {**BEST, "completeness": 3}


def test_a_number_told_anywhere_is_captured() -> None:
    kept = SUMMARY.replace(" 20 mg/Nm3 of dust", " the limit")
    assert score(kept, (), FACTS)["completeness"] == 5


def test_the_omission_of_a_definition_is_minor() -> None:
    reference = CitedSource(text=f"Article 2 of {ACT}", addresses=("art_2",))
    criterion = f"The furnace burns limestone, and its operator keeps to {reference.text}."
    first, second = (s.removesuffix(";") for s in TERMS.text.split("\n")[1:])
    assert score(f"{first}. {second}", (), (), criterion, reference)["completeness"] == 5
    assert score(f"{first}.", (), (), criterion, reference)["completeness"] == 4


def test_two_omitted_thresholds_leave_an_assessor_without_the_rule() -> None:
    assert score("The dust of lime kilns is limited.", (), ())["completeness"] <= 2


def test_an_unaddressed_need_lowers_coverage_alone() -> None:
    both = CitedSource(text=f"Articles 4(2) and 7 of {ACT}", addresses=("art_4/par_2", "art_7"))
    criterion = f"The dust of lime kilns stays within the limits of {both.text}."
    assert score(criterion=criterion, reference=both) == {**BEST, "coverage": 3}


def test_a_definition_that_is_wanted_and_not_told_lowers_coverage() -> None:
    criterion = f"The dust of lime kilns as defined in {ACT} is low."
    passages = (LIMITS.model_copy(update={"addresses": ()}),)
    found = score(criterion=criterion, reference=WHOLE, passages=passages)
    told = score(f"{SUMMARY} ‘Lime kiln’ means a furnace that burns limestone.", criterion=criterion, reference=WHOLE, passages=passages)
    assert found["coverage"] == 3 and told["coverage"] == 5


def test_nothing_told_has_the_lowest_marks() -> None:
    assert score("", (), ()) == {"faithfulness": 1, "relevance": 1, "completeness": 1, "coverage": 1}


def test_the_extractive_summary_is_faithful_complete_and_to_the_point() -> None:
    (answer,) = summarise_passages(CRITERION, PARAGRAPH, PASSAGES)
    value = answer.value
    facts, limits = tuple(f.text for f in value.key_facts), tuple(t.text for t in value.thresholds)
    assert score(value.summary, facts, limits) == BEST


def test_comparisons_say_what_the_score_rests_on() -> None:
    scores = score_summary(CRITERION, PARAGRAPH, PASSAGES, f"{SUMMARY} Ash is below 45 mg/kg.", FACTS, THRESHOLDS)
    wrong = [c for c in scores.faithfulness.comparisons if c.verdict == "unsupported"]
    assert [c.item for c in wrong] == ["Ash is below 45 mg/kg."] and "45 mg/kg" in wrong[0].reason
    assert scores.to_json()["coverage"]["score"] == 5


CASE = SummaryCase(CRITERION, PARAGRAPH, PASSAGES, SUMMARY, FACTS, THRESHOLDS)
REPLIES = {
    "faithfulness": ([{"claim": "Dust.", "evidence": "dust", "support": "supported"}], 5),
    "relevance": ([{"claim": "Dust.", "aspect": "dust", "tier": "contextual"}], 4),
    "completeness": ([{"element": "10 mg/Nm3", "weight": "major", "captured": False}], 3),
    "coverage": ([{"need": "limits", "priority": "primary", "state": "partly"}], 2),
}


def judge(server: StubServer, *more: str) -> LMJudge:
    named = ["judge=lm", f"judge.lm.api_base={server.url}", "judge.lm.model=hosted_vllm/stub", "judge.lm.retries=0"]
    return LMJudge(load([*named, "judge.cache=null", "judge.workers=1", *more]).judge)


def reply(system: str, _: str) -> str:
    name = next(n for n, s in SIGNATURES.items() if s.instructions.splitlines()[0] in system)
    comparisons, given = REPLIES[name]
    fields = {"comparisons": json.dumps(comparisons), "score": given, "reason": "So."}
    return "\n\n".join(f"[[ ## {k} ## ]]\n{v}" for k, v in fields.items())


def test_a_model_judges_after_its_comparisons() -> None:
    with StubServer(default=reply) as server:
        (found,) = judge_summaries(judge(server), [CASE])
    assert isinstance(found, RagScores)
    assert [getattr(found, n).score for n in RagScores.__dataclass_fields__] == [5, 4, 3, 2]
    assert found.relevance.comparisons[0].verdict == "contextual"
    systems = [e.system for e in server.log]
    assert len(systems) == 4 and all(s.index("`comparisons`") < s.index("`score`") for s in systems)


def test_a_dimension_without_readable_score_leaves_the_summary_unscored() -> None:
    with StubServer(["empty", "no form"], default=reply) as server:
        found = judge_summaries(judge(server), [CASE, CASE])
    assert len(server.log) == 5, "one dimension asked twice; equal questions are put once"
    assert all(isinstance(f, Unscored) and f.problem.startswith("faithfulness: the reply cannot be read") for f in found)


def test_the_simulated_judge_gives_the_rubric_s_scores() -> None:
    worse = replace(CASE, summary=f"{SUMMARY} Ash is below 45 mg/kg.", thresholds=())
    empty = replace(CASE, summary="", key_facts=(), thresholds=())
    for case in (CASE, worse, empty):
        (found,) = judge_summaries(LMJudge(load(["judge=simulated"]).judge), [case])
        assert isinstance(found, RagScores)
        expected = score(case.summary, case.key_facts, case.thresholds)
        assert {n: getattr(found, n).score for n in expected} == expected
