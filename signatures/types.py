"""The views that signatures take in and the flat items that they give back.

Every answer is a list of items keyed by an id (a criterion id, a block index, a footnote id), never a tree.
`quotes` name the words of the source that an item rests on; they are located in the block afterwards.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from regreact.schema import (
    Applicability,
    Category,
    Definition,
    Dependencies,
    FootnoteCategory,
    FootnoteItem,
    Logic,
    References,
    ReferenceSource,
    Tag,
    Threshold,
)

# What became of a CELEX id: `unverified` if nobody could tell, `flagged` if it was found wrong and not put right.
CelexStatus = Literal["verified", "corrected", "unverified", "flagged"]
CelexError = Literal[
    "wrong_type", "wrong_year", "wrong_number", "swapped_order", "wrong_padding", "unreadable", "other_version",
    "not_existing", "other_act", "unproven",
]  # fmt: skip


class View(BaseModel):
    """Base of inputs: immutable, unknown keys refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class UnitHeader(View):
    """Which section of which activity is read."""

    unit: str
    activity: str
    objective: str
    section: str
    description: str = ""


class BlockView(View):
    """One addressable block of the source. `list_path` is equal for items of one list, empty outside lists."""

    index: int
    tag: str
    depth: int
    marker: str | None
    text: str
    heading: bool = False
    list_path: str = ""


class CriterionView(View):
    """One criterion of the tree as known so far. `block` is null for ROOT and inferred containers."""

    criterion_id: str
    parent: str | None
    block: int | None
    text: str
    heading: bool = False
    footnotes: tuple[str, ...] = ()


class FootnoteView(View):
    """One footnote, with the criterion in whose text its marker stands."""

    id: str
    criterion_id: str
    text: str


class CriterionFacts(View):
    """What earlier stages found out about one criterion."""

    criterion_id: str
    threshold: Threshold | None = None
    references: References | None = None
    evaluation_logic: Logic | None = None
    applicability: Applicability | None = None
    tags: tuple[Tag, ...] = ()
    dependencies: Dependencies | None = None
    corrections: tuple[CorrectionValue, ...] = ()
    threshold_from: str | None = None


