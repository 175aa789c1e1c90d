"""What `regreact score` does, and where experiments get gold and texts from."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from regreact import corpus
from regreact.config import data_dir
from regreact.errors import GoldError, NoUnitMatchedError, OutputError
from regreact.evaluation.gold import GoldUnit, load_gold
from regreact.evaluation.judging import Judging, judge_of, write_judgements
from regreact.evaluation.scoring import FieldResult, ScoreReport, predictions, render, score_folder, validate_folder
from regreact.sources import find_source, read
from regreact.sources.model import Document, Unit

# Where the annotated units of a checkout lie.
CHECKOUT_GOLD = "data/gold"


def gold_folder(name: str) -> Path:
    """Return a gold folder; `samples` is the embedded one."""
    return data_dir("samples") / "gold" if name == corpus.SAMPLES else Path(name)


def load_gold_for(name: str, patterns: Sequence[str] = ()) -> list[GoldUnit]:
    """Read gold, on request only of units that match a pattern.

    Raises:
        GoldError: The folder holds none, or a file is damaged.
        NoUnitMatchedError: No unit matches.
    """
    gold = load_gold(gold_folder(name))
    kept = [g for g in gold if not patterns or any(fnmatchcase(g.unit, p) for p in patterns)]
    if not kept:
        raise NoUnitMatchedError(f"no gold unit matches {', '.join(patterns)}")
    return kept


def source_units(gold: Sequence[GoldUnit], source: str | None) -> dict[tuple[str, str], Unit]:
    """Return the source unit that each gold unit was annotated on, by the document and key that gold names.

    Raises:
        SourceNotFoundError: A source document is not found.
        GoldError: A document does not hold the unit.
    """
    return units_of(gold, source_documents(gold, source))


def source_documents(gold: Sequence[GoldUnit], source: str | None) -> list[Document]:
    """Return the documents that gold was annotated on.

    Raises:
        SourceNotFoundError: A source document is not found.
    """
    wanted = {g.source for g in gold}
    documents = list(corpus.load(source).documents) if source == corpus.SAMPLES else []
    missing = sorted(wanted - {d.document for d in documents})
    folder = Path(source) if source not in (None, corpus.SAMPLES) else None
    return documents + [read(find_source(name, folder)) for name in missing]


def units_of(gold: Sequence[GoldUnit], documents: Sequence[Document]) -> dict[tuple[str, str], Unit]:
    """Return the unit of each gold unit in the documents, by the document and key that gold names.

    Raises:
        GoldError: A document does not hold the unit.
    """
    held = {d.document: {u.key: u for u in d.units} for d in documents}
    units = {}
    for g in gold:
        own = held[g.source]
        # A fragment holds one unit, named after its file, whatever the annotation calls it.
        unit = own.get(g.unit) or (next(iter(own.values())) if len(own) == 1 else None)
        if unit is None:
            raise GoldError(f"{g.unit}: {g.source} holds no such unit")
        units[(g.source, g.unit)] = unit
    return units


def default_gold(pred_dir: Path) -> str:
    """Return the gold that was made on documents of a folder: the samples', else the annotated units of a checkout.

    Raises:
        NoUnitMatchedError: No known gold is about any document of the folder.
    """
    documents = {p.name for p in pred_dir.iterdir() if p.is_dir()}
    for name in (corpus.SAMPLES, CHECKOUT_GOLD):
        folder = gold_folder(name)
        if folder.is_dir() and documents & {g.source for g in load_gold(folder)}:
            return name
    raise NoUnitMatchedError(
        f"{pred_dir}: no gold at hand for {', '.join(sorted(documents)) or 'an empty folder'}; name one with --gold"
    )


def run(
    pred_dir: Path,
    gold: str | None,
    source: Path | None,
    *,
    as_json: bool,
    validate_only: bool,
    errors: bool,
    failures: Path | None = None,
    judging: Judging | None = None,
    patterns: Sequence[str] = (),
) -> int:
    """Score or validate a folder and print the outcome.

    Args:
        pred_dir: Folder of extractions.
        gold: Folder of gold, None for the one that fits.
        source: Source texts.
        as_json: Print the whole report as JSON.
        validate_only: Check the files and stop.
        errors: List every wrong field.
        failures: Folder for the failure taxonomy, if wanted.
        judging: Who scores the semantic fields.
        patterns: Gold units that count; empty for all.

    Returns:
        0 if every prediction is there (and valid, with `validate_only`) and every field is scored, else 1.

    Raises:
        ConfigError: The judge's settings are wrong, or the judge extracted what it would judge.
        LMStopError: The judge cannot be asked any more; the judgements made until then are kept.
        OutputError: The folder does not exist, or the file of judgements cannot be written.
        GoldError: The gold is damaged or does not fit its source.
        SourceNotFoundError: The source texts are not found.
        NoUnitMatchedError: No gold unit matches the patterns.
    """
    if not pred_dir.is_dir():
        raise OutputError(f"{pred_dir}: no such folder (run `regreact extract` first)")
    if validate_only:
        return _validate(pred_dir)
    name = gold or default_gold(pred_dir)
    annotated = load_gold_for(name, patterns)
    text = corpus.SAMPLES if source is None and name == corpus.SAMPLES else str(source) if source else None
    judging = judging or Judging()
    judge = judge_of(pred_dir, judging)
    units = source_units(annotated, text)
    report = score_folder(pred_dir, annotated, units, judge)
    if judging.file is not None:
        write_judgements(judging.file, report)
    if failures is not None:
        _write_failures(pred_dir, annotated, units, failures)
    _print(report, as_json=as_json, errors=errors)
    if account := judge.account():
        print(account, file=sys.stderr)
    return report.exit_code


def _write_failures(
    pred_dir: Path, gold: Sequence[GoldUnit], units: Mapping[tuple[str, str], Unit], folder: Path
) -> None:
    """Trace every wrong field to the first stage that erred and write the report."""
    from regreact.evaluation import failure_report  # noqa: PLC0415  only where it is asked for
    from regreact.evaluation.failures import Failure, failures  # noqa: PLC0415

    found: list[Failure] = []
    missing, files = [], {}
    for given in predictions(pred_dir, gold, units):
        key = (given.gold.source, given.gold.unit)
        if given.content is None:
            missing.append(" ".join(key))
            continue
        files[key] = given.path
        found += failures(given.gold, given.content, given.unit)
    failure_report.write(failure_report.Taxonomy(len(files), tuple(found), tuple(missing), files), folder)
    print(f"{len(found)} wrong fields -> {folder / failure_report.MARKDOWN}", file=sys.stderr)


def _validate(pred_dir: Path) -> int:
    count, problems = validate_folder(pred_dir)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{count} files, {len(problems)} invalid")
    if not count:
        raise NoUnitMatchedError(f"{pred_dir}: holds no extraction files (expected <document>/<unit>.json)")
    return 1 if problems else 0


def _print(report: ScoreReport, *, as_json: bool, errors: bool) -> None:
    for problem in (*report.problems, *report.shortcomings()):
        print(problem, file=sys.stderr)
    if as_json:
        print(json.dumps(report.to_json(), ensure_ascii=False, indent=1))
        return
    from rich.console import Console  # noqa: PLC0415  heavy

    Console().print(render(report))
    if errors:
        for unit in report.units:
            for e in unit.errors:
                print(_error_lines(e))


def _error_lines(error: FieldResult) -> str:
    """Return a wrong field as text: what was wanted, what came, from which words, and which rule decided."""
    score = "" if error.score is None else f" ({error.score:.1f} of 5)"
    by = error.rule or error.answered_by or "not told"
    sure = "" if error.confidence is None else f", confidence {error.confidence:.2f}"
    lines = [
        f"\n{error.unit}  {error.criterion_id}  {error.field}{score}\n  gold:       {error.gold}\n"
        f"  predicted:  {error.predicted}\n  source:     {error.source}\n  decided by: {by}{sure}"
    ]
    lines += [f"  judge:      {error.reason}"] if error.reason else []
    lines += [f"    {c.get('verdict', '')}: {c.get('item', '')}" for c in error.comparisons]
    return "\n".join(lines)
