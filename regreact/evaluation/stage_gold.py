"""What the stages ask on an annotated unit, and the right answers: material for examples and optimizers.

The program runs with every question answered from the gold instead of by a solver or a model, so that inputs are
those that the stages build. A gold tree that comes out as it went in shows that the answers belong together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dspy

from regreact.answers import Answer, Inheritance, LogicValue, Place
from regreact.baselines import section_inputs
from regreact.config import LMSettings, Settings
from regreact.evaluation.gold import GoldNode, GoldTree, GoldUnit, attach
from regreact.identifiers import anchor_of
from regreact.odr import Outcome, Question
from regreact.program import RegReAct
from regreact.schema import Criterion, Quantitative, QuantitativeItem, Temporal, Threshold
from regreact.sources.model import Unit
from signatures.baseline import ExtractSection
from signatures.types import CorrectionValue, FlatFootnote, FlatNode, FootnoteValue

ROOT = "ROOT"


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question of a stage on an annotated unit.

    Attributes:
        signature: What is asked.
        inputs: Inputs of the signature without `asked` and `guidance`.
        answers: The right answer to each item asked, in the order asked.
    """

    signature: type[dspy.Signature]
    inputs: Mapping[str, Any]
    answers: Mapping[str, Answer[Any]]


def stage_gold(gold: GoldUnit, unit: Unit) -> list[GoldQuestion]:
    """Return all questions that the stages ask on a unit, with the answers of its gold.

    Args:
        gold: Annotations, one block to a criterion.
        unit: The unit they were made on.

    Raises:
        ValueError: The stages make another tree of these answers than the gold's.
    """
    tree = attach(gold, unit)
    program = RegReAct(Settings(lm=LMSettings(examples=0)), remember=False)
    asked: list[GoldQuestion] = []
    values = _values(gold, tree)
    for question in _questions(program):
        _answer_by(question, values[question.step.name], asked)
    made = program(unit=unit).criteria
    if _nodes(made) != _nodes(tree.root):
        raise ValueError(f"{gold.unit}: the stages make another tree of the gold's answers")
    return asked


def section_gold(gold: GoldUnit, unit: Unit) -> GoldQuestion:
    """Return the question of the single pass, with the gold's nodes."""
    records = {c.criterion_id: c for c in attach(gold, unit).root.walk()}
    answers = {}
    for node in gold.nodes:
        record = records[node.criterion_id]
        flat = FlatNode(
            **record.model_dump(include=set(FlatNode.model_fields) - {"footnotes"}),
            parent=node.parent,
            block=node.blocks[0] if node.blocks else None,
            corrections=[CorrectionValue(from_=c.from_, to=c.to) for c in node.corrections],
            threshold_from=node.threshold_from,
            footnotes=[
                FlatFootnote(
                    id=f.id,
                    footnote=FootnoteValue(categories=f.categories, items=f.items, definitions=f.definitions),
                )
                for f in record.footnotes
            ],
        )
        answers[node.criterion_id] = Answer(node.criterion_id, flat, 1.0)
    return GoldQuestion(ExtractSection, section_inputs(unit), answers)


def _nodes(root: Criterion) -> dict[str, tuple[Criterion, frozenset[str]]]:
    """Return each criterion by id with the ids of its children, in whatever order these come."""
    return {
        c.criterion_id: (c.model_copy(update={"sub_criteria": ()}), frozenset(s.criterion_id for s in c.sub_criteria))
        for c in root.walk()
    }


def _questions(program: RegReAct) -> Iterator[Question]:
    for stage in program.stages:
        yield from (part for part in vars(stage).values() if isinstance(part, Question))


def _answer_by(question: Question, values: Callable[[str], Any], asked_so_far: list[GoldQuestion]) -> None:
    """Make a question answer from the gold, and note what it is asked."""
    signature = question.step.signature

    def forward(inputs: Mapping[str, Any], asked: Sequence[str], *_: Any) -> Outcome:
        answers = {i: Answer(i, values(i), 1.0) for i in asked}
        asked_so_far.append(GoldQuestion(signature, dict(inputs), answers))
        return Outcome(answers)

    question.forward = forward  # type: ignore[method-assign, assignment]


