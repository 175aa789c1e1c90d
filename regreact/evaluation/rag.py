"""Deterministic rubric for summaries of cited law: faithfulness, relevance, completeness, coverage (appendix D.20).

Each score from 1 to 5 follows from a list of comparisons: claims against passages, claims against the criterion,
elements of the passages against the output, needs of the criterion against the output. What the appendix leaves to
judgement is decided by shared content words, by mentions (numbers, dates, acts, places) and by addresses; the constants
say how. Claims of cited provisions are to the point: the criterion made them its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from regreact.fastpath.cues import sentences
from regreact.fastpath.retrieval.evaluation import MUCH, SOME, defines, holds
from regreact.fastpath.retrieval.limits import bounds, turned
from regreact.fastpath.retrieval.needs import Needs, needs_of
from regreact.fastpath.retrieval.statements import Statement, statements
from regreact.fastpath.retrieval.summary import excepts
from regreact.fastpath.retrieval.words import subject_stems
from regreact.legal.mentions import Stated, find_mentions, is_within, unstated
from regreact.legal.place_names import place_name
from regreact.observers.retrieval import stated_in
from signatures.passages import CitedSource, PassageView

# Share of a claim's content words that passages must have: below the first it is a minor detail too much, below the
# second the claim is not theirs.
_GROUNDED, _PARTLY = 0.75, 0.5
# Share of an element's content words that one text of the output must have.
_CAPTURED = 0.5
# Words of the criterion that a claim must share to be about it; one of a short subject is enough.
_SHARED, _FEW = 2, 3
_MAJOR = frozenset({"duty", "value", "condition", "exception"})
_MINOR = frozenset({"definition", "guidance"})


@dataclass(frozen=True, slots=True)
class Comparison:
    """One line of a list of comparisons: what was looked at, the finding ("" if there is nothing to say against it)."""

    item: str
    verdict: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Scored:
    """A score from 1 to 5 and the comparisons that it follows from."""

    score: int
    comparisons: tuple[Comparison, ...] = ()


@dataclass(frozen=True, slots=True)
class RagScores:
    """The four scores of one summary."""

    faithfulness: Scored
    relevance: Scored
    completeness: Scored
    coverage: Scored

    def to_json(self) -> dict[str, Any]:
        """Return scores and comparisons as plain data."""
        return asdict(self)


def score_summary(
    criterion: str,
    reference: CitedSource,
    passages: Sequence[PassageView],
    summary: str,
    key_facts: Sequence[str],
    thresholds: Sequence[str],
) -> RagScores:
    """Score one summary.

    Args:
        criterion: Text of the criterion.
        reference: Source that it cites.
        passages: Passages that were summarised.
        summary: The summary.
        key_facts: Key facts, with or without their place in brackets.
        thresholds: Thresholds, likewise.
    """
    case = _Case(criterion, reference, tuple(passages), summary, tuple(key_facts), tuple(thresholds))
    return RagScores(_faithfulness(case), _relevance(case), _completeness(case), _coverage(case))


@dataclass(frozen=True)
class _Case:
    """What is scored, with what several scores look at."""

    criterion: str
    reference: CitedSource
    passages: tuple[PassageView, ...]
    summary: str
    key_facts: tuple[str, ...]
    thresholds: tuple[str, ...]

    @cached_property
    def needs(self) -> Needs:
        return needs_of(self.criterion, self.reference)

    @cached_property
    def subject(self) -> frozenset[str]:
        """Stems of the criterion's words, of all its sentences."""
        return subject_stems(self.criterion.replace(self.reference.text, " "))

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        return tuple(statements(self.passages))

    @cached_property
    def words(self) -> tuple[frozenset[str], ...]:
        """Stems of each statement, with its chapeau."""
        return tuple(subject_stems(s.full) for s in self.statements)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        return tuple(self.summary[a:b].strip() for a, b in sentences(self.summary) if self.summary[a:b].strip())

    @property
    def outputs(self) -> tuple[str, ...]:
        """All texts of the output, one claim each."""
        return (*self.sentences, *self.key_facts, *self.thresholds)

    def cited(self, statement: Statement) -> bool:
        """True for a statement of a cited provision or an exception from one."""
        within = any(is_within(statement.address, p) for p in self.needs.places)
        return within or excepts(self.needs, statement)

    def related(self, words: frozenset[str], subject: frozenset[str]) -> int:
        """Return 2 for words that are about a subject, 1 for some that touch it, 0 for others."""
        shared = len(words & subject)
        enough = 1 if len(subject) <= _FEW else _SHARED
        return 2 if shared >= enough else 1 if shared else 0

    def support(self, claim: str, of: Iterable[Statement]) -> float:
        """Return the share of a claim's words that come from statements which it tells, or from the closest three."""
        words = subject_stems(claim)
        orders = [s.order for s in of]
        if not words or not orders:
            return 0.0 if words else 1.0
        own = [self.words[n] for n in orders if self.words[n]]
        told = [w for w in own if len(w & words) >= 0.5 * len(w)]
        listed = set(orders)
        near = max(
            (frozenset().union(*(self.words[m] for m in (n - 1, n, n + 1) if m in listed)) for n in orders),
            key=lambda w: len(w & words),
        )
        return len(words & near.union(*told)) / len(words)


