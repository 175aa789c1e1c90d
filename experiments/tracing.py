"""What tracing of requests costs: python experiments/tracing.py"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from regreact import config, corpus, tracking
from regreact.runner import Extractor

ROUNDS = 3
UNITS = 10


def seconds(folder: Path, traces: bool) -> tuple[float, int]:
    """Return the time of extracting some samples with the simulated model, and its requests."""
    settings = config.load(
        ["lm=simulated", "fastpath=off", "lm.cache=false", f"tracking.uri=sqlite:///{folder}/mlflow.db",
         f"tracking.traces={str(traces).lower()}"]
    )  # fmt: skip
    units = corpus.select(corpus.load(corpus.SAMPLES).documents).units[:UNITS]
    extractor = Extractor(settings)
    with tracking.run(settings.tracking, "tracing"):
        start = time.perf_counter()
        calls = sum(extractor.extract(unit).usage.lm_calls for unit in units)
        return time.perf_counter() - start, calls


def main() -> None:
    """Measure with and without in turn, and write the page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seconds(folder, False)  # the database, imports
        off, on = [], []
        calls = 0
        for _ in range(ROUNDS):
            off.append(seconds(folder, False)[0])
            taken, calls = seconds(folder, True)
            on.append(taken)
    best_off, best_on = min(off), min(on)
    page = (
        "# What tracing costs\n\n"
        "`python experiments/tracing.py`: samples with the simulated model, which replies at once, so that the cost "
        "shows in full;\nbest of three, in one run, with and without in turn.\n\n"
        "| | without traces | `tracking.traces=true` |\n|---|---:|---:|\n"
        f"| {UNITS} units, {calls} requests, s | {best_off:.2f} | {best_on:.2f} |\n"
        f"| a request, ms | {1000 * best_off / calls:.1f} | {1000 * best_on / calls:.1f} |\n\n"
        f"Tracing takes {best_on / best_off:.1f} times as long here. A real model takes seconds for a request: off by "
        "default because of the\nspace and of what traces hold (every prompt and reply), not because of the time.\n"
    )
    Path("experiments/tracing.md").write_text(page, encoding="utf-8")
    print(page)


if __name__ == "__main__":
    main()
