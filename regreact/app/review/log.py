"""The decisions of reviewers: one line each in a file that is only ever appended to."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from regreact.errors import OutputError
from regreact.files import append_line

FOLDER = "review"
FILE = "decisions.jsonl"

Action = Literal["accept", "correct", "reject", "skip", "undo"]


class Decision(BaseModel):
    """One line of the log.

    Attributes:
        id: Of this decision.
        at: When, UTC.
        reviewer: Who.
        action: What: `undo` takes back the decision named in `undoes`.
        item: Id of the review item.
        document: Its source document.
        unit: Its unit.
        criterion_id: Its criterion.
        field: The field decided on, None for the criterion as a whole.
        value: The corrected value.
        seen: Digest of what the reviewer saw.
        note: Remark.
        undoes: Id of the decision taken back.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(default_factory=lambda: uuid4().hex)
    at: str = Field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))
    reviewer: str
    action: Action
    item: str
    document: str
    unit: str
    criterion_id: str
    field: str | None = None
    value: Any = None
    seen: str = ""
    note: str = ""
    undoes: str | None = None


class DecisionLog:
    """The log of one output folder. Several processes may append to it.

    Args:
        out: Output folder; the log is `OUT/review/decisions.jsonl`.

    Attributes:
        path: The file.
        damaged: Lines that the last reading could not use, such as one cut off by a power failure.
    """

    def __init__(self, out: Path) -> None:
        self.path = out / FOLDER / FILE
        self.damaged = 0
        self._lock = threading.Lock()
        self._state: tuple[int, int] | None = None
        self._decisions: tuple[Decision, ...] = ()

    def append(self, decision: Decision) -> None:
        """Append a decision and push it to the disk.

        Raises:
            OutputError: The file cannot be written.
        """
        try:
            line = json.dumps(decision.model_dump(mode="json"), allow_nan=False)
            append_line(self.path, line.encode(), durable=True, private=True)
        except OutputError as error:
            raise OutputError(f"decision not kept: {error}") from error

    def read(self) -> tuple[Decision, ...]:
        """Return all decisions in the order in which they were made; damaged lines are counted and left out.

        Raises:
            OutputError: The file cannot be read.
        """
        with self._lock:
            try:
                stat = self.path.stat()
                state = (stat.st_size, stat.st_mtime_ns)
                if state != self._state:
                    self._load(self.path.read_bytes())
                    self._state = state
            except FileNotFoundError:
                return ()
            except OSError as error:
                raise OutputError(f"{self.path}: cannot be read: {error.strerror or error}") from error
            return self._decisions

    def _load(self, data: bytes) -> None:
        found, damaged = [], 0
        for line in data.split(b"\n"):
            if not line.strip():
                continue
            try:
                found.append(Decision.model_validate_json(line))
            except ValidationError:
                damaged += 1
        self._decisions, self.damaged = tuple(found), damaged


def standing(decisions: Iterable[Decision]) -> dict[str, dict[str, Decision]]:
    """Return by item and reviewer the decision that stands: the last one not taken back."""
    listed = list(decisions)
    undone = {d.undoes for d in listed if d.action == "undo"}
    stands: dict[str, dict[str, Decision]] = {}
    for d in listed:
        if d.action != "undo" and d.id not in undone:
            stands.setdefault(d.item, {})[d.reviewer] = d
    return stands


def last_of(decisions: Sequence[Decision], reviewer: str) -> Decision | None:
    """Return what a reviewer's next undo takes back, None if there is nothing left."""
    undone = {d.undoes for d in decisions if d.action == "undo"}
    own = (d for d in reversed(decisions) if d.reviewer == reviewer and d.action != "undo" and d.id not in undone)
    return next(own, None)


def undo(decision: Decision, reviewer: str) -> Decision:
    """Return the line that takes back a decision."""
    return Decision(
        reviewer=reviewer,
        action="undo",
        item=decision.item,
        document=decision.document,
        unit=decision.unit,
        criterion_id=decision.criterion_id,
        field=decision.field,
        undoes=decision.id,
    )
