"""Run one variant or a sweep of variants against gold: `python -m regreact.experiment +ablation=no_odr`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from regreact import config, tracking
from regreact.config import Settings
from regreact.errors import ConfigError, LMStopError, RegReActError
from regreact.evaluation.calibration import answers
from regreact.evaluation.command import load_gold_for, source_documents, units_of
from regreact.evaluation.judge import build_judge
from regreact.evaluation.rag_pairs import PairScore, pair_scores
from regreact.evaluation.reference import reference_of
from regreact.evaluation.scoring import ScoreReport, render, score_folder
from regreact.files import refused_write
from regreact.folder_lock import scratch_folder
from regreact.progress import progress_bar
from regreact.runner import Extractor

try:
    from hydra.experimental.callback import Callback
except ImportError:  # pragma: no cover  hydra-core is a core dependency
    Callback = object

# Hands the sweep's parent run to the variants, which may run in other processes.
PARENT = "REGREACT_PARENT_RUN"


def run_variant(settings: Settings, out: Path) -> ScoreReport:
    """Extract the units of the data set into `out` and score them.

    Raises:
        ConfigError: The data set has no gold.
        ConfigError: The judge is the model that extracts.
        LMRequiredError: The variant or its judge needs a model and none is configured.
        LMStopError: The model could not be used to the end; what was extracted until then is in `out`, without score.
    """
    if settings.data.gold is None:
        raise ConfigError(f"data={settings.data.name} has no gold to score against: set data.gold=FOLDER")
    extracting = [settings.lm.name] if settings.uses_lm and settings.lm.name else []
    judge = build_judge(settings.judge, extracting)
    gold = load_gold_for(settings.data.gold, settings.data.units)
    documents = source_documents(gold, settings.data.source)
    units = units_of(gold, documents)
    references = None
    if settings.lm.engine == "simulated":
        references = {g.unit: reference_of(g, units[g.source, g.unit]) for g in gold}
    extractor = Extractor(settings, references=references, documents=documents)
    with progress_bar(len(units), settings.ablation.name) as advance:
        summary = extractor.extract_to(
            list(units.values()), out, progress=lambda x: advance(x.unit, x.lm_calls, x.tokens, x.cost)
        )
    if summary.stopped is not None:
        raise summary.stopped
    return score_folder(out, gold, units, judge)


def score_variant(*overrides: str) -> ScoreReport:
    """Extract and score one variant without tracking; its files are thrown away."""
    with scratch_folder() as folder:
        return run_variant(config.load(["tracking=off", *overrides]), folder)


def title(settings: Settings) -> str:
    """Return what a run is called; one with the simulated model says so."""
    return f"{settings.ablation.name} {_on(settings)}"


def _on(settings: Settings) -> str:
    simulated = settings.uses_lm and settings.lm.engine == "simulated"
    return f"on {settings.data.name}" + (", SIMULATED model" if simulated else "")


def track_variant(settings: Settings) -> ScoreReport:
    """Run a variant, and log it if tracking is on."""
    with scratch_folder() as out:
        if not settings.tracking.enabled:
            return run_variant(settings, out)
        name = title(settings)
        with tracking.run(settings.tracking, name, os.environ.get(PARENT)):
            tracking.log_settings(settings)
            try:
                report = run_variant(settings, out)
            except LMStopError:
                tracking.log_extractions(out)
                raise
            tracking.log_results(report.metrics(), report.rows(), report.to_json(), out)
            tracking.log_records("answers.json", [asdict(a) for a in answers(report)])
            if settings.rag.enabled:
                tracking.log_records("rag_pairs.json", [p.to_json() for p in summaries(settings, out)])
            return report


def summaries(settings: Settings, out: Path) -> list[PairScore]:
    """Score what a run's extractions say of the sources cited, without a model."""
    assert settings.data.gold is not None
    gold = load_gold_for(settings.data.gold, settings.data.units)
    return pair_scores(out, settings, source_documents(gold, settings.data.source))


class SweepTracking(Callback):
    """Opens the parent run of a sweep before its first variant and closes it after the last."""

    def on_multirun_start(self, config: Any, **_: Any) -> None:
        """Create the parent run."""
        settings = checked(config)
        if settings.tracking.enabled:
            os.environ[PARENT] = tracking.create_parent(settings.tracking, f"sweep {_on(settings)}")

    def on_multirun_end(self, config: Any, **_: Any) -> None:
        """Mark the parent run finished."""
        import mlflow  # noqa: PLC0415  heavy

        parent = os.environ.pop(PARENT, None)
        if parent is not None:
            mlflow.MlflowClient().set_terminated(parent)


