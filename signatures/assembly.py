"""Stage 7: rule summaries (paper appendix D.12)."""

import dspy

from signatures.types import ActivityEntry, CriterionFacts, CriterionView, SummaryItem, UnitHeader


class SummariseRules(dspy.Signature):
    """State the rule of each criterion in one or two sentences of your own that stand alone.

    Put a condition first, name the subject, embed every number with its unit and every date, name standards. Append
    [THRESHOLD_FROM:id] for an inherited threshold and [CORR FROM:x TO:y REASON:crossref] for a correction.
    """

    unit: UnitHeader = dspy.InputField()
    activity: list[ActivityEntry] = dspy.InputField(desc="what is known of the activity")
    criteria: list[CriterionView] = dspy.InputField()
    facts: list[CriterionFacts] = dspy.InputField()
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[SummaryItem] = dspy.OutputField(desc="one item per criterion asked for")
