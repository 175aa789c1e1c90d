"""Limits that a criterion takes over from another one of the section.

Follows appendix D.9 of arXiv 2604.12054 (a threshold word, a delegation and a point; selectors by period) and C6 of
the annotation guidelines (a criterion that has its limits in its children). Items are copied from the registry of
thresholds: an entry that is not registered is not inherited.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from regreact.answers import Answer, Inheritance, solver
from regreact.fastpath.classification.cases import CaseTable
from regreact.fastpath.dependencies.points import Cited, PointReader, words_before
from regreact.fastpath.dependencies.topics import content_words
from regreact.fastpath.tree import CriterionIndex
from regreact.fastpath.wording import read_sentences
from regreact.schema import BoundedPeriod, Quantitative, QuantitativeItem, Span, Threshold
from signatures.types import CriterionView, MappingEntry, ThresholdEntry, UnitHeader


@dataclass(frozen=True, slots=True)
class DelegationRule:
    """Words before a point that hand its limit over.

    Attributes:
        name: Name of the rule.
        pattern: The words, which end where the point begins.
        source: Paper section or guideline that the rule follows.
        example: A criterion that inherits by the rule.
        may_be_denied: Whether "does not comply with" or "compliance with … is verified" before it hands nothing over.
    """

    name: str
    pattern: re.Pattern[str]
    source: str
    example: str
    may_be_denied: bool = False


def _rule(name: str, source: str, pattern: str, example: str, *, may_be_denied: bool = False) -> DelegationRule:
    compiled = re.compile(pattern + r",?\s*(?:in|under|by)?\s*$", re.IGNORECASE)
    return DelegationRule(name, compiled, source, example, may_be_denied)


_DELEGATES = r"(?:referred to|set out|set|specified|laid down|stated|given|provided|defined|fixed)"
_MORE_POINTS = r"(?: points? [\w.()]+(?:,| or| and))?"

DELEGATION_RULES: tuple[DelegationRule, ...] = (
    _rule(
        "limit of a point",
        "paper D.9",
        rf"\b(?:thresholds?|levels?|limits?|values?|ceilings?|targets?"
        rf"|margins?)\b[^.;:]{{0,80}},? (?:as )?{_DELEGATES} (?:in|under|by){_MORE_POINTS}",
        "The dust level referred to in point 1(a) is certified.",
    ),
    _rule(
        "criteria of a point met",
        "C6",
        r"\b(?:meet(?:s|ing)?|fulfils?|fulfilling|complying with|complies with|comply with|satisf(?:y"
        r"|ies)) (?:all )?(?:the )?"
        rf"(?:technical screening )?(?:criteri(?:a|on)|requirements?|rules?"
        rf"|conditions)\b[^.;:]{{0,60}},? (?:as )?{_DELEGATES}"
        rf" (?:in|under|by){_MORE_POINTS}",
        "the ferry meeting the criteria set out in point (b);",
        may_be_denied=True,
    ),
    _rule(
        "comply with a point",
        "paper, appendix B",
        r"\b(?:comply|complies|complying) with",
        "The auditor assesses whether the mill is on track to comply with point 2(b).",
        may_be_denied=True,
    ),
    _rule(
        "same limit as",
        "paper D.9",
        r"\b(?:same|identical) (?:thresholds?|limits?|values?)\b[^.;:]{0,40}",
        "The same limit as in point 1(a) holds for old mills.",
    ),
)

# "The share referred to in point 1(b) is measured": the quantity that a point limits, named without a word for limit,
# where it is validated. The words before must be about that quantity; documents and duties are not quantities.
_VALIDATES = re.compile(
    r"\b(?:certif|verif|measur|check|audit|confirm|assess|stat(?:es|ing)|monitor|inspect|test)\w*\b", re.IGNORECASE
)
_QUANTITY = re.compile(
    rf"\b(?:the|that|those|this)\b([^.;:,]{{3,80}}?),? (?:as )?{_DELEGATES} (?:in|under|by)\s*$", re.IGNORECASE
)
_NO_QUANTITY = re.compile(
    r"\b(?:plans?|programmes?|information|instruments?|assessments?|analys[ei]s|criteri(?:a|on)|requirements?"
    r"|conditions?"
    r"|measures?|points?|description|report|equipment|aircraft|vessels?|vehicles?|waste|activit(?:y|ies))\s*$",
    re.IGNORECASE,
)

# What is verified, denied or only a purpose hands nothing over.
_NOT_HANDED = re.compile(
    r"(?:\bcompliance\b[^.;]{0,60}|\b(?:not|cannot|without)\b[^.;]{0,20}(?:compl\w+|meet\w*|fulfil\w*)[^.;]{0,80}"
    r"|\bfor the purposes? of[^.;]{0,20})$",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"\b(?:over|averaged over|during|across) (\d+|[a-z]+) (years?|months?)\b|\b(\d+|[a-z]+)[- ](year|month)\b"
)
_NO_PERIOD = re.compile(r"\binstant\w*\b|\bat the point of generation\b", re.IGNORECASE)
_NUMERALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True, slots=True)
class _Registry:
    """Thresholds by criterion, and how cases are told apart."""

    entries: dict[str, Threshold]
    index: CriterionIndex
    cases: CaseTable

    def limits(self, criterion_id: str) -> tuple[QuantitativeItem, ...]:
        own = self.entries.get(criterion_id)
        return own.quantitative.items if own and own.quantitative else ()

    def subject(self, criterion_id: str) -> str:
        """Return what the limits of a criterion are about: metrics, or its own words where it has dates only."""
        if metrics := [i.metric for i in (*self.limits(criterion_id), *self.below(criterion_id))]:
            return " ".join(metrics)
        return self.index.by_id[criterion_id].text if criterion_id in self.entries else ""

    def below(self, criterion_id: str) -> Iterator[QuantitativeItem]:
        """Yield the limits of the children; where metrics repeat, the case is named in each (C6)."""
        owners = [c for c in self.index.children(criterion_id) if self.limits(c.criterion_id)]
        metrics = [i.metric for c in owners for i in self.limits(c.criterion_id)]
        for child in owners:
            for item in self.limits(child.criterion_id):
                repeated = metrics.count(item.metric) > 1
                yield item.model_copy(update={"metric": f"{item.metric}, {self._case(child)}"}) if repeated else item

    def _case(self, child: CriterionView) -> str:
        span = self.cases.span(child.criterion_id)
        start = read_sentences(child.text)[0].start if span is None and child.text else 0
        words = child.text[span[0] :] if span else child.text[start:]
        return re.split(r"[:;,.](?:\s|$)", words.strip(), maxsplit=1)[0]


def _selected(items: Iterable[QuantitativeItem], text: str) -> tuple[QuantitativeItem, ...]:
    """Return the items that the words select: those of a period, those without one, or those of a named case."""
    found = tuple(items)
    if match := _PERIOD.search(text):
        number, unit = match[1] or match[3], (match[2] or match[4]).rstrip("s") + "s"
        value = float(number) if number.isdigit() else float(_NUMERALS.index(number) + 1 if number in _NUMERALS else 0)
        chosen = tuple(
            i
            for i in found
            if isinstance(i.period, BoundedPeriod) and i.period.value == value and i.period.unit == unit
        )
        return chosen or found
    if _NO_PERIOD.search(text):
        return tuple(i for i in found if i.period is None) or found
    return _of_named_case(found, text)


def _of_named_case(items: tuple[QuantitativeItem, ...], text: str) -> tuple[QuantitativeItem, ...]:
    """Return the items whose metric holds a word of the text that not all metrics hold ("the winter value")."""
    metrics = [_words(i.metric) for i in items]
    common = frozenset.intersection(*metrics) if metrics else frozenset()
    named = _words(text) - common
    chosen = tuple(i for i, metric in zip(items, metrics, strict=True) if metric & named)
    return chosen or items


def _words(text: str) -> frozenset[str]:
    """Return content words, years and class letters."""
    return content_words(text) | frozenset(re.findall(r"\b\d{4}\b|\b[A-Z]\b", text))


def _copied(registry: _Registry, source: str, words: str) -> Threshold | None:
    """Return the part of a criterion's threshold that is taken over, None if it has none."""
    entry = registry.entries.get(source)
    own = registry.limits(source)
    items = _selected(own or registry.below(source), words)
    if items:
        joiner = (entry.quantitative.logic if own and entry and entry.quantitative else None) or "AND"
        return Threshold(quantitative=Quantitative(logic=joiner if len(items) > 1 else None, items=items))
    if entry is not None and entry.temporal is not None:
        return Threshold(temporal=entry.temporal)
    return None


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
        for cited in reader.cited(view, sentence.main, sentence.end):
            before = view.text[sentence.main : cited.point.start]
            if not cited.target or cited.target in inside | above:
                continue
            if _delegates(before) or (
                _VALIDATES.search(view.text, sentence.start, sentence.end)
                and _names_quantity(before, registry.subject(cited.target))
            ):
                yield cited


