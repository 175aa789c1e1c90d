"""Experiments as a user starts them: exit codes, tracking, sweeps."""

import sqlite3
from pathlib import Path

import pytest

from tests.test_cli import one_line, regreact

MODULE = "regreact.experiment"


def test_one_variant_without_tracking(tmp_path: Path) -> None:
    result = regreact("tracking=off", "data.units=[CCM-21.1/SC]", cwd=tmp_path, module=MODULE)
    assert result.returncode == 0, result.stderr
    assert "1 units, 0 missing" in result.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["odr.tau=5"], 2, ("odr.tau",)),
        (["odr.x=5"], 2, ("odr.x", "allowed here are")),
        (["data=nope"], 2, ("data/nope", "samples")),
        (["+ablation=no_odr", "odr=on"], 2, ("drop one",)),
        (["+ablation=single_pass"], 2, ("lm=openai",)),
        (["data.gold=nowhere"], 2, ("nowhere",)),
        (["data.units=[CCM-0.0/SC]"], 3, ("CCM-0.0/SC",)),
        (["nonsense"], 2, ("nonsense",)),
    ],
)
def test_mistakes_are_one_line(arguments: list[str], code: int, words: tuple[str, ...], tmp_path: Path) -> None:
    one_line(regreact(*arguments, "tracking=off", cwd=tmp_path, module=MODULE), code, *words)


def test_a_sweep_is_a_parent_with_a_child_per_variant(tmp_path: Path) -> None:
    result = regreact(
        "-m", "+ablation=none,markup,single_pass", "data.units=[CCM-21.1/SC]", cwd=tmp_path, module=MODULE
    )
    assert result.returncode == 2, "single_pass needs a model; the others go on"
    with sqlite3.connect(tmp_path / "mlflow.db") as db:
        runs = dict(db.execute("select name, status from runs").fetchall())
        parents = db.execute("select count(*) from tags where key = 'mlflow.parentRunId'").fetchone()[0]
        tags = {
            name: {v for (v,) in db.execute("select value from tags where key = ?", (name,))}
            for name in ("judge", "system", "model", "act")
        }
        metrics = {k for (k,) in db.execute("select distinct key from metrics")}
        params = {k for (k,) in db.execute("select distinct key from params")}
    assert runs["sweep on samples"] == runs["none on samples"] == runs["markup on samples"] == "FINISHED"
    assert runs["single_pass on samples"] == "FAILED"
    assert parents == 3
    assert tags == {
        "judge": {"rubric"},
        "system": {"regreact", "markup", "single_pass"},
        "model": {"none"},
        "act": {"samples-compass"},
    }
    assert metrics >= {"structural_f1", "category", "applicability", "logic", "threshold"}
    assert params >= {"odr.tau", "fastpath.mode", "lm.model", "ablation.name"}
    names = {p.name for p in (tmp_path / "mlartifacts").rglob("*") if p.is_file()}
    assert names >= {"config.yaml", "units.json", "scores.json", "structural_f1_by_unit.png", "manifest.jsonl"}


def test_requests_are_traced_on_demand_only(tmp_path: Path) -> None:
    model = ("lm=simulated", "fastpath=off", "data.units=[CCM-21.1/SC]")
    counts = []
    for number, traces in enumerate(((), ("tracking.traces=true",))):
        folder = tmp_path / str(number)
        folder.mkdir()
        result = regreact(*model, *traces, cwd=folder, module=MODULE)
        assert result.returncode == 0, result.stderr
        with sqlite3.connect(folder / "mlflow.db") as db:
            counts.append(db.execute("select count(*) from trace_info").fetchone()[0])
    assert counts[0] == 0 < counts[1]


def test_a_run_with_the_simulated_model_says_so() -> None:
    from regreact.config import load  # noqa: PLC0415
    from regreact.experiment import title  # noqa: PLC0415

    assert title(load([])) == "none on samples"
    assert "SIMULATED" in title(load(["lm=simulated", "fastpath=off"]))


@pytest.mark.parametrize(
    "launcher",
    [
        ["joblib", "hydra.launcher.n_jobs=2"],
        pytest.param(["ray", "+hydra.launcher.ray.init.num_cpus=2"], marks=pytest.mark.ray),
    ],
    ids=lambda launcher: launcher[0],
)
def test_variants_of_a_sweep_run_side_by_side(launcher: list[str], tmp_path: Path) -> None:
    pytest.importorskip(f"hydra_plugins.hydra_{launcher[0]}_launcher")
    name, *options = launcher
    variants = ["-m", "+ablation=none,single_pass,markup", "data.units=[CCM-21.1/SC]", "tracking=off"]
    result = regreact(*variants, f"hydra/launcher={name}", *options, cwd=tmp_path, module=MODULE)
    assert result.returncode == 2, "single_pass needs a model; the others go on"
    assert "none on samples" in result.stdout and "markup on samples" in result.stdout
    assert "lm=openai" in result.stderr and "Traceback" not in result.stderr
