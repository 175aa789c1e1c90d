"""Identifiers and parents from the working record (guidelines section 2)."""

from __future__ import annotations

import re
from functools import cached_property

from regreact.answers import Place
from regreact.fastpath.structure import labels
from regreact.fastpath.structure.draft import Draft, Node, Role
from regreact.fastpath.structure.points import normalise, points

ROOT = "ROOT"
LAST_LABEL = re.compile(r"\(([a-z]+)\)$")


class Names:
    """Identifiers of the nodes of a draft, as far as the passes have decided them.

    Parents are those of a draft whose numbers no longer change once a parent has been asked for.

    Attributes:
        draft: The section.
        nearest: The last numbered or counted criterion before the block that is being placed.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.nearest: Node | None = None
        self._numbers: set[str] | None = None

    @cached_property
    def cited_items(self) -> dict[str, int]:
        """How far the lists reach that the texts cite, by the id of what holds the list: "1(b)(v)" wants five of 1(b)."""
        wanted: dict[str, int] = {}
        for node in self.draft:
            for point in points(node.text):
                part = LAST_LABEL.search(point.path)
                stem = normalise(point.path[: part.start()]) if part else ""
                if part is None or "(" not in stem:
                    continue
                # A numeral after a letter counts as a numeral: "(b)(v)" is the fifth.
                place = labels.position(part[1], "roman") or labels.position(part[1], "letter") or 1
                wanted[stem] = max(wanted.get(stem, 0), place)
        return wanted

    def id_of(self, at: int) -> str | None:
        """Identifier of the block at a position, None while undecided."""
        node = self.draft[at]
        if node.role is Role.ROOT:
            return ROOT
        if node.role is Role.NUMBER:
            return node.label
        if node.role not in (Role.ITEM, Role.ANCHORED) or node.host is None:
            return None
        above = self.id_of(node.host)
        if above is None:
            return None
        if node.role is Role.ANCHORED:
            return f"{above}.{node.label}"
        return f"({node.label})" if above == ROOT else f"{above}({node.label})"

    def parent_of(self, at: int) -> str:
        """Parent of the block at a position; ROOT where nothing better is known."""
        node = self.draft[at]
        if node.role is Role.NUMBER:
            return self._stem(node.label)
        if node.host is None:
            return ROOT
        if node.role is Role.ANCHORED and not self.draft[node.host].heading:
            return self.parent_of(node.host)
        return self.id_of(node.host) or ROOT

    def _stem(self, number: str) -> str:
        stem = number.rpartition(".")[0]
        if not stem:
            return ROOT
        if self._numbers is None:
            self._numbers = {n.label for n in self.draft if n.role is Role.NUMBER}
        while stem and stem not in self._numbers:
            stem = stem.rpartition(".")[0]
        return stem or ROOT

    def children(self, at: int) -> list[Node]:
        """List items below the block at a position."""
        return [n for n in self.draft if n.role is Role.ITEM and n.host == at]

    def find(self, criterion_id: str) -> int | None:
        """Position of an identifier, None if no block has it."""
        return next((n.at for n in self.draft if self.id_of(n.at) == criterion_id), None)


def settle_labels(draft: Draft) -> None:
    """Make identifiers unique: a second use of one takes "-2", then "-3".

    A number that stands twice in a row and leaves the next one unused is a slip: the second takes the next one.
    """
    names, taken = Names(draft), set[str]()
    printed = {n.label for n in draft if n.role is Role.NUMBER}
    last = ""
    copies: dict[str, int] = {}
    for node in draft:
        if node.role is Role.NUMBER and node.label.isdigit():
            if node.label == last and (following := str(int(last) + 1)) not in printed:
                node.label = following
                node.unsure(0.6, "number printed twice")
            last = node.label
        first, plain = node.label, names.id_of(node.at)
        # Copies that an identifier has had are taken for good.
        copy, criterion_id = copies.get(f"{node.role} {plain}", 2), plain
        while criterion_id is not None and criterion_id in taken:
            node.label, copy = f"{first}-{copy}", copy + 1
            node.unsure(0.5, "identifier used twice")
            criterion_id = names.id_of(node.at)
        if plain is not None and criterion_id is not None:
            copies[f"{node.role} {plain}"] = copy
            taken.add(criterion_id)


def places(draft: Draft) -> list[Place]:
    """Return the place of every block; blocks without criterion get empty strings."""
    names = Names(draft)
    found = []
    for node in draft:
        criterion_id = names.id_of(node.at) if node.role is not Role.NOISE else None
        if criterion_id is None:
            found.append(Place("", ""))
        else:
            found.append(Place(criterion_id, "" if criterion_id == ROOT else names.parent_of(node.at)))
    return found
