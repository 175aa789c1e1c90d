"""Durations to be reached (guidelines section 6, rulings R13, D12)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from regreact.fastpath.thresholds.naming import GENERIC, antecedent, noun_phrase, quantity
from regreact.fastpath.thresholds.nominal import act_of
from regreact.fastpath.thresholds.phrases import capitalised, lowered, plain, split_openers, tidy, without_insertions
from regreact.fastpath.thresholds.time_limits import EVENT, EVENT_ENDS, PERIOD, WITHIN
from regreact.schema import Operator

Match = re.Match[str]

# Intervals and spans of measurement: "every ten years", "averaged over three years", "the last 5 years"
NO_DURATION = re.compile(
    r"\b(?:every|each|averaged (?:over|for)(?: a period of)?|last|past|previous|preceding|first|next|consecutive|"
    r"rolling|per|mean over|over (?:a|the) (?:rolling )?period of|over|corresponds? to)\s*$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class DurationRule:
    """A wording before a duration and the interval it names. `example` ends where the comparison words start."""

    name: str
    pattern: re.Pattern[str]
    make: Callable[[Match], str]
    example: str
    result: str


def _time_for_which(m: Match) -> str:
    return f"Time for which {lowered(tidy(m['s']))} {m['p'].strip()}"


def _covered(m: Match) -> str:
    owner = noun_phrase(m["s"])
    if m["v"].endswith("ing"):
        owner = tidy(re.split(r"\s(?:from|of|by|with|in|on|to)\s", m["s"])[-1])
    return f"Period covered by the {lowered(owner)}"


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
_KEPT_UP = re.compile(rf"\b(?:{'|'.join(_KEPT)})$")
# What "runs for five years" is a document or promise, no machine
_DOCUMENT = r"\b(?:plan|contract|agreement|lease|guarantee|warranty|licen[cs]e|permit|programme|project|term|policy|insurance|course|" \
    r"training|period|scheme|concession|commitment|patent|strategy)s?\b"
_FOR = r"(?:\s(?:for|during|over))?(?: (?:a|the) (?:period|time|duration)(?: of(?: time)?)?)?"
RULES = (
    DurationRule(
        "running time",
        re.compile(rf"^(?P<s>(?!.*{_DOCUMENT}).+?)\s(?P<v>(?:runs?|operates?)(?: for)?|works? for|(?:is|are) (?:run|operated|used|in (?:operation|service|use)) for)$", re.I),
        lambda m: f"Running time of {lowered(noun_phrase(m['s']))}",
        "the pump of the pond runs for",
        "Running time of pump of the pond",
    ),
    DurationRule(
        "covers",
        re.compile(
            r"^(?P<s>.+?)\s(?P<v>covers?|spans?|runs? (?:for|over)|lasts?|covering|spanning|lasting|going back|"
            r"running(?: for| over)?)(?: for| over)?(?: an?| the)?(?: period| time| duration)?(?: of)?$"
        ),
        _covered,
        "the repair plan covers a period of",
        "Period covered by the repair plan",
    ),
    DurationRule(
        "duration of",
        re.compile(
            r"^(?:.*\b(?:an?|the)\s)?(?P<s>[\w -]+?)"
            r"(?: (?:is|are|has been|have been|was|were)(?: \w+ly)? (?:concluded|signed|granted|agreed|issued|made|given|"
            r"drawn up|set up|entered into))?"
            r" (?:of|with|for|has|have|having) (?:an?|the) "
            r"(?:minimum )?(?P<q>(?:\w+ )?(?:duration|period|length|term|validity|horizon|life ?time))(?: of)?$"
        ),
        lambda m: f"{tidy(m['q'])} of the {lowered(tidy(m['s']))}",
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
        "kept in a state",
        re.compile(
            r"^(?P<s>.+?)\s(?P<p>(?:is|are|remains?|stays?) (?:\w+ly )?(?:kept|held|left)\s(?!for\b|during\b|over\b|an?\b|the\b)"
            r"[^,;]+?)\s(?:for|during|over)$"
        ),
        _time_for_which,
        "brine is kept in use for",
        "Time for which brine is kept in use",
    ),
    DurationRule(
        "state kept up",
        re.compile(
            r"^(?P<s>(?:(?!\b(?:is|are|has|have)\b)[^,;])+?)\s"
            r"(?P<p>(?:stays?|remains?|lies?|lie|rests?|stands?|(?:is|are) (?:switched|closed|shut|off|out|dry|empty))\b[^,;]*?)"
            r"\s(?:for|during|over)$"
        ),
        _time_for_which,
        "sludge stays in the tank for",
        "Time for which sludge stays in the tank",
    ),
    DurationRule(
        "keeps",
        re.compile(r"^.+?\s(?P<v>keeps?|retains?|archives?|stores?|preserves?)\s(?P<s>[^,;]+?) (?:for|during|over)$"),
        lambda m: f"{'Storage' if m['v'].startswith('store') else 'Retention'} period of {lowered(tidy(m['s']))}",
        "the operator keeps the records of each load for",
        "Retention period of records of each load",
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
            if re.search(r"life|duration|age|period|availability|term|validity|horizon", m["q"])
            else f"Duration of the {lowered(tidy(m['q']))}"
        ),
        "the operator provides commercial guarantee for",
        "Duration of the commercial guarantee",
    ),
    DurationRule(
        "state after",
        re.compile(r"^(?P<s>(?:(?!\b(?:is|are|has|have|been)\b)[^,;])+?)\s(?:after|following)$"),
        lambda m: f"Time to {lowered(tidy(m['s']))}",
        "automatic standby after",
        "Time to automatic standby",
    ),
    DurationRule(
        "done for",
        re.compile(r"^(?P<s>.+?)\s(?:is|are)\s(?:\w+ly )?(?:\w+ed|held|kept|run|left)\b.*?\sfor$"),
        lambda m: f"Duration of the {lowered(noun_phrase(m['s']))}",
        "a control plan is implemented to check the losses, for",
        "Duration of the control plan",
    ),
)


def duration_name(before: str, words: str, after: str, subject: str, label: str = "") -> str:
    """Return the name of a duration, "" if the clause names nothing.

    Args:
        before: Clause before the comparison words.
        words: The comparison words up to the number.
        after: Sentence behind the amount.
        subject: What the items of the list are about, "" outside lists.
        label: What a colon in front of the clause closes, "" without.
    """
    case, head = split_openers(without_insertions(plain(before)))
    head = head.strip(" ,")
    if (pronoun := _PRONOUN.match(head)) and (owner := antecedent(before)):
        head = f"{owner}{head[pronoun.end() :]}"
    if re.search(r"\bolder\b|\byounger\b", words) or re.match(r"\s*old\b", after):
        kept = tidy(re.sub(r"\s(?:is|are)(?: not)?$", "", re.sub(r"^.*\b(?:use of|of which|with) ", "", head)))
        shared = _SHARED_SUBJECT.match(f"{head} ")
        if shared:
            kept = tidy(shared["s"])
        return f"Age of the {lowered(kept or subject or 'asset')}"
    behind = _behind(after)
    for own in (_training(head, after), _time_between(head, after)):
        if own:
            return own
    for rule in RULES:
        match = rule.pattern.search(head)
        if match:
            return capitalised(tidy(rule.make(match))) + behind
    projected = re.match(
        r"[\s-]*(?P<q>(?!and\b|or\b|of\b|in\b|after\b|prior\b|from\b|before\b|unless\b|for\b)[a-z][^.,;()]*)", after
    )
    if projected and (not head or re.search(r"\bincluding$", before.strip(" ,"))):
        return f"Horizon of {tidy(projected['q'])}"
    return _plain_name(head, case, subject, tidy(plain(label))) + behind


def _plain_name(head: str, case: str, subject: str, label: str) -> str:
    course = re.search(r"\b(?:attends?|receives?|undergo(?:es)?|completes?)\s(?P<q>[\w -]+?)(?: of)?$", head)
    name = tidy(course["q"]) if course else quantity(head, subject)
    if not name and label:
        return capitalised(label) if _OF_TIME.search(label) else f"Duration of the {lowered(label)}"
    if not name or GENERIC.match(name):
        return f"Duration, {case}".strip(", ")
    timeless = not _OF_TIME.search(name) and _NOUNS_ONLY.fullmatch(name)
    return f"Duration of the {lowered(name)}" if timeless else name


def _training(head: str, after: str) -> str:
    """Return "Training of staff" for "staff receive at least 8 hours of training", "" for other words."""
    taught = re.match(r"\s*of (?P<w>[a-z][a-z -]*?)(?=\s(?:per|every|each|a)\s|[.,;]|$)", after)
    taker = re.match(r"(?P<s>.+?)\s(?:receives?|attends?|undergo|undergoes|completes?|has|have|gets?)$", head)
    return f"{capitalised(tidy(taught['w']))} of {lowered(noun_phrase(taker['s']))}" if taught and taker else ""


def _time_between(head: str, after: str) -> str:
    """Return "Time between closing of gates and high tide", "" if the words tell no act and no event."""
    elapsed = re.match(r"\s*(?:pass|passes|elapses?|lies?)\s(?P<w>between [^.,;]+)", after)
    if elapsed and not head:
        return f"Time {tidy(elapsed['w'])}"
    event = _EVENT_OF_ACT.match(after)
    act = act_of(head) if event and not _KEPT_UP.search(head) else ""
    return f"Time between {act} and {tidy(EVENT_ENDS.sub('', event['event']))}" if event and act else ""


# "they meet the limit and are at most": one subject, several predicates
_SHARED_SUBJECT = re.compile(r"^(?P<s>[^,;]{2,60}?)\s(?:is|are|has|have|meets?|compl(?:y|ies)|fulfils?|satisf(?:y|ies)|carry|carries)\s.*\b(?:and|or) (?:is|are)\s$")
_PRONOUN = re.compile(r"(?:they|it|these|those|each of (?:them|these)|all of them|each)\b", re.I)
# Names that say of themselves that they are times
_OF_TIME = re.compile(
    r"\b(?:times?|terms?|durations?|periods?|ages?|intervals?|phases?|life|lives|lifetimes?|lifespan|horizons?|validity|"
    r"availability|retention|hours|years|lag|delay|break|pause|stay|notice|dwell|frequency|extension)\b",
    re.I,
)
_NOUNS_ONLY = re.compile(r"(?:[\w-]*(?:guarantee|warranty|contract|agreement|lease|plan|programme|permit|licen[cs]e|lock|cover|"
                         r"insurance|commitment|training|course|test|trial)s?)(?: (?:of|for|with) .+)?", re.I)  # fmt: skip
_EVENT_OF_ACT = re.compile(
    r"\s*(?:before|prior to|after|following|ahead of|in advance of)\s(?:the )?(?P<event>[^,.;:()]+)"
)
def _behind(after: str) -> str:
    """Return " prior to its withdrawal", " in case of removal": what the text adds behind a duration."""
    match = re.match(r"\s*(?P<link>prior to|before|after|in case of|from|following|without)\s(?P<e>[^.,;()]+?)"
                     r"(?=\sand (?:for|at|every)\b|[.,;()]|$)", after)  # fmt: skip
    return f" {match['link']} {tidy(match['e'])}" if match else ""


# Durations without comparison words that a duty of keeping states: "is retained for five years"
KEPT_FOR = re.compile(rf"\b(?:{'|'.join(_KEPT)})\b[^.;]*\bfor$", re.I)


def implied_operator(before: str, after: str) -> Operator | None:
    """Return the operator of a duration without comparison words, None if it is no duty.

    Example:
        >>> implied_operator("records are retained for", "."), implied_operator("the mean of", ".")
        ('>=', None)
    """
    if WITHIN.search(before) and (EVENT.match(after) or PERIOD.match(after) or re.match(r"\s*(?:[.,;:)]|$)", after)):
        return "<="
    return ">=" if KEPT_FOR.search(before.strip()) else None
