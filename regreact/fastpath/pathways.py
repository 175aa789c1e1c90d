"""Fast path of `signatures.classification`: joint pathways among the children of a criterion."""

from __future__ import annotations

import re
from collections.abc import Sequence

from regreact.answers import Answer, solver
from regreact.fastpath.combination import family_of
from regreact.fastpath.combination.connectives import joined_by_and
from regreact.fastpath.combination.words import all as all_of
from regreact.fastpath.combination.words import count, negated_choice, one
from regreact.fastpath.structure.points import subject_points
from regreact.fastpath.structure.serving import about_earlier, content_words, serves
from regreact.fastpath.tree import CriterionIndex
from regreact.identifiers import ANCHORED
from regreact.schema import Span
from signatures.types import CriterionView, UnitHeader

_CASE = re.compile(r"^(?:where|if|in case of|for|when)\b", re.IGNORECASE)
# "on the re-use pathway, …": a scope that several items may share.
_SCOPE = re.compile(r"^(?:on|under|in|along|for) (?:the|this) [^,;:]{3,60}(?=,)", re.IGNORECASE)
# "that" is a pronoun of its own kind after a noun ("a kiln that …"), so only after a preposition does it point back.
_DEMONSTRATIVE = re.compile(
    r"(?:\b(?:those|these|the(?: very)? same|the (?:said|aforesaid|aforementioned|above-mentioned))"
    r"|(?:^|\b(?:which|where|when|of|by|for|in|from|on|with|to)\s)(?:that|this))(?: (?:same|very))?\s+([\w-]+)"
)
# "that heat is …", "such losses are …": a subject that only an earlier item has named. "those used in farming" is a kind.
_POINTS_BACK = re.compile(
    r"^(?:that|this|those|these|such(?: an?)?)\s+(?!(?:is|are|was|has|have|which|that|who|of|in|at|on|for|from|under|with"
    r"|the|an?|it|they|activity|economic)\b)(?![\w-]+(?:ed|ing)\b)([\w-]+(?: [\w-]+)?)"
    r"|^the ((?:results?|outcome|findings?|calculations?|measurements?|readings?)\b)(?! of)"
)
_DISCLOSED = re.compile(
    r"\b(?:is|are|has been|have been) (?:\w+ly )?(?:published|posted|placed on|made (?:public|available)|disclosed|reported|declared|recorded|documented"
    r"|notified|communicated)\b"
)
_DISCLOSURE = content_words("declaration report statement record register figure value result account summary")
# Openings that say of what an item speaks: "the heat referred to in …", "in respect of …", "whatever heat …". A thing
# without article ("kilns referred to in point (a)") is a kind of its own.
_OF_WHAT = re.compile(
    r"^(?:the|th[eo]se|that|this|such|compliance|where|if|when|for|in (?!place\b|lieu\b|the absence\b)|on|at|as regards|as to"
    r"|with (?:regard|respect|reference)|regarding|concerning|besides|beyond|further to|together with|under|once|after"
    r"|each|every|all|any|whatever|whichever|no)\b",
    re.IGNORECASE,
)
# "in addition, …": a link to what stands before.
_LINK = re.compile(
    r"^(?:(?:and )?(?:in addition|additionally|moreover|furthermore|likewise|besides|at the same time|to (?:this|that) end"
    r"|for (?:this|that) purpose|in (?:this|that|such a|which) case|in (?:so doing|doing so)|thereby|thereafter|thereupon"
    r"|as well as)),?\s",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"^(?:it|they)\b", re.IGNORECASE)
_LEGAL = re.compile(r"Regulation|Directive|Decision|Annex|Article|Section|Appendix|Member|point|category")
# An item that takes the place of another one is a pathway of its own.
_INSTEAD = re.compile(
    r"\bnot (?:\w+ ){0,2}(?:feasible|possible|practicable|comply|complied|meet|met|available)\b|\binstead\b"
    r"|\bin (?:place|lieu) of\b|^(?:failing|in the absence of|by way of derogation|as an alternative|alternatively|by contrast)\b"
    r"|\b(?:(?:other|rather|different) than|unlike|without (?:recourse|regard) to)\b[^,;]{0,40}\bpoints?\b",
    re.IGNORECASE,
)


@solver("DetectPathways")
def detect_pathways(
    unit: UnitHeader, criteria: Sequence[CriterionView], guidance: str = ""
) -> list[Answer[tuple[tuple[str, ...], ...]]]:
    """Return the joint pathways among the children of every criterion that offers alternatives.

    Children are joint if one makes no sense without another: it says how the other's quantity is calculated or who
    verifies it, takes up its words ("those residues", "… referred to in point (b)"), or names the same pathway; or
    "and" and "or" stand between the items, which says outright what goes together. A group runs from the first such child to the next that stands by itself, with the anchored paragraphs of its
    members; at least one child must stay outside. Where each child stands alone the answer is no group. First and last
    of a group are list items, so that it can be named after them ("1(a-e)").

    Args:
        unit: Not used.
        criteria: All criteria of the section.
        guidance: Not used.
    """
    index = CriterionIndex(criteria)
    answers = []
    for criterion in index.criteria:
        children = index.children(criterion.criterion_id)
        items = [c for c in children if not ANCHORED.search(c.criterion_id)]
        if not children:
            continue
        groups = _joint(index, criterion, items) if len(items) > 2 and _offers_choice(criterion, items) else ()
        groups = tuple((group[0], *_anchored_to(group, children), *group[1:]) for group in groups)
        answers.append(_answer(criterion.criterion_id, groups, _group_evidence(criteria, groups)))
    return answers


