"""Criteria with their masked words, and what a chapeau hands down to its items.

Follows section 5 of the annotation guidelines with R7, D3, D4, D6 and C3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from regreact.fastpath.classification.cases import CaseTable
from regreact.fastpath.classification.tag_masks import masked
from regreact.fastpath.classification.tag_model import Hit, hits
from regreact.fastpath.classification.tag_rules import TAG_RULES
from regreact.fastpath.tree import CriterionIndex
from regreact.fastpath.wording import Sentence, body_start, has_verb, read_sentences
from regreact.identifiers import ANCHORED
from regreact.remember import remembered
from regreact.schema import TAG_ORDER, Tag
from signatures.types import CriterionFacts, CriterionView

# As many characters of a citation are looked for in the text; its end may be written out or split off.
_REFERENCE_HEAD = 20
# The chapeau speaks of a plan, or of how something is calculated: its items are content of the plan, or method.
_PLAN_SUBJECT = re.compile(r"\b(?:plan|programme|agreement|instrument|strategy|contract)s?\s*:\s*$", re.IGNORECASE)
_METHOD_SUBJECT = re.compile(r"(?:the )?(?:calculation|computation|measurement)\b", re.IGNORECASE)
_EXCEPTION = re.compile(r"\bunless\b[^.;]*", re.IGNORECASE)
_ASIDE = re.compile(r", including [^,:;]*(?=[,:;])", re.IGNORECASE)
# What follows is named as rules made by others.
_STANDARDS_BELOW = re.compile(
    r"\bfollowing (?:rules|standards|acts|legislation|regulations|guidelines)\s*:\s*$", re.IGNORECASE
)
_TITLE_WORDS = 8
_LAST_PART = re.compile(r"\band with the\b|;")


@remembered
def _hits(words: str, start: int) -> tuple[Hit, ...]:
    return tuple(hits(words, TAG_RULES, start))


class TagNode:
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
        return list(_hits(words, body_start(self.view.text)))

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
        return [h for h in _hits(self.main_words, start) if not h.rule.weak]


class TagTree:
    """All criteria of a unit, and what earlier stages found."""

    def __init__(self, criteria: Sequence[CriterionView], facts: Iterable[CriterionFacts]) -> None:
        self.index = CriterionIndex(criteria)
        cases = CaseTable(self.index)
        self.nodes = {c.criterion_id: TagNode(c, cases.span(c.criterion_id)) for c in criteria}
        self.facts = {f.criterion_id: f for f in facts}

    def parent(self, node: TagNode) -> TagNode | None:
        parent = self.index.parent(node.view.criterion_id)
        return self.nodes[parent.criterion_id] if parent else None

    def is_chapeau(self, node: TagNode) -> bool:
        return bool(self.index.children(node.view.criterion_id))

    def is_title(self, node: TagNode) -> bool:
        """True for a few words without a verb above other criteria: a heading that the markup does not show."""
        if ANCHORED.search(node.view.criterion_id):
            return False
        text = node.view.text[body_start(node.view.text) :]
        few = len(text.split()) <= _TITLE_WORDS and not has_verb(text) and not text.rstrip().endswith((";", ","))
        return few and text[:1].isupper() and self.is_chapeau(node)

    def handed_down(self, node: TagNode) -> frozenset[Tag]:
        """Tags that the items of a chapeau take over (R7, D3, D4, C3)."""
        parent = self.parent(node)
        if node.view.heading or parent is None:
            return frozenset()
        found = next((tags for step in HANDING_DOWN if (tags := step(node)) is not None), None)
        return self.handed_down(parent) if found is None else found

    def rests_on_reference(self, node: TagNode) -> bool:
        """True if compliance needs a cited document that the criterion's own duty, not its situation, names (D6)."""
        fact = self.facts.get(node.view.criterion_id)
        sources = fact.references.sources if fact and fact.references else ()
        return any(s.type == "must_be_fetched" and s.text[:_REFERENCE_HEAD] in node.words for s in sources)

    def has_number(self, node: TagNode) -> bool:
        fact = self.facts.get(node.view.criterion_id)
        return bool(fact and fact.threshold and fact.threshold.quantitative)


def types_of(name: str) -> frozenset[Tag]:
    return frozenset(tag for tag in TAG_ORDER if tag == name)


def _standards_follow(node: TagNode) -> frozenset[Tag] | None:
    """What is listed is named as rules made by others."""
    return frozenset({"Methodology"}) if _STANDARDS_BELOW.search(node.view.text) else None


def _type_of_anchored(node: TagNode) -> frozenset[Tag] | None:
    """The items of an anchored paragraph have its type."""
    anchor = ANCHORED.search(node.view.criterion_id)
    return types_of(anchor[1]) if anchor else None


def _introduced(node: TagNode) -> frozenset[Tag] | None:
    """The tags that the words which introduce the list earn."""
    return frozenset(h.rule.tag for h in node.introducing) or None


def _contents_of_plan(node: TagNode) -> frozenset[Tag] | None:
    return frozenset({"Commitment"}) if _PLAN_SUBJECT.search(node.view.text) else None


def _parts_of_method(node: TagNode) -> frozenset[Tag] | None:
    calculates = node.sentences and _METHOD_SUBJECT.match(node.view.text, node.sentences[0].main)
    return frozenset({"Methodology"}) if calculates else None


def _duty_elsewhere(node: TagNode) -> frozenset[Tag] | None:
    """The tagged duty stands in another sentence than the one that introduces the list."""
    return frozenset() if any(not h.rule.weak for h in _hits(node.main_words, 0)) else None


HANDING_DOWN: tuple[Callable[[TagNode], frozenset[Tag] | None], ...] = (
    _standards_follow,
    _type_of_anchored,
    _introduced,
    _contents_of_plan,
    _parts_of_method,
    _duty_elsewhere,
)
"""What a chapeau hands down, asked in this order; where none speaks, what it has been handed itself."""
