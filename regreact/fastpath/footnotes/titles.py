"""Titles of documents in footnotes, and what kind of document a title names (guidelines section 9, ruling D22)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.legal.document_rules import BODY
from regreact.schema import DocumentKind

# Words that lead to the title; "See", "In line with", "For example, following"
_LEAD = re.compile(
    r"^(?:(?:See(?: also)?|In line with|In accordance with|Such as|For example,? (?:following|in line with)|Listed in|"
    r"Practical guidance [^.]{0,60}?is contained in)\s)?(?:the |The )?",
)
# Where a title ends: the version, the place where it is available, who published it, an address
_END = re.compile(
    r",\s+see\b|,?\s*\(?\s*(?:\d?[Vv]ersion of|available at|https?:)|[,.]\s*(?:Adopted by|Published by|published "
    r"periodically|notified under)|\s(?:adopted|issued|published) (?:by|on) |:\s*https?:"
)
# "Commission Recommendation of 9 April 2013 on …": the number stands in the criterion
UNNUMBERED_ACT = re.compile(
    r"^(?:Commission|Council) (?:Implementing |Delegated )?(?:Recommendation|Decision|Regulation|Directive) "
    r"of \d{1,2} [A-Z]"
)
# ", 2016, p. 17, column comprehensive criteria": a place in the document (ruling D22)
_PAGE = re.compile(r"(?:, \d{4})?, p\. ?\d+.*$")
_PUBLISHED = re.compile(r"https?:|[Vv]ersion of|available at|^\(?(?:Issued|Published)\b")
_READING = ("See ", "Practical guidance")
# "Issued on …", "Publicly available online …": what is said of a document, not its title
_NO_TITLE = re.compile(r"[a-z(]|(?:Issued|Published|Publicly|Adopted|Version)\b")
# "Annex 2 of the Resolution L2. Guidelines for …. Third Conference …": the place, the title, the occasion
_PLACE_FIRST = re.compile(r"^(?P<place>Annex \w+ (?:of|to) [^.]+)\. (?P<title>[A-Z][^.]+)\.?")
# "user manual: introductory briefing …", "Excel template: for estimating lakes (version 1)": what a document is for
_SUBTITLE = re.compile(
    r": introductory briefing, instructions? and guidance|: for [a-z]+ing\b.*?(?= \((?:Publication )?[Vv]ersion \d|$)"
)
# "Lakes Convention (2002) Guidelines for …": author and year before the title, which opens with a capital
_AUTHOR_YEAR = re.compile(r"^[A-Z][^.,:;()]{2,60} \((?:19|20)\d\d\)[.,:]? (?=[A-Z])")
# "Commission Staff Working Document. Lake Criteria": the type of document before the title
_DOCUMENT_TYPE = re.compile(r"^(?:Commission )?(?:Staff Working (?:Document|Paper)|(?:Technical|Final|Annual) Report)\. (?=[A-Z])", re.I)
# "Guidelines for Lakes. EU Lake Management, May 2018": series or publisher, and date, behind the title
_IMPRINT = re.compile(
    r"\. [A-Z][^.]*, (?:(?:January|February|March|April|May|June|July|August|September|October|November|December) )?(?:19|20)\d\d$"
)
# "Resolution IX/4 Guidelines for Lakes": the resolution that adopted the document
_RESOLUTION_FIRST = re.compile(r"^(?P<place>Resolution [IVXL]+[./]\d+)[.,:]? (?P<title>[A-Z].+)$")
_ADOPTED_BY = re.compile(r"[,. ]+[Aa]dopted by (?:the )?(?P<place>Resolution [IVXL]+[./]\d+)")
# "The final report on lakes contains figures": the document is the subject of a sentence
_SUBJECT = re.compile(r"^The (?P<title>(?:final|latest|annual) (?:\w+ )?report (?:on|resulting from) .+?) contains\b")
# A sentence, not a title
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|means?|can|may|will|shall|must|contains?|includes?|refers?|applies|apply|correspond|does|do|"
    r"constitutes?|produces)\b"
)
# "…, FAO Forest Terms 2020 (version of": the source of a definition
_SOURCE = re.compile(rf"(?:[,.(]\s*|\s\()(?P<title>{BODY}\s[^,()]*?)[.,]?\s*\(?\s*version of")
# "…, see Lake Glossary, available at: …", "the sheet to be used: Lake template (version 1), https:": an entry in a sentence
_ENTRY = re.compile(
    r"(?:(?<=[,;.] )[Ss]ee (?:also )?(?:the )?|\bto be used: )(?P<title>[A-Z](?:(?!\. [A-Z])[^;“”])*?),?\s"
    r"(?:\(?[Vv]ersion of|available at|https?:)"
)
# The body that issued a document is no part of its title.
_ISSUER = re.compile(rf"^(?:{BODY}|JRC ESDCA|Joint Research Centre|[A-Z][\w ]+ Agency)(?:,\s+)(?:The\s+)?")
_COMMUNICATION = re.compile(
    r"^(?P<type>Communication) from the Commission(?: to [^:]*?Committee of the Regions)?[:,]\s+(?P<title>.+)$"
)
_NOTICE = re.compile(
    r"^(?P<type>.*?[Nn]otice\s+C[/(]?\d{4}[)/]?\s?\d+(?: final)?)[,\s]*[“‘\"](?P<title>[^”’\"]+)[”’\"]"
)


@dataclass(frozen=True, slots=True)
class KindRule:
    """Titles of one kind of document; the first rule that matches decides."""

    kind: DocumentKind
    words: re.Pattern[str]
    example: str


KINDS: tuple[KindRule, ...] = (
    KindRule(
        "Other",
        re.compile(r"\btool\b|\btemplate\b|\bdatabase\b|\bPlatform\b|\bViewer\b|[Ss]urvey\b|\bservices?\b$"),
        "the G-res tool",
    ),
    KindRule(
        "Standard",
        re.compile(
            r"\bPerformance Standard|\b[Ii]ndustry Criteria|[Ee]co-?[Ll]abel|\blabel\b|\bIndex\b|"
            r"^[A-Z]{3,6} requirements\b|\bstandards?\b|Measurement Standards|Rainforest Alliance|Audit Scheme"
        ),
        "Energy Efficiency Design Index",
    ),
    KindRule(
        "International Convention/Treaty",
        re.compile(
            r"\b(?:Convention|Agreement|Treaty)\b(?!.*(?:[Gg]uidelines|[Rr]esolution))|"
            r"(?:Montreal|Kyoto|Nagoya) Protocol"
        ),
        "Lakes Convention",
    ),
    KindRule(
        "Member-State Plan/Programme",
        re.compile(r"\b[Nn]ational (?:\w+ ){0,4}(?:[Pp]lan|[Pp]rogramme|[Ss]trategy)\b"),
        "national energy and climate plan",
    ),
    KindRule("Official Guideline/Manual", re.compile(r""), "2006 IPCC Guidelines"),
)


def kind_of(title: str) -> DocumentKind:
    """Return the kind of the document that a title names.

    Example:
        >>> kind_of("EU Ecolabel for tourist accommodation"), kind_of("Guidance on wind farms")
        ('Standard', 'Official Guideline/Manual')
    """
    return next(rule.kind for rule in KINDS if rule.words.search(title))


def bibliographic_title(text: str) -> str | None:
    """Return the title of a footnote that is a bibliographic entry, None if it is a sentence or has no entry.

    Example:
        >>> bibliographic_title("See Handbook on lake shores (version of 1.2.2023: https://example.org/).")
        'Handbook on lake shores'
        >>> bibliographic_title("Shores are defined as strips of land (version of 1.2.2023: https://example.org/).")
    """
    lead = _LEAD.match(text)
    body = text[lead.end() :] if lead else text
    end = _END.search(body)
    title = body[: end.start()] if end else ""
    if end is None and (body.startswith("Communication from") or (lead is not None and lead[0].startswith(_READING))):
        title = body.rstrip(". ")
    title = title.strip(" ,.:;(")
    if len(title.split()) < 2 or _FINITE.search(title) or _NO_TITLE.match(title):
        return None
    adopted = _ADOPTED_BY.match(body, end.start()) if end else None
    return clean(title) + (f" ({adopted['place']})" if adopted else "")


def subject_title(text: str) -> str | None:
    """Return the document that a footnote's first sentence is about ("The final report on lakes contains …")."""
    match = _SUBJECT.match(text)
    return match["title"][0].upper() + match["title"][1:] if match else None


