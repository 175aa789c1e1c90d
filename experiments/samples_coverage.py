"""Print what the embedded samples cover, as a Markdown table (the one in `data/samples/README.md`).

How to run me:  python experiments/samples_coverage.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from regreact.evaluation.gold import GoldUnit, load_gold
from regreact.evaluation.phenomena import quantitative, takes_part, wrong_nesting
from regreact.sources import read_many
from regreact.sources.model import Unit

SAMPLES = Path(__file__).resolve().parents[1] / "data" / "samples"

# What the samples must hold at least `MINIMUM` cases of, because annotated units of real acts hold few.
REQUIRED = (
    "inferred groups",
    "cross-reference corrections",
    "inherited thresholds that take part of the source's limits",
    "N_OF_K",
    "windows",
    "recurring deadlines",
    "wrong nesting",
)
MINIMUM = 8


def sample_units(samples: Path = SAMPLES) -> dict[str, Unit]:
    """Return the units of both sample documents by key, as the readers give them."""
    folders = (samples / "compass", samples / "formex")
    return {unit.key: unit for f in folders for document in read_many(f).documents for unit in document.units}


def coverage(gold: Sequence[GoldUnit], units: Mapping[str, Unit]) -> dict[str, tuple[int, int]]:
    """Count the cases of each phenomenon, and the units that hold it.

    Args:
        gold: Annotated units.
        units: The same units as read, by key.

    Returns:
        (cases, units) by phenomenon, in the order of the table.
    """
    found: dict[str, tuple[int, int]] = {}
    for unit in gold:
        for name, count in _unit_cases(unit, units[unit.unit]).items():
            cases, holders = found.get(name, (0, 0))
            found[name] = (cases + count, holders + (count > 0))
    return found


def _unit_cases(gold: GoldUnit, unit: Unit) -> dict[str, int]:
    nodes = gold.nodes
    temporal = [
        item.type for n in nodes if n.threshold and n.threshold.temporal for item in n.threshold.temporal.items
    ]
    clauses = [c.status for n in nodes if n.dependencies for c in n.dependencies.clauses]
    return {
        "nodes": len(nodes),
        "inferred groups": sum(not n.blocks and n.criterion_id != "ROOT" for n in nodes),
        "cross-reference corrections": sum(len(n.corrections) for n in nodes),
        "inherited thresholds": sum(n.threshold_from is not None for n in nodes),
        "inherited thresholds that take part of the source's limits": sum(takes_part(n, nodes) for n in nodes),
        "N_OF_K": sum(n.evaluation_logic == "N_OF_K" for n in nodes),
        "OR": sum(n.evaluation_logic == "OR" for n in nodes),
        "windows": temporal.count("window"),
        "recurring deadlines": temporal.count("recurring"),
        "other dates": len(temporal) - temporal.count("window") - temporal.count("recurring"),
        "quantitative limits": sum(len(quantitative(n)) for n in nodes),
        "wrong nesting": len(wrong_nesting(gold, unit)),
        "anchored paragraphs": sum(re.search(r"\.[A-Z]\w+(-\d+)?$", n.criterion_id) is not None for n in nodes),
        "dependencies on a criterion that is met": clauses.count("Affirmation"),
        "dependencies on a criterion that is not met": clauses.count("Negation"),
        "references": sum(len(n.references.sources) for n in nodes if n.references),
        "footnotes": sum(len(n.footnotes) for n in nodes),
    }


def table(found: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| phenomenon | cases | units |"
    yield "|---|---|---|"
    for name, (cases, holders) in found.items():
        yield f"| {name} | {cases} | {holders} |"


if __name__ == "__main__":
    print("\n".join(table(coverage(load_gold(SAMPLES / "gold"), sample_units()))))
