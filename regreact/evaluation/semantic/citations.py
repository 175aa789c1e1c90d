"""Identity of a cited source: its act, standard or place, not its wording (appendix D.19)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.evaluation.semantic.wording import overlap, words

# "(EU) 2018/2001", "(EC) No 1272/2008", "92/43/EEC", "(EU)2016/797"
_ACT_NUMBER = re.compile(r"(?<![\d.])(\d{1,4})/(\d{1,4})(?!\d|/\d)")
# "of 18 December 2006": the date of an act pins nothing
_DATE = re.compile(
    r"\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}\b"
)
_CELEX = re.compile(r"^[0-9CE](\d{4})[A-Z]{1,2}0*(\d+)")
# What pins a provision or designates a standard: "29(7)", "3.21", "14064-1", "II.2", "(b)", "Appendix A", "Annex XVII"
_PIN = re.compile(r"\d+(?:[.-]\d+)*|\b[IVX]+\b|\b[A-Z]\b|(?<=\()[a-z]{1,4}(?=\))")
# Two names without a number mean the same document if one is the other with words added, up to this F1 of content
# words ("EU Ecolabel", "EU Ecolabel for mills"), or if hardly a word differs.
SHORTER_NAME, SAME_NAME = 0.6, 0.8


@dataclass(frozen=True, slots=True)
class Citation:
    """What identifies a cited source.

    Attributes:
        celex: CELEX id as given.
        acts: Acts named by CELEX id or number, each as year and number, the smaller first.
        pins: Numbers, numerals and letters of the provision, or of the designation where there is no act.
        text: The phrase.
    """

    celex: str | None
    acts: frozenset[tuple[int, int]]
    pins: frozenset[str]
    text: str


def citation(text: str, celex: str | None) -> Citation:
    """Return the identity of a cited source.

    Example:
        >>> found = citation("Article 29(7), point (b), of Directive (EU) 2018/2001", None)
        >>> sorted(found.acts), sorted(found.pins)
        ([(2001, 2018)], ['29', '7', 'b'])
    """
    acts = {_act(m[1], m[2]) for m in _ACT_NUMBER.finditer(text)}
    identifier = _CELEX.match(celex or "")
    if identifier:
        acts.add(_act(identifier[1], identifier[2]))
    rest = _DATE.sub(" ", _ACT_NUMBER.sub(" ", text))
    return Citation(celex, frozenset(acts), frozenset(m[0].lower() for m in _PIN.finditer(rest)), text)


def _act(first: str, second: str) -> tuple[int, int]:
    """Return year and number, smaller first: which comes first depends on the age of the act."""
    year = int(first)
    # "92/43/EEC" has a short year, "10/2011" a short number.
    if len(first) == 2 and len(second) < 4:
        year += 1900
    number = int(second)
    return (min(year, number), max(year, number))


def _names(text: str) -> set[str]:
    return {w for w in words(text) if not w[0].isdigit()}


def same_source(gold: Citation, found: Citation) -> bool:
    """True if both name the same act, standard, place or document."""
    if gold.celex and gold.celex == found.celex:
        return True
    if gold.acts and found.acts:
        return bool(gold.acts & found.acts)
    if gold.acts or found.acts:
        # An act by its subject on one side: "BAT conclusions for …" with and without CELEX id.
        return _same_name(gold.text, found.text) and gold.pins == found.pins
    if gold.pins and found.pins:
        nested = gold.pins <= found.pins or found.pins <= gold.pins
        return nested and bool(_names(gold.text) & _names(found.text))
    return not gold.pins and not found.pins and _same_name(gold.text, found.text)


def _same_name(a: str, b: str) -> bool:
    first, second = words(a), words(b)
    shorter = first <= second or second <= first
    return overlap(a, b) >= (SHORTER_NAME if shorter else SAME_NAME)


def stands_in(found: Citation, text: str) -> bool:
    """True if a source can be read in a text: word for word, or its act, numbers and a word of its name."""
    folded = " ".join(text.split())
    if " ".join(found.text.split()) in folded:
        return True
    inside = citation(folded, None)
    if found.acts:
        return bool(found.acts & inside.acts)
    return bool(found.pins) and found.pins <= inside.pins and _names(found.text) <= _names(folded)
