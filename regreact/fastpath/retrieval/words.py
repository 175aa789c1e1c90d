"""Content words of legal text as stems, to see which texts speak of the same thing."""

from __future__ import annotations

import re

_STOP = frozenset(
    "the a an of for in on from to by with and or per its their his her that which this these those is are be been being was were at "
    "as used use not no nor it they them such where when if than then into within under over between through only also "
    "any all each other same shall must may can should could would will has have had do does done out up upon there here "
    "who whom whose what how so but both either while until before after during with without including include "
    "more less least most one two".split()
)
# Words of every criterion and every citation: they tell no subject.
_COMMON = frozenset(
    "activity activities comply complies complied compliance compliant criterion criteria requirement requirements required "
    "require requires accordance set laid down out defined referred pursuant meaning provided specified established "
    "directive regulation decision recommendation commission european parliament council union member state states "
    "article articles annex annexes paragraph paragraphs point points section sections appendix part eu ec eec no "
    "apply applies applicable following mentioned listed relevant respect met meet meets fulfil fulfils ensure ensures "
    "provision provisions act law legislation".split()
)
_WORD = re.compile(r"[a-z][a-z0-9]+(?:-[a-z0-9]+)*|[A-Z]{2,}\d*", re.IGNORECASE)


def _stem(word: str) -> str:
    """Drop plural and participle endings: "properties" and "property", "reduced", "reducing" and "reduces" are one."""
    if len(word) <= 4:
        return word.removesuffix("s") if len(word) == 4 and not word.endswith("ss") else word
    return re.sub(r"(?:es|s|ing|ed|e)$", "", re.sub(r"ies$", "y", word))


def stems(text: str) -> list[str]:
    """Return the stems of the content words of a text, in order; parts of hyphenated words count by themselves.

    Example:
        >>> stems("the direct emissions of gas-fired kilns")
        ['direct', 'emission', 'gas', 'fir', 'kiln']
    """
    words = (w for m in _WORD.finditer(text) for w in m[0].lower().split("-"))
    return [_stem(w) for w in words if w not in _STOP and len(w) > 1]


def subject_stems(text: str) -> frozenset[str]:
    """Return the stems of the words that tell a subject: without those of every criterion and citation.

    Example:
        >>> sorted(subject_stems("The activity complies with the noise requirements of Directive 2097/5/EU"))
        ['nois']
    """
    words = (w for m in _WORD.finditer(text) for w in m[0].lower().split("-"))
    return frozenset(_stem(w) for w in words if w not in _STOP and w not in _COMMON and len(w) > 1)
