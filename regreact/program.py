"""The programs: `RegReAct` (seven stages), `Markup` (the floor) and `SinglePass` (one call)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import dspy

from regreact.answers import Answer
from regreact.config import Settings
from regreact.dataflow import Dataflow
from regreact.errors import UnitError
from regreact.fastpath.classification.applicability import depends_on_activity
from regreact.legal.targets import act_of
from regreact.memory import Memory
from regreact.observers.base import Issue
from regreact.observers.cross_stage import Answers, Finding, findings
from regreact.observers.doubts import FOR_REVIEW
from regreact.observers.source_text import doubtful_blocks
from regreact.odr import Outcome, Report
from regreact.schema import (
    Correction,
    Extraction,
    FieldProvenance,
    ReviewItem,
    SourceInfo,
    Span,
)
from regreact.second_source import OfficialSection, Verdict
from regreact.sources.limits import check_unit
from regreact.sources.model import Block, SourceFormat, Unit
from regreact.stages.base import Reports, Stage, StageOutput
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


# Sections whose answers are kept, and the characters that one may have: those that repeat are short.
_KEPT = 256
_LONGEST = 6_000

GIVEN = ("unit", "activity_memory", "official")


def activity_memory(unit: Unit) -> Memory:
    """Return the registry of activity facts that all sections of an activity share."""
    facts = [("name", unit.activity), ("objective", unit.objective), ("description", unit.description)]
    return Memory().with_activity([ActivityEntry(key=k, value=v) for k, v in facts if v], stage="source")


def given(unit: Unit, official: OfficialSection | None = None) -> dict[str, Any]:
    """Return the values that the dataflow starts from."""
    return {"unit": unit, "activity_memory": activity_memory(unit), "official": official}


@dataclass(frozen=True, slots=True)
class Content:
    """All of a section that the rules read. Many sections of an act have the same ("N/A", a pointer to an appendix).

    Attributes:
        act: Beginning of the key that tells the annex, to which its sections and appendices belong.
        section: Name of the section.
        activity: Name of the activity, "" where nothing hangs on it.
        format: Format of the document.
        blocks: The text.
        footnotes: Ids and texts.
    """

    act: str
    section: str
    activity: str
    format: SourceFormat
    blocks: tuple[Block, ...]
    footnotes: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, unit: Unit) -> Content:
        """Return the content of a unit."""
        activity = unit.activity if any(depends_on_activity(b.text) for b in unit.blocks) else ""
        return cls(act_of(unit.key), unit.section, activity, unit.format, unit.blocks, tuple(unit.footnotes.items()))

    def unit(self) -> Unit:
        """Return a unit that has this content and nothing else, so that no rule can read more."""
        return Unit(self.act, self.activity, "", self.section, "", "", self.format, self.blocks, dict(self.footnotes))


class RegReAct(dspy.Module):
    """Seven stages with self-correction, shared memory and a validated criterion graph.

    Args:
        settings: All settings of the run.
        remember: Let a section take over the answers to an earlier one with the same content; False where questions
            are answered by something that looks at more than the content.

    Example:
        >>> from regreact.program import RegReAct
        >>> from regreact.sources.model import Block, Unit
        >>> text = "1. Losses are below 5 %."
        >>> unit = Unit("X-1/SC", "Ore washing", "", "SC", "x", "0" * 64, "html", (Block(0, "p", 0, None, text),))
        >>> RegReAct(Settings())(unit=unit).criteria.sub_criteria[0].criterion_id
        '1'
    """

    def __init__(self, settings: Settings, remember: bool = True) -> None:
        super().__init__()
        self.settings = settings
        self.remember = remember
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
        self.flow = Dataflow(self.stages, given=GIVEN)
        self._answered = lru_cache(maxsize=_KEPT)(self._answer)

    def forward(self, unit: Unit, official: Unit | None = None) -> Extraction:
        """Extract the criterion tree of one unit.

        Args:
            unit: The section.
            official: The same section in the official document; its structure decides on wrong cross-references.

        Raises:
            LMCallError: The model fails for good.
            UnitError: The section, or its official counterpart, exceeds a limit (`regreact.sources.limits`).
        """
        check_unit(unit)
        if official is not None:
            check_unit(official)
        section = None if official is None else self._section(official)
        return to_extraction(unit, self._run(unit, section))

    def _run(self, unit: Unit, official: OfficialSection | None) -> dict[str, Any]:
        """Return all values of the dataflow; a section with the content of an earlier one takes over its answers."""
        s = self.settings
        asks_nobody = self.remember and s.fastpath.mode == "only" and s.celex.mode != "cellar"
        if not asks_nobody or official is not None or sum(len(b.text) for b in unit.blocks) > _LONGEST:
            return self._compute(unit, official)
        try:
            return {**self._answered(Content.of(unit)), **given(unit)}
        except UnitError:
            # Its message names the unit.
            return self._compute(unit, official)

    def _answer(self, content: Content) -> dict[str, Any]:
        return self._compute(content.unit(), None)

    def _compute(self, unit: Unit, official: OfficialSection | None) -> dict[str, Any]:
        workers = 1 if self.settings.fastpath.mode == "only" else 3
        return self._mend(self.flow.run(given(unit, official), workers=workers), workers)

    def _mend(self, state: dict[str, Any], workers: int) -> dict[str, Any]:
        """Take what only all stages together show back to the stage that answered; its dependants run again.

        A change is kept only if it leaves no more findings. Attempts count with those of the stages' own loops.
        """
        if not self.settings.odr.enabled or self.settings.fastpath.mode == "only":
            return state
        found = cross_stage(state)
        closed: set[str] = set()
        for _ in range(self.settings.odr.k_max - 1):
            output = next((o for o in self.flow.stages if o not in closed and _of(state, o, found)), None)
            if output is None:
                break
            again = {o: {"reports": _reports(state, o, found)} for o in self._asking()}
            tried = self.flow.run(state, only=[output], workers=workers, extra=again)
            if _values(tried[output]) == _values(state[output]):
                closed.add(output)
                continue
            tried = self.flow.run(tried, only=self.flow.dependants([output]), workers=workers, extra=again)
            left = cross_stage(tried)
            if len(left) > len(found):
                closed.add(output)
                continue
            state, found = tried, left
        return state

    def _asking(self) -> list[str]:
        """Return the outputs of stages that put questions."""
        return [o for o, stage in self.flow.stages.items() if isinstance(stage, Stage) and stage.asks]

    def _section(self, official: Unit) -> OfficialSection:
        state = self._run(official, None)
        corrections = state["dependencies"].outcomes["CorrectCrossReferences"].answers
        return OfficialSection(
            official, state["classification"].criteria, {i: a.value or () for i, a in corrections.items()}
        )


def cross_stage(state: Mapping[str, Any]) -> list[Finding]:
    """Return what the answers of all stages together show to be wrong."""
    outcomes = _outcomes(state)
    values = {name: {i: a.value for i, a in o.answers.items()} for name, o in outcomes.items()}
    return findings(Answers(state["classification"].criteria, values))


def _outcomes(state: Mapping[str, Any]) -> dict[str, Outcome]:
    return {n: o for out in state.values() if isinstance(out, StageOutput) for n, o in out.outcomes.items()}


def _of(state: Mapping[str, Any], output: str, found: list[Finding]) -> bool:
    """True if a finding is about a question of this output's stage."""
    out = state[output]
    return isinstance(out, StageOutput) and any(name in out.outcomes for name, _ in found)


