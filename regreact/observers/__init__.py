"""Source-grounded checks of stage outputs. Importing the package registers those of the stages."""

from regreact.observers import (  # noqa: F401
    classification,
    dependencies,
    doubts,
    references,
    structure,
    thresholds,
)
