"""The wheel alone, in an empty folder with no checkout beside it, does the main job."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    (path,) = folder.glob("*.whl")
    return path


def test_contents(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for needed in (
        "signatures/structure.py", "regreact/conf/config.yaml", "regreact/conf/ablation/no_odr.yaml",
        "regreact/data/schema/extraction.schema.json", "regreact/py.typed",
        "regreact/legal/register.json", "regreact/dataset/card.md", "regreact/conf/celex/cellar.yaml",
        "regreact/app/templates/item.html", "regreact/app/static/app.css", "regreact/app/static/review.js",
        "regreact/report/templates/unit.html", "regreact/report/templates/page.css",
    ):  # fmt: skip
        assert needed in names
    assert any(n.startswith("regreact/data/samples/") for n in names)
    assert not any(n.startswith(("tests/", "data/gold")) or "/gold/dev" in n for n in names)


def test_main_job(wheel: Path, tmp_path: Path) -> None:
    """Dependencies come from this interpreter; the package itself only from the wheel."""
    target = tmp_path / "env"
    venv.create(target, with_pip=False, system_site_packages=False)
    site = next((target / "lib").glob("python*/site-packages"))
    own = [p for p in sys.path if p.endswith("site-packages")]
    (site / "dependencies.pth").write_text("\n".join(own), encoding="utf-8")
    zipfile.ZipFile(wheel).extractall(site)
    work = tmp_path / "empty"
    work.mkdir()
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "REGREACT_DATA", "VIRTUAL_ENV")}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(target / "bin/python"), "-m", *arguments],
            cwd=work, env=env, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip

    where = run("regreact", "--version")
    assert where.returncode == 0, where.stderr
    extracted = run("regreact", "extract", "samples", "--out", "out")
    assert extracted.returncode == 0, extracted.stderr
    assert len(list((work / "out").glob("*/*.json"))) > 10
    scored = run("regreact", "score", "out")
    assert scored.returncode == 0, scored.stderr
    tried = run("regreact.experiment", "tracking=off")
    assert tried.returncode == 0, tried.stderr
