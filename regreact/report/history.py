"""The self-correction (ODR) that an extraction keeps in its memory, read as far as it has the known form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from regreact.schema import Extraction, Span


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


T = TypeVar("T", bound=_Lenient)


class Issue(_Lenient):
    """What an observer found."""

    item_id: str = ""
    type: str = ""
    severity: str = ""
    field: str = ""
    description: str = ""
    evidence: tuple[Span, ...] = ()
    observer: str = ""


class Diagnosis(_Lenient):
    """Why, and what to do about it."""

    root_cause: str = ""
    recommended_action: str = ""
    specific_guidance: str = ""


class Round(_Lenient):
    """One pass of observing, diagnosing and repairing."""

    iteration: int = 0
    confidence: float = 0.0
    issues: tuple[Issue, ...] = ()
    diagnosis: Diagnosis | None = None
    asked: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()


class Loop(_Lenient):
    """All rounds of one question."""

    stage: str = ""
    question: str = ""
    stopped: str = ""
    rounds: tuple[Round, ...] = ()


class CelexFinding(_Lenient):
    """What is known of a CELEX id."""

    status: str = ""
    title: str = ""
    reason: str = ""


class Finding(BaseModel):
    """One issue with the loop and round it was found in, for the page of its criterion."""

    stage: str
    question: str
    iteration: int
    issue: Issue
    asked: bool
    accepted: bool
    guidance: str


def loops(extraction: Extraction) -> tuple[Loop, ...]:
    """Return the loops that found something; entries of another form are left out."""
    told = extraction.memory.get("odr")
    return tuple(_valid(Loop, told if isinstance(told, list) else ()))


def graph_issues(extraction: Extraction) -> tuple[Issue, ...]:
    """Return what the validation of the graph found."""
    told = extraction.memory.get("graph")
    return tuple(_valid(Issue, told if isinstance(told, list) else ()))


def celex_findings(extraction: Extraction) -> dict[str, CelexFinding]:
    """Return what is known of each CELEX id."""
    told = extraction.memory.get("celex")
    entries = told.items() if isinstance(told, dict) else ()
    return {str(k): found for k, v in entries for found in _valid(CelexFinding, [v])}


def findings_for(history: Iterable[Loop], names: frozenset[str]) -> tuple[Finding, ...]:
    """Return the issues of one criterion.

    Args:
        history: Loops of the unit.
        names: What answers about it are called: its id, its block, its footnotes.
    """
    return tuple(
        Finding(
            stage=loop.stage,
            question=loop.question,
            iteration=r.iteration,
            issue=issue,
            asked=issue.item_id in r.asked,
            accepted=issue.item_id in r.accepted,
            guidance=r.diagnosis.specific_guidance if r.diagnosis else "",
        )
        for loop in history
        for r in loop.rounds
        for issue in r.issues
        if issue.item_id in names
    )


def _valid(model: type[T], values: Iterable[Any]) -> Iterator[T]:
    for value in values:
        try:
            yield model.model_validate(value)
        except ValidationError:
            continue
