"""Zero to three tags of each criterion: what must the operator do for it?

Follows section 5 of the annotation guidelines with R6 to R8, D1, D3 to D9, C2 to C4 and C9, and appendix D.5 of
arXiv 2604.12054. Passes are tried in turn: what the criterion is in the tree, whether it is background, what type
its identifier names, whether it is a feature of a product, its own words, and what its chapeau hands down.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from regreact.answers import Answer, solver
from regreact.fastpath.classification.tag_model import Hit
from regreact.fastpath.classification.tag_rules import BACKGROUND_RULES
from regreact.fastpath.classification.tag_tree import TagNode, TagTree, types_of
from regreact.fastpath.wording import body_start
from regreact.identifiers import ANCHORED
from regreact.schema import TAG_ORDER, Span, Tag
from signatures.types import CriterionFacts, CriterionView, UnitHeader

_BELOW_ANCHOR = re.compile(r"\.(Verification|BackgroundInformation)(?:-\d+)?\(")
_MOST = 3

# Items worded as a study or a consultation of their own (D3), or as a replacement (C3).
_STUDY_ITEM = re.compile(
    r"\s*(?:an? |the )?(?:\w+ )?(?:assessment|analysis|consideration|consultation|evaluation|identification|screening"
    r"|includes an analysis)s?\b(?! (?:is|are|has|have|demonstrates?)\b)",
    re.IGNORECASE,
)
_REPLACEMENT_ITEM = re.compile(r"\s*replacement of\b", re.IGNORECASE)
# A clause of its own, not a noun phrase that goes on with the chapeau.
_CLAUSE = re.compile(
    r"^(?:(?!\bwhere\b|\bthat\b|\bwhich\b)[^;:]){3,120}\b(?:is|are|has|have|(?<!first )use|uses|does|do|equals?)\b"
)
# "is one of the following:": the chapeau of an item that adds no duty.
_INTRODUCTION = re.compile(
    r"^(?!.*\b(?:including|comprising|containing)(?: [\w-]+){0,3} following\b).*\bfollowing\b[^:]*:\s*$"
    r"|\b(?:is|are)(?: either)? ?:\s*$",
    re.IGNORECASE,
)
# What the activity is, or is for, earns no tag, whatever act names the things it makes (D5).
_WHAT_IT_IS = re.compile(
    r"the (?:economic )?activity (?:manufactures|researches|develops|generates|produces|stores|provides|consists"
    r"|is the)\b|(?:the (?:economic )?activity )?is (?:targeted|aimed|intended|dedicated)\b",
    re.IGNORECASE,
)

_SPECIFICATIONS = re.compile(r"\bfollowing (?:specifications|definitions) apply\b", re.IGNORECASE)
_TAKES_IN = re.compile(
    r"(?:an? |[‘'“\"])(?:(?!\b(?:is|are|has|have|which|that)\b)[^.;,])*\b(?:includes?|comprises?|covers?)\b",
    re.IGNORECASE,
)
_FEATURES_FOLLOW = re.compile(r"\bfollowing (?:capabilities|functions|functionalities|services)\b", re.IGNORECASE)
_STANDARD_RULES = frozenset({"under a standard", "under an act", "margin to a limit of others"})


@dataclass(frozen=True, slots=True)
class _Verdict:
    tags: frozenset[Tag]
    confidence: float
    rule: str
    hits: tuple[Hit, ...] = ()


def _by_place(node: TagNode, tree: TagTree) -> _Verdict | None:
    """ROOT, containers and headings group; a container of anchored paragraphs has their type (D1)."""
    if node.view.block is None:
        anchor = ANCHORED.search(node.view.criterion_id)
        return _Verdict(types_of(anchor[1]) if anchor else frozenset(), 0.99, "groups others")
    if node.view.heading or node.view.parent is None or not node.sentences or tree.is_title(node):
        return _Verdict(frozenset(), 0.98, "heading or title")
    return None


def _by_chain(node: TagNode, tree: TagTree) -> _Verdict | None:
    """What stands below a verification is done by the verifier, what stands below background is background."""
    match = _BELOW_ANCHOR.search(node.view.criterion_id)
    return _Verdict(types_of(match[1]), 0.95, "below an anchored list") if match else None


def _by_background(node: TagNode, tree: TagTree) -> _Verdict | None:
    """No test, nothing for the operator to do, or no effect on compliance (paper D.5, R4, R8)."""
    anchor = ANCHORED.search(node.view.criterion_id)
    if anchor:
        return _Verdict(types_of(anchor[1]), 0.96, "background by its place") if anchor[1] == "BackgroundInformation" else None
    first = node.sentences[0]
    for rule in BACKGROUND_RULES:
        if match := rule.pattern.search(node.view.text[first.main : first.end]):
            hit = Hit(rule, first.main + match.start(), first.main + match.end())
            return _Verdict(frozenset({rule.tag}), 0.85, "background", (hit,))
    return None


def _by_anchor(node: TagNode, tree: TagTree) -> _Verdict | None:
    """The type in the identifier, and what the words add; `Requirement` means that none of the tags applies."""
    anchor = ANCHORED.search(node.view.criterion_id)
    if anchor is None:
        return None
    if anchor[1] == "Requirement":
        return _Verdict(frozenset(), 0.85, "anchored requirement")
    # What is assessed or followed in a verification is the verifier's part (D24).
    added = frozenset[Tag]() if anchor[1] == "Verification" else node.own
    return _Verdict(types_of(anchor[1]) | added, 0.9, "type of its anchor", tuple(node.hits))


def _by_definition(node: TagNode, tree: TagTree) -> _Verdict | None:
    """Among specifications, an item that says what a term takes in is a definition (R19)."""
    parent = tree.parent(node)
    if parent is None or not _SPECIFICATIONS.search(parent.view.text):
        return None
    defines = _TAKES_IN.match(node.view.text, node.sentences[0].main)
    return _Verdict(types_of("BackgroundInformation"), 0.8, "definition among specifications") if defines else None


def _by_feature(node: TagNode, tree: TagTree) -> _Verdict | None:
    """What a product or service can do is no duty; a standard that the feature follows is one (D7, D6)."""
    parent = tree.parent(node)
    if parent is None or not _FEATURES_FOLLOW.search(parent.view.text) or tree.handed_down(parent):
        return None
    kept = tuple(h for h in node.hits if h.rule.name in _STANDARD_RULES)
    return _Verdict(frozenset(h.rule.tag for h in kept), 0.8, "feature", kept)


def _by_words(node: TagNode, tree: TagTree) -> _Verdict | None:
    """Own words, and what the chapeau hands down where they do not point elsewhere (R7, D3, C3, C4)."""
    parent = tree.parent(node)
    inherited = tree.handed_down(parent) if parent else frozenset()
    own = node.own
    used = tuple(h for h in node.hits if not h.rule.weak)
    if not inherited:
        weak = tuple(h for h in node.hits if h.rule.weak)
        what_it_is = _WHAT_IT_IS.match(node.view.text, node.sentences[0].main)
        if not own and weak and not what_it_is and not tree.is_chapeau(node):
            return _Verdict(frozenset(h.rule.tag for h in weak), 0.8, "weak words", weak)
        if not own and not what_it_is and not tree.is_chapeau(node) and tree.rests_on_reference(node):
            return _Verdict(frozenset({"Methodology"}), 0.6, "rests on a reference")
        return _Verdict(own, 0.86, "own words", used) if own else _Verdict(own, 0.92, "no words", used)
    return _Verdict(_combine(node, tree, own, inherited), 0.88, "tags of its chapeau", used)


def _combine(node: TagNode, tree: TagTree, own: frozenset[Tag], inherited: frozenset[Tag]) -> frozenset[Tag]:
    start = body_start(node.view.text)
    if _STUDY_ITEM.match(node.view.text, start):
        return frozenset[Tag](["Assessment", *(t for t in own & inherited if t == "Methodology")])
    if _REPLACEMENT_ITEM.match(node.view.text, start):
        return frozenset({"Replacement"})
    if tree.is_chapeau(node) and not own and _introduces(node, start):
        return frozenset()
    if not own and tree.has_number(node) and _CLAUSE.match(node.view.text[start:]):
        return frozenset()
    if own & {"Verification"} and not own & inherited:
        return own
    return own | inherited


def _introduces(node: TagNode, start: int) -> bool:
    """True if a chapeau only opens its list: nothing besides the situation, or "is one of the following:"."""
    return not node.words[start:].strip(" :;,") or bool(_INTRODUCTION.search(node.view.text))


Pass = Callable[[TagNode, TagTree], "_Verdict | None"]
PASSES: tuple[Pass, ...] = (_by_place, _by_chain, _by_background, _by_definition, _by_anchor, _by_feature, _by_words)


@solver("AssignTags")
def assign_tags(
    *,
    unit: UnitHeader,
    criteria: Sequence[CriterionView],
    facts: Sequence[CriterionFacts],
    guidance: str = "",
) -> list[Answer[tuple[Tag, ...]]]:
    """Return the tags of every criterion, in the order of `TAG_ORDER`; none is an answer too.

    Args:
        unit: Not used.
        criteria: The tree, flat.
        facts: Thresholds found before: an item that only states a limit takes over no tag.
        guidance: Not used: the rules do not change between attempts.
    """
    tree = TagTree(criteria, facts)
    return [_answer(tree.nodes[c.criterion_id], tree) for c in criteria]


def _at_most(verdict: _Verdict, criterion_id: str) -> tuple[Tag, ...]:
    """Return the tags in order; of more than three, the type in the identifier and the surest stay."""
    anchor = ANCHORED.search(criterion_id)
    sure = {
        tag: max((h.rule.confidence for h in verdict.hits if h.rule.tag == tag), default=0.5) for tag in verdict.tags
    }
    ordered = [t for t in TAG_ORDER if t in verdict.tags]
    best = sorted(ordered, key=lambda t: (anchor is None or t != anchor[1], -sure[t]))[:_MOST]
    return tuple(t for t in TAG_ORDER if t in best)


def _answer(node: TagNode, tree: TagTree) -> Answer[tuple[Tag, ...]]:
    verdict = next(v for v in (step(node, tree) for step in PASSES) if v is not None)
    tags = _at_most(verdict, node.view.criterion_id)
    evidence: tuple[Span, ...] = ()
    if node.view.block is not None:
        evidence = tuple((node.view.block, h.start, h.end) for h in verdict.hits if h.rule.tag in tags)
    names = dict.fromkeys([verdict.rule, *(h.rule.name for h in verdict.hits if h.rule.tag in tags)])
    return Answer(node.view.criterion_id, tags, verdict.confidence, evidence, rule=" + ".join(names))
