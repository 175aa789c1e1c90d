"""Limits that a criterion takes over from another one of the section.

Follows appendix D.9 of arXiv 2604.12054 (a threshold word, a delegation and a point; selectors by period) and C6 of
the annotation guidelines (a criterion that has its limits in its children). Items are copied from the registry of
thresholds: an entry that is not registered is not inherited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from regreact.answers import Answer, Inheritance, solver
from regreact.fastpath.classification.cases import CaseTable
from regreact.fastpath.dependencies.conditions import condition_spans
from regreact.fastpath.dependencies.delegation import (
    ACCORDINGLY,
    ANAPHOR,
    ATTAINED,
    ATTAINS,
    CONJUNCTION,
    DELEGATION_RULES,
    NO_QUANTITY,
    NOT_HANDED,
    SET_ASIDE,
    THE_WHOLE,
    VALIDATES,
)
from regreact.fastpath.dependencies.exemptions import NOT_APPLIED
from regreact.fastpath.dependencies.points import Cited, NounPhrase, PointReader, spared, thing_named
from regreact.fastpath.dependencies.selection import LIMIT, chosen, measured_by, of_period, of_thing
from regreact.fastpath.dependencies.topics import content_words
from regreact.fastpath.tree import CriterionIndex
from regreact.fastpath.wording import Sentence, read_sentences
from regreact.schema import Quantitative, QuantitativeItem, Span, Threshold
from signatures.types import CriterionView, MappingEntry, ThresholdEntry, UnitHeader


@dataclass(frozen=True, slots=True)
class _Registry:
    """Thresholds by criterion, and how cases are told apart."""

    entries: dict[str, Threshold]
    index: CriterionIndex
    cases: CaseTable
    inherited: dict[str, tuple[QuantitativeItem, ...]] = field(default_factory=dict)

    def limits(self, criterion_id: str) -> tuple[QuantitativeItem, ...]:
        own = self.entries.get(criterion_id)
        return own.quantitative.items if own and own.quantitative else ()

    def subject(self, criterion_id: str) -> str:
        """Return what the limits of a criterion are about: metrics, or its own words where it has dates only."""
        if metrics := [i.metric for i in (*self.limits(criterion_id), *self.below(criterion_id))]:
            return " ".join(metrics)
        return self.index.by_id[criterion_id].text if criterion_id in self.entries else ""

    def limits_what(self, criterion_id: str, thing: NounPhrase) -> bool:
        """True if a thing is what a criterion limits: by its noun, or by the kind of its unit ("share": %)."""
        about = content_words(self.subject(criterion_id))
        limits = (*self.limits(criterion_id), *self.below(criterion_id))
        if content_words(thing.head) & about or of_period(limits, thing.words):
            return True
        kinds = [measured_by(thing.head, i.unit) for i in limits]
        return any(kinds) or (None in kinds and bool(content_words(thing.words) & about))

    def below(self, criterion_id: str) -> Iterator[QuantitativeItem]:
        """Yield the limits of the children; where metrics repeat, the case is named in each (C6)."""
        owners = list(self._owners(criterion_id))
        metrics = [i.metric for c in owners for i in self.limits(c.criterion_id)]
        for child in owners:
            for item in self.limits(child.criterion_id):
                repeated = metrics.count(item.metric) > 1
                yield item.model_copy(update={"metric": f"{item.metric}, {self._case(child)}"}) if repeated else item

    def all_of(self, criterion_id: str) -> tuple[QuantitativeItem, ...]:
        """Return the limits of a criterion, else those below it, else those that it takes over."""
        return self.limits(criterion_id) or tuple(self.below(criterion_id)) or self.inherited.get(criterion_id, ())

    def joined(self, criterion_id: str, items: tuple[QuantitativeItem, ...]) -> Quantitative:
        """Return limits of a criterion with the logic that it gives them; from several criteria they hold together."""
        entry = self.entries.get(criterion_id)
        logic = entry.quantitative.logic if entry and entry.quantitative else None
        return Quantitative(logic=(logic or "AND") if len(items) > 1 else None, items=items)

    def _owners(self, criterion_id: str) -> Iterator[CriterionView]:
        """Yield the nearest criteria below that have limits; groups and lists without limits are passed through."""
        for child in self.index.children(criterion_id):
            if self.limits(child.criterion_id):
                yield child
            else:
                yield from self._owners(child.criterion_id)

    def _case(self, child: CriterionView) -> str:
        span = self.cases.span(child.criterion_id)
        start = read_sentences(child.text)[0].start if span is None and child.text else 0
        words = child.text[span[0] :] if span else child.text[start:]
        return re.split(r"[:;,.](?:\s|$)", words.strip(), maxsplit=1)[0]


# "by the date in point 1(c)", "the share set in point 1, by the date set there"
_DATES = re.compile(r"(?:\w+ )*(?:dates?|deadlines?|time[- ]limits?)", re.IGNORECASE)
_AND_DATE = re.compile(
    r"\b(?:dates?|deadlines?|time[- ]limits?)\b[^.;:]{0,30}\b(?:there|therein|in (?:that|the same) point)\b"
    r"|\bby the same (?:date|deadline)\b",
    re.IGNORECASE,
)


def _copied(registry: _Registry, source: str, view: CriterionView, cited: Cited) -> Threshold | None:
    """Return the part of a criterion's threshold that is taken over, None if it has none."""
    entry = registry.entries.get(source)
    dates = entry.temporal if entry else None
    thing = thing_named(view.text, cited.point.start)
    if thing is not None and _DATES.fullmatch(thing.head):
        return Threshold(temporal=dates) if dates else None
    items = chosen(registry.all_of(source), view, cited)
    if items:
        return Threshold(
            quantitative=registry.joined(source, items), temporal=dates if _AND_DATE.search(view.text) else None
        )
    return Threshold(temporal=dates) if dates else None


