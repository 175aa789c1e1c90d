"""Reference score: sources matched by act, standard or place; then type, CELEX id, pinpoint and logic."""

from __future__ import annotations

from regreact.evaluation.semantic import deductions as points
from regreact.evaluation.semantic.citations import citation, same_source, stands_in
from regreact.schema import References, ReferenceSource


def reference_score(gold: References | None, found: References | None, text: str = "") -> float:
    """Score the references of one node; a surplus source is accepted if it stands in the text of the node."""
    early = points.one_sided(gold, found)
    if early is not None or gold is None or found is None:
        return early or points.EMPTY
    pairs, surplus = _paired(gold, found)
    missing = len(gold.sources) - len(pairs)
    if missing > points.MOST * len(gold.sources):
        return points.WRONG
    lost = sum(source_deduction(g, f) for g, f in pairs)
    false = sum(not stands_in(citation(s.text, s.celex_id), text) for s in surplus)
    lost += points.series(missing + false, points.ABSENT_SOURCE, points.NEXT_SOURCE)
    if min(len(gold.sources), len(found.sources)) > 1 and gold.logic != found.logic:
        lost += points.REFERENCE_JOINER
    mistyped = sum(g.type != f.type for g, f in pairs)
    # Level 2: "more than half of the types wrong"; a single one is a minor discrepancy (level 4).
    if mistyped > 1 and mistyped * 2 > len(pairs):
        return points.RECOGNISED
    return points.graded(lost)


def _paired(
    gold: References, found: References
) -> tuple[list[tuple[ReferenceSource, ReferenceSource]], list[ReferenceSource]]:
    """Return pairs, those with the least loss first, and what is left of the prediction."""
    wanted = [citation(s.text, s.celex_id) for s in gold.sources]
    given = [citation(s.text, s.celex_id) for s in found.sources]
    ranked = sorted(
        (source_deduction(gold.sources[i], found.sources[j]), i, j)
        for i, g in enumerate(wanted)
        for j, f in enumerate(given)
        if same_source(g, f)
    )
    partner: dict[int, int] = {}
    for _, i, j in ranked:
        if i not in partner and j not in partner.values():
            partner[i] = j
    pairs = [(gold.sources[i], found.sources[j]) for i, j in sorted(partner.items())]
    return pairs, [s for j, s in enumerate(found.sources) if j not in partner.values()]


def source_deduction(gold: ReferenceSource, found: ReferenceSource) -> float:
    """Return the points that one source loses against the gold source that it matches."""
    lost = points.TYPE_MISMATCH * (gold.type != found.type)
    lost += points.WRONG_CELEX * (gold.celex_id != found.celex_id)
    pinned = citation(gold.text, gold.celex_id).pins == citation(found.text, found.celex_id).pins
    return lost + points.OTHER_PINPOINT * (not pinned)
