"""Criteria that apply only if another one of the section is chosen, met or not met.

Follows guidelines section 8 with the placement rule of section 2, R4, D1, D2, D10, D11 and C7, and appendix D.10 of
arXiv 2604.12054. Each rule finds clauses for some criteria; the rules are asked in order and the first one that
speaks of a criterion decides for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from regreact.answers import Answer, solver
from regreact.fastpath.dependencies.exemptions import derogations, exemptions
from regreact.fastpath.dependencies.points import Cited
from regreact.fastpath.dependencies.section import Gate, Section, first_sentence, listed, span
from regreact.fastpath.dependencies.topics import content_words
from regreact.fastpath.wording import Sentence
from regreact.identifiers import anchor_above, anchor_type
from regreact.schema import Clause, ClauseStatus, Dependencies
from signatures.types import CriterionFacts, CriterionView, MappingEntry, UnitHeader

_NEGATED = re.compile(
    r"\b(?:not|no|cannot|neither|fails?|unable|impossible|without|in the absence of|un(?:available|feasible))\b",
    re.IGNORECASE,
)
# A point named for what it defines, or for what was found out under it, does not gate (C7).
_ONLY_NAMED = re.compile(r"\b(?:defined|listed|assessed|identified|mentioned|purposes?)\b[^.;,]{0,30}$", re.IGNORECASE)


def cited_conditions(section: Section) -> Iterator[Gate]:
    """D.10: a sentence that opens with a condition on another point of the section."""
    for view in section.index.criteria:
        first = first_sentence(view)
        for opening in first.gates if first else ():
            cited = [
                c
                for c in section.reader.cited(view, opening.start, opening.end)
                if c.target and not _ONLY_NAMED.search(view.text[opening.start : c.point.start])
            ]
            targets = tuple(c.target for c in cited if c.target and c.target != view.criterion_id)
            if not targets:
                continue
            negated = _NEGATED.search(view.text, opening.start, opening.end)
            status: ClauseStatus = "Negation" if negated else "Affirmation"
            how = "is not met or not feasible" if negated else "is met or chosen"
            summary = f"Applies only where {listed(targets)} {how}."
            evidence = span(view, opening.start, opening.end)
            yield Gate(view.criterion_id, targets, status, summary, 0.9, evidence)


_ANAPHOR = re.compile(r"\b(?:such|aforementioned|that|those|these|yet)\b", re.IGNORECASE)
_SHARED_WORDS = 2


def fallbacks(section: Section) -> Iterator[Gate]:
    """D11: an alternative for where the one before it is not possible or not yet done, without naming its point."""
    for view in section.index.criteria:
        first = first_sentence(view)
        if first is None or not first.gates or not section.is_alternative(view.criterion_id):
            continue
        gate = first.gates[0]
        words = view.text[gate.start : gate.end]
        before = _previous(section, view)
        if before is None or not _NEGATED.search(words):
            continue
        shared = content_words(words) & content_words(before.text)
        if len(shared) >= _SHARED_WORDS or (shared and _ANAPHOR.search(words)):
            summary = f"Applies only where {before.criterion_id} is not met or not feasible."
            evidence = span(view, gate.start, gate.end)
            yield Gate(view.criterion_id, (before.criterion_id,), "Negation", summary, 0.8, evidence)


def _previous(section: Section, view: CriterionView) -> CriterionView | None:
    """Return the alternative before this one, anchored paragraphs passed over."""
    found = None
    for sibling in section.index.children(view.parent or ""):
        if sibling.criterion_id == view.criterion_id:
            return found
        if not anchor_above(sibling.criterion_id):
            found = sibling
    return None


_ASSET = re.compile(
    r"\b(?:aircrafts?|vessels?|ships?|ferr(?:y|ies)|vehicles?|buildings?|facilit(?:y|ies)|plants?|installations?"
    r"|products?|systems?"
    r"|equipment|infrastructure|activit(?:y|ies))\b(?: (?:referred to|covered|meant|listed|complying"
    r"|compliant))?(?: with| under| in| by)*\s*$",
    re.IGNORECASE,
)


def chosen_alternatives(section: Section) -> Iterator[Gate]:
    """D2: a duty for those instances that use one of the named alternatives."""
    for view in section.index.criteria:
        first = first_sentence(view)
        if first is None or anchor_above(view.criterion_id):
            continue
        cited = section.reader.cited(view, first.main, first.end)
        named = _leading(view, first, cited)
        targets = tuple(c.target for c in named if c.target and section.is_alternative(c.target))
        if targets and view.criterion_id not in targets and len(targets) == len(named):
            summary = f"Applies only where {listed(targets)} is chosen."
            evidence = span(view, named[0].point.start, named[-1].point.end)
            yield Gate(view.criterion_id, targets, "Affirmation", summary, 0.85, evidence)


def _leading(view: CriterionView, first: Sentence, cited: list[Cited]) -> list[Cited]:
    """Return the points that qualify the asset which the sentence is about."""
    if not cited or not _ASSET.search(view.text[first.main : cited[0].point.start]):
        return []
    group = [cited[0]]
    for point in cited[1:]:
        if point.point.start - group[-1].point.end > len(" and point "):
            break
        group.append(point)
    return group


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
                yield Gate(view.criterion_id, (other.criterion_id,), "Affirmation", summary, 0.9, evidence)
                break


def anchored_to_alternatives(section: Section) -> Iterator[Gate]:
    """Guidelines section 2 and D2: a paragraph applies with its anchor if that is, or belongs to, one of several
    alternatives, or if the paragraph names it."""
    for view in section.index.criteria:
        anchor = anchor_above(view.criterion_id)
        if anchor is None or anchor_type(view.criterion_id) is None or anchor not in section.index.by_id:
            continue
        first = first_sentence(view)
        cited = section.reader.cited(view, first.start, first.end) if first else []
        named = [c.target for c in cited if c.target and section.is_alternative(c.target)]
        if not section.belongs_to_alternative(anchor) and anchor not in [c.target for c in cited]:
            continue
        targets = tuple(dict.fromkeys(named)) if anchor in named and len(set(named)) > 1 else (anchor,)
        evidence = tuple(s for c in cited if c.target in targets for s in span(view, c.point.start, c.point.end))
        yield Gate(
            view.criterion_id,
            targets,
            "Affirmation",
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
                yield Gate(
                    view.criterion_id, (other.criterion_id,), "Affirmation", summary, 0.8, span(view, *match.span())
                )
                break


Rule = Callable[[Section], Iterable[Gate]]
RULES: tuple[Rule, ...] = (
    exemptions,
    derogations,
    cited_conditions,
    fallbacks,
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
                gates.setdefault(gate.criterion_id, gate)
    return [_answer(view, gates.get(view.criterion_id)) for view in criteria]


def _circular(gate: Gate, gates: dict[str, Gate]) -> bool:
    """True if a criterion would gate itself, or one that it is gated by: an exemption does not wait for its object."""
    gated_by_it = [t for t in gate.targets if t in gates and gate.criterion_id in gates[t].targets]
    return gate.criterion_id in gate.targets or bool(gated_by_it)


def _answer(view: CriterionView, gate: Gate | None) -> Answer[Dependencies | None]:
    if gate is None:
        return Answer(view.criterion_id, None, 0.96)
    clauses = tuple(Clause(criterion_id=t, status=gate.status) for t in gate.targets)
    value = Dependencies(condition_summary=gate.summary, min_conditions_to_meet=1, clauses=clauses)
    return Answer(view.criterion_id, value, gate.confidence, gate.evidence)
