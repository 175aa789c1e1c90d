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
from regreact.fastpath.tree import CriterionIndex
from regreact.fastpath.wording import Sentence, read_sentences
from regreact.schema import Applicability, Span
from signatures.types import ActivityEntry, CriterionView, UnitHeader


@dataclass(frozen=True, slots=True)
class WordRule:
    """Words in the first sentence that decide.

    Attributes:
        name: Name of the rule.
        value: What a criterion with these words is.
        pattern: The words, matched without regard to case in the main clause.
        confidence: How often a careful annotator agrees.
        source: Paper section or guideline that the rule follows.
        example: A criterion that the rule decides.
    """

    name: str
    value: Applicability
    pattern: re.Pattern[str]
    confidence: float
    source: str
    example: str


def _rule(name: str, value: Applicability, confidence: float, source: str, pattern: str, example: str) -> WordRule:
    return WordRule(name, value, re.compile(pattern, re.IGNORECASE), confidence, source, example)


WORD_RULES: tuple[WordRule, ...] = (
    _rule(
        "unless shown", "Mandatory", 0.85, "C5",
        r"\bunless\b.{0,60}\b(?:different|otherwise|demonstrat|prov(?:en|ed|ide)|show|justif|evidence|assess|grant|agree)",
        "Sand is not washed, unless it can be demonstrated that the water is reused.",
    ),
    _rule(
        "unless the asset is", "Conditional", 0.8, "C5",
        r"\bunless (?:the|an?|its|it is|they are)\b.{0,80}\b(?:is|are|has|have)\b",
        "The mill does not run at night, unless the mill is electric.",
    ),
    _rule(
        "exemption", "Conditional", 0.93, "R4",
        r"\b(?:is|are) not (?:required|obliged) to\b|^[^,;:]*\b(?:do|does|shall) not apply\b"
        r"|\bno (?:additional |further )?[\w ]{0,60}\b(?:is|are) required\b|\b(?:is|are) exempt(?:ed)?\b",
        "Mills below 20 kW are not required to keep a register.",
    ),
    _rule(
        "permission", "Conditional", 0.93, "paper D.4, discretionary acts; R8",
        r"^(?:(?!\b(?:shall|must|where|if)\b)[^;:])*(?<!\bwhich )(?<!\bthat )(?<!\bwho )(?<!\bas )"
        r"\b(?:(?-i:may) (?!not\b|come\b|affect\b|cause\b|compromise\b|result\b|lead\b|occur\b|contain\b|pose\b|have\b|otherwise\b)"
        r"|it is possible to\b)",
        "Glass and metal may be stored in one bay.",
    ),
    _rule(
        "possible means of proof", "Conditional", 0.8, "R8",
        r"\bis (?:a |considered (?:a |as )?)?(?:proof|evidence) of compliance\b",
        "Use of the label is a proof of compliance with the dust rule.",
    ),
    _rule(
        "allowed only where", "Conditional", 0.8, "D10",
        r"\b(?:allowed|permitted|takes? place|possible) only (?:where|if|when)\b",
        "Blasting is allowed only where the plan names it.",
    ),
    _rule(
        "effect of an exception", "Conditional", 0.8, "guidelines 4",
        r"\b(?:do|does) not (?:result in|lead to|constitute) non-compliance\b",
        "Losses through flood do not result in non-compliance, provided that they are reported.",
    ),
    _rule(
        "further means of proof", "Conditional", 0.75, "R8",
        r"\bcan (?:also |alternatively )?be (?:demonstrated|proven|shown)\b",
        "Tightness can also be demonstrated through a pressure log.",
    ),
    _rule(
        "situation after the duty", "Conditional", 0.8, "guidelines 4",
        r"^(?!.*\bnot\b|.*\b(?:is|are) \w+ed and\b).*(?<![,(])(?<!except)\s(?:where|if|when)"
        r" (?!applicable|relevant|appropriate|available|feasible|possible|necessary)"
        r"(?:[^,;]*\b(?:deviates?|exceeds?|falls?|occurs?|arises?|changes?|requires?)\b|[^;.]{0,120}\brequires? so\b)",
        "Corrective action is taken where the readings deviate from the target.",
    ),
    _rule(
        "if after the duty", "Conditional", 0.75, "guidelines 4",
        r"(?<![,(])(?<!and)(?<!except)\sif (?:the|it|they|those|these|that|its) [^,;.]*\b(?:is|are|has|have|can)\b",
        "The ferry uses half of the limit if the ferry is able to run on ammonia.",
    ),
    _rule(
        "alternatives of this unit", "Conditional", 0.85, "D2; guidelines 8",
        r"^(?:the )?(?:[\w-]+ ){0,6}?(?:aircrafts?|vessels?|ships?|ferr(?:y|ies)|vehicles?|buildings?|facilit(?:y|ies)|plants?"
        r"|installations?|products?|systems?|equipment|infrastructure)\b[^.,;]{0,60}\bpoints? \([a-z]+\)"
        r"(?: (?:or|and|to) \([a-z]+\))+(?=[^.;]*\b(?:is|are|has|have|complies|comply|meets?|keeps?|carries)\b)",
        "Ferries referred to in points (b) and (c) keep a log.",
    ),
)
"""Asked of the main clause of the first sentence, in this order."""

