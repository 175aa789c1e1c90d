"""Stage 3: pathways, evaluation logic, applicability and tags (paper appendices D.1, D.4, D.5)."""

import dspy

from signatures.types import (
    ActivityEntry,
    ApplicabilityItem,
    CriterionFacts,
    CriterionView,
    LogicItem,
    PathwayItem,
    TagsItem,
    UnitHeader,
)


class DetectPathways(dspy.Signature):
    """Find joint pathways among the children of criteria that offer alternatives.

    Where a criterion says "either of" but some of its children only make sense together (a limit, how it is
    calculated, who verifies it) and another child is the alternative, return the joint children as one group.
    Return no group if each child is an alternative by itself.
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[PathwayItem] = dspy.OutputField(desc="one item per criterion asked for")


class InferLogic(dspy.Signature):
    """Determine how the children of each criterion combine.

    Ask in turn: can all children hold at once, is one enough, are all needed? Mutually exclusive cases and "one
    of", "either", "any of" are OR; "all", cumulative duties and unclear cases are AND; "at least two of" is N_OF_K
    with n_required. Background information, and anchored children of OR, take no part. A criterion without
    children that take part is LEAF.
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    facts: list[CriterionFacts] = dspy.InputField(desc="tags of the criteria, for the participation rule")
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[LogicItem] = dspy.OutputField(desc="one item per criterion asked for")


class ClassifyApplicability(dspy.Signature):
    """Decide whether each criterion is Mandatory or Conditional.

    Conditional if the obligation applies only in situations that differ between compliant instances ("Where the
    activity involves …", "If …", "for existing plants", "may"). Mandatory if "where available" only says how to
    comply, if the scope covers every instance, or if the words name a target or a step of the process.
    """

    unit: UnitHeader = dspy.InputField()
    activity: list[ActivityEntry] = dspy.InputField(desc="what is known of the activity")
    criteria: list[CriterionView] = dspy.InputField()
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[ApplicabilityItem] = dspy.OutputField(desc="one item per criterion asked for")


class AssignTags(dspy.Signature):
    """Give each criterion zero to three tags by what the operator must do.

    For each tag ask: can an auditor write a pass/fail test, must the operator act, does compliance fail if it is
    ignored? Any no makes it BackgroundInformation alone. Verification: validation by others. Methodology: a method,
    standard, equipment or criteria set elsewhere. Commitment: a plan, declaration or contract. Assessment: a study
    or consultation. Replacement: replacing is the point. A chapeau that only introduces, and a pure limit: none.
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    facts: list[CriterionFacts] = dspy.InputField(desc="thresholds and references found before")
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[TagsItem] = dspy.OutputField(desc="one item per criterion asked for")
