"""The programs: `RegReAct` (seven stages), `Markup` (the floor) and `SinglePass` (one call)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import dspy

from regreact.answers import Answer
from regreact.config import Settings
from regreact.dataflow import Dataflow
from regreact.memory import Memory
from regreact.odr import Outcome
from regreact.schema import (
    Correction,
    Extraction,
    FieldProvenance,
    ReviewItem,
    SourceInfo,
    Span,
)
from regreact.second_source import OfficialSection, Verdict
from regreact.sources.model import Unit
from regreact.stages.base import StageOutput
from regreact.stages.celex import FLAGGED, CelexVerifier
from regreact.stages.graph_validation import GraphValidator, ValidatedGraph
from regreact.stages.s1_structure import StructuralParser
from regreact.stages.s2_thresholds import ThresholdExtractor
from regreact.stages.s3_classification import ContentClassifier
from regreact.stages.s4_references import ReferenceExtractor
from regreact.stages.s5_dependencies import DependencyResolver
from regreact.stages.s6_footnotes import FootnoteProcessor
from regreact.stages.s7_assembly import Assembled, SchemaAssembler
from signatures.types import ActivityEntry

# Field of the criterion that each signature answers.
FIELDS = {
    "ParseStructure": "criterion_id",
    "ExtractThresholds": "threshold",
    "ExtractReferences": "references",
    "ProcessFootnotes": "footnotes",
    "ClassifyApplicability": "applicability",
    "AssignTags": "tags",
    "InferLogic": "evaluation_logic",
    "ResolveDependencies": "dependencies",
    "SummariseRules": "rule_summary",
}


def activity_memory(unit: Unit) -> Memory:
    """Return the registry of activity facts that all sections of an activity share."""
    facts = [("name", unit.activity), ("objective", unit.objective), ("description", unit.description)]
    return Memory().with_activity([ActivityEntry(key=k, value=v) for k, v in facts if v], stage="source")


class RegReAct(dspy.Module):
    """Seven stages with self-correction, shared memory and a validated criterion graph.

    Example:
        >>> from regreact.program import RegReAct
        >>> from regreact.sources.model import Block, Unit
        >>> text = "1. Losses are below 5 %."
        >>> unit = Unit("X-1/SC", "Ore washing", "", "SC", "x", "0" * 64, "html", (Block(0, "p", 0, None, text),))
        >>> RegReAct(Settings())(unit=unit).criteria.sub_criteria[0].criterion_id
        '1'
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        verifier = CelexVerifier(settings)
        self.stages = [
            StructuralParser(settings),
            ThresholdExtractor(settings),
            ReferenceExtractor(settings, verifier),
            FootnoteProcessor(settings, verifier),
            ContentClassifier(settings),
            DependencyResolver(settings),
            GraphValidator(settings),
            SchemaAssembler(settings),
        ]
        self.flow = Dataflow(self.stages, given=["unit", "activity_memory", "official"])

    def forward(self, unit: Unit, official: Unit | None = None) -> Extraction:
        """Extract the criterion tree of one unit.

        Args:
            unit: The section.
            official: The same section in the official document; its structure decides on wrong cross-references.

        Raises:
            LMCallError: The model fails for good.
        """
        section = None if official is None else self._section(official)
        return to_extraction(unit, self._run(unit, section))

    def _run(self, unit: Unit, official: OfficialSection | None) -> dict[str, Any]:
        values = {"unit": unit, "activity_memory": activity_memory(unit), "official": official}
        workers = 1 if self.settings.fastpath.mode == "only" else 3
        return self.flow.run(values, workers=workers)

    def _section(self, official: Unit) -> OfficialSection:
        state = self._run(official, None)
        corrections = state["dependencies"].outcomes["CorrectCrossReferences"].answers
        return OfficialSection(
            official, state["classification"].criteria, {i: a.value or () for i, a in corrections.items()}
        )


