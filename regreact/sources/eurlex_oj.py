"""Acts of the Official Journal as EUR-Lex pages, turned back into the Formex they were printed from."""

from __future__ import annotations

import re

from lxml import etree

from regreact.sources.blocks import fold
from regreact.sources.eurlex_markup import (
    XHTML,
    Marks,
    NoteRef,
    Piece,
    Run,
    Sections,
    name_of,
    pieces_of,
    plain,
    section_number,
    split_at,
    tell_loss,
    with_quotes,
    write,
    write_title,
)

_BLOCKS = ("p", "table", "div", "hr", "figure")
_HEADING = "oj-ti-grseq"
_LANGUAGE = re.compile(r"(?:^|\s)(?:oj-)?hd-lg(?:\s|$)")
# In the act's title: "DELEGATED REGULATION (EU) 2022/1214", "RÈGLEMENT (UE) 2020/852", "DIRECTIVE 2009/31/EC".
_TITLE = re.compile(r"(REGULATION|RÈGLEMENT|DIRECTIVE|DECISION|DÉCISION)\b\D{0,40}?((?:19|20)\d\d)/(\d{1,4})\b", re.I)
_SECTOR = {"REGULATION": "R", "RÈGLEMENT": "R", "DIRECTIVE": "L", "DECISION": "D", "DÉCISION": "D"}
_LABEL = re.compile(r"[‘“«\s]*(\(?[a-z0-9]{1,5}\)|\d+\.|\d+(?:\.\d+)+\.?|[—–-])\s*")
_STAR = re.compile(r"\*\d+")
_NOTE_LABEL = re.compile(r"\s*\(\s*\*?\d+\s*\)\s*")
_MAIN_TITLE, _COLUMNS = "oj-doc-ti", 2


def official_journal_id(root: etree._Element) -> str | None:
    """Return the CELEX number that the act's title gives, None if it gives none."""
    for title in root.iter(f"{XHTML}p"):
        found = _TITLE.search(fold(_text(title))) if title.get("class") in (_MAIN_TITLE, "doc-ti") else None
        if found is not None:
            return f"3{found[2]}{_SECTOR[found[1].upper()]}{int(found[3]):04d}"
    return None


def is_official_journal(root: etree._Element) -> bool:
    """True if the page has the classes of an act of the Official Journal."""
    classes = {p.get("class", "") for p in root.iter(f"{XHTML}p")}
    return bool(classes & {_MAIN_TITLE, "doc-ti", "oj-normal", "oj-hd-ti"})


def language_of(root: etree._Element) -> str:
    """Return the two capital letters of the language on the page's head, `EN` if none is there."""
    for head in root.iter(f"{XHTML}p"):
        if _LANGUAGE.search(head.get("class", "")):
            return fold(_text(head))
    return "EN"


def official_journal_to_formex(root: etree._Element) -> etree._Element:
    """Return the annexes of an act of the Official Journal as a Formex tree (`ACT`)."""
    return _Page(root).convert()


