"""Extraction files in: one file, the folder of one document, or an output folder, in the order of the source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from regreact.errors import NoUnitMatchedError, PredictionError
from regreact.evaluation.predictions import read_extraction
from regreact.runner import read_manifest
from regreact.schema import Extraction, unit_file_name
from regreact.sources.model import OBJECTIVES, SECTIONS

_NUMBER = re.compile(r"(\d+)")


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


def read_extractions(path: Path, patterns: Sequence[str] = ()) -> list[Extraction]:
    """Read the extractions of a file or folder.

    Args:
        path: An extraction file, `OUT/<document>` or `OUT`.
        patterns: Unit keys, `*` and `?` match as in file names; empty for all.

    Raises:
        NoUnitMatchedError: There is no extraction file, or none of such a unit.
        PredictionError: A file is no extraction.
    """
    if not path.exists():
        raise NoUnitMatchedError(f"{path}: there is nothing (make it: regreact extract SOURCE --out {path})")
    files = extraction_files(path)
    if not files:
        raise NoUnitMatchedError(f"{path}: no extraction file (OUT/<document>/<unit>.json, as regreact extract writes)")
    wanted = [f for f in files if path.is_file() or _matches(f.stem.replace("__", "/"), patterns)]
    found = [e for e in map(_read, wanted) if _matches(e.unit, patterns)]
    if not found:
        known = ", ".join(f.stem.replace("__", "/") for f in files[:3])
        raise NoUnitMatchedError(f"{path}: no unit matches {', '.join(patterns)}; it holds {len(files)}, first {known}")
    return found


def _read(path: Path) -> Extraction:
    try:
        return read_extraction(path)
    except RecursionError:
        raise PredictionError(f"{path}: is nested too deeply") from None


def _matches(unit: str, patterns: Iterable[str]) -> bool:
    patterns = tuple(patterns)
    return not patterns or any(fnmatchcase(unit, pattern) for pattern in patterns)