_SOME = (
    r"(?:recycling|recovery|refurbishment|remanufacturing|blending|blasting|dredging|combustion|incineration|drying)"
)


@dataclass(frozen=True, slots=True)
class SubjectRule:
    """A subject that only some instances of an activity have, unless the activity's name speaks of it (D10).

    Attributes:
        name: Name of the rule.
        pattern: The subject at the start of the main clause.
        every: Words in the activity's name that make the subject one that every instance has.
        example: A criterion that the rule makes Conditional.
    """

    name: str
    pattern: re.Pattern[str]
    every: re.Pattern[str]
    example: str


SUBJECT_RULES: tuple[SubjectRule, ...] = (
    SubjectRule(
        "optional biomass",
        re.compile(r"(?:agricultural|forest)(?: based)? (?:biomass|bio-waste)\b", re.IGNORECASE),
        re.compile(r"\bbio", re.IGNORECASE),
        "Agricultural biomass used for the kilns meets the criteria of Annex XX.",
    ),
    SubjectRule(
        "optional process",
        re.compile(rf"(?:the )?{_SOME} (?:processes|operations|facilities|activities|plants)\b", re.IGNORECASE),
        re.compile(r"\brecycl|\brecover|\bwaste|\bblend|\bdredg", re.IGNORECASE),
        "Recycling processes meet the conditions of Annex XX.",
    ),
    SubjectRule(
        "branch of the activity",
        re.compile(r"activities in [a-z ]+ (?:take|use|meet|comply|follow)\b", re.IGNORECASE),
        re.compile(r"(?!)"),
        "Activities in bridge design take flood maps into account.",
    ),
    SubjectRule(
        "class of vehicles",
        re.compile(
            r"(?:the )?vehicles (?:of|designated as) categor(?:y|ies)\b(?:(?!\b(?:that|where|which)\b)[^.;:])*?"
            r"\b(?:have|has|are|is|comply|meet|carry|do|use)\b",
            re.IGNORECASE,
        ),
        re.compile(r"(?!)"),
        "Vehicles of category N7 carry a tracker.",
    ),
    SubjectRule(
        "kinds of structure",
        re.compile(r"(?:bridges|tunnels|dikes|dams|sluices|culverts)(?:, [a-z]+)*,? and [a-z]+ (?:are|have)\b", re.IGNORECASE),
        re.compile(r"\b(?:bridge|tunnel|dike|dam|sluice)", re.IGNORECASE),
        "Tunnels, culverts and dams are inspected each year.",
    ),
    SubjectRule(
        "class by date",
        re.compile(
            r"(?:The )?[A-Z]?[a-z -]+ (?:built|constructed|manufactured|commissioned|delivered|registered|opened)"
            r" (?:before|after|in the period|between|from|until|since)\b(?=[^.;:]*\b(?:is|are|has|have|meet|meets|comply|complies)\b)"
        ),
        re.compile(r"(?!)"),
        "Mills built before 31 December 2030 are insulated.",
    ),
    SubjectRule(
        "class by size or age",
        re.compile(
            r"(?:the )?(?:[a-z-]+ ){1,4}(?:that|which) (?:is|are|has|have) (?:[a-z]+ )?(?:an? )?"
            r"(?:older|larger|smaller|longer|heavier|higher|more|less|above|below|over|under)\b",
            re.IGNORECASE,
        ),
        re.compile(r"(?!)"),
        "Kilns that are older than 15 years are insulated.",
    ),
    SubjectRule(
        "side activity",
        re.compile(r"(?:recreational|ancillary|accessory) [a-z ]+ (?:activities|are|is)\b", re.IGNORECASE),
        re.compile(r"\brecreation", re.IGNORECASE),
        "Recreational diving activities end at dusk.",
    ),
)


