"""The criterion tree as data: 13 fields a criterion, and the extraction record around it.

Field names, their order, enums and null rules follow Appendix F of arXiv 2604.12054; footnotes also carry
`verbatim` and `definitions`. Complex fields are null when they hold nothing; `footnotes` and `tags` are
lists and never null.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

Category = Literal["Quantitative", "Qualitative"]
Applicability = Literal["Mandatory", "Conditional"]
Tag = Literal["Verification", "Methodology", "Commitment", "Assessment", "Replacement", "BackgroundInformation"]
Logic = Literal["AND", "OR", "N_OF_K", "LEAF"]
Joiner = Literal["AND", "OR"]
Operator = Literal[">", "<", ">=", "<=", "="]
TimeUnit = Literal["years", "months", "days"]
FetchType = Literal["citation_only", "must_be_fetched"]
ClauseStatus = Literal["Affirmation", "Negation"]
FootnoteCategory = Literal["Legal Reference", "Technical Definition", "Official Guideline/Standard", "Explanatory Note"]
DocumentKind = Literal[
    "EU Legal Act",
    "International Convention/Treaty",
    "Standard",
    "Official Guideline/Manual",
    "Member-State Plan/Programme",
    "Other",
]
EdgeType = Literal["hierarchy", "group_member", "inherits_threshold", "references", "depends_on", "corrects"]
Severity = Literal["minor", "major", "critical"]
AnsweredBy = Literal["rule", "lm", "default"]

IsoDate = Annotated[str, Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]
CELEX_PATTERN = r"^[0-9CE]\d{4}[A-Z]{1,2}\d{4}(\(\d{2}\))?$"
CelexId = Annotated[str, Field(pattern=CELEX_PATTERN)]

TAG_ORDER: tuple[Tag, ...] = (
    "Verification",
    "Methodology",
    "Commitment",
    "Assessment",
    "Replacement",
    "BackgroundInformation",
)


class Strict(BaseModel):
    """Base of all records: unknown keys and numbers without end are refused, instances are immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class BoundedPeriod(Strict):
    """Measurement period of fixed length, e.g. "over 20 years"."""

    type: Literal["bounded"] = "bounded"
    value: float
    unit: TimeUnit


class LifetimePeriod(Strict):
    """Measurement over the lifetime of the asset."""

    type: Literal["lifetime"] = "lifetime"


Period = Annotated[BoundedPeriod | LifetimePeriod, Field(discriminator="type")]


class QuantitativeItem(Strict):
    """One numeric limit: metric, operator, number and unit as printed (guidelines section 6)."""

    metric: str
    operator: Operator
    value: float
    unit: str
    period: Period | None = None


def _check_joiner(logic: Joiner | None, count: int) -> None:
    if count < 2 and logic is not None:
        raise ValueError("logic must be null with fewer than two items")


