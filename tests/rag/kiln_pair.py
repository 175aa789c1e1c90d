"""A pair of criterion and source from the invented act on kilns, passages of it, and a retriever with a script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from regreact.config import Settings
from regreact.rag.iterate import Pair
from regreact.rag.passages import Chunk, Passage
from signatures.passages import CitedSource, PassageView
from signatures.types import CriterionView, UnitHeader
from tests.fastpath.kiln_act import CRITERION, PARAGRAPH

UNIT = UnitHeader(unit="CCM-91.1/SC", activity="Lime burning", objective="mitigation", section="SC")


def pair(text: str = CRITERION, reference: CitedSource = PARAGRAPH) -> Pair:
    return Pair(UNIT, CriterionView(criterion_id="2", parent="ROOT", block=1, text=text), reference)


def passage(view: PassageView) -> Passage:
    return Passage(Chunk("32097L0005", view.addresses, view.context, view.text), 1.0)


def settings(mode: str = "only", **groups: Any) -> Settings:
    return Settings.model_validate({"fastpath": {"mode": mode}, **groups})


class ScriptedRetriever:
    """Returns the passages of each round in turn; remembers the queries."""

    def __init__(self, *rounds: Sequence[PassageView]) -> None:
        self.rounds = list(rounds)
        self.queries: list[str] = []

    def search(self, query: str, k: int = 5) -> list[Passage]:
        self.queries.append(query)
        return [passage(v) for v in self.rounds[len(self.queries) - 1]][:k]
