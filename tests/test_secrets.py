"""A key given in the environment is sent to the model's server and stands nowhere else, whatever the server does."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest

from regreact.config import load
from regreact.errors import ConfigError
from regreact.redaction import without_key
from regreact.tracking import log_settings
from tests.secrets_search import CANARY, holding, spellings
from tests.stub_openai import StubServer, solve

ROOT = Path(__file__).resolve().parent.parent
FRAGMENT = "<p>1. Water losses of line {} are below 5 %.</p><p>2. A monitoring plan is in place.</p>"
VARIABLE = "OWN_KEY"


def test_the_search_finds_every_spelling(tmp_path: Path) -> None:
    for n, text in enumerate([CANARY, quote(CANARY, safe=""), base64.b64encode(f"user:{CANARY}".encode()).decode(),
                              base64.b64encode(f"us:{CANARY}".encode()).decode(), CANARY.encode().hex()]):  # fmt: skip
        (tmp_path / str(n)).write_text(f"before {text} after", encoding="utf-8")
    assert holding(tmp_path) == ["0", "1", "2", "3", "4"]
    assert holding(tmp_path, "another secret of that length") == []


def echo(system: str, question: str) -> str:
    """The right answer, with the key in its reasoning."""
    return f"{CANARY}\n{solve(system, question)}"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An empty folder with two fragments below it."""
    (tmp_path / "fragments").mkdir()
    for n in range(2):
        (tmp_path / f"fragments/wash{n}.html").write_text(FRAGMENT.format(n), encoding="utf-8")
    return tmp_path


def overrides(server: StubServer, *more: str) -> list[str]:
    return ["lm=compatible", f"lm.api_base={server.url}", "lm.model=hosted_vllm/stub", f"lm.api_key_env={VARIABLE}",
            "lm.retries=0", "lm.timeout_s=2", "fastpath=off", *more]  # fmt: skip


def run(place: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module as a process in a folder; everything that it or a library may keep is kept below."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), VARIABLE: CANARY, "HOME": str(place / "home"), "TMPDIR": str(place / "tmp"),
           "DSPY_CACHEDIR": str(place / "dspy"), "PYTHONFAULTHANDLER": "1", "PYTHONWARNINGS": "default"}  # fmt: skip
    for name in ("home", "tmp"):
        (place / name).mkdir(exist_ok=True)
    assert CANARY not in " ".join(arguments)
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=place, env=env, capture_output=True, text=True, timeout=300, check=False
    )
    (place / "stdout").write_text(done.stdout, encoding="utf-8")
    (place / "stderr").write_text(done.stderr, encoding="utf-8")
    return done


def sent(server: StubServer) -> None:
    assert server.log and all(entry.authorization == f"Bearer {CANARY}" for entry in server.log)


FAILURES = ["400", "401", "402", "403", "429", "429 quota", "500", "reset", "broken body", "no form", "drip"]


@pytest.mark.parametrize(
    ("kind", "code"),
    [("solve", 0), *(pytest.param(k, None, marks=pytest.mark.slow) for k in FAILURES)],
)
def test_extraction(kind: str, code: int | None, place: Path) -> None:
    """Server errors quote the key; none of it reaches output, cache, logs or standard streams."""
    with StubServer(default=kind) as server:
        sets = [x for o in overrides(server) for x in ("--set", o)]
        done = run(place, "regreact", "extract", "fragments", "--json", *sets)
        assert done.returncode == code or (code is None and done.returncode in (0, 1, 2)), done.stderr
        sent(server)
    assert (place / "out/manifest.jsonl").is_file() and list((place / "dspy").rglob("*.db"))
    assert "Traceback" not in done.stderr and holding(place) == []


@pytest.mark.slow
def test_a_dry_run_and_a_crash_show_no_key(place: Path) -> None:
    """What Python prints of an error that nobody foresaw shows no values of variables."""
    with StubServer() as server:
        sets = [x for o in overrides(server) for x in ("--set", o)]
        assert run(place, "regreact", "extract", "fragments", "--dry-run", *sets).returncode == 0
        assert holding(place) == []
        (place / "crash.py").write_text(
            "from regreact import cli, lm\nlm.open_endpoint = lambda settings, key: 1 / 0\ncli.main()\n", encoding="utf-8",
        )  # fmt: skip
        done = run(place, "crash", "extract", "fragments", *sets)
    assert "Traceback" in done.stderr and "ZeroDivisionError" in done.stderr
    assert holding(place) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["solve", "401", "500"])
