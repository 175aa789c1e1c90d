"""Checks of stage 2 answers against the words of the criterion (paper appendices C, D.2, D.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from regreact.answers import Answer
from regreact.legal.numbers import NUMBER, SPACES, parse_number
from regreact.observers.base import Issue, observer
from regreact.schema import Operator, QuantitativeItem, Span, Threshold, Window
from signatures.types import CriterionView

_WORD_NUMBER = re.compile(r"[a-z]+")
_PRINTED = re.compile(rf"{NUMBER}", re.I)
_EXTRA_WORDS = {"half": 0.5, "third": 1 / 3, "quarter": 0.25, "annually": 1.0, "yearly": 1.0}

# Words that leave only these operators open (appendix D.2, "Operator Detection").
_OPERATOR_CUES: tuple[tuple[re.Pattern[str], frozenset[Operator]], ...] = (
    (re.compile(r"\b(?:lower|less|smaller|fewer) than\b|\bbelow\b|\bunder\b", re.I), frozenset(["<", ">"])),
    (re.compile(r"\bat most\b|\bmaximum\b|\bup to\b|\bno more than\b", re.I), frozenset(["<="])),
    (re.compile(r"\bat least\b|\bminimum\b", re.I), frozenset([">="])),
    (re.compile(r"\bequal to\b", re.I), frozenset(["=", "<=", ">="])),
)
_NOT = re.compile(r"\b(?:not|no|never|cannot)\b", re.I)


def numbers_in(text: str) -> set[float]:
    """Return every number that the text may mean.

    Digits count with comma or point as decimal or thousands mark and with spaces between thousands; number words
    count too.

    Example:
        >>> sorted(numbers_in("0,722 of 10 000, at most two"))
        [0.0, 0.722, 2.0, 10.0, 722.0, 10000.0]
    """
    values: set[float] = set()
    for match in _PRINTED.finditer(text):
        with suppress(ValueError):
            values.add(parse_number(match[0]))
        values.update(float(part) for part in re.findall(r"\d+", match[0]))
        whole = re.sub(r"\D", "", match[0])
        if re.search(r"[.,]\d{3}$", match[0]):
            values.add(float(whole))
    values.update(_EXTRA_WORDS[w] for w in _WORD_NUMBER.findall(text.lower()) if w in _EXTRA_WORDS)
    return values


def _context(criterion_id: str, by_id: Mapping[str, CriterionView]) -> str:
    """Return the texts of a criterion and of those above it: a list item may take its number from its chapeau."""
    texts, view, seen = [], by_id.get(criterion_id), set[str]()
    while view is not None and view.criterion_id not in seen:
        seen.add(view.criterion_id)
        texts.append(view.text)
        view = by_id.get(view.parent) if view.parent else None
    return "\n".join(texts)


def _stated(
    inputs: Mapping[str, Any], answers: Sequence[Answer[Threshold | None]]
) -> Iterator[tuple[Answer[Threshold | None], Threshold, str, CriterionView]]:
    by_id: dict[str, CriterionView] = {c.criterion_id: c for c in inputs["criteria"]}
    for answer in answers:
        if answer.value is not None and answer.id in by_id:
            yield answer, answer.value, _context(answer.id, by_id), by_id[answer.id]


@observer("ExtractThresholds")
def number_in_source(inputs: Mapping[str, Any], answers: Sequence[Answer[Threshold | None]]) -> Iterator[Issue]:
    """Every quantitative value occurs in the text of the criterion or of one above it."""
    for answer, threshold, text, _ in _stated(inputs, answers):
        known = numbers_in(text)
        for item in threshold.quantitative.items if threshold.quantitative else ():
            if not _occurs(item.value, known):
                yield Issue(
                    answer.id, "semantic", "critical", "threshold",
                    f"the number {item.value:g} does not occur in the source", (), "number_in_source",
                )  # fmt: skip


def _occurs(value: float, known: set[float]) -> bool:
    """Fractions written as words ("two thirds") may stand as a share or as a percentage."""
    shares = {round(n * part, 2) for n in known for part in (1 / 3, 0.5, 0.25, 100 / 3, 50, 25, 100)}
    return value in known or round(value, 2) in shares


@observer("ExtractThresholds")
def operator_fits_wording(inputs: Mapping[str, Any], answers: Sequence[Answer[Threshold | None]]) -> Iterator[Issue]:
    """A single limit in a sentence with a single unnegated comparison has that comparison's operator."""
    for answer, threshold, _, view in _stated(inputs, answers):
        items = threshold.quantitative.items if threshold.quantitative else ()
        if len(items) != 1 or _NOT.search(view.text):
            continue
        cues = [(m, allowed) for pattern, allowed in _OPERATOR_CUES if (m := pattern.search(view.text))]
        if len(cues) == 1 and items[0].operator not in cues[0][1]:
            match = cues[0][0]
            span: tuple[Span, ...] = ((view.block or 0, match.start(), match.end()),)
            yield Issue(
                answer.id, "semantic", "major", "threshold",
                f"operator {items[0].operator} against the words {match[0]!r}", span, "operator_fits_wording",
            )  # fmt: skip


