"""Tune prompts against gold: `python -m regreact.optimize stage=thresholds optimizer=mipro lm=openai`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from regreact import tracking
from regreact.config import Settings
from regreact.experiment import hydra_main

if TYPE_CHECKING:
    from regreact.tuning.run import Outcome


def title(settings: Settings) -> str:
    """Return what a run is called; one with the simulated model says so."""
    simulated = ", SIMULATED model" if settings.lm.engine == "simulated" else ""
    return f"{settings.optimizer.name} for {settings.stage} on {settings.data.name}{simulated}"


def optimize(settings: Settings) -> Outcome:
    """Tune, and log the run if tracking is on.

    Raises:
        RegReActError: See `regreact.tuning.run.tune`.
    """
    from regreact.tuning.run import checked, tune  # noqa: PLC0415  heavy

    settings = checked(settings)
    if not settings.tracking.enabled:
        return tune(settings)
    with tracking.run(settings.tracking, title(settings)) as run_id:
        tracking.log_settings(settings)
        outcome = tune(settings)
        _log(settings, outcome, run_id)
        return outcome


def _log(settings: Settings, outcome: Outcome, run_id: str) -> None:
    """Log scores, tags and the compiled program (JSON) to the open run, and register the program."""
    import mlflow  # noqa: PLC0415  heavy

    from regreact.tuning.run import metrics  # noqa: PLC0415

    mlflow.log_metrics({**metrics(outcome.results), "lm_calls": float(outcome.program.calls)})
    tags = {
        "kind": "optimize",
        "stage": settings.stage,
        "optimizer": settings.optimizer.name,
        "model": str(settings.lm.model),
        "simulated": str(settings.lm.engine == "simulated").lower(),
    }
    mlflow.set_tags({**tags, "stopped": outcome.program.stopped or "no"})
    mlflow.log_artifact(str(outcome.path), "program")
    tracking.register_program(f"regreact-{settings.stage}", outcome.path, run_id, tags)


def _task(settings: Settings) -> int:
    from rich.console import Console  # noqa: PLC0415  heavy

    from regreact.tuning.run import render  # noqa: PLC0415

    outcome = optimize(settings)
    Console().print(render(outcome))
    for name, why in outcome.left_out.items():
        print(f"left out: {name}: {why}", file=sys.stderr)
    if outcome.program.stopped:
        print(f"ended early: {outcome.program.stopped}", file=sys.stderr)
    print(f"{outcome.program.calls} requests -> {outcome.path}")
    print(f"next: regreact extract SOURCE --set program={outcome.path} --set lm=… --set fastpath=off")
    return 0 if outcome.stopped is None else outcome.stopped.exit_code


def main(arguments: Sequence[str] | None = None) -> int:
    """Compose the configuration with the given overrides and tune; `fastpath` is `off` unless one is named.

    Returns:
        Exit code: 0 done, 1 the model stopped before the end, 2 usage or configuration, 3 no unit matched.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not any(a.startswith(("fastpath=", "fastpath.")) for a in given):
        given.append("fastpath=off")
    return hydra_main(_task, given)


if __name__ == "__main__":
    # As a module under its own name, like regreact.experiment.
    from regreact.optimize import main as run_main

    sys.exit(run_main())
