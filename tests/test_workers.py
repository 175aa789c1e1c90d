"""Threads, processes and Ray tasks: the same bytes, one limit for all requests, and nothing lost with a process."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from regreact import corpus
from regreact.config import load
from regreact.errors import ConfigError, LMAccessError, WorkerLostError
from regreact.manifest import Summary, read_manifest
from regreact.runner import Extractor
from regreact.schema import Extraction
from regreact.sources.model import Block, Unit
from tests.stub_openai import StubServer, solve

ELSEWHERE = ["processes", pytest.param("ray", marks=pytest.mark.ray)]


def unit(number: int, *more: str) -> Unit:
    texts = (f"1. Water losses of line {number} are below 5 %.", "2. A monitoring plan is in place.", *more)
    blocks = tuple(Block(i, "p", 0, None, t) for i, t in enumerate(texts))
    return Unit(f"X-1.{number}/SC", "Ore washing", "water", "SC", "doc-1", "0" * 64, "html", blocks)


UNITS = [unit(n) for n in range(6)]


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    """A Ray cluster of two machines, both this one."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster  # noqa: PLC0415

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    made.add_node(num_cpus=1)
    ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture
def on(request: pytest.FixtureRequest) -> Callable[..., Extractor]:
    """Makes an extractor on a runner of two workers."""

    def make(runner: str, *more: str, **options: object) -> Extractor:
        where = [f"runner.address={request.getfixturevalue('cluster').address}"] if runner == "ray" else []
        return Extractor(load([f"runner={runner}", *where, *more]), **options)  # type: ignore[arg-type]

    return make


def model(server: StubServer, *more: str) -> list[str]:
    return ["lm=compatible", f"lm.api_base={server.url}", "lm.model=hosted_vllm/stub", "lm.cache=false", "lm.retries=0",
            "fastpath=off", "odr=off", *more]  # fmt: skip


