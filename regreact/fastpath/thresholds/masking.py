"""Blanks out text whose numbers are no limits: citations, footnote markers, classes, labels."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.legal.citations import find_citations


@dataclass(frozen=True, slots=True)
class MaskRule:
    """Text whose numbers decide nothing. `example` shows what is blanked."""

    name: str
    pattern: re.Pattern[str]
    example: str


# Numbers in citations, standards' years, categories and classes are skipped (guidelines section 6, ruling D13).
RULES = (
    MaskRule("label", re.compile(r"^\s*(?:\d+(?:\.\d+)*\.?|\([a-z]+\))(?=\s)"), "1.2. The plan …"),
    MaskRule("footnote marker", re.compile(r"(?<=\S)\(\d{1,3}\)"), "the plan(12)"),
    MaskRule("point", re.compile(r"\b(?:points?|criteri(?:on|a)|Sections?|Annex|Articles?|paragraphs?|Tables?|Appendix|"
                                 r"Scopes?|Categor(?:y|ies)|categor(?:y|ies)|class(?:es)?|level|Tier|Stage|Step|"
                                 r"TRL|Euro|EURO|Level\(s\) indicators?)"
                                 r"\s\(?[\dIVX]+[\d.]*(?:[A-Z]|\([a-z0-9]+\))*(?:(?:,| and| or|"
                                 r" to)\s\d[\d.]*(?:[A-Z]|\([a-z]+\))*)*"),
             "Table 2"),
    MaskRule("technology readiness", re.compile(r"\bTRL\)?\s?\d\b"), "TRL 9"),
    MaskRule("vehicle category", re.compile(r"\b[MNOL]\d\b"), "category M2"),
    MaskRule("NACE code", re.compile(r"\b(?:NACE|CPV|HS|CN)\b[^.;]{0,40}"), "NACE II 02.10"),
    MaskRule("bracketed act date", re.compile(r"\bof \d{1,2} [A-Z][a-z]+ \d{4}\b"), "Decision of 3 May 2011"),
    MaskRule("version", re.compile(r"\(version of[^)]*\)"), "(version of 4.6.2021: …)"),
    MaskRule("reference years",
             re.compile(r"\bin (?:19|20)\d\d(?:(?:,| and| or)\s(?:19|20)\d\d)*\b"), "in 2016 and 2017"),
    MaskRule("applicable on", re.compile(r"\b(?:applicable|in force|set|valid) on \d{1,2} [A-Z][a-z]+ \d{4}"),
             "requirements applicable on 1 April 2022"),
    MaskRule("carcinogen class", re.compile(r"\bcategor(?:y|ies)\s?\d[A-Z]? and \d[A-Z]?"), "categories 1A and 1B"),
    MaskRule("comparator", re.compile(r"\bcomparator of \d[\d.,]*\s?\S+(?: \S+/\S+)?"), "comparator of 94 g CO2e/MJ"),
)  # fmt: skip


def mask(text: str) -> str:
    """Return the text with every masked character as a space, so that offsets stay."""
    chars = list(text)
    for citation in find_citations(text):
        if citation.kind in ("eu-act", "standard", "section", "appendix", "annex"):
            _blank(chars, citation.start, citation.end)
    for rule in RULES:
        for match in rule.pattern.finditer(text):
            _blank(chars, match.start(), match.end())
    return "".join(chars)


def _blank(chars: list[str], start: int, end: int) -> None:
    chars[start:end] = " " * (end - start)
