"""`regreact review` and `regreact serve` on the command line."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from regreact import app as app_package
from regreact.app import need_extra
from regreact.cli import app
from regreact.errors import ConfigError
from tests.app.browsing import Browser

RUN = CliRunner()


def run(*arguments: str) -> tuple[int, str]:
    result = RUN.invoke(app, list(arguments))
    error = "" if result.exception is None or isinstance(result.exception, SystemExit) else str(result.exception)
    code = getattr(result.exception, "exit_code", result.exit_code)
    return code, result.output + error


def test_export_and_agreement(ada: Browser, out: Path, tmp_path: Path) -> None:
    identifiers = re.findall(r"/item/([0-9a-f]{16})", ada.page)
    ada.post(f"/item/{identifiers[0]}", action="accept")
    assert run("review", str(out), "--agreement") == (0, "no two reviewers have decided the same items yet\n")
    code, told = run("review", str(out), "--export", str(tmp_path / "new"), "--source", "samples")
    assert code == 0 and "3 extractions, 1 as gold" in told and "1 confirmed" in told
    assert len(list((tmp_path / "new/extractions").glob("*/*.json"))) == 3
    code, told = run("review", str(out), "--export", str(tmp_path / "new"))
    assert code == 2 and "not empty" in told


def test_open_to_others_without_token(out: Path) -> None:
    for command in (("review", str(out)), ("serve", "--out", str(out))):
        code, told = run(*command, "--host", "0.0.0.0")
        assert code == 2 and "--token" in told
        code, told = run(*command, "--host", "0.0.0.0", "--token", "short")
        assert code == 2 and "16 characters" in told


def test_nothing_to_review(tmp_path: Path) -> None:
    code, told = run("review", str(tmp_path))
    assert code == 3 and "no extraction file" in told
    code, told = run("serve", "--out", str(tmp_path))
    assert code == 3 and "no extraction file" in told


def test_a_taken_port(out: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, told = run("review", str(out), "--port", str(taken.getsockname()[1]))
    assert code == 2 and "--port" in told


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, out: Path) -> None:
    monkeypatch.setattr(app_package, "NEEDED", ("no_such_package",))
    with pytest.raises(ConfigError, match=r"pip install 'regreact\[app\]'"):
        need_extra()
    code, told = run("review", str(out))
    assert code == 2 and "regreact[app]" in told


@pytest.mark.parametrize("command", ["review", "serve"])
def test_a_server_starts_answers_and_stops(out: Path, command: str) -> None:
    arguments = [str(out)] if command == "review" else ["--out", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "regreact", command, *arguments, "--port", "0"],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": "."},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        assert address
        assert httpx.get(f"{address[0]}health").json()["status"] == "ok"
        assert httpx.get(address[0], follow_redirects=True, headers={"Accept": "text/html"}).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(15) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