class CorrectionValue(View):
    """The source prints `from`, plainly meaning `to`."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    from_: str = Field(alias="from")
    to: str
    reason: str = "crossref"


class ThresholdEntry(View):
    """Entry of the threshold registry: the thresholds that one criterion states."""

    criterion_id: str
    threshold: Threshold


class MappingEntry(View):
    """Entry of the cross-reference registry: what a citation phrase of the section stands for."""

    criterion_id: str
    phrase: str
    target: str


class ActivityEntry(View):
    """Entry of the activity registry: one fact about the activity (`name`, `nace`, `description` …)."""

    key: str
    value: str


class CelexFailure(View):
    """A CELEX id that does not belong to the act a citation names."""

    id: str
    citation: str
    celex_id: str
    error: CelexError
    reason: str
    tried: tuple[str, ...] = ()


class CelexAttempt(View):
    """One id that was tried for a citation, and what was wrong with it (`error` null: nothing)."""

    celex_id: str
    proposed_by: Literal["answer", "rule", "lm", "search"]
    proposal: str = ""
    error: CelexError | None = None
    finding: str = ""


class CelexEntry(View):
    """Entry of the CELEX registry: the id answered for a citation, the id it was found to be, and how."""

    answered: str
    citation: str
    celex_id: str
    status: CelexStatus
    title: str = ""
    authority: Literal["register", "cellar"] | None = None
    reason: str = ""
    attempts: tuple[CelexAttempt, ...] = ()


class Item(BaseModel):
    """Base of answers. `confidence` in [0, 1]; `quotes` copied exactly from the source."""

    model_config = ConfigDict(extra="forbid")

    confidence: float = Field(
        default=0.8, ge=0, le=1, description="above 0.9 if the source says it plainly, below 0.6 for a guess"
    )
    quotes: list[str] = Field(
        default_factory=list, description="words of the source, copied exactly, that decide; empty if nothing is stated"
    )


class StructureItem(Item):
    """Place of one block in the criterion tree."""

    block: int
    criterion_id: str
    parent: str


class ThresholdItem(Item):
    """Thresholds that one criterion states itself; null if none."""

    criterion_id: str
    threshold: Threshold | None


class PathwayItem(Item):
    """Joint pathways among the children of one OR criterion; `groups` is empty if each child stands alone."""

    criterion_id: str
    groups: list[list[str]]


class LogicItem(Item):
    """How the children of one criterion combine."""

    criterion_id: str
    evaluation_logic: Logic
    n_required: int | None = None


class ApplicabilityItem(Item):
    """Whether the obligation of one criterion applies always or only in some situations."""

    criterion_id: str
    applicability: Applicability


class TagsItem(Item):
    """Zero to three tags of one criterion."""

    criterion_id: str
    tags: list[Tag]


# A malformed CELEX id does not spoil the whole reply: stages 4 and 6 put it right. Docstrings are part of the prompt.
class AnsweredSource(ReferenceSource):
    """One cited act, standard or place outside the unit, as a citation phrase."""

    celex_id: str | None = None


class AnsweredReferences(References):
    """Cited sources of one criterion; `logic` joins two or more and is null for one."""

    sources: tuple[AnsweredSource, ...] = Field(min_length=1)


class ReferencesItem(Item):
    """External sources that one criterion cites; null if none."""

    criterion_id: str
    references: AnsweredReferences | None


class DependenciesItem(Item):
    """Gating of one criterion by others; null if none."""

    criterion_id: str
    dependencies: Dependencies | None


class CorrectionsItem(Item):
    """Wrong citations of criteria in the text of one criterion; empty if none."""

    criterion_id: str
    corrections: list[CorrectionValue]


class InheritanceItem(Item):
    """Where one criterion takes its thresholds from, and those taken over; null if it inherits none."""

    criterion_id: str
    threshold_from: str | None
    threshold: Threshold | None = None


class FootnoteValue(View):
    """A footnote decomposed."""

    categories: tuple[FootnoteCategory, ...] = ()
    items: tuple[FootnoteItem, ...] = ()
    definitions: tuple[Definition, ...] = ()
    notes: tuple[str, ...] = ()


class AnsweredFootnoteItem(FootnoteItem):
    """One act, standard or document named in a footnote."""

    celex_id: str | None = None


class AnsweredFootnote(FootnoteValue):
    """A footnote decomposed."""

    items: tuple[AnsweredFootnoteItem, ...] = ()


class FootnoteDecomposition(Item):
    """Categories, documents and definitions of one footnote."""

    id: str
    footnote: AnsweredFootnote


class CelexRepairItem(Item):
    """The CELEX id that a citation stands for; empty if it cannot be told."""

    id: str
    celex_id: str
    reason: str = ""


class SummaryItem(Item):
    """One or two sentences that state the rule of one criterion by themselves."""

    criterion_id: str
    rule_summary: str


class FlatFootnote(View):
    """A footnote of a node of the single-pass baseline."""

    id: str
    footnote: FootnoteValue


class FlatNode(BaseModel):
    """One criterion with its parent instead of its children; null or empty where it has nothing."""

    model_config = ConfigDict(extra="forbid")

    criterion_id: str
    parent: str | None
    block: int | None
    category: Category = "Qualitative"
    applicability: Applicability = "Mandatory"
    tags: list[Tag] = Field(default_factory=list)
    rule_summary: str = ""
    evaluation_logic: Logic = "LEAF"
    n_required: int | None = None
    threshold: Threshold | None = None
    references: References | None = None
    dependencies: Dependencies | None = None
    corrections: list[CorrectionValue] = Field(default_factory=list)
    threshold_from: str | None = None
    footnotes: list[FlatFootnote] = Field(default_factory=list)


IssueType = Literal["structural", "semantic", "completeness", "consistency"]
IssueSeverity = Literal["minor", "major", "critical"]
Action = Literal["retry_modified", "decompose", "fallback", "accept", "escalate"]


class IssueView(BaseModel):
    """One discrepancy between an answer and the source."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    item_id: str
    type: IssueType
    severity: IssueSeverity
    field: str
    description: str
    source_evidence: str = ""


class Diagnosis(BaseModel):
    """Why the answers went wrong and what to do about it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    root_cause: str
    contributing_factors: list[str] = []
    recommended_action: Action
    specific_guidance: str


CriterionFacts.model_rebuild()
