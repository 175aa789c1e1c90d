"""The columns of a PDF page in reading order.

The Official Journal sets the text of acts in two columns, and titles, tables and annexes across both. A page is cut
into stretches: where something printed crosses the middle there is one column, elsewhere two if the text on the right
starts at a common edge just after the middle.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from regreact.rag.convert.pdf_glyphs import Glyph, PrintedLine, printed_lines
from regreact.rag.convert.pdf_tables import PlacedTable, Rule, find_tables

_GUTTER = 4.0  # points on either side of the middle that are free between columns
_EDGE = 30.0  # points from the middle within which a column has its inner edge
_MARGIN = 0.085  # of the height of a page: where running heads and page numbers stand
_OFFICIAL_JOURNAL = re.compile(r"OfficialJournaloftheEuropean(Union|Communities)")
_NOTE_RULE = (25.0, 110.0)  # width in points of the rule above footnotes

Item = PrintedLine | PlacedTable


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a stretch of a page.

    Attributes:
        page: Number of the page, from 0.
        x0: Left edge of the text in points.
        x1: Right edge.
        items: Lines and tables from top to bottom.
        notes: Lines of the footnotes at its foot.
        full_width: The only column of its stretch.
    """

    page: int
    x0: float
    x1: float
    items: tuple[Item, ...]
    notes: tuple[PrintedLine, ...] = ()
    full_width: bool = True


@dataclass(frozen=True, slots=True)
class PageLayout:
    """A page as columns.

    Attributes:
        height: Height of the page in points.
        columns: Its columns in reading order.
        rules: Horizontal rules, which tell footnotes from text.
    """

    height: float
    columns: tuple[Column, ...]
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring glyphs of a line, or a table: what no column edge cuts."""

    x0: float
    x1: float
    top: float
    bottom: float
    glyphs: tuple[Glyph, ...] = ()
    table: PlacedTable | None = None

    @property
    def y(self) -> float:
        return (self.top + self.bottom) / 2


def lay_out(
    number: int,
    glyphs: Sequence[Glyph],
    rules: Sequence[Rule],
    height: float,
    join: Callable[[Sequence[PrintedLine]], str],
) -> PageLayout:
    """Return the columns of a page.

    Args:
        number: Number of the page, from 0.
        glyphs: Its upright characters.
        rules: Its rules.
        height: Its height in points.
        join: Puts the lines of a table cell together.
    """
    # The running head has a box around the language and a rule below it.
    body = [r for r in rules if r.bottom > _MARGIN * height and r.top < (1 - _MARGIN / 2) * height]
    tables, glyphs = find_tables(body, glyphs, join)
    runs = _runs(glyphs) + [_Run(t.x0, t.x1, t.top, t.bottom, table=t) for t in tables]
    across = tuple(r for r in rules if r.horizontal)
    if not runs:
        return PageLayout(height, (), across)
    middle = (min(r.x0 for r in runs) + max(r.x1 for r in runs)) / 2
    columns = []
    for stretch, two in _stretches(runs, middle):
        left = [r for r in stretch if (r.x0 + r.x1) / 2 < middle]
        right = [r for r in stretch if (r.x0 + r.x1) / 2 >= middle]
        parts = [left, right] if two else [stretch]
        columns += [Column(number, 0, 0, _items(part), full_width=not two) for part in parts if part]
    return PageLayout(height, _with_edges(columns, middle), across)


def _runs(glyphs: Sequence[Glyph]) -> list[_Run]:
    """Return the glyphs in runs: on one line, no gap wider than a letter."""
    groups: list[list[Glyph]] = []
    last: Glyph | None = None  # that is no space
    for glyph in sorted(glyphs, key=lambda g: (round(g.bottom), g.x0)):
        level = last is not None and round(last.bottom) == round(glyph.bottom)
        if glyph.text.isspace():
            if level:
                groups[-1].append(glyph)
            continue
        if last is not None and level and glyph.x0 - last.x1 <= 0.9 * glyph.size:
            groups[-1].append(glyph)
        else:
            groups.append([glyph])
        last = glyph
    return [_run(group) for group in groups]


def _run(glyphs: Sequence[Glyph]) -> _Run:
    inked = [g for g in glyphs if not g.text.isspace()]
    return _Run(
        inked[0].x0, max(g.x1 for g in inked), min(g.top for g in inked), max(g.bottom for g in inked), tuple(glyphs)
    )


def _stretches(runs: Sequence[_Run], middle: float) -> list[tuple[list[_Run], bool]]:
    """Return the stretches of a page from top to bottom, and whether each has two columns."""
    crossing = [r for r in runs if r.x0 < middle + _GUTTER and r.x1 > middle - _GUTTER]
    taken = {id(r) for r in crossing}
    bands: list[tuple[float, float]] = []  # heights that something crossing the middle takes up
    for run in sorted(crossing, key=lambda r: r.top):
        if bands and run.top <= bands[-1][1]:
            bands[-1] = (bands[-1][0], max(bands[-1][1], run.bottom))
        else:
            bands.append((run.top, run.bottom))
    groups: dict[int, list[_Run]] = {}
    for run in runs:
        # Even: within a band; odd: between the bands.
        below = sum(1 for top, _ in bands if top <= run.y)
        within = below > 0 and run.y <= bands[below - 1][1]
        groups.setdefault(2 * below if within or id(run) in taken else 2 * below + 1, []).append(run)
    sure = {key for key in groups if key % 2 and _has_two_columns(groups[key], middle)}
    stretches: list[tuple[list[_Run], bool]] = []
    for key in sorted(groups):
        # A few lines at the end of a page with columns are columns too: signatures.
        two = key in sure or (bool(sure) and key % 2 == 1 and all(_sides(groups[key], middle)))
        if stretches and not two and not stretches[-1][1]:
            stretches[-1][0].extend(groups[key])
        else:
            stretches.append((groups[key], two))
    return stretches


def _has_two_columns(runs: Sequence[_Run], middle: float) -> bool:
    """Say whether the text left of the middle is justified to an edge just before it, and text begins just after it."""
    left, right = _sides(runs, middle)
    if not left or len({round(r.bottom) for r in right}) < 2:
        return False
    ends: dict[int, float] = {}
    for run in left:
        ends[round(run.bottom)] = max(run.x1, ends.get(round(run.bottom), 0.0))
    full = sum(1 for end in ends.values() if end > middle - _EDGE)
    return full >= 0.3 * len(ends) and min(r.x0 for r in right) < middle + 2 * _EDGE


def _sides(runs: Sequence[_Run], middle: float) -> tuple[list[_Run], list[_Run]]:
    return [r for r in runs if r.x1 < middle], [r for r in runs if r.x0 > middle]


def _items(runs: Sequence[_Run]) -> tuple[Item, ...]:
    tables = [r.table for r in runs if r.table is not None]
    lines = printed_lines([g for r in runs for g in r.glyphs])
    items: list[Item] = [*tables, *lines]
    return tuple(sorted(items, key=lambda item: item.bottom if isinstance(item, PrintedLine) else item.top))


def _with_edges(columns: Sequence[Column], middle: float) -> tuple[Column, ...]:
    """Set the edges of each column: those of all text on the page, or on its side of the page."""
    sides: dict[bool | None, list[Item]] = {None: [item for column in columns for item in column.items]}
    kinds = [None if c.full_width else c.items[0].x0 >= middle for c in columns]
    for kind, column in zip(kinds, columns, strict=True):
        if kind is not None:
            sides.setdefault(kind, []).extend(column.items)
    return tuple(
        replace(column, x0=min(i.x0 for i in sides[kind]), x1=max(i.x1 for i in sides[kind]))
        for kind, column in zip(kinds, columns, strict=True)
    )


def without_running_heads(pages: Sequence[PageLayout]) -> list[PageLayout]:
    """Drop running heads, feet and page numbers: margin lines that recur with other numbers, and the Journal's own."""
    seen: Counter[str] = Counter()
    for page in pages:
        seen.update({_key(i) for c in page.columns for i in c.items if _marginal(i, page)})
    recurring = {key for key, count in seen.items() if count >= max(2, len(pages) / 4)}

    def stays(item: Item, page: PageLayout) -> bool:
        key = _key(item)
        return not (_marginal(item, page) and (key in recurring or _OFFICIAL_JOURNAL.search(key)))

    kept = []
    for page in pages:
        columns = [replace(c, items=tuple(i for i in c.items if stays(i, page))) for c in page.columns]
        kept.append(replace(page, columns=_narrowed([c for c in columns if c.items])))
    return kept


