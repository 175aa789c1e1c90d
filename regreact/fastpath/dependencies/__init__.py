"""Fast path of `signatures.dependencies`: corrections, inherited thresholds, gating. Importing it registers them."""

from regreact.fastpath.dependencies.corrections import correct_cross_references
from regreact.fastpath.dependencies.gating import resolve_dependencies
from regreact.fastpath.dependencies.inheritance import inherit_thresholds

__all__ = ["correct_cross_references", "inherit_thresholds", "resolve_dependencies"]
