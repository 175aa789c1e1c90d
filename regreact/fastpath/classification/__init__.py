"""Fast path of `signatures.classification`: applicability and tags. Importing it registers both solvers."""

from regreact.fastpath.classification.applicability import classify_applicability
from regreact.fastpath.classification.tags import assign_tags

__all__ = ["assign_tags", "classify_applicability"]
