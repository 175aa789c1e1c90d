"""What runs inside a Ray cluster: the task that extracts units, and the gate of the run as an actor."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

import ray

from regreact.config import LMSettings
from regreact.errors import LMStopError, RegReActError
from regreact.gate import Gate
from regreact.prices import Price
from regreact.workers.channel import told
from regreact.workers.job import Job
from regreact.workers.results import revived, unit_from_json

if TYPE_CHECKING:
    from regreact.runner import Extractor

# The threads of the actor that those who wait for entry hold, so that others are served meanwhile.
ENTRY = "entry"


class GateActor:
    """The gate of a run. Errors are returned as messages, so that nothing of Ray's wraps them."""

    def __init__(self, settings: dict[str, Any], prices: tuple[float, float] | None) -> None:
        self._gate = Gate(LMSettings.model_validate(settings), None if prices is None else Price(*prices))

    def enter(self, tokens: int, holder: str) -> dict[str, Any] | None:
        """Wait until a request may be sent; a message if none may."""
        try:
            self._gate.enter(tokens, holder)
        except LMStopError as error:
            return told(error)
        return None

    def leave(self, tokens: int, prompt_tokens: int, completion_tokens: int, holder: str) -> None:
        """Count a request out."""
        self._gate.leave(tokens, prompt_tokens, completion_tokens, holder)

    def hold(self, seconds: float) -> None:
        """Let nobody in for a while."""
        self._gate.hold(seconds)

    def stop(self, error: dict[str, Any]) -> None:
        """Let nobody in any more."""
        found = revived(error)
        self._gate.stop(found if isinstance(found, LMStopError) else LMStopError(str(found)))

    def release(self, holder: str) -> None:
        """Count out all requests of a task."""
        self._gate.release(holder)


class ActorDoor:
    """The gate of the run as a task sees it. One request of a process at a time waits for entry.

    Args:
        actor: Handle of the `GateActor`.
    """

    def __init__(self, actor: Any) -> None:
        self.actor = actor
        self.holder = ""
        self._asking = threading.Lock()

    def enter(self, tokens: int = 0) -> None:
        """Wait until a request may be sent.

        Raises:
            LMStopError: It must not be sent.
        """
        with self._asking:
            refused = ray.get(self.actor.enter.options(concurrency_group=ENTRY).remote(tokens, self.holder))
        if refused is not None:
            raise revived(refused)

    def leave(self, tokens: int = 0, prompt_tokens: int = 0, completion_tokens: int = 0) -> None:
        """Tell that a request is over."""
        self.actor.leave.remote(tokens, prompt_tokens, completion_tokens, self.holder)

    def hold(self, seconds: float) -> None:
        """Let nobody in for a while."""
        self.actor.hold.remote(seconds)

    def stop(self, error: LMStopError) -> None:
        """Let nobody in any more."""
        ray.get(self.actor.stop.remote(told(error)))


# The extractor of the last run that this process worked for.
_last: dict[str, tuple[Extractor, ActorDoor | None]] = {}


def _extractor(run: str, job: str, gate: Any) -> tuple[Extractor, ActorDoor | None]:
    if run not in _last:
        _last.clear()
        door = None if gate is None else ActorDoor(gate)
        _last[run] = (Job.from_json(job).extractor(door), door)
    return _last[run]


def extract(run: str, job: str, group: int, units: list[str], gate: Any) -> dict[str, Any]:
    """Extract units in a process of the cluster.

    Args:
        run: Id of the run.
        job: The job as JSON.
        group: Number of these units in the run; the same when they are tried again.
        units: As JSON.
        gate: Handle of the run's gate, None if no model is asked.

    Returns:
        `results`, one a unit in their order, or `refused`, an error that meets all units.
    """
    try:
        extractor, door = _extractor(run, job, gate)
    except RegReActError as error:
        return {"refused": told(error)}
    if door is None:
        return {"results": _all(extractor, units)}
    door.holder = f"{run} {group}"
    # What an earlier try held, which was lost, is free again; at the end also what it still waited for then.
    ray.get(gate.release.remote(door.holder))
    results = _all(extractor, units)
    ray.get(gate.release.remote(door.holder))
    return {"results": results}


def _all(extractor: Extractor, units: list[str]) -> list[str]:
    def one(text: str) -> str:
        return extractor.attempt(unit_from_json(text)).to_json()

    with ThreadPoolExecutor(len(units)) as pool:
        return [f.result() for f in [pool.submit(copy_context().run, one, text) for text in units]]
