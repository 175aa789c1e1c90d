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
from regreact.fastpath.dependencies.exemptions import NOT_APPLIED
from regreact.fastpath.dependencies.points import DELEGATES, Cited, PointReader, spared, thing_named
from regreact.fastpath.dependencies.selection import LIMIT, chosen
from regreact.fastpath.dependencies.topics import content_words
from regreact.fastpath.tree import CriterionIndex
from regreact.fastpath.wording import Sentence, read_sentences
from regreact.schema import Quantitative, QuantitativeItem, Span, Threshold
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


_DELEGATES = rf"(?:{DELEGATES})"
_MORE_POINTS = r"(?: points? [\w.()]+(?:,| or| and))?"

DELEGATION_RULES: tuple[DelegationRule, ...] = (
    _rule(
        "limit of a point",
        "paper D.9",
        rf"\b{LIMIT}\b[^.;:]{{0,80}},? (?:as )?{_DELEGATES} (?:in|under|by){_MORE_POINTS}",
        "The dust level referred to in point 1(a) is certified.",
    ),
    _rule(
        "limit in a point",
        "paper D.9",
        rf"\b{LIMIT}(?: (?:for|of|on) [\w -]{{1,40}}?)?,? (?:of|in|under|from|for|pursuant to|according to|as per){_MORE_POINTS}",
        "Old kilns keep within both dust limits of point 1(a).",
        may_be_denied=True,
    ),
    _rule(
        "criteria of a point met",
        "C6",
        r"\b(?:meet(?:s|ing)?|fulfils?|fulfilling|complying with|complies with|comply with|satisf(?:y"
        r"|ies)) (?:all )?(?:the )?"
        rf"(?:technical screening )?(?:criteri(?:a|on)|requirements?|rules?"
        rf"|conditions)\b(?:[^.;:]{{0,60}},? (?:as )?{_DELEGATES} (?:in|under|by)| (?:of|in|under)){_MORE_POINTS}",
        "the ferry meeting the criteria set out in point (b);",
        may_be_denied=True,
    ),
    _rule(
        "comply with a point",
        "paper, appendix B",
        r"\b(?:(?:comply|complies|complying)(?: \w+ly)? with|meets?|fulfils?|satisf(?:y|ies)|observes?|respects?|attains?"
        r"|conforms? (?:to|with)|adheres? to|(?:is|are|be) compliant with|(?:is|are|be) in (?:compliance|conformity) with)",
        "The auditor assesses whether the mill is on track to comply with point 2(b).",
        may_be_denied=True,
    ),
    _rule(
        "same limit as",
        "paper D.9",
        rf"\b(?:same|identical) (?:[\w-]+ ){{0,4}}?{LIMIT}\b[^.;:]{{0,40}}"
        rf"|\b{LIMIT}\b[^.;:]{{0,60}}\b(?:(?:those|that|the ones?)(?: {_DELEGATES})?|as) (?:of|for|{_MORE_POINTS})",
        "The same limit as in point 1(a) holds for old mills.",
    ),
)

