"""Patterns that look for a word they cannot do without before they search.

Most rules of a table do not match most texts, and a plain look for "derogation" is ten times as fast as a search with
all that may stand around it. The words are read off the pattern itself, so a rule is written as ever; what it matches
is the same. A pattern is compiled when a text first passes its screen.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

# The parser of `re` has no public name; its tree is only read.
_parser: Any = importlib.import_module("re._parser")

# Shorter words stand in nearly every text; more of them cost as much to look for as the search.
_SHORTEST = 3
_MOST = 40
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
# Letters that `re.IGNORECASE` takes for an ASCII letter and `str.lower` does not.
_FOLDS = {"ſ": "s", "ı": "i", "İ": "i"}


class Screened:
    """A pattern with its screen, used like `re.Pattern`.

    Args:
        pattern: The pattern.
        flags: As of `re.compile`.
        words: In lower case, of which every match holds one; None to read them off the pattern, empty for no screen.

    Example:
        >>> rule = Screened(r"\\bby way of (?:derogation|exception)s?\\b", re.IGNORECASE)
        >>> rule.words
        ('derogation', 'exception')
        >>> rule.search("Ore is washed."), rule.search("By way of exception, ore is not washed.")[0]
        (None, 'By way of exception')
    """

    __slots__ = ("_compiled", "_words", "flags", "pattern")

    def __init__(self, pattern: str, flags: int = 0, words: tuple[str, ...] | None = None) -> None:
        self.pattern = pattern
        self.flags = flags
        self._compiled: re.Pattern[str] | None = None
        self._words = words

    def __repr__(self) -> str:
        return f"Screened({self.pattern!r}, {self.flags!r})"

    @property
    def words(self) -> tuple[str, ...]:
        """Words in lower case of which every match holds one; empty if the pattern tells none."""
        if self._words is None:
            self._words = _needed(_parser.parse(self.pattern, self.flags))
        return self._words

    @property
    def compiled(self) -> re.Pattern[str]:
        """The pattern itself."""
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self.flags)
        return self._compiled

    def may_match(self, text: str) -> bool:
        """False if the pattern cannot match anywhere in a text."""
        words = self.words if self._words is None else self._words
        return not words or any(map(folded(text).__contains__, words))

    def search(self, text: str, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[str] | None:
        """Return the first match, as `re.Pattern.search`."""
        return self.compiled.search(text, pos, endpos) if self.may_match(text) else None

    def match(self, text: str, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[str] | None:
        """Return the match that begins at `pos`, as `re.Pattern.match`."""
        return self.compiled.match(text, pos, endpos) if self.may_match(text) else None

    def finditer(self, text: str, pos: int = 0, endpos: int = sys.maxsize) -> Iterator[re.Match[str]]:
        """Return all matches, as `re.Pattern.finditer`."""
        return self.compiled.finditer(text, pos, endpos) if self.may_match(text) else iter(())


# A table asks for the same few texts in turn; more would keep long texts in memory.
@lru_cache(maxsize=8)
def folded(text: str) -> str:
    """Return a text in lower case, every letter that matches an ASCII letter as that letter."""
    if not text.isascii():
        for letter, plain in _FOLDS.items():
            text = text.replace(letter, plain)
    return text.lower()


def _needed(parts: Iterable[Any]) -> tuple[str, ...]:
    """Return words of which every match of a sequence holds one: those of its most telling part."""
    found = [words for words in _candidates(parts) if words and min(map(len, words)) >= _SHORTEST]
    return max(found, key=lambda words: (min(map(len, words)), -len(words)), default=())


def _candidates(parts: Iterable[Any]) -> Iterator[tuple[str, ...]]:
    """Yield the words that each part of a sequence needs; neighbouring letters and digits are one word."""
    word = ""
    for kind, value in parts:
        letter = chr(value).lower() if str(kind) == "LITERAL" and value < 128 else ""
        if letter.isalnum():
            word += letter
            continue
        yield (word,)
        word = ""
        yield _needed_by(str(kind), value)
    yield (word,)


def _needed_by(kind: str, value: Any) -> tuple[str, ...]:
    """Return the words that one part of a pattern needs; what may be left out or looks around needs none."""
    if kind == "SUBPATTERN":
        return _needed(value[-1])
    if kind == "ATOMIC_GROUP":
        return _needed(value)
    if kind in _REPEATS and value[0] > 0:
        return _needed(value[2])
    if kind == "BRANCH":
        branches = [_needed(branch) for branch in value[1]]
        if all(branches):
            words = tuple(dict.fromkeys(word for branch in branches for word in branch))
            return words if len(words) <= _MOST else ()
    return ()
