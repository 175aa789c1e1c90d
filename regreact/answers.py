"""An answer to one item, whoever gave it, and the solvers that answer without a model.

A solver is a function with the input fields of its signature as keyword parameters; it returns one answer per
item it is sure enough about and leaves the others out (it abstains).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
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

_SOLVERS: dict[str, _Registered] = {}
F = TypeVar("F", bound=Solver)

# Signatures of retrieval, whose solvers and checks are loaded only where acts are read.
OF_RETRIEVAL = frozenset({"RewriteQuery", "EvaluatePassages", "RefineQuery", "SummarisePassages"})
# Sections that were answered, per process: a dozen entries each. Sections that repeat are short ("N/A", a pointer to
# an appendix); one of more characters is answered anew.
_KEPT = 4096
_LONGEST = 6_000


@dataclass(frozen=True, slots=True)
class _Registered:
    """A solver, what it takes, and what of that it reads."""

    solve: Solver
    accepts: frozenset[str]
    header: frozenset[str] | None
    unread: frozenset[str]


def solver(
    signature: str, *, header: Iterable[str] | None = None, unread: Iterable[str] = ()
) -> Callable[[F], F]:
    """Register a function as the fast path of the signature class with this name.

    Args:
        signature: Name of the signature.
        header: Fields of the input `unit` that the function reads, None for all. It is given the others empty, so
            that sections with the same content are answered once, whatever activity they belong to.
        unread: Inputs that the function does not read; it is given them empty.
    """

    def register(function: F) -> F:
        if signature in _SOLVERS and _SOLVERS[signature].solve is not function:
            raise ValueError(f"two solvers for {signature}")
        accepts = frozenset(inspect.signature(function).parameters)
        fields = None if header is None else frozenset(header)
        _SOLVERS[signature] = _Registered(function, accepts, fields, frozenset(unread))
        return function

    return register


def _registered(signature: str) -> _Registered | None:
    import regreact.fastpath  # noqa: PLC0415  registers the solvers
    import regreact.legal.repair  # noqa: PLC0415

    if signature in OF_RETRIEVAL:
        import regreact.fastpath.retrieval  # noqa: F401, PLC0415
    return _SOLVERS.get(signature)


def find_solver(signature: str) -> Solver | None:
    """Return the solver of a signature, or None if it has none."""
    found = _registered(signature)
    return None if found is None else found.solve


def solve(signature: str, inputs: Mapping[str, Any]) -> tuple[Answer[Any], ...]:
    """Return what the solver of a signature answers, empty if it has none.

    A solver is a pure function of what it reads: the same inputs as before get the same answers as before.

    Args:
        signature: Name of the signature.
        inputs: Inputs by field name; those that the solver does not take are left out.
    """
    found = _registered(signature)
    if found is None:
        return ()
    given = {k: _read_of(found, k, v) for k, v in inputs.items() if k in found.accepts}
    if sum(len(getattr(view, "text", "")) for v in given.values() if isinstance(v, tuple) for view in v) > _LONGEST:
        return tuple(found.solve(**given))
    return _solved(found.solve, tuple(given.items()))


def _read_of(found: _Registered, name: str, value: Any) -> Any:
    """Return an input as the solver is given it, immutable."""
    if name in found.unread:
        return ()
    if name == "unit" and found.header is not None:
        return type(value)(**{k: v if k in found.header else "" for k, v in value})
    return tuple(value) if isinstance(value, list) else value


@lru_cache(maxsize=_KEPT)
def _solved(function: Solver, given: tuple[tuple[str, Any], ...]) -> tuple[Answer[Any], ...]:
    return tuple(function(**dict(given)))
