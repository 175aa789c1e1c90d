"""What the units of a Formex file share (footnotes, document order, amendment marks), and plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from regreact.sources.blocks import fold

# Elements that end a run of text; every other element (DATE, HT, FT …) stands within one.
BLOCKS = frozenset(
    "P NP NO.P TXT LIST ITEM TBL GR.TBL CORPUS ROW CELL GR.SEQ TITLE TI STI ALINEA PARAG NO.PARAG QUOT.S"
    " DLIST DLIST.ITEM TERM DEFINITION CONTENTS GR.NOTES DIVISION".split()
)
UNSEEN = frozenset({"GR.NOTES", "TOC"})
QUOTES = frozenset({"QUOT.START", "QUOT.END"})
_CODE_POINT = re.compile(r"[0-9A-Fa-f]{1,4}")
# `ACTIVE.DOC="32022R1214"` in a processing instruction.
_ATTRIBUTE = re.compile(r"""([\w.]+)\s*=\s*["']([^"']*)["']""")


@dataclass(frozen=True, slots=True)
class Amended:
    """An amendment mark with the document positions [start, end] that it spans."""

    act: str
    action: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FormexContext:
    """What the blocks of one file share.

    Attributes:
        notes: Elements that hold a footnote's text, by `NOTE.ID`.
        position: Place of each element and processing instruction in document order.
        amended: Amendment marks, in document order.
    """

    notes: dict[str, etree._Element]
    position: dict[etree._Element, int]
    amended: tuple[Amended, ...]


def read_context(root: etree._Element) -> FormexContext:
    """Collect footnotes, document order and amendment marks of a whole file."""
    position = {node: i for i, node in enumerate(root.iter())}
    notes = {note.get("NOTE.ID", ""): note for note in root.iter("NOTE") if note.get("NOTE.ID")}
    return FormexContext(notes, position, tuple(_amended(root, position)))


def _amended(root: etree._Element, position: dict[etree._Element, int]) -> Iterator[Amended]:
    """Pair each opening mark `CLG.MDFO` with the closing `CLG.MDFC` that names it; unclosed ones run on."""
    closing = {mark.get("IDREF"): place for mark, place in _marks(root, position, "CLG.MDFC")}
    for mark, place in _marks(root, position, "CLG.MDFO"):
        end = closing.get(mark.get("ID"), len(position))
        yield Amended(mark.get("ACTIVE.DOC", ""), mark.get("ACTION", ""), place, end)


def _marks(
    root: etree._Element, position: dict[etree._Element, int], target: str
) -> Iterator[tuple[dict[str, str], int]]:
    """Yield attributes and place of each processing instruction with this target."""
    for instruction in root.iter(etree.ProcessingInstruction):
        if isinstance(instruction, etree._ProcessingInstruction) and instruction.target == target:
            yield dict(_ATTRIBUTE.findall(instruction.text or "")), position[instruction]


def plain_text(element: etree._Element, quotes: bool = True) -> str:
    """Return the folded text below an element; blocks are separated by a space, footnotes left out.

    Args:
        element: A title, a table cell, a footnote …
        quotes: False leaves out quotation marks, which Formex holds as elements: footnotes are compared
            between documents without them.
    """
    return fold("".join(_plain(element, quotes)))


def _plain(element: etree._Element, quotes: bool) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str) and child.tag != "NOTE" and child.tag not in UNSEEN:
            if quotes and child.tag in QUOTES:
                yield quotation_mark(child)
            space = " " if child.tag in BLOCKS else ""
            yield space
            yield from _plain(child, quotes)
            yield space
        yield child.tail or ""


def quotation_mark(element: etree._Element) -> str:
    """Return the character of a `QUOT.START` or `QUOT.END`, given as a hexadecimal code point.

    A code that is none gives the replacement character, so that the slip is seen.
    """
    code = element.get("CODE") or "2019"
    return chr(int(code, 16)) if _CODE_POINT.fullmatch(code) else "\ufffd"
