"""Titles of acts: the words that name the subject, and whether two names mean the same subject."""

from __future__ import annotations

import re
from typing import Literal

# Words that stand in the name of any act or place, and so tell no act from another.
_COMMON = frozenset(
    "the and for from with that this those these their which such into upon under between within other certain "
    "article articles annex annexes section sections point points paragraph paragraphs part parts chapter table "
    "appendix indent category regulation regulations directive directives decision decisions recommendation "
    "recommendations act acts delegated implementing framework commission council european parliament union "
    "community communities member states document documents laying down rules establishing concerning relating "
    "regards regard setting determining amending repealing replacing supplementing pursuant accordance apply "
    "thereof hereof same text relevance january february march april may june july august september october november "
    "december euratom best available technique techniques bat conclusion conclusions".split()
)
_WORD = re.compile(r"[a-z][a-z0-9]*")
_ROMAN = re.compile(r"[ivxl]+")
_SHORTEST = 3
# Up to this share of common words two names may mean the same or not.
_OPEN = 0.5


def content_words(text: str) -> tuple[str, ...]:
    """Return the words of a name that tell its subject, in order, lower-case and without the plural's s.

    Example:
        >>> content_words("Directive 2009/125/EC on ecodesign requirements for fans")
        ('ecodesign', 'requirement', 'fan')
    """
    words = (w for w in _WORD.findall(text.lower()) if len(w) >= _SHORTEST and w not in _COMMON)
    words = (w for w in words if not _ROMAN.fullmatch(w))
    return tuple(dict.fromkeys(_singular(w) for w in words))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > _SHORTEST and word.endswith("s") and not word.endswith("ss") else word


def same_subject(name: str, title: str) -> Literal["yes", "no", "open"]:
    """Return whether a name and a title mean the same subject, by the words they share.

    `yes` if more than half of the name's words are in the title; `no` if it has at least two words and shares none; else `open`.

    Example:
        >>> same_subject("conclusions for waste treatment", "conclusions for the treatment of waste")
        'yes'
        >>> same_subject("the quality of bathing water", "the labelling of tyres")
        'no'
        >>> same_subject("", "the labelling of tyres")
        'open'
    """
    wanted, there = set(content_words(name)), set(content_words(title))
    if not wanted or not there:
        return "open"
    shared = len(wanted & there)
    if shared / len(wanted) > _OPEN:
        return "yes"
    return "no" if shared == 0 and len(wanted) > 1 else "open"
