"""The Publications Office as authority on CELEX ids: each id asked once, the packaged register where it cannot be."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from regreact.errors import ServiceChallengeError, ServiceError, ServiceUnavailableError
from regreact.legal.cellar import Cellar
from regreact.legal.register import Register
from regreact.legal.works import Finding, Work

_log = logging.getLogger(__name__)
T = TypeVar("T")


class CellarAuthority:
    """Asks Cellar, and the register where Cellar gives no usable answer; safe to share between threads.

    A service that is out of reach or answers with a challenge is not asked again in this run.

    Args:
        cellar: The service.
        register: Who is asked where the service fails.
    """

    def __init__(self, cellar: Cellar, register: Register) -> None:
        self.cellar, self.register = cellar, register
        self._lock = threading.Lock()
        self._answers: dict[Hashable, Future[Any]] = {}
        self._closed: ServiceError | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> CellarAuthority:
        """Return itself: copies of a program share the service, its rate and its answers."""
        return self

    def lookup(self, celex_id: str) -> Finding:
        """Return what Cellar knows of an id, else what the register does."""
        return self._once(("lookup", celex_id), lambda: self._lookup(celex_id))

    def search(self, words: Sequence[str]) -> Sequence[Work]:
        """Return acts whose title holds all of the words."""
        return self._once(("search", *words), lambda: self._search(words))

    def _lookup(self, celex_id: str) -> Finding:
        try:
            work = self._ask(lambda: self.cellar.lookup(celex_id))
        except ServiceError as error:
            known = self.register.lookup(celex_id)
            return known if known.state == "found" else Finding("unknown", reason=f"the service gave no answer: {error.problem}")
        return Finding("found" if work else "absent", work, "cellar")

    def _search(self, words: Sequence[str]) -> Sequence[Work]:
        try:
            return self._ask(lambda: self.cellar.search(" ".join(words)))
        except ServiceError:
            return self.register.search(words)

    def _ask(self, question: Callable[[], T]) -> T:
        if self._closed is not None:
            raise self._closed
        try:
            return question()
        except (ServiceUnavailableError, ServiceChallengeError) as error:
            with self._lock:
                first, self._closed = self._closed is None, error
            if first:
                _log.warning("CELEX ids are verified against the packaged register from here on: %s", error)
            raise

    def _once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the answer to a question, computed by the first thread that asks it."""
        with self._lock:
            known = self._answers.get(key)
            future: Future[T] = known if known is not None else self._answers.setdefault(key, Future())
        if known is None:
            try:
                future.set_result(compute())
            except BaseException as error:
                future.set_exception(error)
        return future.result()
