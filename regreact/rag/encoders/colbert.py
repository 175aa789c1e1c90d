"""ColBERT (Khattab and Zaharia, 2020) through colbert-ai, the extra `colbert`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regreact.errors import ConfigError
from regreact.rag.encoders.base import Vectors, unit_rows

DOC_TOKENS = 300  # a chunk of 160 words of law has about 230 word pieces
QUERY_TOKENS = 128  # a criterion is longer than the 32 of a web query
BATCH = 32


class ColBERTEncoder:
    """A ColBERT checkpoint; on the GPU where there is one.

    Args:
        checkpoint: `colbert.modeling.checkpoint.Checkpoint`, or what encodes as it does.
    """

    name = "colbert"

    def __init__(self, checkpoint: Any, dimensions: int = 128) -> None:
        self._checkpoint = checkpoint
        self.dimensions = dimensions

    @classmethod
    def load(cls, checkpoint: str | None) -> ColBERTEncoder:
        """Load a checkpoint from a folder or, for a name such as `colbert-ir/colbertv2.0`, from the hub.

        Raises:
            ConfigError: No checkpoint is named, the folder is not there, the extra is not installed, or colbert-ai
                cannot load it.
        """
        if not checkpoint:
            raise ConfigError("retriever.encoder=colbert needs retriever.checkpoint: a folder or a name on the hub")
        # A hub name is `owner/name`; anything else, and what begins like a path, is one.
        is_hub_name = checkpoint.count("/") == 1 and not checkpoint.startswith((".", "~", "/"))
        place = Path(checkpoint).expanduser()
        if not place.is_dir() and not is_hub_name:
            raise ConfigError(f"retriever.checkpoint={checkpoint}: there is no such folder")
        try:
            import torch  # noqa: PLC0415  heavy, optional
            from colbert.infra import ColBERTConfig  # noqa: PLC0415
            from colbert.modeling.checkpoint import Checkpoint  # noqa: PLC0415
        except ImportError as error:
            raise ConfigError(
                f"retriever.encoder=colbert needs the extra colbert (pip install 'regreact[colbert]'): {error}"
            ) from None
        config = ColBERTConfig(doc_maxlen=DOC_TOKENS, query_maxlen=QUERY_TOKENS, gpus=int(torch.cuda.is_available()))
        try:
            loaded = Checkpoint(str(place) if place.is_dir() else checkpoint, colbert_config=config)
        except (OSError, ValueError, RuntimeError) as error:
            raise ConfigError(f"retriever.checkpoint={checkpoint} cannot be loaded: {error}") from None
        return cls(loaded, int(getattr(loaded.colbert_config, "dim", 128)))

    def fitted(self, texts: Sequence[str]) -> ColBERTEncoder:
        """Return itself: it has been trained before."""
        return self

    def encode_passages(self, texts: Sequence[str]) -> list[Vectors]:
        """Return the vectors of each text's word pieces, cut off after `DOC_TOKENS`."""
        if not texts:
            return []
        packed, lengths = self._checkpoint.docFromText(list(texts), bsize=BATCH, keep_dims="flatten")[:2]
        rows = unit_rows(_array(packed))
        return np.split(rows, np.cumsum([int(n) for n in lengths])[:-1])

    def encode_query(self, text: str) -> Vectors:
        """Return the vectors of a query's word pieces, filled up with [MASK] as ColBERT is trained."""
        return _array(self._checkpoint.queryFromText([text])[0])

    def state(self) -> Mapping[str, NDArray[np.generic]]:
        """Return nothing: nothing was learnt from the index."""
        return {}

    def restored(self, state: Mapping[str, NDArray[np.generic]]) -> ColBERTEncoder:
        """Return itself."""
        return self


def _array(tensor: Any) -> Vectors:
    return np.asarray(tensor.detach().cpu().float().numpy(), dtype=np.float32)
