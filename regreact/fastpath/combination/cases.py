"""Cases that exclude each other: periods, size classes, products, "connected" and "not connected" (paper D.1)."""

from __future__ import annotations

import re
from itertools import pairwise

from regreact.fastpath.combination.family import AND, OR, Decision, Family

# Openings that say for which case an item counts.
_CASE = re.compile(r"^(?:for|in (?:the )?case of|where|until|from|as of|having|when|if)\b", re.IGNORECASE)
_CASE_INSIDE = re.compile(r"\b(?:for|in (?:the )?case of|where|until|from|when|if)\b", re.IGNORECASE)
_FROM_UNTIL = re.compile(r"\b(?:until|from|as of|before|after) (?:\d{1,2} \w+ )?\d{4}\b", re.IGNORECASE)
_DATED_OPENING = re.compile(r"(?:until|from|as of) (?:\d{1,2} \w+ )?\d{4}\b", re.IGNORECASE)
_VALUE = re.compile(r"\d")
_LIMIT_END = re.compile(
    r"\b(?:lower|less|higher|greater|more) than\s*:\s*$|\b(?:equivalent|equals?|equal) to\s*:\s*$"
    r"|\b(?:exceed|least|most|below|above)\s*:\s*$"
    r"|\b(?:emissions?|consumption|share|input|output|percentage|value|intensity|rate|content)\b[^.;]*\b(?:is|are)\s*:\s*$"
    r"|\b(?:exceed|below|above|than|reach|meet)\b[^.;]*\bfollowing (?:\w+ )?(?:limits?|values?|thresholds?)\b"
    r"|\b(?:exceeds?|exceeding|below|above|under|than|reach(?:es)?|meets?|within|attains?|respects?|observes?|keeps? to)\b"
    r"[^.;]*\b(?:limits?|values?|thresholds?|levels?|benchmarks?|figures?)\b[^.;:]*:\s*$",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r"\bprocess steps?\b|\bcombined total\b|\bappliances\b", re.IGNORECASE)
# "for drying, 3 W": steps of one process; "for existing kilns" names a class.
_STEP = re.compile(r"^for (?:the )?(?!existing|remaining|housing)\w+ing(?: of\b[^:,]*)?\s*[:,]", re.IGNORECASE)
# "for dust, 5 mg": all limits of one flue hold together.
_POLLUTANT = re.compile(
    r"^for (?:the )?(?:total |fine )?(?:dust|particulate|soot|nitrogen|nitrous|sulphur|hydrogen (?:fluoride|chloride|sulphide)"
    r"|mercury|cadmium|carbon monoxide|volatile|organic|phosph|dioxins?|NOx|SOx|SO2|NO2|VOC|COD|BOD|TOC)\b",
    re.IGNORECASE,
)
_OPPOSITES = frozenset(
    "not no other new existing before after until from below above less greater more than over under between lower"
    " higher equal inside outside union third countries least most unconnected".split()
)
_CASE_CLAUSE = re.compile(r"(?:for|in (?:the )?case of|where|having(?: a)?)\b([^,:]*(?:,\d[^,:]*)*)", re.IGNORECASE)
_SIZE = re.compile(r"(?:below|above|between|over|than|exceeding|equal to) (\d[\d ,.]*)")
_WORD = re.compile(r"[a-z]+")
_CATEGORY = re.compile(r"^(?:for )?vehicles (?:of|designated as) categor", re.IGNORECASE)
_ALL_OTHER = re.compile(r"^for (?:all|any) other\b", re.IGNORECASE)
_SET_PER_KIND = re.compile(
    r"^for\b[^:]*, the (?:economic )?activity (?:complies with|meets) the following\b", re.IGNORECASE
)


def kinds_of_vehicle(family: Family) -> Decision | None:
    return (OR, None) if all(_CATEGORY.match(t) for t in family.texts) else None


def times(family: Family) -> Decision | None:
    """Periods that follow each other, or a transitional alternative to an unlimited first item."""
    dated = [bool(_FROM_UNTIL.search(t[:60])) for t in family.texts]
    limited = [bool(_DATED_OPENING.match(t)) for t in family.texts]
    if all(dated) and (all(_CASE.match(t) for t in family.texts) or _LIMIT_END.search(family.chapeau)):
        return OR, None
    transitional = family.parent.criterion_id != "ROOT" and not limited[0] and all(limited[1:])
    return (OR, None) if transitional else None


def values_per_case(family: Family) -> Decision | None:
    """A limit stated once with a value for each class, size or product (conditional tiering, ruling R17)."""
    valued = all(_VALUE.search(t) for t in family.texts)
    if not valued or not _LIMIT_END.search(family.chapeau):
        return None
    if _TOGETHER.search(family.chapeau) or any(_TOGETHER.search(t) for t in family.texts):
        return AND, None
    if all(_STEP.match(t) for t in family.texts) or all(_POLLUTANT.match(t) for t in family.texts):
        return AND, None
    return (OR, None) if all(_CASE_INSIDE.search(t) for t in family.texts) else None


def exclusive_cases(family: Family) -> Decision | None:
    """Cases that exclude each other: size classes of one attribute, "connected" and "not connected"."""
    texts = family.texts
    if any(_ALL_OTHER.match(t) for t in texts) and all(_CASE.match(t) for t in texts):
        return OR, None
    cases = [_case(t) for t in texts]
    opposed = all(cases) and all(_opposed(a, b) for a, b in pairwise(cases))
    return (OR, None) if opposed else None


def _case(text: str) -> str:
    match = _CASE_CLAUSE.match(text)
    return match[1].lower() if match else ""


def _opposed(one: str, other: str) -> bool:
    """True if two cases name the same thing and differ in opposite words or in the bounds of a size."""
    words, others = set(_WORD.findall(one)), set(_WORD.findall(other))
    apart, shared = words ^ others, words & others
    sizes, other_sizes = _SIZE.findall(one), _SIZE.findall(other)
    differ = bool(apart & _OPPOSITES) or bool(sizes and other_sizes and sizes != other_sizes)
    return differ and len(shared) >= 2 and len(apart - _OPPOSITES) <= len(shared) // 2


def set_per_kind(family: Family) -> Decision | None:
    return (OR, None) if all(_SET_PER_KIND.match(t) for t in family.texts) else None
