"""Whether the document of a footnote must be fetched (guidelines section 9, clarification C8)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.fastpath.footnotes.acts import SENTENCE_END
from regreact.legal.citations import Citation
from regreact.schema import FetchType


@dataclass(frozen=True, slots=True)
class ItemContext:
    """One document of a footnote.

    Attributes:
        text: Text of the footnote.
        citation: The document in it.
        named: Phrases of the criterion's sources, and their `designation`.
        background: Designations of those that it cites as background.
        is_act: True for an act of the Union.
    """

    text: str
    citation: Citation
    named: frozenset[str]
    background: frozenset[str]
    is_act: bool

    @property
    def before(self) -> str:
        """Words of the same sentence that lead to the document."""
        head = self.text[: self.citation.start]
        ends = list(SENTENCE_END.finditer(head))
        return head[ends[-1].end() :] if ends else head


@dataclass(frozen=True, slots=True)
class BackgroundRule:
    """Words before a document that make it background; `opening` rules look at the start of the footnote."""

    name: str
    pattern: re.Pattern[str]
    example: str
    opening: bool = False


RULES: tuple[BackgroundRule, ...] = (
    BackgroundRule(
        "example", re.compile(r"\b(?:[Ss]uch as|[Ff]or example|[Ff]or instance|e\.g\.)"), "Such as the EU Ecolabel for boats"
    ),
    BackgroundRule(
        "how a printed value was derived",
        re.compile(r"^(?:Reflecting|Combined|Corresponding)\b"),
        "Reflecting the average value set out in the Annex to Regulation (EU) 2019/5",
        opening=True,
    ),
    BackgroundRule(
        "what is included or proves compliance",
        re.compile(r"^(?:This|These) (?:includes?|can|may)\b|^(?:Minimum|Future)\b.*\binclude\b"),
        "This includes boats set out in point 3 of Annex I to Regulation (EU) 2019/5",
        opening=True,
    ),
    BackgroundRule(
        "review to come",
        re.compile(r"\bwill (?:review|be adopted)\b|\bonce\b"),
        "The Commission will review this once Directive …",
    ),
    BackgroundRule(
        "implemented by the act that binds",
        re.compile(r"\b[Ww]hich implements? (?:in|within) (?:the Union|Union law) (?:the )?$"),
        "Which implements in the Union the Lakes Convention",
    ),
    BackgroundRule(
        "basis of a plan",
        re.compile(r"\badopted under (?:the )?$"),
        "National Lake Programme 2090, adopted under the Lakes Convention",
    ),
    BackgroundRule(
        "treaty that contains an annex",
        re.compile(r"\bcontained in $"),
        "standard of the ICAO contained in Annex 16 to the Air Convention",
    ),
    BackgroundRule(
        "legal framework",
        re.compile(r"\bunder the legal framework of (?:the )?$"),
        "under the legal framework of the Lakes Convention",
    ),
    BackgroundRule(
        "counterpart", re.compile(r"\bcorresponds? to the (?:\w+ )?(?:standard )?$"), "This corresponds to the standard ISO 12345"
    ),
    BackgroundRule(
        "practical guidance", re.compile(r"^Practical guidance\b"), "Practical guidance is contained in …", opening=True
    ),
)
# "See …", "In line with …": further reading, unless the criterion itself names the document
_FURTHER_READING = re.compile(r"^(?:See|In line with)\s|, see (?:also )?(?:the )?$")


def fetch_type(context: ItemContext) -> FetchType:
    """Return `citation_only` for what is amended, an example, explained or further reading, else `must_be_fetched`."""
    citation = context.citation
    name = designation(citation.celex or citation.title)
    if any(name == b or name.startswith((f"{b}:", f"{b} ")) for b in context.background if b):
        return "citation_only"
    for rule in RULES:
        if rule.pattern.search(context.text if rule.opening else context.before):
            return "citation_only"
    further = not context.is_act and citation.kind in ("document", "standard") and _FURTHER_READING.search(context.before)
    if further and not _is_named(citation, context.named):
        return "citation_only"
    return "must_be_fetched"


def designation(title: str) -> str:
    """Return what identifies a document in body and footnote alike: "EN ISO14024:2018" is "ISO 14024:2018"."""
    return re.sub(r"^(ISO|IEC|EN)(?=\d)", r"\1 ", re.sub(r"^(?:EN|CEN)[ /](?=ISO|IEC|EN)", "", title))


def _is_named(citation: Citation, named: frozenset[str]) -> bool:
    title = citation.title or citation.phrase
    return any(title.startswith(n) or n.startswith(title) for n in named if n)
