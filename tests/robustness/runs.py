"""Commands that are killed: how they are started, and what must hold of a folder whenever they die."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from regreact.dataset.rows import ROWS
from regreact.evaluation.predictions import read_extraction

ROOT = Path(__file__).resolve().parents[2]
KEY = "sk-invented-4711"
LEFT = re.compile(r"\..*\.tmp|\.new-.*|tmp\w{8}|.*\.lock|regreact-scratch-.*")
# What differs between two runs that are the same otherwise.
_TIMES = re.compile(rb'"(?:seconds|retrieved)": ?(?:[\d.]+|"[^"]*")')


@dataclass(frozen=True)
class Ran:
    """How a command ended: exit code (negative: the signal), changes of files until then, and what it printed."""

    code: int
    changes: int
    out: str
    err: str

    @property
    def killed(self) -> bool:
        """Whether it was killed."""
        return self.code == -signal.SIGKILL


@dataclass
class Nursery:
    """A process that forks commands."""

    process: subprocess.Popen[str]
    place: Path
    env: dict[str, str] = field(default_factory=dict)

    def run(
        self, module: str, arguments: Sequence[str | Path], cwd: Path, *, kill: int = 0, after_s: float = 0.0
    ) -> Ran:
        """Run a command, until before its n-th change of a file below `cwd`, or for a time."""
        names = {name: str(self.place / name) for name in ("stdout", "stderr", "count")}
        Path(names["count"]).unlink(missing_ok=True)
        temporary = cwd / "tmp"
        temporary.mkdir(exist_ok=True)
        env = {"DSPY_CACHEDIR": str(cwd / "cache"), "TMPDIR": str(temporary), "REGREACT_API_KEY": KEY, **self.env}
        job = {
            **names, "module": module, "arguments": [str(a) for a in arguments], "cwd": str(cwd), "env": env,
            "folder": str(cwd), "kill": kill, "after_s": after_s,
        }  # fmt: skip
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        code = json.loads(self.process.stdout.readline())
        count = Path(names["count"])
        changes = int(count.read_text()) if count.is_file() else kill
        return Ran(code, changes, *(Path(names[n]).read_text(encoding="utf-8") for n in ("stdout", "stderr")))


@contextmanager
def nursery() -> Iterator[Nursery]:
    """Start the process that forks commands."""
    env = {**os.environ, "PYTHONPATH": os.environ.get("KILLS_TREE", str(ROOT)), "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory(prefix="nursery-") as place:
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "tests/robustness/nursery.py")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env, cwd=place,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            while (line := process.stdout.readline()) != "ready\n":
                assert line, "the nursery did not start"
            yield Nursery(process, Path(place))
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(30)


def damage(folder: Path) -> list[str]:
    """Return what is wrong with the files of a folder in which a command was killed, a line each.

    A last line that was cut off is no damage: it is passed over by whoever reads.
    """
    found = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and not LEFT.fullmatch(p.name)):
        if {"cache", "tmp", "mlartifacts"} & set(path.relative_to(folder).parts):
            continue
        try:
            if path.parent.parent.name in ("out", "work") and path.suffix == ".json":
                read_extraction(path)
            elif path.suffix == ".json":
                json.loads(path.read_text(encoding="utf-8"))
            elif path.suffix == ".jsonl":
                lines = path.read_bytes().split(b"\n")
                rows = ROWS.get(path.stem) if path.parent.name == "dataset" else None
                for line in lines[:-1]:
                    rows.model_validate_json(line) if rows else json.loads(line)
        except Exception as error:
            found.append(f"{path.relative_to(folder)}: {type(error).__name__}: {error}")
    return found


def left_over(folder: Path) -> list[str]:
    """Return the temporary files and locks in a folder."""
    found = {str(p.relative_to(folder)) for p in folder.rglob("*") if LEFT.fullmatch(p.name)}
    # Part of a store: writers take turns by it.
    return sorted(found - {"store/.lock"})


def contents(folder: Path, parts: Sequence[str]) -> dict[str, bytes]:
    """Return the files below parts of a folder by name, times set aside; lines of manifests and logs in any order."""
    found = {}
    for part in parts:
        place = folder / part
        for path in [place] if place.is_file() else sorted(p for p in place.rglob("*") if p.is_file()):
            data = _TIMES.sub(b"", path.read_bytes())
            if path.name == "manifest.jsonl":
                data = b"\n".join(sorted(re.sub(rb'"status": "(?:done|kept)"', b"", data).split(b"\n")))
            found[str(path.relative_to(folder))] = data
    return found
