"""Invented fields, gold and trees in the forms that scoring reads."""

from collections.abc import Iterable
from typing import Any

from regreact.schema import CRITERION_FIELDS, Dependencies, Footnote, References, Threshold
from regreact.sources.model import Block, Unit

BASE: dict[str, Any] = {
    "metric": "Dust emissions of the mill",
    "operator": "<",
    "value": 5,
    "unit": "kg/t",
    "period": None,
}
YES, NO = "Affirmation", "Negation"


def limits(
    *items: dict[str, Any],
    logic: str | None = None,
    temporal: list[dict[str, Any]] | None = None,
    joiner: str | None = None,
) -> Threshold:
    """Return a threshold; each item changes what it names of `BASE`, `joiner` is the logic of the temporal items."""
    return Threshold.model_validate(
        {
            "quantitative": {"logic": logic, "items": [{**BASE, **i} for i in items]} if items else None,
            "temporal": {"logic": joiner, "items": temporal} if temporal else None,
        }
    )


def sources(
    *texts: str, logic: str | None = None, kind: str = "must_be_fetched", celex: str | None = None
) -> References:
    """Return references that all have one type and CELEX id."""
    listed = [{"text": t, "type": kind, "celex_id": celex} for t in texts]
    return References.model_validate({"logic": logic, "sources": listed})


ITEM = {"kind": "Standard", "title": "ISO 1:2018", "celex_id": None, "type": "must_be_fetched", "oj": None}


def note(**changes: Any) -> Footnote:
    """Return a footnote that names one standard."""
    values = {
        "id": "fn-1",
        "verbatim": "See ISO 1:2018.",
        "categories": ["Official Guideline/Standard"],
        "items": [ITEM],
    }
    return Footnote.model_validate({**values, **changes})


def facts(
    *clauses: tuple[str, str],
    minimum: int = 1,
    summary: str = "x",
    inherits: str | None = None,
    fixed: Iterable[tuple[str, str]] = (),
) -> dict[str, Any]:
    """Return what a node depends on."""
    gating = None
    if clauses:
        gating = Dependencies.model_validate(
            {
                "condition_summary": summary,
                "min_conditions_to_meet": minimum,
                "clauses": [{"criterion_id": i, "status": s} for i, s in clauses],
            }
        )
    return {"dependencies": gating, "threshold_from": inherits, "corrections": frozenset(fixed)}


def node(criterion_id: str, *children: dict[str, Any], text: str | None = None, **fields: Any) -> dict[str, Any]:
    """Return a predicted node with all 13 keys."""
    values: dict[str, Any] = dict.fromkeys(CRITERION_FIELDS)
    values.update(
        criterion_id=criterion_id, category="Qualitative", applicability="Mandatory", tags=[], evaluation_logic="LEAF",
        verbatim_text=f"text of {criterion_id}" if text is None else text, sub_criteria=list(children), footnotes=[],
    )  # fmt: skip
    return {**values, **fields}


TEXTS = ("1. Dust is filtered.", "2. An auditor checks the filter(1).")
UNIT = Unit(
    "X-1/SC", "Ore washing", "water", "SC", "doc-1", "0" * 64, "html",
    tuple(Block(i, "p", 0, None, t, footnotes=("fn-1",) if "(1)" in t else ()) for i, t in enumerate(TEXTS)),
    {"fn-1": "See ISO 1:2018."},
)  # fmt: skip


def gold_node(criterion_id: str, parent: str | None, *blocks: int, **changes: Any) -> dict[str, Any]:
    """Return a node of a gold file."""
    values: dict[str, Any] = {
        "criterion_id": criterion_id, "parent": parent, "blocks": list(blocks), "category": "Qualitative",
        "applicability": "Mandatory", "tags": [], "rule_summary": "x", "evaluation_logic": "LEAF", "n_required": None,
        "threshold": None, "references": None, "dependencies": None, "corrections": [], "threshold_from": None,
        "footnotes": [],
    }  # fmt: skip
    return {**values, **changes}


def gold(*nodes: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return the content of a gold file: ROOT, and by default one node a block of `UNIT`."""
    root = gold_node("ROOT", None, evaluation_logic="AND")
    values = {"unit": "X-1/SC", "source": "doc-1", "activity": "Ore washing", "objective": "water", "section": "SC"}
    return {**values, "nodes": [root, *(nodes or (gold_node("1", "ROOT", 0), gold_node("2", "ROOT", 1)))], **changes}
