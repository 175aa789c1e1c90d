"""MLflow: one parent run per sweep, one child per variant, everything a reviewer needs to check a figure."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regreact import __version__
from regreact.config import Settings, TrackingSettings
from regreact.errors import OutputError, RunError
from regreact.files import real
from regreact.folder_lock import folder_lock
from regreact.process_identity import identity, is_dead
from regreact.redaction import without_password

SQLITE = "sqlite:///"
# Tag of a run: the process that makes it.
PROCESS = "regreact.process"
# The first initialisation of a database takes about ten seconds.
_MAKING_S = 120.0


def flatten(values: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Return nested settings as flat `group.key` parameters.

    Example:
        >>> flatten({"odr": {"tau": 0.7}})
        {'odr.tau': '0.7'}
    """
    flat: dict[str, str] = {}
    for key, value in values.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            flat.update(flatten(value, f"{name}."))
        else:
            flat[name] = str(value)
    return flat


def connect(settings: TrackingSettings) -> str:
    """Select database and experiment, creating them if needed; runs of processes that died are marked `KILLED`.

    Returns:
        The experiment's id.

    Raises:
        OutputError: Another process makes the database and does not come to an end, or the folder cannot be written.
    """
    import mlflow  # noqa: PLC0415  heavy

    mlflow.set_tracking_uri(settings.uri)
    with _alone(settings.uri):
        client = mlflow.MlflowClient()
        found = client.get_experiment_by_name(settings.experiment)
        if found is not None:
            _mark_killed(client, found.experiment_id)
            return str(found.experiment_id)
        folder = Path(settings.folder) if settings.folder else _database(settings.uri).parent / "mlartifacts"
        return str(client.create_experiment(settings.experiment, artifact_location=real(folder).as_uri()))


@contextmanager
def _alone(uri: str) -> Iterator[None]:
    """Keep other processes from making the same sqlite database at the same time, which would damage it."""
    if not uri.startswith(SQLITE):
        yield
        return
    path = _database(uri)
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415  heavy

    with folder_lock(path.parent, "the start of an experiment", name=f".{path.name}.lock", wait_s=_MAKING_S):
        try:
            if not path.exists():
                _make(path)
            yield
        except SQLAlchemyError as error:
            cause = str(getattr(error, "orig", error)).splitlines()[0]
            raise OutputError(f"{path}: cannot be written: {cause} (make room, or name another database)") from error


def _make(path: Path) -> None:
    """Make a database with all its tables aside and put it in its place: half of them would be useless for ever."""
    import mlflow  # noqa: PLC0415  heavy

    aside = path.with_name(f".{path.name}.new")
    shutil.rmtree(aside, ignore_errors=True)
    try:
        aside.mkdir(parents=True)
        mlflow.MlflowClient(tracking_uri=f"{SQLITE}{aside / path.name}").search_experiments(max_results=1)
        (aside / path.name).replace(path)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _database(uri: str) -> Path:
    """File of a sqlite database; of another, a file in the current folder that stands for it."""
    return Path(uri.removeprefix(SQLITE) if uri.startswith(SQLITE) else "database")


def _mark_killed(client: Any, experiment: str) -> None:
    for one in client.search_runs([experiment], "attributes.status = 'RUNNING'", max_results=1000):
        if is_dead(one.data.tags.get(PROCESS, "")):
            client.set_terminated(one.info.run_id, "KILLED")


def create_parent(settings: TrackingSettings, name: str) -> str:
    """Create the run that the variants of a sweep stand below; returns its id."""
    import mlflow  # noqa: PLC0415  heavy

    experiment = connect(settings)
    parent = mlflow.MlflowClient().create_run(experiment, run_name=name, tags={PROCESS: identity()})
    return str(parent.info.run_id)


@contextmanager
def run(settings: TrackingSettings, name: str, parent: str | None = None) -> Iterator[str]:
    """Open a run, below a parent if one is given; it is marked failed if the block raises."""
    import mlflow  # noqa: PLC0415  heavy

    experiment = connect(settings)
    tags = {PROCESS: identity(), **({"mlflow.parentRunId": parent} if parent else {})}
    with mlflow.start_run(experiment_id=experiment, run_name=name, tags=tags) as active, _traced(settings, experiment):
        yield str(active.info.run_id)


