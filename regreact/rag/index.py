"""Index of one act: its chunks, BM25 over their words and late interaction over their token vectors.

Saved as two files of a folder: `index.json` (chunks, encoder, hashes) and `vectors.npz` (arrays, never pickled).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from regreact.errors import StoreError
from regreact.rag.encoders.base import Encoder, Vectors
from regreact.rag.index_files import SavedChunk, SavedIndex, read_index, write_index
from regreact.rag.late_interaction import TokenVectors
from regreact.rag.passages import Chunk
from regreact.rag.tokens import tokenize

FORMAT_VERSION = 1  # of the saved files; raise it when tokens, vectors or files change meaning
HNSW_ABOVE = 200_000  # tokens; below it exact search takes some tens of milliseconds
_STATE = "state_"  # prefix of an encoder's arrays beside the index's own


class Index:
    """Chunks of one act, searched by words and by token vectors.

    Args:
        chunks: What is searched.
        encoder: The encoder that made the vectors, fitted.
        tokens: Vectors of the chunks.
    """

    def __init__(self, chunks: Sequence[Chunk], encoder: Encoder, tokens: TokenVectors) -> None:
        self.chunks = tuple(chunks)
        self.encoder = encoder
        self.tokens = tokens
        self._words = [tokenize(searched_text(chunk)) for chunk in chunks]
        self._word_sets = [frozenset(words) for words in self._words]
        # rank-bm25 divides by the number of words, so that an index without words has none.
        self._bm25 = BM25Okapi(self._words) if any(self._words) else None

    @classmethod
    def build(cls, chunks: Sequence[Chunk], encoder: Encoder, hnsw_above: int = HNSW_ABOVE) -> Index:
        """Index chunks with an encoder, which learns from them if it learns."""
        texts = [searched_text(chunk) for chunk in chunks]
        fitted = encoder.fitted(texts)
        # Vectors are kept as they are saved, in half precision, so that a reopened index ranks alike.
        vectors = [v.astype(np.float16).astype(np.float32) for v in fitted.encode_passages(texts)]
        return cls(chunks, fitted, TokenVectors.of(vectors, hnsw_above))

    def lexical(self, query: str) -> list[tuple[int, float]]:
        """Return (chunk, BM25 score) of all chunks that share a word with the query, best first.

        Sharing is decided by the words themselves: BM25 gives a word of most chunks no weight, or a negative one.
        """
        words = list(dict.fromkeys(tokenize(query)))  # a criterion that repeats a word does not mean it more
        asked = set(words)
        matched = [n for n, own in enumerate(self._word_sets) if not asked.isdisjoint(own)]
        if not matched or self._bm25 is None:
            return []
        scores = self._bm25.get_scores(words)
        return _best_first((n, float(scores[n])) for n in matched)

    def dense(self, query: Vectors, per_token: int = 64) -> list[tuple[int, float]]:
        """Return (chunk, MaxSim score) of the candidates for a query's token vectors, best first."""
        return self.maxsim(query, [int(n) for n in self.tokens.candidates(query, per_token)])

    def maxsim(self, query: Vectors, chunks: Sequence[int]) -> list[tuple[int, float]]:
        """Return (chunk, exact MaxSim score) of the given chunks, best first."""
        scores = self.tokens.maxsim(query, chunks)
        return _best_first(zip(chunks, map(float, scores), strict=True))

    @property
    def content(self) -> str:
        """Hash of the chunks."""
        return content_hash(self.chunks)

    def save(self, folder: Path) -> None:
        """Write the index into a folder, which is made; an index there is replaced.

        Raises:
            StoreError: The folder cannot be written.
        """
        arrays: dict[str, NDArray[Any]] = {f"{_STATE}{k}": v for k, v in self.encoder.state().items()}
        arrays |= {"vectors": self.tokens.vectors.astype(np.float16), "starts": self.tokens.starts}
        saved = SavedIndex(
            version=FORMAT_VERSION,
            encoder=self.encoder.name,
            content=self.content,
            hnsw_above=self.tokens.hnsw_above,
            chunks=[SavedChunk(**asdict(c) | {"addresses": list(c.addresses)}) for c in self.chunks],
        )
        write_index(folder, saved, arrays)

    @classmethod
    def open(cls, folder: Path, encoder: Encoder, content: str = "") -> Index:
        """Reopen a saved index.

        Args:
            folder: Where `save` wrote it.
            encoder: An encoder of the name with which it was built; what that had learnt is restored.
            content: `content_hash` that the chunks must have, "" for any.

        Raises:
            StoreError: It is not there, damaged, of another version or encoder, or of other content.
            DocumentRefusedError: A file exceeds the size limit or claims arrays larger than it holds.
        """
        saved, arrays = read_index(folder, version=FORMAT_VERSION, encoder=encoder.name)
        chunks = [chunk.chunk() for chunk in saved.chunks]
        if saved.content != content_hash(chunks):
            raise StoreError(f"{folder}: the chunks of the index have changed since it was saved; delete it")
        if content and saved.content != content:
            raise StoreError(f"{folder}: the index is of another act or other sizes of chunks; delete it")
        restored = encoder.restored({k.removeprefix(_STATE): v for k, v in arrays.items() if k.startswith(_STATE)})
        vectors, starts = _token_arrays(arrays, len(chunks), restored.dimensions, folder)
        return cls(chunks, restored, TokenVectors(vectors, starts, saved.hnsw_above))


def _token_arrays(
    arrays: Mapping[str, NDArray[Any]], chunks: int, dimensions: int, folder: Path
) -> tuple[Vectors, NDArray[np.int64]]:
    """Return the vectors and starts of a saved index after checking that they fit the chunks."""
    vectors, starts = arrays.get("vectors"), arrays.get("starts")
    fits = (
        vectors is not None
        and starts is not None
        and vectors.dtype == np.float16
        and starts.dtype == np.int64
        and vectors.ndim == 2
        and starts.shape == (chunks + 1,)
        and starts[0] == 0
        and starts[-1] == len(vectors)
        and bool((np.diff(starts) >= 0).all())
        and (vectors.shape[1] == dimensions or not len(vectors))
        and bool(np.isfinite(vectors).all())
    )
    if not fits or vectors is None or starts is None:
        raise StoreError(f"{folder}: the arrays of the index do not fit its chunks; delete it and index again")
    return vectors.astype(np.float32), starts


def _best_first(scored: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    """Order by score; equal scores stay in the order of the act."""
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))


def searched_text(chunk: Chunk) -> str:
    """Return what is indexed of a chunk: the headings above it and its text."""
    return f"{chunk.context}\n{chunk.text}" if chunk.context else chunk.text


def content_hash(chunks: Sequence[Chunk]) -> str:
    """Return a hash of all that chunks hold."""
    listed = [[c.act, c.addresses, c.context, c.text] for c in chunks]
    return hashlib.sha256(json.dumps(listed, ensure_ascii=True).encode()).hexdigest()
