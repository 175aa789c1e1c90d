"""Wordings that have no one reading, or none that the schema can hold: a person decides, no model is asked again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from regreact.answers import Answer, LogicValue
from regreact.fastpath.thresholds.masking import mask
from regreact.fastpath.tree import CriterionIndex
from regreact.legal.dates import FULL_DATE, parse_date
from regreact.legal.numbers import NUMBER, ONE_GROUP, decimal_marks, parse_number, thousands_mark
from regreact.observers.base import Issue, observer
from regreact.schema import Threshold, Window
from signatures.types import CriterionView

_ONE_GROUP = re.compile(ONE_GROUP)
_DATE = re.compile(FULL_DATE)
# "50-60 %", "50 to 60 %"
_RANGE = re.compile(rf"(?<![\w.,/-])(?P<low>{NUMBER})(?:-?\sto\s|\s?[-–]\s?)(?P<high>{NUMBER})(?=\s?(?:%|[a-zA-Z°€]))")
_BETWEEN = re.compile(
    rf"\bbetween (?P<low>{NUMBER})[^.;,]{{0,20}}? and (?P<high>{NUMBER})(?=\s?(?:%|[a-zA-Z°€]))", re.IGNORECASE
)
# "built after 9999": a year that no act means
_FAR_YEAR = re.compile(
    r"\b(?:after|before|until|by|from|since) (?:the end of )?(?!19|20)\d{4}(?=\s*(?:[.,;)]|$))", re.IGNORECASE
)
# Words of comparison directly before a number: nearly always a limit
_COMPARED = re.compile(
    r"\b(?:(?:lower|less|fewer|more|higher|greater) than|below|above|at least|at most|exceed(?:s|ing)?|"
    r"(?:minimum|maximum) of)\s+(?:or equal to\s+)?"
    r"(?P<number>[^\s\w]{0,2}\d\S*(?:\s\d{3}\b\S*)*)(?=\s?(?:%|[a-zA-Z°µμ€]))",
    re.IGNORECASE,
)
# "at most one of the following", "no more than two of these": no value of evaluation_logic says so
_AT_MOST = re.compile(
    r"\b(?:at most|(?:no|not) more than|a maximum of|up to|only|exactly|just)\s+"
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\s+of\b[^.;]*:\s*$",
    re.IGNORECASE,
)


def _views(inputs: Mapping[str, Any]) -> dict[str, CriterionView]:
    return {c.criterion_id: c for c in inputs["criteria"]}


def _doubt(view: CriterionView, field: str, description: str, start: int, end: int, name: str) -> Issue:
    return Issue(view.criterion_id, "semantic", "minor", field, description, ((view.block or 0, start, end),), name)


@observer("ExtractThresholds")
def thousands_or_decimals(inputs: Mapping[str, Any], answers: Sequence[Answer[Threshold | None]]) -> Iterator[Issue]:
    """A single "1,000" is one or one thousand, and no other number of the section tells which."""
    by_id = _views(inputs)
    marked = {i: found for i, v in by_id.items() if (found := list(_ONE_GROUP.finditer(v.text)))}
    if not marked:
        return
    texts = [v.text for v in by_id.values()]
    clear = {thousands_mark(texts), *decimal_marks(texts)}
    for answer in answers:
        items = answer.value.quantitative.items if answer.value and answer.value.quantitative else ()
        values = {i.value for i in items}
        for match in marked.get(answer.id, ()):
            mark = "," if "," in match[0] else "."
            if mark not in clear and values & {parse_number(match[0]), parse_number(match[0], mark)}:
                said = f"{match[0]!r} may be a decimal number or thousands"
                yield _doubt(by_id[answer.id], "threshold", said, *match.span(), "thousands_or_decimals")


@observer("ExtractThresholds")
def range_end_lost(inputs: Mapping[str, Any], answers: Sequence[Answer[Threshold | None]]) -> Iterator[Issue]:
    """Of "50-60 %" one end is the limit; after "at least" it is the lower one, else a person decides."""
    by_id = _views(inputs)
    for answer in answers:
        items = answer.value.quantitative.items if answer.value and answer.value.quantitative else ()
        if not items or answer.id not in by_id:
            continue
        values = {i.value for i in items}
        open_ends = {i.value for i in items if i.operator not in (">", ">=")}
        for match in _RANGE.finditer(by_id[answer.id].text):
            with suppress(ValueError):
                low, high = parse_number(match["low"]), parse_number(match["high"])
                if low in open_ends and high not in values:
                    said = f"only the lower end of the range {match[0]!r} is in the threshold"
                    yield _doubt(by_id[answer.id], "threshold", said, *match.span(), "range_end_lost")


@observer("ExtractThresholds")
def range_reversed(inputs: Mapping[str, Any], answers: Sequence[Answer[Threshold | None]]) -> Iterator[Issue]:
    """ "Between 60 and 50 %" has its ends the wrong way round, or one of them is misprinted."""
    by_id = _views(inputs)
    for answer in answers:
        view = by_id.get(answer.id)
        for match in _BETWEEN.finditer(view.text) if view is not None and answer.value is not None else ():
            with suppress(ValueError):
                if view is not None and parse_number(match["low"]) > parse_number(match["high"]):
                    said = f"the range {match[0]!r} ends below its beginning"
                    yield _doubt(view, "threshold", said, *match.span(), "range_reversed")


@observer("ExtractThresholds")
def window_reversed(inputs: Mapping[str, Any], answers: Sequence[Answer[Threshold | None]]) -> Iterator[Issue]:
    """A window ends before it begins: one of the two dates is misprinted."""
    by_id = _views(inputs)
    for answer in answers:
        for item in answer.value.temporal.items if answer.value and answer.value.temporal else ():
            if isinstance(item, Window) and item.end < item.start and answer.id in by_id:
                said = f"the window ends ({item.end}) before it begins ({item.start})"
                yield Issue(answer.id, "consistency", "major", "threshold", said, answer.evidence, "window_reversed")


@observer("ExtractThresholds")
def date_impossible(inputs: Mapping[str, Any], answers: Sequence[Answer[Threshold | None]]) -> Iterator[Issue]:
    """A printed date that no calendar has ("31 February 2030") is in no threshold."""
    by_id = _views(inputs)
    for answer in answers:
        view = by_id.get(answer.id)
        if view is None:
            continue
        for match in _DATE.finditer(view.text):
            try:
                parse_date(match[0], last_day=True)
            except ValueError:
                said = f"{match[0]!r} is no date of the calendar"
                yield _doubt(view, "threshold", said, *match.span(), "date_impossible")
        for match in _FAR_YEAR.finditer(view.text):
            said = f"{match[0]!r} names a year that no act means"
            yield _doubt(view, "threshold", said, *match.span(), "date_impossible")


@observer("ExtractThresholds")
def compared_number_unread(inputs: Mapping[str, Any], answers: Sequence[Answer[Threshold | None]]) -> Iterator[Issue]:
    """A number of unusual form behind words of comparison ("below 10e5 kg", "below -5 °C") is in no threshold."""
    by_id = _views(inputs)
    for answer in answers:
        view = by_id.get(answer.id)
        if view is None or not any(c.isdigit() for c in view.text):
            continue
        for match in _COMPARED.finditer(mask(view.text)):
            start, end = match.span("number")
            read = any(a < end and start < b for _, a, b in answer.evidence)
            if not read and not _is_number(match["number"].rstrip("%°")):
                said = f"{match['number'][:40]!r} is compared with something and is no number that can be read"
                yield _doubt(view, "threshold", said, start, end, "compared_number_unread")


def _is_number(printed: str) -> bool:
    try:
        parse_number(printed)
    except ValueError:
        return False
    return re.fullmatch(NUMBER, printed) is not None


@observer("InferLogic")
def upper_count(inputs: Mapping[str, Any], answers: Sequence[Answer[LogicValue]]) -> Iterator[Issue]:
    """ "At most one of the following" limits how many may hold; AND, OR and N_OF_K say how many must."""
    index = CriterionIndex(inputs["criteria"])
    for answer in answers:
        view = index.by_id.get(answer.id)
        match = _AT_MOST.search(view.text) if view is not None and index.children(answer.id) else None
        if view is not None and match:
            said = f"{match[0]!r} limits how many may hold, which {answer.value.evaluation_logic} does not say"
            yield _doubt(view, "evaluation_logic", said, *match.span(), "upper_count")


FOR_REVIEW = (
    "thousands_or_decimals",
    "range_end_lost",
    "range_reversed",
    "window_reversed",
    "date_impossible",
    "compared_number_unread",
    "upper_count",
)
"""Checks whose findings go to review whatever their severity."""
