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
        thresholds: StageOutput,
        references: StageOutput,
        classification: StageOutput,
        dependencies: StageOutput,
    ) -> ValidatedGraph:
        """Return the validated graph; without graph checks, all edges and the logic as they are."""
        criteria = classification.criteria
        graph = CriterionGraph([c.criterion_id for c in criteria], checked=self.settings.graph.enabled)
        issues = list(structure.issues)
        for edges in (hierarchy(criteria), classification.edges, references.edges, dependencies.edges):
            issues.extend(graph.add(self._backed(edges, criteria, thresholds, issues)))
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

    def _backed(
        self, edges: Sequence[Edge], criteria: Sequence[CriterionView], thresholds: StageOutput, issues: list[Issue]
    ) -> list[Edge]:
        """Return the edges without inheritance from a criterion that has no limit; each of those is an issue.

        What is inherited may be inherited in turn.
        """
        if not self.settings.graph.enabled:
            return list(edges)
        limits = _limits(criteria, thresholds)
        taken = {e.source: e.target for e in edges if e.type == "inherits_threshold"}
        kept = []
        for edge in edges:
            origin, seen = edge.target, {edge.source}
            while origin in taken and origin not in limits and origin not in seen:
                seen.add(origin)
                origin = taken[origin]
            if edge.type == "inherits_threshold" and origin not in limits:
                reason = f"inherits from {edge.target}, which has no threshold: edge refused"
                issues.append(Issue(edge.source, "consistency", "critical", "threshold", reason, (), "graph"))
            else:
                kept.append(edge)
        return kept


def _limits(criteria: Sequence[CriterionView], thresholds: StageOutput) -> set[str]:
    """Return the criteria that state a threshold, or stand above one that does (ruling C6)."""
    parents = {c.criterion_id: c.parent for c in criteria}
    found: set[str] = set()
    for c in criteria:
        up: str | None = c.criterion_id if thresholds.value("ExtractThresholds", c.criterion_id) else None
        while up is not None and up not in found:
            found.add(up)
            up = parents.get(up)
    return found - {"ROOT"}


def _ancillary(criteria: Sequence[CriterionView], classification: StageOutput) -> tuple[set[str], set[str]]:
    """Return the criteria tagged as background, and those anchored to another one."""
    ids = [c.criterion_id for c in criteria]
    background = {i for i in ids if "BackgroundInformation" in (classification.value("AssignTags", i) or ())}
    return background, {i for i in ids if anchor_of(i) is not None}
