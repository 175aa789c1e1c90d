"""Which units to annotate: a sample stratified by complexity tier and act (paper appendix G).

The tier is decided from an extraction, so a unit that the program reads too simply lands in too low a tier: the
sample is for annotation, not for estimates about the population.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from regreact.identifiers import anchor_above
from regreact.schema import Criterion, Extraction

Tier = Literal["simple", "medium", "complex"]
# Shares of the tiers in the paper's gold set.
SHARES: dict[Tier, float] = {"simple": 0.3, "medium": 0.4, "complex": 0.3}
# Children of a chapeau that is still of medium complexity.
MEDIUM_CHILDREN = range(2, 6)
_ACT = re.compile(r"^[A-Za-z]+(?=-)")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit that may be sampled.

    Attributes:
        unit: Unit key.
        document: Source document id.
        act: Act in the unit key, the document for keys of another form.
        tier: Complexity tier.
        reason: What put it there.
        criteria: Number of criteria without ROOT.
    """

    unit: str
    document: str
    act: str
    tier: Tier
    reason: str
    criteria: int


@dataclass(frozen=True, slots=True)
class Sample:
    """What was drawn, and how many each tier lacks to its share."""

    drawn: tuple[Candidate, ...]
    lacking: Mapping[Tier, int]


def candidate(extraction: Extraction) -> Candidate | None:
    """Return a unit with its tier, None if it states no criterion ("N/A", or background only)."""
    below = [n for n in extraction.criteria.walk() if n is not extraction.criteria]
    if all("BackgroundInformation" in n.tags for n in below):
        return None
    tier, reason = tier_of(extraction)
    document = extraction.source.document
    match = _ACT.match(extraction.unit)
    return Candidate(extraction.unit, document, match[0] if match else document, tier, reason, len(below))


def tier_of(extraction: Extraction) -> tuple[Tier, str]:
    """Return the complexity tier of a unit and the reasons for it.

    * complex: pathways (N_OF_K or joint alternatives in a container), anchored paragraphs, footnotes, corrected
      cross-references, inherited thresholds, gating between criteria, or a chapeau with more than five children.
    * medium: otherwise, if a criterion has children of its own or more than one threshold item.
    * simple: leaves with at most one threshold item and nothing between them.
    """
    nodes = [n for n in extraction.criteria.walk() if n is not extraction.criteria]
    signs = [name for name, found in _complex_signs(extraction, nodes) if found]
    if signs:
        return "complex", ", ".join(signs)
    chapeaux = [n for n in nodes if n.sub_criteria]
    if chapeaux:
        return "medium", f"chapeau: {len(chapeaux)}, at most {max(len(n.sub_criteria) for n in chapeaux)} children"
    most = max((_items(n) for n in nodes), default=0)
    if most > 1:
        return "medium", f"threshold items in one criterion: {most}"
    return "simple", f"leaves: {len(nodes)}, threshold items: {sum(map(_items, nodes))}"


def _complex_signs(extraction: Extraction, nodes: Sequence[Criterion]) -> Iterator[tuple[str, Any]]:
    everything = (extraction.criteria, *nodes)
    pathways = any(not n.verbatim_text for n in nodes) or any(n.evaluation_logic == "N_OF_K" for n in everything)
    yield "pathways", pathways
    yield "anchored paragraphs", any(anchor_above(n.criterion_id) for n in nodes)
    yield "footnotes", any(n.footnotes for n in everything)
    yield "corrections", extraction.corrections
    yield "inheritance", any(e.type == "inherits_threshold" for e in extraction.edges)
    yield "dependencies", any(n.dependencies for n in everything)
    yield "wide chapeau", any(len(n.sub_criteria) > max(MEDIUM_CHILDREN) for n in nodes)


def _items(node: Criterion) -> int:
    parts = (node.threshold.quantitative, node.threshold.temporal) if node.threshold else ()
    return sum(len(p.items) for p in parts if p is not None)


def draw(
    candidates: Sequence[Candidate], size: int, seed: int = 0, clusters: Sequence[Collection[str]] = ()
) -> Sample:
    """Draw a sample: tiers by their shares, acts in turn within a tier.

    Args:
        candidates: Where to draw from.
        size: Number of units wanted.
        seed: Two draws with one seed are equal, whatever the order of the candidates.
        clusters: Near-duplicates (`splits.clusters`); a second unit of one is drawn only if its tier would else lack
            units.
    """
    cluster = {key: number for number, keys in enumerate(clusters) for key in keys}
    taken: set[int] = set()
    rng = random.Random(seed)
    drawn: list[Candidate] = []
    lacking: dict[Tier, int] = {}
    # The rarest tiers choose first among near-duplicates that fall into several.
    for tier in sorted(SHARES, key=lambda t: sum(c.tier == t for c in candidates)):
        wanted = shares(size)[tier]
        first: list[Candidate] = []
        further: list[Candidate] = []
        for found in _in_turn([c for c in candidates if c.tier == tier], rng):
            number = cluster.get(found.unit, -1)
            fresh = number not in taken and len(first) < wanted
            (first if fresh else further).append(found)
            taken |= {number} - {-1} if fresh else set()
        here = [*first, *further][:wanted]
        drawn += here
        if len(here) < wanted:
            lacking[tier] = wanted - len(here)
    return Sample(tuple(sorted(drawn, key=lambda c: (list(SHARES).index(c.tier), c.unit, c.document))), lacking)


def shares(size: int) -> dict[Tier, int]:
    """Return how many units each tier gets (largest remainders).

    Example:
        >>> shares(15)
        {'simple': 5, 'medium': 6, 'complex': 4}
    """
    exact = {tier: share * size for tier, share in SHARES.items()}
    counts = {tier: int(value + 1e-9) for tier, value in exact.items()}
    # Equal remainders: the tier that is named first.
    for tier in sorted(SHARES, key=lambda t: counts[t] - exact[t])[: size - sum(counts.values())]:
        counts[tier] += 1
    return counts


def _in_turn(candidates: Sequence[Candidate], rng: random.Random) -> Iterator[Candidate]:
    """Yield candidates in random order, one of each act in turn, until all acts are used up."""
    by_act: dict[str, list[Candidate]] = defaultdict(list)
    for found in sorted(candidates, key=lambda c: (c.act, c.unit, c.document)):
        by_act[found.act].append(found)
    for units in by_act.values():
        rng.shuffle(units)
    for turn in range(max(map(len, by_act.values()), default=0)):
        yield from (units[turn] for units in by_act.values() if turn < len(units))
