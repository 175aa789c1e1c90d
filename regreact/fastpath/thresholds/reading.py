"""A criterion's text with its masked copies, its clauses and its amounts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from regreact.fastpath.thresholds.masking import mask, mask_citations
from regreact.legal.numbers import FRACTION, FRACTIONS, NUMBER, may_hold_number, parse_number
from regreact.legal.units import DURATION_UNIT, TIME_UNIT, UNIT
from regreact.remember import remembered
from regreact.screen import Screened

# Stands in a clause for an amount that is already read.
READ = "¦"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit.

    Attributes:
        start: First character of the number.
        end: Character after the unit (or the number, without unit).
        value: The number; the lower one of a range.
        unit: As printed, "" without unit.
        word: True if the number is a word ("two").
        high: The upper number of a range ("10 to 30 years").
        tolerance: True for "± 25 %".
    """

    start: int
    end: int
    value: float
    unit: str
    word: bool = False
    high: float | None = None
    tolerance: bool = False

    @property
    def of_time(self) -> bool:
        """True for a number of years, days, hours and the like."""
        return bool(re.fullmatch(DURATION_UNIT, self.unit, re.I))


_AMOUNT = Screened(
    rf"(?P<tolerance>±\s?)?(?<![\w.,/-])(?:(?P<currency>EUR|USD|€|\$)\s?)?(?P<number>(?i:{NUMBER}))"
    rf"(?:(?:-?\sto\s|\s?[-–]\s?)(?P<high>{NUMBER}))?"
    rf"(?P<gap>[\s\]]*|-)(?:(?:additional|further|full|consecutive|working|calendar|business|whole)\s)?(?P<unit>{UNIT})?(?![\w])",
    words=(),
)
_PART = re.compile(
    rf"(?P<number>{FRACTION})(?=\s(?:or (?:more|less|fewer)\s)?(?:of|the|all|its|their|lower|higher|smaller|below|above)\b)|(?<=\bby )(?P<by>{FRACTION})(?!\sa\b)", re.I
)
# "three fifths (60 %)", "ten (10) years", "10 (ten) years": one number written twice
_TWICE = Screened(
    rf"(?<![\w.,/-])(?P<first>(?i:{NUMBER}|{FRACTION}|third|quarter))\s?(?P<u1>{UNIT})?\s?"
    rf"\((?P<again>(?i:{NUMBER}))\s?(?P<u2>{UNIT})?\)(?:\s?(?P<u3>{UNIT}))?(?!\w)",
    words=("(",),
)

_END = re.compile(r"[.](?=\s+[A-Z‘“'\"(]|\s*$)|[;:](?=\s|$)")
_ABBREVIATION = re.compile(r"(?:\b(?:i\.e|e\.g|No|resp|cf|incl|approx|max|min|Art)|p\.e)$")


class Reading:
    """Text of a criterion, prepared once for all rules.

    Example:
        >>> r = Reading("1. Losses are below 5 %. They are measured.")
        >>> [(a.value, a.unit) for a in r.amounts], r.clause(r.amounts[0].start)
        ([(5.0, '%')], (0, 24))
    """

    def __init__(self, text: str, thousands: str = "") -> None:
        """Prepare a text; `thousands` is what separates thousands in its section (`thousands_mark`)."""
        self.text = text
        self.thousands = thousands
        self.masked = mask(text)
        self.names = mask_citations(text)

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        """Numbers outside masked text, in order; fractions ("two thirds of") count as percentages."""
        if not may_hold_number(self.masked):
            return ()
        found = [a for m in _TWICE.finditer(self.masked) if (a := _written_twice(m, self.thousands))]
        for m in _PART.finditer(self.masked):
            value = round(100 * FRACTIONS[re.sub(r"[\s-]+", " ", (m["number"] or m["by"]).lower())], 2)
            if not any(a.start < m.end() and m.start() < a.end for a in found):
                found.append(Amount(m.start(), m.end(), value, "%", word=True))
        for m in _AMOUNT.finditer(self.masked):
            amount = _amount(m, self.thousands)
            if amount and not any(a.start < amount.end and amount.start < a.end for a in found):
                found.append(amount)
        return tuple(sorted(found, key=lambda a: a.start))

    @cached_property
    def _stops(self) -> tuple[tuple[int, str], ...]:
        """Ends of clauses: (position after the mark, mark)."""
        return tuple(
            (m.end(), m[0]) for m in _END.finditer(self.masked) if not _ABBREVIATION.search(self.masked[: m.start()])
        )

    def clause(self, position: int) -> tuple[int, int]:
        """Return start and end of the clause around a position; full stop, semicolon and colon end it."""
        return self._around(position, ".;:")

    def sentence(self, position: int) -> tuple[int, int]:
        """Return start and end of the sentence around a position; only full stops end it."""
        return self._around(position, ".")

    def _around(self, position: int, marks: str) -> tuple[int, int]:
        ends = [0, *(end for end, mark in self._stops if mark in marks), len(self.text)]
        start = max(e for e in ends if e <= position)
        return start, min((e for e in ends if e > position), default=len(self.text))

    def numbers_left(self, spans: list[tuple[int, int]]) -> Iterator[int]:
        """Yield positions of digits that stand outside the spans and are part of no word."""
        for m in re.finditer(r"(?<![\w.,-])\d", self.masked):
            if not any(start <= m.start() < end for start, end in spans):
                yield m.start()


@remembered
def read(text: str, thousands: str = "") -> Reading:
    """Return the reading of a text, one for all who ask."""
    return Reading(text, thousands)


def _written_twice(match: re.Match[str], thousands: str) -> Amount | None:
    """Return the amount of "a quarter (25 %)", None if the two numbers differ."""
    first, again = match["first"].lower(), match["again"]
    printed = match["u1"] or match["u2"] or match["u3"] or ""
    part = FRACTIONS.get(re.sub(r"[\s-]+", " ", first))
    try:
        value = parse_number(again, thousands)
        said = 100 * part if part is not None and printed[:1] in ("%", "p") else parse_number(first, thousands)
    except ValueError:
        return None
    # "one third (33 %)" is rounded
    if abs(said - value) >= 1 or (part is None and said != value):
        return None
    return Amount(match.start(), match.end(), value, printed)


def _amount(match: re.Match[str], thousands: str) -> Amount | None:
    unit = match["unit"] or match["currency"] or ""
    if not unit and re.fullmatch(r"(?:19|20)\d\d", match["number"]):
        return None  # a year
    if match["gap"] == "-" and not re.fullmatch(TIME_UNIT, unit):
        return None
    try:
        high = parse_number(match["high"], thousands) if match["high"] else None
        value = parse_number(match["number"], thousands)
    except ValueError:
        return None
    if high is not None and (not unit or high <= value):
        return None
    return Amount(
        match.start("currency") if match["currency"] else match.start("number"),
        match.end("unit") if match["unit"] else match.end("number"),
        value,
        unit,
        word=match["number"][0].isalpha(),
        high=high,
        tolerance=match["tolerance"] is not None,
    )
