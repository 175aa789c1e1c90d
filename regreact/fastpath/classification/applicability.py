"""Mandatory or Conditional: does the obligation hold for every instance of the activity?

Follows section 4 of the annotation guidelines with the rulings R4, R5, R8, R11, D2, D9, D10, D11, D24, D25 and C5,
and appendix D.4 of arXiv 2604.12054. The first sentence decides: a later one adds to an obligation that the first
has laid down. Three passes are tried in turn: what the criterion is in the tree, how it stands beside its
siblings (cases that exclude each other), and its own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from regreact.answers import Answer, solver
from regreact.fastpath.classification.cases import CaseTable
from regreact.fastpath.classification.situations import SUBJECT_RULES, WORD_RULES, SubjectRule
from regreact.fastpath.tree import CriterionIndex
from regreact.fastpath.wording import Sentence, read_sentences
from regreact.remember import remembered
from regreact.schema import Applicability, Span
from signatures.types import ActivityEntry, CriterionView, UnitHeader


@dataclass(frozen=True, slots=True)
class _Verdict:
    value: Applicability
    confidence: float
    rule: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class _Context:
    """What the passes look at besides the criterion itself."""

    index: CriterionIndex
    cases: CaseTable
    activity: str


def _by_place(view: CriterionView, context: _Context, first: Sentence | None) -> _Verdict | None:
    """ROOT, containers and headings group what is below them: Mandatory (guidelines 4, D1)."""
    if view.block is None or view.heading or first is None:
        return _Verdict("Mandatory", 0.995, "groups others")
    return None


# Two openings of one block that leave no instance out.
_UNION = re.compile(r"\b(?:the (?:European )?Union|the EU|Member States?)\b", re.IGNORECASE)
_ELSEWHERE = re.compile(r"\bthird countries\b|\boutside (?:of )?the (?:European )?(?:Union|EU)\b", re.IGNORECASE)
_REST = re.compile(r"(?:in|for) (?:all|any) other\b|otherwise\b", re.IGNORECASE)


def _by_cover(view: CriterionView, context: _Context, first: Sentence | None) -> _Verdict | None:
    """Sentences that open with the Union and with third countries, or with the rest, leave no instance out (C5)."""
    assert first is not None
    if not first.gates:
        return None
    later = read_sentences(view.text)[1:]
    here, *openings = [view.text[s.start : s.main] for s in (first, *later)]
    pairs = ((_UNION, _ELSEWHERE), (_ELSEWHERE, _UNION))
    covers = any(one.search(here) and any(map(other.search, openings)) for one, other in pairs)
    if covers or any(_REST.match(view.text, s.start) for s in later):
        return _Verdict("Mandatory", 0.85, "cases cover every instance", first.start, first.main)
    return None


def _by_opening(view: CriterionView, context: _Context, first: Sentence | None) -> _Verdict | None:
    """A situation, a class or a place that the sentence opens with gates it (guidelines 4, D9, D25)."""
    assert first is not None
    if not first.gates:
        return None
    gate = first.gates[0]
    return _Verdict("Conditional", 0.95, "situation at the opening", gate.start, gate.end)


def _by_case(view: CriterionView, context: _Context, first: Sentence | None) -> _Verdict | None:
    """Each of several cases that exclude each other is Conditional (guidelines 4, R5, R17)."""
    span = context.cases.span(view.criterion_id)
    return _Verdict("Conditional", 0.85, "one of several cases", *span) if span else None


def _by_words(view: CriterionView, context: _Context, first: Sentence | None) -> _Verdict | None:
    """The first word rule that matches in the main clause."""
    assert first is not None
    clause = view.text[first.main : first.end]
    for rule in WORD_RULES:
        if match := rule.pattern.search(clause):
            return _Verdict(rule.value, rule.confidence, rule.name, first.main + match.start(), first.main + match.end())
    return None


def _subjects(text: str, first: Sentence) -> Iterator[tuple[SubjectRule, re.Match[str]]]:
    """Yield the rules that the subject of a sentence matches."""
    for rule in SUBJECT_RULES:
        if match := rule.pattern.match(text, first.main, first.end):
            yield rule, match


@remembered
def depends_on_activity(text: str) -> bool:
    """True if a criterion's applicability hangs on the name of the activity: its subject is one that some have.

    Example:
        >>> depends_on_activity("Recycling processes meet the conditions."), depends_on_activity("Dust is low.")
        (True, False)
    """
    first = next(iter(read_sentences(text)), None)
    return first is not None and any(True for _ in _subjects(text, first))


def _by_subject(view: CriterionView, context: _Context, first: Sentence | None) -> _Verdict | None:
    """A subject that only some instances have gates without a "where" (D10)."""
    assert first is not None
    for rule, match in _subjects(view.text, first):
        if not rule.every.search(context.activity):
            return _Verdict("Conditional", 0.75, rule.name, match.start(), match.end())
    return None


def _by_exception(view: CriterionView, context: _Context, first: Sentence | None) -> _Verdict | None:
    """Items that spell out an exception of their chapeau ("unless:") hold only if it is used (C5)."""
    parent = context.index.parent(view.criterion_id)
    if parent and re.search(r"\bunless\b[^.;]{0,80}:\s*$", parent.text, re.IGNORECASE):
        return _Verdict("Conditional", 0.8, "item of an exception")
    return None


Pass = Callable[[CriterionView, _Context, "Sentence | None"], "_Verdict | None"]
PASSES: tuple[Pass, ...] = (_by_place, _by_cover, _by_opening, _by_case, _by_words, _by_subject, _by_exception)
"""Tried in this order; a criterion that none decides is Mandatory."""

# Without a word of situation in the first sentence, annotators hardly ever see a condition.
_PLAIN_CONFIDENCE = 0.97
_UNDECIDED_CONFIDENCE = 0.94
_SITUATION_WORD = re.compile(r"\b(?:where|if|when|may|unless|only|except|existing)\b", re.IGNORECASE)


@solver("ClassifyApplicability")
def classify_applicability(
    *, unit: UnitHeader, activity: Sequence[ActivityEntry], criteria: Sequence[CriterionView], guidance: str = ""
) -> list[Answer[Applicability]]:
    """Return `Mandatory` or `Conditional` for every criterion.

    Args:
        unit: The section; its activity's name tells which subjects every instance has.
        activity: Further facts on the activity; `name` and `description` are read.
        criteria: The tree, flat.
        guidance: Not used: the rules do not change between attempts.
    """
    index = CriterionIndex(criteria)
    context = _Context(index, CaseTable(index), _activity_words(unit, activity))
    return [_answer(view, context) for view in criteria]


def _activity_words(unit: UnitHeader, activity: Iterable[ActivityEntry]) -> str:
    return " ".join([unit.activity, *(e.value for e in activity if e.key == "name")])


def _answer(view: CriterionView, context: _Context) -> Answer[Applicability]:
    first = next(iter(read_sentences(view.text)), None)
    verdict = next(_verdicts(view, context, first), None) or _default(view, first)
    evidence: tuple[Span, ...] = ()
    if view.block is not None and verdict.end > verdict.start:
        evidence = ((view.block, verdict.start, verdict.end),)
    return Answer(view.criterion_id, verdict.value, verdict.confidence, evidence, rule=verdict.rule)


def _default(view: CriterionView, first: Sentence | None) -> _Verdict:
    doubtful = first is not None and _SITUATION_WORD.search(view.text, first.start, first.end)
    if doubtful:
        return _Verdict("Mandatory", _UNDECIDED_CONFIDENCE, "situation that only modifies")
    return _Verdict("Mandatory", _PLAIN_CONFIDENCE, "no situation")


def _verdicts(view: CriterionView, context: _Context, first: Sentence | None) -> Iterator[_Verdict]:
    return (v for v in (step(view, context, first) for step in PASSES) if v is not None)
