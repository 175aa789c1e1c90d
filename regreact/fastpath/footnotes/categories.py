"""Categories of a footnote by what it names and does (guidelines section 9, rulings D23 and C8)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from regreact.schema import FootnoteCategory, FootnoteItem

_LEGAL = ("EU Legal Act", "International Convention/Treaty")
_GUIDELINE = ("Standard", "Official Guideline/Manual")


@dataclass(frozen=True, slots=True)
class ExplanationRule:
    """Words that explain beyond citing a document. `example` has them."""

    name: str
    pattern: re.Pattern[str]
    example: str


EXPLANATIONS: tuple[ExplanationRule, ...] = (
    ExplanationRule(
        "how a value was derived",
        re.compile(r"^(?:Reflecting|Combined|Corresponding)\b"),
        "Reflecting the average value",
    ),
    ExplanationRule(
        "what is included", re.compile(r"^(?:This|These|[A-Z][\w ]{3,40}?) includes?\b"), "This includes rowing boats."
    ),
    ExplanationRule(
        "how compliance is shown",
        re.compile(r"^(?:This|These|It) (?:can|may)\b"),
        "This can be demonstrated by a test.",
    ),
    # "Such as …" only completes the words before the marker
    ExplanationRule("an example", re.compile(r"^(?:For example|For instance|E\.g\.)"), "For example, under old lake rules."),
    ExplanationRule(
        "from when or until when", re.compile(r"^(?:Until|From|As of|As from)\b"), "Until 31.12.2021, step E."
    ),
    ExplanationRule(
        "what applies in third countries",
        re.compile(
            r"^For (?:activities|the activity) (?:located )?in third countries\b|"
            r"\. For activities (?:located )?in third countries, (?:in|unless)\b"
        ),
        "For activities in third countries, in accordance with national law.",
    ),
    ExplanationRule(
        "what is to come", re.compile(r"\bThe Commission will\b|\bare discussing\b"), "The Commission will review this."
    ),
    ExplanationRule(
        "how national rules stand",
        re.compile(r"^As set in the applicable national\b"),
        "As set in the applicable national rules",
    ),
    ExplanationRule(
        "what a document says",
        re.compile(r"^The (?:most recent|final|definition|list|requirement)\b[^.]*\b(?:is|contains?|are|targets)\b"),
        "The final report contains figures.",
    ),
    ExplanationRule(
        "a sentence on what may or must be done",
        re.compile(r"(?:^|\. )[A-Z][^.:]*\b(?:may|shall|must|has to|is to be|are to be) (?:be |provide|use|add)"),
        "Boats may be tested.",
    ),
)


def categories(text: str, items: Sequence[FootnoteItem], defines: bool) -> tuple[FootnoteCategory, ...]:
    """Return the categories of a footnote, at least one.

    Args:
        text: Its text.
        items: The documents it names.
        defines: True if it defines a term.
    """
    found: list[FootnoteCategory] = []
    if any(i.kind in _LEGAL for i in items):
        found.append("Legal Reference")
    if defines:
        found.append("Technical Definition")
    if any(i.kind in _GUIDELINE for i in items):
        found.append("Official Guideline/Standard")
    explains = any(rule.pattern.search(text) for rule in EXPLANATIONS)
    if not found or (explains and not defines):
        found.append("Explanatory Note")
    return tuple(found)
