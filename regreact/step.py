"""A step answers one typed signature, by the fast path or by the language model, item by item."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError

from regreact.answers import Answer, CelexRepair, Inheritance, LogicValue, Place, accepted, find_solver
from regreact.config import LMSettings
from regreact.examples import examples, of_other_units
from regreact.guard import typed
from regreact.observers.base import Issue
from regreact.overlap import overlapped
from regreact.prices import CHARS_PER_TOKEN
from regreact.schema import TAG_ORDER, Span
from signatures import types as t


@dataclass(frozen=True, slots=True)
class Codec:
    """How an item of a signature maps to an answer: its id and its value."""

    item_id: Callable[[Any], str]
    value: Callable[[Any], Any]


def _criterion(item: Any) -> str:
    return str(item.criterion_id)


CODECS: dict[str, Codec] = {
    "ParseStructure": Codec(lambda i: str(i.block), lambda i: Place(i.criterion_id, i.parent)),
    "ExtractThresholds": Codec(_criterion, lambda i: i.threshold),
    "ExtractReferences": Codec(_criterion, lambda i: i.references),
    "RepairCelex": Codec(lambda i: str(i.id), lambda i: CelexRepair(i.celex_id.strip(), i.reason)),
    "ProcessFootnotes": Codec(lambda i: str(i.id), lambda i: i.footnote),
    "DetectPathways": Codec(_criterion, lambda i: tuple(tuple(g) for g in i.groups)),
    "InferLogic": Codec(_criterion, lambda i: LogicValue(i.evaluation_logic, i.n_required)),
    "ClassifyApplicability": Codec(_criterion, lambda i: i.applicability),
    "AssignTags": Codec(_criterion, lambda i: tuple(tag for tag in TAG_ORDER if tag in i.tags)),
    "CorrectCrossReferences": Codec(_criterion, lambda i: tuple(i.corrections)),
    "InheritThresholds": Codec(_criterion, lambda i: Inheritance(i.threshold_from, i.threshold)),
    "ResolveDependencies": Codec(_criterion, lambda i: i.dependencies),
    "SummariseRules": Codec(_criterion, lambda i: i.rule_summary),
}


# Questions whose answers name other criteria of the section.
RELATING = frozenset({"CorrectCrossReferences", "DetectPathways", "InheritThresholds", "ResolveDependencies"})


def _texts(inputs: Mapping[str, Any]) -> dict[str, tuple[int, str]]:
    """Return block number and text by item id, for locating quotes."""
    texts: dict[str, tuple[int, str]] = {}
    for view in inputs.get("blocks", ()):
        texts[str(view.index)] = (view.index, view.text)
    for view in inputs.get("criteria", ()):
        if view.block is not None:
            texts[view.criterion_id] = (view.block, view.text)
    return texts


def locate(quotes: Iterable[str], block: int, text: str) -> tuple[Span, ...]:
    """Return the spans of quotes in a block's text; quotes that do not occur are left out."""
    spans = []
    for quote in quotes:
        start = text.find(quote) if quote else -1
        if start >= 0:
            spans.append((block, start, start + len(quote)))
    return tuple(spans)


def _invented(item_id: str, quotes: Iterable[str], text: str) -> Iterator[Issue]:
    """Yield an issue for each quote that the source does not have."""
    for quote in quotes:
        if text and quote and quote not in text:
            shown = quote if len(quote) <= 80 else f"{quote[:80]}…"
            yield Issue(item_id, "semantic", "minor", "quotes", f"{shown!r} is not in the source", observer="quotes")


