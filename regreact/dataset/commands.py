"""`regreact dataset build` and `regreact dataset stats`."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regreact.options import named_path
from regreact.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable

    from regreact.dataset.build import Outcome, Request
    from regreact.manifest import ManifestLine

app = typer.Typer(help="Build the dataset of all criteria, and count what it holds.", no_args_is_help=True)

EXIT_CODES = (
    "Exit codes: 0 done; 1 some units failed or are missing (the rest is written); 2 usage or configuration, no "
    "dataset in the folder; 3 no unit matched."
)


@app.command(epilog=EXIT_CODES)
def build(
    source: Annotated[
        list[str] | None,
        typer.Argument(help="'samples', files and folders. Default: the two delegated acts in the data folder."),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", parser=named_path, metavar="PATH", help="Folder of the dataset.")
    ] = Path("dataset"),
    text: Annotated[
        bool, typer.Option("--text/--no-text", help="Include the official text, or block numbers and digests only.")
    ] = True,
    unit: Annotated[
        list[str] | None, typer.Option("--unit", "-u", help="Unit key such as CCM-4.1/*; * and ? match. Repeatable.")
    ] = None,
    work: Annotated[
        Path | None, typer.Option(help="Folder of the extraction files (with text). Default: OUT.build.")
    ] = None,
    override: Annotated[
        list[str] | None, typer.Option("--set", help="Configuration override such as rag=on. Repeatable.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume/--fresh", help="Keep extractions whose input, settings and code are unchanged.")
    ] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no summary.")] = False,
) -> None:
    """Build a dataset: one row an activity (nested) and one a criterion (flat), as JSON Lines and Parquet."""
    import stamina  # noqa: PLC0415

    from regreact import config  # noqa: PLC0415  heavy
    from regreact.dataset import build as building  # noqa: PLC0415

    # What is left after the last try of a request is reported; each try is not.
    stamina.instrumentation.set_on_retry_hooks(())
    request = building.Request(tuple(source or ()), out, work, tuple(unit or ()), text, resume)
    with ExitStack() as stack:

        def progress(total: int) -> Callable[[ManifestLine], None]:
            advance = stack.enter_context(progress_bar(total, "extract", quiet))
            return lambda line: advance(line.unit)

        outcome = building.build(request, config.load(override or []), progress)
    _report(outcome, request, quiet)
    raise typer.Exit(outcome.exit_code)


def _report(outcome: Outcome, request: Request, quiet: bool) -> None:
    """List what is missing on stderr, then say what was done and what comes next."""
    for left_out in outcome.duplicates:
        typer.echo(f"left out: {left_out}", err=True)
    for problem in outcome.unreadable:
        typer.echo(f"unreadable: {problem}", err=True)
    for failure in outcome.record.failures:
        typer.echo(f"failed: {failure.document} {failure.unit}: {failure.problem}", err=True)
    for pattern in outcome.unmatched:
        typer.echo(f"missing: no unit matches {pattern}", err=True)
    if quiet:
        return
    kept = sum(line.status == "kept" for line in outcome.summary.lines)
    done = sum(line.status == "done" for line in outcome.summary.lines)
    typer.echo(f"{done} extracted, {kept} unchanged, {len(outcome.record.failures)} failed -> {request.out}")
    typer.echo(f"next: regreact dataset stats {request.out}")


@app.command(epilog=EXIT_CODES)
def stats(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a dataset.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")] = False,
) -> None:
    """Count activities, criteria and what they hold, by act and objective, beside the paper's figures."""
    from regreact.dataset import overview, statistics  # noqa: PLC0415
    from regreact.dataset.record import read_record  # noqa: PLC0415
    from regreact.dataset.tables import read_activities  # noqa: PLC0415

    record = read_record(folder)
    files = [folder / name for name in ("nested.jsonl", "appendices.jsonl") if name in record.files]
    counts = statistics.statistics_of(list(read_activities(files)))
    text = json.dumps(counts.to_json(), indent=1) if as_json else overview.render(counts, record.official)
    sys.stdout.write(text.rstrip("\n") + "\n")
    raise typer.Exit(1 if record.failures else 0)
