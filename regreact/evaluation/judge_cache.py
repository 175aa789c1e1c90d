"""Judgements that were paid for once: JSON lines, one a question, looked up by content."""

from __future__ import annotations

import json
import threading
from dataclasses import asdict
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from regreact.errors import OutputError
from regreact.evaluation.judge import Judgement
from regreact.files import append_line

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
                # Only "\n" ends a line: a reason may hold other characters that end lines elsewhere.
                lines = path.read_bytes().decode("utf-8", "replace").split("\n")
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
            line = json.dumps({"key": key, **asdict(judgement)}, ensure_ascii=False).encode("utf-8", "backslashreplace")
            try:
                append_line(self.path, line, durable=True, private=True)
            except OutputError as error:
                raise OutputError(f"{error} (judge.cache names it)") from error


def _entry(line: str) -> tuple[str, Judgement] | None:
    try:
        data = json.loads(line)
        return str(data.pop("key")), _JUDGEMENT.validate_python(data)
    except (ValueError, KeyError, TypeError, AttributeError, ValidationError):
        return None
