"""What the benchmarks share: where the texts are, how times are taken, how sections are printed."""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import statistics
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from regreact.errors import ConfigError, SourceNotFoundError

ROOT = Path(__file__).resolve().parents[2]
FIGURES = ROOT / "experiments" / "figures"
# The two delegated acts: 242 activities, 1,474 units.
ACTS = ("02021R2139-20260101.fmx.xml", "02023R2486-20260101.fmx.xml")
SAMPLES = ROOT / "data" / "samples"

Lines = Callable[[bool], Iterator[str]]


def data_folder() -> Path:
    """Return the folder of real texts.

    Raises:
        SourceNotFoundError: There is none.
    """
    named = os.environ.get("REGREACT_DATA")
    places = [Path(named)] if named else [ROOT / "data" / "raw", ROOT.parent / "shared" / "data"]
    for place in places:
        if (place / "taxonomy").is_dir():
            return place
    raise SourceNotFoundError(places[0], "no folder taxonomy below it", "set REGREACT_DATA to the folder of real texts")


def interleaved(
    calls: Mapping[str, Callable[[], object]], rounds: int, clock: Callable[[], float] = time.process_time
) -> dict[str, list[float]]:
    """Time calls in turn, so that what else the machine does meets all of them alike.

    Args:
        calls: What is timed, by name.
        rounds: How often each is timed; one untimed round goes before.
        clock: Seconds; CPU seconds of this process by default.

    Returns:
        Seconds of each round, by name.
    """
    found: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(rounds + 1):
        for name, call in calls.items():
            gc.collect()
            start = clock()
            call()
            taken = clock() - start
            if number:
                found[name].append(taken)
    return found


def spread(values: Sequence[float], digits: int = 2, scale: float = 1.0) -> str:
    """Return the median with the least and the greatest value.

    Example:
        >>> spread([3.0, 1.0, 2.0], 1)
        '2.0 (1.0–3.0)'
    """
    low, middle, high = (scale * v for v in (min(values), statistics.median(values), max(values)))
    if len(values) == 1:
        return f"{middle:,.{digits}f}"
    return f"{middle:,.{digits}f} ({low:,.{digits}f}–{high:,.{digits}f})"


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Return the slope of a line fitted to the logarithms: 1 if values grow as sizes do, 2 if as their squares.

    Example:
        >>> round(exponent([1, 2, 4], [3, 12, 48]), 6)
        2.0
    """
    xs, ys = [math.log(s) for s in sizes], [math.log(v) for v in values]
    return statistics.linear_regression(xs, ys).slope


def module(name: str, argument: Mapping[str, Any], apart: bool = True) -> dict[str, Any]:
    """Run a module of this folder in a process of its own and return what it prints, and `process_s`, seconds in all.

    Args:
        name: The module; its `run` takes the argument as keywords.
        argument: Plain JSON data.
        apart: False to run it in this process instead, which is quicker and measures less.

    Raises:
        ConfigError: It failed; the message ends with what it said.
    """
    if not apart:
        found: dict[str, Any] = import_module(f"experiments.bench.{name}").run(**argument)
        return found | {"process_s": found["seconds"]}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", f"experiments.bench.{name}", json.dumps(argument)]
    started = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    taken = time.perf_counter() - started
    if done.returncode:
        raise ConfigError(f"{name} failed: {done.stderr.strip()[-400:]}")
    return json.loads(done.stdout.splitlines()[-1]) | {"process_s": taken}


def prose(text: str) -> list[str]:
    """Return a paragraph as lines."""
    return textwrap.wrap(" ".join(text.split()), 118, break_long_words=False, break_on_hyphens=False)


def told(text: str) -> None:
    """Tell progress on stderr."""
    print(text, file=sys.stderr, flush=True)


def main(lines: Lines) -> None:
    """Print the section of a benchmark."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="tiny input: shows that it works, the figures say nothing")
    print("\n".join(lines(parser.parse_args().quick)))
