"""Query-focused summary of passages for one criterion (paper section 3.6, appendix D.18).

The observers hold it to the passages: numbers, dates, places, comparisons, quotes. A model that does not keep to them
is asked again, then the extractive fast path answers. What a model leaves out of the numbers and dates of a short cited
provision is added by rule.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import dspy

from regreact.config import Settings
from regreact.fastpath.retrieval.limits import threshold_phrases
from regreact.fastpath.retrieval.statements import statements
from regreact.legal.mentions import Mention, find_mentions, is_within
from regreact.legal.place_names import place_name
from regreact.observers.base import Issue
from regreact.observers.retrieval import unreported
from regreact.rag.asking import Ask, Asked
from regreact.rag.iterate import Pair, views
from regreact.rag.passages import Passage
from regreact.schema import AnsweredBy, Enrichment
from signatures.passages import Located, PassageView, SourceSummary
from signatures.retrieval import SummarisePassages


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary and how it came about.

    Attributes:
        value: The summary.
        answered_by: Who wrote it.
        issues: What the observers still find.
        attempts: Requests to the model.
    """

    value: SourceSummary
    answered_by: AnsweredBy
    issues: tuple[Issue, ...] = ()
    attempts: int = 0

    def to_enrichment(self, confidence: float | None = None) -> Enrichment:
        """Return the summary as it is stored inline.

        Args:
            confidence: That of the retrieval, where the summary's own is not wanted.
        """
        value = self.value
        return Enrichment(
            status="retrieved",
            summary=value.summary,
            key_facts=tuple(_with_place(f) for f in value.key_facts),
            thresholds=tuple(_with_place(t) for t in value.thresholds),
            confidence=value.confidence if confidence is None else confidence,
        )


def _with_place(located: Located) -> str:
    name = place_name(located.address)
    return f"{located.text} [{name}]" if name else located.text


class Summariser(dspy.Module):
    """Summarises passages for one pair of criterion and source."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        empty = SourceSummary(summary="")
        self.ask = Ask(SummarisePassages, settings, empty)

    def forward(self, pair: Pair, passages: Sequence[Passage]) -> Summary:
        """Summarise passages, best first.

        Raises:
            LMRequiredError: The mode needs a model and there is none.
            LMCallError: The model fails for good.
        """
        shown = views(passages)
        asked: Asked = self.ask(criterion=pair.text, reference=pair.reference, passages=shown)
        value = completed(asked.value, shown, unreported(asked.value, shown, pair.reference))
        issues = tuple(i for i in asked.issues if i.observer != "numbers_reported")
        return Summary(value, asked.answered_by, issues, asked.attempts)


def completed(
    value: SourceSummary, passages: Sequence[PassageView], missing: dict[str, list[Mention]]
) -> SourceSummary:
    """Return a summary with the clauses that state the missing numbers and dates among its thresholds.

    Args:
        value: The summary.
        passages: What it summarises.
        missing: Missing mentions by provision (`unreported`).
    """
    added: list[Located] = []
    for place, mentions in missing.items():
        keys = {(m.kind, m.key) for m in mentions}
        for s in statements(passages):
            if not is_within(s.address, place) or not _mentions(s.text, keys):
                continue
            phrases = [p for p in threshold_phrases(s.text, s.chapeau, s.cells) if _mentions(p, keys)]
            # A number without unit or comparison is in no clause that sets a limit.
            whole = {(m.kind, m.key) for p in phrases for m in find_mentions(p)}
            lost = any((m.kind, m.key) in keys - whole for m in find_mentions(s.text))
            added.extend(Located(text=p, address=s.address) for p in ([s.full] if lost else phrases))
    return value.model_copy(update={"thresholds": (*value.thresholds, *dict.fromkeys(added))}) if added else value


def _mentions(text: str, keys: Collection[tuple[str, str]]) -> bool:
    return any((m.kind, m.key) in keys for m in find_mentions(text))


def summarise(pair: Pair, passages: Sequence[Passage], settings: Settings) -> Summary:
    """Summarise passages for a criterion (see `Summariser`)."""
    summary: Summary = Summariser(settings)(pair, passages)
    return summary