# "The share referred to in point 1(b) is measured": the quantity that a point limits, named without a word for limit,
# where it is validated. The words before must be about that quantity; documents and duties are not quantities.
_VALIDATES = re.compile(
    r"\b(?:certif|verif|measur|check|audit|confirm|assess|stat(?:es|ing)|monitor|inspect|test)\w*\b", re.IGNORECASE
)
# "attains the share set out in point 1(b)", "the share set out in point 1(b) applies": where it is to be reached
_ATTAINS = re.compile(
    r"\b(?:attain|reach|meet|achieve|observe|respect|keep(?:s)? (?:to|within|below|under)|(?:stay|remain)s? (?:within|below|under|at)"
    r"|exceed|adheres? to|fulfil|satisf(?:y|ies)|maintain|have|has|show|compl(?:y|ies|ying) with|conforms? to|match|guarantee"
    r"|ensure|appl(?:y|ies)|(?:is|are) (?:subject|held|limited|bound) (?:to|by))(?:s|es|ing)?\b(?: \w+ly)?"
    r"(?:, (?:by|from|until|as of|no later than|not later than|at the latest|at all times)\b[^,;]{0,40},)?"
    r"(?: (?:the|that|those|this|its|their|at least|same|identical|both|all|an?))*\s*$",
    re.IGNORECASE,
)
_ATTAINED = re.compile(
    r"[^.;:]{0,80}?\b(?:appl(?:y|ies)|holds?(?= (?:for|also|equally|too))|(?:is|are|be) (?:also |likewise |not )?(?:attained|reached|met"
    r"|achieved|complied with|observed|respected|kept|fulfilled|satisfied|maintained|applicable|valid|guaranteed|ensured"
    r"|exceeded))\b",
    re.IGNORECASE,
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
# Nor does what is set aside, or what is only the base of another value ("half the limit", "20 % below the limit").
_SET_ASIDE = re.compile(
    r"(?:\b(?:exempt\w*|derogat\w*|deviat\w*|instead|in lieu|in place|other|rather|irrespective|regardless|notwithstanding"
    r"|without prejudice|in addition|exception|not (?:subject|bound|applicable|apply|have|need|required|obliged)|need not)\b"
    r"|\b(?:twice|double|triple|half|one third|(?:two|three|four|\d+) times)\b"
    r"|\d ?(?:%|percent|per cent|percentage points)(?: \w+){0,3}? (?:of|below|above|lower|higher|under|over|less|more"
    r"|better|stricter|smaller|greater)\b)[^.;:,]*$",
    re.IGNORECASE,
)
# "Point 1(a) applies accordingly to bays."
_ACCORDINGLY = re.compile(
    r"\s+(?:(?:also|equally|likewise|similarly) appl(?:y|ies)|appl(?:y|ies) (?:accordingly|mutatis mutandis|by analogy"
    r"|equally|likewise|similarly|also|too|as well))\b",
    re.IGNORECASE,
)
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

    def below(self, criterion_id: str) -> Iterator[QuantitativeItem]:
        """Yield the limits of the children; where metrics repeat, the case is named in each (C6)."""
        owners = list(self._owners(criterion_id))
        metrics = [i.metric for c in owners for i in self.limits(c.criterion_id)]
        for child in owners:
            for item in self.limits(child.criterion_id):
                repeated = metrics.count(item.metric) > 1
                yield item.model_copy(update={"metric": f"{item.metric}, {self._case(child)}"}) if repeated else item

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


def _copied(registry: _Registry, source: str, view: CriterionView, cited: Cited) -> Threshold | None:
    """Return the part of a criterion's threshold that is taken over, None if it has none."""
    entry = registry.entries.get(source)
    own = registry.limits(source)
    items = chosen(own or tuple(registry.below(source)) or registry.inherited.get(source, ()), view, cited)
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
    return bool(spared(view.text, cited) or _SET_ASIDE.search(before) or NOT_APPLIED.match(after))


_MORE = re.compile(r"^(?:(?:,| and| or| to|, and) (?:points? )?[\d(][\w.()]*)+")


def _delegates(view: CriterionView, sentence: Sentence, cited: Cited) -> bool:
    """True if the words around a point hand its limit over."""
    before = view.text[sentence.main : cited.point.start]
    if not before.strip() and _ACCORDINGLY.match(view.text, cited.point.end):
        return True
    for rule in DELEGATION_RULES:
        if rule.pattern.search(before):
            return not (rule.may_be_denied and _NOT_HANDED.search(before))
    return False


def _names_quantity(view: CriterionView, sentence: Sentence, cited: Cited, registry: _Registry) -> bool:
    """True if the words before a point name what the point limits, as something to validate or to attain."""
    thing = thing_named(view.text, cited.point.start)
    if thing is None or _NO_QUANTITY.search(thing.head):
        return False
    if not content_words(thing.head) & content_words(registry.subject(str(cited.target))):
        return False
    text = view.text
    begin = text.rfind(thing.words, sentence.start, cited.point.start)
    before = text[sentence.start : begin]
    if _ATTAINS.search(before) or _ATTAINED.match(text, cited.point.end, sentence.end):
        return not _NOT_HANDED.search(text[sentence.main : cited.point.start])
    laid_down = text[: cited.point.start].rstrip().endswith((" in", " under", " by"))
    return laid_down and bool(_VALIDATES.search(text, sentence.start, sentence.end))


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
    return Answer(view.criterion_id, Inheritance(), 0.97, rule="takes over nothing")
