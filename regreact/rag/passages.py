"""What is indexed and what a search returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of an act that is searched as one.

    Attributes:
        act: Id of the act and its version (`LegalAct.id`).
        addresses: Provisions that it holds, whole or in part, in order; the first is the one it begins in.
        context: Headings above it, outermost first ("Chapter II, Article 29 Sustainability criteria …").
        text: Its text as printed, one printed paragraph a line.
    """

    act: str
    addresses: tuple[str, ...]
    context: str
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk that answers a query.

    Attributes:
        chunk: What was found.
        score: Score of the last ranking that was applied; comparable within one search only.
        ranks: Rank in each ranking that took part, counted from 1 (`lexical`, `dense`, `maxsim`).
    """

    chunk: Chunk
    score: float
    ranks: Mapping[str, int] = field(default_factory=dict)


class Retriever(Protocol):
    """Searches one act."""

    def search(self, query: str, k: int = 5) -> list[Passage]:
        """Return the best `k` passages, best first; empty if nothing has a word of the query in it."""
        ...
