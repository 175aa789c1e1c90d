"""Pages from templates. Everything put into one is escaped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from regreact.controls import shown

HERE = Path(__file__).parent
STATIC = HERE / "static"
_templates = Environment(
    finalize=shown,
    loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
    lstrip_blocks=True,
)  # fmt: skip


def render(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page.

    Args:
        request: For the session, whose name and form word each page knows as `reviewer` and `csrf`.
        template: Name of the template.
        status: HTTP status.
        values: What the template shows.
    """
    access, session = request.app.state.access, request.scope["regreact.session"]
    common = {"csrf": access.csrf(session), "reviewer": session.reviewer, "title": request.app.title}
    return HTMLResponse(_templates.get_template(template).render({**common, **values}), status)
