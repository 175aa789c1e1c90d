"""Stage 2: quantitative and temporal thresholds (paper appendices D.2 and D.3)."""

import dspy

from signatures.types import CriterionView, ThresholdItem, UnitHeader


class ExtractThresholds(dspy.Signature):
    """Extract the numeric limits and the dates that each criterion states itself.

    A number that decides pass or fail is a threshold; a number that says to whom or to what the rule applies is a
    condition and left out, and so are numbers of citations, standards and classes. Name the metric with all its
    qualifiers; take operator, value and unit from the words ("below" is <, "not exceeding" is <=, "at least" is
    >=, "more than" is >). "over 20 years" is a period of measurement, "by 2030" a deadline, "every ten years"
    recurring, "at least five years" a quantity in years. Alternatives joined by "or" have logic OR.
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[ThresholdItem] = dspy.OutputField(desc="one item per criterion asked for")
