"""Puts retrieval together from the settings of a run."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from regreact.config import FastPathSettings, Settings
from regreact.errors import ConfigError
from regreact.program import RegReAct
from regreact.rag.enrich import Enricher
from regreact.rag.library import Library
from regreact.rag.sections import Sections
from regreact.rag.store import Store, default_folder
from regreact.schema import Criterion
from regreact.sources import read
from regreact.sources.model import Document, Unit


def store_of(settings: Settings) -> Store:
    """Return the store of acts that the settings name.

    Raises:
        ConfigError: There is none at its place.
    """
    folder = Path(settings.rag.store) if settings.rag.store else default_folder()
    if not folder.is_dir():
        raise ConfigError(
            f"rag.enabled=true needs a store of acts and {folder} is none: fill one with "
            "`regreact fetch --cited-in SOURCE` or `regreact fetch --from FOLDER`, and name it with rag.store if it is "
            "elsewhere"
        )
    return Store(folder)


def library_of(settings: Settings) -> Library:
    """Return the acts at hand: at `rag.as_of`, else in the youngest version."""
    day = date.fromisoformat(settings.rag.as_of) if settings.rag.as_of else date.max
    return Library(store_of(settings), day, settings.rag.language)


def store_digest(settings: Settings) -> str:
    """Return a digest of what the store holds."""
    held = [f"{e.id} {e.language} {e.sha256}" for e in store_of(settings).entries()]
    return hashlib.sha256("\n".join(held).encode()).hexdigest()[:16]


def build_enricher(settings: Settings, documents: Sequence[Document]) -> Enricher:
    """Return what resolves the references of extractions.

    Sections that references lead to are read by rule, whatever the run asks a model for: what is wanted of them is
    their text and their numbers, which rules get right and which cost nothing.

    Args:
        settings: Settings of the run.
        documents: Documents of the run.

    Raises:
        ConfigError: There is no store, or the encoder needs what is not installed.
    """
    library = library_of(settings)
    program = RegReAct(settings.model_copy(update={"fastpath": FastPathSettings(mode="only")}))

    def tree(unit: Unit) -> Criterion:
        criteria: Criterion = program(unit=unit).criteria
        return criteria

    def further(celex: str) -> Document | None:
        path = library.path(celex)
        return read(path) if path is not None else None

    return Enricher(settings, library, Sections(documents, tree, further))
