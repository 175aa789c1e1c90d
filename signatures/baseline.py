"""The single-pass baseline: everything in one call (paper section 5, appendix E, "Baseline Selection")."""

import dspy

from signatures.types import BlockView, FlatNode, FootnoteView, UnitHeader


class ExtractSection(dspy.Signature):
    """Turn the section into a flat list of criteria that names each one's parent, with all fields filled in.

    Structure: every block belongs to one criterion. Numbered blocks keep their number, list items add their marker
    ("1(a)"), unnumbered paragraphs that serve another criterion are anchored ("1.Verification"). The top level has
    parent ROOT; give ROOT itself as a node too. Joint pathways among alternatives get a container without block
    ("1(a-e)"). Logic: AND, OR or N_OF_K over the children, LEAF without. Thresholds: numbers that decide pass or
    fail, and dates; not numbers that say to whom the rule applies. Category is Quantitative exactly if there is a
    numeric threshold. Applicability is Conditional if the obligation applies only in some situations. Tags say what
    the operator must do; background stands alone. References: acts, standards and sections cited, with CELEX ids.
    Dependencies: gating by other criteria of the section. Corrections: points that the source cites wrongly.
    Footnotes: documents named, with category. Summaries state the rule in your own words.
    """

    unit: UnitHeader = dspy.InputField()
    blocks: list[BlockView] = dspy.InputField(desc="all blocks of the section, in document order")
    footnotes: list[FootnoteView] = dspy.InputField()
    nodes: list[FlatNode] = dspy.OutputField(desc="all criteria in document order, ROOT first")
