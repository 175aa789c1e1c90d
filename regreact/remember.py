"""Answers of pure functions of a text, kept so that a text that comes again is not read again.

The same paragraph stands in many sections of an act, and several solvers read it. What is kept is bounded twice: in
number, least recently used first out, and in length, so that no hostile text stays in memory.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
K = TypeVar("K")
V = TypeVar("V")

# Texts kept per function. An act of 1,251 sections has 1,400 different paragraphs.
TEXTS = 2048
# Characters; longer texts are read anew each time. As many as a paragraph may have (`sources.limits`).
LONGEST = 25_000


def remembered(function: Callable[Concatenate[str, P], R]) -> Callable[Concatenate[str, P], R]:
    """Keep what a pure function returns for a text (and further hashable arguments).

    The value is shared by all callers and threads: the function must return something that nobody changes.

    Example:
        >>> @remembered
        ... def words(text: str) -> tuple[str, ...]:
        ...     print("read")
        ...     return tuple(text.split())
        >>> words("ore is washed") is words("ore is washed")
        read
        True
    """
    kept = lru_cache(maxsize=TEXTS)(function)

    @wraps(function)
    def read(text: str, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if len(text) > LONGEST:
            return function(text, *args, **kwargs)
        return kept(text, *args, **kwargs)  # type: ignore[arg-type]  # what lru_cache calls hashable

    read.cache_info = kept.cache_info  # type: ignore[attr-defined]
    read.cache_clear = kept.cache_clear  # type: ignore[attr-defined]
    return read


class Recent(Generic[K, V]):
    """The values that were used last, at most so many; safe to use from several threads.

    Args:
        size: Values kept.

    Example:
        >>> kept = Recent(2)
        >>> for key in ("a", "b"):
        ...     kept.put(key, key.upper())
        >>> kept.get("a"), kept.put("c", "C"), kept.get("b"), kept.get("a")
        ('A', None, None, 'A')
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """Return a value, None if it is not kept (any more)."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def put(self, key: K, value: V) -> None:
        """Keep a value in place of the one that was not used for the longest time."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._size:
                self._values.popitem(last=False)
