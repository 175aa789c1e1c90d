"""Where a labelled line belongs: which list it continues, or below what it begins one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from regreact.rag.convert import labels
from regreact.rag.convert.grammar import is_title
from regreact.rag.convert.labels import Reading
from regreact.rag.convert.lines import Line
from regreact.rag.convert.tree import ANNEXES, Node

_GAP = 3  # items that a list may lack (repealed, or lost on the way)
_DEEPEST = 30  # levels
_SURE_GAP = 100  # where the markup or its stop shows that a number is a label
# What a number of several levels may be a part of: 10.1.5 of 10.1, of 10, of Section 10.
_NUMBERED = ("pnt", "par", "sec", "prt", "chp")


class OpenProvisions:
    """The provisions that are open, outermost first; the act itself is always one of them."""

    def __init__(self) -> None:
        self.root = Node(None)
        self.stack = [self.root]

    @property
    def top(self) -> Node:
        """The innermost one."""
        return self.stack[-1]

    @property
    def annex(self) -> Node | None:
        """The annex or appendix that is open."""
        return next((node for node in self.stack if node.kind in ANNEXES), None)

    def open(self, node: Node) -> None:
        """Begin a provision below the innermost (no law nests deeper than the bound, damaged documents may)."""
        del self.stack[_DEEPEST:]
        self.top.content.append(node)
        self.stack.append(node)

    def close_to(self, stays: Callable[[Node], bool]) -> None:
        """Close provisions until one fulfils the condition."""
        keep = next((i for i in range(len(self.stack) - 1, 0, -1) if stays(self.stack[i])), 0)
        del self.stack[keep + 1 :]

    def scope(self) -> Iterator[int]:
        """Indexes of what an item may still join: the open items, up to their article or division."""
        for index in range(len(self.stack) - 1, -1, -1):
            if self.stack[index].kind == "tbl":
                continue
            yield index
            if not self.stack[index].series:
                return

    def has_list(self, series: str) -> bool:
        """Whether a list of this form is open."""
        return any(series in self.stack[index].last for index in self.scope())

    # --- placing -------------------------------------------------------------------------------------------

    def place(self, line: Line, following: str, awaiting: bool) -> tuple[Node, Reading] | None:
        """Find the provision that a labelled line belongs under, and how to read its label.

        Args:
            line: The line. A label that no markup vouches for (role "text") must fit the count of a list.
            following: The next label, "" if none.
            awaiting: The innermost item is a label whose text has not come yet.

        Returns:
            The provision and the reading; None if the label is none.
        """
        ways = labels.readings(line.label)
        if not ways:
            return None
        sure = line.role != "text"
        # A number of several levels tells more than the nesting of lists; the depth of a heading is that of its number.
        if sure and line.depth and (line.role == "heading" or not labels.is_multi(labels.bare(line.label))):
            parent, way = self._at_depth(line, ways)
            if way.first or _continues(parent, way) or not self.continued(line.label, following):
                return parent, way
        found = self.continued(line.label, following, sure)
        if found:
            return self.stack[found[0]], found[1]
        gap = _SURE_GAP if line.role == "paragraph" else _GAP
        placed = self._begun(ways, awaiting) or self._with_gap(ways, gap) or self._counted_across(ways)
        placed = placed or self._without_first(ways, following)
        if not placed and labels.bare(following).startswith(f"{labels.bare(line.label)}."):
            return self.stack[list(self.scope())[-1]], ways[0]  # its first part comes next: 10., 10.1.
        return placed or ((self.top, ways[0]) if sure else None)

    def _at_depth(self, line: Line, ways: tuple[Reading, ...]) -> tuple[Node, Reading]:
        """The markup tells the nesting; the count tells how to read the label."""
        parent = next(n for n in reversed(self.stack) if not n.series or n.kind == "par" or n.depth < line.depth)
        likely = [*(w for w in ways if _continues(parent, w)), *(w for w in ways if w.first), *ways]
        return parent, likely[0]

    def continued(self, label: str, following: str, sure: bool = False) -> tuple[int, Reading] | None:
        """Index of the open provision with a list that the label continues, and how to read it."""
        ways = labels.readings(label)
        if not ways:
            return None
        number = labels.bare(label)
        if labels.is_multi(number):
            return self._part_of(ways[0], number, sure or label.endswith("."))
        for index in self.scope():
            for way in ways:
                if way.series == "-":
                    if "-" in self.stack[index].last and not self.top.tail.endswith(":"):
                        return index, way
                elif _continues(self.stack[index], way):
                    return None if _opens_list(way, ways, following) else (index, way)
        return None

    def _counted_across(self, ways: tuple[Reading, ...]) -> tuple[Node, Reading] | None:
        """Points may be counted on from one division of an annex to the next (Section A: 1-12, Section B: 13-20)."""
        index = list(self.scope())[-1]
        division, siblings = self.stack[index], self.stack[index - 1].children if index else []
        before = siblings[-2] if len(siblings) > 1 else None
        if self.annex and before and before.kind == division.kind and not division.last:
            return next(((division, way) for way in ways if _continues(before, way)), None)
        return None

    def _without_first(self, ways: tuple[Reading, ...], following: str) -> tuple[Node, Reading] | None:
        """Letters that divide an annex may have lost the first with its table: B. before C. is one all the same."""
        after = labels.readings(following)
        for way in ways if self.annex else ():
            goes_on = any(a.series == way.series and a.follows(way.ordinal) for a in after)
            if way.rank == 1 and way.ordinal == (2,) and goes_on:
                return self.stack[list(self.scope())[-1]], way
        return None

    def _part_of(self, way: Reading, number: str, sure: bool) -> tuple[int, Reading] | None:
        """10.1.5 is a part of what is numbered 10.1 or, failing that, 10."""
        for index in range(len(self.stack) - 1, -1, -1):
            node = self.stack[index]
            last = node.last.get(way.series)
            if self._is_within_number(index, number):
                continue  # item 2 of a list in 2.3 has no part 2.4
            if node.label and number.startswith(f"{node.label}.") and node.kind in _NUMBERED:
                last = last if last and last[:-1] == way.ordinal[:-1] else (*way.ordinal[:-1], -1)
                fits = 0 < way.ordinal[-1] - last[-1] <= 2 + (_SURE_GAP if sure else _GAP)
                return (index, way) if fits else None
            if node.kind in (*ANNEXES, "art", None):
                return (index, way) if last and last < way.ordinal else None
        return None

    def _is_within_number(self, index: int, number: str) -> bool:
        """Whether an open item is a plain number, and stands in a number of several levels of the same stem."""
        node = self.stack[index]
        above = (other.label for other in self.stack[:index])
        plain = node.label.isdigit() and number.startswith(f"{node.label}.")
        return plain and any(labels.is_multi(label) and label.startswith(f"{node.label}.") for label in above)

    def _begun(self, ways: tuple[Reading, ...], awaiting: bool) -> tuple[Node, Reading] | None:
        """A new list stands below what introduces it (by a colon, or as its title), else below the innermost item that
        by its form is of a higher level."""
        for way in ways:
            if not way.first or self.top.kind == "tbl":
                continue
            titled = self._is_titled_item()
            if awaiting or (self.top.tail.endswith(":") if not titled else not self.has_list(way.series)):
                return self.top, way
            for index in self.scope():
                node = self.stack[index]
                same_level = node is self.top and node.rank == way.rank and node.series != way.series
                if way.series in node.last or not node.series or node.rank < way.rank or same_level:
                    return node, way
        return None

    def _is_titled_item(self) -> bool:
        """Whether an item is open that so far is a title only: what comes next stands below it."""
        return bool(self.top.series) and len(self.top.content) == 1 and is_title(self.top.tail)

    def _with_gap(self, ways: tuple[Reading, ...], gap: int) -> tuple[Node, Reading] | None:
        for index in self.scope():
            for way in ways:
                last = self.stack[index].last.get(way.series)
                if last and way.series != "-" and 0 < way.ordinal[0] - last[0] <= 1 + gap:
                    return self.stack[index], way
        return None


def _continues(parent: Node, way: Reading) -> bool:
    return way.series in parent.last and way.follows(parent.last[way.series])


def _opens_list(way: Reading, ways: tuple[Reading, ...], following: str) -> bool:
    """Whether a label that would continue a list begins one instead, as the next label shows: (h), (i), (ii)."""
    after = labels.readings(following)
    if any(a.series == way.series and a.follows(way.ordinal) for a in after):
        return False
    begun = [w for w in ways if w.first and w.series != way.series]
    return any(a.series == w.series and a.follows(w.ordinal) for a in after for w in begun)
