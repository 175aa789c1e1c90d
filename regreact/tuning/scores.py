"""How right the answers to one question are: in [0, 1] for a unit, and item by item for feedback.

The semantic fields are scored by the rubric of `regreact.evaluation.semantic`, the tree by structural F1, labels and
lists by equality, summaries by their numbers and words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from pydantic import TypeAdapter

from regreact.answers import Answer, Inheritance, Place
from regreact.evaluation.alignment import FlatNode, align
from regreact.evaluation.semantic import dependency_score, footnote_score, reference_score, threshold_score, words
from regreact.evaluation.semantic.deductions import BEST, EMPTY, WRONG
from regreact.evaluation.stage_gold import GoldQuestion
from regreact.evaluation.structural import structural_score
from regreact.schema import CRITERION_FIELDS, Footnote
from signatures.types import FootnoteValue

# Numbers, and the marks that a summary ends with: [THRESHOLD_FROM:1(a)].
_EXACT = re.compile(r"\[[A-Z_]+[^\]]*\]|\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Mistake:
    """An answer that is not fully right.

    Attributes:
        item_id: Criterion, block or footnote.
        score: In [0, 1].
        wanted: The annotation, as JSON.
        given: The answer, as JSON; "no answer" if there is none.
        source: Text that it was read from.
    """

    item_id: str
    score: float
    wanted: str
    given: str
    source: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """Score of a unit in [0, 1] and what is wrong; a unit without anything to find or found scores 1."""

    score: float
    mistakes: tuple[Mistake, ...]


def judge(question: GoldQuestion, given: Mapping[str, Answer[Any]]) -> Judgement:
    """Compare answers with the gold.

    Args:
        question: What was asked, with the right answers.
        given: Answers by item id; an item without one counts as wrong even if the gold has nothing there.
    """
    name = question.signature.__name__
    texts = _texts(question.inputs)
    scored: list[float] = []
    mistakes = []
    for item_id, answer in question.answers.items():
        found = given.get(item_id)
        score = 0.0 if found is None else SCORERS[name](answer.value, found.value, texts.get(item_id, ""))
        if score is None:
            continue
        scored.append(score)
        if score < 1:
            shown = "no answer" if found is None else shown_value(found.value)
            mistakes.append(Mistake(item_id, score, shown_value(answer.value), shown, texts.get(item_id, "")))
    if name == "ParseStructure":
        return Judgement(_tree_score(question, given), tuple(mistakes))
    return Judgement(fmean(scored) if scored else 1.0, tuple(mistakes))


def shown_value(value: Any) -> str:
    """Return a value as JSON, for people and models."""
    return json.dumps(TypeAdapter(Any).dump_python(value, mode="json", by_alias=True), ensure_ascii=False)


def _texts(inputs: Mapping[str, Any]) -> dict[str, str]:
    texts = {str(b.index): b.text for b in inputs.get("blocks", ())}
    texts.update({c.criterion_id: c.text for c in inputs.get("criteria", ())})
    texts.update({f.id: f.text for f in inputs.get("footnotes", ())})
    return texts


def _share(score: float) -> float | None:
    """Return a rubric score of 1 to 5 as a share; None for 0, which says that both sides have nothing."""
    return None if score == EMPTY else (score - WRONG) / (BEST - WRONG)


def _equal(wanted: Any, found: Any, _: str) -> float:
    return float(wanted == found)


def _equal_lists(wanted: Any, found: Any, _: str) -> float | None:
    """Compare without regard to order; None if both are empty."""
    if not wanted and not found:
        return None
    return float(sorted(wanted) == sorted(found))


def _place(wanted: Place, found: Place, _: str) -> float:
    return ((wanted.criterion_id == found.criterion_id) + (wanted.parent == found.parent)) / 2


def _footnote(wanted: FootnoteValue, found: FootnoteValue, text: str) -> float | None:
    gold, other = (
        Footnote(id="fn-1", verbatim=text, categories=v.categories, items=v.items, definitions=v.definitions)
        for v in (wanted, found)
    )
    return _share(footnote_score([gold], [other]))


def _depends(wanted: Any, found: Any, part: str) -> float | None:
    nothing: dict[str, Any] = {"dependencies": None, "threshold_from": None, "corrections": frozenset()}
    return _share(dependency_score({**nothing, part: wanted}, {**nothing, part: found}))


def _corrections(wanted: Any, found: Any, _: str) -> float | None:
    first, second = (frozenset((c.from_, c.to) for c in side) for side in (wanted, found))
    return _depends(first, second, "corrections")


def _inherited(wanted: Inheritance, found: Inheritance, _: str) -> float | None:
    """Score origin and what is taken over, with equal weight."""
    origin = _depends(wanted.threshold_from, found.threshold_from, "threshold_from")
    taken = _share(threshold_score(wanted.threshold, found.threshold))
    parts = [p for p in (origin, taken) if p is not None]
    return fmean(parts) if parts else None


def _summary(wanted: str, found: str, _: str) -> float:
    """Score numbers and marks, and content words, by F1 with equal weight.

    A rule has many good wordings: words count in full from an F1 of two thirds.
    """
    exact = _f1(set(_EXACT.findall(wanted)), set(_EXACT.findall(found)))
    return (exact + min(1.0, 1.5 * _f1(words(wanted), words(found)))) / 2


def _f1(a: set[str], b: set[str]) -> float:
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0


# Scorer of one item by signature: right value, given value, source text -> share, None if there is nothing to score.
SCORERS: dict[str, Callable[[Any, Any, str], float | None]] = {
    "ParseStructure": _place,
    "ExtractThresholds": lambda wanted, found, _: _share(threshold_score(wanted, found)),
    "ExtractReferences": lambda wanted, found, text: _share(reference_score(wanted, found, text)),
    "ProcessFootnotes": _footnote,
    "DetectPathways": _equal_lists,
    "ClassifyApplicability": _equal,
    "AssignTags": lambda wanted, found, _: float(set(wanted) == set(found)),
    "InferLogic": _equal,
    "CorrectCrossReferences": _corrections,
    "InheritThresholds": _inherited,
    "ResolveDependencies": lambda wanted, found, _: _depends(wanted, found, "dependencies"),
    "SummariseRules": _summary,
}


def _tree_score(question: GoldQuestion, given: Mapping[str, Answer[Any]]) -> float:
    """Return structural F1 without ROOT of the places of all blocks."""
    texts = _texts(question.inputs)
    gold, found = (
        _nodes({i: a.value for i, a in answers.items() if i in question.answers}, texts)
        for answers in (question.answers, given)
    )
    return structural_score(align(gold, found), with_root=False).f1


def _nodes(places: Mapping[str, Place], texts: Mapping[str, str]) -> list[FlatNode]:
    named = {i: p for i, p in places.items() if p.criterion_id}
    below: dict[str, list[str]] = {}
    for place in named.values():
        below.setdefault(place.parent, []).append(place.criterion_id)
    return [
        FlatNode(
            p.criterion_id,
            p.parent or None,
            frozenset(i for i in below[p.parent] if i != p.criterion_id),
            len(below.get(p.criterion_id, ())),
            {**dict.fromkeys(CRITERION_FIELDS), "verbatim_text": texts.get(i, "")},
        )
        for i, p in named.items()
    ]
