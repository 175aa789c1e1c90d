"""What a text states in a form that can be checked: numbers, dates, acts and places, each with a normal form.

Two texts mention the same number if the values are equal ("10 000" and "10000", "0,7" and "0.7"); a number that
belongs to a date, an act, a place or a label is none. Places compare by their labels: whether "(2)" is a paragraph or a
point depends on the act, and "point (a)" may leave out the article it is in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from regreact.legal.dates import DATE, MONTHS, parse_date
from regreact.legal.numbers import NUMBER, parse_number
from regreact.legal.pinpoints import addresses
from regreact.legal.place_grammar import PINPOINT
from regreact.legal.units import UNIT, normalise_unit

MentionKind = Literal["number", "date", "act", "place"]

_PLACE = re.compile(PINPOINT)
# "2010/75/EU", "(EU) 2018/2001", "No 338/97": a number of three digits or more, or the mark of the treaty
_ACT = re.compile(
    r"(?<![\w/.,])(?P<first>\d{1,4})/(?P<second>\d{1,4})(?!\d)(?:/(?P<mark>EU|EC|EEC|CE|Euratom|JHA))?(?![\w/])"
)
_DATE = re.compile(DATE)
# A day of every year: "by 30 June of each year"
_DAY = re.compile(rf"(?P<day>\d{{1,2}})[ \u00a0](?P<month>{'|'.join(m.capitalize() for m in MONTHS)})\b")
# Labels at the beginning of a line and footnote markers: "2.", "5.1.2", "(a)", "(iv)", "the plan(12)"
_LABEL = re.compile(r"(?m)^\s*(?:\d+(?:\.\d+)*\.(?=\s)|\d+(?:\.\d+)+(?=\s[A-Z])|\([\da-z]{1,5}\))|\(\d{1,3}\)")
_NUMBER = re.compile(rf"(?<![\w.,/-])(?P<number>(?i:{NUMBER}))(?:(?:[ \u00a0\u2009\u202f]?|-)(?P<unit>{UNIT}))?(?!\w|/\d)")
# "Unit", "Part" and the like: the act decides which of these a number is.
_INNER = frozenset({"par", "pnt", "sec", "sub", "ind", "prt", "cri", "snt"})


@dataclass(frozen=True, slots=True)
class Mention:
    """A number, date, act or place in a text.

    Attributes:
        kind: What it is.
        text: As printed, a number with its unit.
        key: Normal form: the value, `YYYY-MM-DD`, a beginning of it or (day of every year) its end `-MM-DD`,
            "2018/2001", an address.
        unit: Normal form of the unit of a number, "" if none is recognised.
        word: True for a number in words.
        start: First character.
        end: Character after the last.
    """

    kind: MentionKind
    text: str
    key: str
    start: int
    end: int
    unit: str = ""
    word: bool = False


@lru_cache(maxsize=8192)
def find_mentions(text: str) -> tuple[Mention, ...]:
    """Return all mentions of a text in order, without overlaps. A place that names several has one mention each.

    Example:
        >>> [(m.kind, m.key) for m in find_mentions("By 31 March 2027, Article 5(2) allows 10 000 kW.")]
        [('date', '2027-03-31'), ('place', 'art_5/par_2'), ('number', '10000')]
    """
    taken: list[tuple[int, int]] = []
    found: list[Mention] = []
    for match in _PLACE.finditer(text):
        places = addresses(match[0])
        found.extend(Mention("place", match[0], p, *match.span()) for p in places)
        if places:
            taken.append(match.span())
    for match in _DATE.finditer(text):
        if _free(match, taken):
            found.append(Mention("date", match[0], _date_key(match[0]), *match.span()))
            taken.append(match.span())
    for match in _DAY.finditer(text):
        if _free(match, taken):
            key = f"-{MONTHS[match['month'].lower()]:02d}-{int(match['day']):02d}"
            found.append(Mention("date", match[0], key, *match.span()))
            taken.append(match.span())
    for match in _ACT.finditer(text):
        if _free(match, taken) and _is_act(match):
            found.append(Mention("act", match[0], f"{match['first']}/{match['second']}", *match.span()))
            taken.append(match.span())
    taken.extend(m.span() for m in _LABEL.finditer(text))
    found.extend(_number(m) for m in _NUMBER.finditer(text) if _free(m, taken))
    return tuple(sorted(found, key=lambda m: (m.start, m.key)))


def _free(match: re.Match[str], taken: Sequence[tuple[int, int]]) -> bool:
    return not any(start < match.end() and match.start() < end for start, end in taken)


def _is_act(match: re.Match[str]) -> bool:
    return match["mark"] is not None or max(len(match["first"]), len(match["second"])) > 2


def _date_key(printed: str) -> str:
    """Return a date as far as it is printed: a month without day is `YYYY-MM`, a year `YYYY`."""
    words = printed.strip()
    if re.fullmatch(r"\d{4}", words):
        return words
    try:
        day = parse_date(words, last_day=False)
    except ValueError:
        return words
    return day if re.match(r"\d", words) else day[:7]


def _number(match: re.Match[str]) -> Mention:
    printed, unit = match["number"], match["unit"] or ""
    try:
        key = f"{parse_number(printed):.10g}"
    except ValueError:
        key = printed
    word = printed[0].isalpha()
    return Mention("number", match[0], key, *match.span(), normalise_unit(unit) if unit else "", word)


def steps(address: str) -> tuple[str, ...]:
    """Return the steps of an address for comparison: paragraphs, points, sections and parts by their labels alone.

    Example:
        >>> steps("art_3/pnt_17") == steps("art_3/par_17")
        True
        >>> steps("unit:CCM-5.7/SC#1(b)")
        ('unit:CCM-5.7', 'SC', '1', 'b')
    """
    if address.startswith("unit:"):
        return tuple(re.findall(r"[^/#()]+", address))
    found = []
    for step in address.split("/"):
        kind, _, label = step.partition("_")
        found.append(label if kind in _INNER and label else f"{kind}_{label}")
    return tuple(found)


def provision_of(address: str) -> str:
    """Return the provision that holds a place: subparagraphs and sentences are counted and have no address in an act.

    Example:
        >>> provision_of("art_6/par_1/sub_2")
        'art_6/par_1'
    """
    kept = address.split("/")
    while len(kept) > 1 and kept[-1].startswith(("sub_", "snt_")):
        kept.pop()
    return "/".join(kept)


def is_within(address: str, outer: str) -> bool:
    """True if a provision is another one or lies below it.

    Example:
        >>> is_within("art_29/par_2/pnt_a", "art_29/par_2"), is_within("art_29", "art_29/par_2")
        (True, False)
    """
    inner, whole = steps(address), steps(outer)
    return inner[: len(whole)] == whole


def names_part_of(place: str, address: str) -> bool:
    """True if a place may be a name of a provision or of one above it: its labels occur in that order.

    Example:
        >>> names_part_of("art_6/pnt_a", "art_6/par_1/pnt_a"), names_part_of("art_7", "art_6/par_1")
        (True, False)
    """
    wanted, position = steps(place), 0
    have = steps(address)
    for step in wanted:
        bare = step.endswith("_")  # "the Annex"
        while position < len(have) and not (have[position].startswith(step) if bare else have[position] == step):
            position += 1
        if position == len(have):
            return False
        position += 1
    return True


@dataclass(frozen=True)
class Stated:
    """All that some texts mention, to compare others with.

    Attributes:
        numbers: Units by value; "" for a value without recognised unit.
        dates: Keys of dates.
        acts: Keys of acts.
        places: Addresses named, and those of the texts themselves.
    """

    numbers: dict[str, frozenset[str]]
    dates: frozenset[str]
    acts: frozenset[str]
    places: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str], own: Iterable[str] = ()) -> Stated:
        """Collect what texts mention.

        Args:
            texts: The texts.
            own: Addresses of the texts.
        """
        numbers: dict[str, set[str]] = {}
        keys: dict[str, set[str]] = {"date": set(), "act": set(), "place": set(own)}
        for mention in (m for text in texts for line in text.splitlines() for m in find_mentions(line)):
            if mention.kind == "number":
                numbers.setdefault(mention.key, set()).add(mention.unit)
            else:
                keys[mention.kind].add(mention.key)
        frozen = {value: frozenset(units) for value, units in numbers.items()}
        return cls(frozen, frozenset(keys["date"]), frozenset(keys["act"]), frozenset(keys["place"]))

    def has(self, mention: Mention) -> bool:
        """True if a mention of another text is stated here.

        A number needs its value, and if both sides know a unit, one that is equal; a date may be less exact; a place
        may be named by some of its labels. A number in words without unit says nothing that could be wrong.
        """
        if mention.kind == "number":
            if mention.word and not mention.unit:
                return True
            found = (self.numbers[k] for k in _readings(mention) if k in self.numbers)
            return any(not mention.unit or "" in units or _same_unit(mention.unit, units) for units in found)
        if mention.kind == "date":
            return any(d.startswith(mention.key) or d.endswith(mention.key) for d in self.dates)
        if mention.kind == "act":
            first, _, second = mention.key.partition("/")
            return mention.key in self.acts or f"{second}/{first}" in self.acts
        return any(names_part_of(mention.key, p) for p in self.places)


def _readings(mention: Mention) -> tuple[str, ...]:
    """Return the values that a number may have: "10,000" is ten, or ten thousand as others than EU acts print it."""
    thousands = re.match(r"\d{1,3}[.,]\d{3}(?!\d)", mention.text)
    return (mention.key, re.sub(r"\D", "", thousands[0])) if thousands else (mention.key,)


def _same_unit(unit: str, units: Iterable[str]) -> bool:
    """True if one unit begins the other: "mg/kg" and "mg/kg of cadmium" are one."""
    return any(u.startswith(unit) or unit.startswith(u) for u in units if u)


def unstated(text: str, stated: Stated) -> list[Mention]:
    """Return what a text mentions that is not stated elsewhere, in order.

    Example:
        >>> stated = Stated.of(["Losses stay below 5 % from 2030."], own=["art_4/par_1"])
        >>> [m.text for m in unstated("Article 4 allows 5 % until 2030, Article 6 allows 7 %.", stated)]
        ['Article 6', '7 %']
    """
    return [m for m in find_mentions(text) if not stated.has(m)]
