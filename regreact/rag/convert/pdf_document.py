"""Opening a PDF that nobody vouches for: limits on pages, expansion and drawing; only its text is read.

Scripts, embedded files, links and forms of a PDF are never run, opened or followed.
"""

from __future__ import annotations

import io
import logging
import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pdfminer.layout import LTPage
from pdfminer.pdfdocument import PDFEncryptionError, PDFPasswordIncorrect
from pdfminer.pdfinterp import PDFPageInterpreter
from pdfminer.pdfpage import PDFPage
from pdfminer.pdftypes import resolve1
from pdfminer.psexceptions import PSException
from pdfminer.utils import translate_matrix
from pdfplumber.page import Page, PDFPageAggregatorWithMarkedContent
from pdfplumber.pdf import PDF
from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException

from regreact.errors import DocumentRefusedError, SourceFormatError
from regreact.rag.convert.limits import LIMITS, check_pages, check_size, refusal

# Limits of a page. A dense page of the Official Journal has 10,000 characters and 500 rules.
MAX_CHARACTERS = 50_000
MAX_SHAPES = 50_000
MAX_FORMS = 2_000
MAX_CONTENT_BYTES = 4 * 1024 * 1024
# Limits of a document, against many pages that share a long drawing.
MAX_DOCUMENT_MARKS = 8_000_000
MAX_DOCUMENT_CONTENT_BYTES = 128 * 1024 * 1024
MAX_OBJECTS = 200_000  # a page of the Official Journal has about 10
# All streams together, unpacked: fonts and images count, though images are not read.
MAX_UNPACKED_BYTES = 512 * 1024 * 1024
MAX_OTHER_FILTER_BYTES = 64 * 1024  # packed with LZW, which may grow a thousandfold

_AGAIN = "download it again from the Publications Office"
_STREAM = re.compile(rb"\bstream\r?\n")
_OTHER_FILTER = re.compile(rb"/(?:LZWDecode|LZW|RunLengthDecode|RL)\b|/(?:Filter|F)\s*\d+\s+\d+\s+R\b")
# What pdfminer and pdfplumber raise on files that break the format.
_BROKEN = (
    PSException,
    PdfminerException,
    MalformedPDFException,
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)
logging.getLogger("pdfminer").setLevel(logging.ERROR)  # one line for each odd operator otherwise


@dataclass
class Spent:
    """What the pages of a document have drawn so far.

    Attributes:
        marks: Characters, shapes and forms.
        content_bytes: Bytes of their drawings.
    """

    marks: int = 0
    content_bytes: int = 0