@contextmanager
def _traced(settings: TrackingSettings, experiment: str) -> Iterator[None]:
    """Log the requests of a block as traces if the settings want it."""
    if not settings.traces:
        yield
        return
    import mlflow  # noqa: PLC0415  heavy
    import mlflow.dspy  # noqa: PLC0415

    mlflow.set_experiment(experiment_id=experiment)
    mlflow.dspy.autolog(silent=True)
    try:
        yield
    finally:
        mlflow.flush_trace_async_logging()
        mlflow.dspy.autolog(disable=True, silent=True)


def log_settings(settings: Settings) -> None:
    """Log settings to the open run: short ones as parameters, all of them as `config.yaml`.

    Tags say what one compares runs by: `system` (the program or ablation), `model`, `judge`, `version`.
    """
    import mlflow  # noqa: PLC0415  heavy

    values = settings.model_dump(mode="json")
    values["tracking"]["uri"] = without_password(values["tracking"]["uri"])
    mlflow.log_params({k: v[:400] for k, v in flatten(values).items() if not k.startswith("ablation.requires")})
    mlflow.log_dict(values, "config.yaml")
    system = settings.program.name if settings.ablation.name == "none" else settings.ablation.name
    model = (settings.lm.name if settings.uses_lm else None) or "none"
    mlflow.set_tags({"system": system, "model": model, "judge": settings.judge.label, "version": __version__})


def log_results(
    metrics: Mapping[str, float],
    rows: Sequence[Mapping[str, Any]],
    report: Mapping[str, Any],
    extractions: Path | None = None,
) -> None:
    """Log metrics, the per-unit table, the whole report, a plot and the extraction files to the open run.

    Args:
        metrics: Values by name.
        rows: One row a unit, all with the same keys.
        report: The score report as JSON data.
        extractions: Folder of extraction files.
    """
    import mlflow  # noqa: PLC0415  heavy

    mlflow.log_metrics(dict(metrics))
    if rows:
        mlflow.log_table({key: [row.get(key) for row in rows] for key in rows[0]}, "units.json")
        mlflow.set_tag("act", ", ".join(sorted({str(row["document"]) for row in rows})))
        _log_plot(rows)
    mlflow.log_dict(dict(report), "scores.json")
    if extractions is not None:
        log_extractions(extractions)


def log_records(name: str, records: Sequence[Mapping[str, Any]]) -> None:
    """Log a list of records to the open run, as `{"records": […]}`."""
    import mlflow  # noqa: PLC0415  heavy

    mlflow.log_dict({"records": [dict(r) for r in records]}, name)


def log_extractions(folder: Path) -> None:
    """Log a folder of extraction files to the open run."""
    import mlflow  # noqa: PLC0415  heavy

    if folder.is_dir():
        mlflow.log_artifacts(str(folder), "extractions")


