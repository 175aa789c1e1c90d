"""The single-pass baseline: everything in one call (paper section 5, appendix E, "Baseline Selection").

Its instructions are those of the stages, so that a comparison tells of the decomposition and not of the wording.
"""

import dspy

from signatures.assembly import SummariseRules
from signatures.classification import AssignTags, ClassifyApplicability, DetectPathways, InferLogic
from signatures.dependencies import CorrectCrossReferences, InheritThresholds, ResolveDependencies
from signatures.footnotes import ProcessFootnotes
from signatures.references import ExtractReferences
from signatures.structure import ParseStructure
from signatures.thresholds import ExtractThresholds
from signatures.types import BlockView, FlatNode, FootnoteView, UnitHeader

# What each stage decides, in the order of work, and the fields of a node that hold it.
TASKS: tuple[tuple[str, type[dspy.Signature]], ...] = (
    ("criterion_id, parent, block: the tree", ParseStructure),
    ("threshold: limits and dates that the criterion states itself", ExtractThresholds),
    ("references: what the criterion cites outside the section", ExtractReferences),
    ("footnotes: id and decomposition of each footnote whose marker stands in the block", ProcessFootnotes),
    ("containers: joint pathways among alternatives", DetectPathways),
    ("applicability", ClassifyApplicability),
    ("tags", AssignTags),
    ("evaluation_logic, n_required", InferLogic),
    ("corrections: wrong citations of points", CorrectCrossReferences),
    ("threshold_from, and what it adds to threshold", InheritThresholds),
    ("dependencies", ResolveDependencies),
    ("rule_summary", SummariseRules),
)

_INTRODUCTION = """Turn the section into a flat list of criteria, each with its parent and all its fields filled in.

1. One node for each criterion: ROOT first, with parent null, then document order. Each block is the `block` of exactly
   one node; ROOT without chapeau and containers have null.
2. Work through the tasks below in their order, each for all criteria, and put the result into the fields that its
   heading names. They are written as separate questions: "asked for" means every criterion, and `facts`, `thresholds`
   and `mappings` are what you have found by the tasks before.
3. A container is a node of its own, placed before its first member, which has it as parent. Its id joins the first and
   the last label of its members: 1(a-d) for 1(a) to 1(d).
4. Inherited items are added to those in threshold.
5. category, last: Quantitative if the final threshold has a quantitative item, inherited ones included; else
   Qualitative, also with dates only."""


class ExtractSection(dspy.Signature):
    # The first line of a stage's instructions names its task; here the heading does.
    __doc__ = "\n\n".join(
        [_INTRODUCTION, *("TASK " + name + "\n" + stage.instructions.partition("\n")[2] for name, stage in TASKS)]
    )

    unit: UnitHeader = dspy.InputField()
    blocks: list[BlockView] = dspy.InputField(desc="all blocks of the section, in document order")
    footnotes: list[FootnoteView] = dspy.InputField()
    nodes: list[FlatNode] = dspy.OutputField(desc="all criteria in document order, ROOT first")
