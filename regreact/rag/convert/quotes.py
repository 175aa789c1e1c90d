"""Finds the new wording that an amending act puts in quotation marks, over any number of lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from regreact.rag.convert.lines import Line

# English prints ‘…’, other languages and old acts “…”, „…“, «…», typewritten ones "…".
_PARTNERS = {"‘": "’", "“": "”", "„": "“”", "«": "»", '"': '"'}
_STRUCTURE = ("article", "division", "annex", "appendix")
_BOUNDARIES = ("annex", "end", "recital", "title")
# After the closing mark: a footnote's marker, the stop of the amending sentence, the word that leads to the next item;
# the end of a quoted footnote prints a second mark.
_TRAILER = re.compile(r"\s*(?:\(\*?\d+\)\s*)?[.,;:]?[\"”»]?\s*(?:(?:and|or)[.,;:]?)?\s*$")


def mark_quoted(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with `quoted` set where they are the new wording of another act.

    * A quoted wording begins with an opening mark at the beginning of a line and ends with the mark's partner at the
      end of that line or a later one. A line that only begins with a quoted word (a definition) is none.
    * Marks that open and close within one line of it are quotations within the quotation.
    * A mark without partner before the next annex, or before an article of the act itself, is a misprint and opens
      nothing; only a quoted heading ("‘Article 9") is known to be quoted, up to there.
    * The label of an item whose text begins with the mark is the amending act's own: the item stays, and its text
      follows as a quoted line.

    Example:
        >>> lines = [Line("point", "Article 9 is replaced by:", "(1)"), Line("article", "", "‘Article 9"),
        ...          Line("text", "Ships shall sail.’;"), Line("text", "‘ship’ means a vessel.")]
        >>> [line.quoted for line in mark_quoted(lines)]
        [False, True, True, False]
    """
    found: list[Line] = []
    finder = _Finder(lines)
    position = 0
    while position < len(lines):
        end = finder.end(position)
        if end == position:
            found.append(lines[position])
            position += 1
            continue
        found += _as_quoted(lines[position])
        found += [replace(line, quoted=True) for line in lines[position + 1 : end]]
        position = end
    return found


def _as_quoted(line: Line) -> list[Line]:
    if not line.label or line.label[0] in _PARTNERS:
        return [replace(line, quoted=True)]
    return [replace(line, text=""), Line("text", line.text, depth=line.depth, quoted=True)]


class _Finder:
    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.hopeless: dict[str, int] = {}  # by opening mark: up to which line no quotation ends

    def end(self, start: int) -> int:
        """Return the position after the quoted wording that begins with line `start`, `start` if none does."""
        line = self.lines[start]
        text = line.text if line.label and line.label[0] not in _PARTNERS else _printed(line)
        opening = text[:1]
        if opening not in _PARTNERS or line.role in ("recital", "note", "title"):
            return start
        state = _state_of_first(text, opening)
        if state == "closed":
            return start + 1
        if state == "word":
            return start
        return self._end_beyond(start, opening)

    def _end_beyond(self, start: int, opening: str) -> int:
        is_structure = self.lines[start].role in _STRUCTURE
        position = start + 1
        if not is_structure and self.hopeless.get(opening, 0) > position:
            return start
        while position < len(self.lines) and not self._is_boundary(position, is_structure):
            if _ends_quotation(_printed(self.lines[position]), opening):
                return position + 1
            position += 1
        self.hopeless[opening] = position
        return position if is_structure else start

    def _is_boundary(self, position: int, in_structure: bool) -> bool:
        role = self.lines[position].role
        return role in _BOUNDARIES or (role == "article" and not in_structure)


def _state_of_first(text: str, opening: str) -> str:
    """Return whether the mark that a text begins with is "closed" at its end, quotes a "word" only, or stays "open"."""
    closing = _PARTNERS[opening]
    if opening in closing:
        count = text.count(opening)
        return "open" if count % 2 else "closed" if count == 2 and _ends(text, text.rfind(opening)) else "word"
    depth = 0
    for i, mark in enumerate(text):
        if mark == opening:
            depth += 1
        elif mark in closing and not _is_apostrophe(text, i):
            depth -= 1
            if depth == 0:
                return "closed" if _ends(text, i) else "word"
    return "open"


def _ends_quotation(text: str, opening: str) -> bool:
    """Whether a text ends with a closing mark that has no partner in it."""
    closing = _PARTNERS[opening]
    last = max(map(text.rfind, closing))
    if last < 0 or not _ends(text, last):
        return False
    if opening in closing:
        return text.count(opening) % 2 == 1
    depth = 0
    for i, mark in enumerate(text[:last]):
        if mark == opening:
            depth += 1
        elif mark in closing and depth and not _is_apostrophe(text, i):
            depth -= 1
    return depth == 0


def _ends(text: str, mark: int) -> bool:
    return _TRAILER.match(text, mark + 1) is not None


def _is_apostrophe(text: str, i: int) -> bool:
    return text[i] == "’" and text[i + 1 : i + 2].isalnum()


def _printed(line: Line) -> str:
    cells = [cell for row in line.table.rows for cell in row] if line.table else []
    return " ".join(filter(None, [line.label, line.text, *cells]))
