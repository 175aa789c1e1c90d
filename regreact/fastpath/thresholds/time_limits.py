"""Relative time limits: from an event to the act that it bounds (ruling R2)."""

from __future__ import annotations

import re

from regreact.fastpath.thresholds.naming import noun_phrase
from regreact.fastpath.thresholds.nominal import PARTICIPLE, PASSIVE, act_in, act_of, gerund
from regreact.fastpath.thresholds.phrases import lowered, plain, split_openers, tidy

WITHIN = re.compile(r"\b(?:within|not? later than|at the latest)(?: the| an?)?(?: first)?\s*$", re.I)
EVENT = re.compile(
    r"^(?:[\s-]*(?:time )?period)?\s*(?P<join>of|after|from|following|before|prior to|since)\s(?:the )?"
    r"(?P<event>[^,.;:()]+)",
    re.I,
)
PERIOD = re.compile(r"^[\s-]*(?:time )?period\b", re.I)
EVENT_ENDS = re.compile(r"\s(?:in which case|and (?:every|each|at least|not? less|once|twice|then|thereafter|annually|yearly|monthly|regularly|periodically|\w+ times)\b|and a (?=\w+ \w+)|where|unless|if|when)\b.*")


def time_limit_name(before: str, after: str) -> str:
    """Return the name of a relative time limit: from its event to the act that it bounds (ruling R2).

    Args:
        before: Clause before "within".
        after: Sentence behind the amount.

    Example:
        >>> time_limit_name("", " after the start of the activity, the losses are verified.")
        'Time from start of the activity to verification'
    """
    match = EVENT.match(plain(f"x{after}")[1:])
    head = plain(before)
    act = act_in(head if tidy(head) else plain(f"x{after}")[1:].partition(",")[2], of_what=match is None)
    if match is None:
        done = PASSIVE.match(tidy(split_openers(head)[1])) if not act else None
        act = f"{gerund(done['p'])} of {lowered(noun_phrase(done['s']))}" if done else act
        return f"Time to {act or tidy(split_openers(head)[1])}"
    event = tidy(EVENT_ENDS.sub("", match["event"]))
    if match["join"].lower() in ("before", "prior to"):
        passive = act_of(tidy(split_openers(head)[1]))
        return f"Time between {passive} and {event}" if passive else f"Time before {event}"
    pronoun = re.match(rf"(?:they|it|these|this) (?:is|are|was|were|has been|have been) (?P<p>{PARTICIPLE})$", event)
    event = gerund(pronoun["p"]) if pronoun else event
    act = act or act_of(tidy(split_openers(head)[1]))
    return f"Time from {event} to {act}" if act else f"Time from {event}"
