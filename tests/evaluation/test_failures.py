"""Every wrong field is traced to the stage where the fault was planted. The units are samples, the faults seeded."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from regreact.config import load
from regreact.evaluation import failure_report
from regreact.evaluation.command import load_gold_for, run, source_units
from regreact.evaluation.failure_rules import OWN_STAGE, RULES, STAGES
from regreact.evaluation.failures import Failure, failures
from regreact.evaluation.gold import attach
from regreact.evaluation.gold_tools.standoff import to_extraction
from regreact.evaluation.reference import reference_of
from regreact.faults import KINDS
from regreact.runner import Extractor
from regreact.schema import Extraction

GOLD = {g.unit: g for g in load_gold_for("samples")}
UNITS = {u: source for (_, u), source in source_units(list(GOLD.values()), "samples").items()}
TREES = {u: attach(g, UNITS[u]) for u, g in GOLD.items()}
STAGE_OF = {
    "ParseStructure": "structure", "ExtractThresholds": "threshold", "ExtractReferences": "reference",
    "ProcessFootnotes": "footnote", "DetectPathways": "classification", "InferLogic": "classification",
    "ClassifyApplicability": "classification", "AssignTags": "classification", "ResolveDependencies": "dependency",
    "InheritThresholds": "dependency", "CorrectCrossReferences": "dependency",
}  # fmt: skip
# The largest units, and one with several footnotes.
CHOSEN = [*sorted(UNITS.values(), key=lambda u: (-len(u.blocks), u.key))[:4], UNITS["CCM-21.4/SC"]]
REFERENCES = {u.key: reference_of(GOLD[u.key], u) for u in CHOSEN}


def traced(unit: str, prediction: dict[str, Any]) -> list[Failure]:
    return list(failures(TREES[unit], prediction, UNITS[unit]))


def right(unit: str) -> dict[str, Any]:
    return to_extraction(GOLD[unit], UNITS[unit]).to_json()


def walk(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node, *(n for child in node["sub_criteria"] for n in walk(child))]


# --- faults of a simulated model ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "stage"),
    [
        ("wrong parent", "structure"),
        ("unknown parent", "structure"),
        ("altered value", "threshold"),
        ("flipped logic", "classification"),
        ("invented reference", "reference"),
        ("dependency on nothing", "dependency"),
        ("swapped footnote", "footnote"),
        ("inheritance from nothing", "dependency"),
    ],
)
def test_the_stage_of_a_planted_fault_is_named(kind: str, stage: str) -> None:
    """Also for the fields that are wrong in its wake. Nothing repairs: no self-correction, no graph checks."""
    rate = {"swapped footnote": 1.0, "inheritance from nothing": 0.6, "dependency on nothing": 0.3}.get(kind, 0.1)
    off = ["odr.enabled=false", "graph.enabled=false"]
    found = [f for unit, result, _ in simulated(kind, rate, off) for f in traced(unit, result)]
    assert found
    assert {f.stage for f in found} == {stage}, [f for f in found if f.stage != stage]


def simulated(kind: str, rate: float, more: list[str]) -> list[tuple[str, dict[str, Any], set[str]]]:
    """Return unit, extraction and stages with a planted fault."""
    assert kind in {k.name for k in KINDS}
    plain = ["lm=simulated", "fastpath=off", "lm.reasoning=false", "lm.examples=0"]
    settings = load([*plain, f"lm.faults.rate={rate}", f"lm.faults.kinds=[{kind}]", *more])
    extractor = Extractor(settings, references=REFERENCES)
    found = []
    for unit, result, _ in extractor.stream(CHOSEN):
        assert isinstance(result, Extraction) and extractor.simulation is not None
        planted = {STAGE_OF[f.signature] for f in extractor.simulation.plan.injected if f.unit == unit.key}
        found.append((unit.key, result.to_json(), planted))
    return found


def test_answers_left_out_are_traced_to_a_stage_that_left_one_out() -> None:
    """With the graph at work, whose repairs are no faults of its own."""
    runs = simulated("dropped item", 0.1, ["+ablation=no_odr"])
    pairs = [(f, planted) for unit, result, planted in runs for f in traced(unit, result)]
    assert len({f.stage for f, _ in pairs}) >= 5
    assert [f for f, planted in pairs if f.stage not in planted] == []


# --- faults planted by hand --------------------------------------------------------------------------------


def first(unit: str, holds: Callable[[dict[str, Any]], Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    data = right(unit)
    return data, next(n for n in walk(data["criteria"]) if n["criterion_id"] != "ROOT" and holds(n))


def unit_with(holds: Callable[[str], Any]) -> str:
    return next(u for u in sorted(GOLD) if holds(u))


def test_gold_itself_has_no_failures() -> None:
    assert [f for u in GOLD for f in traced(u, right(u))] == []


def test_a_text_that_is_not_in_the_source_is_parsing_with_all_that_was_read_from_it() -> None:
    unit = unit_with(lambda u: any(n.threshold for n in GOLD[u].nodes))
    data, node = first(unit, lambda n: n["threshold"])
    node["verbatim_text"], node["threshold"] = node["verbatim_text"].replace(" ", " x", 1), None
    node["category"] = "Qualitative"
    found = traced(unit, data)
    assert {f.field for f in found} >= {"verbatim_text", "threshold"}
    assert {(f.stage, f.rule) for f in found} == {("parsing", "foreign text")}


def test_two_blocks_read_as_one_are_parsing_on_both() -> None:
    unit = unit_with(lambda u: len(GOLD[u].nodes) > 3)
    data = right(unit)
    leaf = next(n for n in walk(data["criteria"]) if len(n["sub_criteria"]) > 1)
    last = leaf["sub_criteria"].pop()
    assert not last["sub_criteria"]
    leaf["sub_criteria"][-1]["verbatim_text"] += " " + last["verbatim_text"]
    found = {(f.criterion_id, f.field): f.stage for f in traced(unit, data)}
    assert found[last["criterion_id"], "node"] == "parsing"
    assert found[leaf["sub_criteria"][-1]["criterion_id"], "verbatim_text"] == "parsing"


def test_a_category_against_its_own_threshold_is_assembly_and_one_that_follows_it_is_not() -> None:
    unit = unit_with(lambda u: any(n.category == "Quantitative" and not n.threshold_from for n in GOLD[u].nodes))
    data, node = first(unit, lambda n: n["category"] == "Quantitative")
    node["category"] = "Qualitative"
    assert [(f.field, f.stage) for f in traced(unit, data)] == [("category", "assembly")]
    node["threshold"] = None
    own = [f for f in traced(unit, data) if f.criterion_id == node["criterion_id"]]
    assert {(f.field, f.stage) for f in own} == {("category", "threshold"), ("threshold", "threshold")}


def test_a_record_that_nobody_can_read_is_assembly() -> None:
    unit = unit_with(lambda u: any(n.references for n in GOLD[u].nodes))
    data, node = first(unit, lambda n: n["references"])
    node["references"] = {"sources": "Directive"}
    assert [(f.field, f.stage, f.rule) for f in traced(unit, data)] == [("reference", "assembly", "no record")]


def inheriting() -> tuple[str, str]:
    return next((u, n.criterion_id) for u in sorted(GOLD) for n in GOLD[u].nodes if n.threshold_from)


def test_an_edge_that_got_lost_is_the_graph_and_one_never_drawn_the_dependency() -> None:
    unit, own = inheriting()
    data = right(unit)
    data["edges"] = [e for e in data["edges"] if e["type"] != "inherits_threshold" or e["source"] != own]
    assert [(f.field, f.stage) for f in traced(unit, data)] == [("dependency", "graph")]
    node = next(n for n in walk(data["criteria"]) if n["criterion_id"] == own)
    node["threshold"], node["category"] = None, "Qualitative"
    assert {f.stage for f in traced(unit, data)} == {"dependency"}


def test_an_inherited_error_is_traced_to_where_it_was_made() -> None:
    unit, own = inheriting()
    data = right(unit)
    origin = next(n.threshold_from for n in GOLD[unit].nodes if n.criterion_id == own)
    for node in walk(data["criteria"]):
        if node["threshold"] and node["threshold"]["quantitative"]:
            for item in node["threshold"]["quantitative"]["items"]:
                item["value"] += 1
    found = [f for f in traced(unit, data) if f.criterion_id in (own, origin)]
    assert len(found) >= 2 and {f.stage for f in found} == {"threshold"}


def test_what_the_graph_changed_for_the_worse_is_the_graph() -> None:
    unit = unit_with(lambda u: any(n.evaluation_logic == "OR" for n in GOLD[u].nodes))
    data, node = first(unit, lambda n: n["evaluation_logic"] == "OR")
    node["evaluation_logic"] = "AND"
    note = {"item_id": node["criterion_id"], "description": "OR became AND: 2 children take part"}
    assert [(f.field, f.stage) for f in traced(unit, data)] == [("logic", "classification")]
    assert [(f.field, f.stage) for f in traced(unit, {**data, "memory": {"graph": [note]}})] == [("logic", "graph")]


def test_a_container_that_is_not_made_is_classification() -> None:
    unit = unit_with(lambda u: any(not n.blocks and n.criterion_id != "ROOT" for n in GOLD[u].nodes))
    data = right(unit)
    holder = next(n for n in walk(data["criteria"]) if any(not c["verbatim_text"] for c in n["sub_criteria"]))
    box = next(c for c in holder["sub_criteria"] if not c["verbatim_text"])
    at = holder["sub_criteria"].index(box)
    holder["sub_criteria"][at : at + 1] = box["sub_criteria"]
    found = [f for f in traced(unit, data) if f.field in ("node", "parent")]
    assert found and {f.stage for f in found} == {"classification"}


def test_a_dependency_on_a_renamed_criterion_is_structure() -> None:
    unit, target = next(
        (u, n.dependencies.clauses[0].criterion_id) for u in sorted(GOLD) for n in GOLD[u].nodes if n.dependencies
    )
    renamed = json.loads(json.dumps(right(unit)).replace(f'"{target}"', '"9(z)"'))
    found = [f for f in traced(unit, renamed) if f.field in ("criterion_id", "dependency")]
    assert {f.field for f in found} == {"criterion_id", "dependency"}
    assert {f.stage for f in found} == {"structure"}


def test_a_right_citation_that_was_looked_up_in_vain_is_retrieval() -> None:
    def wanted(node: Any) -> Any:
        return node.references and node.references.sources[0].type == "must_be_fetched"

    unit = unit_with(lambda u: any(wanted(n) for n in GOLD[u].nodes))
    node = next(n for n in GOLD[unit].nodes if wanted(n))
    assert node.references is not None
    record = {"criterion_id": node.criterion_id, "source": node.references.sources[0].text, "addresses": []}
    assert traced(unit, {**right(unit), "retrieval": [record]}) == [], "an act that is not at hand is no error"
    record["queries"] = ["What is required?"]
    assert [f.stage for f in traced(unit, {**right(unit), "retrieval": [record]})] == ["retrieval"]
    assert traced(unit, {**right(unit), "retrieval": [{**record, "addresses": ["Article 1"]}]}) == []


# --- report ------------------------------------------------------------------------------------------------


def test_report_counts_links_and_names_what_is_missing(tmp_path: Path) -> None:
    unit = unit_with(lambda u: any(n.category == "Quantitative" for n in GOLD[u].nodes))
    data, node = first(unit, lambda n: n["category"] == "Quantitative")
    node["category"] = "Qualitative"
    path = tmp_path / "out" / GOLD[unit].source / f"{unit.replace('/', '__')}.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(data), encoding="utf-8")
    told = {"as_json": True, "validate_only": False, "errors": False}
    assert run(tmp_path / "out", "samples", None, failures=tmp_path / "report", **told) == 1
    content = json.loads((tmp_path / "report" / failure_report.JSON_FILE).read_text(encoding="utf-8"))
    assert list(content["counts"]) == list(STAGES)
    assert {s: c for s, c in content["counts"].items() if c} == {"assembly": {"category": 1}}
    assert content["units"] == 1 and len(content["missing"]) == len(GOLD) - 1
    text = (tmp_path / "report" / failure_report.MARKDOWN).read_text(encoding="utf-8")
    assert f"[{unit}](../out/{GOLD[unit].source}/{path.name})" in text
    assert all(f"**{r.name}**" in text for r in RULES) and "| assembly | 1 | 1 |" in text
    assert (tmp_path / "report" / failure_report.FIGURE).read_bytes().startswith(b"\x89PNG")


def test_every_field_has_a_stage_of_its_own_or_a_rule() -> None:
    assert set(OWN_STAGE.values()) | {"graph"} == set(STAGES)
