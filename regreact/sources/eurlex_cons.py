"""Consolidated acts as EUR-Lex pages, turned back into the Formex they were printed from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lxml import etree

from regreact.sources.blocks import clean_marker
from regreact.sources.eurlex_lists import Line, follows, write_lines
from regreact.sources.eurlex_markup import (
    XHTML,
    Mark,
    Marks,
    NoteRef,
    Piece,
    Run,
    Sections,
    is_emphasised,
    lines_of,
    name_of,
    pieces_of,
    plain,
    split_at,
    tell_loss,
    with_quotes,
    write,
)

_REFERENCE = re.compile(r"(0\d{4}[A-Z]+\d{4})\s*—\s*([A-Z]{2})\s*—\s*(\d{2})\.(\d{2})\.(\d{4})")
# "(a)", "a)" in French, "2.1.", "—". Two no-break spaces set off a printed label; a line within a paragraph has
# one space.
_LABEL = re.compile(r"\s*(\(?[a-z0-9]{1,5}\)|(?:\d+\.)+|[—–-])\xa0\xa0")
_LINE_LABEL = re.compile(r"\s*(\(?[a-z0-9]{1,5}\))\s")
# Numbers that Formex marks up are printed in groups, with one space more than the text has after them:
# "5 000  m", "203 199 , Part 2".
_GROUPED = re.compile(r"(\d{1,3}(?:\xa0\d{3})+) (?=[\s,;.)]|$)")
_SPACED = re.compile(r"(?<=\d) (?=[,;])")
_OMISSION = re.compile(r"[\s—–-]*")
_WRAPPERS = ("div", "tbody")


@dataclass(frozen=True, slots=True)
class Reference:
    """What a consolidated page states about itself: document id (CELEX number and date) and language (`EN`)."""

    document: str
    language: str


def reference_of(root: etree._Element) -> Reference | None:
    """Return what the page states on top, None if it is no consolidated act."""
    for paragraph in root.iter(f"{XHTML}p"):
        if paragraph.get("class") == "reference":
            found = _REFERENCE.search("".join(map(str, paragraph.itertext())))
            if found is not None:
                return Reference(f"{found[1]}-{found[5]}{found[4]}{found[3]}", found[2])
    return None


def consolidated_to_formex(root: etree._Element, document: str) -> etree._Element:
    """Return the annexes of a consolidated page as a Formex tree (`CONS.DOC`)."""
    return _Page(root, document).convert()


class _Labels:
    """Tells list items from numbered paragraphs within one cell.

    Items have the class of lists. So have the numbered headings of a cell's parts and the numbered paragraphs
    below them, and a paragraph that takes up the numbers of paragraphs before it.
    """

    def __init__(self) -> None:
        self.headed = False
        self.last = ""

    def line(self, pieces: list[Piece], in_list: bool, one_of_many: bool) -> Line:
        """Return the line that the pieces make up.

        Args:
            pieces: Text with its label.
            in_list: The paragraph has the class of lists.
            one_of_many: The line is cut off by line breaks, where labels have one space.
        """
        text = plain(pieces)
        label = (_LINE_LABEL if one_of_many else _LABEL).match(text)
        if label is None:
            return Line(pieces)
        marker = clean_marker(label[1]) or ""
        rest = split_at(pieces, label.end())
        if not marker[0].isdigit():
            return Line(rest, label[1]) if in_list or one_of_many else Line(pieces)
        self.headed = self.headed or is_emphasised(rest)
        if in_list and not self.headed and not (self.last and follows(marker, self.last)):
            return Line(rest, label[1])
        self.last = marker
        return Line(pieces, closes=True)


class _Page:
    def __init__(self, root: etree._Element, document: str) -> None:
        self.root = root
        self.marks = Marks(base="3" + document.partition("-")[0][1:])
        self.notes = {a.get("id", ""): a for a in root.iter(f"{XHTML}a") if a.get("id", "") and _is_body(a)}

    def convert(self) -> etree._Element:
        out = etree.Element("CONS.DOC")
        for place in self.root.iter(f"{XHTML}div"):
            if place.get("id", "").startswith(("anx_", "app_")):
                self._annex(place, etree.SubElement(out, "CONS.ANNEX"))
        group = etree.SubElement(out, "GR.NOTES")
        for key, anchor in self.notes.items():
            self._footnote(key, anchor, group)
        return out

    def _pieces(self, element: etree._Element, blocks: Iterable[str] = ()) -> list[Piece]:
        return [
            Run(_SPACED.sub("", _GROUPED.sub(_joined, p.text)), p.emphasis) if isinstance(p, Run) else p
            for p in pieces_of(element, self.notes.keys(), tuple(blocks))
        ]

    def _annex(self, place: etree._Element, annex: etree._Element) -> None:
        title = etree.SubElement(annex, "TITLE")
        sections = Sections(etree.SubElement(annex, "CONTENTS"), self.marks)
        self._body(place, sections, title)

    def _body(self, place: etree._Element, sections: Sections, title: etree._Element) -> None:
        for child in place:
            kind = child.get("class", "") if isinstance(child.tag, str) else ""
            if kind.startswith("title-annex"):
                head = etree.SubElement(title, "TI" if kind.endswith("-1") else "STI")
                write(etree.SubElement(head, "P"), self._pieces(child), self.marks)
            elif kind.startswith("title-gr-seq") or kind == "title-table":
                sections.begin(self._pieces(child))
            elif "grid-list" in kind or name_of(child) in ("p", "table"):
                self._block(child, sections.current)
            elif child.get("id", "").startswith(("anx_", "app_")):
                continue
            elif name_of(child) in _WRAPPERS:
                self._body(child, sections, title)

    def _block(self, element: etree._Element, out: etree._Element) -> None:
        kind = element.get("class", "")
        if "grid-list" in kind:
            self._grid(element, out)
        elif name_of(element) == "table":
            self._table(element, out)
        elif kind == "modref" and _OMISSION.fullmatch(plain(self._pieces(element))):
            self._marks(self._pieces(element), out)
        elif kind == "item-none":
            listed = etree.SubElement(etree.SubElement(out, "LIST"), "ITEM")
            write(etree.SubElement(listed, "P"), self._pieces(element), self.marks)
        else:
            for pieces in lines_of(self._pieces(element)):
                self._paragraph(pieces, out)

    def _paragraph(self, pieces: list[Piece], out: etree._Element) -> None:
        if plain(pieces).strip() or any(isinstance(p, NoteRef) for p in pieces):
            write(etree.SubElement(out, "P"), pieces, self.marks)
        else:
            self._marks(pieces, out)

    def _marks(self, pieces: list[Piece], out: etree._Element) -> None:
        """Append amendment marks; those between two items of a list do not part the list."""
        place = out[-1] if len(out) and out[-1].tag == "LIST" else out
        write(place, (p for p in pieces if isinstance(p, Mark)), self.marks)

    def _grid(self, grid: etree._Element, out: etree._Element) -> None:
        """Append a list item that is printed as two columns, label and content."""
        if not len(grid):
            return
        label, content = grid[0], grid[-1]
        text = "".join(map(str, label.itertext())).strip()
        listed = out[-1] if len(out) and out[-1].tag == "LIST" else etree.SubElement(out, "LIST")
        item = etree.SubElement(listed, "ITEM")
        if text in "—–-":
            listed.set("TYPE", "DASH")
        else:
            etree.SubElement(item, "NO.P").text = text
        for i, child in enumerate(c for c in content if isinstance(c.tag, str)):
            if i == 0 and "grid-list" not in child.get("class", ""):
                write(etree.SubElement(item, "TXT"), self._pieces(child), self.marks)
            else:
                self._block(child, item)

    def _table(self, table: etree._Element, out: etree._Element) -> None:
        if any(p.get("class") == "toc-item" for p in table.iter(f"{XHTML}p")):
            return
        corpus = etree.SubElement(etree.SubElement(out, "TBL"), "CORPUS")
        for row in table.iterfind(f".//{XHTML}tr"):
            cells = [c for c in row if name_of(c) in ("td", "th")]
            if cells and all(_holds_notes(cell) for cell in cells):
                continue
            made = etree.SubElement(corpus, "ROW")
            for cell in cells:
                head = name_of(cell) == "th" or "bold" in cell.get("style", "")
                self._cell(cell, etree.SubElement(made, "CELL", {"TYPE": "HEADER"} if head else {}))

    def _cell(self, cell: etree._Element, out: etree._Element) -> None:
        lines = self._lines(cell)
        texts = [line for line in lines if plain(line.pieces).strip()]
        if len(texts) == 1 and texts[0].label is None:
            # Text right in the cell, as Formex has headings of rows.
            for line in lines:
                write(out, line.pieces, self.marks)
        else:
            write_lines(lines, out, self.marks)
        tell_loss(cell, out)

    def _lines(self, cell: etree._Element) -> list[Line]:
        labels = _Labels()
        lines: list[Line] = []
        for paragraph in cell.iter(f"{XHTML}p"):
            kind = paragraph.get("class", "")
            printed = lines_of(self._pieces(paragraph))
            for pieces in printed:
                if kind == "item-none":
                    lines.append(Line(pieces, ""))
                elif kind == "modref" and _OMISSION.fullmatch(plain(pieces)):
                    lines.append(Line([p for p in pieces if isinstance(p, Mark)]))
                else:
                    lines.append(labels.line(pieces, kind == "norm", len(printed) > 1))
        return lines

    def _footnote(self, key: str, anchor: etree._Element, group: etree._Element) -> None:
        note = etree.SubElement(group, "NOTE")
        note.set("NOTE.ID", key)
        for element in _note_elements(anchor):
            if "grid-list" in element.get("class", ""):
                self._grid(element, note)
            else:
                pieces = self._pieces(element)
                if element is anchor.getparent():
                    pieces = split_at(pieces, _label_length(plain(pieces)))
                write(etree.SubElement(note, "P"), with_quotes(pieces), self.marks)


def _joined(number: re.Match[str]) -> str:
    return number[1].replace("\xa0", "")


def _label_length(text: str) -> int:
    label = re.match(r"\s*\(\s*\*?\d+\s*\)\s*", text)
    return label.end() if label else 0


def _is_body(anchor: etree._Element) -> bool:
    """True for the anchor in front of a footnote's text, false for that of its marker."""
    return not anchor.get("id", "").startswith("src.")


def _holds_notes(cell: etree._Element) -> bool:
    blocks = [c for c in cell if isinstance(c.tag, str)]
    anchors = [a for a in cell.iterfind(f"{XHTML}div/{XHTML}a") if a.get("id")]
    return bool(anchors) and all(name_of(block) == "div" for block in blocks)


def _note_elements(anchor: etree._Element) -> list[etree._Element]:
    """Return the elements that make up a footnote, from the one with its anchor on."""
    first = anchor.getparent()
    if first is None:
        return []
    found = [first]
    if name_of(first) == "p":
        for later in first.itersiblings():
            if later.find(f"{XHTML}a[@id]") is not None or not isinstance(later.tag, str):
                break
            found.append(later)
    return found

