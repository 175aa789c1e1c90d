"""Issues found by comparing answers with the source, and the confidence they leave (paper appendix C)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeVar

from regreact.answers import OF_RETRIEVAL, Answer
from regreact.schema import Severity, Span

IssueType = Literal["structural", "semantic", "completeness", "consistency"]


@dataclass(frozen=True, slots=True)
class Issue:
    """One discrepancy.

    Attributes:
        item_id: Id of the answer concerned ("" if it concerns the whole question).
        type: One of the four types of appendix C.
        severity: `critical` issues block acceptance.
        field: Field of the answer.
        description: What is wrong, for the diagnosis and for a reviewer.
        evidence: Spans of the source that prove it.
        observer: Name of the check that found it.
    """

    item_id: str
    type: IssueType
    severity: Severity
    field: str
    description: str
    evidence: tuple[Span, ...] = ()
    observer: str = ""

    @property
    def signature(self) -> tuple[str, str, str, str]:
        """What makes two issues of different rounds the same."""
        return (self.item_id, self.type, self.field, self.description)

    def to_json(self) -> dict[str, Any]:
        """Return the issue as plain data."""
        return asdict(self)


Observer = Callable[[Mapping[str, Any], Sequence[Answer[Any]]], Iterable[Issue]]

_OBSERVERS: dict[str, list[Observer]] = {}
F = TypeVar("F", bound=Observer)


def observer(*signatures: str) -> Callable[[F], F]:
    """Register a check for the answers to the signatures with these names.

    The check gets the inputs of the signature by field name and all current answers.
    """

    def register(function: F) -> F:
        for name in signatures:
            _OBSERVERS.setdefault(name, []).append(function)
        return function

    return register


def observe(signature: str, inputs: Mapping[str, Any], answers: Sequence[Answer[Any]]) -> list[Issue]:
    """Run all checks registered for a signature.

    Returns:
        Issues in the order of the checks; empty if every check passes.
    """
    import regreact.observers  # noqa: PLC0415  registers the checks

    if signature in OF_RETRIEVAL:
        import regreact.observers.retrieval  # noqa: F401, PLC0415
    return [issue for check in _OBSERVERS.get(signature, []) for issue in check(inputs, answers)]


def confidence(issues: Iterable[Issue], penalties: Mapping[Severity, float]) -> float:
    """Return 1 minus the penalties of the issues, clamped to [0, 1] (penalty model, appendix C)."""
    return min(1.0, max(0.0, 1.0 - sum(penalties[i.severity] for i in issues)))
