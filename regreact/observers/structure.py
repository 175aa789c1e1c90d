"""Checks of stage 1 answers: coverage, identifiers, parents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from regreact.answers import Answer, Place
from regreact.observers.base import Issue, observer


@observer("ParseStructure")
def block_coverage(inputs: Mapping[str, Any], answers: Sequence[Answer[Place]]) -> Iterator[Issue]:
    """Every block with letters has a place (guidelines section 1)."""
    placed = {a.id for a in answers if a.value is not None and a.value.criterion_id}
    for block in inputs["blocks"]:
        if str(block.index) not in placed and any(ch.isalpha() for ch in block.text):
            evidence = ((block.index, 0, len(block.text)),)
            yield Issue(
                str(block.index),
                "completeness",
                "critical",
                "criterion_id",
                "block without criterion",
                evidence,
                "block_coverage",
            )


@observer("ParseStructure")
def unique_ids(inputs: Mapping[str, Any], answers: Sequence[Answer[Place]]) -> Iterator[Issue]:
    """No two blocks share a criterion id."""
    first: dict[str, str] = {}
    for answer in answers:
        place = answer.value
        if place is None or not place.criterion_id:
            continue
        if place.criterion_id in first:
            yield Issue(
                answer.id,
                "structural",
                "critical",
                "criterion_id",
                f"{place.criterion_id} is also block {first[place.criterion_id]}",
                (),
                "unique_ids",
            )
        first.setdefault(place.criterion_id, answer.id)


@observer("ParseStructure")
def known_parents(inputs: Mapping[str, Any], answers: Sequence[Answer[Place]]) -> Iterator[Issue]:
    """Every parent is ROOT or another criterion, and no criterion is its own ancestor."""
    parents = {a.value.criterion_id: a.value.parent for a in answers if a.value is not None}
    for answer in answers:
        place = answer.value
        if place is None or place.criterion_id in ("", "ROOT"):
            continue
        if place.parent != "ROOT" and place.parent not in parents:
            yield Issue(
                answer.id,
                "structural",
                "critical",
                "parent",
                f"parent {place.parent} does not exist",
                (),
                "known_parents",
            )
        elif _circular(place.criterion_id, parents):
            yield Issue(
                answer.id,
                "structural",
                "critical",
                "parent",
                f"{place.criterion_id} is its own ancestor",
                (),
                "known_parents",
            )


def _circular(criterion_id: str, parents: Mapping[str, str]) -> bool:
    seen = {criterion_id}
    up = parents.get(criterion_id)
    while up and up != "ROOT":
        if up in seen:
            return True
        seen.add(up)
        up = parents.get(up)
    return False
