"""What `regreact fetch` does: carries out a request and reports on it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path

from regreact.errors import ConfigError
from regreact.progress import progress_bar
from regreact.rag.acquire import LANGUAGES
from regreact.rag.fetch import Line, Request, Summary, documents, from_cellar, from_file, wanted_acts
from regreact.rag.store import Store, default_folder


def parse_day(text: str) -> date:
    """Return a date written as YYYY-MM-DD.

    Raises:
        ConfigError: The text is none.
    """
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ConfigError(f"--as-of {text!r} is no date (YYYY-MM-DD)") from None


def run(
    request: Request, folder: Path, overrides: Sequence[str] = (), *, as_json: bool = False, quiet: bool = False
) -> int:
    """Fetch and report.

    Args:
        request: What to fetch.
        folder: Folder of the store.
        overrides: Settings such as `celex.rate=1`: the service's address, rate, time limit and retries.
        as_json: Print a JSON object for each document.
        quiet: Print failures only.

    Returns:
        Exit code: 0 done, 1 some documents could not be had.

    Raises:
        ConfigError: Nothing is asked for, or a setting or language is wrong.
        StoreError: An id is none, or the store cannot be written.
        SourceNotFoundError: There is no such folder, or no document in it.
        NoUnitMatchedError: The source cites no act.
    """
    if not request.celex and request.folder is None and request.cited_in is None:
        raise ConfigError("nothing to fetch: give CELEX ids, --from FOLDER or --cited-in SOURCE")
    if request.language not in LANGUAGES:
        raise ConfigError(f"language {request.language!r} is none of the Union's: {', '.join(LANGUAGES)}")
    store = Store(folder)
    files = documents(request.folder) if request.folder is not None else []
    acts, unreadable = wanted_acts(request)
    summary = Summary(unreadable)
    with progress_bar(len(files) + len(acts), "fetch", quiet or as_json) as advance:
        for path in files:
            _note(summary, advance, from_file(store, path, request))
        for line in from_cellar(store, acts, request, overrides):
            _note(summary, advance, line)
    _report(summary, folder, request, as_json=as_json, quiet=quiet)
    return summary.exit_code


def _note(summary: Summary, advance: Callable[[str], None], line: Line) -> None:
    summary.lines.append(line)
    advance(line.wanted)


def _report(summary: Summary, folder: Path, request: Request, *, as_json: bool, quiet: bool) -> None:
    """List failures on stderr, then say what was done and what comes next."""
    for line in summary.lines:
        if line.status == "failed":
            print(f"failed: {line.wanted}: {line.problem}", file=sys.stderr)
    left = summary.count("not asked")
    if left:
        print(f"not asked: {left} acts; run the same command again to go on", file=sys.stderr)
    if as_json:
        for line in summary.lines:
            print(json.dumps(asdict(line), ensure_ascii=False))
    elif not quiet and request.dry_run:
        for line in summary.lines:
            print(f"{line.wanted}\t{line.status}\t{line.id}\t{line.language}\t{line.format}\t{line.bytes}")
    elif not quiet:
        done = {status: summary.count(status) for status in ("stored", "kept", "failed")}
        print(f"{done['stored']} stored, {done['kept']} unchanged, {done['failed']} failed -> {folder}")
        if done["stored"] + done["kept"]:
            where = "" if folder == default_folder() else f" --store {folder}"
            print(f"next: regreact fetch --cited-in SOURCE{where}   (gets cited acts that the store lacks)")
