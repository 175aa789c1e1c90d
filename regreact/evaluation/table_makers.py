"""The paper's tables 2 to 5, 7 and 8 and the data of its figure 2, from runs.

Every interval is a 95 % bootstrap interval of the mean, every p value a two-sided paired permutation test over units.
"""

from __future__ import annotations

import statistics
from collections.abc import Hashable, Iterable, Mapping, Sequence

from regreact.evaluation import paper
from regreact.evaluation.calibration import Band, Judged, calibrate
from regreact.evaluation.gold_tools.agreement import AgreementReport
from regreact.evaluation.gold_tools.compare import DIMENSIONS
from regreact.evaluation.rag_pairs import SCORES, PairScore
from regreact.evaluation.runs import Run
from regreact.evaluation.score_report import NAMES, SEMANTIC
from regreact.evaluation.semantic.deductions import BEST
from regreact.evaluation.statistics import (
    Interval,
    Paired,
    bootstrap_interval,
    compare,
    describe,
    equal_bins,
    holm,
    wilson_interval,
)
from regreact.evaluation.tables import Cell, Record, Table

METRICS = ("structural_f1", *paper.METRICS[:4], "tags", *SEMANTIC)
INTERVAL = "95 % interval"
BINS = 5

LEFT_OUT = (
    "Semantic scores are means over the criteria of a unit that have the field in gold or prediction; a unit with the "
    "field on neither side is left out, so n varies. A missing prediction counts 0."
)
BOOTSTRAP = (
    "Interval: percentile bootstrap over units. One of zero width says that all units scored the same, not that the "
    "mean is certain. Sections that repeat each other in two annexes count as two units."
)
TEST = (
    "Means, delta and its interval: paired by unit. Of a semantic field that one variant invents where gold and the "
    "other have nothing, the other counts 5; n is larger by that than in table 2. p: paired permutation test (random "
    "signs), two-sided; Holm: corrected for the number of metrics."
)
SIMULATED = (
    "SIMULATED model: it knows the annotated answers and spoils them at a set rate. This shows what checks, loop and "
    "graph mend, and says nothing of any real model."
)
OTHER_GOLD = "The paper's figures were measured on another gold set, with another model and another judge."


def table_2(run: Run, floor: Run | None, seed: int = 0) -> Table:
    """Return quality by metric, with the markup floor if it was run."""
    records: list[Record] = []
    for metric in METRICS:
        found = describe(list(run.values(metric).values()), seed=seed)
        lowest = describe(list(floor.values(metric).values()), seed=seed) if floor else None
        told = paper.TABLE_2.get(metric)
        records.append(
            {
                "metric": NAMES[metric],
                "mean": found.mean if found else None,
                "std": found.std if found else None,
                "median": found.median if found else None,
                "n": found.n if found else 0,
                INTERVAL: found.interval if found else None,
                **({"markup floor": lowest.mean if lowest else None} if floor else {}),
                paper.MARK: told.mean if told else None,
                "paper std": told.std if told else None,
                "paper median": told.median if told else None,
                "paper n": told.n if told else None,
            }
        )
    title = f"Table 2: quality on {run.data}, {run.title}, {len(run.rows)} units"
    return Table("table2", title, tuple(records), (LEFT_OUT, BOOTSTRAP, OTHER_GOLD, *_simulated([run])))


def table_3(system: Run, baseline: Run, seed: int = 0) -> Table:
    """Return the system against a baseline, metric by metric."""
    records: list[Record] = []
    for metric, found, corrected in _paired(system, baseline, seed):
        own, other = paper.paper_mean(system.variant, metric), paper.paper_mean(baseline.variant, metric)
        records.append(
            {
                "metric": NAMES[metric],
                "n": found.n if found else 0,
                system.title: found.first if found else None,
                baseline.title: found.second if found else None,
                "delta": found.delta if found else None,
                INTERVAL: found.interval if found else None,
                "p": found.p if found else None,
                "p, Holm": corrected,
                f"{paper.MARK}: RegReAct": own,
                "paper: GPT-4o": other,
                "paper: delta": own - other if own is not None and other is not None else None,
            }
        )
    title = f"Table 3: {system.title} against {baseline.title} on {system.data}"
    notes = (TEST, LEFT_OUT, OTHER_GOLD, *_simulated([system, baseline]))
    return Table("table3", title, tuple(records), notes)


