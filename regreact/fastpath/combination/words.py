"""Words that say outright how items combine: "one of", "all of", "at least two of" (guidelines section 3)."""

from __future__ import annotations

import re

from regreact.answers import LogicValue
from regreact.fastpath.combination.family import AND, OR, Decision, Family

_NUMBER_WORDS = {w: n for n, w in enumerate("one two three four five six seven eight nine ten".split(), start=1)}

# Where the list stands: "below", "hereafter", but not "below 3 kW" or "below the roof".
_BELOW = (
    r"(?:\bfollowing\b|\b(?:here(?:in)?after|hereunder)\b"
    r"|\b(?:below|underneath)\b(?!\s+(?:\d|the\b|an?\b|that\b|this\b)))"
)
# "the criteria", "the conditions which are set out": no predicate of its own.
_NOUNS = (
    r"(?:,?\s+(?:(?:which|that) (?:are|is)|(?!(?:is|are|has|have|do|does|meets?|keeps?|compl(?:y|ies)|satisf(?:y|ies)|fulfils?"
    r"|observes?|reach(?:es)?|contains?|covers?|uses?|takes?)\b)[\w-]+)){0,7}?"
)
# "of the following", "of the criteria specified below", "of the conditions which are set out hereafter", "of these:";
# without "of" the list must follow closely, so that "one kiln meets the following" counts kilns.
_ANNOUNCED = (
    rf"(?:\s+(?:out of|of|among|from(?: among)?){_NOUNS}\s*"
    rf"(?:{_BELOW}|\b(?:specified|listed|set out|given|described|mentioned) in points?\b|\bin points? \(|:\s*$)"
    rf"|(?:\s+(?:the|these))?(?:\s+[\w-]+(?:\s+(?:specified|listed|set out|given|described|mentioned))?)?\s+{_BELOW}|\s*:\s*$)"
)
_LEAST = r"(?:at (?:the (?:very )?)?least|as a minimum|at (?:a )?minimum|or (?:more|several))"
_COUNTER = (
    r"\b(?:any |at (?:the )?least |(?:as )?(?:a )?minimum (?:of )?|no(?:t|) (?:fewer|less) than )?"
    r"(two|three|four|five|six|seven|eight|nine|ten|[2-9])(?: \(\d\))?"
)
# "Of the conditions below, two are met", "the following measures, of which at least two are taken".
_LISTED_FIRST = (
    rf"(?:\b(?:out of|of|among|from(?: among)?)(?:\s+(?:all|these|the)){{0,2}}(?:\s+[\w-]+){{0,5}}?\s*{_BELOW}[^,:]*,"
    rf"|{_BELOW}[^:]*?,? of which)\s+(?:[\w-]+ ){{0,2}}?"
)
_PREDICATE = rf"(?=(?:,? {_LEAST},?)? (?:is|are|has|have|must|shall|appl(?:y|ies)|hold|obtain|need)\b)"
_COUNT = re.compile(
    rf"{_COUNTER}(?:,? {_LEAST},?)?(?=\s+(?:of|out of|among|from)\b){_ANNOUNCED}|{_LISTED_FIRST}{_COUNTER}{_PREDICATE}",
    re.IGNORECASE,
)
_ALL = re.compile(
    rf"\b(?:all|both|each|every)(?: one| (?:{'|'.join(_NUMBER_WORDS)}|\d))?\b{_ANNOUNCED}",
    re.IGNORECASE,
)
_ONE = re.compile(
    rf"\b(?:ones?|any)(?: or (?:more|both|several|multiple|(?:the )?others?))?(?:,? {_LEAST},?)?"
    + _ANNOUNCED
    + r"|\beither(?: one)?(?: of)?"
    + _ANNOUNCED
    + rf"|{_LISTED_FIRST}(?:at (?:the )?least |any )?one{_PREDICATE}"
    r"|\bwhich(?:so)?ever of\b"
    + _ANNOUNCED
    + r"|\bthe most \w+ of the following\b|\bin (?:the|any) following cases?\b|\blimited to the following cases?\b"
    r"|\b(?:following|these) (?:alternatives|options)\b|\balternative (?:requirements|criteria|conditions|ways)\s*:\s*$"
    r"|\bsuch as\s*:\s*$|\bincluding but not limited to\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|neither)\b(?! (?:less|fewer) than)(?:\W+[\w-]+){0,5}\W+(?:one|any|either)\b",
    re.IGNORECASE,
)
_OPTIONS = re.compile(r"\bmay be (?:checked|verified|assessed|carried out|demonstrated)\b[^.;]*:\s*$", re.IGNORECASE)
_ALTERNATIVELY = re.compile(r"^(?:alternatively|as an alternative|instead)\b", re.IGNORECASE)
_FALLBACK = re.compile(r"^(?:where|if)\b[^,]*\bnot yet\b", re.IGNORECASE)


def _explicit(family: Family) -> tuple[str, re.Match[str]] | None:
    """Return the first of the words that say outright how the items combine."""
    patterns = {"negated": _NEGATED, "count": _COUNT, "all": _ALL, "one": _ONE}
    found = {name: m for name, p in patterns.items() if (m := p.search(family.chapeau))}
    # "not … one of" begins before its "one of", "at least one of the two" before its "two".
    return min(found.items(), key=lambda item: item[1].start()) if found else None


def _said(name: str, family: Family) -> re.Match[str] | None:
    explicit = _explicit(family)
    return explicit[1] if explicit is not None and explicit[0] == name else None


def negated_choice(family: Family) -> Decision | None:
    match = _said("negated", family)
    return (AND, match.span()) if match else None


def count(family: Family) -> Decision | None:
    match = _said("count", family)
    if match is None:
        return None
    number = match[1] or match[2]
    wanted = _NUMBER_WORDS.get(number.lower()) or int(number)
    if wanted >= len(family.children):
        return AND, match.span()
    return LogicValue("N_OF_K", wanted), match.span()


def all(family: Family) -> Decision | None:
    match = _said("all", family)
    return (AND, match.span()) if match else None


def one(family: Family) -> Decision | None:
    match = _said("one", family)
    return (OR, match.span()) if match else None


def options(family: Family) -> Decision | None:
    match = _OPTIONS.search(family.chapeau)
    return (OR, match.span()) if match else None


def alternatively(family: Family) -> Decision | None:
    second = family.texts[1:]
    return (OR, None) if len(family.texts) == 2 and any(_ALTERNATIVELY.match(t) for t in second) else None


def fallback(family: Family) -> Decision | None:
    return (OR, None) if len(family.texts) == 2 and _FALLBACK.match(family.texts[1]) else None
