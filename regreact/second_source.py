"""A second source of the same section decides on wrong cross-references.

A web page or a dump may print a list flat that the Official Journal nests. Cited points then look wrong that are
right. Where the official text is at hand, its structure decides: what a point is there, is meant here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from regreact.answers import Answer
from regreact.fastpath.dependencies.points import PointReader
from regreact.fastpath.tree import CriterionIndex
from regreact.odr import Outcome
from regreact.sources.comparison import matching_blocks
from regreact.sources.model import Unit
from signatures.types import CorrectionValue, CriterionView

_OFFICIAL_CONFIDENCE = 0.99

Decision = Literal["confirmed", "rejected", "replaced", "added"]


@dataclass(frozen=True, slots=True)
class OfficialSection:
    """The same section as the official document has it.

    Attributes:
        unit: Its source.
        criteria: Its tree.
        corrections: What the official text itself gets wrong, by citing criterion.
    """

    unit: Unit
    criteria: tuple[CriterionView, ...]
    corrections: Mapping[str, Sequence[CorrectionValue]]


@dataclass(frozen=True, slots=True)
class OfficialReading:
    """What the official text makes of the same section.

    Attributes:
        document: Id of the official document.
        counterparts: Id of a criterion in this document by the id that it has in the official one.
        corrections: What the official text itself gets wrong: (citing criterion, point printed) to point meant, all
            three as in the official document.
    """

    document: str
    counterparts: Mapping[str, str]
    corrections: Mapping[tuple[str, str], str]

    def meant(self, citing: str, printed: str) -> str | None:
        """Return what a point printed in a criterion of this document stands for here, None if that is open."""
        there = next((theirs for theirs, ours in self.counterparts.items() if ours == citing), None)
        if there is None:
            return None
        return self.counterparts.get(self.corrections.get((there, printed), printed))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the official text says about one cited point.

    Attributes:
        criterion_id: The citing criterion.
        printed: The point as printed.
        proposed: What this document alone made of it, None if it took it as printed.
        meant: What the official structure says; equal to `printed` if the point is right as printed.
        document: The official document.
    """

    criterion_id: str
    printed: str
    proposed: str | None
    meant: str
    document: str

    @property
    def decision(self) -> Decision:
        """How the proposal fared."""
        if self.proposed is None:
            return "added"
        if self.meant == self.printed:
            return "rejected"
        return "confirmed" if self.meant == self.proposed else "replaced"

    def __str__(self) -> str:
        if self.decision == "rejected":
            return f"{self.document} has point {self.printed} as printed: not corrected to {self.proposed}"
        other = f" instead of {self.proposed}" if self.decision == "replaced" else ""
        return f"the structure of {self.document} shows that point {self.printed} is {self.meant} here{other}"


def reading(unit: Unit, criteria: Sequence[CriterionView], official: OfficialSection) -> OfficialReading:
    """Return what the official text makes of a section, its criteria matched with this document's by their texts."""
    ours = {c.block: c.criterion_id for c in criteria if c.block is not None}
    theirs = {c.block: c.criterion_id for c in official.criteria if c.block is not None}
    pairs = matching_blocks(official.unit, unit)
    return OfficialReading(
        official.unit.document,
        {theirs[there]: ours[here] for there, here in pairs.items() if there in theirs and here in ours},
        {(citing, c.from_): c.to for citing, values in official.corrections.items() for c in values},
    )


def settle(
    criteria: Sequence[CriterionView], own: Outcome, official: OfficialReading
) -> tuple[Outcome, tuple[Verdict, ...]]:
    """Return the corrections as the official structure decides them, with the verdicts.

    Points of which the official text says nothing, and relative ones ("point (b)"), stay as they are.
    """
    reader = PointReader(CriterionIndex(criteria))
    verdicts: list[Verdict] = []
    answers = dict(own.answers)
    for view in criteria:
        answer = own.answers.get(view.criterion_id)
        if answer is None:
            continue
        decided = list(_verdicts(view, answer, reader, official))
        if decided:
            verdicts.extend(decided)
            answers[view.criterion_id] = _settled(view, answer, decided, reader)
    return replace(own, answers=answers), tuple(verdicts)


def _verdicts(
    view: CriterionView,
    answer: Answer[tuple[CorrectionValue, ...]],
    reader: PointReader,
    official: OfficialReading,
) -> Iterator[Verdict]:
    proposed = {c.from_: c.to for c in answer.value or ()}
    printed = dict.fromkeys([c.path for c in reader.cited(view) if not c.point.relative])
    for point in printed:
        meant = official.meant(view.criterion_id, point)
        if meant is not None and (point in proposed or meant != point):
            yield Verdict(view.criterion_id, point, proposed.get(point), meant, official.document)


def _settled(
    view: CriterionView,
    answer: Answer[tuple[CorrectionValue, ...]],
    decided: Sequence[Verdict],
    reader: PointReader,
) -> Answer[tuple[CorrectionValue, ...]]:
    closed = {v.printed for v in decided}
    kept = [c for c in answer.value or () if c.from_ not in closed]
    official = [CorrectionValue(from_=v.printed, to=v.meant) for v in decided if v.meant != v.printed]
    values = (*kept, *official)
    places = {c.path: c.point for c in reader.cited(view)}
    spans = tuple(
        (view.block, places[c.from_].start, places[c.from_].end)
        for c in values
        if view.block is not None and c.from_ in places
    )
    sure = answer.confidence if kept else _OFFICIAL_CONFIDENCE
    return replace(answer, value=values, confidence=sure, evidence=spans)
