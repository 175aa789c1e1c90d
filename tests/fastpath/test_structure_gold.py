"""Structure and logic on the real sources: against the gold, and over every unit that has none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from section_outline import UNIT

from regreact.answers import LogicValue
from regreact.fastpath.logic import infer_logic
from regreact.fastpath.structure import parse_structure
from regreact.sources.model import Unit
from regreact.sources.views import block_views
from signatures.types import CriterionFacts, CriterionView

ROOT = Path(__file__).resolve().parents[2]
Units = dict[tuple[str, str], Unit]


@pytest.fixture(scope="module")
def gold() -> list[dict[str, Any]]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "data/gold").glob("*.json"))]


def test_blocks_of_the_gold_units_get_their_criterion_and_parent(gold: list[dict[str, Any]], real_units: Units) -> None:
    wrong = []
    total = 0
    for tree in gold:
        views = block_views(real_units[tree["source"], tree["unit"]])
        places = [a.value for a in parse_structure(UNIT, views)]
        for node in tree["nodes"]:
            for block in node["blocks"]:
                total += 1
                place = places[block]
                if (place.criterion_id, place.parent or None) != (node["criterion_id"], node["parent"]):
                    wrong.append((tree["unit"], node["criterion_id"], place))
    assert total > 600
    assert len(wrong) <= 0.01 * total, wrong


def test_children_of_the_gold_units_combine_as_annotated(gold: list[dict[str, Any]], real_units: Units) -> None:
    wrong = []
    total = 0
    for tree in gold:
        blocks = real_units[tree["source"], tree["unit"]].blocks
        criteria = [_view(node, blocks) for node in tree["nodes"]]
        facts = [CriterionFacts(criterion_id=n["criterion_id"], tags=tuple(n["tags"])) for n in tree["nodes"]]
        answers = {a.id: a.value for a in infer_logic(UNIT, criteria, facts)}
        for node in tree["nodes"]:
            total += 1
            expected = LogicValue(node["evaluation_logic"], node["n_required"])
            if answers[node["criterion_id"]] != expected:
                wrong.append((tree["unit"], node["criterion_id"], answers[node["criterion_id"]]))
    assert len(wrong) <= 0.01 * total, wrong


def _view(node: dict[str, Any], blocks: Any) -> CriterionView:
    block = node["blocks"][0] if node["blocks"] else None
    text = " ".join(blocks[b].text for b in node["blocks"])
    return CriterionView(criterion_id=node["criterion_id"], parent=node["parent"], block=block, text=text)


def test_every_block_of_every_real_unit_has_a_place(real_units: Units) -> None:
    for (document, key), unit in real_units.items():
        places = [a.value for a in parse_structure(UNIT, block_views(unit))]
        known = {p.criterion_id for p in places}
        assert "" not in known, (document, key)
        assert len(known) == len(places), (document, key)
        assert all(p.parent in known | {"ROOT"} or p.criterion_id == "ROOT" for p in places), (document, key)
