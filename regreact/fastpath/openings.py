"""How a legal sentence may open before its main clause: with a situation, a period, or words that gate nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

OpeningKind = Literal["gate", "period", "neutral"]


@dataclass(frozen=True, slots=True)
class OpeningRule:
    """Words that a sentence may begin with before its main clause.

    Attributes:
        name: Name of the rule.
        kind: `gate` if they say when the sentence applies, `period` for dates, else `neutral`.
        pattern: The first words.
        source: Paper section or guideline that the rule follows.
        example: A sentence that begins so.
    """

    name: str
    kind: OpeningKind
    pattern: re.Pattern[str]
    source: str
    example: str


def _rule(name: str, kind: OpeningKind, source: str, pattern: str, example: str) -> OpeningRule:
    return OpeningRule(name, kind, re.compile(pattern, re.IGNORECASE), source, example)


_DATE = r"(?:\d{1,2} [A-Z][a-z]+ )?\d{4}"

OPENING_RULES: tuple[OpeningRule, ...] = (
    _rule(
        "purpose",
        "neutral",
        "C5; D2",
        r"(?:for the (?:purposes?|check|calculation|assessment|determination|verification|measurement|application)\b"
        r"|in order (?:to|for|that)|so (?:as to|that)|with (?:a view|an eye) to|for fear"
        r"|to (?:avoid|ensure|minimi[sz]e|prevent|reduce|limit|determine|achieve|allow|enable|respect)\b)",
        "For the purpose of this point, lids count as part of the jar.",
    ),
    _rule(
        "every instance",
        "neutral",
        "paper D.4, universal scope",
        r"for (?!(?:all|any|every) other\b)(?:all|any|each|every|both|this|that|the activity|example|instance)\b",
        "For all kilns, flue gas is filtered.",
    ),
    _rule(
        "limit named by topic",
        "neutral",
        "paper D.4, performance",
        r"for the (?:\w+ )?(?:threshold|limit|criterion|requirement|indicator)\b",
        "For the noise threshold, 60 dB is not exceeded.",
    ),
    _rule(
        "used in this activity",
        "neutral",
        "paper D.4, universal scope",
        r"for the [\w -]+ used in (?:this|the) activity\b",
        "For the sand used in this activity, moisture is below 4 %.",
    ),
    _rule(
        "step of the process",
        "neutral",
        "paper D.4, temporal context",
        r"when (?:\w+ing\b|the [\w ]+ (?:becomes|is being)\b"
        r"|the [\w ]+ (?:is|are) (?:produced|manufactured|constructed|built|performed|carried out|designed"
        r"|delivered)\b)",
        "When undertaking the survey, the owner uses a map.",
    ),
    _rule(
        "conformity",
        "neutral",
        "D9",
        r"(?:in accordance with|in line with|pursuant to|on the basis of|based on|according to|subject to"
        r"|with due regard to|without prejudice to|in compliance with)\b",
        "In accordance with national law, the quarry is fenced.",
    ),
    _rule(
        "topic",
        "neutral",
        "paper D.4, universal scope",
        r"(?:as regards|with regard to|with respect to|in relation to|concerning|regarding|as to)\b",
        "As regards dust, the mill meets the limits of Annex XX.",
    ),
    _rule(
        "exception",
        "neutral",
        "C5",
        r"(?:with the exception of|except for|apart from)\b",
        "With the exception of holidays, the bay is open.",
    ),
    _rule(
        "link",
        "neutral",
        "guidelines 4",
        r"(?:in addition(?: to)?|moreover|besides|furthermore|in particular|in any case|as a result(?: of)?"
        r"|depending on|preferably|alternatively|as an alternative|however|at best|finally|also|thereafter)\b",
        "In addition, the mill keeps a register.",
    ),
    _rule(
        "both parts of the world",
        "neutral",
        "C5",
        r"in the union (?:and|or|as well as) (?:in )?third countries\b",
        "In the Union and in third countries, the survey is repeated.",
    ),
    _rule(
        "period",
        "period",
        "guidelines 6",
        rf"(?:(?:until|from|by|as of|as from|before|after|starting from) (?:the end of )?{_DATE}(?: to {_DATE}"
        rf"| onwards)?"
        rf"|between {_DATE} and {_DATE})\b",
        "Until 31 December 2031, the ferry uses shore power.",
    ),
    _rule(
        "stage",
        "neutral",
        "paper D.4, temporal context",
        r"(?:at (?:the )?(?:\w+ )?(?:beginning|start|construction|operation|time|end)\b|at its|within|during|prior to"
        r"|before|throughout|upon|over|every(?= [\w ]{1,20},)|once|following)\b",
        "During loading, the hatch is closed.",
    ),
    _rule(
        "situation",
        "gate",
        "guidelines 4",
        r"(?:(?:and |but )?(?:only |except )?(?:where|if|when|while|whenever|insofar as|to the extent that"
        r"|provided that))\b",
        "Where the mill burns straw, its ash is collected.",
    ),
    _rule(
        "case",
        "gate",
        "guidelines 4",
        r"in (?:the )?(?:case|cases|event|absence) (?:of|where|that)\b",
        "In case of offshore quarries, divers are insured.",
    ),
    _rule(
        "part of the world",
        "gate",
        "C5",
        r"(?:in|within) (?:the union|third countries|the eu|member states)\b",
        "In the Union, mills keep to Directive 2099/1/EU.",
    ),
    _rule(
        "kind of place",
        "gate",
        "D10",
        r"in (?:the |these |those )?(?:[\w-]+ ){0,4}(?:areas?|habitats?|zones?|regions?|plants?|installations?"
        r"|facilities|buildings?)\b",
        "In protected areas, blasting stops at night.",
    ),
    _rule(
        "class of instances",
        "gate",
        "guidelines 4",
        r"for (?!example|at least|more than|less than|a minimum|the duration|free)",
        "For kilns above 5 MW, soot is measured.",
    ),
    _rule(
        "derogation",
        "gate",
        "D11",
        r"by way of derogation\b",
        "By way of derogation from this point, small mills may use nets.",
    ),
    _rule(
        "event",
        "gate",
        "guidelines 4",
        r"after an? (?:[\w-]+ )*(?:event|accident|incident|disaster)\b",
        "After a flood event, the owner informs the town.",
    ),
)
"""Tried in this order at the start of a sentence; the first that matches names the opening."""
