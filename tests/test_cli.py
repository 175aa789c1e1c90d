"""The command line as a user meets it: exit codes, one-line errors, no traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FRAGMENT = """<p>1. The activity meets either of the following criteria:</p>
<ol type="a"><li>water losses are lower than 5 %;</li><li>all wash water is recovered.</li></ol>"""


def regreact(*arguments: str | Path, cwd: Path, module: str = "regreact") -> subprocess.CompletedProcess[str]:
    """Run a module of the package as a process in a folder."""
    root = Path(__file__).parent.parent
    path = os.pathsep.join(p for p in (str(root), os.environ.get("PYTHONPATH", "")) if p)
    env = {**os.environ, "PYTHONPATH": path, "NO_COLOR": "1", "COLUMNS": "200"}
    return subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


@pytest.fixture
def fragment(tmp_path: Path) -> Path:
    path = tmp_path / "washing.html"
    path.write_text(FRAGMENT, encoding="utf-8")
    return path


def one_line(result: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    """Assert an exit code and a single line on stderr that holds these words."""
    assert result.returncode == code, result.stderr
    assert "Traceback" not in result.stderr
    lines = [line for line in result.stderr.splitlines() if line.strip()]
    assert len(lines) == 1, result.stderr
    for word in words:
        assert word in lines[0]


def test_a_fragment_is_extracted(fragment: Path, tmp_path: Path) -> None:
    result = regreact("extract", fragment, "--out", "o", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    data = json.loads((tmp_path / "o/washing/washing__SC.json").read_text(encoding="utf-8"))
    assert [c["criterion_id"] for c in data["criteria"]["sub_criteria"]] == ["1"]
    assert data["criteria"]["sub_criteria"][0]["evaluation_logic"] == "OR"


def test_dry_run_lists_units_and_writes_nothing(fragment: Path, tmp_path: Path) -> None:
    result = regreact("extract", fragment, "--dry-run", cwd=tmp_path)
    assert result.returncode == 0
    assert result.stdout.split("\t")[1] == "washing/SC"
    assert not (tmp_path / "out").exists()


def test_json_output_is_the_manifest(fragment: Path, tmp_path: Path) -> None:
    result = regreact("extract", fragment, "--json", cwd=tmp_path)
    assert [json.loads(line)["unit"] for line in result.stdout.splitlines()] == ["washing/SC"]


TRUNCATED = '<?xml version="1.0"?><CONS.ACT><INFO.CONSLEG CONSLEG.REF="2099R0001"/><CONS.DOC><P>cut'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.xml", b""),
        ("binary.json", bytes(range(256)) * 8),
        ("cut.fmx.xml", TRUNCATED.encode()),
        ("other.json", b'{"name": "not a taxonomy"}'),
        ("list.json", b"[1, 2, 3]"),
        ("broken.json", b'{"activities": ['),
        ("notes.txt", b"just words"),
    ],
)
def test_unusable_files_are_refused_in_one_line(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    one_line(regreact("extract", name, cwd=tmp_path), 2, name)


def test_a_missing_file(tmp_path: Path) -> None:
    one_line(regreact("extract", "nowhere.json", cwd=tmp_path), 2, "nowhere.json")


def test_a_folder_without_documents(tmp_path: Path) -> None:
    one_line(regreact("extract", ".", cwd=tmp_path), 2)


def test_an_unknown_unit_names_close_ones(fragment: Path, tmp_path: Path) -> None:
    one_line(regreact("extract", fragment, "--unit", "washin/SC", cwd=tmp_path), 3, "washin/SC", "washing/SC")


def test_one_unknown_unit_among_known_ones(fragment: Path, tmp_path: Path) -> None:
    result = regreact("extract", fragment, "-u", "washing/SC", "-u", "other/SC", cwd=tmp_path)
    one_line(result, 1, "other/SC")
    assert (tmp_path / "out/washing/washing__SC.json").is_file()


@pytest.mark.parametrize(
    ("override", "words"),
    [
        (["odr.taux=1"], ("odr.taux", "tau")),
        (["odr.tau=2"], ("odr.tau", "less than or equal to 1")),
        (["+ablation=no_odr", "odr=on"], ("odr.enabled",)),
        (["fastpath=off"], ("lm=openai",)),
        (["lm=nobody"], ("none", "openai")),
    ],
)
def test_wrong_settings(override: list[str], words: tuple[str, ...], fragment: Path, tmp_path: Path) -> None:
    flags = [x for o in override for x in ("--set", o)]
    one_line(regreact("extract", fragment, *flags, cwd=tmp_path), 2, *words)


def test_unknown_options_are_usage_errors(tmp_path: Path) -> None:
    result = regreact("extract", "samples", "--nonsense", cwd=tmp_path)
    assert result.returncode == 2 and "Traceback" not in result.stderr


def test_an_output_folder_that_is_a_file(fragment: Path, tmp_path: Path) -> None:
    (tmp_path / "o").write_text("", encoding="utf-8")
    one_line(regreact("extract", fragment, "--out", "o", cwd=tmp_path), 2, "cannot be written")


def test_a_key_that_is_missing_is_named(fragment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    flags = ["--set", "lm=openai", "--set", "fastpath=off"]
    one_line(regreact("extract", fragment, *flags, cwd=tmp_path), 2, "OPENAI_API_KEY")


def test_resume_says_what_is_unchanged(fragment: Path, tmp_path: Path) -> None:
    regreact("extract", fragment, cwd=tmp_path)
    assert "1 unchanged" in regreact("extract", fragment, cwd=tmp_path).stdout
    assert "1 extracted" in regreact("extract", fragment, "--fresh", cwd=tmp_path).stdout
