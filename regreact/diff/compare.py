"""Differences of two extractions of one section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from regreact.diff.model import CriterionChange, FieldChange
from regreact.diff.pairing import Placed, pair, plain, shown_text
from regreact.phrases import date_text, limit_text, logic_text
from regreact.schema import Criterion, Dependencies, Extraction, Footnote, QuantitativeItem, ReferenceSource


def compare(a: Extraction, b: Extraction) -> tuple[CriterionChange, ...]:
    """Return the criteria that differ, in the order of B; removed ones last."""
    pairs = pair(a.criteria, b.criteria)
    new_ids = {old.id: new.id for old, new in pairs.pairs if old is not None}
    found: list[CriterionChange] = []
    for old, new in pairs.pairs:
        if old is None:
            found.append(CriterionChange("added", None, new.id, new.node.verbatim_text))
            continue
        fields = tuple(_fields(old, new, new_ids))
        if fields:
            found.append(CriterionChange("changed", old.id, new.id, new.node.verbatim_text, fields))
    found.extend(CriterionChange("removed", old.id, None, old.node.verbatim_text) for old in pairs.removed)
    return tuple(found)


def all_criteria(extraction: Extraction, change: str) -> tuple[CriterionChange, ...]:
    """Return the criteria of a section that one side lacks, ROOT aside."""
    nodes = list(extraction.criteria.walk())[1:]
    if change == "added":
        return tuple(CriterionChange("added", None, n.criterion_id, n.verbatim_text) for n in nodes)
    return tuple(CriterionChange("removed", n.criterion_id, None, n.verbatim_text) for n in nodes)


def _fields(old: Placed, new: Placed, new_ids: Mapping[str, str]) -> Iterator[FieldChange]:
    a, b = old.node, new.node
    if _moved(old, new, new_ids):
        yield FieldChange("place", _place(old), _place(new))
    if old.plain != new.plain:
        yield FieldChange("text", shown_text(a), shown_text(b))
    yield from _threshold(a, b)
    if a.applicability != b.applicability:
        yield FieldChange("applicability", a.applicability, b.applicability)
    if (a.evaluation_logic, a.n_required) != (b.evaluation_logic, b.n_required):
        yield FieldChange("logic", logic_text(a), logic_text(b))
    if a.category != b.category:
        yield FieldChange("category", a.category, b.category)
    if a.tags != b.tags:
        yield FieldChange("tags", ", ".join(a.tags), ", ".join(b.tags))
    yield from _lists("references", _cited(a), _cited(b))
    gates = _gates(a.dependencies, new_ids), _gates(b.dependencies, {})
    if gates[0] != gates[1]:
        yield FieldChange("dependencies", *gates)
    yield from _lists("footnotes", _notes(a.footnotes), _notes(b.footnotes))


def _moved(old: Placed, new: Placed, new_ids: Mapping[str, str]) -> bool:
    """Return whether a criterion moved by itself, not only along with its parent.

    Ids are built on those of their parents ("1(b)(i)" below "1(b)"): one that differs only by its parent's has not
    moved within it.
    """
    parent = new_ids.get(old.parent, old.parent) if old.parent is not None else None
    if parent != new.parent:
        return True
    return _own_part(old) != _own_part(new)


def _own_part(place: Placed) -> str:
    return place.id.removeprefix(place.parent) if place.parent is not None else place.id


def _place(place: Placed) -> str:
    return place.id if place.parent in (None, "ROOT") else f"{place.id} below {place.parent}"


def _threshold(a: Criterion, b: Criterion) -> Iterator[FieldChange]:
    """Yield limits and dates that changed; those without a counterpart are added or removed."""
    old, new = (n.threshold.quantitative if n.threshold else None for n in (a, b))
    before, after = _without_common(old.items if old else (), new.items if new else ())
    for left, right in _matched(before, after):
        yield FieldChange("threshold", limit_text(left) if left else "", limit_text(right) if right else "")
    if old and new and len(old.items) > 1 and len(new.items) > 1 and old.logic != new.logic:
        yield FieldChange("threshold", f"joined by {old.logic}", f"joined by {new.logic}")
    dates = [n.threshold.temporal.items if n.threshold and n.threshold.temporal else () for n in (a, b)]
    yield from _lists("threshold", *([(date_text(d), date_text(d)) for d in side] for side in dates))


def _without_common(
    a: Iterable[QuantitativeItem], b: Iterable[QuantitativeItem]
) -> tuple[list[QuantitativeItem], list[QuantitativeItem]]:
    before, after = list(a), list(b)
    for item in list(before):
        same = next((other for other in after if _limit_key(other) == _limit_key(item)), None)
        if same is not None:
            before.remove(item)
            after.remove(same)
    return before, after


def _limit_key(item: QuantitativeItem) -> tuple[object, ...]:
    # A metric is a phrase of the text; its wording is compared there.
    return item.operator, item.value, item.unit, item.period


def _matched(
    before: list[QuantitativeItem], after: list[QuantitativeItem]
) -> Iterator[tuple[QuantitativeItem | None, QuantitativeItem | None]]:
    """Pair limits of one metric and unit, then of one unit, then what is left in order."""
    rest = list(after)
    waiting = list(before)
    for same in (
        lambda p, q: (p.metric, p.unit) == (q.metric, q.unit),
        lambda p, q: p.unit == q.unit,
        lambda p, q: True,
    ):
        for item in list(waiting):
            partner = next((other for other in rest if same(item, other)), None)
            if partner is not None:
                waiting.remove(item)
                rest.remove(partner)
                yield item, partner
    yield from ((item, None) for item in waiting)
    yield from ((None, item) for item in rest)


def _lists(aspect: str, before: Iterable[tuple[str, str]], after: Iterable[tuple[str, str]]) -> Iterator[FieldChange]:
    """Yield what two lists of (key, text) differ in: entries of one side only, one to one as far as they go."""
    old, new = list(before), list(after)
    common = Counter(key for key, _ in old) & Counter(key for key, _ in new)
    left, right = _subtract(old, common), _subtract(new, common)
    for at in range(max(len(left), len(right))):
        was = left[at] if at < len(left) else ""
        is_now = right[at] if at < len(right) else ""
        yield FieldChange(aspect, was, is_now)  # type: ignore[arg-type]


def _subtract(entries: list[tuple[str, str]], common: Counter[str]) -> list[str]:
    left = Counter(common)
    rest = []
    for key, text in entries:
        if left[key]:
            left[key] -= 1
        else:
            rest.append(text)
    return rest


def _cited(node: Criterion) -> list[tuple[str, str]]:
    sources: tuple[ReferenceSource, ...] = node.references.sources if node.references else ()
    shown = [f"{s.text} [{s.celex_id}]" if s.celex_id else s.text for s in sources]
    return [(plain(text), text) for text in shown]


def _notes(footnotes: Iterable[Footnote]) -> list[tuple[str, str]]:
    """Return the texts of footnotes; their numbers shift with those before them."""
    return [(plain(f.verbatim), f.verbatim) for f in footnotes]


def _gates(dependencies: Dependencies | None, new_ids: Mapping[str, str]) -> str:
    """Return conditions in words, their criteria by the ids of B."""
    if dependencies is None:
        return ""
    told = [
        f"{new_ids.get(c.criterion_id, c.criterion_id)} {'met' if c.status == 'Affirmation' else 'not met'}"
        for c in dependencies.clauses
    ]
    count = dependencies.min_conditions_to_meet
    return ", ".join(told) if count >= len(told) else f"{count} of: {', '.join(told)}"
