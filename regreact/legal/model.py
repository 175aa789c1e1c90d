"""What the grammar of citations returns."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from regreact.legal.celex import Celex, parse
from regreact.legal.pinpoints import addresses

CitationKind = Literal["eu-act", "section", "appendix", "annex", "standard", "convention", "document"]


@dataclass(frozen=True)
class Citation:
    """One citation.

    Attributes:
        start: First character in the text.
        end: Character after the last.
        phrase: Words of the citation; parts of a split conjunction are written out (rulings R15, D17).
        kind: What is cited: an act of the Union, a place of the same act (section, appendix, annex), or what is
            published elsewhere.
        celex: CELEX id of the act, None if it is none or unknown.
        pinpoint: Words of the place within the act, "" for the whole act.
        title: Type and number of the act, or designation of the standard, without pinpoint.
        rule: Name of the grammar rule that found it.
        items: Words before the citation that single out numbered items of the place ("Descriptor 11, laid down in ").
    """

    start: int
    end: int
    phrase: str
    kind: CitationKind
    celex: str | None = None
    pinpoint: str = ""
    title: str = ""
    rule: str = ""
    items: str = ""

    @property
    def span(self) -> tuple[int, int]:
        """Half-open character range in the text."""
        return self.start, self.end

    @property
    def act(self) -> Celex | None:
        """Type, number and year of the act, None if it has no CELEX id."""
        return parse(self.celex) if self.celex else None

    @property
    def place(self) -> str:
        """Words of the place, those of items singled out included."""
        return self.items + self.pinpoint

    @cached_property
    def addresses(self) -> tuple[str, ...]:
        """Places within the act as paths (`art_29/par_2`), empty for the whole act."""
        return addresses(self.place) if self.pinpoint else ()


class Taken:
    """Characters of a text that are spoken for; asking and adding take logarithmic time.

    Args:
        citations: Citations whose characters are taken.

    Example:
        >>> taken = Taken()
        >>> taken.add(4, 9)
        >>> taken.overlaps(8, 12), taken.overlaps(9, 12)
        (True, False)
    """

    def __init__(self, citations: Iterable[Citation] = ()) -> None:
        # Disjoint ranges in order; ranges that touch stay apart.
        self._starts: list[int] = []
        self._ends: list[int] = []
        for citation in citations:
            self.add(citation.start, citation.end)

    def add(self, start: int, end: int) -> None:
        """Take a half-open range; an empty one takes nothing."""
        if start >= end:
            return
        first, last = bisect_right(self._ends, start), bisect_left(self._starts, end)
        if first < last:
            start, end = min(start, self._starts[first]), max(end, self._ends[last - 1])
        self._starts[first:last] = [start]
        self._ends[first:last] = [end]

    def overlaps(self, start: int, end: int) -> bool:
        """True if a half-open range shares a character with one that is taken."""
        at = bisect_right(self._ends, start)
        return at < len(self._starts) and self._starts[at] < end
