"""Fast path of `signatures.footnotes`: documents, categories and terms of a footnote (guidelines section 9)."""

from __future__ import annotations

from collections.abc import Sequence

from regreact.answers import Answer, solver
from regreact.fastpath.footnotes.carrier import Carrier, find_carrier
from regreact.fastpath.footnotes.categories import categories
from regreact.fastpath.footnotes.items import find_items
from regreact.fastpath.footnotes.terms import definitions
from regreact.fastpath.footnotes.titles import bibliographic_title
from regreact.legal.citations import find_citations
from regreact.schema import FootnoteItem
from signatures.types import CriterionView, FootnoteValue, FootnoteView, UnitHeader


@solver("ProcessFootnotes")
def process_footnotes(
    unit: UnitHeader, criteria: Sequence[CriterionView], footnotes: Sequence[FootnoteView], guidance: str = ""
) -> list[Answer[FootnoteValue]]:
    """Return the decomposition of every footnote, by its id.

    The evidence is the footnote's marker in the criterion's block.
    """
    by_id = {c.criterion_id: c for c in criteria}
    return [_answer(footnote, find_carrier(by_id.get(footnote.criterion_id), footnote.id)) for footnote in footnotes]


def _answer(footnote: FootnoteView, carrier: Carrier) -> Answer[FootnoteValue]:
    text = footnote.text.strip()
    items = find_items(text, carrier)
    titled = _opens_with_title(text)
    terms = definitions(text, carrier.before, carrier.after, titled)
    labels = categories(text, items, bool(terms))
    value = FootnoteValue(categories=labels, items=tuple(items), definitions=terms)
    rule, confidence = _rule(items, bool(terms))
    return Answer(footnote.id, value, confidence, carrier.spans, rule=rule)


def _opens_with_title(text: str) -> bool:
    citations = find_citations(text)
    return (bool(citations) and citations[0].start == 0) or bibliographic_title(text) is not None


def _rule(items: Sequence[FootnoteItem], defines: bool) -> tuple[str, float]:
    """Return what the footnote holds, and how often a careful reader agrees.

    Titles of acts are fixed, those of other documents a choice.
    """
    if any(i.celex_id is None for i in items):
        return "documents", 0.7
    if not items:
        return ("definition" if defines else "note"), 0.8
    return ("acts and definition", 0.8) if defines else ("acts", 0.9)