def test_an_experiment_with_traces(kind: str, place: Path) -> None:
    """MLflow's database, artifacts and traces hold what was asked, and no key."""
    with StubServer(default=kind) as server:
        chosen = overrides(server, "tracking.traces=true", "data.units=[CCM-21.1/SC]", "judge.cache=judged.jsonl")
        done = run(place, "regreact.experiment", *chosen)
        assert done.returncode == {"solve": 0, "401": 2, "500": 1}[kind], done.stderr
        sent(server)
    written = (place / "mlflow.db").read_bytes()
    assert VARIABLE.encode() in written, "the setting is logged, its value is not"
    assert holding(place) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["solve", "401"])
def test_an_optimization(kind: str, place: Path) -> None:
    with StubServer(default=kind) as server:
        chosen = overrides(server, "optimizer=bootstrap", "optimizer.max_calls=30", "lm.max_calls=40")
        done = run(place, "regreact.optimize", *chosen)
        assert done.returncode in (0, 1, 2), done.stderr
        assert server.log, done.stderr
        sent(server)
    assert holding(place) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["solve", "401", "500"])
def test_a_judge(kind: str, place: Path) -> None:
    assert run(place, "regreact", "extract", "samples", "-q", "--unit", "CCM-21.1/SC").returncode == 0
    with StubServer(default=kind) as server:
        sets = ["judge.lm.model=hosted_vllm/stub", f"judge.lm.api_base={server.url}", f"judge.lm.api_key_env={VARIABLE}",
                "judge.lm.retries=0"]  # fmt: skip
        line = ["score", "out", "--unit", "CCM-21.1/SC", "--judge", "lm", "--judgements", "said.jsonl"]
        done = run(place, "regreact", *line, *(x for s in sets for x in ("--set", s)))
        assert done.returncode in (0, 1, 2), done.stderr
        sent(server)
    assert holding(place) == []


# --- a reply that repeats the key ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_reply_that_repeats_the_key_leaves_it_nowhere(place: Path) -> None:
    """A server could put the key into an answer; then it is cut out like everywhere else."""
    with StubServer(default=echo) as server:
        sets = [x for o in overrides(server) for x in ("--set", o)]
        done = run(place, "regreact", "extract", "fragments", *sets)
        assert done.returncode in (0, 1), done.stderr
        sent(server)
    assert holding(place) == []


# --- settings -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lm.api_base", "judge.lm.api_base", "celex.base_url"])
@pytest.mark.parametrize(
    "address",
    [f"https://user:{quote(CANARY, safe='')}@example.org/v1", f"https://example.org/v1?key={quote(CANARY, safe='')}",
     f"https://example.org/v1#{quote(CANARY, safe='')}"],
)  # fmt: skip
def test_an_address_that_holds_a_secret_is_refused_and_not_repeated(name: str, address: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load([f"{name}={json.dumps(address)}"])
    told = str(caught.value).encode()
    assert name.encode() in told and not [s for s in spellings(CANARY) if s in told], told


def test_an_answer_without_the_key_is_the_same_object() -> None:
    response = StubReply(({"text": "five"},), 5)
    assert without_key(response, CANARY) is response
    told = StubReply(({"text": f"it is {CANARY}."},), 5)
    assert without_key(told, CANARY) == StubReply(({"text": "it is [key]."},), 5)
    assert without_key(StubReply(({"text": "none"},), 5), "none").parts[0]["text"] == "none"


@dataclass(frozen=True)
class StubReply:
    parts: tuple[dict[str, str], ...]
    tokens: int


def test_a_password_of_the_tracking_database_is_not_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[str] = []
    for name in ("log_params", "log_dict", "set_tags"):
        monkeypatch.setattr(f"mlflow.{name}", lambda values, *_: logged.append(str(values)))
    log_settings(load([f"tracking.uri='postgresql://ada:{CANARY[:9]}@localhost/runs'"]))
    assert len(logged) == 3 and all(CANARY[:9] not in text for text in logged)
    assert "postgresql://ada:***@localhost/runs" in logged[0]
