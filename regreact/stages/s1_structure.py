"""Stage 1: recover the criterion hierarchy from the blocks (paper section 3.3, appendix E.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from regreact.answers import Answer, Place
from regreact.config import Settings
from regreact.graph import reposition
from regreact.observers.base import Issue
from regreact.schema import Edge
from regreact.sources.limits import check_depth
from regreact.sources.model import Block, Unit
from regreact.sources.views import block_views
from regreact.stages.base import NO_REPORTS, Reports, Stage, StageOutput, header
from signatures.structure import ParseStructure
from signatures.types import CriterionView

ROOT = "ROOT"


class StructuralParser(Stage):
    """Gives every block its criterion and every criterion its parent."""

    name = "s1"
    provides = "structure"

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.parse = self.question(ParseStructure, lambda _: Place("", ""))

    def forward(self, unit: Unit, *, reports: Reports = NO_REPORTS) -> StageOutput:
        """Return the criteria of the unit in document order, ROOT first.

        Raises:
            UnitError: The tree is too deep to be written.
        """
        outcome = self.ask(
            self.parse,
            {"unit": header(unit), "blocks": block_views(unit)},
            [str(b.index) for b in unit.blocks],
            reports,
        )
        criteria = build_tree(unit.blocks, outcome.answers)
        issues: tuple[Issue, ...] = ()
        if self.settings.graph.enabled:
            criteria, moved = reposition(criteria)
            issues = tuple(moved)
        check_depth(unit.key, {c.criterion_id: c.parent for c in criteria})
        return StageOutput(self.name, {"ParseStructure": outcome}, criteria, edges=hierarchy(criteria), issues=issues)


def hierarchy(criteria: Sequence[CriterionView]) -> tuple[Edge, ...]:
    """Return the parent-child edges of a tree."""
    return tuple(Edge(source=c.parent, target=c.criterion_id, type="hierarchy") for c in criteria if c.parent)


def build_tree(blocks: Sequence[Block], answers: Mapping[str, Answer[Any]]) -> tuple[CriterionView, ...]:
    """Return a tree that holds every block with text, whatever the answers are.

    Blocks without place become top-level criteria with the next free number, a repeated id gets a suffix, an unknown
    or circular parent is replaced by ROOT; the observers report each of these.
    """
    places = _unique_places(blocks, answers)
    taken = {p.criterion_id for p in places.values()}
    by_id = {p.criterion_id: p for p in places.values()}
    root = CriterionView(criterion_id=ROOT, parent=None, block=None, text="")
    criteria: list[CriterionView] = []
    for block in blocks:
        place = places.get(block.index)
        if place is None:
            continue
        view = CriterionView(
            criterion_id=place.criterion_id,
            parent=None if place.criterion_id == ROOT else _safe_parent(place, taken, by_id),
            block=block.index,
            text=block.text,
            heading=block.heading,
            footnotes=block.footnotes,
        )
        if place.criterion_id == ROOT:
            root = view
        else:
            criteria.append(view)
    return (root, *criteria)


def _unique_places(blocks: Sequence[Block], answers: Mapping[str, Answer[Any]]) -> dict[int, Place]:
    places: dict[int, Place] = {}
    taken: set[str] = set()
    for block in blocks:
        answer = answers.get(str(block.index))
        place: Place | None = answer.value if answer is not None else None
        unplaced = place is None or not place.criterion_id
        if unplaced and answer is not None and answer.answered_by != "default" and place is not None:
            if not any(ch.isalnum() for ch in block.text):
                continue
        if place is None or unplaced:
            number = 1
            while str(number) in taken:
                number += 1
            place = Place(str(number), ROOT)
        criterion_id, n = place.criterion_id, 2
        while criterion_id in taken:
            criterion_id = f"{place.criterion_id}-{n}"
            n += 1
        taken.add(criterion_id)
        places[block.index] = Place(criterion_id, place.parent)
    return places


def _safe_parent(place: Place, taken: set[str], by_id: Mapping[str, Place]) -> str:
    seen, up = {place.criterion_id}, place.parent
    while up != ROOT:
        if up not in taken or up in seen:
            return ROOT
        seen.add(up)
        up = by_id[up].parent
    return place.parent
