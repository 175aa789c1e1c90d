"""Durations to be reached and relative time limits (guidelines section 6, rulings R2, R13, D12)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from regreact.fastpath.thresholds.naming import GENERIC, noun_phrase, quantity
from regreact.fastpath.thresholds.phrases import capitalised, lowered, plain, split_openers, tidy, without_insertions
from regreact.schema import Operator

Match = re.Match[str]

# Intervals and spans of measurement: "every ten years", "averaged over three years", "the last 5 years"
NO_DURATION = re.compile(
    r"\b(?:every|each|averaged (?:over|for)(?: a period of)?|last|past|previous|preceding|first|next|consecutive|"
    r"rolling|per|mean over|over (?:a|the) (?:rolling )?period of|over|corresponds? to)\s*$",
    re.I,
)
WITHIN = re.compile(r"\b(?:within|not? later than|at the latest)(?: the| an?)?(?: first)?\s*$", re.I)
_EVENT = re.compile(
    r"^(?:[\s-]*(?:time )?period)?\s*(?P<join>of|after|from|following|before|prior to|since)\s(?:the )?"
    r"(?P<event>[^,.;:()]+)",
    re.I,
)
_PERIOD = re.compile(r"^[\s-]*(?:time )?period\b", re.I)
_EVENT_ENDS = re.compile(r"\s(?:in which case|and every|and at least|and a (?=\w+ \w+)|where|unless|if|when)\b.*")
_DONE = {
    "verified": "verification",
    "audited": "audit",
    "withdrawn": "withdrawal",
    "reviewed": "review",
    "updated": "update",
    "inspected": "inspection",
    "replaced": "replacement",
    "repaired": "repair",
    "checked": "check",
    "reported": "report",
    "certified": "certification",
    "submitted": "submission",
    "completed": "completion",
    "closed": "closure",
    "remediated": "remediation",
    "treated": "treatment",
    "notified": "notification",
    "restored": "restoration",
}


@dataclass(frozen=True, slots=True)
class DurationRule:
    """A wording before a duration and the interval it names. `example` ends where the comparison words start."""

    name: str
    pattern: re.Pattern[str]
    make: Callable[[Match], str]
    example: str
    result: str


def _kept(m: Match) -> str:
    return f"{_KEPT[m['v'].lower()]} of {lowered(noun_phrase(m['s']))}"


# States that a duty keeps up for a time, and their nouns
_KEPT = {
    "retained": "Retention period",
    "kept": "Retention period",
    "archived": "Retention period",
    "stored": "Storage period",
    "available": "Availability",
    "maintained": "Maintenance",
    "preserved": "Preservation",
    "guaranteed": "Guarantee",
    "monitored": "Monitoring",
    "provided": "Provision",
    "valid": "Validity",
    "supported": "Support",
}
_FOR = r"(?:\s(?:for|during|over))?(?: (?:a|the) (?:period|time|duration)(?: of(?: time)?)?)?"
RULES = (
    DurationRule(
        "covers",
        re.compile(
            r"^(?P<s>.+?)\s(?:covers?|spans?|runs? (?:for|over)|lasts?)(?: for)?"
            r"(?: an?| the)?(?: period| time| duration)?(?: of)?$"
        ),
        lambda m: f"Period covered by the {lowered(noun_phrase(m['s']))}",
        "the repair plan covers a period of",
        "Period covered by the repair plan",
    ),
    DurationRule(
        "duration of",
        re.compile(
            r"^.*\b(?:an?|the) (?P<s>[\w -]+?) (?:of|with|for|has) (?:an?|the) (?:minimum )?"
            r"(?:duration|period|length|term) of$"
        ),
        lambda m: f"Duration of the {lowered(tidy(m['s']))}",
        "the site is covered by a repair plan of a duration of",
        "Duration of the repair plan",
    ),
    DurationRule(
        "phase",
        re.compile(r"\b(?:in|during|for) (?:an?|the) (?P<s>[\w -]+? (?:phase|period|stage))(?: of)?$"),
        lambda m: f"Duration of the {lowered(tidy(m['s']))}",
        "checks are made in the after-care phase of",
        "Duration of the after-care phase",
    ),
    DurationRule(
        "stay",
        re.compile(r"\b(?:has|have) (?:remained|been|stayed) (?P<s>.+?)(?: within| for| during)?$"),
        lambda m: (
            f"Time {tidy(re.sub(r'^(?:in|on|at)', r'in', m['s']))}"
            if not m["s"].startswith("in ")
            else f"Time {m['s']}"
        ),
        "has remained in the fleet within",
        "Time in the fleet",
    ),
    DurationRule(
        "dating back",
        re.compile(r"^(?:.*\b(?:has|have|with)\s)?(?P<s>.+?)\s(?:dating back|dated)$"),
        lambda m: f"Age of the {lowered(tidy(m['s']))}",
        "has a proof of safety dating back",
        "Age of the proof of safety",
    ),
    DurationRule(
        "period of time",
        re.compile(r"^(?P<s>.+?),?\sover (?:an?|the) (?:period|time|duration)(?: of(?: time)?)?(?: of)?$"),
        lambda m: f"Period over which {lowered(tidy(m['s']))}",
        "the operator installs filters, over a period of time of",
        "Period over which operator installs filters",
    ),
    DurationRule(
        "kept",
        re.compile(
            rf"^(?P<s>.+?)\s(?:is|are|shall be|must be|remains?)\s(?:\w+ly )?(?P<v>{'|'.join(_KEPT)})\b"
            rf".*?{_FOR}$",
            re.I,
        ),
        _kept,
        "records are kept for",
        "Retention period of records",
    ),
    DurationRule(
        "guarantee",
        re.compile(
            r"^(?P<s>.+?)\s(?:provides?|offers?|gives?|has|have|includes?|carries|carry|bears?|comes? with)\s"
            r"(?:an?\s|the\s)?(?P<q>[^,]+?)"
            rf"{_FOR}(?: of)?$"
        ),
        lambda m: (
            f"{tidy(m['q'])} of {lowered(noun_phrase(m['s']))}"
            if re.search(r"life|duration|age|period|availability", m["q"])
            else f"Duration of the {lowered(tidy(m['q']))}"
        ),
        "the operator provides commercial guarantee for",
        "Duration of the commercial guarantee",
    ),
    DurationRule(
        "done for",
        re.compile(r"^(?P<s>.+?)\s(?:is|are)\s(?:\w+ly )?(?:\w+ed|held|kept|run|left)\b.*?\sfor$"),
        lambda m: f"Duration of the {lowered(noun_phrase(m['s']))}",
        "a control plan is implemented to check the losses, for",
        "Duration of the control plan",
    ),
)


def duration_name(before: str, words: str, after: str, subject: str) -> str:
    """Return the name of a duration, "" if the clause names nothing.

    Args:
        before: Clause before the comparison words.
        words: The comparison words up to the number.
        after: Sentence behind the amount.
        subject: What the items of the list are about, "" outside lists.
    """
    case, head = split_openers(without_insertions(plain(before)))
    head = head.strip(" ,")
    if re.search(r"\bolder\b|\byounger\b", words) or re.match(r"\s*old\b", after):
        kept = tidy(re.sub(r"\s(?:is|are)(?: not)?$", "", re.sub(r"^.*\b(?:use of|of which|with) ", "", head)))
        return f"Age of the {lowered(kept or subject or 'asset')}"
    behind = _behind(after)
    for rule in RULES:
        match = rule.pattern.search(head)
        if match:
            return capitalised(tidy(rule.make(match))) + behind
    projected = re.match(
        r"[\s-]*(?P<q>(?!and\b|or\b|of\b|in\b|after\b|prior\b|from\b|before\b|unless\b|for\b)[a-z][^.,;()]*)", after
    )
    if projected and (not head or re.search(r"\bincluding$", before.strip(" ,"))):
        return f"Horizon of {tidy(projected['q'])}"
    name = quantity(head, subject)
    return (name if name and not GENERIC.match(name) else f"Duration, {case}".strip(", ")) + behind


def _behind(after: str) -> str:
    """Return " prior to its withdrawal", " in case of removal": what the text adds behind a duration."""
    match = re.match(r"\s*(?P<link>prior to|before|after|in case of|from|following)\s(?P<e>[^.,;()]+?)"
                     r"(?=\sand (?:for|at|every)\b|[.,;()]|$)", after)  # fmt: skip
    return f" {match['link']} {tidy(match['e'])}" if match else ""


def time_limit_name(before: str, after: str) -> str:
    """Return the name of a relative time limit: from its event to the act that it bounds (ruling R2).

    Args:
        before: Clause before "within".
        after: Sentence behind the amount.

    Example:
        >>> time_limit_name("", " after the start of the activity, the losses are verified.")
        'Time from start of the activity to verification'
    """
    match = _EVENT.match(plain(f"x{after}")[1:])
    head = plain(before)
    act = _act(head if tidy(head) else plain(f"x{after}")[1:].partition(",")[2])
    if match is None:
        return f"Time to {act or tidy(split_openers(head)[1])}"
    event = tidy(_EVENT_ENDS.sub("", match["event"]))
    if match["join"].lower() in ("before", "prior to"):
        return f"Time before {event}"
    return f"Time from {event} to {act}" if act else f"Time from {event}"


def _act(clause: str) -> str:
    """Return the act of a clause as a noun ("are verified": "verification"), "" if it has none."""
    for participle, noun in _DONE.items():
        match = re.search(rf"\b{participle}\b(?P<from>\sfrom (?:the )?\w+)?", clause)
        if match:
            return noun + (match["from"] or "")
    fit = re.search(
        r"(?:the )?(?P<s>[\w-]+) (?:will be|is|are) (?P<w>fit for use by .+|operational|in operation)$", clause
    )
    if fit:
        return f"{fit['w']} of {fit['s']}"
    starts = re.search(r"(?P<s>[^,;]+?)\sstarts?$", clause)
    return f"start of {noun_phrase(re.split(r' (?:that|which) ', starts['s'])[0])}" if starts else ""


# Durations without comparison words that a duty of keeping states: "is retained for five years"
KEPT_FOR = re.compile(rf"\b(?:{'|'.join(_KEPT)})\b[^.;]*\bfor$", re.I)


def implied_operator(before: str, after: str) -> Operator | None:
    """Return the operator of a duration without comparison words, None if it is no duty.

    Example:
        >>> implied_operator("records are retained for", "."), implied_operator("the mean of", ".")
        ('>=', None)
    """
    if WITHIN.search(before) and (_EVENT.match(after) or _PERIOD.match(after) or re.match(r"\s*(?:[.,;:)]|$)", after)):
        return "<="
    return ">=" if KEPT_FOR.search(before.strip()) else None
