"""Tables on disk: JSON Lines and Parquet with the same rows, bytes that depend on the rows alone."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from regreact.dataset.rows import ROWS, ActivityRow, Table
from regreact.errors import DatasetError
from regreact.schema import Criterion

if TYPE_CHECKING:
    import pyarrow as pa

_AGAIN = "build the dataset again"


def json_lines(rows: Iterable[BaseModel]) -> bytes:
    """Return rows as JSON Lines in UTF-8; a lone surrogate, which is no text, becomes "?"."""
    lines = (json.dumps(row.model_dump(mode="json", by_alias=True), ensure_ascii=False) + "\n" for row in rows)
    return "".join(lines).encode("utf-8", "replace")


def parquet(lines: bytes, row: type[BaseModel]) -> bytes:
    """Return the rows of a JSON Lines file as Parquet.

    Parquet knows no recursive type: a criterion tree is a JSON text there.

    Args:
        lines: What `json_lines` returned.
        row: Class of the rows.
    """
    import pyarrow as pa  # noqa: PLC0415  heavy
    import pyarrow.parquet as pq  # noqa: PLC0415

    rows = [json.loads(line) for line in lines.splitlines()]
    if row is ActivityRow:
        for section in (section for each in rows for section in each["sections"]):
            section["criteria"] = json.dumps(section["criteria"], ensure_ascii=False)
    table = pa.Table.from_pylist(rows, schema=arrow_schema(row))
    buffer = BytesIO()
    # Everything that the file's bytes depend on is fixed here, but for the version of the writer.
    pq.write_table(table, buffer, compression="zstd", compression_level=3, version="2.6", row_group_size=10_000)
    return buffer.getvalue()


def arrow_schema(row: type[BaseModel]) -> pa.Schema:
    """Return the Parquet schema of a class of rows."""
    import pyarrow as pa  # noqa: PLC0415  heavy

    return pa.schema([_arrow_field(row, name) for name in row.model_fields])


def _arrow_field(model: type[BaseModel], name: str) -> pa.Field[Any]:
    import pyarrow as pa  # noqa: PLC0415  heavy

    field = model.model_fields[name]
    kind, nullable = _without_none(field.annotation)
    return pa.field(field.alias or name, _arrow_type(kind), nullable=nullable)


def _arrow_type(kind: Any) -> pa.DataType:
    import pyarrow as pa  # noqa: PLC0415  heavy

    plain: dict[Any, pa.DataType] = {str: pa.string(), int: pa.int32(), float: pa.float64(), bool: pa.bool_()}
    if kind in plain:
        return plain[kind]
    if kind is Criterion:
        return pa.string()
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal or origin is typing.Annotated:
        return pa.string() if origin is typing.Literal else _arrow_type(arguments[0])
    if origin is tuple and Ellipsis in arguments:
        return pa.list_(pa.field("element", _arrow_type(arguments[0]), nullable=False))
    if origin is tuple:
        return pa.list_(_arrow_type(arguments[0]))
    assert isinstance(kind, type) and issubclass(kind, BaseModel), kind
    return pa.struct([_arrow_field(kind, name) for name in kind.model_fields])


def _without_none(annotation: Any) -> tuple[Any, bool]:
    """Return the type without None, and whether None was allowed."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        (kind,) = [a for a in typing.get_args(annotation) if a is not type(None)]
        return kind, True
    return annotation, False


def row_schema(table: Table) -> str:
    """Return the JSON Schema of a table's rows as text."""
    return json.dumps(ROWS[table].model_json_schema(by_alias=True), indent=1, ensure_ascii=False) + "\n"


def read_activities(paths: Sequence[Path]) -> Iterator[ActivityRow]:
    """Yield the rows of nested JSON Lines files.

    Raises:
        DatasetError: A file is missing, or a line is no such row.
    """
    for path in paths:
        try:
            lines = path.read_bytes().splitlines()
        except OSError as error:
            raise DatasetError(f"{path}: cannot be read: {error.strerror or error} ({_AGAIN})") from error
        for number, line in enumerate(lines, start=1):
            try:
                yield ActivityRow.model_validate_json(line)
            except ValidationError as error:
                first = error.errors()[0]
                place = ".".join(map(str, first["loc"]))
                raise DatasetError(f"{path}, line {number}: {place}: {first['msg']} ({_AGAIN})") from None
