"""The act while it is being put together, and the addresses it gets in the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from regreact.rag.act import Content, Provision, ProvisionKind, Table
from regreact.rag.convert.grammar import is_title
from regreact.rag.convert.labels import Ordinal, Reading, is_multi

ANNEXES = ("anx", "apx")
# Words for divisions that an act counts without abbreviation; like "Section" they are no part of an address.
_OWN_NOUN = re.compile(r"(?i)(?:module|stage|step)\s+")


@dataclass(eq=False)
class Node:
    """A provision that is still growing.

    Attributes:
        kind: What it is; None for the act itself.
        label: Label without brackets and stops.
        heading: Title.
        series: List it is an item of, "" for articles, divisions and annexes.
        depth: Nesting by the markup, 0 if unknown.
        content: As in `Provision`.
        last: For each list below, the label it has come to.
    """

    kind: ProvisionKind | None
    label: str = ""
    heading: str = ""
    series: str = ""
    depth: int = 0
    content: list[str | Table | Node] = field(default_factory=list)
    last: dict[str, Ordinal] = field(default_factory=dict)

    @property
    def tail(self) -> str:
        """What is printed last in it, apart from provisions below."""
        return next((part for part in reversed(self.content) if isinstance(part, str)), self.heading)

    @property
    def rank(self) -> int:
        """Level of an item by the form of its label, 0 for what is no item."""
        return Reading(self.series, (1,)).rank if self.series else 0

    @property
    def children(self) -> list[Node]:
        return [part for part in self.content if isinstance(part, Node)]


def freeze(root: Node) -> tuple[Content, ...]:
    """Give every provision its address and make it immutable."""
    used: dict[str, int] = {}
    return tuple(_contents(root, _Place("", "", ""), used))


@dataclass(frozen=True)
class _Place:
    """Paths that the addresses below a provision begin with.

    Attributes:
        path: Of the provision itself.
        numbered: Of the number that a number of several levels is a part of: 10.1.5 stands in 10.1, but its address
            follows that of 10 at once.
        division: Of the annex, appendix or part that numbers the tables.
    """

    path: str
    numbered: str
    division: str


def _contents(node: Node, place: _Place, used: dict[str, int]) -> Iterator[Content]:
    for part in node.content:
        yield _provision(part, place, node, used) if isinstance(part, Node) else part


def _provision(node: Node, place: _Place, parent: Node, used: dict[str, int]) -> Provision:
    kind = _kind(node, place)
    number = _OWN_NOUN.sub("", node.label)
    label = re.sub(r"[\s/()]+", "-", number).strip("-")
    step = f"{kind}_{label}" if label else str(kind)
    nested = is_multi(number) and is_multi(_OWN_NOUN.sub("", parent.label))
    base = {"art": "", "tbl": place.division}.get(kind, place.numbered if nested else place.path)
    address = _unique(f"{base}/{step}" if base else step, used)
    division = address if kind in (*ANNEXES, "prt") else place.division
    below = _Place(address, place.numbered if nested else place.path if is_multi(number) else address, division)
    if kind in ("sec", "pnt") and place.division and not node.heading:
        _set_heading(node)
    return Provision(kind, node.label, address, node.heading, tuple(_contents(node, below, used)))


def _kind(node: Node, place: _Place) -> ProvisionKind:
    """A number whose parts repeat it is a section of its annex (5., 5.1.), any other number a point."""
    kind = node.kind or "pnt"
    if kind == "pnt" and node.label.isdigit() and any(c.label.startswith(f"{node.label}.") for c in node.children):
        return "sec"
    return kind


def _set_heading(node: Node) -> None:
    """Titles of the numbered divisions of annexes are printed like text, without a final stop."""
    first = node.content[0] if len(node.content) > 1 else None
    if isinstance(first, str) and is_title(first) and not isinstance(node.content[1], Table):
        node.heading = first
        del node.content[0]


def _unique(address: str, used: dict[str, int]) -> str:
    """A label that returns below the same provision (a second list of (a), (b)) gets "-2" and so on."""
    count = used.get(address, 0) + 1
    unique = address if count == 1 else f"{address}-{count}"
    while count > 1 and unique in used:
        count += 1
        unique = f"{address}-{count}"
    used[address] = count
    used.setdefault(unique, 1)
    return unique
