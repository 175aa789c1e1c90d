"""Which items of a threshold a citing criterion takes over: those of a period, of a named case, or all."""

from __future__ import annotations

import re
from collections.abc import Iterable

from regreact.fastpath.dependencies.points import Cited, thing_named, words_before
from regreact.fastpath.dependencies.topics import content_words
from regreact.schema import BoundedPeriod, QuantitativeItem
from signatures.types import CriterionView

LIMIT = (
    r"(?:thresholds?|levels?|limits?|values?|ceilings?|targets?|margins?|caps?|floors?|maxim(?:um|a)|minim(?:um|a)"
    r"|benchmarks?)"
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


def chosen(items: tuple[QuantitativeItem, ...], view: CriterionView, cited: Cited) -> tuple[QuantitativeItem, ...]:
    """Return the items that a citing criterion speaks of: by the thing that it names, else by its subject.

    "Both limits of point 1" and "the values of point 1" are all of them, whatever the subject.
    """
    ordinal = _ORDINAL.search(words_before(view.text, cited))
    if ordinal and _ORDINALS[ordinal[1].lower()] < len(items):
        return (items[_ORDINALS[ordinal[1].lower()]],)
    thing = thing_named(view.text, cited.point.start)
    if thing is not None:
        named = _selected(items, thing.words)
        before = words_before(view.text, cited)
        if len(named) < len(items) or _EVERY.search(before):
            return named
    return _selected(items, _words_around(view.text, cited))


def _words_around(text: str, cited: Cited) -> str:
    """Return the noun phrase that the point defines, with what limits it after the point: they hold the selector."""
    after = re.match(r",? (?:that|which) [^,.;]*?(?= (?:is|are)\b|[,.;]|$)", text[cited.point.end :])
    return words_before(text, cited) + (after[0] if after else "")


def _selected(items: Iterable[QuantitativeItem], text: str) -> tuple[QuantitativeItem, ...]:
    """Return the items that the words select: those of a period, those without one, or those of a named case."""
    found = tuple(items)
    if match := _PERIOD.search(text):
        number, unit = match[1] or match[3], (match[2] or match[4]).rstrip("s") + "s"
        value = float(number) if number.isdigit() else float(_NUMERALS.index(number) + 1 if number in _NUMERALS else 0)
        of_period = tuple(
            i
            for i in found
            if isinstance(i.period, BoundedPeriod) and i.period.value == value and i.period.unit == unit
        )
        return of_period or found
    if _NO_PERIOD.search(text):
        return tuple(i for i in found if i.period is None) or found
    return _of_named_case(found, text)


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
