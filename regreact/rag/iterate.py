"""Criterion-conditioned retrieval in rounds (paper section 3.6): query, search, evaluation, sharper query.

A round whose passages leave the confidence below tau is followed by another one with a query for the gaps, three
rounds at most; the best is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import dspy

from regreact.config import Settings
from regreact.rag.asking import Ask, Asked
from regreact.rag.passages import Passage, Retriever
from regreact.schema import AnsweredBy, Definition, RetrievalRecord
from signatures.passages import CitedSource, Evaluation, Gap, PassageView
from signatures.retrieval import EvaluatePassages, RefineQuery, RewriteQuery
from signatures.types import CriterionView, UnitHeader


@dataclass(frozen=True, slots=True)
class Pair:
    """A criterion and a source that it cites.

    Attributes:
        unit: Section of the criterion.
        criterion: Its view; its text is what the source is read for.
        reference: The source.
        above: Texts of the criteria above it, outermost first: an item of a list makes no sense without its chapeau.
        terms: Abbreviations and terms that the section explains.
    """

    unit: UnitHeader
    criterion: CriterionView
    reference: CitedSource
    above: tuple[str, ...] = ()
    terms: tuple[Definition, ...] = ()

    @property
    def text(self) -> str:
        """The criterion with those above it, one a line."""
        return "\n".join([*self.above, self.criterion.text])


@dataclass(frozen=True, slots=True)
class Iteration:
    """One round.

    Attributes:
        query: What was searched for.
        passages: What was found, best first.
        confidence: How well it answers, in [0, 1].
        gaps: What it lacks.
        query_by: Who wrote the query.
        evaluated_by: Who evaluated the passages.
    """

    query: str
    passages: tuple[Passage, ...]
    confidence: float
    gaps: tuple[Gap, ...]
    query_by: AnsweredBy
    evaluated_by: AnsweredBy


@dataclass(frozen=True, slots=True)
class Found:
    """What the rounds found.

    Attributes:
        passages: Relevant passages of the best round, best first.
        queries: Query of each round.
        gaps: What the best round lacks.
        iterations: All rounds.
        confidence: Of the best round.
    """

    passages: tuple[Passage, ...]
    queries: tuple[str, ...]
    gaps: tuple[Gap, ...]
    iterations: tuple[Iteration, ...]
    confidence: float

    @property
    def addresses(self) -> tuple[str, ...]:
        """Addresses of the passages, without repetition."""
        return tuple(dict.fromkeys(a for p in self.passages for a in p.chunk.addresses))

    def to_record(self, criterion_id: str, source: str) -> RetrievalRecord:
        """Return the entry of the extraction's `retrieval` list."""
        return RetrievalRecord(
            criterion_id=criterion_id,
            source=source,
            addresses=self.addresses,
            queries=self.queries,
            gaps=tuple(str(g) for g in self.gaps),
            iterations=len(self.iterations),
            confidence=self.confidence,
        )


def views(passages: Sequence[Passage]) -> list[PassageView]:
    """Return passages as a signature takes them; their ids are `p1`, `p2` …"""
    return [
        PassageView(id=f"p{n}", addresses=p.chunk.addresses, context=p.chunk.context, text=p.chunk.text)
        for n, p in enumerate(passages, start=1)
    ]


class Retrieval(dspy.Module):
    """The rounds for one pair of criterion and source.

    Args:
        settings: Mode, model, loop, and of `rag` the rounds, their tau and the number of passages.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.rewrite = Ask(RewriteQuery, settings, "")
        self.evaluate = Ask(EvaluatePassages, settings, Evaluation(confidence=0.0))
        self.refine = Ask(RefineQuery, settings, "")

    def forward(self, pair: Pair, retriever: Retriever) -> Found:
        """Search the source for what the criterion needs from it.

        Args:
            pair: Criterion and source.
            retriever: Searches the source.

        Raises:
            LMRequiredError: The mode needs a model and there is none.
            LMCallError: The model fails for good.
        """
        rag = self.settings.rag
        query = self.first_query(pair)
        rounds: list[Iteration] = []
        while query.value and len(rounds) < rag.rounds and query.value not in [r.query for r in rounds]:
            passages = retriever.search(query.value, rag.passages)
            rounds.append(self._round(pair, query, passages))
            last = rounds[-1]
            if last.confidence >= rag.tau or not last.gaps:
                break
            query = self.refine(original_query=rounds[0].query, gaps=list(last.gaps))
        return _best(rounds)

    def first_query(self, pair: Pair) -> Asked:
        """Return the question that the first round asks."""
        unit = pair.unit
        asked: Asked = self.rewrite(
            query=pair.text,
            activity=unit.activity,
            objective=unit.objective,
            section=unit.section,
            reference=pair.reference,
            terms=list(pair.terms),
        )
        return asked

    def judge(self, pair: Pair, passages: Sequence[Passage]) -> Asked:
        """Return the evaluation of passages, however they were found."""
        asked: Asked = self.evaluate(criterion=pair.text, reference=pair.reference, passages=views(passages))
        return asked

    def _round(self, pair: Pair, query: Asked, passages: Sequence[Passage]) -> Iteration:
        judged = self.judge(pair, passages)
        value: Evaluation = judged.value
        by_id = {f"p{n}": p for n, p in enumerate(passages, start=1)}
        relevant = tuple(by_id[i] for i in value.relevant if i in by_id)
        return Iteration(
            query.value, relevant, value.confidence, value.gaps, query.answered_by, judged.answered_by
        )


def _best(rounds: Sequence[Iteration]) -> Found:
    """Return the result of the round with the highest confidence, the earliest of equals."""
    if not rounds:
        return Found((), (), (), (), 0.0)
    best = max(rounds, key=lambda r: r.confidence)
    return Found(best.passages, tuple(r.query for r in rounds), best.gaps, tuple(rounds), best.confidence)


def retrieve(pair: Pair, retriever: Retriever, settings: Settings) -> Found:
    """Search a source for what a criterion needs from it (see `Retrieval`)."""
    found: Found = Retrieval(settings)(pair, retriever)
    return found
