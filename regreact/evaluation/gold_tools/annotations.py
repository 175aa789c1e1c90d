"""Annotation folders, and the places that make two annotations of one unit comparable.

Two annotators may name one criterion differently ("2.Verification", "3"). What both share is the source: a criterion
is identified by the first of its blocks, ROOT by itself, a container by its id. Every id inside a record is replaced
by the place it stands for, so that a different name is one difference, not many.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from regreact.errors import GoldError
from regreact.evaluation.gold import GoldNode, GoldUnit, load_gold, read_gold, tree_problems
from regreact.files import write_whole
from regreact.schema import unit_file_name

ROOT = "ROOT"
Record = dict[str, Any]
Placed = Mapping[str, Record]


def read_annotations(folder: Path, like: Path | None = None) -> dict[str, GoldUnit]:
    """Read a folder of stand-off files by unit key.

    Args:
        folder: Stand-off files. First drafts may lack `source`.
        like: Gold of the same units, which tells the source document of files that do not name it.

    Raises:
        GoldError: A file is damaged, two annotate one unit, or one names no source document and `like` does not either.
    """
    paths = sorted(folder.glob("*.json")) if folder.is_dir() else []
    if not paths:
        raise GoldError(f"{folder}: holds no annotations (give a folder of stand-off JSON)")
    sources = {g.unit: g.source for g in load_gold(like)} if like is not None else {}
    found: dict[str, GoldUnit] = {}
    for path in paths:
        unit = read_gold(path, sources)
        if unit.unit in found:
            raise GoldError(f"{path}: {unit.unit} is annotated in another file of the folder already (remove one)")
        found[unit.unit] = unit
    return found


def paired(first: Mapping[str, GoldUnit], second: Mapping[str, GoldUnit]) -> list[tuple[GoldUnit, GoldUnit]]:
    """Return the units that both sets annotate, on the same document, by key.

    Raises:
        GoldError: No unit is in both, or one was annotated on two documents.
    """
    shared = sorted(first.keys() & second.keys())
    if not shared:
        raise GoldError("the two folders have no unit in common (give two annotations of the same units)")
    for key in shared:
        if first[key].source != second[key].source:
            raise GoldError(f"{key}: annotated on {first[key].source} and on {second[key].source}; blocks do not match")
    return [(first[key], second[key]) for key in shared]


def place(node: GoldNode) -> str:
    """Return what identifies a criterion across annotations: its first block ("#4"), ROOT, or the id of a container."""
    return f"#{min(node.blocks)}" if node.blocks and node.criterion_id != ROOT else node.criterion_id


def places(unit: GoldUnit) -> dict[str, str]:
    """Return the place of each criterion by its id."""
    return {n.criterion_id: place(n) for n in unit.nodes}


def placed(unit: GoldUnit) -> dict[str, Record]:
    """Return the criteria by place, as JSON data with places for ids; `criterion_id` itself stays."""
    at = places(unit)
    return {place(n): with_ids(n.model_dump(mode="json", by_alias=True), lambda i: at.get(i, i)) for n in unit.nodes}


def with_ids(record: Record, rename: Callable[[str], str]) -> Record:
    """Return a record with the ids of other criteria in it renamed; its own id and what a misprint says stay."""
    changed = dict(record)
    for key in ("parent", "threshold_from"):
        changed[key] = None if record[key] is None else rename(record[key])
    if record["dependencies"] is not None:
        clauses = [{**c, "criterion_id": rename(c["criterion_id"])} for c in record["dependencies"]["clauses"]]
        changed["dependencies"] = {**record["dependencies"], "clauses": clauses}
    changed["corrections"] = [{**c, "to": rename(c["to"])} for c in record["corrections"]]
    return changed


def text_of(blocks: Sequence[int], texts: Sequence[str]) -> str:
    """Return the source text of a criterion; blocks that the source lacks are named instead."""
    return "\n".join(texts[b] if 0 <= b < len(texts) else f"[block {b} does not exist]" for b in blocks)


def write_unit(folder: Path, unit: GoldUnit) -> Path:
    """Write a stand-off file in the form of the guidelines; returns its path.

    Raises:
        OutputError: It cannot be written.
    """
    path = folder / unit_file_name(unit.unit)
    write_whole(path, standoff_json(unit).encode())
    return path


def standoff_json(unit: GoldUnit) -> str:
    """Return a stand-off file's content: no source text, terms without their definitions."""
    data = unit.model_dump(mode="json", by_alias=True)
    for node in data["nodes"]:
        for note in node["footnotes"]:
            note["terms"] = [t if isinstance(t, str) else t["term"] for t in note["terms"]]
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def checked(data: Mapping[str, Any], what: str) -> GoldUnit:
    """Return a stand-off record as a unit.

    Raises:
        GoldError: It does not fit the format, or its tree is broken; the message begins with `what`.
    """

    try:
        unit = GoldUnit.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        raise GoldError(f"{what}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    for problem in tree_problems(unit):
        raise GoldError(f"{what}: {problem}")
    return unit
