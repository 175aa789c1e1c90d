"""Checks of stage 5 answers: targets exist, nothing depends on itself, inherited items are registered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from regreact.answers import Answer, Inheritance
from regreact.observers.base import Issue, observer
from regreact.schema import Dependencies
from signatures.types import CorrectionValue


def _issue(criterion_id: str, field: str, description: str, check: str) -> Issue:
    return Issue(criterion_id, "consistency", "critical", field, description, (), check)


@observer("ResolveDependencies")
def dangling_dependency(inputs: Mapping[str, Any], answers: Sequence[Answer[Dependencies | None]]) -> Iterator[Issue]:
    """Every clause names another criterion of the section, and no more are needed than there are."""
    known = {c.criterion_id for c in inputs["criteria"]}
    for answer in answers:
        if answer.value is None:
            continue
        for clause in answer.value.clauses:
            if clause.criterion_id not in known or clause.criterion_id == answer.id:
                description = f"depends on {clause.criterion_id}, which is no other criterion"
                yield _issue(answer.id, "dependencies", description, "dangling_dependency")
        if answer.value.min_conditions_to_meet > len(answer.value.clauses):
            yield _issue(answer.id, "dependencies", "more conditions needed than given", "dangling_dependency")


@observer("CorrectCrossReferences")
def correction_target(
    inputs: Mapping[str, Any], answers: Sequence[Answer[tuple[CorrectionValue, ...]]]
) -> Iterator[Issue]:
    """A correction leads to a criterion of the section, and changes something."""
    known = {c.criterion_id for c in inputs["criteria"]}
    for answer in answers:
        for value in answer.value or ():
            if value.to not in known or value.to == value.from_:
                description = f"corrects {value.from_} to {value.to}, which is no other criterion"
                yield _issue(answer.id, "corrections", description, "correction_target")


@observer("InheritThresholds")
def inherited_is_registered(inputs: Mapping[str, Any], answers: Sequence[Answer[Inheritance]]) -> Iterator[Issue]:
    """Inherited limits are copied from a criterion that has some, or whose children have."""
    known = {c.criterion_id for c in inputs["criteria"]}
    registered = [(e.criterion_id, e.threshold) for e in inputs["thresholds"]]
    for answer in answers:
        origin = answer.value.threshold_from
        if origin is None:
            continue
        own = any(c == answer.id for c, _ in registered)
        if answer.value.threshold is None and not own:
            yield _issue(answer.id, "threshold", f"inherits from {origin}, and takes nothing over",
                         "inherited_is_registered")  # fmt: skip
        if origin not in known or origin in ("ROOT", answer.id):
            yield _issue(answer.id, "threshold", f"inherits from {origin}, which is no other criterion",
                         "inherited_is_registered")  # fmt: skip
            continue
        pool = {i.value for c, t in registered if c.startswith(origin) and t.quantitative for i in t.quantitative.items}
        taken = answer.value.threshold.quantitative if answer.value.threshold else None
        for item in taken.items if taken else ():
            if item.value not in pool:
                yield _issue(answer.id, "threshold", f"{item.value:g} is no limit of {origin}",
                             "inherited_is_registered")  # fmt: skip
