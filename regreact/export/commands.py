"""`regreact export`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from regreact.schema import Extraction

Format = Literal["xlsx", "csv", "parquet", "jsonl", "json-ld", "mermaid", "graphml"]
# Ending of the file that each format makes.
ENDINGS: dict[Format, str] = {
    "xlsx": "xlsx",
    "csv": "csv",
    "parquet": "parquet",
    "jsonl": "jsonl",
    "json-ld": "jsonld",
    "mermaid": "md",
    "graphml": "graphml",
}
# Module and function of each format; imported when asked for, since some need heavy libraries.
WRITERS: dict[Format, tuple[str, str]] = {
    "xlsx": ("workbook", "workbook"),
    "csv": ("tables", "csv_table"),
    "parquet": ("tables", "parquet_table"),
    "jsonl": ("tables", "jsonl_table"),
    "json-ld": ("json_ld", "json_ld"),
    "mermaid": ("mermaid", "mermaid"),
    "graphml": ("graphml", "graphml"),
}


def export(
    out: Annotated[Path, typer.Argument(help="Folder that `regreact extract` wrote, or one extraction file.")],
    form: Annotated[Format, typer.Option("--format", "-f", help="What to make.")] = "xlsx",
    to: Annotated[
        Path | None, typer.Option(help="File to write, or - for stdout. Default: OUT/export/criteria.<ending>.")
    ] = None,
    unit: Annotated[
        list[str] | None, typer.Option("--unit", "-u", help="Unit key such as CCM-4.1/*; * and ? match. Repeatable.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary.")] = False,
) -> None:
    """Write criteria as a workbook, a table, linked data, flowcharts or a graph."""
    from regreact.extractions import read_extractions  # noqa: PLC0415

    extractions = read_extractions(out, unit or [])
    content = render(extractions, form)
    if to is not None and str(to) == "-":
        sys.stdout.buffer.write(content)
        return
    folder = out.parent if out.is_file() else out
    path = to or folder / "export" / f"criteria.{ENDINGS[form]}"
    write_bytes(path, content)
    if not quiet:
        count = sum(1 for e in extractions for _ in e.criteria.walk())
        typer.echo(f"{len(extractions)} units, {count} criteria (roots included) -> {path}")


def render(extractions: list[Extraction], form: Format) -> bytes:
    """Return extractions in a format.

    Raises:
        ConfigError: The format needs a library that is not installed.
    """
    from importlib import import_module  # noqa: PLC0415
    from importlib.util import find_spec  # noqa: PLC0415

    from regreact.errors import ConfigError  # noqa: PLC0415

    if form == "xlsx" and find_spec("openpyxl") is None:
        raise ConfigError("xlsx needs openpyxl, which is not installed: pip install 'regreact[export]'")
    module, name = WRITERS[form]
    write: Callable[[list[Extraction]], bytes] = getattr(import_module(f"regreact.export.{module}"), name)
    return write(extractions)


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file so that it is whole or absent, as far as the disk allows.

    Raises:
        OutputError: It cannot be written.
    """
    import os  # noqa: PLC0415

    from regreact.errors import OutputError  # noqa: PLC0415

    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error
