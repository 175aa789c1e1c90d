"""Builds a dataset: extracts what is missing, then writes the tables, their schemas, statistics, card and record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from regreact import corpus, runner
from regreact.config import Settings
from regreact.dataset.card import card
from regreact.dataset.making import activity_rows, criterion_rows, section_of
from regreact.dataset.record import RECORD, Record, code_digest, code_of, failures_of, source_of
from regreact.dataset.rows import ROWS, ActivityRow, CriterionRow, Table
from regreact.dataset.statistics import is_appendix, statistics_of
from regreact.dataset.tables import json_lines, parquet, row_schema
from regreact.errors import OutputError, SourceError, SourceNotFoundError
from regreact.files import real, reason, write_whole
from regreact.folder_lock import folder_lock
from regreact.manifest import ManifestLine, Summary, unit_path
from regreact.schema import Extraction
from regreact.sources import find_source
from regreact.sources.model import Document, Unit

# The delegated acts in force that set criteria, as consolidated: climate (with the complementary act) and environment.
DEFAULT_DOCUMENTS = ("02021R2139-20250108", "02023R2486-20260101")


@dataclass(frozen=True, slots=True)
class Request:
    """What to build.

    Attributes:
        sources: `samples`, files and folders; empty for the two delegated acts, looked up in the data folder.
        out: Folder of the dataset.
        work: Folder of the extraction files, from which an interrupted build goes on; None for `<out>.build`.
        units: Unit keys to keep, `*` and `?` match; empty for all.
        with_text: Include the official text.
        resume: Use extraction files of an earlier build that still hold.
    """

    sources: tuple[str, ...]
    out: Path
    work: Path | None = None
    units: tuple[str, ...] = ()
    with_text: bool = True
    resume: bool = True

    @property
    def extractions(self) -> Path:
        """Folder of the extraction files, one for each state of the code, so that none outlives a change of it.

        By default it is not in the dataset, since the files hold the official text in any case.
        """
        out = real(self.out)
        work = self.work if self.work is not None else out.with_name(f"{out.name}.build")
        return work / code_digest()[:12]


@dataclass
class Sources:
    """Documents of a build, which of them are samples, and what could not be used."""

    documents: dict[str, Document] = field(default_factory=dict)
    samples: set[str] = field(default_factory=set)
    unreadable: list[SourceError] = field(default_factory=list)
    duplicates: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a build made.

    Attributes:
        record: The dataset's record.
        summary: What became of each unit.
        unreadable: Files that could not be read.
        duplicates: Files and documents left out because they are there already.
        unmatched: Patterns that matched no unit.
    """

    record: Record
    summary: Summary
    unreadable: tuple[SourceError, ...]
    duplicates: tuple[str, ...]
    unmatched: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """0 if everything that was asked for is in the dataset, else 1."""
        return 1 if self.record.failures or self.unreadable or self.unmatched else 0


def load_sources(names: Sequence[str]) -> Sources:
    """Read the documents of a build; a document that comes twice counts once.

    Args:
        names: `samples`, files and folders; empty for the two delegated acts.

    Raises:
        SourceNotFoundError: There is nothing at a path, or a delegated act is not found.
        SourceFormatError: A file is of no known format.
    """
    found = Sources()
    for name in names or [str(_default(document)) for document in DEFAULT_DOCUMENTS]:
        loaded = corpus.load(name)
        found.unreadable.extend(loaded.unreadable)
        found.duplicates.extend(f"{path}: another file is the same document" for path in loaded.duplicates)
        for document in loaded.documents:
            if document.document in found.documents:
                found.duplicates.append(f"{document.document} in {name}: it is in an earlier source")
                continue
            found.documents[document.document] = document
            if name == corpus.SAMPLES:
                found.samples.add(document.document)
    return found


def _default(document: str) -> Path:
    try:
        return find_source(document)
    except SourceNotFoundError as error:
        hint = "name files or folders, or set $REGREACT_DATA; `regreact dataset build samples` needs no official text"
        raise SourceNotFoundError(error.path, error.problem, hint) from None


