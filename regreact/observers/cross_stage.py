"""Findings that need the answers of several stages (paper sections 3.4 and 3.5): who has to answer again.

Each check yields the signature whose answer is to be looked at again, and the issue. They run when all stages have
answered; what they find goes back to the stage that answered, and its dependants run again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regreact.answers import Inheritance, LogicValue
from regreact.fastpath.tree import CriterionIndex
from regreact.graph import logic_problem, takes_part
from regreact.identifiers import anchor_of, anchor_type
from regreact.observers.base import Issue
from regreact.schema import Dependencies, Threshold
from signatures.types import CriterionView

OBSERVER = "cross_stage"
Finding = tuple[str, Issue]


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of all stages, by signature and item id, over the final tree."""

    criteria: Sequence[CriterionView]
    values: Mapping[str, Mapping[str, Any]]

    def of(self, signature: str) -> Mapping[str, Any]:
        """Return the values of one signature by item id."""
        return self.values.get(signature, {})


Check = Callable[[Answers], Iterator[Finding]]


def _issue(item_id: str, field: str, description: str, severity: Any = "major") -> Issue:
    return Issue(item_id, "consistency", severity, field, description, (), OBSERVER)


def inherits_from_nothing(answers: Answers) -> Iterator[Finding]:
    """A criterion takes its limit from another one for which no stage has found any."""
    thresholds: Mapping[str, Threshold | None] = answers.of("ExtractThresholds")
    index = CriterionIndex(answers.criteria)
    inherited: Mapping[str, Inheritance] = answers.of("InheritThresholds")
    for criterion_id, value in inherited.items():
        origin = value.threshold_from if value else None
        if origin is None or origin not in index.by_id:
            continue
        family = [origin, *(d.criterion_id for d in index.descendants(origin))]
        if any(thresholds.get(i) for i in family):
            continue
        if index.by_id[origin].block is not None:
            description = f"{criterion_id} takes its limit from here, and no threshold was found"
            yield "ExtractThresholds", _issue(origin, "threshold", description)
        description = f"{origin}, which it inherits from, has no threshold"
        yield "InheritThresholds", _issue(criterion_id, "threshold", description)


def logic_without_participants(answers: Answers) -> Iterator[Finding]:
    """The logic needs children that take part, and the tags say which do (participation rule)."""
    logic: Mapping[str, LogicValue] = answers.of("InferLogic")
    tags: Mapping[str, Sequence[str]] = answers.of("AssignTags")
    index = CriterionIndex(answers.criteria)
    for view in answers.criteria:
        value = logic.get(view.criterion_id)
        taking = sum(
            takes_part(
                value,
                background="BackgroundInformation" in (tags.get(c.criterion_id) or ()),
                anchored=anchor_of(c.criterion_id) is not None,
            )
            for c in index.children(view.criterion_id)
        )
        problem = logic_problem(value, taking)
        if problem:
            yield "InferLogic", _issue(view.criterion_id, "evaluation_logic", problem)


def depends_on_nothing(answers: Answers) -> Iterator[Finding]:
    """A criterion depends on one that was never extracted."""
    known = {c.criterion_id for c in answers.criteria}
    found: Mapping[str, Dependencies | None] = answers.of("ResolveDependencies")
    for criterion_id, value in found.items():
        for clause in value.clauses if value else ():
            if clause.criterion_id not in known:
                description = f"depends on {clause.criterion_id}, which was not extracted"
                yield "ResolveDependencies", _issue(criterion_id, "dependencies", description)


def alternative_without_gate(answers: Answers) -> Iterator[Finding]:
    """A paragraph anchored to one of several alternatives applies only with it (guidelines section 2)."""
    logic: Mapping[str, LogicValue] = answers.of("InferLogic")
    dependencies: Mapping[str, Dependencies | None] = answers.of("ResolveDependencies")
    index = CriterionIndex(answers.criteria)
    for view in answers.criteria:
        anchor = anchor_of(view.criterion_id)
        if anchor is None or anchor not in index.by_id or dependencies.get(view.criterion_id) is not None:
            continue
        parent = index.by_id[anchor].parent
        value = logic.get(parent or "")
        if value is not None and value.evaluation_logic in ("OR", "N_OF_K"):
            description = f"{anchor}, its anchor, is one of several alternatives, and it does not depend on it"
            yield "ResolveDependencies", _issue(view.criterion_id, "dependencies", description)


def type_against_tag(answers: Answers) -> Iterator[Finding]:
    """The type in an identifier is one of the criterion's tags (`Requirement` is none)."""
    tags: Mapping[str, Sequence[str]] = answers.of("AssignTags")
    for view in answers.criteria:
        kind = anchor_type(view.criterion_id)
        own = tags.get(view.criterion_id)
        if anchor_of(view.criterion_id) is None or kind in (None, "Requirement") or own is None:
            continue
        if kind not in own:
            description = f"{list(own)}, but the identifier says {kind}"
            yield "AssignTags", _issue(view.criterion_id, "tags", description)


CHECKS: tuple[Check, ...] = (
    inherits_from_nothing,
    logic_without_participants,
    depends_on_nothing,
    alternative_without_gate,
    type_against_tag,
)


def findings(answers: Answers) -> list[Finding]:
    """Return what all checks find, without repetitions."""
    return list(dict.fromkeys(f for check in CHECKS for f in check(answers)))
