"""Command line: `regreact agreement`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Compare judges.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    pass


@app.command()
def judges(
    first: Annotated[Path, typer.Argument(help="Judgements (JSON lines) that `regreact score --judgements` wrote.")],
    second: Annotated[Path, typer.Argument(help="Those of another judge, model or person, on the same predictions.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the comparison as JSON.")] = False,
) -> None:
    """Say how two judges agree: Spearman, share within one point, Cohen's kappa of good against not good."""
    from regreact.evaluation.judge_agreement import compare_files, render  # noqa: PLC0415  heavy

    found = compare_files(first, second)
    if as_json:
        typer.echo(json.dumps(found.to_json(), indent=1))
        return
    from rich.console import Console  # noqa: PLC0415  heavy

    Console().print(render(found))
