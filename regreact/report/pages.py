"""Self-contained HTML pages: one a unit, and an index.

All text is escaped by the template engine. Each page holds its style and script inline and a content security policy
that allows nothing else: text from a source document cannot run, load or send anything.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from markupsafe import Markup, escape

from regreact.controls import shown
from regreact.report.graph_picture import KINDS, draw
from regreact.report.view import UnitView
from regreact.report.words import number, short, usage_words
from regreact.schema import Span

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = Path(__file__).parent / "templates"


class Column(NamedTuple):
    """A column of the index; `css` says where it is hidden (m: phones, l: tablets too, w: all but wide screens)."""

    name: str
    css: str = ""


COLUMNS = (
    Column("Unit"),
    Column("Activity"),
    Column("Objective", "m"),
    Column("Document", "w"),
    Column("Criteria", "num"),
    Column("Quantitative", "num m"),
    Column("References", "num m"),
    Column("Resolved", "num l"),
    Column("Corrections", "num m"),
    Column("Confidence", "num"),
    Column("Lowest", "num w"),
    Column("To review", "num"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One unit in the index. `mean` and `lowest` are confidences, None where none is recorded."""

    unit: str
    href: str
    activity: str
    objective: str
    document: str
    criteria: int
    quantitative: int
    references: int
    retrieved: int
    corrections: int
    mean: float | None
    lowest: float | None
    review: int


def unit_page(view: UnitView, home: str) -> str:
    """Return the page of a unit.

    Args:
        view: The unit.
        home: Relative address of the index.
    """
    return _render(
        "unit.html", "unit.js", view=view, picture=draw(view), home=home, usage=usage_words(view.extraction.usage),
        edge_names=KINDS,
    )  # fmt: skip


def index_row(view: UnitView, page: str) -> Row:
    """Return the line of a unit in the index; `page` is the path of its page from the index."""
    x = view.extraction
    mean, lowest = view.confidence or (None, None)
    return Row(
        unit=x.unit,
        href=quote(page),
        activity=x.activity,
        objective=x.objective,
        document=x.source.document,
        criteria=len(view.nodes) - 1,
        quantitative=sum(n.criterion.category == "Quantitative" for n in view.nodes[1:]),
        references=view.states.total(),
        retrieved=view.states["retrieved"],
        corrections=len(x.corrections),
        mean=mean,
        lowest=lowest,
        review=len(x.review),
    )


def index_page(rows: Sequence[Row], problems: Sequence[str]) -> str:
    """Return the index.

    Args:
        rows: One a unit.
        problems: What has no page, and why.
    """
    documents = {r.document for r in rows}
    totals = [
        ("Units", number(len(rows))),
        ("Documents", number(len(documents))),
        ("Criteria", number(sum(r.criteria for r in rows))),
        ("Quantitative", number(sum(r.quantitative for r in rows))),
        ("References", number(sum(r.references for r in rows))),
        ("Resolved", number(sum(r.retrieved for r in rows))),
        ("Corrected citations", number(sum(r.corrections for r in rows))),
        ("To review", number(sum(r.review for r in rows))),
    ]
    objectives = sorted({r.objective for r in rows} - {""})
    return _render(
        "index.html", "index.js", rows=rows, totals=totals, objectives=objectives, columns=COLUMNS, problems=problems
    )


def _render(template: str, script_name: str, **values: object) -> str:
    style, head, script = _asset("page.css"), _asset("head.js"), _asset("common.js") + _asset(script_name)
    policy = (
        f"default-src 'none'; script-src {_digest(head)} {_digest(script)}; style-src {_digest(style)}; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )
    # Style and script are files of this package, not text of an extraction.
    own = {"style": Markup(style), "head": Markup(head), "script": Markup(script), "policy": policy}
    page: str = _environment().get_template(template).render(**own, **values)
    return page


@cache
def _asset(name: str) -> str:
    text = (_TEMPLATES / name).read_text(encoding="utf-8")
    assert "</s" not in text.lower(), f"{name} would end its element"
    return text


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415  heavy

    environment = Environment(
        finalize=shown,
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"spans": _spans, "short": short, "exact": exact}
    return environment


def _spans(spans: Sequence[Span]) -> str:
    return json.dumps(spans, separators=(",", ":"))


def exact(text: str) -> Markup:
    """Return escaped text in which a browser counts as many characters as Python: none dropped, none joined."""
    return Markup(str(escape(text)).replace("\r", "&#13;").replace("\0", "\ufffd"))
