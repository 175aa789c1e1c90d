"""Token vectors learnt from the passages of the index itself, with numpy alone: no model, no download.

A term has two parts. Its spelling, as hashed character n-grams (Bojanowski et al., 2017), makes inflected and compound
forms alike. Its company, the leading singular vectors of the term-passage matrix (latent semantic analysis, Deerwester
et al., 1990), makes terms alike that the act uses together. A query token weighs as its inverse document frequency.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from regreact.errors import StoreError
from regreact.rag.encoders.base import Vectors, unit_rows
from regreact.rag.tokens import tokenize

# Chosen by experiments/retrieval.md; quality is flat around them.
SPELLING, COMPANY = 128, 64  # dimensions of the two parts
SPELLING_WEIGHT = 0.7  # share of the spelling in the similarity of two terms
_OVERSAMPLING, _POWER_STEPS, _SEED = 10, 3, 0  # of the randomised SVD (Halko et al., 2011)


class TermEncoder:
    """An encoder that learns from the passages that it is fitted on.

    Args:
        vocabulary: Terms in order.
        vectors: (terms, dimensions), unit rows.
        weights: (terms,) inverse document frequencies.
        unseen: Weight of a term that no passage has.
    """

    name = "terms"
    dimensions = SPELLING + COMPANY

    def __init__(
        self,
        vocabulary: Sequence[str] = (),
        vectors: Vectors | None = None,
        weights: NDArray[np.float32] | None = None,
        unseen: float = 1.0,
    ) -> None:
        self._rows = {term: row for row, term in enumerate(vocabulary)}
        self._vectors = np.zeros((0, self.dimensions), dtype=np.float32) if vectors is None else vectors
        self._weights = np.zeros(0, dtype=np.float32) if weights is None else weights
        self._unseen = unseen

    def fitted(self, texts: Sequence[str]) -> TermEncoder:
        """Return an encoder with the vocabulary of these passages."""
        passages = [Counter(tokenize(text)) for text in texts]
        frequency = Counter(term for passage in passages for term in passage)
        vocabulary = sorted(frequency)
        weights = _inverse_frequency(np.array([frequency[t] for t in vocabulary], dtype=np.float64), len(texts))
        company = _company(passages, {term: row for row, term in enumerate(vocabulary)}, weights)
        unseen = float(_inverse_frequency(np.zeros(1), len(texts))[0])
        return TermEncoder(vocabulary, _joined(_spelling(vocabulary), company), weights, unseen)

    def encode_passages(self, texts: Sequence[str]) -> list[Vectors]:
        """Return the vectors of the different terms of each text; terms outside the vocabulary by spelling."""
        return [self._encode(sorted(set(tokenize(text)))) for text in texts]

    def encode_query(self, text: str) -> Vectors:
        """Return the vectors of the different terms, each as long as its inverse document frequency."""
        terms = list(dict.fromkeys(tokenize(text)))
        weights = [float(self._weights[self._rows[t]]) if t in self._rows else self._unseen for t in terms]
        return np.asarray(self._encode(terms) * np.array(weights, dtype=np.float32)[:, None], dtype=np.float32)

    def state(self) -> Mapping[str, NDArray[np.generic]]:
        """Return vocabulary, vectors and weights."""
        return {
            "vocabulary": np.array(list(self._rows), dtype=np.str_),
            "vectors": self._vectors,
            "weights": self._weights,
            "unseen": np.array([self._unseen], dtype=np.float64),
        }

    def restored(self, state: Mapping[str, NDArray[np.generic]]) -> TermEncoder:
        """Return the encoder that had this state.

        Raises:
            StoreError: Arrays are missing or of other shapes.
        """
        shapes = {name: state[name].shape for name in ("vocabulary", "vectors", "weights", "unseen") if name in state}
        terms = len(state["vocabulary"]) if "vocabulary" in state else 0
        wanted = {"vocabulary": (terms,), "vectors": (terms, self.dimensions), "weights": (terms,), "unseen": (1,)}
        kinds = "".join(state[name].dtype.kind for name in shapes)
        if shapes != wanted or kinds != "Ufff":
            raise StoreError("the state of encoder terms does not fit this program; delete the index and index again")
        return TermEncoder(
            [str(term) for term in state["vocabulary"]],
            state["vectors"].astype(np.float32),
            state["weights"].astype(np.float32),
            float(state["unseen"].astype(np.float64)[0]),
        )

    def _encode(self, terms: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(terms), self.dimensions), dtype=np.float32)
        known = [n for n, term in enumerate(terms) if term in self._rows]
        new = [n for n, term in enumerate(terms) if term not in self._rows]
        vectors[known] = self._vectors[[self._rows[terms[n]] for n in known]]
        vectors[new] = _joined(_spelling([terms[n] for n in new]), np.zeros((len(new), COMPANY), dtype=np.float32))
        return vectors


def _inverse_frequency(frequency: NDArray[np.float64], passages: int) -> NDArray[np.float32]:
    """Return the inverse document frequency of BM25 that is never negative."""
    return np.log1p((passages - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)


def _joined(spelling: Vectors, company: Vectors) -> Vectors:
    """Join the parts so that similarities add up by their weights; a term without company keeps its spelling."""
    return unit_rows(np.hstack([np.sqrt(SPELLING_WEIGHT) * spelling, np.sqrt(1 - SPELLING_WEIGHT) * company]))


def _spelling(terms: Sequence[str]) -> Vectors:
    """Hash the character 3- and 4-grams of each term, and the term, into signed counts.

    A number is hashed whole only: "2018" and "2019" are not alike.
    """
    counts = np.zeros((len(terms), SPELLING), dtype=np.float32)
    for row, term in enumerate(terms):
        bounded = f"<{term}>"
        grams = [bounded]
        if not any(character.isdigit() for character in term):
            grams += [bounded[n : n + size] for size in (3, 4) for n in range(len(bounded) - size + 1)]
        for gram in grams:
            hashed = zlib.crc32(gram.encode())
            counts[row, hashed % SPELLING] += 1 if hashed >> 31 else -1
    return unit_rows(counts)


def _company(passages: Sequence[Counter[str]], rows: Mapping[str, int], weights: NDArray[np.float32]) -> Vectors:
    """Return the leading left singular vectors of the weighted term-passage matrix, scaled by root values.

    The SVD is randomised: the matrix times a random one spans, after a few power steps, what the leading ones span.
    """
    matrix = np.zeros((len(rows), len(passages)), dtype=np.float32)
    for column, passage in enumerate(passages):
        for term, count in passage.items():
            matrix[rows[term], column] = np.log1p(count)
    matrix *= weights[:, None]
    company = np.zeros((len(rows), COMPANY), dtype=np.float32)
    if not matrix.size:
        return company
    random = np.random.default_rng(_SEED)
    span = matrix @ random.standard_normal((len(passages), COMPANY + _OVERSAMPLING), dtype=np.float32)
    for _ in range(_POWER_STEPS):
        span = matrix @ (matrix.T @ np.linalg.qr(span)[0])
    basis = np.linalg.qr(span)[0]
    left, values, _ = np.linalg.svd(basis.T @ matrix, full_matrices=False)
    kept = min(COMPANY, len(values))
    company[:, :kept] = basis @ left[:, :kept] * np.sqrt(values[:kept])
    return unit_rows(company)
