"""Look-ups that binding places to acts needs, each without looking at all citations of a text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from regreact.legal.model import Citation


@dataclass(frozen=True, slots=True)
class Group:
    """Words of a place, not yet bound to a document."""

    start: int
    end: int


class Unbound:
    """Places that are not bound yet; those near a position are found without looking at all.

    Args:
        groups: In order, without overlaps.
    """

    def __init__(self, groups: Sequence[Group]) -> None:
        self._groups = groups
        self._taken: set[int] = set()

    def _between(self, low: int, high: int) -> Iterator[Group]:
        return (g for g in self._groups[low:high] if g.start not in self._taken)

    def ending(self, low: int, high: int) -> Iterator[Group]:
        """Yield the places that end between two positions, both included."""
        key = attrgetter("end")
        return self._between(bisect_left(self._groups, low, key=key), bisect_right(self._groups, high, key=key))

    def starting(self, low: int, high: int) -> Iterator[Group]:
        """Yield the places that start between two positions, both included."""
        key = attrgetter("start")
        return self._between(bisect_left(self._groups, low, key=key), bisect_right(self._groups, high, key=key))

    def take(self, groups: Iterable[Group]) -> None:
        """Leave places out from now on."""
        self._taken.update(g.start for g in groups)


class Acts:
    """The acts that a text names, to be asked for the last one before a place.

    Args:
        own: Citations of the text, by where they start.
    """

    def __init__(self, own: Sequence[Citation]) -> None:
        self._own = own
        self._by_type: dict[str, list[Citation]] = {}

    def last(self, position: int, wanted: str) -> Citation | None:
        """Return the last act with `wanted` in its title that ends before a place."""
        if wanted not in self._by_type:
            self._by_type[wanted] = [c for c in self._own if is_act(c, wanted)]
        acts = self._by_type[wanted]
        before = bisect_right(acts, position, key=lambda c: c.start)
        return next((acts[n] for n in range(before - 1, -1, -1) if acts[n].end <= position), None)


def is_act(citation: Citation, wanted: str) -> bool:
    """True for an act with an id and `wanted` in its title."""
    return citation.kind == "eu-act" and bool(citation.celex) and wanted in citation.title
