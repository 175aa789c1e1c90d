"""Real documents damaged in many ways: read whole or told, within bounds of time and memory."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def damaged(data_root: Path, *options: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(ROOT / "experiments/mutate.py"), "--source", str(data_root), *options]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    return done.stdout


def test_a_dozen_damaged_documents(data_root: Path) -> None:
    printed = damaged(data_root, "--count", "12", "--only", "CCM-4.29-paper")
    if "no file" not in printed:
        assert re.search(r"12 mutants of", printed)


@pytest.mark.slow
def test_hundreds_of_damaged_documents(data_root: Path) -> None:
    assert "200 mutants of" in damaged(data_root, "--count", "200", "--seed", "11")
