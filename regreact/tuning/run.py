"""One tuning run: split, scores before, search, choice on the validation part, scores after on the test part."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from statistics import fmean
from typing import Any

import dspy

from regreact import __version__
from regreact.compiled import CompiledProgram
from regreact.config import Settings
from regreact.errors import BudgetError, ConfigError, LMRequiredError, LMStopError, OptimizerError
from regreact.evaluation.command import load_gold_for, source_documents, units_of
from regreact.evaluation.gold import GoldUnit
from regreact.evaluation.reference import reference_of
from regreact.evaluation.splits import split
from regreact.faults import FaultPlan
from regreact.gate import Gate
from regreact.lm import build_lm, in_use
from regreact.overlap import overlapped
from regreact.sources.model import Unit
from regreact.tuning.comparison import Comparison, compare
from regreact.tuning.ledger import State, fingerprint, put, spending, state_of
from regreact.tuning.optimizers import SEARCHES
from regreact.tuning.tasks import STAGES, TEST, TRAIN, VALIDATION, WHOLE, Task, program_task, question_tasks

Scores = dict[int, float]


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one task.

    Attributes:
        name: The question, or `all`.
        state: Instructions and examples that are kept.
        changed: Whether they differ from those before.
        validation: Mean score before and after on the part that candidates were chosen on, in percent.
        test: Comparison on the untouched part; None if the run stopped before it could be made.
        tried: Number of candidates that were scored.
        problem: Why the search ended before its end, "" if it did not.
    """

    name: str
    state: State
    changed: bool
    validation: tuple[float, float]
    test: Comparison | None
    tried: int
    problem: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the scores as plain data."""
        before, after = self.validation
        return {
            "changed": self.changed,
            "validation": {"before": round(before, 3), "after": round(after, 3)},
            "test": None if self.test is None else self.test.to_json(),
            "candidates": self.tried,
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run found.

    Attributes:
        results: By task.
        left_out: Questions without examples, and why.
        program: The compiled program.
        path: Its file.
        stopped: What ended the run before its end.
    """

    results: tuple[Result, ...]
    left_out: Mapping[str, str]
    program: CompiledProgram
    path: Path
    stopped: LMStopError | None


def tune(settings: Settings) -> Outcome:
    """Tune a stage or the whole program and save what was found.

    Raises:
        ConfigError: Nothing would be tuned, or the units do not give three parts.
        OptimizerError: The budget leaves nothing for the search, or the optimizer is not installed.
        LMStopError: The model cannot be used, or the budget does not even cover the scores before.
    """
    settings = checked(settings)
    gold, units = annotated(settings)
    parts = _split(settings, units)
    pairs = list(zip(gold, units, strict=True))
    lm = _lm(settings, pairs)
    of = {key: part for part, keys in parts.items() for key in keys}
    names = () if settings.stage == WHOLE else STAGES[settings.stage]
    left_out: dict[str, str] = {}
    if names:
        tasks, left_out = question_tasks(names, pairs, of, settings)
    else:
        tasks = [program_task(pairs, of, settings)]
    gate: Gate = lm.engine.gate
    with in_use(lm, settings):
        results = _Run(settings, gate).all(tasks)
    program = CompiledProgram(
        regreact=__version__,
        dspy=version("dspy"),
        stage=settings.stage,
        optimizer=settings.optimizer.name,
        model=str(settings.lm.model),
        split={"seed": settings.optimizer.seed, "data": settings.data.name, "units": parts},
        scores={r.name: r.to_json() for r in results},
        calls=gate.calls,
        stopped="; ".join(dict.fromkeys(r.problem for r in results if r.problem)) or None,
        questions={name: question for r in results for name, question in r.state.items()},
    )
    path = Path(settings.optimizer.out) / f"{settings.stage}-{settings.optimizer.name}.json"
    program.save(path)
    return Outcome(tuple(results), left_out, program, path, gate.stopped)


