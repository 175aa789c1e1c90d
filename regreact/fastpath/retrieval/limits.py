"""Numbers and dates of a statement in the words that give them their meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from regreact.fastpath.cues import sentences
from regreact.fastpath.thresholds.operators import after_words, comparison, last_words
from regreact.fastpath.thresholds.reading import Reading, read
from regreact.legal.dates import DATE
from regreact.legal.mentions import Mention, find_mentions
from regreact.legal.units import normalise_unit

# A threshold is the whole sentence up to so many words; of a longer one its subject and the clause of the number.
_WHOLE = 60
# Words kept of a long subject, chapeau or clause, at each end.
_CLAUSE = 20


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
    reading = read(text)
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
def threshold_phrases(text: str, chapeau: str = "", cells: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the clauses of a statement that set a limit or a date, each with its subject.

    A number counts if it has a unit or is compared, a date if it is none of an act; numbers of provisions, standards,
    classes and footnotes do not, nor does "one of the following".

    Args:
        text: Statement.
        chapeau: Its chapeau, which is put in front: it holds the subject.
        cells: Cells of a table row; the first names what the others are about.

    Example:
        >>> threshold_phrases("0,2 mg/kg of mercury;", "The content of metals does not exceed:")
        ('The content of metals does not exceed: 0,2 mg/kg of mercury',)
    """
    if cells:
        return tuple(_of_row(cells))
    reading = read(text)
    found: dict[str, None] = {}
    for start, end in _sentences(text):
        places = [p for p in _limits(reading, chapeau) if start <= p[0] < end]
        if not places:
            continue
        if len(text[start:end].split()) <= _WHOLE:
            found[text[start:end].strip(" ,;:.")] = None
        else:
            found.update(dict.fromkeys(_clause(reading, start, *p) for p in places))
    lead = shortened(chapeau)
    return tuple(f"{lead} {p}" if lead else p for p in found)


def _limits(reading: Reading, chapeau: str) -> list[tuple[int, int]]:
    """Return where a text states what a criterion can be held to: amounts and dates."""
    lead = last_words(chapeau) is not None if chapeau else False
    places = []
    for amount in reading.amounts:
        start = reading.clause(amount.start)[0]
        compared = lead or comparison(reading.masked, start, amount.start, amount.end) is not None
        # "one", "two" count things unless they are compared; "zero" is a limit
        if amount.unit if not amount.word else amount.unit and (amount.of_time or compared):
            places.append((amount.start, amount.end + after_words(reading.masked[amount.end :])))
        elif compared and not amount.word:
            places.append((amount.start, amount.end))
    places.extend(m.span() for m in re.finditer(DATE, reading.masked))
    places.extend((m.start, m.end) for m in find_mentions(reading.text) if _is_limit(m, reading))
    return sorted(places)


def _is_limit(mention: Mention, reading: Reading) -> bool:
    """True for what the grammar of thresholds skips and still limits: a day of every year, a number with its unit."""
    if not reading.masked[mention.start : mention.end].strip():
        return False
    return mention.kind == "date" or (mention.kind == "number" and bool(mention.unit) and not mention.word)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield sentences, and the parts of one that semicolons divide."""
    for a, b in sentences(text):
        cuts = [a, *(m.end() for m in re.finditer(r";\s+", text) if a < m.end() < b), b]
        yield from pairwise(cuts)


def _of_row(cells: tuple[str, ...]) -> Iterator[str]:
    """Yield what a table row states: its first cell and those with a number, of a long cell the clauses that have one."""
    first, *others = cells
    kept = [c for c in others if re.search(r"\d", c)]
    told = [c for c in kept if len(c.split()) <= _WHOLE]
    name = shortened(first) if not kept or len(first.split()) > _CLAUSE else first
    if told or (not others and threshold_phrases(first)):
        yield "; ".join([name, *told])
    for cell in kept:
        if cell not in told:
            yield from (f"{name}: {phrase}" for phrase in threshold_phrases(cell))


# Words at which a clause may be cut: relative and subordinate clauses, coordinated ones behind a comma.
_BREAK = re.compile(r"(?:,\s(?:and|or|but|which|where|unless|provided|taking|with|including|as|in order)\b|\s(?:which|whereby|unless|provided that)\b|;|:)\s?")


def _clause(reading: Reading, sentence: int, start: int, end: int) -> str:
    """Return subject and clause of a number in a long sentence."""
    text = reading.text
    stop = min((e for a, e in _sentences(text) if a <= start < e), default=len(text))
    breaks = list(_BREAK.finditer(text, sentence, stop))
    a = max((m.start() for m in breaks if m.end() <= start), default=sentence)
    b = min((m.start() for m in breaks if m.start() >= end), default=stop)
    clause = text[a:b].strip(" ,;:.")
    if len(clause.split()) > 2 * _WHOLE:
        before, behind = text[a:start].split()[-_CLAUSE:], text[end:b].split()[:_CLAUSE]
        clause = f"… {' '.join([*before, text[start:end], *behind])} …"
    head = _subject(text[sentence:a])
    return f"{head} … {clause}" if head else clause


def _subject(text: str) -> str:
    """Return the beginning of a sentence up to its verb, of a long one its first words."""
    words = text.split()
    verb = next((n for n, w in enumerate(words) if w in _VERBS), len(words) - 1)
    return " ".join(words[: min(verb + 1, _CLAUSE)]).strip(" ,;:")


_VERBS = frozenset({"shall", "must", "may", "means", "is", "are", "has", "have", "should"})


def shortened(chapeau: str) -> str:
    """Return a chapeau, of a long one beginning and end, unless what stands between holds a number."""
    words = chapeau.split()
    if len(words) <= 2 * _CLAUSE or re.search(r"\d", " ".join(words[_CLAUSE:-_CLAUSE])):
        return chapeau
    return " ".join([*words[:_CLAUSE], "…", *words[-_CLAUSE:]])
