"""Comparison of free text by content words, and of units by their normal form."""

from __future__ import annotations

import re

from regreact.legal.units import normalise_unit

# Two metric names mean the same quantity if the F1 of their content words reaches this: qualifiers matter, so half is
# not enough ("urinals" for "water use of urinals"). Two annotators who named one quantity independently shared 0.67
# and more in all of 13 cases.
SAME_QUANTITY = 0.55

_STOP = frozenset(
    "the a an of for in on from to by with and or per its their that which this is are be at as used".split()
)
# One form for what legal texts write in two.
_SYNONYMS = (
    (re.compile(r"\bgreenhouse gas(?:es)?\b"), "ghg"),
    (re.compile(r"\blife[ -]?cycle\b"), "life cycle"),
    (re.compile(r"\bper ?cent\b"), "%"),
)
# "Infrastructure Leakage Index (ILI)": the words before an acronym that spell it say the same as it does.
_ACRONYM = re.compile(r"\(([A-Z]{2,6})\)")
# What a unit counts: "tCO2e/t of board", "% in mass", "% by weight".
_COUNTED = re.compile(r"\s+(?:of|in|by)\s+[^/]*?(?=/|\s+per\s|$)")


def words(text: str) -> set[str]:
    """Return the stems of the content words of a text, in lower case.

    Example:
        >>> sorted(words("Direct emissions of greenhouse gases from kilns"))
        ['direct', 'emission', 'ghg', 'kiln']
    """
    low = _without_expansions(text).lower()
    for pattern, normal in _SYNONYMS:
        low = pattern.sub(normal, low)
    return {_stem(w) for w in re.findall(r"[a-z0-9%]+", low) if w not in _STOP}


def _stem(word: str) -> str:
    """Drop plural and participle endings: "properties" and "property", "reduced", "reducing" and "reduces" are one."""
    if len(word) <= 4:
        return word
    return re.sub(r"(?:es|s|ing|ed|e)$", "", re.sub(r"ies$", "y", word))


def _without_expansions(text: str) -> str:
    """Drop the words in front of "(XYZ)" whose initials are X, Y and Z."""
    for match in reversed(list(_ACRONYM.finditer(text))):
        before = list(re.finditer(r"\w[\w-]*", text[: match.start()]))[-len(match[1]) :]
        if [w[0][0].lower() for w in before] == list(match[1].lower()):
            text = text[: before[0].start()] + text[match.start() :]
    return text


def overlap(a: str, b: str) -> float:
    """Return the F1 of the content words of two texts; 1 if both have none."""
    first, second = words(a), words(b)
    if not first and not second:
        return 1.0
    return 2 * len(first & second) / (len(first) + len(second))


def same_quantity(a: str, b: str) -> bool:
    """True if two metric names share enough content words, or one is the acronym of the other (appendix D.19)."""
    return overlap(a, b) >= SAME_QUANTITY or _spells(a, b) or _spells(b, a)


def _spells(acronym: str, name: str) -> bool:
    initials = "".join(w[0] for w in re.findall(r"\w+", name) if w.lower() not in _STOP)
    return acronym.isupper() and len(acronym) > 1 and initials.upper() == acronym


def plain_unit(unit: str) -> str:
    """Return a unit without what the rubric ignores: case, spaces, spelling of CO2 equivalent, percent and plural."""
    return normalise_unit(re.sub(r"\bper\s?cent\b", "%", unit.strip()))


def bare_unit(unit: str) -> str:
    """Return the normal form of a unit without what it counts ("of board")."""
    return plain_unit(_COUNTED.sub("", unit))
