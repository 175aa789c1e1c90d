"""Output files, manifest, resume, failures, order."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from regreact.config import Settings, data_dir, load
from regreact.digests import config_hash, input_hash
from regreact.errors import LMRequiredError, OutputError, RegReActError
from regreact.manifest import read_manifest, unit_path
from regreact.runner import Extractor
from regreact.schema import Extraction
from regreact.sources.model import Block, Unit, UnitFailure


def unit(key: str, *texts: str) -> Unit:
    blocks = tuple(Block(i, "p", 0, None, t) for i, t in enumerate(texts))
    return Unit(key, "Ore washing", "water", "SC", "doc-1", "0" * 64, "html", blocks)


UNITS = [
    unit(f"X-1.{n}/SC", f"1. Water losses are below {n} %.", "2. A monitoring plan is in place.") for n in range(5)
]


def test_files_and_manifest(tmp_path: Path) -> None:
    summary = Extractor(Settings()).extract_to(UNITS, tmp_path)
    assert summary.exit_code == 0
    lines = [json.loads(x) for x in (tmp_path / "manifest.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [x["unit"] for x in lines] == [u.key for u in UNITS]
    assert lines[0]["file"] == "doc-1/X-1.0__SC.json"
    assert lines[0]["lm_calls"] == 0 and lines[0]["cost"] == 0
    schema = json.loads((data_dir("schema") / "extraction.schema.json").read_text(encoding="utf-8"))
    for line in lines:
        data = json.loads((tmp_path / line["file"]).read_text(encoding="utf-8"))
        jsonschema.validate(data, schema)
        Extraction.model_validate(data)


def test_every_block_is_in_the_tree(tmp_path: Path) -> None:
    Extractor(Settings()).extract_to(UNITS[:1], tmp_path)
    data = json.loads(unit_path(tmp_path, "doc-1", UNITS[0].key).read_text(encoding="utf-8"))
    texts = {c.verbatim_text for c in Extraction.model_validate(data).criteria.walk()}
    assert texts >= {b.text for b in UNITS[0].blocks}


def test_output_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    for workers in (1, 4):
        Extractor(load([f"runner.workers={workers}"])).extract_to(UNITS, tmp_path / str(workers))
    for u in UNITS:
        one, four = (unit_path(tmp_path / w, "doc-1", u.key).read_bytes() for w in ("1", "4"))
        assert one == four


def test_resume_keeps_unchanged_units_only(tmp_path: Path) -> None:
    extractor = Extractor(Settings())
    extractor.extract_to(UNITS[:3], tmp_path)
    changed = [UNITS[0], unit(UNITS[1].key, "1. Water losses are below 9 %."), UNITS[2]]
    unit_path(tmp_path, "doc-1", UNITS[2].key).unlink()
    summary = extractor.extract_to(changed, tmp_path, resume=True)
    assert [line.status for line in summary.lines] == ["kept", "done", "done"]
    other = Extractor(load(["odr=off"])).extract_to(changed, tmp_path, resume=True)
    assert {line.status for line in other.lines} == {"done"}


def test_units_of_other_runs_stay_in_the_manifest(tmp_path: Path) -> None:
    extractor = Extractor(Settings())
    extractor.extract_to(UNITS[:2], tmp_path)
    extractor.extract_to(UNITS[2:], tmp_path)
    assert len(read_manifest(tmp_path)) == len(UNITS)


def test_a_failing_unit_costs_no_other_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    extractor = Extractor(Settings())
    original = extractor.extract

    def fail_one(u: Unit) -> Any:
        if u.key == UNITS[1].key:
            raise RegReActError("the model is gone")
        return original(u)

    monkeypatch.setattr(extractor, "extract", fail_one)
    unreadable = UnitFailure("X-9/SC", "doc-1", "/act/annex[1]", "no criteria cell")
    summary = extractor.extract_to(UNITS, tmp_path, [unreadable])
    assert summary.exit_code == 1
    assert [(x.unit, x.problem) for x in summary.failed] == [
        (UNITS[1].key, "RegReActError: the model is gone"),
        ("X-9/SC", "/act/annex[1]: no criteria cell"),
    ]
    assert sum(x.status == "done" for x in summary.lines) == len(UNITS) - 1
    again = Extractor(Settings()).extract_to(UNITS, tmp_path, resume=True)
    assert [x.status for x in again.lines] == ["kept", "done", "kept", "kept", "kept"]


def test_damaged_manifest_lines_are_ignored(tmp_path: Path) -> None:
    extractor = Extractor(Settings())
    extractor.extract_to(UNITS, tmp_path)
    with (tmp_path / "manifest.jsonl").open("a", encoding="utf-8") as handle:
        handle.write('{"document": "doc-1", "un')
    assert len(read_manifest(tmp_path)) == len(UNITS)


def test_a_file_in_the_way_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("not a folder", encoding="utf-8")
    with pytest.raises(OutputError, match="cannot be written"):
        Extractor(Settings()).extract_to(UNITS, tmp_path / "out")


def test_hashes_tell_what_changed() -> None:
    assert input_hash(UNITS[0]) != input_hash(UNITS[1])
    assert config_hash(Settings()) == config_hash(load(["data=gold", "runner.workers=3", "lm=openai"]))
    assert config_hash(Settings()) != config_hash(load(["odr.tau=0.9"]))


def test_programs_that_need_a_model_say_so() -> None:
    with pytest.raises(LMRequiredError):
        Extractor(load(["+ablation=single_pass"]))


@pytest.mark.parametrize("document", ["..", ".", "a/b", "nul\0", "x" * 300])
def test_no_file_is_written_outside_the_output_folder(document: str, tmp_path: Path) -> None:
    odd = Unit("X-1/SC", "Ore washing", "water", "SC", document, "0" * 64, "html", UNITS[0].blocks)
    out = tmp_path / "deep" / "out"
    summary = Extractor(Settings()).extract_to([odd, UNITS[0]], out)
    assert [x.unit for x in summary.failed] == ["X-1/SC"]
    assert [p.name for p in tmp_path.rglob("*.json")] == ["X-1.0__SC.json"]


def test_two_units_never_share_a_file(tmp_path: Path) -> None:
    twins = [unit("X-a/b", "1. One."), unit("X-a__b", "1. Two.")]
    summary = Extractor(Settings()).extract_to(twins, tmp_path)
    assert [x.unit for x in summary.failed] == ["X-a__b"]
    assert "that of X-a/b" in str(summary.failed[0].problem)


def test_a_damaged_output_file_is_made_again(tmp_path: Path) -> None:
    extractor = Extractor(Settings())
    extractor.extract_to(UNITS[:1], tmp_path)
    path = unit_path(tmp_path, "doc-1", UNITS[0].key)
    whole = path.read_bytes()
    path.write_text('{"unit": ', encoding="utf-8")
    assert [x.status for x in extractor.extract_to(UNITS[:1], tmp_path, resume=True).lines] == ["done"]
    assert path.read_bytes() == whole


@pytest.mark.parametrize("raw", [b"\xff\xfe", b"[" * 100_000, b"null", b'{"document": [], "unit": {}}', b'"x"', b"{}"])
def test_any_damage_of_the_manifest_is_survived(raw: bytes, tmp_path: Path) -> None:
    extractor = Extractor(Settings())
    extractor.extract_to(UNITS[:2], tmp_path)
    with (tmp_path / "manifest.jsonl").open("ab") as handle:
        handle.write(raw + b"\n")
    assert [x.status for x in extractor.extract_to(UNITS[:2], tmp_path, resume=True).lines] == ["kept", "kept"]


def test_a_failure_listed_under_the_name_of_a_unit_costs_not_that_unit(tmp_path: Path) -> None:
    twin = UnitFailure(UNITS[0].key, "doc-1", "/act/annex[2]", "a second unit of this name; only the first is kept")
    summary = Extractor(Settings()).extract_to(UNITS[:2], tmp_path, [twin])
    assert [(x.unit, x.status) for x in summary.lines] == [
        (UNITS[0].key, "done"), (UNITS[1].key, "done"), (UNITS[0].key, "failed"),
    ]  # fmt: skip
    assert unit_path(tmp_path, "doc-1", UNITS[0].key).is_file()


def test_a_fault_of_the_program_costs_one_unit_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    extractor = Extractor(Settings())
    extract = extractor.extract

    def faulty(u: Unit) -> Extraction:
        if u is UNITS[1]:
            raise OverflowError("too big")
        return extract(u)

    monkeypatch.setattr(extractor, "extract", faulty)
    summary = extractor.extract_to(UNITS[:3], tmp_path)
    assert [line.status for line in summary.lines] == ["done", "failed", "done"]
    assert "internal error" in (summary.failed[0].problem or "") and "OverflowError" in (summary.failed[0].problem or "")


@pytest.mark.parametrize(
    "text",
    ["1. By 31 December 0000 losses end.", f"1. Losses are lower than {'1' * 400} kg.", "1. Dust is below 1.234.567 kg."],
)
def test_impossible_dates_and_numbers_do_not_break_a_unit(text: str) -> None:
    tree = Extractor(Settings()).extract(unit("X-9/SC", text)).criteria
    threshold = tree.sub_criteria[0].threshold
    values = [i.value for i in threshold.quantitative.items] if threshold and threshold.quantitative else []
    assert values in ([], [1234567])
