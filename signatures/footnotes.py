"""Stage 6: footnotes (paper appendix D.11)."""

import dspy

from signatures.types import CriterionView, FootnoteDecomposition, FootnoteView, UnitHeader


class ProcessFootnotes(dspy.Signature):
    """Decompose each footnote into the documents it names and the terms it defines.

    One item per act, treaty, standard or guideline, with kind, title (type and number of the act), CELEX id for EU
    acts and Official Journal reference. The document that the criterion needs is must_be_fetched; those it amends,
    repeals or implements are citation_only. Categories: Legal Reference only if a binding act or treaty is cited;
    Technical Definition if a term is defined; Official Guideline/Standard; Explanatory Note.
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField(desc="the criteria whose text carries the footnotes")
    footnotes: list[FootnoteView] = dspy.InputField()
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[FootnoteDecomposition] = dspy.OutputField(desc="one item per footnote asked for")
