"""Jobs: a bounded queue of extractions, each in a process of its own that ends when its time is over."""

from __future__ import annotations

import base64
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import uuid4

from regreact.app.access import TOKEN_VARIABLE
from regreact.app.security import RefusalError

State = Literal["queued", "running", "done", "failed", "cancelled", "timed out"]
ENDED: tuple[State, ...] = ("done", "failed", "cancelled", "timed out")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one server takes on.

    Attributes:
        bytes: Size of an upload.
        seconds: Time of a direct extraction.
        job_seconds: Time of a job.
        units: Units of a direct extraction.
        workers: Extractions at the same time.
        waiting: Jobs that may wait.
        kept: Ended jobs that are kept; older ones are forgotten with their results.
        memory: Bytes of address space of one extraction's process, 0 for no limit.
    """

    bytes: int = 20_000_000
    seconds: float = 60.0
    job_seconds: float = 3600.0
    units: int = 20
    workers: int = 2
    waiting: int = 16
    kept: int = 16
    memory: int = 4_000_000_000


@dataclass
class Job:
    """One extraction that somebody asked for."""

    name: str
    data: bytes
    units: tuple[str, ...]
    seconds: float
    most_units: int | None = None
    id: str = field(default_factory=lambda: uuid4().hex)
    state: State = "queued"
    status: int = 200
    detail: str = ""
    document: str | None = None
    total: int | None = None
    created: float = field(default_factory=time.time)
    started: float | None = None
    ended: float | None = None
    extractions: list[dict[str, Any]] = field(default_factory=list)
    failures: list[dict[str, str]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def eta_s(self) -> float | None:
        """Seconds that are left at the rate so far, None if unknown."""
        done = len(self.extractions) + len(self.failures)
        if self.state != "running" or not done or self.total is None or self.started is None:
            return None
        return round((time.time() - self.started) / done * max(0, self.total - done), 1)

    def take(self, told: dict[str, Any]) -> None:
        """Note what the worker tells."""
        kind = told["kind"]
        if kind == "begin":
            self.document, self.total = told["document"], told["total"]
        elif kind == "unit":
            self.extractions.append(told["extraction"])
        elif kind == "failed":
            self.failures.append({"unit": told["unit"], "detail": told["detail"]})
        elif kind == "refused":
            self.state, self.status, self.detail = "failed", told["status"], told["detail"]

    def end(self, state: State, status: int = 200, detail: str = "") -> None:
        """Note how it ended; the first end counts."""
        if self.state not in ENDED:
            self.state, self.status, self.detail = state, status, detail
        self.ended = time.time()
        self.data = b""
        self.over.set()


class Worker:
    """A process that extracts, started when it is first needed.

    Args:
        settings: Overrides of the configuration.
        memory: Bytes of address space that it may have, 0 for no limit.
    """

    def __init__(self, settings: Sequence[str], memory: int = 0) -> None:
        self._settings = list(settings)
        self._memory = memory
        self._process: subprocess.Popen[str] | None = None
        self._told: queue.Queue[dict[str, Any] | None] = queue.Queue()

    def run(self, job: Job) -> None:
        """Run a job to its end; the process survives it only if all went well."""
        deadline = time.monotonic() + job.seconds
        try:
            self._start()
            request = {"name": job.name, "units": job.units, "most_units": job.most_units}
            self._send({**request, "data": base64.b64encode(job.data).decode()})
            for told in self._answers(job, deadline):
                job.take(told)
        except OSError as error:
            self.close()
            job.end("failed", 500, f"the extraction process cannot be used: {error.strerror or error}")
        job.end("done")

    def _start(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        command = [sys.executable, "-m", "regreact.app.api.worker"]
        # A session of its own: Ctrl-C reaches the server alone, which ends it in order.
        # What reads strangers' documents does not know the server's token.
        environment = {name: value for name, value in os.environ.items() if name != TOKEN_VARIABLE}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True,
            env=environment,
        )  # fmt: skip
        self._told = queue.Queue()
        threading.Thread(target=_listen, args=(self._process, self._told), daemon=True).start()
        self._send({"settings": self._settings, "memory": self._memory})

    def _send(self, told: dict[str, Any]) -> None:
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(json.dumps(told) + "\n")
        self._process.stdin.flush()

    def _answers(self, job: Job, deadline: float) -> Iterator[dict[str, Any]]:
        while True:
            if job.stop.is_set():
                self.close()
                job.end("cancelled", 409, "cancelled")
                return
            left = deadline - time.monotonic()
            if left <= 0:
                self.close()
                job.end("timed out", 504, f"not done within {job.seconds:g} seconds; what is done is kept")
                return
            try:
                told = self._told.get(timeout=min(left, 0.1))
            except queue.Empty:
                continue
            if told is None:
                self.close()
                job.end("failed", 500, "the extraction process ended without an answer")
                return
            if told["kind"] == "end":
                if told.get("spent"):
                    self.close()
                return
            yield told

    def close(self) -> None:
        """End the process at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    try:
                        stream.close()
                    except OSError:
                        pass
            self._process = None


