"""Stage 7: rule summaries and the validated criterion tree (paper section 3.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from regreact.config import Settings
from regreact.fastpath.tree import CriterionIndex
from regreact.memory import Memory
from regreact.odr import Outcome
from regreact.schema import (
    Category,
    Criterion,
    Dependencies,
    Footnote,
    Quantitative,
    References,
    Temporal,
    Threshold,
)
from regreact.sources.model import Unit
from regreact.stages.base import Stage, StageOutput, header, ids
from regreact.stages.graph_validation import ValidatedGraph
from signatures.assembly import SummariseRules
from signatures.types import CriterionFacts, CriterionView, FootnoteValue


@dataclass(frozen=True, slots=True)
class Assembled:
    """The criterion tree, and the outcome of the summaries."""

    root: Criterion
    outcome: Outcome


class SchemaAssembler(Stage):
    """Derives the category, writes the summaries and builds the 13-field tree."""

    name = "s7"
    provides = "assembly"
    asks = False

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.summarise = self.question(SummariseRules, _default_summary)

    def forward(
        self,
        unit: Unit,
        activity_memory: Memory,
        thresholds: StageOutput,
        references: StageOutput,
        footnotes: StageOutput,
        classification: StageOutput,
        dependencies: StageOutput,
        graph: ValidatedGraph,
    ) -> Assembled:
        """Return the tree below ROOT."""
        criteria = classification.criteria
        accepted = {(e.source, e.target) for e in graph.edges if e.type == "depends_on"}
        facts = {}
        for c in criteria:
            i = c.criterion_id
            inherited = dependencies.value("InheritThresholds", i)
            facts[i] = CriterionFacts(
                criterion_id=i,
                threshold=merge_thresholds(
                    thresholds.value("ExtractThresholds", i), inherited.threshold if inherited else None
                ),
                references=_tidy(references.value("ExtractReferences", i)),
                evaluation_logic=graph.logic[i].evaluation_logic,
                applicability=classification.value("ClassifyApplicability", i),
                tags=classification.value("AssignTags", i) or (),
                dependencies=_keep_clauses(dependencies.value("ResolveDependencies", i), i, accepted),
                corrections=dependencies.value("CorrectCrossReferences", i) or (),
                threshold_from=inherited.threshold_from if inherited else None,
            )
        outcome = self.summarise(
            {
                "unit": header(unit),
                "activity": activity_memory.activity_entries(),
                "criteria": list(criteria),
                "facts": list(facts.values()),
            },
            ids(criteria),
        )
        builder = _Builder(unit, criteria, facts, graph, footnotes, outcome)
        return Assembled(builder.build("ROOT"), outcome)


class _Builder:
    """Builds the nested tree from flat answers."""

    def __init__(
        self,
        unit: Unit,
        criteria: Iterable[CriterionView],
        facts: Mapping[str, CriterionFacts],
        graph: ValidatedGraph,
        footnotes: StageOutput,
        summaries: Outcome,
    ) -> None:
        self.unit, self.facts, self.graph, self.footnotes = unit, facts, graph, footnotes
        self.index = CriterionIndex(criteria)
        self.summaries = summaries

    def build(self, criterion_id: str) -> Criterion:
        view, facts = self.index.by_id[criterion_id], self.facts[criterion_id]
        logic = self.graph.logic[criterion_id]
        return Criterion(
            criterion_id=criterion_id,
            category=category_of(facts.threshold),
            applicability=facts.applicability or "Mandatory",
            tags=facts.tags,
            verbatim_text=view.text,
            rule_summary=self.summaries.value(criterion_id) or _default_summary(criterion_id),
            evaluation_logic=logic.evaluation_logic,
            n_required=logic.n_required if logic.evaluation_logic == "N_OF_K" else None,
            threshold=facts.threshold,
            references=facts.references,
            dependencies=facts.dependencies,
            sub_criteria=tuple(self.build(c.criterion_id) for c in self.index.children(criterion_id)),
            footnotes=tuple(self._footnote(i) for i in view.footnotes),
        )

    def _footnote(self, footnote_id: str) -> Footnote:
        value: FootnoteValue = self.footnotes.value("ProcessFootnotes", footnote_id) or FootnoteValue()
        return Footnote(
            id=footnote_id,
            verbatim=self.unit.footnotes.get(footnote_id, ""),
            categories=value.categories,
            items=value.items,
            definitions=value.definitions,
            notes=value.notes,
        )


def _default_summary(criterion_id: str) -> str:
    return f"Criterion {criterion_id} must be met." if criterion_id != "ROOT" else "All criteria must be met."


def category_of(threshold: Threshold | None) -> Category:
    """Return Quantitative exactly if there is a quantitative item, inherited ones included (guidelines section 4)."""
    return "Quantitative" if threshold is not None and threshold.quantitative is not None else "Qualitative"


def merge_thresholds(own: Threshold | None, inherited: Threshold | None) -> Threshold | None:
    """Return own and inherited items together; items of the same value are not repeated.

    Items that come together without a connective of the text hold together: AND.
    """
    if own is None or inherited is None:
        return own or inherited
    quantities = [*_items(own.quantitative)]
    quantities += [i for i in _items(inherited.quantitative) if i not in quantities]
    times = [*_items(own.temporal)]
    times += [i for i in _items(inherited.temporal) if i not in times]
    first_q = own.quantitative or inherited.quantitative
    first_t = own.temporal or inherited.temporal
    return Threshold(
        quantitative=Quantitative(logic=_joiner(first_q, len(quantities)), items=tuple(quantities))
        if quantities
        else None,
        temporal=Temporal(logic=_joiner(first_t, len(times)), items=tuple(times)) if times else None,
    )


def _items(part: Quantitative | Temporal | None) -> tuple:  # type: ignore[type-arg]
    return part.items if part is not None else ()


def _joiner(part: Quantitative | Temporal | None, count: int):  # type: ignore[no-untyped-def]
    return (part.logic if part is not None and part.logic else "AND") if count > 1 else None


def _tidy(references: References | None) -> References | None:
    """Return references without joiner for a single source."""
    if references is None or len(references.sources) > 1 or references.logic is None:
        return references
    return references.model_copy(update={"logic": None})


def _keep_clauses(
    dependencies: Dependencies | None, criterion_id: str, accepted: set[tuple[str, str]]
) -> Dependencies | None:
    """Return the dependencies without clauses whose edge the graph refused."""
    if dependencies is None:
        return None
    clauses = tuple(c for c in dependencies.clauses if (criterion_id, c.criterion_id) in accepted)
    if not clauses:
        return None
    needed = min(dependencies.min_conditions_to_meet, len(clauses))
    return dependencies.model_copy(update={"clauses": clauses, "min_conditions_to_meet": needed})