class BoundedDevice(PDFPageAggregatorWithMarkedContent):
    """Collects what a page draws, up to the limits of a page.

    Args:
        name: The file, for the message.
        page: Number of the page, from 1.
        spent: What the pages before have drawn.
    """

    def __init__(self, name: str, page: int, spent: Spent, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._name, self._page, self._spent = name, page, spent
        self._counts = {"characters": 0, "shapes": 0, "forms": 0}

    def _count(self, what: str, allowed: int) -> None:
        self._counts[what] += 1
        self._spent.marks += 1
        if self._counts[what] > allowed:
            raise refusal(self._name, f"more than {allowed:,} {what} on page {self._page}", f"{allowed:,} a page")
        if self._spent.marks > MAX_DOCUMENT_MARKS:
            raise refusal(self._name, "its pages draw too much", f"{MAX_DOCUMENT_MARKS:,} characters and shapes")

    def render_string_horizontal(  # noqa: PLR0913, PLR0917  pdfminer's signature
        self,
        seq: Iterable[float | bytes],
        matrix: Any,
        pos: tuple[float, float],
        font: Any,
        fontsize: float,
        scaling: float,
        charspace: float,
        wordspace: float,
        rise: float,
        dxscale: float,
        ncs: Any,
        graphicstate: Any,
    ) -> tuple[float, float]:
        """Place a string; character spacing follows every character (ISO 32000-1, 9.3.2).

        pdfminer leaves it out after the last one of a string, which shifts tables that are set with wide spacing.
        """
        x, y = pos
        for part in seq:
            if isinstance(part, bytes):
                for code in font.decode(part):
                    place = translate_matrix(matrix, (x, y))
                    x += self.render_char(place, font, fontsize, scaling, rise, code, ncs, graphicstate) + charspace
                    x += wordspace if code == 32 else 0.0
            elif isinstance(part, int | float):
                x -= part * dxscale
        return x, y

    def render_char(self, *args: Any, **kwargs: Any) -> float:
        """Take a character."""
        self._count("characters", MAX_CHARACTERS)
        return float(super().render_char(*args, **kwargs))

    def paint_path(self, *args: Any, **kwargs: Any) -> None:
        """Take a line, rectangle or curve."""
        self._count("shapes", MAX_SHAPES)
        super().paint_path(*args, **kwargs)

    def begin_figure(self, *args: Any, **kwargs: Any) -> None:
        """Enter a form or image; forms that call one another multiply."""
        self._count("forms", MAX_FORMS)
        super().begin_figure(*args, **kwargs)


class BoundedPage(Page):
    """A page that is drawn with limits."""

    document: str = ""
    spent: Spent

    @property
    def layout(self) -> LTPage:
        """What the page draws."""
        if not hasattr(self, "_layout"):
            device = BoundedDevice(
                self.document, self.page_number, self.spent, self.pdf.rsrcmgr, pageno=self.page_number
            )
            PDFPageInterpreter(self.pdf.rsrcmgr, device).process_page(self.page_obj)
            self._layout: LTPage = device.get_result()
        return self._layout


def read_pages(name: str, data: bytes) -> Iterator[BoundedPage]:
    """Yield the pages of a PDF, each closed when the next is asked for.

    Args:
        name: The file, for messages.
        data: Its bytes.

    Raises:
        DocumentRefusedError: Encrypted, or beyond a limit (bytes, pages, expansion, drawing).
        SourceFormatError: Not a PDF, truncated, damaged or without pages.
    """
    check_size(name, len(data))
    _check_envelope(name, data)
    check_packing(name, data)
    try:
        yield from _pages(name, data)
    except PSException as error:
        raise _translated(name, error) from error
    except RecursionError as error:
        raise DocumentRefusedError(name, "objects refer to one another without end", _AGAIN) from error
    except _BROKEN as error:
        raise _translated(name, error) from error


def _pages(name: str, data: bytes) -> Iterator[BoundedPage]:
    pdf = PDF(io.BytesIO(data))
    claimed = _claimed_pages(pdf)
    check_pages(name, claimed)
    entries: list[PDFPage] = []
    for entry in PDFPage.create_pages(pdf.doc):
        entries.append(entry)
        check_pages(name, len(entries))
    if not entries and claimed:
        raise DocumentRefusedError(name, f"none of the {claimed} pages it claims can be reached", _AGAIN)
    if not entries:
        raise SourceFormatError(name, "the PDF has no pages", _AGAIN)
    spent = Spent()
    for number, entry in enumerate(entries, start=1):
        _check_contents(name, number, entry, spent)
        page = BoundedPage(pdf, entry, number)
        page.document, page.spent = name, spent
        page.objects  # noqa: B018  drawn here, where errors are translated
        yield page
        page.close()


def _claimed_pages(pdf: PDF) -> int:
    """Return the number of pages that the file claims, which costs nothing to read."""
    tree = resolve1(pdf.doc.catalog.get("Pages"))
    count = resolve1(tree.get("Count")) if isinstance(tree, dict) else None
    return count if isinstance(count, int) else 0


def _check_envelope(name: str, data: bytes) -> None:
    if b"%PDF-" not in data[:1024]:
        raise SourceFormatError(name, "not a PDF: the header %PDF- is missing", "check the file's type")
    if b"%%EOF" not in data[-2048:]:
        raise SourceFormatError(name, "the PDF is truncated: its end mark %%EOF is missing", _AGAIN)


def check_packing(name: str, data: bytes) -> None:
    """Count the objects and unpack every stream in bounded pieces before a parser does so at once.

    Raises:
        DocumentRefusedError: Too many objects, or a stream, or all of them, would grow beyond the limits.
    """
    objects = data.count(b"endobj")
    if objects > MAX_OBJECTS:
        raise refusal(name, f"{objects:,} objects", f"{MAX_OBJECTS:,} objects a PDF")
    total = 0
    for found in _STREAM.finditer(data):
        start = found.end()
        header = data[max(data.rfind(b"obj", 0, found.start()), found.start() - 4096) : found.start()]
        header = re.sub(rb"#([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), header)
        if _OTHER_FILTER.search(header):
            end = data.find(b"endstream", start)
            size = (end if end >= 0 else len(data)) - start
            if size > MAX_OTHER_FILTER_BYTES:
                raise refusal(name, f"a stream of {size:,} bytes packed with LZW", f"{MAX_OTHER_FILTER_BYTES:,} bytes")
        total += _unpacked(name, data, start)
        if total > MAX_UNPACKED_BYTES:
            raise refusal(name, "streams unpack to more than allowed", f"{MAX_UNPACKED_BYTES:,} bytes")


def _unpacked(name: str, data: bytes, start: int) -> int:
    """Return how many bytes a stream unpacks to, also where it is packed more than once."""
    total = 0
    view = memoryview(data)[start:]
    for layer in range(3):
        if len(view) < 2 or view[0] & 0x0F != 8 or (view[0] * 256 + view[1]) % 31:
            return total
        try:
            content = zlib.decompressobj().decompress(view, LIMITS.expanded_bytes + 1)
        except zlib.error:
            return total
        total += len(content)
        if len(content) > LIMITS.expanded_bytes or (layer and len(content) > LIMITS.document_bytes):
            raise refusal(name, "a stream unpacks to more than allowed", f"{LIMITS.expanded_bytes:,} bytes")
        view = memoryview(content)
    raise refusal(name, "a stream is packed three times over", "two layers")


def _check_contents(name: str, number: int, entry: PDFPage, spent: Spent) -> None:
    """Refuse a page whose drawing is too long to follow."""
    size = 0
    for reference in entry.contents:
        stream = resolve1(reference)
        if hasattr(stream, "get_data"):
            size += len(stream.get_data()) + 1
        if size > MAX_CONTENT_BYTES:
            raise refusal(name, f"page {number} draws more than {MAX_CONTENT_BYTES:,} bytes", "that size a page")
    spent.content_bytes += size
    if spent.content_bytes > MAX_DOCUMENT_CONTENT_BYTES:
        raise refusal(name, "its pages draw too much", f"{MAX_DOCUMENT_CONTENT_BYTES:,} bytes of drawing")


def _translated(name: str, error: BaseException) -> SourceFormatError:
    cause = error.args[0] if isinstance(error, PdfminerException) and error.args else error
    if isinstance(cause, PDFPasswordIncorrect | PDFEncryptionError):
        return DocumentRefusedError(name, "the PDF is encrypted", "save it without a password")
    if isinstance(cause, RecursionError):
        return DocumentRefusedError(name, "objects refer to one another without end", _AGAIN)
    return SourceFormatError(name, f"the PDF is damaged: {type(cause).__name__} {cause}"[:300], _AGAIN)
