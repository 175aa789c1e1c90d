"""Titles of annexes, divisions and sections in Formex, whose numbers stand in their text."""

from __future__ import annotations

import re

from regreact.rag.convert import labels
from regreact.rag.convert.grammar import DIVISION
from regreact.rag.convert.lines import Line

# "ANNEX", "ANNEX IIa", "Annex 3 — Forms", "Appendix B: Values": noun, number, title.
_ANNEX = re.compile(
    r"""(?P<label>(?P<noun>annex|appendix)
        (?:\s+(?:\d+(?:\.\d+)*[a-z]?|[IVXLC]+[a-z]{0,2}|[A-Z]\d?)(?![\w(]))?)
        \s*[.:—–-]*\s*(?P<title>.*)""",
    re.VERBOSE | re.IGNORECASE,
)
# "Part A. List of …", "PART 2: Method": a sentence that cites a part goes on without a stop.
_OPENING = re.compile(r"(?P<label>(?:Part|PART)\s+(?:[A-Z]|[IVXL]+|\d+))\s*[.:]\s+(?P<text>[A-Z].*)")


def annex_line(parts: list[str]) -> Line:
    """Return the line that opens an annex or appendix.

    Args:
        parts: Printed lines of its title. A title without the noun is a heading of an annex without number.
    """
    first, rest = (parts[0], parts[1:]) if parts else ("", [])
    found = _ANNEX.fullmatch(first)
    if found is None:
        return Line("annex", " ".join(parts))
    role: str = found["noun"].lower()
    text = " ".join(part for part in (found["title"], *rest) if part)
    return Line("annex" if role == "annex" else "appendix", text, found["label"].strip())


def division_lines(parts: list[str]) -> list[Line]:
    """Return the line that opens a title, chapter, part or section of an act; headings without noun stay headings."""
    if not parts:
        return []
    found = DIVISION.match(parts[0])
    if found is None:
        return section_lines(parts)
    text = " ".join(part for part in (parts[0][found.end() :].strip(), *parts[1:]) if part)
    return [Line("division", text, _label(found))]


def section_lines(parts: list[str], depth: int = 0) -> list[Line]:
    """Return the lines of a title within an annex: a division that is named so, a number with its heading, a heading.

    The number stands on a line of its own, which makes what follows its heading.

    Args:
        parts: Printed lines of the title.
        depth: Nesting of its group, 0 where the markup does not tell.
    """
    if not parts:
        return []
    found = DIVISION.match(parts[0])
    if found and (not parts[0][found.end() :].strip() or _is_set_apart(parts[0], found)):
        return division_lines(parts)
    label, title = labels.split(parts[0])
    if not label and labels.readings(parts[0]):
        label, title = parts[0], ""
    text = " ".join(part for part in (title, *parts[1:]) if part)
    opening = [Line("heading", "", label, depth)] if label else []
    return opening + ([Line("heading", text)] if text else [])


def opening_division(text: str) -> tuple[str, str] | None:
    """Return label and rest of a paragraph that opens a part of an annex, None for any other paragraph."""
    found = _OPENING.fullmatch(text)
    return (found["label"], found["text"]) if found else None


def _is_set_apart(text: str, found: re.Match[str]) -> bool:
    """Whether the noun is a label ("PART A — Title", "Part A: Title", "TABLE 1 Values"), not a word of a sentence."""
    return found["noun"][0].isupper() and (text[: found.end()].rstrip()[-1] in ".:—–-" or found["noun"].isupper())


def _label(found: re.Match[str]) -> str:
    return found[0].strip().rstrip(".:—–- ").strip()
