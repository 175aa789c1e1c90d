"""Trees of criteria written as indented text, so that a test shows what its rule is about.

A line is "id | text", one level of the tree for each two spaces of indent; ROOT stands above all of them. An id without text is
a container, a text behind "#" a heading.
"""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

from regreact.answers import Answer
from regreact.schema import References, ReferenceSource, Threshold
from regreact.sources import read
from regreact.sources.model import Unit
from signatures.types import CriterionFacts, CriterionView, UnitHeader

UNIT = UnitHeader(unit="KILN-1/SC", activity="Making bricks", objective="mitigation", section="SC")
ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "data/samples"


def criteria(outline: str) -> list[CriterionView]:
    """Return the criteria of an outline, ROOT first."""
    found = [CriterionView(criterion_id="ROOT", parent=None, block=None, text="")]
    above = {-1: "ROOT"}
    for line in dedent(outline).strip("\n").splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        name, _, text = (part.strip() for part in line.partition("|"))
        heading = text.startswith("#")
        above[depth] = name
        block = len(found) if text else None
        parent = above[depth - 1]
        view = CriterionView(criterion_id=name, parent=parent, block=block, text=text.lstrip("# "), heading=heading)
        found.append(view)
    return found


def values(answers: list[Answer[Any]]) -> dict[str, Any]:
    """Return the values of answers by id."""
    return {a.id: a.value for a in answers}


def limits(logic: str | None, *items: tuple[str, str, float, str]) -> Threshold:
    """Return a threshold of quantitative items: metric, operator, value, unit."""
    names = ("metric", "operator", "value", "unit")
    listed = [dict(zip(names, item, strict=True)) for item in items]
    return Threshold.model_validate({"quantitative": {"logic": logic, "items": listed}})


def gold_trees(folder: Path) -> list[dict[str, Any]]:
    """Return the annotated trees of a folder."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]


def sample_units() -> dict[tuple[str, str], Unit]:
    """Return the invented units by document id and key."""
    paths = [*sorted((SAMPLES / "compass").glob("*.json")), *sorted((SAMPLES / "formex").glob("*.xml"))]
    return {(d.document, unit.key): unit for d in (read(p) for p in paths) for unit in d.units}


def gold_criteria(tree: dict[str, Any], unit: Unit) -> list[CriterionView]:
    """Return the annotated criteria with the texts of their blocks."""
    found = []
    for node in tree["nodes"]:
        blocks = [unit.blocks[b] for b in node["blocks"]]
        view = CriterionView(
            criterion_id=node["criterion_id"],
            parent=node["parent"],
            block=blocks[0].index if blocks else None,
            text=" ".join(b.text for b in blocks),
            heading=bool(blocks) and blocks[0].heading,
        )
        found.append(view)
    return found


def gold_facts(tree: dict[str, Any]) -> list[CriterionFacts]:
    """Return the annotated thresholds, references, logic and tags."""
    return [
        CriterionFacts(
            criterion_id=node["criterion_id"],
            threshold=Threshold.model_validate(node["threshold"]) if node["threshold"] else None,
            references=_references(node["references"]),
            evaluation_logic=node["evaluation_logic"],
            tags=tuple(node["tags"]),
        )
        for node in tree["nodes"]
    ]


def _references(value: dict[str, Any] | None) -> References | None:
    if value is None:
        return None
    sources = tuple(ReferenceSource(text=s["text"], type=s["type"], celex_id=s["celex_id"]) for s in value["sources"])
    return References(logic=value["logic"], sources=sources)


def gold_header(tree: dict[str, Any]) -> UnitHeader:
    return UnitHeader(**{name: tree[name] for name in ("unit", "activity", "objective", "section")})
