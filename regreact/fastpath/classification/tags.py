"""Zero to three tags of each criterion: what must the operator do for it?

Follows section 5 of the annotation guidelines with R6 to R8, D1, D3 to D9, C2 to C4 and C9, and appendix D.5 of
arXiv 2604.12054. Five passes are tried in turn: what the criterion is in the tree, whether it is background, what
type its identifier names, its own words, and what its chapeau hands down.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from regreact.answers import Answer, solver
from regreact.fastpath.classification.cases import CaseTable
from regreact.fastpath.classification.tag_rules import BACKGROUND_RULES, Hit, hits, masked
from regreact.fastpath.tree import CriterionIndex
from regreact.fastpath.wording import Sentence, body_start, has_verb, read_sentences
from regreact.schema import TAG_ORDER, Span, Tag
from signatures.types import CriterionFacts, CriterionView, UnitHeader

_ANCHOR = re.compile(r"\.([A-Z][A-Za-z]+)(?:-\d+)?$")
_BELOW_ANCHOR = re.compile(r"\.(Verification|BackgroundInformation)(?:-\d+)?\(")
_MOST = 3
# As many characters of a citation are looked for in the text; its end may be written out or split off.
_REFERENCE_HEAD = 20

# Items worded as a study or a consultation of their own (D3), or as a replacement (C3).
_STUDY_ITEM = re.compile(
    r"\s*(?:an? |the )?(?:\w+ )?(?:assessment|analysis|consideration|consultation|evaluation|identification|screening|includes an analysis)s?\b(?! (?:is|are|has|have|demonstrates?)\b)",
    re.IGNORECASE,
)
_REPLACEMENT_ITEM = re.compile(r"\s*replacement of\b", re.IGNORECASE)
# A clause of its own, not a noun phrase that goes on with the chapeau.
_CLAUSE = re.compile(r"^(?:(?!\bwhere\b|\bthat\b|\bwhich\b)[^;:]){3,120}\b(?:is|are|has|have|(?<!first )use|uses|does|do|equals?)\b")
# The chapeau speaks of a plan, or of how something is calculated: its items are content of the plan, or method.
_PLAN_SUBJECT = re.compile(r"\b(?:plan|programme|agreement|instrument|strategy|contract)s?\s*:\s*$", re.IGNORECASE)
_METHOD_SUBJECT = re.compile(r"(?:the )?(?:calculation|computation|measurement)\b", re.IGNORECASE)
# "is one of the following:": the chapeau of an item that adds no duty.
_INTRODUCTION = re.compile(r"\bfollowing\b[^:]*:\s*$|\b(?:is|are)(?: either)? ?:\s*$", re.IGNORECASE)
_EXCEPTION = re.compile(r"\bunless\b[^.;]*", re.IGNORECASE)
_ASIDE = re.compile(r", including [^,:;]*(?=[,:;])", re.IGNORECASE)
# What follows is named as rules made by others.
_STANDARDS_BELOW = re.compile(r"\bfollowing (?:rules|standards|acts|legislation|regulations|guidelines)\s*:\s*$", re.IGNORECASE)
_TITLE_WORDS = 8
# What the activity is earns no tag, whatever act names the things it makes (D5).
_WHAT_IT_IS = re.compile(
    r"the (?:economic )?activity (?:manufactures|researches|develops|generates|produces|stores|provides|consists|is the)\b",
    re.IGNORECASE,
)
_LAST_PART = re.compile(r"\band with the\b|;")


@dataclass(frozen=True, slots=True)
class _Verdict:
    tags: frozenset[Tag]
    confidence: float
    hits: tuple[Hit, ...] = ()


class _Node:
    """A criterion with its masked words and the rules that match them."""

    def __init__(self, view: CriterionView, case: tuple[int, int] | None) -> None:
        self.view = view
        self._case = case

    @cached_property
    def words(self) -> str:
        """The text with what says nothing about tags blanked, the class that a case names included."""
        words = masked(self.view.text)
        if self._case is None or self._case[0] <= body_start(words):
            return words
        start = self._case[0]
        stop = min((i for i in range(start, len(words)) if words[i] in ".;"), default=len(words))
        return words[:start] + " " * (stop - start) + words[stop:]

    @cached_property
    def sentences(self) -> list[Sentence]:
        return read_sentences(self.view.text)

    @cached_property
    def hits(self) -> list[Hit]:
        words = _EXCEPTION.sub(lambda m: " " * len(m[0]), self.words)
        return hits(words, start=body_start(self.view.text))

    @cached_property
    def own(self) -> frozenset[Tag]:
        """Tags of its own words."""
        return frozenset(h.rule.tag for h in self.hits if not h.rule.weak)

    @cached_property
    def main_words(self) -> str:
        """The masked text without "including" asides."""
        return _ASIDE.sub(lambda m: " " * len(m[0]), self.words)

    @cached_property
    def introducing(self) -> list[Hit]:
        """The hits in the words that introduce a list below: the last part of the last sentence."""
        if not self.sentences:
            return []
        start = self.sentences[-1].start
        for match in _LAST_PART.finditer(self.view.text, start):
            start = match.start()
        return [h for h in hits(self.main_words, start=start) if not h.rule.weak]


class _Tree:
    """All criteria of a unit, and what earlier stages found."""

    def __init__(self, criteria: Sequence[CriterionView], facts: Iterable[CriterionFacts]) -> None:
        self.index = CriterionIndex(criteria)
        cases = CaseTable(self.index)
        self.nodes = {c.criterion_id: _Node(c, cases.span(c.criterion_id)) for c in criteria}
        self.facts = {f.criterion_id: f for f in facts}

    def parent(self, node: _Node) -> _Node | None:
        parent = self.index.parent(node.view.criterion_id)
        return self.nodes[parent.criterion_id] if parent else None

    def is_chapeau(self, node: _Node) -> bool:
        return bool(self.index.children(node.view.criterion_id))

    def is_title(self, node: _Node) -> bool:
        """True for a few words without a verb above other criteria: a heading that the markup does not show."""
        if _ANCHOR.search(node.view.criterion_id):
            return False
        text = node.view.text[body_start(node.view.text) :]
        few = len(text.split()) <= _TITLE_WORDS and not has_verb(text) and not text.rstrip().endswith((";", ","))
        return few and text[:1].isupper() and self.is_chapeau(node)

    def handed_down(self, node: _Node) -> frozenset[Tag]:
        """Tags that the items of a chapeau take over (R7, D3, D4, C3)."""
        parent = self.parent(node)
        if node.view.heading or parent is None:
            return frozenset()
        if _STANDARDS_BELOW.search(node.view.text):
            return frozenset({"Methodology"})
        if anchor := _ANCHOR.search(node.view.criterion_id):
            return _types(anchor[1])
        tags = frozenset(h.rule.tag for h in node.introducing)
        if tags:
            return tags
        if _PLAN_SUBJECT.search(node.view.text):
            return frozenset({"Commitment"})
        if node.sentences and _METHOD_SUBJECT.match(node.view.text, node.sentences[0].main):
            return frozenset({"Methodology"})
        if any(not h.rule.weak for h in hits(node.main_words)):
            # The tagged duty stands in another sentence than the one that introduces the list.
            return frozenset()
        return self.handed_down(parent)

    def rests_on_reference(self, node: _Node) -> bool:
        """True if compliance needs a cited document that the criterion's own duty, not its situation, names (D6)."""
        fact = self.facts.get(node.view.criterion_id)
        sources = fact.references.sources if fact and fact.references else ()
        return any(s.type == "must_be_fetched" and s.text[:_REFERENCE_HEAD] in node.words for s in sources)

    def has_number(self, node: _Node) -> bool:
        fact = self.facts.get(node.view.criterion_id)
        return bool(fact and fact.threshold and fact.threshold.quantitative)


