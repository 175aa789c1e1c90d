"""Fast path of `signatures.assembly`: one or two sentences that state the rule of each criterion.

Follows section 10 of the annotation guidelines with C10 and appendix D.12 of arXiv 2604.12054: a condition first, the
subject named, every number with its unit, standards by name, and the brackets for inherited limits and corrected
citations. Sentences are made of the criterion's own main clause, shortened, and of the facts found before; what the
clause leaves out is added from the facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from regreact.answers import Answer, solver
from regreact.fastpath.summaries.context import Outline
from regreact.fastpath.summaries.facts import missing_facts
from regreact.fastpath.summaries.leaves import leaf_sentence
from regreact.fastpath.summaries.parents import parent_sentence
from regreact.schema import Span
from signatures.types import ActivityEntry, CriterionFacts, CriterionView, UnitHeader


@solver("SummariseRules")
def summarise_rules(
    *,
    unit: UnitHeader,
    activity: Sequence[ActivityEntry],
    criteria: Sequence[CriterionView],
    facts: Sequence[CriterionFacts],
    guidance: str = "",
) -> list[Answer[str]]:
    """Return a summary of every criterion; it is never empty.

    Args:
        unit: Not used.
        activity: Not used: criteria name their subject.
        criteria: The tree, flat.
        facts: What the earlier stages found out.
        guidance: Not used: the rules do not change between attempts.
    """
    outline = Outline(criteria, facts)
    return [_answer(view, outline) for view in criteria]


def _answer(view: CriterionView, outline: Outline) -> Answer[str]:
    facts = outline.facts_of(view.criterion_id)
    parts = [parent_sentence(view, outline) if outline.members(view) else leaf_sentence(view, outline)]
    parts += missing_facts(parts[0], facts)
    text = " ".join([*parts, *_brackets(facts)])
    evidence: tuple[Span, ...] = ((view.block, 0, len(view.text)),) if view.block is not None and view.text else ()
    return Answer(view.criterion_id, text, 0.6 if view.block is not None else 0.8, evidence, rule="from the fields")


def _brackets(facts: CriterionFacts) -> Iterable[str]:
    if facts.threshold_from:
        yield f"[THRESHOLD_FROM:{facts.threshold_from}]"
    for correction in facts.corrections:
        yield f"[CORR FROM:{correction.from_} TO:{correction.to} REASON:{correction.reason}]"
