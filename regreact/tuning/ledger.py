"""What a search has tried: every candidate with its scores, so that the best so far survives whatever ends it."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import fmean

import dspy

from regreact.compiled import TunedQuestion, restore, steps_of, tuned
from regreact.errors import BudgetError
from regreact.gate import Gate

State = dict[str, TunedQuestion]


def state_of(program: dspy.Module, names: tuple[str, ...]) -> State:
    """Return instructions and examples of some questions of a program."""
    steps = steps_of(program)
    return {name: tuned(steps[name]) for name in names}


def put(program: dspy.Module, state: State) -> dspy.Module:
    """Return a copy of a program with a state."""
    copy = program.deepcopy()
    steps = steps_of(copy)
    for name, question in state.items():
        restore(steps[name], question)
    return copy


def fingerprint(state: State) -> str:
    """Return a digest that tells states apart."""
    text = json.dumps({k: q.model_dump(mode="json") for k, q in state.items()}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass
class Ledger:
    """Candidates by fingerprint, and their scores by unit number. Safe to use from several threads.

    Copies of a program share one ledger.
    """

    states: dict[str, State] = field(default_factory=dict)
    scores: dict[str, dict[int, float]] = field(default_factory=dict)
    stopped: BaseException | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __deepcopy__(self, memo: object) -> Ledger:
        return self

    def seen(self, state: State) -> str:
        """Note a candidate and return its fingerprint."""
        mark = fingerprint(state)
        with self._lock:
            self.states.setdefault(mark, state)
        return mark

    def note(self, mark: str, number: int, score: float) -> None:
        """Note the score of a candidate on a unit; the last one counts."""
        with self._lock:
            self.scores.setdefault(mark, {})[number] = score

    def best(self, numbers: Mapping[int, object]) -> State | None:
        """Return the candidate with the best mean on units of one part; None if none was scored on any.

        Only candidates that saw at least half as many of them as any other are compared.
        """
        means = {}
        counts = {m: [s for n, s in found.items() if n in numbers] for m, found in self.scores.items()}
        most = max(map(len, counts.values()), default=0)
        for mark, found in counts.items():
            if found and 2 * len(found) >= most:
                means[mark] = fmean(found)
        return self.states[max(means, key=lambda m: means[m])] if means else None


@contextmanager
def spending(gate: Gate, calls: int, cost: float | None) -> Iterator[None]:
    """Let at most some more requests, or dollars, through inside the block.

    The limits of the run hold besides. Reaching those of the block ends nothing after it.
    """
    hard_calls, hard_cost = gate.max_calls, gate.max_cost
    gate.max_calls = _least(hard_calls, gate.calls + calls)
    gate.max_cost = _least(hard_cost, None if cost is None else gate.cost + cost)
    try:
        yield
    finally:
        gate.max_calls, gate.max_cost = hard_calls, hard_cost
        if isinstance(gate.stopped, BudgetError):
            # Where the limit of the run is reached as well, the next request finds out.
            gate.stopped = None


def _least(*limits: float | None) -> int | None:
    known = [limit for limit in limits if limit is not None]
    return min(known) if known else None  # type: ignore[return-value]
