"""Criteria that do not apply where another paragraph exempts from them or replaces them (R4, D11)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from regreact.fastpath.dependencies.points import adjacent, spared
from regreact.fastpath.dependencies.section import Gate, Section, any_of, first_sentence, span
from regreact.fastpath.dependencies.topics import content_words
from regreact.fastpath.wording import Sentence
from regreact.identifiers import anchor_above
from signatures.types import CriterionView

_WAIVED = (
    r"(?:is|are|be) (?:not (?:required|obliged|bound|subject|covered|concerned)|exempt(?:ed)?|relieved|released|excused"
    r"|dispensed|excepted|freed)\b|(?:do|does|shall|will|need) not (?:apply|extend|concern|cover|have to)\b"
    r"|(?:is|are) not applicable\b|(?:do|does) not need to\b|need(?:s)? not\b|falls? outside\b|appl(?:y|ies) neither\b"
)
_EXEMPTS = re.compile(
    rf"\b(?:{_WAIVED})|\bno (?:additional |further )?[\w ]{{0,60}}\b(?:is|are) (?:required|needed|necessary)\b",
    re.IGNORECASE,
)
_EXEMPT_FROM = re.compile(
    r"\bn(?:ot (?:(?:required|obliged|have|need) to )?|eeds? not )(?:perform|carry out|conduct|make|provide|keep|have|submit"
    r"|draw up|prepare|establish|install|undertake) (?:an? |the )?([^.,;]+)",
    re.IGNORECASE,
)
# "no additional survey is required": whatever the paragraph asks in its place
_NO_MORE = re.compile(
    r"\bno (?:additional|further|separate|other) [\w -]{1,60}\b(?:is|are) (?:required|needed|necessary)\b", re.IGNORECASE
)
# "are exempt from point 2", "need not comply with the limits in point 2": what is waived is named by its point
_FROM_POINT = re.compile(
    r"(?<!\bthat )(?<!\bwhich )(?<!\bwho )\b(?:(?:(?:is|are|be) not (?:required|obliged) to|(?:do|does) not (?:have|need) to"
    r"|needs? not|(?:is|are) not (?:bound|obliged) to)"
    r" (?:comply with|conform to|adhere to|meet|fulfil|satisfy|observe|respect|apply|attain|reach|keep to)"
    r"|(?:is|are|be) (?:not (?:subject to|bound by|covered by|concerned by)|(?:exempt(?:ed)?|relieved|released|excused"
    r"|excluded|dispensed|excepted|freed) from)|falls? outside|do(?:es)? not (?:fall|come) (?:under|within)"
    r"|may (?:disregard|leave out of account)|(?:enjoys?|(?:is|are) granted|benefits? from|has|have) an exemption from"
    r"|(?<=an )exemption from|no (?:obligation|duty|requirement)s?(?= (?:in|of|under|from|set|laid)))\b[^.,;]{0,60}?$",
    re.IGNORECASE,
)
# "Points 1 and 3 do not apply to …"
NOT_APPLIED = re.compile(
    r"(?:,[^,;.]{3,80},)?\s+(?:(?:do|does|shall|will) not (?:apply|extend|concern|cover|bind|hold|arise|need to be|have to be)"
    r"|(?:is|are) (?:not (?:applicable|applied|binding|required|needed|necessary)|waived|disapplied|suspended"
    r"|of no application)|(?:is|are)(?: to be)? disregarded|shall not be applied|ceases? to apply|ha(?:s|ve) no application"
    r"|appl(?:y|ies) neither|needs? not be|may be (?:disregarded|ignored|waived|dispensed with|left out of account))\b",
    re.IGNORECASE,
)


def exemptions(section: Section) -> Iterator[Gate]:
    """R4: exempted criteria carry a Negation on the paragraph that exempts.

    The exempted criteria are the points from which the paragraph exempts, whatever else it lays down. A paragraph
    that is background exempts, without naming such a point, from the points that it does name, from what is about the
    duty that it names, or from its anchor.
    """
    for view in section.index.criteria:
        first = first_sentence(view)
        if first is None:
            continue
        match = _EXEMPTS.search(view.text, first.main, first.end)
        targets = _waived(section, view, first)
        spares = section.is_background(view.criterion_id) or _NO_MORE.search(view.text, first.main, first.end)
        if not targets and match and spares:
            targets = _exempted(section, view, first)
        who = view.text[first.main : match.start() if match else first.end].strip(" .") or "it"
        summary = f"Does not apply where {view.criterion_id} exempts from it ({_subject(view, first, who)})."
        evidence = span(view, match.start(), match.end()) if match else ()
        for target in targets:
            yield Gate(target, any_of([view.criterion_id], "Negation"), summary, 0.9, evidence)


def _waived(section: Section, view: CriterionView, first: Sentence) -> list[str]:
    """Return the points that a paragraph exempts from in so many words."""
    cited = section.reader.cited(view, first.main, first.end)
    found: list[str] = []
    left_out: set[str | None] = set()
    while cited:
        group = adjacent(view.text, cited)
        before = view.text[first.main : group[0].point.start]
        if _FROM_POINT.search(before) or NOT_APPLIED.match(view.text, group[-1].point.end):
            found.extend(c.target for c in group if c.target)
        left_out |= {c.target for c in group if spared(view.text, c)}
        cited = cited[len(group) :]
    return [i for i in dict.fromkeys(found) if i not in left_out]


def _subject(view: CriterionView, first: Sentence, who: str) -> str:
    """Return who is exempted: the situation, the instances that a point does not apply to, or the subject."""
    if first.gates:
        who = view.text[first.gates[0].start : first.gates[0].end].strip(" ,")
    after = re.search(r"\bnot apply to ([^.;]+)", view.text[first.main : first.end])
    return after[1].strip() if after else who[:1].lower() + who[1:]


def _exempted(section: Section, view: CriterionView, first: Sentence) -> list[str]:
    cited = section.reader.cited(view, first.start, first.end)
    named = [c.target for c in cited if c.target and not spared(view.text, c)]
    if named:
        return named
    if duty := _EXEMPT_FROM.search(view.text, first.main, first.end):
        return list(_about(section, view, duty[1]))
    anchor = anchor_above(view.criterion_id)
    return [anchor] if anchor in section.index.by_id and anchor is not None else []


def _about(section: Section, view: CriterionView, duty: str) -> Iterator[str]:
    """Yield the siblings that lay the duty down: all of them if their heading names it."""
    words = content_words(duty)
    parent = section.index.parent(view.criterion_id)
    under_heading = parent is not None and words <= content_words(parent.text)
    for sibling in section.index.siblings(view.criterion_id):
        if not section.is_background(sibling.criterion_id) and (under_heading or words <= content_words(sibling.text)):
            yield sibling.criterion_id


_DEROGATION = re.compile(
    r"\b(?:by way of derogation|by derogation|in derogation|as a derogation|derogating|may derogate|deviating|departing"
    r"|in departure|notwithstanding|contrary|(?:by way of|as an|by) exception (?:to|from)|as an alternative"
    r"|(?:appl(?:y|ies)\b[^.;,]{0,30}? )?(?:instead|in lieu|in (?:the )?place) of"
    r"(?: (?:meeting|fulfilling|satisfying|observing|applying|compl(?:ying|iance) with))?"
    r"|rather than (?:meeting|fulfilling|satisfying|observing|applying|compl(?:ying|iance) with))(?=\W)",
    re.IGNORECASE,
)
# Elsewhere than at the head they tell how something is done.
_AT_HEAD = re.compile(
    r"instead|in lieu|in (?:the )?place|deviating|departing|in departure|contrary|as an alternative|rather", re.IGNORECASE
)
_FROM = re.compile(r"(?: ?(?:from|of|to))?(?: (?:the|what|all|any))?(?: [\w-]+){0,4}?(?: (?:from|in|of|under|with|by|to))?\s*$")


def derogations(section: Section) -> Iterator[Gate]:
    """D11: a criterion with a substitute duty carries a Negation on it.

    The criterion is the one that the words of derogation name; where they name none, the anchor of the paragraph.
    """
    for view in section.index.criteria:
        match = _DEROGATION.search(view.text)
        first = first_sentence(view)
        if match is None or first is None or (_AT_HEAD.match(match[0]) and match.start() != first.start):
            continue
        anchor = anchor_above(view.criterion_id)
        cited = section.reader.cited(view, match.start(), first.end)
        named = adjacent(view.text, cited)
        if named and not _FROM.match(f" {view.text[match.end() : named[0].point.start].strip()} "):
            named = []
        own_words = match[0].lower().endswith("derogation") or named
        targets = [c.target for c in named if c.target] or ([anchor] if anchor in section.index.by_id and own_words else [])
        summary = f"Does not apply where the derogation in {view.criterion_id} is used."
        evidence = span(view, match.start(), match.end())
        for target in targets:
            if target is not None and not (_AT_HEAD.match(match[0]) and _of_one_choice(section, view, target)):
                yield Gate(target, any_of([view.criterion_id], "Negation"), summary, 0.9, evidence)


def _of_one_choice(section: Section, view: CriterionView, target: str) -> bool:
    """True if a criterion is an alternative and another one stands in the same list: "instead" then only says so."""
    beside = section.index.descendants(view.parent or "")
    return section.is_alternative(view.criterion_id) and target in {c.criterion_id for c in beside}
