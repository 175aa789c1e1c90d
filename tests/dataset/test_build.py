"""Building: equal bytes, going on after a kill, failures told, nothing overwritten that is no dataset."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from regreact import cli, runner
from regreact.config import Settings, load
from regreact.dataset.build import Request, build
from regreact.digests import config_hash
from regreact.errors import RegReActError, UnitError
from regreact.schema import Extraction
from regreact.sources.model import Unit
from tests.dataset.conftest import contents, lines

ROOT = Path(__file__).resolve().parent.parent.parent


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> int:
    """Run `regreact dataset …` and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["regreact", "dataset", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert isinstance(stop.value.code, int)
    return stop.value.code


def test_two_builds_give_the_same_bytes(samples: Path, tmp_path: Path) -> None:
    outcome = build(Request(("samples",), tmp_path / "again", resume=False), Settings())
    assert {line.status for line in outcome.summary.lines} == {"done"}
    assert contents(tmp_path / "again") == contents(samples)


def test_the_command_s_settings_have_the_hash_of_the_defaults() -> None:
    """The same build by function and by command line has the same record."""
    assert config_hash(load()) == config_hash(Settings())


def test_the_record_names_every_file_by_its_digest(samples: Path) -> None:
    record = json.loads((samples / "dataset.json").read_text(encoding="utf-8"))
    found = {name: hashlib.sha256(data).hexdigest() for name, data in contents(samples).items()}
    del found["dataset.json"]
    assert record["files"] == found
    assert [(s["document"], s["invented"], s["units"]) for s in record["sources"]] == [
        ("samples-compass", True, 26),
        ("02099R9001-20990630", True, 14),
    ]
    assert record["failures"] == []


KILLED = """
import os, signal, sys
from pathlib import Path
from regreact.config import Settings
from regreact.dataset.build import Request, build

def progress(total):
    done = []
    def note(line):
        done.append(line)
        if len(done) == 7:
            os.kill(os.getpid(), signal.SIGKILL)
    return note

build(Request(("samples",), Path(sys.argv[1])), Settings(), progress)
"""


def test_a_killed_build_goes_on_where_it_was(samples: Path, tmp_path: Path) -> None:
    out = tmp_path / "dataset"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.run([sys.executable, "-c", KILLED, str(out)], env=env, check=False, timeout=120)
    assert process.returncode == -signal.SIGKILL
    assert [p.name for p in out.iterdir()] == [".lock"]
    outcome = build(Request(("samples",), out), Settings())
    statuses = [line.status for line in outcome.summary.lines]
    assert (statuses.count("kept"), statuses.count("done")) == (7, 33)
    assert contents(out) == contents(samples)


def test_other_code_takes_nothing_from_earlier_extractions(
    samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("regreact.dataset.build.code_digest", lambda: "0" * 64)
    request = Request(("samples",), tmp_path / "d", samples.with_name("dataset.build"), ("CCA-23.1/SC",))
    assert [line.status for line in build(request, Settings()).summary.lines] == ["done"]


def test_a_unit_that_fails_is_told_and_the_rest_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    extract = runner.Extractor.extract

    def broken(self: runner.Extractor, unit: Unit) -> Extraction:
        if unit.key == "CCM-21.8/DNSH.water":
            raise UnitError(unit.key, "block 0", "cannot be read")
        return extract(self, unit)

    monkeypatch.setattr(runner.Extractor, "extract", broken)
    out = tmp_path / "d"
    assert command(monkeypatch, "build", "samples", "-o", out, "-u", "CCM-21.8/*") == 1
    assert "failed: samples-compass CCM-21.8/DNSH.water" in capsys.readouterr().err
    (row,) = lines(out / "nested.jsonl")
    assert [s["section"] for s in row["sections"]] == ["SC", "DNSH.circular"]
    (failure,) = json.loads((out / "dataset.json").read_text(encoding="utf-8"))["failures"]
    assert failure["unit"] == "CCM-21.8/DNSH.water" and "cannot be read" in failure["problem"]
    assert "1 units failed" in (out / "README.md").read_text(encoding="utf-8")
    assert not (out / "appendices.jsonl").exists()
    assert "appendices.parquet" not in (out / "README.md").read_text(encoding="utf-8").split("\n---\n")[0]
    assert command(monkeypatch, "stats", out) == 1
    monkeypatch.setattr(runner.Extractor, "extract", extract)
    assert command(monkeypatch, "build", "samples", "-o", out, "-u", "CCM-21.8/*") == 0
    assert [s["section"] for s in lines(out / "nested.jsonl")[0]["sections"]] == ["SC", "DNSH.water", "DNSH.circular"]


def test_tables_of_an_earlier_build_do_not_stay(samples: Path, tmp_path: Path) -> None:
    work, out = samples.with_name("dataset.build"), tmp_path / "d"
    build(Request(("samples",), out, work, ("*Appendix-A",)), Settings())
    assert (out / "appendices.parquet").exists()
    build(Request(("samples",), out, work, ("CCM-21.1/SC",)), Settings())
    assert not (out / "appendices.parquet").exists()


def test_a_document_that_comes_twice_counts_once(tmp_path: Path) -> None:
    (tmp_path / "wash.html").write_text("<p>1. Water losses are lower than 5 %.</p>", encoding="utf-8")
    name = str(tmp_path / "wash.html")
    outcome = build(Request((name, name), tmp_path / "d"), Settings())
    assert len(outcome.duplicates) == 1 and outcome.exit_code == 0
    assert len(lines(tmp_path / "d/nested.jsonl")) == 1


def test_a_fragment_has_no_annex_and_its_licence_is_open(tmp_path: Path) -> None:
    (tmp_path / "a-wash.html").write_text("<p>1. Water losses are lower than 5 %.</p>", encoding="utf-8")
    build(Request((str(tmp_path / "a-wash.html"),), tmp_path / "d"), Settings())
    (row,) = lines(tmp_path / "d/nested.jsonl")
    assert (row["activity_id"], row["annex"], row["number"]) == ("a-wash", "", "")
    card = (tmp_path / "d/README.md").read_text(encoding="utf-8")
    assert "license: other" in card and "`a-wash`: given by the builder" in card


def test_usage_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fails(code: int, *words: str | Path, says: str) -> None:
        assert command(monkeypatch, *words) == code
        assert says in capsys.readouterr().err

    project = tmp_path / "project"
    project.mkdir()
    (project / "README.md").write_text("mine", encoding="utf-8")
    fails(2, "build", "samples", "-o", project, says="holds files and no dataset.json")
    fails(2, "build", "samples", "-o", project / "README.md", says="a file, not a folder")
    assert (project / "README.md").read_text(encoding="utf-8") == "mine"
    fails(3, "build", "samples", "-o", tmp_path / "n", "-u", "XYZ-*", says="no unit matches XYZ-*")
    fails(2, "build", tmp_path / "absent", "-o", tmp_path / "n", says="no such file")
    fails(2, "build", "samples", "-o", tmp_path / "n", "--set", "odr.tau=9", says="odr.tau")
    fails(2, "stats", project, says="dataset.json is missing")
    assert not (tmp_path / "n").exists()


def test_without_the_acts_the_message_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REGREACT_DATA", raising=False)
    assert command(monkeypatch, "build", "-o", "d") == 2
    message = capsys.readouterr().err
    assert "02021R2139-20250108" in message and "regreact dataset build samples" in message


def test_a_build_that_did_not_end_is_no_dataset(
    samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(path: Path, content: bytes) -> None:
        if path.name != "dataset.json":
            raise KeyboardInterrupt
        path.write_bytes(content)

    out, work = tmp_path / "d", samples.with_name("dataset.build")
    with monkeypatch.context() as patch:
        patch.setattr("regreact.dataset.build.write_whole", interrupted)
        with pytest.raises(KeyboardInterrupt):
            build(Request(("samples",), out, work), Settings())
    assert command(monkeypatch, "stats", out) == 2
    assert "did not end" in capsys.readouterr().err
    build(Request(("samples",), out, work), Settings())
    assert contents(out) == contents(samples)


def test_a_damaged_line_is_named(
    samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, data in contents(samples).items():
        (tmp_path / name).write_bytes(data)
    rows = (samples / "nested.jsonl").read_bytes().splitlines()
    (tmp_path / "nested.jsonl").write_bytes(b"\n".join([rows[0], rows[1][:500]]))
    assert command(monkeypatch, "stats", tmp_path) == 2
    assert "nested.jsonl, line 2" in capsys.readouterr().err


def test_a_failing_disk_is_a_typed_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    with pytest.raises(RegReActError, match="cannot be written"):
        build(Request(("samples",), blocked / "d", tmp_path / "work", ("CCM-21.1/SC",)), Settings())
