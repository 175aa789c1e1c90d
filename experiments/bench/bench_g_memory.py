"""(g) Peak memory of whole corpora, with and without the cited law, and how it grows.

How to run me:  python -m experiments.bench.bench_g_memory [--quick]     (growth: the runs of section a)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from experiments.bench.bench_a_throughput import GROWTH
from experiments.bench.common import ROOT, SAMPLES, data_folder, exponent, main, module, prose, told

TITLE = "Peak memory"


def fill(store: Path, folders: Sequence[Path]) -> None:
    """Store the acts at hand."""
    for folder in folders:
        command = [sys.executable, "-m", "regreact", "fetch", "--from", str(folder), "--store", str(store), "--quiet"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        # Exit 1: some file of the folder is no act; the others are stored.
        subprocess.run(command, cwd=ROOT, env=environment, check=False, stdout=sys.stderr)


def row(name: str, run: dict[str, Any]) -> str:
    """Return the row of a run."""
    left = [f"{run['units']:,}", str(run["activities"]), f"{run['start_mb']:.0f}", f"{run['documents_mb']:.0f}"]
    told(f"{name}: {run['peak_mb']:.0f} MB")
    return f"| {name} | {' | '.join(left)} | {run['peak_mb']:.0f} | {run['seconds']:.0f} |"


def lines(quick: bool) -> Iterator[str]:
    """Yield the section."""
    yield from prose(
        "Largest resident size (`ru_maxrss`) of one process with one worker, in MB: after start, once documents are "
        "read and the program is built, at the end. With the law, acts are converted and indexed where the store "
        "lacks that, and kept for the run: that grows with the acts cited, not with the units."
    )
    yield ""
    yield "| corpus | units | activities | start | read and built | peak | extract, s |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    with tempfile.TemporaryDirectory(prefix="regreact-") as folder:
        store = Path(folder) / "store"
        data = SAMPLES if quick else data_folder()
        fill(store, [SAMPLES / "acts"] if quick else [data / "acts", data / "taxonomy"])
        compass = [str(data / "compass")] if quick else [str(data / "compass" / "taxonomy-1.0.4.json")]
        law = ["rag=on", f"rag.store={store}"]
        cases = {
            "Compass": (1, []),
            "Compass, cited law resolved": (1, law),
            "Compass twice, cited law resolved": (2, law),
        }
        for name, (copies, more) in list(cases.items())[:2] if quick else cases.items():
            argument = {"sources": compass, "copies": copies, "overrides": ["runner.workers=1", *more]}
            yield row(name, module("corpus_run", argument, apart=not quick))
    yield ""
    if GROWTH.is_file():
        yield from growth()
    else:
        yield "Growth: not measured yet; `python experiments/bench.py a` does."


def growth() -> Iterator[str]:
    """Yield how the memory of the runs of section a grew."""
    kept = json.loads(GROWTH.read_text(encoding="utf-8"))
    runs = kept["runs"]
    yield from prose(
        f"Growth, from the runs of section a ({kept['runner']}, no law; commit {kept['commit']}). Without the "
        "documents: what is over the size once they are read."
    )
    yield ""
    yield "| corpus | units | read and built | peak | without the documents | largest child |"
    yield "|---|---:|---:|---:|---:|---:|"
    for n, r in zip(kept["copies"], runs, strict=True):
        over = r["peak_mb"] - r["documents_mb"]
        child = f"{r['child_mb']:.0f}" if r["child_mb"] else "-"
        yield (
            f"| {n} x | {r['units']:,} | {r['documents_mb']:.0f} | {r['peak_mb']:.0f} | {over:.0f} | {child} |"
        )
    first, last = runs[0], runs[-1]
    each = 1024 * (last["peak_mb"] - first["peak_mb"]) / (last["units"] - first["units"])
    slope = exponent([r["units"] for r in runs], [r["peak_mb"] for r in runs])
    held = 1024 * (last["documents_mb"] - first["documents_mb"]) / (last["units"] - first["units"])
    yield ""
    yield from prose(
        f"A further unit takes {each:.0f} kB, of which {held:.0f} kB are its text as read; fitted exponent of the "
        f"peak {slope:.2f}. The picture is in section a."
    )


if __name__ == "__main__":
    main(lines)
