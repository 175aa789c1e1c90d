"""Cited points of the section that do not exist or are plainly another one.

Follows guidelines section 8 and appendices D.7 (a point that exists, but cannot be meant) and D.8 (a point that does
not exist) of arXiv 2604.12054: Roman numerals and letters of the same position stand for each other, what the
citing sentence is about decides between candidates, and neither the citing criterion nor its ancestors are meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from regreact.answers import Answer, solver
from regreact.fastpath.cues import sentences
from regreact.fastpath.dependencies.points import (
    Cited,
    NounPhrase,
    PointReader,
    head_of,
    inner_thing,
    label_of,
    position,
    thing_named,
    words_before,
)
from regreact.fastpath.dependencies.topics import TopicIndex, content_words
from regreact.fastpath.tree import CriterionIndex
from regreact.fastpath.wording import body_start
from regreact.identifiers import anchor_above, anchor_type
from signatures.types import CorrectionValue, CriterionView, ThresholdEntry, UnitHeader

# Words that speak of several criteria below the cited point, or of an assessment of all of them.
_WHOLE = re.compile(
    r"\b(?:criteria|requirements|conditions|compliance|assessment|verification|check|pathway)\b", re.IGNORECASE
)
_POSITION_BONUS = 1.5
_THRESHOLD_BONUS = 0.5
_FAMILY_BONUS = 0.5
_FAR = -0.5
_LEAST_SCORE = 1.4
# The words fit one criterion clearly better than another.
_CLEAR = 0.5
_ROOT = 4
_LIMIT_WORDS = "limits values levels thresholds ceilings maximum minimum margins rates"
_LIMIT = re.compile("|".join(rf"{w[:-1] if w.endswith('s') else w}s?" for w in _LIMIT_WORDS.split()), re.IGNORECASE)
# Words that many limits share; alone they do not tell one from another.
_VAGUE = content_words("emission emissions consumption energy share average annual total maximum limit content performance")
_ABSTRACT = re.compile(
    r"(?:obligations?|dut(?:y|ies)|measures?|options?|alternatives?|routes?|rules?|provisions?|actions?|information"
    r"|activit(?:y|ies)|solutions?|methods?|works?|periods?|dates?|elements?|purposes?|cases?|contexts?|scope|compliance"
    r"|applications?|meaning|fulfilment|implementation)",
    re.IGNORECASE,
)
# Nouns for some quantity of a thing: the thing tells which criterion is meant.
_QUANTITY = re.compile(
    r"quantit(?:y|ies)|amounts?|volumes?|shares?|proportions?|percentages?|figures?|data|numbers?|totals?|loads?|contents?"
    r"|concentrations?|doses?|masses|readings?|measurements?|results?",
    re.IGNORECASE,
)
# What is found out or written in another thing: "findings of the survey", "content of the plan"
_ABOUT_ANOTHER = re.compile(
    r"(?:\w+ )*(?:findings?|results?|outcomes?|conclusions?|contents?|copy|copies|parts?|summary|summaries|terms|version"
    r"|update|revision|implementation|preparation|execution|performance|scope|period|duration|quality|condition|use)",
    re.IGNORECASE,
)
_CONDITIONS = re.compile(
    r"\b(?:(both|two|three|four|five)(?: of)?(?: the)? )?(?:\w+ )?(?:conditions|criteria|requirements|points|limbs|values|limits)$",
    re.IGNORECASE,
)
_COUNTS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5}
_ARTICLE = re.compile(r"(?:an?|the|each|every|all)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Candidate:
    criterion_id: str
    score: float


class _Corrector:
    def __init__(self, criteria: Sequence[CriterionView], thresholds: Iterable[ThresholdEntry]) -> None:
        self.index = CriterionIndex(criteria)
        self.reader = PointReader(self.index)
        self.metrics = {t.criterion_id: _metrics(t) for t in thresholds}
        self.topics = TopicIndex(c.text for c in criteria)

    def corrections(self, view: CriterionView) -> list[tuple[Cited, str, float]]:
        """Return the wrong citations of one criterion with what is meant and how sure that is."""
        found: dict[str, tuple[Cited, str, float]] = {}
        for cited in self.reader.cited(view):
            if cited.target:
                meant = self._misfit(view, cited) or self._other_thing(view, cited)
            else:
                meant = self._missing(view, cited)
                if meant is None or not self._holds_thing(meant[0], view, cited):
                    meant = self._other_thing(view, cited) or self._only_list(view, cited) or meant
            if meant is not None and meant[0] != cited.path:
                found.setdefault(cited.path, (cited, *meant))
        return list(found.values())

    def _misfit(self, view: CriterionView, cited: Cited) -> tuple[str, float] | None:
        """D.7: a paragraph on one of several siblings cites another one that cannot be meant.

        Either it speaks of "the criteria" of a point that has none below it, while its anchor has, or the words
        before the point fit its anchor and not the point.
        """
        anchor = anchor_above(view.criterion_id)
        if anchor is None or anchor not in self.index.by_id or cited.target in (anchor, None):
            return None
        assert cited.target is not None
        if self._group(anchor) != self._group(cited.target) or self._cites(view, anchor):
            return None
        holds = self.index.children(anchor) and not self.index.children(cited.target)
        if holds and _WHOLE.search(self._sentence(view, cited)):
            return anchor, 0.85
        words = words_before(view.text, cited)
        fits, printed = (self.topics.overlap(words, self._about(self.index.by_id[i])) for i in (anchor, cited.target))
        return (anchor, 0.8) if fits - printed > _CLEAR else None

    def _other_thing(self, view: CriterionView, cited: Cited) -> tuple[str, float] | None:
        """D.7: the thing that a point is said to lay down stands in another criterion only.

        For a point that exists, in one beside it; for one that does not, anywhere in the section.
        """
        thing = thing_named(view.text, cited.point.start)
        if thing is None or (cited.target is None and cited.point.relative):
            return None
        found = self._criterion_of(view, cited, thing)
        inner = inner_thing(thing)
        if found is None and inner and (cited.target is None or _ABOUT_ANOTHER.fullmatch(thing.head)):
            found = self._criterion_of(view, cited, inner)
        return found

    def _criterion_of(self, view: CriterionView, cited: Cited, thing: NounPhrase) -> tuple[str, float] | None:
        """Return the one criterion that speaks of a thing, None if the cited one does or if several do equally."""
        related = (*self.index.ancestors(view.criterion_id), *self.index.descendants(view.criterion_id))
        kin = {view.criterion_id, *(c.criterion_id for c in related)}
        if cited.target is not None and (cited.target in kin or self._speaks_of(cited.target, thing)):
            return None
        fits = []
        for other in self.index.siblings(cited.target) if cited.target else self.index.criteria:
            if other.block is not None and other.criterion_id not in kin and not anchor_above(other.criterion_id):
                fits.append((self._fit(other, thing), other.criterion_id))
        fits.sort(reverse=True)
        if not fits or fits[0][0] == 0 or (len(fits) > 1 and fits[0][0] == fits[1][0]):
            return None
        return fits[0][1], 0.8

    def _holds_thing(self, criterion_id: str, view: CriterionView, cited: Cited) -> bool:
        """True if a criterion speaks of what the citing one says of the point, or that says nothing of its own."""
        thing = thing_named(view.text, cited.point.start)
        return thing is None or self._speaks_of(criterion_id, thing)

    def _only_list(self, view: CriterionView, cited: Cited) -> tuple[str, float] | None:
        """D.8: "the two conditions in point 1(c)" means the only sibling of that place that has as many below it."""
        before = re.sub(r"\s+(?:in|under|of)\s*$", "", words_before(view.text, cited))
        conditions = _CONDITIONS.search(before)
        label = label_of(cited.path)
        stem = cited.path.removesuffix(f"({label})")
        if conditions is None or not label or stem not in self.index.by_id:
            return None
        count = _COUNTS.get((conditions[1] or "").lower())
        lists = [
            (c.criterion_id, len(below))
            for c in self.index.children(stem)
            if not anchor_above(c.criterion_id) and (below := self._items(c.criterion_id))
        ]
        fit = [i for i, below in lists if count in (None, below)]
        return (fit[0], 0.85) if len(fit) == 1 else None

    def _items(self, criterion_id: str) -> list[CriterionView]:
        return [c for c in self.index.children(criterion_id) if anchor_type(c.criterion_id) is None]

    def _speaks_of(self, criterion_id: str, thing: NounPhrase) -> bool:
        """True if a criterion holds a word of the thing, or one of the same root ("planned" beside "plan")."""
        about = content_words(self._about(self.index.by_id[criterion_id]))
        wanted = content_words(thing.words)
        return any(a.startswith(b[:_ROOT]) or b.startswith(a[:_ROOT]) for a in about for b in wanted)

    def _fit(self, other: CriterionView, thing: NounPhrase) -> int:
        """Return how many words of a thing a criterion holds, 0 if the thing is not what it speaks of."""
        shared = content_words(thing.words) & content_words(f"{other.text} {self.metrics.get(other.criterion_id, '')}")
        heads = thing.head.split()
        if heads and _LIMIT.fullmatch(heads[-1]):
            shared -= content_words(_LIMIT_WORDS)
            return len(shared) if other.criterion_id in self.metrics and shared - _VAGUE else 0
        if heads and _QUANTITY.fullmatch(heads[-1]):
            shared -= content_words(heads[-1])
            return len(shared) if other.criterion_id in self.metrics and shared - _VAGUE else 0
        if not heads or _ABSTRACT.fullmatch(heads[-1]) or not content_words(heads[-1]) & shared:
            return 0
        if len(shared) > 1:
            return len(shared)
        opening = head_of(_ARTICLE.sub("", other.text[body_start(other.text) :])).split()
        alone = len(content_words(thing.words)) == 1
        return int(alone and bool(opening) and content_words(opening[-1]) == content_words(heads[-1]))

    def _cites(self, view: CriterionView, criterion_id: str) -> bool:
        return any(c.target == criterion_id for c in self.reader.cited(view))

    def _group(self, criterion_id: str) -> str | None:
        """The parent of a criterion, inferred containers passed over."""
        node = self.index.by_id[criterion_id]
        parent = self.index.parent(criterion_id)
        while parent is not None and parent.block is None and parent.parent is not None:
            parent = self.index.parent(parent.criterion_id)
        return parent.criterion_id if parent else node.parent

    def _missing(self, view: CriterionView, cited: Cited) -> tuple[str, float] | None:
        """D.8: the best criterion for a point that the section does not have."""
        if cited.point.relative and cited.path.startswith("("):
            return None
        ranked = sorted(self._candidates(view, cited), key=lambda c: c.score, reverse=True)
        if not ranked or ranked[0].score < _LEAST_SCORE:
            return None
        if len(ranked) > 1 and ranked[0].score - ranked[1].score < 0.1:
            return None
        return ranked[0].criterion_id, min(0.9, 0.6 + 0.1 * ranked[0].score)

    def _candidates(self, view: CriterionView, cited: Cited) -> Iterator[_Candidate]:
        label = label_of(cited.path)
        stem = cited.path.removesuffix(f"({label})")
        if not label:
            return
        excluded = {view.criterion_id, *(a.criterion_id for a in self.index.ancestors(view.criterion_id))}
        excluded |= {d.criterion_id for d in self.index.descendants(view.criterion_id)}
        sentence = self._sentence(view, cited)
        for parent, bonus in self._stems(view, stem):
            children = [
                c for c in self.index.children(parent) if label_of(c.criterion_id) and not anchor_above(c.criterion_id)
            ]
            for place, child in enumerate(children):
                if child.criterion_id in excluded:
                    continue
                score = bonus + self.topics.overlap(sentence, self._about(child))
                score += _POSITION_BONUS if place in position(label) else 0.0
                score += _THRESHOLD_BONUS if child.criterion_id in self.metrics else 0.0
                yield _Candidate(child.criterion_id, score)

    def _stems(self, view: CriterionView, stem: str) -> Iterator[tuple[str, float]]:
        """Yield the criteria below which the point may be meant: the cited one, else the anchor or its siblings."""
        if stem in self.index.by_id and self.index.children(stem):
            yield stem, _FAMILY_BONUS
            return
        anchor = anchor_above(view.criterion_id)
        if anchor in self.index.by_id and anchor is not None and _number(anchor) == _number(stem):
            node = self.index.by_id[anchor]
            yield anchor if self.index.children(anchor) else node.parent or anchor, _FAMILY_BONUS
            return
        holder = stem.removesuffix(f"({label_of(stem)})")
        if stem not in self.index.by_id and label_of(stem) and holder in self.index.by_id:
            # "1(c)(i)", where only 1(b) of the list has items
            lists = [c.criterion_id for c in self.index.children(holder) if self._items(c.criterion_id)]
            lists = [i for i in lists if not anchor_above(i)]
            yield from ((i, _FAMILY_BONUS if len(lists) == 1 else 0.0) for i in lists)
            if lists:
                return
        if stem not in self.index.by_id:
            yield from ((c.criterion_id, _FAR) for c in self.index.criteria if self.index.children(c.criterion_id))
        if stem in self.index.by_id:
            lists = [
                s.criterion_id
                for s in self.index.siblings(stem)
                if self.index.children(s.criterion_id) and not anchor_above(s.criterion_id)
            ]
            # "1(a)(ii)" of a list whose lower level has been lifted to the upper one means its second item.
            flattened = [self.index.by_id[stem].parent or ""] if label_of(stem) else []
            yield from ((parent, 0.0) for parent in lists or flattened)

    def _about(self, view: CriterionView) -> str:
        """The words of a criterion, of its limits and of what stands below it."""
        below = " ".join(d.text for d in self.index.descendants(view.criterion_id))
        return f"{view.text} {self.metrics.get(view.criterion_id, '')} {below}"

    def _sentence(self, view: CriterionView, cited: Cited) -> str:
        for start, end in sentences(view.text):
            if start <= cited.point.start < end:
                return view.text[start:end]
        return view.text


def _metrics(entry: ThresholdEntry) -> str:
    quantitative = entry.threshold.quantitative
    return " ".join(i.metric for i in quantitative.items) if quantitative else ""


def _number(criterion_id: str) -> str:
    """The number of the criterion at the top of a path."""
    return re.split(r"[.(]", criterion_id, maxsplit=1)[0]


@solver("CorrectCrossReferences")
def correct_cross_references(
    *,
    unit: UnitHeader,
    criteria: Sequence[CriterionView],
    thresholds: Sequence[ThresholdEntry],
    guidance: str = "",
) -> list[Answer[tuple[CorrectionValue, ...]]]:
    """Return the wrong citations of every criterion; none is an answer too.

    Args:
        unit: Not used.
        criteria: The tree, flat.
        thresholds: Registry of thresholds; a criterion with a threshold on the topic is preferred.
        guidance: Not used: the rules do not change between attempts.
    """
    corrector = _Corrector(criteria, thresholds)
    return [_answer(view, corrector.corrections(view)) for view in criteria]


def _answer(view: CriterionView, found: list[tuple[Cited, str, float]]) -> Answer[tuple[CorrectionValue, ...]]:
    values = tuple(CorrectionValue(from_=cited.path, to=meant) for cited, meant, _ in found)
    wrong = ["misfit" if c.target else "missing point" for c, _, _ in found]
    rule = " + ".join(dict.fromkeys(wrong)) or "no wrong point"
    evidence = tuple((view.block, c.point.start, c.point.end) for c, _, _ in found if view.block is not None)
    return Answer(view.criterion_id, values, min((s for *_, s in found), default=0.97), evidence, rule=rule)
