"""(a) Corpus throughput without a model, and how it grows from one to eight times the corpus.

How to run me:  python -m experiments.bench.bench_a_throughput [--quick]
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from experiments.bench.common import (
    ACTS,
    FIGURES,
    ROOT,
    SAMPLES,
    data_folder,
    exponent,
    main,
    module,
    prose,
    spread,
    told,
)

TITLE = "Corpus throughput and growth"
AIM_SECONDS, AIM_EXPONENT = 30, 1.05
COPIES = (1, 2, 4, 8)
ROUNDS = 2
# What growth measured, for the section on memory.
GROWTH = FIGURES / "bench_growth.json"


def runners() -> dict[str, list[str]]:
    """Return the runners to compare, by name: settings of each."""
    found = {"1 worker": ["runner.workers=1"]}
    if (ROOT / "conf" / "runner" / "processes.yaml").is_file():
        found["2 worker processes"] = ["runner=processes", "runner.workers=2"]
    else:
        found["2 worker threads"] = ["runner.workers=2"]
    return found


def measure(sources: Sequence[str], copies: int, runner: Sequence[str], apart: bool = True) -> dict[str, Any]:
    """Extract copies of the sources in a process of its own, or in this one."""
    found = module("corpus_run", {"sources": list(sources), "copies": copies, "overrides": list(runner)}, apart)
    told(f"{copies} x, {' '.join(runner)}: {found['units']} units in {found['seconds']:.1f} s")
    return found


def throughput(sources: Sequence[str], compared: Mapping[str, Sequence[str]], quick: bool) -> Iterator[str]:
    """Yield the table of runners."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in compared}
    rounds = 1 if quick else ROUNDS
    for _ in range(rounds):
        for name, runner in compared.items():
            found[name].append(measure(sources, 1, runner, apart=not quick))
    first = next(iter(found.values()))[0]
    yield from prose(
        f"{first['units']:,} units of {first['activities']} activities, {first['failed']} failed. Each run is a "
        f"process of its own, {rounds} of each in turn: median (least–greatest). The whole process includes imports "
        "and building the program."
    )
    yield ""
    yield "| | read and extract, s | whole process, s | CPU, s | units a second |"
    yield "|---|---:|---:|---:|---:|"
    for name, runs in found.items():
        wall = [r["read_s"] + r["seconds"] for r in runs]
        columns = [spread(wall, 1), spread([r["process_s"] for r in runs], 1)]
        columns += [spread([r["process_cpu_s"] for r in runs], 1)]
        columns += [spread([r["units"] / w for r, w in zip(runs, wall, strict=True)], 0)]
        yield f"| {name} | {' | '.join(columns)} |"
    yield ""
    yield from prose(
        f"Aim: at most {AIM_SECONDS} s on two cores."
    )


def growth(sources: Sequence[str], copies: Sequence[int], runner: str, quick: bool) -> Iterator[str]:
    """Yield the table of growth; keep what it holds."""
    runs = [measure(sources, n, runners()[runner], apart=not quick) for n in copies]
    units = [r["units"] for r in runs]
    yield ""
    yield from prose(
        f"Growth, with {runner}: copies of the corpus under other document ids, in which one word of each block "
        "differs, so that nothing kept of one copy serves another."
    )
    yield ""
    yield "| corpus | units | extract, s | CPU, s | CPU a unit, ms | files written, MB |"
    yield "|---|---:|---:|---:|---:|---:|"
    for n, r in zip(copies, runs, strict=True):
        yield (
            f"| {n} x | {r['units']:,} | {r['seconds']:.1f} | {r['cpu_s']:.1f} | "
            f"{1000 * r['cpu_s'] / r['units']:.1f} | {r['written_mb']:.0f} |"
        )
    cpu, wall = exponent(units, [r["cpu_s"] for r in runs]), exponent(units, [r["seconds"] for r in runs])
    yield ""
    yield from prose(
        f"Fitted exponent: {cpu:.3f} of CPU seconds, {wall:.3f} of seconds; aim: at most {AIM_EXPONENT}."
    )
    if not quick:
        from experiments.tables import commit  # noqa: PLC0415  heavy

        GROWTH.parent.mkdir(exist_ok=True)
        kept = {"commit": commit(), "runner": runner, "copies": list(copies), "runs": runs}
        GROWTH.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        picture(units, runs)
        yield ""
        yield "![Seconds and units](figures/bench_growth.svg)"


def picture(units: Sequence[int], runs: Sequence[dict[str, Any]]) -> None:
    """Draw CPU seconds and peak memory over the number of units."""
    import matplotlib  # noqa: PLC0415  heavy

    matplotlib.use("svg")
    # The same picture is the same file, and letters are letters.
    matplotlib.rcParams.update({"svg.hashsalt": "regreact", "svg.fonttype": "none"})
    from matplotlib import pyplot  # noqa: PLC0415

    drawn, (left, right) = pyplot.subplots(1, 2, figsize=(7.5, 2.8), layout="constrained")
    for axes, name, title in ((left, "cpu_s", "CPU seconds"), (right, "peak_mb", "peak memory, MB")):
        axes.plot(units, [r[name] for r in runs], "o-", color="#1f5a8a")
        axes.set(title=title, xlabel="units", xlim=(0, None), ylim=(0, None))
        axes.grid(alpha=0.3)
    ideal = [runs[0]["cpu_s"] * n / units[0] for n in units]
    left.plot(units, ideal, "--", color="grey", label="in proportion")
    left.legend(frameon=False)
    drawn.savefig(GROWTH.with_suffix(".svg"), metadata={"Date": None})
    pyplot.close(drawn)


def lines(quick: bool) -> Iterator[str]:
    """Yield the section."""
    sources = [str(SAMPLES / "formex")] if quick else [str(data_folder() / "taxonomy" / name) for name in ACTS]
    compared = dict(list(runners().items())[:1]) if quick else runners()
    yield from throughput(sources, compared, quick)
    yield from growth(sources, (1, 2) if quick else COPIES, list(compared)[-1], quick)


if __name__ == "__main__":
    main(lines)
