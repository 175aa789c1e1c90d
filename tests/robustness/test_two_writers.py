"""Two processes on one folder: the second is told, or waits its turn; nothing is lost or mixed."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from regreact import cli
from regreact.evaluation.predictions import validate_folder
from regreact.folder_lock import folder_lock
from regreact.manifest import read_manifest
from regreact.rag.store import Store
from tests.robustness.runs import ROOT, contents, left_over

FEW = ("-u", "CCM-21.*")


def at_once(commands: Sequence[Sequence[str]], folder: Path) -> list[tuple[int, str]]:
    """Run commands at the same time; returns exit code and stderr of each."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    running = [
        subprocess.Popen(
            [sys.executable, "-m", *c], cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        for c in commands
    ]
    return [(p.returncode, err) for p in running for _, err in [p.communicate(timeout=300)]]


@pytest.mark.parametrize(
    "arguments",
    [
        ("extract", "samples", "-u", "CCM-21.1/SC", "-o", "held"),
        ("dataset", "build", "samples", "-u", "CCM-21.1/SC", "-o", "held", "--work", "work"),
        ("dataset", "build", "samples", "-u", "CCM-21.1/SC", "-o", "dataset", "--work", "held"),
    ],
)
def test_the_second_writer_is_told_at_once(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from regreact.dataset.record import code_digest  # noqa: PLC0415

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["regreact", *arguments, "-q"])
    held = Path("held") / code_digest()[:12] if arguments[-1] == "held" and arguments[0] == "dataset" else Path("held")
    with folder_lock(held, "a run of before"), pytest.raises(SystemExit) as ended:
        cli.main()
    lines = capsys.readouterr().err.strip().splitlines()
    assert ended.value.code == 2 and len(lines) == 1
    assert f"a run of before writes here (process {os.getpid()} on " in lines[0] and "wait until it has ended" in lines[0]
    assert list(held.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("command", ["extract", "dataset"])
def test_of_writers_at_once_one_writes_and_the_others_are_told(command: str, tmp_path: Path) -> None:
    told = {
        "extract": ("regreact", "extract", "samples", *FEW, "-q", "-o"),
        "dataset": ("regreact", "dataset", "build", "samples", *FEW, "-q", "--work", "work", "-o"),
    }[command]
    assert at_once([(*told, "alone")], tmp_path) == [(0, "")]
    done = at_once([(*told, "one")] * 3, tmp_path)
    for code, err in done:
        assert code == 0 or (code == 2 and "writes here" in err and len(err.strip().splitlines()) == 1), err
    assert 0 in [code for code, _ in done]
    alone, one = contents(tmp_path / "alone", ["."]), contents(tmp_path / "one", ["."])
    assert one == alone and left_over(tmp_path) == []


@pytest.mark.slow
def test_fetching_at_once_loses_nothing(tmp_path: Path) -> None:
    done = at_once([("regreact", "fetch", "--from", "samples", "-q", "--store", "store")] * 3, tmp_path)
    assert done == [(0, "")] * 3
    entries = Store(tmp_path / "store").entries()
    assert len(entries) == 4 and all(Store(tmp_path / "store").read(e) for e in entries)
    assert (tmp_path / "store/manifest.jsonl").read_bytes().count(b"\n") == 4


@pytest.mark.slow
def test_a_review_of_a_folder_that_is_being_extracted(tmp_path: Path) -> None:
    """The review reads whole files, and its log is not touched by the extraction."""
    extract = ("regreact", "extract", "samples", *FEW, "-q", "--fresh", "-o", "out")
    assert at_once([extract], tmp_path) == [(0, "")]
    done = at_once([extract, *[("regreact", "review", "out", "--export", f"new-{n}") for n in range(2)]], tmp_path)
    assert [code for code, _ in done] == [0, 0, 0]
    assert validate_folder(tmp_path / "out")[1] == []
    assert {line.status for line in read_manifest(tmp_path / "out").values()} == {"done"}


@pytest.mark.slow
def test_experiments_at_once_make_one_database(tmp_path: Path) -> None:
    names = ("one", "two", "three")
    done = at_once(
        [("regreact.experiment", "data.units=[CCM-21.1/SC]", f"hydra.run.dir=runs/{n}") for n in names], tmp_path
    )
    assert [code for code, _ in done] == [0, 0, 0], done
    with closing(sqlite3.connect(tmp_path / "mlflow.db")) as database:
        assert database.execute("pragma integrity_check").fetchone() == ("ok",)
        assert Counter(row[0] for row in database.execute("select status from runs")) == {"FINISHED": 3}
        assert database.execute("select count(*) from experiments where name != 'Default'").fetchone() == (1,)
