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
from regreact.fastpath.retrieval.limits import shortened, threshold_phrases
from regreact.fastpath.retrieval.needs import Needs, needs_of
from regreact.fastpath.retrieval.statements import Statement, statements
from regreact.fastpath.retrieval.wording import actor_of, actor_weight, is_legend, refers_back, without_markers
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
# What the explanation of a symbol counts.
_LEGEND = 0.3
# A fact that need not be told has this share of the best statement's score.
_NEAR = 0.4
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
    best = max(scores.values())
    facts = _facts([s for s in left if s.order in full or scores[s.order] >= _NEAR * best], full, chosen)
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
        score = (base + 0.2) * _WEIGHT[s.kind] * actor_weight(s.full, needs.topic) * (_LEGEND if is_legend(s.text) else 1.0)
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
    """Return the best statements that fit a budget of words, at least one, by provision and in document order.

    A chapeau alone says nothing: it counts with the items that it introduces. A sentence that refers back to one which
    is not before it cannot be read. What one item of two lists says in the same words is told once.
    """
    chosen: list[Statement] = []
    used = 0
    for s in ranked:
        if _only_opens(s) or refers_back(s.text) or any(_same(s, c) for c in chosen):
            continue
        known = any(c.chapeau == s.chapeau for c in chosen)
        size = _length(s) + (0 if known else len(s.chapeau.split()))
        if used + size <= budget:
            chosen.append(s)
            used += size
    if not chosen:
        readable = [s for s in ranked if not _only_opens(s)] or list(ranked)
        chosen = sorted(readable, key=lambda s: refers_back(s.text))[:1]
    first = {_outer(s): s.order for s in sorted(chosen, key=lambda s: -s.order)}
    return sorted(chosen, key=lambda s: (first[_outer(s)], s.order))


def _only_opens(statement: Statement) -> bool:
    return statement.text.endswith(":")


def _same(one: Statement, other: Statement) -> bool:
    return one.text.rstrip(" ;,.") == other.text.rstrip(" ;,.") and not one.row


def _facts(left: Sequence[Statement], full: set[int], chosen: Sequence[Statement]) -> list[Statement]:
    """Return what key facts report: all that must be, then what binds, within the budget; in document order.

    A chapeau is told with its items, by itself only if it has none.
    """
    introduced = " ".join(s.chapeau for s in (*left, *chosen))
    opening = {s.order for s in left if _only_opens(s) and (not _has_number(s) or s.text in introduced)}
    must = [s for s in left if s.order in full and s.order not in opening]
    used = sum(_length(s) for s in must)
    facts = list(must)
    for s in left:
        if s in must or s.kind not in _FACT_KINDS or _only_opens(s) or refers_back(s.text) or is_legend(s.text):
            continue
        if actor_of(s.full) is not None and chosen:
            continue
        if used + _length(s) <= _FACTS:
            facts.append(s)
            used += _length(s)
    facts.extend(_bearers([s for s in left if s.order in opening and s.order in full], [*facts, *chosen], left))
    return sorted(facts, key=lambda s: s.order)


def _bearers(chapeaux: Sequence[Statement], told: Sequence[Statement], left: Sequence[Statement]) -> Iterator[Statement]:
    """Yield an item for each chapeau with a number of which none is told."""
    for chapeau in chapeaux:
        if _has_number(chapeau) and not any(chapeau.text in s.chapeau for s in told):
            yield next((s for s in sorted(left, key=lambda s: s.order) if chapeau.text in s.chapeau), chapeau)


def _outer(statement: Statement) -> str:
    """Return the provision that is named in front of a statement: of an item, what holds its list."""
    if statement.chapeau and statement.address.startswith("unit:"):
        return re.sub(r"\([^()]*\)$", "", statement.address)
    head, _, last = statement.address.rpartition("/")
    return head if statement.chapeau and head and last.startswith(("pnt_", "ind_")) else statement.address


def _told(chosen: Sequence[Statement]) -> str:
    """Return statements as running text, the name of the provision in front where it changes."""
    parts: list[str] = []
    place = chapeau = None
    for s in chosen:
        outer = _outer(s)
        listed = bool(s.chapeau) and s.chapeau == chapeau and outer == place
        if parts and not listed:
            parts[-1] = _ended(parts[-1])
        words = _item(s) if listed else f"{s.chapeau} {_item(s)}".strip()
        name = place_name(outer)
        parts.append(f"{name}: {words}" if name and outer != place else words)
        place, chapeau = outer, s.chapeau or None
    return without_markers(_ended(" ".join(parts)))


def _ended(text: str) -> str:
    """Return a text with a full stop in place of the mark that led on to the next item."""
    bare = re.sub(r"(?:[;,]?\s(?:and|or)|[;,:])$", "", text.rstrip())
    return bare if bare.endswith((".", "?", "!")) else f"{bare}."


def _item(statement: Statement) -> str:
    """Return a list item with its label in brackets, any other statement without."""
    label = statement.label
    if statement.address.startswith("unit:"):
        label = statement.address.removeprefix(_outer(statement))
    return f"{label} {statement.text}" if statement.chapeau and label.startswith("(") else statement.text


def _located(facts: Sequence[Statement]) -> Iterator[Located]:
    """Yield facts, items of one list in one fact as long as it is below the length of a quote."""
    group: list[Statement] = []
    for s in facts:
        alike = group and s.chapeau and s.chapeau == group[-1].chapeau and _outer(s) == _outer(group[-1])
        if group and not (alike and sum(_length(g) + 1 for g in (*group, s)) + len(s.chapeau.split()) < QUOTE):
            yield from _fact(group)
            group = []
        group.append(s)
    if group:
        yield from _fact(group)


def _fact(group: Sequence[Statement]) -> Iterator[Located]:
    first = group[0]
    if len(group) == 1:
        long = len(first.full.split()) >= QUOTE
        text, address = f"{shortened(first.chapeau) if long else first.chapeau} {first.text}".strip(), first.address
    else:
        text, address = f"{first.chapeau} {' '.join(map(_item, group))}", _outer(first)
    for number, piece in enumerate(_pieces(without_markers(text))):
        yield Located(text=f"{'… ' if number else ''}{re.sub(_LEADS_ON, '', piece)}", address=address)


_LEADS_ON = re.compile(r"(?:[;,]?\s(?:and|or)|[ ;,])$")


def _pieces(text: str) -> Iterator[str]:
    """Cut what is too long at sentences and semicolons, else at commas outside lists of labels, else at words."""
    pending: list[str] = []
    for part in re.split(r"(?<=[;.])\s+(?=[A-Z(—])|(?<=;)\s+|(?<=,)\s+(?!\()", text):
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
        for phrase in threshold_phrases(s.text, s.chapeau, s.cells):
            words = without_markers(phrase)
            if words not in seen:
                seen.add(words)
                yield Located(text=words, address=s.address)


def _quotes(ranked: Sequence[Statement]) -> Iterator[Located]:
    """Yield the best statements that bind, verbatim; one too long is left out."""
    binding = [s for s in ranked if s.kind in _FACT_KINDS and not s.row and not s.text.endswith(":") and _length(s) < QUOTE]
    for s in binding[:_QUOTES]:
        yield Located(text=s.text, address=s.address)