def _faithfulness(case: _Case) -> Scored:
    """Compare every claim with the passages; omission costs nothing."""
    stated = stated_in(case.passages, case.reference)
    known = bounds((s.text, s.chapeau) for s in case.statements)
    found = [_grounding(case, claim, stated, known) for claim in case.outputs]
    wrong = sum(c.verdict == "unsupported" for c in found)
    partly = sum(c.verdict == "partly" for c in found)
    if not found:
        return Scored(1)
    if wrong > len(found) / 2:
        score = 1
    elif wrong > 1:
        score = 2
    elif wrong or partly > 1:
        score = 3
    else:
        score = 4 if partly else 5
    return Scored(score, tuple(found))


def _grounding(case: _Case, claim: str, stated: Stated, known: dict[tuple[str, str], set[int]]) -> Comparison:
    foreign = unstated(claim, stated)
    if foreign:
        return Comparison(claim, "unsupported", f"{foreign[0].kind} {foreign[0].text!r} stands in no passage")
    for amount in turned(claim, known):
        return Comparison(claim, "unsupported", f"the comparison of {' '.join(amount)} is turned round")
    share = case.support(claim, case.statements)
    if share >= _GROUNDED:
        return Comparison(claim, "supported")
    return Comparison(claim, "partly" if share >= _PARTLY else "unsupported", f"{share:.0%} of its words are theirs")


def _relevance(case: _Case) -> Scored:
    """Compare every claim of summary and key facts with the criterion."""
    found = [_tier(case, claim) for claim in (*case.sentences, *case.key_facts)]
    direct = sum(c.verdict == "direct" for c in found)
    context = sum(c.verdict == "contextual" for c in found)
    off = len(found) - direct - context
    if not direct:
        score = 1
    elif off > 1 or off > len(found) / 3:
        score = 2
    elif off or context > 1:
        score = 3
    else:
        score = 4 if context else 5
    return Scored(score, tuple(found))


def _tier(case: _Case, claim: str) -> Comparison:
    # A criterion without a subject of its own ("complies with Directive …") wants whatever the act says.
    cited = [s for s in case.statements if case.cited(s) or not case.subject]
    if cited and case.support(claim, cited) >= _PARTLY:
        return Comparison(claim, "direct", "of a cited provision")
    shared = case.related(subject_stems(claim), case.subject)
    verdict = ("unrelated", "contextual", "direct")[shared]
    return Comparison(claim, verdict, ", ".join(sorted(subject_stems(claim) & case.subject)))


