"""Fast path of `EvaluatePassages`: the rubric of appendix D.16 by addresses, terms, values, dates and definitions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from regreact.answers import Answer, solver
from regreact.fastpath.retrieval.needs import Needs, needs_of
from regreact.fastpath.retrieval.statements import Statement, statements
from regreact.fastpath.retrieval.wording import actor_weight, is_legend
from regreact.fastpath.retrieval.words import stems
from regreact.legal.mentions import find_mentions, is_within
from regreact.legal.place_names import place_name
from signatures.passages import CitedSource, Evaluation, Gap, PassageView

# Bands of the rubric: the rule itself, on the subject, the right act, nothing.
RULE, SUBJECT, ACT = 0.9, 0.7, 0.5
_WIDTH = 0.19
# Without a cited place: a duty that shares the subject words.
_SHARED = 0.8
# Share of the criterion's subject words that one passage has, from which they state the rule, or are on the subject.
# A criterion speaks of its activity too, of which the act knows nothing: half is much.
MUCH, SOME = 0.5, 0.25
# A passage helps if it has this share of the subject words that any passage has.
_HELPS = 0.4
# A statement of the rule shares at least so many subject words, or all of a short subject.
_RULE_WORDS = 3
_BINDING = frozenset({"duty", "value", "condition", "exception", "definition"})


@dataclass(frozen=True, slots=True)
class _Found:
    """What the passages hold of the needs: shares of the subject words in a passage and in a statement that binds."""

    coverage: float
    stated: float
    places: tuple[str, ...]
    missing: tuple[str, ...]
    binding: bool
    gaps: tuple[Gap, ...]


@solver("EvaluatePassages")
def evaluate_passages(
    criterion: str, reference: CitedSource, passages: Sequence[PassageView]
) -> list[Answer[Evaluation]]:
    """Return confidence, relevant passages and gaps.

    Cited provisions among the passages decide first; else the share of the criterion's subject words does. What the
    criterion wants besides (a value, a date, a definition) and the passages lack keeps the confidence below 0.9.
    """
    needs = needs_of(criterion, reference)
    if not passages:
        gaps = (*(_place_gap(p) for p in needs.places), *_subject_gap(needs, 0.0))
        return [Answer("", Evaluation(confidence=0.0, gaps=gaps), 1.0, rule="no passage")]
    relevant = _relevant(needs, passages)
    used = [p for p in passages if p.id in relevant] or list(passages)
    found = _look(needs, statements(used), used)
    value = Evaluation(confidence=round(_confidence(needs, found), 3), relevant=tuple(relevant), gaps=found.gaps)
    return [Answer("", value, 0.8, rule="rubric of appendix D.16")]


def holds(passage: PassageView, place: str) -> bool:
    """True if a passage holds a provision or a part of it."""
    return any(is_within(a, place) for a in passage.addresses)


def _relevant(needs: Needs, passages: Sequence[PassageView]) -> list[str]:
    """Return the ids of passages that help: those of cited places first, then by shared subject words."""
    shares = {p.id: len(needs.subject & frozenset(stems(f"{p.context} {p.text}"))) for p in passages}
    most = max(shares.values())
    cited = {p.id for p in passages if any(holds(p, place) for place in needs.places)}
    helping = [p.id for p in passages if p.id in cited or (shares[p.id] >= _HELPS * most and (most or not needs.subject))]
    return sorted(helping, key=lambda i: (i not in cited, -shares[i]))


def _look(needs: Needs, found: Sequence[Statement], passages: Sequence[PassageView]) -> _Found:
    text = "\n".join(f"{p.context}\n{p.text}" for p in passages)
    # The words must come together: any act has most of them somewhere.
    most = max(len(needs.subject & frozenset(stems(f"{p.context} {p.text}"))) for p in passages)
    # A criterion without a subject of its own wants the act as a whole, of which passages are a part.
    coverage = most / len(needs.subject) if needs.subject else SOME
    places = tuple(c for c in needs.places if any(holds(p, c) for p in passages))
    missing = tuple(c for c in needs.places if c not in places)
    gaps = [_place_gap(c) for c in missing]
    wanted = needs.topic or "the subject"
    if needs.values and not any(_has_value(s) for s in found):
        gaps.append(Gap(kind="threshold", wanted=wanted))
    if needs.dates and not any(m.kind == "date" for s in found for m in find_mentions(s.text)):
        gaps.append(Gap(kind="date", wanted=wanted))
    gaps.extend(Gap(kind="definition", wanted=t) for t in needs.terms if not defines(text, t))
    if not places:
        gaps.extend(_subject_gap(needs, coverage))
    binding = any(s.kind in _BINDING for s in found)
    defined = bool(needs.terms) and not any(g.kind == "definition" for g in gaps)
    stated = coverage if defined else _stated(needs, found, passages)
    return _Found(coverage, stated, places, missing, binding, tuple(gaps))


def _stated(needs: Needs, found: Sequence[Statement], passages: Sequence[PassageView]) -> float:
    """Return the largest share of the subject words that one binding statement has with the headings above it.

    Words that lie in several sentences of a passage are a subject; only a sentence is a rule. One that binds a public
    body is none for an operator, and of few shared words any act has some.
    """
    contexts = {p.id: frozenset(stems(p.context)) for p in passages}
    best = 0.0
    for s in found:
        if s.kind not in _BINDING or is_legend(s.text) or actor_weight(s.full, needs.topic) < 1:
            continue
        shared = needs.subject & (frozenset(stems(s.full)) | contexts[s.passage])
        if len(shared) >= min(_RULE_WORDS, len(needs.subject)):
            best = max(best, len(shared) / len(needs.subject)) if needs.subject else best
    return best


def _has_value(statement: Statement) -> bool:
    return any(m.kind == "number" and (m.unit or not m.word) for m in find_mentions(statement.text))


def defines(text: str, term: str) -> bool:
    """True if a text says what a term means; the term may be a part of the defined one or hold it.

    Example:
        >>> defines("(3) ‘brine well’ means a well for brine;", "brine wells")
        True
    """
    wanted = frozenset(stems(term))
    for match in re.finditer(r"[‘“'\"]([^’”'\"\n]{2,80})[’”'\"][^.;:\n]{0,40}?\bmeans?\b", text):
        defined = frozenset(stems(match[1]))
        if defined and wanted and (defined <= wanted or wanted <= defined):
            return True
    return False


def _place_gap(place: str) -> Gap:
    return Gap(kind="provision", wanted=place_name(place))


def _subject_gap(needs: Needs, coverage: float) -> list[Gap]:
    return [Gap(kind="subject", wanted=needs.topic)] if coverage < MUCH and needs.subject else []


def _confidence(needs: Needs, found: _Found) -> float:
    lacking = any(g.kind in ("threshold", "date", "definition") for g in found.gaps)
    if needs.places and not found.missing and found.binding and not lacking:
        return RULE + 0.08 * found.coverage
    if found.places:
        held = len(found.places) / len(needs.places)
        return SUBJECT + _WIDTH * held * (0.5 if lacking or not found.binding else 1.0)
    return min(_by_subject(needs, found, lacking), SUBJECT + _WIDTH if needs.places else 1.0)


def _by_subject(needs: Needs, found: _Found, lacking: bool) -> float:
    if found.stated >= MUCH and not lacking:
        if needs.values or needs.dates or needs.terms:
            return RULE + 0.16 * (found.stated - MUCH)
        # Shared words alone do not prove that it is the rule meant.
        return _SHARED + (RULE - 0.01 - _SHARED) * (found.stated - MUCH) / (1 - MUCH)
    if found.coverage >= SOME:
        return SUBJECT + _WIDTH * (found.coverage - SOME) * (1.0 if found.binding else 0.5)
    if found.coverage > 0:
        return ACT + _WIDTH * found.coverage / SOME
    return 0.3
