"""Pieces of a EUR-Lex page's text, and the Formex elements they stand for.

EUR-Lex pages are printed from Formex. The readers of the pages restore its elements (sections, tables, lists,
footnotes, amendment marks), so that one reader makes blocks and unit keys for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from lxml import etree

from regreact.sources.blocks import loses_letters

XHTML = "{http://www.w3.org/1999/xhtml}"
_OPEN_QUOTES, _CLOSE_QUOTES = "‘“„«", "’”»"
_QUOTE = re.compile(f"[{_OPEN_QUOTES}{_CLOSE_QUOTES}]")
# "32023R2485: REPLACED", "32021R2139": title of the link of an amendment mark.
_ACT_TITLE = re.compile(r"(\d{5}[A-Z]+\d{4}(?:R\(\d+\))?)(?:: ([A-Z]+))?")
_SECTION_NUMBER = re.compile(r"[‘“«\s]*(\d+(?:\.\d+)*)\.?(?=\s)")
# "E0003" (consolidated), "ntr3-L_202302486FR.001101-E0003" (Official Journal): also of a footnote that is not there.
_NOTE_KEY = re.compile(r"E\d+|ntr\S+")
# Of "4.26.   Title" and "I.   Title": the spaces that set the number off.
_SET_OFF = re.compile(r"[\s\xa0]*([‘“«]*[\dIVX]+(?:\.\d+)*\.?)[\s\xa0]+")


@dataclass(frozen=True, slots=True)
class Run:
    """Characters in one typeface; `emphasis` is the Formex name (`ITALIC`, `BOLD`) or ""."""

    text: str
    emphasis: str = ""


@dataclass(frozen=True, slots=True)
class NoteRef:
    """A footnote marker; `bracketed` if its brackets stand within the link."""

    key: str
    bracketed: bool = True


@dataclass(frozen=True, slots=True)
class Mark:
    """An amendment arrow: "►" (`inline`) holds up to "◄", "▼" up to the next "▼"; no `act` ends a mark."""

    act: str
    action: str
    inline: bool


@dataclass(frozen=True, slots=True)
class Break:
    """A line break."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation mark of a footnote: an element in Formex, where that of an apostrophe is a character."""

    mark: str


Piece = Run | NoteRef | Mark | Break | Quote


@dataclass
class Marks:
    """Turns amendment arrows into the opening and closing instructions of Formex, in document order."""

    base: str
    count: int = 0
    open: dict[bool, tuple[str, Mark]] = field(default_factory=dict)

    def write(self, mark: Mark, out: etree._Element) -> None:
        """Append what the arrow stands for to an element."""
        name, last = self.open.get(mark.inline, ("", None))
        if last == mark:
            return
        if last is not None:
            del self.open[mark.inline]
            out.append(etree.ProcessingInstruction("CLG.MDFC", f'IDREF="{name}"'))
        if mark.act and mark.act != self.base:
            self.count += 1
            name = f"M{self.count}"
            self.open[mark.inline] = (name, mark)
            content = f'ID="{name}" ACTION="{mark.action}" ACTIVE.DOC="{mark.act}"'
            out.append(etree.ProcessingInstruction("CLG.MDFO", content))


def pieces_of(element: etree._Element, notes: Collection[str], blocks: Collection[str] = ()) -> list[Piece]:
    """Return the text of an element as pieces; child elements named in `blocks` are left out.

    Args:
        element: A paragraph, a heading, a table cell …
        notes: Keys of all footnotes of the page.
        blocks: Local names of elements that are paragraphs of their own.
    """
    found: list[Piece] = []
    _collect(element, "", notes, blocks, found)
    return _without_brackets(found)


def tell_loss(printed: etree._Element, made: etree._Element, notes: Iterable[etree._Element] = ()) -> None:
    """Mark what was made of a table cell if letters of the page are missing in it; then its unit is not read.

    Args:
        printed: The cell on the page.
        made: What was made of it.
        notes: Elements in the cell that are footnotes.
    """
    marks = [a for a in printed.iter(f"{XHTML}a") if _ACT_TITLE.fullmatch(a.get("title", ""))]
    if loses_letters(_texts(printed), [*_texts(made), *(t for e in (*marks, *notes) for t in _texts(e))]):
        made.set("LOST", "text")


