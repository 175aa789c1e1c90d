"""Blocks of Formex 4 markup (design section 4, "Block")."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from lxml import etree

from regreact.errors import UnitError
from regreact.sources.blocks import BlockCollector, Note, Part, Text, clean_marker, loses_letters
from regreact.sources.formex_context import (
    BLOCKS,
    QUOTES,
    UNSEEN,
    FormexContext,
    plain_text,
    quotation_mark,
)
from regreact.sources.model import Amendment, Block

_EMPHASIS = frozenset({"ITALIC", "BOLD", "UNDERLINE"})


@dataclass(frozen=True, slots=True)
class FormexBlocks:
    """Blocks, footnotes and amendments of one unit."""

    blocks: tuple[Block, ...]
    footnotes: dict[str, str]
    amendments: tuple[Amendment, ...]


def formex_blocks(
    elements: list[etree._Element],
    context: FormexContext,
    *,
    skip: Collection[etree._Element] = (),
    headings: Collection[etree._Element] = (),
    place: str = "",
) -> FormexBlocks:
    """Return the blocks of one unit.

    A `P`, an `NP` with its number, and the `TXT` (or first `P`) of an `ITEM` are blocks; an item's number is
    its marker; a title within the criteria and a row of headers are headings; table cells without `P` are one
    block each. A `NOTE` becomes "(n)", n counting the unit's notes from 1; two markers of a note share it.

    Args:
        elements: What the unit consists of, in document order.
        context: The file's footnotes and amendments.
        skip: Elements to leave out (rows that belong to other units).
        headings: Elements whose blocks are headings.
        place: Unit key, for error messages.

    Raises:
        UnitError: A footnote marker has no footnote, or text of the unit is in no block.
    """
    walker = _Walker(context, skip, headings, place)
    for element in elements:
        walker.walk(element)
    if _loses_text(elements, skip, walker.collector.blocks):
        raise UnitError(place, "the criteria", "holds text in markup of an unknown kind, which would be lost")
    return FormexBlocks(
        tuple(walker.collector.blocks), walker.collector.footnotes, tuple(walker.amendments(elements))
    )


class _Walker:
    def __init__(
        self,
        context: FormexContext,
        skip: Collection[etree._Element],
        headings: Collection[etree._Element],
        place: str,
    ) -> None:
        self.context = context
        self.collector = BlockCollector()
        self.skip = skip
        self.headings = headings
        self.place = place
        self.extents: list[list[tuple[int, int]]] = []

    def walk(self, element: etree._Element, heading: bool = False) -> None:
        """Walk one element of the content."""
        tag = element.tag
        if not isinstance(tag, str) or tag in UNSEEN or element in self.skip:
            return
        heading = heading or element in self.headings or tag == "TITLE" or element.get("TYPE") == "HEADER"
        if tag == "LIST":
            self._list(element)
        elif tag == "P":
            self._add(self._inline(element), [element], heading=heading)
            self._children(element, heading)
        elif tag in ("NP", "ITEM"):
            # An ITEM outside any LIST (it happens) is laid out like a numbered paragraph.
            self._numbered(element if tag == "NP" else _first(element, "NP", element), heading)
        else:
            self._container(element, heading)

    def amendments(self, elements: list[etree._Element]) -> Iterator[Amendment]:
        """Yield the amendment marks that touch the unit, with the blocks each covers."""
        first = min(self.context.position[e] for e in elements) if elements else 0
        last = max(self._end(e) for e in elements) if elements else 0
        for mark in self.context.amended:
            touched = tuple(
                i
                for i, extents in enumerate(self.extents)
                if any(mark.start <= end and start <= mark.end for start, end in extents)
            )
            if len(touched) == len(self.extents) and touched:
                yield Amendment(mark.act, mark.action)
            elif touched or (first <= mark.start and mark.end <= last and mark.action == "DELETED"):
                yield Amendment(mark.act, mark.action, touched)

    def _end(self, element: etree._Element) -> int:
        last = element
        while len(last):
            last = last[-1]
        return self.context.position[last]

    def _list(self, element: etree._Element) -> None:
        with self.collector.in_list():
            dash = "-" if element.get("TYPE") == "DASH" else None
            for child in element:
                if child.tag == "ITEM":
                    self._item(child, dash)
                else:
                    self.walk(child)

    def _item(self, item: etree._Element, marker: str | None) -> None:
        numbered = item.find("NP")
        holder = item if numbered is None else numbered
        number = holder.find("NO.P")
        if number is not None:
            marker = clean_marker(plain_text(number))
        own = holder.find("TXT")
        if own is None:
            own = _first(holder, "P", holder)
        with self.collector.in_item(marker):
            self._add(self._inline(own), [own], tag="li")
            if own is not holder:
                self._children(own)
            for container in dict.fromkeys((holder, item)):
                for child in container:
                    if child not in (own, holder, number):
                        self.walk(child)

    def _numbered(self, element: etree._Element, heading: bool) -> None:
        number, own = element.find("NO.P"), element.find("TXT")
        heads = [e for e in (number, own) if e is not None]
        parts: list[Part] = []
        for head in heads:
            parts += [*self._inline(head), Text(" ")]
        self._add(parts or self._inline(element), heads or [element], heading=heading)
        for child in element:
            if child in heads:
                self._children(child, heading)
            else:
                self.walk(child, heading)

    def _children(self, element: etree._Element, heading: bool = False) -> None:
        for child in element:
            if child.tag in BLOCKS:
                self.walk(child, heading)
            elif _holds_blocks(child):
                self._children(child, heading)

    def _container(self, element: etree._Element, heading: bool) -> None:
        """Walk an element that is no block itself: runs of loose text between its blocks become blocks."""
        run: list[Part] = [Text(element.text)] if element.text else []
        nodes: list[etree._Element] = [element]
        for child in element:
            if child.tag in BLOCKS or _holds_blocks(child):
                self._add(run, nodes, heading=heading)
                run, nodes = [], []
                self.walk(child, heading)
            else:
                run.extend(self._inline_child(child, False))
                nodes.append(child)
            if child.tail:
                run.append(Text(child.tail))
        self._add(run, nodes or [element], heading=heading)

    def _add(
        self, content: Iterable[Part], nodes: list[etree._Element], tag: str = "p", heading: bool = False
    ) -> None:
        parts = list(content)
        if self.collector.add(parts, tag=tag, heading=heading) is None:
            return
        extents = [self._own_extent(node) for node in nodes]
        for note in (self.context.notes.get(p.key) for p in parts if isinstance(p, Note)):
            if note is not None:
                extents.append((self.context.position[note], self._end(note)))
        self.extents.append(extents)

    def _own_extent(self, element: etree._Element) -> tuple[int, int]:
        """Return the positions from an element to the last node of its own text (nested blocks left out)."""
        last = element
        for child in element:
            if child.tag in BLOCKS:
                break
            last = child
        start = self.context.position[element]
        return start, (start if last is element else self._end(last))

    def _inline(self, element: etree._Element, emphasis: bool = False) -> Iterator[Part]:
        emphasis = emphasis or (element.tag == "HT" and element.get("TYPE") in _EMPHASIS)
        if element.text:
            yield Text(element.text, emphasis)
        for child in element:
            yield from self._inline_child(child, emphasis)
            if child.tail:
                yield Text(child.tail, emphasis)

    def _inline_child(self, child: etree._Element, emphasis: bool) -> Iterator[Part]:
        if not isinstance(child.tag, str):
            return
        if child.tag == "NOTE":
            yield self._note(child)
        elif child.tag in QUOTES:
            yield Text(quotation_mark(child), emphasis)
        elif child.tag in BLOCKS:
            yield Text(" ")
        else:
            yield from self._inline(child, emphasis)

    def _note(self, marker: etree._Element) -> Note:
        key = marker.get("NOTE.REF") or marker.get("NOTE.ID") or ""
        body = self.context.notes.get(key)
        if body is None:
            raise UnitError(self.place, f"NOTE {key or 'without id'}", "the footnote marker has no footnote")
        return Note(key, plain_text(body, quotes=False))


def _holds_blocks(element: etree._Element) -> bool:
    """True for an element of an unknown kind that has blocks in it; a footnote's text stands elsewhere."""
    if len(element) == 0 or not isinstance(element.tag, str) or element.tag == "NOTE" or element.tag in UNSEEN:
        return False
    return any(child.tag in BLOCKS or _holds_blocks(child) for child in element)


def _loses_text(
    elements: Sequence[etree._Element], skip: Collection[etree._Element], blocks: Iterable[Block]
) -> bool:
    """True if letters of the elements, those of footnotes and skipped elements aside, are in no block."""
    own = [e for e in elements if isinstance(e.tag, str) and e.tag != "NOTE" and e.tag not in UNSEEN and e not in skip]
    holders = set(own)
    aside = [e for element in own for e in element.iter("NOTE", *UNSEEN)]
    aside += [e for e in skip if not holders.isdisjoint(e.iterancestors())]
    if any(e.get("LOST") for element in own for e in element.iter("CELL") if e not in skip):
        return True
    kept = [f"{block.orig}{block.marker or ''}" for block in blocks]
    return loses_letters(_texts(own), [*kept, *_texts(aside)])


def _texts(elements: Iterable[etree._Element]) -> Iterator[str]:
    return (str(text) for element in elements for text in element.itertext())


def _first(element: etree._Element, tag: str, default: etree._Element) -> etree._Element:
    found = element.find(tag)
    return default if found is None else found
