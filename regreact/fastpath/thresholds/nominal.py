"""Acts of a clause as nouns: "are verified": "verification", "are switched off": "switching off"."""

from __future__ import annotations

import re

from regreact.fastpath.thresholds.naming import GENERIC, noun_phrase
from regreact.fastpath.thresholds.phrases import lowered, tidy

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
    "removed": "removal",
    "answered": "answer",
    "decommissioned": "decommissioning",
    "dismantled": "dismantling",
    "remedied": "remedy",
}
# Participles whose gerund is not "-ing" for "-ed"
_GERUNDS = {"kept": "keeping", "held": "holding", "found": "finding", "made": "making", "done": "doing", "shut": "shutting",
            "set": "setting", "put": "putting", "taken": "taking", "given": "giving", "sent": "sending", "cut": "cutting",
            "built": "building", "sown": "sowing", "laid": "laying", "begun": "beginning", "lit": "lighting",
            "brought": "bringing", "left": "leaving", "run": "running", "told": "telling"}  # fmt: skip
PARTICIPLE = rf"(?:[a-z]+ed|{'|'.join(_GERUNDS)})"


def gerund(participle: str) -> str:
    """Return a participle as gerund.

    Example:
        >>> gerund("closed"), gerund("kept")
        ('closing', 'keeping')
    """
    return _GERUNDS.get(participle, re.sub(r"ed$", "ing", re.sub(r"ied$", "yed", participle)))
PASSIVE = re.compile(
    rf"^(?P<s>.+?)\s(?:is|are|was|were|has been|have been)\s(?:\w+ly\s)?(?P<p>{PARTICIPLE})"
    r"(?P<rest>\s(?:off|on|out|up|down|in|away)(?:\sof \w+)?)?$"
)


def act_of(head: str) -> str:
    """Return the act that stands some time before or after an event, "" if the words name none.

    Example:
        >>> act_of("lamps are switched off")
        'switching off of lamps'
    """
    match = PASSIVE.match(head)
    if match is None:
        return ""
    return f"{gerund(match['p'])}{match['rest'] or ''} of {lowered(noun_phrase(match['s']))}"


_LONGEST_EVENT = 40


def act_in(clause: str, *, of_what: bool = False) -> str:
    """Return the act of a clause as a noun ("are verified": "verification"), "" if it has none.

    Args:
        clause: The clause.
        of_what: Whether the act is told with its object ("verification of the losses").
    """
    relative = re.search(r"(?:^|\s)(?P<s>[\w -]+?) that (?:is|are)\s(?P<rest>.*)$", clause) if of_what else None
    passive = re.search(r"(?:^|\s)(?P<s>[\w -]+?)\s(?:is|are|be)\s", clause) if of_what else None
    found = relative or passive
    what = tidy(found["s"]) if found else ""
    of = f" of {lowered(what)}" if what and not GENERIC.match(what) else ""
    for participle, noun in _DONE.items():
        match = re.search(rf"\b{participle}\b(?P<from>\sfrom (?:the )?\w+)?", clause)
        if match:
            return noun + (match["from"] or of)
    fit = re.search(
        r"(?:the )?(?P<s>[\w-]+) (?:will be|is|are) (?P<w>fit for use by .+|operational|in operation)$", clause
    )
    if fit:
        return f"{fit['w']} of {fit['s']}"
    starts = re.search(r"(?P<s>[^,;]+?)\sstarts?$", clause)
    if starts is None:
        return ""
    whole = tidy(starts["s"])
    clause_of_it = re.search(r"\b(?:the|an?)\s(?P<s>[\w-]+ (?:that|which) .+)$", starts["s"])
    if clause_of_it and len(whole.split()) <= _LONGEST_EVENT:
        return f"start of {clause_of_it['s']}"
    return f"start of {noun_phrase(re.split(r' (?:that|which) ', starts['s'])[0])}"