class _Page:
    def __init__(self, root: etree._Element) -> None:
        self.root = root
        self.marks = Marks("")
        self.notes = {a.get("id", ""): a for a in root.iter(f"{XHTML}a") if a.get("id", "").startswith("ntr")}
        self.starred = _link_starred(root)
        self.notes |= {row.get("id", ""): row for row in self.starred}

    def convert(self) -> etree._Element:
        out = etree.Element("ACT")
        for place in self.root.iter(f"{XHTML}div"):
            if place.get("class") == "eli-container" and place.find(f"{XHTML}p[@class='{_MAIN_TITLE}']") is not None:
                self._annex(place, etree.SubElement(out, "ANNEX"))
        group = etree.SubElement(out, "GR.NOTES")
        for key, anchor in self.notes.items():
            note = etree.SubElement(group, "NOTE")
            note.set("NOTE.ID", key)
            self._footnote(anchor, note)
        return out

    def _pieces(self, element: etree._Element) -> list[Piece]:
        return pieces_of(element, self.notes.keys(), _BLOCKS)

    def _annex(self, place: etree._Element, annex: etree._Element) -> None:
        title = etree.SubElement(annex, "TITLE")
        sections = Sections(etree.SubElement(annex, "CONTENTS"), self.marks)
        titles = [p for p in place.iterfind(f"{XHTML}p") if p.get("class") == _MAIN_TITLE]
        for i, paragraph in enumerate(titles):
            head = etree.SubElement(title, "TI" if i == 0 else "STI")
            write(etree.SubElement(head, "P"), self._pieces(paragraph), self.marks)
        self._body(place, sections)

    def _body(self, place: etree._Element, sections: Sections) -> None:
        for child in place:
            kind = child.get("class", "") if isinstance(child.tag, str) else ""
            if kind.startswith(_HEADING):
                sections.begin(self._pieces(child))
            elif kind.startswith(_MAIN_TITLE) or kind == "oj-note":
                continue
            elif self._has_sections(child) or kind == "eli-subdivision":
                # Sections that an amending act inserts stand in its points.
                self._inserted(child, sections)
            else:
                self._block(child, sections.current)

    def _inserted(self, element: etree._Element, sections: Sections) -> None:
        if name_of(element) == "div":
            self._body(element, sections)
            return
        for cell in element.iterfind(f"{XHTML}tbody/{XHTML}tr/{XHTML}td"):
            self._body(cell, sections)
        sections.end()

    def _has_sections(self, element: etree._Element) -> bool:
        """True if numbered headings stand in the element, those of criteria (in tables) left aside."""
        if element.get("class") == "oj-table" or name_of(element) not in ("div", "table", "tbody", "tr", "td"):
            return False
        return any(
            section_number(self._pieces(child))
            if child.get("class", "").startswith(_HEADING) and name_of(child) == "p"
            else self._has_sections(child)
            for child in element
            if isinstance(child.tag, str)
        )

    def _content(self, place: etree._Element, out: etree._Element) -> None:
        """Append what stands in a cell or division: loose text, paragraphs, lists, tables."""
        loose: list[Piece] = self._pieces(place)
        if plain(loose).strip():
            write(etree.SubElement(out, "P"), loose, self.marks)
        for child in place:
            if name_of(child) in _BLOCKS:
                self._block(child, out)

    def _block(self, element: etree._Element, out: etree._Element) -> None:
        name, kind = name_of(element), element.get("class", "") if isinstance(element.tag, str) else ""
        if name == "table":
            self._table(element, out)
        elif kind == "oj-enumeration-spacing":
            self._numbered(element, out)
        elif kind.startswith(_HEADING):
            write_title(out, self._pieces(element), self.marks)
        elif name == "div":
            self._content(element, out)
        elif name == "p" and kind != "oj-note":
            pieces = self._pieces(element)
            if plain(pieces).strip() or any(isinstance(p, NoteRef) for p in pieces):
                write(etree.SubElement(out, "P"), pieces, self.marks)

    def _numbered(self, element: etree._Element, out: etree._Element) -> None:
        """Append a numbered paragraph: its number is a paragraph printed in line with the text after it."""
        number = element.find(f"{XHTML}p")
        pieces = [] if number is None else [*self._pieces(number), Run(" ")]
        write(etree.SubElement(out, "P"), [*pieces, *self._pieces(element)], self.marks)
        for child in element:
            if child is not number and name_of(child) in _BLOCKS:
                self._block(child, out)

    def _table(self, table: etree._Element, out: etree._Element) -> None:
        rows = list(table.iterfind(f"{XHTML}tbody/{XHTML}tr"))
        if table.get("class") != "oj-table" and all(_is_item(row) or row in self.starred for row in rows):
            for row in rows:
                if row not in self.starred:
                    self._item(_cells(row), out)
        elif table.get("class") != "oj-table" and all(len(_cells(row)) == 1 for row in rows):
            for row in rows:
                self._content(_cells(row)[0], out)
        else:
            self._grid(rows, out)

    def _grid(self, rows: list[etree._Element], out: etree._Element) -> None:
        corpus = etree.SubElement(etree.SubElement(out, "TBL"), "CORPUS")
        for row in rows:
            made = etree.SubElement(corpus, "ROW")
            for cell in _cells(row):
                self._cell(cell, etree.SubElement(made, "CELL"))

    def _cell(self, cell: etree._Element, out: etree._Element) -> None:
        blocks = [c for c in cell if name_of(c) in _BLOCKS]
        if len(blocks) == 1 and name_of(blocks[0]) == "p":
            if blocks[0].get("class") == "oj-tbl-hdr":
                out.set("TYPE", "HEADER")
            write(out, self._pieces(blocks[0]), self.marks)
        else:
            self._content(cell, out)
        starred = [row for row in cell.iter(f"{XHTML}tr") if row in self.starred]
        tell_loss(cell, out, [*starred, *(p for p in cell.iter(f"{XHTML}p") if p.get("class") == "oj-note")])

    def _item(self, cells: list[etree._Element], out: etree._Element) -> None:
        """Append a list item, printed as a table of one row: label and content."""
        label = _LABEL.fullmatch(_text(cells[-2]))
        text = label[1] if label else ""
        if text[:1].isdigit() and not text.endswith(")") and out.tag != "ITEM":
            self._numbered_item(text, cells[-1], out)
            return
        listed = out[-1] if len(out) and out[-1].tag == "LIST" else etree.SubElement(out, "LIST")
        item = etree.SubElement(listed, "ITEM")
        if text in "—–-":
            listed.set("TYPE", "DASH")
        else:
            etree.SubElement(item, "NO.P").text = text
        self._content(cells[-1], item)

    def _numbered_item(self, number: str, content: etree._Element, out: etree._Element) -> None:
        """Append a numbered paragraph that is printed like a list item: "1." is no list in these acts."""
        made = etree.Element("P")
        self._content(content, made)
        own = made.find("P")
        numbered = etree.SubElement(out, "NP")
        etree.SubElement(numbered, "NO.P").text = number
        if own is not None:
            own.tag = "TXT"
        numbered.extend(list(made))

    def _footnote(self, anchor: etree._Element, note: etree._Element) -> None:
        first = _cells(anchor)[-1] if anchor in self.starred else anchor.getparent()
        if first is None:
            return
        pieces = self._pieces(first)
        label = _NOTE_LABEL.match(plain(pieces))
        content = split_at(pieces, label.end() if label else 0)
        write(etree.SubElement(note, "P"), with_quotes(content), self.marks)
        for child in first if anchor in self.starred else ():
            if name_of(child) in _BLOCKS:
                self._block(child, note)


