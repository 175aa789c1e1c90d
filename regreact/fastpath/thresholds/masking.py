"""Blanks out text whose numbers are no limits: citations, footnote markers, classes, labels, titles."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.legal.citations import find_citations
from regreact.legal.dates import FULL_DATE
from regreact.remember import remembered
from regreact.screen import Screened


@dataclass(frozen=True, slots=True)
class MaskRule:
    """Text whose numbers decide nothing. `example` shows what is blanked."""

    name: str
    pattern: Screened
    example: str


# Numbers in citations, standards' years, categories and classes are skipped (guidelines section 6, ruling D13).
RULES = (
    MaskRule("label", Screened(r"^\s*(?:\d+\.(?:\d+\.?)*|\d+(?:\.\d+)+(?=\s?[A-Z][a-z])|\([a-z]+\))"), "1.2. A plan"),
    MaskRule("footnote marker", Screened(r"(?<=\S)\(\d{1,3}\)"), "the plan(12)"),
    MaskRule("spaced footnote marker", Screened(r"(?<=[A-Za-z][23]) \(\d{1,3}\)"), "5 m2 (12)"),
    MaskRule("point", Screened(r"\b(?:[Pp]oints?|criteri(?:on|a)|[Ss]ections?|Annex(?:es)?|Articles?|[Pp]aragraphs?|"
                                 r"[Tt]ables?|Appendix|[Cc]hapters?|Parts?|Volumes?|[Aa]mendment|Regulations?|BAT|"
                                 r"[Ss]copes?|[Cc]ategor(?:y|ies)|[Cc]lass(?:es)?|[Ll]evels?|Tier|[Ss]tages?|[Ss]teps?|"
                                 r"TRL|Euro|EURO|IE|CMR|IPMS|Level\(s\) indicators?|[Tt]est|No|[Tt]ype|clause|"
                                 r"[Mm]odule|[Ee]ntr(?:y|ies)|[Ff]igure|Descriptors?|CMC|NACE codes?|version)"
                                 r"\s?\(?(?:\d[\d.]*|[IVX]+\b)(?![\d.,]*\s?%)(?:[A-Z]\b|\([a-z0-9]+\))*"
                                 r"(?:(?:,| and| or| to|-)\s?\d[\d.]*(?:[A-Z]\b|\([a-z]+\))*)*"),
             "Table 2"),
    MaskRule("waste code", Screened(r"\bcategory \d\d \d\d \d\d\*?"), "category 17 05 04"),
    MaskRule("technology readiness", Screened(r"\bTRL\)?\s?\d\b"), "TRL 9"),
    MaskRule("vehicle category", Screened(r"\b[MNOLT]\d\b"), "category M2"),
    MaskRule("code list", Screened(r"\b(?:NACE|CPV|HS|CN)\b[^.;,]{0,40}"), "NACE II 02.10"),
    MaskRule("hazard category", Screened(r"\bcategor(?:y|ies)\s?\d[A-Z]? and \d[A-Z]?"), "categories 1A and 1B"),
    MaskRule("date of an act", Screened(rf"(?<!\b[Aa]s )(?<!\bend )(?<!\bstart )(?<!\bbeginning )\bof {FULL_DATE}"), "Decision of 3 May 2011"),
    MaskRule("date of adoption", Screened(rf"\b(?:adopted|signed|concluded|published|ratified)\b[^.;,]{{0,30}}?\bon "
                                            rf"{FULL_DATE}"), "the Treaty adopted on 5 October 2001"),
    MaskRule("date in brackets", Screened(rf"\({FULL_DATE}\)"), "Tier 2 (1 July 2021)"),
    MaskRule("version", Screened(r"\(version of[^)]*\)"), "(version of 4.6.2021: …)"),
    MaskRule("reference years", Screened(r"(?<!starting )(?<!beginning )(?<!commencing )(?<!expires )(?<!ends )(?<!latest )\bin "
                                        r"(?:19|20)\d\d(?:(?:,| and| or)\s(?:19|20)\d\d)*\b(?! (?:or|and) (?:later|earlier|"
                                        r"after|before|thereafter)|,? at the latest)", re.I),
             "in 2016 and 2017"),
    MaskRule("state of the law", Screened(rf"\b(?:applicable|in force|set|valid) on {FULL_DATE}"),
             "requirements applicable on 1 April 2022"),
    MaskRule("year in a title", Screened(r"\b(?:19|20)\d\d (?=[A-Z])|\b(?:Natura|Horizon|Agenda) ?\d{4}\b|"
                                           r"\b(?:Strategy|Agenda|Plan|Framework|Programme) for (?:19|20)\d\d\b"),
             "the 2006 IPCC Guidelines"),
    MaskRule("span of years", Screened(r"\b(?:19|20)\d\d ?[-–] ?(?:19|20)\d\d\b"), "the period 2021-2027"),
    MaskRule("comparator", Screened(r"\bcomparator of \d[\d.,]*\s?\S+(?: \S+/\S+)?"), "comparator of 94 g CO2e/MJ"),
    MaskRule("chemical name", Screened(r"\[\d+(?:,\d+)*-[a-z]+\]|\b\w+-\d(?:,\d)*-\w+"), "benzo[1,2,3-cd]pyrene"),
)  # fmt: skip


@remembered
def mask(text: str) -> str:
    """Return the text with every masked character as a space, so that offsets stay."""
    chars = list(text)
    for citation in find_citations(text):
        if citation.kind in ("eu-act", "standard", "section", "appendix", "annex"):
            blank(chars, citation.start, citation.end)
    for rule in RULES:
        for match in rule.pattern.finditer(text):
            blank(chars, match.start(), match.end())
    return "".join(chars)


@remembered
def mask_citations(text: str) -> str:
    """Return the text with footnote markers and cited acts as spaces: what is left may name a quantity."""
    chars = list(text)
    for citation in find_citations(text):
        if citation.kind in ("eu-act", "section", "appendix", "annex"):
            blank(chars, citation.start, citation.end)
    for rule in RULES[:3]:
        for match in rule.pattern.finditer(text):
            blank(chars, match.start(), match.end())
    return "".join(chars)


def blank(chars: list[str], start: int, end: int) -> None:
    """Overwrite a range with spaces."""
    chars[start:end] = " " * (end - start)
