"""The extractions of a folder and the units of a source, for filters and search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rank_bm25 import BM25Plus

from regreact import corpus
from regreact.extractions import Found, read_extractions
from regreact.rag.tokens import tokenize
from regreact.schema import Criterion, Extraction
from regreact.sources.model import Unit

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Row:
    """A criterion with the extraction that holds it."""

    record: Extraction
    criterion: Criterion
    parent: str | None

    @property
    def units_of_measure(self) -> tuple[str, ...]:
        """Units of its quantitative thresholds."""
        threshold = self.criterion.threshold
        quantitative = threshold.quantitative if threshold else None
        return tuple(i.unit for i in quantitative.items) if quantitative else ()

    @property
    def text(self) -> str:
        """What is searched."""
        return f"{self.criterion.verbatim_text}\n{self.criterion.rule_summary}"


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions on criteria; None or "" for any. Text and unit of measure match parts, without regard to case."""

    unit: str | None = None
    document: str | None = None
    objective: str | None = None
    tag: str | None = None
    category: str | None = None
    applicability: str | None = None
    threshold_unit: str | None = None
    text: str | None = None

    def passes(self, row: Row) -> bool:
        """Return whether a criterion meets all conditions."""
        c, r = row.criterion, row.record
        equal = ((self.unit, r.unit), (self.document, r.source.document), (self.objective, r.objective),
                 (self.category, c.category), (self.applicability, c.applicability))  # fmt: skip
        if any(wanted and wanted != given for wanted, given in equal):
            return False
        if self.tag and self.tag not in c.tags:
            return False
        if self.threshold_unit and not _holds(row.units_of_measure, self.threshold_unit):
            return False
        return not self.text or self.text.casefold() in row.text.casefold()


def _holds(texts: Iterable[str], part: str) -> bool:
    return any(part.casefold() in t.casefold() for t in texts)


class Catalogue:
    """What a server has at hand, read once.

    Args:
        out: Output folder of `regreact extract`, None for none.
        source: A source as of `regreact extract`, None for none.

    Raises:
        NoUnitMatchedError: The folder holds no extraction.
        PredictionError: A file of the folder is no extraction.
        SourceError: The source cannot be read.
    """

    def __init__(self, out: Path | None = None, source: str | None = None) -> None:
        found = read_extractions(out) if out is not None else Found(())
        found.tell()
        records = found.by_path
        documents = corpus.load(source).documents if source is not None else ()
        self.extractions: dict[Key, Extraction] = {(r.source.document, r.unit): r for r in records}
        self.units: dict[Key, Unit] = {(d.document, u.key): u for d in documents for u in d.units}

    @property
    def keys(self) -> list[Key]:
        """Document and key of all units, extracted or not."""
        return list(dict.fromkeys([*self.extractions, *self.units]))

    def matching(self, unit: str, document: str | None = None) -> list[Key]:
        """Return the units of a key, one a document."""
        return [k for k in self.keys if k[1] == unit and document in (None, k[0])]

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """All criteria, ROOT left out, in the order of the files and of the text."""
        return tuple(row for r in self.extractions.values() for row in _rows(r))

    @cached_property
    def _index(self) -> tuple[BM25Plus, list[frozenset[str]]]:
        words = [tokenize(f"{row.record.activity} {row.text}") for row in self.rows]
        return BM25Plus(words), [frozenset(w) for w in words]

    def search(self, query: str, limit: int) -> list[tuple[float, Row]]:
        """Return the criteria that fit a query best, with their BM25 scores; each shares a word with it."""
        words = tokenize(query)
        if not words or not self.rows:
            return []
        index, present = self._index
        scores: Sequence[float] = index.get_scores(words)
        wanted = frozenset(words)
        # BM25Plus gives a positive score to texts that share no word.
        found = [(float(s), row) for s, row, has in zip(scores, self.rows, present, strict=True) if has & wanted]
        found.sort(key=lambda pair: -pair[0])
        return found[:limit]


def _rows(record: Extraction) -> Iterator[Row]:
    parents = {c.criterion_id: n.criterion_id for n in record.criteria.walk() for c in n.sub_criteria}
    for node in record.criteria.walk():
        if node.criterion_id != "ROOT":
            yield Row(record, node, parents.get(node.criterion_id))