def _delegates(before: str) -> bool:
    """True if the words before a point hand its limit over."""
    for rule in DELEGATION_RULES:
        if rule.pattern.search(before):
            return not (rule.may_be_denied and _NOT_HANDED.search(before))
    return False


def _names_quantity(before: str, subject: str) -> bool:
    """True if the words before a point name what the point limits."""
    quantity = _QUANTITY.search(before)
    if quantity is None or _NO_QUANTITY.search(quantity[1]):
        return False
    head = re.split(r"\b(?:of|for|in|on|with|that|from)\b", quantity[1], maxsplit=1)[0]
    return bool(content_words(head) & content_words(subject))


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
    return [_answer(view, registry, reader) for view in criteria]


def _answer(view: CriterionView, registry: _Registry, reader: PointReader) -> Answer[Inheritance]:
    for cited in _delegations(view, registry, reader):
        assert cited.target is not None
        copied = _copied(registry, cited.target, _words_around(view.text, cited))
        if copied is None:
            continue
        threshold = None if _restated(registry, view, copied) else copied
        evidence: tuple[Span, ...] = ()
        if view.block is not None:
            evidence = ((view.block, cited.point.start, cited.point.end),)
        return Answer(view.criterion_id, Inheritance(cited.target, threshold), 0.85, evidence)
    return Answer(view.criterion_id, Inheritance(), 0.97)


def _words_around(text: str, cited: Cited) -> str:
    """Return the noun phrase that the point defines, with what limits it after the point: they hold the selector."""
    after = re.match(r",? (?:that|which) [^,.;]*?(?= (?:is|are)\b|[,.;]|$)", text[cited.point.end :])
    return words_before(text, cited) + (after[0] if after else "")
