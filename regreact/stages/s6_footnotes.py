"""Stage 6: decompose footnotes (paper section 3.3)."""

from __future__ import annotations

from regreact.config import Settings
from regreact.memory import Memory
from regreact.sources.model import Unit
from regreact.stages.base import NO_REPORTS, Reports, Stage, StageOutput, header
from regreact.stages.celex import CelexVerifier
from regreact.stages.s4_references import footnote_views
from signatures.footnotes import ProcessFootnotes
from signatures.types import FootnoteValue


class FootnoteProcessor(Stage):
    """Finds the documents, definitions and categories of each footnote.

    Args:
        settings: Settings of the run.
        verifier: Verifies CELEX ids; shared with stage 4.
    """

    name = "s6"
    provides = "footnotes"

    def __init__(self, settings: Settings, verifier: CelexVerifier) -> None:
        super().__init__(settings)
        self.verify = verifier
        self.process = self.question(ProcessFootnotes, lambda _: FootnoteValue())

    def forward(self, unit: Unit, structure: StageOutput, *, reports: Reports = NO_REPORTS) -> StageOutput:
        """Return the decomposition of each footnote whose marker stands in a criterion."""
        views = footnote_views(unit, structure.criteria)
        carriers = [c for c in structure.criteria if c.footnotes]
        inputs = {"unit": header(unit), "criteria": carriers, "footnotes": views}
        answered = self.ask(self.process, inputs, [v.id for v in views], reports)
        checked = self.verify("ProcessFootnotes", unit, inputs, answered)
        memory = Memory().with_celex(checked.entries, self.name)
        return StageOutput(self.name, {"ProcessFootnotes": checked.outcome}, memory=memory)
