"""Extraction files in: one file, the folder of one document, or an output folder, in the order of the source."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from regreact.errors import NoUnitMatchedError, PredictionError
from regreact.evaluation.predictions import read_extraction
from regreact.manifest import read_manifest
from regreact.schema import Extraction, unit_file_name
from regreact.sources.model import OBJECTIVES, SECTIONS

_NUMBER = re.compile(r"(\d+)")
_AGAIN = "extract the unit again, or restore or remove the file"


@dataclass(frozen=True, slots=True)
class ExtractionFile:
    """An extraction and the file it was read from."""

    path: Path
    extraction: Extraction


@dataclass(frozen=True, slots=True)
class Damaged:
    """A file that is no extraction, and what is wrong with it and what to do."""

    path: Path
    problem: PredictionError

    @property
    def unit(self) -> str:
        """Key of the unit that the file is named after."""
        return unit_of_file(self.path)


@dataclass(frozen=True, slots=True)
class Found:
    """What a file or folder holds, in the order of the source.

    Attributes:
        files: The extractions, at least one.
        damaged: Files that could not be read; who asked has to tell them and to end with exit code 1.
    """

    files: tuple[ExtractionFile, ...]
    damaged: tuple[Damaged, ...] = ()

    @property
    def extractions(self) -> list[Extraction]:
        """The extractions alone."""
        return [file.extraction for file in self.files]

    @property
    def by_path(self) -> list[Extraction]:
        """The extractions alone, in the order of their paths."""
        return [file.extraction for file in sorted(self.files, key=lambda file: file.path)]

    def tell(self) -> int:
        """Name the damaged files on stderr; returns the exit code: 1 if there are any, else 0."""
        for one in self.damaged:
            print(f"damaged: {one.problem}", file=sys.stderr)
        return 1 if self.damaged else 0


def extraction_files(path: Path) -> list[Path]:
    """Return the extraction files of a file, of `OUT/<document>` or of `OUT`, in the order of the manifest.

    Files that the manifest does not name come last, in the order of objectives, numbers and sections. What stands
    beside the documents (a log, an export) is left out: only files named as a unit's in a folder are meant.
    """
    if path.is_file():
        return [path]
    files = list(path.glob("*/*.json")) or list(path.glob("*.json"))
    places: dict[tuple[str, str], int] = {}
    for out in (path, path.parent):
        for document, unit in read_manifest(out):
            places.setdefault((document, unit_file_name(unit)), len(places))
    last = len(places)
    return sorted(files, key=lambda f: (places.get((f.parent.name, f.name), last), f.parent.name, _natural(f.stem)))


def _natural(stem: str) -> tuple[object, ...]:
    """Return a sort key that counts: `CCM-4.9` before `CCM-4.10`, SC before DNSH."""
    activity, _, section = stem.partition("__")
    annex, _, number = activity.partition("-")
    rank = list(OBJECTIVES).index(annex) if annex in OBJECTIVES else len(OBJECTIVES)
    parts = [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in _NUMBER.split(number) if p]
    order = SECTIONS.index(section) if section in SECTIONS else len(SECTIONS)
    return rank, annex, tuple(parts), order, section


def read_extractions(path: Path, patterns: Sequence[str] = ()) -> Found:
    """Read the extractions of a file or folder; a file that is damaged costs no other.

    Args:
        path: An extraction file, `OUT/<document>` or `OUT`.
        patterns: Unit keys, `*` and `?` match as in file names; empty for all.

    Raises:
        NoUnitMatchedError: There is no extraction file, or none of such a unit.
        PredictionError: None of the files is an extraction.
    """
    if not path.exists():
        raise NoUnitMatchedError(f"{path}: there is nothing (make it: regreact extract SOURCE --out {path})")
    files = extraction_files(path)
    if not files:
        raise NoUnitMatchedError(f"{path}: no extraction file (OUT/<document>/<unit>.json, as regreact extract writes)")
    found: list[ExtractionFile] = []
    damaged: list[Damaged] = []
    for file in files:
        if not path.is_file() and not _matches(unit_of_file(file), patterns):
            continue
        try:
            extraction = _read(file)
        except PredictionError as error:
            damaged.append(Damaged(file, PredictionError(f"{error} ({_AGAIN})")))
            continue
        if _matches(extraction.unit, patterns):
            found.append(ExtractionFile(file, extraction))
    if not found and damaged:
        raise damaged[0].problem
    if not found:
        known = ", ".join(unit_of_file(f) for f in files[:3])
        raise NoUnitMatchedError(f"{path}: no unit matches {', '.join(patterns)}; it holds {len(files)}, first {known}")
    return Found(tuple(found), tuple(damaged))


def unit_of_file(path: Path) -> str:
    """Return the key of the unit that a file is named after."""
    return path.stem.replace("__", "/")


def _read(path: Path) -> Extraction:
    try:
        return read_extraction(path)
    except RecursionError:
        raise PredictionError(f"{path}: is nested too deeply") from None


def _matches(unit: str, patterns: Iterable[str]) -> bool:
    patterns = tuple(patterns)
    return not patterns or any(fnmatchcase(unit, pattern) for pattern in patterns)
