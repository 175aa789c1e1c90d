"""Fast path of `signatures.footnotes`: documents, categories and terms of a footnote (guidelines section 9)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from regreact.answers import Answer, solver
from regreact.legal.celex import derive
from regreact.legal.citations import Citation, find_citations
from regreact.schema import Definition, DocumentKind, FetchType, FootnoteCategory, FootnoteItem, Span
from signatures.types import CriterionView, FootnoteValue, FootnoteView, UnitHeader

# "(OJ L 328, 21.12.2018, p. 1)", "(OJ L, 2023/2486, 21.11.2023, ELI: …)"
_OJ = re.compile(r"\b(OJ [LC](?: \d+)?(?:, ?\d{4}/\d+)?,? ?\d{1,2}\.\d{1,2}\.\d{4}(?:, p\. \d+)?)")
# What an act amends, repeals, supplements or implements is background (guidelines section 9).
_SECONDARY = re.compile(
    r"\b(?:amending|repealing|supplementing|implementing|pursuant to|laying down detailed rules|correcting|"
    r"as (?:last )?amended by|for the application of|reflecting)\b",
    re.I,
)
# "Regulation (EC) No 663/2009 and (EC) No 715/2009" within an amending clause
_FURTHER = re.compile(r"\((?P<domain>EU|EC|EEC)\) (?:No )?(?P<first>\d{1,4})/(?P<second>\d{1,4})")
# "X means …", "is defined as" (ruling C8)
_DEFINITION = re.compile(
    r"^[‘“'\"]?(?P<term>[^’”\"'.;:]{3,90}?)[’”\"']? (?:means?|(?:is|"
    r"are) (?:\w+ )?defined(?: in this context)? as|refers? to|is calculated as)\b (?P<definition>.+)",
    re.S,
)
_DEFINED_IN = re.compile(r"\b(?:as|is|are) defined (?:in|by)\b|\bwithin the meaning of\b", re.I)
_EXPLAINS = re.compile(
    r"\b(?:this includes?|includes?|reflecting|for example|such as|can be demonstrated|in case|may be|calculated as|"
    r"excluding|should|where|that is|i\.e\.)\b",
    re.I,
)


@solver("ProcessFootnotes")
def process_footnotes(
    unit: UnitHeader, criteria: Sequence[CriterionView], footnotes: Sequence[FootnoteView], guidance: str = ""
) -> list[Answer[FootnoteValue]]:
    """Return the decomposition of every footnote."""
    blocks = {c.criterion_id: c for c in criteria}
    answers = []
    for footnote in footnotes:
        carrier = blocks.get(footnote.criterion_id)
        spans: tuple[Span, ...] = ()
        before = ""
        if carrier is not None and carrier.block is not None:
            marker = f"({footnote.id.removeprefix('fn-')})"
            at = carrier.text.find(marker)
            if at >= 0:
                spans = ((carrier.block, at, at + len(marker)),)
                before = carrier.text[:at]
        value, confidence = _decompose(footnote.text, before)
        answers.append(Answer(footnote.id, value, confidence, spans))
    return answers


# A footnote that is one noun phrase explains the words before its marker: "Area that …", "The procedure in which …"
_NOUN_PHRASE = re.compile(
    r"^(?:An?|The|Any)?\s?[\w’'/()-]+(?: [\w’'/,()-]+){0,7}? (?:that|which|where|whose|through which|in which|of which|"
    r"needed|associated|designated|assigned|developed|used)\b",
)
_DOCUMENT_FIRST = re.compile(
    r"^(?:See|In line with|In accordance|Regulation|Directive|Commission|Council|Decision|ISO|EN|As )\b"
)
# Last noun phrase before the marker: a quoted term, else up to five words after an article, preposition or comma.
_TERM = re.compile(
    r"(?:[‘“'\"](?P<quoted>[^’”'\"]{2,80})[’”'\"]|"
    r"(?:(?:^|[,;:(]|\b(?:the|an?|of|in|on|for|with|to|by|and|or|as|from|is|are|any|all|their|its))\s)"
    r"(?P<plain>[\w/-]+(?: [\w()/-]+){0,4}?))$",
    re.I,
)


def _term_before(before: str) -> str | None:
    match = _TERM.search(before.rstrip())
    return (match["quoted"] or match["plain"]) if match else None


def _definition(text: str, before: str) -> Definition | None:
    """Return the term that a footnote defines, in its own words or as the phrase its marker stands behind."""
    explicit = _DEFINITION.match(text)
    if explicit:
        return Definition(term=explicit["term"].strip(), definition=explicit["definition"].strip())
    subject = re.match(r"^(?P<term>[^.;]{2,60}?) (?:is|are) defined (?:in|by)\b", text)
    if subject:
        return Definition(term=subject["term"], definition=text)
    implied = re.match(r"^As defined (?:in|by)\b", text) or (
        _NOUN_PHRASE.match(text) and not _DOCUMENT_FIRST.match(text)
    )
    term = _term_before(before) if implied else None
    return Definition(term=term, definition=text) if term else None


def _decompose(text: str, before: str) -> tuple[FootnoteValue, float]:
    citations = find_citations(text)
    items: list[FootnoteItem] = []
    for citation in citations:
        item = _item(text, citation)
        if item is not None and all((i.title, i.celex_id) != (item.title, item.celex_id) for i in items):
            items.append(item)
    items.extend(i for i in _further(text, citations) if all(i.celex_id != other.celex_id for other in items))
    definition = _definition(text, before)
    definitions = (definition,) if definition else ()
    categories = _categories(text, items, bool(definition))
    return FootnoteValue(categories=categories, items=tuple(items), definitions=definitions), 0.8 if items else 0.7


def _item(text: str, citation: Citation) -> FootnoteItem | None:
    kind: DocumentKind
    if citation.kind == "eu-act":
        kind = "EU Legal Act"
    elif citation.kind == "standard":
        kind = "Standard"
    elif citation.kind == "convention":
        kind = "International Convention/Treaty"
    elif citation.kind == "document":
        kind = "Official Guideline/Manual"
    else:
        kind = "Other"
    oj = None
    if citation.kind == "eu-act":
        found = _OJ.search(text, citation.end)
        between = text[citation.end : found.start()] if found else ""
        later = [c for c in find_citations(between) if c.kind == "eu-act" and not _SECONDARY.search(between[: c.start])]
        oj = found[1] if found and not later and not _secondary(text, citation) else None
    return FootnoteItem(
        kind=kind, title=citation.title or citation.phrase, celex_id=citation.celex, type=_type(text, citation), oj=oj
    )


def _secondary(text: str, citation: Citation) -> bool:
    """True if the act stands behind amending, repealing or the like, within the same bracket of title."""
    before = text[: citation.start]
    sentence = before[max(before.rfind(". "), before.rfind("; "), before.rfind(").")) + 1 :]
    return bool(_SECONDARY.search(sentence))


def _type(text: str, citation: Citation) -> FetchType:
    if _secondary(text, citation):
        return "citation_only"
    example = re.search(
        r"\b(?:such as|for example|e\.g\.|including|in line with|see)\b[^.;]*$", text[: citation.start], re.I
    )
    return "citation_only" if example else "must_be_fetched"


def _further(text: str, citations: Sequence[Citation]) -> list[FootnoteItem]:
    """Return acts of a list that repeats only the number ("… (EC) No 715/2009")."""
    items = []
    for match in _FURTHER.finditer(text):
        if any(c.start <= match.start() < c.end for c in citations):
            continue
        celex = derive("Regulation", match["first"], match["second"], numero="No" in match[0], domain=match["domain"])
        if celex is not None:
            items.append(
                FootnoteItem(kind="EU Legal Act", title=f"Regulation {match[0]}", celex_id=celex, type="citation_only")
            )
    return items


def _categories(text: str, items: Sequence[FootnoteItem], defines: bool) -> tuple[FootnoteCategory, ...]:
    """Return the categories by what the footnote names and does (rulings D23, C8)."""
    categories: list[FootnoteCategory] = []
    if any(i.kind in ("EU Legal Act", "International Convention/Treaty") for i in items):
        categories.append("Legal Reference")
    if defines or (
        _DEFINED_IN.search(text) and not text.startswith(("Regulation", "Directive", "Commission", "Council"))
    ):
        categories.append("Technical Definition")
    if any(i.kind in ("Standard", "Official Guideline/Manual") for i in items):
        categories.append("Official Guideline/Standard")
    if not categories or (_EXPLAINS.search(text[:60]) and not defines):
        categories.append("Explanatory Note")
    return tuple(categories)
