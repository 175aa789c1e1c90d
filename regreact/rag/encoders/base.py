"""What an encoder is: texts in, one vector a token out, compared by MaxSim (Khattab and Zaharia, 2020)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]  # (tokens, dimensions)


class Encoder(Protocol):
    """Turns texts into token vectors.

    Attributes:
        name: Name in settings and saved indexes.
        dimensions: Length of a vector; 0 for an encoder without vectors.
    """

    name: str
    dimensions: int

    def fitted(self, texts: Sequence[str]) -> Encoder:
        """Return an encoder that has learnt from the passages of an index; itself if it learns nothing."""
        ...

    def encode_passages(self, texts: Sequence[str]) -> list[Vectors]:
        """Return (tokens, dimensions) for each passage, rows of unit length; no rows for a text without words."""
        ...

    def encode_query(self, text: str) -> Vectors:
        """Return (tokens, dimensions); the length of a row is the weight of its token."""
        ...

    def state(self) -> Mapping[str, NDArray[np.generic]]:
        """Return what was learnt, as arrays without objects, to be saved with an index."""
        ...

    def restored(self, state: Mapping[str, NDArray[np.generic]]) -> Encoder:
        """Return the encoder that had this state.

        Raises:
            StoreError: The state does not fit.
        """
        ...


def unit_rows(matrix: NDArray[np.floating]) -> Vectors:
    """Return a matrix with rows of length one; rows of zeros stay."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    scaled: Vectors = np.asarray(matrix / np.where(lengths > 0, lengths, 1), dtype=np.float32)
    return scaled
