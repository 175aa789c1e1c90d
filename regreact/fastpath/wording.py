"""How a legal sentence is put together: labels before it, openings that gate or place it, the main clause.

Applicability asks whether a sentence opens with a situation, tags ask what the main clause says, and a summary
puts the situation first: all three read the openings from here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from regreact.fastpath.cues import sentences

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


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening found: its rule and the characters [start, end) up to and with the comma."""

    rule: OpeningRule
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence [start, end) of a block, its openings and where its main clause begins."""

    start: int
    end: int
    openings: tuple[Opening, ...]
    main: int

    @property
    def gates(self) -> tuple[Opening, ...]:
        """The openings that say when the sentence applies."""
        return tuple(o for o in self.openings if o.rule.kind == "gate")


def _rule(name: str, kind: OpeningKind, source: str, pattern: str, example: str) -> OpeningRule:
    return OpeningRule(name, kind, re.compile(pattern, re.IGNORECASE), source, example)


_DATE = r"(?:\d{1,2} [A-Z][a-z]+ )?\d{4}"

OPENING_RULES: tuple[OpeningRule, ...] = (
    _rule(
        "purpose", "neutral", "C5; D2",
        r"(?:for the (?:purposes?|check|calculation|assessment|determination|verification|measurement|application)\b|in order (?:to|for)|so as to"
        r"|to (?:avoid|ensure|minimi[sz]e|prevent|reduce|limit|determine|achieve|allow|enable|respect)\b)",
        "For the purpose of this point, lids count as part of the jar.",
    ),
    _rule(
        "every instance", "neutral", "paper D.4, universal scope",
        r"for (?!(?:all|any|every) other\b)(?:all|any|each|every|both|this|that|the activity|example|instance)\b",
        "For all kilns, flue gas is filtered.",
    ),
    _rule(
        "limit named by topic", "neutral", "paper D.4, performance",
        r"for the (?:\w+ )?(?:threshold|limit|criterion|requirement|indicator)\b",
        "For the noise threshold, 60 dB is not exceeded.",
    ),
    _rule(
        "used in this activity", "neutral", "paper D.4, universal scope",
        r"for the [\w -]+ used in (?:this|the) activity\b",
        "For the sand used in this activity, moisture is below 4 %.",
    ),
    _rule(
        "step of the process", "neutral", "paper D.4, temporal context",
        r"when (?:\w+ing\b|the [\w ]+ (?:becomes|is being)\b"
        r"|the [\w ]+ (?:is|are) (?:produced|manufactured|constructed|built|performed|carried out|designed|delivered)\b)",
        "When undertaking the survey, the owner uses a map.",
    ),
    _rule(
        "conformity", "neutral", "D9",
        r"(?:in accordance with|in line with|pursuant to|on the basis of|based on|according to|subject to"
        r"|with due regard to|without prejudice to|in compliance with)\b",
        "In accordance with national law, the quarry is fenced.",
    ),
    _rule(
        "topic", "neutral", "paper D.4, universal scope",
        r"(?:as regards|with regard to|with respect to|in relation to|concerning|regarding|as to)\b",
        "As regards dust, the mill meets the limits of Annex XX.",
    ),
    _rule(
        "exception", "neutral", "C5",
        r"(?:with the exception of|except for|apart from)\b",
        "With the exception of holidays, the bay is open.",
    ),
    _rule(
        "link", "neutral", "guidelines 4",
        r"(?:in addition(?: to)?|moreover|besides|furthermore|in particular|in any case|as a result(?: of)?"
        r"|depending on|preferably|alternatively|as an alternative|however|at best|finally|also|thereafter)\b",
        "In addition, the mill keeps a register.",
    ),
    _rule(
        "both parts of the world", "neutral", "C5",
        r"in the union (?:and|or|as well as) (?:in )?third countries\b",
        "In the Union and in third countries, the survey is repeated.",
    ),
    _rule(
        "period", "period", "guidelines 6",
        rf"(?:(?:until|from|by|as of|as from|before|after|starting from) (?:the end of )?{_DATE}(?: to {_DATE}| onwards)?"
        rf"|between {_DATE} and {_DATE})\b",
        "Until 31 December 2031, the ferry uses shore power.",
    ),
    _rule(
        "stage", "neutral", "paper D.4, temporal context",
        r"(?:at (?:the )?(?:\w+ )?(?:beginning|start|construction|operation|time|end)\b|at its|within|during|prior to"
        r"|before|throughout|upon|over|every(?= [\w ]{1,20},)|once|following)\b",
        "During loading, the hatch is closed.",
    ),
    _rule(
        "situation", "gate", "guidelines 4",
        r"(?:(?:and |but )?(?:only |except )?(?:where|if|when|while|whenever|insofar as|to the extent that|provided that))\b",
        "Where the mill burns straw, its ash is collected.",
    ),
    _rule(
        "case", "gate", "guidelines 4",
        r"in (?:the )?(?:case|cases|event|absence) (?:of|where|that)\b",
        "In case of offshore quarries, divers are insured.",
    ),
    _rule(
        "part of the world", "gate", "C5",
        r"(?:in|within) (?:the union|third countries|the eu|member states)\b",
        "In the Union, mills keep to Directive 2099/1/EU.",
    ),
    _rule(
        "kind of place", "gate", "D10",
        r"in (?:the |these |those )?(?:[\w-]+ ){0,4}(?:areas?|habitats?|zones?|regions?|plants?|installations?"
        r"|facilities|buildings?)\b",
        "In protected areas, blasting stops at night.",
    ),
    _rule(
        "class of instances", "gate", "guidelines 4",
        r"(?:for|regarding) (?!example|at least|more than|less than|a minimum|the duration|free)",
        "For kilns above 5 MW, soot is measured.",
    ),
    _rule(
        "derogation", "gate", "D11",
        r"by way of derogation\b",
        "By way of derogation from this point, small mills may use nets.",
    ),
    _rule(
        "event", "gate", "guidelines 4",
        r"after an? (?:[\w-]+ )*(?:event|accident|incident|disaster)\b",
        "After a flood event, the owner informs the town.",
    ),
)
"""Tried in this order at the start of a sentence; the first that matches names the opening."""

# "4.", "1.2 ", "(iv)": the number of a criterion; "design for reuse:": a topic in front of an item.
# A quantity ("35 kWh per …") is no number of a criterion.
_NUMBER = re.compile(r"\s*(?:\d+(?:\.\d+)*\.\s+|\d+(?:\.\d+)+\s+(?=[A-Z‘“\"])|\(?[ivx]+\)\s+)?")
_TOPIC = re.compile(
    r"(?!for\b|where\b|if\b|when\b|in\b|until\b|from\b|the following)[a-z][\w -]{2,40}:\s+(?=\w)", re.IGNORECASE
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|does|do|may|shall|must|can|cannot|will|comply|meets?|relies|exceeds?|consists|leads|covers?|contains?|represents?|fulfil|attest|apply|use"
    r"|follow|respect|derive|emit|attain|prevent|preserve|take|provide|include|contain|follow|exceed|support"
    r"|(?!processes|services|emissions|facilities|activities|vehicles|measures)[a-z]{3,}(?:es|ies|ises|ates|ines))\b"
    r"|\b(?:activity|operator|undertaking|insurer|reinsurer|entity|plant|system|project|facility|building|it"
    r"|manufacturer|solution) (?:\w+ly )?[a-z]+s\b"
)
# After these words the opening goes on.
_CONTINUES = re.compile(r"\s*(?:of|and (?!only|where)|or|which|that (?:is|are|has|have|would|can|may)|including|such as|paragraphs?|points?|both|to|either|i\.e\.|is|are|has|have|does|do|shall)\b")
# A main clause may follow the opening without a comma.
_SUBJECT = re.compile(
    r" (?=(?:(?:the|that|this) (?:[a-z]+ )?(?:activity|operator|facility|plant|building|undertaking)|it)"
    r" (?:\w+ly )?(?:is|has|[a-z]+s)\b)"
)


def _stops(text: str, start: int, end: int) -> list[int]:
    """Return the commas and colons outside brackets; decimal commas are none."""
    depth, found = 0, []
    for i in range(start, end):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth <= 0 and text[i] in ",:" and not text[i + 1 : i + 2].isdigit():
            found.append(i)
    return found


def _end_of_opening(text: str, start: int, end: int) -> int | None:
    """Return where the opening that begins at `start` ends: after the comma that a clause follows."""
    stops = _stops(text, start, end)
    for number, i in enumerate(stops):
        rest = text[i + 1 : stops[number + 1] if number + 1 < len(stops) else end]
        if text[i] == ":" and rest.strip():
            return i + 1
        if not _CONTINUES.match(rest) and (_FINITE.search(rest) or (number == 0 and _opens(rest))):
            return i + 1
    subjects = [m.end() for m in _SUBJECT.finditer(text, start + 10, end)]
    if subjects:
        return subjects[-1]
    return next((i + 1 for i in stops if not _CONTINUES.match(text, i + 1)), None)


def _match(text: str, start: int, end: int) -> OpeningRule | None:
    return next((r for r in OPENING_RULES if r.pattern.match(text, start, end)), None)


def _opens(text: str) -> bool:
    """True if the text, white space aside, begins with a gate or a period."""
    stripped = text.strip()
    rule = _match(stripped, 0, len(stripped))
    return rule is not None and rule.kind != "neutral"


def has_verb(text: str) -> bool:
    """True if the words hold a finite verb of the kinds that legal clauses use.

    Example:
        >>> has_verb("the kiln is old"), has_verb("walls and roofs of kilns")
        (True, False)
    """
    return _FINITE.search(text) is not None


def _skip_space(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start


def body_start(text: str) -> int:
    """Return where the words begin after the number and the topic of a criterion.

    Example:
        >>> text = "1.2. reuse of jars: the jar is refilled"
        >>> text[body_start(text):]
        'the jar is refilled'
    """
    number = _NUMBER.match(text)
    start = number.end() if number else 0
    topic = _TOPIC.match(text, start)
    return topic.end() if topic else start


def read_sentences(text: str) -> list[Sentence]:
    """Return the sentences of a block with their openings.

    Example:
        >>> text = "Where the kiln is old, its walls are insulated."
        >>> sentence, = read_sentences(text)
        >>> [o.rule.name for o in sentence.gates], text[sentence.main:]
        (['situation'], 'its walls are insulated.')
    """
    first = body_start(text)
    result = []
    for start, end in sentences(text):
        if end <= first:
            continue
        start = max(start, first)
        openings: list[Opening] = []
        main = start
        while True:
            main = _skip_space(text, main, end)
            rule = _match(text, main, end)
            if rule is None:
                break
            stop = _end_of_opening(text, main, end)
            if stop is None and rule.name == "situation" and not text[main:end].rstrip().endswith(":"):
                # "where the seed comes from": a clause that is the item itself.
                break
            openings.append(Opening(rule, main, stop if stop is not None else end))
            if stop is None:
                break
            main = stop
        result.append(Sentence(start, end, tuple(openings), main))
    return result
