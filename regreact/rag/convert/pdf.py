"""Legal acts in PDF, as the Official Journal prints them: two columns, running heads, footnotes, ruled tables."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from regreact.errors import SourceFormatError
from regreact.rag.act import LegalAct, Table
from regreact.rag.convert import outline
from regreact.rag.convert.lines import Line
from regreact.rag.convert.pdf_glyphs import PrintedLine, direction, glyphs_of, turned
from regreact.rag.convert.pdf_layout import PageLayout, lay_out, with_notes, without_running_heads
from regreact.rag.convert.pdf_paragraphs import Paragraph, paragraphs
from regreact.rag.convert.pdf_tables import rules_of
from regreact.rag.convert.pdf_words import Vocabulary, joined

# Headings that stand centred on a line of their own, with their number.
_ARTICLE = re.compile(r"(Article\s+\d+[a-z]*|(?:Sole|Single|Only)\s+Article)\.?", re.IGNORECASE)
_ANNEX = re.compile(r"ANNEX(?:\s+(?:[IVXLC]+[A-Za-z]?|\d+[A-Za-z]?|[A-Z]))?", re.IGNORECASE)
_APPENDIX = re.compile(r"Appendix(?:\s+(?:[IVXLC]+|\d+[A-Za-z]?|[A-Z]))?", re.IGNORECASE)
_DIVISION = re.compile(
    r"((?:TITLE|CHAPTER|SECTION|PART|Subsection)\s+(?:[IVXLC]+[A-Za-z]?|\d+[A-Za-z]?|[A-Z]))(?:[.:]?\s+(.*))?$",
    re.IGNORECASE,
)
_MARKER = re.compile(r"\((?:\d+|\*+)\)")


def read_pdf(data: bytes, *, name: str, celex: str, version: str, language: str) -> LegalAct:
    """Convert a PDF to an act with addressed provisions.

    Args:
        data: The file.
        name: What to call it in messages.
        celex: CELEX id of the act.
        version: Date of a consolidated version, "" for the original.
        language: Two-letter code.

    Returns:
        The act; its text is that of the text layer, footnotes apart.

    Raises:
        DocumentRefusedError: Encrypted, or beyond a limit.
        SourceFormatError: No PDF, damaged, without pages or without a text layer (a scan).
    """
    return outline.build(
        pdf_lines(data, name=name),
        celex=celex,
        version=version,
        language=language,
        format="pdf",
        sha256=hashlib.sha256(data).hexdigest(),
    )


def pdf_lines(data: bytes, *, name: str) -> list[Line]:
    """Return a PDF as typed lines; what typography leaves open has the role "text".

    Args:
        data: The file.
        name: What to call it in messages.

    Raises:
        DocumentRefusedError: Encrypted, or beyond a limit.
        SourceFormatError: No PDF, damaged, without pages or without a text layer (a scan).
    """
    pages = with_notes(without_running_heads(_layouts(name, data)))
    vocabulary = Vocabulary.of(line.text for line in _printed(pages))
    return list(_typed(_merged_tables(paragraphs(pages, vocabulary))))


def _layouts(name: str, data: bytes) -> list[PageLayout]:
    """Return the layout of each page."""
    from regreact.rag.convert.pdf_document import read_pages  # noqa: PLC0415  heavy

    # Words of a cell are few and the document's are not known yet.
    join = partial(_cell_text, Vocabulary(frozenset(), soft=False))
    pages, inked = [], 0
    for number, page in enumerate(read_pages(name, data)):
        width, height = float(page.width), float(page.height)
        characters, shapes = page.chars, [*page.lines, *page.rects, *page.curves]
        if way := direction(characters):
            characters = [turned(c, way, width, height) for c in characters]
            shapes = [turned(s, way, width, height) for s in shapes]
            width, height = height, width
        glyphs = glyphs_of(characters, width, height)
        inked += sum(1 for g in glyphs if not g.text.isspace() and g.text != "\ufffd")
        pages.append(lay_out(number, glyphs, rules_of(shapes), height, join))
    if not inked:
        raise SourceFormatError(
            name, "the PDF has no text, only images (a scan)", "get XHTML or Formex; text recognition is not offered"
        )
    return pages


def _cell_text(vocabulary: Vocabulary, lines: Sequence[PrintedLine]) -> str:
    return joined([line.text for line in lines], vocabulary)


def _printed(pages: Iterable[PageLayout]) -> Iterator[PrintedLine]:
    for page in pages:
        for column in page.columns:
            yield from (item for item in column.items if isinstance(item, PrintedLine))
            yield from column.notes


def _merged_tables(printed: Iterable[Paragraph]) -> Iterator[Paragraph]:
    """Yield the paragraphs; a table that goes on over the page with the same head is one table."""
    open_table: Paragraph | None = None
    for paragraph in printed:
        table, before = paragraph.table, open_table.table if open_table else None
        if open_table and before and table and paragraph.page > open_table.page and _goes_on(before, table):
            open_table = Paragraph("", paragraph.page, table=Table(before.rows + table.rows[1:], before.caption))
            continue
        if open_table:
            yield open_table
        open_table = paragraph if table else None
        if not table:
            yield paragraph
    if open_table:
        yield open_table


def _goes_on(table: Table, following: Table) -> bool:
    return bool(table.rows and following.rows) and table.rows[0] == following.rows[0]


def _typed(printed: Iterable[Paragraph]) -> Iterator[Line]:
    """Yield paragraphs as lines with the role that their typography shows."""
    in_title = True  # the act's title stands across the first page, before any text
    for paragraph in printed:
        if paragraph.table:
            yield Line("text", table=paragraph.table)
        elif paragraph.note:
            marker = _MARKER.match(paragraph.text)
            label = marker[0] if marker else ""
            yield Line("note", paragraph.text[len(label) :].strip(), label=label)
        elif not paragraph.centred:
            in_title = False
            yield Line("text", paragraph.text)
        elif in_title and paragraph.bold:
            yield Line("title", paragraph.text)
        else:
            yield _heading(paragraph)


def _heading(paragraph: Paragraph) -> Line:
    text = paragraph.text
    if _ARTICLE.fullmatch(text):
        return Line("article", label=text)
    if _ANNEX.fullmatch(text):
        return Line("annex", label=text)
    if _APPENDIX.fullmatch(text):
        return Line("appendix", label=text)
    division = _DIVISION.match(text)
    if division:
        return Line("division", division[2] or "", label=division[1])
    return Line("heading" if paragraph.bold or paragraph.italic else "text", text)
