"""CELEX identifiers of EU acts (paper appendix E.2): derive from a printed number, parse, recover, compare.

A CELEX id of a secondary act is the sector (3), the four-digit year, the letter of the type and the number padded to
four digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

ActType = Literal["Regulation", "Directive", "Decision", "Recommendation", "Framework Decision"]

LETTERS: dict[ActType, str] = {
    "Regulation": "R",
    "Directive": "L",
    "Decision": "D",
    "Recommendation": "H",
    "Framework Decision": "F",
}
TYPES: dict[str, ActType] = {letter: name for name, letter in LETTERS.items()}

# The Communities were founded in 1952; a printed year outside this range is a number.
FIRST_YEAR, LAST_YEAR = 1952, 2099
# From 1 January 2015 on, acts are numbered year/number with the domain in brackets before it.
YEAR_FIRST_SINCE = 2015
# Years in which a treaty's letters stand in the number of an act; the overlaps are the years of change.
DOMAIN_YEARS: dict[str, tuple[int, int]] = {
    "EEC": (1958, 1993),
    "ECSC": (1952, 2002),
    "EC": (1993, 2009),
    "CE": (1993, 2009),
    "EU": (2009, LAST_YEAR),
    "Euratom": (1958, LAST_YEAR),
    "JHA": (1993, 2009),
    "CFSP": (1993, LAST_YEAR),
}

_CELEX = re.compile(r"^3(?P<year>\d{4})(?P<letter>[RLDHF])(?P<number>\d{4})$")
# "CELEX:32013H179", "2018R1999", "3 2010 L 0075": no sector, no padding, blanks
_LOOSE = re.compile(r"^(?:CELEX)?3?(?P<year>(?:19|20)\d\d)(?P<letter>[RLDHF])(?P<number>\d{1,4})$")
# "3R20181999": the letter before the year
_LETTER_FIRST = re.compile(r"^3?(?P<letter>[RLDHF])(?P<year>(?:19|20)\d\d)(?P<number>\d{1,4})$")


@dataclass(frozen=True, slots=True)
class Celex:
    """A CELEX id in parts."""

    year: int
    type: ActType
    number: int

    def __str__(self) -> str:
        return f"3{self.year:04d}{LETTERS[self.type]}{self.number:04d}"


def parse(celex_id: str) -> Celex | None:
    """Return the parts of the id of an act, None if it is none (also for consolidated versions and corrigenda).

    Example:
        >>> parse("32010L0075")
        Celex(year=2010, type='Directive', number=75)
    """
    match = _CELEX.match(celex_id)
    if match is None or not FIRST_YEAR <= int(match["year"]) <= LAST_YEAR or int(match["number"]) == 0:
        return None
    return Celex(int(match["year"]), TYPES[match["letter"]], int(match["number"]))


def recover(text: str) -> str | None:
    """Return the id that a malformed one stands for, None if it cannot be told.

    Example:
        >>> recover("celex: 2013H179"), recover("3R20181999"), recover("C(2020) 7730")
        ('32013H0179', '32018R1999', None)
    """
    compact = re.sub(r"[\s:]", "", text).upper()
    match = _LOOSE.match(compact) or _LETTER_FIRST.match(compact)
    if match is None:
        return None
    parsed = parse(f"3{match['year']}{match['letter']}{int(match['number']):04d}")
    return str(parsed) if parsed else None


def link(celex_id: str) -> str:
    """Return the address of an act on EUR-Lex."""
    return f"https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:{celex_id}"


def full_year(digits: str) -> int | None:
    """Return a printed year in full, None if the digits cannot be one; two digits are before 2000."""
    value = int(digits)
    if len(digits) == 2 and value >= FIRST_YEAR - 1900:
        return 1900 + value
    return value if len(digits) == 4 and FIRST_YEAR <= value <= LAST_YEAR else None


def derive(
    type: ActType, first: str, second: str, *, numero: bool = False, domain: str = "", suffix: str = ""
) -> str | None:
    """Return the CELEX id of an act from its printed number.

    The rules, each with an example:

    * "No" marks number before year: "Regulation (EC) No 338/97" is 31997R0338, "Decision No 661/2010/EU" 32010D0661.
    * Regulations up to 2014 were number before year even where "No" is left out: "Regulation (EC) 1907/2006".
    * Directives, decisions and recommendations are year before number: "Directive 98/70/EC" is 31998L0070.
    * Since 2015 the year comes first: "Regulation (EU) 2019/631".
    * The letters of the treaty bound the year: "(EU) No 2015/1999" cannot be of 1999.
    * What cannot be a year is the number, whatever the order: "Decision 676/2002/EC" is 32002D0676.

    Args:
        type: Type of the act.
        first: Digits before the slash.
        second: Digits after it.
        numero: True if "No" is printed.
        domain: What is printed in brackets before the number ("EU", "EC", "EEC", "Euratom").
        suffix: What is printed after the number ("EU", "EC", "EEC", "Euratom").

    Returns:
        The id, None if neither part can be a year.
    """
    orders = [(first, second), (second, first)]
    if numero or (type == "Regulation" and not _new_style(first, domain)):
        orders.reverse()
    low, high = DOMAIN_YEARS.get(domain or suffix, (FIRST_YEAR, LAST_YEAR))
    found = [
        Celex(year, type, int(number))
        for digits, number in orders
        if (year := full_year(digits)) is not None and 0 < int(number) <= 9999
    ]
    found.sort(key=lambda c: not low <= c.year <= high)
    return str(found[0]) if found else None


def _new_style(first: str, domain: str) -> bool:
    year = full_year(first) if len(first) == 4 else None
    return year is not None and year >= YEAR_FIRST_SINCE and domain not in ("EC", "EEC")


def format_number(celex: Celex) -> str:
    """Return type and number of an act as it is cited today; `derive` leads back to the same id.

    Example:
        >>> format_number(Celex(2018, "Regulation", 1999)), format_number(Celex(1997, "Regulation", 338))
        ('Regulation (EU) 2018/1999', 'Regulation (EC) No 338/97')
        >>> format_number(Celex(1992, "Directive", 43)), format_number(Celex(2010, "Directive", 75))
        ('Directive 92/43/EEC', 'Directive 2010/75/EU')
    """
    if celex.type == "Framework Decision":
        return f"Framework Decision {celex.year}/{celex.number}/JHA"
    if celex.year >= YEAR_FIRST_SINCE:
        return f"{celex.type} (EU) {celex.year}/{celex.number}"
    domain = "EU" if celex.year > 2009 else "EC" if celex.year > 1993 else "EEC"
    year = f"{celex.year % 100}" if celex.year < 1999 else f"{celex.year}"
    if celex.type == "Regulation":
        return f"Regulation ({domain}) No {celex.number}/{year}"
    return f"{celex.type} {year}/{celex.number}/{domain}"
