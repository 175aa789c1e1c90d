"""A language model as judge of summaries of cited law (appendix D.20): comparisons first, then the score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import dspy
from pydantic import BaseModel

from regreact.answers import Answer, solver
from regreact.evaluation.judge import Judgement
from regreact.evaluation.lm_judge import LMJudge, Question
from regreact.evaluation.rag import Comparison, RagScores, Scored, score_summary
from signatures import judges
from signatures.passages import CitedSource, ClaimCheck, ClaimRelevance, ElementCheck, NeedCheck, PassageView

SIGNATURES: dict[str, type[dspy.Signature]] = {
    "faithfulness": judges.JudgeFaithfulness,
    "relevance": judges.JudgeRelevance,
    "completeness": judges.JudgeCompleteness,
    "coverage": judges.JudgeCoverage,
}


@dataclass(frozen=True, slots=True)
class SummaryCase:
    """A summary to be judged; fields as the arguments of `regreact.evaluation.rag.score_summary`."""

    criterion: str
    reference: CitedSource
    passages: tuple[PassageView, ...]
    summary: str
    key_facts: tuple[str, ...] = ()
    thresholds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unscored:
    """A summary that lacks a readable score in some dimension, and why."""

    problem: str


def judge_summaries(judge: LMJudge, cases: Sequence[SummaryCase]) -> list[RagScores | Unscored]:
    """Put the four questions about each summary to a judge, many at a time.

    Raises:
        LMStopError: No further question can be answered; the judgements made until then are kept.
    """
    questions = [Question(signature, _inputs(case)) for case in cases for signature in SIGNATURES.values()]
    found = judge.answer(questions)
    size = len(SIGNATURES)
    return [_scores(found[i : i + size]) for i in range(0, len(found), size)]


def _inputs(case: SummaryCase) -> dict[str, Any]:
    return {
        "criterion": case.criterion,
        "reference": case.reference,
        "passages": list(case.passages),
        "summary": case.summary,
        "key_facts": list(case.key_facts),
        "thresholds": list(case.thresholds),
    }


def _scores(found: Sequence[Judgement]) -> RagScores | Unscored:
    problems = [f"{name}: {j.problem}" for name, j in zip(SIGNATURES, found, strict=True) if j.score is None]
    return Unscored("; ".join(problems)) if problems else RagScores(*map(_scored, found))


def _scored(judgement: Judgement) -> Scored:
    """Return a judgement in the form of the rubric: each comparison's last field is its verdict."""
    items = []
    for comparison in judgement.comparisons:
        first, *others = comparison.values()
        items.append(Comparison(str(first), str(others[-1]), str(others[0]) if len(others) > 1 else ""))
    assert judgement.score is not None
    return Scored(int(judgement.score), tuple(items))


class RagJudgement(BaseModel):
    """What a judge of a summary answers."""

    comparisons: list[ClaimCheck] | list[ClaimRelevance] | list[ElementCheck] | list[NeedCheck]
    score: int
    reason: str


Found = Iterator[Answer[RagJudgement]]


# The rubric as fast path of the same questions: what the simulated model answers by.
@solver("JudgeFaithfulness")
def judge_faithfulness(**inputs: Any) -> Found:
    """Score faithfulness."""
    found = score_summary(**inputs).faithfulness
    checks = [ClaimCheck.model_validate({"claim": c.item, "support": c.verdict}) for c in found.comparisons]
    yield _answer(found, checks or [ClaimCheck(claim="", support="unsupported")])


@solver("JudgeRelevance")
def judge_relevance(**inputs: Any) -> Found:
    """Score relevance."""
    found = score_summary(**inputs).relevance
    checks = [ClaimRelevance.model_validate({"claim": c.item, "tier": c.verdict}) for c in found.comparisons]
    yield _answer(found, checks or [ClaimRelevance(claim="", tier="unrelated")])


@solver("JudgeCompleteness")
def judge_completeness(**inputs: Any) -> Found:
    """Score completeness."""
    found = score_summary(**inputs).completeness
    checks = [
        ElementCheck.model_validate(
            {"element": c.item, "weight": c.verdict.split()[0], "captured": c.verdict.endswith("captured")}
        )
        for c in found.comparisons
    ]
    yield _answer(found, checks or [ElementCheck(element="nothing that binds", weight="minor", captured=True)])


@solver("JudgeCoverage")
def judge_coverage(**inputs: Any) -> Found:
    """Score coverage."""
    found = score_summary(**inputs).coverage
    listed = [{"need": c.item, "priority": "primary", "state": c.verdict} for c in found.comparisons]
    checks = [NeedCheck.model_validate(values) for values in listed]
    yield _answer(found, checks or [NeedCheck(need="nothing", priority="secondary", state="met")])


def _answer(found: Scored, checks: list[Any]) -> Answer[RagJudgement]:
    reply = RagJudgement(comparisons=checks, score=found.score, reason=f"The rubric gives {found.score}.")
    return Answer("", reply, 1.0)
