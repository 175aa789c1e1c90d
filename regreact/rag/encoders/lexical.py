"""No vectors: an index with this encoder searches by words alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from regreact.rag.encoders.base import Vectors


class LexicalEncoder:
    """The encoder of `mode=lexical`."""

    name = "lexical"
    dimensions = 0

    def fitted(self, texts: Sequence[str]) -> LexicalEncoder:
        """Return itself."""
        return self

    def encode_passages(self, texts: Sequence[str]) -> list[Vectors]:
        """Return no vectors for each text."""
        return [np.zeros((0, 0), dtype=np.float32) for _ in texts]

    def encode_query(self, text: str) -> Vectors:
        """Return no vectors."""
        return np.zeros((0, 0), dtype=np.float32)

    def state(self) -> Mapping[str, NDArray[np.generic]]:
        """Return nothing."""
        return {}

    def restored(self, state: Mapping[str, NDArray[np.generic]]) -> LexicalEncoder:
        """Return itself."""
        return self
