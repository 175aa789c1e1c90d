"""Print, for each rare phenomenon, how many cases are exactly right of how many, as a Markdown table.

How to run me:  python experiments/phenomena.py samples invented gold validation
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from regreact.config import load
from regreact.evaluation.command import load_gold_for, source_units
from regreact.evaluation.phenomena import PHENOMENA, tally
from regreact.evaluation.scoring import score_folder
from regreact.runner import Extractor


def counts(data: str) -> dict[str, tuple[int, int]]:
    """Extract a data set without a model and return exactly right cases and all cases by phenomenon."""
    settings = load([f"data={data}"])
    assert settings.data.gold is not None
    gold = load_gold_for(settings.data.gold)
    units = source_units(gold, settings.data.source)
    with tempfile.TemporaryDirectory() as folder:
        Extractor(settings).extract_to(list(units.values()), Path(folder))
        report = score_folder(Path(folder), gold, units)
    return tally((g, units[g.source, g.unit], s) for g, s in zip(gold, report.units, strict=True))


def table(names: Sequence[str]) -> str:
    """Return the table with a column for each data set."""
    columns = [counts(name) for name in names]
    lines = ["| phenomenon | " + " | ".join(names) + " |", "|---|" + "---:|" * len(names)]
    for phenomenon in PHENOMENA:
        cells = [f"{exact} / {n}" for exact, n in (c[phenomenon] for c in columns)]
        lines.append(f"| {phenomenon} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(sys.argv[1:] or ["samples", "gold"]))
