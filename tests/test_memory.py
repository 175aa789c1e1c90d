"""Registries: what a stage may see, and that they matter."""

from dataclasses import replace

import dspy
import pytest

from regreact.config import Settings, load
from regreact.memory import Memory
from regreact.program import RegReAct, activity_memory, given
from regreact.sources.model import Block, Unit
from signatures.types import ActivityEntry, MappingEntry
from tests.lm import scripted

TEXTS = (
    "1. The activity meets both of the following criteria:",
    "dust emissions are lower than 40 kg/t of ore;",
    "the plant is checked every year.",
    "2. An auditor certifies each year that the limit for dust emissions referred to in point 1(a) is respected.",
)
BLOCKS = (
    Block(0, "p", 0, None, TEXTS[0], path="/p[1]"),
    Block(1, "li", 1, "a", TEXTS[1], path="/ol[1]/li[1]"),
    Block(2, "li", 1, "b", TEXTS[2], path="/ol[1]/li[2]"),
    Block(3, "p", 0, None, TEXTS[3], path="/p[2]"),
)
UNIT = Unit(
    "X-1/SC", "Ore washing", "pollution", "SC", "doc-1", "0" * 64, "html", BLOCKS, description="Washing of ore."
)


def test_a_stage_sees_only_its_predecessors() -> None:
    memory = Memory().with_mappings([MappingEntry(criterion_id="1", phrase="x", target="y")], "s4")
    assert memory.visible_to({"s2"}).mapping_entries() == []
    assert len(memory.visible_to({"s4"}).mapping_entries()) == 1


def test_writing_again_replaces_what_the_stage_wrote() -> None:
    memory = Memory().with_activity([ActivityEntry(key="name", value="a")], "source")
    again = memory.with_activity([ActivityEntry(key="name", value="b")], "source")
    assert [e.value for e in again.activity_entries()] == ["b"]


def test_sections_of_an_activity_share_its_facts() -> None:
    other = replace(UNIT, key="X-1/DNSH.water", section="DNSH.water")
    assert activity_memory(UNIT) == activity_memory(other)


def test_removing_a_threshold_changes_what_is_inherited() -> None:
    flow = RegReAct(Settings()).flow
    state = flow.run(given(UNIT))
    assert state["dependencies"].value("InheritThresholds", "2").threshold_from == "1(a)"
    emptied = replace(state["thresholds"], memory=Memory())
    again = flow.rerun(state, {"thresholds": emptied})
    assert again["dependencies"].value("InheritThresholds", "2").threshold_from is None


@pytest.mark.parametrize("kept", [True, False])
def test_removing_an_entry_changes_the_prompt(kept: bool) -> None:
    settings = load(["fastpath=off", "odr=off", "lm=compatible", "lm.reasoning=false"])
    state = RegReAct(Settings()).flow.run(given(UNIT))
    stage = RegReAct(settings).flow.stages["dependencies"]
    thresholds = state["thresholds"] if kept else replace(state["thresholds"], memory=Memory())
    lm, engine = scripted([{"answers": []}] * 3)
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        stage(unit=UNIT, thresholds=thresholds, classification=state["classification"], official=None)
    assert ("kg/t" in engine.field(0, "thresholds")) is kept
