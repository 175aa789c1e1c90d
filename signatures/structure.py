"""Stage 1: the criterion hierarchy (paper section 3.3, appendices D.1 and E.1)."""

import dspy

from signatures.types import BlockView, StructureItem, UnitHeader


class ParseStructure(dspy.Signature):
    """Place every block of the section in the criterion tree.

    Answer each block asked for with a criterion_id and the id of its parent. Numbers, markers and wording decide,
    since the markup may nest wrongly. One block is one criterion: never split or merge blocks.

    1. Printed numbers rule. "2." is 2 below ROOT, "2.1." is 2.1 below 2. A numbered heading is a criterion, and the
       numbers under it are its children.
    2. An unnumbered sentence that announces those numbers ("One of these is met:", then "1. …") is ROOT itself:
       criterion_id ROOT, parent "".
    3. Without any printed number, each paragraph that sets a duty for itself becomes the next of 1, 2, 3 below ROOT. A
       lone paragraph is 1, even "N/A".
    4. A list hangs below the block that announces it, whatever its id: 1(a), 2.1(b)(i), 1.Methodology(a). Keep printed
       labels; bullets count a, b, c. If the markup begins the list anew half-way, go on counting.
    5. Items that spell out the item before them ("the stock, including:") may be marked up as its siblings. They
       become (b)(i), (b)(ii), and the next real sibling takes the letter after (b).
    6. Other paragraphs are anchored, with the id <anchor>.<Type>: all that are unnumbered in a numbered section; in an
       unnumbered one those that only say how an earlier quantity is worked out, who checks it or what words mean.
       Anchor, by the first that fits: the criterion named as its subject (the one meant, if the print errs); the list
       item in which it stands or whose words it repeats; the criterion whose quantity it takes up; the nearest
       criterion before it. A paragraph for the whole section goes to the first criterion it serves.

       | what the paragraph is about | Type |
       |---|---|
       | others check, certify, audit; who they must be | Verification |
       | method, standard, equipment, criteria of another Section | Methodology |
       | plan, declaration, contract, guarantee | Commitment |
       | study, comparison, consultation | Assessment |
       | replacing things | Replacement |
       | definition, scope, exemption, permission, acts of authorities or checkers | BackgroundInformation |
       | binding in another way; a substitute duty that stands in for the anchor's | Requirement |

       The second of one Type on an anchor ends in "-2", the third in "-3".
    7. An anchored paragraph has its anchor's parent. Only where the anchor is a heading is it the heading's child:
       4.Verification, parent 4.
    8. Layout without letter or digit: criterion_id "" and parent "". Leave out no other block, invent no container.

    In the end check that no id occurs twice and that each parent is ROOT or the id of a block.
    """

    unit: UnitHeader = dspy.InputField()
    blocks: list[BlockView] = dspy.InputField(desc="all blocks of the section, in document order")
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[StructureItem] = dspy.OutputField(desc="one item per block asked for")
