"""Stand-off gold annotations: read, checked, joined with their source (guidelines, "File format")."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from regreact.errors import GoldError
from regreact.schema import (
    Applicability,
    Category,
    CelexId,
    Criterion,
    Definition,
    Dependencies,
    DocumentKind,
    FetchType,
    Footnote,
    FootnoteCategory,
    FootnoteItem,
    Joiner,
    Logic,
    References,
    ReferenceSource,
    Tag,
    Threshold,
)
from regreact.sources.model import Unit


class _Gold(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class GoldSource(_Gold):
    """A cited source."""

    text: str
    type: FetchType
    celex_id: CelexId | None


class GoldReferences(_Gold):
    """The cited sources of a node."""

    logic: Joiner | None
    sources: tuple[GoldSource, ...] = Field(min_length=1)


class GoldCorrection(_Gold):
    """A wrong citation: printed, meant."""

    from_: str = Field(alias="from")
    to: str


class GoldFootnoteItem(_Gold):
    """A document named in a footnote."""

    kind: DocumentKind
    title: str
    celex_id: CelexId | None
    type: FetchType
    oj: str | None = None


class GoldTerm(_Gold):
    """A term defined in a footnote; the definition itself stands in the source."""

    term: str
    definition: str = ""


class GoldFootnote(_Gold):
    """A footnote of a node."""

    id: str
    categories: tuple[FootnoteCategory, ...]
    items: tuple[GoldFootnoteItem, ...] = ()
    terms: tuple[GoldTerm | str, ...] = ()


class GoldNode(_Gold):
    """One criterion, its place and its labels."""

    criterion_id: str
    parent: str | None
    blocks: tuple[int, ...]
    category: Category
    applicability: Applicability
    tags: tuple[Tag, ...]
    rule_summary: str
    evaluation_logic: Logic
    n_required: int | None
    threshold: Threshold | None
    references: GoldReferences | None
    dependencies: Dependencies | None
    corrections: tuple[GoldCorrection, ...]
    threshold_from: str | None
    footnotes: tuple[GoldFootnote, ...]


class GoldUnit(_Gold):
    """The gold tree of one unit, ROOT first."""

    unit: str
    source: str
    activity: str
    objective: str
    section: str
    nodes: tuple[GoldNode, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class GoldTree:
    """A gold unit with its texts: what predictions are compared with."""

    unit: str
    source: str
    root: Criterion
    corrections: dict[str, tuple[tuple[str, str], ...]]
    threshold_from: dict[str, str]


def load_gold(folder: Path) -> list[GoldUnit]:
    """Read all gold files of a folder, in the order of their names.

    Raises:
        GoldError: The folder holds none, a file is damaged, or two files annotate the same unit; the message names
            file, unit, place and problem. Scores over a part of the gold would look like scores over all of it,
            so one damaged file ends the reading.
    """
    paths = sorted(folder.glob("*.json")) if folder.is_dir() else []
    if not paths:
        raise GoldError(f"{folder}: holds no gold files (give a folder of stand-off JSON with --gold)")
    units = [read_gold(path) for path in paths]
    first: dict[tuple[str, str], Path] = {}
    for path, unit in zip(paths, units, strict=True):
        other = first.setdefault((unit.source, unit.unit), path)
        if other is not path:
            raise GoldError(f"{path}: {unit.unit} of {unit.source} is annotated in {other.name} already (remove one)")
    return units


def read_gold(path: Path, sources: Mapping[str, str] | None = None) -> GoldUnit:
    """Read one gold file.

    Args:
        path: The file.
        sources: Source document by unit key, for a first draft that does not name its own.

    Raises:
        GoldError: It is no JSON, has another shape, or its tree is broken.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise GoldError(f"{path}: cannot be read as JSON: {error}") from error
    if isinstance(data, dict) and "source" not in data and data.get("unit") in (sources or {}):
        data["source"] = (sources or {})[data["unit"]]
    try:
        unit = GoldUnit.model_validate(data)
    except ValidationError as error:
        raise GoldError(f"{path}: {_place(data, error)}") from error
    for problem in tree_problems(unit):
        raise GoldError(f"{path}: {unit.unit}: {problem}")
    return unit


def _place(data: Any, error: ValidationError) -> str:
    """Return unit, node, field and problem of the first error."""
    first = error.errors()[0]
    loc = list(first["loc"])
    named = [str(data["unit"])] if isinstance(data, dict) and "unit" in data else []
    if loc[:1] == ["nodes"] and len(loc) > 1 and isinstance(loc[1], int):
        node = data["nodes"][loc[1]]
        identifier = node.get("criterion_id") if isinstance(node, dict) else None
        named.append(f"node {loc[1]}" + (f" ({identifier})" if identifier else ""))
        loc = loc[2:]
    field = [".".join(map(str, loc))] if loc else []
    return ": ".join([*named, *field, first["msg"]])