def _log_plot(rows: Sequence[Mapping[str, Any]]) -> None:
    """Log a bar chart of structural F1 by unit, lowest first."""
    import matplotlib as mpl  # noqa: PLC0415  heavy

    mpl.use("Agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415
    import mlflow  # noqa: PLC0415

    scored = sorted((float(r["structural_f1"]), str(r["unit"])) for r in rows if r.get("structural_f1") is not None)
    if not scored:
        return
    height = max(2.0, 0.16 * len(scored) + 1)
    figure, axes = plt.subplots(figsize=(8, height))
    axes.barh([u for _, u in scored], [v for v, _ in scored], color="#3b6ea5")
    axes.set_xlim(0, 100)
    axes.set_xlabel("structural F1 without ROOT, %")
    axes.tick_params(axis="y", labelsize=6)
    axes.margins(y=0.01)
    figure.tight_layout()
    mlflow.log_figure(figure, "structural_f1_by_unit.png")
    plt.close(figure)


def register_program(name: str, file: Path, run_id: str, tags: Mapping[str, str]) -> str:
    """Register a compiled program (JSON, nothing pickled) of a run under a name.

    Args:
        name: Name of the registered program.
        file: The program; an artifact `program/<file name>` of the run.
        run_id: The run.
        tags: What to know about it at a glance.

    Returns:
        The new version.
    """
    import mlflow  # noqa: PLC0415  heavy
    from mlflow.exceptions import MlflowException  # noqa: PLC0415

    client = mlflow.MlflowClient()
    try:
        client.create_registered_model(name)
    except MlflowException as error:
        if error.error_code != "RESOURCE_ALREADY_EXISTS":
            raise
    source = f"{client.get_run(run_id).info.artifact_uri}/program/{file.name}"
    return str(client.create_model_version(name, source, run_id, tags=dict(tags)).version)


# --- reading back -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LoggedRun:
    """A finished run on the tracking database.

    Attributes:
        run_id: Its id.
        name: Its name.
        params: Flat settings, as text.
        tags: Tags.
    """

    run_id: str
    name: str
    params: Mapping[str, str]
    tags: Mapping[str, str]

    def json(self, artifact: str) -> dict[str, Any] | None:
        """Return a JSON artifact, None if the run has none of that name."""
        import mlflow  # noqa: PLC0415  heavy

        # A bar for each small file is noise.
        os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")
        held = {item.path for item in mlflow.MlflowClient().list_artifacts(self.run_id)}
        if artifact not in held:
            return None
        data: dict[str, Any] = mlflow.artifacts.load_dict(f"runs:/{self.run_id}/{artifact}")
        return data


def find_runs(uri: str, name: str) -> list[LoggedRun]:
    """Return a run by id or name, or the variants of a sweep; of several with one name the newest finished one.

    Args:
        uri: Tracking database.
        name: Run id, or run name.

    Raises:
        RunError: There is no such finished run.
    """
    import mlflow  # noqa: PLC0415  heavy
    from mlflow.exceptions import MlflowException  # noqa: PLC0415

    path = uri.removeprefix("sqlite:///")
    if path != uri and not Path(path).is_file():
        raise RunError(f"{name}: neither a folder nor a run: there is no tracking database {path} (--tracking URI)")
    try:
        mlflow.set_tracking_uri(uri)
        client = mlflow.MlflowClient()
        experiments = [e.experiment_id for e in client.search_experiments()]
    except Exception as error:
        # What an address can fail with depends on the kind of database.
        told = (without_password(str(error)).splitlines() or [""])[0][:200]
        problem = f"no folder, and {without_password(uri)} cannot be read as tracking database: {told} (--tracking URI)"
        raise RunError(f"{name}: {problem}") from error
    try:
        named = [client.get_run(name)]
    except MlflowException:
        quoted = name.replace("'", "''")
        newest = ["attributes.start_time DESC"]
        named = client.search_runs(experiments, f"attributes.run_name = '{quoted}'", order_by=newest, max_results=20)
    if not named:
        raise RunError(f"{name}: no run of that id or name on {without_password(uri)}; {_known(client, experiments)}")
    for one in named:
        below = client.search_runs(
            experiments, f"tags.`mlflow.parentRunId` = '{one.info.run_id}'", order_by=["attributes.start_time ASC"]
        )
        finished = [r for r in (below or [one]) if r.info.status == "FINISHED"]
        if finished:
            return [LoggedRun(r.info.run_id, r.info.run_name, dict(r.data.params), dict(r.data.tags)) for r in finished]
    raise RunError(f"{name}: no run of it is finished on {without_password(uri)}")


def _known(client: Any, experiments: Sequence[str]) -> str:
    """Return the newest names, for a message."""
    newest = client.search_runs(experiments, order_by=["attributes.start_time DESC"], max_results=50)
    names = list(dict.fromkeys(r.info.run_name for r in newest))[:8]
    return f"there are {', '.join(names)}" if names else "it holds no runs"
