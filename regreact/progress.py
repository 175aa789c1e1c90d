"""A progress bar for people: on stderr, and only if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol


class Advance(Protocol):
    """Advances a bar by one step."""

    def __call__(self, name: str, calls: int = 0, tokens: int = 0, cost: float | None = 0.0) -> None:
        """Say what is done, and what it took of a model: requests, tokens, US dollars (None: price unknown)."""
        ...


@dataclass
class Spent:
    """What a run took of a model until now."""

    calls: int = 0
    tokens: int = 0
    cost: float | None = 0.0

    def add(self, calls: int, tokens: int, cost: float | None) -> None:
        """Count one step."""
        self.calls += calls
        self.tokens += tokens
        self.cost = None if cost is None or self.cost is None else self.cost + cost

    def __str__(self) -> str:
        if not self.calls:
            return ""
        price = "price unknown" if self.cost is None else f"{self.cost:.4f} USD"
        return f"{self.calls} calls, {self.tokens} tokens, {price}"


@contextmanager
def progress_bar(total: int, task: str, quiet: bool = False) -> Iterator[Advance]:
    """Show a bar with rate, time left and what a model took, and give a function that advances it by one.

    Args:
        total: Number of steps.
        task: Shown until the first step is done.
        quiet: Show nothing.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda name, calls=0, tokens=0, cost=0.0: None
        return
    from rich.console import Console  # noqa: PLC0415  heavy
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    spent = Spent()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[spent]}"),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        running = bar.add_task(task, total=total, spent="")

        def advance(name: str, calls: int = 0, tokens: int = 0, cost: float | None = 0.0) -> None:
            spent.add(calls, tokens, cost)
            speed = bar.tasks[0].speed
            rate = f"{speed:.1f}/s " if speed else ""
            bar.update(running, advance=1, description=name, spent=f"{rate}{spent}")

        yield advance
