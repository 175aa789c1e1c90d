"""Stage 5: wrong cross-references, inherited thresholds, gating (paper section 3.3)."""

from __future__ import annotations

from regreact.answers import Inheritance
from regreact.config import Settings
from regreact.memory import Memory
from regreact.schema import Edge
from regreact.second_source import OfficialSection, Verdict, reading, settle
from regreact.sources.model import Unit
from regreact.stages.asking import may_be_gated, may_cite_wrongly, may_inherit
from regreact.stages.base import NO_REPORTS, Reports, Stage, StageOutput, header, ids
from signatures.dependencies import CorrectCrossReferences, InheritThresholds, ResolveDependencies
from signatures.types import CriterionFacts, MappingEntry


class DependencyResolver(Stage):
    """Corrects cited points first, since inheritance and gating build on what they mean."""

    name = "s5"
    provides = "dependencies"

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.correct = self.question(CorrectCrossReferences, lambda _: (), may_cite_wrongly)
        self.inherit = self.question(InheritThresholds, lambda _: Inheritance(), may_inherit)
        self.resolve = self.question(ResolveDependencies, lambda _: None, may_be_gated)

    def forward(
        self,
        unit: Unit,
        thresholds: StageOutput,
        classification: StageOutput,
        official: OfficialSection | None = None,
        *,
        reports: Reports = NO_REPORTS,
    ) -> StageOutput:
        """Return corrections, inheritance and dependencies for each criterion with text.

        Where the official text of the section is at hand as well, its structure decides on the corrections.
        """
        head, criteria = header(unit), list(classification.criteria)
        asked = ids(criteria, with_text=True)
        registry = thresholds.memory.threshold_entries()
        corrections = self.ask(
            self.correct, {"unit": head, "criteria": criteria, "thresholds": registry}, asked, reports
        )
        verdicts: tuple[Verdict, ...] = ()
        if official is not None:
            corrections, verdicts = settle(criteria, corrections, reading(unit, criteria, official))
        mappings = [
            MappingEntry(criterion_id=i, phrase=c.from_, target=c.to)
            for i, a in corrections.answers.items()
            for c in a.value or ()
        ]
        inherited = self.ask(
            self.inherit,
            {"unit": head, "criteria": criteria, "thresholds": registry, "mappings": mappings},
            asked,
            reports,
        )
        facts = [
            CriterionFacts(
                criterion_id=i,
                threshold=thresholds.value("ExtractThresholds", i),
                evaluation_logic=classification.value("InferLogic", i).evaluation_logic,
                applicability=classification.value("ClassifyApplicability", i),
                tags=classification.value("AssignTags", i),
                corrections=corrections.value(i) or (),
            )
            for i in ids(criteria)
        ]
        gating = self.ask(
            self.resolve, {"unit": head, "criteria": criteria, "facts": facts, "mappings": mappings}, asked, reports
        )
        edges = [Edge(source=m.criterion_id, target=m.target, type="corrects") for m in mappings]
        edges += [
            Edge(source=i, target=a.value.threshold_from, type="inherits_threshold")
            for i, a in inherited.answers.items()
            if a.value.threshold_from
        ]
        edges += [
            Edge(source=i, target=clause.criterion_id, type="depends_on")
            for i, a in gating.answers.items()
            for clause in (a.value.clauses if a.value else ())
        ]
        outcomes = {
            "CorrectCrossReferences": corrections,
            "InheritThresholds": inherited,
            "ResolveDependencies": gating,
        }
        memory = Memory().with_mappings(mappings, self.name)
        return StageOutput(self.name, outcomes, memory=memory, edges=tuple(edges), verdicts=verdicts)
