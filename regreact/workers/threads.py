"""Units in threads of this process: right for runs that wait for a model most of the time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context

from regreact.sources.model import Unit
from regreact.workers.results import Attempt, Result

# Units handed to the pool for each thread: one at work and one that waits, so that results do not pile up.
_AHEAD = 2


def run(attempt: Attempt, units: Sequence[Unit], workers: int) -> Iterator[Result]:
    """Yield what becomes of each unit, as it is ready.

    Args:
        attempt: Extracts one unit, safely from several threads.
        units: What to extract; begun in this order.
        workers: Threads.
    """
    if workers == 1:
        yield from map(attempt, units)
        return
    todo = iter(units)
    pool = ThreadPoolExecutor(max_workers=workers)
    pending: set[Future[Result]] = set()
    try:
        while True:
            for unit in todo:
                # DSPy's settings are context variables: each task takes a copy along.
                pending.add(pool.submit(copy_context().run, attempt, unit))
                if len(pending) >= _AHEAD * workers:
                    break
            if not pending:
                return
            ended, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in ended:
                yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)