def checked(settings: Settings) -> Settings:
    """Return the settings with `fastpath=off`, under which the tuned stage runs.

    Raises:
        ConfigError: Nothing would be tuned.
        LMRequiredError: There is no model.
    """
    if settings.optimizer.name == "none":
        raise ConfigError(f"optimizer=none tunes nothing: choose one of {', '.join(SEARCHES)}")
    if settings.fastpath.mode == "only":
        raise ConfigError("fastpath=only asks no model, so nothing would be tuned: leave it out, or say fastpath=off")
    if settings.program.name != "regreact" or settings.program.path is not None:
        raise ConfigError("only the seven stages are tuned, from the prompts of the package: leave program out")
    if settings.data.gold is None:
        raise ConfigError(f"data={settings.data.name} has no gold to tune for: set data.gold=FOLDER")
    if settings.lm.model is None:
        raise LMRequiredError("tuning needs a language model: choose one with lm=openai, lm=compatible or lm=simulated")
    return settings.model_copy(update={"fastpath": settings.fastpath.model_copy(update={"mode": "off"})})


def annotated(settings: Settings) -> tuple[list[GoldUnit], list[Unit]]:
    """Return the annotations of the data set and the units they were made on."""
    assert settings.data.gold is not None
    gold = load_gold_for(settings.data.gold, settings.data.units)
    held = units_of(gold, source_documents(gold, settings.data.source))
    return gold, [held[g.source, g.unit] for g in gold]


def _split(settings: Settings, units: Sequence[Unit]) -> dict[str, list[str]]:
    return split(units, settings.optimizer.parts.model_dump(), settings.optimizer.seed)


def _lm(settings: Settings, pairs: Sequence[tuple[GoldUnit, Unit]]) -> dspy.LM:
    simulation = None
    if settings.lm.engine == "simulated":
        from regreact.simulated import Simulation  # noqa: PLC0415  registers all solvers

        references = {g.unit: reference_of(g, u) for g, u in pairs}
        simulation = Simulation(references, FaultPlan(settings.lm.faults))
    lm = build_lm(settings.lm, simulation)
    assert lm is not None
    return lm


class _Run:
    """Scores before, searches within the budget, scores after."""

    def __init__(self, settings: Settings, gate: Gate) -> None:
        self.settings = settings
        self.gate = gate

    def all(self, tasks: Sequence[Task]) -> list[Result]:
        """Tune one task after the other; each gets an equal share of what the budget has left."""
        before = [(self.score(t, t.student, VALIDATION), self.score(t, t.student, TEST)) for t in tasks]
        calls, cost = self._budget()
        results = []
        start_calls, start_cost = self.gate.calls, self.gate.cost
        for number, (task, scores) in enumerate(zip(tasks, before, strict=True)):
            left = len(tasks) - number
            calls_left = max(0, calls - (self.gate.calls - start_calls)) // left
            cost_left = None if cost is None else max(0.0, cost - (self.gate.cost - start_cost)) / left
            results.append(self.one(task, scores, calls_left, cost_left))
        return results

    def _budget(self) -> tuple[int, float | None]:
        """Return requests and dollars for the search, with enough left for the scores after.

        Up to two candidates are scored on the validation part: twice what the scores before took.
        """
        o, gate = self.settings.optimizer, self.gate
        calls, cost = o.max_calls, o.max_cost
        if gate.max_calls is not None:
            calls = min(calls, gate.max_calls - 3 * gate.calls)
        if gate.max_cost is not None:
            cost = min(gate.max_cost - 3 * gate.cost, cost if cost is not None else gate.max_cost)
        if calls < 1 or (cost is not None and cost <= 0):
            raise OptimizerError(
                f"the budget leaves nothing to search with: the scores before took {gate.calls} requests and "
                f"{gate.cost:.4f} US dollars, those after take up to twice that; raise lm.max_calls or lm.max_cost"
            )
        if cost is not None and gate.price is None:
            raise OptimizerError("optimizer.max_cost needs a price: set lm.input_price and lm.output_price")
        return calls, cost

    def one(self, task: Task, before: tuple[Scores, Scores], calls: int, cost: float | None) -> Result:
        """Search, choose on the validation part, and score the choice on the test part."""
        initial = state_of(task.student, task.names)
        found, problem = self._search(task, calls, cost)
        finalists = {fingerprint(s): s for s in (initial, *found)}
        validated = {fingerprint(initial): before[0]}
        chosen, test = fingerprint(initial), None
        try:
            for mark, state in finalists.items():
                if mark not in validated:
                    validated[mark] = self.score(task, put(task.student, state), VALIDATION)
            # Of equals the first, which is the one before.
            chosen = max(validated, key=lambda m: fmean(validated[m].values()))
            after = before[1]
            if chosen != fingerprint(initial):
                after = self.score(task, put(task.student, finalists[chosen]), TEST)
            test = compare(before[1], after, self.settings.optimizer.seed)
        except LMStopError as error:
            problem = problem or str(error)
            chosen = max(validated, key=lambda m: fmean(validated[m].values()))
        values = [100 * fmean(scores.values()) for scores in (before[0], validated[chosen])]
        changed = chosen != fingerprint(initial)
        tried = len(task.ledger.scores)
        return Result(task.name, finalists[chosen], changed, (values[0], values[1]), test, tried, problem)

    def _search(self, task: Task, calls: int, cost: float | None) -> tuple[list[State], str]:
        """Return what the optimizer found and the best of all it tried, and why it ended early."""
        o = self.settings.optimizer
        found: list[State] = []
        problem = ""
        try:
            with spending(self.gate, calls, cost), quiet():
                try:
                    program = SEARCHES[o.name](task, o, self.settings.runner.workers)
                    found.append(state_of(program, task.names))
                finally:
                    problem = self._spent(calls, cost)
        except OptimizerError:
            raise
        except Exception as error:
            problem = problem or f"optimizer={o.name} failed: {type(error).__name__}: {_line(error)}"
        for part in (VALIDATION, TRAIN):
            best = task.ledger.best({e.number: e for e in task.examples[part]})
            if best is not None:
                found.append(best)
                break
        return found, problem

    def _spent(self, calls: int, cost: float | None) -> str:
        """Return what stopped the model, "" if nothing did."""
        stopped = self.gate.stopped
        if stopped is None:
            return ""
        if isinstance(stopped, BudgetError):
            limit = f"{calls} requests" + ("" if cost is None else f" or {cost:.4f} US dollars")
            return f"the search has used up its budget of {limit} (optimizer.max_calls, optimizer.max_cost)"
        return str(stopped)

    def score(self, task: Task, program: dspy.Module, part: str) -> Scores:
        """Return the score of a program on each unit of a part, by number."""
        examples = task.examples[part]
        # DSPy's own loop would ask slow units twice.
        predictions = overlapped(lambda e: program(**e.inputs()), examples, self.settings.runner.workers)
        return {e.number: task.metric(e, p) for e, p in zip(examples, predictions, strict=True)}


