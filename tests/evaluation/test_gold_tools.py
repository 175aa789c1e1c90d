"""Agreement, adjudication, stand-off files and sampling on invented annotations that can be checked by eye."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from regreact.errors import ConfigError, GoldError, NoUnitMatchedError, OutputError
from regreact.evaluation.command import load_gold_for, source_units
from regreact.evaluation.gold import GoldUnit
from regreact.evaluation.gold_tools import adjudicate, agreement, command
from regreact.evaluation.gold_tools.annotations import paired, placed, read_annotations, standoff_json, write_unit
from regreact.evaluation.gold_tools.compare import NONE, compare, pair_up
from regreact.evaluation.gold_tools.sampling import Candidate, candidate, draw, shares, tier_of
from regreact.evaluation.gold_tools.standoff import to_extraction, to_standoff
from regreact.schema import Extraction
from tests.evaluation.builders import TEXTS, UNIT, gold, gold_node, limits, sources

NOTE: dict[str, Any] = {"id": "fn-1", "categories": ["Explanatory Note"], "items": [], "terms": []}


def annotated(*nodes: dict[str, Any], **changes: Any) -> GoldUnit:
    return GoldUnit.model_validate(gold(*nodes, **changes))


def dumped(value: Any) -> Any:
    return value.model_dump(mode="json")


def cited(*texts: str, **more: Any) -> Any:
    data = dumped(sources(*texts, **more))
    keys = ("text", "type", "celex_id")
    return {**data, "sources": [{k: s[k] for k in keys} for s in data["sources"]]}


FIRST = annotated(gold_node("1", "ROOT", 0, tags=["Commitment"]), gold_node("2", "ROOT", 1, footnotes=[NOTE]))


def pairs_of(a: GoldUnit, b: GoldUnit) -> dict[str, list[tuple[str, str]]]:
    return compare(placed(a), placed(b))


# --- agreement ---------------------------------------------------------------------------------------------


def test_another_identifier_is_no_other_structure() -> None:
    """The same parent under another name agrees; only the identifier differs."""
    a = annotated(gold_node("1", "ROOT", 0), gold_node("1(a)", "1", 1))
    b = annotated(gold_node("2", "ROOT", 0), gold_node("2(a)", "2", 1))
    found = pairs_of(a, b)
    assert found["structure"] == [("ROOT", "ROOT"), ("#0", "#0")]
    assert found["identifier"] == [("1", "2"), ("1(a)", "2(a)")]


def test_a_block_that_one_side_left_out_is_an_item_of_structure_only() -> None:
    found = pairs_of(FIRST, annotated(gold_node("1", "ROOT", 0)))
    assert found["structure"] == [("ROOT", "ROOT"), ("ROOT", NONE)]
    assert len(found["category"]) == 2  # ROOT and 1


def test_threshold_items_are_paired_and_empty_is_a_decision() -> None:
    a = annotated(gold_node("1", "ROOT", 0, threshold=dumped(limits({}, {"value": 7, "unit": "%"}, logic="AND"))))
    b = annotated(gold_node("1", "ROOT", 0, threshold=dumped(limits({"value": 7, "operator": "<=", "unit": "%"}))))
    assert pairs_of(a, b)["threshold"] == [
        (NONE, NONE),  # ROOT
        ("quantitative < 5 kg/t", NONE),
        ("quantitative < 7 %", "quantitative <= 7 %"),
    ]


def test_sources_are_paired_by_what_they_cite_and_types_compared_on_pairs() -> None:
    a = annotated(gold_node("1", "ROOT", 0, references=cited("Regulation (EU) 2041/7", "ISO 1:2018", logic="AND")))
    b = annotated(
        gold_node("1", "ROOT", 0, references=cited("Article 3 of Regulation (EU) 2041/7", kind="citation_only"))
    )
    found = pairs_of(a, b)
    assert found["sources"] == [(NONE, NONE), ("source", "source"), ("source", NONE)]
    assert found["source type"] == [("must_be_fetched", "citation_only")]


def test_dependencies_hold_gating_inheritance_and_corrections() -> None:
    clause = {"criterion_id": "1", "status": "Negation"}
    gated = {"condition_summary": "x", "min_conditions_to_meet": 1, "clauses": [clause]}
    a = annotated(gold_node("1", "ROOT", 0), gold_node("2", "ROOT", 1, dependencies=gated, threshold_from="1"))
    b = annotated(
        gold_node("1", "ROOT", 0),
        gold_node("2", "ROOT", 1, dependencies={**gated, "clauses": [{**clause, "status": "Affirmation"}]},
                  corrections=[{"from": "3", "to": "1"}]),
    )  # fmt: skip
    assert pairs_of(a, b)["dependency"][2:] == [
        ("depends on #0 Negation", "depends on #0 Affirmation"),
        ("inherits from #0 ", NONE),
        (NONE, "corrects #0 3"),
    ]


def test_kappa_by_hand() -> None:
    """Tags of 1 differ: of ROOT, 1 and 2 one has the tag for A only: observed 2/3, by chance 2/3, kappa 0."""
    other = annotated(gold_node("1", "ROOT", 0), gold_node("2", "ROOT", 1, footnotes=[NOTE]))
    report = agreement.agree([(FIRST, other)])
    rows = {r.dimension: r for r in report.rows}
    tag = rows["tag:Commitment"]
    assert (tag.n, tag.observed, tag.kappa) == (3, pytest.approx(2 / 3), pytest.approx(0.0))
    assert rows[agreement.MEAN_TAGS].kappa == pytest.approx(0.0)  # no other tag is used
    # One footnote and two criteria without, the same for both.
    assert (rows["footnote"].n, rows["footnote"].kappa) == (3, 1.0)
    # Both say Mandatory throughout: kappa says nothing.
    assert (rows["applicability"].observed, rows["applicability"].kappa, rows["applicability"].low) == (1.0, None, None)
    assert rows["structure"].paper == 0.91
    assert report.node_f1 == 1.0


def test_interval_holds_the_value_and_is_seeded() -> None:
    other = annotated(gold_node("1", "ROOT", 0), gold_node("2", "ROOT", 1, tags=["Commitment"]))
    units = [(FIRST, other), (FIRST, FIRST), (FIRST, FIRST), (other, other)]
    row = next(r for r in agreement.agree(units).rows if r.dimension == "tag:Commitment")
    assert row.kappa is not None and row.low is not None and row.high is not None
    assert row.low < row.kappa < row.high == 1.0
    assert agreement.agree(units) == agreement.agree(units)


def test_formats_say_the_same() -> None:
    report = agreement.agree([(FIRST, FIRST)])
    table = agreement.markdown(report).splitlines()
    assert len([line for line in table if line.startswith("|")]) == len(report.rows) + 2
    assert len(agreement.csv_text(report).splitlines()) == len(report.rows) + 1
    assert json.loads(agreement.json_text(report))["rows"][0]["dimension"] == "structure"


def test_pairing_takes_the_most_alike_first() -> None:
    assert pair_up([1, 2], [2, 9], lambda a, b: 3 if a == b else 1) == [(1, 9), (2, 2)]
    assert pair_up([1], [], lambda a, b: 1) == [(1, None)]
    assert pair_up([1], [2], lambda a, b: 0) == [(1, None), (None, 2)]


FIRST_PASS = Path(__file__).parents[3] / "shared/gold/agreement"


@pytest.mark.skipif(not FIRST_PASS.is_dir(), reason="no first-pass annotations at ../shared/gold/agreement")
def test_recorded_agreement_is_what_the_annotations_give() -> None:
    root = Path(__file__).parents[2]
    folders = (read_annotations(FIRST_PASS / side, root / "data/gold") for side in "ab")
    table = agreement.markdown(agreement.agree(paired(*folders)))
    assert table in (root / "experiments/agreement.md").read_text(encoding="utf-8")


# --- annotation folders ------------------------------------------------------------------------------------


def write_folder(folder: Path, *units: GoldUnit) -> Path:
    for unit in units:
        write_unit(folder, unit)
    return folder


def test_drafts_without_document_take_it_from_gold(tmp_path: Path) -> None:
    like = write_folder(tmp_path / "like", FIRST)
    draft = json.loads(standoff_json(FIRST))
    del draft["source"]
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.json").write_text(json.dumps(draft), encoding="utf-8")
    assert read_annotations(tmp_path / "a", like) == {"X-1/SC": FIRST}
    with pytest.raises(GoldError, match=r"x\.json: X-1/SC: source: Field required"):
        read_annotations(tmp_path / "a")


def test_folders_that_cannot_be_compared(tmp_path: Path) -> None:
    with pytest.raises(GoldError, match="holds no annotations"):
        read_annotations(tmp_path)
    one, other = {"X-1/SC": FIRST}, {"Y-1/SC": FIRST.model_copy(update={"unit": "Y-1/SC"})}
    with pytest.raises(GoldError, match="no unit in common"):
        paired(one, other)
    with pytest.raises(GoldError, match="annotated on doc-1 and on doc-2"):
        paired(one, {"X-1/SC": FIRST.model_copy(update={"source": "doc-2"})})


# --- adjudication ------------------------------------------------------------------------------------------

SECOND = annotated(
    gold_node("5", "ROOT", 0, threshold=dumped(limits({"metric": "Loss of water"})), category="Quantitative"),
    gold_node("5.Verification", "5", 1, evaluation_logic="N_OF_K", n_required=2, footnotes=[NOTE], threshold_from="5"),
)


def listed(a: GoldUnit = FIRST, b: GoldUnit = SECOND) -> list[adjudicate.Disagreement]:
    return list(adjudicate.disagreements(a, b, TEXTS))


def test_every_disagreement_is_listed_with_both_values_and_the_text() -> None:
    found = {(d.criterion_id, d.field): d for d in listed()}
    assert set(found) == {
        ("1", "criterion_id"), ("1", "category"), ("1", "tags"), ("1", "threshold"),
        ("2", "criterion_id"), ("2", "parent"), ("2", "evaluation_logic"), ("2", "threshold_from"),
    }  # fmt: skip
    parent = found["2", "parent"]
    assert (parent.a, parent.b, parent.source) == ("ROOT", "5", TEXTS[1])
    assert found["2", "evaluation_logic"].b == {"evaluation_logic": "N_OF_K", "n_required": 2}
    assert TEXTS[1] in adjudicate.to_markdown(listed())


def test_free_text_is_no_disagreement() -> None:
    other = copy.deepcopy(json.loads(standoff_json(SECOND)))
    for node in other["nodes"]:
        node["rule_summary"] = "In other words."
    other["nodes"][1]["threshold"]["quantitative"]["items"][0]["metric"] = "Water loss"
    assert listed(SECOND, GoldUnit.model_validate(other)) == []


@pytest.mark.parametrize(("side", "unit"), [("a", FIRST), ("b", SECOND)])
def test_one_side_throughout_gives_that_side(side: str, unit: GoldUnit) -> None:
    assert adjudicate.merge(FIRST, SECOND, {d.id: side for d in listed()}) == unit


def test_mixed_decisions_keep_ids_and_links_together() -> None:
    """The place of B under the name of A: links follow the name decided on, own values may use either's names."""
    decisions: dict[str, Any] = {d.id: "b" for d in listed()}
    decisions["X-1/SC|#0|criterion_id"] = "a"
    decisions["X-1/SC|#1|criterion_id"] = {"value": "1.Verification"}
    decisions["X-1/SC|#1|evaluation_logic"] = {"value": {"evaluation_logic": "LEAF", "n_required": None}}
    decisions["X-1/SC|#1|threshold_from"] = {"value": "5"}
    merged = adjudicate.merge(FIRST, SECOND, decisions).nodes
    assert [(n.criterion_id, n.parent, n.threshold_from) for n in merged] == [
        ("ROOT", None, None),
        ("1", "ROOT", None),
        ("1.Verification", "1", "1"),
    ]
    assert merged[1].category == "Quantitative" and merged[2].evaluation_logic == "LEAF"


