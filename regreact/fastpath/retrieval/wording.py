"""How legal sentences hang together and whom they bind: what refers back, who acts, which numbers are footnotes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.fastpath.cues import main_clause

# A sentence that takes its subject from the one before it. "This Directive", "That plan shall" name theirs.
_BACK = re.compile(
    r"^(?:(?:Such|Those|These)\s|(?:That|This)\s(?!(?:Regulation|Directive|Decision|Recommendation|Annex|Article|Chapter|Section|Part)\b)"
    r"|(?:It|They)\s|(?:To (?:that|this) end|For (?:that|this|those|these|such) (?:purposes?|reasons?)"
    r"|In (?:that|this|such|those|these) (?:(?:a )?cases?|contexts?|events?|regards?)|In doing so|In so doing|Thereafter|Furthermore|Moreover|However"
    r"|Otherwise|The (?:same|latter|former))\b)"
)


def refers_back(sentence: str) -> bool:
    """True for a sentence that cannot be read without the one before it.

    Example:
        >>> refers_back("Such plans shall be public."), refers_back("This Directive lays down rules.")
        (True, False)
    """
    return _BACK.match(sentence) is not None


_DEFINITIONS = re.compile(
    r"^(?:For the purposes? of\b[^:]{0,120}|[^:]{0,120}\bfollowing (?:definitions|terms)\b[^:]{0,60}):$", re.IGNORECASE
)


def opens_definitions(chapeau: str) -> bool:
    """True for a chapeau that adds nothing to the definitions that follow it.

    Example:
        >>> opens_definitions("For the purposes of this Regulation, the following definitions apply:")
        True
    """
    return _DEFINITIONS.match(chapeau.strip()) is not None and " shall not " not in chapeau


# The explanation of a symbol, or a formula: one short word before "=".
_LEGEND = re.compile(r"^\S{1,15}(?: \S{1,6})?\s?=\s")


def is_legend(text: str) -> bool:
    """True for a formula or the explanation of a symbol in one.

    Example:
        >>> is_legend("eccr = emission savings from capture"), is_legend("The bonus is = 29 g")
        (True, False)
    """
    return _LEGEND.match(text) is not None


# --- footnote markers ---------------------------------------------------------------------------------------

_BRACKETED = re.compile(r"\s?\(\d{1,3}\)")
# Before a number in brackets that is a label: a place, another label, or words that join labels.
_BEFORE_LABEL = re.compile(
    r"(?:\b(?:[Pp]oints?|[Pp]aragraphs?|Articles?|[Ii]tems?|[Ii]ndents?|[Ss]ub-?paragraphs?|[Ee]quations?|[Ff]ormulae?s?|[Ff]ormulas?"
    r"|[Cc]olumns?|[Nn]otes?|[Ss]teps?|[Ff]ootnotes?|[Ee]ntr(?:y|ies)|[Rr]ows?|[Ss]ections?|[Cc]riteri(?:on|a)|[Ss]tages?|[Tt]ables?|No)"
    r"|\)(?:,? (?:and|or|to)|,|\s?[-–])?|(?<![\w/:-])\d+[a-z]?\.?|(?<![\w/])\d+(?:\.\d+)+)$"
)
# A number explained or repeated in figures: "ten (10) years"
_REPEATED = re.compile(r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred)$", re.IGNORECASE)


def without_markers(text: str) -> str:
    """Return a text without the markers of its footnotes; numbers of provisions and lists stay.

    Example:
        >>> without_markers("The plan (16) of Article 4(2) and (3) is kept for ten (10) years(7).")
        'The plan of Article 4(2) and (3) is kept for ten (10) years.'
    """

    def kept(match: re.Match[str]) -> str:
        before = text[: match.start()]
        opens = not before.strip() or before.rstrip().endswith((":", ";", "—"))
        return match[0] if opens or _BEFORE_LABEL.search(before) or _REPEATED.search(before) else ""

    return _BRACKETED.sub(kept, text)


# --- who acts -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ActorRule:
    """Who a sentence binds if its subject matches; `weight` is what it counts where the criterion is about an activity."""

    name: str
    pattern: re.Pattern[str]
    weight: float
    example: str


_MODAL = r"\b(?:shall|may|must|should|is|are|has|have)\b"
_OPEN = r"^(?:[Bb]y\s[^,]{3,60},\s)?(?:(?:[Tt]he|[Ee]ach|[Ee]very|[Aa]ll|[Aa]ny|[Aa]|[Tt]hat|[Tt]hose|[Ss]uch|[Tt]hese)\s)?"
# A directive binds Member States as to the result (Article 288 TFEU): what they shall ensure binds the operator.
_PASSES_ON = re.compile(
    r"\bMember States? shall (?:(?:also|further|at least) )?(?:ensure|require|prohibit|provide that|make sure|take (?:the |all )?"
    r"(?:necessary |appropriate )?(?:measures|steps) (?:necessary )?(?:to ensure|to prohibit|to prevent|in order that|so that|ensuring)|lay down that)\b"
)
ACTOR_RULES: tuple[ActorRule, ...] = (
    ActorRule("procedure", re.compile(rf"{_OPEN}(?:implementing|delegated) (?:acts?|measures?)\s[^,;:]{{0,60}}?{_MODAL}"), 0.4,
              "Those implementing acts shall be adopted in accordance with the examination procedure."),
    ActorRule("procedure", re.compile(r"\b(?:is|are) (?:hereby )?empowered to adopt\b|\bshall adopt (?:a |an )?(?:delegated|implementing) acts?\b"), 0.4,
              "The Commission is empowered to adopt delegated acts."),
    ActorRule("institution", re.compile(rf"{_OPEN}(?:European )?(?:Commission|Parliament|Council|Board|Agency|Committee|Office)\b[^;:]{{0,80}}?{_MODAL}"), 0.5,
              "By 1 May 2031, the Commission shall report on lakes."),
    ActorRule("Member State", re.compile(rf"{_OPEN}Member States?\b[^;:]{{0,80}}?{_MODAL}"), 0.6, "Member States may set up schemes."),
    ActorRule("authority", re.compile(rf"{_OPEN}(?:[a-z]+ ){{0,2}}authorit(?:y|ies)\b[^;:]{{0,80}}?{_MODAL}"), 0.6,
              "The competent authority shall keep a register."),
)  # fmt: skip
_HEADS = {"institution": r"\b(?:Commission|Board|Agency|Committee)\b", "Member State": r"\bMember States?\b",
          "authority": r"\bauthorit(?:y|ies)\b", "procedure": r"\b(?:delegated|implementing) acts?\b"}  # fmt: skip


def actor_of(text: str) -> ActorRule | None:
    """Return the rule of the public body that a sentence binds, None if it binds operators or nobody in particular.

    Example:
        >>> actor_of("Where a lake dries up, the Commission shall report.").name
        'institution'
        >>> actor_of("Member States shall ensure that operators measure dust.") is None
        True
    """
    if _PASSES_ON.search(text):
        return None
    clause = text[main_clause(text) :]
    return next((r for r in ACTOR_RULES if r.pattern.search(clause)), None)


def actor_weight(text: str, topic: str) -> float:
    """Return what a sentence counts by whom it binds; 1 where the criterion itself speaks of that body.

    Args:
        text: Sentence, with its chapeau.
        topic: What the criterion says.
    """
    rule = actor_of(text)
    return 1.0 if rule is None or re.search(_HEADS[rule.name], topic) else rule.weight
