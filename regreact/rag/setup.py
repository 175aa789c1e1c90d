"""Puts retrieval together from the settings of a run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from regreact.config import FastPathSettings, Settings
from regreact.program import RegReAct
from regreact.rag.enrich import Enricher
from regreact.rag.library import library_of
from regreact.rag.sections import Sections
from regreact.schema import Criterion
from regreact.sources import read
from regreact.sources.model import Document, Unit


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

    @cache
    def program() -> RegReAct:
        return RegReAct(settings.model_copy(update={"fastpath": FastPathSettings(mode="only")}))

    def tree(unit: Unit) -> Criterion:
        criteria: Criterion = program()(unit=unit).criteria
        return criteria

    def further(celex: str) -> Document | None:
        path = library.path(celex)
        return read(path) if path is not None else None

    return Enricher(settings, library, Sections(documents, tree, further))
