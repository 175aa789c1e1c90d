"""Command line of the gold tools: `regreact gold sample | agreement | adjudicate | export | attach | split`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

gold_app = typer.Typer(
    help="Make gold: draw units, compare and merge annotations, store them without source text, split them.",
    no_args_is_help=True,
)

Seed = Annotated[int, typer.Option(help="Equal seeds give equal results.")]
SourceText = Annotated[
    str | None, typer.Option("--source", help="File or folder of the source texts; else $REGREACT_DATA, ./data/raw, …")
]
Like = Annotated[
    Path | None,
    typer.Option("--gold", help="Gold of the same units, for drafts that do not name their document. Else data/gold."),
]
OutFile = Annotated[Path | None, typer.Option("--out", "-o", help="File to write. Default: stdout.")]


@gold_app.command()
def sample(
    source: Annotated[str, typer.Argument(help="A source as of `regreact extract`.")],
    unit: Annotated[list[str] | None, typer.Option("--unit", "-u", help="Unit key; * and ? match. Repeatable.")] = None,
    size: Annotated[int, typer.Option(help="Number of units.")] = 100,
    seed: Seed = 0,
    out: OutFile = None,
) -> None:
    """Draw units to annotate: 30/40/30 simple, medium and complex, acts in turn; JSON lines with tier and reason."""
    from regreact.evaluation.gold_tools import command  # noqa: PLC0415  heavy

    raise typer.Exit(command.sample(source, unit or [], size, seed, out))


@gold_app.command()
def agreement(
    first: Annotated[Path, typer.Argument(metavar="A", help="Folder of stand-off annotations.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Folder of annotations of the same units.")],
    gold: Like = None,
    form: Annotated[str, typer.Option("--format", help="md, csv or json.")] = "md",
    seed: Seed = 0,
    out: OutFile = None,
) -> None:
    """Print Cohen's kappa between two annotations by dimension, with n, observed agreement and 95 % interval."""
    from regreact.evaluation.gold_tools import command  # noqa: PLC0415  heavy

    raise typer.Exit(command.agree(first, second, gold, form, seed, out))


@gold_app.command()
def adjudicate(
    first: Annotated[Path, typer.Argument(metavar="A", help="Folder of stand-off annotations.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Folder of annotations of the same units.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the list (it holds source text) or the gold.")],
    decisions: Annotated[
        Path | None,
        typer.Option(help='The list with every "decision" filled in: "a", "b" or {"value": …}. Writes merged gold.'),
    ] = None,
    gold: Like = None,
    source: SourceText = None,
) -> None:
    """List every disagreement with both values and the source text; with decisions, write the merged gold."""
    from regreact.evaluation.gold_tools import command  # noqa: PLC0415  heavy

    raise typer.Exit(command.adjudication(first, second, gold, source, decisions, out))


@gold_app.command()
def export(
    pred_dir: Annotated[Path, typer.Argument(help="Folder of extraction files.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="New folder for the stand-off files.")],
    source: SourceText = None,
) -> None:
    """Write extraction files as stand-off gold: block indices instead of text."""
    from regreact.evaluation.gold_tools import command  # noqa: PLC0415  heavy

    raise typer.Exit(command.export(pred_dir, out, source))


@gold_app.command()
def attach(
    gold: Annotated[str, typer.Argument(help="Folder of stand-off gold, or 'samples'.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="New folder for the extraction files (they hold text).")],
    source: SourceText = None,
) -> None:
    """Write gold joined with its source as extraction files."""
    from regreact.evaluation.gold_tools import command  # noqa: PLC0415  heavy

    raise typer.Exit(command.attach(gold, out, source))


@gold_app.command()
def split(
    gold: Annotated[str, typer.Argument(help="Folder of stand-off gold, or 'samples'.")],
    parts: Annotated[str, typer.Option(help="Shares of the parts.")] = "train=0.6,validation=0.2,test=0.2",
    seed: Seed = 0,
    source: SourceText = None,
    out: OutFile = None,
) -> None:
    """Divide gold units into parts so that near-duplicates stay together."""
    from regreact.evaluation.gold_tools import command  # noqa: PLC0415  heavy

    raise typer.Exit(command.split(gold, parts, seed, source, out))
