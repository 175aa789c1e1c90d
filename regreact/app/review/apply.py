"""Corrected extractions: decisions applied to a copy, which stays valid by schema and graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from regreact.answers import LogicValue
from regreact.app.review.fields import EMPTY, InvalidValueError, with_value
from regreact.app.review.log import Decision
from regreact.app.review.queue import LOW, Item, digest, find
from regreact.app.review.verdict import OPEN, Verdict
from regreact.identifiers import anchor_of
from regreact.legal.targets import reference_target
from regreact.schema import Criterion, Edge, Extraction, FieldProvenance, ReviewItem

STAGE = "review"


@dataclass(frozen=True, slots=True)
class Note:
    """What became of the decisions on one item.

    Attributes:
        item: The item.
        result: `applied`, `confirmed`, `emptied`, `flagged`, `disputed`, `outdated`, `refused` or `open`.
        detail: Why, where that is not plain.
    """

    item: Item
    result: str
    detail: str = ""


def correct(record: Extraction, criterion_id: str, field: str, value: Any) -> Extraction:
    """Return an extraction with one corrected field, its category and edges following.

    Args:
        record: The extraction; it is not changed.
        criterion_id: The criterion.
        field: One of `fields.CORRECTABLE`.
        value: JSON data.

    Raises:
        InvalidValueError: The value does not fit the schema, or the graph of the unit would be broken by it.
    """
    node = find(record.criteria, criterion_id)
    if node is None:
        raise InvalidValueError(field, (f"{record.unit} has no criterion {criterion_id}",))
    changed = with_value(node, field, value)
    root = _replaced(record.criteria, criterion_id, changed)
    corrected = record.model_copy(update={"criteria": root, "edges": _edges(record, changed, field)})
    new = Counter(graph_problems(corrected)) - Counter(graph_problems(record))
    if new:
        raise InvalidValueError(field, tuple(new))
    return corrected


def _replaced(root: Criterion, criterion_id: str, changed: Criterion) -> Criterion:
    if root.criterion_id == criterion_id:
        return changed
    below = tuple(_replaced(c, criterion_id, changed) for c in root.sub_criteria)
    same = all(a is b for a, b in zip(below, root.sub_criteria, strict=True))
    return root if same else root.model_copy(update={"sub_criteria": below})


def _edges(record: Extraction, changed: Criterion, field: str) -> tuple[Edge, ...]:
    own = changed.criterion_id
    if field == "references":
        sources = changed.references.sources if changed.references else ()
        targets = [reference_target(s.text, s.celex_id, record.unit) for s in sources]
        new = [Edge(source=own, target=t, type="references") for t in targets if t is not None]
    elif field == "dependencies":
        clauses = changed.dependencies.clauses if changed.dependencies else ()
        new = [Edge(source=own, target=c.criterion_id, type="depends_on") for c in clauses]
    else:
        return record.edges
    kind = new[0].type if new else {"references": "references", "dependencies": "depends_on"}[field]
    kept = [e for e in record.edges if not (e.source == own and e.type == kind)]
    return (*kept, *dict.fromkeys(new))


def graph_problems(record: Extraction) -> list[str]:
    """Return what is wrong with the criterion graph of an extraction, a line each."""
    from regreact.graph import CriterionGraph  # noqa: PLC0415  heavy

    nodes = list(record.criteria.walk())
    graph = CriterionGraph(n.criterion_id for n in nodes)
    issues = graph.add(record.edges)
    logic = {n.criterion_id: LogicValue(n.evaluation_logic, n.n_required) for n in nodes}
    background = [n.criterion_id for n in nodes if "BackgroundInformation" in n.tags]
    anchored = [n.criterion_id for n in nodes if anchor_of(n.criterion_id) is not None]
    issues += graph.validate(logic, background, anchored)
    return [f"{i.item_id}: {i.description}" for i in issues]


def apply(
    record: Extraction, items: Iterable[Item], made: Mapping[str, Verdict]
) -> tuple[Extraction, list[Note]]:
    """Apply what reviewers decided on one extraction.

    What all who decided agree on is applied. Where they differ, where the extraction has changed since, and where a
    correction no longer fits, nothing is, and the item stays in `review` with the reason.

    Args:
        record: The extraction; it is not changed.
        items: Its review items.
        made: Verdicts by item id.

    Returns:
        The corrected extraction, and what became of each item.
    """
    notes: list[Note] = []
    original = {n.criterion_id: n for n in record.criteria.walk()}
    current = record
    corrected: dict[tuple[str, str], Any] = {}
    for item in items:
        verdict = made.get(item.id, OPEN)
        decision = verdict.settled
        if decision is None:
            notes.append(Note(item, verdict.status, verdict.reviewers and f"decided differently: {verdict.reviewers}"))
        elif decision.seen != digest(original.get(item.criterion_id), item.field):
            notes.append(Note(item, "outdated", "the extraction has changed since it was decided"))
        else:
            current, note = _settle(current, item, decision, corrected)
            notes.append(note)
    return _recorded(current, notes, made), notes


def _settle(
    record: Extraction, item: Item, decision: Decision, corrected: dict[tuple[str, str], Any]
) -> tuple[Extraction, Note]:
    if decision.action == "accept":
        return record, Note(item, "confirmed")
    field = decision.field if decision.action == "correct" else item.field
    if decision.action == "reject" and field not in EMPTY:
        return record, Note(item, "flagged", "rejected without another value")
    assert field is not None
    value = decision.value if decision.action == "correct" else EMPTY[field]
    place = (item.criterion_id, field)
    if corrected.get(place, value) != value:
        return record, Note(item, "refused", f"{field} was corrected otherwise under another item")
    try:
        changed = correct(record, item.criterion_id, field, value)
    except InvalidValueError as error:
        return record, Note(item, "refused", str(error))
    corrected[place] = value
    return changed, Note(item, "applied" if decision.action == "correct" else "emptied")


def _recorded(record: Extraction, notes: list[Note], made: Mapping[str, Verdict]) -> Extraction:
    """Return the extraction with provenance, remaining review items and the account of the review."""
    provenance = {i: dict(fields) for i, fields in record.provenance.items()}
    evidence = {i: dict(fields) for i, fields in record.evidence.items()}
    review: list[ReviewItem] = []
    account: list[dict[str, Any]] = []
    for note in notes:
        verdict = made.get(note.item.id, OPEN)
        if note.result in ("confirmed", "applied", "emptied"):
            _mark(provenance, evidence, note, verdict)
        else:
            kept = _kept(note, verdict)
            review.extend([kept] if kept else [])
        account += [{**d.model_dump(mode="json", exclude={"seen"}), "result": note.result} for d in verdict.decisions]
    memory = {**record.memory, STAGE: account} if account else record.memory
    update = {"provenance": provenance, "evidence": evidence, "review": tuple(review), "memory": memory}
    return Extraction.model_validate(record.model_copy(update=update).to_json())


def _mark(
    provenance: dict[str, dict[str, FieldProvenance]], evidence: dict[str, Any], note: Note, verdict: Verdict
) -> None:
    """Note in provenance that people confirmed or corrected a field.

    The schema knows rules, models and defaults as authors. A value that a person gave is a `default` whose `rule`
    tells of the review; a confirmed one keeps its author.
    """
    decision = verdict.settled
    assert decision is not None
    field = decision.field if decision.action == "correct" else note.item.field
    fields = provenance.setdefault(note.item.criterion_id, {})
    if field is None:
        return
    known = fields.get(field, FieldProvenance(answered_by="default", confidence=1.0))
    word = {"confirmed": "confirmed", "applied": "corrected", "emptied": "rejected"}[note.result]
    told = f"review: {word} by {verdict.reviewers}"
    if note.result == "confirmed":
        changed = {"confidence": 1.0, "rule": f"{known.rule}; {told}" if known.rule else told}
    else:
        changed = {"answered_by": "default", "confidence": 1.0, "rule": told}
    fields[field] = known.model_copy(update=changed)
    if note.result == "emptied":
        evidence.get(note.item.criterion_id, {}).pop(field, None)


def _kept(note: Note, verdict: Verdict) -> ReviewItem | None:
    """Return the review item that stays, None for an unsure answer that nobody has judged."""
    item = note.item
    if item.severity == LOW and note.result == "open":
        return None
    told = {
        "open": item.reason,
        "flagged": f"rejected by {verdict.reviewers}: {item.field or 'criterion'}: {item.reason}",
    }.get(note.result, f"{note.result}: {note.detail}; {item.reason}")
    severity = "major" if item.severity == LOW or note.result == "flagged" else item.severity
    return ReviewItem.model_validate(
        {
            "criterion_id": item.criterion_id,
            "stage": item.stage or STAGE,
            "severity": severity,
            "reason": told,
            "evidence": item.evidence,
        }
    )