def _reports(state: Mapping[str, Any], output: str, found: list[Finding]) -> Reports:
    out = state[output]
    outcomes = out.outcomes if isinstance(out, StageOutput) else {}
    return {n: Report(tuple(i for name, i in found if name == n), o) for n, o in outcomes.items()}


def _values(output: Any) -> Any:
    """Return the answers of a stage without how they came about."""
    if not isinstance(output, StageOutput):
        return output
    return {n: {i: a.value for i, a in o.answers.items()} for n, o in output.outcomes.items()}


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
            spans = evidence.setdefault(criterion_id, {})
            spans[field] = (*spans.get(field, ()), *answer.evidence)
        fields = provenance.setdefault(criterion_id, {})
        given = FieldProvenance(
            answered_by=answer.answered_by, confidence=answer.confidence, iterations=iterations, rule=answer.rule
        )
        # Of several footnotes the least sure one speaks for the field.
        fields[field] = min(fields.get(field, given), given, key=lambda p: p.confidence)
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
        review=(*_misleading(unit, state), *_review([*outputs, summaries], graph, state)),
        evidence=evidence,
        provenance=provenance,
        memory={
            **memory.to_json(),
            "odr": _history([*outputs, summaries]),
            "graph": [i.to_json() for i in graph.issues],
        },
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


def _history(outputs: list[StageOutput]) -> list[dict[str, Any]]:
    """Return the loops that found something, by question."""
    return [
        {
            "stage": output.stage,
            "question": name,
            "stopped": outcome.stopped,
            "rounds": [r.to_json() for r in outcome.rounds],
        }
        for output in outputs
        for name, outcome in output.outcomes.items()
        if any(r.issues for r in outcome.rounds)
    ]


def _misleading(unit: Unit, state: Mapping[str, Any]) -> Iterator[ReviewItem]:
    """Yield what in the source itself misleads a program that reads it."""
    owners = {str(c.block): c.criterion_id for c in state["classification"].criteria if c.block is not None}
    owners |= {f: c.criterion_id for c in state["classification"].criteria for f in c.footnotes}
    for issue in doubtful_blocks(unit):
        yield _review_item(owners.get(issue.item_id, "ROOT"), "source", issue)


def _review(outputs: list[StageOutput], graph: ValidatedGraph, state: Mapping[str, Any]) -> Iterator[ReviewItem]:
    """Yield what a person should look at.

    That is unresolved critical issues, CELEX ids found wrong, what a diagnosis hands over, what stages contradict each
    other in, refused edges, and corrections that an official source rejects.
    """
    blocks = {str(c.block): c.criterion_id for c in state["structure"].criteria if c.block is not None}
    stages = {name: output.stage for output in outputs for name in output.outcomes}
    carriers = {f: c.criterion_id for c in state["classification"].criteria for f in c.footnotes}
    for output in outputs:
        for signature, outcome in output.outcomes.items():
            for issue in outcome.to_review(FLAGGED, *FOR_REVIEW):
                owner = blocks.get(issue.item_id, "ROOT") if signature == "ParseStructure" else issue.item_id
                yield _review_item(carriers.get(owner, owner) or "ROOT", output.stage, issue)
        for verdict in output.verdicts:
            if verdict.decision == "rejected":
                yield ReviewItem(
                    criterion_id=verdict.criterion_id, stage=output.stage, severity="minor", reason=str(verdict)
                )
    for signature, issue in cross_stage(state):
        yield _review_item(issue.item_id, stages[signature], issue)
    yield from (_review_item(i.item_id, "graph", i) for i in graph.issues if i.severity != "minor")


def _review_item(criterion_id: str, stage: str, issue: Issue) -> ReviewItem:
    return ReviewItem(
        criterion_id=criterion_id,
        stage=stage,
        severity=issue.severity,
        reason=issue.description,
        evidence=issue.evidence,
    )
