"""From a path to documents: which format a file has, where a document lies, what a folder holds."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from regreact.errors import SourceError, SourceFormatError, SourceNotFoundError
from regreact.sources.compass import read_compass
from regreact.sources.formex import read_formex
from regreact.sources.html import read_html
from regreact.sources.model import Document

DATA_VARIABLE = "REGREACT_DATA"
DATA_FOLDERS = (Path("data/raw"), Path("../shared/data"))
_FORMATS = "a Compass JSON, a Formex or XHTML act, or an HTML fragment"
# Where several files hold one document, the first of these is read: Formex marks lists and footnotes best.
_SUFFIXES = (".xml", ".json", ".xhtml", ".html", ".htm")
_HEAD = 65_536
# First start tag after an XML declaration, comments and a document type (with or without a [subset]).
_ROOT = re.compile(
    r"(?:\s|<\?.*?\?>|<!--.*?-->|<!\w[^>\[]*(?:\[.*?\]\s*)?>)*+<([A-Za-z][\w.:-]*)", re.DOTALL
)
_FORMEX_ROOT = re.compile(r"[A-Z]+(?:\.[A-Z]+)*")
_HTML_FRAGMENT_ROOTS = frozenset(
    "p ol ul div section article table h1 h2 h3 h4 h5 h6 span em strong b i u a br sup sub li dl".split()
)
_CONSLEG = re.compile(r"<INFO\.CONSLEG\b[^>]*>")
_VERSION = re.compile(r"compass-([\d.]+)")


@dataclass(frozen=True, slots=True)
class FolderReading:
    """What a folder holds.

    Attributes:
        documents: Readable documents in order of their paths, each document id once.
        failures: Files that look like documents by their names and cannot be read.
        duplicates: Files left out because another file of the folder is the same document.
    """

    documents: tuple[Document, ...]
    failures: tuple[SourceError, ...] = ()
    duplicates: tuple[Path, ...] = ()


def read(path: Path) -> Document:
    """Read one document; the content decides the format, whatever the file is called.

    Raises:
        SourceNotFoundError: There is no such file, or it cannot be opened.
        SourceFormatError: The file is empty, binary, cut off, or of a format that no reader knows.
    """
    return read_data(path, _bytes(path))


def read_data(path: Path, data: bytes) -> Document:
    """Read one document from memory.

    Args:
        path: Its name, for the document's id and for messages; nothing there is opened.
        data: Its content.

    Raises:
        SourceFormatError: It is empty, binary, cut off, or of a format that no reader knows.
    """
    if not data.strip():
        raise SourceFormatError(path, "the file is empty", "download it again")
    kind = _sniff(path, data)
    if kind == "xhtml":
        # The EUR-Lex readers are needed for pages only.
        from regreact.sources.eurlex import read_xhtml  # noqa: PLC0415

        return read_xhtml(path, data)
    reader = {"json": read_compass, "formex": read_formex, "html": read_html}[kind]
    return reader(path, data, hashlib.sha256(data).hexdigest())


def read_many(path: Path) -> FolderReading:
    """Read every document below a folder, or the one document that `path` is.

    Files with other suffixes than those of documents, and hidden ones, are passed over. A file that cannot be
    read becomes a failure and the others are read.

    Raises:
        SourceNotFoundError: There is no such path, or the folder holds no file that looks like a document.
        SourceFormatError: `path` is a file and cannot be read.
    """
    if not path.is_dir():
        return FolderReading((read(path),))
    files = list(_candidates(path))
    if not files:
        raise SourceNotFoundError(path, "the folder holds no document", f"give {_FORMATS}")
    documents: dict[str, tuple[Path, Document]] = {}
    failures: list[SourceError] = []
    duplicates: list[Path] = []
    for file in sorted(files, key=_preference):
        try:
            document = read(file)
        except SourceError as error:
            failures.append(error)
            continue
        if document.document in documents:
            duplicates.append(file)
        else:
            documents[document.document] = (file, document)
    in_order = sorted(documents.values(), key=lambda found: found[0])
    return FolderReading(tuple(d for _, d in in_order), tuple(failures), tuple(duplicates))


def find_source(document_id: str, source: Path | None = None) -> Path:
    """Return the file that holds a document.

    Looks in `source` (a file or a folder) if it is given, else in `$REGREACT_DATA`, `./data/raw` and
    `../shared/data`, in this order; folders are searched with all that is below them.

    Args:
        document_id: Source document id (`compass-1.0.4`, `02021R2139-20250108`, a CELEX, a file's stem).
        source: Where to look instead of the usual places.

    Raises:
        SourceNotFoundError: `source` does not exist, or no place holds the document.
    """
    if source is not None and not source.exists():
        raise SourceNotFoundError(source, "no such file or folder", "check --source")
    places = [source] if source is not None else _data_places()
    for place in places:
        files = [place] if place.is_file() else sorted(_candidates(place), key=_preference)
        for is_it in (_named, _named_with_language, _states):
            found = next((file for file in files if is_it(file, document_id)), None)
            if found is not None:
                return found
    looked = ", ".join(str(place) for place in places) or "no data folder exists"
    raise SourceNotFoundError(
        document_id, f"no file holds this document (looked in: {looked})", f"use --source or ${DATA_VARIABLE}"
    )


def _data_places() -> list[Path]:
    named = os.environ.get(DATA_VARIABLE)
    places = [Path(named)] if named else []
    return [place for place in (*places, *DATA_FOLDERS) if place.exists()]


def _candidates(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if not name.startswith(".") and Path(name).suffix.lower() in _SUFFIXES:
                yield Path(root) / name


def _preference(file: Path) -> tuple[int, Path]:
    suffix = file.suffix.lower()
    return (_SUFFIXES.index(suffix) if suffix in _SUFFIXES else len(_SUFFIXES), file)


def _named(file: Path, document_id: str) -> bool:
    """True if the file's name alone says that it is the document."""
    compass = _VERSION.fullmatch(document_id)
    if compass is not None:
        return file.suffix == ".json" and file.stem.endswith(f"-{compass[1]}")
    return file.stem == document_id or file.name in (f"{document_id}.fmx.xml", f"{document_id}.oj.fmx.xml")


def _named_with_language(file: Path, document_id: str) -> bool:
    """True for another language version, e.g. `32023R2486.fr.xhtml`."""
    return re.fullmatch(re.escape(document_id) + r"\.[a-z]{2}", file.stem) is not None


def _states(file: Path, document_id: str) -> bool:
    """True if a Formex file states this id about itself (`INFO.CONSLEG`)."""
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEAD).decode("utf-8", errors="replace")
    except OSError:
        return False
    info = _CONSLEG.search(head)
    values = dict(re.findall(r'([\w.]+)="([^"]*)"', info[0])) if info else {}
    return document_id == f"0{values.get('CONSLEG.REF')}-{values.get('START.DATE')}"


