"""Runs to report on: a folder of extractions scored now, or runs that were tracked."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regreact import corpus, tracking
from regreact.config import load
from regreact.errors import ConfigError, RunError
from regreact.evaluation.calibration import Judged, answers
from regreact.evaluation.command import default_gold, load_gold_for, source_documents, units_of
from regreact.evaluation.rag_pairs import PairScore, pair_scores
from regreact.evaluation.score_report import PERCENT, SEMANTIC
from regreact.evaluation.scoring import score_folder
from regreact.extractions import extraction_files
from regreact.files import real

Row = Mapping[str, Any]
# What variants are called in tables, in the order of the columns there.
TITLES = {
    "none": "Full",
    "no_odr": "− ODR",
    "no_graph": "− Graph",
    "blank_guidance": "blank guidance",
    "wrong_guidance": "wrong guidance",
    "single_pass": "single pass",
    "gpt4o": "GPT-4o, single pass",
    "markup": "markup floor",
}


@dataclass(frozen=True, slots=True)
class Run:
    """The scores of one variant on one data set.

    Attributes:
        variant: `ablation.name`, or the name of a folder.
        data: Name of the data set.
        rows: One row a unit: `unit`, `document`, a value or None by metric.
        answers: Answers with their confidence; empty if the run did not keep them.
        pairs: Scores of summaries; empty without retrieval.
        simulated: Whether a SIMULATED model answered.
        origin: Where it was read from.
    """

    variant: str
    data: str
    rows: tuple[Row, ...]
    answers: tuple[Judged, ...] = ()
    pairs: tuple[PairScore, ...] = ()
    simulated: bool = False
    origin: str = ""

    @property
    def title(self) -> str:
        """What it is called in tables; one with the simulated model says so."""
        return TITLES.get(self.variant, self.variant) + (" (SIMULATED model)" if self.simulated else "")

    def values(self, metric: str) -> dict[Hashable, float]:
        """Return the metric by document and unit; units with nothing to score are left out."""
        return {(r["document"], r["unit"]): float(v) for r in self.rows if (v := r.get(metric)) is not None}


@dataclass(frozen=True, slots=True)
class Reading:
    """How folders are read.

    Attributes:
        gold: Folder of gold or `samples`; None for what fits the documents of the folder.
        source: File or folder with the texts, None for the usual places.
        store: Store of acts for the scores of summaries, None for `$REGREACT_STORE`, else `./store`.
        uri: Tracking database.
    """

    gold: str | None = None
    source: Path | None = None
    store: Path | None = None
    uri: str = "sqlite:///mlflow.db"


def read_runs(names: Sequence[str], how: Reading) -> list[Run]:
    """Read runs by folder, id or name, in the order given; variants of a sweep one by one.

    Raises:
        RunError: One is not there or holds no scores, or two are the same variant.
        GoldError: The gold does not fit a folder's documents.
    """
    # Given twice, by name and as part of its sweep, a run counts once.
    runs = list({run.origin: run for name in names for run in _read(name, how)}.values())
    if len({r.data for r in runs}) > 1:
        kinds = ", ".join(sorted({r.data for r in runs}))
        raise RunError(f"runs on different data ({kinds}) make no table: report on each data set by itself")
    seen: dict[tuple[str, bool], str] = {}
    for run in runs:
        other = seen.setdefault((run.variant, run.simulated), run.origin)
        if other != run.origin:
            raise RunError(f"{run.origin} and {other} are both the variant {run.variant}: give one of them")
    order = list(TITLES)
    return sorted(runs, key=lambda r: order.index(r.variant) if r.variant in order else len(order))


def _read(name: str, how: Reading) -> Iterable[Run]:
    folder = Path(name)
    return [read_folder(folder, how)] if folder.is_dir() else map(read_logged, tracking.find_runs(how.uri, name))


def read_folder(folder: Path, how: Reading) -> Run:
    """Score a folder of extractions.

    Summaries are scored if there is a store; without one they are left out.

    Raises:
        RunError: The folder holds no extraction.
        GoldError: No gold fits it.
    """
    if not extraction_files(folder):
        raise RunError(f"{folder}: holds no extraction files (expected <document>/<unit>.json)")
    name = how.gold or default_gold(folder)
    gold = load_gold_for(name)
    samples = how.source is None and name == corpus.SAMPLES
    text = corpus.SAMPLES if samples else str(how.source) if how.source else None
    documents = source_documents(gold, text)
    report = score_folder(folder, gold, units_of(gold, documents))
    settings = load(["rag=on", *([f"rag.store={how.store}"] if how.store else [])])
    try:
        pairs = pair_scores(folder, settings, documents)
    except ConfigError:
        pairs = []
    return Run(
        variant=real(folder).name,
        data=Path(name).name,
        rows=tuple(report.rows()),
        answers=tuple(answers(report)),
        pairs=tuple(pairs),
        origin=str(folder),
    )


def read_logged(logged: tracking.LoggedRun) -> Run:
    """Read a tracked run.

    Raises:
        RunError: It holds no table of units.
    """
    table = logged.json("units.json")
    if table is None:
        raise RunError(f"{logged.name} ({logged.run_id}): holds no units.json; it was not scored to the end")
    rows = tuple(dict(zip(table["columns"], values, strict=True)) for values in table["data"])
    missing = [m for m in (*PERCENT, *SEMANTIC) if m not in table["columns"]]
    if missing:
        raise RunError(f"{logged.name} ({logged.run_id}): its units.json lacks {', '.join(missing)}")
    return Run(
        variant=logged.params.get("ablation.name", logged.name),
        data=logged.params.get("data.name", ""),
        rows=rows,
        answers=tuple(Judged(**r) for r in _records(logged, "answers.json")),
        pairs=tuple(PairScore(**r) for r in _records(logged, "rag_pairs.json")),
        simulated=_simulated(logged.params),
        origin=f"{logged.name} ({logged.run_id})",
    )


def _simulated(params: Mapping[str, str]) -> bool:
    """True if the simulated model answered (see `Settings.uses_lm`)."""
    program = params.get("program.name")
    staged = program == "regreact" and params.get("fastpath.mode") != "only"
    return params.get("lm.engine") == "simulated" and (staged or program == "single_pass")


def _records(logged: tracking.LoggedRun, name: str) -> list[dict[str, Any]]:
    return list((logged.json(name) or {}).get("records", []))
