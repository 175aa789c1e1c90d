"""Records that the API answers with, beside those of `regreact.schema`."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from regreact.app.api.catalogue import Row
from regreact.app.api.jobs import Job, State
from regreact.schema import (
    Applicability,
    Category,
    Dependencies,
    Extraction,
    Logic,
    References,
    Tag,
    Threshold,
)


class Problem(BaseModel):
    """An error as problem details (RFC 9457)."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "about:blank",
                    "title": "Unprocessable Content",
                    "status": 422,
                    "detail": "washing.html: plain text without markup (give an HTML fragment)",
                }
            ]
        }
    )


class Health(BaseModel):
    """Whether the server works, and what it has at hand."""

    status: str = "ok"
    version: str
    extractions: int
    units: int


class FailedUnit(BaseModel):
    """A unit that could not be extracted."""

    unit: str
    detail: str


class Extracted(BaseModel):
    """The extractions of an uploaded document."""

    document: str | None
    extractions: list[Extraction]
    failures: list[FailedUnit]


class JobStatus(BaseModel):
    """How a job stands. Times are seconds since 1970; `eta_s` is at the rate so far."""

    id: str
    name: str
    state: State
    document: str | None
    total: int | None
    done: int
    failed: int
    created: float
    started: float | None
    ended: float | None
    eta_s: float | None
    detail: str
    failures: list[FailedUnit]

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "0f8e2b1c9a7d4e6f8a1b2c3d4e5f6a7b", "name": "act.fmx.xml", "state": "running",
                    "document": "02099R9001-20990630", "total": 40, "done": 12, "failed": 0, "created": 1796000000.0,
                    "started": 1796000000.2, "ended": None, "eta_s": 9.3, "detail": "", "failures": [],
                }
            ]
        }
    )  # fmt: skip

    @classmethod
    def of(cls, job: Job) -> JobStatus:
        """Return the status of a job."""
        return cls(
            id=job.id,
            name=job.name,
            state=job.state,
            document=job.document,
            total=job.total,
            done=len(job.extractions),
            failed=len(job.failures),
            created=job.created,
            started=job.started,
            ended=job.ended,
            eta_s=job.eta_s,
            detail=job.detail,
            failures=[FailedUnit(**f) for f in job.failures],
        )


class Page(BaseModel):
    """Part of a list."""

    total: int = Field(description="Number of entries in all")
    offset: int
    limit: int


class UnitLine(BaseModel):
    """One unit; `criteria` and `review` are null where it is not extracted, `blocks` where its source is absent."""

    document: str
    unit: str
    activity: str
    objective: str
    section: str
    criteria: int | None
    review: int | None
    blocks: int | None


class UnitPage(Page):
    """Units."""

    items: list[UnitLine]


class UnitDetail(BaseModel):
    """A unit with its extraction and the text of its blocks, as far as they are at hand."""

    line: UnitLine
    extraction: Extraction | None
    blocks: list[str] | None


class CriterionRow(BaseModel):
    """A criterion without those below it."""

    document: str
    unit: str
    activity: str
    objective: str
    criterion_id: str
    parent: str | None
    category: Category
    applicability: Applicability
    tags: tuple[Tag, ...]
    verbatim_text: str
    rule_summary: str
    evaluation_logic: Logic
    n_required: int | None
    threshold: Threshold | None
    references: References | None
    dependencies: Dependencies | None

    @classmethod
    def of(cls, row: Row) -> CriterionRow:
        """Return a criterion as a row."""
        own: dict[str, Any] = {
            "document": row.record.source.document,
            "unit": row.record.unit,
            "activity": row.record.activity,
            "objective": row.record.objective,
            "parent": row.parent,
        }
        told = {name: getattr(row.criterion, name) for name in cls.model_fields if name not in own}
        return cls(**own, **told)


class CriterionPage(Page):
    """Criteria."""

    items: list[CriterionRow]


class Hit(BaseModel):
    """A criterion that was found, with its BM25 score."""

    score: float
    criterion: CriterionRow


class Hits(BaseModel):
    """What a search found, best first."""

    query: str
    items: list[Hit]
