"""Independent parts of one unit's work at the same time, for parts that wait for a model most of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

Item = TypeVar("Item")
Found = TypeVar("Found")

# Parts of one unit at a time; how many requests that makes in all is up to the run's gate.
PARTS = 4


def overlapped(task: Callable[[Item], Found], items: Iterable[Item], parts: int = PARTS) -> list[Found]:
    """Return what a task makes of each item, in the order of the items whatever the timing.

    Args:
        task: Safe to be called from several threads.
        items: What it is called with.
        parts: Items at a time.

    Example:
        >>> overlapped(len, ["a", "bcd"])
        [1, 3]
    """
    items = list(items)
    if parts == 1 or len(items) < 2:
        return [task(item) for item in items]
    with ThreadPoolExecutor(min(parts, len(items))) as pool:
        # DSPy's settings are context variables: each part takes a copy along.
        futures = [pool.submit(copy_context().run, task, item) for item in items]
        try:
            return [future.result() for future in futures]
        except BaseException:
            # What has not begun need not: nobody takes it any more.
            pool.shutdown(cancel_futures=True)
            raise