class Quantitative(Strict):
    """Numeric limits of one criterion; `logic` joins two or more items and is null for one."""

    logic: Joiner | None = None
    items: tuple[QuantitativeItem, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _joiner(self) -> Quantitative:
        _check_joiner(self.logic, len(self.items))
        return self


class Deadline(Strict):
    """Last day on which something may be done."""

    type: Literal["deadline"] = "deadline"
    date: IsoDate


class EffectiveFrom(Strict):
    """First day on which something applies."""

    type: Literal["effective_from"] = "effective_from"
    date: IsoDate


class EffectiveUntil(Strict):
    """Last day on which something applies."""

    type: Literal["effective_until"] = "effective_until"
    date: IsoDate


class Window(Strict):
    """Closed interval of days."""

    type: Literal["window"] = "window"
    start: IsoDate
    end: IsoDate


class Recurring(Strict):
    """Interval after which a duty returns."""

    type: Literal["recurring"] = "recurring"
    interval_value: float
    interval_unit: TimeUnit


TemporalItem = Annotated[Deadline | EffectiveFrom | EffectiveUntil | Window | Recurring, Field(discriminator="type")]


class Temporal(Strict):
    """Dates and intervals of one criterion."""

    logic: Joiner | None = None
    items: tuple[TemporalItem, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _joiner(self) -> Temporal:
        _check_joiner(self.logic, len(self.items))
        return self


class Threshold(Strict):
    """Quantitative and temporal thresholds; a criterion without either has `threshold: null`."""

    quantitative: Quantitative | None = None
    temporal: Temporal | None = None

    @model_validator(mode="after")
    def _not_empty(self) -> Threshold:
        if self.quantitative is None and self.temporal is None:
            raise ValueError("a threshold without quantitative and temporal part must be null")
        return self


class Enrichment(Strict):
    """What retrieval found for one reference; fields after `status` only when retrieved."""

    status: Literal["retrieved", "paywalled", "skipped"]
    summary: str | None = None
    key_facts: tuple[str, ...] | None = None
    thresholds: tuple[str, ...] | None = None
    confidence: float | None = Field(default=None, ge=0, le=1)

    @model_validator(mode="after")
    def _only_when_retrieved(self) -> Enrichment:
        extra = (self.summary, self.key_facts, self.thresholds, self.confidence)
        if self.status != "retrieved" and any(x is not None for x in extra):
            raise ValueError("summary, key_facts, thresholds and confidence need status 'retrieved'")
        return self


class ReferenceSource(Strict):
    """One cited act, standard or place outside the unit, as a citation phrase."""

    text: str = Field(min_length=1)
    type: FetchType
    link: str | None = None
    link_status: Literal["provided", "generated"] | None = None
    celex_id: CelexId | None = None
    enrichment: Enrichment | None = None


class References(Strict):
    """Cited sources of one criterion; `logic` joins two or more and is null for one."""

    logic: Joiner | None = None
    sources: tuple[ReferenceSource, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _joiner(self) -> References:
        _check_joiner(self.logic, len(self.sources))
        return self


class Clause(Strict):
    """One gating condition: the named criterion is met/chosen (Affirmation) or not (Negation)."""

    criterion_id: str
    status: ClauseStatus


class Dependencies(Strict):
    """Applicability gating by other criteria of the same unit."""

    condition_summary: str
    min_conditions_to_meet: int = Field(ge=1)
    clauses: tuple[Clause, ...] = Field(min_length=1)


class FootnoteItem(Strict):
    """One act, standard or document named in a footnote."""

    kind: DocumentKind
    title: str
    celex_id: CelexId | None = None
    type: FetchType
    oj: str | None = None
    enrichment: Enrichment | None = None


class Definition(Strict):
    """A term that a footnote defines."""

    term: str
    definition: str


class Footnote(Strict):
    """A footnote of the criterion's block, decomposed."""

    id: str
    verbatim: str
    categories: tuple[FootnoteCategory, ...] = ()
    items: tuple[FootnoteItem, ...] = ()
    definitions: tuple[Definition, ...] = ()
    notes: tuple[str, ...] = ()


class Criterion(Strict):
    """One node of the criterion tree; `ROOT` is the top."""

    criterion_id: str
    category: Category
    applicability: Applicability
    tags: tuple[Tag, ...] = Field(max_length=3)
    verbatim_text: str
    rule_summary: str
    evaluation_logic: Logic
    n_required: int | None
    threshold: Threshold | None
    references: References | None
    dependencies: Dependencies | None
    sub_criteria: tuple[Criterion, ...]
    footnotes: tuple[Footnote, ...]

    @field_validator("tags")
    @classmethod
    def _background_alone(cls, tags: tuple[Tag, ...]) -> tuple[Tag, ...]:
        if len(set(tags)) != len(tags):
            raise ValueError("a tag is repeated")
        if "BackgroundInformation" in tags and len(tags) > 1:
            raise ValueError("BackgroundInformation excludes the other tags")
        return tags

    @model_validator(mode="after")
    def _count_only_for_n_of_k(self) -> Criterion:
        if (self.evaluation_logic == "N_OF_K") != (self.n_required is not None):
            raise ValueError("n_required is set exactly when evaluation_logic is N_OF_K")
        return self

    def walk(self) -> Iterator[Criterion]:
        """Yield this criterion and all below it, in document order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.sub_criteria))


CRITERION_FIELDS: tuple[str, ...] = tuple(Criterion.model_fields)

# Evidence: half-open character range [start, end) in the text of a block.
Span = tuple[int, int, int]


class SourceInfo(Strict):
    """Where a unit's text comes from. `sha256` is of the document's bytes."""

    document: str
    sha256: str
    format: str


class Edge(Strict):
    """A typed edge of the criterion graph; the target of `references` is `celex:…`, `standard:…` or a unit key."""

    source: str
    target: str
    type: EdgeType


class Correction(Strict):
    """A citation of a criterion that the source gets wrong: printed `from`, meant `to`.

    `decided_by` is `rule` or `lm`, or the id of the official document whose structure decided.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, populate_by_name=True)

    criterion_id: str
    from_: str = Field(alias="from")
    to: str
    reason: str
    decided_by: str
    evidence: tuple[Span, ...] = ()


class RetrievalRecord(Strict):
    """How one reference of one criterion was resolved."""

    criterion_id: str
    source: str
    addresses: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    iterations: int = Field(default=0, ge=0)
    confidence: float = Field(ge=0, le=1)


class ReviewItem(Strict):
    """Something a person should look at before the extraction is relied on."""

    criterion_id: str
    stage: str
    severity: Severity
    reason: str
    evidence: tuple[Span, ...] = ()


class FieldProvenance(Strict):
    """Who answered a field, how sure, after how many ODR iterations, and by which rules ("" for a model)."""

    answered_by: AnsweredBy
    confidence: float = Field(ge=0, le=1)
    iterations: int = Field(default=1, ge=0)
    rule: str = ""


class Usage(Strict):
    """Cost of an extraction. `cost` is in US dollars, null when the model's price is unknown."""

    lm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0


class Extraction(Strict):
    """The extraction file of one unit (design section 5)."""

    unit: str
    activity: str
    objective: str
    section: str
    source: SourceInfo
    criteria: Criterion
    edges: tuple[Edge, ...] = ()
    corrections: tuple[Correction, ...] = ()
    retrieval: tuple[RetrievalRecord, ...] = ()
    review: tuple[ReviewItem, ...] = ()
    evidence: dict[str, dict[str, tuple[Span, ...]]] = Field(default_factory=dict)
    provenance: dict[str, dict[str, FieldProvenance]] = Field(default_factory=dict)
    memory: dict[str, Any] = Field(default_factory=dict)
    usage: Usage = Usage()

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON data with the contract's key names (`from`, not `from_`)."""
        return self.model_dump(mode="json", by_alias=True)


def unit_file_name(unit: str) -> str:
    """Return the name of a unit's extraction file (design section 5): "/" in a key becomes "__"."""
    return unit.replace("/", "__") + ".json"


def json_schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON Schemas that `data/schema/` holds, by file name."""
    return {
        "criterion.schema.json": Criterion.model_json_schema(by_alias=True),
        "extraction.schema.json": Extraction.model_json_schema(by_alias=True),
    }
