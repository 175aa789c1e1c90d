"""What may stand in a cell: no formula, no character that XML or a terminal refuses, no more than Excel holds."""

from __future__ import annotations

import re
from datetime import date

# Spreadsheets read a cell that begins so as a formula; tab and CR are skipped by some before they look.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
# Excel's limit of characters in a cell, counted in UTF-16 units.
CELL_LIMIT = 32_767
# First day that Excel can count.
_FIRST_DAY = date(1900, 3, 1)
# XML 1.0 knows none of these characters (production Char); a lone surrogate is no character at all.
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LINE_BREAK = re.compile("\r\n?")


def clean(text: str) -> str:
    r"""Return a text without characters that XML 1.0 excludes, with line feeds only.

    Example:
        >>> clean("a\x00b\r\nc")
        'ab\nc'
    """
    return _LINE_BREAK.sub("\n", _NO_XML.sub("", text))


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet could take a text for a formula.

    White space before the sign counts as nothing, since some programs trim cells on import. A sign alone is none.

    Example:
        >>> [is_formula(text) for text in ("=1+1", "  -2", "=", "\\t5", "a = b")]
        [True, True, False, True, False]
    """
    bare = text.strip()
    return (len(bare) > 1 and bare.startswith(FORMULA_STARTS)) or text.startswith(("\t", "\r"))


def cut(text: str) -> str:
    """Return a text that fits into a cell; what is left out is counted at its end."""
    if _utf16(text) <= CELL_LIMIT:
        return text
    kept = text
    while True:
        mark = f" … [{len(text) - len(kept)} characters cut]"
        surplus = _utf16(kept) + _utf16(mark) - CELL_LIMIT
        if surplus <= 0:
            return kept + mark
        # A character has at most two units, so half of the surplus is never too much.
        kept = kept[: -max(1, surplus // 2)]


def _utf16(text: str) -> int:
    return len(text) + sum(c > "\uffff" for c in text)


def day(text: str | None) -> date | str | None:
    """Return an ISO date as a date; as text if the calendar or Excel has no such day."""
    if text is None:
        return None
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return text
    return found if found >= _FIRST_DAY else text
