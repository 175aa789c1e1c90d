"""Parts of a unit's work at the same time, in order."""

import threading
import time
from contextvars import ContextVar

import pytest

from regreact.overlap import overlapped

TOLD: ContextVar[str] = ContextVar("TOLD", default="nothing")


def test_parts_meet_and_keep_their_order_and_settings() -> None:
    barrier = threading.Barrier(3, timeout=5)
    token = TOLD.set("something")

    def meet(n: int) -> tuple[int, str]:
        barrier.wait()
        return n, TOLD.get()

    assert overlapped(meet, range(3)) == [(0, "something"), (1, "something"), (2, "something")]
    TOLD.reset(token)


def test_one_part_at_a_time_stays_in_its_thread() -> None:
    assert set(overlapped(lambda _: threading.get_ident(), range(5), parts=1)) == {threading.get_ident()}


def test_a_part_that_fails_fails_the_whole() -> None:
    with pytest.raises(ZeroDivisionError):
        overlapped(lambda n: 1 // n, [1, 0, 2])


def test_after_a_failure_nothing_more_is_begun() -> None:
    begun = []

    def fail(n: int) -> None:
        begun.append(n)
        time.sleep(0.02)
        raise ValueError(n)

    with pytest.raises(ValueError, match="0"):
        overlapped(fail, range(500), parts=2)
    assert len(begun) < 100
