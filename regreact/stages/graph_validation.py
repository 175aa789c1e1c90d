"""Global validation of the criterion graph before assembly (paper section 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from regreact.answers import LogicValue
from regreact.config import Settings
from regreact.graph import CriterionGraph, settle_logic
from regreact.identifiers import anchor_of
from regreact.observers.base import Issue
from regreact.schema import Edge
from regreact.stages.base import Stage, StageOutput
from regreact.stages.s1_structure import hierarchy
from signatures.types import CriterionView


@dataclass(frozen=True, slots=True)
class ValidatedGraph:
    """Accepted edges, logic that fits the tree, and what was found wrong."""

    edges: tuple[Edge, ...]
    logic: dict[str, LogicValue]
    issues: tuple[Issue, ...]


class GraphValidator(Stage):
    """Adds the edges of all stages with target checks, fits logic to children, and checks the whole graph."""

    name = "graph"
    provides = "graph"
    asks = False

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)

    def forward(
        self,
        structure: StageOutput,
        references: StageOutput,
        classification: StageOutput,
        dependencies: StageOutput,
    ) -> ValidatedGraph:
        """Return the validated graph; without graph checks, all edges and the logic as they are."""
        criteria = classification.criteria
        graph = CriterionGraph([c.criterion_id for c in criteria], checked=self.settings.graph.enabled)
        issues = list(structure.issues)
        for edges in (hierarchy(criteria), classification.edges, references.edges, dependencies.edges):
            issues.extend(graph.add(edges))
        logic = {c.criterion_id: classification.value("InferLogic", c.criterion_id) for c in criteria}
        if not self.settings.graph.enabled:
            return ValidatedGraph(graph.edges, logic, ())
        background, anchored = _ancillary(criteria, classification)
        counts = graph.participants(logic, background, anchored)
        settled = settle_logic(logic, counts)
        issues.extend(
            Issue(
                i,
                "consistency",
                "minor",
                "evaluation_logic",
                f"{logic[i].evaluation_logic} became {settled[i].evaluation_logic}: {counts[i]} children take part",
                (),
                "graph",
            )
            for i in logic
            if logic[i] != settled[i]
        )
        issues.extend(graph.validate(settled, background, anchored))
        return ValidatedGraph(graph.edges, settled, tuple(issues))


def _ancillary(criteria: Sequence[CriterionView], classification: StageOutput) -> tuple[set[str], set[str]]:
    """Return the criteria tagged as background, and those anchored to another one."""
    ids = [c.criterion_id for c in criteria]
    background = {i for i in ids if "BackgroundInformation" in (classification.value("AssignTags", i) or ())}
    return background, {i for i in ids if anchor_of(i) is not None}
