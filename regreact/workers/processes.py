"""Units in processes of this machine: every core is used, and a process that is lost costs no other unit.

Each process is `regreact.workers.serve`, which talks JSON over pipes. Requests to a model pass the gate of this
process, so that limits and budget hold for all of them together.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import regreact
from regreact.errors import LMStopError, WorkerLostError
from regreact.gate import Gate
from regreact.sources.model import Unit
from regreact.workers.channel import Channel, Message, told
from regreact.workers.job import Job
from regreact.workers.results import Result, revived, unit_to_json

# Seconds between looks at what has run out of time.
_LOOK_S = 0.2
# Seconds within which a process must have loaded the program.
_START_S = 180.0


@dataclass
class _Task:
    """A unit to extract; one whose process was lost is tried again alone, so that it takes no other along."""

    number: int
    unit: Unit
    lost: int = 0
    begun: float = 0.0


@dataclass
class _Worker:
    """One process with the units that it has."""

    process: subprocess.Popen[bytes]
    channel: Channel
    answers: BinaryIO
    # What waits to be sent: a process that does not read must not hold up the others.
    outbox: queue.Queue[Message | None] = field(default_factory=queue.Queue)
    started: float = field(default_factory=time.monotonic)
    ready: bool = False
    tasks: dict[int, _Task] = field(default_factory=dict)
    late: bool = False

    @property
    def holder(self) -> str:
        return str(self.process.pid)

    def send(self) -> None:
        """Send what is put into the outbox, until None; runs in a thread of its own."""
        # A process that is gone is met by the thread that reads from it.
        with suppress(OSError, ValueError):
            while (message := self.outbox.get()) is not None:
                self.channel.send(message)

    def close(self) -> None:
        """Close the pipes to a process that has ended."""
        self.outbox.put(None)
        self.channel.close()
        with suppress(OSError):
            self.answers.close()

    def room(self, task: _Task, most: int) -> bool:
        """True if the process can take a task now."""
        if not self.ready or any(t.lost for t in self.tasks.values()):
            return False
        return not self.tasks if task.lost else len(self.tasks) < most


class Processes:
    """A pool of worker processes for one run.

    Args:
        job: What every worker is told.
        gate: Gate of the run; None if no model is asked.
    """

    def __init__(self, job: Job, gate: Gate | None) -> None:
        self._told = {"job": job.to_json()}
        self._settings = job.settings.runner
        self._gate = gate
        self._events: queue.Queue[tuple[_Worker, Message | None]] = queue.Queue()
        self._workers: list[_Worker] = []
        self._lost_starts = 0

    def run(self, units: Sequence[Unit]) -> Iterator[Result]:
        """Yield what becomes of each unit, as it is ready.

        Raises:
            RegReActError: The workers cannot be started.
        """
        todo = deque(_Task(n, unit) for n, unit in enumerate(units))
        left = len(todo)
        stopped: LMStopError | None = None
        try:
            for _ in range(min(self._settings.workers, left)):
                self._start()
            while left:
                if stopped is not None and todo:
                    results = [Result(task.unit, stopped) for task in todo]
                    todo.clear()
                else:
                    results = self._next(todo)
                # Before anything else is done with the results, so that no worker waits for that.
                self._hand_out(todo)
                left -= len(results)
                for result in results:
                    if stopped is None and isinstance(result.outcome, LMStopError):
                        stopped = result.outcome
                    yield result
        finally:
            self.close()

    def _hand_out(self, todo: deque[_Task]) -> None:
        # One more than is at work, so that a worker need not wait for the next; not where the time of each counts.
        most = self._settings.per_worker + (self._settings.unit_timeout_s is None)
        while todo:
            free = [w for w in self._workers if w.room(todo[0], most)]
            if not free:
                return
            worker, task = min(free, key=lambda w: len(w.tasks)), todo.popleft()
            task.begun = time.monotonic()
            worker.tasks[task.number] = task
            worker.outbox.put({"number": task.number, "unit": unit_to_json(task.unit)})

    def _next(self, todo: deque[_Task]) -> list[Result]:
        """Wait for something to happen and return the results that it brings."""
        self._end_late()
        try:
            worker, message = self._events.get(timeout=_LOOK_S)
        except queue.Empty:
            return []
        if message is None:
            return list(self._lost(worker, todo))
        if "refused" in message:
            raise revived(message["refused"])
        if "ready" in message:
            worker.ready = True
            return []
        task = worker.tasks.pop(message["result"])
        return [Result.from_json(task.unit, message["outcome"])]

    def _end_late(self) -> None:
        """End the processes that do not get started, and those with a unit whose time is over."""
        now, limit = time.monotonic(), self._settings.unit_timeout_s
        for worker in self._workers:
            if not worker.ready and now - worker.started > _START_S:
                worker.process.kill()
            if limit is not None and not worker.late and any(now - t.begun > limit for t in worker.tasks.values()):
                worker.late = True
                worker.process.kill()

    def _lost(self, worker: _Worker, todo: deque[_Task]) -> Iterator[Result]:
        """Put the units of a process that ended back in the queue, give up on one that took it down too often."""
        code = worker.process.wait()
        self._workers.remove(worker)
        worker.close()
        if self._gate is not None:
            self._gate.release(worker.holder)
        if not worker.ready:
            self._lost_starts += 1
            if self._lost_starts > self._settings.retries:
                raise WorkerLostError(f"a worker process ended while it started ({_ending(code)})")
        limit = self._settings.unit_timeout_s
        for task in sorted(worker.tasks.values(), key=lambda t: t.number, reverse=True):
            late = worker.late and limit is not None and time.monotonic() - task.begun > limit
            task.lost += 1
            if late:
                problem = f"not done within runner.unit_timeout_s={limit:g} seconds: raise it or split the unit"
                yield Result(task.unit, WorkerLostError(problem), time.monotonic() - task.begun)
            elif task.lost > self._settings.retries:
                problem = f"the process that worked on it was lost, tries: {task.lost} (last {_ending(code)})"
                yield Result(task.unit, WorkerLostError(problem), time.monotonic() - task.begun)
            else:
                todo.appendleft(task)
        if todo:
            self._start()

    def _start(self) -> None:
        """Start a process and the threads that speak with it.

        Raises:
            WorkerLostError: The system cannot start it.
        """
        root = str(Path(regreact.__file__).parent.parent)
        path = os.pathsep.join(p for p in (root, os.environ.get("PYTHONPATH", "")) if p)
        theirs, ours = os.pipe()
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "regreact.workers.serve", str(theirs)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=[theirs],
                env={**os.environ, "PYTHONPATH": path},
            )
        except OSError as error:
            os.close(ours)
            raise WorkerLostError(f"no worker process can be started: {error.strerror or error}") from error
        finally:
            os.close(theirs)
        assert process.stdin is not None and process.stdout is not None
        answers = os.fdopen(ours, "wb", buffering=0)
        worker = _Worker(process, Channel(process.stdout, process.stdin), answers)
        self._workers.append(worker)
        worker.outbox.put(self._told)
        threading.Thread(target=worker.send, daemon=True).start()
        threading.Thread(target=self._listen, args=(worker,), daemon=True).start()

    def _listen(self, worker: _Worker) -> None:
        """Pass on what a worker says; requests for entry wait in a thread of their own."""
        entries: queue.Queue[int | None] = queue.Queue()
        if self._gate is not None:
            threading.Thread(target=self._admit, args=(worker, self._gate, entries), daemon=True).start()
        for message in worker.channel:
            if "enter" in message:
                entries.put(message["enter"])
            elif self._gate is None or not _at_gate(self._gate, worker, message):
                self._events.put((worker, message))
        entries.put(None)
        self._events.put((worker, None))

    @staticmethod
    def _admit(worker: _Worker, gate: Gate, entries: queue.Queue[int | None]) -> None:
        while (tokens := entries.get()) is not None:
            answer: Message = {"entered": True}
            try:
                gate.enter(tokens, worker.holder)
            except LMStopError as error:
                answer = told(error)
            try:
                worker.answers.write(json.dumps(answer).encode() + b"\n")
            except (OSError, ValueError):
                # The process ended while its request waited.
                gate.release(worker.holder)

    def close(self) -> None:
        """End all processes at once."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.wait()
            worker.close()
        self._workers.clear()


def _at_gate(gate: Gate, worker: _Worker, message: Message) -> bool:
    """Tell the gate what a worker has to say to it; False if the message is none for the gate."""
    if "leave" in message:
        tokens, prompt, completion = message["leave"]
        gate.leave(tokens, prompt, completion, worker.holder)
    elif "hold" in message:
        gate.hold(message["hold"])
    elif "stop" in message:
        error: Any = revived(message["stop"])
        gate.stop(error)
    else:
        return False
    return True


def _ending(code: int) -> str:
    """Return how a process ended."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