class Step(dspy.Module):
    """Answers one signature for the items it is asked for.

    Args:
        signature: A stage signature: inputs, `asked`, `guidance`, and one output `answers`.
        lm: Model settings; how questions are put and batched.

    Example:
        >>> from signatures.thresholds import ExtractThresholds
        >>> from signatures.types import CriterionView, UnitHeader
        >>> unit = UnitHeader(unit="X-1/SC", activity="Ore washing", objective="", section="SC")
        >>> one = CriterionView(criterion_id="1", parent="ROOT", block=0, text="Losses are below 5 %.")
        >>> answers = Step(ExtractThresholds, LMSettings()).by_rule({"unit": unit, "criteria": [one]})
        >>> answers["1"].value.quantitative.items[0].value
        5.0
    """

    def __init__(self, signature: type[dspy.Signature], lm: LMSettings) -> None:
        super().__init__()
        self.signature = signature
        self.name = signature.__name__
        self.task = signature.instructions
        self.codec = CODECS[self.name]
        self.settings = lm
        self.predict = dspy.ChainOfThought(signature) if lm.reasoning else dspy.Predict(signature)
        (self.predictor,) = self.predict.predictors()
        self.predictor.demos = examples(signature, lm.examples)

    def by_rule(self, inputs: Mapping[str, Any]) -> dict[str, Answer[Any]]:
        """Answer by the registered solver.

        Returns:
            Answers by item id; items that the solver abstains from are missing.
        """
        solve = find_solver(self.name)
        if solve is None:
            return {}
        taken = accepted(solve)
        return {answer.id: answer for answer in solve(**{k: v for k, v in inputs.items() if k in taken})}

    def by_lm(
        self, inputs: Mapping[str, Any], asked: Sequence[str], guidance: str = "", rollout: int = 0
    ) -> tuple[dict[str, Answer[Any]], list[Issue]]:
        """Ask the model for some items.

        Args:
            inputs: Inputs of the signature without `asked` and `guidance`.
            asked: Ids of the items wanted.
            guidance: What to do differently; "" on the first attempt.
            rollout: Number of the attempt; above 0 the reply is sampled afresh instead of replayed from the cache.

        Returns:
            Answers by item id (only ids that were asked for), and an issue for every reply that cannot be parsed and
            every item that is missing from a reply.

        Raises:
            LMCallError: The model cannot be reached or refuses the request.
        """
        answers: dict[str, Answer[Any]] = {}
        issues: list[Issue] = []
        texts = _texts(inputs)

        def ask(batch: list[str]) -> list[t.Item | Issue]:
            return list(self._ask(narrowed(self.name, inputs, batch), batch, guidance, rollout))

        batches = list(self._batches(inputs, asked))
        for batch, items in zip(batches, overlapped(ask, batches), strict=True):
            for item in items:
                if isinstance(item, Issue):
                    issues.append(item)
                    continue
                item_id = self.codec.item_id(item)
                if item_id not in batch:
                    continue
                block, text = texts.get(item_id, (0, ""))
                spans = locate(item.quotes, block, text)
                issues.extend(_invented(item_id, item.quotes, text))
                answers[item_id] = Answer(item_id, self.codec.value(item), item.confidence, spans, "lm")
        missing = [i for i in asked if i not in answers]
        issues.extend(
            Issue(i, "structural", "critical", "items", "no answer in the model's reply", observer="reply")
            for i in missing
        )
        return answers, issues

    def _ask(
        self, inputs: Mapping[str, Any], asked: Sequence[str], guidance: str, rollout: int
    ) -> Iterator[t.Item | Issue]:
        config: dict[str, Any] = {}
        if rollout:
            config = {"rollout_id": rollout, "temperature": max(0.7, self.settings.temperature)}
        # Citations of a whole run are verified together: they belong to no unit.
        unit = inputs["unit"].unit if "unit" in inputs else ""
        demos = of_other_units(self.predictor.demos, unit)
        try:
            reply = self.predict(**inputs, demos=demos, asked=list(asked), guidance=guidance, config=config)
        except AdapterParseError as error:
            reason = str(error).splitlines()[0][:200]
            yield Issue("", "structural", "critical", "items", f"reply cannot be parsed: {reason}", observer="reply")
            return
        except dspy.LMError as error:
            raise typed(error, self.name) from None
        if reply.answers is None:
            yield Issue("", "structural", "critical", "items", "the reply holds no answers", observer="reply")
            return
        yield from reply.answers

    def _batches(self, inputs: Mapping[str, Any], asked: Sequence[str]) -> Iterator[list[str]]:
        """Split ids so that the text of each batch stays within the token budget; an item is never split."""
        sizes = {i: len(text) for i, (_, text) in _texts(inputs).items()}
        sizes.update({f.id: len(f.text) for f in inputs.get("footnotes", ())})
        budget = self.settings.batch_tokens * CHARS_PER_TOKEN
        batch: list[str] = []
        used = 0
        for item_id in asked:
            size = sizes.get(item_id, 0) + 40
            if batch and used + size > budget:
                yield batch
                batch, used = [], 0
            batch.append(item_id)
            used += size
        if batch:
            yield batch


def narrowed(question: str, inputs: Mapping[str, Any], batch: Sequence[str]) -> dict[str, Any]:
    """Return a question's inputs with the criteria of a batch and, as repeated context, their ancestors and children.

    A question that relates criteria to one another keeps them all: any of them may be the answer.
    """
    criteria: Sequence[t.CriterionView] | None = inputs.get("criteria")
    if criteria is None or "blocks" in inputs or question in RELATING:
        return dict(inputs)
    wanted = set(batch) | {f.criterion_id for f in inputs.get("footnotes", ()) if f.id in batch}
    parents = {c.criterion_id: c.parent for c in criteria}
    keep = set(wanted)
    for start in wanted:
        up = parents.get(start)
        while up is not None and up not in keep:
            keep.add(up)
            up = parents.get(up)
    kept = dict(inputs)
    kept["criteria"] = [c for c in criteria if c.criterion_id in keep or c.parent in wanted]
    if "facts" in inputs:
        ids = {c.criterion_id for c in kept["criteria"]}
        kept["facts"] = [f for f in inputs["facts"] if f.criterion_id in ids]
    return kept