def _texts(element: etree._Element) -> list[str]:
    return list(map(str, element.itertext()))


def name_of(element: etree._Element) -> str:
    """Return the local name of an element, "" for comments and the like."""
    return element.tag.removeprefix(XHTML) if isinstance(element.tag, str) else ""


def _collect(
    element: etree._Element, emphasis: str, notes: Collection[str], blocks: Collection[str], found: list[Piece]
) -> None:
    _text(element.text, emphasis, found)
    for child in element:
        name = name_of(child)
        if name == "a":
            _link(child, emphasis, notes, blocks, found)
        elif name == "br":
            found.append(Break())
        elif name and name not in blocks:
            _collect(child, _emphasis(child) or emphasis, notes, blocks, found)
        _text(child.tail, emphasis, found)


def _text(text: str | None, emphasis: str, found: list[Piece]) -> None:
    before, *after = (text or "").split("◄")
    if before:
        found.append(Run(before, emphasis))
    for rest in after:
        found.append(Mark("", "", inline=True))
        if rest:
            found.append(Run(rest, emphasis))


def _emphasis(element: etree._Element) -> str:
    name = element.get("class", "")
    return "ITALIC" if "italic" in name else "BOLD" if "bold" in name else ""


def _link(
    link: etree._Element, emphasis: str, notes: Collection[str], blocks: Collection[str], found: list[Piece]
) -> None:
    text = "".join(map(str, link.itertext())).strip()
    act = _ACT_TITLE.fullmatch(link.get("title", ""))
    key = link.get("href", "").removeprefix("#")
    if act is not None and text[:1] in ("▼", "►"):
        found.append(Mark(act[1], act[2] or "", inline=text[0] == "►"))
    elif link.get("href", "").startswith("#") and (key in notes or _NOTE_KEY.fullmatch(key)):
        found.append(NoteRef(key, "(" in text))
    else:
        _collect(link, emphasis, notes, blocks, found)


def _without_brackets(pieces: list[Piece]) -> list[Piece]:
    """Take the brackets around footnote markers, and the space before them, out of the text."""
    for i, piece in enumerate(pieces):
        if not isinstance(piece, NoteRef):
            continue
        before = pieces[i - 1] if i else None
        after = pieces[i + 1] if i + 1 < len(pieces) else None
        if isinstance(before, Run):
            text = before.text if piece.bracketed else re.sub(r"\(\s*$", "", before.text)
            pieces[i - 1] = Run(text.removesuffix("\xa0"), before.emphasis)
        if isinstance(after, Run) and not piece.bracketed:
            pieces[i + 1] = Run(re.sub(r"^\s*\)", "", after.text), after.emphasis)
    return pieces


def plain(pieces: Iterable[Piece]) -> str:
    """Return the characters of the runs, not folded."""
    return "".join(p.text for p in pieces if isinstance(p, Run))


def is_emphasised(pieces: Iterable[Piece]) -> bool:
    """True if there are words and all of them are emphasised."""
    words = [p for p in pieces if isinstance(p, Run) and p.text.strip()]
    return bool(words) and all(p.emphasis for p in words)


def split_at(pieces: list[Piece], length: int) -> list[Piece]:
    """Return the pieces without the first `length` characters of their runs."""
    rest: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, Run):
            cut = min(length, len(piece.text))
            length -= cut
            if cut < len(piece.text):
                rest.append(Run(piece.text[cut:], piece.emphasis))
        else:
            rest.append(piece)
    return rest


