"""What the stages share: their outputs, and how a stage asks its questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import dspy

from regreact.config import Settings
from regreact.memory import Memory
from regreact.observers.base import Issue
from regreact.odr import Outcome, Question, Report
from regreact.schema import Edge
from regreact.second_source import Verdict
from regreact.sources.model import Unit
from regreact.stages.asking import Worth
from signatures.types import CriterionView, UnitHeader


@dataclass(frozen=True, slots=True)
class StageOutput:
    """What a stage found out.

    Attributes:
        stage: Name of the stage.
        outcomes: Outcome of each question, by signature name.
        criteria: The tree as flat list after this stage (stages 1 and 3), else empty.
        memory: Registry entries the stage wrote.
        edges: Graph edges the stage found.
        issues: Issues besides those of the questions.
        verdicts: What the official text said about cited points (stage 5).
    """

    stage: str
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    criteria: tuple[CriterionView, ...] = ()
    memory: Memory = field(default_factory=Memory)
    edges: tuple[Edge, ...] = ()
    issues: tuple[Issue, ...] = ()
    verdicts: tuple[Verdict, ...] = ()

    def value(self, signature: str, item_id: str) -> Any:
        """Return the answer of a question for one item, None if there is none."""
        outcome = self.outcomes.get(signature)
        return None if outcome is None else outcome.value(item_id)


# What later stages found about the answers of a stage's questions, by signature name.
Reports = Mapping[str, Report]
NO_REPORTS: Reports = MappingProxyType({})


def header(unit: Unit) -> UnitHeader:
    """Return what every signature is told about the section."""
    return UnitHeader(
        unit=unit.key,
        activity=unit.activity,
        objective=unit.objective,
        section=unit.section,
        description=unit.description,
    )


def ids(criteria: Sequence[CriterionView], with_text: bool = False) -> list[str]:
    """Return the criterion ids, on request only of those that have a text of their own."""
    return [c.criterion_id for c in criteria if c.block is not None or not with_text]


class Stage(dspy.Module):
    """A pure function from its `forward` parameters to one output named `provides`.

    A stage that `asks` also takes `reports`: the outcomes of its questions before, with what later stages found.
    """

    name = ""
    provides = ""
    asks = True

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings

    @staticmethod
    def ask(question: Question, inputs: Mapping[str, Any], asked: Sequence[str], reports: Reports) -> Outcome:
        """Put a question; where later stages found something wrong with its answers, go on from there."""
        outcome: Outcome = question(inputs, asked, reports.get(question.step.name))
        return outcome

    def question(
        self, signature: type[dspy.Signature], default: Callable[[str], Any], worth: Worth | None = None
    ) -> Question:
        """Return a question put with this run's settings; `worth` tells which items a model is asked for."""
        s = self.settings
        return Question(signature, default, s.fastpath.mode, s.lm, s.odr, worth)
