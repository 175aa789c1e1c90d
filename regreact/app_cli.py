"""Command line of the web applications: `regreact review` and `regreact serve`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from regreact.app.review.desk import Desk

EXIT_CODES = (
    "Exit codes: 0 done; 1 an export has something left to settle; 2 usage or configuration; 3 no extraction there."
)

Host = Annotated[str, typer.Option(help="Address to listen on; any but this machine's own needs --token.")]
Token = Annotated[
    str | None,
    typer.Option(
        envvar="REGREACT_TOKEN",
        help="What clients must present; 16 characters or more. Better in REGREACT_TOKEN: options are for all to see.",
    ),
]
AllowHost = Annotated[
    list[str] | None, typer.Option("--allow-host", help="Further host name that the server is reached by. Repeatable.")
]


def review(
    out: Annotated[Path, typer.Argument(help="Folder that `regreact extract` wrote.")],
    source: Annotated[
        str | None, typer.Option(help="File or folder of the source texts; else $REGREACT_DATA, ./data/raw, …")
    ] = None,
    below: Annotated[
        float, typer.Option(min=0, max=1, help="Answers less sure than this are to be reviewed.")
    ] = 0.7,
    reviewer: Annotated[str | None, typer.Option(help="Name that decisions are kept under.")] = None,
    export: Annotated[
        Path | None, typer.Option(help="Write corrected extractions and gold into this new folder, and stop.")
    ] = None,
    agreement: Annotated[bool, typer.Option("--agreement", help="Print how far reviewers agree, and stop.")] = False,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for any free one.")] = 8321,
    token: Token = None,
    allow_host: AllowHost = None,
) -> None:
    """Review what an extraction flags or is not sure of, in the browser; decisions go to OUT/review/decisions.jsonl."""
    if export is None and not agreement:
        from regreact.app import need_extra  # noqa: PLC0415

        need_extra()
        # What is wrong with the options is said before the extractions are read.
        from regreact.app.access import access  # noqa: PLC0415

        access(host, port, token, allow_host or (), reviewer or "")
    desk = _desk(out, source, below)
    for one in desk.workspace.damaged if export is None else ():
        typer.echo(f"damaged: {one.problem}", err=True)
    if agreement:
        _print_agreement(desk)
        raise typer.Exit(1 if desk.workspace.damaged else 0)
    if export is not None:
        from regreact.app.review.export import export as write  # noqa: PLC0415  heavy

        done = write(desk.workspace, desk.decisions(), desk.texts, export)
        for problem in done.problems:
            typer.echo(problem, err=True)
        typer.echo(done.text)
        raise typer.Exit(done.exit_code)
    from regreact.app.review.web import create_app  # noqa: PLC0415  heavy
    from regreact.app.serving import serve as run  # noqa: PLC0415

    typer.echo(f"{len(desk.workspace.items)} items in {len(desk.workspace.records)} extractions", err=True)
    run("review", host, port, lambda n: create_app(desk, access(host, n, token, allow_host or (), reviewer or "")))


def _desk(out: Path, source: str | None, below: float) -> Desk:
    from regreact.app.review.desk import Desk  # noqa: PLC0415  heavy
    from regreact.app.review.log import DecisionLog  # noqa: PLC0415
    from regreact.app.review.queue import Workspace  # noqa: PLC0415
    from regreact.app.review.texts import SourceTexts  # noqa: PLC0415

    return Desk(Workspace(out, below), DecisionLog(out), SourceTexts(source))


def _print_agreement(desk: Desk) -> None:
    from regreact.app.review.verdict import agreement  # noqa: PLC0415

    pairs = agreement(desk.decisions())
    for pair in pairs:
        typer.echo(pair.text)
    if not pairs:
        typer.echo("no two reviewers have decided the same items yet")


def serve(
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder of extractions to offer as data.")
    ] = None,
    source: Annotated[str | None, typer.Option(help="Source whose units to offer; as of `regreact extract`.")] = None,
    override: Annotated[
        list[str] | None,
        typer.Option("--set", help="Configuration override of extractions such as odr.tau=0.8. Repeatable."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Extractions at the same time.")] = 2,
    max_mb: Annotated[float, typer.Option(min=0.001, max=1000, help="Largest upload, in megabytes.")] = 20,
    timeout_s: Annotated[float, typer.Option(min=0.1, help="Seconds that POST /extract may take.")] = 60,
    job_timeout_s: Annotated[float, typer.Option(min=0.1, help="Seconds that a job may take.")] = 3600,
    max_memory_mb: Annotated[
        int, typer.Option(min=0, help="Memory of one extraction's process, in megabytes; 0 for no limit.")
    ] = 4000,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for any free one.")] = 8322,
    token: Token = None,
    allow_host: AllowHost = None,
) -> None:
    """Serve extraction and extracted data over HTTP; /docs tells how."""
    from regreact import config  # noqa: PLC0415  heavy
    from regreact.app import need_extra  # noqa: PLC0415

    need_extra()
    from regreact.app.access import access  # noqa: PLC0415

    access(host, port, token, allow_host or ())
    config.load(override or []).need_lm()
    from regreact.app.api.catalogue import Catalogue  # noqa: PLC0415
    from regreact.app.api.jobs import Jobs, Limits  # noqa: PLC0415
    from regreact.app.api.web import create_app  # noqa: PLC0415
    from regreact.app.serving import serve as run  # noqa: PLC0415

    memory = max_memory_mb * 1_000_000
    limits = Limits(int(max_mb * 1e6), timeout_s, job_timeout_s, workers=workers, memory=memory)
    catalogue = Catalogue(out, source)
    jobs = Jobs(override or [], limits)
    run("serve", host, port, lambda n: create_app(catalogue, jobs, access(host, n, token, allow_host or ())))
