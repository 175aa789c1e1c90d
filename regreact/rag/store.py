"""A store of legal acts on disk: documents by the hash of their bytes, and a manifest that says what they are.

    STORE/manifest.jsonl        one entry a line, appended
    STORE/objects/ab/ab12…      the bytes of a document, named by their SHA-256
    STORE/.lock                 by which writers take turns
    STORE/derived/…             what was computed from documents, below its own hash; may be deleted at any time

A document is written before its entry, each in one step, so that a run that is stopped leaves at most an object that no
entry names; the next run writes the entry. Several processes may add at once.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

from pydantic import ValidationError

from regreact.errors import OutputError, StoreError
from regreact.files import append_line, reason, write_whole
from regreact.rag.act import DocumentFormat
from regreact.rag.entry import FORMATS, LICENCE, Entry, parse_id

try:
    import fcntl
except ImportError:  # pragma: no cover - no file locks on this system: one writer at a time
    fcntl = None  # type: ignore[assignment]

_log = logging.getLogger(__name__)

_MANIFEST = "manifest.jsonl"
_DERIVED = re.compile(r"[A-Za-z0-9][A-Za-z0-9.()_-]*(?:/[A-Za-z0-9][A-Za-z0-9.()_-]*)*")


def default_folder() -> Path:
    """Return the store's folder where none is named: `$REGREACT_STORE`, else `store` in the current folder."""
    return Path(os.environ.get("REGREACT_STORE") or "store")


class _Manifest:
    """The entries of a store by key, and by act, since acts are looked up once a citation."""

    def __init__(self, entries: dict[tuple[str, str, str, str], Entry]) -> None:
        self.entries = entries
        self.by_act: dict[str, list[Entry]] = {}
        for entry in entries.values():
            self.by_act.setdefault(entry.celex, []).append(entry)