def lines_of(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Cut the pieces at line breaks."""
    lines: list[list[Piece]] = [[]]
    for piece in pieces:
        if isinstance(piece, Break):
            lines.append([])
        else:
            lines[-1].append(piece)
    return lines


def write(out: etree._Element, pieces: Iterable[Piece], marks: Marks) -> None:
    """Append the pieces to a Formex element."""
    for piece in pieces:
        if isinstance(piece, Mark):
            marks.write(piece, out)
        elif isinstance(piece, NoteRef):
            etree.SubElement(out, "NOTE").set("NOTE.REF", piece.key)
        elif isinstance(piece, Break):
            append_text(out, " ")
        elif isinstance(piece, Quote):
            tag = "QUOT.START" if piece.mark in _OPEN_QUOTES else "QUOT.END"
            etree.SubElement(out, tag, CODE=f"{ord(piece.mark):04X}")
        elif piece.emphasis:
            etree.SubElement(out, "HT", TYPE=piece.emphasis).text = piece.text
        else:
            append_text(out, piece.text)


def append_text(out: etree._Element, text: str) -> None:
    """Append characters after the last child of an element."""
    if len(out):
        out[-1].tail = (out[-1].tail or "") + text
    else:
        out.text = (out.text or "") + text


def write_title(out: etree._Element, pieces: list[Piece], marks: Marks) -> etree._Element:
    """Append a heading, with its number apart as Formex has it."""
    title = etree.SubElement(out, "TITLE")
    holder = etree.SubElement(title, "TI")
    number = _SET_OFF.match(plain(pieces))
    if number is None:
        write(etree.SubElement(holder, "P"), pieces, marks)
    else:
        numbered = etree.SubElement(holder, "NP")
        etree.SubElement(numbered, "NO.P").text = number[1].lstrip("‘“«")
        write(etree.SubElement(numbered, "TXT"), split_at(pieces, number.end()), marks)
    return title


def with_quotes(pieces: Iterable[Piece]) -> list[Piece]:
    """Return the pieces of a footnote with its quotation marks as pieces of their own.

    A closing single mark is one only after an opening one and not before a letter: else it is an apostrophe.

    Example:
        >>> [p.mark if isinstance(p, Quote) else p.text for p in with_quotes([Run("the ‘sea’s edge’")])]
        ['the ', '‘', 'sea’s edge', '’']
    """
    found: list[Piece] = []
    opened = 0
    for piece in pieces:
        if not isinstance(piece, Run):
            found.append(piece)
            continue
        last = 0
        for quote in _QUOTE.finditer(piece.text):
            apostrophe = quote[0] == "’" and (not opened or piece.text[quote.end() : quote.end() + 1].isalnum())
            if apostrophe:
                continue
            if quote[0] in "‘’":
                opened += 1 if quote[0] == "‘" else -1
            found += [Run(piece.text[last : quote.start()], piece.emphasis), Quote(quote[0])]
            last = quote.end()
        found.append(Run(piece.text[last:], piece.emphasis))
    return [p for p in found if not (isinstance(p, Run) and not p.text)]


def section_number(pieces: Iterable[Piece]) -> str:
    """Return the number in front of a heading ("4.26"), "" if it has none."""
    found = _SECTION_NUMBER.match(plain(pieces))
    return found[1] if found else ""


class Sections:
    """Nests sections by the numbers of their headings; one without number is a part of the numbered one.

    Example:
        >>> sections = Sections(etree.Element("CONTENTS"), Marks(""))
        >>> for title in ("1. ", "1.1. ", "Criteria", "Description", "2. "):
        ...     _ = sections.begin([Run(title)])
        >>> [g.getparent().tag for g in sections.root.iter("GR.SEQ")]
        ['CONTENTS', 'GR.SEQ', 'GR.SEQ', 'GR.SEQ', 'CONTENTS']
    """

    def __init__(self, root: etree._Element, marks: Marks) -> None:
        self.root = root
        self.marks = marks
        self.numbered: list[tuple[int, etree._Element]] = []
        self.current = root

    def begin(self, heading: list[Piece]) -> etree._Element:
        """Begin a section; what follows belongs to the element returned."""
        number = section_number(heading)
        while number and self.numbered and self.numbered[-1][0] >= number.count("."):
            self.numbered.pop()
        outer = self.numbered[-1][1] if self.numbered else self.root
        self.current = etree.SubElement(outer, "GR.SEQ")
        write_title(self.current, heading, self.marks)
        if number:
            self.numbered.append((number.count("."), self.current))
        return self.current

    def end(self) -> None:
        """End all sections: what follows belongs to none."""
        self.numbered.clear()
        self.current = self.root
