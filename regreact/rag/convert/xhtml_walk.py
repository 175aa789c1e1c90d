"""Walks the markup of EUR-Lex pages and writes down what it says as lines.

Three generations of the Official Journal share their class names (`ti-art`, since 2013 `oj-ti-art`); consolidated texts
have their own (`title-article-norm`). Pages before about 2003 have none: their paragraphs become lines of role "text".
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lxml import etree

from regreact.rag.act import Table
from regreact.rag.convert.lines import Line, Role
from regreact.rag.convert.xhtml_classes import (
    ALONE,
    ANNEX,
    APPENDIX,
    DIVISION,
    FURNITURE,
    HEAD_TABLE,
    HEADING,
    HEADING_NUMBER,
    NUMBERED,
    PARAGRAPH,
    RECITAL,
    ROLES,
)
from regreact.rag.convert.xhtml_tables import NOTE_LABEL, Item, grid_of, is_caption, items_of
from regreact.rag.convert.xhtml_text import (
    BLOCKS,
    HIDDEN,
    classes_of,
    clean,
    holds_blocks,
    raw_text,
    split_number,
)
from regreact.sources.eurlex_markup import name_of


@dataclass(slots=True)
class _Pending:
    """An item whose label has been read and whose text comes next."""

    role: Role
    label: str
    depth: int


class Walker:
    """Writes the lines of one page, in the order printed.

    Args:
        name: Name of the document, for messages.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: list[Line] = []
        self.breaks: list[int] = []
        """Positions in `lines` at which an article or annex of the act itself begins or ends, by the page's ids."""
        self._depth = 0
        self._pending: _Pending | None = None
        self._captions: list[str] = []
        self._place: Role | None = None  # what the part of the page is, if it is one: title, recital, end, annex
        self._enacting = False  # the enacting terms have begun
        self._in_annex = False  # the last title was that of an annex, not of an article
        self._annexes = 0  # annexes opened within the part of the page that holds one

    def walk(self, body: etree._Element) -> list[Line]:
        """Return the lines of the page's body."""
        self._container(body)
        self._flush()
        return self.lines

    # --- places --------------------------------------------------------------------------------------------

    def _container(self, element: etree._Element, without: etree._Element | None = None) -> None:
        """Read loose text and paragraphs of an element that holds paragraphs, `without` one of its children."""
        run = [element.text or ""]
        for child in element:
            if child is without or name_of(child) in HIDDEN or not name_of(child):
                pass
            elif name_of(child) in BLOCKS or holds_blocks(child):
                self._text("".join(run))
                run = []
                self._block(child)
            else:
                run.append(" " if name_of(child) == "br" else raw_text(child))
            run.append(child.tail or "")
        self._text("".join(run))

    def _block(self, element: etree._Element) -> None:
        classes = classes_of(element)
        name = name_of(element)
        if classes & FURNITURE:
            return
        if name == "table":
            self._table(element)
        elif "grid-list" in classes or "enumeration-spacing" in classes:
            self._columns(element)
        elif name == "div" and (number := _first_child(element, "no-parag")) is not None:
            self._numbered(element, number)
        elif holds_blocks(element):
            self._part(element, classes)
        else:
            self._leaf(element, classes)

    def _part(self, element: etree._Element, classes: frozenset[str]) -> None:
        """Read a division of the page; its id may tell what it is."""
        kind = element.get("id", "").partition("_")[0]
        outer = self._place
        if kind == "rct":
            self._place = "recital"
        elif kind == "fnp" or classes & {"final", "signatory"}:
            self._place = "end"
        elif kind in ("anx", "app"):
            self._place = "annex"
            self._annexes = 0 if kind == "anx" and "." not in element.get("id", "") else self._annexes
        elif kind in ("enc", "art"):
            self._enacting = True
        self._break(kind)
        self._container(element)
        self._break(kind)
        self._place = outer

    def _break(self, kind: str) -> None:
        if kind in ("art", "anx", "app"):
            self._flush()
            self.breaks.append(len(self.lines))

    # --- items ---------------------------------------------------------------------------------------------

    def _columns(self, grid: etree._Element) -> None:
        """Read an item that is set as two columns, the label first."""
        label, *content = [child for child in grid if isinstance(child.tag, str)] or [grid]
        with self._item("point", clean(raw_text(label)), 1):
            for element in content:
                if classes_of(element) & {"grid-list-column-2"} and not holds_blocks(element):
                    self._leaf(element, frozenset())
                elif name_of(element) in BLOCKS or holds_blocks(element):
                    self._block(element)
                else:
                    self._text(raw_text(element))

    def _numbered(self, element: etree._Element, number: etree._Element) -> None:
        """Read a numbered paragraph of a consolidated text."""
        with self._item("paragraph", clean(raw_text(number)), 0):
            self._container(element, number)

    def _row(self, item: Item) -> None:
        role: Role = "point"
        if NOTE_LABEL.fullmatch(item.label):
            role = "note"
        elif (self._place == "recital" or self._is_preamble) and not self._depth and RECITAL.fullmatch(item.label):
            role = "recital"
        with self._item(role, item.label, 1 + item.indent):
            if holds_blocks(item.content):
                self._container(item.content)
            else:
                self._leaf(item.content, frozenset())

    @contextmanager
    def _item(self, role: Role, label: str, deeper: int) -> Iterator[None]:
        """Enter an item; the first text within becomes its own."""
        self._flush()
        self._depth += deeper
        if label:
            self._pending = _Pending(role, label, self._depth if role == "point" else 0)
        yield
        self._flush()
        self._depth -= deeper

    def _flush(self) -> None:
        self._loose_captions()
        if self._pending is not None:
            item, self._pending = self._pending, None
            self.lines.append(Line(item.role, "", item.label, item.depth))

    def _loose_captions(self) -> None:
        """A table's title without a table is a heading."""
        captions, self._captions = self._captions, []
        self.lines += [Line("heading", text) for text in captions]

    # --- tables --------------------------------------------------------------------------------------------

    def _table(self, table: etree._Element) -> None:
        if any(classes_of(p) & HEAD_TABLE for p in table.iter("{*}p")):
            return
        items = items_of(table)
        if items is not None:
            for item in items:
                self._row(item)
            return
        rows = grid_of(table, self.name)
        captions, self._captions = self._captions, []
        self._flush()
        if rows:
            self.lines.append(Line("text", depth=self._depth, table=Table(rows, " ".join(captions))))

    # --- paragraphs ----------------------------------------------------------------------------------------

    @property
    def _is_preamble(self) -> bool:
        return not self._enacting and self._place is None

    def _leaf(self, element: etree._Element, classes: frozenset[str]) -> None:
        raw = raw_text(element)
        text = clean(raw)
        if not text:
            return
        if is_caption(classes):
            if not self._captions:
                self._flush()
            self._captions.append(text)
        elif "doc-ti" in classes:
            self._document_title(text)
        elif any(map(HEADING.fullmatch, classes)):
            self._heading(raw)
        else:
            self._typed(next((ROLES[name] for name in sorted(classes) if name in ROLES), "text"), raw, text)

    def _typed(self, role: Role, raw: str, text: str) -> None:
        """Read a paragraph whose class has one role whatever the place."""
        if role == "note":
            self._note(raw)
        elif role in ("article", "division"):
            self._structure(role, text)
        elif role == "annex":
            self._annex(text)
        elif role == "text":
            self._text(raw)
        else:
            self._flush()
            self.lines.append(Line(role, text))

    def _document_title(self, text: str) -> None:
        """Read a title of a document: of the act, or of what follows it."""
        self._flush()
        if all(line.role == "title" for line in self.lines) and self._place is None:
            self.lines.append(Line("title", text))
        else:
            self._annex(text)

    def _annex(self, text: str) -> None:
        self._flush()
        self._enacting = True
        for role, pattern in (("annex", ANNEX), ("appendix", APPENDIX)):
            if (found := pattern.fullmatch(text)) is not None:
                opened: Role = "annex" if role == "annex" else "appendix"
                self._annexes += opened == "annex"
                self._in_annex = True
                # A second title of an annex within one is that of an annex below it.
                depth = min(self._annexes, 2) if self._place == "annex" else 0
                self.lines.append(Line(opened, found["rest"], found["label"], depth))
                return
        self._heading(text)

    def _structure(self, role: Role, text: str) -> None:
        self._flush()
        self._enacting = True
        self._in_annex = self._in_annex and role != "article"
        found = NUMBERED.fullmatch(text)
        label, rest = (found["label"], found["rest"]) if found else (text, "")
        self.lines.append(Line(role, rest, label))

    def _heading(self, raw: str) -> None:
        self._flush()
        label, text = split_number(raw)
        if not label and (number := HEADING_NUMBER.match(text)) is not None:
            label, text = number[1], text[number.end() :]
        if not label and (found := DIVISION.fullmatch(text)) is not None:
            self.lines.append(Line("division", found["rest"], found["label"]))
        else:
            self.lines.append(Line("heading", text, label))

    def _note(self, raw: str) -> None:
        self._flush()
        found = ALONE.fullmatch(raw)
        if found is None:
            self.lines.append(Line("note", clean(raw)))
        else:
            self.lines.append(Line("note", clean(found["rest"]), clean(found["label"])))

    def _text(self, raw: str) -> None:
        text = clean(raw)
        if not text:
            return
        if self._pending is not None and not self._captions:
            item, self._pending = self._pending, None
            self.lines.append(Line(item.role, text, item.label, item.depth))
            return
        self._flush()
        if self._place == "end":
            self.lines.append(Line("end", text))
            return
        label, rest = split_number(raw) if self._enacting else ("", text)
        division = DIVISION.fullmatch(text) if self._in_annex and not self._depth else None
        if division and division["stop"] and not text.endswith((".", ";")):
            self.lines.append(Line("division", division["rest"], division["label"]))
        elif not label:
            self.lines.append(Line("text", text, depth=self._depth))
        elif PARAGRAPH.fullmatch(label) and not self._in_annex and not self._depth:
            self.lines.append(Line("paragraph", rest, label))
        else:
            # Within an item of a list, a label of its own begins a list below.
            self.lines.append(Line("point", rest, label, self._depth + 1 if self._depth else 0))


def _first_child(element: etree._Element, name: str) -> etree._Element | None:
    first = next((child for child in element if isinstance(child.tag, str)), None)
    return first if first is not None and name in classes_of(first) else None
