"""Runs commands of the package in forked processes, so that fifty runs do not wait fifty times for imports.

Reads jobs as JSON lines and answers each with a JSON line. A job may end with SIGKILL from within, just before the
n-th change of a file below a folder: that is where kills hurt, and where those at random times seldom fall.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

PRELOADED = (
    "regreact.cli", "regreact.runner", "regreact.program", "regreact.corpus", "regreact.dataset.build",
    "regreact.dataset.tables", "regreact.rag.command", "regreact.export.tables", "regreact.evaluation.command",
    "regreact.lm", "regreact.experiment", "regreact.optimize", "regreact.app.review.web", "regreact.amendments",
    "regreact.report.pages", "mlflow", "uvicorn", "hydra", "openpyxl",
)  # fmt: skip
_CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Counter:
    """An audit hook that counts the changes of files below a folder and kills the process before one of them."""

    def __init__(self, folder: str, kill: int) -> None:
        self.folder, self.kill, self.count = folder, kill, 0

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Take note of an event."""
        if event == "sqlite3.connect":
            path = arguments[0]
        elif event == "open":
            path, _, flags = arguments
            if not isinstance(flags, int) or not flags & _WRITING:
                return
        elif event in _CHANGES:
            path = arguments[0]
        else:
            return
        if isinstance(path, (str, bytes, os.PathLike)) and os.path.abspath(os.fsdecode(path)).startswith(self.folder):
            self.count += 1
            if self.count == self.kill:
                os.kill(os.getpid(), signal.SIGKILL)


def child(job: dict[str, Any]) -> int:
    """Run a command in this process; returns its exit code."""
    os.setsid()
    os.chdir(job["cwd"])
    os.environ.update(job["env"])
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(job[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), number)
    counter = Counter(job["folder"], job["kill"])
    sys.addaudithook(counter)
    sys.argv = [job["module"], *job["arguments"]]
    try:
        code = importlib.import_module(job["module"]).main()
    except SystemExit as end:
        code = end.code
    except BaseException:
        import traceback  # noqa: PLC0415

        traceback.print_exc()
        code = 99
    Path(job["count"]).write_text(str(counter.count), encoding="utf-8")
    return int(code or 0)


def serve() -> int | None:
    """Answer jobs until there are none; in a child, returns its exit code."""
    for name in PRELOADED:
        importlib.import_module(name)
    # The solvers, too.
    [document, *_] = importlib.import_module("regreact.corpus").load("samples").documents
    importlib.import_module("regreact.runner").Extractor(importlib.import_module("regreact.config").load()).extract(
        document.units[0]
    )
    print("ready", flush=True)
    while line := sys.stdin.readline():
        job = json.loads(line)
        pid = os.fork()
        if pid == 0:
            return child(job)
        timer = threading.Timer(job["after_s"], os.kill, (pid, signal.SIGKILL)) if job["after_s"] else None
        if timer:
            timer.start()
        _, status = os.waitpid(pid, 0)
        if timer:
            timer.cancel()
        print(json.dumps(os.waitstatus_to_exitcode(status)), flush=True)
    return None


if __name__ == "__main__":
    sys.exit(serve())
