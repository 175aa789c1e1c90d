"""The one door that all requests of a run pass: how many at a time, how fast, for how much money, and whether at all.

A run has one gate whatever runs its units: threads share it, processes and Ray tasks ask for entry from outside
(`regreact.workers`).
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from typing import Protocol

from regreact.config import LMSettings
from regreact.errors import BudgetError, LMStopError
from regreact.prices import Price

_log = logging.getLogger(__name__)
# Seconds of waiting that a person is told of.
_LONG_S = 10.0


class Door(Protocol):
    """What an engine needs of the gate, be it here or in another process."""

    def enter(self, tokens: int = 0) -> None:
        """Wait until a request may be sent, `tokens` long by estimate; raise LMStopError if none may."""

    def leave(self, tokens: int = 0, prompt_tokens: int = 0, completion_tokens: int = 0) -> None:
        """Tell that a request is over: what was estimated at entry, and what the reply took (0 and 0 without one)."""

    def hold(self, seconds: float) -> None:
        """Let nobody in for a while: the server asks for it."""

    def stop(self, error: LMStopError) -> None:
        """Let nobody in any more."""


class Gate:
    """Lets requests through as fast as the settings allow, until the budget is used up or no other can succeed.

    Rates are kept by spacing: a request of `n` tokens moves the next entry back by `n / tokens_per_minute`, so there
    is no burst at the start of a minute. Safe to use from several threads.

    Args:
        settings: `concurrency`, `requests_per_minute`, `tokens_per_minute`, `max_calls` and `max_cost`.
        price: Price of the model, None if unknown.
    """

    def __init__(self, settings: LMSettings, price: Price | None = None) -> None:
        self.settings = settings
        self.price = price
        self.max_calls = settings.max_calls
        self.max_cost = settings.max_cost
        self.calls = 0
        self.cost = 0.0
        self.stopped: LMStopError | None = None
        self._inside: Counter[str] = Counter()
        self._changed = threading.Condition()
        self._told = False
        # Moments, on the clock of `time.monotonic`, before which nobody enters.
        self._next_request = self._next_tokens = self._held = 0.0

    @property
    def inside(self) -> int:
        """Number of requests under way."""
        return self._inside.total()

    def enter(self, tokens: int = 0, holder: str = "") -> None:
        """Wait until a request may be sent, and count it.

        Args:
            tokens: Estimated size of its prompt.
            holder: Who sends it; what it holds can be given back by `release` when it is lost.

        Raises:
            LMStopError: It must not be sent.
        """
        with self._changed:
            while True:
                self._check()
                wait = self._wait_s()
                self._tell(wait, tokens)
                if self.inside < self.settings.concurrency and wait <= 0:
                    break
                self._changed.wait(None if self.inside >= self.settings.concurrency else wait)
            self.calls += 1
            self._inside[holder] += 1
            now = time.monotonic()
            if self.settings.requests_per_minute is not None:
                self._next_request = max(now, self._next_request) + 60.0 / self.settings.requests_per_minute
            self._spend(tokens)

    def leave(self, tokens: int = 0, prompt_tokens: int = 0, completion_tokens: int = 0, holder: str = "") -> None:
        """Count a request out, and add the price of its reply.

        Args:
            tokens: As at entry.
            prompt_tokens: As the reply tells; 0 if there was none.
            completion_tokens: As the reply tells.
            holder: As at entry.
        """
        with self._changed:
            if self._inside[holder] > 0:
                self._inside[holder] -= 1
            if self.price is not None:
                self.cost += self.price.of(prompt_tokens, completion_tokens)
            self._spend(prompt_tokens + completion_tokens - tokens)
            self._changed.notify_all()

    def release(self, holder: str) -> None:
        """Count out all requests of a holder that is gone."""
        with self._changed:
            del self._inside[holder]
            self._changed.notify_all()

    def hold(self, seconds: float) -> None:
        """Let nobody in for a number of seconds."""
        with self._changed:
            self._held = max(self._held, time.monotonic() + seconds)

    def stop(self, error: LMStopError) -> None:
        """Let nobody in any more, those who wait included."""
        with self._changed:
            self.stopped = self.stopped or error
            self._changed.notify_all()

    def _check(self) -> None:
        if self.stopped is None and self.max_calls is not None and self.calls >= self.max_calls:
            self.stopped = BudgetError(
                f"lm.max_calls={self.max_calls} is reached: raise it and run the same command again to go on"
            )
        if self.stopped is None and self.max_cost is not None and self.cost >= self.max_cost:
            self.stopped = BudgetError(
                f"lm.max_cost={self.max_cost:g} US dollars is reached ({self.cost:.4f} spent): raise it and run "
                "the same command again to go on"
            )
        if self.stopped is not None:
            raise self.stopped

    def _tell(self, wait: float, tokens: int) -> None:
        """Say once that requests have to wait long."""
        if wait < _LONG_S or self._told:
            return
        self._told = True
        s = self.settings
        limits = {"requests": s.requests_per_minute, "tokens": s.tokens_per_minute}
        known = ", ".join(f"lm.{name}_per_minute={limit:g}" for name, limit in limits.items() if limit is not None)
        _log.warning(
            "the next request waits %.0f s (%s; it has about %d tokens)",
            wait,
            known or "the server asks for it",
            tokens,
        )

    def _wait_s(self) -> float:
        return max(self._next_request, self._next_tokens, self._held) - time.monotonic()

    def _spend(self, tokens: int) -> None:
        limit = self.settings.tokens_per_minute
        if limit is not None:
            self._next_tokens = max(time.monotonic(), self._next_tokens) + tokens * 60.0 / limit
