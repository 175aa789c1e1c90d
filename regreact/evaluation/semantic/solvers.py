"""The rubrics as fast paths of the judges' signatures: what the simulated model answers by."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from regreact.answers import Answer, solver
from regreact.evaluation.semantic.dependencies import dependency_score
from regreact.evaluation.semantic.footnotes import footnote_score
from regreact.evaluation.semantic.references import reference_score
from regreact.evaluation.semantic.thresholds import threshold_score
from regreact.schema import Footnote, References, Threshold
from signatures.comparisons import DependencyFacts, FieldCheck, FieldJudgement, Verdict

Found = Iterator[Answer[FieldJudgement]]


@solver("JudgeThreshold")
def judge_threshold(text: str, gold: Threshold | None, system: Threshold | None) -> Found:
    """Score a threshold."""
    yield _answer("threshold", threshold_score(gold, system))


@solver("JudgeReference")
def judge_reference(text: str, gold: References | None, system: References | None) -> Found:
    """Score references."""
    yield _answer("references", reference_score(gold, system, text))


@solver("JudgeFootnote")
def judge_footnote(text: str, gold: Sequence[Footnote], system: Sequence[Footnote]) -> Found:
    """Score footnotes."""
    yield _answer("footnotes", footnote_score(gold, system))


@solver("JudgeDependency")
def judge_dependency(text: str, gold: DependencyFacts, system: DependencyFacts) -> Found:
    """Score the links to other criteria."""
    yield _answer("links", dependency_score(_links(gold), _links(system)))


def _links(facts: DependencyFacts) -> dict[str, Any]:
    return {
        "dependencies": facts.dependencies,
        "threshold_from": facts.threshold_from,
        "corrections": frozenset((c.printed, c.meant) for c in facts.corrections),
    }


def _answer(item: str, score: float) -> Answer[FieldJudgement]:
    """Return a rubric's score as a judge gives it: whole points, halves rounded up."""
    whole = max(1, math.floor(score + 0.5))
    verdicts: tuple[Verdict, ...] = ("missing", "major", "major", "minor", "same")
    verdict = verdicts[whole - 1]
    checks = [FieldCheck(item=item, verdict=verdict)]
    return Answer("", FieldJudgement(comparisons=checks, score=whole, reason=f"The rubric gives {score:g}."), 1.0)