@dataclass(frozen=True, slots=True)
class _Verdict:
    value: Applicability
    confidence: float
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
        return _Verdict("Mandatory", 0.98)
    return None


def _by_opening(view: CriterionView, context: _Context, first: Sentence | None) -> _Verdict | None:
    """A situation, a class or a place that the sentence opens with gates it (guidelines 4, D9, D25)."""
    assert first is not None
    if not first.gates:
        return None
    gate = first.gates[0]
    return _Verdict("Conditional", 0.95, gate.start, gate.end)


def _by_case(view: CriterionView, context: _Context, first: Sentence | None) -> _Verdict | None:
    """Each of several cases that exclude each other is Conditional (guidelines 4, R5, R17)."""
    span = context.cases.span(view.criterion_id)
    return _Verdict("Conditional", 0.85, *span) if span else None


def _by_words(view: CriterionView, context: _Context, first: Sentence | None) -> _Verdict | None:
    """The first word rule that matches in the main clause."""
    assert first is not None
    clause = view.text[first.main : first.end]
    for rule in WORD_RULES:
        if match := rule.pattern.search(clause):
            return _Verdict(rule.value, rule.confidence, first.main + match.start(), first.main + match.end())
    return None


def _by_subject(view: CriterionView, context: _Context, first: Sentence | None) -> _Verdict | None:
    """A subject that only some instances have gates without a "where" (D10)."""
    assert first is not None
    for rule in SUBJECT_RULES:
        match = rule.pattern.match(view.text, first.main, first.end)
        if match and not rule.every.search(context.activity):
            return _Verdict("Conditional", 0.75, match.start(), match.end())
    return None


def _by_exception(view: CriterionView, context: _Context, first: Sentence | None) -> _Verdict | None:
    """Items that spell out an exception of their chapeau ("unless:") hold only if it is used (C5)."""
    parent = context.index.parent(view.criterion_id)
    if parent and re.search(r"\bunless\b[^.;]{0,80}:\s*$", parent.text, re.IGNORECASE):
        return _Verdict("Conditional", 0.8)
    return None


Pass = Callable[[CriterionView, _Context, "Sentence | None"], "_Verdict | None"]
PASSES: tuple[Pass, ...] = (_by_place, _by_opening, _by_case, _by_words, _by_subject, _by_exception)
"""Tried in this order; a criterion that none decides is Mandatory."""

# Without a word of situation in the first sentence, annotators hardly ever see a condition.
_PLAIN_CONFIDENCE = 0.97
_UNDECIDED_CONFIDENCE = 0.85
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
    return Answer(view.criterion_id, verdict.value, verdict.confidence, evidence)


def _default(view: CriterionView, first: Sentence | None) -> _Verdict:
    doubtful = first is not None and _SITUATION_WORD.search(view.text, first.start, first.end)
    return _Verdict("Mandatory", _UNDECIDED_CONFIDENCE if doubtful else _PLAIN_CONFIDENCE)


def _verdicts(view: CriterionView, context: _Context, first: Sentence | None) -> Iterator[_Verdict]:
    return (v for v in (step(view, context, first) for step in PASSES) if v is not None)
