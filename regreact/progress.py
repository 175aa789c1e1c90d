"""A progress bar for people: on stderr, and only if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(total: int, task: str, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Show a bar and give a function that advances it by one and names what is done.

    Args:
        total: Number of steps.
        task: Shown until the first step is done.
        quiet: Show nothing.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415  heavy
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        running = bar.add_task(task, total=total)
        yield lambda name: bar.update(running, advance=1, description=name)
