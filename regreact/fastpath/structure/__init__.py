"""Fast path of `signatures.structure`: the criterion hierarchy from the blocks.

A section passes through `PASSES` in order; each reads or decides one thing and is tested by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from regreact.answers import Answer, Place, solver
from regreact.fastpath.structure.draft import Draft, Node, Role
from regreact.fastpath.structure.lists import find_paragraph_items, hang_lists
from regreact.fastpath.structure.names import places, settle_labels
from regreact.fastpath.structure.paragraphs import place_paragraphs
from regreact.fastpath.structure.reading import (
    drop_noise,
    read_headings,
    read_introductions,
    read_markers,
    read_numbers,
)
from regreact.fastpath.structure.repair import label_items, lift_complete, lift_tails, unfold_siblings
from regreact.fastpath.structure.top import (
    place_before_numbers,
    place_headings,
    place_homeless_items,
    place_numbers,
)
from signatures.types import BlockView, UnitHeader

Pass = Callable[[Draft], None]


def place_lists(draft: Draft) -> None:
    """Hang all list items below their chapeaux, repair broken nesting, and label them."""
    listings = hang_lists(draft)
    lift_complete(draft, listings)
    unfold_siblings(draft, listings)
    lift_tails(draft, listings)
    label_items(draft, listings)


# How often annotators agreed with the place of a block that no pass was unsure about.
_PLAIN = {
    Role.OPEN: 0.5, Role.NUMBER: 0.995, Role.ITEM: 0.975, Role.ANCHORED: 0.9, Role.ROOT: 0.97, Role.NOISE: 0.97,
}  # fmt: skip

PASSES: tuple[Pass, ...] = (
    drop_noise,
    read_numbers,
    read_markers,
    read_headings,
    read_introductions,
    find_paragraph_items,
    place_lists,
    place_numbers,
    place_before_numbers,
    place_headings,
    place_homeless_items,
    place_paragraphs,
    settle_labels,
)


def draft_of(blocks: Sequence[BlockView], passes: Sequence[Pass] = PASSES) -> Draft:
    """Return the working record of a section after the given passes."""
    draft = [Node(at, block) for at, block in enumerate(blocks)]
    for step in passes:
        step(draft)
    return draft


@solver("ParseStructure")
def parse_structure(unit: UnitHeader, blocks: Sequence[BlockView], guidance: str = "") -> list[Answer[Place]]:
    """Return the place of every block in the criterion tree (guidelines section 2, paper appendix E.1).

    Identifiers are unique and parents exist. A block that is layout only has an empty place; the chapeau of a
    numbered top level is ROOT.

    Args:
        unit: Not used: structure follows from the blocks alone.
        blocks: All blocks of the section, in document order.
        guidance: Not used.
    """
    draft = draft_of(blocks)
    return [
        Answer(
            str(node.view.index),
            place,
            min(node.confidence, _PLAIN[node.role]),
            tuple(node.evidence),
            rule=node.decided_by,
        )
        for node, place in zip(draft, places(draft), strict=True)
    ]