def _bytes(path: Path) -> bytes:
    if path.is_dir():
        raise SourceFormatError(path, "a folder, not a document", "name a file in it")
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise SourceNotFoundError(path, "no such file", "check the path") from error
    except OSError as error:
        problem = f"cannot be opened: {error.strerror}"
        raise SourceNotFoundError(path, problem, "check the permissions") from error
    return data


def _sniff(path: Path, data: bytes) -> str:
    """Return `json`, `formex`, `xhtml` or `html`."""
    head = data[:_HEAD]
    if head.startswith(b"%PDF"):
        raise SourceFormatError(path, "a PDF, which has no markup to read criteria from", f"give {_FORMATS}")
    if b"\0" in head:
        raise SourceFormatError(path, "a binary file", f"give {_FORMATS}")
    text = head.decode("utf-8", errors="replace").lstrip("\ufeff \t\r\n")
    if text.startswith(("{", "[")):
        return "json"
    root = _ROOT.match(text)
    if root is None:
        raise SourceFormatError(path, "plain text without markup", f"give {_FORMATS}")
    name = root[1]
    if name.lower() == "html":
        return "xhtml"
    if name.lower() in _HTML_FRAGMENT_ROOTS:
        return "html"
    if _FORMEX_ROOT.fullmatch(name):
        return "formex"
    raise SourceFormatError(path, f"markup of an unknown kind (root element <{name}>)", f"give {_FORMATS}")
