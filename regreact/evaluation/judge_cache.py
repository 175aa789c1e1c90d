"""Judgements that were paid for once: JSON lines, one a question, looked up by content."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from regreact.errors import OutputError
from regreact.evaluation.judge import Judgement
from regreact.files import open_append

_JUDGEMENT: TypeAdapter[Judgement] = TypeAdapter(Judgement)


class JudgeCache:
    """Judgements by key, kept in a file. Safe to use from several threads.

    A line that cannot be read, such as the last one of a run that was killed, is as good as absent.

    Args:
        path: The file, made on the first judgement; None to keep nothing.

    Raises:
        OutputError: The file is there and cannot be read.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._known: dict[str, Judgement] = {}
        self._lock = threading.Lock()
        if path is not None and path.exists():
            try:
                lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            except OSError as error:
                problem = error.strerror or error
                raise OutputError(f"{path}: cannot be read: {problem} (judge.cache names it)") from error
            self._known = dict(entry for line in lines if (entry := _entry(line)) is not None)

    def get(self, key: str) -> Judgement | None:
        """Return the judgement of a question, None if it is not known."""
        return self._known.get(key)

    def put(self, key: str, judgement: Judgement) -> None:
        """Keep a judgement; one without score is not kept, so that the question is asked again.

        Raises:
            OutputError: The file cannot be written.
        """
        if judgement.score is None:
            return
        with self._lock:
            self._known[key] = judgement
            if self.path is None:
                return
            try:
                with os.fdopen(open_append(self.path, private=True), "a+b") as file:
                    line = json.dumps({"key": key, **asdict(judgement)}, ensure_ascii=False).encode()
                    # After a run that was killed inside a line.
                    file.write((b"\n" if _open_ended(file) else b"") + line + b"\n")
            except OSError as error:
                problem = error.strerror or error
                raise OutputError(f"{self.path}: cannot be written: {problem} (judge.cache names it)") from error


def _open_ended(file: Any) -> bool:
    if file.seek(0, 2) == 0:
        return False
    file.seek(-1, 2)
    return bool(file.read(1) != b"\n")


def _entry(line: str) -> tuple[str, Judgement] | None:
    try:
        data = json.loads(line)
        return str(data.pop("key")), _JUDGEMENT.validate_python(data)
    except (ValueError, KeyError, TypeError, AttributeError, ValidationError):
        return None
