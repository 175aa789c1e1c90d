"""Lists of documents, and of kinds of thing that the activity may be or make (guidelines section 3; R9, R18)."""

from __future__ import annotations

import re

from regreact.fastpath.combination.family import OR, Decision, Family
from regreact.fastpath.cues import main_clause

_DOCUMENT = re.compile(
    r"^(?:the )?(?:[\w-]+ ){0,3}(?:\([A-Z]+\) )?(?:conclusions|reference document|standards?|guidelines?"
    r"|directive|regulation|code|iso|en|bref)\b",
    re.IGNORECASE,
)
_DOCUMENTS_END = re.compile(
    r"\brelevant\b.*\bincluding\s*:\s*$|\b(?:ranges|levels|values)\b.*\bset out in\s*:\s*$", re.IGNORECASE
)
_ACTIVITY_IS = re.compile(
    r"^the (?:economic )?activity (?:is|consists|manufactur|produc|install|construct|provid|develop|operat|repair"
    r"|recycl|generat|recover|treat|collect|convert|researches|sells|store)\w*\b",
    re.IGNORECASE,
)
# "The activity manufactures or repairs:", "The activity is the following:", "… parts for the following vehicles:".
_ACTIVITY_LIST = re.compile(
    _ACTIVITY_IS.pattern + r"(?:\s*(?:,|\band\b|\bor\b|\(\d+\)|\w+s\b))*\s*:\s*$"
    "|" + _ACTIVITY_IS.pattern + r"[^.;]*\bthe following(?: [\w-]+){0,3}\s*:\s*$",
    re.IGNORECASE,
)
_CRITERIA = re.compile(
    r"\bfollowing (?:\w+ )*(?:criteria|requirements?|conditions|elements|information|steps)\b", re.IGNORECASE
)
_NOT = re.compile(r"\b(?:not|no)\b", re.IGNORECASE)
_VERB_FIRST = re.compile(
    r"^(?:is|are|has|have|does|do|can|be|may|shall|compl(?:y|ies)|ensures?|provides?|meets?|promotes?|shows?|includes?"
    r"|favours?|identifies|defines?|explains?|monitors?|properly|demonstrates?|harvest|separate|remove)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"^(?:it|they|this|these|that|those|he|she|each|every)\b", re.IGNORECASE)
_FINITE = re.compile(r"\b(?:is|are|has|have|does|do|compl(?:y|ies)|meets?|ensures?|includes?)\b")


def documents(family: Family) -> Decision | None:
    """Documents of which the applicable ones count (ruling R18)."""
    match = _DOCUMENTS_END.search(family.chapeau)
    return (OR, match.span()) if match and all(_DOCUMENT.match(t) for t in family.texts) else None


def kinds_of_thing(family: Family) -> Decision | None:
    """Kinds of thing that the activity may be or make."""
    chapeau = family.chapeau[main_clause(family.chapeau) :]
    if not chapeau.rstrip().endswith(":") or _NOT.search(chapeau) or _CRITERIA.search(chapeau):
        return None
    if any(_VERB_FIRST.match(t) for t in family.texts) or _leaves_verb_open(family):
        return None
    if _ACTIVITY_LIST.match(chapeau):
        return OR, (len(family.chapeau) - len(chapeau), len(family.chapeau))
    item = family.parent.criterion_id.endswith(")") and family.chapeau[:1].islower()
    noun = _before_relative(chapeau).strip()
    noun_phrase = item and noun and not _PRONOUN.match(noun) and not _FINITE.search(noun)
    return (OR, None) if noun_phrase and family.above == "OR" else None


def _before_relative(chapeau: str) -> str:
    return re.split(r"\b(?:that|which|where|whose)\b", chapeau, maxsplit=1)[0]


def _leaves_verb_open(family: Family) -> bool:
    return re.search(r"\b(?:that|which|and|by|to|of|on|from|with)\s*:\s*$", family.chapeau) is not None


def what_the_activity_does(family: Family) -> Decision | None:
    """Alternatives without connective that say what the activity does (ruling R9)."""
    if family.parent.criterion_id != "ROOT" or family.chapeau:
        return None
    plain = all(_ACTIVITY_IS.match(t) and not _NOT.search(t[:80]) for t in family.texts)
    return (OR, None) if plain else None