def _completeness(case: _Case) -> Scored:
    """Compare what matters for compliance in the passages with the output.

    Elements are the binding statements of cited provisions; without one among the passages, those that share words
    with the criterion.
    """
    told = Stated.of(case.outputs)
    texts = [subject_stems(t) for t in case.outputs]
    found = []
    for s in _elements(case):
        weight = "major" if s.kind in _MAJOR else "minor"
        missing = [m for m in find_mentions(s.text) if m.kind in ("number", "date") and not told.has(m)]
        words = subject_stems(s.text)
        share = max((len(words & t) / len(words) for t in texts), default=0.0) if words else 1.0
        if missing:
            found.append(Comparison(s.full, f"{weight} missing", f"{missing[0].text!r} is left out"))
        elif share < _CAPTURED:
            found.append(Comparison(s.full, f"{weight} missing", f"{share:.0%} of its words are told"))
        else:
            found.append(Comparison(s.full, f"{weight} captured"))
    major = sum(c.verdict == "major missing" for c in found)
    minor = sum(c.verdict == "minor missing" for c in found)
    all_major = sum(c.verdict.startswith("major") for c in found)
    if major + minor > len(found) / 2 and major >= all_major / 2:
        score = 1
    elif major > 1:
        score = 2
    elif major or minor > 1:
        score = 3
    else:
        score = 4 if minor else 5
    return Scored(score, tuple(found))


def _elements(case: _Case) -> list[Statement]:
    listed = [s for s in case.statements if s.kind in _MAJOR | _MINOR and not _only_opens(s)]
    cited = [s for s in listed if case.cited(s)]
    return cited or [s for s in listed if case.related(case.words[s.order], case.subject) == 2]


def _only_opens(statement: Statement) -> bool:
    """True for a chapeau without a number: its items tell it."""
    return statement.text.endswith(":") and not find_mentions(statement.text)


def _coverage(case: _Case) -> Scored:
    """Compare the needs of the criterion with the output."""
    primary = [*_place_needs(case), *_wanted(case)]
    told = frozenset().union(*(subject_stems(t) for t in case.outputs))
    wanted = case.needs.subject
    share = len(told & wanted) / len(wanted) if wanted else 1.0
    secondary: list[Comparison] = []
    if case.needs.places:
        secondary.append(Comparison(f"subject: {case.needs.topic}", "met" if share >= SOME else "unmet"))
    else:
        state = "met" if share >= MUCH else "partly" if share >= SOME else "unmet"
        primary.insert(0, Comparison(f"rules on: {case.needs.topic}", state, f"{share:.0%} of its words are told"))
    states = [c.verdict for c in primary]
    lost = states.count("partly") + states.count("unmet")
    unmet = sum(c.verdict == "unmet" for c in secondary)
    if not case.outputs or states.count("unmet") == len(states):
        score = 1
    elif lost > 1:
        score = 2
    elif lost or unmet > 1:
        score = 3
    else:
        score = 4 if unmet else 5
    return Scored(score, (*primary, *secondary))


def _place_needs(case: _Case) -> list[Comparison]:
    """Return whether the output tells what each cited provision says."""
    found = []
    for place in case.needs.places:
        own = [s for s in case.statements if is_within(s.address, place)]
        if not any(holds(p, place) for p in case.passages):
            found.append(Comparison(place_name(place), "unmet", "not among the passages"))
            continue
        drawn = any(case.support(claim, own) >= _GROUNDED for claim in case.outputs)
        found.append(Comparison(place_name(place), "met" if drawn else "unmet", "" if drawn else "not told"))
    return found


def _wanted(case: _Case) -> list[Comparison]:
    """Return whether values, dates and definitions that the criterion takes from the source are told."""
    mentions = [m for text in case.outputs for m in find_mentions(text)]
    found = []
    if case.needs.values:
        told = any(m.kind == "number" and m.unit for m in mentions)
        found.append(Comparison("values", "met" if told else "unmet"))
    if case.needs.dates:
        found.append(Comparison("dates", "met" if any(m.kind == "date" for m in mentions) else "unmet"))
    text = "\n".join(case.outputs)
    for term in case.needs.terms:
        told = defines(text, term)
        found.append(Comparison(f"definition of {term}", "met" if told else "unmet"))
    return found
