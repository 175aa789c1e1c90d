"""Judges of a folder of predictions, and files of judgements: JSON lines, one a judged field."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from regreact.errors import PredictionError
from regreact.evaluation.judge import Judge, Rubric, build_judge
from regreact.evaluation.score_report import SEMANTIC, ScoreReport
from regreact.files import write_whole
from regreact.manifest import MANIFEST


@dataclass(frozen=True, slots=True)
class Judging:
    """Who scores the semantic fields, and where the judgements are written.

    Attributes:
        choice: `rubric`, or a file of `conf/judge`.
        overrides: Settings such as `judge.lm.model=…`.
        file: JSON lines, one a judged field; None for none.
    """

    choice: str = "rubric"
    overrides: Sequence[str] = ()
    file: Path | None = None


def judge_of(pred_dir: Path, judging: Judging) -> Judge:
    """Return the judge of a folder.

    Raises:
        ConfigError: The settings are wrong, or the judge extracted the folder itself.
        LMRequiredError: No judging model is named, or its key is missing.
    """
    if judging.choice == "rubric" and not judging.overrides:
        return Rubric()
    from regreact.config import load  # noqa: PLC0415  heavy

    settings = load([f"judge={judging.choice}", *judging.overrides])
    told = extracting_models(pred_dir)
    named = {settings.lm.name} if settings.lm.name else set()
    if told is None and not named and settings.judge.name == "lm":
        print(
            f"{pred_dir}: does not say which model extracted; the judge should be another (--set lm.model=… names it)",
            file=sys.stderr,
        )
    return build_judge(settings.judge, sorted((told or set()) | named))


def extracting_models(pred_dir: Path) -> set[str] | None:
    """Return the models that the manifest of a folder names, None if it does not tell of every unit."""
    path = pred_dir / MANIFEST
    models = set()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        for line in lines:
            models.add(json.loads(line)["model"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return {str(m) for m in models if m is not None}


class JudgementLine(BaseModel):
    """One judged field; a person may fill in the same form.

    Attributes:
        judge: Who judged.
        document: Source document id.
        unit: Unit key.
        criterion_id: The criterion, gold's id.
        field: What was scored: a semantic field, or a dimension of a summary.
        content: Digest of what was compared; judgements of unequal content are of different things.
        score: 1 to 5, null if there is none.
        reason: One sentence, or why there is no score.
        comparisons: What was compared, with a verdict each.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    judge: str
    document: str
    unit: str
    criterion_id: str
    field: str
    content: str = ""
    score: float | None = Field(default=None, ge=1, le=5)
    reason: str = ""
    comparisons: tuple[Mapping[str, Any], ...] = ()


def judgement_lines(report: ScoreReport) -> list[JudgementLine]:
    """Return what the judge of a report said, unscored fields included; what goes without a judge is left out."""
    return [
        JudgementLine(
            judge=report.judge,
            document=unit.document,
            unit=f.unit,
            criterion_id=f.criterion_id,
            field=f.field,
            content=f.content,
            score=f.score,
            reason=f.reason,
            comparisons=f.comparisons,
        )
        for unit in report.units
        for f in (*unit.fields, *unit.unscored)
        if f.field in SEMANTIC and f.content
    ]


def write_judgements(path: Path, report: ScoreReport) -> None:
    """Write the judgements of a report.

    Raises:
        OutputError: The file cannot be written.
    """
    text = "".join(f"{line.model_dump_json()}\n" for line in judgement_lines(report))
    write_whole(path, text.encode())


def read_judgements(path: Path) -> list[JudgementLine]:
    """Read a file of judgements.

    Raises:
        PredictionError: It cannot be read, or a line is no judgement; names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise PredictionError(f"{path}: cannot be read: {error} (`regreact score --judgements` writes one)") from error
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(JudgementLine.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "line"
            raise PredictionError(f"{path}, line {number}: {place}: {first['msg']}") from None
    return found
