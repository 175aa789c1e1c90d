"""Characters of a PDF page, put together to printed lines."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Labels that stand before a hanging text: (1), (a), (iv), 1., 3.2.1., 10.1, a), — and dots or dashes.
LABEL = re.compile(r"\(\w{1,5}\)|\d{1,3}(?:\.\d{1,3})*\.?|[A-Za-z]\)|[IVXivx]{1,6}\.|[A-Z]\.|[—–•‒-]")
# Fonts that set two letters as one sign.
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl"})
_BOLD = re.compile(r"bold|black|heavy|demi", re.IGNORECASE)
_ITALIC = re.compile(r"italic|oblique", re.IGNORECASE)
_WORD_GAP = 0.18  # of the size: less is kerning, more is a space that the file leaves out
_HAIR = 0.05  # of the size: less than any space
_LEVEL = 0.12  # of the size: lower edges closer than this are on one line
_SCRIPT = 0.7  # of the size: what is smaller is a superscript, a subscript or a line of its own


@dataclass(frozen=True, slots=True)
class Glyph:
    """A printed character.

    Attributes:
        text: The character, or the letters of a ligature.
        x0: Left edge, in points from the left of the page.
        x1: Right edge.
        top: Upper edge, in points from the top of the page.
        bottom: Lower edge.
        size: Size of the font in points.
        bold: Set in a bold font.
        italic: Set in an italic font.
    """

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    bold: bool = False
    italic: bool = False

    @property
    def middle(self) -> tuple[float, float]:
        """Centre of the character (x, y)."""
        return (self.x0 + self.x1) / 2, (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A line of one column.

    Attributes:
        text: Its text, white space folded, hyphens at its end kept.
        x0: Left edge in points.
        x1: Right edge.
        top: Upper edge of the page is 0.
        bottom: Lower edge of its letters, the place to measure leading from.
        size: Size of most of its letters in points.
        bold: All of it is bold.
        italic: All of it is italic.
        starts: Left edges of its first words: the text below may hang from one of them.
        marked: It begins with a raised footnote marker.
    """

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    bold: bool = False
    italic: bool = False
    starts: tuple[float, ...] = ()
    marked: bool = False


def glyphs_of(characters: Iterable[Mapping[str, Any]], width: float, height: float) -> list[Glyph]:
    """Return the upright characters that lie on the page; what is set across the text is running matter.

    Args:
        characters: Characters as pdfplumber gives them.
        width: Width of the page in points.
        height: Height of the page in points.
    """
    glyphs = []
    for c in characters:
        x0, x1, top, bottom = c["x0"], c["x1"], c["top"], c["bottom"]
        if not c["upright"] or x1 < 0 or x0 > width or bottom < 0 or top > height:
            continue
        # A font without a table of characters gives numbers of glyphs, "(cid:5)".
        text = "\ufffd" if c["text"].startswith("(cid:") else c["text"].translate(_LIGATURES)
        font = c["fontname"]
        glyphs.append(Glyph(text, x0, x1, top, bottom, c["size"], bool(_BOLD.search(font)), bool(_ITALIC.search(font))))
    return glyphs


def direction(characters: Iterable[Mapping[str, Any]]) -> int:
    """Return how most of a page's text runs: 0 across the page, 1 up it, -1 down it (a page set sideways)."""
    ways: Counter[int] = Counter()
    for c in characters:
        ways[0 if c["upright"] else 1 if c["matrix"][1] > 0 else -1] += 1
    return ways.most_common(1)[0][0] if ways else 0


def turned(thing: Mapping[str, Any], way: int, width: float, height: float) -> dict[str, Any]:
    """Return a character or rule of a sideways page as it lies when the page is turned to be read.

    Args:
        thing: As pdfplumber gives it.
        way: 1 if the text runs up the page, -1 if down.
        width: Width of the page in points before it is turned.
        height: Height of the page in points before it is turned.
    """
    x0, x1, top, bottom = thing["x0"], thing["x1"], thing["top"], thing["bottom"]
    if way > 0:
        place = {"x0": height - bottom, "x1": height - top, "top": x0, "bottom": x1}
    else:
        place = {"x0": top, "x1": bottom, "top": width - x1, "bottom": width - x0}
    upright = thing.get("upright")
    size = {} if upright is None else {"upright": not upright, "size": x1 - x0}
    return {**thing, **place, **size}


def printed_lines(glyphs: Sequence[Glyph]) -> list[PrintedLine]:
    """Return the lines of a column, topmost first; super- and subscripts go to the line that they belong to."""
    lines = [line for row in _rows(glyphs) if (line := _printed(row)) is not None]
    return sorted(lines, key=lambda line: (line.bottom, line.x0))


