"""Order, parallelism and invalidation of stages, derived from what each declares to take and to give.

A stage takes the positional parameters of its `forward` by name and gives one named output. Nothing else is declared;
keyword-only parameters are no inputs, the caller may set them for one run.
"""

from __future__ import annotations

import contextvars
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol

from regreact.errors import ConfigError


class Node(Protocol):
    """What the dataflow needs to know of a stage."""

    name: str
    provides: str

    def forward(self, **inputs: Any) -> Any:
        """Compute the output from the inputs."""


class Dataflow:
    """Stages in an order in which every input exists before it is needed.

    Args:
        stages: Objects with `name`, `provides` and `forward`.
        given: Names of values that are there from the start.

    Raises:
        ConfigError: Two stages give the same name, an input has no origin, or stages need each other.

    Example:
        >>> class Double:
        ...     name, provides = "double", "twice"
        ...     def forward(self, number): return 2 * number
        >>> Dataflow([Double()], given=["number"]).run({"number": 4})["twice"]
        8
    """

    def __init__(self, stages: Sequence[Node], given: Iterable[str]) -> None:
        self.stages = {stage.provides: stage for stage in stages}
        if len(self.stages) != len(stages):
            raise ConfigError("two stages provide the same output")
        self.given = frozenset(given)
        self.inputs = {name: _parameters(stage) for name, stage in self.stages.items()}
        self.levels = self._sort()

    def _sort(self) -> tuple[tuple[str, ...], ...]:
        known, left, levels = set(self.given), dict(self.inputs), []
        while left:
            ready = tuple(name for name, needs in left.items() if known.issuperset(needs))
            if not ready:
                missing = sorted({n for needs in left.values() for n in needs} - known - set(left))
                reason = f"nothing provides {', '.join(missing)}" if missing else "they need each other"
                raise ConfigError(f"stages {', '.join(sorted(left))} cannot run: {reason}")
            levels.append(ready)
            known.update(ready)
            for name in ready:
                del left[name]
        return tuple(levels)

    def predecessors(self, output: str) -> set[str]:
        """Return all outputs and given values that an output rests on, directly or not."""
        found: set[str] = set()
        queue = list(self.inputs[output])
        while queue:
            name = queue.pop()
            if name not in found:
                found.add(name)
                queue.extend(self.inputs.get(name, ()))
        return found

    def dependants(self, changed: Iterable[str]) -> tuple[str, ...]:
        """Return the outputs that rest on any of these, in running order."""
        wanted = set(changed)
        return tuple(o for level in self.levels for o in level if self.predecessors(o) & wanted)

    def run(
        self,
        values: Mapping[str, Any],
        only: Iterable[str] | None = None,
        workers: int = 1,
        extra: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> dict[str, Any]:
        """Run stages, each as soon as all its inputs are there, and return all values by name.

        Args:
            values: Given values, and outputs of stages that are not run again.
            only: Outputs to compute; None for all.
            workers: Stages to run at a time.
            extra: Keyword-only arguments by output.
        """
        state = dict(values)
        wanted = [o for level in self.levels for o in level if only is None or o in set(only)]

        def compute(name: str) -> Any:
            stage = self.stages[name]
            call = stage if callable(stage) else stage.forward
            return call(**{i: state[i] for i in self.inputs[name]}, **(extra or {}).get(name, {}))

        if workers == 1:
            for name in wanted:
                state[name] = compute(name)
            return state
        with ThreadPoolExecutor(max_workers=workers) as pool:
            self._overlap(pool, compute, wanted, state)
        # In declared order, whatever the timing.
        return {**{k: v for k, v in state.items() if k not in wanted}, **{name: state[name] for name in wanted}}

    def _overlap(
        self, pool: ThreadPoolExecutor, compute: Callable[[str], Any], wanted: Sequence[str], state: dict[str, Any]
    ) -> None:
        waiting, running = list(wanted), dict[Future[Any], str]()
        while waiting or running:
            open_ = {*waiting, *running.values()}
            for name in [n for n in waiting if open_.isdisjoint(self.inputs[n])]:
                waiting.remove(name)
                # Settings of DSPy live in context variables, so each task takes a copy along.
                running[pool.submit(contextvars.copy_context().run, compute, name)] = name
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                name = running.pop(future)
                state[name] = future.result()

    def rerun(self, state: Mapping[str, Any], changed: Mapping[str, Any], workers: int = 1) -> dict[str, Any]:
        """Replace some values and compute exactly their dependants again."""
        return self.run({**state, **changed}, only=self.dependants(changed), workers=workers)


def _parameters(stage: Node) -> tuple[str, ...]:
    """Return the names of what a stage takes, read from the class (DSPy warns when an instance is asked)."""
    own = vars(stage).get("forward")
    forward = own if own is not None else vars(type(stage))["forward"]
    declared = inspect.signature(forward).parameters.values()
    names = tuple(p.name for p in declared if p.kind is not inspect.Parameter.KEYWORD_ONLY)
    return names if own is not None else names[1:]
