"""MLflow: one parent run per sweep, one child per variant, everything a reviewer needs to check a figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from regreact.config import Settings, TrackingSettings


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
    """Select database and experiment, creating them if needed.

    Returns:
        The experiment's id.
    """
    import mlflow  # noqa: PLC0415  heavy

    mlflow.set_tracking_uri(settings.uri)
    client = mlflow.MlflowClient()
    found = client.get_experiment_by_name(settings.experiment)
    if found is not None:
        return str(found.experiment_id)
    folder = Path(settings.folder) if settings.folder else _beside(settings.uri)
    return str(client.create_experiment(settings.experiment, artifact_location=folder.resolve().as_uri()))


def _beside(uri: str) -> Path:
    """Folder for artifacts beside a sqlite database, else in the current folder."""
    path = uri.removeprefix("sqlite:///")
    return (Path(path).parent if path != uri else Path()) / "mlartifacts"


@contextmanager
def run(settings: TrackingSettings, name: str, parent: str | None = None) -> Iterator[str]:
    """Open a run, below a parent if one is given; it is marked failed if the block raises."""
    import mlflow  # noqa: PLC0415  heavy

    experiment = connect(settings)
    tags = {"mlflow.parentRunId": parent} if parent else {}
    with mlflow.start_run(experiment_id=experiment, run_name=name, tags=tags) as active:
        yield str(active.info.run_id)


def log_settings(settings: Settings) -> None:
    """Log settings to the open run: short ones as parameters, all of them as `config.yaml`, the judge as a tag."""
    import mlflow  # noqa: PLC0415  heavy

    values = settings.model_dump(mode="json")
    mlflow.log_params({k: v[:400] for k, v in flatten(values).items() if not k.startswith("ablation.requires")})
    mlflow.log_dict(values, "config.yaml")
    mlflow.set_tag("judge", settings.judge.label)


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
        _log_plot(rows)
    mlflow.log_dict(dict(report), "scores.json")
    if extractions is not None:
        log_extractions(extractions)


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
