"""Words that a PDF breaks at the ends of lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_SOFT = "\u00ad"
_HYPHENS = "\u2010-"  # the plain one last: it ends a character class
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_HEAD = re.compile(rf"((?:[^\W\d_]+[-\u2010])*[^\W\d_]+)[{_SOFT}{_HYPHENS}]$")
_TAIL = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
# "short- and long-term": the hyphen stands for the word that both share.
_SUSPENDED = frozenset({"and", "or", "to", "nor"})
# Prefixes that keep their hyphen in the language of the acts: non-compliance, ex-post.
_HYPHENATED_PREFIXES = frozenset({"non", "ex"})


@dataclass(frozen=True)
class Vocabulary:
    """Words of a document, to tell which broken words had a hyphen.

    Attributes:
        words: Words in lower case, hyphenated ones whole, those broken at line ends left out.
        soft: The document marks its own breaks with soft hyphens, so that a plain one is part of the word.
    """

    words: frozenset[str]
    soft: bool

    @classmethod
    def of(cls, lines: Iterable[str]) -> Vocabulary:
        """Collect the words of lines, in the order printed."""
        words: set[str] = set()
        soft = broken = False
        for line in lines:
            tokens = line.lower().split()
            whole = tokens[1:] if broken else tokens
            broken = bool(tokens) and tokens[-1][-1] in _SOFT + _HYPHENS
            soft = soft or line.endswith(_SOFT)
            for token in whole[:-1] if broken else whole:
                words.update(_WORD.findall(token.replace(_SOFT, "")))
        return cls(frozenset(words), soft)


def joined(lines: Sequence[str], vocabulary: Vocabulary) -> str:
    """Return the lines of a paragraph as one text.

    Args:
        lines: Its lines, hyphens at their ends as printed.
        vocabulary: Words of the document.
    """
    text = ""
    for line in lines:
        if not text:
            text = line
        elif text[-1] in _SOFT + _HYPHENS and not text[:-1].endswith(" ") and len(text) > 1:
            text = _continued(text, line, vocabulary)
        elif text[-1] == "/":
            text += line
        else:
            text += " " + line
    return text.replace(_SOFT, "")


def _continued(text: str, line: str, vocabulary: Vocabulary) -> str:
    head, tail = _HEAD.search(text), _TAIL.match(line)
    soft = text[-1] == _SOFT
    if head is None or tail is None:  # numbers, formulae: 2,4-\nD
        return text[:-1] + ("" if soft else "-") + line
    if not soft and tail[0] in _SUSPENDED:
        return f"{text} {line}"
    keep = _keeps_hyphen(head[1], tail[0], soft, vocabulary)
    return text[:-1] + ("-" if keep else "") + line


def _keeps_hyphen(head: str, tail: str, soft: bool, vocabulary: Vocabulary) -> bool:
    """Say whether a word broken between `head` and `tail` has a hyphen there."""
    whole, compound = (head + tail).lower(), f"{head}-{tail}".lower()
    known, compound_known = whole in vocabulary.words, compound in vocabulary.words
    if known != compound_known:
        return compound_known
    if head.lower() in _HYPHENATED_PREFIXES:
        return not known
    if tail[0].isupper() and not head.isupper():
        return True
    return not soft and vocabulary.soft
