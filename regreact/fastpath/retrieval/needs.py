"""What a criterion needs from the source that it cites: places, a subject, values, dates, definitions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.fastpath.cues import sentences
from regreact.fastpath.retrieval.words import subject_stems
from regreact.legal.citations import find_citations
from regreact.legal.mentions import provision_of
from signatures.passages import CitedSource

# Stands for the citation in a sentence.
CITED = "¶"


@dataclass(frozen=True, slots=True)
class NeedRule:
    """Words around a citation (`CITED`) that tell what is taken from it."""

    name: str
    pattern: re.Pattern[str]
    example: str


_VALUE_NOUN = (
    r"(?:(?:limit|emission|target|threshold|reference) (?:values?|levels?)|limits?|thresholds?|ceilings?|benchmarks?|ranges?"
    r"|associated (?:emission|environmental performance) levels?|BAT-AE(?:P)?Ls?|(?:maximum|minimum) [a-z]+(?: [a-z]+)?)"
)
# A noun with its number ("the threshold of 100 g") takes none from the source.
VALUES = NeedRule(
    "value",
    re.compile(rf"\b{_VALUE_NOUN}\b(?![^.;:,]{{0,15}}\d)[^.;:]{{0,100}}{CITED}|{CITED}[^.;:]{{0,60}}\b{_VALUE_NOUN}\b", re.IGNORECASE),
    "emissions stay within the limit values of Article 4 of Directive 2097/5/EU",
)
DATES = NeedRule(
    "date",
    re.compile(
        rf"\b(?:deadlines?|dates?|time limits?|timetables?|transition(?:al)? periods?)\s(?:\w+\s)?(?:(?:set|laid down|specified|fixed|given"
        rf"|provided|established|defined|referred to)\b[^.;:]{{0,60}}|(?:in|of|under) ){CITED}",
        re.IGNORECASE,
    ),
    "kilns close by the date set in Article 7 of Directive 2097/5/EU",
)
DEFINITIONS = NeedRule(
    "definition",
    re.compile(
        r"(?P<before>[^.;:()]*?)(?:,|\(\d{1,3}\))?\s(?:as |is |are )?(?:defined|within the meaning)\s(?:in|by|of|under|for the purposes of)\b"
        r"|\bdefinitions?\sof\s(?P<behind>[^.;:,]*?)\s(?:in|of|set out|laid down|given|under)\s",
        re.IGNORECASE,
    ),
    "brine wells as defined in Article 2, point 5",
)
# Where the name of a term begins: behind these words.
_BEFORE_TERM = re.compile(
    r"^.*(?:\b(?:the|an?|is|are|be|has|have|uses?|with|by|and|or|that|which|to|as|any|all|meets?|compl(?:y|ies)|constitutes?|"
    r"produces?|must|shall|only|its|their|where|if)\b|,)\s",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_TERM = 6


@dataclass(frozen=True, slots=True)
class Needs:
    """What a criterion needs from a source.

    Attributes:
        places: Provisions cited; empty for the whole act.
        topic: The sentence of the criterion that cites the source, without the citation.
        subject: Stems of its words.
        values: True if a value is taken from the source.
        dates: True if a date is.
        terms: Terms that the source defines for the criterion.
    """

    places: tuple[str, ...]
    topic: str
    subject: frozenset[str]
    values: bool
    dates: bool
    terms: tuple[str, ...]


def needs_of(criterion: str, reference: CitedSource) -> Needs:
    """Return what a criterion needs from a source.

    Args:
        criterion: Its text; may begin with that of the criteria above it.
        reference: The source, in words that the criterion prints or, from a footnote, does not.

    Example:
        >>> needs_of("Brine wells, as defined in Article 2 of Directive 2097/5/EU, are sealed.",
        ...          CitedSource(text="Article 2 of Directive 2097/5/EU")).terms
        ('Brine wells',)
    """
    clause = citing_sentence(criterion, reference.text)
    topic = without_citation(clause, reference.text)
    # What else the sentence cites is no subject of this source.
    subject = subject_stems(_without_acts(topic)) or subject_stems(_without_acts(without_citation(criterion, reference.text)))
    at = place_of(clause, reference.text)
    marked = f"{clause.rstrip('.;')} {CITED}" if at is None else f"{clause[: at[0]]}{CITED}{clause[at[1] :]}"
    return Needs(
        tuple(dict.fromkeys(provision_of(a) for a in reference.addresses)),
        topic,
        subject,
        VALUES.pattern.search(marked) is not None,
        DATES.pattern.search(marked) is not None,
        tuple(_terms(clause, reference.text)),
    )


# "in accordance with the limits laid down in": what leads to a citation and means nothing without it.
_LEADS = re.compile(
    r"(?:[,\s]*\b(?:in (?:accordance|line|compliance|conformity) with|(?:set(?: out)?|laid down|referred to|established|specified|provided for|listed|described"
    r"|defined|given) (?:in|by|under)|pursuant to|as|of|in|to|by|with|under|from|the|and|or))+\s*$",
    re.IGNORECASE,
)


def without_citation(text: str, citation: str) -> str:
    """Return a text without a citation and the words that lead to it.

    Example:
        >>> without_citation("Dust is measured in accordance with Directive 2097/5/EU.", "Directive 2097/5/EU")
        'Dust is measured.'
    """
    at = place_of(text, citation)
    words = text if at is None else f"{_LEADS.sub('', text[: at[0]])} {text[at[1] :]}"
    return re.sub(r"\s+(?=[.,;:)])", "", " ".join(words.split()))


def _without_acts(text: str) -> str:
    """Return a text without the acts, standards and documents that it cites."""
    for citation in reversed(find_citations(text)):
        text = f"{text[: citation.start]} {text[citation.end :]}"
    return text


def place_of(text: str, citation: str) -> tuple[int, int] | None:
    """Return where a citation stands in a text as whole words, None if nowhere.

    Example:
        >>> place_of("Article 29 and Article 2", "Article 2")
        (15, 24)
    """
    found = re.search(rf"(?<!\w){re.escape(citation)}(?!\w)", text) if citation else None
    return None if found is None else found.span()


def citing_sentence(criterion: str, citation: str) -> str:
    """Return the sentence that holds the citation, all the text if none does."""
    found = place_of(criterion, citation)
    if found is None:
        return criterion
    at = found[0]
    start, end = next((s for s in sentences(criterion) if s[0] <= at < s[1]), (0, len(criterion)))
    line = criterion.rfind("\n", start, at) + 1
    below = criterion.find("\n", at, end)
    return criterion[max(start, line) : below if below >= 0 else end].strip()


def _terms(clause: str, citation: str) -> list[str]:
    at = place_of(clause, citation)
    head = clause if at is None else clause[: at[1]]
    found = []
    for match in DEFINITIONS.pattern.finditer(head):
        if match["before"] is not None and at is not None and head[match.end() : at[0]].strip(" (the"):
            continue  # another act defines it
        words = match["behind"] or _BEFORE_TERM.sub("", match["before"] or "")
        term = " ".join(words.split()[-_LONGEST_TERM:]).strip(" ,‘’'\"“”")
        if term and term not in found:
            found.append(term)
    return found
