"""Cases that exclude each other among the children of one criterion ("conditional tiering").

A list under one limit gives a value for each class of instances: an instance has one class only, so each item is
Conditional (guidelines sections 3 and 4, R5, R17; arXiv 2604.12054 appendix D.1, special pattern).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from regreact.fastpath.tree import CriterionIndex
from regreact.fastpath.wording import body_start
from signatures.types import CriterionView

_DATE = r"(?:\d{1,2} [A-Z][a-z]+ )?\d{4}"
_PERIOD = re.compile(rf"(?:until|from|by|before|after|as of) (?:the end of )?{_DATE}", re.IGNORECASE)
_CLASS = re.compile(
    r"\bwhere\b|\bfor (?=[a-z][\w -]*\b(?:below|above|between|under|over|up to|less|more|larger|smaller|with|of)\b)"
    r"|\b(?:having|with) (?:an? )?[\w -]{3,40}\b(?:greater|less|lower|higher|more|above|below|over|under|between"
    r"|up to)\b",
    re.IGNORECASE,
)
_VALUE = re.compile(r"\d[\d\s.,]*\s?(?:%|[A-Za-z])")
_LIMIT = re.compile(
    r"\b(?:than|to|exceed|exceeds|least|most|at|below|above|is|are|limits?|values?|thresholds?|margins?)"
    r"(?: the following[\w ]*)?\s*:\s*$"
    r"|\b(?:limits?|values?|thresholds?|margins?)\b[^.]*\b(?:specified|listed|set out|given) below\b",
    re.IGNORECASE,
)
# The predicate of a sentence that says what a step of the activity brings about, from its verb on.
_PREDICATE = re.compile(r"\b(?!processes\b|facilities\b)[a-z]+(?:ves|ses|ces|tes|nds|ins|ads)\b")


def _span(view: CriterionView, pattern: re.Pattern[str]) -> tuple[int, int] | None:
    match = pattern.search(view.text, body_start(view.text))
    return (match.start(), match.end()) if match else None


def _periods(children: Sequence[CriterionView], parent: CriterionView) -> dict[str, tuple[int, int]]:
    """Every item is bound to a period: "until 2030, …" beside "from 2031, …"."""
    found = {}
    for view in children:
        match = _PERIOD.match(view.text, body_start(view.text))
        if match:
            found[view.criterion_id] = (match.start(), match.end())
    return found if len(found) == len(children) else {}


def _classes(children: Sequence[CriterionView], parent: CriterionView) -> dict[str, tuple[int, int]]:
    """A value for each class: "2 %, where the plant is small" beside "1 %, where it is large"."""
    if not _LIMIT.search(parent.text):
        return {}
    found = {}
    for view in children:
        span = _span(view, _CLASS)
        if span and _VALUE.search(view.text):
            found[view.criterion_id] = span
    return found if len(found) > 1 else {}


def _subjects(children: Sequence[CriterionView], parent: CriterionView) -> dict[str, tuple[int, int]]:
    """Two subjects share one predicate: "The renewal of a pump saves 9 %", "The renewal of a pipe saves 9 %"."""
    parts: dict[str, list[tuple[CriterionView, int, int]]] = {}
    for view in children:
        start = body_start(view.text)
        verb = _PREDICATE.search(view.text, start)
        words = re.split(r"\s+", view.text[start : verb.start()].strip()) if verb else []
        if verb is None or len(words) < _SUBJECT_WORDS or words[0] != "The" or "of" not in words[1:]:
            continue
        frame = " ".join([*words[:_FRAME_WORDS], "…", *view.text[verb.start() :].split()[:_PREDICATE_WORDS]])
        parts.setdefault(_FIGURE.sub("#", frame.lower()), []).append((view, start, verb.start()))
    return {v.criterion_id: (a, b) for group in parts.values() if len(group) > 1 for v, a, b in group}


_FIGURE = re.compile(r"\d[\d.,]*")
# A subject of fewer words has no qualifier that could tell two classes apart.
_SUBJECT_WORDS = 5
_FRAME_WORDS = 3
_PREDICATE_WORDS = 4

Finder = Callable[[Sequence[CriterionView], CriterionView], dict[str, tuple[int, int]]]
FINDERS: tuple[Finder, ...] = (_periods, _classes, _subjects)


class CaseTable:
    """The criteria that are cases, with the characters that name their class.

    Example:
        >>> from regreact.fastpath.tree import CriterionIndex
        >>> views = [
        ...     CriterionView(criterion_id="ROOT", parent=None, block=None, text=""),
        ...     CriterionView(criterion_id="1", parent="ROOT", block=0, text="Losses are lower than:"),
        ...     CriterionView(criterion_id="1(a)", parent="1", block=1, text="2 %, where the plant is small;"),
        ...     CriterionView(criterion_id="1(b)", parent="1", block=2, text="1 %, where the plant is large."),
        ... ]
        >>> table = CaseTable(CriterionIndex(views))
        >>> table.span("1(a)"), table.span("1")
        ((5, 10), None)
    """

    def __init__(self, index: CriterionIndex) -> None:
        self._spans: dict[str, tuple[int, int]] = {}
        for parent in index.criteria:
            children = [c for c in index.children(parent.criterion_id) if c.block is not None]
            if len(children) > 1:
                for find in FINDERS:
                    self._spans.update(find(children, parent))

    def span(self, criterion_id: str) -> tuple[int, int] | None:
        """Return the characters that name the class of a case, or None if the criterion is none."""
        return self._spans.get(criterion_id)
