"""Choose real units for annotation by a fixed rule, and print them: document, unit, number of blocks, set.

How to run me:  python experiments/select_units.py ../shared/data
"""

from __future__ import annotations

import difflib
import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from regreact.evaluation.gold import load_gold
from regreact.sources import read
from regreact.sources.model import Document, Unit

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = (
    "compass/taxonomy-1.0.4.json",
    "taxonomy/02021R2139-20250108.fmx.xml",
    "taxonomy/02023R2486-20260101.fmx.xml",
)
# How many units of which document (index above) and kind of section; the proportions are those of the gold set.
WANTED = ((0, "SC", 22), (2, "SC", 10), (0, "DNSH", 8), (1, "SC", 6), (2, "DNSH", 2))
SET_ASIDE = 16
FEWEST_WORDS, MOST_BLOCKS, NEAR = 25, 60, 0.8


def rank(document: str, unit: str) -> str:
    """Return the hash that orders units."""
    return hashlib.sha256(f"{document}/{unit}".encode()).hexdigest()


def words(unit: Unit) -> list[str]:
    """Return the words of a unit in lower case."""
    return " ".join(b.text for b in unit.blocks).lower().split()


def near(a: Sequence[str], b: Sequence[str]) -> bool:
    """True if two texts are nearly the same."""
    matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
    return matcher.real_quick_ratio() > NEAR and matcher.quick_ratio() > NEAR and matcher.ratio() > NEAR


def choose(documents: Sequence[Document], annotated: set[str]) -> Iterator[tuple[str, Unit]]:
    """Yield document id and unit, in the order of choice."""
    known = [words(u) for d in documents for u in d.units if u.key in annotated]
    taken: set[str] = set()
    for at, section, number in WANTED:
        document = documents[at]
        pool = [u for u in document.units if u.section.startswith(section) and u.key not in annotated]
        left = number
        for unit in sorted(pool, key=lambda u: rank(document.document, u.key)):
            own = words(unit)
            small = len(own) < FEWEST_WORDS or len(unit.blocks) > MOST_BLOCKS
            if not left or small or unit.key in taken or any(near(own, k) for k in known):
                continue
            known.append(own)
            taken.add(unit.key)
            left -= 1
            yield document.document, unit


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data")
    found = list(choose([read(folder / name) for name in DOCUMENTS], {g.unit for g in load_gold(ROOT / "data/gold")}))
    ordered = sorted(found, key=lambda pair: rank(pair[0], pair[1].key))
    for place, (source, chosen) in enumerate(ordered):
        print(source, chosen.key, len(chosen.blocks), "test" if place < SET_ASIDE else "validation", sep="\t")