def _answer(
    criterion_id: str, groups: tuple[tuple[str, ...], ...], evidence: tuple[Span, ...]
) -> Answer[tuple[tuple[str, ...], ...]]:
    rule, confidence = ("joint items", 0.8) if groups else ("each item alone", 0.95)
    return Answer(criterion_id, groups, confidence, evidence, rule=rule)


def _anchored_to(group: Sequence[str], children: Sequence[CriterionView]) -> tuple[str, ...]:
    ids = [c.criterion_id for c in children]
    return tuple(i for i in ids if ANCHORED.search(i) and ANCHORED.sub("", i) in group)


def _offers_choice(criterion: CriterionView, children: Sequence[CriterionView]) -> bool:
    family = family_of(criterion, children)
    if one(family) is not None:
        return True
    said = any(decide(family) is not None for decide in (negated_choice, count, all_of))
    return not said and bool(joined_by_and([c.text for c in children]))


def _joint(
    index: CriterionIndex, criterion: CriterionView, children: Sequence[CriterionView]
) -> tuple[tuple[str, ...], ...]:
    """Return the groups of children that make sense only together."""
    linked = joined_by_and([c.text for c in children])
    runs: list[list[CriterionView]] = [[children[n] for n in run] for run in linked]
    chapeau = content_words(criterion.text)
    for child in children if not linked else ():
        alone = not runs or bool(index.children(child.criterion_id))
        joins = not alone and (_depends_on(child, runs[-1], chapeau) or _continues(child, runs[-1]))
        if joins:
            runs[-1].append(child)
        else:
            runs.append([child])
    joint = tuple(tuple(c.criterion_id for c in run) for run in runs if len(run) > 1)
    return joint if len(runs) > 1 else ()


def _continues(child: CriterionView, run: Sequence[CriterionView]) -> bool:
    """True for a further condition of a pathway that has been begun: "where the plant draws on …, …"."""
    return len(run) > 1 and _CASE.match(child.text) is not None and not _INSTEAD.search(child.text)


def _depends_on(child: CriterionView, run: Sequence[CriterionView], chapeau: set[str]) -> bool:
    if _INSTEAD.search(child.text):
        return False
    return (
        _LINK.match(child.text) is not None
        or _same_scope(child, run)
        or _names_member(child, run)
        or _takes_up(child, run)
        or _points_back(child, chapeau)
        or _discloses(child, run, chapeau)
        or _serves_run(child, run)
    )


def _same_scope(child: CriterionView, run: Sequence[CriterionView]) -> bool:
    own, first = _SCOPE.match(child.text), _SCOPE.match(run[-1].text)
    return own is not None and first is not None and own[0].lower() == first[0].lower()


def _names_member(child: CriterionView, run: Sequence[CriterionView]) -> bool:
    """True if "… referred to in point (a)" is the subject of the child or its opening."""
    named = [p.path for p in subject_points(child.text)] if _OF_WHAT.match(child.text) else []
    return any(c.criterion_id.endswith(path) for c in run for path in named)


def _points_back(child: CriterionView, chapeau: set[str]) -> bool:
    """True if the child begins with "that heat", "such losses", and the chapeau does not speak of them."""
    match = _POINTS_BACK.match(child.text)
    thing = (match[1] or match[2]) if match else ""
    return bool(thing) and not _LEGAL.match(thing) and not content_words(thing) & chapeau


def _discloses(child: CriterionView, run: Sequence[CriterionView], chapeau: set[str]) -> bool:
    """True if the child has a quantity of the run published or recorded."""
    match = _DISCLOSED.search(child.text)
    words = content_words(child.text[: match.start()]) - _DISCLOSURE - chapeau if match else set()
    return bool(words) and len(words & content_words(" ".join(c.text for c in run))) * 2 >= len(words)


def _takes_up(child: CriterionView, run: Sequence[CriterionView]) -> bool:
    """True if the child speaks of "those residues" and only the run has named residues."""
    earlier = content_words(" ".join(c.text for c in run))
    for match in _DEMONSTRATIVE.finditer(child.text):
        noun = content_words(match[1])
        if (
            noun
            and noun <= earlier
            and not _LEGAL.match(match[1])
            and not noun & content_words(child.text[: match.start()])
        ):
            return True
    return False


def _serves_run(child: CriterionView, run: Sequence[CriterionView]) -> bool:
    """True if the child says how the quantity of the run is calculated or who verifies it."""
    if _PRONOUN.match(child.text) and _PRONOUN.match(run[0].text):
        return False
    earlier = " ".join(c.text for c in run)
    text = child.text[:1].upper() + child.text[1:]
    if serves(text, earlier) is None:
        return False
    return about_earlier(text) or bool(content_words(text) & content_words(earlier))


def _group_evidence(criteria: Sequence[CriterionView], groups: Sequence[Sequence[str]]) -> tuple[Span, ...]:
    members = {member for group in groups for member in group}
    return tuple(
        (c.block, 0, len(c.text)) for c in criteria if c.criterion_id in members and c.block is not None and c.text
    )
