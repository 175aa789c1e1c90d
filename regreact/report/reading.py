"""What a report is made from: extraction files, and the text of their blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from regreact.config import data_dir
from regreact.errors import SourceError, SourceNotFoundError
from regreact.schema import Criterion, Extraction
from regreact.sources import find_source, read
from regreact.sources.model import Document, Unit

# Which evidence tells a criterion's own block; the rule summary rests on all of it.
_OWN_FIELDS = ("rule_summary", "threshold", "references", "tags", "applicability", "footnotes")


@dataclass(frozen=True, slots=True)
class BlockText:
    """One block of the source: what it says and where it stands.

    Attributes:
        index: Number of the block in the unit, None if it is not known.
        text: Exact text; evidence counts its characters.
        depth: Number of lists around it.
        marker: List marker, "" outside lists.
        heading: Whether it is a heading.
    """

    index: int | None
    text: str
    depth: int = 0
    marker: str = ""
    heading: bool = False


@dataclass(frozen=True, slots=True)
class SourceText:
    """The blocks of a unit, and where they come from in words."""

    blocks: tuple[BlockText, ...]
    from_source: bool
    note: str
    footnotes: dict[str, str] = field(default_factory=dict)


class Sources:
    """Texts of source documents, each read once.

    Args:
        place: File or folder to look in; None for the usual places (`regreact.sources.find_source`) and the samples.

    Raises:
        SourceNotFoundError: `place` does not exist.
    """

    def __init__(self, place: Path | None = None) -> None:
        if place is not None and not place.exists() and str(place) != "samples":
            raise SourceNotFoundError(place, "no such file or folder", "check --source")
        samples = data_dir("samples")
        self._places = (samples,) if str(place) == "samples" else (place,) if place else (None, samples)
        self._read: dict[str, Document | None] = {}

    def text_of(self, extraction: Extraction) -> SourceText:
        """Return the blocks of a unit from its source, or from its criteria where that is not at hand."""
        document = self._document(extraction.source.document)
        if document is None:
            return rebuilt(extraction, "the source document was not found")
        if document.sha256 != extraction.source.sha256:
            return rebuilt(extraction, "the source document at hand is not the one the criteria were extracted from")
        unit = next((u for u in document.units if u.key == extraction.unit), None)
        if unit is None:
            return rebuilt(extraction, "the source document at hand does not hold this unit")
        return _of_unit(unit)

    def _document(self, name: str) -> Document | None:
        if name not in self._read:
            self._read[name] = next((d for place in self._places if (d := _found(name, place))), None)
        return self._read[name]


def _found(name: str, place: Path | None) -> Document | None:
    try:
        return read(find_source(name, place))
    except SourceError:
        return None


def _of_unit(unit: Unit) -> SourceText:
    blocks = tuple(BlockText(b.index, b.text, b.depth, b.marker or "", b.heading) for b in unit.blocks)
    return SourceText(blocks, True, "Text of the source document.", dict(unit.footnotes))


def rebuilt(extraction: Extraction, why: str) -> SourceText:
    """Return the blocks that the criteria themselves carry as verbatim text."""
    known: dict[int, BlockText] = {}
    placeless: list[BlockText] = []
    for criterion, depth in with_depth(extraction.criteria):
        text = criterion.verbatim_text
        if not text:
            continue
        index = own_block(criterion, extraction)
        block = BlockText(index, text, max(0, depth - 1))
        if index is None:
            placeless.append(block)
        else:
            known.setdefault(index, block)
    blocks = (*(known[i] for i in sorted(known)), *placeless)
    note = f"Text put together from the criteria, because {why}; blocks without a criterion are missing."
    return SourceText(blocks, False, note)


def own_block(criterion: Criterion, extraction: Extraction) -> int | None:
    """Return the block that a criterion comes from, by its evidence; None if nothing tells.

    The identifier's evidence is left aside: it may stand in the block that introduces the list.
    """
    if not criterion.verbatim_text:
        return None
    evidence = extraction.evidence.get(criterion.criterion_id, {})
    for name in _OWN_FIELDS:
        inside = [b for b, _, end in evidence.get(name, ()) if end <= len(criterion.verbatim_text) + 1]
        if inside:
            return Counter(inside).most_common(1)[0][0]
    return None


def with_depth(root: Criterion) -> Iterator[tuple[Criterion, int]]:
    """Yield every criterion with its depth (0 for ROOT), in document order."""
    stack = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        yield node, depth
        stack.extend((child, depth + 1) for child in reversed(node.sub_criteria))
