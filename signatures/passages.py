"""What the questions of retrieval and their judges take in and give back, for one criterion and one cited source.

They have one answer each, not a list of items: the pair of criterion and source is the item.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from signatures.types import View

GapKind = Literal["threshold", "date", "definition", "provision", "subject"]
ClaimSupport = Literal["supported", "partly", "unsupported"]
ClaimTier = Literal["direct", "contextual", "unrelated"]
ElementWeight = Literal["major", "minor"]
NeedPriority = Literal["primary", "secondary"]
NeedState = Literal["met", "partly", "unmet"]


class CitedSource(View):
    """The source that a criterion cites.

    Attributes:
        text: The citation as printed.
        celex_id: The act, null if it has no CELEX id.
        addresses: Places in the act that the citation names ("art_29/par_2"); empty if it names the whole act.
    """

    text: str
    celex_id: str | None = None
    addresses: tuple[str, ...] = ()


class PassageView(View):
    """A stretch of the cited act.

    Attributes:
        id: Name of the passage within the question.
        addresses: Provisions it holds, in order; the first is the one it begins in.
        context: Headings above it.
        text: Its text, one printed paragraph a line.
    """

    id: str
    addresses: tuple[str, ...] = ()
    context: str = ""
    text: str


class Gap(View):
    """Something that the criterion needs from the source and that the passages lack.

    Attributes:
        kind: What is lacking.
        wanted: The words to look for: a subject, a term, the words of a provision.
    """

    kind: GapKind
    wanted: str

    def __str__(self) -> str:
        return {
            "threshold": f"threshold value not found: {self.wanted}",
            "date": f"date missing: {self.wanted}",
            "definition": f"definition of {self.wanted} missing",
            "provision": f"{self.wanted} not among the passages",
            "subject": f"nothing on {self.wanted}",
        }[self.kind]


class Located(View):
    """Words and the address of the provision that they come from."""

    text: str
    address: str = ""


class Answered(BaseModel):
    """Base of single answers: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Evaluation(Answered):
    """How well passages answer a criterion.

    Attributes:
        confidence: In [0, 1], by the rubric of the question.
        relevant: Ids of the passages that help, best first.
        gaps: What is lacking.
    """

    confidence: float = Field(ge=0, le=1)
    relevant: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = ()


class SourceSummary(Answered):
    """What a cited source requires with regard to one criterion.

    Attributes:
        summary: A few sentences.
        key_facts: Duties, conditions, definitions, exceptions.
        thresholds: Each number with comparison words and unit, each date.
        quotes: Verbatim, each under 100 words.
        confidence: In [0, 1].
    """

    summary: str
    key_facts: tuple[Located, ...] = ()
    thresholds: tuple[Located, ...] = ()
    quotes: tuple[Located, ...] = ()
    confidence: float = Field(default=0.0, ge=0, le=1)


class ClaimCheck(Answered):
    """One claim of a summary compared with the passages."""

    claim: str
    evidence: str = Field(default="", description="words of a passage that say it, copied; empty if none does")
    support: ClaimSupport


class ClaimRelevance(Answered):
    """One claim of a summary compared with the criterion."""

    claim: str
    aspect: str = Field(default="", description="words of the criterion that it answers; empty if none")
    tier: ClaimTier


class ElementCheck(Answered):
    """One compliance-critical element of the passages, and whether the output has it."""

    element: str
    weight: ElementWeight
    captured: bool


class NeedCheck(Answered):
    """One thing that the criterion needs from the source, and whether the output answers it."""

    need: str
    priority: NeedPriority
    state: NeedState
