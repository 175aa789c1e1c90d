"""Units as tasks of a Ray cluster, on this machine or many.

The job lies once in the cluster's object store, and each process of the cluster builds its extractor once. Ray tries
the task of a lost process or machine again. Units and results travel as JSON, and files are written here alone.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any
from uuid import uuid4

from regreact.config import RunnerSettings
from regreact.errors import ConfigError, LMStopError, WorkerLostError
from regreact.gate import Gate
from regreact.sources.model import Unit
from regreact.workers.job import Job
from regreact.workers.results import Result, revived, unit_to_json

# Tasks handed to Ray for each worker: one at work and one that waits, so that a cluster is not flooded.
_AHEAD = 2
# Seconds within which the door of a cluster must open.
_KNOCK_S = 10.0


class Cluster:
    """A run on a Ray cluster.

    Args:
        job: What every worker is told.
        gate: Gate of the run, of which the cluster makes its own; None if no model is asked.
    """

    def __init__(self, job: Job, gate: Gate | None) -> None:
        self._job = job
        self._gate = gate
        self._settings = job.settings.runner
        self._run = uuid4().hex

    def run(self, units: Sequence[Unit]) -> Iterator[Result]:
        """Yield what becomes of each unit, as it is ready.

        Raises:
            ConfigError: Ray is not installed.
            WorkerLostError: The cluster cannot be reached.
            RegReActError: The workers cannot build the program.
        """
        ray = connected(self._settings)
        from regreact.workers import cluster_task  # noqa: PLC0415  imports Ray

        gate = self._gate_actor(ray)
        job = ray.put(self._job.to_json())
        task = ray.remote(cluster_task.extract).options(max_retries=self._settings.retries, retry_exceptions=False)
        size = self._settings.per_worker
        groups = [units[n : n + size] for n in range(0, len(units), size)]
        begun = 0
        pending: dict[Any, int] = {}
        stopped: LMStopError | None = None
        try:
            while begun < len(groups) or pending:
                if stopped is not None:
                    yield from (Result(unit, stopped) for group in groups[begun:] for unit in group)
                    begun = len(groups)
                while begun < len(groups) and len(pending) < _AHEAD * self._settings.workers:
                    texts = [unit_to_json(u) for u in groups[begun]]
                    pending[task.remote(self._run, job, begun, texts, gate)] = begun
                    begun += 1
                for reference in ray.wait(list(pending), num_returns=1)[0] if pending else ():
                    for result in self._results(ray, reference, groups[pending.pop(reference)]):
                        if isinstance(result.outcome, LMStopError):
                            stopped = stopped or result.outcome
                        yield result
        finally:
            with suppress(Exception):
                for reference in pending:
                    ray.cancel(reference, force=True)
                if gate is not None:
                    ray.kill(gate)

    def _gate_actor(self, ray: Any) -> Any:
        """Return the gate as an actor on this machine, so that no other that is lost takes it along."""
        if self._gate is None:
            return None
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415  optional

        from regreact.workers import cluster_task  # noqa: PLC0415  imports Ray

        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=True)
        kind = ray.remote(concurrency_groups={cluster_task.ENTRY: _AHEAD * self._settings.workers})
        price = self._gate.price
        actor = kind(cluster_task.GateActor).options(num_cpus=0, max_concurrency=4, scheduling_strategy=here)
        return actor.remote(self._gate.settings.model_dump(), None if price is None else (price.input, price.output))

    def _results(self, ray: Any, reference: Any, group: Sequence[Unit]) -> Iterator[Result]:
        try:
            answer = ray.get(reference)
        except ray.exceptions.RayError as error:
            lost = f"the Ray task that worked on it was lost, tries: {self._settings.retries + 1} ({_line(error)})"
            yield from (Result(unit, WorkerLostError(lost)) for unit in group)
            return
        if "refused" in answer:
            raise revived(answer["refused"])
        for unit, text in zip(group, answer["results"], strict=True):
            yield Result.from_json(unit, text)


def connected(settings: RunnerSettings) -> Any:
    """Return the module `ray`, connected to the cluster of the settings, or to one made here.

    Raises:
        ConfigError: It is not installed.
        WorkerLostError: There is no cluster at the address.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray  # noqa: PLC0415  optional
    except ImportError:
        raise ConfigError("runner=ray needs Ray: pip install 'regreact[ray]'") from None
    if ray.is_initialized():
        return ray
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if settings.address is None:
        options |= {"address": "local", "num_cpus": settings.workers, "include_dashboard": False}
    else:
        options |= {"address": settings.address}
    try:
        _knock(settings.address)
        ray.init(**options)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        raise WorkerLostError(
            f"no Ray cluster at runner.address={settings.address}: {_line(error)} (start one with ray start --head, "
            "or leave the address out)"
        ) from None
    return ray


def _knock(address: str | None) -> None:
    """Raise OSError if nobody listens at `HOST:PORT`; Ray itself would try for minutes."""
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), _KNOCK_S).close()


def _line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
