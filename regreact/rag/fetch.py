"""Documents of legal acts into the store, from files and from Cellar: what is wanted, and what came of each."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Literal

from regreact.errors import (
    DocumentRefusedError,
    NoUnitMatchedError,
    RegReActError,
    ServiceChallengeError,
    ServiceUnavailableError,
    SourceError,
    SourceNotFoundError,
)
from regreact.rag.acquire import MAX_BYTES, Acquirer
from regreact.rag.entry import Entry, parse_id
from regreact.rag.identify import identify
from regreact.rag.store import Store

# Files that can hold an act.
SUFFIXES = (".xml", ".xhtml", ".html", ".htm", ".json", ".txt", ".pdf", ".zip")
Status = Literal["stored", "kept", "found", "to ask", "failed", "not asked"]


@dataclass(frozen=True, slots=True)
class Line:
    """What came of one document.

    Attributes:
        wanted: File name or CELEX id.
        status: `stored`; `kept`: the store held it; `found`: would be stored, `to ask`: would be asked for
            (dry run); `failed`; `not asked`: the
            service had stopped answering.
        id: CELEX id, with the date of a consolidated version.
        language: Two-letter code.
        format: How it is written.
        bytes: Size.
        source: Address or file name.
        problem: Why it failed.
    """

    wanted: str
    status: Status
    id: str = ""
    language: str = ""
    format: str = ""
    bytes: int = 0
    source: str = ""
    problem: str = ""


@dataclass
class Summary:
    """What came of a command."""

    lines: list[Line] = field(default_factory=list)

    def count(self, status: Status) -> int:
        """Return how many documents have a status."""
        return sum(line.status == status for line in self.lines)

    @property
    def exit_code(self) -> int:
        """0 if all is there, else 1."""
        return 1 if self.count("failed") or self.count("not asked") else 0


@dataclass(frozen=True, slots=True)
class Request:
    """What to fetch.

    Attributes:
        celex: CELEX ids.
        folder: Folder or file to take documents from, None for none.
        cited_in: Source (as of `regreact extract`) whose cited acts are wanted, None for none.
        as_of: Date for the consolidated version in force, None for the originals.
        language: Two-letter code.
        dry_run: Only say what would be done.
    """

    celex: tuple[str, ...] = ()
    folder: Path | None = None
    cited_in: str | None = None
    as_of: date | None = None
    language: str = "en"
    dry_run: bool = False


def wanted_acts(request: Request) -> tuple[list[str], list[Line]]:
    """Return what to ask Cellar for.

    Returns:
        The ids, each once: those named, then those cited, in order; and a failure for each file of the citing source
        that cannot be read.

    Raises:
        StoreError: An id is none.
        SourceNotFoundError, SourceFormatError: The source cannot be read.
        NoUnitMatchedError: The source cites no act.
    """
    for celex in request.celex:
        parse_id(celex)
    cited, unreadable = cited_acts(request.cited_in) if request.cited_in is not None else ((), ())
    if request.cited_in is not None and not cited:
        raise NoUnitMatchedError(f"{request.cited_in}: cites no act of the Union")
    return list(dict.fromkeys([*request.celex, *cited])), list(unreadable)


def cited_acts(source: str) -> tuple[list[str], list[Line]]:
    """Return the acts that the units of a source cite, in order of their ids, and the files that cannot be read."""
    from regreact import corpus  # noqa: PLC0415  readers of all formats
    from regreact.legal.citations import find_citations  # noqa: PLC0415

    loaded = corpus.load(source)
    units = [unit for document in loaded.documents for unit in document.units]
    texts = [text for unit in units for text in (*(block.text for block in unit.blocks), *unit.footnotes.values())]
    found = {citation.celex for text in texts for citation in find_citations(text) if citation.celex}
    return sorted(found), [Line(Path(e.path).name, "failed", problem=e.problem) for e in loaded.unreadable]


def documents(place: Path) -> list[Path]:
    """Return the files of a folder that can hold an act, in order; hidden ones and other suffixes are passed over.

    Raises:
        SourceNotFoundError: There is no such place, or no such file in it.
    """
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise SourceNotFoundError(place, "no such folder", "check --from")
    found: list[Path] = []
    for root, folders, names in os.walk(place):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        shown = (name for name in sorted(names) if not name.startswith("."))
        found += [Path(root) / name for name in shown if Path(name).suffix.lower() in SUFFIXES]
    if not found:
        raise SourceNotFoundError(place, "the folder holds no document", f"give files named <CELEX>{SUFFIXES[1]}, …")
    return found


def from_file(store: Store, path: Path, request: Request) -> Line:
    """Store one file; what is wrong with it becomes a failure."""
    try:
        data = _bytes(path)
        found = identify(path.name, data)
    except SourceError as error:
        return Line(path.name, "failed", problem=error.problem + (f" ({error.hint})" if error.hint else ""))
    if request.dry_run:
        return Line(path.name, "found", found.id, found.language, found.format, len(data), path.name)
    entry, new = store.add(
        data,
        id=found.id,
        language=found.language,
        format=found.format,
        media_type=found.media_type,
        source=path.name,
        date=found.date,
        licence=found.licence,
    )
    return _line(path.name, "stored" if new else "kept", entry)


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise SourceNotFoundError(path.name, f"cannot be opened: {error.strerror}", "check the permissions") from error
    if len(data) > MAX_BYTES:
        raise DocumentRefusedError(path.name, f"larger than {MAX_BYTES:,} bytes", "give the act alone")
    return data


def from_cellar(store: Store, acts: Sequence[str], request: Request, overrides: Sequence[str]) -> Iterator[Line]:
    """Yield what came of each act; once the service stops answering, the others are not asked for."""
    if not acts:
        return
    if request.dry_run:
        for celex in acts:
            # Which version was in force at a date is known only when the service is asked.
            entry = store.best(celex, language=request.language) if request.as_of is None else None
            yield _line(celex, "kept", entry) if entry else Line(celex, "to ask", celex, request.language)
        return
    from regreact import config  # noqa: PLC0415  heavy
    from regreact.legal.web import WebClient  # noqa: PLC0415

    s = config.load(overrides).celex
    hint = "take files instead: regreact fetch --from FOLDER"
    web = WebClient(s.base_url, rate=s.rate, timeout_s=s.timeout_s, retries=s.retries, max_bytes=MAX_BYTES, hint=hint)
    acquirer = Acquirer(store, web)
    stopped = ""
    try:
        for celex in acts:
            if stopped:
                yield Line(celex, "not asked", problem=stopped)
                continue
            try:
                fetched = acquirer.fetch(celex, request.as_of, request.language)
            except (ServiceUnavailableError, ServiceChallengeError) as error:
                stopped = str(error)
                yield Line(celex, "failed", problem=stopped)
            except RegReActError as error:
                if error.exit_code != 1:
                    raise
                yield Line(celex, "failed", problem=str(error))
            else:
                yield _line(celex, fetched.status, fetched.entry)
    finally:
        web.close()


def _line(wanted: str, status: Status, entry: Entry) -> Line:
    return Line(wanted, status, entry.id, entry.language, entry.format, entry.bytes, entry.source)