def _line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [""])[0][:300]


@contextmanager
def quiet() -> Iterator[None]:
    """Send what the optimizers print to stderr, and nowhere if that is no terminal."""
    log = logging.getLogger("dspy")
    level = log.level
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        if sys.stderr.isatty():
            stack.enter_context(redirect_stdout(sys.stderr))
        else:
            log.setLevel(logging.CRITICAL)
            nowhere = StringIO()
            stack.enter_context(redirect_stdout(nowhere))
            stack.enter_context(redirect_stderr(nowhere))
        try:
            yield
        finally:
            log.setLevel(level)


def render(outcome: Outcome) -> Any:
    """Return the results as a table for the terminal."""
    from rich.table import Table  # noqa: PLC0415  heavy

    program = outcome.program
    table = Table(title=f"{program.stage} tuned by {program.optimizer} for {program.model}: score in %, test part")
    for name in ("question", "n", "before", "after", "gain", "kept"):
        table.add_column(name, justify="left" if name in ("question", "kept") else "right")
    for r in outcome.results:
        kept = "new prompt" if r.changed else "prompt as before"
        cells = ["-"] * 4 if r.test is None else [str(c) for c in (r.test.n, r.test.before, r.test.after, r.test.gain)]
        table.add_row(r.name, *cells, kept)
    return table


def metrics(results: Sequence[Result]) -> Mapping[str, float]:
    """Return the figures of a run by name, for tracking."""
    values: dict[str, float] = {}
    for r in results:
        values |= {f"{r.name}.validation_before": r.validation[0], f"{r.name}.validation_after": r.validation[1]}
        if r.test is not None:
            values |= {f"{r.name}.test_before": r.test.before.mean, f"{r.name}.test_after": r.test.after.mean}
            values |= {f"{r.name}.test_gain": r.test.gain.mean, f"{r.name}.test_n": float(r.test.n)}
    return values
