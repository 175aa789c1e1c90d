"""What the judges of a criterion's fields take in and list, beside the fields themselves."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from regreact.schema import Dependencies
from signatures.passages import Answered
from signatures.types import View

Verdict = Literal["same", "minor", "major", "missing", "surplus"]


class CorrectedPoint(View):
    """A point that the text of a criterion prints, and the one that it plainly means."""

    printed: str
    meant: str


class DependencyFacts(View):
    """What one criterion has to do with others of its section.

    Attributes:
        dependencies: Criteria that it applies only with or without; null for none.
        threshold_from: Criterion whose threshold it takes over; null for none.
        corrections: Wrong citations in its text and what they mean.
    """

    dependencies: Dependencies | None = None
    threshold_from: str | None = None
    corrections: tuple[CorrectedPoint, ...] = ()


class FieldCheck(Answered):
    """One item of a field compared between gold and system."""

    item: str
    gold: str = Field(default="", description="what gold says of it; empty if nothing")
    system: str = Field(default="", description="what the system says of it; empty if nothing")
    verdict: Verdict


class FieldJudgement(Answered):
    """What a judge of a field answers: comparisons first, then the score from 1 to 5 that follows from them."""

    comparisons: list[FieldCheck]
    score: int = Field(ge=1, le=5)
    reason: str
