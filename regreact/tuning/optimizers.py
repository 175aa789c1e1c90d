"""The five optimizers of DSPy, each put to work on a task. Imported only where something is tuned."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import dspy

from regreact.config import OptimizerSettings
from regreact.errors import OptimizerError
from regreact.tuning.tasks import TRAIN, VALIDATION, WHOLE, Task

Search = Callable[[Task, OptimizerSettings, int], dspy.Module]


def _labeled(task: Task, o: OptimizerSettings) -> int:
    """Annotated examples have the fields of one question, so the whole program takes none."""
    return 0 if task.name == WHOLE else o.labeled


def bootstrap(task: Task, o: OptimizerSettings, threads: int) -> dspy.Module:
    """Try sets of worked examples: right answers of the model, and annotations."""
    labeled = _labeled(task, o)
    found = dspy.BootstrapFewShotWithRandomSearch(
        metric=task.metric,
        metric_threshold=o.accept,
        max_bootstrapped_demos=o.demos,
        max_labeled_demos=labeled,
        # Three programs come first in any case: without examples, with annotations, with unshuffled examples.
        num_candidate_programs=max(0, o.candidates - 3),
        num_threads=threads,
    )
    # Without annotations the second of the three is the first once more.
    restrict = None if labeled else [-3, *range(-1, max(0, o.candidates - 3))]
    parts = {"trainset": task.examples[TRAIN], "valset": task.examples[VALIDATION]}
    return found.compile(task.student, **parts, restrict=restrict)


def mipro(task: Task, o: OptimizerSettings, threads: int) -> dspy.Module:
    """Search combinations of proposed instructions and sets of worked examples."""
    if find_spec("optuna") is None:
        raise OptimizerError("optimizer=mipro needs the package optuna: pip install 'regreact[optimize]'")
    search = dspy.MIPROv2(
        metric=task.metric,
        auto=None,
        num_candidates=o.candidates,
        max_bootstrapped_demos=o.demos,
        max_labeled_demos=_labeled(task, o),
        metric_threshold=o.accept,
        num_threads=threads,
        init_temperature=o.temperature,
        seed=o.seed,
    )
    return search.compile(
        task.student,
        trainset=task.examples[TRAIN],
        valset=task.examples[VALIDATION],
        num_trials=o.trials,
        minibatch=False,
        # It would print the source code of the package into the question.
        program_aware_proposer=False,
        # Ten whole sections at a time are too long a question.
        data_aware_proposer=task.name != WHOLE,
        view_data_batch_size=3,
    )


def gepa(task: Task, o: OptimizerSettings, threads: int) -> dspy.Module:
    """Rewrite instructions from feedback on wrong answers; keep those that do best on some unit."""
    search = dspy.GEPA(
        metric=task.told,
        max_metric_calls=o.metric_calls,
        reflection_lm=dspy.settings.lm,
        reflection_minibatch_size=min(o.batch, len(task.examples[TRAIN])),
        num_threads=threads,
        # Scores of one question and of the whole tree differ by design.
        warn_on_score_mismatch=False,
        add_format_failure_as_feedback=True,
        seed=o.seed,
        gepa_kwargs={"stop_callbacks": [lambda _: task.ledger.stopped is not None]},
    )
    return search.compile(task.student, trainset=task.examples[TRAIN], valset=task.examples[VALIDATION])


def simba(task: Task, o: OptimizerSettings, threads: int) -> dspy.Module:
    """Add rules and examples drawn from mini-batches where replies differ most."""
    search = dspy.SIMBA(
        metric=task.told,
        bsize=min(o.batch, len(task.examples[TRAIN])),
        num_candidates=o.candidates,
        max_steps=o.steps,
        max_demos=o.demos,
        num_threads=threads,
    )
    return search.compile(task.student, trainset=task.examples[TRAIN], seed=o.seed)


def copro(task: Task, o: OptimizerSettings, threads: int) -> dspy.Module:
    """Propose instructions round by round, with the scores of those before."""
    search = dspy.COPRO(metric=task.metric, breadth=o.breadth, depth=o.depth, init_temperature=o.temperature)
    options: dict[str, Any] = {"num_threads": threads, "display_progress": False, "display_table": 0}
    return search.compile(task.student, trainset=task.examples[TRAIN], eval_kwargs=options)


SEARCHES: dict[str, Search] = {
    "bootstrap": bootstrap,
    "mipro": mipro,
    "gepa": gepa,
    "simba": simba,
    "copro": copro,
}
