"""Score each set of annotations with the rules as they were before anybody saw it: what is not fit.

How to run me:  python experiments/first_sight.py > experiments/first_sight.md
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from regreact.evaluation.command import load_gold_for, source_units
from regreact.evaluation.scoring import NAMES, PERCENT, SEMANTIC, ScoreReport, score_folder

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("REGREACT_DATA", ROOT.parent / "shared/data"))
DOCUMENTS = {
    "compass-1.0.4": "compass/taxonomy-1.0.4.json",
    "02021R2139-20250108": "taxonomy/02021R2139-20250108.fmx.xml",
    "02023R2486-20260101": "taxonomy/02023R2486-20260101.fmx.xml",
}
# Set, batch of it, and the last commit whose rules knew nothing of it.
READINGS = (
    ("validation", "", "a54f40a"),
    ("invented", "a", "a54f40a"),
    ("invented", "b", "deec54f"),
    ("invented", "c", "deec54f"),
    ("invented", "d", "b84b897"),
    ("test", "", "bba848f"),
)


def reading(data: str, batch: str, commit: str) -> ScoreReport:
    """Extract with the code of a commit, score with the present code."""
    gold = load_gold_for(str(ROOT / "data" / data / ("gold" if data == "invented" else "")))
    html = ROOT / "data/invented/html"
    if batch:
        names = json.loads((ROOT / "data/invented/batches.json").read_text(encoding="utf-8"))[batch]
        gold = [g for g in gold if g.source in names]
    units = source_units(gold, str(html) if batch else str(DATA))
    with tempfile.TemporaryDirectory() as folder:
        tree, out = Path(folder) / "tree", Path(folder) / "out"
        subprocess.run(["git", "-C", str(ROOT), "worktree", "add", "-q", "--detach", str(tree), commit], check=True)
        try:
            for path in {html if batch else DATA / DOCUMENTS[g.source] for g in gold}:
                own = [g for g in gold if batch or DATA / DOCUMENTS[g.source] == path]
                wanted = [x for g in own for x in ("--unit", g.unit)]
                command = [sys.executable, "-m", "regreact.cli", "extract", str(path), "--out", str(out), "-q", *wanted]
                subprocess.run(command, cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)}, check=True)
        finally:
            subprocess.run(["git", "-C", str(ROOT), "worktree", "remove", "--force", str(tree)], check=True)
        return score_folder(out, gold, units)


def lines() -> Iterator[str]:
    """Yield the Markdown page."""
    yield "# First sight"
    yield ""
    yield "Made by `python experiments/first_sight.py`: each set of annotations is scored with the rules of the last"
    yield "commit before anybody had looked at it. All later figures on these sets are fit. Mean over units."
    yield ""
    reports = [reading(*r) for r in READINGS]
    pairs = zip(READINGS, reports, strict=True)
    titles = [f"{f'{data} {batch}'.strip()} ({len(r.units)} units, {commit})" for (data, batch, commit), r in pairs]
    yield "| | " + " | ".join(titles) + " |"
    yield "|---|" + "---:|" * len(titles)
    for metric in (*PERCENT, *SEMANTIC):
        cells = [f"{s.mean:.2f}" if (s := r.statistic(metric)) else "-" for r in reports]
        yield f"| {NAMES[metric]} | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    print("\n".join(lines()))