def _types(name: str) -> frozenset[Tag]:
    return frozenset(tag for tag in TAG_ORDER if tag == name)


def _by_place(node: _Node, tree: _Tree) -> _Verdict | None:
    """ROOT, containers and headings group; a container of anchored paragraphs has their type (D1)."""
    if node.view.block is None:
        anchor = _ANCHOR.search(node.view.criterion_id)
        return _Verdict(_types(anchor[1]) if anchor else frozenset(), 0.97)
    if node.view.heading or node.view.parent is None or not node.sentences or tree.is_title(node):
        return _Verdict(frozenset(), 0.97)
    return None


def _by_chain(node: _Node, tree: _Tree) -> _Verdict | None:
    """What stands below a verification is done by the verifier, what stands below background is background."""
    match = _BELOW_ANCHOR.search(node.view.criterion_id)
    return _Verdict(_types(match[1]), 0.93) if match else None


def _by_background(node: _Node, tree: _Tree) -> _Verdict | None:
    """No test, nothing for the operator to do, or no effect on compliance (paper D.5, R4, R8)."""
    anchor = _ANCHOR.search(node.view.criterion_id)
    if anchor:
        return _Verdict(_types(anchor[1]), 0.95) if anchor[1] == "BackgroundInformation" else None
    first = node.sentences[0]
    for rule in BACKGROUND_RULES:
        if match := rule.pattern.search(node.view.text[first.main : first.end]):
            hit = Hit(rule, first.main + match.start(), first.main + match.end())
            return _Verdict(frozenset({rule.tag}), 0.88, (hit,))
    return None


