"""What became of the references of a folder of extractions, and why some are not resolved."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from regreact.schema import Criterion, Enrichment, Extraction, RetrievalRecord

CITATION_ONLY = "citation only"
_STATES = ("retrieved", "paywalled", "skipped", CITATION_ONLY, "not asked for")


@dataclass(frozen=True, slots=True)
class ReferenceLine:
    """One source of a criterion, or one item of its footnotes.

    Attributes:
        document: Source document.
        unit: Unit key.
        criterion_id: The criterion.
        footnote: Id of the footnote, "" for a source of the criterion itself.
        text: The citation, or the item's title.
        celex_id: CELEX id, None if there is none.
        state: `retrieved`, `paywalled`, `skipped`, `citation only`, or `not asked for` (extracted with `rag=off`).
        reason: Why it is not retrieved, "" if it is.
        addresses: Places it means.
        confidence: Of what was retrieved, None otherwise.
    """

    document: str
    unit: str
    criterion_id: str
    footnote: str
    text: str
    celex_id: str | None
    state: str
    reason: str
    addresses: tuple[str, ...]
    confidence: float | None


def lines_of(extraction: Extraction) -> Iterator[ReferenceLine]:
    """Yield the references of one extraction, in document order."""
    records: dict[str, list[RetrievalRecord]] = {}
    for r in extraction.retrieval:
        records.setdefault(r.criterion_id, []).append(r)
    for criterion in extraction.criteria.walk():
        own = records.get(criterion.criterion_id, [])
        for footnote, text, celex_id, fetched, enrichment in _cited(criterion):
            record = _record(own, text, last=bool(footnote))
            yield ReferenceLine(
                document=extraction.source.document,
                unit=extraction.unit,
                criterion_id=criterion.criterion_id,
                footnote=footnote,
                text=text,
                celex_id=celex_id,
                state=_state(fetched, enrichment),
                reason=_reason(enrichment, record),
                addresses=record.addresses if record else (),
                confidence=enrichment.confidence if enrichment else None,
            )


def _cited(criterion: Criterion) -> Iterator[tuple[str, str, str | None, bool, Enrichment | None]]:
    for s in criterion.references.sources if criterion.references else ():
        yield "", s.text, s.celex_id, s.type == "must_be_fetched", s.enrichment
    for footnote in criterion.footnotes:
        for i in footnote.items:
            yield footnote.id, i.title, i.celex_id, i.type == "must_be_fetched", i.enrichment


def _record(records: Iterable[RetrievalRecord], text: str, last: bool) -> RetrievalRecord | None:
    """Return the record of a reference; those of footnotes stand behind those of the criterion."""
    known = list(records)
    same = [r for r in known if r.source == text] or [r for r in known if text in r.source]
    return same[-1 if last else 0] if same else None


def _state(fetched: bool, enrichment: Enrichment | None) -> str:
    if enrichment is not None:
        return enrichment.status
    return "not asked for" if fetched else CITATION_ONLY


def _reason(enrichment: Enrichment | None, record: RetrievalRecord | None) -> str:
    if enrichment is None or enrichment.status == "retrieved" or record is None:
        return ""
    return "; ".join(record.gaps)


def render(lines: list[ReferenceLine]) -> str:
    """Return counts by state, what is not resolved by reason, and the command that gets what is missing."""
    counts = Counter(line.state for line in lines)
    parts = [f"{counts[s]} {s}" for s in _STATES if counts[s]]
    told = [f"{len(lines)} references: {', '.join(parts) or 'none'}"]
    by_reason: dict[str, list[ReferenceLine]] = {}
    for line in lines:
        if line.reason:
            by_reason.setdefault(line.reason, []).append(line)
    for reason, affected in sorted(by_reason.items(), key=lambda pair: -len(pair[1])):
        first = affected[0]
        told.append(f"{len(affected):5d}  {reason}   (first: {first.unit} {first.criterion_id}: {first.text})")
    absent = [x.celex_id for x in lines if x.state == "skipped" and "regreact fetch" in x.reason]
    missing = sorted({celex for celex in absent if celex})
    if missing:
        told.append(f"next: regreact fetch {' '.join(missing)}")
    if counts["not asked for"]:
        told.append("next: regreact extract … --set rag=on   (what references require is resolved then)")
    return "\n".join(told)


def to_json(lines: Iterable[ReferenceLine]) -> str:
    """Return one JSON object a reference, a line each."""
    return "\n".join(json.dumps(asdict(line), ensure_ascii=False) for line in lines)
