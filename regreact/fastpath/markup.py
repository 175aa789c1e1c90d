"""The floor: the tree that list nesting and explicit numbers spell out, without any look at the wording."""

from __future__ import annotations

import re
from collections.abc import Sequence

from regreact.answers import Answer, Place
from signatures.types import BlockView

_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2})*)\.?\s")
_CONFIDENCE = 0.5


def markup_structure(blocks: Sequence[BlockView]) -> list[Answer[Place]]:
    """Return the place of every block as the markup has it; the baseline that every table starts from.

    A paragraph with a number is the criterion of that number below its prefix. One without takes the next number
    of the top level, but stays beside the criterion before it where the section has numbers. A list item adds its
    marker to the item around it, in the outermost list to the paragraph before it.

    Example:
        >>> blocks = [
        ...     BlockView(index=0, tag="p", depth=0, marker=None, text="1. One of:"),
        ...     BlockView(index=1, tag="li", depth=1, marker="a", text="a kiln;"),
        ... ]
        >>> [a.value.criterion_id for a in markup_structure(blocks)]
        ['1', '1(a)']
    """
    answers: list[Answer[Place]] = []
    taken: set[str] = set()
    # The last numbered criterion, once there is one.
    last: Place | None = None
    # Identifier of the last block at each list depth.
    around: dict[int, str] = {}
    for block in blocks:
        numbered = _numbered(block, taken)
        last = numbered or last
        place = _listed(block, around) or numbered or last or _counted(taken)
        place = Place(_unused(place.criterion_id, taken), place.parent)
        taken.add(place.criterion_id)
        around = {depth: i for depth, i in around.items() if depth < block.depth}
        around[block.depth] = place.criterion_id
        answers.append(Answer(str(block.index), place, _CONFIDENCE, rule="markup"))
    return answers


def _listed(block: BlockView, around: dict[int, str]) -> Place | None:
    outer = [depth for depth in around if depth < block.depth]
    if block.tag != "li" or not outer:
        return None
    parent = around[max(outer)]
    return Place(f"{parent}({block.marker or '-'})", parent)


def _counted(taken: set[str]) -> Place:
    return Place(str(len([i for i in taken if i.isdigit()]) + 1), "ROOT")


def _numbered(block: BlockView, taken: set[str]) -> Place | None:
    match = _NUMBER.match(block.text) if block.tag == "p" else None
    if match is None:
        return None
    stem = match[1].rpartition(".")[0]
    return Place(match[1], stem if stem in taken else "ROOT")


def _unused(criterion_id: str, taken: set[str]) -> str:
    candidate, copy = criterion_id, 2
    while candidate in taken:
        candidate, copy = f"{criterion_id}-{copy}", copy + 1
    return candidate
