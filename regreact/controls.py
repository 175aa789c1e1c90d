"""Characters of a text that steer what shows it: terminals obey controls, and marks of direction reorder a line."""

from __future__ import annotations

import re
from typing import Any

_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CONTROL = re.compile(f"[\x00-\x1f\x7f-\x9f{_DIRECTION}\ud800-\udfff]+")
_EXCEPT_LINES = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_DIRECTION}\ud800-\udfff]")
# Soft hyphen, grapheme joiner, zero-width space and joiners, word joiner and invisible operators, byte order mark,
# variation selectors, tags: they show nothing in a Latin, Greek or Cyrillic text
UNSEEN = re.compile("[\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]")
_REORDERING = re.compile(f"[{_DIRECTION}]")


def one_line(text: str) -> str:
    """Return a text as one line that no terminal obeys.

    Example:
        >>> one_line("a\\x1b[31mb\\n\\u202ec")
        'a [31mb c'
    """
    return " ".join(_CONTROL.sub(" ", text).split())


def lines(text: str) -> str:
    """Return a text whose lines and tabs stay and that no terminal obeys otherwise."""
    return _EXCEPT_LINES.sub("\ufffd", text)


def unseen_removed(text: str) -> str:
    """Return a text without the characters that show nothing.

    Example:
        >>> unseen_removed("ten\u00adant, 1\u200b0")
        'tenant, 10'
    """
    return text if text.isascii() else UNSEEN.sub("", text)


def in_order(text: str) -> str:
    """Return a text that a page shows in the order in which it is stored: a mark of direction shows as "\ufffd".

    It keeps its length, so that places counted in characters stay right.

    Example:
        >>> in_order("a\\u202eb")
        'a\ufffdb'
    """
    return _REORDERING.sub("\ufffd", text)


def shown(value: Any) -> Any:
    """Return a value of a page with texts in order; markup stays markup."""
    return type(value)(in_order(value)) if isinstance(value, str) else value
