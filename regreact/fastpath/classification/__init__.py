"""Fast path of `signatures.classification`: applicability and tags. Importing it registers both solvers."""

from regreact.fastpath.classification import tags  # noqa: F401
from regreact.fastpath.classification.applicability import classify_applicability

__all__ = ["classify_applicability"]
