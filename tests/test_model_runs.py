"""Whole runs with a model behind HTTP: same tree, clean stops, nothing paid twice, no key anywhere."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from regreact import cli, corpus
from regreact.config import load
from regreact.errors import BudgetError, LMAccessError
from regreact.manifest import read_manifest
from regreact.runner import Extractor
from regreact.sources.model import Block, Unit
from tests.stub_openai import StubServer, solve

KEY = "sk-invented-9052"
ROOT = Path(__file__).parent.parent


def unit(number: int) -> Unit:
    texts = (f"1. Water losses of line {number} are below 5 %.", "2. A monitoring plan is in place.")
    blocks = tuple(Block(i, "p", 0, None, t) for i, t in enumerate(texts))
    return Unit(f"X-1.{number}/SC", "Ore washing", "water", "SC", "doc-1", "0" * 64, "html", blocks)


UNITS = [unit(n) for n in range(4)]


def overrides(server: StubServer, *more: str) -> list[str]:
    return ["lm=compatible", f"lm.api_base={server.url}", "lm.model=hosted_vllm/stub", "lm.cache=false", "lm.retries=0",
            "fastpath=off", "odr=off", *more]  # fmt: skip


def extractor(server: StubServer, *more: str) -> Extractor:
    return Extractor(load(overrides(server, *more)))


def paid(server: StubServer) -> Counter[str]:
    """How many requests each line number of the invented units caused."""
    return Counter(n for n in "0123456789" for e in server.log if f"of line {n} " in e.question)


@pytest.mark.parametrize("adapter", ["chat", "json", "xml"])
def test_the_tree_is_that_of_the_fast_path(adapter: str) -> None:
    chosen = ("CCM-21.1/SC", "CE-32.1/DNSH.pollution")
    units = [u for d in corpus.load("samples").documents for u in d.units if u.key in chosen]
    with StubServer(default="think") as server:
        through = extractor(server, f"lm.adapter={adapter}", "odr=on")
        for u in units:
            assert through.extract(u).to_json()["criteria"] == Extractor(load()).extract(u).to_json()["criteria"]
    assert len(server.log) > 20


def test_the_single_pass_asks_once() -> None:
    with StubServer() as server:
        extraction = extractor(server, "program=single_pass").extract(UNITS[0])
    assert server.seen == ["solve"]
    assert {c.verbatim_text for c in extraction.criteria.walk()} >= {b.text for b in UNITS[0].blocks}


@pytest.mark.parametrize("workers", [1, 3])
def test_a_refused_key_stops_the_run_at_once(workers: int, tmp_path: Path) -> None:
    with StubServer(default="401") as server:
        summary = extractor(server, f"runner.workers={workers}").extract_to(UNITS * 1, tmp_path)
    assert isinstance(summary.stopped, LMAccessError) and summary.exit_code == 2
    assert {x.status for x in summary.lines} == {"not done"}
    # Three stages of each unit under way may have asked at the same moment.
    assert len(server.log) <= 3 * workers
    assert [x.unit for x in read_manifest(tmp_path).values()] == [u.key for u in UNITS]


def test_a_passing_failure_costs_one_unit_only(tmp_path: Path) -> None:
    with StubServer(["500"]) as server:
        summary = extractor(server).extract_to(UNITS, tmp_path)
    assert [x.status for x in summary.lines] == ["failed", "done", "done", "done"]
    assert summary.stopped is None and summary.exit_code == 1
    assert "HTTP 500" in str(summary.lines[0].problem)


def test_a_budget_stops_the_run_and_a_higher_one_resumes_it(tmp_path: Path) -> None:
    with StubServer() as server:
        extractor(server).extract_to(UNITS[:1], tmp_path / "size")
        each = len(server.log)
        server.log.clear()
        first = extractor(server, f"lm.max_calls={2 * each + 3}").extract_to(UNITS, tmp_path, resume=True)
        assert [x.status for x in first.lines] == ["done", "done", "not done", "not done"]
        assert isinstance(first.stopped, BudgetError) and first.exit_code == 1
        assert len(server.log) == 2 * each + 3
        assert sum(x.lm_calls for x in first.lines) == 2 * each + 3, "what the unit that was not finished took counts too"
        second = extractor(server, "lm.max_calls=100000").extract_to(UNITS, tmp_path, resume=True)
    assert [x.status for x in second.lines] == ["kept", "kept", "done", "done"]
    assert second.stopped is None and second.exit_code == 0
    spent = paid(server)
    assert spent["0"] == spent["1"] == spent["3"] < spent["2"]


def test_results_are_written_when_they_are_ready(tmp_path: Path) -> None:
    """A slow first unit holds nothing back: what is paid for is on disk."""
    def slow_first(system: str, question: str) -> str:
        if "of line 0 " in question:
            time.sleep(0.15)
        return solve(system, question)

    order = []
    with StubServer(default=slow_first) as server:
        extractor(server, "runner.workers=2").extract_to(UNITS, tmp_path, progress=lambda line: order.append(line.unit))
    assert order[0] != UNITS[0].key and sorted(order) == [u.key for u in UNITS]


def test_text_that_no_model_can_be_sent_costs_its_unit_only(tmp_path: Path) -> None:
    odd = Unit("X-9/SC", "Ore washing", "water", "SC", "doc-1", "0" * 64, "html", (Block(0, "p", 0, None, "1. \ud800"),))
    with StubServer() as server:
        summary = extractor(server).extract_to([odd, UNITS[0]], tmp_path)
    assert [x.status for x in summary.lines] == ["failed", "done"]
    assert "block 0" in str(summary.lines[0].problem)


# The command line.


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A folder with six fragments."""
    folder = tmp_path / "fragments"
    folder.mkdir()
    for n in range(6):
        text = f"<p>1. Water losses of line {n} are below 5 %.</p><p>2. A monitoring plan is in place.</p>"
        (folder / f"wash{n}.html").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def regreact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs a command in this process, in an empty folder, with a key in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REGREACT_API_KEY", KEY)

    def run(*arguments: str | Path) -> Ran:
        monkeypatch.setattr(sys, "argv", ["regreact", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return Ran(int(ended.value.code or 0), out, err)

    return run


def sets(server: StubServer, *more: str) -> list[str]:
    return [x for o in overrides(server, *more) for x in ("--set", o)]


@pytest.mark.parametrize(
    ("kind", "more", "code", "word"),
    [
        ("401", (), 2, "REGREACT_API_KEY"),
        ("404", (), 2, "lm.model"),
        ("429 quota", (), 1, "top up"),
        ("solve", ("lm.max_calls=1",), 1, "lm.max_calls=1"),
    ],
)
def test_a_stop_is_said_once(
    kind: str, more: tuple[str, ...], code: int, word: str, source: Path, regreact: Callable[..., Ran]
) -> None:
    with StubServer(default=kind) as server:
        result = regreact("extract", source, *sets(server, *more))
    assert result.code == code
    lines = result.err.splitlines()
    assert lines[0].startswith("not done: 6 units")
    assert len(lines) == 2 and lines[1].startswith("regreact: ") and word in lines[1]


def test_a_dry_run_says_what_to_expect_and_asks_nobody(source: Path, tmp_path: Path, regreact: Callable[..., Ran]) -> None:
    with StubServer() as server:
        chosen = sets(server, "lm.input_price=1", "lm.output_price=10", "odr=on")
        chosen += ["-u", "wash0/SC", "-u", "wash1/SC"]
        dry = regreact("extract", source, "--dry-run", *chosen)
        assert server.log == [] and not (tmp_path / "out").exists()
        real = regreact("extract", source, "--json", *chosen)
        rest = regreact("extract", source, "--dry-run", *chosen)
    assert dry.code == real.code == 0, dry.err + real.err
    *rows, last = dry.out.splitlines()
    spent = [json.loads(line) for line in real.out.splitlines()]
    for row, line in zip(rows, spent, strict=True):
        calls, prompt = (int(cell.split()[0]) for cell in row.split("\t")[4:6])
        assert calls == line["lm_calls"]
        assert prompt == pytest.approx(line["prompt_tokens"], rel=0.05)
        assert row.endswith(" USD")
    assert last.startswith(f"estimate: {len(server.log)} calls")
    assert rest.out.count("unchanged") == 2 and "estimate: 0 calls" in rest.out


def test_a_dry_run_with_an_unknown_price_and_a_limit_says_so(source: Path, regreact: Callable[..., Ran]) -> None:
    with StubServer() as server:
        result = regreact("extract", source, "--dry-run", "-u", "wash0/SC", *sets(server, "lm.max_calls=1"))
    assert "price unknown" in result.out
    assert "the price of hosted_vllm/stub is unknown" in result.out and "more than lm.max_calls=1" in result.out


def test_a_dry_run_needs_no_key(source: Path, regreact: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    result = regreact("extract", source, "-u", "wash0/SC", "--dry-run", "--set", "lm=gpt4o", "--set", "fastpath=off")
    assert result.code == 0 and "US dollars" in result.out


# The key.


def everything(folder: Path) -> str:
    """All bytes of all files below a folder, as text."""
    return "\n".join(p.read_bytes().decode("latin-1") for p in folder.rglob("*") if p.is_file())


@pytest.mark.parametrize("kind", ["400", "401", "500"])
def test_the_command_writes_the_key_nowhere(
    kind: str, source: Path, tmp_path: Path, regreact: Callable[..., Ran]
) -> None:
    with StubServer(default=kind) as server:
        result = regreact("extract", source, "--json", *sets(server))
    written = everything(tmp_path) + result.out + result.err
    assert all(KEY in e.authorization for e in server.log) and server.log
    assert KEY not in written and "[key]" in written


def process(*arguments: str | Path, cwd: Path, module: str = "regreact") -> tuple[list[str], dict[str, Any]]:
    """Return command line and options that start a module of the package in a folder, with a key."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "REGREACT_API_KEY": KEY, "DSPY_CACHEDIR": str(cwd / "cache")}
    return [sys.executable, "-m", module, *map(str, arguments)], {"cwd": cwd, "env": env}


@pytest.mark.parametrize("kind", ["500", pytest.param("401", marks=pytest.mark.slow)])
def test_an_experiment_writes_the_key_nowhere(kind: str, tmp_path: Path) -> None:
    """Not to MLflow's database and artifacts or DSPy's cache, even if the server repeats it."""
    with StubServer([kind]) as server:
        chosen = overrides(server, "data.units=[CCM-21.1/SC,CCM-21.2/SC]")
        chosen[chosen.index("lm.cache=false")] = "lm.cache=true"
        line, options = process(*chosen, cwd=tmp_path, module="regreact.experiment")
        result = subprocess.run(line, capture_output=True, text=True, check=False, timeout=120, **options)
    assert result.returncode == {"500": 1, "401": 2}[kind], result.stderr
    assert all(KEY in e.authorization for e in server.log) and server.log
    written = everything(tmp_path)
    assert (tmp_path / "mlflow.db").is_file() and "REGREACT_API_KEY" in written and "[key]" in written
    assert "manifest.jsonl" in [p.name for p in (tmp_path / "mlartifacts").rglob("*")]
    assert KEY not in written + result.stdout + result.stderr


# Interruption.


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.slow), 3])
def test_a_killed_run_pays_for_no_finished_unit_again(
    workers: int, source: Path, tmp_path: Path, regreact: Callable[..., Ran]
) -> None:
    manifest = tmp_path / "out/manifest.jsonl"
    with StubServer(wait_s=0.02) as server:
        chosen = ["extract", source, "--resume", *sets(server, f"runner.workers={workers}")]
        line, options = process(*chosen, cwd=tmp_path)
        running = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (manifest.is_file() and manifest.read_bytes().count(b"\n") >= 2):
            time.sleep(0.01)
        os.kill(running.pid, signal.SIGKILL)
        assert running.wait() == -signal.SIGKILL
        finished = {line.unit[4] for line in read_manifest(tmp_path / "out").values()}
        assert 2 <= len(finished) < 6
        before = paid(server)
        again = regreact(*chosen)
    assert again.code == 0, again.err
    assert f"{6 - len(finished)} extracted, {len(finished)} unchanged" in again.out
    after = paid(server)
    assert all(after[n] == before[n] for n in finished)
    assert all(after[n] > before[n] for n in set("012345") - finished)
    assert len(list((tmp_path / "out").rglob("*__SC.json"))) == 6


def test_an_interrupted_run_asks_nothing_more(tmp_path: Path) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with StubServer(wait_s=0.02) as server:
        with pytest.raises(KeyboardInterrupt):
            extractor(server, "runner.workers=2").extract_to([unit(n) for n in range(10)], tmp_path, progress=interrupt)
        asked = set(paid(server))
    assert len(asked) <= 4
    assert len(read_manifest(tmp_path)) == 1
