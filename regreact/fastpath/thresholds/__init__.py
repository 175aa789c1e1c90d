"""Fast path of `signatures.thresholds`: limits and dates by grammar (guidelines section 6, appendices D.2, D.3)."""

from regreact.fastpath.thresholds.extract import extract_thresholds

__all__ = ["extract_thresholds"]
