"""Pages of the review: queue, item, decisions, export."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from fastapi.exceptions import HTTPException
from fastapi.responses import RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as StarletteHTTPException

from regreact.app.access import Access, named
from regreact.app.pages import STATIC, render
from regreact.app.review.desk import Desk
from regreact.app.review.fields import (
    CHOICES,
    CORRECTABLE,
    EMPTY,
    PATTERNS,
    STAGE_NAMES,
    InvalidValueError,
    value_from_form,
)
from regreact.app.review.log import Decision
from regreact.app.review.queue import SEVERITIES, Item
from regreact.app.review.rows import OPERATORS, rows_of, rows_typed, threshold_from_rows
from regreact.app.review.texts import passages
from regreact.app.review.verdict import agreement
from regreact.app.security import RefusalError, cookie_header, last, read_form, secure, session_of
from regreact.errors import ConfigError, OutdatedError, OutputError, RegReActError

PAGE = 100
ACTIONS = ("accept", "correct", "reject", "skip")


def create_app(desk: Desk, access: Access) -> FastAPI:
    """Return the review application.

    Args:
        desk: The review of one folder.
        access: Who may use it.
    """
    app = FastAPI(title="RegReAct review", docs_url=None, redoc_url=None, openapi_url=None)
    secure(app, access)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    _reading(app, desk)
    _writing(app, desk, access)

    async def failed(request: Request, error: Exception) -> Response:
        known = 409 if isinstance(error, OutdatedError) else getattr(error, "status_code", 500)
        status = error.status if isinstance(error, RefusalError) else known
        return render(request, "error.html", status, message=getattr(error, "detail", None) or str(error))

    for kind in (RegReActError, StarletteHTTPException):
        app.add_exception_handler(kind, failed)
    return app


def _reading(app: FastAPI, desk: Desk) -> None:
    @app.get("/health")
    def health() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/")
    def queue(
        request: Request, severity: str = "", state: str = "open", unit: str = "", page: int = 1, done: str = ""
    ) -> Response:
        desk.refresh()
        own = desk.own(session_of(request).reviewer)
        chosen = [i for i in desk.workspace.items if _wanted(i, own.get(i.id), severity, state, unit)]
        pages = max(1, -(-len(chosen) // PAGE))
        page = min(max(page, 1), pages)
        filters = {"severity": severity, "state": state, "unit": unit}
        return render(
            request,
            "queue.html",
            items=[(i, desk.workspace.excerpt(i)) for i in chosen[(page - 1) * PAGE : page * PAGE]],
            count=len(chosen),
            own=own,
            progress=desk.progress(own),
            filters=filters,
            severities=[(s, sum(i.severity == s for i in desk.workspace.items)) for s in SEVERITIES],
            page=page,
            pages=pages,
            links={n: "/?" + urlencode({**filters, "page": n}) for n in (page - 1, page + 1) if 1 <= n <= pages},
            next_item=desk.after(own),
            agreement=agreement(desk.decisions()) if own else [],
            damaged=desk.log.damaged,
            unreadable=[str(one.problem) for one in desk.workspace.damaged],
            folder=desk.workspace.folder,
            done=done == "1",
        )

    @app.get("/item/{identifier}")
    def show(request: Request, identifier: str, field: str = "") -> Response:
        desk.refresh()
        return _item_page(request, desk, _item(desk, identifier), field)


def _writing(app: FastAPI, desk: Desk, access: Access) -> None:
    @app.post("/item/{identifier}")
    async def decide(request: Request, identifier: str) -> Response:
        form = await read_form(request)
        item = _item(desk, identifier)
        reviewer = session_of(request).reviewer
        if not reviewer:
            raise RefusalError(400, "say who you are first: give your name at the top of the page")
        action = last(form, "action")
        if action not in ACTIONS:
            raise RefusalError(400, f"action is one of {', '.join(ACTIONS)}")
        field = item.field or last(form, "field")
        try:
            value = _value(field, form) if action == "correct" else None
            decided: Any = action
            await asyncio.to_thread(
                desk.decide, item, reviewer, decided, field=field or None, value=value, note=last(form, "note"),
                seen=last(form, "seen"),
            )  # fmt: skip
        except InvalidValueError as error:
            return _item_page(request, desk, item, field, form=form, problems=error.problems)
        following = desk.after(desk.own(reviewer), item)
        return RedirectResponse(f"/item/{following.id}" if following else "/?done=1", 303)

    @app.post("/undo")
    async def undo(request: Request) -> Response:
        await read_form(request)
        taken = desk.undo(session_of(request).reviewer)
        known = taken is not None and taken.item in desk.workspace.by_id
        return RedirectResponse(f"/item/{taken.item}" if taken and known else "/", 303)

    @app.post("/reviewer")
    async def rename(request: Request) -> Response:
        form = await read_form(request)
        try:
            session = named(session_of(request), last(form, "reviewer"))
        except ConfigError as error:
            raise RefusalError(400, str(error)) from None
        return RedirectResponse("/", 303, headers={"Set-Cookie": cookie_header(access, session)})

    @app.post("/export")
    async def export(request: Request) -> Response:
        await read_form(request)
        try:
            done = await asyncio.to_thread(desk.export)
        except OutputError as error:
            raise RefusalError(500, str(error)) from error
        return render(request, "exported.html", done=done)


def _value(field: str, form: dict[str, list[str]]) -> Any:
    if field == "threshold" and "metric" in form:
        return threshold_from_rows(form)
    return value_from_form(field, form)


def _item(desk: Desk, identifier: str) -> Item:
    item = desk.workspace.by_id.get(identifier)
    if item is None:
        raise HTTPException(404, "no such item: the extraction has changed, or the address is wrong")
    return item


def _wanted(item: Item, own: Decision | None, severity: str, state: str, unit: str) -> bool:
    decided = own is not None and own.action != "skip"
    in_state = {"open": not decided, "decided": decided, "skipped": own is not None and own.action == "skip"}
    fits = in_state.get(state, True) and severity in ("", item.severity)
    return fits and unit.lower() in f"{item.document} {item.unit}".lower()


def _item_page(
    request: Request,
    desk: Desk,
    item: Item,
    field: str,
    *,
    form: dict[str, list[str]] | None = None,
    problems: tuple[str, ...] = (),
) -> Response:
    workspace = desk.workspace
    record, criterion = workspace.record(item), workspace.criterion(item)
    own = desk.own(session_of(request).reviewer)
    shown = item.field or (field if field in CORRECTABLE else None)
    data = criterion.model_dump(mode="json", exclude={"sub_criteria"}) if criterion else {}
    current = data.get(shown or "")
    evidence = item.evidence or record.evidence.get(item.criterion_id, {}).get(shown or "", ())
    unit = desk.texts.unit(record)
    items = workspace.items
    at = [i.id for i in items].index(item.id)
    return render(
        request,
        "item.html",
        422 if problems else 200,
        item=item,
        seen=workspace.seen(item),
        stage=STAGE_NAMES.get(item.stage, item.stage),
        record=record,
        criterion=data,
        field=shown,
        current=current,
        edit=_edit(shown, data, form),
        operators=OPERATORS,
        choices=CHOICES.get(shown or "", ()),
        correctable=CORRECTABLE if item.field is None else (),
        can_correct=criterion is not None and shown in CORRECTABLE,
        can_empty=item.field in EMPTY,
        pattern=json.dumps(PATTERNS[shown], ensure_ascii=False, indent=1) if shown in PATTERNS else "",
        passages=passages(record, unit, item.criterion_id, evidence),
        has_source=unit is not None,
        problems=problems,
        note=last(form, "note") if form else "",
        own=own.get(item.id),
        progress=desk.progress(own),
        at=at + 1,
        previous=items[at - 1].id if at else None,
        following=items[at + 1].id if at + 1 < len(items) else None,
    )


def _edit(field: str | None, data: dict[str, Any], form: dict[str, list[str]] | None) -> dict[str, Any]:
    """Return what the correction form is filled with: what was typed, else the current value."""
    value, number = data.get(field or ""), data.get("n_required")
    filled = {"value": value, "n_required": "" if number is None else number}
    if field in ("threshold", "references", "dependencies", "footnotes"):
        filled["value"] = json.dumps(value, ensure_ascii=False, indent=1)
    if field == "threshold":
        quantitative, temporal = (value or {}).get("quantitative") or {}, (value or {}).get("temporal")
        filled |= {"rows": rows_of(value), "logic": quantitative.get("logic") or "", "temporal": json.dumps(temporal)}
    if form is None or field is None:
        return filled
    if "value" in form:
        filled["value"] = form["value"] if field == "tags" else last(form, "value")
    if "n_required" in form:
        filled["n_required"] = last(form, "n_required")
    if "metric" in form:
        filled |= {"rows": rows_typed(form), "logic": last(form, "logic"), "temporal": last(form, "temporal")}
    return filled
