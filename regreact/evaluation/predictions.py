"""Extraction files as they are scored: read as far as they are usable, or checked strictly against the schema."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from regreact.errors import PredictionError
from regreact.files import is_file_name
from regreact.schema import Dependencies, Extraction, Footnote, References, Threshold, unit_file_name

# JSON levels; two a criterion. Deeper files are damaged or made to exhaust the stack.
MAXIMUM_DEPTH = 200

_ADAPTERS: dict[str, TypeAdapter[Any]] = {
    "threshold": TypeAdapter(Threshold),
    "references": TypeAdapter(References),
    "footnotes": TypeAdapter(tuple[Footnote, ...]),
    "dependencies": TypeAdapter(Dependencies),
}
Correction = tuple[str, str]
Provenance = Mapping[str, Mapping[str, Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Links:
    """What an extraction file says about a criterion outside its tree.

    Attributes:
        threshold_from: Criterion whose threshold it inherits (target of the `inherits_threshold` edge).
        corrections: Pairs of the criterion printed and the one meant.
    """

    threshold_from: str | None = None
    corrections: frozenset[Correction] = frozenset()


def prediction_path(folder: Path, document: str, unit: str) -> Path:
    """Return where the extraction of a unit lies.

    Raises:
        PredictionError: The document's id is no name of a folder, such as one that leads out of it.
    """
    name = unit_file_name(unit)
    for part in (document, name):
        if not is_file_name(part):
            raise PredictionError(f"{part[:80]!r} cannot be the name of a file or folder")
    return folder / document / name


def read_prediction(path: Path, document: str | None = None, units: Collection[str] = ()) -> dict[str, Any]:
    """Read an extraction file far enough to be scored.

    Args:
        path: The file.
        document: The source document it must be of, if it names one; None for any.
        units: The names its unit may have, if it gives one; empty for any.

    Raises:
        PredictionError: It is no JSON object with a `criteria` tree, or the extraction of something else.
    """
    if path.exists() and not path.is_file():
        raise PredictionError(f"{path}: is no file")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise PredictionError(f"{path}: cannot be read as JSON: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("criteria"), dict):
        raise PredictionError(f"{path}: has no criterion tree under 'criteria'")
    if _too_deep(data):
        raise PredictionError(f"{path}: is nested more than {MAXIMUM_DEPTH} levels deep")
    source = data.get("source")
    named = source.get("document") if isinstance(source, dict) else None
    for what, expected, own in (("document", {document} - {None}, named), ("unit", set(units), data.get("unit"))):
        if expected and own is not None and own not in list(expected):
            raise PredictionError(f"{path}: is of {what} {own}, not of {' or '.join(sorted(map(str, expected)))}")
    return data


def read_extraction(path: Path) -> Extraction:
    """Read an extraction file strictly.

    Raises:
        PredictionError: It does not fit the schema.
    """
    try:
        return Extraction.model_validate(read_prediction(path))
    except ValidationError as error:
        raise PredictionError(f"{path}: {_first_problem(error)}") from error


def _too_deep(data: Any) -> bool:
    level = [data]
    for _ in range(MAXIMUM_DEPTH):
        level = [v for d in level for v in _values(d)]
        if not level:
            return False
    return True


def _values(data: Any) -> Iterator[Any]:
    if isinstance(data, dict):
        yield from data.values()
    elif isinstance(data, list):
        yield from data


def field_value(data: Mapping[str, Any], key: str) -> Any:
    """Return a complex field of a node as a record, None if it holds nothing.

    Raises:
        PredictionError: It holds something that does not fit the schema.
    """
    value = data.get(key)
    if value is None or (isinstance(value, (dict, list, str)) and _holds_nothing(value)):
        return None
    try:
        return _ADAPTERS[key].validate_python(value)
    except ValidationError as error:
        raise PredictionError(_first_problem(error)) from error


def _holds_nothing(value: Any) -> bool:
    """True for objects without content, such as a threshold of two nulls; numbers alone are no content."""
    if isinstance(value, str):
        return not value.strip()
    return all(_holds_nothing(v) for v in _values(value))


def links(prediction: Mapping[str, Any]) -> dict[str, Links]:
    """Return inheritance and corrections by criterion id; entries of another shape are left out."""
    inherited: dict[str, str] = {}
    corrected: dict[str, set[Correction]] = {}
    for edge in _records(prediction, "edges"):
        if edge.get("type") == "inherits_threshold" and isinstance(edge.get("target"), str):
            inherited.setdefault(str(edge.get("source")), edge["target"])
    for c in _records(prediction, "corrections"):
        if isinstance(c.get("from"), str) and isinstance(c.get("to"), str):
            corrected.setdefault(str(c.get("criterion_id")), set()).add((c["from"], c["to"]))
    return {
        i: Links(inherited.get(i), frozenset(corrected.get(i, ())))
        for i in sorted(inherited.keys() | corrected.keys())
    }


def provenance(prediction: Mapping[str, Any]) -> Provenance:
    """Return by criterion id and field how each field was answered; entries of another shape are left out."""
    told = prediction.get("provenance")
    criteria = told.items() if isinstance(told, dict) else ()
    return {
        str(i): {str(k): v for k, v in fields.items() if isinstance(v, dict)}
        for i, fields in criteria
        if isinstance(fields, dict)
    }


def _records(prediction: Mapping[str, Any], key: str) -> Iterator[Mapping[str, Any]]:
    listed = prediction.get(key)
    yield from (r for r in (listed if isinstance(listed, list) else ()) if isinstance(r, dict))


def validate_folder(pred_dir: Path) -> tuple[int, list[str]]:
    """Check every extraction file of a folder against the schema, and that it lies where its unit belongs.

    Returns:
        Number of files, and a line for each that does not fit.
    """
    problems, count = [], 0
    from regreact.extractions import extraction_files  # noqa: PLC0415  it reads with this module

    for path in sorted(extraction_files(pred_dir)):
        count += 1
        try:
            record = read_extraction(path)
        except PredictionError as error:
            problems.append(str(error))
            continue
        try:
            expected = prediction_path(pred_dir, record.source.document, record.unit)
        except PredictionError as error:
            problems.append(f"{path}: {error}")
            continue
        if expected != path:
            problems.append(f"{path}: belongs at {expected.relative_to(pred_dir)} by its document and unit")
    return count, problems


def _first_problem(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"]))
    return f"{place}: {first['msg']}" if place else first["msg"]
