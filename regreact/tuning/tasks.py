"""What is tuned: one question of a stage on gold inputs, or the whole program on units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import dspy

from regreact.answers import Answer
from regreact.compiled import steps_of
from regreact.config import Settings
from regreact.errors import GoldError, LMStopError, RegReActError
from regreact.evaluation.gold import GoldUnit, attach
from regreact.evaluation.score_report import PERCENT, SEMANTIC, UnitScore
from regreact.evaluation.scoring import score_unit
from regreact.evaluation.semantic.deductions import BEST, WRONG
from regreact.evaluation.stage_gold import GoldQuestion, stage_gold
from regreact.odr import Question
from regreact.program import RegReAct
from regreact.schema import Extraction
from regreact.simulated import to_item
from regreact.sources.model import Unit
from regreact.step import Step, narrowed
from regreact.tuning.feedback import program_feedback, question_feedback
from regreact.tuning.ledger import Ledger, state_of
from regreact.tuning.scores import judge

WHOLE = "all"
STAGES: dict[str, tuple[str, ...]] = {
    "structure": ("ParseStructure",),
    "thresholds": ("ExtractThresholds",),
    "references": ("ExtractReferences",),
    "footnotes": ("ProcessFootnotes",),
    "classification": ("DetectPathways", "ClassifyApplicability", "AssignTags", "InferLogic"),
    "dependencies": ("CorrectCrossReferences", "InheritThresholds", "ResolveDependencies"),
    "assembly": ("SummariseRules",),
}
QUESTIONS = tuple(name for names in STAGES.values() for name in names)
TRAIN, VALIDATION, TEST = "train", "validation", "test"

# Score in [0, 1] of an example, and the feedback on it for one question (None for all).
Judge = Callable[[dspy.Example, dspy.Prediction, str | None], tuple[float, str]]


class QuestionStudent(dspy.Module):
    """Asks one question of a model, by a `Step` as the stages do, so that what is tuned is what runs."""

    def __init__(self, signature: type[dspy.Signature], settings: Settings, ledger: Ledger) -> None:
        super().__init__()
        self.step = Step(signature, settings.lm)
        self.names = (self.step.name,)
        self.ledger = ledger

    def forward(self, asked: Sequence[str], guidance: str = "", **inputs: Any) -> dspy.Prediction:
        """Return the answers by item id; none if the request fails, which costs this unit only.

        Raises:
            LMStopError: No further request may be sent.
        """
        mark = self.ledger.seen(state_of(self, self.names))
        answers: dict[str, Answer[Any]] = {}
        problem = ""
        try:
            answers, issues = self.step.by_lm(inputs, asked, guidance)
            problem = "; ".join(dict.fromkeys(i.description for i in issues if i.observer == "reply"))
        except LMStopError as error:
            self.ledger.stopped = error
            raise
        except RegReActError as error:
            problem = str(error)
        return dspy.Prediction(answers=answers, problem=problem, candidate=mark)


class ProgramStudent(dspy.Module):
    """Runs the seven stages; its predictors are those of the stages' questions alone."""

    def __init__(self, settings: Settings, ledger: Ledger) -> None:
        super().__init__()
        self.program = RegReAct(settings)
        self.names = QUESTIONS
        self.ledger = ledger

    def named_parameters(self) -> list[tuple[str, Any]]:
        """Return the predictors of the stages' questions; observers and diagnosis stay as they are."""
        mine = {id(step.predictor) for name, step in steps_of(self.program).items() if name in self.names}
        return [(name, p) for name, p in super().named_parameters() if id(p) in mine]

    def forward(self, unit: Unit) -> dspy.Prediction:
        """Return the extraction of a unit, None if it fails."""
        mark = self.ledger.seen(state_of(self, self.names))
        extraction: Extraction | None = None
        problem = ""
        try:
            extraction = self.program(unit=unit)
        except LMStopError as error:
            self.ledger.stopped = error
            raise
        except RegReActError as error:
            problem = str(error)
        return dspy.Prediction(extraction=extraction, problem=problem, candidate=mark)


@dataclass(frozen=True)
class Task:
    """Something to tune, with examples and how to judge it.

    Attributes:
        name: A signature, or `all`.
        student: The program with the prompts as they are.
        examples: Examples by part; each has `number` and `part` besides its inputs.
        judge: Scores a prediction.
        ledger: What was tried.
    """

    name: str
    student: dspy.Module
    examples: Mapping[str, list[dspy.Example]]
    judge: Judge
    ledger: Ledger

    @property
    def names(self) -> tuple[str, ...]:
        """Questions whose prompts are tuned."""
        return QUESTIONS if self.name == WHOLE else (self.name,)

    def metric(self, example: Any, prediction: Any, trace: Any = None, *_: Any) -> float:
        """Return the score in [0, 1], and note it; 0 for no prediction."""
        return self._judged(example, prediction, None)[0]

    def told(
        self, example: Any, prediction: Any, trace: Any = None, pred_name: str | None = None, pred_trace: Any = None
    ) -> dspy.Prediction:
        """Return the score with feedback; units outside the training part get none."""
        score, feedback = self._judged(example, prediction, pred_name)
        return dspy.Prediction(score=score, feedback=feedback if example.part == TRAIN else f"Score {score:.2f} of 1.")

    def _judged(self, example: Any, prediction: Any, pred_name: str | None) -> tuple[float, str]:
        if prediction is None or "candidate" not in prediction:
            return 0.0, "The reply could not be read."
        score, feedback = self.judge(example, prediction, self._question(pred_name))
        self.ledger.note(prediction.candidate, example.number, score)
        problem = f"\nThe reply: {prediction.problem}" if prediction.problem else ""
        return score, feedback + problem

    def _question(self, pred_name: str | None) -> str | None:
        """Return the question that a predictor's path stands for."""
        if self.name != WHOLE or pred_name is None:
            return None
        named = {id(s.predictor): n for n, s in steps_of(self.student).items()}
        return next((named[id(p)] for path, p in self.student.named_predictors() if path == pred_name), None)


