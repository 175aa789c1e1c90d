"""Which items of a threshold a citing criterion takes over: those of a period, of a named case, or all."""

from __future__ import annotations

import re
from collections.abc import Iterable

from regreact.fastpath.dependencies.points import Cited, NounPhrase, thing_named, words_before
from regreact.fastpath.dependencies.topics import content_words
from regreact.schema import BoundedPeriod, QuantitativeItem
from signatures.types import CriterionView

LIMIT = (
    r"(?:thresholds?|levels?|limits?|values?|ceilings?|targets?|margins?|caps?|floors?|maxim(?:um|a)|minim(?:um|a)"
    r"|benchmarks?|figures?|bounds|quotas?|percentages?)"
)
"""Nouns for a limit value."""

_PERIOD = re.compile(
    r"\b(?:over|averaged over|during|across) (\d+|[a-z]+) (years?|months?)\b|\b(\d+|[a-z]+)[- ](year|month)\b"
)
_NO_PERIOD = re.compile(r"\binstant\w*\b|\bat the point of generation\b", re.IGNORECASE)
_NUMERALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = {"first": 0, "second": 1, "third": 2}
_ORDINAL = re.compile(rf"\b(first|second|third)\b(?=(?: \w+){{0,3}} {LIMIT})", re.IGNORECASE)
_EVERY = re.compile(rf"\b(?:both|all|every|each)\b[\w -]*$|\b{LIMIT}(?<=s)\b[^.;:,]{{0,25}}$", re.IGNORECASE)


# Nouns for a quantity, and the units that measure it; without units any quantity may be meant.
_KINDS = (
    (r"shares?|proportions?|percentages?|fractions?|quotas?|rates?", r"%|per ?cent.*|percentage points?|‰"),
    (r"temperatures?", r"°.*|K"),
    (r"durations?|periods?|terms?|lifetimes?|ages?|intervals?", r"(?:years?|months?|weeks?|days?|hours?|minutes?)\b.*"),
    (r"outputs?|capacit(?:y|ies)|power|ratings?", r"[kMG]?(?:W|VA)(?:p|e|th)?"),
    (r"areas?|surfaces?", r"(?:[mk]?m2|ha|hectares?)"),
    (r"distances?|heights?|widths?|depths?|thickness(?:es)?|lengths?", r"[mck]?m|met(?:er|re)s?"),
    (r"noise|sounds?", r"dB.*"),
    (r"loads?|amounts?|quantit(?:y|ies)|volumes?|contents?|concentrations?|numbers?|totals?|consumptions?|figures?", None),
)


def measured_by(noun: str, unit: str) -> bool | None:
    """Return whether a unit measures what a noun stands for, None if the noun stands for any quantity.

    Example:
        >>> measured_by("share", "%"), measured_by("share", "kg"), measured_by("load", "kg"), measured_by("plan", "kg")
        (True, False, None, False)
    """
    last = noun.rsplit(maxsplit=1)[-1] if noun.strip() else ""
    for nouns, units in _KINDS:
        if re.fullmatch(nouns, last, re.IGNORECASE):
            return None if units is None else re.fullmatch(units, unit) is not None
    return False


def chosen(items: tuple[QuantitativeItem, ...], view: CriterionView, cited: Cited) -> tuple[QuantitativeItem, ...]:
    """Return the items that a citing criterion speaks of: by the thing that it names, else by its subject.

    "Both limits of point 1" and "the values of point 1" are all of them, whatever the subject.
    """
    ordinal = _ORDINAL.search(words_before(view.text, cited))
    if ordinal and _ORDINALS[ordinal[1].lower()] < len(items):
        return (items[_ORDINALS[ordinal[1].lower()]],)
    thing = thing_named(view.text, cited.point.start)
    if thing is not None:
        count = _COUNTED.search(view.text[: thing.start] + thing.words.split()[0])
        if count and _COUNTS[count[1].lower()] == len(items):
            return items
        named = of_thing(items, thing)
        if len(named) < len(items) or _EVERY.search(words_before(view.text, cited)):
            return named
    return _selected(items, _words_around(view.text, cited))


def of_thing(items: tuple[QuantitativeItem, ...], thing: NounPhrase) -> tuple[QuantitativeItem, ...]:
    """Return the items that a thing names: by words that not all of them have, else by the kind of their unit."""
    named = _selected(items, thing.words)
    if len(named) < len(items):
        return named
    return tuple(i for i in items if measured_by(thing.head, i.unit)) or items


_COUNTS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
# "both of the shares", "all four of the values", "the two limits"
_COUNTED = re.compile(r"\b(both|two|three|four|five|six)(?: of)?(?: (?:the|these|those))? \w+$", re.IGNORECASE)


def _words_around(text: str, cited: Cited) -> str:
    """Return the noun phrase that the point defines, with what limits it after the point: they hold the selector."""
    after = re.match(r",? (?:that|which) [^,.;]*?(?= (?:is|are)\b|[,.;]|$)", text[cited.point.end :])
    aside = re.search(r",([^,;.]{1,50}), (?:with|to)\s*$", text[: cited.point.start])
    return (aside[1] if aside else words_before(text, cited)) + (after[0] if after else "")


def _selected(items: Iterable[QuantitativeItem], text: str) -> tuple[QuantitativeItem, ...]:
    """Return the items that the words select: those of a period, those without one, or those of a named case."""
    found = tuple(items)
    if _PERIOD.search(text):
        return of_period(found, text) or found
    if _NO_PERIOD.search(text):
        return tuple(i for i in found if i.period is None) or found
    if rate := _RATE.search(text):
        per = re.compile(rf"(?:\bper |/ ?)(?:{_RATES[rate[1].lower()]})\b", re.IGNORECASE)
        found = tuple(i for i in found if per.search(i.unit)) or found
    return _of_named_case(found, text)


# "the hourly limit": the one of which the unit is "… per hour"
_RATES = {
    "hourly": "hours?|h",
    "daily": "days?|d",
    "weekly": "weeks?",
    "monthly": "months?",
    "annual": "years?|annum|yr|a",
    "yearly": "years?|annum|yr|a",
}
_RATE = re.compile(rf"\b({'|'.join(_RATES)})\b", re.IGNORECASE)


def of_period(items: Iterable[QuantitativeItem], text: str) -> tuple[QuantitativeItem, ...]:
    """Return the items measured over the period that the words name ("the 15-year mean"), none if they name none."""
    match = _PERIOD.search(text)
    if match is None:
        return ()
    number, unit = match[1] or match[3], (match[2] or match[4]).rstrip("s") + "s"
    value = float(number) if number.isdigit() else float(_NUMERALS.index(number) + 1 if number in _NUMERALS else 0)
    return tuple(
        i for i in items if isinstance(i.period, BoundedPeriod) and i.period.value == value and i.period.unit == unit
    )


def _of_named_case(items: tuple[QuantitativeItem, ...], text: str) -> tuple[QuantitativeItem, ...]:
    """Return the items whose metric holds a word of the text that not all metrics hold ("the winter value").

    If some hold more of these words than others, those that hold most.
    """
    metrics = [_words(i.metric) for i in items]
    common = frozenset.intersection(*metrics) if metrics else frozenset()
    named = [len(metric & (_words(text) - common)) for metric in metrics]
    most = max(named, default=0)
    return tuple(i for i, count in zip(items, named, strict=True) if count == most) if most else items


def _words(text: str) -> frozenset[str]:
    """Return content words, years and class letters."""
    return content_words(text) | frozenset(re.findall(r"\b\d{4}\b|\b[A-Z]\b", text))