def _listen(process: subprocess.Popen[str], told: queue.Queue[dict[str, Any] | None]) -> None:
    assert process.stdout is not None
    try:
        for line in process.stdout:
            told.put(json.loads(line))
    except ValueError:
        # Closed while it was read, or a line that was cut off when the process was ended.
        pass
    told.put(None)


class Jobs:
    """The jobs of a server.

    Args:
        settings: Overrides of the configuration, fixed when the server starts.
        limits: What it takes on.
    """

    def __init__(self, settings: Sequence[str] = (), limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._waiting: queue.Queue[Job | None] = queue.Queue(self.limits.waiting)
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._workers = [Worker(settings, self.limits.memory) for _ in range(self.limits.workers)]
        self._threads: list[threading.Thread] = []

    def submit(self, job: Job) -> Job:
        """Queue a job.

        Raises:
            RefusalError: Too many are waiting (503).
        """
        with self._lock:
            if not self._threads:
                self._threads = [threading.Thread(target=self._work, args=(w,), daemon=True) for w in self._workers]
                for thread in self._threads:
                    thread.start()
            try:
                self._waiting.put_nowait(job)
            except queue.Full:
                raise RefusalError(503, f"{self.limits.waiting} jobs are waiting already: try again later") from None
            self._jobs[job.id] = job
            ended = [i for i, j in self._jobs.items() if j.over.is_set()]
            for i in ended[: max(0, len(ended) - self.limits.kept)]:
                del self._jobs[i]
        return job

    def get(self, identifier: str) -> Job:
        """Return a job.

        Raises:
            RefusalError: There is none, or it is forgotten (404).
        """
        job = self._jobs.get(identifier)
        if job is None:
            raise RefusalError(404, "no such job; ended jobs are kept for a while only")
        return job

    def cancel(self, identifier: str) -> Job:
        """Stop a job that waits or runs; what it has extracted is kept."""
        job = self.get(identifier)
        job.stop.set()
        if job.state == "queued":
            job.end("cancelled", 409, "cancelled")
        return job

    def close(self) -> None:
        """Stop everything."""
        for job in list(self._jobs.values()):
            job.stop.set()
        for _ in self._threads:
            try:
                self._waiting.put(None, timeout=1)
            except queue.Full:
                break
        for thread in self._threads:
            thread.join(timeout=2)
        for worker in self._workers:
            worker.close()

    def _work(self, worker: Worker) -> None:
        while (job := self._waiting.get()) is not None:
            if job.stop.is_set():
                job.end("cancelled", 409, "cancelled")
                continue
            job.state, job.started = "running", time.time()
            try:
                worker.run(job)
            except Exception as error:
                worker.close()
                job.end("failed", 500, f"internal error: {type(error).__name__}")
