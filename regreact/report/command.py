"""Command line: `regreact report OUT` writes pages; other words after `report` are subcommands."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

PAGES = "pages"
_OF_THE_GROUP = ("--help", "--install-completion", "--show-completion")


class PagesByDefault(TyperGroup):
    """A group whose first argument may be a folder: `report OUT` is `report pages OUT`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the default subcommand in front of arguments that name none."""
        if args and args[0] not in self.commands and args[0] not in _OF_THE_GROUP:
            args = [PAGES, *args]
        rest: list[str] = super().parse_args(ctx, args)
        return rest


report_app = typer.Typer(
    cls=PagesByDefault,
    no_args_is_help=True,
    help="Reports for people: `regreact report OUT` writes HTML pages (`regreact report pages --help`).",
)


@report_app.command(PAGES)
def pages(
    out: Annotated[Path, typer.Argument(help="Folder that `regreact extract` wrote.")],
    to: Annotated[Path | None, typer.Option("--to", help="Folder for the pages. Default: OUT/report.")] = None,
    source: Annotated[
        Path | None,
        typer.Option(help="File or folder with the source texts; else $REGREACT_DATA, ./data/raw, … and the samples."),
    ] = None,
    unit: Annotated[
        list[str] | None, typer.Option("--unit", "-u", help="Unit key such as CCM-4.1/SC; * and ? match. Repeatable.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no summary.")] = False,
) -> None:
    """Write an index and one self-contained page a unit; they open in a browser, without a server or network."""
    raise typer.Exit(write(out, to, source, tuple(unit or ()), quiet))


def write(out: Path, to: Path | None, source: Path | None, units: tuple[str, ...], quiet: bool) -> int:
    """Write the pages of a folder of extractions; a damaged file costs no other.

    Returns:
        0, or 1 if some files have no page.

    Raises:
        NoUnitMatchedError: There is no extraction file, or none of these units.
        PredictionError: No file can be read.
        SourceNotFoundError: `source` does not exist.
        OutputError: The folder cannot be written.
    """
    from regreact.extractions import read_extractions  # noqa: PLC0415  heavy, like all that follows
    from regreact.files import write_whole  # noqa: PLC0415
    from regreact.manifest import read_manifest  # noqa: PLC0415
    from regreact.progress import progress_bar  # noqa: PLC0415
    from regreact.report.pages import index_page, index_row, unit_page  # noqa: PLC0415
    from regreact.report.reading import Sources  # noqa: PLC0415
    from regreact.report.view import UnitView  # noqa: PLC0415

    folder = to or out / "report"
    found = read_extractions(out, units)
    found.tell()
    good = sorted(found.files, key=lambda file: file.path)
    sources, rows, rebuilt = Sources(source), [], 0
    with progress_bar(len(good), "report", quiet) as advance:
        for file in good:
            view = UnitView(file.extraction, sources.text_of(file.extraction))
            # Named after the extraction file, so that no text in it decides where a page lies.
            page = Path(file.path.parent.name) / f"{file.path.stem}.html"
            home = Path(os.path.relpath(folder / "index.html", (folder / page).parent)).as_posix()
            write_whole(folder / page, _encodable(unit_page(view, home)).encode())
            rows.append(index_row(view, page.as_posix()))
            rebuilt += not view.text.from_source
            advance(file.extraction.unit)
    failed = [] if units else [m for m in read_manifest(out).values() if m.status in ("failed", "not done")]
    problems = [str(one.problem) for one in found.damaged]
    problems += [f"{m.document} {m.unit}: {m.status}: {m.problem}" for m in failed]
    write_whole(folder / "index.html", _encodable(index_page(rows, problems)).encode())
    if not quiet:
        if rebuilt:
            typer.echo(f"{rebuilt} without their source text (rebuilt from the criteria): give --source", err=True)
        typer.echo(f"{len(rows)} pages -> {folder / 'index.html'}   (open it in a browser)")
    return 1 if found.damaged else 0


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
