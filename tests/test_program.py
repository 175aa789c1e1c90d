"""The programs on small units: fast path, model path, ablations."""

import json
from pathlib import Path
from typing import Any

import dspy
import pytest

from regreact.baselines import SinglePass
from regreact.config import load
from regreact.runner import Extractor
from regreact.schema import Extraction
from regreact.sources import read
from regreact.sources.model import Unit
from tests.lm import scripted

FRAGMENT = """
<p>1. The activity meets either of the following criteria:</p>
<ol type="a"><li>water losses are lower than 5 %;</li><li>all wash water is recovered in accordance with Article 4 of
Directive 2010/75/EU<sup><span class="popover-tooltip" data-toggle="popover">(7)</span><span
class="popover-tooltip-content" style="display: none;">Directive 2010/75/EU of the European Parliament and of the
Council of 24 November 2010 on emissions (OJ L 334, 17.12.2010, p. 17).</span></sup>.</li></ol>
<p>2. Where ponds are used, an independent third party verifies the losses every two years.</p>
"""


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> Unit:
    path = tmp_path_factory.mktemp("program") / "washing.html"
    path.write_text(FRAGMENT, encoding="utf-8")
    return read(path).units[0]


@pytest.fixture(scope="module")
def extraction(unit: Unit) -> Extraction:
    return Extractor(load()).extract(unit)


def test_the_tree_of_the_fast_path(extraction: Extraction) -> None:
    nodes = {c.criterion_id: c for c in extraction.criteria.walk()}
    assert list(nodes) == ["ROOT", "1", "1(a)", "1(b)", "2"]
    assert (nodes["1"].evaluation_logic, nodes["1(a)"].category) == ("OR", "Quantitative")
    assert nodes["2"].applicability == "Conditional"
    assert nodes["2"].tags == ("Verification",)
    assert nodes["1(b)"].references is not None
    assert nodes["1(b)"].references.sources[0].celex_id == "32010L0075"
    (note,) = nodes["1(b)"].footnotes
    assert note.id == "fn-7" and note.items[0].celex_id == "32010L0075"


def test_every_span_lies_in_its_block(extraction: Extraction, unit: Unit) -> None:
    spans = [s for fields in extraction.evidence.values() for listed in fields.values() for s in listed]
    assert spans
    for block, start, end in spans:
        assert 0 <= start < end <= len(unit.blocks[block].text)


def test_every_criterion_says_who_answered(extraction: Extraction) -> None:
    for c in extraction.criteria.walk():
        assert extraction.provenance[c.criterion_id]["applicability"].answered_by == "rule"
    assert extraction.usage.lm_calls == 0


def test_edges_of_the_graph(extraction: Extraction) -> None:
    edges = {(e.source, e.target, e.type) for e in extraction.edges}
    assert ("1", "1(a)", "hierarchy") in edges
    assert ("1(b)", "celex:32010L0075", "references") in edges


def test_memory_is_saved(extraction: Extraction) -> None:
    assert [e["criterion_id"] for e in extraction.memory["thresholds"]] == ["1(a)", "2"]
    assert extraction.memory["mappings"][0]["target"] == "celex:32010L0075"


def test_the_same_program_runs_on_the_model_path(unit: Unit, extraction: Extraction) -> None:
    by_model = Extractor(load(["lm=simulated", "fastpath=off"])).extract(unit)
    assert by_model.usage.lm_calls > 8
    assert by_model.provenance["1(a)"]["threshold"].answered_by == "lm"
    assert by_model.criteria == extraction.criteria


def test_first_asks_the_model_only_for_what_is_open(unit: Unit) -> None:
    first, off = (Extractor(load(["lm=simulated", f"fastpath={mode}"])).extract(unit) for mode in ("first", "off"))
    assert first.usage.lm_calls < off.usage.lm_calls
    assert first.provenance["1(a)"]["threshold"].answered_by == "rule"


@pytest.mark.parametrize("ablation", ["no_odr", "no_graph", "markup"])
def test_ablations_give_valid_records(ablation: str, unit: Unit) -> None:
    result = Extractor(load([f"+ablation={ablation}"])).extract(unit)
    assert len(list(result.criteria.walk())) == 5
    Extraction.model_validate_json(json.dumps(result.to_json()))


def test_markup_gives_majority_labels(unit: Unit) -> None:
    nodes = list(Extractor(load(["+ablation=markup"])).extract(unit).criteria.walk())
    assert {n.category for n in nodes} == {"Qualitative"} and {n.applicability for n in nodes} == {"Mandatory"}
    assert {n.evaluation_logic for n in nodes} == {"AND", "LEAF"}


def flat(criterion_id: str, parent: str | None, block: int | None, **fields: Any) -> dict[str, Any]:
    return {"criterion_id": criterion_id, "parent": parent, "block": block, **fields}


def single_pass(unit: Unit, nodes: list[dict[str, Any]]) -> Extraction:
    lm, _ = scripted([{"nodes": nodes}])
    program = SinglePass(load(["+ablation=single_pass", "lm=compatible", "lm.reasoning=false"]))
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        result = program(unit=unit)
    assert isinstance(result, Extraction)
    return result


def test_single_pass_builds_the_tree_from_flat_nodes(unit: Unit) -> None:
    nodes = [flat("ROOT", None, None, evaluation_logic="AND"), flat("1", "ROOT", 0, evaluation_logic="OR"),
             flat("1(a)", "1", 1), flat("1(b)", "1", 2), flat("2", "ROOT", 3, applicability="Conditional")]  # fmt: skip
    tree = single_pass(unit, nodes).criteria
    assert [c.criterion_id for c in tree.walk()] == ["ROOT", "1", "1(a)", "1(b)", "2"]


def test_single_pass_loses_no_block_whatever_the_model_says(unit: Unit) -> None:
    broken = [flat("1", "9", 0), flat("1", "1", 1), flat("A", "B", None), flat("B", "A", None)]
    texts = {c.verbatim_text for c in single_pass(unit, broken).criteria.walk()}
    assert texts >= {b.text for b in unit.blocks}


def test_order_and_files_do_not_depend_on_the_hash_seed(unit: Unit, extraction: Extraction, tmp_path: Path) -> None:
    again = Extractor(load()).extract(unit)
    assert json.dumps(again.to_json()) == json.dumps(extraction.to_json())
