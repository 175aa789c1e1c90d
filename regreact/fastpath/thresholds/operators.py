"""Comparison words around a number (guidelines section 6, appendix D.2 "Operator Detection")."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.remember import remembered
from regreact.schema import Operator


@dataclass(frozen=True, slots=True)
class OperatorRule:
    """Words before a number and the operator they mean, in order of precedence."""

    operator: Operator
    words: str
    example: str


_BE = r"(?:is |are |be )?"
_DOWN = r"(?:lower|less|smaller|fewer|shorter|below|under)"
_UP = r"(?:higher|greater|more|larger|longer|above|over|exceeding|exceeds?)"
# Comparatives by direction; "later" and "earlier" belong to dates
_LESS = (
    r"(?:lower|less|smaller|fewer|shorter|younger|narrower|thinner|lighter|shallower|slower|cooler|colder|quieter|"
    r"closer|nearer|worse|weaker)"
)
_MORE = (
    r"(?:higher|greater|more|larger|longer|older|bigger|further|farther|wider|taller|deeper|thicker|heavier|louder|"
    r"warmer|hotter|faster|steeper|better|stronger)"
)
_EQUAL = r"(?:(?:equal|equivalent|corresponding|amounting) to )?"
_NEVER = r"(?:never|nowhere|on no occasion|(?:in|under|at) no (?:case|circumstances|event|time|place|point|moment))"
BEFORE = (
    OperatorRule("<=", rf"(?:equals?|at)(?: to)? or {_BE}{_DOWN}(?: than)?", "equals to or is lower than 0.5"),
    OperatorRule("<=", rf"{_DOWN}(?: than)? or equal(?: to)?|at or (?:below|under)", "lower or equal to 60"),
    OperatorRule(">=", rf"(?:equals?|at)(?: to)? or {_BE}{_UP}(?: than)?", "equal to or greater than 3"),
    OperatorRule(">=", rf"{_UP}(?: than)? or equal(?: to)?|at or (?:above|over)", "greater than or equal to 3"),
    OperatorRule(
        "<=",
        rf"(?:no|not|never|neither) (?:be )?{_MORE} than",
        "not older than 10",
    ),
    OperatorRule(
        "<=",
        r"(?:do|does|shall|must|may|can|will|would|did|should) ?not (?:(?:at any (?:time|place|point)|\w+) )?"
        r"(?:exceed|surpass|go (?:beyond|above|over))|"
        r"not (?:to )?exceed(?:ing|s)?|cannot exceed|not (?:be )?in excess of",
        "does not exceed 675",
    ),
    OperatorRule(
        "<=",
        r"without exceeding|(?:no|not|never) (?:be )?(?:above|over)|(?:limited|restricted|reduced|lowered|cut) to|"
        rf"capped at|brought down to|{_NEVER} (?:be )?"
        rf"(?:exceed(?:s|ed|ing)?|surpass(?:es|ed)?|(?:go|goes|rises?) (?:above|over|beyond)|above|over|in excess of|{_MORE} than)|"
        r"up to(?: and including)?|(?:limit|keep)s? (?:\w+ )?at",
        "limited to 3",
    ),
    OperatorRule(
        ">=",
        rf"(?:no|not|never) (?:be )?{_LESS} than|not (?:be )?(?:below|under)|"
        rf"{_NEVER} (?:be )?(?:(?:falls?|drops?|sinks?|goes|go) (?:below|under)|below|under|{_LESS} than)",
        "not lower than 20",
    ),
    OperatorRule(">=", r"reach(?:es)?|attains?|achieves?|(?:raised|increased) to", "reaches 80"),
    OperatorRule(">=", rf"{_EQUAL}at least|(?:a )?(?:minimum|min\.?)(?: of)?|≥|>=", "at least 36"),
    OperatorRule("<=", rf"{_EQUAL}at most|(?:a )?(?:maximum|max\.?)(?: of)?|≤|<=", "a maximum of 6"),
    OperatorRule("<", rf"{_LESS} than|below|under|beneath|inferior to|<", "lower than 100"),
    OperatorRule(
        ">",
        rf"{_MORE} than|more [\w -]{{3,40}}? than|above|over|"
        r"exceed(?:s|ing)?|surpass(?:es|ing)?|in excess of|superior to|beyond|>",
        "above 5",
    ),
    OperatorRule("<=", r"between \d[\d .,]*\s?\S{0,12} and", "between 5 % and 7 %"),
    OperatorRule(">=", r"between", "between 5 % and 7 %"),
    OperatorRule("=", r"equals?(?: to)?|=|amounts? to|(?:is|are) set at", "equal to 0"),
)
FILLER = (
    r"(?:\s(?:(?:[\w()-]+\s){1,4}?of(?=\s)|an?|the|total|average|overall|annual|mean|weighted|approximately|about|"
    r"of|by|to))*"
)
_BEFORE = tuple(
    (rule.operator, re.compile(rf"(?:^|(?<=[\s(\[,;:/]))(?:{rule.words}){FILLER}[\s,]*$", re.I)) for rule in BEFORE
)
_AFTER: tuple[tuple[Operator, re.Pattern[str]], ...] = (
    (
        ">=",
        re.compile(
            r"^\s*,?\s*(?:(?:(?:wide|high|tall|long|deep|thick|old)\s)?(?:or|and) (?:more|higher|above|longer|greater|over|larger|better|up|upwards|"
            r"wider|taller|deeper|thicker|heavier|older|warmer|hotter|faster)\b(?! than| to\b)|"
            r"(?:at least|at the (?:very )?least|as a minimum)(?=\s*(?:[.;,:)]|$)|\s(?:of|in|on|for|per|by)\s)(?! \d))",
            re.I,
        ),
    ),
    (
        "<=",
        re.compile(
            r"^\s*,?\s*(?:(?:(?:wide|high|tall|long|deep|thick|old)\s)?(?:or|and) (?:less|lower|below|fewer|shorter|smaller|under|down|"
            r"narrower|shallower|thinner|lighter|younger|cooler|colder|slower)\b(?! than)|"
            r"(?:is|are|may|must|shall) not (?:be |to be )?(?:exceeded|surpassed)\b|"
            r"(?:at most|at the (?:very )?most|as a maximum)(?=\s*(?:[.;,:)]|$)|\s(?:of|in|on|for|per|by)\s)(?! \d))",
            re.I,
        ),
    ),
)
# "does not lead to leakages above 0.5 %", "are not moved over distances greater than": denial turns the limit round
_DENIED = re.compile(
    r"\b(?:does|do|shall|is|are|must|will|may) not (?!(?:only|less|more|lower|higher)\b)\w+|"
    rf"\bno\s(?:\w+\s){{1,3}}(?:is|are)\b|\bnever (?=\w+s\b)|\b{_NEVER}\s(?:does|do|may|shall|must|will|can|is|are)\b",
    re.I,
)
_DENIED_AND_ON = re.compile(rf"(?:{_DENIED.pattern})(?:(?!\b(?:but|and|or)\b)[^,;])*$", re.I)
FLIPPED: dict[Operator, Operator] = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "="}
_FINITE = re.compile(
    r"(?:reach|reaches|attains?|achieves?|surpass(?:es)?|do|does|shall|must|may|can|cannot|will|would|should|equals?|exceeds?|amounts?|is|are|not exceed)\b", re.I
)
# Words after which a comparison states a duty: "is below", "has to be lower than", "emissions exceed"
COPULA = re.compile(
    r"\b(?:is|are|was|were|be|been|remains?|stays?)\s(?:always |either |at |within )?$|\b(?:is|are) $", re.I
)

# "attains a yield of": the quantity stands between verb and number
_REACHED = re.compile(r"(?:reach(?:es)?|attains?|achieves?)\s.*\w.*\sof\s*$", re.I)


@dataclass(frozen=True, slots=True)
class Comparison:
    """An operator and the place of its words.

    Attributes:
        operator: Denial in the clause is already taken into account.
        start: Where the words start (the number itself, if they follow it).
        finite: True if words or verb before them state a duty; else they may only qualify a noun.
        symbol: True for "<", "≥" and the like.
    """

    operator: Operator
    start: int
    finite: bool
    symbol: bool = False


# "the maximum period between two cleanings is 6 weeks"
_BOUND_IN_SUBJECT = re.compile(
    r"(?:^|[\s,])(?P<b>max(?:imum|\.)|min(?:imum|\.))\s[^,;.:]+\s(?:is|are|equals?|amounts? to)\s*$", re.I
)


def after_words(after: str) -> int:
    """Return the length of the comparison words at the start of the text behind an amount, 0 if there are none.

    Example:
        >>> after_words(" or more of the roof"), after_words(" of the roof")
        (8, 0)
    """
    found = next((m for _, pattern in _AFTER if (m := pattern.match(after))), None)
    return found.end() if found else 0


def comparison(text: str, clause_start: int, start: int, end: int) -> Comparison | None:
    """Return the operator of the number at [start, end), None if no comparison words stand beside it.

    Args:
        text: The text, masked.
        clause_start: Where the clause of the number starts.
        start: First character of the number.
        end: Character after its unit.
    """
    before = text[clause_start:start]
    for operator, pattern in _AFTER:
        if pattern.match(text[end:]):
            return Comparison(operator, start, bool(COPULA.search(before)))
    for operator, pattern in _BEFORE:
        match = pattern.search(before)
        if match:
            words = before[match.start() :]
            finite = bool(_FINITE.match(words) or COPULA.search(before[: match.start()]))
            denial = {">": _DENIED, "<": _DENIED_AND_ON}.get(operator)
            denied = denial is not None and denial.search(before[: match.start()])
            symbol = bool(re.match(r"[<>≤≥]", words))
            if _REACHED.match(words):
                return Comparison(operator, start, finite=True)
            return Comparison(FLIPPED[operator] if denied else operator, clause_start + match.start(), finite, symbol)
    bound = _BOUND_IN_SUBJECT.search(before)
    if bound is not None:
        return Comparison("<=" if bound["b"].lower().startswith("max") else ">=", start, finite=True)
    return None


@dataclass(frozen=True, slots=True)
class Words:
    """Comparison words in a text without number: their place and operator."""

    start: int
    end: int
    operator: Operator


_ANYWHERE = tuple((rule.operator, re.compile(rf"(?:^|(?<=\s))(?:{rule.words})(?!\w)", re.I)) for rule in BEFORE)


# "the values given below": a place in the text, no comparison
_LISTED_BELOW = re.compile(
    r"\b(?:listed|specified|set out|described|mentioned|given|stated|indicated|shown|laid down|values?|limits?|levels?|"
    r"tables?|lists?|figures?|ceilings?|thresholds?)\s(?:below|above|under)$",
    re.I,
)


@remembered
def last_words(text: str) -> Words | None:
    """Return the last comparison words of a chapeau, None if it has none.

    Example:
        >>> last_words("emissions do not exceed the following values")
        Words(start=10, end=23, operator='<=')
    """
    found: list[Words] = []
    for operator, pattern in _ANYWHERE:
        for match in pattern.finditer(text):
            listed = _LISTED_BELOW.search(text[: match.end()])
            if not listed and not any(match.start() < w.end and w.start < match.end() for w in found):
                found.append(Words(match.start(), match.end(), operator))
    return max(found, key=lambda w: w.start, default=None)
