"""How many items a chapeau announces, and whether a list has come to its end (guidelines section 2)."""

from __future__ import annotations

import re

from regreact.fastpath.cues import sentences

_WORDS = {w: n for n, w in enumerate("two three four five six seven eight nine ten eleven twelve".split(), start=2)}
_N = rf"({'|'.join(_WORDS)}|[2-9]|1\d)"
# "the following three parts", "the three parts below", "all three of these", "two of the five conditions:". Of "two
# of the five" the second number is the total; "two of the following" and "any three of the following" give none.
_TOTAL = re.compile(
    rf"\bfollowing {_N}\b(?!\s*%)|\b(?:the|these) {_N} (?:following\b|(?:[\w-]+ )*?(?:(?:\w+ )?(?:below|here(?:in)?after|hereunder)\b|[\w-]+\s*:\s*$))"
    rf"|\b(?:all|each) (?:of )?(?:the |these )?{_N}\b",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"\bboth\b(?:\s+of)?(?:\s+the|\s+these)?(?:\s+[\w-]+){0,3}?\s*(?:\bfollowing\b[^:]*)?:\s*$", re.IGNORECASE
)
_FOOTNOTES = re.compile(r"(?:\s*\(\d{1,3}\))+(?=\s*[;,.]?\s*$)")
_UNFINISHED = re.compile(r";\s*(?:and(?:/or)?|or)?$|[,\s]\s*(?:and(?:/or)?|or)$")
_CONNECTIVE = re.compile(r"\b(and|or|and/or)$", re.IGNORECASE)


def announced_total(text: str) -> int | None:
    """Return how many items the last sentence of a chapeau announces, None if it does not say.

    Example:
        >>> announced_total("The plan contains the following three parts:")
        3
        >>> announced_total("At least two of the five conditions below are met:")
        5
        >>> announced_total("At least two of the following are met:") is None
        True
    """
    last = text[slice(*sentences(text)[-1])] if text else ""
    match = _TOTAL.search(last)
    if match is not None:
        number = next(g for g in match.groups() if g)
        return _WORDS.get(number.lower()) or int(number)
    return 2 if _BOTH.search(last) else None


def unfinished(text: str) -> bool:
    """True if an item ends as one after which the list goes on: with a semicolon or a connective.

    Example:
        >>> unfinished("the kiln is cold; and"), unfinished("the kiln is cold.")
        (True, False)
    """
    return _UNFINISHED.search(_FOOTNOTES.sub("", text).rstrip()) is not None


def connective(text: str) -> str | None:
    """Return the "and" or "or" that an item ends with, None if it has none.

    Example:
        >>> connective("the kiln is cold; or"), connective("the kiln is cold;")
        ('or', None)
    """
    match = _CONNECTIVE.search(text.rstrip())
    return match[1].lower() if match else None
