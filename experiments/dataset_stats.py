"""Build the dataset of the delegated acts, and that of the Compass dump, and print what they hold as Markdown.

How to run me:  python experiments/dataset_stats.py > experiments/dataset_stats.md
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from regreact.config import load
from regreact.dataset.build import DEFAULT_DOCUMENTS, Request, build
from regreact.dataset.overview import render
from regreact.dataset.statistics import statistics_of
from regreact.dataset.tables import read_activities
from regreact.sources import find_source

# The paper's source, in the version that is at hand: climate act only, before its amendments of 2022 and 2023.
COMPASS = "compass-1.0.4"
HEAD = """# What the built dataset holds

Made by `python experiments/dataset_stats.py > experiments/dataset_stats.md`: `regreact dataset build` and
`regreact dataset stats`, without a model. Counts of what was extracted, not of what is right.
"""


def tables(documents: tuple[str, ...]) -> str:
    """Build a dataset of documents and return its statistics, a level lower than a file's own headings."""
    sources = tuple(str(find_source(document)) for document in documents)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "dataset"
        record = build(Request(sources, out), load()).record
        files = [out / name for name in record.files if name in ("nested.jsonl", "appendices.jsonl")]
        counts = statistics_of(list(read_activities(files)))
    lines = [f"* `{s.document}`: {s.format}, {s.units} units, SHA-256 `{s.sha256}`" for s in record.sources]
    return "\n".join(lines) + "\n\n" + render(counts).replace("## ", "### ")


if __name__ == "__main__":
    print(HEAD)
    print("## Delegated acts, as consolidated\n")
    print(tables(DEFAULT_DOCUMENTS))
    print("## Compass dump of June 2022\n")
    print(tables((COMPASS,)).rstrip("\n"))