def _values(gold: GoldUnit, tree: GoldTree) -> dict[str, Callable[[str], Any]]:
    """Return the right value of an item by signature and item id."""
    nodes = {n.criterion_id: n for n in gold.nodes}
    records = {c.criterion_id: c for c in tree.root.walk()}
    footnotes = {f.id: f for c in records.values() for f in c.footnotes}
    blocks = {str(b): n for n in gold.nodes for b in n.blocks}
    return {
        "ParseStructure": lambda i: _place(blocks[i], nodes),
        "ExtractThresholds": lambda i: _split(nodes[i], nodes)[0],
        "ExtractReferences": lambda i: records[i].references,
        "ProcessFootnotes": lambda i: FootnoteValue(
            categories=footnotes[i].categories, items=footnotes[i].items, definitions=footnotes[i].definitions
        ),
        "DetectPathways": lambda i: _groups(i, gold.nodes),
        "ClassifyApplicability": lambda i: nodes[i].applicability,
        "AssignTags": lambda i: nodes[i].tags,
        "InferLogic": lambda i: LogicValue(nodes[i].evaluation_logic, nodes[i].n_required),
        "CorrectCrossReferences": lambda i: tuple(
            CorrectionValue(from_=c.from_, to=c.to) for c in nodes[i].corrections
        ),
        "InheritThresholds": lambda i: Inheritance(nodes[i].threshold_from, _split(nodes[i], nodes)[1]),
        "ResolveDependencies": lambda i: nodes[i].dependencies,
        "SummariseRules": lambda i: nodes[i].rule_summary,
    }


def _is_container(node: GoldNode) -> bool:
    return not node.blocks and node.criterion_id != ROOT


def _place(node: GoldNode, nodes: Mapping[str, GoldNode]) -> Place:
    """Return the place of a block before stage 3 inserts containers."""
    parent = node.parent
    while parent is not None and _is_container(nodes[parent]):
        parent = nodes[parent].parent
    return Place(node.criterion_id, parent or "")


def _groups(criterion_id: str, nodes: Sequence[GoldNode]) -> tuple[tuple[str, ...], ...]:
    """Return the members of the containers below a criterion, in the order of `DetectPathways`."""
    groups = []
    for box in nodes:
        if box.parent == criterion_id and _is_container(box):
            members = [n.criterion_id for n in nodes if n.parent == box.criterion_id]
            items = [m for m in members if anchor_of(m) is None]
            groups.append((items[0], *(m for m in members if m not in items), *items[1:]))
    return tuple(groups)


def _split(node: GoldNode, nodes: Mapping[str, GoldNode]) -> tuple[Threshold | None, Threshold | None]:
    """Return the thresholds that a criterion states itself, and those that it takes over.

    The gold holds both together. What has the number and unit of a limit of the source, or stands in the source's
    dates while no limit is taken over, is taken over.
    """
    whole = node.threshold
    if whole is None or node.threshold_from is None:
        return whole, None
    origins = [n for n in nodes.values() if node.threshold_from in (n.criterion_id, n.parent)]
    limits = {_number(i) for n in origins for i in _limits(n.threshold)}
    taken = tuple(i for i in _limits(whole) if _number(i) in limits)
    own = tuple(i for i in _limits(whole) if _number(i) not in limits)
    dates = whole.temporal.items if whole.temporal else ()
    source = nodes[node.threshold_from].threshold
    source_dates = source.temporal.items if source and source.temporal and not taken else ()
    joiner = whole.quantitative.logic if whole.quantitative else None
    return (
        _threshold(own, joiner, tuple(d for d in dates if d not in source_dates)),
        _threshold(taken, joiner, tuple(d for d in dates if d in source_dates)),
    )


def _limits(threshold: Threshold | None) -> tuple[QuantitativeItem, ...]:
    return threshold.quantitative.items if threshold and threshold.quantitative else ()


def _number(item: QuantitativeItem) -> tuple[float, str]:
    return item.value, item.unit


def _threshold(limits: tuple[QuantitativeItem, ...], joiner: Any, dates: tuple[Any, ...]) -> Threshold | None:
    if not limits and not dates:
        return None
    return Threshold(
        quantitative=Quantitative(logic=joiner if len(limits) > 1 else None, items=limits) if limits else None,
        temporal=Temporal(logic="AND" if len(dates) > 1 else None, items=dates) if dates else None,
    )
