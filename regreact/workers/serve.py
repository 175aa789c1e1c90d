"""A worker process: takes a job, then units, and sends what became of each (`python -m regreact.workers.serve FD`).

It talks to the process that started it over its standard input and output and ends with it, be that by `kill -9`.
FD is the descriptor from which the gate's answers are read.
"""

from __future__ import annotations

import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from regreact.errors import ConfigError, RegReActError
from regreact.workers.channel import Channel, Message, RemoteDoor, told
from regreact.workers.job import Job
from regreact.workers.results import unit_from_json


def main() -> None:
    """Serve until the other side is gone."""
    # Ctrl-C reaches the whole group of processes; the parent ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = _own_output()
    messages = iter(channel)
    first = next(messages, None)
    if first is None:
        return
    try:
        job = Job.from_json(first["job"])
        _limit_memory(job.settings.runner.memory_mb)
        door = RemoteDoor(channel, os.fdopen(int(sys.argv[1]), "rb", buffering=0))
        extractor = job.extractor(door)
    except (MemoryError, ImportError):
        # A library that finds no memory may fail to load.
        limit = job.settings.runner.memory_mb
        if limit is None:
            raise
        refused = ConfigError(f"runner.memory_mb={limit} is too little for the program itself: set at least 512")
        channel.send({"refused": told(refused)})
        return
    except RegReActError as error:
        channel.send({"refused": told(error)})
        return

    def one(message: Message) -> None:
        try:
            outcome = extractor.attempt(unit_from_json(message["unit"])).to_json()
            channel.send({"result": message["number"], "outcome": outcome})
        except BaseException as error:
            # The other side waits for each unit: it is told by the end of this process, and tries the unit again.
            print(f"a worker process ends: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            os._exit(1)

    pool = ThreadPoolExecutor(job.settings.runner.per_worker)
    channel.send({"ready": os.getpid()})
    for message in messages:
        pool.submit(copy_context().run, one, message)
    # Nobody wants what is still under way.
    os._exit(0)


def _own_output() -> Channel:
    """Return the channel to the parent; whatever else writes to standard output goes to standard error."""
    writing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return Channel(sys.stdin.buffer, writing)


def _limit_memory(megabytes: int | None) -> None:
    if megabytes is None:
        return
    try:
        import resource  # noqa: PLC0415  Unix only
    except ImportError:
        raise ConfigError("runner.memory_mb is not possible on this system: leave it out") from None
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


if __name__ == "__main__":
    main()
