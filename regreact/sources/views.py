"""Units as the signatures see them."""

from __future__ import annotations

from regreact.sources.model import Block, Unit
from signatures.types import BlockView


def list_path(block: Block) -> str:
    """Return the path of the innermost list around a block, "" outside lists.

    Example:
        >>> item = Block(index=1, tag="li", depth=1, marker="a", text="x", path="ol[2]/li[1]")
        >>> list_path(item)
        'ol[2]'
    """
    return block.path.rpartition("/li[")[0] if block.depth else ""


def block_views(unit: Unit) -> list[BlockView]:
    """Return the unit's blocks in document order; items of one list share `list_path`."""
    return [
        BlockView(
            index=block.index,
            tag=block.tag,
            depth=block.depth,
            marker=block.marker,
            text=block.text,
            heading=block.heading,
            list_path=list_path(block),
        )
        for block in unit.blocks
    ]
