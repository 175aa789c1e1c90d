"""Deterministic solvers, one module or package per module of `signatures`. Importing it registers them all."""

from regreact.fastpath import (  # noqa: F401
    assembly,
    classification,
    dependencies,
    footnotes,
    logic,
    references,
    retrieval,
    structure,
    thresholds,
)