@observer("ExtractThresholds")
def unit_in_source(inputs: Mapping[str, Any], answers: Sequence[Answer[Threshold | None]]) -> Iterator[Issue]:
    """The letters of a unit occur in the text, apart from spacing, plural and word order."""
    for answer, threshold, text, _ in _stated(inputs, answers):
        squeezed = re.sub(r"[^a-z%]", "", text.lower())
        for item in threshold.quantitative.items if threshold.quantitative else ():
            if not all(_near(part, squeezed) for part in re.findall(r"[A-Za-z%]+", item.unit)):
                yield _unit_issue(answer.id, item)


def _near(part: str, squeezed: str) -> bool:
    low = part.lower()
    spellings = {"%": ("percent", "half", "third"), "years": ("annual", "yearly"), "e": ("eq",)}
    return low.rstrip("s") in squeezed or any(s in squeezed for s in spellings.get(low, ()))


def _unit_issue(criterion_id: str, item: QuantitativeItem) -> Issue:
    description = f"the unit {item.unit!r} does not occur in the source"
    return Issue(criterion_id, "semantic", "major", "threshold", description, (), "unit_in_source")


@observer("ExtractThresholds")
def date_in_source(inputs: Mapping[str, Any], answers: Sequence[Answer[Threshold | None]]) -> Iterator[Issue]:
    """The year of every date occurs in the text (or the year before, for "after" and a bare year)."""
    for answer, threshold, text, _ in _stated(inputs, answers):
        years = {int(y) for y in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", text)}
        for item in threshold.temporal.items if threshold.temporal else ():
            dates = (item.start, item.end) if isinstance(item, Window) else (getattr(item, "date", None),)
            for date in dates:
                if date is not None and not years & {int(date[:4]), int(date[:4]) - 1}:
                    yield Issue(
                        answer.id, "semantic", "critical", "threshold",
                        f"the date {date} does not occur in the source", (), "date_in_source",
                    )  # fmt: skip


# A number directly followed by a physical unit, after words of comparison: nearly always a limit.
_LIMIT = re.compile(
    r"\b(?:lower than|less than|below|at least|at most|not exceed(?:ing)?|does not exceed|do not exceed|exceeds?|"
    r"more than|minimum of|maximum of|equal to)\s+(?:or equal to\s+)?(?:an? (?:average|total) of\s+)?"
    rf"(?P<number>\d[\d{SPACES}.,]*)\s*(?:%|[a-zA-Z])",
    re.I,
)


@observer("ExtractThresholds")
def limit_without_threshold(inputs: Mapping[str, Any], answers: Sequence[Answer[Threshold | None]]) -> Iterator[Issue]:
    """Words of comparison before a number with a unit, but no threshold: worth a second look."""
    by_id = {c.criterion_id: c for c in inputs["criteria"]}
    for answer in answers:
        view = by_id.get(answer.id)
        if answer.value is not None or view is None:
            continue
        match = _LIMIT.search(view.text)
        if match:
            yield Issue(
                answer.id, "completeness", "minor", "threshold", f"{match[0]!r} reads like a limit",
                ((view.block or 0, match.start(), match.end()),), "limit_without_threshold",
            )  # fmt: skip
