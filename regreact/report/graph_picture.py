"""The criterion graph as a picture: where each criterion and each edge is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import igraph

from regreact.report.view import Node, UnitView, href_of

# Kinds of edges as the legend names them, in the order in which they are drawn.
KINDS = {
    "hierarchy": "belongs to",
    "group_member": "member of a pathway",
    "depends_on": "applies if",
    "inherits_threshold": "takes its threshold from",
    "corrects": "corrected citation",
    "references": "refers to",
}
_ROW, _GAP, _MARGIN = 26.0, 46.0, 14.0
_HEIGHT, _LETTER, _LONGEST = 18.0, 7.0, 24
_OUTSIDE_LONGEST = 40
# Least bows of edges at the right side, apart so that edges between the same two criteria can be told.
_BOWS = {"depends_on": 24.0, "inherits_threshold": 36.0, "corrects": 48.0}


@dataclass(frozen=True, slots=True)
class Box:
    """A drawn criterion, or a target outside the unit; lengths in pixels, `x`, `y` its left upper corner."""

    label: str
    title: str
    href: str
    x: float
    y: float
    width: float
    kind: str
    height: float = _HEIGHT

    @property
    def left(self) -> tuple[float, float]:
        """Middle of its left side."""
        return self.x, self.y + self.height / 2

    @property
    def right(self) -> tuple[float, float]:
        """Middle of its right side."""
        return self.x + self.width, self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Line:
    """A drawn edge; `path` is in SVG's notation."""

    kind: str
    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn graph, and how many edges of each kind it shows."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    kinds: dict[str, int]


def draw(view: UnitView) -> Picture:
    """Draw a unit: the tree from left to right, one criterion a row or less, targets outside it in a last column."""
    inside = _place(view.nodes)
    edges = view.extraction.edges
    names = [e.target for e in edges if e.type == "references" and e.source in inside]
    outside = _outside(list(dict.fromkeys(names)), inside)
    lines, counts = [], dict.fromkeys(KINDS, 0)
    for kind, words in KINDS.items():
        for e in edges:
            start = inside.get(e.source)
            end = outside.get(e.target) if kind == "references" else inside.get(e.target)
            if e.type != kind or start is None or end is None:
                continue
            counts[kind] += 1
            lines.append(Line(kind, _path(kind, start, end), f"{e.source} {words} {e.target}"))
    boxes = (*inside.values(), *outside.values())
    width = max(b.x + b.width for b in boxes) + 60
    height = max(b.y + b.height for b in boxes) + _MARGIN
    return Picture(int(width), int(height), boxes, tuple(lines), {k: n for k, n in counts.items() if n})


def _place(nodes: Sequence[Node]) -> dict[str, Box]:
    """Return a box for every criterion by id, laid out as a tidy tree (Reingold and Tilford)."""
    at = {id(n): i for i, n in enumerate(nodes)}
    edges = [(at[id(n)], at[id(child)]) for n in nodes for child in n.children]
    layout = igraph.Graph(n=len(nodes), edges=edges, directed=True).layout_reingold_tilford(mode="out", root=[0])
    top = min(y for y, _ in layout.coords)
    labels = [_label(n) for n in nodes]
    columns = _columns(nodes, labels)
    boxes: dict[str, Box] = {}
    for node, label, (across, _) in zip(nodes, labels, layout.coords, strict=True):
        c = node.criterion
        x, y = columns[node.level - 1], _MARGIN + (across - top) * _ROW
        kind = c.evaluation_logic.lower().replace("_", "-")
        box = Box(label, c.rule_summary, href_of(node.anchor), x, y, _width(label), kind)
        boxes.setdefault(c.criterion_id, box)
    return boxes


def _label(node: Node) -> str:
    return _cut(node.criterion.criterion_id, _LONGEST) + (f" · {node.join}" if node.join else "")


def _width(label: str) -> float:
    return 12 + _LETTER * len(label)


def _columns(nodes: Sequence[Node], labels: Sequence[str]) -> list[float]:
    """Return where the column of each level begins."""
    widths = [0.0] * max(n.level for n in nodes)
    for node, label in zip(nodes, labels, strict=True):
        widths[node.level - 1] = max(widths[node.level - 1], _width(label))
    return list(accumulate((w + _GAP for w in widths), initial=_MARGIN))


def _outside(names: list[str], inside: dict[str, Box]) -> dict[str, Box]:
    """Return boxes for targets outside the unit, in a column of their own, from the top."""
    x = max(b.x + b.width for b in inside.values()) + 130
    boxes = {}
    for i, name in enumerate(names):
        label = _cut(name, _OUTSIDE_LONGEST)
        boxes[name] = Box(label, name, "", x, _MARGIN + i * _ROW, _width(label), "outside")
    return boxes


def _path(kind: str, start: Box, end: Box) -> str:
    """Return the line from one box to another.

    Hierarchy and references run from the right of one box to the left of the other; other edges leave and enter at
    the right side, bowed the more the further apart the boxes are, so that they stay clear of the tree's lines.
    """
    x1, y1 = start.right
    if kind in ("hierarchy", "group_member", "references"):
        x2, y2 = end.left
        middle = (x1 + x2) / 2
        return f"M{x1:.1f} {y1:.1f}C{middle:.1f} {y1:.1f} {middle:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    x2, y2 = end.right
    bow = max(x1, x2) + _BOWS[kind] + min(90.0, abs(y2 - y1) / 4)
    return f"M{x1:.1f} {y1:.1f}C{bow:.1f} {y1:.1f} {bow:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
