"""Ruled tables of a PDF page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from regreact.rag.act import Table
from regreact.rag.convert.pdf_glyphs import Glyph, PrintedLine, printed_lines

_THIN = 2.5  # points: what is thicker is a filled area
_TOUCH = 3.0  # points that two rules of one table may miss each other by
_ROW_SPACE = 1.4  # of the size: lines further apart belong to two rows
# More rules or cells on a page are a drawing, or a trap: the text is then read as lines.
_MAX_RULES = 1_500
_MAX_CELLS = 5_000


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight printed line.

    Attributes:
        x0: Left end in points.
        x1: Right end.
        top: Upper end, in points from the top of the page.
        bottom: Lower end.
    """

    x0: float
    x1: float
    top: float
    bottom: float

    @property
    def horizontal(self) -> bool:
        """Runs across the page."""
        return self.bottom - self.top <= _THIN and self.x1 - self.x0 > 2 * _THIN

    @property
    def vertical(self) -> bool:
        """Runs down the page."""
        return self.x1 - self.x0 <= _THIN and self.bottom - self.top > 2 * _THIN

    def touches(self, other: Rule) -> bool:
        """Say whether the two meet or cross."""
        return (
            self.x0 - _TOUCH <= other.x1
            and other.x0 - _TOUCH <= self.x1
            and self.top - _TOUCH <= other.bottom
            and other.top - _TOUCH <= self.bottom
        )


@dataclass(frozen=True, slots=True)
class PlacedTable:
    """A table with its place on the page (points)."""

    table: Table
    x0: float
    x1: float
    top: float
    bottom: float


def rules_of(shapes: Iterable[Mapping[str, Any]]) -> list[Rule]:
    """Return the horizontal and vertical rules among lines, rectangles and paths, as pdfplumber gives them.

    A path may be short and its stroke wide: a vertical rule is often set as a dot 0.2 points long with a stroke of the
    table's height.
    """
    rules = []
    for shape in shapes:
        x0, x1, top, bottom = shape["x0"], shape["x1"], shape["top"], shape["bottom"]
        half = float(shape.get("linewidth") or 0.0) / 2
        if shape.get("object_type") == "line" and half:
            if x1 - x0 >= bottom - top:
                top, bottom = top - half, bottom + half
            else:
                x0, x1 = x0 - half, x1 + half
        rule = Rule(x0, x1, top, bottom)
        if rule.horizontal or rule.vertical:
            rules.append(rule)
    return rules


def find_tables(
    rules: Sequence[Rule], glyphs: Sequence[Glyph], join: Callable[[Sequence[PrintedLine]], str]
) -> tuple[list[PlacedTable], list[Glyph]]:
    """Return the tables and the glyphs outside them.

    A table is a group of rules that meet, with at least two across and one down. Its first and last column need no
    rule at their outer side.

    Args:
        rules: Rules of the page.
        glyphs: Characters of the page.
        join: Puts the lines of a cell together to its text.
    """
    tables: list[PlacedTable] = []
    if len(rules) > _MAX_RULES:
        return tables, list(glyphs)
    for group in _groups(rules):
        across, down = [r for r in group if r.horizontal], [r for r in group if r.vertical]
        if len(across) < 2 or not down:
            continue
        ys = _merged(y for r in across for y in (r.top, r.bottom))
        xs = _merged(x for r in group for x in (r.x0, r.x1))
        inside = [g for g in glyphs if xs[0] <= g.middle[0] <= xs[-1] and ys[0] <= g.middle[1] <= ys[-1]]
        printed = any(not g.text.isspace() for g in inside)
        if len(xs) < 3 or len(ys) < 2 or len(xs) * len(ys) > _MAX_CELLS or not printed:
            continue
        taken = {id(g) for g in inside}
        glyphs = [g for g in glyphs if id(g) not in taken]
        rows = _cells(xs, ys, across, down, inside, join)
        tables.append(PlacedTable(Table(rows), xs[0], xs[-1], ys[0], ys[-1]))
    return tables, list(glyphs)


def _groups(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Return the rules in groups that meet."""
    groups: list[list[Rule]] = []
    for rule in rules:
        met = [group for group in groups if any(rule.touches(other) for other in group)]
        merged = [rule, *(other for group in met for other in group)]
        groups = [group for group in groups if not any(group is m for m in met)]
        groups.append(merged)
    return groups


def _merged(places: Iterable[float]) -> list[float]:
    """Return places in order, those closer than a hair taken as one."""
    merged: list[float] = []
    for place in sorted(places):
        if not merged or place - merged[-1] > _TOUCH:
            merged.append(place)
    return merged


def _cells(
    xs: Sequence[float],
    ys: Sequence[float],
    across: Sequence[Rule],
    down: Sequence[Rule],
    glyphs: Sequence[Glyph],
    join: Callable[[Sequence[PrintedLine]], str],
) -> tuple[tuple[str, ...], ...]:
    """Return the rows; a cell without a rule to its neighbour and the neighbour are one, its text in the first."""
    width, height = len(xs) - 1, len(ys) - 1
    owner = {(r, c): (r, c) for r in range(height) for c in range(width)}
    for r in range(height):
        middle = (ys[r] + ys[r + 1]) / 2
        for c in range(1, width):
            if not any(abs(v.x0 - xs[c]) <= _TOUCH and v.top <= middle <= v.bottom for v in down):
                owner[r, c] = owner[r, c - 1]
    for r in range(1, height):
        for c in range(width):
            middle = (xs[c] + xs[c + 1]) / 2
            ruled = any(abs(h.top - ys[r]) <= _TOUCH and h.x0 <= middle <= h.x1 for h in across)
            if not ruled and owner[r, c] == (r, c):
                owner[r, c] = owner[r - 1, c]
    held: dict[tuple[int, int], list[Glyph]] = {}
    for glyph in glyphs:
        x, y = glyph.middle
        r = max(i for i in range(height) if ys[i] <= y or i == 0)
        c = max(i for i in range(width) if xs[i] <= x or i == 0)
        held.setdefault(_root(owner, (r, c)), []).append(glyph)
    rows: list[tuple[str, ...]] = []
    for r in range(height):
        printed = _without_rules([printed_lines(held.get((r, c), [])) for c in range(width)])
        rows.extend(tuple(join(cell) for cell in row) for row in printed)
    return tuple(row for row in rows if any(row))


def _without_rules(row: Sequence[Sequence[PrintedLine]]) -> list[list[list[PrintedLine]]]:
    """Return the rows that stand between two rules: each begins in the first column, below a space."""
    lines = sorted((line for cell in row for line in cell), key=lambda line: line.bottom)
    starts = [float("-inf")]
    for above, below in pairwise(lines):
        spaced = below.bottom - above.bottom > _ROW_SPACE * below.size
        if spaced and any(abs(line.bottom - below.bottom) <= _TOUCH for line in row[0]):
            starts.append(below.bottom - _TOUCH)
    ends = [*starts[1:], float("inf")]
    return [
        [[line for line in cell if start <= line.bottom < end] for cell in row]
        for start, end in zip(starts, ends, strict=True)
    ]


def _root(owner: Mapping[tuple[int, int], tuple[int, int]], cell: tuple[int, int]) -> tuple[int, int]:
    while owner[cell] != cell:
        cell = owner[cell]
    return cell