def checked(composed: Any) -> Settings:
    """Return validated settings from a composed Hydra configuration."""
    from omegaconf import OmegaConf  # noqa: PLC0415  heavy

    own = OmegaConf.masked_copy(composed, [k for k in composed if k != "hydra"])
    values = OmegaConf.to_container(own, resolve=True)
    assert isinstance(values, dict)
    return config.check({str(k): v for k, v in values.items()})


# Exit codes of the variants of this process; a variant that fails does not stop the others of its sweep.
_codes: list[int] = []


class VariantError(Exception):
    """A variant that ran in another process did not end well; its exit code is the argument."""


def mlflow_error() -> type[Exception]:
    """Return the class of MLflow's errors (an unusable tracking address, a damaged database)."""
    from mlflow.exceptions import MlflowException  # noqa: PLC0415  heavy

    error: type[Exception] = MlflowException
    return error


def _task(settings: Settings) -> int:
    from rich.console import Console  # noqa: PLC0415  heavy

    report = track_variant(settings)
    console = Console()
    console.print(f"[bold]{title(settings)}[/bold]")
    console.print(render(report))
    for problem in report.shortcomings():
        print(problem, file=sys.stderr)
    return report.exit_code


def _guarded(task: Callable[[Settings], int], leader: int, composed: Any) -> None:
    """Run a task with the composed configuration; an error becomes one line and its exit code.

    Raises:
        VariantError: A launcher runs it in another process than the `leader`, and it did not end well.
    """
    try:
        _codes.append(task(checked(composed)))
    except (RegReActError, mlflow_error()) as error:
        print(f"regreact: {error}", file=sys.stderr)
        _codes.append(getattr(error, "exit_code", 2))
    except OSError as error:
        # What the tracking library writes itself.
        told = refused_write(error)
        if told is None:
            raise
        print(f"regreact: {told}", file=sys.stderr)
        _codes.append(told.exit_code)
    if _codes[-1] and os.getpid() != leader:
        raise VariantError(_codes[-1])


def main(arguments: Sequence[str] | None = None) -> int:
    """Compose the configuration with the given overrides and run.

    Returns:
        Exit code: 0 done, 1 some units failed, 2 usage or configuration, 3 no unit matched.
    """
    return hydra_main(_task, arguments)


def hydra_main(task: Callable[[Settings], int], arguments: Sequence[str] | None = None) -> int:
    """Compose the configuration from the command line, or from overrides, and give it to a task.

    Args:
        task: Returns an exit code; runs once for each variant of a sweep.
        arguments: Overrides instead of those of the command line.

    Returns:
        The largest exit code.
    """
    import hydra  # noqa: PLC0415  heavy
    import stamina  # noqa: PLC0415
    from hydra.errors import HydraException  # noqa: PLC0415
    from omegaconf.errors import OmegaConfBaseException  # noqa: PLC0415

    # What is left after the last try is reported; each try is not.
    stamina.instrumentation.set_on_retry_hooks(())

    # Without it Hydra prints its own traceback and ends the process with 1 for every mistake.
    os.environ["HYDRA_FULL_ERROR"] = "1"
    config.register_base()
    _codes.clear()
    sys.argv = [sys.argv[0], *config.with_program_file(sys.argv[1:] if arguments is None else arguments)]
    composing = hydra.main(version_base="1.3", config_path=str(config.conf_dir().resolve()), config_name="config")
    try:
        composing(partial(_guarded, task, os.getpid()))()
    except (HydraException, OmegaConfBaseException, ValueError) as error:
        print(f"regreact: {config.explain_hydra(error)}", file=sys.stderr)
        return 2
    except VariantError as error:
        _codes.append(error.args[0])
    except RegReActError as error:
        print(f"regreact: {error}", file=sys.stderr)
        return error.exit_code
    return max(_codes, default=0)


if __name__ == "__main__":
    # As a module under its own name, so that Hydra's callback and this share their state.
    from regreact.experiment import main as run_main

    sys.exit(run_main())
