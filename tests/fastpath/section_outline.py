"""Sections written as indented text, so that a test shows the markup that it is about.

Two spaces of indent are one list. "a) text" is a list item with that marker, "* text" one without, "| text" a
paragraph inside the item above, "# text" a heading. "~" closes the list of its indent, so that the next item opens
another one.
"""

from __future__ import annotations

import re

from regreact.fastpath.structure import parse_structure
from signatures.types import BlockView, UnitHeader

UNIT = UnitHeader(unit="KILN-1/SC", activity="Making bricks", objective="mitigation", section="SC")
_ITEM = re.compile(r"(?:([\w.-]{1,5})\)|\*)\s+(.*)")


def blocks(outline: str) -> list[BlockView]:
    """Return the blocks of an outline."""
    found: list[BlockView] = []
    # List and item that are open at each depth.
    lists: dict[int, str] = {}
    items: dict[int, str] = {0: ""}
    opened = 0
    for line in outline.strip("\n").splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        text = line.strip()
        if text == "~" or depth == 0:
            lists = {d: path for d, path in lists.items() if d < max(depth, 1)}
            if text == "~":
                continue
        match = _ITEM.match(text) if depth else None
        lists = {d: path for d, path in lists.items() if d <= depth}
        if match and depth not in lists:
            opened += 1
            outer = next((items[d] for d in range(depth - 1, -1, -1) if d in items), "")
            lists[depth] = f"{outer}/ol[{opened}]".lstrip("/")
        if match:
            items[depth] = f"{lists[depth]}/li[{len(found)}]"
        heading = text.startswith("# ")
        body = match[2] if match else text.removeprefix("# ").removeprefix("| ")
        found.append(
            BlockView(
                index=len(found),
                tag="li" if match else "p",
                depth=depth,
                marker=match[1] if match else None,
                text=body,
                heading=heading,
                list_path=lists.get(depth, "") if depth else "",
            )
        )
    return found


def ids(outline: str) -> list[str]:
    """Return the identifiers that the parser gives to the blocks of an outline."""
    return [a.value.criterion_id for a in parse_structure(UNIT, blocks(outline))]


def parents(outline: str) -> dict[str, str]:
    """Return the parent of each identifier of an outline."""
    return {a.value.criterion_id: a.value.parent for a in parse_structure(UNIT, blocks(outline))}