def table_4(run: Run, seed: int = 0) -> Table:
    """Return the scores of the summaries of cited law."""
    records: list[Record] = []
    for name in SCORES:
        found = describe([getattr(p, name) for p in run.pairs], [p.unit for p in run.pairs], seed)
        assert found is not None
        told = paper.TABLE_4[name]
        records.append(
            {
                "score, 1-5": name.capitalize(),
                "mean": found.mean,
                "std": found.std,
                "median": float(found.median),
                "n": found.n,
                INTERVAL: found.interval,
                paper.MARK: told.mean,
                "paper std": told.std,
                "paper median": told.median,
            }
        )
    units, acts = {p.unit for p in run.pairs}, {p.act for p in run.pairs if p.act}
    notes = (
        f"{len(run.pairs)} summaries in {len(units)} units, of {len(acts)} acts and of sections of the criteria "
        f"themselves; the paper: {paper.PAIRS} pairs, 93 acts. What could not be read has no summary and no score.",
        "Scored by the deterministic rubric, the paper's by GPT-4o. Interval: bootstrap over units (summaries of one "
        "unit are drawn together).",
        "Of a long provision that was searched, all that the queries found is compared; the summary may rest on a part "
        "of it, so that completeness is rather too low than too high.",
        OTHER_GOLD,
    )
    return Table("table4", f"Table 4: summaries of cited law on {run.data}", tuple(records), notes)


def table_5(run: Run) -> Table:
    """Return the scores of summaries by number of rounds of search."""
    records: list[Record] = []
    for rounds in sorted({p.iterations for p in run.pairs} | set(paper.TABLE_5)):
        own = [p for p in run.pairs if p.iterations == rounds]
        told = paper.TABLE_5.get(rounds)
        records.append(
            {
                "rounds": f"{rounds}" if rounds else "0 (place cited, read there)",
                "count": len(own),
                "share, %": 100 * len(own) / len(run.pairs),
                **_mean_scores(own),
                "retrieval confidence": _mean(p.confidence for p in own),
                f"{paper.MARK}: count": told[0] if told else None,
                **{f"paper: {n}": told[i] if told else None for i, n in enumerate([*SCORES, "confidence"], start=1)},
            }
        )
    notes = (
        "A citation that names its place is read there without a search; the paper searches always.",
        "Rounds with few summaries say little: look at the count.",
        OTHER_GOLD,
    )
    return Table("table5", f"Table 5: summaries by rounds of search on {run.data}", tuple(records), notes)


def table_7(runs: Sequence[Run], full: Run, seed: int = 0) -> list[Table]:
    """Return the ablations: means by variant, and each variant against the full program."""
    shown = ("structural_f1", *paper.METRICS)
    means: list[Record] = []
    for run in runs:
        means.append({"variant": run.title, **{_short(m): _mean(run.values(m).values()) for m in shown}})
    for run in runs:
        if run.variant in paper.TABLE_7:
            told = {_short(m): paper.paper_mean(run.variant, m) for m in shown}
            name = "GPT-4o, single pass" if run.variant == "single_pass" else run.title.partition(" (")[0]
            means.append({"variant": f"{name}, {paper.MARK}", **told})
    notes = (LEFT_OUT, OTHER_GOLD, *_simulated(runs))
    wide = Table("table7", f"Table 7: ablations on {full.data}, means over units", tuple(means), notes)
    records = [record for run in runs if run is not full for record in _against(run, full, seed)]
    title = f"Table 7 in detail: each variant against {full.title} on {full.data}"
    return [wide, *([Table("table7_detail", title, tuple(records), (TEST, *notes))] if records else [])]


def _against(run: Run, full: Run, seed: int) -> Iterable[Record]:
    for metric, found, corrected in _paired(run, full, seed):
        own, other = paper.paper_mean(run.variant, metric), paper.paper_mean(full.variant, metric)
        yield {
            "variant": run.title,
            "metric": NAMES[metric],
            "n": found.n if found else 0,
            "mean": found.first if found else None,
            "delta": found.delta if found else None,
            INTERVAL: found.interval if found else None,
            "p": found.p if found else None,
            "p, Holm": corrected,
            f"{paper.MARK}: delta": own - other if own is not None and other is not None else None,
        }


def table_8(report: AgreementReport) -> Table:
    """Return the agreement of two annotation sets."""
    records: list[Record] = [
        {
            "dimension": DIMENSIONS.get(row.dimension, "Tags, mean of the six"),
            "n": row.n,
            "observed agreement": row.observed,
            "Cohen's kappa": row.kappa,
            INTERVAL: None if row.low is None or row.high is None else Interval(row.low, row.high),
            paper.MARK: row.paper,
        }
        for row in report.rows
    ]
    notes = (
        f"{report.units} units that both annotated. The annotators were language models working independently; the "
        "paper's were two doctoral students on 15 activities.",
        "Kappa is left out where both gave one and the same label to everything. Interval: bootstrap over units.",
    )
    return Table("table8", "Table 8: agreement of two annotations made apart", tuple(records), notes)


