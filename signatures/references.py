"""Stage 4: external references and CELEX ids (paper appendix D.6)."""

import dspy

from signatures.types import CelexFailure, CelexRepairItem, CriterionView, FootnoteView, ReferencesItem, UnitHeader


class ExtractReferences(dspy.Signature):
    """List the acts, standards and places outside the section that each criterion cites.

    Copy the citation phrase exactly, pinpoint and act together as one source; split independent sources ("Sections
    1.1 and 1.2"). Points of the section itself are no references. A source is must_be_fetched if compliance cannot
    be judged without it, citation_only if it is amended, repealed or background. CELEX: 3, year, R, L, D or H, four
    digits; null for standards, conventions and sections. Resolve "that Directive" to its act.
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    footnotes: list[FootnoteView] = dspy.InputField(desc="footnotes of the section, for acts named only there")
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[ReferencesItem] = dspy.OutputField(desc="one item per criterion asked for")


class RepairCelex(dspy.Signature):
    """Name the CELEX id of the act that each citation names, where the id given proved wrong.

    Say in one clause why it went wrong, then mend that and nothing else: the letter of the type (R regulation, L
    directive, D decision, H recommendation, F framework decision), the year (two digits are before 2000), the order of
    number and year ("No" puts the number first; since 2015 the year comes first), the padding to four digits, a suffix
    of a consolidated or corrected version. Never repeat an id of `tried`. Leave celex_id empty if the citation does
    not tell which act is meant: a guess is worse than none.
    """

    failures: list[CelexFailure] = dspy.InputField(desc="citation, last id, what is wrong with it, ids tried")
    asked: list[str] = dspy.InputField(desc="ids of the failures to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[CelexRepairItem] = dspy.OutputField(desc="one item per failure asked for")
