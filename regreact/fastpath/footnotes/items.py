"""The documents that a footnote names, as items (guidelines section 9, ruling D22)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from regreact.fastpath.footnotes.acts import CitedAct, cited_acts, oj_behind, only_oj
from regreact.fastpath.footnotes.carrier import Carrier, names_of
from regreact.fastpath.footnotes.fetching import ItemContext, fetch_type
from regreact.fastpath.footnotes.terms import definitions
from regreact.fastpath.footnotes.titles import (
    bibliographic_title,
    clean,
    definition_source,
    further_entries,
    is_published,
    kind_of,
    subject_title,
)
from regreact.fastpath.references import CLASS_ONLY
from regreact.legal.citations import Citation, CitationKind, find_citations
from regreact.legal.model import Taken
from regreact.schema import DocumentKind, FootnoteItem

# "See ISO …", "In line with the …": how far from the start a footnote's first document may stand
_OPENING = 12
# Kinds that the kind of citation decides; for documents the title does.
_KINDS: dict[CitationKind, DocumentKind] = {
    "eu-act": "EU Legal Act",
    "standard": "Standard",
    "convention": "International Convention/Treaty",
    "section": "Other",
    "appendix": "Other",
    "annex": "Other",
}
# "the EU Ecolabel for …, in accordance with Commission Decision …": the act is the item
_BY_ACT = re.compile(
    r"^[^.;(]{0,40}, in accordance with (?:the )?(?:Commission |Council )?(?:Regulation|Directive|Decision)"
)


def find_items(text: str, carrier: Carrier) -> list[FootnoteItem]:
    """Return one item for each document of a footnote, in order.

    Args:
        text: Text of the footnote.
        carrier: What the criterion says around the marker; a footnote that only tells where the document is found
            ("Version of …, available at …") is about the one that the criterion names.
    """
    return _distinct(_items(text, carrier))


def _distinct(items: Iterator[FootnoteItem]) -> list[FootnoteItem]:
    """Return one item for each document; one that is cited both for itself and in a title is cited for itself."""
    found: dict[str, FootnoteItem] = {}
    for item in items:
        key = item.celex_id or item.title.lower()
        if item.kind == "Standard" and ":" not in key:  # the same standard with its year, named once more
            key = next((k for k in found if k.startswith(f"{key}:")), key)
        elif item.kind == "Standard":
            found.pop(key.split(":")[0], None)
        known = found.get(key)
        if known is None or _rank(item) > _rank(known):
            found[key] = item
    return list(found.values())


def _rank(item: FootnoteItem) -> tuple[bool, bool]:
    return item.type == "must_be_fetched", item.oj is not None


def _items(text: str, carrier: Carrier) -> Iterator[FootnoteItem]:
    """Yield the documents of a footnote in order; without any, the one that the criterion names at the marker."""
    citations = find_citations(text)
    acts = cited_acts(text, citations)
    inside_titles = [(a.citation.start, a.end) for a in acts if not a.secondary]
    in_title = {c for c in citations if any(start < c.start < end for start, end in inside_titles)}
    others = [c for c in citations if c.kind != "eu-act" and c not in in_title]
    found: list[tuple[int, FootnoteItem]] = [(a.citation.start, _act_item(text, a, carrier)) for a in acts]
    found.extend(
        (c.start, _document_item(text, c, carrier).model_copy(update={"type": "citation_only", "oj": None}))
        for c in in_title
        if c.kind == "convention"
    )
    found.extend(_document_items(text, others, min((a.citation.start for a in acts), default=len(text)), carrier))
    if found:
        yield from (item for _, item in sorted(found, key=lambda pair: pair[0]))
    elif carrier.source is not None and is_published(text):
        yield _item_of(carrier.source, carrier, oj_behind(text, 0))
    elif carrier.source is not None and carrier.source.kind == "standard" and not definitions(text, ""):
        yield from _untitled_standard(text, carrier)


def _untitled_standard(text: str, carrier: Carrier) -> Iterator[FootnoteItem]:
    """Yield the standard that the criterion names where the footnote gives its title only ("… – Part 4: …")."""
    if carrier.source is not None and re.search(r"[–—-] Part \d|^[A-Z][^.]* – [A-Z]", text):
        yield _item_of(carrier.source, carrier)


def _item_of(source: Citation, carrier: Carrier, oj: str | None = None) -> FootnoteItem:
    title = source.title or source.phrase
    kind = _KINDS.get(source.kind) or kind_of(title)
    fetch = "citation_only" if carrier.background & set(names_of(source)) else "must_be_fetched"
    return FootnoteItem.model_validate(
        {"kind": kind, "title": title, "celex_id": source.celex, "type": fetch, "oj": oj}
    )


def _act_item(text: str, act: CitedAct, carrier: Carrier) -> FootnoteItem:
    citation = act.citation
    context = ItemContext(text, citation, carrier.named, carrier.background, is_act=True)
    return FootnoteItem(
        kind="EU Legal Act",
        title=citation.title or citation.phrase,
        celex_id=citation.celex,
        type="citation_only" if act.secondary else fetch_type(context),
        oj=act.oj,
    )


def _document_items(
    text: str, citations: Sequence[Citation], first_act: int, carrier: Carrier
) -> Iterator[tuple[int, FootnoteItem]]:
    """Yield standards, conventions, guidelines and places; a footnote that is one title is one item."""
    title = bibliographic_title(text) or subject_title(text)
    if title is not None and _names_itself(citations, title):
        title = None
    if title is not None and text.find(title.split()[0]) + len(title) <= first_act:
        start = max(text.find(title.split()[0]), 0)
        citation = Citation(start, start + len(title), title, "document", None, "", title, "title")
        yield start, _document_item(text, citation, carrier)
        yield from ((c.start, _document_item(text, c, carrier)) for c in _entries(text) if c.start > citation.end)
        return
    entries = list(_entries(text))
    taken = Taken(entries)
    citations = sorted([*(c for c in citations if not taken.overlaps(c.start, c.end)), *entries], key=lambda c: c.start)
    for number, citation in enumerate(citations):
        again = any(c.phrase.startswith(citation.phrase) for c in citations[:number])
        if not again and not _BY_ACT.match(text[citation.end :]) and not CLASS_ONLY.match(citation.phrase):
            yield citation.start, _document_item(text, citation, carrier)
    source = definition_source(text)
    if source is not None and not any(source.startswith(c.phrase) or c.phrase in source for c in citations):
        start = text.find(source)
        citation = Citation(start, start + len(source), source, "document", None, "", source, "source")
        yield start, _document_item(text, citation, carrier)


def _entries(text: str) -> Iterator[Citation]:
    """Yield the documents of entries inside sentences, unless they open with a designation of their own."""
    for start, end, title in further_entries(text):
        if not _names_itself(find_citations(title), title):
            yield Citation(start, end, title, "document", None, "", title, "entry")


def _names_itself(citations: Sequence[Citation], title: str) -> bool:
    """True if the footnote opens with what has a designation of its own: a standard, a treaty, a place."""
    first = citations[0] if citations else None
    if first is None or first.start > _OPENING or first.rule == "Level(s) indicators":
        return False
    if first.kind == "convention":
        return kind_of(title) == "International Convention/Treaty"
    return first.kind != "document"


def _document_item(text: str, citation: Citation, carrier: Carrier) -> FootnoteItem:
    title = citation.title or citation.phrase
    if citation.kind == "section":
        title = _place_title(text, citation)
    elif citation.rule == "communication or notice":
        title = clean(title)
    kind = _KINDS.get(citation.kind) or kind_of(title)
    if citation.rule.startswith("Level(s)"):
        kind = "Official Guideline/Manual"
    context = ItemContext(text, replace(citation, title=title), carrier.named, carrier.background, is_act=False)
    oj = only_oj(text) if citation.rule == "title" else oj_behind(text, citation.end)
    return FootnoteItem(kind=kind, title=title, celex_id=None, type=fetch_type(context), oj=oj)


def _place_title(text: str, citation: Citation) -> str:
    """Return a section with the annex that a list of sections shares."""
    shared = re.match(r"[\d., and]*( of this Annex)", text[citation.end :])
    return citation.phrase + (shared[1] if shared else "")
