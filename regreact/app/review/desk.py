"""What the review application does, apart from its pages."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from regreact.app.review.apply import correct
from regreact.app.review.export import Exported, export
from regreact.app.review.fields import EMPTY, InvalidValueError
from regreact.app.review.log import FOLDER, Action, Decision, DecisionLog, last_of, standing, undo
from regreact.app.review.queue import Item, Workspace
from regreact.app.review.texts import SourceTexts
from regreact.app.review.verdict import DECIDED
from regreact.errors import OutdatedError

LONGEST_NOTE = 2000


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reviewer is: number of items by the decision that stands."""

    total: int
    accept: int
    correct: int
    reject: int
    skip: int

    @property
    def done(self) -> int:
        """Items decided."""
        return self.accept + self.correct + self.reject


class Desk:
    """The review of one folder.

    Args:
        workspace: The extractions as they were read last.
        log: Where decisions are kept.
        texts: The sources.
    """

    def __init__(self, workspace: Workspace, log: DecisionLog, texts: SourceTexts) -> None:
        self.workspace = workspace
        self.log = log
        self.texts = texts
        self._lock = threading.Lock()

    def refresh(self) -> None:
        """Read the extractions again if a file has changed.

        Raises:
            NoUnitMatchedError, PredictionError: No extraction is left.
        """
        if self.workspace.changed:
            self.workspace = Workspace(self.workspace.folder, self.workspace.below)

    def own(self, reviewer: str) -> dict[str, Decision]:
        """Return what stands of a reviewer, by item, and still fits what the extraction says."""
        known = self.workspace.by_id
        made = {i: by[reviewer] for i, by in standing(self.log.read()).items() if reviewer in by and i in known}
        return {i: d for i, d in made.items() if d.seen == self.workspace.seen(known[i])}

    def progress(self, own: Mapping[str, Decision]) -> Progress:
        """Return how far a reviewer is."""
        actions = [d.action for d in own.values()]
        return Progress(len(self.workspace.items), *(actions.count(a) for a in ("accept", "correct", "reject", "skip")))

    def after(self, own: Mapping[str, Decision], item: Item | None = None) -> Item | None:
        """Return what to look at next: the next undecided item, then those put off; None if all is decided."""
        items = self.workspace.items
        start = items.index(item) + 1 if item in items else 0
        turn = [*items[start:], *items[:start]]
        fresh = next((i for i in turn if i.id not in own), None)
        return fresh or next((i for i in turn if own[i.id].action not in DECIDED and i is not item), None)

    def decide(
        self,
        item: Item,
        reviewer: str,
        action: Action,
        *,
        field: str | None,
        value: Any = None,
        note: str = "",
        seen: str = "",
    ) -> Decision:
        """Check a decision and keep it.

        Args:
            item: What is decided on.
            reviewer: Who decides.
            action: Anything but `undo`.
            field: The field corrected; the item's own if it names one.
            value: JSON data of a correction.
            note: Remark, cut after 2000 characters.
            seen: Digest of what the reviewer saw (`Workspace.seen`); "" for what was read last.

        Raises:
            OutdatedError: The extraction says something else by now, on the disk.
            InvalidValueError: A correction fits neither schema nor graph, or changes nothing, or a rejection would
                break the tree.
            OutputError: The log cannot be written.
        """
        workspace = self._unchanged(item, seen)
        record = workspace.record(item)
        field = item.field or field
        if action == "correct":
            if field is None:
                raise InvalidValueError("field", ("say which field is corrected",))
            changed = correct(record, item.criterion_id, field, value)
            if changed.criteria == record.criteria:
                raise InvalidValueError(field, ("is what the extraction says already: accept it instead",))
        elif action == "reject" and item.field in EMPTY:
            correct(record, item.criterion_id, item.field, EMPTY[item.field])
        decision = Decision(
            reviewer=reviewer,
            action=action,
            item=item.id,
            document=item.document,
            unit=item.unit,
            criterion_id=item.criterion_id,
            field=field if action == "correct" else item.field,
            value=value if action == "correct" else None,
            seen=workspace.seen(item),
            note=note.strip()[:LONGEST_NOTE],
        )
        with self._lock:
            self.log.append(decision)
        return decision

    def _unchanged(self, item: Item, seen: str) -> Workspace:
        """Return the extractions as they are on the disk, in which an item says what its reviewer saw."""
        seen = seen or self.workspace.seen(item)
        self.refresh()
        workspace = self.workspace
        if item.id not in workspace.by_id or workspace.seen(item) != seen:
            raise OutdatedError(
                f"{item.unit} {item.criterion_id}: the extraction has changed on the disk since it was shown, so the "
                "decision was not kept: look at the item again"
            )
        return workspace

    def undo(self, reviewer: str) -> Decision | None:
        """Take back a reviewer's last decision; returns it, None if there is none left."""
        with self._lock:
            last = last_of(self.log.read(), reviewer)
            if last is not None:
                self.log.append(undo(last, reviewer))
        return last

    def export(self) -> Exported:
        """Write what follows from the decisions into a new folder `OUT/review/export-<time>`.

        Raises:
            OutputError: It cannot be written.
        """
        self.refresh()
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
        folder = self.workspace.folder / FOLDER / f"export-{stamp}"
        return export(self.workspace, self.decisions(), self.texts, folder)

    def decisions(self) -> Sequence[Decision]:
        """Return the whole log."""
        return self.log.read()
