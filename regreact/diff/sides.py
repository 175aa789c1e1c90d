"""What a side of a comparison is: extraction files, or source documents, extracted section by section as needed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from regreact import corpus
from regreact.errors import ConfigError
from regreact.extractions import extraction_files, read_extractions
from regreact.legal.activities import match_activities
from regreact.manifest import MANIFEST
from regreact.schema import Extraction
from regreact.sources.model import Document, Unit

if TYPE_CHECKING:
    from regreact.runner import Extractor

# Versions of one document: a consolidated text has the number of its act with 0 for the sector (3 or 0), then a date.
_CELEX = re.compile(r"[03](\d{4}[A-Z]{1,2}\d{4})(?:-\d{8})?")
_COMPASS = re.compile(r"compass-[\d.]+")


@dataclass
class Side:
    """One side of a comparison.

    Attributes:
        name: The path or source as given.
        extractions: Extractions at hand, by unit key.
        units: Units of source documents, by unit key; empty for a side of extraction files.
        documents: Ids of the documents.
        failed: What could not be read.
        unreadable: Keys of units whose files could not be read: they are there, but nobody knows what they say.
    """

    name: str
    extractions: dict[str, Extraction] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    documents: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    unreadable: frozenset[str] = frozenset()

    @property
    def keys(self) -> list[str]:
        """Unit keys in document order."""
        return list(self.units or self.extractions)

    @cached_property
    def titles(self) -> dict[str, str]:
        """Title of each activity or appendix by its key, in document order."""
        told: dict[str, str] = {}
        for key in self.keys:
            told.setdefault(key.partition("/")[0], self.activity(key))
        return told

    @cached_property
    def families(self) -> dict[str, str]:
        """What the versions of its document have in common, by activity key."""
        told: dict[str, str] = {}
        for key in self.keys:
            document = self.units[key].document if key in self.units else self.extractions[key].source.document
            told.setdefault(key.partition("/")[0], family(document))
        return told

    def activity(self, key: str) -> str:
        """Return the title of a unit's activity."""
        return self.units[key].activity if key in self.units else self.extractions[key].activity

    def extraction(self, key: str, extractor: Extractor) -> Extraction:
        """Return the extraction of a unit; one of a source document is made now.

        Raises:
            RegReActError: It cannot be extracted.
        """
        if key not in self.extractions:
            self.extractions[key] = extractor.extract(self.units[key])
        return self.extractions[key]


def load_side(name: str, patterns: Iterable[str] = ()) -> Side:
    """Read a side: an extraction file, `OUT`, `OUT/<document>`, or a source (`samples`, a file, a folder).

    Raises:
        NoUnitMatchedError: Nothing is there, or no unit matches.
        SourceError: It is neither an extraction nor a source document.
        PredictionError: A file among extractions is none.
        ConfigError: It holds several versions of one document.
    """
    path, patterns = Path(name), tuple(patterns)
    if _holds_extractions(path):
        found = read_extractions(path, patterns)
        held = found.extractions
        keys = [(e.unit, e.source.document) for e in held]
        _refuse_versions(name, keys)
        documents = _unique(document for _, document in keys)
        failed = tuple(str(one.problem) for one in found.damaged)
        return Side(name, {e.unit: e for e in held}, {}, documents, failed, frozenset(d.unit for d in found.damaged))
    loaded = corpus.load(name)
    return side_of(name, loaded.documents, patterns, tuple(map(str, loaded.unreadable)))


def side_of(
    name: str, documents: Sequence[Document], patterns: Sequence[str] = (), failed: tuple[str, ...] = ()
) -> Side:
    """Return the side of source documents.

    Args:
        name: How the side is called.
        documents: The documents.
        patterns: Unit keys, `*` and `?` match; empty for all.
        failed: What could not be read.

    Raises:
        NoUnitMatchedError: No unit matches.
        ConfigError: It holds several versions of one document.
    """
    selection = corpus.select(documents, patterns)
    keys = [(u.key, u.document) for u in selection.units]
    _refuse_versions(name, keys)
    failed = (*failed, *(f"{f.key}: {f.place}: {f.problem}" for f in selection.failures))
    return Side(name, units={u.key: u for u in selection.units}, documents=_unique(d for _, d in keys), failed=failed)


def _holds_extractions(path: Path) -> bool:
    """Return whether a path is in an output folder, or its first JSON file has a criterion tree."""
    if path.is_file() and path.suffix != ".json":
        return False
    if path.is_dir() and any((folder / MANIFEST).is_file() for folder in (path, path.parent)):
        return True
    for file in extraction_files(path)[:1] if path.exists() else ():
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return False
        return isinstance(data, dict) and "criteria" in data
    return False


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _refuse_versions(name: str, keys: list[tuple[str, str]]) -> None:
    """Refuse a side that holds a unit twice."""
    owners: dict[str, str] = {}
    for key, document in keys:
        if owners.setdefault(key, document) != document:
            both = f"{owners[key]} and {document}"
            raise ConfigError(f"{name}: {key} stands in {both}: name one document, such as {name}/{document}")


def family(document: str) -> str:
    """Return what the versions of one document have in common.

    Example:
        >>> family("02021R2139-20230101") == family("32021R2139"), family("compass-1.0.4")
        (True, 'compass')
    """
    match = _CELEX.fullmatch(document)
    if match:
        return match[1]
    return "compass" if _COMPASS.fullmatch(document) else document


def joined_activities(a: Side, b: Side) -> dict[str, str]:
    """Return the activity in B of each activity of A that B has.

    Versions of one document share their numbers; what is left, and the activities of two documents with numbers of
    their own (the Compass counts some otherwise than the Official Journal), are joined by title. Two sides of one
    unit each are joined in any case: two fragments have the names of their files.
    """
    if len(a.keys) == len(b.keys) == 1:
        return {next(iter(a.titles)): next(iter(b.titles))}
    joined = {key: key for key in a.titles if key in b.titles and a.families[key] == b.families[key]}
    rest_a = {key: title for key, title in a.titles.items() if key not in joined}
    rest_b = {key: title for key, title in b.titles.items() if key not in joined}
    return joined | match_activities(_document(rest_a), [_document(rest_b)]).numbers


def _document(titles: Mapping[str, str]) -> Document:
    """Return a document with nothing but titles, as activities are matched."""
    units = tuple(Unit(f"{key}/SC", title, "", "SC", "", "", "html", ()) for key, title in titles.items())
    return Document("", "", "html", units)


def same_source(a: Unit, b: Unit) -> bool:
    """Return whether two units say the same, so that their extractions can differ in nothing but their document."""
    return _digest(a) == _digest(b)


def _digest(unit: Unit) -> str:
    bare = replace(unit, key="", document="", sha256="", amendments=())
    return hashlib.sha256(json.dumps(asdict(bare), sort_keys=True).encode()).hexdigest()