def further_entries(text: str) -> list[tuple[int, int, str]]:
    """Return the bibliographic entries inside sentences: where each title starts and ends, and the title.

    Example:
        >>> further_entries("Mills are old, see Lake Glossary, available at: https://example.org.")
        [(19, 32, 'Lake Glossary')]
    """
    return [
        (*match.span("title"), clean(match["title"]))
        for match in _ENTRY.finditer(text)
        if len(match["title"].split()) > 1 and not _FINITE.search(match["title"])
    ]


def definition_source(text: str) -> str | None:
    """Return the document that a definition is taken from ("…, FAO Forest Terms 2020 (version of …)")."""
    match = _SOURCE.search(text)
    return clean(match["title"]) if match else None


def clean(title: str) -> str:
    """Return a title without the body that issued it; communications and notices keep their type."""
    placed = _PLACE_FIRST.match(title)
    if placed:
        return f"{placed['title']} ({placed['place']})"
    title = _DOCUMENT_TYPE.sub("", _AUTHOR_YEAR.sub("", _IMPRINT.sub("", _PAGE.sub("", _SUBTITLE.sub("", title)))))
    adopted = _RESOLUTION_FIRST.match(title)
    if adopted:
        return f"{adopted['title']} ({adopted['place']})"
    communication = _COMMUNICATION.match(title)
    if communication:
        return f"Commission {communication['type']} {communication['title'].strip()}"
    notice = _NOTICE.match(title)
    if notice:
        return f"{notice['type']}, {notice['title']}"
    return _ISSUER.sub("", title).strip(" ,.")


def is_published(text: str) -> bool:
    """True if a footnote says where a document is found or who issued it, so that the criterion must name it."""
    if UNNUMBERED_ACT.match(text):
        return True
    first_sentence = re.split(r"http|\. ", text, maxsplit=1)[0]
    return bool(_PUBLISHED.search(text)) and not _FINITE.search(first_sentence)
