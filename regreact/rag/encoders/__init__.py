"""Encoders of token vectors, by name."""

from __future__ import annotations

from typing import Literal, get_args

from regreact.errors import ConfigError
from regreact.rag.encoders.base import Encoder

EncoderName = Literal["terms", "colbert", "minilm", "lexical"]


def make_encoder(name: EncoderName, checkpoint: str | None = None) -> Encoder:
    """Return an encoder; its libraries and model are loaded here, not before.

    Args:
        name: `terms` (learns from the index), `colbert`, `minilm`, `lexical` (no vectors).
        checkpoint: Folder or hub name of the ColBERT checkpoint.

    Raises:
        ConfigError: The name is unknown, an extra is not installed, or the checkpoint is not there.
    """
    if name == "terms":
        from regreact.rag.encoders.terms import TermEncoder  # noqa: PLC0415

        return TermEncoder()
    if name == "lexical":
        from regreact.rag.encoders.lexical import LexicalEncoder  # noqa: PLC0415

        return LexicalEncoder()
    if name == "minilm":
        from regreact.rag.encoders.minilm import MiniLMEncoder  # noqa: PLC0415

        return MiniLMEncoder.load()
    if name == "colbert":
        from regreact.rag.encoders.colbert import ColBERTEncoder  # noqa: PLC0415

        return ColBERTEncoder.load(checkpoint)
    raise ConfigError(f"retriever.encoder={name} is not known: choose one of {', '.join(get_args(EncoderName))}")
