"""Writes what follows from a review: corrected extractions, stand-off gold and an account."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from regreact.app.review.apply import Note, apply
from regreact.app.review.log import Decision
from regreact.app.review.queue import Item, Workspace
from regreact.app.review.texts import SourceTexts
from regreact.app.review.verdict import agreement, verdicts
from regreact.errors import GoldError, OutputError
from regreact.evaluation.gold_tools.annotations import write_unit
from regreact.evaluation.gold_tools.standoff import to_standoff
from regreact.evaluation.predictions import prediction_path
from regreact.files import real, write_whole
from regreact.schema import Extraction

EXTRACTIONS, GOLD, ACCOUNT = "extractions", "gold", "review.json"
# What a person has to settle before the export says what the reviewers meant.
UNSETTLED = ("disputed", "outdated", "refused")


@dataclass
class Exported:
    """What an export wrote.

    Attributes:
        folder: Where.
        units: Number of extraction files.
        gold: Number of stand-off files: units with a decision whose source is at hand.
        results: Number of items by what became of them.
        problems: What is not settled, and gold that could not be made, a line each.
    """

    folder: Path
    units: int = 0
    gold: int = 0
    results: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """0, or 1 if something is not settled or gold is missing."""
        return 1 if self.problems else 0

    @property
    def text(self) -> str:
        """One line for people."""
        told = ", ".join(f"{n} {name}" for name, n in sorted(self.results.items())) or "nothing to review"
        return f"{self.units} extractions, {self.gold} as gold; items: {told} -> {self.folder}"


def export(workspace: Workspace, decisions: Sequence[Decision], texts: SourceTexts, folder: Path) -> Exported:
    """Write corrected extractions, gold of the units with decisions, and what became of each item.

    Args:
        workspace: The extractions; their files stay as they are.
        decisions: The log.
        texts: The sources, needed for gold.
        folder: New or empty folder: `extractions/<document>/<unit>.json`, `gold/<document>/<unit>.json`,
            `review.json`.

    Raises:
        OutputError: The folder is not empty or cannot be written.
    """
    _refuse_full(folder)
    if real(folder).parent == real(workspace.folder):
        raise OutputError(f"{folder}: would be taken for a document of {workspace.folder}; name a folder elsewhere")
    made = verdicts(decisions)
    by_unit: dict[tuple[str, str], list[Item]] = {}
    for item in workspace.items:
        by_unit.setdefault((item.document, item.unit), []).append(item)
    done = Exported(folder)
    notes: list[Note] = []
    for key, record in workspace.records.items():
        items = by_unit.get(key, [])
        corrected, found = apply(record, items, made)
        text = json.dumps(corrected.to_json(), ensure_ascii=False, indent=1) + "\n"
        path = prediction_path(folder / EXTRACTIONS, *key)
        write_whole(path, text.encode("utf-8", "backslashreplace"))
        done.units += 1
        notes += found
        if any(i.id in made for i in items):
            _gold(corrected, texts, done)
    done.results.update(n.result for n in notes)
    done.problems[:0] = [_line(n) for n in notes if n.result in UNSETTLED]
    known = {i.id for i in workspace.items}
    lost = sorted({d.unit for i, v in made.items() if i not in known for d in v.decisions})
    if lost:
        done.problems.append(f"decisions on items that are no longer there: {', '.join(lost)}")
    done.problems += [f"left out: {one.problem}" for one in workspace.damaged]
    write_whole(folder / ACCOUNT, _account(done, notes, decisions).encode())
    return done


def _gold(record: Extraction, texts: SourceTexts, done: Exported) -> None:
    unit = texts.unit(record)
    if unit is None:
        done.problems.append(f"{record.unit}: no gold: its source {record.source.document} is not at hand (--source)")
        return
    try:
        # A document each: two may hold the same unit.
        write_unit(done.folder / GOLD / record.source.document, to_standoff(record, unit))
        done.gold += 1
    except GoldError as error:
        done.problems.append(f"no gold: {error}")


def _line(note: Note) -> str:
    i = note.item
    return f"{note.result}: {i.unit} {i.criterion_id} {i.field or ''}: {note.detail}"


def _account(done: Exported, notes: Sequence[Note], decisions: Sequence[Decision]) -> str:
    content = {
        "results": dict(done.results),
        "problems": done.problems,
        "agreement": [
            {"reviewers": [a.first, a.second], "n": a.n, "observed": a.observed, "kappa": a.kappa}
            for a in agreement(decisions)
        ],
        "items": [
            {
                "item": n.item.id,
                "document": n.item.document,
                "unit": n.item.unit,
                "criterion_id": n.item.criterion_id,
                "field": n.item.field,
                "result": n.result,
                "detail": n.detail,
            }
            for n in notes
            if n.result != "open"
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _refuse_full(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutputError(f"{folder}: is a file or not empty (give a new folder)")
