"""One gate for all requests: how many at a time, how fast, and what lost holders leave behind."""

import threading
import time
from collections.abc import Callable

import pytest

from regreact.config import LMSettings
from regreact.errors import BudgetError, LMStopError
from regreact.gate import Gate
from regreact.prices import Price


def together(count: int, task: Callable[[], None]) -> None:
    threads = [threading.Thread(target=task) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
        assert not thread.is_alive()


def test_no_more_requests_at_a_time_than_allowed() -> None:
    gate = Gate(LMSettings(concurrency=3))
    peak = []

    def ask() -> None:
        for _ in range(5):
            gate.enter()
            peak.append(gate.inside)
            time.sleep(0.002)
            gate.leave()

    together(12, ask)
    assert max(peak) == 3 and gate.inside == 0 and gate.calls == 60


def test_requests_are_spaced() -> None:
    gate = Gate(LMSettings(concurrency=100, requests_per_minute=1200))
    started = time.monotonic()
    together(6, gate.enter)
    # The first enters at once, five follow 50 ms apart.
    assert 0.25 <= time.monotonic() - started < 2


def test_tokens_are_spaced_and_the_estimate_is_put_right() -> None:
    gate = Gate(LMSettings(tokens_per_minute=60_000))
    gate.enter(tokens=100)
    gate.leave(100, prompt_tokens=150, completion_tokens=150)
    started = time.monotonic()
    gate.enter()
    assert 0.2 < time.monotonic() - started < 2, "300 tokens of 1,000 a second"
    gate.leave()
    gate.enter(tokens=5000)
    gate.leave(5000, prompt_tokens=100)
    started = time.monotonic()
    gate.enter()
    assert time.monotonic() - started < 1, "the prompt was smaller than estimated"


def test_a_server_that_asks_to_wait_holds_everybody() -> None:
    gate = Gate(LMSettings())
    gate.hold(0.2)
    started = time.monotonic()
    together(3, gate.enter)
    assert time.monotonic() - started >= 0.19


def test_what_a_lost_holder_held_is_free_again() -> None:
    gate = Gate(LMSettings(concurrency=2))
    gate.enter(holder="lost")
    gate.enter(holder="lost")
    entered = threading.Event()
    threading.Thread(target=lambda: (gate.enter(holder="other"), entered.set()), daemon=True).start()
    assert not entered.wait(0.05)
    gate.release("lost")
    assert entered.wait(5) and gate.inside == 1
    # Its last words come late and free nothing that others hold.
    gate.leave(holder="lost")
    assert gate.inside == 1


def test_those_who_wait_hear_that_the_run_stops() -> None:
    gate = Gate(LMSettings(concurrency=1))
    gate.enter()
    refused = []

    def ask() -> None:
        try:
            gate.enter()
        except LMStopError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(0.02)
    gate.stop(LMStopError("no money"))
    for thread in threads:
        thread.join(5)
    assert refused == ["no money"] * 4


def test_money_counts_as_replies_come() -> None:
    gate = Gate(LMSettings(max_cost=1.0), Price(0.01, 0.1))
    gate.enter()
    gate.leave(0, prompt_tokens=50, completion_tokens=5)
    with pytest.raises(BudgetError, match=r"1\.0000 spent"):
        gate.enter()