def _by_anchor(node: _Node, tree: _Tree) -> _Verdict | None:
    """The type in the identifier, and what the words add; `Requirement` means that none of the tags applies."""
    anchor = _ANCHOR.search(node.view.criterion_id)
    if anchor is None:
        return None
    if anchor[1] == "Requirement":
        return _Verdict(frozenset(), 0.9)
    # What is assessed or followed in a verification is the verifier's part (D24).
    added = frozenset[Tag]() if anchor[1] == "Verification" else node.own
    return _Verdict(_types(anchor[1]) | added, 0.88, tuple(node.hits))


def _by_words(node: _Node, tree: _Tree) -> _Verdict | None:
    """Own words, and what the chapeau hands down where they do not point elsewhere (R7, D3, C3, C4)."""
    parent = tree.parent(node)
    inherited = tree.handed_down(parent) if parent else frozenset()
    own = node.own
    used = tuple(h for h in node.hits if not h.rule.weak)
    if not inherited:
        weak = tuple(h for h in node.hits if h.rule.weak)
        what_it_is = _WHAT_IT_IS.match(node.view.text, node.sentences[0].main)
        if not own and weak and not what_it_is and not tree.is_chapeau(node):
            return _Verdict(frozenset(h.rule.tag for h in weak), 0.75, weak)
        if not own and not what_it_is and not tree.is_chapeau(node) and tree.rests_on_reference(node):
            return _Verdict(frozenset({"Methodology"}), 0.65)
        return _Verdict(own, 0.9 if len(own) < 2 else 0.7, used)
    return _Verdict(_combine(node, tree, own, inherited), 0.85, used)


def _combine(node: _Node, tree: _Tree, own: frozenset[Tag], inherited: frozenset[Tag]) -> frozenset[Tag]:
    start = body_start(node.view.text)
    if _STUDY_ITEM.match(node.view.text, start):
        return frozenset({"Assessment"}) | (own & inherited & {"Methodology"})
    if _REPLACEMENT_ITEM.match(node.view.text, start):
        return frozenset({"Replacement"})
    if tree.is_chapeau(node) and not own and _introduces(node, start):
        return frozenset()
    if not own and tree.has_number(node) and _CLAUSE.match(node.view.text[start:]):
        return frozenset()
    if own & {"Verification"} and not own & inherited:
        return own
    return own | inherited


def _introduces(node: _Node, start: int) -> bool:
    """True if a chapeau only opens its list: nothing besides the situation, or "is one of the following:"."""
    return not node.words[start:].strip(" :;,") or bool(_INTRODUCTION.search(node.view.text))


Pass = Callable[[_Node, _Tree], "_Verdict | None"]
PASSES: tuple[Pass, ...] = (_by_place, _by_chain, _by_background, _by_anchor, _by_words)


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
    tree = _Tree(criteria, facts)
    return [_answer(tree.nodes[c.criterion_id], tree) for c in criteria]


def _at_most(verdict: _Verdict, criterion_id: str) -> tuple[Tag, ...]:
    """Return the tags in order; of more than three, the type in the identifier and the surest stay."""
    anchor = _ANCHOR.search(criterion_id)
    sure = {tag: max((h.rule.confidence for h in verdict.hits if h.rule.tag == tag), default=0.5) for tag in verdict.tags}
    best = sorted(verdict.tags, key=lambda t: (anchor is not None and t == anchor[1], sure[t]), reverse=True)[:_MOST]
    return tuple(t for t in TAG_ORDER if t in best)


def _answer(node: _Node, tree: _Tree) -> Answer[tuple[Tag, ...]]:
    verdict = next(v for v in (step(node, tree) for step in PASSES) if v is not None)
    tags = _at_most(verdict, node.view.criterion_id)
    evidence: tuple[Span, ...] = ()
    if node.view.block is not None:
        evidence = tuple((node.view.block, h.start, h.end) for h in verdict.hits if h.rule.tag in tags)
    return Answer(node.view.criterion_id, tags, verdict.confidence, evidence)
