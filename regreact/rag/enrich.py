"""Referenced law resolved inline: every source and footnote item of an extraction gets what it requires (section 3.6).

A citation with a place is read at its address. One without is searched for what the criterion needs. Sections of the
criteria themselves give their criterion trees. What cannot be read says why.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from regreact.config import Settings
from regreact.errors import LMCallError, RegReActError
from regreact.overlap import PARTS, overlapped
from regreact.rag.act import LegalAct
from regreact.rag.chunk import chunks, holding
from regreact.rag.cited import Citations, Reference, Slot
from regreact.rag.cited_chunks import chunk_of_place, chunks_of_criteria, introduced
from regreact.rag.encoders import make_encoder
from regreact.rag.index import Index
from regreact.rag.iterate import Found, Pair, Retrieval
from regreact.rag.library import ACTS, Library
from regreact.rag.passages import Chunk, Passage
from regreact.rag.retriever import ActRetriever, retriever
from regreact.rag.sections import UNIT, Sections, unit_key
from regreact.rag.summarise import Summariser
from regreact.remember import Recent
from regreact.schema import (
    Criterion,
    Enrichment,
    Extraction,
    Footnote,
    RetrievalRecord,
    ReviewItem,
)
from regreact.sources.model import Unit

# Provisions cited are read whole up to this length; of longer ones the parts that the criterion needs.
WHOLE_WORDS = 900
# Confidence of provisions read at the address that the citation prints, all of them found.
ADDRESS_CONFIDENCE = 0.9
# References whose answers are kept for those that say the same.
_KEPT = 4096
_PAYWALLED = "standards are sold by the body that publishes them"
_CITATION_ONLY = "cited only, nothing to be checked in it"


@dataclass(frozen=True, slots=True)
class Resolved:
    """What became of a reference.

    Attributes:
        enrichment: What is kept with it, None for what is only cited.
        found: Passages and how they were found.
        problems: Why something is missing or doubtful.
        broken: True if something is wrong with the store or the program rather than missing.
    """

    enrichment: Enrichment | None
    found: Found
    problems: tuple[str, ...] = ()
    broken: bool = False


_NOTHING = Found((), (), (), (), 0.0)


def _skipped(reason: str, status: str = "skipped", broken: bool = False) -> Resolved:
    return Resolved(Enrichment.model_validate({"status": status}), _NOTHING, (reason,), broken)


class Enricher:
    """Resolves the references of extractions; safe to share between threads.

    Args:
        settings: Settings of the run.
        library: Acts at hand.
        sections: Sections of the criteria that references lead to.
    """

    def __init__(self, settings: Settings, library: Library, sections: Sections) -> None:
        self.settings, self.library, self.sections = settings, library, sections
        self.retrieval, self.summarise = Retrieval(settings), Summariser(settings)
        own = settings.retriever
        self._encoder = make_encoder("lexical" if own.mode == "lexical" else own.encoder, own.checkpoint)
        self._retrievers: Recent[str, ActRetriever] = Recent(ACTS)
        self._known: Recent[tuple[object, ...], Resolved] = Recent(_KEPT)
        self._lock = threading.RLock()

    def enrich(self, unit: Unit, extraction: Extraction) -> Extraction:
        """Return the extraction with what its references require, and how that was found.

        Raises:
            LMCallError: The model fails for good.
        """
        references = self.references(unit, extraction.criteria)
        parts = 1 if self.settings.fastpath.mode == "only" else PARTS
        resolved = overlapped(partial(self.resolve, unit), references, parts)
        pairs = list(zip(references, resolved, strict=True))
        by_criterion: dict[str, list[tuple[Reference, Resolved]]] = {}
        for pair in pairs:
            by_criterion.setdefault(pair[0].criterion.criterion_id, []).append(pair)
        return extraction.model_copy(
            update={
                "criteria": _filled(extraction.criteria, by_criterion),
                "retrieval": tuple(record for r, done in pairs for record in _records(r, done)),
                "review": (*extraction.review, *(_review(r, p) for r, done in pairs for p in _doubts(done))),
            }
        )

    def references(self, unit: Unit, tree: Criterion) -> list[Reference]:
        """Return what the criteria of a unit cite, in document order."""
        citations = Citations(unit, self.act, self.library.others, self.sections.keys(unit.document))
        return list(citations.references(tree))

    def act(self, celex: str) -> LegalAct | None:
        """Return an act, None if it is not at hand or cannot be read."""
        try:
            return self.library.act(celex)
        except RegReActError:
            return None

    # --- what it requires ------------------------------------------------------------------------------------

    def resolve(self, unit: Unit, reference: Reference) -> Resolved:
        """Return what a reference requires with regard to its criterion.

        The same words of the same criterion text are answered once.
        """
        if not reference.fetched:
            return Resolved(None, _NOTHING, (_CITATION_ONLY, *reference.causes))
        if reference.standard:
            return _skipped(_PAYWALLED, "paywalled")
        searched = not reference.addresses
        place = (unit.activity, unit.objective, unit.section) if searched else ()
        own = (reference.criterion.verbatim_text, reference.above, reference.text, reference.celex)
        document = unit.document if any(a.startswith(UNIT) for a in reference.addresses) else ""
        key = (*own, reference.addresses, document, place)
        known = self._known.get(key)
        if known is None:
            known = self._attempt(unit, reference)
            self._known.put(key, known)
        return known

    def _attempt(self, unit: Unit, reference: Reference) -> Resolved:
        """Resolve a reference; whatever goes wrong costs this reference and no other, unless the model is gone."""
        try:
            return self._resolve(unit, reference)
        except LMCallError:
            raise
        except RegReActError as error:
            return _skipped(f"cannot be resolved: {error}", broken=True)
        except Exception as error:
            reason = f"cannot be resolved, please report: {type(error).__name__} {error}"[:300]
            return _skipped(reason, broken=True)

    def _resolve(self, unit: Unit, reference: Reference) -> Resolved:
        if any(a.startswith(UNIT) for a in reference.addresses):
            return self._of_sections(unit, reference)
        if reference.celex is None:
            return _skipped("; ".join(reference.causes) or "no act of the Union with a known CELEX id")
        try:
            act = self.library.act(reference.celex)
        except RegReActError as error:
            return _skipped(f"{reference.celex} cannot be read: {error}", broken=True)
        if act is None:
            return _skipped(f"{reference.celex} is not in the store: regreact fetch {reference.celex}")
        pair = reference.pair(unit)
        if not reference.addresses:
            return self._summarised(pair, self._search(pair, act), reference.causes)
        versions = {c.act.id for c in reference.cited if c.act is not None and c.act.id != act.id}
        told = tuple(f"read in {v}: {act.id} has no such place" for v in sorted(versions))
        return self._summarised(pair, self._read(pair, reference), (*reference.causes, *told))

    def _of_sections(self, unit: Unit, reference: Reference) -> Resolved:
        """Resolve places of the criteria themselves: the criteria there are the passages."""
        missing = [a for a in reference.addresses if not self.sections.criteria(unit.document, a)]
        made = self.section_chunks(unit, reference.addresses)
        if not made:
            return _skipped(f"{', '.join(missing)}: no document at hand holds it")
        pair = reference.pair(unit)
        found = self._selected(pair, made, complete=not missing)
        return self._summarised(pair, found, tuple(f"{a}: no document at hand holds it" for a in missing))

    def section_chunks(self, unit: Unit, addresses: Sequence[str]) -> list[Chunk]:
        """Return the criteria at places of the criteria themselves, one a chunk."""
        return [
            chunk
            for address in addresses
            for tree in self.sections.criteria(unit.document, address)
            for chunk in chunks_of_criteria(unit.document, address, self._heading(unit, address), tree)
        ]

    def _heading(self, unit: Unit, address: str) -> str:
        found = self.sections.unit(unit.document, unit_key(address))
        return f"{found.activity}, {found.section}" if found else ""

    def _read(self, pair: Pair, reference: Reference) -> Found:
        """Read the provisions cited; of long ones the parts that the criterion needs."""
        found = self._selected(pair, self.cited_chunks(reference), complete=not reference.causes)
        return replace(found, passages=introduced(reference.acts, found.passages))

    def cited_chunks(self, reference: Reference) -> list[Chunk]:
        """Return the provisions that a reference names, long ones cut as for a search."""
        places = [(c.act, p) for c in reference.cited if c.act is not None for p in c.resolution.places]
        made = [chunk_of_place(act, p) for act, p in places]
        if _words(made) <= WHOLE_WORDS:
            return made
        own = self.settings.retriever
        cut = {act.id: chunks(act, own.target_words, own.overlap_words) for act, _ in places}
        return list(dict.fromkeys(k for act, place in places for k in holding(cut[act.id], place.provision)))

    def _selected(self, pair: Pair, made: list[Chunk], complete: bool) -> Found:
        """Return cited passages as found: all of them if they are short, else those that the criterion needs."""
        if _words(made) > WHOLE_WORDS:
            found: Found = self.retrieval(pair, self._retriever_of(made))
            if not found.passages:
                found = self._all(pair, made[: self.settings.rag.passages])
        else:
            found = self._all(pair, made)
        if not complete:
            return found
        return Found(
            found.passages, found.queries, found.gaps, found.iterations, max(found.confidence, ADDRESS_CONFIDENCE)
        )

    def _retriever_of(self, made: Sequence[Chunk]) -> ActRetriever:
        own = self.settings.retriever
        return ActRetriever(Index.build(list(made), self._encoder, own.hnsw_above), own)

    def found_by(self, made: Sequence[Chunk], queries: Sequence[str]) -> list[Passage]:
        """Return what queries find among chunks, without judging it; each passage once."""
        search = self._retriever_of(made).search
        found = (p for query in queries for p in search(query, self.settings.rag.passages))
        return list({p.chunk: p for p in found}.values())

    def _all(self, pair: Pair, made: list[Chunk]) -> Found:
        passages = tuple(Passage(chunk, 1.0) for chunk in made)
        judged = self.retrieval.judge(pair, passages).value
        return Found(passages, (), judged.gaps, (), judged.confidence)

    def _search(self, pair: Pair, act: LegalAct) -> Found:
        found: Found = self.retrieval(pair, self._retriever(act))
        return replace(found, passages=introduced({act.id: act}, found.passages))

    def _retriever(self, act: LegalAct) -> ActRetriever:
        with self._lock:
            made = self._retrievers.get(act.sha256)
            if made is None:
                cache = self.library.store.folder / "derived" / "indexes"
                made = retriever(act, self.settings.retriever, encoder=self._encoder, cache=cache)
                self._retrievers.put(act.sha256, made)
            return made

    def _summarised(self, pair: Pair, found: Found, causes: tuple[str, ...]) -> Resolved:
        if not found.passages:
            return _skipped("; ".join(["nothing in the act answers the criterion", *causes]))
        summary = self.summarise(pair, found.passages)
        doubts = tuple(i.description for i in summary.issues if i.severity == "critical")
        return Resolved(summary.to_enrichment(round(found.confidence, 3)), found, (*causes, *doubts))


# --- helpers ------------------------------------------------------------------------------------------------


def _words(made: list[Chunk]) -> int:
    return sum(len(chunk.text.split()) for chunk in made)


def _records(reference: Reference, done: Resolved) -> Iterator[RetrievalRecord]:
    """Yield one record for each citation of a reference."""
    gaps = tuple(dict.fromkeys([*(str(g) for g in done.found.gaps), *done.problems]))
    cited = {c.citation.phrase: c.resolution.addresses for c in reference.cited} or {reference.text: ()}
    for phrase, addresses in cited.items():
        yield RetrievalRecord(
            criterion_id=reference.criterion.criterion_id,
            source=phrase,
            addresses=addresses or done.found.addresses,
            queries=done.found.queries,
            gaps=gaps,
            iterations=len(done.found.iterations),
            confidence=round(done.found.confidence, 3),
        )


def _filled(criterion: Criterion, done: Mapping[str, list[tuple[Reference, Resolved]]]) -> Criterion:
    """Return a criterion and all below it with the enrichments of their references."""
    update: dict[str, object] = {"sub_criteria": tuple(_filled(c, done) for c in criterion.sub_criteria)}
    own = {r.slot: d.enrichment for r, d in done.get(criterion.criterion_id, ())}
    if criterion.references and own:
        sources = enumerate(criterion.references.sources)
        filled = tuple(s.model_copy(update={"enrichment": own.get(("source", i))}) for i, s in sources)
        update["references"] = criterion.references.model_copy(update={"sources": filled})
    if criterion.footnotes and own:
        update["footnotes"] = tuple(_footnote(f, n, own) for n, f in enumerate(criterion.footnotes))
    return criterion.model_copy(update=update)


def _footnote(footnote: Footnote, number: int, own: Mapping[Slot, Enrichment | None]) -> Footnote:
    items = tuple(
        item.model_copy(update={"enrichment": own.get(("item", number, i))}) for i, item in enumerate(footnote.items)
    )
    return footnote.model_copy(update={"items": items})


def _doubts(done: Resolved) -> Iterator[str]:
    """Yield what a person should look at: a damaged act, a summary not borne out, or one that hardly answers."""
    if done.broken:
        yield from done.problems
    if done.enrichment is not None and done.enrichment.status == "retrieved":
        yield from done.problems
        if done.found.confidence < 0.5:
            yield f"what was found hardly answers the criterion (confidence {done.found.confidence:.2f})"


def _review(reference: Reference, problem: str) -> ReviewItem:
    return ReviewItem(
        criterion_id=reference.criterion.criterion_id,
        stage="retrieval",
        severity="minor",
        reason=f"{reference.phrase}: {problem}",
    )
