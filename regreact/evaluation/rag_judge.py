"""A language model as judge of summaries of cited law (appendix D.20): comparisons first, then the score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dspy

from regreact.evaluation.rag import Comparison, RagScores, Scored
from signatures import judges
from signatures.passages import CitedSource, PassageView


class RagJudge(dspy.Module):
    """Asks the four questions about one summary; the model in use answers."""

    def __init__(self) -> None:
        super().__init__()
        self.faithfulness = dspy.Predict(judges.JudgeFaithfulness)
        self.relevance = dspy.Predict(judges.JudgeRelevance)
        self.completeness = dspy.Predict(judges.JudgeCompleteness)
        self.coverage = dspy.Predict(judges.JudgeCoverage)

    def forward(
        self,
        criterion: str,
        reference: CitedSource,
        passages: Sequence[PassageView],
        summary: str,
        key_facts: Sequence[str],
        thresholds: Sequence[str],
    ) -> RagScores:
        """Score one summary; arguments as for `regreact.evaluation.rag.score_summary`.

        Raises:
            dspy.LMError: The model fails.
            AdapterParseError: Its reply cannot be read.
        """
        given = {
            "criterion": criterion, "reference": reference, "passages": list(passages), "summary": summary,
            "key_facts": list(key_facts), "thresholds": list(thresholds),
        }  # fmt: skip
        asked = (self.faithfulness, self.relevance, self.completeness, self.coverage)
        return RagScores(*(_scored(ask(**given)) for ask in asked))


def _scored(reply: Any) -> Scored:
    items = []
    for comparison in reply.comparisons:
        first, *others = comparison.model_dump().values()
        items.append(Comparison(str(first), str(others[-1]), str(others[0]) if len(others) > 1 else ""))
    return Scored(int(reply.score), tuple(items))