def files(out: Path) -> dict[str, bytes]:
    return {str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*__*.json")}


def workers() -> list[int]:
    """Ids of the worker processes of this one."""
    own = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status, line = (folder / "status").read_text(), (folder / "cmdline").read_bytes()
        except OSError:
            continue
        parent = re.search(r"^PPid:\s*(\d+)", status, re.MULTILINE)
        if b"regreact.workers.serve" in line and parent and int(parent[1]) == os.getpid():
            own.append(int(folder.name))
    return own


@pytest.mark.parametrize("runner", ELSEWHERE)
def test_the_same_bytes_wherever_units_run(runner: str, on: Callable[..., Extractor], tmp_path: Path) -> None:
    units = [u for d in corpus.load("samples").documents for u in d.units][:12]
    faulty = ["lm=simulated", "fastpath=off", "lm.faults.rate=0.2", "lm.cache=false"]
    for name, more in (("plain", []), ("faulty", faulty)):
        Extractor(load(more)).extract_to(units, tmp_path / name / "one")
        summary = on(runner, "runner.per_worker=2", *more).extract_to(units, tmp_path / name / "many")
        assert summary.exit_code == 0
        assert files(tmp_path / name / "one") == files(tmp_path / name / "many")
        assert [x.unit for x in summary.lines] == [u.key for u in units]
        one, many = (read_manifest(tmp_path / name / w).values() for w in ("one", "many"))
        assert [(x.unit, x.lm_calls, x.tokens) for x in one] == [(x.unit, x.lm_calls, x.tokens) for x in many]
    assert files(tmp_path / "plain/one") != files(tmp_path / "faulty/one")


def test_results_come_in_order_however_long_each_takes() -> None:
    def wait(_: str, question: str) -> str:
        time.sleep(0.3 if "of line 0 " in question else 0)
        return solve(_, question)

    with StubServer(default=wait) as server:
        found = list(Extractor(load(model(server, "runner.workers=4"))).stream(UNITS))
    assert [u.key for u, _, _ in found] == [u.key for u in UNITS]


@pytest.mark.parametrize("runner", ["threads", *ELSEWHERE])
def test_one_limit_for_the_requests_of_all_workers(runner: str, on: Callable[..., Extractor], tmp_path: Path) -> None:
    lock, inside, peak = threading.Lock(), 0, 0

    def count(system: str, question: str) -> str:
        nonlocal inside, peak
        with lock:
            inside += 1
            peak = max(peak, inside)
        time.sleep(0.03)
        with lock:
            inside -= 1
        return solve(system, question)

    crowd = ["runner.workers=6"] if runner == "threads" else ["runner.workers=2", "runner.per_worker=3"]
    with StubServer(default=count) as server:
        summary = on(runner, *model(server, "lm.concurrency=2", *crowd)).extract_to(UNITS, tmp_path)
    assert summary.exit_code == 0
    assert peak == 2


@pytest.mark.parametrize("runner", ELSEWHERE)
def test_one_budget_for_all_workers(runner: str, on: Callable[..., Extractor], tmp_path: Path) -> None:
    with StubServer() as server:
        summary = on(runner, *model(server, "lm.max_calls=20")).extract_to(UNITS, tmp_path)
    assert len(server.log) == 20
    assert summary.stopped is not None and "lm.max_calls=20" in str(summary.stopped)
    assert {x.status for x in summary.lines} == {"done", "not done"}


@pytest.mark.parametrize("runner", ELSEWHERE)
def test_a_refused_key_stops_all_workers(runner: str, on: Callable[..., Extractor], tmp_path: Path) -> None:
    with StubServer(default="401") as server:
        summary = on(runner, *model(server)).extract_to([unit(n) for n in range(20)], tmp_path)
    assert isinstance(summary.stopped, LMAccessError) and summary.exit_code == 2
    assert {x.status for x in summary.lines} == {"not done"}
    # Three stages of each of two units may have asked at the same moment.
    assert len(server.log) <= 6


def killing(at: str, pids: Callable[[], list[int]], times: int = 99) -> Callable[[str, str], str]:
    """Return a model that kills the workers when it is asked about a line, so many times."""
    left = [times]
    lock = threading.Lock()

    def reply(system: str, question: str) -> str:
        with lock:
            if at in question and left[0]:
                left[0] -= 1
                for pid in pids():
                    os.kill(pid, signal.SIGKILL)
                time.sleep(0.1)
        return solve(system, question)

    return reply


def run_killing(make: Callable[..., Extractor], out: Path, times: int) -> Summary:
    with StubServer(default=killing("of line 3 ", workers, times)) as server:
        settings = model(server, "runner.workers=1", "runner.per_worker=3", "runner.retries=1")
        return make("processes", *settings).extract_to(UNITS, out)


def test_units_of_a_lost_process_are_tried_again(on: Callable[..., Extractor], tmp_path: Path) -> None:
    summary = run_killing(on, tmp_path / "killed", times=1)
    assert {x.status for x in summary.lines} == {"done"}
    Extractor(load()).extract_to(UNITS, tmp_path / "calm")
    assert files(tmp_path / "killed").keys() == files(tmp_path / "calm").keys()


@pytest.mark.slow
def test_a_unit_that_takes_its_process_down_costs_no_other(on: Callable[..., Extractor], tmp_path: Path) -> None:
    summary = run_killing(on, tmp_path, times=99)
    assert [(x.unit, x.status) for x in summary.lines if x.status != "done"] == [("X-1.3/SC", "failed")]
    (failed,) = summary.failed
    assert failed.problem is not None and "lost, tries: 2 (last signal SIGKILL)" in failed.problem
    assert summary.exit_code == 1 and not workers()


def broken_worker(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Let worker processes run some code before anything else."""
    (folder / "sitecustomize.py").write_text(f"import sys\nif 'regreact.workers.serve' in sys.orig_argv:\n    {body}\n")
    monkeypatch.setenv("PYTHONPATH", str(folder))


@pytest.mark.parametrize("error", ["MemoryError", pytest.param("SystemExit", marks=pytest.mark.slow)])
def test_an_error_beside_the_extraction_costs_its_unit_only(
    error: str, on: Callable[..., Extractor], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = (
        "from regreact.workers.results import Result; real = Result.to_json\n"
        f"    def broken(self):\n        if '1.3/' in self.unit.key: raise {error}\n        return real(self)\n"
        "    Result.to_json = broken"
    )
    broken_worker(tmp_path, monkeypatch, body)
    summary = on("processes", "runner.retries=1").extract_to(UNITS, tmp_path / "out")
    assert [(x.unit, x.status) for x in summary.lines if x.status != "done"] == [("X-1.3/SC", "failed")]
    assert "lost, tries: 2 (last exit code 1)" in str(summary.failed[0].problem)


@pytest.mark.slow
def test_a_worker_that_does_not_read_holds_nobody_up(
    on: Callable[..., Extractor], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = (
        "from regreact.workers import serve; real = serve.unit_from_json\n"
        "    import os, signal\n"
        "    def stop(text):\n        os.kill(os.getpid(), signal.SIGSTOP)\n        return real(text)\n"
        "    serve.unit_from_json = stop"
    )
    broken_worker(tmp_path, monkeypatch, body)
    big = [unit(n, *["Sand is washed by hand. " * 900] * 20) for n in range(4)]
    started = time.monotonic()
    settings = ["runner.unit_timeout_s=2", "runner.per_worker=2", "runner.retries=0"]
    summary = on("processes", *settings).extract_to(big, tmp_path / "out")
    assert time.monotonic() - started < 60
    assert {x.status for x in summary.lines} == {"failed"} and not workers()


def test_a_worker_that_cannot_be_started_is_told(
    on: Callable[..., Extractor], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for program, problem in (("/nowhere/python", "can be started"), ("/bin/false", "ended while it started")):
        monkeypatch.setattr(sys, "executable", program)
        with pytest.raises(WorkerLostError, match=problem):
            on("processes", "runner.retries=0").extract_to(UNITS, tmp_path)
    assert len(os.listdir("/proc/self/fd")) <= before


def test_a_text_that_is_none_is_written_as_one_that_can_be_read(on: Callable[..., Extractor], tmp_path: Path) -> None:
    odd = [unit(0, "3. Sand \ud800 is washed."), unit(1)]
    for runner in ("threads", "processes"):
        extractor = on(runner)
        assert extractor.extract_to(odd, tmp_path / runner).exit_code == 0
        assert [x.status for x in extractor.extract_to(odd, tmp_path / runner, resume=True).lines] == ["kept"] * 2
        (first, _) = [found for _, found, _ in extractor.stream(odd)]
        assert isinstance(first, Extraction)
        assert "Sand \ufffd is" in {c.verbatim_text[3:12] for c in first.criteria.walk()}
    assert files(tmp_path / "threads") == files(tmp_path / "processes")


def test_a_key_that_is_no_text_costs_its_unit_only(tmp_path: Path) -> None:
    odd = [replace(unit(0), key="X-\ud800/SC"), unit(1)]
    summary = Extractor(load()).extract_to(odd, tmp_path)
    assert [(x.unit, x.status) for x in summary.lines] == [("X-1.1/SC", "done"), ("X-\ud800/SC", "failed")]


def test_the_same_unit_twice_gives_two_results() -> None:
    found = [u.key for u, _, _ in Extractor(load()).stream([UNITS[0], UNITS[1], UNITS[0]])]
    assert found == [UNITS[0].key, UNITS[1].key, UNITS[0].key]


@pytest.mark.slow
def test_a_unit_whose_time_is_over_costs_no_other(on: Callable[..., Extractor], tmp_path: Path) -> None:
    def stall(system: str, question: str) -> str:
        if "of line 2 " in question:
            time.sleep(30)
        return solve(system, question)

    with StubServer(default=stall) as server:
        settings = model(server, "runner.unit_timeout_s=4", "runner.per_worker=2")
        started = time.monotonic()
        summary = on("processes", *settings).extract_to(UNITS, tmp_path)
    assert time.monotonic() - started < 28
    (failed,) = summary.failed
    assert failed.unit == "X-1.2/SC" and "runner.unit_timeout_s=4" in str(failed.problem)


@pytest.mark.slow
def test_too_little_memory_for_the_program_is_told(on: Callable[..., Extractor], tmp_path: Path) -> None:
    with pytest.raises((ConfigError, WorkerLostError), match=r"memory_mb=64 is too little|ended while it started"):
        on("processes", "runner.memory_mb=64", "runner.retries=0").extract_to(UNITS, tmp_path)


def test_an_interrupted_run_leaves_no_process(on: Callable[..., Extractor], tmp_path: Path) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        on("processes").extract_to(UNITS, tmp_path, progress=interrupt)
    assert not workers()


@pytest.mark.slow
def test_workers_end_with_a_killed_run(tmp_path: Path) -> None:
    with StubServer(wait_s=5) as server:
        chosen = [f"--set={s}" for s in model(server, "runner=processes")]
        command = [sys.executable, "-m", "regreact", "extract", "samples", "--out", str(tmp_path), *chosen]
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not server.log and time.monotonic() < deadline:
            time.sleep(0.05)
        held = _children(running.pid)
        assert held
        running.kill()
        running.wait()
        while any(_alive(pid) for pid in held) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(_alive(pid) for pid in held)


def _children(parent: int) -> list[int]:
    found = Path(f"/proc/{parent}/task").glob("*/children")
    return [int(pid) for file in found for pid in file.read_text().split()]


def _alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


@pytest.mark.ray
def test_units_of_a_lost_machine_are_tried_again(cluster: Any, tmp_path: Path) -> None:
    node = cluster.add_node(num_cpus=1)
    lost = []

    def lose(_: object) -> None:
        if not lost:
            lost.append(1)
            cluster.remove_node(node, allow_graceful=False)

    units = [unit(n) for n in range(40)]
    extractor = Extractor(load(["runner=ray", "runner.workers=3", f"runner.address={cluster.address}"]))
    summary = extractor.extract_to(units, tmp_path / "lost", progress=lose)
    assert lost and {x.status for x in summary.lines} == {"done"}
    Extractor(load()).extract_to(units, tmp_path / "calm")
    assert files(tmp_path / "lost") == files(tmp_path / "calm")


@pytest.mark.ray
def test_a_cluster_that_is_not_there_is_told(tmp_path: Path) -> None:
    code = "from regreact.cli import main; main()"
    chosen = ["--set=runner=ray", "--set=runner.address=127.0.0.1:1"]
    command = [sys.executable, "-c", code, "extract", "samples", "--out", str(tmp_path / "out"), *chosen]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 1
    assert "no Ray cluster at runner.address=127.0.0.1:1" in ended.stderr and "Traceback" not in ended.stderr
