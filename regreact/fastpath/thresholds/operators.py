"""Comparison words around a number (guidelines section 6, appendix D.2 "Operator Detection")."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.schema import Operator


@dataclass(frozen=True, slots=True)
class OperatorRule:
    """Words before a number and the operator they mean, in order of precedence."""

    operator: Operator
    words: str
    example: str


_BE = r"(?:is |are |be )?"
BEFORE = (
    OperatorRule("<=", rf"equals? (?:to )?or {_BE}(?:lower|less|smaller) than", "equals to or is lower than 0.5"),
    OperatorRule("<=", r"(?:lower|less|smaller) than or equal to|at or below", "less than or equal to 60"),
    OperatorRule(">=", rf"equals? (?:to )?or {_BE}(?:higher|greater|more|larger) than", "equal to or greater than 3"),
    OperatorRule(">=", r"(?:higher|greater|more|larger) than or equal to|at or above", "greater than or equal to 3"),
    OperatorRule("<=", r"(?:no|not|neither) (?:be )?(?:more|higher|greater|larger|longer|older|"
                       r"further) than", "not older than 10"),
    OperatorRule("<=", r"(?:do|does|shall|must|may|can|will|would|did)(?:es)? ?not (?:\w+ )?exceed|"
                       r"not exceed(?:ing|s)?|cannot exceed",
                 "does not exceed 675"),
    OperatorRule("<=", r"without exceeding|(?:not|never) above|(?:not|never) over|limited to|capped at|"
                       r"up to", "limited to 3"),
    OperatorRule(">=", r"(?:no|not) (?:be )?(?:less|lower|fewer|smaller|shorter) than|not below|"
                       r"not under", "not lower than 20"),
    OperatorRule(">=", r"at least|(?:a )?minimum(?: of)?|no less than", "at least 36"),
    OperatorRule("<=", r"at most|(?:a )?maximum(?: of)?|no more than", "a maximum of 6"),
    OperatorRule("<", r"(?:lower|less|smaller|fewer|shorter) than|below|under|inferior to", "lower than 100"),
    OperatorRule(">", r"(?:higher|greater|more|larger|longer|older|bigger) than|above|over|exceed(?:s|ing)?|"
                      r"in excess of|superior to",
                 "above 5"),
    OperatorRule("=", r"equals?(?: to)?|=|amounts? to|(?:is|are) set at", "equal to 0"),
)  # fmt: skip
_FILLER = (
    r"(?:\s(?:(?:[\w-]+\s){1,4}?of(?=\s)|or equal to|an?|the|total|average|overall|annual|mean|value of|"
    r"level of|rate of|period of|duration of|of|by|to|the top|top))*"
)
_BEFORE = tuple(
    (rule.operator, re.compile(rf"(?:^|(?<=[\s(\[,;:]))(?:{rule.words}){_FILLER}[\s,]+$", re.I)) for rule in BEFORE
)
_AFTER: tuple[tuple[Operator, re.Pattern[str]], ...] = (
    (">=", re.compile(r"^\s*,?\s*or (?:more|higher|above|longer|greater|over)\b(?! than)", re.I)),
    ("<=", re.compile(r"^\s*,?\s*or (?:less|lower|below|fewer|shorter|smaller|under)\b(?! than)", re.I)),
)
# "does not lead to leakages above 0.5 %", "are not moved over distances greater than": denial turns the limit round
_DENIED = re.compile(r"\b(?:does|do|shall|is|are|must|will|may) not (?!(?:only|less|more|lower|higher)\b)\w+", re.I)
_FLIPPED: dict[Operator, Operator] = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "="}


@dataclass(frozen=True, slots=True)
class Comparison:
    """An operator and where its words start."""

    operator: Operator
    start: int


def comparison(text: str, start: int, end: int) -> Comparison | None:
    """Return the operator of the number at [start, end), None if no comparison words stand beside it."""
    clause_start = max(text.rfind(mark, 0, start) for mark in (".  ", ". ", ";")) + 1
    before = text[clause_start:start]
    for operator, pattern in _AFTER:
        if pattern.match(text[end:]):
            return Comparison(operator, start)
    for operator, pattern in _BEFORE:
        match = pattern.search(before)
        if match:
            denied = operator == ">" and _DENIED.search(before[: match.start()])
            return Comparison(_FLIPPED[operator] if denied else operator, clause_start + match.start())
    return None