def _rows(glyphs: Sequence[Glyph]) -> list[list[Glyph]]:
    """Return the glyphs of each line: letters by their lower edge, small signs by what they stand beside."""
    inked = [g for g in glyphs if not g.text.isspace()]
    if not inked:
        return []
    size = Counter(round(g.size, 1) for g in inked).most_common(1)[0][0]
    rows: list[list[Glyph]] = []
    for glyph in sorted((g for g in inked if g.size >= _SCRIPT * size), key=lambda g: g.bottom):
        if rows and glyph.bottom - rows[-1][-1].bottom <= _LEVEL * size:
            rows[-1].append(glyph)
        else:
            rows.append([glyph])
    bottoms = [row[-1].bottom for row in rows]
    rest = _add_scripts(rows, [g for g in inked if g.size < _SCRIPT * size])
    for space in (g for g in glyphs if g.text.isspace()):
        place = bisect_left(bottoms, space.bottom - _LEVEL * size)
        if place < len(rows) and abs(bottoms[place] - space.bottom) <= _LEVEL * size:
            rows[place].append(space)
        else:
            rest.append(space)
    return rows + _rows(rest)


def _add_scripts(rows: list[list[Glyph]], small: Sequence[Glyph]) -> list[Glyph]:
    """Add each small sign to the row it overlaps most; return those that stand alone."""
    extents = [
        (min(g.top for g in row), max(g.bottom for g in row), min(g.x0 for g in row), max(g.x1 for g in row))
        for row in rows
    ]
    bottoms = [bottom for _, bottom, _, _ in extents]
    chosen: dict[int, list[Glyph]] = defaultdict(list)
    rest = []
    # Left to right, so that a sign extends the row for the one after it.
    for glyph in sorted(small, key=lambda g: g.x0):
        best, index = 0.25 * (glyph.bottom - glyph.top), -1
        near = bisect_left(bottoms, glyph.top), bisect_right(bottoms, glyph.bottom + 2 * glyph.size)
        for i in range(*near):
            top, bottom, x0, x1 = extents[i]
            overlap = min(bottom, glyph.bottom) - max(top, glyph.top)
            if overlap > best and x0 - 2 * glyph.size <= glyph.x0 <= x1 + 2 * glyph.size:
                best, index = overlap, i
        if index < 0:
            rest.append(glyph)
            continue
        top, bottom, x0, x1 = extents[index]
        extents[index] = (top, bottom, min(x0, glyph.x0), max(x1, glyph.x1))
        chosen[index].append(glyph)
    for index, glyphs in chosen.items():
        rows[index].extend(glyphs)
    return rest


def _printed(row: Sequence[Glyph]) -> PrintedLine | None:
    ordered = sorted(row, key=lambda g: g.x0)
    inked = [g for g in ordered if not g.text.isspace()]
    if not inked:
        return None
    size = Counter(round(g.size, 1) for g in inked).most_common(1)[0][0]
    words = _words(ordered, size)
    text = " ".join(word for word, _ in words)
    letters = [g for g in inked if g.size >= _SCRIPT * size]
    return PrintedLine(
        text=text,
        x0=inked[0].x0,
        x1=max(g.x1 for g in inked),
        top=min(g.top for g in letters),
        bottom=max(g.bottom for g in letters),
        size=size,
        bold=all(g.bold for g in letters),
        italic=all(g.italic for g in letters),
        starts=tuple(x0 for _, x0 in words[:4]),
        marked=_is_marker(inked, 0, size),
    )


def _words(ordered: Sequence[Glyph], size: float) -> list[tuple[str, float]]:
    """Return the words of a line with their left edges; a footnote marker is a word of its own."""
    words: list[tuple[str, float]] = []
    end, space = float("-inf"), float("inf")  # right edge of the sign before, left edge of a space that follows it
    for i, glyph in enumerate(ordered):
        if glyph.text.isspace():
            if glyph.x0 > end - _HAIR * size:
                space = min(space, glyph.x0)
            continue
        # A space that ink overlaps is left over from how a raised sign was set.
        spaced = glyph.x0 - space > _HAIR * size
        apart = spaced or glyph.x0 - end > _WORD_GAP * size or _is_marker(ordered, i, size)
        if apart:
            words.append((glyph.text, glyph.x0))
        else:
            words[-1] = (words[-1][0] + glyph.text, words[-1][1])
        end, space = max(glyph.x1, end), float("inf")
    return words


def _is_marker(ordered: Sequence[Glyph], start: int, size: float) -> bool:
    """Say whether "(n)" with raised small digits, or "(*)", begins here."""
    if ordered[start].text != "(":
        return False
    digits = 0
    for glyph in ordered[start + 1 : start + 9]:
        if glyph.text == ")":
            return digits > 0
        if glyph.text.isspace():
            continue
        if glyph.text != "*" and not (glyph.text.isdigit() and glyph.size < 0.8 * size):
            return False
        digits += 1
    return False
