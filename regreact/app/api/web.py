"""Routes of the HTTP API."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from regreact import __version__
from regreact.app.access import Access
from regreact.app.api import models
from regreact.app.api.catalogue import Catalogue, Filter, Key
from regreact.app.api.docs import add_docs
from regreact.app.api.jobs import Job, Jobs
from regreact.app.pages import STATIC
from regreact.app.security import PROBLEM, RefusalError, problem, secure
from regreact.errors import RegReActError
from regreact.schema import Applicability, Category, Tag

DESCRIPTION = """Turns published regulations into criterion trees, and gives the extractions of a folder as data.

Errors are problem details (RFC 9457, `application/problem+json`); `detail` says what is wrong and what to do."""
EXAMPLE = (
    '<p>1. The activity meets either of the following criteria:</p>\n<ol type="a"><li>water losses are lower than '
    "5 %;</li><li>all wash water is recovered.</li></ol>\n"
)
# A name without separators: it names the document and never a place.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_MOST_PATTERNS = 50
_UPLOAD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The document itself: an HTML fragment, a Formex or XHTML act, or a Compass JSON; the content "
        "decides the format. With curl: `--data-binary @washing.html`.",
        "content": {
            kind: {"schema": {"type": "string", "format": "binary"}, "example": EXAMPLE} for kind in ("text/html",)
        }
        | {
            kind: {"schema": {"type": "string", "format": "binary"}}
            for kind in ("application/xml", "application/xhtml+xml", "application/json", "application/octet-stream")
        },
    }
}
_TOLD = {
    401: "A token is needed",
    403: "The request comes from a page of another site",
    404: "No such thing here",
    409: "The job has no result (yet)",
    413: "Larger than the server takes",
    422: "The document or a parameter cannot be used",
    503: "Too much is waiting; try again later",
    504: "Not done in time",
}

Offset = Annotated[int, Query(ge=0, description="Entries to pass over")]
Limit = Annotated[int, Query(ge=1, le=500, description="Entries to give at most")]
Name = Annotated[
    str,
    Query(description="File name; its stem names the document. Letters, digits, `.`, `_`, `-`.", examples=["a.html"]),
]
Patterns = Annotated[
    list[str] | None,
    Query(description="Unit keys to extract; `*` and `?` match. All without.", examples=[["CCM-4.1/SC"]]),
]
Document = Annotated[str | None, Query(description="Source document, where several have the unit")]


def _errors(*codes: int) -> dict[int | str, dict[str, Any]]:
    return {
        c: {"description": _TOLD[c], "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
        for c in codes
    }


def create_app(catalogue: Catalogue, jobs: Jobs, access: Access) -> FastAPI:
    """Return the API.

    Args:
        catalogue: Extractions and units at hand.
        jobs: Where extractions run; closed when the server stops.
        access: Who may use it.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(jobs.close)

    app = FastAPI(
        title="RegReAct API", version=__version__, description=DESCRIPTION, lifespan=lifespan, docs_url=None,
        redoc_url=None, responses=_errors(401, 422),
    )  # fmt: skip
    secure(app, access, jobs.limits.bytes)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    _extraction(app, jobs)
    _reading(app, catalogue)
    _problems(app)
    _describe(app)
    add_docs(app)

    @app.get("/", include_in_schema=False)
    def start() -> Response:
        return RedirectResponse("/docs")

    return app


