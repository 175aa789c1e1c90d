"""Checks of stage 3 answers: logic, applicability, tags (paper appendices D.1, D.4, D.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from regreact.answers import Answer, LogicValue
from regreact.fastpath.tree import CriterionIndex
from regreact.observers.base import Issue, observer
from signatures.types import CriterionView

# Words of a chapeau that decide the logic by themselves (appendix D.1).
_CHOICE = re.compile(
    r"\b(?:one of the following|either of the following|any of the following|one or more of the following|"
    r"one of these)\b[^.]*:\s*$",
    re.I,
)
_ALL = re.compile(r"\b(?:all(?: of)? the following|each of the following|both of the following)\b[^.]*:\s*$", re.I)
_COUNT = re.compile(r"\bat least (?P<count>two|three|four|five) of the following\b[^.]*:\s*$", re.I)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}
# A condition that opens the sentence (appendix D.4, step 2).
_CONDITION = re.compile(r"^(?:\d[\d.]*\s+|\([a-z]+\)\s*)?(?:If|Where|In case|In the case of)\b", re.I)
_UNIVERSAL = re.compile(r"^(?:\d[\d.]*\s+)?Where (?:available|feasible|possible)\b", re.I)
# Who acts, if not the operator (appendix D.5).
_OTHER_ACTOR = re.compile(r"^(?:\d[\d.]*\s+)?The (?:Commission|verifier) (?:may|shall|will|takes|reviews)\b")


def _span(view: CriterionView, match: re.Match[str]) -> tuple[tuple[int, int, int], ...]:
    return ((view.block or 0, match.start(), match.end()),)


@observer("InferLogic")
def logic_fits_chapeau(inputs: Mapping[str, Any], answers: Sequence[Answer[LogicValue]]) -> Iterator[Issue]:
    """A chapeau that ends with "one of the following:" or the like has the logic it spells out."""
    index = CriterionIndex(inputs["criteria"])
    boxed = {c.parent for c in index.criteria if c.block is None and c.parent}
    for answer in answers:
        view = index.by_id.get(answer.id)
        if view is None or answer.id in boxed or not index.children(answer.id):
            continue
        for pattern, logic in ((_COUNT, "N_OF_K"), (_CHOICE, "OR"), (_ALL, "AND")):
            match = pattern.search(view.text)
            if match is None:
                continue
            wrong_count = logic == "N_OF_K" and answer.value.n_required != _NUMBERS[match["count"].lower()]
            if answer.value.evaluation_logic != logic or wrong_count:
                description = f"{answer.value.evaluation_logic} against the words {match[0]!r}"
                yield Issue(
                    answer.id, "semantic", "major", "evaluation_logic", description, _span(view, match),
                    "logic_fits_chapeau",
                )  # fmt: skip
            break


@observer("InferLogic")
def logic_fits_children(inputs: Mapping[str, Any], answers: Sequence[Answer[LogicValue]]) -> Iterator[Issue]:
    """LEAF has no children with a duty of their own, N_OF_K at least as many as it needs."""
    index = CriterionIndex(inputs["criteria"])
    for answer in answers:
        count = len(index.children(answer.id))
        logic, needed = answer.value.evaluation_logic, answer.value.n_required
        if logic != "LEAF" and not count:
            yield _structural(answer.id, f"{logic} without children")
        elif logic == "N_OF_K" and not 1 <= (needed or 0) <= count:
            yield _structural(answer.id, f"{needed} of {count} children required")


def _structural(criterion_id: str, description: str) -> Issue:
    return Issue(criterion_id, "consistency", "critical", "evaluation_logic", description, (), "logic_fits_children")


@observer("ClassifyApplicability")
def condition_is_conditional(inputs: Mapping[str, Any], answers: Sequence[Answer[str]]) -> Iterator[Issue]:
    """A sentence that opens with a condition is rarely Mandatory."""
    by_id = {c.criterion_id: c for c in inputs["criteria"]}
    for answer in answers:
        view = by_id.get(answer.id)
        if view is None or answer.value != "Mandatory" or _UNIVERSAL.search(view.text):
            continue
        match = _CONDITION.search(view.text)
        if match:
            yield Issue(
                answer.id, "semantic", "minor", "applicability", f"Mandatory against the words {match[0]!r}",
                _span(view, match), "condition_is_conditional",
            )  # fmt: skip


@observer("AssignTags")
def tag_fits_actor(inputs: Mapping[str, Any], answers: Sequence[Answer[tuple[str, ...]]]) -> Iterator[Issue]:
    """What the Commission or a verifier does is background, not a requirement on the operator."""
    by_id = {c.criterion_id: c for c in inputs["criteria"]}
    for answer in answers:
        view = by_id.get(answer.id)
        match = _OTHER_ACTOR.search(view.text) if view is not None else None
        if view is not None and match and tuple(answer.value) != ("BackgroundInformation",):
            yield Issue(
                answer.id, "semantic", "major", "tags", f"{list(answer.value)} against the actor {match[0]!r}",
                _span(view, match), "tag_fits_actor",
            )  # fmt: skip


@observer("AssignTags")
def background_stands_alone(inputs: Mapping[str, Any], answers: Sequence[Answer[tuple[str, ...]]]) -> Iterator[Issue]:
    """BackgroundInformation excludes the requirement tags; no criterion has more than three."""
    for answer in answers:
        if ("BackgroundInformation" in answer.value and len(answer.value) > 1) or len(answer.value) > 3:
            yield Issue(
                answer.id, "structural", "critical", "tags", f"{list(answer.value)} cannot stand together", (),
                "background_stands_alone",
            )  # fmt: skip
