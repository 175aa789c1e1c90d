"""Cases of what is rare and hard in criteria, and how many of them a prediction gets exactly right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from regreact.evaluation.gold import GoldNode, GoldUnit
from regreact.evaluation.score_report import UnitScore
from regreact.schema import QuantitativeItem
from regreact.sources.model import Block, Unit

PHENOMENA = (
    "inferred groups",
    "cross-reference corrections",
    "inherited thresholds",
    "N_OF_K",
    "windows",
    "recurring deadlines",
    "exemptions",
    "wrong nesting",
)
# Labels at the end of an id: `1(e)(a)` has two, `1(e).Verification(a)` one, `1(e).Verification` none.
_LABELS = re.compile(r"(?:\([a-z]+\))+$")


@dataclass(frozen=True, slots=True)
class Case:
    """One occurrence: it is right if all these fields of these criteria are.

    Attributes:
        phenomenon: One of `PHENOMENA`.
        fields: Pairs of criterion id and field of the score report.
    """

    phenomenon: str
    fields: tuple[tuple[str, str], ...]


def cases(gold: GoldUnit, unit: Unit) -> Iterator[Case]:
    """Yield the cases of a unit, from its gold tree and, for wrong nesting, from its markup."""
    for node in gold.nodes:
        own = node.criterion_id
        if not node.blocks and own != "ROOT":
            members = [n.criterion_id for n in gold.nodes if n.parent == own]
            yield Case("inferred groups", ((own, "parent"), *((m, "parent") for m in members)))
        if node.corrections:
            yield Case("cross-reference corrections", ((own, "dependency"),))
        if node.threshold_from is not None:
            yield Case("inherited thresholds", ((own, "dependency"), (own, "threshold")))
        if node.evaluation_logic == "N_OF_K":
            yield Case("N_OF_K", ((own, "logic"),))
        kinds = {i.type for i in node.threshold.temporal.items} if node.threshold and node.threshold.temporal else set()
        if "window" in kinds:
            yield Case("windows", ((own, "threshold"),))
        if "recurring" in kinds:
            yield Case("recurring deadlines", ((own, "threshold"),))
        if node.dependencies and any(c.status == "Negation" for c in node.dependencies.clauses):
            yield Case("exemptions", ((own, "dependency"),))
    for run in wrong_nesting(gold, unit):
        yield Case("wrong nesting", tuple((i, f) for i in run for f in ("criterion_id", "parent")))


def wrong_nesting(gold: GoldUnit, unit: Unit) -> list[list[str]]:
    """Return runs of criteria whose place in the markup's lists is not that in the tree.

    Example: items (c) and (d) that belong under "(b) the stock that is grown, including:".
    """
    holder = {i: n.criterion_id for n in gold.nodes for i in n.blocks}
    flagged = [(holder[b.index], _misplaced(b, holder[b.index])) for b in unit.blocks if b.index in holder]
    runs = [(misplaced, [i for i, _ in run]) for misplaced, run in groupby(flagged, key=lambda pair: pair[1])]
    return [run for misplaced, run in runs if misplaced]


def _misplaced(block: Block, criterion_id: str) -> bool:
    tail = _LABELS.search(criterion_id)
    labels = tail[0].strip("()").split(")(") if tail else []
    if block.depth != len(labels):
        return True
    return block.tag == "li" and block.marker not in ("-", *labels[-1:])


def takes_part(node: GoldNode, nodes: Sequence[GoldNode]) -> bool:
    """True if a criterion inherits some of several limits: "the 15-year mean referred to in point 1(e)(a)"."""
    taken, offered = set(quantitative(node)), set(offered_limits(node, nodes))
    return node.threshold_from is not None and bool(taken) and taken < offered


def offered_limits(node: GoldNode, nodes: Sequence[GoldNode]) -> tuple[QuantitativeItem, ...]:
    """Return the limits of the criterion that `node` inherits from, else those of its children (ruling C6)."""
    own = [quantitative(n) for n in nodes if n.criterion_id == node.threshold_from]
    below = [quantitative(n) for n in nodes if n.parent == node.threshold_from]
    return sum(own, ()) or sum(below, ())


def quantitative(node: GoldNode) -> tuple[QuantitativeItem, ...]:
    """Return the numeric limits of a node."""
    return node.threshold.quantitative.items if node.threshold and node.threshold.quantitative else ()


def tally(scored: Iterable[tuple[GoldUnit, Unit, UnitScore]]) -> dict[str, tuple[int, int]]:
    """Return exactly right cases and all cases by phenomenon, over units with their scores."""
    counts = dict.fromkeys(PHENOMENA, (0, 0))
    for gold, unit, score in scored:
        right = {(f.criterion_id, f.field): f.correct for f in score.fields if f.gold != "none" or f.field != "node"}
        for case in cases(gold, unit):
            exact, number = counts[case.phenomenon]
            hit = all(right.get(key, False) for key in case.fields)
            counts[case.phenomenon] = (exact + hit, number + 1)
    return counts
