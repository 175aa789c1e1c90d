"""Words that hand the limit of a point over to the criterion that cites it, and words that set it aside.

Follows appendix D.9 of arXiv 2604.12054 (a threshold word, a delegation and a point) and C6 of the annotation
guidelines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.fastpath.dependencies.points import DELEGATES, QUALIFIED
from regreact.fastpath.dependencies.selection import LIMIT


@dataclass(frozen=True, slots=True)
class DelegationRule:
    """Words before a point that hand its limit over.

    Attributes:
        name: Name of the rule.
        pattern: The words, which end where the point begins.
        source: Paper section or guideline that the rule follows.
        example: A criterion that inherits by the rule.
        may_be_denied: Whether "does not comply with" or "compliance with … is verified" before it hands nothing over.
    """

    name: str
    pattern: re.Pattern[str]
    source: str
    example: str
    may_be_denied: bool = False


def _rule(name: str, source: str, pattern: str, example: str, *, may_be_denied: bool = False) -> DelegationRule:
    compiled = re.compile(pattern + r",?\s*(?:in|under|by)?\s*$", re.IGNORECASE)
    return DelegationRule(name, compiled, source, example, may_be_denied)


_DELEGATES = rf"(?:{DELEGATES}){QUALIFIED}"
_MORE_POINTS = r"(?: points? [\w.()]+(?:,| or| and))?"
_ASIDE = r"(?:, [^,;.:]{1,50},)?"
"""A parenthesis between commas ("comply, as regards dust, with point 1")."""

DELEGATION_RULES: tuple[DelegationRule, ...] = (
    _rule(
        "limit of a point",
        "paper D.9",
        rf"\b{LIMIT}\b[^.;:]{{0,80}},? (?:as )?{_DELEGATES} (?:in|under|by){_MORE_POINTS}",
        "The dust level referred to in point 1(a) is certified.",
    ),
    _rule(
        "limit in a point",
        "paper D.9",
        rf"\b{LIMIT}(?: (?:for|of|on) [\w -]{{1,40}}?)?,? (?:of|in|under|from|for|pursuant to|according to|as per){_MORE_POINTS}",
        "Old kilns keep within both dust limits of point 1(a).",
        may_be_denied=True,
    ),
    _rule(
        "criteria of a point met",
        "C6",
        r"\b(?:meet(?:s|ing)?|fulfils?|fulfilling|complying with|complies with|comply with|satisf(?:y"
        r"|ies)) (?:all )?(?:the )?"
        rf"(?:technical screening )?(?:criteri(?:a|on)|requirements?|rules?"
        rf"|conditions)\b(?:[^.;:]{{0,60}},? (?:as )?{_DELEGATES} (?:in|under|by)| (?:of|in|under)){_MORE_POINTS}",
        "the ferry meeting the criteria set out in point (b);",
        may_be_denied=True,
    ),
    _rule(
        "comply with a point",
        "paper, appendix B",
        rf"\b(?:(?:comply|complies|complying)(?: \w+ly)?{_ASIDE} with|meets?|fulfils?|satisf(?:y|ies)|observes?|respects?"
        r"|attains?|conforms? (?:to|with)|adheres? to|keeps? (?:to|within)|abides? by|upholds?"
        r"|(?:is|are|be) (?:compliant|in (?:compliance|conformity|line|accordance)) with"
        r"|(?:is|are) (?:also |likewise |equally )?(?:subject|held) to|(?:is|are) (?:also |likewise )?(?:governed|bound) by)",
        "The auditor assesses whether the mill is on track to comply with point 2(b).",
        may_be_denied=True,
    ),
    _rule(
        "same limit as",
        "paper D.9",
        rf"\b(?:same|identical) (?:[\w-]+ ){{0,4}}?{LIMIT}\b[^.;:]{{0,40}}"
        rf"|\b{LIMIT}\b[^.;:]{{0,60}}\b(?:(?:those|that|the ones?)(?: {_DELEGATES})?|as) (?:of|for|{_MORE_POINTS})",
        "The same limit as in point 1(a) holds for old mills.",
    ),
    _rule(
        "not beyond what a point allows",
        "paper D.9",
        r"\b(?:not|no|nor)\b[^.;:%]{0,60}?\b(?:(?:more|less|higher|lower|greater|smaller|larger|longer|shorter|fewer|later"
        r"|earlier|worse|above|below)\b[^.;:%]{0,40}?\bthan|exceed\w*|beyond|as \w+ as)"
        r"(?: (?:that|those|what|which|the (?:ones?|amounts?|quantit(?:y|ies)|values?|levels?)))*"
        rf"(?: (?:(?:(?:which|that) )?(?:is|are) )?(?:allowed|permitted|admitted|authorised|tolerated|{_DELEGATES}))?"
        rf" (?:in|under|by|of|for){_MORE_POINTS}",
        "Old mills emit no more dust than is permitted under point 1(a).",
    ),
    _rule(
        "date of a point",
        "guidelines 6",
        r"\b(?:by|before|until|till|on|from|after|at|than|meets?|observes?|respects?|keeps? to) (?:the|that) (?:\w+ )?"
        rf"(?:dates?|deadlines?|time[- ]limits?)(?:,? (?:as )?{_DELEGATES})? (?:in|under|by|of|for)",
        "Old mills fit a filter by the date set in point 1(a).",
    ),
)

# "The share referred to in point 1(b) is measured": the quantity that a point limits, named without a word for limit,
# where it is validated. The words before must be about that quantity; documents and duties are not quantities.
VALIDATES = re.compile(
    r"\b(?:certif|verif|measur|check|audit|confirm|assess|stat(?:es|ing)|monitor|inspect|test)\w*\b", re.IGNORECASE
)
_REACH = (
    r"\b(?:attain|reach|meet|achieve|observe|(?<!in )respect|keep(?:s)? (?:to|within|below|under)|(?:stay|remain)s? (?:within|below|under|at)"
    r"|exceed|adheres? to|fulfil|satisf(?:y|ies)|maintain|have|has|show|compl(?:y|ies|ying) with|conforms? to|match|guarantee"
    r"|ensure|uphold|honour|abides? by|(?:go|goes) beyond|fall(?:s)? (?:within|below|under)|appl(?:y|ies)"
    r"|(?:is|are) (?:subject|held|limited|bound|governed) (?:to|by))(?:s|es|ing)?\b(?: \w+ly)?"
)
_DETERMINERS = (
    r"(?: (?:the|that|those|this|its|their|at least|same|identical|an?|(?:both|all|each|two|three|four|five)(?: of)?))*"
)
# "attains the share set out in point 1(b)", "the share set out in point 1(b) applies": where it is to be reached
ATTAINS = re.compile(rf"{_REACH}{_ASIDE}{_DETERMINERS}\s*$", re.IGNORECASE)
ATTAINED = re.compile(
    r"(?:(?!\b(?:which|that|who|whose)\b)[^.;:]){0,80}?\b(?:appl(?:y|ies)|holds?(?= (?:for|also|equally|too))|(?:binds?|governs?)(?= \w)"
    r"|(?:(?:is|are|be)(?: to be)?|ha(?:s|ve) to be) (?:also |likewise |equally |not )?(?:attained|reached|met|achieved"
    r"|complied with|observed|respected|(?:kept|maintained)(?! (?:for|in|on|at|available|by)\b)|fulfilled|satisfied|applicable|valid|guaranteed|ensured|exceeded"
    r"|upheld|adhered to|applied))\b",
    re.IGNORECASE,
)
NO_QUANTITY = re.compile(
    r"\b(?:plans?|programmes?|information|instruments?|assessments?|analys[ei]s|criteri(?:a|on)|requirements?"
    r"|conditions?"
    r"|measures?|points?|description|report|equipment|aircraft|vessels?|vehicles?|waste|activit(?:y|ies))\s*$",
    re.IGNORECASE,
)

# What is verified, denied or only a purpose hands nothing over.
NOT_HANDED = re.compile(
    r"(?:\bcompliance\b[^.;]{0,60}|\b(?:not|cannot|without)\b[^.;]{0,20}(?:compl\w+|meet\w*|fulfil\w*)[^.;]{0,80}"
    r"|\bfor the purposes? of[^.;]{0,20})$",
    re.IGNORECASE,
)
# Nor does what is set aside, or what is only the base of another value ("half the limit", "20 % below the limit").
SET_ASIDE = re.compile(
    r"(?:\b(?:exempt\w*|derogat\w*|deviat\w*|instead|in lieu|in place|other|rather|irrespective|regardless|notwithstanding"
    r"|without prejudice|in addition|exception|not (?:subject|bound|applicable|apply|have|need|required|obliged)|need not)\b"
    r"|\b(?:twice|double|triple|half|one third|(?:two|three|four|\d+) times)\b"
    r"|\d ?(?:%|percent|per cent|percentage points)(?: \w+){0,3}? (?:of|below|above|lower|higher|under|over|less|more"
    r"|better|stricter|smaller|greater)\b)[^.;:,]*$",
    re.IGNORECASE,
)
_LIKEWISE = r"(?:also|equally|likewise|similarly|in the same (?:way|manner))"
_SAME_WAY = r"(?:accordingly|mutatis mutandis|by analogy|equally|likewise|similarly|also|too|as well|in the same (?:way|manner))"
# "Point 1(a) applies accordingly to bays."
ACCORDINGLY = re.compile(
    rf"\s+(?:{_LIKEWISE} (?:appl(?:y|ies)|holds?|binds?|governs?|extends?)|appl(?:y|ies) {_SAME_WAY}"
    rf"|(?:appl(?:y|ies)|holds?|(?:is|are)(?: to be)? applied)(?= [^.;:,]{{0,60}} {_SAME_WAY}(?:[.,;]|$))"
    rf"|(?:is|are)(?: to be)? {_LIKEWISE} applied|(?:is|are)(?: to be)? applied {_SAME_WAY}|extends? to)\b",
    re.IGNORECASE,
)
THE_WHOLE = re.compile(
    rf"\s*(?:(?:what|the (?:rules?|provisions?|requirements?|criteri(?:on|a)|conditions?|same))"
    rf"(?: (?:(?:is|are) )?{_DELEGATES})? (?:in|of|under|by) )?",
    re.IGNORECASE,
)
"""What may stand before a point that is applied as a whole ("The rules in point 1 apply likewise")."""

_ABOVE = rf"(?:,? (?:as )?(?:{DELEGATES})?(?: hereinbefore| above)|,? (?:as )?(?:{DELEGATES}) in the (?:preceding|previous) \w+)"
_NOUN = r"(?: (?!(?:is|are|of|in|which|the|that|those|these|all|both)\b)[\w-]+){0,3}? [a-z]{3,}"
ANAPHOR = re.compile(
    rf"(?:\b(?:that|those|the said|the same|such|the (?:above(?:-mentioned)?|aforementioned|aforesaid|foregoing))"
    rf"(?P<words>{_NOUN})(?:{_ABOVE})?|\b(?:the|these)(?P<named>{_NOUN}){_ABOVE})"
    r"(?= (?:by|from|until|at|on|in|for|also|too|as|no|not|is|are|applies|apply|within|before|after|when|where)\b|[.,;]|$)",
    re.IGNORECASE,
)
"""A limit named by what stands before, without a point ("reaches that output", "the values listed above")."""

CONJUNCTION = re.compile(
    r"\b(?:ensur|guarant|show|prov|demonstrat|confirm|verif|state|certif|find|found|means|so|such|provid|condition)\w*\s*$",
    re.IGNORECASE,
)
"""What "that" joins a clause to: "ensures that output is low" names no output before."""
