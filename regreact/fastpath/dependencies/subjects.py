"""Duties for, or about, what a named point brings about: the subject of the sentence tells whom they bind.

Follows guidelines section 8 and D2: those that use an alternative, and those that do not meet a point.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from regreact.fastpath.dependencies.conditions import listed
from regreact.fastpath.dependencies.delegation import ATTAINS
from regreact.fastpath.dependencies.points import DELEGATES, adjacent, thing_named
from regreact.fastpath.dependencies.section import Gate, Section, any_of, first_sentence, span
from regreact.identifiers import anchor_above

# "Ferries referred to in", "The log required by", "A service operated under": the subject of a sentence and its point
_SUBJECT_OF = re.compile(
    r"(?:only )?(?:the |an? |any |each |every |all |those )?(?:(?!(?:is|are|has|have|does|do|may|shall|must|can|will)\b)[\w/-]+ ){1,7}?"
    rf"(?:(?:,? ?(?:as )?(?:{DELEGATES}|covered|meant|chosen|selected|using|relying|complying|compliant"
    r"|satisfying|meeting|fulfilling|observing|(?:that|which|who) (?:comply|complies|rely|relies|fall|falls|use|uses|meets?"
    r"|satisf(?:y|ies)|fulfils?|(?:have|has) (?:chosen|opted)|opts?|choose|chooses)"
    r"|(?:by|for|in|to|on) (?:which|whom)|operated|operating|falling|opting|qualifying"
    r"|\w{3,}ed)(?: (?:with|under|in|by|on|for|within|pursuant to|in accordance with|according to))?"
    r"|under|in|of|pursuant to|in accordance with)(?: the [\w -]{3,30} (?:in|of|under))?\s*)$",
    re.IGNORECASE,
)


def chosen_alternatives(section: Section) -> Iterator[Gate]:
    """D2: a duty for, or about, what one of the named alternatives brings about."""
    for view in section.index.criteria:
        first = first_sentence(view)
        if first is None or anchor_above(view.criterion_id):
            continue
        cited = section.reader.cited(view, first.main, first.end)
        if not cited or not _SUBJECT_OF.match(view.text[first.main : cited[0].point.start]):
            continue
        named = adjacent(view.text, cited)
        thing = thing_named(view.text, cited[0].point.start)
        reached = ATTAINS.search(view.text, first.main, thing.start) if thing else None
        if not re.search(r"\w", view.text[named[-1].point.end : first.end]) or (
            reached and not reached[0].rstrip().endswith("that")
        ):
            # Nothing is said of it: it is the object of the sentence.
            continue
        targets = tuple(c.target for c in named if c.target and section.is_alternative(c.target))
        if any(section.are_alternatives([view.criterion_id, t]) for t in targets):
            # An alternative does not wait for another one to be chosen: it is defined with its help.
            continue
        if targets and len(targets) == len(named) and section.kin(view.criterion_id).isdisjoint(targets):
            summary = f"Applies only where {listed(targets)} is chosen."
            evidence = span(view, named[0].point.start, named[-1].point.end)
            yield Gate(view.criterion_id, any_of(targets, "Affirmation"), summary, 0.85, evidence)


_NOT_MET = (
    r"(?:met|meets?|compl(?:y|ied) with|satisf(?:y|ied)|fulfil(?:led)?|observed?|respect(?:ed)?|reach(?:ed)?|attain(?:ed)?"
    r"|appl(?:y|ied)|used?|ch(?:oose|osen)|rel(?:y|ied) (?:up)?on)"
)
_OF_POINT = r"(?: the [\w -]{3,30} (?:in|of|under))?\s*$"
# "Mills that do not meet", "Mills not complying with", "Mills by which": a subject told by a point that it fails
_DENIED_SUBJECT = re.compile(
    r"(?:only )?(?:[\w/-]+ ){1,6}?(?:(?:that|which|who) (?:(?:do|does|did|have|has|can|could|may) not|cannot|fails? to)"
    rf"(?: yet)?(?: \w+ly)? {_NOT_MET}|not (?:complying with|meeting|satisfying|fulfilling|using|relying on)"
    rf"|failing to {_NOT_MET}|(?P<passive>(?:by|for|in|at) (?:which|whom))){_OF_POINT}",
    re.IGNORECASE,
)
_NOT_BEING = re.compile(
    rf"\s+(?:(?:is|are|was|were|has been|have been) not|(?:cannot|could not|may not) be)(?: yet)?(?: \w+ly)? {_NOT_MET}\b"
)


def denied_subjects(section: Section) -> Iterator[Gate]:
    """Section 8: a duty for those that do not meet a point."""
    for view in section.index.criteria:
        first = first_sentence(view)
        cited = section.reader.cited(view, first.main, first.end) if first else []
        subject = _DENIED_SUBJECT.match(view.text[first.main : cited[0].point.start]) if first and cited else None
        if first is None or subject is None:
            continue
        named = adjacent(view.text, cited)
        end = named[-1].point.end
        if subject["passive"] and not _NOT_BEING.match(view.text, end):
            continue
        targets = tuple(dict.fromkeys(c.target for c in named if c.target))
        if targets and section.kin(view.criterion_id).isdisjoint(targets):
            clauses = any_of(targets, "Negation")
            summary = f"Applies only where {listed(targets, 'and')} {'is' if len(targets) == 1 else 'are'} not met."
            evidence = span(view, first.main, end)
            yield Gate(view.criterion_id, clauses, summary, 0.85, evidence, needed=len(targets))
