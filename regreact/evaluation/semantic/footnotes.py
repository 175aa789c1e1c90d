"""Footnote score: notes matched by id within one document, else by text; then content, categories, items, terms."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from regreact.evaluation.semantic import deductions as points
from regreact.evaluation.semantic.citations import citation, same_source
from regreact.evaluation.semantic.wording import words
from regreact.schema import Definition, Footnote, FootnoteCategory, FootnoteItem

# "Truncated" is a text with more than 20 % missing (appendix D.19); the same share makes it another text.
KEPT = 0.8


def footnote_score(gold: Sequence[Footnote], found: Sequence[Footnote], same_document: bool = True) -> float:
    """Score the footnotes of one node.

    Args:
        gold: Footnotes of the gold node.
        found: Footnotes of the predicted node.
        same_document: True if both count their footnotes alike, so that ids identify them; else they match by text.
    """
    early = points.one_sided(gold, found)
    if early is not None:
        return early
    left = list(found)
    pairs: list[tuple[Footnote, Footnote]] = []
    for note in gold:
        match = next((f for f in left if (f.id == note.id if same_document else _same_text(f, note))), None)
        if match is not None:
            left.remove(match)
            pairs.append((note, match))
    missing = len(gold) - len(pairs)
    if missing > points.MOST * len(gold):
        return points.WRONG
    lost = sum(footnote_deduction(g, f) for g, f in pairs)
    return points.graded(lost + points.series(missing + len(left), points.ABSENT_FOOTNOTE, points.NEXT_FOOTNOTE))


def _folded(text: str) -> str:
    return "".join(text.split())


def _same_text(a: Footnote, b: Footnote) -> bool:
    return _folded(a.verbatim) == _folded(b.verbatim)


def footnote_deduction(gold: Footnote, found: Footnote) -> float:
    """Return the points that one footnote loses against the gold footnote."""
    return (
        _content_deduction(_folded(gold.verbatim), _folded(found.verbatim))
        + _category_deduction(gold.categories, found.categories)
        + _items_deduction(gold.items, found.items)
        + _terms_deduction(gold.definitions, found.definitions)
    )


def _content_deduction(gold: str, found: str) -> float:
    if not gold or gold == found:
        return 0.0
    if found in gold:
        return points.TRUNCATED if len(found) < KEPT * len(gold) else 0.0
    alike = SequenceMatcher(None, gold, found, autojunk=False).ratio() >= KEPT
    return 0.0 if alike else points.OTHER_CONTENT


def _category_deduction(gold: Sequence[FootnoteCategory], found: Sequence[FootnoteCategory]) -> float:
    """Compare labels; the primary one is the first of the gold."""
    if gold and gold[0] not in found:
        return points.WRONG_CATEGORY
    return points.CATEGORY_BESIDE * len(set(gold) ^ set(found))


def _items_deduction(gold: Sequence[FootnoteItem], found: Sequence[FootnoteItem]) -> float:
    """Compare the documents named; having some of them wrong is no worse than having none."""
    if not gold and not found:
        return 0.0
    if gold and not found:
        return points.ITEMS_ABSENT
    left = list(found)
    lost, missing = 0.0, 0
    for item in gold:
        key = citation(item.title, item.celex_id)
        same = [f for f in left if same_source(key, citation(f.title, f.celex_id))]
        if not same:
            missing += 1
            continue
        best = min(same, key=lambda f: _wrong_fields(item, f))
        left.remove(best)
        lost += points.ITEM_FIELD * (_wrong_fields(item, best) > 0)
    lost += points.ITEM_ABSENT * max(missing, len(left))
    return min(lost, points.ITEMS_ABSENT)


def _wrong_fields(gold: FootnoteItem, found: FootnoteItem) -> int:
    return (gold.kind != found.kind) + (gold.type != found.type) + (gold.celex_id != found.celex_id)


def _terms_deduction(gold: Sequence[Definition], found: Sequence[Definition]) -> float:
    """Compare the terms defined, not the wording of definitions: gold stores none of it."""
    if gold and not found:
        return points.DEFINITIONS_ABSENT
    wanted, given = ({frozenset(words(d.term)) for d in side} for side in (gold, found))
    return points.DEFINITIONS_DIFFER if wanted != given else 0.0
