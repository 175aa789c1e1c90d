"""Stage 1: the criterion hierarchy (paper section 3.3, appendices D.1 and E.1)."""

import dspy

from signatures.types import BlockView, StructureItem, UnitHeader


class ParseStructure(dspy.Signature):
    """Place every block of the section in the criterion tree.

    Read numbers, list markers, headings and wording; the nesting of the markup may be wrong. Give each block one
    criterion id and its parent. Numbered blocks keep their number ("1", "2.1"); list items add their marker to the
    criterion that introduces the list ("1(a)", "1(a)(ii)"); where no block is numbered, paragraphs with a
    requirement of their own are "1", "2" and so on. An unnumbered paragraph that serves another criterion is
    anchored: "<anchor>.<Type>", beside its anchor, or below it if the anchor is a heading. Types: Verification,
    Methodology, Commitment, Assessment, Replacement, BackgroundInformation, Requirement; a second one of a type
    takes "-2". A chapeau without number before the numbered top level is ROOT. The parent of the top level is ROOT.
    """

    unit: UnitHeader = dspy.InputField()
    blocks: list[BlockView] = dspy.InputField(desc="all blocks of the section, in document order")
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[StructureItem] = dspy.OutputField(desc="one item per block asked for")
