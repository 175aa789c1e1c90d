"""Does confidence mean something: how often answers of each level of confidence are right.

Every scored field that a prediction gives a confidence for counts once. Fields that follow from others by rule
(category) do not count: nobody is asked for them.
"""

from __future__ import annotations

import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from regreact.evaluation.score_report import FieldResult, ScoreReport

# Field of the report -> question that it answers. Being in the tree, parent and identifier are one answer.
_QUESTIONS = {
    "node": "structure",
    "parent": "structure",
    "criterion_id": "structure",
    "applicability": "applicability",
    "logic": "logic",
    "tags": "tags",
    "threshold": "threshold",
    "reference": "reference",
    "footnote": "footnote",
    "dependency": "dependency",
}
# Lower bounds of the five bands.
BANDS = (0.0, 0.87, 0.94, 0.975, 0.99)


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer: its question, its confidence in [0, 1], whether it is right, and the rules that gave it."""

    question: str
    confidence: float
    correct: bool
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Band:
    """Answers with a confidence in [low, high): number, share of all answers, mean confidence, accuracy."""

    low: float
    high: float
    n: int
    share: float
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Reliability of confidences.

    Attributes:
        n: Number of answers.
        bands: In rising order; empty bands are left out.
        auroc: Probability that a right answer has a higher confidence than a wrong one (ties count half); None if
            all answers are right or all wrong.
        error: Expected calibration error: mean distance of confidence and accuracy over bands, weighted by size.
    """

    n: int
    bands: tuple[Band, ...]
    auroc: float | None
    error: float

    @property
    def rises(self) -> bool:
        """True if accuracy does not fall from one band to the next."""
        return all(a.accuracy <= b.accuracy for a, b in pairwise(self.bands))


def judged(fields: Iterable[FieldResult]) -> list[Judged]:
    """Return the answers behind scored fields, one a criterion and question."""
    found: dict[tuple[str, str, str], Judged] = {}
    for field in fields:
        question = _QUESTIONS.get(field.field)
        if question is None or field.confidence is None:
            continue
        key = (field.unit, field.criterion_id, question)
        earlier = found.get(key)
        right = field.correct and (earlier is None or earlier.correct)
        found[key] = Judged(question, field.confidence, right, field.rule)
    return list(found.values())


def answers(report: ScoreReport) -> list[Judged]:
    """Return the answers behind all scored fields of a report."""
    return [answer for unit in report.units for answer in judged(unit.fields)]


def calibrate(answers: Sequence[Judged], bounds: Sequence[float] = BANDS) -> Calibration:
    """Return the reliability of confidences in the bands that begin at `bounds`.

    Example:
        >>> answers = [Judged("tags", 0.99, True), Judged("tags", 0.99, True), Judged("tags", 0.5, False)]
        >>> calibrate(answers).auroc
        1.0
    """
    edges = [*bounds, float("inf")]
    bands = []
    for low, high in pairwise(edges):
        inside = [a for a in answers if low <= a.confidence < high]
        if inside:
            sure = statistics.fmean(a.confidence for a in inside)
            right = statistics.fmean(a.correct for a in inside)
            bands.append(Band(low, min(high, 1.0), len(inside), len(inside) / len(answers), sure, right))
    error = sum(b.share * abs(b.confidence - b.accuracy) for b in bands)
    return Calibration(len(answers), tuple(bands), auroc(answers), error)


def auroc(answers: Sequence[Judged]) -> float | None:
    """Return the area under the ROC curve of confidence as a sign of correctness; None without both outcomes."""
    right = sorted(a.confidence for a in answers if a.correct)
    wrong = [a.confidence for a in answers if not a.correct]
    if not right or not wrong:
        return None
    wins = 0.0
    for value in wrong:
        above = len(right) - bisect_right(right, value)
        equal = len(right) - above - bisect_left(right, value)
        wins += above + equal / 2
    return wins / (len(right) * len(wrong))
