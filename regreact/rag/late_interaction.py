"""Late interaction over token vectors: candidate generation and exact MaxSim (Khattab and Zaharia, 2020).

A passage scores the sum, over the tokens of the query, of the best similarity with one of its tokens. Candidates are
the passages of the nearest tokens of each query token: exact (flat) up to some size, above it in a hierarchical
navigable small world graph (HNSW; Malkov and Yashunin, 2018), which needs faiss.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regreact.rag.encoders.base import Vectors

HNSW_LINKS = 32
HNSW_BUILD = 80  # efConstruction
HNSW_SEARCH = 128  # efSearch; faiss's own 16 loses recall


def faiss_or_none() -> Any:
    """Return the module `faiss`, or None where neither extra (index-cpu, gpu) is installed."""
    try:
        import faiss  # noqa: PLC0415  heavy, optional
    except ImportError:
        return None
    return faiss


class TokenVectors:
    """Token vectors of all passages of an index.

    Args:
        vectors: (tokens, dimensions) of all passages on end.
        starts: (passages + 1) first token of each passage, and the number of tokens.
        hnsw_above: Number of tokens above which candidates come from an HNSW graph, if faiss is installed.
    """

    def __init__(self, vectors: Vectors, starts: NDArray[np.int64], hnsw_above: int) -> None:
        self.vectors = vectors
        self.starts = starts
        self.hnsw_above = hnsw_above
        self._graph: Any = None
        self._owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))

    @classmethod
    def of(cls, passages: Sequence[Vectors], hnsw_above: int) -> TokenVectors:
        """Put the vectors of passages on end."""
        starts = np.cumsum([0, *(len(p) for p in passages)], dtype=np.int64)
        filled = [p for p in passages if len(p)]
        vectors = np.concatenate(filled).astype(np.float32) if filled else np.zeros((0, 0), dtype=np.float32)
        return cls(vectors, starts, hnsw_above)

    @property
    def uses_hnsw(self) -> bool:
        """True if candidates come from an HNSW graph."""
        return len(self.vectors) > self.hnsw_above and faiss_or_none() is not None

    def candidates(self, query: Vectors, per_token: int = 64) -> NDArray[np.int64]:
        """Return the passages of the `per_token` nearest tokens of each query token, in order of position."""
        if not len(self.vectors) or not len(query):
            return np.zeros(0, dtype=np.int64)
        nearest = self.nearest(query, per_token)
        found = nearest[nearest >= 0]  # -1 stands for none
        return np.unique(self._owner[found])

    def nearest(self, query: Vectors, n: int) -> NDArray[np.int64]:
        """Return (query tokens, n) the nearest tokens, by the graph if there is one, else exactly."""
        return self._hnsw(query, n) if self.uses_hnsw else self.flat(query, n)

    def flat(self, query: Vectors, n: int) -> NDArray[np.int64]:
        """Return (query tokens, n) the nearest tokens by exact search, in no order."""
        n = min(n, len(self.vectors))
        similarity = query @ self.vectors.T
        return np.argpartition(-similarity, n - 1, axis=1)[:, :n].astype(np.int64)

    def _hnsw(self, query: Vectors, n: int) -> NDArray[np.int64]:
        if self._graph is None:
            # The graph is not saved: reading one from a file of unknown origin is not safe, building it is quick.
            faiss = faiss_or_none()
            graph = faiss.IndexHNSWFlat(self.vectors.shape[1], HNSW_LINKS, faiss.METRIC_INNER_PRODUCT)
            graph.hnsw.efConstruction = HNSW_BUILD
            graph.add(np.ascontiguousarray(self.vectors))
            graph.hnsw.efSearch = max(HNSW_SEARCH, 2 * n)
            self._graph = graph
        found: NDArray[np.int64] = self._graph.search(np.ascontiguousarray(query), n)[1]
        return found

    def maxsim(self, query: Vectors, passages: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the exact MaxSim score of each passage with the query; 0 for a passage without tokens."""
        scores = np.zeros(len(passages), dtype=np.float32)
        filled = [n for n, p in enumerate(passages) if self.starts[p + 1] > self.starts[p]]
        if not filled or not len(query):
            return scores
        spans = [np.arange(self.starts[passages[n]], self.starts[passages[n] + 1]) for n in filled]
        offsets = np.cumsum([0, *(len(span) for span in spans[:-1])])
        similarity = query @ self.vectors[np.concatenate(spans)].T
        scores[filled] = np.maximum.reduceat(similarity, offsets, axis=1).sum(axis=0)
        return scores
