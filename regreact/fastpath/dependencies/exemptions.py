"""Criteria that do not apply where another paragraph exempts from them or replaces them (R4, D11)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from regreact.fastpath.dependencies.section import Gate, Section, first_sentence, span
from regreact.fastpath.dependencies.topics import content_words
from regreact.fastpath.wording import Sentence
from regreact.identifiers import anchor_above
from signatures.types import CriterionView

_EXEMPTS = re.compile(
    r"\b(?:is|are) (?:not required|not obliged|exempt(?:ed)?)\b|\b(?:do|does) not apply\b"
    r"|\bno (?:additional |further )?[\w ]{0,60}\b(?:is|are) required\b",
    re.IGNORECASE,
)
_EXEMPT_FROM = re.compile(
    r"\bnot (?:required|obliged) to (?:perform|carry out|conduct|make|provide|keep|have|submit|draw up) (?:an? "
    r"|the )?([^.,;]+)",
    re.IGNORECASE,
)


def exemptions(section: Section) -> Iterator[Gate]:
    """R4: exempted criteria carry a Negation on the paragraph that exempts.

    The exempted criteria are the points it names, else those about the duty it names, else its anchor.
    """
    for view in section.index.criteria:
        first = first_sentence(view)
        match = _EXEMPTS.search(view.text, first.main, first.end) if first else None
        if first is None or match is None or not section.is_background(view.criterion_id):
            continue
        who = view.text[first.main : match.start()].strip() or "it"
        summary = f"Does not apply where {view.criterion_id} exempts from it ({_subject(view, first, who)})."
        for target in _exempted(section, view, first):
            evidence = span(view, match.start(), match.end())
            yield Gate(target, (view.criterion_id,), "Negation", summary, 0.9, evidence)


def _subject(view: CriterionView, first: Sentence, who: str) -> str:
    """Return who is exempted: the situation, the instances that a point does not apply to, or the subject."""
    if first.gates:
        who = view.text[first.gates[0].start : first.gates[0].end].strip(" ,")
    after = re.search(r"\bnot apply to ([^.;]+)", view.text[first.main : first.end])
    return after[1].strip() if after else who[:1].lower() + who[1:]


def _exempted(section: Section, view: CriterionView, first: Sentence) -> list[str]:
    named = [c.target for c in section.reader.cited(view, first.start, first.end) if c.target]
    if named:
        return named
    if duty := _EXEMPT_FROM.search(view.text, first.main, first.end):
        return list(_about(section, view, duty[1]))
    anchor = anchor_above(view.criterion_id)
    return [anchor] if anchor in section.index.by_id and anchor is not None else []


def _about(section: Section, view: CriterionView, duty: str) -> Iterator[str]:
    """Yield the siblings that lay the duty down: all of them if their heading names it."""
    words = content_words(duty)
    parent = section.index.parent(view.criterion_id)
    under_heading = parent is not None and words <= content_words(parent.text)
    for sibling in section.index.siblings(view.criterion_id):
        if not section.is_background(sibling.criterion_id) and (under_heading or words <= content_words(sibling.text)):
            yield sibling.criterion_id


_DEROGATION = re.compile(r"\bby way of derogation\b", re.IGNORECASE)


def derogations(section: Section) -> Iterator[Gate]:
    """D11: a criterion with a substitute duty carries a Negation on it."""
    for view in section.index.criteria:
        match = _DEROGATION.search(view.text)
        if match is None:
            continue
        first = first_sentence(view)
        cited = section.reader.cited(view, match.start(), first.end) if first else []
        anchor = anchor_above(view.criterion_id)
        targets = [c.target for c in cited if c.target] or ([anchor] if anchor in section.index.by_id else [])
        summary = f"Does not apply where the derogation in {view.criterion_id} is used."
        for target in targets:
            if target is not None:
                yield Gate(
                    target, (view.criterion_id,), "Negation", summary, 0.9, span(view, match.start(), match.end())
                )