def _describe(app: FastAPI) -> None:
    """Make the OpenAPI description tell of errors as they are sent."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            schemas = plain()["components"]["schemas"]
            schemas["Problem"] = models.Problem.model_json_schema()
            for name in ("HTTPValidationError", "ValidationError"):
                schemas.pop(name, None)
        return plain()

    app.openapi = described  # type: ignore[method-assign]


def _problems(app: FastAPI) -> None:
    async def refused(_: Request, error: Exception) -> Response:
        if isinstance(error, RefusalError):
            return problem(error.status, error.detail)
        return problem(getattr(error, "status_code", 422), str(getattr(error, "detail", error)))

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        told = [f"{'.'.join(str(p) for p in e['loc'][1:]) or 'request'}: {e['msg']}" for e in error.errors()]
        return problem(422, "; ".join(told[:5]))

    app.add_exception_handler(RegReActError, refused)
    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(RequestValidationError, invalid)


async def _job(request: Request, name: str, patterns: list[str] | None) -> Job:
    if not _NAME.fullmatch(name):
        raise RefusalError(422, "name: 1 to 80 letters, digits, '.', '_' or '-', such as washing.html")
    if len(patterns or []) > _MOST_PATTERNS or any(len(p) > 200 for p in patterns or []):
        raise RefusalError(422, f"unit: at most {_MOST_PATTERNS} keys of at most 200 characters")
    data = await request.body()
    if not data.strip():
        raise RefusalError(422, "the request has no body: send the document itself (--data-binary @a.html)")
    return Job(name, data, tuple(patterns or ()), 0.0)


def _extraction(app: FastAPI, jobs: Jobs) -> None:
    limits = jobs.limits

    @app.post(
        "/extract", tags=["extraction"], summary="Extract a small document and wait for it", openapi_extra=_UPLOAD,
        responses=_errors(403, 404, 413, 422, 503, 504),
    )  # fmt: skip
    async def extract(request: Request, name: Name = "document.html", unit: Patterns = None) -> models.Extracted:
        """Return the extraction of each unit. Larger documents go to `POST /jobs`."""
        job = await _job(request, name, unit)
        job.seconds, job.most_units = limits.seconds, limits.units
        jobs.submit(job)
        try:
            # Time in the queue counts for the caller.
            if not await asyncio.to_thread(job.over.wait, limits.seconds + 1):
                raise RefusalError(504, f"not done within {limits.seconds:g} seconds: use POST /jobs")
        finally:
            jobs.cancel(job.id)
        if job.state != "done":
            hint = ": use POST /jobs" if job.status in (413, 504) else ""
            raise RefusalError(job.status, job.detail + hint)
        return models.Extracted.model_validate(
            {"document": job.document, "extractions": job.extractions, "failures": job.failures}
        )

    @app.post(
        "/jobs", status_code=202, tags=["jobs"], summary="Begin an extraction", openapi_extra=_UPLOAD,
        responses=_errors(403, 413, 422, 503),
    )  # fmt: skip
    async def begin(
        request: Request, response: Response, name: Name = "document.html", unit: Patterns = None
    ) -> models.JobStatus:
        """Queue an extraction and return its job; `GET /jobs/{id}` tells how it stands."""
        job = await _job(request, name, unit)
        job.seconds = limits.job_seconds
        response.headers["Location"] = f"/jobs/{jobs.submit(job).id}"
        return models.JobStatus.of(job)

    @app.get("/jobs/{id}", tags=["jobs"], summary="How a job stands", responses=_errors(404))
    def status(id: str) -> models.JobStatus:
        """Return state, progress and estimated seconds left."""
        return models.JobStatus.of(jobs.get(id))

    @app.get("/jobs/{id}/extractions", tags=["jobs"], summary="What a job has extracted", responses=_errors(404, 409))
    def results(id: str, offset: Offset = 0, limit: Limit = 50) -> models.Extracted:
        """Return the extractions that are ready, also those of a job that still runs or was stopped."""
        job = jobs.get(id)
        if job.state == "failed":
            raise RefusalError(409, job.detail)
        chosen = job.extractions[offset : offset + limit]
        return models.Extracted.model_validate(
            {"document": job.document, "extractions": chosen, "failures": job.failures}
        )

    @app.delete("/jobs/{id}", tags=["jobs"], summary="Cancel a job", responses=_errors(403, 404))
    def cancel(id: str) -> models.JobStatus:
        """Stop a job; what it has extracted can still be read."""
        job = jobs.cancel(id)
        job.over.wait(2)
        return models.JobStatus.of(job)


def _criteria_filter(
    unit: Annotated[str | None, Query(description="Unit key", examples=["CCM-21.2/SC"])] = None,
    document: Document = None,
    objective: Annotated[str | None, Query(examples=["mitigation"])] = None,
    tag: Annotated[Tag | None, Query()] = None,
    category: Annotated[Category | None, Query()] = None,
    applicability: Annotated[Applicability | None, Query()] = None,
    threshold_unit: Annotated[
        str | None, Query(description="Part of the unit of a threshold", examples=["CO2e/kWh"])
    ] = None,
    text: Annotated[str | None, Query(max_length=200, description="Part of text or summary")] = None,
) -> Filter:
    return Filter(unit, document, objective, tag, category, applicability, threshold_unit, text)


def _reading(app: FastAPI, catalogue: Catalogue) -> None:
    @app.get("/health", tags=["service"], summary="Whether the server works")
    def health() -> models.Health:
        """Return version and number of extractions and units at hand; needs no token."""
        return models.Health(version=__version__, extractions=len(catalogue.extractions), units=len(catalogue.keys))

    @app.get("/units", tags=["data"], summary="List units", responses=_errors(422))
    def units(
        objective: Annotated[str | None, Query(examples=["mitigation"])] = None,
        document: Document = None,
        text: Annotated[str | None, Query(max_length=200, description="Part of key or activity")] = None,
        offset: Offset = 0,
        limit: Limit = 100,
    ) -> models.UnitPage:
        """Return the units of the folder and of the source."""
        lines = [_line(catalogue, key) for key in catalogue.keys]
        wanted = [
            x
            for x in lines
            if objective in (None, x.objective)
            and document in (None, x.document)
            and (not text or text.casefold() in f"{x.unit} {x.activity}".casefold())
        ]
        return models.UnitPage(total=len(wanted), offset=offset, limit=limit, items=wanted[offset : offset + limit])

    @app.get("/units/{key:path}", tags=["data"], summary="One unit", responses=_errors(404, 409))
    def unit(key: str, document: Document = None) -> models.UnitDetail:
        """Return extraction and source text of a unit, such as `/units/CCM-21.2/SC`."""
        found = catalogue.matching(key, document)
        if not found:
            raise RefusalError(404, f"no unit {key[:200]}: GET /units lists them")
        if len(found) > 1:
            names = ", ".join(d for d, _ in found)
            raise RefusalError(409, f"several documents have {key}: choose with document= ({names})")
        source = catalogue.units.get(found[0])
        return models.UnitDetail(
            line=_line(catalogue, found[0]),
            extraction=catalogue.extractions.get(found[0]),
            blocks=[b.text for b in source.blocks] if source else None,
        )

    @app.get("/criteria", tags=["data"], summary="Filter criteria", responses=_errors(422))
    def criteria(
        wanted: Annotated[Filter, Depends(_criteria_filter)], offset: Offset = 0, limit: Limit = 100
    ) -> models.CriterionPage:
        """Return the criteria that meet all conditions, ROOT left out."""
        rows = [r for r in catalogue.rows if wanted.passes(r)]
        items = [models.CriterionRow.of(r) for r in rows[offset : offset + limit]]
        return models.CriterionPage(total=len(rows), offset=offset, limit=limit, items=items)

    @app.get("/search", tags=["data"], summary="Search criteria", responses=_errors(422))
    def search(
        q: Annotated[str, Query(min_length=1, max_length=500, description="Words", examples=["life-cycle emissions"])],
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
    ) -> models.Hits:
        """Return the criteria that fit the words best (BM25)."""
        found = catalogue.search(q, limit)
        return models.Hits(
            query=q, items=[models.Hit(score=round(s, 4), criterion=models.CriterionRow.of(r)) for s, r in found]
        )


def _line(catalogue: Catalogue, key: Key) -> models.UnitLine:
    record, source = catalogue.extractions.get(key), catalogue.units.get(key)
    known = record or source
    assert known is not None
    return models.UnitLine(
        document=key[0],
        unit=key[1],
        activity=known.activity,
        objective=known.objective,
        section=known.section,
        criteria=sum(1 for _ in record.criteria.walk()) - 1 if record else None,
        review=len(record.review) if record else None,
        blocks=len(source.blocks) if source else None,
    )
