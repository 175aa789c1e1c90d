"""An answer to one item, whoever gave it, and the solvers that answer without a model.

A solver is a function with the input fields of its signature as keyword parameters; it returns one answer per
item it is sure enough about and leaves the others out (it abstains).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from regreact.schema import AnsweredBy, Logic, Span, Threshold

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Answer(Generic[V]):
    """The answer to one item.

    Attributes:
        id: Criterion id, block index as text, or footnote id.
        value: The answer; None or empty means "the source states none", which is an answer too.
        confidence: In [0, 1]; the solver's estimate that a careful annotator would agree.
        evidence: Half-open character spans (block, start, end) the value rests on.
        answered_by: `rule` (solver), `lm`, or `default` (nobody answered; conservative value).
        rule: Names of the solver's rules that decided, joined by " + "; "" if no solver answered.
    """

    id: str
    value: V
    confidence: float
    evidence: tuple[Span, ...] = ()
    answered_by: AnsweredBy = "rule"
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Place of a block in the tree: its criterion and that one's parent ("" for ROOT; both "" for layout noise)."""

    criterion_id: str
    parent: str


@dataclass(frozen=True, slots=True)
class LogicValue:
    """How children combine; `n_required` only for N_OF_K."""

    evaluation_logic: Logic
    n_required: int | None = None


@dataclass(frozen=True, slots=True)
class Inheritance:
    """Criterion whose threshold is taken over, and the part of it that is (both None if nothing is)."""

    threshold_from: str | None = None
    threshold: Threshold | None = None


@dataclass(frozen=True, slots=True)
class CelexRepair:
    """A CELEX id to try instead of one that proved wrong ("" if there is none), and why."""

    celex_id: str
    reason: str


Solver = Callable[..., Iterable[Answer[Any]]]

_SOLVERS: dict[str, Solver] = {}
# Signatures of retrieval, whose solvers and checks are loaded only where acts are read.
OF_RETRIEVAL = frozenset({"RewriteQuery", "EvaluatePassages", "RefineQuery", "SummarisePassages"})
F = TypeVar("F", bound=Solver)


def solver(signature: str) -> Callable[[F], F]:
    """Register a function as the fast path of the signature class with this name."""

    def register(function: F) -> F:
        if signature in _SOLVERS and _SOLVERS[signature] is not function:
            raise ValueError(f"two solvers for {signature}")
        _SOLVERS[signature] = function
        return function

    return register


def find_solver(signature: str) -> Solver | None:
    """Return the solver of a signature, or None if it has none."""
    import regreact.fastpath  # noqa: PLC0415  registers the solvers
    import regreact.legal.repair  # noqa: PLC0415

    if signature in OF_RETRIEVAL:
        import regreact.fastpath.retrieval  # noqa: F401, PLC0415
    return _SOLVERS.get(signature)


@cache
def accepted(solve: Solver) -> frozenset[str]:
    """Return the names of the inputs that a solver takes."""
    return frozenset(inspect.signature(solve).parameters)
