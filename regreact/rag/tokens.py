"""Words of legal text for search."""

from __future__ import annotations

import re

# A number keeps what makes it a label of law whole: "2018/2001", "10.1.5", "0,722", "29(2)", "5.1(c)", "6(1)(b)".
# Brackets belong to numbers of up to three digits only, since "2018/2001(15)" and "2018(1)" hold a footnote marker.
# Anything else is a run of letters and digits ("co2e", "pm10", "b2b"); hyphens and apostrophes part words.
_TOKEN = re.compile(
    r"\d{1,3}[a-z]?(?:\.\d+)*(?:\([a-z0-9]{1,4}\))+(?![\w(])"
    r"|\d+(?:[./,]\d+)+(?:/[a-z]+)?"
    r"|[^\W_]+"
)
_STOP = frozenset(
    "a an and any are as at be been being between both but by can do does each for from had has have having if in into "
    "is it its may no nor not of on only or other own shall should such than that the their them then there these they "
    "this those through to under until upon was were where which while who whom whose will with within without would "
    "he she we you all also must when referred pursuant accordance s".split()
)


def tokenize(text: str) -> list[str]:
    """Return the words and numbers of a text in order, in lower case; plurals as singulars, function words left out.

    Example:
        >>> tokenize("Articles 29(2) and 10.1.5 of Directives (EU) 2018/2001")
        ['article', '29(2)', '10.1.5', 'directive', 'eu', '2018/2001']
    """
    return [_singular(word) for word in _TOKEN.findall(text.lower()) if word not in _STOP]


def _singular(word: str) -> str:
    """Fold the regular plural: "policies" to "policy", "emissions" to "emission"; "gas" and "process" stay."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
