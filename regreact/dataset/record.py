"""`dataset.json`: what a dataset was made of, by which code and settings, and the digests of its files."""

from __future__ import annotations

import hashlib
import json
import platform
import re
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field, ValidationError

import regreact
from regreact.errors import DatasetError
from regreact.schema import Strict

if TYPE_CHECKING:
    from regreact.config import Settings
    from regreact.manifest import ManifestLine
    from regreact.sources.model import Document, Unit

RECORD = "dataset.json"
# A CELEX number, with the date of a consolidated version.
_CELEX = re.compile(r"[03]\d{4}[A-Z]{1,2}\d{4}(?:-(\d{4})(\d{2})(\d{2}))?")
_COMPASS = re.compile(r"compass-([\d.]+)")
_OWN_SUFFIXES = (".py", ".json", ".md")
_LIBRARIES = ("dspy", "lxml", "pyarrow", "pydantic")


class Source(Strict):
    """One source document: `version` is the day of a consolidated text or the number of a Compass dump."""

    document: str
    sha256: str
    format: str
    version: str | None = None
    url: str | None = None
    invented: bool = False
    units: int = Field(ge=0)


class Failure(Strict):
    """A unit that is not in the dataset."""

    document: str
    unit: str
    problem: str


class Code(Strict):
    """What made the dataset.

    Attributes:
        version: Version of the package.
        sha256: Digest of the package's own source files.
        config: Hash of every setting that can change an extraction.
        program: Name of the program.
        fastpath: `only` (no model), `first` or `off`.
        model: Language model, null without.
        retrieval: Whether referenced law was resolved.
        python: Version of Python.
        libraries: Versions of the libraries that the bytes may depend on.
    """

    version: str
    sha256: str
    config: str
    program: str
    fastpath: str
    model: str | None
    retrieval: bool
    python: str
    libraries: dict[str, str]


class Record(Strict):
    """Content of `dataset.json`.

    Attributes:
        complete: False while a build is under way.
        text: Whether the official text is included.
        sources: The documents, in the order of the rows.
        code: What made the dataset.
        failures: Units left out because they could not be read or extracted.
        files: SHA-256 of each other file by name.
    """

    complete: bool
    text: bool
    sources: tuple[Source, ...]
    code: Code
    failures: tuple[Failure, ...] = ()
    files: dict[str, str] = Field(default_factory=dict)

    @property
    def official(self) -> bool:
        """Whether any text is not invented."""
        return not all(source.invented for source in self.sources)

    def to_text(self) -> str:
        """Return the file's text."""
        return json.dumps(self.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n"


def read_record(folder: Path) -> Record:
    """Return the record of a dataset.

    Raises:
        DatasetError: The folder is no dataset, or its build did not end.
    """
    path = folder / RECORD
    try:
        record = Record.model_validate_json(path.read_bytes())
    except OSError:
        raise DatasetError(f"{folder}: no dataset, {RECORD} is missing (make one: regreact dataset build)") from None
    except ValidationError as error:
        raise DatasetError(f"{path}: damaged: {error.errors()[0]['msg']} (build the dataset again)") from None
    if not record.complete:
        raise DatasetError(f"{folder}: its build did not end (run the same `regreact dataset build` again)")
    return record


def source_of(document: Document, units: Iterable[Unit], invented: bool) -> Source:
    """Return what is known of a source document.

    Args:
        document: The document.
        units: Those of its units that the dataset holds.
        invented: It is one of the embedded samples.
    """
    celex, compass = _CELEX.fullmatch(document.document), _COMPASS.fullmatch(document.document)
    version = compass[1] if compass else None
    url = None
    if celex and not invented:
        version = "-".join(celex.groups()) if celex[1] else None
        url = f"https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:{document.document}"
    elif compass:
        url = "https://ec.europa.eu/sustainable-finance-taxonomy/taxonomy-compass"
    return Source(
        document=document.document,
        sha256=document.sha256,
        format=document.format,
        version=version,
        url=url,
        invented=invented,
        units=sum(unit.document == document.document for unit in units),
    )


def code_of(settings: Settings, config: str) -> Code:
    """Return what makes the dataset.

    Args:
        settings: Settings of the run.
        config: Their hash.
    """
    return Code(
        version=regreact.__version__,
        sha256=code_digest(),
        config=config,
        program=settings.program.name,
        fastpath=settings.fastpath.mode,
        model=settings.lm.model if settings.uses_lm else None,
        retrieval=settings.rag.enabled,
        python=platform.python_version(),
        libraries={name: metadata.version(name) for name in _LIBRARIES},
    )


def code_digest() -> str:
    """Return a digest of the source files of the package, `signatures` included, `conf` and samples not.

    It tells two states of the code apart that have one version number. Settings have a hash of their own.
    """
    package = Path(regreact.__file__).parent
    digest = hashlib.sha256()
    for root in (package, package.parent / "signatures"):
        paths = {p.relative_to(root).as_posix(): p for p in root.rglob("*") if p.suffix in _OWN_SUFFIXES}
        # An installed package holds these two, a checkout has them elsewhere.
        own = {name: p for name, p in paths.items() if not name.startswith(("conf/", "data/"))}
        for name, path in sorted(own.items()):
            digest.update(f"{root.name}/{name}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def failures_of(lines: Iterable[ManifestLine]) -> tuple[Failure, ...]:
    """Return the failed units of a run."""
    return tuple(Failure(document=n.document, unit=n.unit, problem=n.problem or "") for n in lines)
