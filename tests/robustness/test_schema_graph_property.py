"""Extractions survive JSON; the graph of any answers is a tree in which no criterion is lost."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import jsonschema
import pytest
from drafting import DAYS, UNITS, examples
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from regreact.answers import Answer, LogicValue, Place
from regreact.graph import CriterionGraph, reposition, settle_logic
from regreact.schema import (
    TAG_ORDER,
    Criterion,
    Extraction,
    Footnote,
    Quantitative,
    QuantitativeItem,
    References,
    ReferenceSource,
    SourceInfo,
    Temporal,
    Threshold,
    Window,
    json_schemas,
)
from regreact.sources.model import Block
from regreact.stages.s1_structure import ROOT, build_tree, hierarchy

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=32)
LIMITS = st.builds(QuantitativeItem, metric=TEXT, operator=st.sampled_from(["<", ">=", "="]), value=NUMBERS, unit=UNITS)
DATES = DAYS.map(lambda d: d.isoformat())


def joined(count: int) -> st.SearchStrategy[str | None]:
    return st.sampled_from(["AND", "OR"]) if count > 1 else st.none()


@st.composite
def thresholds(draw: st.DrawFn) -> Threshold:
    limits = tuple(draw(st.lists(LIMITS, min_size=1, max_size=3)))
    windows = tuple(draw(st.lists(st.builds(Window, start=DATES, end=DATES), min_size=1, max_size=2)))
    quantitative = Quantitative(logic=draw(joined(len(limits))), items=limits)  # type: ignore[arg-type]
    temporal = Temporal(logic=draw(joined(len(windows))), items=windows)  # type: ignore[arg-type]
    return Threshold(quantitative=quantitative, temporal=draw(st.none() | st.just(temporal)))


@st.composite
def trees(draw: st.DrawFn, name: str = "ROOT", depth: int = 3) -> Criterion:
    count = draw(st.integers(0, 3)) if depth else 0
    children = tuple(draw(trees(f"{name}.{n}", depth - 1)) for n in range(count))
    logic = draw(st.sampled_from(["AND", "OR", "N_OF_K"])) if children else "LEAF"
    sources = tuple(draw(st.lists(st.builds(ReferenceSource, text=st.just("Directive 2010/75/EU"),
                                            type=st.just("must_be_fetched"), celex_id=st.just("32010L0075")), max_size=2)))  # fmt: skip
    return Criterion(
        criterion_id=name, category="Qualitative", applicability="Mandatory", tags=(draw(st.sampled_from(TAG_ORDER)),),
        verbatim_text=draw(TEXT), rule_summary=draw(TEXT), evaluation_logic=logic,
        n_required=1 if logic == "N_OF_K" else None, threshold=draw(st.none() | thresholds()),
        references=References(logic="AND" if len(sources) > 1 else None, sources=sources) if sources else None,
        dependencies=None, sub_criteria=children, footnotes=(Footnote(id="fn-1", verbatim=draw(TEXT)),),
    )  # fmt: skip


@cache
def validator() -> Any:
    return jsonschema.Draft202012Validator(json_schemas()["extraction.schema.json"])


@examples(25, slow=True)
@given(trees())
def test_an_extraction_survives_json(tree: Criterion) -> None:
    source = SourceInfo(document="kiln", sha256="0" * 64, format="html")
    record = Extraction(unit="K-1/SC", activity="", objective="", section="SC", source=source, criteria=tree)
    plain = record.to_json()
    validator().validate(plain)
    assert Extraction.model_validate_json(json.dumps(plain, allow_nan=False)) == record


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_a_limit_without_end_is_refused(value: float) -> None:
    with pytest.raises(ValidationError):
        QuantitativeItem(metric="Losses", operator="<", value=value, unit="%")


IDS = st.sampled_from([ROOT, "1", "2", "1(a)", "1(b)", "1(a)(i)", "1.Verification", "9", "", "1(a-b)"])
PLACES = st.lists(st.tuples(IDS, IDS), min_size=1, max_size=10)


@examples(150)
@given(PLACES, st.randoms(use_true_random=False))
def test_any_answers_make_a_tree_without_loss(places: list[tuple[str, str]], rng: random.Random) -> None:
    blocks = [Block(n, "p", 0, None, f"Text {n}.") for n in range(len(places))]
    answers = {str(n): Answer(str(n), Place(*place), 1.0) for n, place in enumerate(places)}
    criteria, _ = reposition(build_tree(blocks, answers))
    assert {c.block for c in criteria if c.block is not None} == {b.index for b in blocks}
    ids = [c.criterion_id for c in criteria]
    assert len(set(ids)) == len(ids)
    graph = CriterionGraph(ids)
    edges = list(hierarchy(criteria))
    assert graph.add(edges) == []
    logic = settle_logic(dict.fromkeys(ids, LogicValue("AND")), graph.participants({}, set(), set()))
    assert [i.description for i in graph.validate(logic)] == []
    assert graph.to_igraph().is_dag()
    # Stages end in any order: what is found does not depend on it.
    rng.shuffle(edges)
    other = CriterionGraph(ids)
    other.add(edges)
    assert set(other.edges) == set(graph.edges) and other.validate(logic) == []


@examples(80)
@given(st.lists(st.tuples(IDS, IDS, st.sampled_from(["depends_on", "inherits_threshold"])), max_size=12), st.randoms())
def test_circles_are_found_in_any_order(pairs: list[tuple[str, str, Any]], rng: random.Random) -> None:
    from regreact.schema import Edge  # noqa: PLC0415

    ids = [ROOT, "1", "2", "1(a)", "1(b)"]
    edges = [Edge(source=a, target=b, type=k) for a, b, k in pairs]
    found = []
    for _ in range(2):
        graph = CriterionGraph(ids)
        refused = graph.add(edges)
        assert len(graph.edges) + len(refused) >= len(set(edges))
        circles = {i.description.partition(":")[0] for i in graph.validate({}) if "circle" in i.description}
        for kind in ("depends_on", "inherits_threshold"):
            assert (f"{kind} runs in a circle" in circles) == (not graph.to_igraph((kind,)).is_dag())
        found.append((circles, {(i.item_id, i.description) for i in refused}))
        rng.shuffle(edges)
    assert found[0] == found[1]