def _link_starred(root: etree._Element) -> list[etree._Element]:
    """Link the markers "*1" that carry no link to the first row below that has this label; return the rows."""
    rows: list[etree._Element] = []
    below: dict[str, str] = {}
    for element in reversed(list(root.iter(f"{XHTML}tr", f"{XHTML}span"))):
        cells = _cells(element)
        label = _text(cells[0] if cells else element).strip(". \n\xa0")
        if _STAR.fullmatch(label) is None:
            continue
        if len(cells) == _COLUMNS:
            below[label] = f"star-{len(rows)}"
            element.set("id", below[label])
            rows.append(element)
        elif name_of(element) == "span" and label in below and not _in_label(element):
            element.tag = f"{XHTML}a"
            element.set("href", f"#{below[label]}")
    return rows


def _in_label(span: etree._Element) -> bool:
    """True in the link of a marker, and in the cell that holds nothing but the label of a footnote."""
    holder = next((e for e in span.iterancestors(f"{XHTML}td", f"{XHTML}a")), None)
    return holder is not None and (name_of(holder) == "a" or _text(holder).strip() == _text(span).strip())


def _text(element: etree._Element) -> str:
    return "".join(map(str, element.itertext()))


def _cells(row: etree._Element) -> list[etree._Element]:
    return [cell for cell in row if name_of(cell) in ("td", "th")]


def _is_item(row: etree._Element) -> bool:
    cells = _cells(row)
    return len(cells) >= _COLUMNS and _LABEL.fullmatch(_text(cells[-2])) is not None and not any(
        _text(cell).strip() for cell in cells[:-2]
    )
