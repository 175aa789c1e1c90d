"""Cases of one quantity: "0,5 % for dry ores and 0,1 % for wet ores"."""

from __future__ import annotations

import re

from regreact.fastpath.thresholds.phrases import plain, tidy
from regreact.legal.dates import DATE
from regreact.legal.units import spell_unit

_CASE = re.compile(
    r"\s*(?P<case>(?:elsewhere|otherwise|everywhere else|thereafter)(?=[\s.,;]|$)|(?:(?P<link>for|in|of|where|when|if|at|by|during|on)\s"
    rf"|(?:from|until|till|as of|as from|after|before|up to|between)\s(?:the end of )?(?={DATE}))[^.,;¦()]+)"
)
_BASIS_FIRST = re.compile(r"^\s*(?:by|in) (?:weight|mass|volume|area|number|value)\b")
_LONGEST = 12


def case_behind(text: str) -> str:
    """Return the case that stands behind a value, "" if none.

    Example:
        >>> case_behind(" for dry ores and"), case_behind(" where they are dry;")
        ('for dry ores', 'where they are dry')
    """
    match = _CASE.match(_BASIS_FIRST.sub("", plain(f"x{text}")[1:]))
    if match is None:
        return ""
    verbs = "" if match["link"] in ("where", "when", "if") else "|is|are"
    words = re.split(rf"\s(?:and(?=\s(?:\d|at\b|for\b|from\b)|\s*$)|relative|compared{verbs})\b", match["case"])[0]
    if len(words.split()) > _LONGEST:
        words = re.split(r"\s(?:\w+ed|as well as|that|which)\s", words)[0]
    return tidy(words) if len(words.split()) <= _LONGEST else ""


def in_case(name: str, gap: str, case: str) -> str:
    """Return the name of a quantity for another case than the one that stands behind its first value.

    Args:
        name: Name of the first value's quantity.
        gap: Words between the first value and the second.
        case: Case behind the second value.

    Example:
        >>> in_case("Share of dry ore washed", " of the dry ore", "of the wet ore")
        'Share of wet ore washed'
    """
    link = case.split(maxsplit=1)[0]
    lead = rf"{link}\s(?:case of\s)?(?:the\s)?"
    at_end = rf"\b{lead}([^,;]+?)(?=\s*$|\s(?:is|are)\b)"
    found = re.findall(at_end, gap) if link != "of" else []
    found = found or re.findall(rf"^\s*{link}\s(?:the\s)?([^,;]+)", gap)
    old = tidy(found[-1]) if found else ""
    return name.replace(old, re.sub(f"^{lead}", "", case), 1) if old and old in name else f"{name} {case}"


def base_unit(unit: str) -> str:
    """Return a unit without plural and without what stands behind it.

    Example:
        >>> base_unit("litres per barn per hour"), base_unit("W/m2 of lit quay")
        ('litre', 'W/m2')
    """
    return re.split(r"\s(?:of|per)\s", spell_unit(unit))[0].rstrip("s")
