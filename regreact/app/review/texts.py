"""The source text that an extraction was made of, with the evidence marked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from regreact import corpus
from regreact.errors import SourceError
from regreact.schema import Extraction, Span
from regreact.sources import find_source, read
from regreact.sources.model import Document, Unit


@dataclass(frozen=True, slots=True)
class Passage:
    """A block of source text.

    Attributes:
        index: Its number, None where the source is not at hand and the criterion's own text stands in.
        marker: List marker.
        depth: Number of lists around it.
        own: True for the block of the criterion in question.
        parts: Its text in pieces, each with whether it is evidence.
    """

    index: int | None
    marker: str
    depth: int
    own: bool
    parts: tuple[tuple[str, bool], ...]

    @property
    def marked(self) -> bool:
        """Whether any of it is evidence."""
        return any(m for _, m in self.parts)


class SourceTexts:
    """Finds and keeps the documents that extractions were made of.

    Args:
        source: File or folder, `samples`, or None for the usual places.
    """

    def __init__(self, source: str | None = None) -> None:
        self._source = source
        self._documents: dict[str, Document | None] = {}

    def unit(self, record: Extraction) -> Unit | None:
        """Return the unit of an extraction, None if its very document is not at hand."""
        name = record.source.document
        if name not in self._documents:
            self._documents[name] = self._document(name)
        document = self._documents[name]
        if document is None or document.sha256 != record.source.sha256:
            return None
        return next((u for u in document.units if u.key == record.unit), None)

    def _document(self, name: str) -> Document | None:
        if self._source != corpus.SAMPLES:
            try:
                return read(find_source(name, Path(self._source) if self._source else None))
            except SourceError:
                if self._source is not None:
                    return None
        return next((d for d in corpus.load(corpus.SAMPLES).documents if d.document == name), None)


def passages(record: Extraction, unit: Unit | None, criterion_id: str, evidence: Iterable[Span]) -> list[Passage]:
    """Return the text of a unit with evidence marked; without its source, the text of the criteria.

    Args:
        record: The extraction.
        unit: The unit it was made of, None if that is not at hand.
        criterion_id: Criterion in question.
        evidence: What to mark.
    """
    own = next((c.verbatim_text for c in record.criteria.walk() if c.criterion_id == criterion_id), "")
    own_texts = set(own.split("\n")) - {""}
    if unit is None:
        criteria = [c for c in record.criteria.walk() if c.verbatim_text]
        return [
            Passage(None, c.criterion_id, 0, c.criterion_id == criterion_id, ((c.verbatim_text, False),))
            for c in criteria
        ]
    by_block: dict[int, list[tuple[int, int]]] = {}
    for block, start, end in evidence:
        by_block.setdefault(block, []).append((start, end))
    return [
        Passage(b.index, b.marker or "", b.depth, b.text in own_texts, split_marked(b.text, by_block.get(b.index, ())))
        for b in unit.blocks
    ]


def split_marked(text: str, spans: Iterable[tuple[int, int]]) -> tuple[tuple[str, bool], ...]:
    """Cut a text into pieces, each with whether it lies in a span.

    Example:
        >>> split_marked("below 5 %", [(6, 9)])
        (('below ', False), ('5 %', True))
    """
    parts: list[tuple[str, bool]] = []
    at = 0
    for start, end in sorted(spans):
        begin, stop = max(start, at), min(end, len(text))
        if begin >= stop:
            continue
        if begin > at:
            parts.append((text[at:begin], False))
        parts.append((text[begin:stop], True))
        at = stop
    if at < len(text) or not parts:
        parts.append((text[at:], False))
    return tuple(parts)
