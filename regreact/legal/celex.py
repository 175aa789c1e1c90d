"""CELEX identifiers of EU acts (paper appendix E.2): derive from a printed number, parse, validate.

A CELEX id of a secondary act is the sector (3), the four-digit year, the letter of the type and the number padded to
four digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

ActType = Literal["Regulation", "Directive", "Decision", "Recommendation"]

LETTERS: dict[ActType, str] = {"Regulation": "R", "Directive": "L", "Decision": "D", "Recommendation": "H"}
TYPES: dict[str, ActType] = {letter: name for name, letter in LETTERS.items()}

# The Communities were founded in 1952; a printed year outside this range is a number.
FIRST_YEAR, LAST_YEAR = 1952, 2099
# From 1 January 2015 on, acts are numbered year/number with the domain in brackets before it.
YEAR_FIRST_SINCE = 2015

_CELEX = re.compile(r"^(?P<sector>[03])(?P<year>\d{4})(?P<letter>[RLDH])(?P<number>\d{4})$")


@dataclass(frozen=True, slots=True)
class Celex:
    """A CELEX id in parts."""

    year: int
    type: ActType
    number: int

    def __str__(self) -> str:
        return f"3{self.year:04d}{LETTERS[self.type]}{self.number:04d}"


def parse(celex_id: str) -> Celex | None:
    """Return the parts of the id of an act, None if it is none.

    Example:
        >>> parse("32010L0075")
        Celex(year=2010, type='Directive', number=75)
    """
    match = _CELEX.match(celex_id)
    if match is None:
        return None
    return Celex(int(match["year"]), TYPES[match["letter"]], int(match["number"]))


def _full_year(digits: str) -> int | None:
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

    * "No" marks number before year: "Regulation (EC) No 338/97" is 31997R0338.
    * A treaty suffix marks year before number: "Directive 98/70/EC" is 31998L0070; but "Decision No 676/2002/EC" and
      other codecision decisions are number before year.
    * Regulations of the Communities were number before year even where "No" is left out: "(EEC) 1408/71".
    * Since 2015 the year comes first: "Regulation (EU) 2019/631".

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
    year_of_first, year_of_second = _full_year(first), _full_year(second)
    number_first = numero or (type == "Regulation" and domain in ("EC", "EEC"))
    if domain == "EU" and year_of_second is not None and (year_of_first or 0) < YEAR_FIRST_SINCE:
        number_first = True
    order = ((year_of_second, first), (year_of_first, second))
    for year, number in order if number_first else reversed(order):
        if year is not None and 0 < int(number) <= 9999:
            return str(Celex(year, type, int(number)))
    return None
