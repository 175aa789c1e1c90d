"""Digests of everything that an extraction rests on: its unit and the settings of its run."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields
from pathlib import Path

from regreact import __version__
from regreact.config import TRANSPORT, Settings
from regreact.sources.model import Block, Unit

_BLOCK_FIELDS = tuple(f.name for f in fields(Block))


def input_hash(unit: Unit, official: Unit | None = None, whole: bool = False) -> str:
    """Return a digest of everything about a unit that the program reads.

    Args:
        unit: The unit.
        official: Its official counterpart.
        whole: Whether other sections of its document are read too.
    """
    content = [
        unit.key,
        unit.activity,
        unit.objective,
        unit.section,
        unit.description,
        unit.document,
        [{name: getattr(block, name) for name in _BLOCK_FIELDS} for block in unit.blocks],
        unit.footnotes,
    ]
    if official is not None:
        content.append(input_hash(official))
    if whole:
        content.append(unit.sha256)
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def config_hash(settings: Settings) -> str:
    """Return a digest of every setting that can change an extraction, and of the version; of the acts at hand too."""
    whole = ("program", "fastpath", "odr", "graph", "rag", "retriever")
    parts = settings.model_dump(include={**dict.fromkeys(whole, True), "celex": {"mode", "base_url"}})
    if settings.reads_acts:
        from regreact.rag.library import store_digest  # noqa: PLC0415  only where acts are read

        parts["store"] = store_digest(settings)
    if settings.program.path is not None:
        from regreact import compiled  # noqa: PLC0415  heavy

        # What the file holds counts, not where it lies.
        parts["program"]["path"] = compiled.digest(Path(settings.program.path))
    if settings.uses_lm:
        parts["lm"] = settings.lm.model_dump(exclude=set(TRANSPORT))
    return hashlib.sha256(json.dumps([__version__, parts], sort_keys=True).encode()).hexdigest()[:16]
