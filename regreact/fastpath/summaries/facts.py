"""Facts in words, and those that a sentence does not state yet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from regreact.schema import (
    BoundedPeriod,
    Deadline,
    EffectiveFrom,
    EffectiveUntil,
    LifetimePeriod,
    Operator,
    QuantitativeItem,
    Recurring,
    TemporalItem,
    Window,
)
from signatures.types import CriterionFacts

_COMPARISONS: dict[Operator, str] = {
    "<": "below",
    "<=": "at most",
    ">": "above",
    ">=": "at least",
    "=": "equal to",
}


def number(value: float) -> str:
    """Return a number without needless decimals.

    Example:
        >>> number(20.0), number(0.722)
        ('20', '0.722')
    """
    return str(int(value)) if value == int(value) else repr(value)


def limit_words(item: QuantitativeItem) -> str:
    """Return a limit in words.

    Example:
        >>> limit_words(QuantitativeItem(metric="Dust emissions", operator="<", value=5, unit="mg/m3"))
        'dust emissions below 5 mg/m3'
    """
    metric = item.metric[:1].lower() + item.metric[1:] if item.metric[1:2].islower() else item.metric
    words = f"{metric} {_COMPARISONS[item.operator]} {number(item.value)} {item.unit}".strip()
    if isinstance(item.period, BoundedPeriod):
        words += f" over {number(item.period.value)} {item.period.unit}"
    elif isinstance(item.period, LifetimePeriod):
        words += " over the lifetime"
    return words


def day_words(iso: str) -> str:
    """Return an ISO date as it is printed in legal texts.

    Example:
        >>> day_words("2031-12-31")
        '31 December 2031'
    """
    day = date.fromisoformat(iso)
    return f"{day.day} {day:%B} {day.year}"


def time_words(item: TemporalItem) -> str:
    """Return a date or an interval in words.

    Example:
        >>> time_words(Deadline(date="2031-12-31"))
        'by 31 December 2031'
    """
    match item:
        case Deadline():
            return f"by {day_words(item.date)}"
        case EffectiveFrom():
            return f"from {day_words(item.date)}"
        case EffectiveUntil():
            return f"until {day_words(item.date)}"
        case Window():
            return f"from {day_words(item.start)} to {day_words(item.end)}"
        case Recurring():
            return f"every {number(item.interval_value)} {item.interval_unit}"


def missing_facts(sentence: str, facts: CriterionFacts) -> list[str]:
    """Return sentences for the limits, dates and cited documents that a sentence leaves out."""
    return [*_missing_limits(sentence, facts), *_missing_times(sentence, facts), *_missing_sources(sentence, facts)]


def _missing_limits(sentence: str, facts: CriterionFacts) -> Iterator[str]:
    quantitative = facts.threshold.quantitative if facts.threshold else None
    items = quantitative.items if quantitative else ()
    left_out = tuple(i for i in items if not _stated(i.value, sentence))
    items = items if left_out and facts.threshold_from else left_out
    if quantitative and items:
        joiner = " or " if quantitative.logic == "OR" else " and "
        words = joiner.join(_without_repetition([limit_words(i) for i in items]))
        yield f"The {'limit is' if len(items) == 1 else 'limits are'} {words}."


def _without_repetition(words: list[str]) -> list[str]:
    """Return limits with the metric in the first one only, where they share it and differ in their case."""
    metric, comma, _ = words[0].rpartition(", ")
    shared = comma and all(w.startswith(metric + comma) for w in words)
    return [words[0], *(w.removeprefix(metric + comma) for w in words[1:])] if shared else words


_NUMERALS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def _stated(value: float, sentence: str) -> bool:
    """True if a sentence holds a number, in digits or in words."""
    numbers = set(re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d) (?=\d{3}\b)", "", sentence)))
    if number(value) in numbers:
        return True
    if value == int(value) and 0 <= value < len(_NUMERALS):
        return re.search(rf"\b{_NUMERALS[int(value)]}\b", sentence, re.IGNORECASE) is not None
    return value >= 1e6 and f"{number(value / 1e6)} million" in sentence


def _missing_times(sentence: str, facts: CriterionFacts) -> Iterator[str]:
    temporal = facts.threshold.temporal if facts.threshold else None
    for item in temporal.items if temporal else ():
        words = time_words(item)
        known = (
            all(y in sentence for y in re.findall(r"\d{4}", words))
            if not isinstance(item, Recurring)
            else _recurs(sentence)
        )
        if not known:
            yield f"This {'recurs' if isinstance(item, Recurring) else 'applies'} {words}."


def _recurs(sentence: str) -> bool:
    return re.search(r"\b(?:every|annual(?:ly)?|yearly|each year|monthly)\b", sentence, re.IGNORECASE) is not None


def _missing_sources(sentence: str, facts: CriterionFacts) -> Iterator[str]:
    sources = [s.text for s in facts.references.sources if s.type == "must_be_fetched"] if facts.references else []
    left_out = [t for t in sources if not _named(t, sentence)]
    if left_out:
        joiner = " or " if facts.references and facts.references.logic == "OR" else " and "
        yield f"The {'source is' if len(left_out) == 1 else 'sources are'} {joiner.join(left_out)}."


def _named(citation: str, sentence: str) -> bool:
    """True if the sentence holds the number, or all capitalised words, of a citation."""
    numbers = re.findall(r"\d+(?:[./]\d+)+|\d{3,}", citation)
    if numbers:
        return all(n in sentence for n in numbers)
    return all(w in sentence for w in re.findall(r"\b[A-Z][\w-]+|\b\d+\b", citation))