class Store:
    """Documents of legal acts in a folder; safe to share between threads.

    Lines of the manifest that are no entry are logged, once each, and left out.

    Args:
        folder: The folder; it is made when the first document is added.

    Raises:
        StoreError: There is something else at the path.
    """

    def __init__(self, folder: Path) -> None:
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{folder}: not a folder; name another store")
        self.folder = folder
        self._lock = threading.Lock()
        self._read: tuple[tuple[int, int], _Manifest] | None = None
        self._told: set[tuple[int, str]] = set()

    def add(
        self,
        data: bytes,
        *,
        id: str,
        language: str = "en",
        format: DocumentFormat,
        media_type: str,
        source: str,
        date: str = "",
        licence: str = LICENCE,
    ) -> tuple[Entry, bool]:
        """Store a document.

        Args:
            data: Its bytes.
            id: CELEX id of the act, or that of a consolidated version (`02018L2001-20220607`).
            language: Two-letter code.
            format: How it is written.
            media_type: Media type.
            source: Where it came from: an address or a file name.
            date: Day of the document, "" if it is not known; that of a consolidated version follows from its id.
            licence: Terms of reuse.

        Returns:
            The entry, and True if the store has not held these bytes as this document before.

        Raises:
            StoreError: The id or language is none, or the folder cannot be written.
        """
        celex, version = parse_id(id)
        sha256 = hashlib.sha256(data).hexdigest()
        try:
            entry = Entry(
                celex=celex,
                version=version,
                language=language,
                format=format,
                date=version or date,
                sha256=sha256,
                bytes=len(data),
                media_type=media_type,
                source=source,
                retrieved=datetime.now(UTC).isoformat(timespec="seconds"),
                licence=licence,
            )
        except ValidationError as error:
            raise StoreError(f"{id}: {_told(error)}") from None
        with self._writing():
            self._write_object(sha256, data)
            known = self._manifest().entries.get(entry.key)
            if known is not None and known.sha256 == sha256:
                return known, False
            self._append(entry)
        return entry, True

    def entries(self, celex: str | None = None) -> list[Entry]:
        """Return the entries of an act, or all, in order of act, version, language and format (best first).

        Raises:
            StoreError: `celex` is no CELEX id of an act, or the manifest cannot be read.
        """
        if celex is not None and parse_id(celex)[1]:
            raise StoreError(f"{celex!r} is a version; give the CELEX id of the act, 3…")
        manifest = self._manifest()
        found = manifest.by_act.get(celex, ()) if celex is not None else manifest.entries.values()
        return sorted(found, key=lambda e: (e.celex, e.version, e.language, FORMATS.index(e.format)))

    def best(self, celex: str, as_of: date | None = None, language: str = "en") -> Entry | None:
        """Return the document to read of an act in a language.

        With a date it is the consolidated version in force then: the latest of a day up to that date, else the
        original. Without a date it is the original, else the latest version. Of one version the best format counts.

        Args:
            celex: CELEX id of the act; that of a consolidated version means this version and no other.
            as_of: Date.
            language: Two-letter code.

        Raises:
            StoreError: The id is none, or the manifest cannot be read.
        """
        act, version = parse_id(celex)
        held = [e for e in self.entries(act) if e.language == language]
        if version:
            return next((e for e in held if e.version == version), None)
        if as_of is not None:
            held = [e for e in held if e.version <= as_of.isoformat()]
        elif any(not e.version for e in held):
            held = [e for e in held if not e.version]
        latest = max((e.version for e in held), default="")
        return next((e for e in held if e.version == latest), None)

    def read(self, entry: Entry) -> bytes:
        """Return the bytes of a document.

        Raises:
            StoreError: They are missing or not those that were stored.
        """
        path = self._object(entry.sha256)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise StoreError(
                f"{path}: the document of {entry.id} cannot be read: {error.strerror}; {_again(entry)}"
            ) from error
        if hashlib.sha256(data).hexdigest() != entry.sha256:
            raise StoreError(f"{path}: the document of {entry.id} is damaged; {_again(entry)}")
        return data

    def path(self, entry: Entry) -> Path:
        """Return the file that holds a document's bytes (`read` checks them, this does not)."""
        return self._object(entry.sha256)

    def read_derived(self, name: str) -> bytes | None:
        """Return what was computed before under a name, None if nothing was or it is damaged or cannot be read.

        Raises:
            StoreError: The name is not allowed.
        """
        path = self._derived(name)
        try:
            digest, _, data = path.read_bytes().partition(b"\n")
        except OSError:
            return None
        # A flipped bit would pass for a word of the law.
        return data if digest == _digest(data) else None

    def write_derived(self, name: str, data: bytes) -> None:
        """Keep something computed from documents.

        Args:
            name: Path below `derived`, of letters, digits and `._-()`.
            data: Content.

        Raises:
            StoreError: The name is not allowed, or the file cannot be written.
        """
        path = self._derived(name)
        try:
            write_whole(path, _digest(data) + b"\n" + data, private=True)
        except OutputError as error:
            raise StoreError(f"{error}; or name another store") from error

    def _object(self, sha256: str) -> Path:
        return self.folder / "objects" / sha256[:2] / sha256

    def _derived(self, name: str) -> Path:
        if not _DERIVED.fullmatch(name):
            raise StoreError(f"{name!r}: not allowed as a name in the store")
        return self.folder / "derived" / name

    def _write_object(self, sha256: str, data: bytes) -> None:
        path = self._object(sha256)
        # Bytes that were damaged on disk are put right.
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
            write_whole(path, data, durable=True, private=True)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the store against other threads and processes."""
        with self._lock:
            try:
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                with (self.folder / ".lock").open("a") as lock:
                    if fcntl is not None:
                        fcntl.flock(lock, fcntl.LOCK_EX)
                    yield
            except OutputError as error:
                raise StoreError(f"{error}; or name another store") from error
            except OSError as error:
                where = error.filename or self.folder
                raise StoreError(f"{where}: cannot be written: {reason(error)}; or name another store") from error

    def _append(self, entry: Entry) -> None:
        append_line(self.folder / _MANIFEST, entry.model_dump_json().encode(), durable=True, private=True)

    def _manifest(self) -> _Manifest:
        """Return the entries, read again if the file has changed."""
        path = self.folder / _MANIFEST
        try:
            status = path.stat()
            state = (status.st_mtime_ns, status.st_size)
            if self._read is not None and self._read[0] == state:
                return self._read[1]
            data = path.read_bytes()
        except FileNotFoundError:
            return _Manifest({})
        except OSError as error:
            raise StoreError(f"{path}: cannot be read: {error.strerror}; name another store") from error
        entries, damaged = _lines(data)
        for number, problem in damaged.items():
            # Without its entry a document counts as not held, which whoever asks for it is told.
            if (number, problem) not in self._told:
                _log.warning(
                    "%s, line %d: %s; left out: delete the line and fetch the document again", path, number, problem
                )
        self._told.update(damaged.items())
        manifest = _Manifest(entries)
        self._read = (state, manifest)
        return manifest


def _lines(data: bytes) -> tuple[dict[tuple[str, str, str, str], Entry], dict[int, str]]:
    """Return the entries of a manifest by key, and what is wrong with other lines by their number."""
    entries: dict[tuple[str, str, str, str], Entry] = {}
    damaged: dict[int, str] = {}
    for number, line in enumerate(data.split(b"\n"), start=1):
        # A line that a stopped run left half-written has no closing brace.
        if not line.strip() or not line.rstrip().endswith(b"}"):
            continue
        try:
            entry = Entry.model_validate_json(line)
        except ValidationError as error:
            damaged[number] = _told(error)
        else:
            entries[entry.key] = entry
    return entries, damaged


def _told(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"]))
    return f"{where or 'entry'}: {first['msg']}"


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def _again(entry: Entry) -> str:
    return f"fetch it again from {entry.source}"