def build(
    request: Request, settings: Settings, progress: Callable[[int], Callable[[ManifestLine], None]] | None = None
) -> Outcome:
    """Build a dataset. Two builds from the same sources, code and settings give the same bytes.

    Args:
        request: What to build.
        settings: Settings of the extraction.
        progress: Told the number of units, gives what is called after each.

    Raises:
        SourceError: A source is missing or of no known format.
        NoUnitMatchedError: No unit matches.
        LMStopError: The model cannot be used any more; run again to go on.
        OutputError: The folder cannot be written, or holds something else.
    """
    _check_out(request.out)
    sources = load_sources(request.sources)
    documents = tuple(sources.documents.values())
    selection = corpus.select(documents, request.units)
    extractor = runner.Extractor(settings, corpus.officials(selection.units, documents), documents=documents)
    work = request.extractions
    with folder_lock(request.out, "a build of the dataset"):
        _check_out(request.out)
        summary = extractor.extract_to(
            selection.units,
            work,
            selection.failures,
            resume=request.resume,
            progress=progress(len(selection.units)) if progress else None,
        )
        if summary.stopped is not None:
            raise summary.stopped
        done = {(line.document, line.unit) for line in summary.lines if line.status in ("done", "kept")}
        units = [unit for unit in selection.units if (unit.document, unit.key) in done]
        record = Record(
            complete=False,
            text=request.with_text,
            sources=tuple(source_of(d, units, d.document in sources.samples) for d in documents),
            code=code_of(settings, extractor.config_hash),
            failures=failures_of(summary.failed),
        )
        rows = activity_rows((u, section_of(_extraction(work, u), u, request.with_text)) for u in units)
        record = _write(request.out, rows, record)
    return Outcome(record, summary, tuple(sources.unreadable), tuple(sources.duplicates), selection.unmatched)


def _check_out(out: Path) -> None:
    """Refuse a folder in which a dataset would overwrite something else."""
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out}: a file, not a folder")
    if out.is_dir() and not (out / RECORD).exists() and any(not p.name.startswith(".") for p in out.iterdir()):
        raise OutputError(f"{out}: holds files and no {RECORD}: give an empty or new folder")


def _write(out: Path, rows: Sequence[ActivityRow], record: Record) -> Record:
    """Write all files of a dataset and return its record; the record comes last and says that the rest is whole."""
    files = _files(rows, record)
    write_whole(out / RECORD, record.to_text().encode())
    for table in ROWS:
        for path in (out / f"{table}.jsonl", out / f"{table}.parquet"):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise OutputError(f"{path}: cannot be removed: {reason(error)}") from error
    for name, content in files.items():
        write_whole(out / name, content)
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    record = record.model_copy(update={"complete": True, "files": digests})
    write_whole(out / RECORD, record.to_text().encode())
    return record


def _files(rows: Sequence[ActivityRow], record: Record) -> dict[str, bytes]:
    """Return the content of each file by name, but for the record's."""
    tables: dict[Table, Sequence[ActivityRow | CriterionRow]] = {
        "nested": [row for row in rows if not is_appendix(row)],
        "flat": [criterion for row in rows for criterion in criterion_rows(row)],
    }
    appendices = [row for row in rows if is_appendix(row)]
    if appendices:
        tables["appendices"] = appendices
    files: dict[str, bytes] = {}
    for table, data in tables.items():
        files[f"{table}.jsonl"] = json_lines(data)
        files[f"{table}.parquet"] = parquet(files[f"{table}.jsonl"], ROWS[table])
    statistics = statistics_of(rows)
    files["nested.schema.json"] = row_schema("nested").encode()
    files["flat.schema.json"] = row_schema("flat").encode()
    files["statistics.json"] = (json.dumps(statistics.to_json(), indent=1) + "\n").encode()
    files["README.md"] = card(record, statistics, tuple(tables)).encode()
    return files


def _extraction(work: Path, unit: Unit) -> Extraction:
    return Extraction.model_validate_json(unit_path(work, unit.document, unit.key).read_bytes())
