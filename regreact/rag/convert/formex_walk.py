"""Markup of Formex into typed lines.

Formex names what the parts of an act are (articles, paragraphs, items with their numbers), so that little is left to
the outline: numbers of the divisions of annexes, which stand in titles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from lxml import etree

from regreact.rag.act import Table
from regreact.rag.convert import labels
from regreact.rag.convert.formex_tables import grid_of
from regreact.rag.convert.formex_text import Notes, child_text, inline_text, is_block
from regreact.rag.convert.formex_titles import annex_line, division_lines, opening_division, section_lines
from regreact.rag.convert.lines import Line, Role
from regreact.sources.blocks import fold
from regreact.sources.formex_context import plain_text

# Data about the document that is not printed in it, and footnotes, which are read where their markers stand.
_UNPRINTED = frozenset("BIB.INSTANCE BIB.INSTANCE.CONS BIB.DATA INFO.CONSLEG INFO.PROD FAM.COMP GR.NOTES".split())
_UNMARKED_LISTS = frozenset(("", "NONE", "OTHER"))
_ANNEXES = ("ANNEX", "CONS.ANNEX")
_HOLDS_ACT_TITLE = ("ACT", "CONS.DOC", "CONS.ACT", "GENERAL", "AGR")


class Walker:
    """Collects the lines of one document.

    Attributes:
        lines: What was read so far.
        notes: Footnotes met so far.
    """

    def __init__(self, name: object, notes: Notes | None = None) -> None:
        self.name = name
        self.lines: list[Line] = []
        self.notes = notes or Notes()
        self._role: Role = "text"
        self._quoted = False
        self._depth = 0
        self._item_depth = 0  # of the item that text stands in, 0 outside of items
        self._pending: Line | None = None  # a label that waits for its text
        self._handlers: dict[str, Callable[[etree._Element], None]] = {
            "TITLE": self._title,
            "DIVISION": self._division,
            "ARTICLE": self._article,
            "PARAG": self._paragraph,
            "P": self._plain,
            "NP": self._numbered,
            "GR.SEQ": self._group,
            "NO.GR.SEQ": self._number_of_group,
            "LIST": self._list,
            "ITEM": self._item,
            "DLIST.ITEM": self._defined,
            "TBL": self._table,
            "QUOT.S": self._quotation,
            "TOC": self._contents,
            "CONSID": self._recital,
            "FINAL": self._final,
        }

    def walk(self, element: etree._Element) -> None:
        """Read an element and what is below it."""
        self._walk(element)
        self._flush()

    def finish(self) -> list[Line]:
        """Return all lines, the footnotes last."""
        return [*self.lines, *(Line("note", text, marker) for marker, text in self.notes.texts())]

    # --- lines ---------------------------------------------------------------------------------------------

    def _walk(self, element: etree._Element) -> None:
        if not isinstance(element.tag, str) or element.tag in _UNPRINTED:
            return
        self._handlers.get(element.tag, self._mixed)(element)

    def _mixed(self, element: etree._Element) -> None:
        """Read the content of an element: runs of text become lines, elements that are blocks are walked."""
        run = element.text or ""
        for child in element:
            if is_block(child):
                self._text(run)
                run = ""
                self._walk(child)
            else:
                run += child_text(child, self.notes)
            run += child.tail or ""
        self._text(run)

    def _text(self, run: str) -> None:
        text = fold(run)
        if not text:
            return
        pending, self._pending = self._pending, None
        if pending:
            self._emit(Line(pending.role, text, pending.label, pending.depth))
        else:
            self._emit(Line(self._role, text, depth=self._item_depth if self._role == "text" else 0))

    def _label(self, role: Role, label: str, depth: int = 0) -> None:
        self._flush()
        self._pending = Line(role, "", label, depth)

    def _flush(self) -> None:
        pending, self._pending = self._pending, None
        if pending and pending.label:
            self._emit(pending)

    def _put(self, line: Line) -> None:
        self._flush()
        self._emit(line)

    def _emit(self, line: Line) -> None:
        """Add a line; what stands in quotation marks is text, whatever it is in the act that it amends."""
        if self._quoted:
            line = Line("text", line.text, line.label, line.depth, line.table, quoted=True)
        self.lines.append(line)

    @contextmanager
    def _within(
        self, *, role: Role | None = None, quoted: bool | None = None, depth: int | None = None, item: int | None = None
    ) -> Iterator[None]:
        self._flush()
        before = self._role, self._quoted, self._depth, self._item_depth
        self._role = self._role if role is None else role
        self._quoted = self._quoted if quoted is None else quoted
        self._depth = self._depth if depth is None else depth
        self._item_depth = self._item_depth if item is None else item
        yield
        self._flush()
        self._role, self._quoted, self._depth, self._item_depth = before

    # --- the act -------------------------------------------------------------------------------------------

    def _title(self, element: etree._Element) -> None:
        parent = element.getparent()
        tag = "" if parent is None else parent.tag
        if tag in _HOLDS_ACT_TITLE:
            with self._within(role="title"):
                self._mixed(element)
        elif tag in _ANNEXES and not self._quoted:
            self._put(annex_line(self._parts(element)))
        elif tag == "DIVISION":
            for line in division_lines(self._parts(element)):
                self._put(line)
        elif tag in ("GR.SEQ", "CONTENTS", "PROLOG"):
            for line in section_lines(self._parts(element), self._depth_of(element)):
                self._put(line)
        else:
            self._mixed(element)

    def _parts(self, title: etree._Element) -> list[str]:
        """Return the printed lines of a title; the number and the words of an `NP` are one line."""
        walker = self._inner()
        walker._mixed(title)
        walker._flush()
        return [f"{line.label} {line.text}".strip() for line in walker.lines]

    def _inner(self) -> Walker:
        """Return a walker for a part that is read apart from the lines."""
        return Walker(self.name, self.notes)

    def _division(self, element: etree._Element) -> None:
        with self._within(depth=0):
            self._mixed(element)

    def _article(self, element: etree._Element) -> None:
        number, heading = element.find("TI.ART"), element.find("STI.ART")
        label = "" if number is None else inline_text(number, self.notes)
        text = "" if heading is None else inline_text(heading, self.notes)
        self._put(Line("article", text, label))
        with self._within(depth=0):
            for child in element:
                if child not in (number, heading):
                    self._walk(child)

    def _paragraph(self, element: etree._Element) -> None:
        number = element.find("NO.PARAG")
        with self._within(depth=0):
            if number is not None and (label := inline_text(number, self.notes)):
                self._label("paragraph", label)
            for child in element:
                if child is not number:
                    self._walk(child)

    def _recital(self, element: etree._Element) -> None:
        self._flush()
        for child in element:
            number = child.find("NO.P") if child.tag == "NP" else None
            if number is None:
                self._walk(child)
                continue
            self._label("recital", inline_text(number, self.notes))
            for part in child:
                if part is not number:
                    self._walk(part)
        self._flush()

    def _final(self, element: etree._Element) -> None:
        with self._within(role="end"):
            self._mixed(element)

    def _plain(self, element: etree._Element) -> None:
        """Read a paragraph; within an annex its first words may name a division: "Part A. List of …"."""
        parent = element.getparent()
        before = len(self.lines)
        self._mixed(element)
        if parent is None or parent.tag not in ("CONTENTS", "GR.SEQ") or before == len(self.lines):
            return
        line = self.lines[before]
        if line.role == "text" and not line.quoted and (opening := opening_division(line.text)):
            label, text = opening
            self.lines[before : before + 1] = [Line("division", "", label), Line("text", text)]

    # --- lists ---------------------------------------------------------------------------------------------

    def _list(self, element: etree._Element) -> None:
        kind = element.get("TYPE", "").upper()
        mark = "—" if kind.endswith("DASH") else "•"
        # A list beside a numbered paragraph, not in an item, is the paragraph's.
        hangs = next(element.itersiblings("NP", preceding=True), None) is not None
        with self._within(depth=self._depth + (2 if hangs else 1)):
            for child in element:
                if child.tag == "ITEM" and child.find("NP") is None and kind not in _UNMARKED_LISTS:
                    self._item(child, mark)
                else:
                    self._walk(child)

    def _item(self, element: etree._Element, mark: str = "") -> None:
        numbered = element.find("NP")
        with self._within(item=self._depth):
            if numbered is None and mark and not _begins_with_label(inline_text(element, self.notes)):
                self._label("point", mark, self._depth)
            self._mixed(element)

    def _numbered(self, element: etree._Element) -> None:
        """Read a number and its text; outside lists it stands one level below its group."""
        number, parent = element.find("NO.P"), element.getparent()
        in_item = parent is not None and parent.tag == "ITEM"
        depth = self._depth + (0 if in_item else 1)
        with self._within(depth=depth, item=depth):
            if number is not None and (label := inline_text(number, self.notes)):
                self._label("point", label, self._depth)
            for child in element:
                if child is not number:
                    self._walk(child)

    def _group(self, element: etree._Element) -> None:
        with self._within(depth=self._depth + 1):
            self._mixed(element)

    def _number_of_group(self, element: etree._Element) -> None:
        self._label("point", inline_text(element, self.notes), self._depth)

    def _depth_of(self, title: etree._Element) -> int:
        """Return the depth of a numbered title, 0 if the markup does not nest it in the group that its number names."""
        number = _number_in(title)
        if not labels.is_multi(number):
            return self._depth
        above = (e.find("TITLE") for e in title.iterancestors("GR.SEQ") if e is not title.getparent())
        nested = any(number.startswith(f"{_number_in(t)}.") for t in above if t is not None and _number_in(t))
        return self._depth if nested else 0

    def _defined(self, element: etree._Element) -> None:
        """A symbol and what it stands for are one line: "EC = emissions from …"."""
        term, definition = element.find("TERM"), element.find("DEFINITION")
        parent = element.getparent()
        sign = "" if parent is None else parent.get("SEPARATOR", "")
        texts = [inline_text(e, self.notes) for e in (term, definition) if e is not None]
        self._text(f" {sign} ".join(texts))

    # --- tables, quotations, contents ----------------------------------------------------------------------

    def _table(self, element: etree._Element) -> None:
        title = element.find("TITLE")
        caption = "" if title is None else " ".join(self._parts(title))
        rows = grid_of(element, self._cell, self.name)
        if rows or caption:
            self._put(Line("text", depth=self._item_depth, table=Table(rows, caption)))
        for notes in element.findall("GR.NOTES"):
            for annotation in notes.findall("GR.ANNOTATION"):
                self._walk(annotation)

    def _cell(self, cell: etree._Element) -> str:
        walker = self._inner()
        walker._mixed(cell)
        walker._flush()
        return " ".join(text for line in walker.lines for text in _flat(line))

    def _quotation(self, element: etree._Element) -> None:
        with self._within(quoted=True, depth=0, item=0):
            self._mixed(element)

    def _contents(self, element: etree._Element) -> None:
        """Entries of a table of contents are no headings: they are set apart like quotations."""
        with self._within(quoted=True):
            for entry in element.iter("TITLE", "TOC.ITEM"):
                self._text(" ".join(inline_text(part, self.notes) for part in entry))
            for title in element.iter("TOC.HD.REF"):
                self._text(inline_text(title, self.notes))


def _flat(line: Line) -> Iterator[str]:
    if line.label:
        yield line.label
    if line.text:
        yield line.text
    if line.table:
        if line.table.caption:
            yield line.table.caption
        yield from (cell for row in line.table.rows for cell in row if cell)


def _number_in(title: etree._Element) -> str:
    return labels.bare(labels.split(f"{plain_text(title)} ")[0])


def _begins_with_label(text: str) -> bool:
    return bool(labels.split(text)[0])
