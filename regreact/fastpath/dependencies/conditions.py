"""Conditions on points of the section: which of them must be met, which must not, and whether one of them is enough.

Follows guidelines section 8 (`min_conditions_to_meet`: 1 is any, the number of clauses is all) and the rules of logic
for words of denial: "not feasible to meet (a) or (b)" and "neither (a) nor (b) is met" ask that both fail, "(a) or (b)
is not met" that one does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from regreact.fastpath.dependencies.points import DELEGATES, Cited, spared
from regreact.fastpath.wording import Sentence
from regreact.schema import Clause, ClauseStatus

_DENIES = (
    r"\b(?:not(?! only)|(?<!with )no|cannot|fail(?:s|ed|ing)?|failure|unable|impossible|impracticable|infeasible"
    r"|un(?:available|feasible|suitable|met|fulfilled|satisfied|attainable|workable)|(?:in the )?absence of|other than"
    r"|lacks?|lacking|failing|in default of|out of reach|beyond reach|precluded|prevented|hindered|falls? short"
    r"|(?:is|are|be|been) missed|too \w+|disproportionate|inappropriate|difficult|falls? outside"
    r"|without (?:\w+ing|recourse|compliance|regard)|(?<!not )(?<!not be )(?:is|are|be|been) exceeded|(?<!not )exceeds?)\b"
)
_DENIED = re.compile(_DENIES, re.IGNORECASE)
_NOT_EXCEEDED = re.compile(r"\b(?:not|cannot|neither|nor|without)\b[\w ]{0,20}\bexceed\w*", re.IGNORECASE)
_NONE = re.compile(r"\b(?:neither|none|no one|not any|not either|not one)\b", re.IGNORECASE)
_NOT_ALL = re.compile(r"\bnot (?:\w+ ){0,3}?(?:both|all|each|every|together)\b", re.IGNORECASE)
_ALL = re.compile(r"\b(?:both|all|each|every|together|simultaneously|cumulatively)\b", re.IGNORECASE)
_ANY = re.compile(r"\b(?:any|either)\b(?: one)?(?: of)?(?: the)?(?: following)?(?: \w+)?\W*$", re.IGNORECASE)
_ONE = re.compile(r"\b(?:one(?: or (?:more|both))?|some)\b(?: of)?(?: the)?(?: \w+)?\W*$", re.IGNORECASE)
_COUNT = re.compile(r"\b(two|three|four|five|[2-5])\b(?: of)(?: the)?(?: \w+)?\W*$", re.IGNORECASE)
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5}
_PREDICATE = r"(?:is|are|was|were|has|have|does|do|can|cannot|may|applies|apply|holds?)"
# Where a second statement begins: "point 1 is met and point 2 is not", "point 1, but not point 2"
_BREAK = re.compile(
    rf"\b(?:but|while|whereas|although|yet)\b|\b{_PREDICATE}\b.*?(?P<both>\b(?:and|or)\b)|\b(?P<also>(?:and|or)) not\b",
    re.IGNORECASE,
)
# What is said of a point that has been met, chosen or turned out not to be possible.
FULFILS = re.compile(
    r"\b(?:met|meets?|meeting|compl(?:y|ies|ied|ying|iance|iant)|fulfil\w*|satisf\w+|appl(?:y|ies|ied|icable|ying)"
    r"|chosen|chooses?|selected|used|uses?|using|rel(?:y|ies|ied|ying)|(?:in)?feasible|(?:im)?possible|practicable"
    r"|impracticable|viable|available|observed|attained|attains?|achieved|achieves?|reached|reach(?:es)?|exceed\w*"
    r"|followed|follows?|respected|respects?|installed|implemented|holds?|opts?|recourse|obtains?|prevails?|invoked"
    r"|invokes?|taken|avails?|elected|elects?|adopted|un(?:met|fulfilled|satisfied)|missed)\b",
    re.IGNORECASE,
)
# A point named for what it defines, or for what was found out under it, does not gate (C7).
_ONLY_NAMED = re.compile(r"(?<!conditions )(?<!requirements )(?<!criteria )\b(?:defined|listed|assessed|identified|mentioned|purposes?)\b[^.;,]{0,30}$", re.IGNORECASE)
# "in order that point 1 may be satisfied": a purpose is no condition.
_PURPOSE = re.compile(
    r"\b(?:in order (?:that|to)|so that|so as to|with a view to|with the aim of|for the purposes? of)\b[^,;]*$", re.IGNORECASE
)
_THING_OF = re.compile(rf",? (?:as )?(?:{DELEGATES}) (?:in|under|by)(?: points? [\w.()]+(?:,| or| and| nor))?\s*$")
# "…, where point (a) cannot be met": a condition that stands elsewhere than at the head of the sentence
_WITHIN = re.compile(
    r"(?<![\w-])(?:(?:only|except|save) )?(?:where|if|when(?! \w+ing)|whenever|wherever|unless|in ?so ?far as"
    r"|to the extent that|(?:as|so) long as|in (?:the )?(?:cases?|event) (?:where|that|of)|in case(?= points?)"
    r"|provid(?:ed|ing)(?: that|(?= points?))|on (?:the )?condition that|assuming(?: that)?"
    r"|should(?= (?:compliance with |(?:the )?[\w ]{1,40} (?:in|of|under) )?(?:points?|criteri(?:on|a)|paragraphs?) [\d(])"
    r"|(?:failing|in default of|in the absence of|given|upon)(?= (?:the )?(?:compliance|fulfilment|points?)))\b",
    re.IGNORECASE,
)
# "checks if …", "assesses whether and where …": a question, no condition
_ASKS = re.compile(
    r"\b(?:check|verif|assess|determin|examin|confirm|stat|specif|show|know|indicat|describ|record)\w*\s+$"
)
_LIST_GOES_ON = r"(?!\s*(?:(?:and|or|nor|but)\b|(?:not |neither )?(?:points?|criteri(?:on|a)|paragraphs?)\b|\(|\d))"
_END = re.compile(rf"[:;]|,{_LIST_GOES_ON}")
_POINT_FOLLOWS = re.compile(
    r"\s*(?:(?:and|or|nor)\s+)?(?:\d[\d.]*(?:\([a-z\d]+\))*|(?:\([a-z\d]+\))+|points?\s[\w.()]+)(?=,| (?:and|or|nor|is|are)\b)"
)
_REVERSES = re.compile(r"(?:unless|except|save)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Condition:
    """Clauses and how many of them must hold."""

    clauses: tuple[Clause, ...]
    needed: int

    @property
    def summary(self) -> str:
        """The condition in words."""
        met = [c.criterion_id for c in self.clauses if c.status == "Affirmation"]
        failed = [c.criterion_id for c in self.clauses if c.status == "Negation"]
        every = self.needed == len(self.clauses)
        parts = [f"{listed(met, 'and' if every else 'or')} {_be(met, every)} met or chosen"] if met else []
        if len(failed) > 1 and every:
            parts.append(f"neither {listed(failed, 'nor')} is met or feasible")
        elif failed:
            parts.append(f"{listed(failed)} is not met or not feasible")
        return f"Applies only where {(' and ' if every else ' or ').join(parts)}."


def listed(ids: Sequence[str], joiner: str = "or") -> str:
    return ids[0] if len(ids) == 1 else f"{', '.join(ids[:-1])} {joiner} {ids[-1]}"


def _be(ids: Sequence[str], every: bool) -> str:
    return "are" if len(ids) > 1 and every else "is"


# Openings that mostly gate nothing, but do so here: "once point 1 is met", "subject to point 1 being met"
_CONDITIONS = re.compile(
    r"(?:once|as soon as|upon|after|subject to)\b[^,;]*\b(?:points?|criteri(?:on|a)|paragraphs?) [\d(][^,;]*"
    r"\b(?:is|are|being|has been|have been)(?: \w+)? (?:met|fulfilled|satisfied|complied with|attained|reached|achieved)"
    r"|(?:upon|after|subject to) (?:the )?(?:fulfilment of|compliance with)\b",
    re.IGNORECASE,
)


def condition_spans(text: str, sentence: Sentence) -> list[tuple[int, int]]:
    """Return the ranges of a sentence that say when it applies: its openings, and what its main clause adds.

    Example:
        >>> from regreact.fastpath.wording import read_sentences
        >>> text = "Filters are fitted, unless point 2 is met."
        >>> [text[a:b] for a, b in condition_spans(text, read_sentences(text)[0])]
        ['unless point 2 is met.']
    """
    heads = [o for o in sentence.openings if o.rule.kind == "gate" or _CONDITIONS.match(text, o.start, o.end)]
    spans = [(head.start, _list_end(text, head.end, sentence.end)) for head in heads]
    for match in _WITHIN.finditer(text, sentence.main, sentence.end):
        if _ASKS.search(text[sentence.main : match.start()]):
            continue
        stop = _END.search(text, match.end(), sentence.end)
        end = stop.start() if stop else sentence.end
        if FULFILS.search(text, match.end(), end) or _DENIED.search(text, match.end(), end):
            spans.append((match.start(), end))
    return spans


def _list_end(text: str, end: int, stop: int) -> int:
    """Return where an opening ends of which the list of points goes on after its comma."""
    if not text[:end].endswith(",") or not _POINT_FOLLOWS.match(text, end):
        return end
    found = _END.search(text, end, stop)
    return found.end() if found else stop


def read_condition(
    text: str, start: int, end: int, cited: Sequence[Cited], alternatives: Callable[[Sequence[str]], bool]
) -> Condition | None:
    """Return what a condition in text[start:end] asks of the points that it names, None if it asks nothing.

    Args:
        text: Text of the criterion.
        start: First character of the condition.
        end: Character after the last.
        cited: Points named between them that exist.
        alternatives: True if criteria are alternatives of one choice: "points 1(a) and 1(b)" then means either.
    """
    left_out = {c.target for c in cited if spared(text, c)}
    kept = [c for c in cited if c.target not in left_out and _conditions(text, start, end, c, alternatives)]
    parts = list(_statements(text, start, end, kept))
    if not parts:
        return None
    statements = [_statement(text, *part, alternatives) for part in parts]
    found: dict[str, Clause] = {c.criterion_id: c for s in statements for c in s.clauses}
    joined_by_or = any(text[begin:].startswith("or ") for begin, _, _ in parts[1:])
    needed = 1 if joined_by_or else min(sum(s.needed for s in statements), len(found))
    clauses = tuple(found.values())
    if _REVERSES.match(text, start):
        needed = len(clauses) - needed + 1
        clauses = tuple(Clause(criterion_id=c.criterion_id, status=_OPPOSITE[c.status]) for c in clauses)
    return Condition(clauses, needed)


_OPPOSITE: dict[ClauseStatus, ClauseStatus] = {"Affirmation": "Negation", "Negation": "Affirmation"}


def _conditions(
    text: str, start: int, end: int, cited: Cited, alternatives: Callable[[Sequence[str]], bool]
) -> bool:
    """True if the condition is that this point is met or not, and not something about a thing that it names."""
    before = text[start : cited.point.start]
    if cited.target is None or _ONLY_NAMED.search(before) or _PURPOSE.search(before):
        return False
    thing = _THING_OF.search(before)
    return not thing or bool(FULFILS.search(text, start, end)) or alternatives([cited.target])


def _statements(
    text: str, start: int, end: int, cited: Sequence[Cited]
) -> Iterator[tuple[int, int, list[Cited]]]:
    """Yield the parts of a condition that speak of points, each with its points."""
    group: list[Cited] = []
    begin = start
    for point in cited:
        if group:
            after = group[-1].point.end
            match = _BREAK.search(text[after : point.point.start])
            if match:
                name = "both" if match["both"] else "also" if match["also"] else 0
                cut = after + match.start(name)
                yield begin, cut, group
                group, begin = [], cut
        group.append(point)
    if group:
        yield begin, end, group


def _statement(
    text: str, start: int, end: int, cited: Sequence[Cited], alternatives: Callable[[Sequence[str]], bool]
) -> Condition:
    """Read one statement about some points: "neither point 1 nor point 2 is met"."""
    first, last = cited[0].point, cited[-1].point
    before, after, between = text[start : first.start], text[last.end : end], text[first.end : last.start]
    before, after = _NOT_EXCEEDED.sub("", before), _NOT_EXCEEDED.sub("", after)
    targets = list(dict.fromkeys(str(c.target) for c in cited))
    either = bool(re.search(r"\bor\b", between))
    none = bool(_NONE.search(before) or re.search(r"\bnor\b", between))
    denied_before, denied_after = bool(_DENIED.search(before)), bool(_DENIED.search(after))
    status: ClauseStatus = "Negation" if none or denied_before or denied_after else "Affirmation"
    count = _COUNT.search(before)
    if none:
        every = True
    elif _NOT_ALL.search(before) or _NOT_ALL.search(after):
        every = False
    elif status == "Negation":
        every = _fails(before, either, denied_before)
    elif count:
        number = _COUNTS.get(count[1].lower()) or int(count[1])
        return _condition(targets, status, min(number, len(targets)))
    else:
        every = not (either or _ANY.search(before) or _ONE.search(before))
        if every and not (_ALL.search(before) or _ALL.search(after)):
            every = len(targets) == 1 or not alternatives(targets)
    return _condition(targets, status, len(targets) if every else 1)


def _fails(before: str, either: bool, denied_before: bool) -> bool:
    """True if all of the denied points must fail: denial goes through "or" only where it stands before it."""
    if _ONE.search(before):
        return False
    if denied_before:
        return True
    return not (either or _ANY.search(before))


def _condition(targets: Sequence[str], status: ClauseStatus, needed: int) -> Condition:
    return Condition(tuple(Clause(criterion_id=t, status=status) for t in targets), needed)
