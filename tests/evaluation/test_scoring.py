"""Gold files, folders of predictions, and what the command prints."""

import json
from pathlib import Path
from typing import Any

import pytest

from regreact.config import Settings
from regreact.config import load as load_settings
from regreact.errors import GoldError
from regreact.evaluation.command import run, source_units
from regreact.evaluation.gold import GoldUnit, attach, load_gold, read_gold
from regreact.evaluation.scoring import score_folder, score_unit, validate_folder
from regreact.runner import Extractor
from tests.evaluation.builders import UNIT, gold, gold_node


def write(folder: Path, data: Any, name: str = "X-1__SC.json") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("{", "cannot be read as JSON"),
        ("[]", "valid dictionary"),
        (gold(extra=1), "extra"),
        (gold(gold_node("1", "9", 0)), "parent 9 does not exist"),
        (gold(gold_node("1", "ROOT", 0), gold_node("1", "ROOT", 1)), "1 occurs twice"),
        (gold(gold_node("1", "ROOT", 0), gold_node("2", "ROOT", 0)), "node 2 \\(2\\): block 0 belongs to 1 already"),
        (gold(gold_node("1", "2", 0), gold_node("2", "1", 1)), "its own ancestor"),
        (gold(gold_node("1", "ROOT", 0, category="Quantitive")), "category"),
    ],
)
def test_damaged_gold_is_named(data: Any, message: str, tmp_path: Path) -> None:
    path = write(tmp_path, data)
    with pytest.raises(GoldError, match=message) as caught:
        read_gold(path)
    assert str(path) in str(caught.value)


def test_gold_must_fit_its_source(tmp_path: Path) -> None:
    wrong_block = GoldUnit.model_validate(gold(gold_node("1", "ROOT", 7)))
    with pytest.raises(GoldError, match="block 7 does not exist"):
        attach(wrong_block, UNIT)
    with pytest.raises(GoldError, match="annotated on other"):
        attach(GoldUnit.model_validate(gold(source="other")), UNIT)
    with pytest.raises(GoldError, match="no gold files"):
        load_gold(tmp_path)


def test_gold_against_itself_is_perfect() -> None:
    tree = attach(GoldUnit.model_validate(gold()), UNIT)
    score = score_unit(tree, {"criteria": tree.root.model_dump(mode="json")})
    assert score.value("structural_f1") == score.value("tags") == 100
    assert score.errors == ()


def test_a_missing_prediction_counts_zero_and_is_listed(tmp_path: Path) -> None:
    listed = [GoldUnit.model_validate(gold())]
    report = score_folder(tmp_path, listed, {("doc-1", "X-1/SC"): UNIT})
    assert report.missing == ["doc-1 X-1/SC"]
    assert report.exit_code == 1
    assert report.metrics()["structural_f1"] == report.metrics()["category"] == 0


def test_gold_is_compared_with_its_own_document_only(tmp_path: Path) -> None:
    Extractor(Settings()).extract_to([UNIT], tmp_path)
    (tmp_path / "doc-1").rename(tmp_path / "doc-2")
    report = score_folder(tmp_path, [GoldUnit.model_validate(gold())], {("doc-1", "X-1/SC"): UNIT})
    assert report.missing


@pytest.mark.parametrize("content", ["", "{", "[]", '{"criteria": 1}'])
def test_an_unreadable_prediction_is_missing_with_a_reason(content: str, tmp_path: Path) -> None:
    write(tmp_path / "doc-1", content)
    report = score_folder(tmp_path, [GoldUnit.model_validate(gold())], {("doc-1", "X-1/SC"): UNIT})
    assert report.missing and "X-1__SC.json" in report.problems[0]


def test_anybody_s_bare_tree_can_be_scored() -> None:
    tree = attach(GoldUnit.model_validate(gold()), UNIT)
    bare = {"criteria": {"criterion_id": "ROOT", "sub_criteria": [{"criterion_id": "1"}, {"criterion_id": "2"}]}}
    score = score_unit(tree, bare)
    # Everything is in place; each node has 1 of 13 keys ("criterion_id"; ROOT is not counted).
    assert score.value("structural_f1") == pytest.approx(100 * (0.8 + 0.2 / 13))
    assert score.value("category") == 0


def test_validation_lists_files_that_do_not_fit(tmp_path: Path) -> None:
    Extractor(Settings()).extract_to([UNIT], tmp_path)
    write(tmp_path / "doc-1", {"criteria": {}}, "bad.json")
    count, problems = validate_folder(tmp_path)
    assert count == 2
    assert len(problems) == 1 and "bad.json" in problems[0]


def test_the_command_scores_samples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from regreact.corpus import load, select  # noqa: PLC0415  reads the samples

    selection = select(load("samples").documents)
    Extractor(Settings()).extract_to(selection.units, tmp_path, selection.failures)
    assert run(tmp_path, None, None, as_json=True, validate_only=False, errors=False) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["missing"] == []
    assert report["summary"]["structural_f1"]["n"] == len(report["units"]) > 20
    assert run(tmp_path, None, None, as_json=False, validate_only=True, errors=False) == 0


def test_the_worked_example_is_found_under_its_fragment_s_key(data_root: Path, tmp_path: Path) -> None:
    annotated = load_gold(Path(__file__).parents[2] / "data/gold/paper")
    units = source_units(annotated, str(data_root))
    Extractor(Settings()).extract_to(list(units.values()), tmp_path)
    report = score_folder(tmp_path, annotated, units)
    assert report.missing == []
    assert report.metrics()["structural_f1"] > 90


def test_annotated_units_beat_the_markup_floor(data_root: Path, tmp_path: Path) -> None:
    annotated = load_gold(Path(__file__).parents[2] / "data/gold")
    units = source_units(annotated, str(data_root))
    values = {}
    for ablation in ("none", "markup"):
        Extractor(load_settings([f"+ablation={ablation}"])).extract_to(list(units.values()), tmp_path / ablation)
        values[ablation] = score_folder(tmp_path / ablation, annotated, units).metrics()
    assert values["markup"]["structural_f1"] == pytest.approx(96.4, abs=0.3)
    for metric in ("structural_f1", "category", "applicability", "logic", "tags"):
        assert values["none"][metric] > values["markup"][metric] + 2