def tree_problems(unit: GoldUnit) -> Iterator[str]:
    """Yield what is wrong with the tree of a unit: ids, parents, blocks, labels that contradict each other."""
    ids = {n.criterion_id for n in unit.nodes}
    known: set[str] = set()
    owners: dict[int, str] = {}
    if unit.nodes[0].criterion_id != "ROOT" or unit.nodes[0].parent is not None:
        yield "the first node is not ROOT without parent"
    for number, node in enumerate(unit.nodes):
        place = f"node {number} ({node.criterion_id})"
        if node.criterion_id in known:
            yield f"{place}: {node.criterion_id} occurs twice"
        known.add(node.criterion_id)
        if number and node.parent not in ids:
            yield f"{place}: parent {node.parent} does not exist"
        for block in node.blocks:
            if block in owners:
                yield f"{place}: block {block} belongs to {owners[block]} already; a block belongs to one node"
            owners[block] = node.criterion_id
        try:
            _record(node, "", (), {})
        except ValidationError as error:
            yield f"{place}: {error.errors()[0]['msg']}"
    yield from _cycles(unit)


def _cycles(unit: GoldUnit) -> Iterator[str]:
    parents = {n.criterion_id: n.parent for n in unit.nodes}
    reached = {"ROOT"}
    for start in parents:
        chain: set[str] = set()
        up: str | None = start
        while up is not None and up not in reached and up not in chain:
            chain.add(up)
            up = parents.get(up)
        if up in chain:
            yield f"{start} is its own ancestor"
            return
        reached |= chain


def attach(gold: GoldUnit, unit: Unit) -> GoldTree:
    """Join gold with the unit it was annotated on.

    Raises:
        GoldError: The unit is of another document, a block index is out of range, or labels contradict each other.
    """
    if gold.source != unit.document:
        raise GoldError(f"{gold.unit}: annotated on {gold.source}, but the text is of {unit.document}")
    children: dict[str | None, list[GoldNode]] = {}
    for node in gold.nodes:
        children.setdefault(node.parent, []).append(node)
        for block in node.blocks:
            if not 0 <= block < len(unit.blocks):
                raise GoldError(
                    f"{gold.unit} {node.criterion_id}: block {block} does not exist, the unit has {len(unit.blocks)}"
                )
    try:
        root = _criterion(gold.nodes[0], children, unit)
    except ValidationError as error:
        raise GoldError(f"{gold.unit}: {error.errors()[0]['msg']}") from error
    return GoldTree(
        unit=gold.unit,
        source=gold.source,
        root=root,
        corrections={
            n.criterion_id: tuple((c.from_, c.to) for c in n.corrections) for n in gold.nodes if n.corrections
        },
        threshold_from={n.criterion_id: n.threshold_from for n in gold.nodes if n.threshold_from},
    )


def _criterion(node: GoldNode, children: dict[str | None, list[GoldNode]], unit: Unit) -> Criterion:
    text = "\n".join(unit.blocks[b].text for b in node.blocks)
    below = tuple(_criterion(c, children, unit) for c in children.get(node.criterion_id, ()))
    return _record(node, text, below, unit.footnotes)


def _record(node: GoldNode, text: str, below: tuple[Criterion, ...], notes: Mapping[str, str]) -> Criterion:
    references = None
    if node.references is not None:
        sources = tuple(ReferenceSource(text=s.text, type=s.type, celex_id=s.celex_id) for s in node.references.sources)
        references = References(logic=node.references.logic if len(sources) > 1 else None, sources=sources)
    return Criterion(
        criterion_id=node.criterion_id,
        category=node.category,
        applicability=node.applicability,
        tags=node.tags,
        verbatim_text=text,
        rule_summary=node.rule_summary,
        evaluation_logic=node.evaluation_logic,
        n_required=node.n_required,
        threshold=node.threshold,
        references=references,
        dependencies=node.dependencies,
        sub_criteria=below,
        footnotes=tuple(_footnote(f, notes) for f in node.footnotes),
    )


def _footnote(footnote: GoldFootnote, notes: Mapping[str, str]) -> Footnote:
    terms = (t if isinstance(t, GoldTerm) else GoldTerm(term=t) for t in footnote.terms)
    return Footnote(
        id=footnote.id,
        verbatim=notes.get(footnote.id, ""),
        categories=footnote.categories,
        items=tuple(FootnoteItem(**i.model_dump()) for i in footnote.items),
        definitions=tuple(Definition(term=t.term, definition=t.definition) for t in terms),
    )
