"""Extract the four consolidated versions of the climate act one after another, and print what each amendment costs.

How to run me:  python experiments/amendments.py > experiments/amendments.md
"""

from __future__ import annotations

import tempfile
import time
from itertools import pairwise
from pathlib import Path

from regreact.amendments import earlier_version
from regreact.config import load
from regreact.diff.build import difference
from regreact.diff.sides import load_side
from regreact.manifest import unit_path
from regreact.runner import Extractor
from regreact.sources import find_source, read
from regreact.sources.model import Document

VERSIONS = ("02021R2139-20230101", "02021R2139-20240101", "02021R2139-20250108", "02021R2139-20260101")
HEAD = """# Extraction after an amendment

Made by `python experiments/amendments.py > experiments/amendments.md`: the four consolidated versions of Delegated
Regulation (EU) 2021/2139 into one folder, each with `regreact extract … --since OUT/<version before>`, without a
model. A section is taken over if its blocks, footnotes, title and the activity's description, all of which the
extraction reads, are the same as in the version before. Every file was compared, byte by byte, with that of a fresh
extraction. Seconds are of one process on a shared machine; the ratio counts, not the figure.
"""
COLUMNS = (
    "version", "sections", "taken over", "extracted", "of these new", "seconds", "seconds, fresh", "files that differ",
)  # fmt: skip
CHANGES = ("version", "activities added", "removed", "criteria added", "removed", "changed", "moved", "thresholds")


def main() -> None:
    """Print both tables."""
    documents = [read(find_source(version)) for version in VERSIONS]
    with tempfile.TemporaryDirectory() as folder:
        out, fresh = Path(folder) / "out", Path(folder) / "fresh"
        print(HEAD)
        print(row(COLUMNS), row(["---", *["---:"] * (len(COLUMNS) - 1)]), sep="\n")
        for at, document in enumerate(documents):
            print(row(extracted(document, documents[at - 1] if at else None, out, fresh)))
        print("\n`regreact diff` between each version and the one before:\n")
        print(row(CHANGES), row(["---", *["---:"] * (len(CHANGES) - 1)]), sep="\n")
        for old, new in pairwise(VERSIONS):
            print(row(changed(out, old, new)))


def extracted(document: Document, before: Document | None, out: Path, fresh: Path) -> list[object]:
    """Extract a version after the one before it, and afresh, and return its row."""
    extractor = Extractor(load())
    since = earlier_version(out / before.document) if before else None
    started = time.perf_counter()
    summary = extractor.extract_to(document.units, out, since=since)
    seconds = time.perf_counter() - started
    started = time.perf_counter()
    extractor.extract_to(document.units, fresh)
    afresh = time.perf_counter() - started
    differing = 0
    for unit in document.units:
        ours, theirs = (unit_path(folder, document.document, unit.key).read_bytes() for folder in (out, fresh))
        differing += ours != theirs
    known = {unit.key for unit in before.units} if before else set()
    kept = sum(line.status == "kept" for line in summary.lines)
    new = sum(unit.key not in known for unit in document.units)
    count = len(document.units)
    return [document.document, count, kept, count - kept, new, f"{seconds:.1f}", f"{afresh:.1f}", differing]


def changed(out: Path, old: str, new: str) -> list[object]:
    """Return the row of a comparison."""
    found = difference(load_side(str(out / old)), load_side(str(out / new)), Extractor(load()))
    counts = found.summary()
    criteria, activities = counts["criteria"], counts["activities"]
    kinds = [criteria[kind] for kind in ("added", "removed", "changed", "moved")]
    return [new, activities["added"], activities["removed"], *kinds, counts["fields"].get("threshold", 0)]


def row(cells: object) -> str:
    """Return a row of a Markdown table."""
    assert isinstance(cells, (list, tuple))
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
