"""Deterministic solvers, one module or package per module of `signatures`. Importing it registers those of the stages."""

from regreact.fastpath import (  # noqa: F401
    assembly,
    classification,
    dependencies,
    footnotes,
    logic,
    references,
    structure,
    thresholds,
)
