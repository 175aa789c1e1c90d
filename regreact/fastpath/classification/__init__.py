"""Fast path of `signatures.classification`: applicability and tags. Importing it registers both solvers."""

from regreact.fastpath.classification import applicability, tags  # noqa: F401
