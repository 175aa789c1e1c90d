"""Criteria that apply only if another one of the section is chosen, met or not met.

Follows guidelines section 8 with the placement rule of section 2, R4, D1, D2, D10, D11 and C7, and appendix D.10 of
arXiv 2604.12054. Each rule finds clauses for some criteria; the rules are asked in order and the first one that
speaks of a criterion decides for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from regreact.answers import Answer, solver
from regreact.fastpath.dependencies.conditions import condition_spans, listed, read_condition
from regreact.fastpath.dependencies.exemptions import derogations, exemptions
from regreact.fastpath.dependencies.section import Gate, Section, any_of, first_sentence, span
from regreact.fastpath.dependencies.subjects import chosen_alternatives, denied_subjects
from regreact.fastpath.dependencies.topics import content_words
from regreact.identifiers import anchor_above, anchor_type
from regreact.schema import Dependencies
from signatures.types import CriterionFacts, CriterionView, MappingEntry, UnitHeader


def cited_conditions(section: Section) -> Iterator[Gate]:
    """D.10: a sentence with a condition on other points of the section, at its head or in its course."""
    for view in section.index.criteria:
        first = first_sentence(view)
        kin = section.kin(view.criterion_id)
        for start, end in condition_spans(view.text, first) if first else ():
            cited = [c for c in section.reader.cited(view, start, end) if c.target and c.target not in kin]
            condition = read_condition(view.text, start, end, cited, section.are_alternatives)
            if condition is None:
                continue
            evidence = span(view, start, end)
            yield Gate(
                view.criterion_id, condition.clauses, condition.summary, 0.9, evidence, needed=condition.needed
            )


_NEGATED = re.compile(
    r"\b(?:not|no|cannot|neither|fails?|unable|impossible|impracticable|without|in the absence of"
    r"|un(?:available|feasible|suitable)|infeasible)\b",
    re.IGNORECASE,
)
_ANAPHOR = re.compile(r"\b(?:such|aforementioned|that|those|these|yet)\b", re.IGNORECASE)
# What stands before is named as a whole: "where this is not possible", "where the previous option is not available"
_THE_ONE_BEFORE = re.compile(
    r"\b(?:where|if|when|case) (?:this|that|these|those|the (?:former|foregoing|above))"
    r" (?:is|are|was|were|cannot|can|could|proves?|does|do|has|turns)\b"
    r"|\b(?:previous|preceding|former|foregoing|above|first) (?:points?|options?|routes?|items?|alternatives?|methods?"
    r"|measures?|solutions?|requirements?|conditions?|sources?|technique|way)\b|\b(?:to do so|be done)\b",
    re.IGNORECASE,
)
_AVAILABLE = re.compile(r"\b(?:no|not|un|insufficient\w*)\b.*\bavailable\b|\bunavailable\b", re.IGNORECASE)
# "failing that, husks"
_FAILING = re.compile(r"(?:or,? )?failing (?:that|this|which)\b", re.IGNORECASE)
_SHARED_WORDS = 2


def fallbacks(section: Section) -> Iterator[Gate]:
    """D11: an alternative for where the one before it is not possible or not yet done, without naming its point."""
    for view in section.index.criteria:
        first = first_sentence(view)
        before = _previous(section, view)
        if first is None or before is None or not section.is_alternative(view.criterion_id):
            continue
        failing = _FAILING.search(view.text, first.start, first.end)
        spans = [failing.span()] if failing else condition_spans(view.text, first)
        for start, end in spans:
            words = view.text[start:end]
            if not (failing or (_NEGATED.search(words) and _falls_back(words, before.text, start < first.main))):
                continue
            summary = f"Applies only where {before.criterion_id} is not met or not feasible."
            clauses = any_of([before.criterion_id], "Negation")
            yield Gate(view.criterion_id, clauses, summary, 0.8, span(view, start, end))


def _falls_back(words: str, before: str, opens: bool) -> bool:
    """True if a condition, which may open the sentence, is about what the alternative before asks."""
    shared = content_words(words) & content_words(before)
    tied = (opens and _ANAPHOR.search(words)) or _AVAILABLE.search(words)
    named = len(shared) >= _SHARED_WORDS or (shared and tied)
    return bool(named or _THE_ONE_BEFORE.search(words))


def _previous(section: Section, view: CriterionView) -> CriterionView | None:
    """Return the alternative before this one, anchored paragraphs passed over."""
    found = None
    for sibling in section.index.children(view.parent or ""):
        if sibling.criterion_id == view.criterion_id:
            return found
        if not anchor_above(sibling.criterion_id):
            found = sibling
    return None


_VALIDATOR = re.compile(
    r"(?:the |an? )?((?:independent )?(?:third[- ]party )?(?:certifier|verifier|auditor|certification body"
    r"|inspector))\b",
    re.IGNORECASE,
)


def validators(section: Section) -> Iterator[Gate]:
    """D1: what is asked of a validator holds where the list of validators is answered by that one."""
    for view in section.index.criteria:
        first = first_sentence(view)
        subject = _VALIDATOR.match(view.text, first.main) if first else None
        if subject is None or not anchor_above(view.criterion_id):
            continue
        for other in section.index.criteria:
            named = subject[1].lower() in other.text.lower() and other.criterion_id != view.criterion_id
            if named and section.is_alternative(other.criterion_id) and not anchor_type(other.criterion_id):
                summary = f"Applies where the verification is done under {other.criterion_id}."
                evidence = span(view, subject.start(), subject.end())
                yield Gate(view.criterion_id, any_of([other.criterion_id], "Affirmation"), summary, 0.9, evidence)
                break


def anchored_to_alternatives(section: Section) -> Iterator[Gate]:
    """Guidelines section 2 and D2: a paragraph applies with its anchor if that is, or belongs to, one of several
    alternatives, or if the paragraph names it.

    An anchor that applies to every instance gates nothing, named or not (section 8).
    """
    for view in section.index.criteria:
        anchor = anchor_above(view.criterion_id)
        if anchor is None or anchor_type(view.criterion_id) is None or anchor not in section.index.by_id:
            continue
        first = first_sentence(view)
        cited = section.reader.cited(view, first.start, first.end) if first else []
        named = [c.target for c in cited if c.target and section.is_alternative(c.target)]
        by_name = anchor in [c.target for c in cited] and section.may_not_apply(anchor)
        if not by_name and not section.belongs_to_alternative(anchor):
            continue
        targets = tuple(dict.fromkeys(named)) if anchor in named and len(set(named)) > 1 else (anchor,)
        evidence = tuple(s for c in cited if c.target in targets for s in span(view, c.point.start, c.point.end))
        yield Gate(
            view.criterion_id,
            any_of(targets, "Affirmation"),
            f"Applies only where {listed(targets)} is chosen.",
            0.92,
            evidence,
        )


_REPORTS = re.compile(r"\bon the basis of (?:the|those|these) reports\b", re.IGNORECASE)


def reports(section: Section) -> Iterator[Gate]:
    """Paper appendix B: what follows from reports applies once the verification that makes them is done."""
    for view in section.index.criteria:
        match = _REPORTS.search(view.text)
        anchor = anchor_above(view.criterion_id)
        if match is None or anchor is None or anchor_type(view.criterion_id) is not None:
            continue
        for other in section.index.criteria:
            if anchor_above(other.criterion_id) == anchor and anchor_type(other.criterion_id) == "Verification":
                summary = f"Applies once reports under {other.criterion_id} are transmitted."
                clauses = any_of([other.criterion_id], "Affirmation")
                yield Gate(view.criterion_id, clauses, summary, 0.8, span(view, *match.span()))
                break


Rule = Callable[[Section], Iterable[Gate]]
RULES: tuple[Rule, ...] = (
    exemptions,
    derogations,
    cited_conditions,
    fallbacks,
    denied_subjects,
    validators,
    anchored_to_alternatives,
    chosen_alternatives,
    reports,
)


@solver("ResolveDependencies")
def resolve_dependencies(
    *,
    unit: UnitHeader,
    criteria: Sequence[CriterionView],
    facts: Sequence[CriterionFacts],
    mappings: Sequence[MappingEntry],
    guidance: str = "",
) -> list[Answer[Dependencies | None]]:
    """Return what gates every criterion; None is an answer too.

    Args:
        unit: Not used.
        criteria: The tree, flat.
        facts: Logic and tags found before: only paragraphs on alternatives are gated by them, and only background
            exempts.
        mappings: What cited points stand for instead of what is printed.
        guidance: Not used: the rules do not change between attempts.
    """
    section = Section(criteria, facts, mappings)
    gates: dict[str, Gate] = {}
    for rule in RULES:
        for gate in rule(section):
            if gate.criterion_id in section.index.by_id and not _circular(gate, gates):
                named = replace(gate, rule=rule.__name__.replace("_", " "))
                before = gates.get(gate.criterion_id)
                gates[gate.criterion_id] = _together(before, named) if before else named
    return [_answer(view, gates.get(view.criterion_id)) for view in criteria]


# A criterion may be set aside by several paragraphs, beside what it waits for itself.
_SET_ASIDE = ("exemptions", "derogations")


def _together(gate: Gate, other: Gate) -> Gate:
    """Return a gate with what an exemption adds to it; of other rules the first that speaks of a criterion decides."""
    added = tuple(c for c in other.clauses if c.criterion_id not in gate.targets)
    whole = gate.needed == len(gate.clauses) and other.needed == len(other.clauses)
    if not added or not whole or gate.rule not in _SET_ASIDE:
        return gate
    clauses = gate.clauses + added
    rule = gate.rule if gate.rule == other.rule else f"{gate.rule} + {other.rule}"
    return replace(
        gate,
        clauses=clauses,
        needed=len(clauses),
        summary=f"{gate.summary} {other.summary}",
        confidence=min(gate.confidence, other.confidence),
        evidence=gate.evidence + other.evidence,
        rule=rule,
    )


def _circular(gate: Gate, gates: dict[str, Gate]) -> bool:
    """True if a criterion would gate itself, or one that it is gated by: an exemption does not wait for its object."""
    gated_by_it = [t for t in gate.targets if t in gates and gate.criterion_id in gates[t].targets]
    return gate.criterion_id in gate.targets or bool(gated_by_it)


def _answer(view: CriterionView, gate: Gate | None) -> Answer[Dependencies | None]:
    if gate is None:
        return Answer(view.criterion_id, None, 0.985, rule="nothing gates")
    value = Dependencies(condition_summary=gate.summary, min_conditions_to_meet=gate.needed, clauses=gate.clauses)
    return Answer(view.criterion_id, value, gate.confidence, gate.evidence, rule=gate.rule)
