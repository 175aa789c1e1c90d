"""Scores of the summaries of an extraction, one line a criterion and source (paper tables 4 and 5, figure 2).

An extraction keeps addresses and queries, not passages; these are read again from the acts. Of a long provision that
was searched they are what the queries of all rounds find, of which the summary may have used a part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regreact.config import Settings
from regreact.evaluation.rag import score_summary
from regreact.extractions import extraction_files, read_extractions
from regreact.schema import Criterion, Enrichment, Extraction, RetrievalRecord

if TYPE_CHECKING:
    from regreact.rag.cited import Reference
    from regreact.rag.enrich import Enricher
    from regreact.sources.model import Document, Unit
    from signatures.passages import PassageView

# How addresses of the criteria themselves begin (`regreact.rag.sections`).
UNIT = "unit:"
SCORES = ("faithfulness", "relevance", "completeness", "coverage")


@dataclass(frozen=True, slots=True)
class PairScore:
    """One summary: where it stands, its four scores from 1 to 5, and how its passages were found.

    Attributes:
        unit: Unit key.
        criterion_id: The criterion.
        source: The source as cited.
        act: CELEX id, "" for a section of the criteria themselves.
        faithfulness: Claims that the passages bear out.
        relevance: Claims that are about the criterion.
        completeness: What matters in the passages and is told.
        coverage: What the criterion needs and is told.
        iterations: Rounds of search; 0 if the citation names the place, which is read without a search.
        confidence: Confidence of the retrieval, in [0, 1].
    """

    unit: str
    criterion_id: str
    source: str
    act: str
    faithfulness: int
    relevance: int
    completeness: int
    coverage: int
    iterations: int
    confidence: float

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


def pair_scores(folder: Path, settings: Settings, documents: Sequence[Document]) -> list[PairScore]:
    """Score every summary in a folder of extractions, in the order of files and criteria.

    Args:
        folder: Folder of extraction files.
        settings: Settings of the run that made them: store, date, language and size of chunks.
        documents: Documents that the extractions were made of.

    Raises:
        ConfigError: There is no store.
        PredictionError: A file is damaged.
    """
    from regreact.rag.setup import build_enricher  # noqa: PLC0415  heavy

    enricher = build_enricher(settings, documents)
    units = {(d.document, u.key): u for d in documents for u in d.units}
    found: list[PairScore] = []
    # Damaged files are told where the folder is scored.
    for extraction in read_extractions(folder).by_path if extraction_files(folder) else ():
        unit = units.get((extraction.source.document, extraction.unit))
        if unit is not None and extraction.retrieval:
            found += _Scorer(enricher, unit, extraction).scores()
    return found


@dataclass(frozen=True)
class _Scorer:
    """Scores the summaries of one unit."""

    enricher: Enricher
    unit: Unit
    extraction: Extraction

    @cached_property
    def records(self) -> Mapping[tuple[str, str], RetrievalRecord]:
        return {(r.criterion_id, r.source): r for r in reversed(self.extraction.retrieval)}

    def scores(self) -> Iterator[PairScore]:
        """Yield the score of each summary."""
        for reference in self.enricher.references(self.unit, self.extraction.criteria):
            enrichment = _enrichment(reference.criterion, reference.slot)
            if enrichment is not None and enrichment.status == "retrieved":
                yield from self._score(reference, enrichment)

    def _score(self, reference: Reference, enrichment: Enrichment) -> Iterator[PairScore]:
        """Yield the score of a summary; nothing if its record or its act is not at hand."""
        phrases = [c.citation.phrase for c in reference.cited] or [reference.text]
        records = [r for p in dict.fromkeys(phrases) if (r := self.records.get((reference.criterion.criterion_id, p)))]
        addresses = tuple(dict.fromkeys(a for r in records for a in r.addresses))
        queries = tuple(dict.fromkeys(q for r in records for q in r.queries))
        passages = self._passages(reference, addresses, queries)
        if not passages:
            return
        pair = reference.pair(self.unit)
        scored = score_summary(
            pair.text, pair.reference, passages, enrichment.summary or "",
            enrichment.key_facts or (), enrichment.thresholds or (),
        )  # fmt: skip
        yield PairScore(
            unit=self.unit.key,
            criterion_id=reference.criterion.criterion_id,
            source=reference.phrase,
            act="" if addresses[0].startswith(UNIT) else reference.celex or "",
            **{name: getattr(scored, name).score for name in SCORES},
            iterations=max(r.iterations for r in records),
            confidence=max(r.confidence for r in records),
        )

    def _passages(
        self, reference: Reference, addresses: Sequence[str], queries: Sequence[str]
    ) -> list[PassageView]:
        """Return what stands at addresses of an act or of the criteria; of long provisions what the queries find."""
        from regreact.rag.chunk import chunks  # noqa: PLC0415  heavy
        from regreact.rag.cited_chunks import introduced  # noqa: PLC0415
        from regreact.rag.iterate import views  # noqa: PLC0415
        from regreact.rag.passages import Passage  # noqa: PLC0415

        act = self.enricher.act(reference.celex) if reference.celex else None
        if any(a.startswith(UNIT) for a in addresses):
            found = self.enricher.section_chunks(self.unit, reference.addresses)
        elif act is None:
            found = []
        elif reference.addresses:
            found = self.enricher.cited_chunks(reference)
        else:
            own = self.enricher.settings.retriever
            cut = chunks(act, own.target_words, own.overlap_words)
            whole = [Passage(c, 1.0) for c in cut if set(c.addresses).issubset(addresses)]
            return views(introduced({act.id: act}, whole))
        passages = self.enricher.found_by(found, queries) if queries and found else [Passage(c, 1.0) for c in found]
        return views(introduced(reference.acts, passages) if reference.acts else passages)


def _enrichment(criterion: Criterion, slot: Sequence[str | int]) -> Enrichment | None:
    """Return the enrichment at a slot of `regreact.rag.cited.Reference`."""
    numbers = [n for n in slot if isinstance(n, int)]
    if slot[0] == "source":
        return criterion.references.sources[numbers[0]].enrichment if criterion.references else None
    return criterion.footnotes[numbers[0]].items[numbers[1]].enrichment
