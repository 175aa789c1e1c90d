"""(b) Makespan over ideal with a model that answers after 50 ms and 500 ms, at concurrency 1, 8 and 32.

How to run me:  python -m experiments.bench.bench_b_makespan [--quick]
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from experiments.bench.common import ACTS, ROOT, SAMPLES, data_folder, main, prose, told
from experiments.bench.stub_model import record
from regreact import config, corpus
from regreact.runner import Extractor
from regreact.sources.model import Unit

TITLE = "Makespan over ideal with a model"
AIM = 1.15
UNITS = 360
# Seconds that a cell should take at its ideal, if there are sections enough: long against one section alone, which all
# that happens at the beginning and the end is a part of, short enough to sit through.
SECONDS = {50.0: 20.0, 500.0: 40.0}
CONCURRENCY = (1, 8, 32)


@dataclass(frozen=True, slots=True)
class Cell:
    """What one run took. Times in seconds, from the first request to the last reply.

    Attributes:
        latency_ms: Time that each reply takes.
        concurrency: `lm.concurrency`.
        calls: Requests that the server counted.
        peak: Most requests under way at a time.
        makespan: From the arrival of the first request to the last reply.
        path: Longest chain of requests of one section that wait for each other, at this latency.
        cpu: Of all processes: run, workers with their start, and server.
    """

    latency_ms: float
    concurrency: int
    calls: int
    peak: int
    makespan: float
    path: float
    cpu: float

    @property
    def ideal(self) -> float:
        """The larger of requests x latency / concurrency and the longest chain."""
        return max(self.calls * self.latency_ms / 1000 / self.concurrency, self.path)

    @property
    def ratio(self) -> float:
        """Makespan over ideal."""
        return self.makespan / self.ideal


class Server:
    """The replaying server, in a process of its own.

    Args:
        replies: File of recorded replies.
    """

    def __init__(self, replies: Path) -> None:
        command = [sys.executable, "experiments/bench/stub_model.py", "--replies", str(replies), "--port", "0"]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()

    def stats(self) -> dict[str, Any]:
        """Return the server's counts since `reset`."""
        found: dict[str, Any] = httpx.get(self.url.removesuffix("/v1") + "/stats").json()
        return found

    def reset(self, latency_ms: float) -> None:
        """Set counts back and the time that each reply takes."""
        httpx.post(self.url.removesuffix("/v1") + "/reset", content=json.dumps({"latency_ms": latency_ms}))


@contextmanager
def serving(replies: Path) -> Iterator[Server]:
    """Serve recorded replies."""
    server = Server(replies)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.wait()


def runner(concurrency: int) -> list[str]:
    """Return the settings of a run: enough sections under way that the model is always asked as much as it may be."""
    if concurrency == 1:
        return ["runner=threads", "runner.workers=2"]
    return ["runner=processes", "runner.workers=2", f"runner.per_worker={concurrency}"]


def measure(server: Server, units: Sequence[Unit], latency_ms: float, concurrency: int, path: int) -> Cell:
    """Extract units and return what that took."""
    settings = [
        "lm=compatible",
        f"lm.api_base={server.url}",
        "lm.model=hosted_vllm/stub",
        "lm.cache=false",
        "lm.retries=0",
        "fastpath=off",
        f"lm.concurrency={concurrency}",
        *runner(concurrency),
    ]
    server.reset(latency_ms)
    before = cpu_s() + server.stats()["cpu_s"]
    with tempfile.TemporaryDirectory() as folder:
        summary = Extractor(config.load(settings)).extract_to(units, Path(folder))
    if summary.exit_code:
        raise RuntimeError(f"not all sections were extracted: {[x.problem for x in summary.failed][:3]}")
    found = server.stats()
    return Cell(
        latency_ms,
        concurrency,
        found["requests"],
        found["peak_concurrency"],
        found["last_at"] - found["first_at"],
        path * latency_ms / 1000,
        cpu_s() + found["cpu_s"] - before,
    )


def cpu_s() -> float:
    """Return the CPU seconds of this process and of those that it has waited for."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(u.ru_utime + u.ru_stime for u in used)


def chain(server: Server, unit: Unit) -> int:
    """Return how many requests of a section wait for each other: its time alone over the time of a reply."""
    latency_ms = 200.0
    return round(measure(server, [unit], latency_ms, 64, 0).makespan / (latency_ms / 1000))


def calls_of(server: Server, units: Sequence[Unit]) -> float:
    """Return requests a section."""
    return measure(server, units, 1.0, 8, 0).calls / len(units)


def lines(quick: bool) -> Iterator[str]:
    """Yield the section."""
    source = SAMPLES / "formex" if quick else data_folder() / "taxonomy" / ACTS[0]
    count = 4 if quick else UNITS
    units = corpus.select(corpus.load(str(source)).documents).units[:count]
    with tempfile.TemporaryDirectory() as folder:
        replies = Path(folder) / "replies.jsonl"
        record(replies, str(source), [], count)
        told("recorded")
        with serving(replies) as server:
            each = calls_of(server, units)
            longest = max(units, key=lambda u: len(u.blocks))
            path = chain(server, longest)
            cells = []
            for latency_ms in (5.0,) if quick else SECONDS:
                for concurrency in CONCURRENCY[:2] if quick else CONCURRENCY:
                    calls = 1000 * SECONDS.get(latency_ms, 0.1) * concurrency / latency_ms
                    chosen = units[: max(1, round(calls / each))]
                    cells.append(measure(server, chosen, latency_ms, concurrency, path))
                    told(f"{latency_ms:g} ms, {concurrency}: {cells[-1].ratio:.2f}")
    yield from table(cells, each, path)


def table(cells: Sequence[Cell], each: float, path: int) -> Iterator[str]:
    """Yield method, table and verdict."""
    cores = os.cpu_count() or 1
    yield from prose(
        f"Sections of {ACTS[0]} in the order of the act, `fastpath=off`, with self-correction, {each:.1f} requests "
        "a section. The model is a server on the same machine that replays recorded replies after a fixed time and "
        "tells requests, peak and times. Makespan: first request to last reply. Ideal: requests x latency / "
        f"concurrency, or the longest chain of requests in one section that wait for each other ({path}), whichever is "
        "larger. Concurrency 1 runs in threads, the others in two processes (`runner=processes`), which share one gate "
        "(`lm.concurrency`)."
    )
    yield ""
    yield "| latency | concurrency | requests | most under way | makespan | ideal | ratio | CPU a request | there is |"
    yield "|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for c in cells:
        yield (
            f"| {c.latency_ms:g} ms | {c.concurrency} | {c.calls:,} | {c.peak} | {c.makespan:.2f} s | {c.ideal:.2f} s "
            f"| **{c.ratio:.2f}** | {1000 * c.cpu / c.calls:.1f} ms | {cores * c.latency_ms / c.concurrency:.1f} ms |"
        )
    yield ""
    missed = [c for c in cells if c.concurrency > 1 and c.ratio > AIM]
    verdict = "met in all of them." if not missed else (
        "missed at " + ", ".join(f"{c.latency_ms:g} ms and {c.concurrency}" for c in missed) + "."
    )
    yield from prose(
        f"Aim: at most {AIM} at concurrency 8 and 32; {verdict} CPU a request: of all processes, the start of the "
        f"workers and the server included. There is: what {cores} cores have for each request at the ideal pace; where "
        "that is less, the cores are the bound and not the model, and more of them help."
    )



if __name__ == "__main__":
    main(lines)
