"""Terms that a footnote defines (guidelines section 9, rulings D23 and C8)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.schema import Definition

_PURPOSE = r"(?:For the purposes? of [^,]+, )?"
_QUOTE = r"[‘“'\"]?"
_UNQUOTE = r"[’”\"']?"
_TERM_WORDS = r"(?P<term>[^’”\"';:!?]{2,90}?)(?<!\. [A-Z])"


@dataclass(frozen=True, slots=True)
class DefinitionRule:
    """A form of definition. `named`: the term must be the phrase before the footnote's marker."""

    name: str
    pattern: re.Pattern[str]
    example: str
    named: bool = False


RULES: tuple[DefinitionRule, ...] = (
    DefinitionRule(
        "means",
        re.compile(
            rf"(?:^|(?<=\. )){_PURPOSE}{_QUOTE}{_TERM_WORDS}{_UNQUOTE}(?<! the)(?<! an)(?<! a) means? "
            r"(?P<definition>(?:(?!\. [A-Z][^.]{2,90} means? )[^;])+)"
        ),
        "Lake shore means the strip of land along a lake.",
    ),
    DefinitionRule(
        "is defined as",
        re.compile(
            rf"^{_PURPOSE}{_QUOTE}{_TERM_WORDS}{_UNQUOTE} (?:is|are|can be) (?:\w+ )?defined "
            r"(?:in this context |generally )?as (?P<definition>.+)", re.S
        ),
        "Lake shore is defined in this context as the strip of land along a lake.",
    ),
    DefinitionRule(
        "is defined in",
        re.compile(
            rf"^{_QUOTE}{_TERM_WORDS}{_UNQUOTE} "
            r"(?:(?:is|are) defined (?:in|by)|as defined in|are defined and \w+ in) (?P<definition>.+)", re.S
        ),
        "Lake shore is defined in Article 2 of Directive 2001/3/EC.",
    ),
    DefinitionRule(
        "is what it is, as defined in",
        re.compile(
            rf"^{_QUOTE}{_TERM_WORDS}{_UNQUOTE} (?:is|are) (?P<definition>(?:(?!\. [A-Z]).)+?, as defined (?:in|by) .+)", re.S
        ),
        "Lake mills are driven by lake water (not rivers), as defined in Directive 2001/3/EC.",
        named=True,
    ),
    DefinitionRule(
        "refers to",
        re.compile(rf"(?:^|(?<=[;:.] )){_QUOTE}{_TERM_WORDS}{_UNQUOTE} (?:refers? to|is calculated as|represents?) "
                   r"(?P<definition>[^;.:]+(?:\.(?! [A-Z])[^;.:]*)*)"),
        "Clean water refers to water without oil.",
    ),
    DefinitionRule(
        "is a thing that",
        re.compile(
            rf"^{_QUOTE}{_TERM_WORDS}{_UNQUOTE} (?:is|are) (?P<definition>(?!be\b)(?:the |an? )?(?:[\w-]+ ){{0,4}}?"
            r"(?:that|which|of|resulting|produced|used|intended|likely)\b.+)", re.S
        ),
        "Recovery rate is the proportion of waste that is recovered.",
        named=True,
    ),
)  # fmt: skip

