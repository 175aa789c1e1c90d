"""Source-grounded checks of stage outputs. Importing the package registers them all."""

from regreact.observers import (  # noqa: F401
    classification,
    dependencies,
    doubts,
    references,
    retrieval,
    structure,
    thresholds,
)
