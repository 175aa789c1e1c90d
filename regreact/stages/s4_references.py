"""Stage 4: external references (paper section 3.3, appendix E.2)."""

from __future__ import annotations

from collections.abc import Sequence

from regreact.config import Settings
from regreact.legal.targets import reference_target
from regreact.memory import Memory
from regreact.schema import Edge
from regreact.sources.model import Unit
from regreact.stages.asking import may_cite
from regreact.stages.base import NO_REPORTS, Reports, Stage, StageOutput, header, ids
from regreact.stages.celex import CelexVerifier
from signatures.references import ExtractReferences
from signatures.types import CriterionView, FootnoteView, MappingEntry


class ReferenceExtractor(Stage):
    """Finds the acts, standards and places outside the section that each criterion cites.

    Args:
        settings: Settings of the run.
        verifier: Verifies CELEX ids; shared with stage 6.
    """

    name = "s4"
    provides = "references"

    def __init__(self, settings: Settings, verifier: CelexVerifier) -> None:
        super().__init__(settings)
        self.verify = verifier
        self.extract = self.question(ExtractReferences, lambda _: None, may_cite)

    def forward(self, unit: Unit, structure: StageOutput, *, reports: Reports = NO_REPORTS) -> StageOutput:
        """Return the references or None for each criterion with text."""
        criteria = list(structure.criteria)
        inputs = {"unit": header(unit), "criteria": criteria, "footnotes": footnote_views(unit, criteria)}
        answered = self.ask(self.extract, inputs, ids(criteria, with_text=True), reports)
        checked = self.verify("ExtractReferences", unit, inputs, answered)
        outcome = checked.outcome
        mappings, edges = [], []
        for criterion_id, answer in outcome.answers.items():
            for source in answer.value.sources if answer.value else ():
                target = reference_target(source.text, source.celex_id, unit.key)
                if target is None:
                    continue
                mappings.append(MappingEntry(criterion_id=criterion_id, phrase=source.text, target=target))
                edges.append(Edge(source=criterion_id, target=target, type="references"))
        memory = Memory().with_mappings(mappings, self.name).with_celex(checked.entries, self.name)
        return StageOutput(self.name, {"ExtractReferences": outcome}, memory=memory, edges=tuple(edges))


def footnote_views(unit: Unit, criteria: Sequence[CriterionView]) -> list[FootnoteView]:
    """Return the footnotes of the unit with the first criterion that carries each."""
    owner: dict[str, str] = {}
    for c in criteria:
        for footnote in c.footnotes:
            owner.setdefault(footnote, c.criterion_id)
    return [
        FootnoteView(id=i, criterion_id=owner[i], text=unit.footnotes.get(i, "")) for i in owner if i in unit.footnotes
    ]
