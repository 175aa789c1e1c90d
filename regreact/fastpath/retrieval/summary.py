"""Fast path of `SummarisePassages`: the statements that matter for the criterion, as printed.

Of a cited provision under 300 words nothing with a number or date is left out; of longer texts the statements closest
to the criterion come first, within a budget of words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from regreact.answers import Answer, solver
from regreact.fastpath.retrieval.evaluation import evaluate_passages
from regreact.fastpath.retrieval.limits import threshold_phrases
from regreact.fastpath.retrieval.needs import Needs, needs_of
from regreact.fastpath.retrieval.statements import Statement, statements
from regreact.fastpath.retrieval.words import stems
from regreact.legal.mentions import find_mentions, is_within, names_part_of
from regreact.legal.place_names import place_name
from signatures.passages import CitedSource, Located, PassageView, SourceSummary

# Subject words that a statement must share, where any does, to bear on the criterion.
_SHARED = 2
# A provision below this is reported with all its numbers and dates.
SHORT = 300
# Budgets in words. A quote is below 100 words (D.18), a fact as well.
_SUMMARY, _FACTS, QUOTE = 130, 350, 100
_QUOTES = 3
_WEIGHT = {"value": 1.5, "duty": 1.4, "exception": 1.3, "definition": 1.2, "condition": 1.1, "guidance": 0.8, "other": 0.7}
_FACT_KINDS = frozenset({"value", "duty", "exception", "definition", "condition"})
_NOTHING = "The passages of {} state nothing on the subject of the criterion."


@solver("SummarisePassages")
def summarise_passages(
    criterion: str, reference: CitedSource, passages: Sequence[PassageView]
) -> list[Answer[SourceSummary]]:
    """Return a summary made of statements of the passages, with key facts, thresholds and quotes.

    Its confidence is that of the passages (`evaluate_passages`).
    """
    needs = needs_of(criterion, reference)
    evaluation = evaluate_passages(criterion, reference, passages)[0].value
    found = _bearing(needs, statements(passages))
    if not found:
        empty = SourceSummary(summary=_NOTHING.format(reference.text))
        return [Answer("", empty, 1.0, rule="no passage")]
    scores = _scores(needs, found, {p.id: p.context for p in passages}, criterion)
    full = _must_be_full(needs, found)
    ranked = sorted(found, key=lambda s: (-scores[s.order], s.order))
    chosen = _within(ranked, _SUMMARY)
    left = [s for s in ranked if s not in chosen]
    facts = _facts(left, full)
    told = [s for s in found if s in chosen or s in facts]
    value = SourceSummary(
        summary=_told(chosen),
        key_facts=tuple(_located(facts)),
        thresholds=tuple(_thresholds(told)),
        quotes=tuple(_quotes(ranked)),
        confidence=evaluation.confidence,
    )
    return [Answer("", value, evaluation.confidence, rule="extractive")]


def _scores(
    needs: Needs, found: Sequence[Statement], contexts: dict[str, str], criterion: str
) -> dict[int, float]:
    """Return how close each statement is to the criterion: shared words, rare ones more, and what it does.

    Statements of cited provisions come before all others; those that gather words by length alone do not gain.
    """
    words = {s.order: Counter(stems(s.full)) for s in found}
    frequency = Counter(w for own in words.values() for w in own)
    wanted = needs.subject | {w for t in needs.terms for w in stems(t)}
    numbers = {m.key for m in find_mentions(criterion) if m.kind == "number" and not m.word}
    scores = {}
    for s in found:
        own = words[s.order]
        shared = sum(math.log(1 + len(found) / frequency[w]) for w in wanted if w in own)
        heading = 0.3 * len(wanted & frozenset(stems(contexts.get(s.passage, ""))))
        same = sum(m.key in numbers for m in find_mentions(s.text) if m.kind == "number")
        base = (shared + heading + same) / math.sqrt(1 + sum(own.values()) / 20)
        score = (base + 0.2) * _WEIGHT[s.kind]
        scores[s.order] = score + (100.0 if _cited(needs, s) else 0.0)
    return scores


def _bearing(needs: Needs, found: Sequence[Statement]) -> list[Statement]:
    """Return the statements that bear on the criterion.

    Where provisions are cited and at hand, these are theirs, and exceptions of the same article that name them; else
    those with words of the subject. If none has any, all are returned: the source is cited for something.
    """
    kept = [s for s in found if _cited(needs, s)]
    if kept:
        kept = [s for s in found if s in kept or excepts(needs, s)]
    else:
        shared = {s.order: len(needs.subject & frozenset(stems(s.full))) for s in found}
        most = max(shared.values(), default=0)
        kept = [s for s in found if shared[s.order] >= min(_SHARED, most)]
    return [replace(s, order=n) for n, s in enumerate(kept or found)]


def excepts(needs: Needs, statement: Statement) -> bool:
    """True for an exception from a cited provision: "Paragraph 2 does not apply to …" in its article."""
    if statement.kind != "exception":
        return False
    near = [p for p in needs.places if p.partition("/")[0] == statement.address.partition("/")[0]]
    named = [m.key for m in find_mentions(statement.text) if m.kind == "place"]
    return any(names_part_of(n, p) for n in named for p in near)


def _cited(needs: Needs, statement: Statement) -> bool:
    return any(is_within(statement.address, place) for place in needs.places)


def _must_be_full(needs: Needs, found: Sequence[Statement]) -> set[int]:
    """Return the statements of cited provisions that are short enough to be reported with all their numbers."""
    full: set[int] = set()
    for place in needs.places:
        own = [s for s in found if is_within(s.address, place)]
        if sum(_length(s) for s in own) < SHORT:
            full.update(s.order for s in own if _has_number(s))
    return full


def _has_number(statement: Statement) -> bool:
    return bool(re.search(r"\d", statement.text)) or bool(find_mentions(statement.text))


def _length(statement: Statement) -> int:
    return len(statement.text.split())


def _within(ranked: Sequence[Statement], budget: int) -> list[Statement]:
    """Return the best statements that fit a budget of words, at least one if it can be cut, in document order.

    A chapeau alone says nothing: it counts with the items that it introduces.
    """
    chosen: list[Statement] = []
    used = 0
    for s in ranked:
        if s.text.endswith(":"):
            continue
        known = any(c.chapeau == s.chapeau for c in chosen)
        size = _length(s) + (0 if known else len(s.chapeau.split()))
        if used + size <= budget:
            chosen.append(s)
            used += size
    if not chosen:
        chosen = [s for s in ranked if not s.text.endswith(":")][:1]
    return sorted(chosen, key=lambda s: s.order)


def _facts(left: Sequence[Statement], full: set[int]) -> list[Statement]:
    """Return what key facts report: all that must be, then what binds, within the budget; in document order."""
    must = [s for s in left if s.order in full and not (s.text.endswith(":") and not _has_number(s))]
    used = sum(_length(s) for s in must)
    facts = list(must)
    for s in left:
        if s in must or s.kind not in _FACT_KINDS or s.text.endswith(":"):
            continue
        if used + _length(s) <= _FACTS:
            facts.append(s)
            used += _length(s)
    return sorted(facts, key=lambda s: s.order)


def _told(chosen: Sequence[Statement]) -> str:
    """Return statements as running text, the name of the provision in front where it changes."""
    parts: list[str] = []
    place = chapeau = None
    for s in chosen:
        outer = s.address.rpartition("/")[0] if s.chapeau else s.address
        words = _item(s) if s.chapeau and s.chapeau == chapeau else f"{s.chapeau} {_item(s)}".strip()
        name = place_name(outer)
        parts.append(f"{name}: {words}" if name and outer != place else words)
        place, chapeau = outer, s.chapeau or None
    return re.sub(r"[;,]$", ".", " ".join(parts))


def _item(statement: Statement) -> str:
    """Return a list item with its label, any other statement without."""
    return f"{statement.label} {statement.text}" if statement.chapeau and statement.label else statement.text


def _located(facts: Sequence[Statement]) -> Iterator[Located]:
    for s in facts:
        for number, piece in enumerate(_pieces(s.full)):
            yield Located(text=f"{'… ' if number else ''}{piece.rstrip(' ;,')}", address=s.address)


def _pieces(text: str) -> Iterator[str]:
    """Cut what is too long at semicolons, else at commas, else at words."""
    pending: list[str] = []
    for part in re.split(r"(?<=;)\s+|(?<=,)\s+", text):
        words = part.split()
        while len(words) >= QUOTE:
            yield " ".join([*pending, *words[: QUOTE - 1 - len(pending)]])
            words, pending = words[QUOTE - 1 - len(pending) :], []
        if len(pending) + len(words) >= QUOTE:
            yield " ".join(pending)
            pending = []
        pending.extend(words)
    if pending:
        yield " ".join(pending)


def _thresholds(told: Sequence[Statement]) -> Iterator[Located]:
    seen: set[str] = set()
    for s in told:
        for phrase in threshold_phrases(s.text, s.chapeau):
            if phrase not in seen:
                seen.add(phrase)
                yield Located(text=phrase, address=s.address)


def _quotes(ranked: Sequence[Statement]) -> Iterator[Located]:
    """Yield the best statements that bind, verbatim; one too long is left out."""
    binding = [s for s in ranked if s.kind in _FACT_KINDS and not s.row and not s.text.endswith(":") and _length(s) < QUOTE]
    for s in binding[:_QUOTES]:
        yield Located(text=s.text, address=s.address)
