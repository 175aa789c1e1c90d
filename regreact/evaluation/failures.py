"""Failure taxonomy: every wrong field with the first stage that erred (`failure_rules` says how it is told)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from regreact.evaluation.failure_facts import Facts
from regreact.evaluation.failure_rules import STAGES, Case, trace
from regreact.evaluation.gold import GoldTree
from regreact.evaluation.score_report import FieldResult
from regreact.evaluation.scoring import score_unit
from regreact.sources.model import Unit


@dataclass(frozen=True, slots=True)
class Failure:
    """One wrong field and the first stage that erred.

    Attributes:
        unit: Unit key.
        document: Source document id.
        criterion_id: The gold criterion; the predicted one where gold has none.
        field: As in `FieldResult`, besides `verbatim_text` and `enrichment`.
        stage: One of `STAGES`.
        rule: Name of the rule that told, `own stage` if none applied.
        gold: Value of the annotation, as text.
        predicted: Value of the prediction, as text.
    """

    unit: str
    document: str
    criterion_id: str
    field: str
    stage: str
    rule: str
    gold: str
    predicted: str


def failures(gold: GoldTree, prediction: Mapping[str, Any], unit: Unit) -> Iterator[Failure]:
    """Yield every wrong field of a unit with the stage it is traced to.

    Args:
        gold: The gold tree with its texts.
        prediction: Content of an extraction file, anybody's.
        unit: The source that gold was annotated on.
    """
    facts = Facts.of(gold, prediction, unit)
    wrong = [*score_unit(gold, prediction).errors, *_texts(gold, facts), *_unresolved(gold, facts, prediction)]
    for result in wrong:
        wanted = facts.gold.get(result.criterion_id)
        found = facts.partner(wanted) if wanted is not None else facts.predicted.get(result.criterion_id)
        stage, rule = trace(Case(result, wanted, found, facts))
        yield Failure(
            gold.unit, gold.source, result.criterion_id, result.field, stage, rule, result.gold, result.predicted
        )


def _texts(gold: GoldTree, facts: Facts) -> Iterator[FieldResult]:
    for wanted in facts.gold.values():
        found = facts.partner(wanted)
        if found is not None and found.text != wanted.text:
            yield FieldResult(gold.unit, wanted.criterion_id, "verbatim_text", False, wanted.text, found.text)


def _unresolved(gold: GoldTree, facts: Facts, prediction: Mapping[str, Any]) -> Iterator[FieldResult]:
    """Yield citations that gold has too and that were looked up without finding the provision."""
    for criterion_id, phrase in facts.unresolved(prediction):
        yield FieldResult(gold.unit, criterion_id, "enrichment", False, f"text of {phrase}", "not found")


def counts(found: Iterable[Failure]) -> dict[str, Counter[str]]:
    """Return the number of wrong fields by stage and field, all stages in order."""
    table: dict[str, Counter[str]] = {stage: Counter() for stage in STAGES}
    for failure in found:
        table[failure.stage][failure.field] += 1
    return table