def _restated(registry: _Registry, view: CriterionView, copied: Threshold) -> bool:
    """True if the criterion states all copied values itself, under conditions of its own."""
    if copied.quantitative is None:
        return False
    own = {(i.value, i.unit) for i in registry.limits(view.criterion_id)}
    return {(i.value, i.unit) for i in copied.quantitative.items} <= own


def _delegations(view: CriterionView, registry: _Registry, reader: PointReader) -> Iterator[Cited]:
    """Yield the points whose limit the main clauses of a criterion take over."""
    inside = {d.criterion_id for d in reader.index.descendants(view.criterion_id)} | {view.criterion_id}
    above = {a.criterion_id for a in reader.index.ancestors(view.criterion_id)}
    for sentence in read_sentences(view.text):
        conditions = condition_spans(view.text, sentence)
        for cited in reader.cited(view, sentence.main, sentence.end):
            if not cited.target or cited.target in inside | above:
                continue
            if any(start <= cited.point.start < end for start, end in conditions) or _set_aside(view, sentence, cited):
                continue
            if _delegates(view, sentence, cited) or _names_quantity(view, sentence, cited, registry):
                yield cited


def _set_aside(view: CriterionView, sentence: Sentence, cited: Cited) -> bool:
    """True if the limit of a point does not apply, gives way to another one, or is the base of another one."""
    before = view.text[sentence.main : cited.point.start]
    after = _MORE.sub("", view.text[cited.point.end : sentence.end])
    return bool(spared(view.text, cited) or SET_ASIDE.search(before) or NOT_APPLIED.match(after))


_MORE = re.compile(r"^(?:(?:,| and| or| to|, and) (?:points? )?[\d(][\w.()]*)+")


def _delegates(view: CriterionView, sentence: Sentence, cited: Cited) -> bool:
    """True if the words around a point hand its limit over."""
    before = view.text[sentence.main : cited.point.start]
    if THE_WHOLE.fullmatch(before) and ACCORDINGLY.match(view.text, cited.point.end):
        return True
    for rule in DELEGATION_RULES:
        if rule.pattern.search(before):
            return not (rule.may_be_denied and NOT_HANDED.search(before))
    return False


