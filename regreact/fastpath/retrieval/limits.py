"""Numbers and dates of a statement in the words that give them their meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from regreact.fastpath.thresholds.operators import after_words, comparison, last_words
from regreact.fastpath.thresholds.reading import Reading
from regreact.legal.dates import DATE
from regreact.legal.mentions import find_mentions
from regreact.legal.units import normalise_unit

# A threshold keeps its statement or clause up to this many words; of a longer one, so many around the number.
_CLAUSE, _BEFORE, _BEHIND = 25, 12, 6


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit in normal form and the direction of its comparison: -1 upper bound, 1 lower bound."""

    value: str
    unit: str
    direction: int


@lru_cache(maxsize=2048)
def directions(text: str, chapeau: str = "") -> tuple[Amount, ...]:
    """Return the numbers of a text that comparison words bound, its own or those of the chapeau.

    Example:
        >>> directions("Losses stay below 5 % for 3 years.")
        (Amount(value='5', unit='%', direction=-1),)
    """
    if not re.search(r"\d", text):
        return ()
    reading = Reading(text)
    lead = last_words(chapeau) if chapeau else None
    found = []
    last = 0
    for amount in reading.amounts:
        # A denial before another number ("not exceed 10 mg for kilns of more than 5 MW") does not reach this one.
        start, last = max(reading.clause(amount.start)[0], last), amount.end
        if amount.word or amount.of_time or not amount.unit:
            continue
        compared = comparison(reading.masked, start, amount.start, amount.end) or lead
        if compared is not None and compared.operator != "=":
            direction = -1 if compared.operator.startswith("<") else 1
            found.append(Amount(f"{amount.value:.10g}", normalise_unit(amount.unit), direction))
    return tuple(found)


def bounds(texts: Iterable[tuple[str, str]]) -> dict[tuple[str, str], set[int]]:
    """Return the directions in which texts bound each value with its unit.

    Args:
        texts: Pairs of text and chapeau.
    """
    found: dict[tuple[str, str], set[int]] = {}
    for text, chapeau in texts:
        for amount in directions(text, chapeau):
            found.setdefault((amount.value, amount.unit), set()).add(amount.direction)
    return found


def turned(claim: str, known: Mapping[tuple[str, str], set[int]]) -> list[tuple[str, str]]:
    """Return the values with unit that a claim bounds in another direction than the source ever does."""
    told = bounds([(claim, "")])
    return [amount for amount, sides in told.items() if amount in known and sides.isdisjoint(known[amount])]


@lru_cache(maxsize=2048)
def threshold_phrases(text: str, chapeau: str = "") -> tuple[str, ...]:
    """Return the clauses of a statement that state a number or a date, each cut down to what surrounds the number.

    Args:
        text: Statement.
        chapeau: Its chapeau; its end is put in front where the comparison words stand there.

    Example:
        >>> threshold_phrases("0,2 mg/kg of mercury;", "The content of metals does not exceed:")
        ('The content of metals does not exceed: 0,2 mg/kg of mercury',)
    """
    if not re.search(r"\d", text) and not find_mentions(text):
        return ()
    reading = Reading(text)
    places = [(a.start, a.end + after_words(reading.masked[a.end :])) for a in reading.amounts]
    places.extend(m.span() for m in re.finditer(DATE, reading.masked))
    # What the grammar of limits leaves out (classes, reference years) is still a number to be reported.
    places.extend((m.start, m.end) for m in find_mentions(text) if m.kind in ("number", "date") and not (m.word and not m.unit))
    spans = sorted({_window(reading, a, b) for a, b in places})
    phrases = [text[a:b].strip(" ,;:.") for a, b in _merged(spans)]
    lead = _lead(chapeau)
    return tuple(f"{lead} {p}" if lead else p for p in dict.fromkeys(phrases))


def _lead(chapeau: str) -> str:
    if not chapeau or last_words(chapeau) is None:
        return ""
    words = chapeau.split()
    return " ".join(words[-_CLAUSE:])


def _window(reading: Reading, start: int, end: int) -> tuple[int, int]:
    """Return the clause around [start, end), or the words next to it if the clause is long."""
    if len(reading.text.split()) <= _CLAUSE:
        return 0, len(reading.text)
    a, b = reading.clause(start)
    b = max(b, end)
    if len(reading.text[a:b].split()) <= _CLAUSE:
        return a, b
    before = list(re.finditer(r"\S+", reading.text[a:start]))
    behind = list(re.finditer(r"\S+", reading.text[end:b]))
    first = a + before[-_BEFORE].start() if len(before) > _BEFORE else a
    last = end + behind[_BEHIND - 1].end() if len(behind) > _BEHIND else b
    return first, last


def _merged(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Join windows that overlap."""
    current: tuple[int, int] | None = None
    for start, end in spans:
        if current is None or start >= current[1]:
            if current is not None:
                yield current
            current = (start, end)
        else:
            current = (current[0], max(current[1], end))
    if current is not None:
        yield current
