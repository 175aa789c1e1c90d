"""Stage 2: quantitative and temporal thresholds (paper section 3.3)."""

from __future__ import annotations

from regreact.config import Settings
from regreact.memory import Memory
from regreact.sources.model import Unit
from regreact.stages.asking import may_state_a_number
from regreact.stages.base import NO_REPORTS, Reports, Stage, StageOutput, header, ids
from signatures.thresholds import ExtractThresholds
from signatures.types import ThresholdEntry


class ThresholdExtractor(Stage):
    """Finds the limits and dates that each criterion states itself, and registers them."""

    name = "s2"
    provides = "thresholds"

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.extract = self.question(ExtractThresholds, lambda _: None, may_state_a_number)

    def forward(self, unit: Unit, structure: StageOutput, *, reports: Reports = NO_REPORTS) -> StageOutput:
        """Return a threshold or None for each criterion with text."""
        criteria = list(structure.criteria)
        outcome = self.ask(
            self.extract, {"unit": header(unit), "criteria": criteria}, ids(criteria, with_text=True), reports
        )
        entries = [
            ThresholdEntry(criterion_id=i, threshold=a.value) for i, a in outcome.answers.items() if a.value is not None
        ]
        return StageOutput(
            self.name, {"ExtractThresholds": outcome}, memory=Memory().with_thresholds(entries, self.name)
        )
