"""Stage 4: external references and CELEX ids (paper appendix D.6)."""

import dspy

from signatures.types import CriterionView, FootnoteView, ReferencesItem, UnitHeader


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
