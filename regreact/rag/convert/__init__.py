"""Published documents into `LegalAct`, whatever their format."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module

from regreact.errors import SourceFormatError
from regreact.rag.act import LegalAct

_Reader = Callable[..., LegalAct]

# Reader of each format; imported when a document of that format comes.
_READERS = {
    "xhtml": ("xhtml", "read_xhtml"),
    "formex": ("formex", "read_formex"),
    "text": ("text", "read_text"),
    "pdf": ("pdf", "read_pdf"),
}
_HEAD = 4096  # bytes that are looked at
_COMMENTS = re.compile(rb"\s*(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE\b[^>\[]*(?:\[.*?\]\s*)?>)", re.DOTALL | re.IGNORECASE)
_ROOT = re.compile(rb"\s*<(?:[\w.-]+:)?([\w.-]+)")
_HTML = (b"html", b"head", b"body", b"div", b"p", b"table", b"span", b"meta", b"title")


def convert(data: bytes, *, name: str, celex: str = "", version: str = "", language: str = "en") -> LegalAct:
    """Read an act in any of the formats that it is published in.

    Args:
        data: The document: XHTML or HTML of EUR-Lex, Formex (also zipped), PDF, plain text (also as JSON with the text
            under `reference`).
        name: File name, for messages.
        celex: CELEX id of the act; "" takes it from the document where it is found there.
        version: Date of a consolidated version (`2022-06-07`), "" for the original.
        language: Two-letter code.

    Raises:
        SourceFormatError: The document is empty or of no known format, or its reader cannot use it.
    """
    module, function = _READERS[sniff(data, name)]
    reader: _Reader = getattr(import_module(f"regreact.rag.convert.{module}"), function)
    return reader(data, name=name, celex=celex, version=version, language=language)


def sniff(data: bytes, name: str) -> str:
    """Tell the format by what the document begins with, never by its name: `xhtml`, `formex`, `pdf` or `text`.

    Raises:
        SourceFormatError: The document is empty or binary.
    """
    head = data[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not head:
        raise SourceFormatError(name, "the file is empty")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = data[:_HEAD].decode("utf-16", "replace").encode()
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith(b"PK\x03\x04"):
        return "formex"
    if head.startswith(b"<"):
        return "xhtml" if _root(data) in _HTML else "formex"
    if b"\0" in head:
        raise SourceFormatError(name, "binary, and no format that is known", "XHTML, Formex, PDF or plain text")
    return "text"


def _root(data: bytes) -> bytes:
    """Name of the first element, in small letters."""
    head = data[: 16 * _HEAD]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = head.decode("utf-16", "replace").encode()
    head, start = head.removeprefix(b"\xef\xbb\xbf"), 0
    while found := _COMMENTS.match(head, start):
        start = found.end()
    root = _ROOT.match(head, start)
    return root[1].lower() if root else b""
