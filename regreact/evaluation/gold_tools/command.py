"""What the commands of `regreact gold` do."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TypeVar

from regreact import config, corpus
from regreact.errors import ConfigError, GoldError, OutputError
from regreact.evaluation.command import CHECKOUT_GOLD, gold_folder, load_gold_for, source_units
from regreact.evaluation.gold import GoldUnit
from regreact.evaluation.gold_tools import adjudicate, agreement
from regreact.evaluation.gold_tools.annotations import paired, read_annotations, write_unit
from regreact.evaluation.gold_tools.sampling import candidate, draw
from regreact.evaluation.gold_tools.standoff import to_extraction, to_standoff
from regreact.evaluation.predictions import prediction_path
from regreact.evaluation.splits import check_parts, clusters, deal
from regreact.extractions import read_extractions
from regreact.files import write_whole
from regreact.runner import Extractor
from regreact.schema import Extraction, unit_file_name
from regreact.sources import find_source, read
from regreact.sources.model import Unit

T = TypeVar("T")


def sample(source: str, patterns: Sequence[str], size: int, seed: int, out: Path | None) -> int:
    """Draw units to annotate; JSON lines to a file, else to stdout.

    Returns:
        0, or 1 if some units could not be extracted or a tier has too few.
    """
    if size < 1:
        raise ConfigError(f"--size {size}: give a number of units of at least 1")
    units = list(corpus.select(corpus.load(source).documents, patterns).units)
    candidates, failed = [], 0
    for unit, result, _ in Extractor(config.load(["tracking=off"])).stream(units):
        if not isinstance(result, Extraction):
            failed += 1
            _say(f"failed: {unit.document} {unit.key}: {result}")
        elif found := candidate(result):
            candidates.append(found)
    drawn = draw(candidates, size, seed, clusters(units))
    for tier, count in drawn.lacking.items():
        _say(f"{tier}: {count} units fewer than its share; the source has no more")
    _write(out, "".join(json.dumps(asdict(c), ensure_ascii=False) + "\n" for c in drawn.drawn))
    return 1 if failed or drawn.lacking else 0


def agree(first: Path, second: Path, like: Path | None, form: str, seed: int, out: Path | None) -> int:
    """Print the agreement of two annotation folders."""
    if form not in agreement.FORMATS:
        raise ConfigError(f"--format {form}: one of {', '.join(agreement.FORMATS)}")
    _write(out, agreement.FORMATS[form](agreement.agree(_pairs(first, second, like), seed)).rstrip("\n") + "\n")
    return 0


def adjudication(
    first: Path, second: Path, like: Path | None, source: str | None, decisions: Path | None, out: Path
) -> int:
    """Write the list of disagreements, or with decisions the gold that follows from them."""
    pairs = _pairs(first, second, like)
    if decisions is not None:
        decided = adjudicate.read_decisions(decisions)
        merged = [adjudicate.merge(a, b, decided) for a, b in pairs]
        _refuse_full(out)
        for unit in merged:
            write_unit(out, unit)
        _say(f"{len(merged)} units -> {out}")
        return 0
    units = source_units([a for a, _ in pairs], source)
    found = [
        d for a, b in pairs for d in adjudicate.disagreements(a, b, [x.text for x in units[a.source, a.unit].blocks])
    ]
    _write(out / "disagreements.jsonl", adjudicate.to_jsonl(found))
    _write(out / "disagreements.md", adjudicate.to_markdown(found))
    _say(f"{len(found)} disagreements in {len(pairs)} units -> {out}")
    return 0


def export(pred_dir: Path, out: Path, source: str | None) -> int:
    """Write extraction files as stand-off gold; files that do not fit their source are listed.

    Returns:
        0, or 1 if some files could not be used.
    """
    found = read_extractions(pred_dir)
    _refuse_full(out)
    records = found.by_path
    failed = len(found.damaged)
    found.tell()
    units = _units_of(records, source)

    def standoff(record: Extraction) -> None:
        unit = units.get((record.source.document, record.unit))
        if unit is None:
            raise GoldError(f"{record.unit}: {record.source.document} holds no such unit")
        target = out / unit_file_name(record.unit)
        if target.exists():
            raise GoldError(f"{record.unit}: another document has this unit too; export one document at a time")
        write_unit(out, to_standoff(record, unit))

    return _each(records, standoff, failed, out)


def attach(gold: str, out: Path, source: str | None) -> int:
    """Write gold joined with its source as extraction files; units that do not fit are listed."""
    annotated = load_gold_for(gold)
    units = source_units(annotated, _source(gold, source))
    _refuse_full(out)

    def full(unit: GoldUnit) -> None:
        record = to_extraction(unit, units[unit.source, unit.unit])
        text = json.dumps(record.to_json(), ensure_ascii=False, indent=1) + "\n"
        _write(prediction_path(out, unit.source, unit.unit), text)

    return _each(annotated, full, 0, out)


def split(gold: str, parts: str, seed: int, source: str | None, out: Path | None) -> int:
    """Write which gold units go to which part, and the clusters that were kept together."""
    annotated = load_gold_for(gold)
    texts = source_units(annotated, _source(gold, source))
    # A fragment's unit is named after its file; the annotation's own key is what a split is asked by.
    groups = clusters([replace(texts[g.source, g.unit], key=g.unit) for g in annotated])
    shares = parse_parts(parts)
    dealt = deal(groups, shares, seed)
    joined = [c for c in groups if len(c) > 1]
    content = {"seed": seed, "shares": shares, "parts": dealt, "near_duplicates": joined}
    _write(out, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
    _say(", ".join(f"{name}: {len(keys)}" for name, keys in dealt.items()) + f"; {len(groups)} clusters")
    return 0


def parse_parts(text: str) -> dict[str, float]:
    """Read shares such as `train=0.6,validation=0.2,test=0.2`.

    Raises:
        ConfigError: The text has another form, names a part twice, or the shares make no split.
    """
    parts: dict[str, float] = {}
    for piece in text.split(","):
        name, _, share = (p.strip() for p in piece.partition("="))
        try:
            value = float(share)
        except ValueError:
            value = float("nan")
        if not name or name in parts:
            raise ConfigError(f"parts={text}: give each part once as name=share")
        parts[name] = value
    check_parts(parts)
    return parts


def _pairs(first: Path, second: Path, like: Path | None) -> list[tuple[GoldUnit, GoldUnit]]:
    if like is None and gold_folder(CHECKOUT_GOLD).is_dir():
        like = gold_folder(CHECKOUT_GOLD)
    one, other = read_annotations(first, like), read_annotations(second, like)
    for key in sorted(one.keys() ^ other.keys()):
        _say(f"left out: {key} is annotated in one folder only")
    return paired(one, other)


def _units_of(records: Sequence[Extraction], source: str | None) -> Mapping[tuple[str, str], Unit]:
    wanted = sorted({r.source.document for r in records})
    held = {d.document: d for d in corpus.load(source).documents} if source == corpus.SAMPLES else {}
    folder = Path(source) if source not in (None, corpus.SAMPLES) else None
    documents = [held.get(name) or read(find_source(name, folder)) for name in wanted]
    return {(d.document, u.key): u for d in documents for u in d.units}


def _source(gold: str, source: str | None) -> str | None:
    return corpus.SAMPLES if source is None and gold == corpus.SAMPLES else source


def _each(items: Iterable[T], work: Callable[[T], None], failed: int, out: Path) -> int:
    done = 0
    for item in items:
        try:
            work(item)
            done += 1
        except GoldError as error:
            failed += 1
            _say(str(error))
    _say(f"{done} written, {failed} failed -> {out}")
    return 1 if failed else 0


def _refuse_full(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.glob("*.json")) or any(out.glob("*/*.json"))):
        raise OutputError(f"{out}: is a file or holds JSON files already (give a new folder)")


def _write(path: Path | None, text: str) -> None:
    if path is None:
        sys.stdout.write(text)
        return
    write_whole(path, text.encode())


def _say(line: str) -> None:
    print(line, file=sys.stderr)