def to_extraction(unit: Unit, state: Mapping[str, Any]) -> Extraction:
    """Return the extraction record from all values of the dataflow."""
    assembly: Assembled = state["assembly"]
    graph: ValidatedGraph = state["graph"]
    outputs: list[StageOutput] = [v for v in state.values() if isinstance(v, StageOutput)]
    evidence: dict[str, dict[str, tuple[Span, ...]]] = {}
    provenance: dict[str, dict[str, FieldProvenance]] = {}
    summaries = StageOutput("s7", {"SummariseRules": assembly.outcome})
    for criterion_id, field, answer, iterations in _field_answers([*outputs, summaries], state["classification"]):
        if answer.evidence:
            evidence.setdefault(criterion_id, {})[field] = answer.evidence
        provenance.setdefault(criterion_id, {})[field] = FieldProvenance(
            answered_by=answer.answered_by, confidence=answer.confidence, iterations=iterations
        )
    memory = Memory()
    for part in (state["activity_memory"], *(o.memory for o in outputs)):
        memory = memory.merged(part)
    return Extraction(
        unit=unit.key,
        activity=unit.activity,
        objective=unit.objective,
        section=unit.section,
        source=SourceInfo(document=unit.document, sha256=unit.sha256, format=unit.format),
        criteria=assembly.root,
        edges=graph.edges,
        corrections=tuple(_corrections(state["dependencies"])),
        review=tuple(_review([*outputs, summaries], graph, state["structure"])),
        evidence=evidence,
        provenance=provenance,
        memory=memory.to_json(),
    )


def _field_answers(
    outputs: list[StageOutput], classification: StageOutput
) -> Iterator[tuple[str, str, Answer[Any], int]]:
    """Yield criterion id, field, answer and iterations; several answers to one field are joined."""
    by_block = {str(c.block): c.criterion_id for c in classification.criteria if c.block is not None}
    carriers: dict[str, list[str]] = {}
    for c in classification.criteria:
        for footnote in c.footnotes:
            carriers.setdefault(footnote, []).append(c.criterion_id)
    for output in outputs:
        for signature, outcome in output.outcomes.items():
            field = FIELDS.get(signature)
            if field is None:
                continue
            for item_id, answer in outcome.answers.items():
                owners = [item_id]
                if field == "criterion_id":
                    owners = [by_block[item_id]] if item_id in by_block else []
                elif field == "footnotes":
                    owners = carriers.get(item_id, [])
                for owner in owners:
                    yield owner, field, answer, outcome.iterations.get(item_id, 1)


def _corrections(dependencies: StageOutput) -> Iterator[Correction]:
    outcome: Outcome = dependencies.outcomes["CorrectCrossReferences"]
    official: dict[tuple[str, str], Verdict] = {(v.criterion_id, v.printed): v for v in dependencies.verdicts}
    for criterion_id, answer in outcome.answers.items():
        for value in answer.value or ():
            verdict = official.get((criterion_id, value.from_))
            yield Correction(
                criterion_id=criterion_id,
                from_=value.from_,
                to=value.to,
                reason=value.reason if verdict is None else f"{value.reason}: {verdict}",
                decided_by=answer.answered_by if verdict is None else verdict.document,
                evidence=answer.evidence,
            )


def _review(outputs: list[StageOutput], graph: ValidatedGraph, structure: StageOutput) -> Iterator[ReviewItem]:
    """Yield what a person should look at.

    Unresolved critical issues, CELEX ids found wrong, refused edges, rejected corrections.
    """
    blocks = {str(c.block): c.criterion_id for c in structure.criteria if c.block is not None}
    for output in outputs:
        for signature, outcome in output.outcomes.items():
            for issue in outcome.issues:
                if issue.severity == "critical" or issue.observer == FLAGGED:
                    owner = blocks.get(issue.item_id, "ROOT") if signature == "ParseStructure" else issue.item_id
                    yield ReviewItem(
                        criterion_id=owner or "ROOT",
                        stage=output.stage,
                        severity=issue.severity,
                        reason=issue.description,
                        evidence=issue.evidence,
                    )
        for verdict in output.verdicts:
            if verdict.decision == "rejected":
                yield ReviewItem(
                    criterion_id=verdict.criterion_id, stage=output.stage, severity="minor", reason=str(verdict)
                )
    for issue in graph.issues:
        if issue.severity != "minor":
            yield ReviewItem(
                criterion_id=issue.item_id, stage="graph", severity=issue.severity, reason=issue.description
            )
