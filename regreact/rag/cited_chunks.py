"""What is cited as chunks: provisions with the sentences that introduce them, criteria with those above them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from regreact.fastpath.retrieval.statements import is_heading
from regreact.rag.act import LegalAct
from regreact.rag.lookup import Place
from regreact.rag.passages import Chunk, Passage
from regreact.rag.pinpoint import text_of_place
from regreact.rag.sections import UNIT, unit_key
from regreact.schema import Criterion


def chunk_of_place(act: LegalAct, place: Place) -> Chunk:
    """Return what is printed at a place, with the addresses of all that it holds."""
    below = [p.address for p in place.provision.walk()][1:]
    context = ", ".join(act.headings_above(place.provision.address))
    return Chunk(act.id, (place.address, *below), context, text_of_place(place))


def introduced(acts: Mapping[str, LegalAct], passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """Return passages that begin in a list with its chapeau below their headings: an item says nothing without it.

    Args:
        acts: The acts that the passages are of, by id.
        passages: The passages.
    """

    def led(passage: Passage) -> Passage:
        chunk = passage.chunk
        above = acts[chunk.act].chapeaux_above(chunk.addresses[0]) if chunk.addresses else ()
        return replace(passage, chunk=replace(chunk, context="\n".join([chunk.context, *above]))) if above else passage

    return tuple(map(led, passages))


def chunks_of_criteria(document: str, address: str, heading: str, tree: Criterion) -> Iterator[Chunk]:
    """Yield the criteria of a tree; entries of a table or list without a verb are one chunk together.

    Args:
        document: Document of the criteria.
        address: Place that is cited, in the unit of the tree.
        heading: Name of the section.
        tree: The criterion cited.
    """
    entries: list[str] = []
    for criterion, above in _with_chapeaux(tree):
        if is_heading(criterion.verbatim_text):
            entries.append(criterion.verbatim_text)
            continue
        if entries:
            yield _entries(document, address, heading, entries)
            entries = []
        if criterion.verbatim_text:
            context = "\n".join([heading, *above])
            yield Chunk(document, (_below(address, criterion),), context, criterion.verbatim_text)
    if entries:
        yield _entries(document, address, heading, entries)


def _entries(document: str, address: str, heading: str, entries: list[str]) -> Chunk:
    return Chunk(document, (f"{UNIT}{unit_key(address)}",), heading, f"{', '.join(entries)}.")


def _with_chapeaux(tree: Criterion, above: tuple[str, ...] = ()) -> Iterator[tuple[Criterion, tuple[str, ...]]]:
    """Yield all criteria with the texts that introduce the lists they are items of."""
    yield tree, above
    own = (*above, tree.verbatim_text) if tree.verbatim_text.endswith(":") else ()
    for criterion in tree.sub_criteria:
        yield from _with_chapeaux(criterion, own)


def _below(address: str, criterion: Criterion) -> str:
    """Return the address of a criterion of the unit that an address is in."""
    unit = f"{UNIT}{unit_key(address)}"
    return unit if criterion.criterion_id == "ROOT" else f"{unit}#{criterion.criterion_id}"
