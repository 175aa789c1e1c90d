"""Predictions of any maker: never a crash, never a wrong one for a right one, never a malformed field for free."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreact.errors import GoldError
from regreact.evaluation.gold import GoldTree, GoldUnit, attach
from regreact.evaluation.predictions import field_value, links, read_prediction
from regreact.evaluation.scoring import ScoreReport, score_folder, score_unit, validate_folder
from tests.evaluation.builders import UNIT, gold, gold_node

NUMBER = {"metric": "Dust", "operator": "<", "value": 5, "unit": "kg", "period": None}
LIMIT = {"quantitative": {"logic": None, "items": [NUMBER]}, "temporal": None}
CLAUSE = {"criterion_id": "1", "status": "Affirmation"}
GATE = {"condition_summary": "x", "min_conditions_to_meet": 1, "clauses": [CLAUSE]}
UNITS = {("doc-1", "X-1/SC"): UNIT}


def tree(**changes: Any) -> GoldTree:
    first = gold_node("1", "ROOT", 0, **changes)
    return attach(GoldUnit.model_validate(gold(first, gold_node("2", "ROOT", 1))), UNIT)


def predicted(of: GoldTree, **changes: Any) -> dict[str, Any]:
    """Return the gold tree as a prediction, with changes in node 1."""
    criteria = copy.deepcopy(of.root.model_dump(mode="json"))
    criteria["sub_criteria"][0].update(changes)
    return {"criteria": criteria}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("threshold", {"quantitative": "5 kg", "temporal": None}),
        ("threshold", 5),
        ("references", {"logic": None, "sources": [{"text": "ISO 1", "type": "maybe"}]}),
        ("footnotes", [{"id": "fn-1"}]),
        ("dependencies", {"clauses": ["1"]}),
    ],
)
def test_what_cannot_be_read_is_as_wrong_as_what_is_false(field: str, value: Any) -> None:
    score = score_unit(tree(), predicted(tree(), **{field: value}))
    name = {"references": "reference", "footnotes": "footnote", "dependencies": "dependency"}.get(field, field)
    assert score.semantic[name] == (1.0,)
    assert [e.criterion_id for e in score.errors] == ["1"]
    assert score.errors[0].predicted.startswith("unreadable")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("threshold", {"quantitative": None, "temporal": None}),
        ("threshold", {"quantitative": {"logic": None, "items": []}, "temporal": None}),
        ("references", {"logic": None, "sources": []}),
        ("references", ""),
        ("dependencies", {"condition_summary": "", "min_conditions_to_meet": 1, "clauses": []}),
        ("footnotes", None),
    ],
)
def test_objects_that_hold_nothing_are_empty(field: str, value: Any) -> None:
    assert field_value({field: value}, field) is None
    assert score_unit(tree(), predicted(tree(), **{field: value})).errors == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "1", "ROOT", "AND", "inherits_threshold"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            "criterion_id sub_criteria tags threshold references footnotes dependencies type source target from to "
            "evaluation_logic verbatim_text".split()
        ),
        inner,
        max_size=5,
    ),
    max_leaves=25,
)


@given(st.dictionaries(st.sampled_from(["criterion_id", "sub_criteria", "tags", "threshold"]), JSON), JSON, JSON)
def test_no_json_crashes_the_scorer(criteria: dict[str, Any], edges: Any, corrections: Any) -> None:
    score = score_unit(tree(), {"criteria": criteria, "edges": edges, "corrections": corrections})
    assert all(0 <= (score.value(m) or 0) <= 100 for m in ("structural_f1", "structural_f1_with_root", "tags"))


def test_edges_and_corrections_are_joined_by_criterion() -> None:
    found = links(
        {
            "edges": [
                {"source": "1(b)", "target": "1(a)", "type": "inherits_threshold"},
                {"source": "1(b)", "target": "2", "type": "depends_on"},
                "broken",
            ],
            "corrections": [{"criterion_id": "1(b)", "from": "3", "to": "4"}, {"criterion_id": "2", "from": ["x"]}],
        }
    )
    assert list(found) == ["1(b)"]
    assert (found["1(b)"].threshold_from, found["1(b)"].corrections) == ("1(a)", {("3", "4")})


def test_inheritance_and_corrections_count_as_dependencies() -> None:
    annotated = tree(threshold=LIMIT, threshold_from="2", corrections=[{"from": "3", "to": "2"}])
    bare = predicted(annotated)
    assert score_unit(annotated, bare).semantic["dependency"] == (1.0,)
    bare["edges"] = [{"source": "1", "target": "2", "type": "inherits_threshold"}]
    assert score_unit(annotated, bare).semantic["dependency"] == (3.0,)
    bare["corrections"] = [{"criterion_id": "1", "from": "3", "to": "2"}]
    assert score_unit(annotated, bare).semantic["dependency"] == (5.0,)


def test_fields_of_missing_and_surplus_nodes_score_one() -> None:
    annotated = tree(threshold=LIMIT)
    lacking = predicted(annotated)
    del lacking["criteria"]["sub_criteria"][0]
    assert score_unit(annotated, lacking).semantic["threshold"] == (1.0,)
    extended = predicted(tree())
    extended["criteria"]["sub_criteria"].append({"criterion_id": "9", "dependencies": GATE})
    assert score_unit(tree(), extended).semantic["dependency"] == (1.0,)


def test_a_missing_prediction_is_zero_even_for_a_unit_without_criteria() -> None:
    annotated = attach(GoldUnit.model_validate({**gold(), "nodes": [gold_node("ROOT", None)]}), UNIT)
    score = score_unit(annotated, None)
    assert score.value("structural_f1") == score.value("structural_f1_with_root") == score.value("logic") == 0


def store(folder: Path, content: dict[str, Any], name: str = "doc-1/X-1__SC.json") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"source": {"document": "doc-2"}}, "document doc-2"),
        ({"unit": "X-2/SC"}, "unit X-2/SC"),
        ({"unit": 5}, "unit 5"),
    ],
)
def test_the_extraction_of_something_else_is_missing_with_the_reason(
    said: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    store(tmp_path, {**predicted(tree()), **said})
    report = score_folder(tmp_path, [GoldUnit.model_validate(gold())], UNITS)
    assert report.missing == ["doc-1 X-1/SC"]
    assert reason in report.problems[0]
    assert report.metrics()["structural_f1"] == 0


def test_a_tree_without_end_is_missing_with_the_reason(tmp_path: Path) -> None:
    criteria: dict[str, Any] = {"criterion_id": "1"}
    for _ in range(150):
        criteria = {"criterion_id": "1", "sub_criteria": [criteria]}
    store(tmp_path, {"criteria": criteria})
    report = score_folder(tmp_path, [GoldUnit.model_validate(gold())], UNITS)
    assert "levels deep" in report.problems[0]
    assert validate_folder(tmp_path)[1] == report.problems


def test_gold_without_its_text_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GoldError, match="X-1/SC: its text is not there"):
        score_folder(tmp_path, [GoldUnit.model_validate(gold())], {})


def test_validation_names_the_place_and_misplaced_files(tmp_path: Path) -> None:
    record = {
        "unit": "X-1/SC", "activity": "Ore washing", "objective": "water", "section": "SC",
        "source": {"document": "doc-1", "sha256": "0", "format": "html"}, **predicted(tree()),
    }  # fmt: skip
    assert validate_folder(tmp_path) == (0, [])
    store(tmp_path, record)
    assert validate_folder(tmp_path) == (1, [])
    moved = store(tmp_path, record, "doc-9/X-1__SC.json")
    assert validate_folder(tmp_path) == (2, [f"{moved}: belongs at doc-1/X-1__SC.json by its document and unit"])
    moved.unlink()
    broken = store(tmp_path, {**record, "edges": [{"source": "1", "target": "2", "type": "likes"}]}, "doc-1/B.json")
    count, problems = validate_folder(tmp_path)
    assert count == 2
    assert problems[0].startswith(f"{broken}: edges.0.type:")


def test_any_document_and_unit_will_do_where_none_is_expected(tmp_path: Path) -> None:
    path = store(tmp_path, {**predicted(tree()), "unit": "X-2/SC"})
    assert read_prediction(path)["unit"] == "X-2/SC"


def test_the_report_averages_over_units_and_over_nodes() -> None:
    # Unit one is perfect (3 nodes). Unit two has gold ROOT and 1; its prediction lacks 1 and has the labels of ROOT.
    whole = tree(threshold=LIMIT)
    small = attach(GoldUnit.model_validate(gold(gold_node("1", "ROOT", 0, 1))), UNIT)
    root = {**predicted(small)["criteria"], "sub_criteria": []}
    report = ScoreReport([score_unit(whole, predicted(whole)), score_unit(small, {"criteria": root})])
    # Category: 100 and 50; over nodes 4 of 5.
    category = report.statistic("category")
    assert category is not None
    assert (category.mean, category.median, category.n, category.micro) == (75, 75, 2, 80)
    assert category.std == pytest.approx(50 / 2**0.5)
    # F1 without ROOT: 100 and 0; over nodes quality 2 of 2 predicted and 3 gold: P 1, R 2/3, F1 0.8.
    structure = report.statistic("structural_f1")
    assert structure is not None and (structure.mean, structure.micro) == (50, pytest.approx(80))
    # Thresholds: only the first unit has one; nobody has references.
    threshold = report.statistic("threshold")
    assert threshold is not None and (threshold.mean, threshold.n) == (5, 1)
    assert report.statistic("reference") is None
    data = json.loads(json.dumps(report.to_json()))
    assert data["summary"]["category"] == {"mean": 75, "std": 35.3553, "median": 75, "n": 2, "micro": 80}
    assert data["summary"]["reference"] is None
    text = small.root.sub_criteria[0].verbatim_text
    found = [(e["criterion_id"], e["field"], e["gold"], e["predicted"], e["source"]) for e in data["errors"]]
    assert ("1", "node", text, "missing", text) in found
