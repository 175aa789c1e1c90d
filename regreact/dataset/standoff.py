"""Text by reference: which block a criterion is, digests of texts, and trees without official text."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TypeVar

from regreact.schema import (
    Criterion,
    Definition,
    Dependencies,
    Enrichment,
    Footnote,
    FootnoteItem,
    References,
    ReferenceSource,
    Span,
)
from regreact.sources.model import Unit

Source = TypeVar("Source", ReferenceSource, FootnoteItem)


def sha256(text: str) -> str:
    """Return the hex digest of a text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def blocks_of(
    unit: Unit, root: Criterion, evidence: Mapping[str, Mapping[str, tuple[Span, ...]]]
) -> dict[str, int | None]:
    """Return the block of each criterion by id, None where it has none.

    Several blocks of a section may have the same text ("N/A", "or"). The one that the evidence of the criterion names
    counts, else the first that no earlier criterion has.
    """
    free: dict[str, list[int]] = {}
    for block in unit.blocks:
        free.setdefault(block.text, []).append(block.index)
    found: dict[str, int | None] = {}
    for node in root.walk():
        same = free.get(node.verbatim_text, []) if node.verbatim_text else []
        named = {span[0] for spans in evidence.get(node.criterion_id, {}).values() for span in spans}
        index = next((i for i in same if i in named), same[0] if same else None)
        if index is not None:
            same.remove(index)
        found[node.criterion_id] = index
    return found


def without_text(node: Criterion) -> Criterion:
    """Return a tree in which every field that repeats the source's sentences is empty.

    Ids, logic, labels, figures with their metrics, citation phrases, titles of acts and CELEX ids are facts and stay.
    Summaries go too: those made by rules keep most words of the source.
    """
    return node.model_copy(
        update={
            "verbatim_text": "",
            "rule_summary": "",
            "references": _references(node.references),
            "dependencies": _dependencies(node.dependencies),
            "sub_criteria": tuple(without_text(child) for child in node.sub_criteria),
            "footnotes": tuple(_footnote(footnote) for footnote in node.footnotes),
        }
    )


def _references(references: References | None) -> References | None:
    if references is None:
        return None
    return references.model_copy(update={"sources": tuple(_item(source) for source in references.sources)})


def _dependencies(dependencies: Dependencies | None) -> Dependencies | None:
    return None if dependencies is None else dependencies.model_copy(update={"condition_summary": ""})


def _footnote(footnote: Footnote) -> Footnote:
    return footnote.model_copy(
        update={
            "verbatim": "",
            "items": tuple(_item(item) for item in footnote.items),
            "definitions": tuple(Definition(term=d.term, definition="") for d in footnote.definitions),
            "notes": (),
        }
    )


def _item(item: Source) -> Source:
    enrichment = item.enrichment
    if enrichment is None:
        return item
    bare = Enrichment(status=enrichment.status, confidence=enrichment.confidence)
    return item.model_copy(update={"enrichment": bare})