def _narrowed(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Set the edges of full-width columns anew, which a running head made wider."""
    items = [item for column in columns for item in column.items]
    return tuple(
        replace(c, x0=min(i.x0 for i in items), x1=max(i.x1 for i in items)) if c.full_width else c for c in columns
    )


def _marginal(item: Item, page: PageLayout) -> bool:
    if not isinstance(item, PrintedLine) or item.marked:  # footnotes stand low and look alike
        return False
    return item.bottom <= _MARGIN * page.height or item.top >= (1 - _MARGIN) * page.height


def _key(item: Item) -> str:
    return re.sub(r"\d+", "#", "".join(item.text.split())) if isinstance(item, PrintedLine) else ""


def with_notes(pages: Sequence[PageLayout]) -> list[PageLayout]:
    """Set the footnotes at the foot of each column apart from its text.

    They stand below a short rule at its left edge; in a document without such rules, they are smaller than the text and
    begin with a raised marker.
    """
    by_rule = [replace(p, columns=tuple(_noted(c, p.rules) for c in p.columns)) for p in pages]
    if any(column.notes for page in by_rule for column in page.columns):
        return by_rule
    return [replace(p, columns=tuple(_noted(c, None) for c in p.columns)) for p in pages]


def _noted(column: Column, rules: Sequence[Rule] | None) -> Column:
    lines = [i for i in column.items if isinstance(i, PrintedLine)]
    size = Counter(line.size for line in lines).most_common(1)[0][0] if lines else 0.0
    for i, item in enumerate(column.items):
        rest = [r for r in column.items[i:] if isinstance(r, PrintedLine)]
        if len(rest) < len(column.items) - i or not isinstance(item, PrintedLine):
            continue
        small = all(line.size < 0.95 * size for line in rest)
        above = column.items[i - 1].bottom if i else 0.0
        ruled = rules is None or any(_is_note_rule(r, column, above, item) for r in rules)
        if ruled and (small and item.marked if rules is None else small or item.marked):
            return replace(column, items=column.items[:i], notes=tuple(rest))
    return column


def _is_note_rule(rule: Rule, column: Column, above: float, first: PrintedLine) -> bool:
    return (
        above - 2 <= rule.top <= first.top + 2
        and _NOTE_RULE[0] <= rule.x1 - rule.x0 <= _NOTE_RULE[1]
        and abs(rule.x0 - column.x0) <= 0.6 * first.size + 2
    )