def figure_2(run: Run) -> Table:
    """Return the scores of summaries by confidence of the retrieval, in at most five bins of about equal size."""
    bounds = equal_bins([p.confidence for p in run.pairs], BINS)
    records: list[Record] = []
    for low, high in zip(bounds, [*bounds[1:], float("inf")], strict=True):
        own = [p for p in run.pairs if low <= p.confidence < high]
        top = max(p.confidence for p in own)
        scores: dict[str, Cell] = {}
        for name in SCORES:
            values = [getattr(p, name) for p in own]
            scores[name] = _mean(values)
            scores[f"{name}, {INTERVAL}"] = bootstrap_interval(values, [p.unit for p in own])
        sure = _mean(p.confidence for p in own)
        records.append({"confidence": f"{low:.2f} to {top:.2f}", "n": len(own), "mean confidence": sure, **scores})
    notes = (
        "Bins hold about as many summaries each; equal confidences stay together. Interval: bootstrap over units.",
        f"{paper.MARK}: relevance, completeness and coverage rise from bin to bin (coverage 2.17 to 4.57), "
        "faithfulness stays above 4.28.",
    )
    return Table("figure2", f"Figure 2: summaries by confidence of retrieval on {run.data}", tuple(records), notes)


def reliability(run: Run) -> list[Table]:
    """Return how often answers of each confidence are right: in five bins, and by question."""
    bounds = equal_bins([a.confidence for a in run.answers], BINS)
    found = calibrate(run.answers, bounds)
    auroc = "not defined (all right or all wrong)" if found.auroc is None else f"{found.auroc:.3f}"
    notes = (
        f"{found.n} answers; AUROC of confidence as a sign of being right {auroc}; expected calibration error "
        f"{found.error:.3f}. Interval: Wilson, taking answers as independent.",
        "Confidences below accuracy are cautious, above it too sure.",
        *_simulated([run]),
    )
    digits = {"mean confidence": 3, "accuracy": 3, INTERVAL: 3, "calibration error": 3, "AUROC": 3}
    bins = tuple(_band(b) for b in found.bands)
    title = f"Reliability of confidences on {run.data}, {run.title}"
    stages = tuple(_of_question(q, own) for q, own in _by_question(run.answers).items())
    return [
        Table("reliability", title, bins, notes, digits),
        Table("reliability_by_question", f"{title}: by question", stages, notes[1:], digits),
    ]


def _band(band: Band) -> Record:
    return {
        "confidence": f"{band.low:.3f} to {band.high:.3f}",
        "n": band.n,
        "share, %": 100 * band.share,
        "mean confidence": band.confidence,
        "accuracy": band.accuracy,
        INTERVAL: wilson_interval(round(band.accuracy * band.n), band.n),
    }


def _by_question(answers: Iterable[Judged]) -> Mapping[str, list[Judged]]:
    found: dict[str, list[Judged]] = {}
    for answer in answers:
        found.setdefault(answer.question, []).append(answer)
    return found


def _of_question(question: str, own: Sequence[Judged]) -> Record:
    found = calibrate(own)
    right = sum(a.correct for a in own)
    return {
        "question": question,
        "n": len(own),
        "mean confidence": _mean(a.confidence for a in own),
        "accuracy": right / len(own),
        INTERVAL: wilson_interval(right, len(own)),
        "calibration error": found.error,
        "AUROC": found.auroc,
    }


def _paired(first: Run, second: Run, seed: int) -> list[tuple[str, Paired | None, float | None]]:
    """Return metric, comparison and corrected p value; metrics without a common unit have neither."""
    found = {m: compare(_facing(first, second, m), _facing(second, first, m), seed) for m in METRICS}
    tested = [m for m in METRICS if found[m] is not None]
    corrected = dict(zip(tested, holm([f.p for m in tested if (f := found[m])]), strict=True))
    return [(m, found[m], corrected.get(m)) for m in METRICS]


def _facing(run: Run, other: Run, metric: str) -> dict[Hashable, float]:
    """Return a metric by unit, full marks where only the other variant has the field: to leave it out was right.

    Pairs of units with a value on both sides alone would forgive a variant what it invents.
    """
    own = run.values(metric)
    if metric not in SEMANTIC:
        return own
    extracted = {(r["document"], r["unit"]) for r in run.rows if not r.get("missing")}
    return {**{unit: BEST for unit in other.values(metric) if unit in extracted}, **own}


def _simulated(runs: Iterable[Run]) -> tuple[str, ...]:
    return (SIMULATED,) if any(r.simulated for r in runs) else ()


def _mean_scores(pairs: Sequence[PairScore]) -> dict[str, float | None]:
    return {name: _mean(getattr(p, name) for p in pairs) for name in SCORES}


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return statistics.fmean(listed) if listed else None


def _short(metric: str) -> str:
    return NAMES[metric].removesuffix(" accuracy, %").removesuffix(", %").removesuffix(", 1-5")