# A footnote that is one noun phrase explains the words before its marker: "Area that …", "The procedure through which"
_NOUN_PHRASE = re.compile(
    r"^(?:The |An? |Any )?"
    r"(?!In |For |See |Such |As |Until |Where |Which |Only |All |This |These |Those |It )[A-Z]?[\w’/-]+"
    r"(?: (?!is |are |can |will |has |have |may |must |shall |means )[\w’'/,()-]+){0,9}? "
    r"(?:that|which|where|whose|through which|in which|needed|associated|assigned|spanning|designated|meet)\b"
)
_STARTS_AS_DEFINITION = re.compile(r"^(?:As defined (?:in|by)\b|The (?:stewardship|use) )")
_NO_DEFINITION = re.compile(
    r"^(?:Regulation|Directive|Commission|Council|Decision|Implementing|ISO|EN|CEN|The Commission|Reflecting|Including|"
    r"Applying|Combined|Calculated|Corresponding|In particular|European|EU |Publicly|Volume|Vehicles|"
    r"The (?:requirements?|emissions?|final|list|WHO|most|Best|conformity|restoration))"
)
# The noun phrase before the marker: a quoted term, else the words back to one of these.
_QUOTED = re.compile(r"[‘“'\"](?P<term>[^’”'\"]{2,80})[’”'\"]$")
_BOUNDARY = frozenset(
    "the a an in on for with to by or as is are be any all their its that which than least uses use has have where "
    "using under into through during between such not no consists favour favours defining carried out".split()
)
_MEASURE = re.compile(r"^(?:share|amount|number|level|quantity|and|of) (?:of )?")
_LONGEST_TERM = 7
_CLAUSE = re.compile(r"\b(?:means|refers|is|are|can|may)\b")
# "the forest estate as defined by the FAO(1)", "the FAO definition(2) of forest, if": the term stands elsewhere
_DEFINED_BY = re.compile(r" as defined (?:by|in) [^,.;]+$")
_DEFINITION_OF = re.compile(r"^\(\d+\) of (?P<term>[\w -]+?)(?=[,.;]| and | or |$)")


def term_before(text: str) -> str | None:
    """Return the noun phrase at the end of a text, the one that a footnote marker stands behind.

    Example:
        >>> term_before("the share of food and feed crops"), term_before("an assessment or a screening")
        ('food and feed crops', 'screening')
    """
    stripped = text.rstrip(" \u00a0")
    quoted = _QUOTED.search(stripped)
    if quoted:
        return quoted["term"]
    words: list[str] = []
    for word in reversed(stripped.split()):
        if word.lower() in _BOUNDARY or word.endswith((",", ";", ":", ".")) or len(words) == _LONGEST_TERM:
            break
        words.insert(0, word)
    term = " ".join(words)
    while (match := _MEASURE.match(term)) is not None:
        term = term[match.end() :]
    term = re.sub(r"^.*\bdefinitions? of ", "", term)
    return re.sub(r"\(\d+\)", "", term) or None


def definitions(text: str, before: str, after: str = "", titled: bool = False) -> tuple[Definition, ...]:
    """Return the terms that a footnote defines, in its own words or as the phrase its marker stands behind.

    Args:
        text: Text of the footnote.
        before: Text of the criterion up to the footnote's marker, "" if unknown.
        after: Text of the criterion behind the marker.
        titled: True if the footnote opens with the title of a document: it defines nothing implicitly.
    """
    found: list[Definition] = []
    for rule in RULES:
        for match in rule.pattern.finditer(text):
            term = re.sub(r"^(?:The|A|An) ", "", match["term"].strip())
            if _CLAUSE.search(term):
                continue
            if len(term.split()) <= 10 and (not rule.named or _is_named(term, before)):
                found.extend(
                    Definition(term=part, definition=match["definition"].strip()) for part in _parts(term, text)
                )
    if found:
        return tuple({d.term.lower(): d for d in found}.values())
    implied = None if titled else _implied(text, before, after)
    return (implied,) if implied else ()


def _parts(term: str, text: str) -> list[str]:
    """Return the terms that share one definition ("Reusable and reuse system are defined …")."""
    if " and " in term and re.match(re.escape(term) + r" are defined", text):
        return term.split(" and ")
    return [term]


def _is_named(term: str, before: str) -> bool:
    """True if a term stands right before the marker (plural or other case allowed)."""
    last = term.lower().split()[-1].rstrip("s")
    return last in before.lower()[-len(term) - 12 :]


def _implied(text: str, before: str, after: str) -> Definition | None:
    if _NO_DEFINITION.match(text):
        return None
    if not (_STARTS_AS_DEFINITION.match(text) or _NOUN_PHRASE.match(text)):
        return None
    behind = _DEFINITION_OF.match(after) if before.endswith("definition") else None
    term = behind["term"] if behind else term_before(_DEFINED_BY.sub("", before))
    return Definition(term=term, definition=text) if term else None
