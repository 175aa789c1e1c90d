"""Fast path of `signatures.references`: cited sources outside the section (guidelines section 7)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from regreact.answers import Answer, solver
from regreact.legal.citations import Citation, find_citations
from regreact.schema import FetchType, Joiner, References, ReferenceSource
from signatures.types import CriterionView, FootnoteView, UnitHeader

# Acts that are amended, repealed or name a framework only are background (guidelines section 7).
_BACKGROUND_BEFORE = re.compile(
    r"\b(?:amending|repealing|"
    r"(?:review|power|delegated acts?) (?:referred to|provided for|laid down) in|"
    r"contribut\w+ (?:substantially )?to[^.;]{0,60}(?:set out|laid down|in))\s+(?:Commission |Council )?$",
    re.I,
)
# The Taxonomy Regulation itself defines the frame of every criterion; a pinpoint into it may still be a test.
_FRAMEWORK = "32020R0852"
# Nameless acts under or implementing a named act: the named act is the source (ruling D19).
_MARKER = re.compile(r"^[’'”\"]?\s?\((\d+)\)")
_OR = re.compile(r"\bor\b|\balternatively\b", re.I)


@solver("ExtractReferences")
def extract_references(
    unit: UnitHeader, criteria: Sequence[CriterionView], footnotes: Sequence[FootnoteView], guidance: str = ""
) -> list[Answer[References | None]]:
    """Return the cited sources of every criterion with text, None where there are none.

    Acts that the body names by subject and the footnote by number take the footnote's CELEX id (ruling R16).
    """
    notes = {f.id: f.text for f in footnotes}
    answers: list[Answer[References | None]] = []
    previous: list[Citation] = []
    for criterion in criteria:
        if criterion.block is None:
            continue
        citations = find_citations(criterion.text, previous)
        previous.extend(citations)
        answers.append(_answer(criterion, citations, notes))
    return answers


def _answer(
    criterion: CriterionView, citations: Sequence[Citation], notes: dict[str, str]
) -> Answer[References | None]:
    block = criterion.block or 0
    sources: list[ReferenceSource] = []
    used: list[Citation] = []
    for citation in citations:
        celex = citation.celex or _footnote_celex(criterion, citation, notes)
        source = ReferenceSource(
            text=citation.phrase,
            type=_fetch(criterion.text, citation),
            link=f"https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:{celex}" if celex else None,
            link_status="generated" if celex else None,
            celex_id=celex,
        )
        if all((s.text, s.celex_id) != (source.text, source.celex_id) for s in sources):
            sources.append(source)
            used.append(citation)
    if not sources:
        return Answer(criterion.criterion_id, None, 0.95)
    confidence = 0.95 if all(c.kind in ("eu-act", "standard", "section", "appendix") for c in used) else 0.7
    logic = _logic(criterion.text, used)
    spans = tuple((block, c.start, c.end) for c in used)
    return Answer(criterion.criterion_id, References(logic=logic, sources=tuple(sources)), confidence, spans)


def _logic(text: str, citations: Sequence[Citation]) -> Joiner | None:
    """OR if "or" or "alternatively" stands between two sources, else AND; "X and (Y or Z)" is AND (ruling R10)."""
    if len(citations) < 2:
        return None
    gaps = [text[a.end : b.start] for a, b in pairwise(citations)]
    joined = [bool(_OR.search(gap)) for gap in gaps]
    return "OR" if joined[-1] and not any(re.search(r"\band\b", gap) for gap in gaps) else "AND"


def _fetch(text: str, citation: Citation) -> FetchType:
    """Background if the words before say so, or if the Taxonomy Regulation is named as a whole."""
    if citation.celex == _FRAMEWORK and not citation.pinpoint:
        return "citation_only"
    return "citation_only" if _BACKGROUND_BEFORE.search(text[: citation.start]) else "must_be_fetched"


def _footnote_celex(criterion: CriterionView, citation: Citation, notes: dict[str, str]) -> str | None:
    """Return the CELEX id of the first act of the footnote right behind a phrase without number (R16, D20)."""
    if citation.kind != "document":
        return None
    marker = _MARKER.match(criterion.text[citation.end :])
    if marker is None:
        return None
    inside = find_citations(notes.get(f"fn-{marker[1]}", ""))
    first = inside[0] if inside else None
    return first.celex if first is not None and first.kind == "eu-act" and first.start < 25 else None
