"""Thresholds on the real sources: against the gold, and over every unit that has none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from threshold_reading import UNIT

from regreact.fastpath.thresholds import extract_thresholds
from regreact.legal.units import normalise_unit
from regreact.observers.thresholds import numbers_in
from regreact.schema import Threshold
from regreact.sources.model import Unit
from signatures.types import CriterionView

ROOT = Path(__file__).resolve().parents[2]
Units = dict[tuple[str, str], Unit]


def _nodes(real_units: Units) -> list[tuple[str, Threshold | None, Threshold | None]]:
    """Gold and found threshold of every gold node that inherits none."""
    out = []
    for path in sorted((ROOT / "data/gold").glob("*.json")):
        tree: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        blocks = real_units[tree["source"], tree["unit"]].blocks
        views = [
            CriterionView(
                criterion_id=node["criterion_id"],
                parent=node["parent"],
                block=node["blocks"][0] if node["blocks"] else None,
                text=blocks[node["blocks"][0]].text if node["blocks"] else "",
            )
            for node in tree["nodes"]
        ]
        answers = {a.id: a.value for a in extract_thresholds(UNIT, views)}
        for node in tree["nodes"]:
            if not node["threshold_from"]:
                gold = Threshold.model_validate(node["threshold"]) if node["threshold"] else None
                out.append((f"{tree['unit']} {node['criterion_id']}", gold, answers[node["criterion_id"]]))
    return out


def _exact(threshold: Threshold | None) -> list[object]:
    """What the rubric compares exactly: operator, value, unit, period, joiner and dates."""
    if threshold is None:
        return []
    quantities = threshold.quantitative.items if threshold.quantitative else ()
    times = threshold.temporal.items if threshold.temporal else ()
    return [
        threshold.quantitative.logic if threshold.quantitative else None,
        sorted((i.operator, i.value, normalise_unit(i.unit), str(i.period)) for i in quantities),
        [i.model_dump() for i in times],
    ]


def test_gold_nodes_get_their_limits_and_dates(real_units: Units) -> None:
    nodes = _nodes(real_units)
    wrong = [name for name, gold, found in nodes if _exact(gold) != _exact(found)]
    assert len(nodes) > 600
    assert len(wrong) <= 0.01 * len(nodes), wrong


def test_every_number_of_every_unit_is_in_its_source(real_units: Units) -> None:
    texts = sorted({block.text for unit in real_units.values() for block in unit.blocks})
    assert len(texts) > 2000
    views = [CriterionView(criterion_id=str(i), parent=None, block=i, text=text) for i, text in enumerate(texts)]
    strange = []
    for view, found in zip(views, extract_thresholds(UNIT, views), strict=True):
        limits = found.value.quantitative if found.value else None
        stated = numbers_in(view.text) if limits else set()
        strange += [(view.text[:80], i.value) for i in (limits.items if limits else ()) if i.value not in stated]
    assert strange == []
