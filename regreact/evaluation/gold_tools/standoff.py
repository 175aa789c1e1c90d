"""Between extraction files, which hold source text, and stand-off gold, which refers to blocks by index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from regreact.errors import GoldError
from regreact.evaluation.gold import GoldUnit, attach
from regreact.evaluation.gold_tools.annotations import checked
from regreact.evaluation.predictions import Links, links
from regreact.schema import Correction, Criterion, Edge, Extraction, SourceInfo
from regreact.sources.model import Unit

# Who decided what a full tree made from gold says.
DECIDED_BY = "gold"


def to_standoff(extraction: Extraction, unit: Unit) -> GoldUnit:
    """Return an extraction as stand-off gold: the blocks of each criterion instead of its text.

    What only a program adds (edges to sources, links, evidence, confidence, enrichment) is left out.

    Args:
        extraction: Content of an extraction file.
        unit: The unit that it was made of.

    Raises:
        GoldError: It was made of another document, or the text of a criterion is not that of free blocks of the unit.
    """
    if extraction.source.document != unit.document:
        raise GoldError(f"{extraction.unit}: made of {extraction.source.document}, but the text is of {unit.document}")
    blocks = _blocks(extraction, unit)
    told = links(extraction.to_json())
    nodes = [
        _node(criterion, parent, blocks[criterion.criterion_id], told.get(criterion.criterion_id, Links()))
        for criterion, parent in _walk(extraction.criteria)
    ]
    frame = {k: getattr(extraction, k) for k in ("unit", "activity", "objective", "section")}
    return checked({**frame, "source": unit.document, "nodes": nodes}, extraction.unit)


def _walk(root: Criterion) -> Iterator[tuple[Criterion, str | None]]:
    """Yield each criterion with the id of its parent, in document order."""
    parents = {c.criterion_id: n.criterion_id for n in root.walk() for c in n.sub_criteria}
    yield from ((n, parents.get(n.criterion_id)) for n in root.walk())


def _blocks(extraction: Extraction, unit: Unit) -> dict[str, list[int]]:
    """Return the blocks of each criterion: of equal texts the first free one, in document order of the criteria."""
    free: dict[str, list[int]] = {}
    for block in unit.blocks:
        free.setdefault(block.text, []).append(block.index)
    found: dict[str, list[int]] = {}
    for node in extraction.criteria.walk():
        if node.criterion_id in found:
            raise GoldError(f"{extraction.unit}: {node.criterion_id} occurs twice")
        found[node.criterion_id] = []
        for text in node.verbatim_text.split("\n") if node.verbatim_text else ():
            if not free.get(text):
                raise GoldError(
                    f"{extraction.unit} {node.criterion_id}: no free block of {unit.document} reads {text[:60]!r} "
                    "(extracted from another version of the text?)"
                )
            found[node.criterion_id].append(free[text].pop(0))
    return found


def _node(criterion: Criterion, parent: str | None, blocks: list[int], own: Links) -> dict[str, Any]:
    data = criterion.model_dump(mode="json", exclude={"sub_criteria", "verbatim_text"})
    if data["references"]:
        kept = ("text", "type", "celex_id")
        data["references"]["sources"] = [{k: s[k] for k in kept} for s in data["references"]["sources"]]
    data["footnotes"] = [
        {
            "id": f["id"],
            "categories": f["categories"],
            "items": [{k: v for k, v in i.items() if k != "enrichment"} for i in f["items"]],
            "terms": [d["term"] for d in f["definitions"]],
        }
        for f in data["footnotes"]
    ]
    corrections = [{"from": a, "to": b} for a, b in sorted(own.corrections)]
    place = {"parent": parent, "blocks": blocks}
    return {**data, **place, "corrections": corrections, "threshold_from": own.threshold_from}


def to_extraction(gold: GoldUnit, unit: Unit) -> Extraction:
    """Return gold joined with its source as a full extraction record: the inverse of `to_standoff`.

    Edges are those that gold tells of: hierarchy, gating and inheritance.

    Raises:
        GoldError: Gold does not fit the unit.
    """
    tree = attach(gold, unit)
    corrections = [
        Correction(criterion_id=i, from_=a, to=b, reason="crossref", decided_by=DECIDED_BY)
        for i, pairs in tree.corrections.items()
        for a, b in pairs
    ]
    try:
        return Extraction(
            unit=gold.unit, activity=gold.activity, objective=gold.objective, section=gold.section,
            source=SourceInfo(document=unit.document, sha256=unit.sha256, format=unit.format),
            criteria=tree.root, edges=tuple(_edges(tree.root, tree.threshold_from)), corrections=tuple(corrections),
        )  # fmt: skip
    except ValidationError as error:
        raise GoldError(f"{gold.unit}: {error.errors()[0]['msg']}") from error


def _edges(root: Criterion, threshold_from: Mapping[str, str]) -> Iterator[Edge]:
    for node in root.walk():
        own = node.criterion_id
        yield from (Edge(source=own, target=c.criterion_id, type="hierarchy") for c in node.sub_criteria)
        if node.dependencies:
            yield from (Edge(source=own, target=c.criterion_id, type="depends_on") for c in node.dependencies.clauses)
        if own in threshold_from:
            yield Edge(source=own, target=threshold_from[own], type="inherits_threshold")
