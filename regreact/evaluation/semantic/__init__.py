"""Deterministic rubric for the semantic fields: threshold, reference, footnote, dependency (paper appendix D.19).

Each score is 0 if both sides are empty (not counted), 1 if only one side is, else 5 minus the deductions in
`deductions`.
"""

from regreact.evaluation.semantic.dependencies import dependency_score
from regreact.evaluation.semantic.footnotes import footnote_deduction, footnote_score
from regreact.evaluation.semantic.references import reference_score
from regreact.evaluation.semantic.thresholds import quantity_deduction, threshold_score
from regreact.evaluation.semantic.wording import plain_unit, same_quantity, words

__all__ = [
    "dependency_score",
    "footnote_deduction",
    "footnote_score",
    "plain_unit",
    "quantity_deduction",
    "reference_score",
    "same_quantity",
    "threshold_score",
    "words",
]