def _names_quantity(view: CriterionView, sentence: Sentence, cited: Cited, registry: _Registry) -> bool:
    """True if the words before a point name what the point limits, as something to validate or to attain."""
    thing = thing_named(view.text, cited.point.start)
    if thing is None or NO_QUANTITY.search(thing.head) or not registry.limits_what(str(cited.target), thing):
        return False
    text = view.text
    if ATTAINS.search(text[sentence.start : thing.start]) or ATTAINED.match(text, cited.point.end, sentence.end):
        return not NOT_HANDED.search(text[sentence.main : cited.point.start])
    laid_down = text[: cited.point.start].rstrip().endswith((" in", " under", " by"))
    return laid_down and bool(VALIDATES.search(text, sentence.start, sentence.end))


def _named_before(view: CriterionView, registry: _Registry) -> tuple[str, Threshold, tuple[int, int]] | None:
    """Return what a criterion without limits takes over from one before it that it names by its limit only.

    "Reaches that output" and "the values listed above" mean the nearest criterion before that limits such a thing.
    """
    if registry.limits(view.criterion_id):
        return None
    for sentence in read_sentences(view.text):
        for match in ANAPHOR.finditer(view.text, sentence.main, sentence.end):
            before, words = view.text[sentence.main : match.start()], (match["words"] or match["named"]).split()
            if words[-1] in view.text[: match.start()]:
                continue
            if match[0].startswith("that ") and CONJUNCTION.search(before):
                continue
            reached = ATTAINS.search(f"{before} ") or ATTAINED.match(view.text, match.end(), sentence.end)
            if not reached or NOT_HANDED.search(before) or SET_ASIDE.search(before):
                continue
            for source in _before(view, registry.index):
                items = registry.all_of(source)
                thing = NounPhrase.of(" ".join(words))
                if items and (re.fullmatch(LIMIT, words[-1]) or registry.limits_what(source, thing)):
                    taken = registry.joined(source, of_thing(items, thing))
                    return source, Threshold(quantitative=taken), match.span()
    return None


def _before(view: CriterionView, index: CriterionIndex) -> Iterator[str]:
    """Yield the criteria that stand before a criterion at its own level, then at those above, the nearest first."""
    for node in (view, *index.ancestors(view.criterion_id)):
        earlier = [c.criterion_id for c in index.children(node.parent or "")]
        yield from reversed(earlier[: earlier.index(node.criterion_id)] if node.criterion_id in earlier else [])


@solver("InheritThresholds")
def inherit_thresholds(
    *,
    unit: UnitHeader,
    criteria: Sequence[CriterionView],
    thresholds: Sequence[ThresholdEntry],
    mappings: Sequence[MappingEntry],
    guidance: str = "",
) -> list[Answer[Inheritance]]:
    """Return for every criterion where it takes its thresholds from and what it takes over.

    A criterion that states the same values itself inherits by name only (`threshold` is None): nothing is to be
    copied beside its own items.

    Args:
        unit: Not used.
        criteria: The tree, flat.
        thresholds: Registry of thresholds; the only place that items are copied from.
        mappings: What cited points stand for instead of what is printed.
        guidance: Not used: the rules do not change between attempts.
    """
    index = CriterionIndex(criteria)
    registry = _Registry({t.criterion_id: t.threshold for t in thresholds}, index, CaseTable(index))
    reader = PointReader(index, mappings)
    answers = []
    for view in criteria:
        answer = _answer(view, registry, reader)
        taken = answer.value.threshold
        if taken and taken.quantitative and not registry.limits(view.criterion_id):
            registry.inherited[view.criterion_id] = taken.quantitative.items
        answers.append(answer)
    return answers


def _answer(view: CriterionView, registry: _Registry, reader: PointReader) -> Answer[Inheritance]:
    for cited in _delegations(view, registry, reader):
        assert cited.target is not None
        copied = _copied(registry, cited.target, view, cited)
        if copied is None:
            continue
        threshold = None if _restated(registry, view, copied) else copied
        evidence: tuple[Span, ...] = ()
        if view.block is not None:
            evidence = ((view.block, cited.point.start, cited.point.end),)
        return Answer(view.criterion_id, Inheritance(cited.target, threshold), 0.85, evidence, rule="points to a limit")
    if named := _named_before(view, registry):
        source, taken, (start, end) = named
        evidence = ((view.block, start, end),) if view.block is not None else ()
        return Answer(view.criterion_id, Inheritance(source, taken), 0.8, evidence, rule="limit named before")
    return Answer(view.criterion_id, Inheritance(), 0.97, rule="takes over nothing")
