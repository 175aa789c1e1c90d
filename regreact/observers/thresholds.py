"""Checks of stage 2 answers against the words of the criterion."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from regreact.answers import Answer
from regreact.observers.base import Issue, observer
from regreact.schema import Threshold

_NUMBER = re.compile(r"\d+(?:[   ]\d{3})*(?:[.,]\d+)?")
_WORDS = {
    "zero": 0.0,
    "one": 1.0,
    "two": 2.0,
    "three": 3.0,
    "four": 4.0,
    "five": 5.0,
    "six": 6.0,
    "seven": 7.0,
    "eight": 8.0,
    "nine": 9.0,
    "ten": 10.0,
    "twelve": 12.0,
    "fifteen": 15.0,
    "twenty": 20.0,
    "half": 0.5,
}


def numbers_in(text: str) -> set[float]:
    """Return every number that the text may mean: digits with comma or point as decimal or thousands, and words."""
    values: set[float] = set()
    for match in _NUMBER.finditer(text):
        digits = re.sub(r"[   ]", "", match[0])
        for reading in (digits.replace(",", "."), re.sub(r"[.,](?=\d{3}\b)", "", digits)):
            try:
                values.add(float(reading))
            except ValueError:
                continue
        values.update(float(part) for part in re.findall(r"\d+", match[0]))
    words = re.findall(r"[a-z]+", text.lower())
    values.update(_WORDS[w] for w in words if w in _WORDS)
    return values


@observer("ExtractThresholds")
def number_in_source(inputs: Mapping[str, Any], answers: Sequence[Answer[Threshold | None]]) -> Iterator[Issue]:
    """Every quantitative value occurs in the criterion's text or in that of a criterion above it."""
    by_id = {c.criterion_id: c for c in inputs["criteria"]}
    for answer in answers:
        if answer.value is None or answer.value.quantitative is None:
            continue
        text, view = "", by_id.get(answer.id)
        while view is not None:
            text += "\n" + view.text
            view = by_id.get(view.parent) if view.parent else None
        known = numbers_in(text)
        for item in answer.value.quantitative.items:
            if item.value not in known and "half" not in text and "third" not in text:
                yield Issue(
                    answer.id,
                    "semantic",
                    "critical",
                    "threshold",
                    f"the number {item.value:g} does not occur in the source",
                    (),
                    "number_in_source",
                )
