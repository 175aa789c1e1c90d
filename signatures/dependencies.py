"""Stage 5: gating, inherited thresholds, wrong cross-references (paper appendices D.7 to D.10)."""

import dspy

from signatures.types import (
    CorrectionsItem,
    CriterionFacts,
    CriterionView,
    DependenciesItem,
    InheritanceItem,
    MappingEntry,
    ThresholdEntry,
    UnitHeader,
)


class CorrectCrossReferences(dspy.Signature):
    """Find citations of points of this section that name a wrong or missing criterion.

    Compare each cited point with the criteria that exist and with what the citing text is about. A Roman numeral
    may stand for a letter of the same position. Return what is printed and what is meant; nothing if all is right.
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    thresholds: list[ThresholdEntry] = dspy.InputField(desc="registry of thresholds of the section")
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[CorrectionsItem] = dspy.OutputField(desc="one item per criterion asked for")


class InheritThresholds(dspy.Signature):
    """Find criteria that point to a limit stated in another criterion and copy that limit.

    Copy only the part that the text selects ("the average threshold over 20 years"). Use corrected citations.
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    thresholds: list[ThresholdEntry] = dspy.InputField(desc="registry of thresholds of the section")
    mappings: list[MappingEntry] = dspy.InputField(desc="registry of what cited points stand for")
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[InheritanceItem] = dspy.OutputField(desc="one item per criterion asked for")


class ResolveDependencies(dspy.Signature):
    """Find criteria that apply only if another criterion of the section is met, chosen or not met.

    Only gating of applicability counts, not information or documents to fetch. A paragraph anchored to one of
    several alternatives depends on that alternative. An exempted criterion depends on the exemption by Negation.
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    facts: list[CriterionFacts] = dspy.InputField(desc="logic, applicability and tags found before")
    mappings: list[MappingEntry] = dspy.InputField(desc="registry of what cited points stand for")
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[DependenciesItem] = dspy.OutputField(desc="one item per criterion asked for")
