"""Stages that are answered from the gold give the gold's tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from regreact.config import data_dir
from regreact.evaluation.gold import GoldUnit, load_gold
from regreact.evaluation.stage_gold import GoldQuestion, stage_gold
from regreact.simulated import STAGE_SIGNATURES
from regreact.sources import read_many
from regreact.sources.model import Unit

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = data_dir("samples")
GOLD = {g.unit: g for g in load_gold(SAMPLES / "gold")}


@pytest.fixture(scope="module")
def units() -> dict[str, Unit]:
    return {u.key: u for f in ("compass", "formex") for d in read_many(SAMPLES / f).documents for u in d.units}


@pytest.mark.parametrize("gold", GOLD.values(), ids=GOLD)
def test_the_tree_of_every_sample(gold: GoldUnit, units: dict[str, Unit]) -> None:
    assert {q.signature.__name__ for q in stage_gold(gold, units[gold.unit])} == set(STAGE_SIGNATURES)


def test_the_tree_of_every_annotated_unit(real_units: dict[tuple[str, str], Unit]) -> None:
    for gold in load_gold(ROOT / "data/gold"):
        stage_gold(gold, real_units[gold.source, gold.unit])


@pytest.fixture(scope="module")
def brine(units: dict[str, Unit]) -> dict[str, GoldQuestion]:
    """Questions on a unit with a container, corrections and inherited limits."""
    return {q.signature.__name__: q for q in stage_gold(GOLD["CCM-21.2/SC"], units["CCM-21.2/SC"])}


def test_structure_is_asked_before_there_are_containers(brine: dict[str, GoldQuestion]) -> None:
    assert brine["ParseStructure"].answers["1"].value.parent == "1"
    assert brine["DetectPathways"].answers["1"].value == (("1(a)", "1(b)", "1(c)", "1(d)"),)
    assert "1(a-d)" in {c.criterion_id for c in brine["InferLogic"].inputs["criteria"]}


def test_inherited_limits_are_no_answer_of_stage_2(brine: dict[str, GoldQuestion]) -> None:
    assert brine["ExtractThresholds"].answers["1(e).Verification(b)"].value is None
    inherited = brine["InheritThresholds"].answers["1(e).Verification(b)"].value
    assert [i.value for i in inherited.threshold.quantitative.items] == [150]
    dated = brine["InheritThresholds"].answers["1(e).Verification(c)"].value
    assert dated.threshold_from == "1(e)(e)" and dated.threshold.quantitative is None


def test_own_dates_beside_inherited_limits_stay_own(units: dict[str, Unit]) -> None:
    asked = {q.signature.__name__: q for q in stage_gold(GOLD["CCM-21.3/SC"], units["CCM-21.3/SC"])}
    own = asked["ExtractThresholds"].answers["1(a).Verification"].value
    assert own.quantitative is None and own.temporal.items[0].type == "recurring"
    assert asked["InheritThresholds"].answers["1(a).Verification"].value.threshold.temporal is None


def test_gold_that_contradicts_itself_is_refused(units: dict[str, Unit]) -> None:
    gold = GOLD["CCM-21.3/SC"]
    nodes = tuple(n.model_copy(update={"category": "Quantitative"}) if n.criterion_id == "3" else n for n in gold.nodes)
    with pytest.raises(ValueError, match="another tree"):
        stage_gold(gold.model_copy(update={"nodes": nodes}), units["CCM-21.3/SC"])
