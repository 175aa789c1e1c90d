"""What people should look at in a folder of extractions, the gravest and least sure first."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from regreact.app.review.fields import FIELD_OF_STAGE, value_of
from regreact.extractions import read_extractions
from regreact.schema import Criterion, Extraction, Span

LOW = "low confidence"
SEVERITIES = ("critical", "major", "minor", LOW)
# The threshold of the paper's loop: what stays below it would have been asked again.
BELOW = 0.7
# Characters of a criterion that the queue shows.
EXCERPT = 110


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to look at.

    Attributes:
        id: Stays the same as long as the extraction says the same.
        document: Source document.
        unit: Unit key.
        criterion_id: The criterion.
        field: Field in question; None where the reviewer has to say which.
        stage: Stage that asks for review, "" for an answer that is merely not sure.
        severity: One of `SEVERITIES`.
        reason: Why.
        confidence: Of the field's answer, None where nothing is known.
        rule: The rule that gave it.
        evidence: Where in the source.
    """

    id: str
    document: str
    unit: str
    criterion_id: str
    field: str | None
    stage: str
    severity: str
    reason: str
    confidence: float | None
    rule: str
    evidence: tuple[Span, ...]


class Workspace:
    """The extractions of a folder and what is to be reviewed in them.

    Args:
        folder: Output folder of `regreact extract`.
        below: Answers less sure than this are to be reviewed.

    Raises:
        NoUnitMatchedError: The folder holds no extraction.
        PredictionError: No file is an extraction.

    Attributes:
        damaged: Files that could not be read.
    """

    def __init__(self, folder: Path, below: float = BELOW) -> None:
        found = read_extractions(folder)
        self.folder = folder
        self.below = below
        self.damaged = found.damaged
        self._files = {file.path: _state(file.path) for file in found.files}
        records = found.by_path
        self.records: dict[tuple[str, str], Extraction] = {(r.source.document, r.unit): r for r in records}
        self._seen: dict[str, str] = {}

    @property
    def changed(self) -> bool:
        """Whether a file is not the one that was read, or is gone."""
        return any(_state(path) != state for path, state in self._files.items())

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """All items, in the order in which they should be looked at."""
        found = {i.id: i for r in self.records.values() for i in items_of(r, self.below)}
        return tuple(sorted(found.values(), key=_urgency))

    @cached_property
    def by_id(self) -> dict[str, Item]:
        """Items by their ids."""
        return {i.id: i for i in self.items}

    def record(self, item: Item) -> Extraction:
        """Return the extraction that an item is about."""
        return self.records[item.document, item.unit]

    def criterion(self, item: Item) -> Criterion | None:
        """Return the criterion that an item is about, None if the tree has none of that id."""
        return find(self.record(item).criteria, item.criterion_id)

    def excerpt(self, item: Item) -> str:
        """Return the beginning of the criterion's text, of its summary where it has none."""
        criterion = self.criterion(item)
        text = (criterion.verbatim_text or criterion.rule_summary) if criterion else ""
        return text if len(text) <= EXCERPT else f"{text[:EXCERPT].rsplit(' ', 1)[0]} …"

    def seen(self, item: Item) -> str:
        """Return the digest of what a reviewer of an item sees."""
        if item.id not in self._seen:
            self._seen[item.id] = digest(self.criterion(item), item.field)
        return self._seen[item.id]


def _state(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    # Files are replaced, not written in place: the number tells two apart that are written within one tick of a clock.
    return found.st_ino, found.st_mtime_ns, found.st_size


def items_of(record: Extraction, below: float) -> Iterator[Item]:
    """Yield what is to be reviewed in one extraction: its review items, then fields less sure than `below`."""
    flagged = set()
    for r in record.review:
        field = FIELD_OF_STAGE.get(r.stage)
        known = record.provenance.get(r.criterion_id, {}).get(field or "")
        flagged.add((r.criterion_id, field))
        yield Item(
            id=_identifier(record, r.criterion_id, field, r.stage, r.reason),
            document=record.source.document,
            unit=record.unit,
            criterion_id=r.criterion_id,
            field=field,
            stage=r.stage,
            severity=r.severity,
            reason=r.reason,
            confidence=known.confidence if known else None,
            rule=known.rule if known else "",
            evidence=r.evidence or _evidence(record, r.criterion_id, field),
        )
    for node in record.criteria.walk():
        for field, known in record.provenance.get(node.criterion_id, {}).items():
            if known.confidence >= below or (node.criterion_id, field) in flagged:
                continue
            yield Item(
                id=_identifier(record, node.criterion_id, field, "", ""),
                document=record.source.document,
                unit=record.unit,
                criterion_id=node.criterion_id,
                field=field,
                stage="",
                severity=LOW,
                reason=f"confidence {known.confidence:.2f} is below {below:g}",
                confidence=known.confidence,
                rule=known.rule,
                evidence=_evidence(record, node.criterion_id, field),
            )


def _evidence(record: Extraction, criterion_id: str, field: str | None) -> tuple[Span, ...]:
    return record.evidence.get(criterion_id, {}).get(field or "", ())


def _identifier(record: Extraction, *parts: str | None) -> str:
    told = json.dumps([record.source.document, record.unit, *parts])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _urgency(item: Item) -> tuple[int, float]:
    return SEVERITIES.index(item.severity), 1.0 if item.confidence is None else item.confidence


def find(root: Criterion, criterion_id: str) -> Criterion | None:
    """Return the criterion with an id, None if there is none."""
    return next((c for c in root.walk() if c.criterion_id == criterion_id), None)


def digest(criterion: Criterion | None, field: str | None) -> str:
    """Return a digest of what a reviewer saw: the field, or the criterion without those below it."""
    if criterion is None:
        seen: object = None
    elif field is None:
        seen = criterion.model_dump(mode="json", exclude={"sub_criteria"})
    else:
        seen = value_of(criterion, field)
    return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()[:16]
