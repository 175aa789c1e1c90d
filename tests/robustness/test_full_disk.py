"""A disk that is full or closed ends every command with one line, and what was written before is whole."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from regreact import cli
from regreact.app.review.log import Decision, DecisionLog
from regreact.errors import OutputError
from regreact.evaluation.judge import Judgement
from regreact.evaluation.judge_cache import JudgeCache
from regreact.evaluation.predictions import validate_folder
from tests.robustness.runs import LEFT, ROOT, damage

FEW = ("-u", "CCM-21.*")
Regreact = Callable[..., tuple[int, str, str]]


def mount(*arguments: str) -> None:
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no small disk to be had (mount needs to be root): {done.stderr.strip()}")


class Disk:
    """A small disk."""

    def __init__(self, place: Path) -> None:
        self.place = place
        place.mkdir()
        mount("-t", "tmpfs", "-o", "size=32m", "tmpfs", str(place))

    def leave(self, size: int) -> None:
        """Fill it but for a number of bytes."""
        free = os.statvfs(self.place)
        with (self.place / "ballast").open("wb") as file:
            file.write(bytes(max(0, free.f_bavail * free.f_frsize - size)))

    def clear(self) -> None:
        """Make room."""
        (self.place / "ballast").unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    place = tmp_path / "disk"
    try:
        yield Disk(place)
    finally:
        subprocess.run(["umount", "-l", str(place)], capture_output=True, check=False)


@pytest.fixture
def regreact(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Regreact:
    """Runs a command in this process."""

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["regreact", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return int(ended.value.code or 0), *capsys.readouterr()

    return run


def one_line(ran: tuple[int, str, str], *words: str) -> None:
    code, _, err = ran
    assert code == 2, err
    lines = err.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("regreact: "), err
    assert all(w in lines[0] for w in words), err


def temporary(folder: Path) -> list[Path]:
    return [p for p in folder.rglob("*") if LEFT.fullmatch(p.name) and p.name != ".lock"]


@pytest.mark.parametrize("room", [60_000, *(pytest.param(n, marks=pytest.mark.slow) for n in (0, 4096, 150_000))])
def test_extraction_goes_on_once_there_is_room(room: int, disk: Disk, regreact: Regreact, tmp_path: Path) -> None:
    out = disk.place / "out"
    disk.leave(room)
    one_line(regreact("extract", "samples", *FEW, "-o", out), "cannot be written", "No space left", "make room")
    assert validate_folder(out)[1] == [] and temporary(disk.place) == []
    disk.clear()
    assert regreact("extract", "samples", *FEW, "-o", out)[0] == 0
    assert regreact("extract", "samples", *FEW, "-o", tmp_path / "whole")[0] == 0
    whole = {p.relative_to(tmp_path / "whole"): p.read_bytes() for p in (tmp_path / "whole").glob("*/*.json")}
    assert {p.relative_to(out): p.read_bytes() for p in out.glob("*/*.json")} == whole


WRITERS = {
    "dataset": ("dataset", "build", "samples", *FEW, "-q", "--work", "work", "-o"),
    "export": ("export", "out", "-f", "csv", "-q", "--to"),
    "report": ("report", "pages", "out", "-q", "--to"),
    "fetch": ("fetch", "--from", "samples", "-q", "--store"),
    "review": ("review", "out", "--export"),
    "judgements": ("score", "out", "--gold", "samples", *FEW, "--judgements"),
    "failures": ("score", "out", "--gold", "samples", *FEW, "--failures"),
    "gold": ("gold", "attach", "samples", "--out"),
}

QUICK = ("export", "fetch", "judgements")
EACH = [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in WRITERS]


@pytest.fixture(scope="module")
def extracted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("full")
    line = [sys.executable, "-m", "regreact", "extract", "samples", *FEW, "-q", "-o", "out"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(line, cwd=folder, env=env, check=True, timeout=300)
    return folder


@pytest.mark.parametrize("name", EACH)
def test_every_writer_tells_that_there_is_no_room(
    name: str, disk: Disk, extracted: Path, regreact: Regreact, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(extracted)
    target = disk.place / "new" / "result"
    disk.leave(8192)
    one_line(regreact(*WRITERS[name], target), "No space left", "make room")
    assert temporary(disk.place) == [] and damage(disk.place) == []
    disk.clear()
    # The review's export goes into a new folder, always.
    shutil.rmtree(target, ignore_errors=True) if name in ("review", "gold") else None
    assert regreact(*WRITERS[name], target)[0] in (0, 1)
    assert target.exists()


@pytest.mark.parametrize("name", EACH)
def test_every_writer_tells_that_a_disk_is_read_only(
    name: str, disk: Disk, extracted: Path, regreact: Regreact, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(extracted)
    mount("-o", "remount,ro", str(disk.place))
    one_line(regreact(*WRITERS[name], disk.place / "result"), "Read-only", "name another place")


@pytest.mark.parametrize("name", EACH)
def test_every_writer_tells_that_a_file_is_in_the_way(
    name: str, extracted: Path, regreact: Regreact, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(extracted)
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    one_line(regreact(*WRITERS[name], tmp_path / "file/below"), str(tmp_path / "file"))
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def decision(item: str) -> Decision:
    return Decision(reviewer="Ada", action="accept", item=item, document="d", unit="u", criterion_id="1", note="n" * 900)


def test_a_decision_without_room_is_refused_and_the_log_stays_whole(disk: Disk) -> None:
    log = DecisionLog(disk.place)
    log.append(decision("first"))
    disk.leave(0)
    kept = 1
    with pytest.raises(OutputError, match=r"decision not kept: .*No space left"):
        # The page that the log has begun takes a few more.
        for kept in range(1, 100):
            log.append(decision(f"more-{kept}"))
    assert len(log.read()) == kept and log.damaged == 0
    disk.clear()
    log.append(decision("last"))
    assert log.read()[-1].item == "last" and log.damaged == 0


def test_a_judgement_without_room_is_refused_and_the_cache_stays_whole(disk: Disk) -> None:
    path = disk.place / "cache.jsonl"
    kept = 0
    cache = JudgeCache(path)
    disk.leave(0)
    with pytest.raises(OutputError, match=r"No space left .*judge\.cache"):
        for kept in range(100):
            cache.put(f"k{kept}", Judgement(5.0, "r" * 900))
    disk.clear()
    cache.put("last", Judgement(4.0, "line\u2028break\x85and\ud800"))
    again = JudgeCache(path)
    assert all(again.get(f"k{n}") is not None for n in range(kept))
    found = again.get("last")
    assert found is not None and found.score == 4.0


@pytest.mark.slow
@pytest.mark.parametrize("room", [100_000, 1_000_000])
def test_an_experiment_tells_that_there_is_no_room(room: int, disk: Disk) -> None:
    line = [sys.executable, "-m", "regreact.experiment", "data.units=[CCM-21.1/SC]", "hydra.run.dir=/tmp"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    disk.leave(room)
    done = subprocess.run(line, cwd=disk.place, env=env, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    assert done.stderr.strip().splitlines()[-1].startswith("regreact: ")
    disk.clear()
    done = subprocess.run(line, cwd=disk.place, env=env, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
