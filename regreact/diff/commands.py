"""`regreact diff`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Annotated

import typer

from regreact.progress import progress_bar


def diff(
    a: Annotated[
        str,
        typer.Argument(metavar="A", help="The older: an extraction file, an output folder, OUT/<document>, SOURCE."),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The newer one, likewise.")],
    unit: Annotated[
        list[str] | None, typer.Option("--unit", "-u", help="Unit key such as CCM-4.1/*; * and ? match. Repeatable.")
    ] = None,
    override: Annotated[
        list[str] | None, typer.Option("--set", help="Setting of the extraction of a SOURCE. Repeatable.")
    ] = None,
    only_summary: Annotated[bool, typer.Option("--summary", help="Counts only.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Tell what B changes of A: activities, criteria, thresholds, references, in words or as JSON.

    Sections of a SOURCE are extracted only where their text differs.
    """
    from regreact import (  # noqa: PLC0415  heavy
        config,
        controls,
        runner,
    )
    from regreact.diff import words  # noqa: PLC0415
    from regreact.diff.build import count_pairs, difference  # noqa: PLC0415
    from regreact.diff.sides import load_side  # noqa: PLC0415

    extractor = runner.Extractor(config.load(override or []))
    old, new = load_side(a, unit or ()), load_side(b, unit or ())
    with progress_bar(count_pairs(old, new), "compare", quiet or as_json) as advance:
        found = difference(old, new, extractor, advance)
    if as_json:
        data = {**({} if only_summary else asdict(found)), "a": a, "b": b, "summary": found.summary()}
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    else:
        text = words.summary(found) if only_summary else words.render(found)
    sys.stdout.write(text.encode("utf-8", "replace").decode() if as_json else controls.lines(text))
    raise typer.Exit(1 if found.failed else 0)
