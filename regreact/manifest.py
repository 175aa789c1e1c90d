"""What became of each unit of a run: `OUT/manifest.jsonl`, and which files of an earlier run still hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from regreact.errors import LMStopError, OutputError
from regreact.files import is_file_name
from regreact.schema import Extraction, unit_file_name
from regreact.sources.model import Unit, UnitFailure

MANIFEST = "manifest.jsonl"

Status = Literal["done", "failed", "kept", "not done"]


@dataclass(frozen=True, slots=True)
class ManifestLine:
    """What became of one unit.

    `status` is `done`, `failed`, `kept` (taken from an earlier run) or `not done` (the run stopped before its end);
    `model` is the model that the program may have asked, null if it asks none.
    """

    document: str
    unit: str
    status: Status
    file: str | None
    seconds: float
    lm_calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    review: int
    input_hash: str
    config_hash: str
    problem: str | None = None
    model: str | None = None

    @property
    def tokens(self) -> int:
        """Tokens of prompts and replies."""
        return self.prompt_tokens + self.completion_tokens


_MANIFEST_LINE = TypeAdapter(ManifestLine)


@dataclass
class Summary:
    """Outcome of a run, in the order of the units.

    Attributes:
        lines: What became of each unit.
        stopped: The error that stopped the run before its end, None if it went through.
    """

    lines: list[ManifestLine] = field(default_factory=list)
    stopped: LMStopError | None = None

    @property
    def failed(self) -> list[ManifestLine]:
        """Lines of units that could not be extracted."""
        return [line for line in self.lines if line.status == "failed"]

    @property
    def not_done(self) -> list[ManifestLine]:
        """Lines of units that the run did not get to."""
        return [line for line in self.lines if line.status == "not done"]

    @property
    def exit_code(self) -> int:
        """0 if every unit was extracted, the code of the error that stopped the run, else 1."""
        if self.stopped is not None:
            return self.stopped.exit_code
        return 1 if self.failed else 0


def unit_path(out: Path, document: str, unit: str) -> Path:
    """Return the extraction file of a unit; "/" in a key becomes "__".

    Raises:
        OutputError: Document id or key would leave the output folder or is no file name.
    """
    name = unit_file_name(unit)
    for part in (document, name):
        if not is_file_name(part):
            raise OutputError(f"{part[:80]!r} cannot be the name of an output file: rename the source document")
    return out / document / name


def read_manifest(out: Path) -> dict[tuple[str, str], ManifestLine]:
    """Return the manifest of an output folder by document and unit; damaged lines are left out."""
    return read_with_damage(out)[0]


def read_with_damage(out: Path) -> tuple[dict[tuple[str, str], ManifestLine], list[int]]:
    """Return the manifest of an output folder by document and unit, and the numbers of lines that are damaged."""
    lines: dict[tuple[str, str], ManifestLine] = {}
    damaged: list[int] = []
    path = out / MANIFEST
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    for number, raw in enumerate(text.splitlines(), start=1):
        try:
            line = _MANIFEST_LINE.validate_json(raw, strict=True)
        except ValidationError:
            damaged.append(number)
        else:
            lines[(line.document, line.unit)] = line
    return lines, damaged


def kept_line(
    unit: Unit, digest: str, known: Mapping[tuple[str, str], ManifestLine], out: Path, config: str
) -> ManifestLine | None:
    """Return the manifest line of a unit whose file of an earlier run still holds, else None.

    Args:
        unit: The unit.
        digest: Its input hash now.
        known: The manifest of the earlier run.
        out: Output folder.
        config: Hash of the configuration now.
    """
    line = known.get((unit.document, unit.key))
    path = unit_path(out, unit.document, unit.key)
    if line is None or line.status in ("failed", "not done") or not path.is_file():
        return None
    if line.input_hash != digest or line.config_hash != config:
        return None
    try:
        Extraction.model_validate_json(path.read_bytes())
    except ValidationError:
        return None
    return ManifestLine(**{**asdict(line), "status": "kept"})


def failed_line(failure: UnitFailure, config: str) -> ManifestLine:
    """Return the line of a unit that could not be read."""
    problem = f"{failure.place}: {failure.problem}"
    return ManifestLine(failure.document, failure.key, "failed", None, 0.0, 0, 0, 0, 0.0, 0, "", config, problem)


def json_line(line: ManifestLine) -> str:
    """Return a line as JSON, without its end."""
    return json.dumps(asdict(line))
