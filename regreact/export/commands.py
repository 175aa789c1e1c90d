"""`regreact export`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
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
    form: Annotated[
        Format | None, typer.Option("--format", "-f", help="What to make. Default: by the ending of --to, else xlsx.")
    ] = None,
    to: Annotated[
        Path | None, typer.Option(help="File to write, or - for stdout. Default: OUT/export/criteria.<ending>.")
    ] = None,
    unit: Annotated[
        list[str] | None, typer.Option("--unit", "-u", help="Unit key such as CCM-4.1/*; * and ? match. Repeatable.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary.")] = False,
) -> None:
    """Write criteria as a workbook, a table, linked data, flowcharts or a graph."""
    from regreact.extractions import extraction_files, read_extractions  # noqa: PLC0415

    found = read_extractions(out, unit or [])
    extractions = found.extractions
    by_ending = next((f for f, e in ENDINGS.items() if to is not None and to.suffix == f".{e}"), None)
    made: Format = form or by_ending or "xlsx"
    content = render(extractions, made)
    if to is not None and str(to) == "-":
        sys.stdout.buffer.write(content)
        raise typer.Exit(found.tell())
    folder = out.parent if out.is_file() else out
    path = to or folder / "export" / f"criteria.{ENDINGS[made]}"
    write_bytes(path, content, extraction_files(out))
    if not quiet:
        count = sum(1 for e in extractions for _ in e.criteria.walk())
        typer.echo(f"{len(extractions)} units, {count} criteria (roots included) -> {path}")
    raise typer.Exit(found.tell())


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


def write_bytes(path: Path, content: bytes, read: Sequence[Path] = ()) -> None:
    """Write a file so that it is whole or absent, as far as the disk allows; behind a link, where the link leads.

    Args:
        path: The file.
        content: Its content.
        read: Files that must not be overwritten.

    Raises:
        OutputError: It cannot be written, is no plain file, or is one of those read.
    """
    from regreact.errors import OutputError  # noqa: PLC0415
    from regreact.files import real, write_whole  # noqa: PLC0415

    path = real(path)
    if os.path.lexists(path) and not path.is_file():
        raise OutputError(f"{path}: there is something that is no file; name another with --to")
    if path in {real(p) for p in read}:
        raise OutputError(f"{path}: is one of the extractions; name another file with --to")
    write_whole(path, content)