def test_a_criterion_of_one_side_is_one_disagreement() -> None:
    short = annotated(gold_node("1", "ROOT", 0, tags=["Commitment"]))
    (only,) = listed(FIRST, short)
    assert (only.field, only.criterion_id, only.b) == ("node", "2", None)
    assert adjudicate.merge(FIRST, short, {only.id: "b"}) == short
    (same,) = listed(short, FIRST)
    assert adjudicate.merge(short, FIRST, {same.id: "b"}) == FIRST


def test_decisions_that_do_not_hold_are_refused() -> None:
    with pytest.raises(GoldError, match="8 disagreements are open"):
        adjudicate.merge(FIRST, SECOND, {})
    with pytest.raises(GoldError, match="both annotations agree there"):
        adjudicate.merge(FIRST, FIRST, {"X-1/SC|#0|tags": "a"})
    broken = {d.id: "b" for d in listed()} | {"X-1/SC|#1|parent": {"value": "9"}}
    with pytest.raises(GoldError, match=r"as decided: .*parent 9 does not exist"):
        adjudicate.merge(FIRST, SECOND, broken)
    with pytest.raises(GoldError, match="as decided: nodes"):
        adjudicate.merge(FIRST, SECOND, {d.id: "a" for d in listed()} | {"X-1/SC|#0|category": {"value": "Green"}})


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "line 1: no JSON object"),
        ('{"id": "x"}', "line 1: no JSON object with id and decision"),
        ('{"id": "x", "decision": "c"}', 'decision is "a", "b"'),
        ('{"id": "x", "decision": "a"}\n{"id": "x", "decision": "b"}', "line 2: x is decided already"),
    ],
)
def test_damaged_decisions_name_the_line(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(GoldError, match=problem):
        adjudicate.read_decisions(path)


# --- stand-off ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["samples", "data/invented/gold"])
def test_gold_comes_back_from_full_trees(name: str) -> None:
    """All but the order of criteria, which becomes that of the tree."""
    annotations = load_gold_for(str(Path(__file__).parents[2] / name) if "/" in name else name)
    texts = source_units(annotations, "samples" if name == "samples" else str(Path(__file__).parents[2] / "data/invented/html"))
    for unit in annotations:
        text = texts[unit.source, unit.unit]
        back = to_standoff(to_extraction(unit, text), text)
        one, other = (json.loads(standoff_json(u)) for u in (unit, back))
        for data in (one, other):
            data["nodes"].sort(key=lambda n: n["criterion_id"])
        assert one == other, unit.unit


def test_stand_off_files_hold_no_text() -> None:
    full = json.dumps(to_extraction(SECOND, UNIT).to_json())
    assert all(text in full for text in TEXTS)
    assert not any(text in standoff_json(to_standoff(to_extraction(SECOND, UNIT), UNIT)) for text in TEXTS)


def test_text_of_another_version_is_refused() -> None:
    record = to_extraction(SECOND, UNIT)
    changed = record.model_copy(update={"criteria": record.criteria.model_copy(update={"verbatim_text": "0. Dust."})})
    with pytest.raises(GoldError, match=r"X-1/SC ROOT: no free block of doc-1 reads '0\. Dust\.'"):
        to_standoff(changed, UNIT)
    with pytest.raises(GoldError, match="made of doc-1"):
        to_standoff(record, replace(UNIT, document="doc-2"))


# --- sampling ----------------------------------------------------------------------------------------------


def extraction(*nodes: dict[str, Any], key: str = "CCM-1.1/SC") -> Extraction:
    return to_extraction(annotated(*nodes, unit=key), UNIT)


def test_tiers() -> None:
    limit, two = dumped(limits({})), dumped(limits({}, {"value": 3}, logic="OR"))
    assert tier_of(extraction(gold_node("1", "ROOT", 0, threshold=limit), gold_node("2", "ROOT", 1)))[0] == "simple"
    assert tier_of(extraction(gold_node("1", "ROOT", 0, threshold=two)))[0] == "medium"
    assert tier_of(extraction(gold_node("1", "ROOT", 0), gold_node("1(a)", "1", 1)))[0] == "medium"
    signs = {
        "anchored paragraphs": [gold_node("1", "ROOT", 0), gold_node("1.Verification", "ROOT", 1)],
        "footnotes": [gold_node("1", "ROOT", 1, footnotes=[NOTE])],
        "corrections": [gold_node("1", "ROOT", 0, corrections=[{"from": "3", "to": "1"}])],
        "inheritance": [gold_node("1", "ROOT", 0, threshold=limit), gold_node("2", "ROOT", 1, threshold_from="1")],
        "pathways": [gold_node("1", "ROOT", 0), gold_node("1(a-b)", "1"), gold_node("1(a)", "1(a-b)", 1)],
        "wide chapeau": [gold_node("1", "ROOT", 0), *(gold_node(f"1({x})", "1") for x in "abcdef")],
    }
    for sign, nodes in signs.items():
        tier, reason = tier_of(extraction(*nodes))
        assert tier == "complex" and sign in reason, sign


def test_units_that_state_nothing_are_no_candidates() -> None:
    assert candidate(extraction(gold_node("1", "ROOT", 0, tags=["BackgroundInformation"]))) is None
    found = candidate(extraction(gold_node("1", "ROOT", 0)))
    assert found is not None and (found.act, found.tier) == ("CCM", "simple")


def crowd() -> list[Candidate]:
    """Return 120 units: per tier 20 of each of two acts."""
    return [
        Candidate(f"{act}-{number}.{tier}/SC", "doc", act, tier, "", 1)  # type: ignore[arg-type]
        for tier in ("simple", "medium", "complex")
        for act in ("CCM", "WTR")
        for number in range(20)
    ]


def test_a_sample_has_the_shares_of_the_tiers_and_both_acts_alike() -> None:
    found = draw(crowd(), 40)
    counts = {(t, a): sum(c.tier == t and c.act == a for c in found.drawn) for t in shares(1) for a in ("CCM", "WTR")}
    assert list(counts.values()) == [6, 6, 8, 8, 6, 6] and not found.lacking
    assert found == draw(crowd()[::-1], 40) != draw(crowd(), 40, seed=1)


def test_near_duplicates_are_drawn_last_and_what_a_tier_lacks_is_told() -> None:
    twins = [f"CCM-{n}.simple/SC" for n in range(20)]
    drawn = [c.unit for c in draw(crowd(), 40, clusters=[twins]).drawn]
    assert sum(u in twins for u in drawn) == 1
    everything = draw(crowd(), 120, clusters=[twins])
    assert len(everything.drawn) == 36 + 40 + 36 and everything.lacking == {"medium": 8}


@pytest.mark.parametrize(("size", "counts"), [(100, [30, 40, 30]), (1, [0, 1, 0]), (2, [1, 1, 0]), (7, [2, 3, 2])])
def test_shares_sum_to_the_size(size: int, counts: list[int]) -> None:
    assert list(shares(size).values()) == counts


# --- commands ----------------------------------------------------------------------------------------------


def test_attach_score_and_export_on_disk(tmp_path: Path) -> None:
    assert command.attach("samples", tmp_path / "full", None) == 0
    assert command.export(tmp_path / "full", tmp_path / "back", "samples") == 0
    back = {u.unit: {n.criterion_id for n in u.nodes} for u in load_gold_for(str(tmp_path / "back"))}
    assert back == {u.unit: {n.criterion_id for n in u.nodes} for u in load_gold_for("samples")}
    with pytest.raises(OutputError, match="holds JSON files already"):
        command.export(tmp_path / "full", tmp_path / "back", "samples")
    damaged = next((tmp_path / "full").glob("*/*.json"))
    damaged.write_text("{}", encoding="utf-8")
    assert command.export(tmp_path / "full", tmp_path / "part", "samples") == 1
    with pytest.raises(NoUnitMatchedError):
        command.export(tmp_path / "empty", tmp_path / "none", "samples")


def test_split_writes_parts_and_clusters(tmp_path: Path) -> None:
    assert command.split("samples", "train=0.5,test=0.5", 3, None, tmp_path / "split.json") == 0
    content = json.loads((tmp_path / "split.json").read_text(encoding="utf-8"))
    assert sorted(k for keys in content["parts"].values() for k in keys) == sorted(u.unit for u in load_gold_for("samples"))
    for cluster in content["near_duplicates"]:
        assert any(set(cluster) <= set(keys) for keys in content["parts"].values())


@pytest.mark.parametrize("parts", ["train", "train=0.5,train=0.5", "train=x,test=0.5", "=1"])
def test_parts_of_another_form_are_refused(parts: str) -> None:
    with pytest.raises(ConfigError, match="parts="):
        command.parse_parts(parts)


def test_adjudication_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "source_units", lambda gold, source: {(g.source, g.unit): UNIT for g in gold})
    a, b = write_folder(tmp_path / "a", FIRST), write_folder(tmp_path / "b", SECOND)
    assert command.adjudication(a, b, None, None, None, tmp_path / "list") == 0
    path = tmp_path / "list" / "disagreements.jsonl"
    lines = [{**json.loads(x), "decision": "b"} for x in path.read_text(encoding="utf-8").splitlines()]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert command.adjudication(a, b, None, None, path, tmp_path / "gold") == 0
    assert load_gold_for(str(tmp_path / "gold")) == [SECOND]
