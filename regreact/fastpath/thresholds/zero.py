"""The word "zero" as a limit: a quantity in a noun phrase is `= 0`, a compound attribute is a class (R12, D12)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from regreact.fastpath.thresholds.naming import GENERIC, noun_phrase, quantity
from regreact.fastpath.thresholds.phrases import capitalised, lowered, plain, tidy
from regreact.fastpath.thresholds.reading import Reading
from regreact.fastpath.thresholds.records import Limit
from regreact.schema import QuantitativeItem

_QUALIFIER = (
    r"(?:specific|direct|net|annual|life-?cycle|operational|exhaust|residual|\(?tailpipe\)?|CO2|GHG|greenhouse gas|NOx|"
    r"methane)"
)
_ZERO_NOUN = re.compile(
    rf"\bzero (?P<what>(?:{_QUALIFIER}\s)+emissions?|emissions)(?!-)\b(?:\sperformance)?"
    r"(?=\s*(?:[.;:,)]|$)|\s(?:when|where|of|from|and|or|that|during|in|while|on|electricity)\b)"
    r"(?:\sof (?:the |their |its )?(?P<of>[\w’' -]+))?",
    re.I,
)
_ZERO_IS = re.compile(
    r"\s(?:is|are|be|equals?(?: to)?)\s(?P<zero>zero)\b(?!-|\s(?:emission|carbon|waste|energy))", re.I
)
_MEASURED = re.compile(
    r"\b(?:emissions?|losses|loss|leakages?|discharges?|releases?|consumption|demand|concentration|content|intensity)\b"
)


def zero_limits(reading: Reading, subject: str) -> Iterator[Limit]:
    """Yield the limits that "zero" states.

    Args:
        reading: The criterion's text.
        subject: What the items of the list are about, "" outside lists.
    """
    for match in _ZERO_IS.finditer(reading.masked):
        start, _ = reading.clause(match.start())
        before = reading.names[start : match.start()]
        if _MEASURED.search(before):
            yield _limit(match.start("zero"), match.end("zero"), quantity(f"{before} are"), 0.95)
    for match in _ZERO_NOUN.finditer(reading.masked):
        start, _ = reading.clause(match.start())
        what = capitalised(re.sub(r"emission$", "emissions", match["what"]))
        of = tidy(match["of"] or "") or _bearer(reading.names[start : match.start()]) or subject
        yield _limit(match.start(), match.end("what"), what if GENERIC.match(of) else f"{what} of {lowered(of)}", 0.93)


def _limit(start: int, end: int, metric: str, confidence: float) -> Limit:
    return Limit(start, end, QuantitativeItem(metric=metric, operator="=", value=0, unit=""), confidence, "zero")


def _bearer(before: str) -> str:
    """Return what has the zero quantity: "the site is for lorries with zero …" speaks of lorries."""
    match = re.search(r"(?P<s>.+?)\s(?:(?:that|which)\s)?(?:with|has|have|having)\s*$", plain(before))
    return noun_phrase(re.sub(r"^(?:where|from|until|for)\b[^,]*,\s", "", match["s"])) if match else ""
