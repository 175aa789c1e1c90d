"""One damaged file costs no other: it is named, with what to do, and the command ends with 1."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from regreact import cli, corpus
from regreact.config import Settings
from regreact.manifest import MANIFEST, read_manifest
from regreact.runner import Extractor

Regreact = Callable[..., tuple[int, str, str]]
BROKEN = "CCM-21.2__SC.json"


@pytest.fixture
def regreact(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Regreact:
    """Runs a command in this process."""

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["regreact", *map(str, arguments)])
        capsys.readouterr()
        try:
            cli.main()
        except SystemExit as ended:
            return int(ended.code or 0), *capsys.readouterr()
        return 0, *capsys.readouterr()

    return run


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("damaged") / "out"
    units = [u for d in corpus.load("samples").documents for u in d.units if u.key in ("CCM-21.1/SC", "CCM-21.2/SC")]
    Extractor(Settings()).extract_to(units, out)
    return out


@pytest.fixture
def out(whole: Path, tmp_path: Path) -> Path:
    """The extractions, one file of which was cut off."""
    shutil.copytree(whole, tmp_path / "out")
    [path] = (tmp_path / "out").glob(f"*/{BROKEN}")
    path.write_bytes(path.read_bytes()[:2000])
    return tmp_path / "out"


@pytest.mark.parametrize(
    "arguments",
    [("show", "CCM-*"), ("references",), ("review", "--agreement")],
)
def test_the_others_are_read(arguments: tuple[str, ...], out: Path, regreact: Regreact) -> None:
    told = (*arguments, out)
    code, printed, err = regreact(*told)
    assert code == 1, err
    assert f"damaged: {out}" in err and BROKEN in err and "extract the unit again" in err
    next(out.glob(f"*/{BROKEN}")).unlink()
    assert regreact(*told)[:2] == (0, printed)


def test_an_export_holds_the_others(out: Path, regreact: Regreact, tmp_path: Path) -> None:
    code, _, err = regreact("export", out, "--to", tmp_path / "some.csv")
    assert code == 1 and err.startswith("damaged: ") and len(err.splitlines()) == 1
    next(out.glob(f"*/{BROKEN}")).unlink()
    assert regreact("export", out, "--to", tmp_path / "same.csv")[0] == 0
    assert (tmp_path / "some.csv").read_bytes() == (tmp_path / "same.csv").read_bytes()


def test_a_difference_says_nothing_of_a_unit_that_cannot_be_read(out: Path, whole: Path, regreact: Regreact) -> None:
    for a, b in ((whole, out), (out, whole)):
        code, printed, _ = regreact("diff", a, b, "--json")
        found = json.loads(printed)
        assert code == 1 and BROKEN in found["failed"][0]
        assert found["units"] == [] and found["activities"] == []


def test_a_damaged_file_that_is_not_asked_for_is_not_told(out: Path, regreact: Regreact) -> None:
    code, _, err = regreact("show", "CCM-21.1/SC", out)
    assert (code, err) == (0, "")


def test_where_nothing_can_be_read_the_command_ends(out: Path, regreact: Regreact) -> None:
    for path in out.glob("*/*.json"):
        path.write_bytes(b"")
    for arguments in (("export", out), ("show", "*", out), ("review", out, "--agreement")):
        code, _, err = regreact(*arguments)
        assert code == 2 and len(err.splitlines()) == 1 and "extract the unit again" in err


def test_damaged_lines_of_a_manifest_are_told_and_cost_their_units_only(
    whole: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    out = tmp_path / "out"
    shutil.copytree(whole, out)
    lines = (out / MANIFEST).read_bytes().splitlines()
    (out / MANIFEST).write_bytes(lines[0][:70] + b"\n" + lines[1])
    units = [u for d in corpus.load("samples").documents for u in d.units if u.key in ("CCM-21.1/SC", "CCM-21.2/SC")]
    statuses = [line.status for line in Extractor(Settings()).extract_to(units, out, resume=True).lines]
    assert statuses == ["done", "kept"]
    [told] = caplog.messages
    assert "manifest.jsonl: damaged in line 1" in told
    assert len(read_manifest(out)) == 2


def test_a_line_that_was_cut_off_takes_no_other_with_it(whole: Path, tmp_path: Path) -> None:
    """A run that stops within a line of the manifest, is run again, and stops again, has lost one line, not two."""
    units = [u for d in corpus.load("samples").documents for u in d.units if u.key in ("CCM-21.1/SC", "CCM-21.2/SC")]
    (tmp_path / MANIFEST).write_text('{"document": "samples-comp', encoding="utf-8")

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Extractor(Settings()).extract_to(units, tmp_path, resume=True, progress=stop)
    assert [line.unit for line in read_manifest(tmp_path).values()] == [units[0].key]
    statuses = [line.status for line in Extractor(Settings()).extract_to(units, tmp_path, resume=True).lines]
    assert statuses == ["kept", "done"]


@pytest.mark.parametrize(
    "arguments",
    [("fetch", "--from", "samples", "--store", ""), ("act", "32099L0001", "--store", " "), ("extract", "samples", "-o", "")],
)
def test_an_empty_name_is_not_the_current_folder(
    arguments: tuple[str, ...], tmp_path: Path, regreact: Regreact, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = regreact(*arguments)
    assert code == 2 and "empty name" in err and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("line", ["show CCM-* out", "export out -f csv", "report out"])
def test_what_is_no_file_is_not_waited_for(
    line: str, whole: Path, tmp_path: Path, regreact: Regreact, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(whole, tmp_path / "out")
    [path] = (tmp_path / "out").glob(f"*/{BROKEN}")
    path.unlink()
    os.mkfifo(path)
    code, _, err = regreact(*line.split())
    assert code == 1 and "is no file" in err and BROKEN in err


def test_an_output_that_cannot_show_a_character_gets_its_number(whole: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    command = [sys.executable, "-m", "regreact", "show", "CCM-*", str(whole), "--full"]
    ended = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert ended.returncode == 0 and b"\\u" in ended.stdout, ended.stderr
