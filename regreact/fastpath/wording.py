"""How a legal sentence is put together: labels before it, openings that gate or place it, the main clause.

Applicability asks whether a sentence opens with a situation, tags ask what the main clause says, and a summary
puts the situation first: all three read the openings from here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.fastpath.cues import sentences
from regreact.fastpath.openings import OPENING_RULES, OpeningRule
from regreact.remember import remembered


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


# "4.", "1.2 ", "(iv)": the number of a criterion; "design for reuse:": a topic in front of an item.
# A quantity ("35 kWh per …") is no number of a criterion.
_NUMBER = re.compile(r"\s*(?:\d+(?:\.\d+)*\.\s+|\d+(?:\.\d+)+\s+(?=[A-Z‘“\"])|\(?(?:[ivx]+|[a-z])\)\s+)?")
_TOPIC = re.compile(
    r"(?!for\b|where\b|if\b|when\b|in\b|until\b|from\b|the following)[a-z][\w -]{2,40}:\s+(?=\w)", re.IGNORECASE
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|does|do|may|shall|must|can|cannot|will|comply|meets?|relies|exceeds?|consists"
    r"|leads|covers?|contains?|represents?|fulfil|attest|apply|use"
    r"|follow|respect|derive|emit|attain|prevent|preserve|take|provide|include|contain|follow|exceed|support"
    r"|(?!processes|services|emissions|facilities|activities|vehicles|measures)[a-z]{3,}(?:es|ies|ises|ates|ines))\b"
    r"|\b(?:activity|operator|undertaking|insurer|reinsurer|entity|plant|system|project|facility|building|it"
    r"|manufacturer|solution) (?:\w+ly )?[a-z]+s\b"
)
# After these words the opening goes on.
_CONTINUES = re.compile(
    r"\s*(?:of|and (?!only|where)|or|which|that (?:is|are|has|have|would|can|may)|including|such as|paragraphs?"
    r"|points?|both (?:in|on|for|of|at|from|with|under|within|inside|outside|falling|those)|to|either|i\.e\.|is|are|has|have|does|do|shall)\b"
)
_MORE_DATES = re.compile(r",? (?:or|and|to|including|at the latest|i\.e\.)\b")
# "Where a plan" (comma, "programme or contract is …"): no word so far can be the verb of a singular subject.
_INCOMPLETE = re.compile(
    r"(?:where|if|when|whenever) (?:the|an?|its|this|that)"
    r"(?:,? (?!\w*s\b|(?:may|can|cannot|shall|must|will|were)\b)[\w/-]+)+",
    re.IGNORECASE,
)
# A main clause may follow the opening without a comma.
_SUBJECT = re.compile(
    r" (?=(?:(?:the|that|this) (?:[a-z]+ )?(?:activity|operator|facility|plant|building|undertaking)|it)"
    r" (?:\w+ly )?(?:is|has|[a-z]+s)\b)"
)


# Characters that an opening is looked for in; sentences with many of them would be read once for each.
_LONGEST_OPENING = 2000


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
    end = min(end, start + _LONGEST_OPENING)
    stops = _stops(text, start, end)
    stops = [i for i in stops if not _INCOMPLETE.fullmatch(text, start, i)] or stops
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


def _end_of_period(text: str, start: int, end: int, rule: OpeningRule) -> int | None:
    """Return where dates end that a comma or a clause follows ("until 2031 the ferry …"), else None."""
    dates = rule.pattern.match(text, start, end) if rule.kind == "period" else None
    if dates is None or _MORE_DATES.match(text, dates.end(), end):
        return None
    if text[dates.end() : dates.end() + 1] == ",":
        return dates.end() + 1
    comma = text.find(",", dates.end(), end)
    return dates.end() if comma < 0 or _FINITE.search(text, dates.end(), comma) else None


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
    return list(_sentences(text))


@remembered
def _sentences(text: str) -> tuple[Sentence, ...]:
    first = body_start(text)
    result = []
    for printed, end in sentences(text):
        if end <= first:
            continue
        start = max(printed, first)
        openings: list[Opening] = []
        main = start
        while True:
            main = _skip_space(text, main, end)
            rule = _match(text, main, end)
            if rule is None:
                break
            stop = _end_of_period(text, main, end, rule) or _end_of_opening(text, main, end)
            if stop is None and rule.name == "situation" and not text[main:end].rstrip().endswith(":"):
                # "where the seed comes from": a clause that is the item itself.
                break
            openings.append(Opening(rule, main, stop if stop is not None else end))
            if stop is None:
                break
            main = stop
        result.append(Sentence(start, end, tuple(openings), main))
    return tuple(result)
