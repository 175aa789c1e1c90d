"""A place in an act, and the places that words like "this subparagraph" mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from regreact.legal.pinpoints import Step
from regreact.rag.act import Content, LegalAct, Provision

_ITEMS = ("par", "pnt")


@dataclass(frozen=True, slots=True)
class Place:
    """A place found.

    Attributes:
        address: Address as cited: that of the provision, with the steps for counted subparagraphs.
        provision: The provision it is, or that holds the subparagraph.
        content: What is printed there.
    """

    address: str
    provision: Provision
    content: tuple[Content, ...]


class PlaceError(Exception):
    """A path leads nowhere; the message says where it ends. Never leaves this package's `resolve`."""


def whole(provision: Provision) -> Place:
    return Place(provision.address, provision, provision.content)


def subparagraphs(content: Sequence[Content]) -> list[tuple[Content, ...]]:
    """Return the unnumbered subparagraphs: a printed paragraph with the lists and tables that hang on it."""
    found: list[list[Content]] = []
    for part in content:
        if isinstance(part, str) or not found:
            found.append([])
        found[-1].append(part)
    return [tuple(group) for group in found]


def roots(act: LegalAct) -> list[Provision]:
    return [part for part in act.content if isinstance(part, Provision)]


def chain_of(act: LegalAct, place: str) -> list[Provision]:
    """Return the provisions around a place and itself, outermost first; of a place the act lacks, those it has."""
    while place and place not in act.by_address:
        place = place.rpartition("/")[0]

    def down(provisions: Sequence[Provision]) -> list[Provision]:
        for provision in provisions:
            if provision.address == place:
                return [provision]
            inner = down(provision.children)
            if inner:
                return [provision, *inner]
        return []

    return down(roots(act)) if place else []


def this_place(chain: Sequence[Provision], step: Step) -> Place:
    for provision in reversed(chain):
        if provision.kind == step.kind or (step.kind in _ITEMS and provision.kind in _ITEMS):
            return whole(provision)
    if step.kind == "sub" and chain:
        return _own_subparagraph(chain)
    # The words need not be those of the heading: "this Part" of "Section B", "this section" of a numbered point.
    divisions = [p for p in chain[1:] if p.kind in ("prt", "sec")] or list(chain[1:2])
    if step.kind in ("prt", "sec", "pnt") and divisions and chain[0].kind in ("anx", "apx"):
        return whole(chain[-1] if step.kind == "pnt" else divisions[-1])
    raise PlaceError(f"'this' place ({step.kind}) is said outside such a place")


def _own_subparagraph(chain: Sequence[Provision]) -> Place:
    """Return the subparagraph that an item stands in; all of a paragraph whose text speaks of "this subparagraph"."""
    number = next((n for n in range(len(chain) - 1, -1, -1) if chain[n].kind in ("par", "art")), 0)
    holder, inner = chain[number], chain[number + 1 : number + 2]
    groups = [g for g in subparagraphs(holder.content) if any(part is own for own in inner for part in g)]
    return Place(holder.address, holder, groups[0] if groups else holder.content)