def question_tasks(
    names: Iterable[str], units: Sequence[tuple[GoldUnit, Unit]], parts: Mapping[str, str], settings: Settings
) -> tuple[list[Task], dict[str, str]]:
    """Return a task for each question, on the inputs that right answers before it give, and why some have none.

    Only items that the stage would ask a model for are asked.

    Args:
        names: Signatures.
        units: Annotations with their units.
        parts: Part by unit key.
        settings: Settings of the run.

    Raises:
        GoldError: An annotation contradicts itself, or no question has examples in all parts.
    """
    worth = {q.step.name: q.worth for _, q in RegReAct(settings).named_sub_modules(Question)}
    asked: dict[str, list[tuple[str, GoldQuestion]]] = {name: [] for name in names}
    for gold, unit in units:
        try:
            found = stage_gold(gold, unit)
        except ValueError as error:
            raise GoldError(str(error)) from None
        for question in found:
            name = question.signature.__name__
            if name in asked:
                kept = {
                    i: a for i, a in question.answers.items() if worth[name] is None or worth[name](question.inputs, i)
                }
                if kept:
                    reduced = GoldQuestion(question.signature, question.inputs, kept)
                    asked[name].append((parts[gold.unit], reduced))
    left_out = {}
    for name, listed in asked.items():
        empty = [p for p in (TRAIN, VALIDATION, TEST) if p not in {part for part, _ in listed}]
        if empty:
            left_out[name] = f"nothing to ask in the part {', '.join(empty)}: take more units, or another seed"
    if len(left_out) == len(asked):
        raise GoldError("; ".join(f"{name}: {why}" for name, why in left_out.items()))
    return [_question_task(n, found, settings) for n, found in asked.items() if n not in left_out], left_out


def _question_task(name: str, asked: Sequence[tuple[str, GoldQuestion]], settings: Settings) -> Task:
    ledger = Ledger()
    examples: dict[str, list[dspy.Example]] = {TRAIN: [], VALIDATION: [], TEST: []}
    for number, (part, question) in enumerate(asked):
        examples[part].append(_example(question, number, part))

    def judged(example: dspy.Example, prediction: dspy.Prediction, _: str | None) -> tuple[float, str]:
        judgement = judge(asked[example.number][1], prediction.answers)
        return judgement.score, question_feedback(name, judgement)

    student = QuestionStudent(asked[0][1].signature, settings, ledger)
    return Task(name, student, examples, judged, ledger)


def _example(question: GoldQuestion, number: int, part: str) -> dspy.Example:
    """Return an example with the fields of the signature, so that it can serve as a worked example."""
    signature = question.signature
    items = [to_item(signature.__name__, a) for a in question.answers.values()]
    given = narrowed(signature.__name__, question.inputs, list(question.answers))
    fields = {**given, "asked": list(question.answers), "guidance": "", "answers": items}
    return dspy.Example(**fields, number=number, part=part).with_inputs(*signature.input_fields)


def program_task(units: Sequence[tuple[GoldUnit, Unit]], parts: Mapping[str, str], settings: Settings) -> Task:
    """Return the task of the whole program, scored by the mean of all gold metrics."""
    ledger = Ledger()
    trees = [attach(gold, unit) for gold, unit in units]
    examples: dict[str, list[dspy.Example]] = {TRAIN: [], VALIDATION: [], TEST: []}
    for number, (gold, unit) in enumerate(units):
        part = parts[gold.unit]
        examples[part].append(dspy.Example(unit=unit, number=number, part=part).with_inputs("unit"))

    def judged(example: dspy.Example, prediction: dspy.Prediction, name: str | None) -> tuple[float, str]:
        found = prediction.extraction
        scored = score_unit(trees[example.number], None if found is None else found.to_json())
        score = program_score(scored)
        return score, program_feedback(score, scored.errors, name)

    return Task(WHOLE, ProgramStudent(settings, ledger), examples, judged, ledger)


def program_score(scored: UnitScore) -> float:
    """Return the mean of all metrics of a unit that has something to score, each as a share."""
    if scored.missing:
        return 0.0
    shares = [(scored.value(m), 100.0, 0.0) for m in PERCENT if m != "structural_f1_with_root"]
    shares += [(scored.value(m), BEST, WRONG) for m in SEMANTIC]
    return fmean((value - low) / (high - low) for value, high, low in shares if value is not None)
