"""The command line."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regreact import __version__, app_cli
from regreact.agreement_cli import app as agreement
from regreact.dataset.commands import app as dataset_app
from regreact.diff.commands import diff
from regreact.errors import RegReActError
from regreact.export.commands import export
from regreact.files import refused_write
from regreact.gold_cli import gold_app
from regreact.options import named_path
from regreact.progress import progress_bar
from regreact.report.command import report_app
from regreact.show import show

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from regreact.config import Settings
    from regreact.manifest import ManifestLine, Summary
    from regreact.sources.model import Document, Unit

app = typer.Typer(
    help="Turn published regulations into criterion trees with evidence for every field.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.add_typer(agreement, name="agreement")
app.add_typer(gold_app, name="gold")
app.add_typer(dataset_app, name="dataset")
app.add_typer(report_app, name="report")
app.command(epilog=app_cli.EXIT_CODES)(app_cli.review)
app.command(epilog=app_cli.EXIT_CODES)(app_cli.serve)

EXIT_CODES = (
    "Exit codes: 0 done; 1 some units failed, are missing or not done (budget or quota used up); 2 usage or "
    "configuration, a key or model that is refused included; 3 no unit matched."
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"regreact {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


@app.command(epilog=EXIT_CODES)
def extract(
    source: Annotated[
        str,
        typer.Argument(help="A Compass JSON, a Formex or XHTML act, an HTML fragment, a folder, or 'samples'."),
    ],
    unit: Annotated[
        list[str] | None,
        typer.Option("--unit", "-u", help="Unit key such as CCM-4.1/SC; * and ? match. Repeatable."),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", parser=named_path, metavar="PATH", help="Output folder.")
    ] = Path("out"),
    official: Annotated[
        Path | None,
        typer.Option(help="Official act (Formex) of the same sections: its structure decides on wrong points."),
    ] = None,
    override: Annotated[
        list[str] | None,
        typer.Option("--set", help="Configuration override such as odr.tau=0.8. Repeatable."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume/--fresh", help="Keep files whose input and configuration are unchanged.")
    ] = True,
    since: Annotated[
        Path | None,
        typer.Option(help="OUT/<document> of an earlier version: sections with the same content are taken over."),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(help="Part of the units, such as 2/8, for several machines: each has its own OUT."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List the units, with a model also the expected cost, and stop.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no summary.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the manifest lines of this run.")] = False,
) -> None:
    """Extract criterion trees into OUT/<document>/<unit>.json and OUT/manifest.jsonl."""
    import stamina  # noqa: PLC0415

    from regreact import config, corpus, runner  # noqa: PLC0415  heavy
    from regreact.amendments import earlier_version  # noqa: PLC0415

    # What is left after the last try of a request is reported; each try is not.
    stamina.instrumentation.set_on_retry_hooks(())
    settings = config.load(override or [])
    settings.need_lm()
    part = corpus.Shard.parse(shard) if shard is not None else None
    if settings.rag.enabled and not settings.reads_acts:
        typer.echo(f"program={settings.program.name} resolves no references: rag=on changes nothing", err=True)
    loaded = corpus.load(source)
    for problem in loaded.unreadable:
        typer.echo(f"unreadable: {problem}", err=True)
    for path in loaded.duplicates:
        typer.echo(f"left out: {path}: another file is the same document by its name or number; rename one", err=True)
    selection = corpus.select(loaded.documents, unit or [])
    if part is not None:
        selection = part.of_selection(selection)
    acts = corpus.official_acts(official) if official is not None else loaded.documents
    officials = corpus.officials(selection.units, acts)
    acts_at_hand = loaded.documents if official is None else (*loaded.documents, *acts)
    if official is not None and not officials:
        typer.echo(f"no section that cites points has its counterpart in {official}: nothing to decide there", err=True)
    if dry_run:
        _preview(settings, selection.units, officials, acts_at_hand, out if resume else None)
        return
    earlier = earlier_version(since) if since is not None else None
    extractor = runner.Extractor(settings, officials, documents=acts_at_hand)
    with progress_bar(len(selection.units), "extract", quiet or as_json) as advance:

        def told(line: ManifestLine) -> None:
            advance(line.unit, line.lm_calls, line.tokens, line.cost)

        summary = extractor.extract_to(selection.units, out, selection.failures, resume, told, earlier)
    _report(summary, selection.unmatched, out, quiet, as_json)
    if summary.stopped is not None:
        raise summary.stopped
    raise typer.Exit(1 if selection.unmatched or loaded.unreadable else summary.exit_code)


def _preview(
    settings: Settings,
    units: Sequence[Unit],
    officials: Mapping[tuple[str, str], Unit],
    documents: Sequence[Document],
    out: Path | None,
) -> None:
    """List units; with a model also what each is expected to take, and the sum."""
    if not settings.uses_lm:
        for u in units:
            typer.echo(f"{u.document}\t{u.key}\t{len(u.blocks)}\t{u.activity}")
        return
    from regreact.estimate import estimate, total  # noqa: PLC0415  heavy

    sizes = []
    for u, size in zip(units, estimate(settings, units, officials, documents, out), strict=True):
        typer.echo(f"{u.document}\t{u.key}\t{len(u.blocks)}\t{u.activity}\t{size}")
        sizes.append(size)
    typer.echo(total(settings, sizes))


def _report(summary: Summary, unmatched: tuple[str, ...], out: Path, quiet: bool, as_json: bool) -> None:
    """List failures on stderr, then say what was done and what comes next."""
    from dataclasses import asdict  # noqa: PLC0415

    for line in summary.failed:
        typer.echo(f"failed: {line.document} {line.unit}: {line.problem}", err=True)
    if summary.not_done:
        typer.echo(f"not done: {len(summary.not_done)} units, listed in {out / 'manifest.jsonl'}", err=True)
    for pattern in unmatched:
        typer.echo(f"missing: no unit matches {pattern}", err=True)
    if as_json:
        for line in summary.lines:
            typer.echo(json.dumps(asdict(line), ensure_ascii=False))
        return
    if quiet:
        return
    lines = summary.lines
    done = sum(line.status == "done" for line in lines)
    kept = sum(line.status == "kept" for line in lines)
    review = sum(line.review for line in lines)
    asked = [line for line in lines if line.status != "kept"]
    calls = sum(line.lm_calls for line in asked)
    parts = [
        f"{done} extracted",
        f"{kept} unchanged",
        f"{len(summary.failed)} failed",
        f"{review} review flags",
    ]
    if calls:
        tokens = sum(line.prompt_tokens + line.completion_tokens for line in asked)
        cost = None if any(line.cost is None for line in asked) else sum(line.cost or 0 for line in asked)
        parts.append(f"{calls} model calls, {tokens} tokens, {'price unknown' if cost is None else f'{cost:.4f} USD'}")
    typer.echo(f"{', '.join(parts)} -> {out}")
    if done + kept and summary.stopped is None:
        typer.echo(f"next: regreact score {out}   (compares with gold, where there is some for these documents)")


@app.command(epilog=EXIT_CODES)
def score(
    pred_dir: Annotated[Path, typer.Argument(help="Folder that `regreact extract` wrote, or anybody's in that form.")],
    gold: Annotated[
        str | None, typer.Option(help="Folder of stand-off gold, or 'samples'. Default: samples for samples.")
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(help="File or folder with the source texts; else $REGREACT_DATA, ./data/raw, …"),
    ] = None,
    unit: Annotated[
        list[str] | None,
        typer.Option("--unit", "-u", help="Gold unit that counts; * and ? match. Repeatable. Default: all."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole report as JSON.")] = False,
    validate_only: Annotated[bool, typer.Option("--validate-only", help="Check the files and stop.")] = False,
    errors: Annotated[bool, typer.Option("--errors", help="List every wrong field.")] = False,
    failures: Annotated[
        Path | None,
        typer.Option(help="Folder for the failure taxonomy: every wrong field by the first stage that erred."),
    ] = None,
    judge: Annotated[
        str, typer.Option(help="Who scores the semantic fields: rubric, lm (a model), simulated.")
    ] = "rubric",
    override: Annotated[
        list[str] | None,
        typer.Option("--set", help="Setting of the judge such as judge.lm.model=NAME. Repeatable."),
    ] = None,
    judgements: Annotated[
        Path | None, typer.Option(help="Write what the judge said of each field here, as JSON lines.")
    ] = None,
) -> None:
    """Score predictions against gold annotations."""
    import stamina  # noqa: PLC0415

    from regreact.evaluation import command  # noqa: PLC0415  heavy
    from regreact.evaluation.judging import Judging  # noqa: PLC0415

    stamina.instrumentation.set_on_retry_hooks(())
    judging = Judging(judge, tuple(override or ()), judgements)
    wanted = {"as_json": as_json, "validate_only": validate_only, "errors": errors}
    chosen = tuple(unit or ())
    raise typer.Exit(
        command.run(pred_dir, gold, source, failures=failures, judging=judging, patterns=chosen, **wanted)
    )


@app.command(epilog=EXIT_CODES)
def fetch(
    celex: Annotated[
        list[str] | None,
        typer.Argument(help="CELEX ids such as 32018L2001, or 02018L2001-20220607 for one consolidated version."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--from", help="Folder or file to take documents from, or 'samples'; their names hold the CELEX."),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            parser=named_path, metavar="PATH", help="Folder of the store. Default: $REGREACT_STORE, else ./store."
        ),
    ] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", help="Date (YYYY-MM-DD): the consolidated version in force then.")
    ] = None,
    cited_in: Annotated[
        str | None, typer.Option("--cited-in", help="Get the acts that a source cites; SOURCE as of extract.")
    ] = None,
    language: Annotated[str, typer.Option(help="Two-letter code.")] = "en",
    override: Annotated[
        list[str] | None, typer.Option("--set", help="Setting of the service such as celex.rate=1. Repeatable.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be stored or asked for, and stop.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a document.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no summary.")] = False,
) -> None:
    """Store legal acts, from files and from the EU Publications Office."""
    from regreact import corpus  # noqa: PLC0415  heavy
    from regreact.config import data_dir  # noqa: PLC0415
    from regreact.rag import command  # noqa: PLC0415
    from regreact.rag.fetch import Request  # noqa: PLC0415
    from regreact.rag.store import default_folder  # noqa: PLC0415

    if folder is not None and str(folder) == corpus.SAMPLES and not folder.exists():
        folder = data_dir(corpus.SAMPLES) / "acts"
    day = command.parse_day(as_of) if as_of else None
    request = Request(tuple(celex or ()), folder, cited_in, day, language, dry_run)
    raise typer.Exit(command.run(request, store or default_folder(), override or [], as_json=as_json, quiet=quiet))


@app.command(epilog=EXIT_CODES)
def act(
    celex: Annotated[str, typer.Argument(help="CELEX id such as 32018L2001, or 02018L2001-20220607.")],
    at: Annotated[str, typer.Option(help="Address of a provision such as art_29/par_2. Default: the whole act.")] = "",
    cited: Annotated[str, typer.Option(help='A place in words instead: "Article 29, paragraphs 2 to 5".')] = "",
    markdown: Annotated[bool, typer.Option("--markdown", help="Whole act as Markdown, addresses as anchors.")] = False,
    store: Annotated[
        Path | None,
        typer.Option(
            parser=named_path, metavar="PATH", help="Folder of the store. Default: $REGREACT_STORE, else ./store."
        ),
    ] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="Date (YYYY-MM-DD): the version in force then.")] = None,
    language: Annotated[str, typer.Option(help="Two-letter code.")] = "en",
) -> None:
    """Print an act of the store, or the provision at an address."""
    from regreact.rag import act_command  # noqa: PLC0415  heavy

    typer.echo(act_command.run(act_command.Wanted(celex, at, cited, markdown, store, as_of, language)))


@app.command(epilog=EXIT_CODES)
def references(
    out: Annotated[Path, typer.Argument(help="Folder that `regreact extract` wrote.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a reference.")] = False,
) -> None:
    """Tell what became of the references of a folder of extractions, and why some are not resolved."""
    from regreact.extractions import read_extractions  # noqa: PLC0415  heavy
    from regreact.rag import reference_report  # noqa: PLC0415

    found = read_extractions(out)
    lines = [line for e in found.by_path for line in reference_report.lines_of(e)]
    typer.echo(reference_report.to_json(lines) if as_json else reference_report.render(lines))
    raise typer.Exit(found.tell())


@report_app.command("tables", epilog=EXIT_CODES)
def report_tables(
    runs: Annotated[
        list[str] | None,
        typer.Argument(help="Folders of extractions, or ids or names of tracked runs; of a sweep all variants."),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", parser=named_path, metavar="PATH", help="Output folder.")
    ] = Path("tables"),
    tracking: Annotated[str, typer.Option(help="Tracking database.")] = "sqlite:///mlflow.db",
    system: Annotated[
        str | None, typer.Option(help="Variant of tables 2 to 5. Default: the full program, else the first run.")
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(help="Variant that table 3 compares with. Default: single pass.")
    ] = None,
    agreement: Annotated[
        list[Path] | None, typer.Option(help="Folder of annotations for table 8; give two, of the same units.")
    ] = None,
    like: Annotated[
        Path | None, typer.Option(help="Gold that tells the documents of annotations which do not name them.")
    ] = None,
    gold: Annotated[str | None, typer.Option(help="Gold for folders, as of score.")] = None,
    source: Annotated[Path | None, typer.Option(help="Source texts for folders, as of score.")] = None,
    store: Annotated[
        Path | None,
        typer.Option(parser=named_path, metavar="PATH", help="Store of acts, to score summaries of folders."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of bootstrap and permutations.")] = 0,
) -> None:
    """Write the paper's tables 2 to 5, 7 and 8 and figure 2 for runs, as Markdown, CSV and PNG."""
    from regreact.errors import ConfigError  # noqa: PLC0415
    from regreact.evaluation import report_command  # noqa: PLC0415  heavy
    from regreact.evaluation.runs import Reading  # noqa: PLC0415

    folders = agreement or []
    if len(folders) not in (0, 2):
        raise ConfigError(f"--agreement is given {len(folders)} times: two folders are compared")
    two = (folders[0], folders[1]) if folders else None
    choice = report_command.Choice(system, baseline, two, like, seed)
    paths, left_out = report_command.run(runs or [], Reading(gold, source, store, tracking), choice, out)
    for line in left_out:
        typer.echo(f"left out: {line}", err=True)
    typer.echo(f"{len(paths)} files -> {out}")


for command in (export, show, diff):
    app.command(epilog=EXIT_CODES)(command)


def tolerant_output() -> None:
    """Let output that cannot show a character write its number instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


# What shells give a process that Ctrl-C has ended.
INTERRUPTED = 130


def main() -> None:
    """Run the command line; errors of the package become one line and its exit code."""
    tolerant_output()
    try:
        app()
    except RegReActError as error:
        print(f"regreact: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.exit(0)
    except OSError as error:
        # Such as a name that is too long, wherever it is looked for; what can be said better is said where it happens.
        where = f"{str(error.filename)[:200]}: " if error.filename else ""
        print(f"regreact: {refused_write(error) or f'{where}{error.strerror or error}'}", file=sys.stderr)
        sys.exit(2)
    except (KeyboardInterrupt, SystemExit) as error:
        # Typer ends the process itself when Ctrl-C is pressed, and says nothing.
        if isinstance(error, SystemExit) and error.code != INTERRUPTED:
            raise
        print("regreact: stopped; run the same command again to resume", file=sys.stderr)
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
