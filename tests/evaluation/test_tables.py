"""The report of tables: from runs to Markdown, CSV and PNG, by hand-made runs, folders and tracked runs."""

import csv
import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from regreact import tracking
from regreact.cli import app
from regreact.config import Settings, load
from regreact.corpus import load as load_source
from regreact.errors import RunError
from regreact.evaluation import paper
from regreact.evaluation import table_makers as make
from regreact.evaluation.calibration import Judged, calibrate
from regreact.evaluation.figures import draw
from regreact.evaluation.gold_tools.agreement import agree
from regreact.evaluation.gold_tools.annotations import paired, read_annotations
from regreact.evaluation.rag import score_summary
from regreact.evaluation.rag_pairs import SCORES, PairScore, pair_scores
from regreact.evaluation.report_command import Choice, tables, write
from regreact.evaluation.runs import Reading, Run, read_folder, read_runs
from regreact.evaluation.score_report import PERCENT, SEMANTIC
from regreact.evaluation.statistics import Interval
from regreact.evaluation.tables import Table
from regreact.rag.iterate import views
from regreact.rag.setup import build_enricher
from regreact.runner import Extractor
from regreact.schema import Extraction

UNITS = 12
SAMPLE_GOLD = Path(__file__).resolve().parents[2] / "data/samples/gold"


def row(number: int, percent: float, semantic: float | None) -> dict[str, object]:
    """Return the scores of one unit."""
    values = {**dict.fromkeys(PERCENT, percent), **dict.fromkeys(SEMANTIC, semantic)}
    return {"unit": f"X-{number}/SC", "document": "doc", "nodes": 3, "missing": False, **values}


def hand_made(variant: str, drop: float = 0.0, simulated: bool = False) -> Run:
    """Return a run whose percentages are 90 and 100 in turn less `drop`; one unit in three has no semantic field."""
    rows = [row(i, 90.0 + 10 * (i % 2) - drop, None if i % 3 == 0 else 5.0 - drop / 10) for i in range(UNITS)]
    answers = tuple(Judged("tags" if i % 2 else "logic", 0.5 + i / 40, i > 4) for i in range(20))
    pairs = tuple(
        PairScore(f"X-{i % 4}/SC", "1", f"Act {i}", "32099L0001" if i % 2 else "", 5, 4, 3, 1 + i % 5, i % 3, 0.6 + i / 30)
        for i in range(10)
    )  # fmt: skip
    return Run(variant, "invented", tuple(rows), answers, pairs, simulated, variant)


def column(table: Table, name: str, key: str) -> dict[str, object]:
    """Return a column by the value of another."""
    return {str(r[key]): r[name] for r in table.records}


# --- by hand ------------------------------------------------------------------------------------------------------


def test_units_without_the_field_are_left_out_and_n_says_so() -> None:
    table = make.table_2(hand_made("none"), hand_made("markup", 20))
    n = column(table, "n", "metric")
    assert (n["Category accuracy, %"], n["Threshold, 1-5"]) == (UNITS, UNITS - 4)
    first = table.records[0]
    assert (first["mean"], first["median"], first["markup floor"]) == (95.0, 95.0, 75.0)
    # twelve values 5 from their mean: 12 x 25 / 11
    assert first["std"] == pytest.approx((300 / 11) ** 0.5)
    assert column(table, paper.MARK, "metric")["Threshold, 1-5"] == 4.43
    assert column(table, "paper n", "metric")["Threshold, 1-5"] == 74


def test_a_metric_that_no_unit_has_is_empty_not_zero() -> None:
    rows = tuple(row(i, 80.0, None) for i in range(3))
    table = make.table_2(Run("none", "x", rows), None)
    last = table.records[-1]
    assert (last["metric"], last["n"], last["mean"]) == ("Dependency, 1-5", 0, None)
    assert "| Dependency, 1-5 | - | - | - | 0 | - |" in table.markdown()
    assert "markup floor" not in table.columns


def test_system_against_baseline() -> None:
    table = make.table_3(hand_made("none"), hand_made("single_pass", 15))
    logic = next(r for r in table.records if r["metric"] == "Evaluation logic accuracy, %")
    assert (logic["Full"], logic["single pass"], logic["delta"]) == (95.0, 80.0, 15.0)
    assert logic["95 % interval"] == Interval(15.0, 15.0)
    assert isinstance(logic["p"], float) and isinstance(logic["p, Holm"], float)
    # all twelve signs agree: two of 4,096 assignments are as extreme; ten metrics
    assert logic["p"] == pytest.approx(2 / 4096)
    assert logic["p, Holm"] >= logic["p"]
    assert logic["paper: delta"] == pytest.approx(13.1)
    threshold = next(r for r in table.records if r["metric"] == "Threshold, 1-5")
    assert (threshold["n"], threshold["p"]) == (8, pytest.approx(2 / 2**8))


def test_a_run_against_itself_has_no_difference() -> None:
    table = make.table_3(hand_made("none"), hand_made("single_pass"))
    assert {r["delta"] for r in table.records} == {0.0}
    assert {r["p, Holm"] for r in table.records} == {1.0}


def test_a_field_that_only_one_variant_has_counts_against_it() -> None:
    rows = [{**row(i, 90.0, None), "threshold": None} for i in range(4)]
    invented = [{**r, "threshold": 1.0} for r in rows[:3]] + [rows[3]]
    missing = [*rows[:2], {**rows[2], "missing": True}, rows[3]]
    table = make.table_3(Run("none", "x", tuple(rows)), Run("single_pass", "x", tuple(invented)))
    threshold = next(r for r in table.records if r["metric"] == "Threshold, 1-5")
    assert (threshold["n"], threshold["Full"], threshold["single pass"], threshold["delta"]) == (3, 5.0, 1.0, 4.0)
    table = make.table_3(Run("none", "x", tuple(missing)), Run("single_pass", "x", tuple(invented)))
    threshold = next(r for r in table.records if r["metric"] == "Threshold, 1-5")
    assert threshold["n"] == 2, "what was not extracted at all was not rightly left empty"


def test_ablations_have_the_floor_as_a_row_and_mark_the_paper() -> None:
    runs = [hand_made("none"), hand_made("no_odr", 5), hand_made("single_pass", 8), hand_made("markup", 30)]
    wide, detail = make.table_7(runs, runs[0])
    names = [str(r["variant"]) for r in wide.records]
    assert names[:4] == ["Full", "− ODR", "single pass", "markup floor"]
    assert names[4:] == [f"{n}, {paper.MARK}" for n in ("Full", "− ODR", "GPT-4o, single pass")]
    assert wide.records[3]["Category"] == 65.0
    assert {r["variant"] for r in detail.records} == {"− ODR", "single pass", "markup floor"}
    odr = next(r for r in detail.records if r["variant"] == "− ODR" and r["metric"] == "Category accuracy, %")
    assert (odr["delta"], odr[f"{paper.MARK}: delta"]) == (-5.0, pytest.approx(-2.3))


def test_the_simulated_model_is_named_wherever_its_figures_stand() -> None:
    runs = [hand_made("none", simulated=True), hand_made("single_pass", 3, simulated=True)]
    made = [make.table_2(runs[0], None), make.table_3(*runs), *make.table_7(runs, runs[0]), *make.reliability(runs[0])]
    assert all("SIMULATED" in t.markdown() for t in made)


def test_summaries_by_score_rounds_and_confidence() -> None:
    run = hand_made("none")
    by_score = make.table_4(run)
    # coverage: 1 2 3 4 5 1 2 3 4 5
    assert column(by_score, "mean", "score, 1-5") == {
        "Faithfulness": 5.0, "Relevance": 4.0, "Completeness": 3.0, "Coverage": 3.0,
    }  # fmt: skip
    by_rounds = make.table_5(run)
    counts = column(by_rounds, "count", "rounds")
    assert counts == {"0 (place cited, read there)": 4, "1": 3, "2": 3, "3": 0}
    assert by_rounds.records[3]["faithfulness"] is None
    assert column(by_rounds, f"{paper.MARK}: count", "rounds")["2"] == 88
    bins = make.figure_2(run)
    assert [r["n"] for r in bins.records] == [2, 2, 2, 2, 2]
    assert [r["coverage"] for r in bins.records] == [1.5, 3.5, 3.0, 2.5, 4.5]


def test_reliability_bins_and_questions() -> None:
    run = hand_made("none")
    bins, questions = make.reliability(run)
    assert [r["n"] for r in bins.records] == [4, 4, 4, 4, 4]
    assert [r["accuracy"] for r in bins.records] == [0.0, 0.75, 1.0, 1.0, 1.0]
    assert column(questions, "n", "question") == {"logic": 10, "tags": 10}
    assert f"{calibrate(run.answers).auroc:.3f}" in bins.notes[0]


# --- Markdown, CSV, PNG -------------------------------------------------------------------------------------------


@cache
def every_table() -> tuple[Table, ...]:
    """Return one table of each kind."""
    return tuple(_every_table())


def _every_table() -> Iterator[Table]:
    runs = [hand_made("none"), hand_made("no_odr", 5), hand_made("single_pass", 8), hand_made("markup", 30)]
    yield make.table_2(runs[0], runs[3])
    yield make.table_3(runs[0], runs[2])
    yield make.table_4(runs[0])
    yield make.table_5(runs[0])
    yield from make.table_7(runs, runs[0])
    annotations = read_annotations(SAMPLE_GOLD)
    yield make.table_8(agree(paired(annotations, annotations)[:3]))
    yield make.figure_2(runs[0])
    yield from make.reliability(runs[0])


def test_files_of_every_kind(tmp_path: Path) -> None:
    paths = write(every_table(), tmp_path / "a", "Tables")
    assert {p.stem for p in paths if p.suffix == ".png"} == {
        "table2", "table3", "table4", "table5", "table7_detail", "table8", "figure2", "reliability",
    }  # fmt: skip
    assert all(p.stat().st_size > 100 for p in paths)
    assert all(p.read_bytes()[:4] == b"\x89PNG" for p in paths if p.suffix == ".png")
    page = paths[-1].read_text(encoding="utf-8")
    assert all(f"## {table.title}" in page for table in every_table())


def test_the_same_figures_give_the_same_picture(tmp_path: Path) -> None:
    table = every_table()[3]
    assert draw(table, tmp_path / "a.png") and draw(table, tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_csv_is_a_rectangle_with_the_numbers_of_the_table() -> None:
    for table in every_table():
        check_csv(table)


def check_csv(table: Table) -> None:
    """Compare a table's CSV with its records."""
    head, *rows = csv.reader(io.StringIO(table.csv()))
    assert len(head) == len(set(head))
    assert {len(r) for r in rows} == {len(head)}
    assert len(rows) == len(table.records)
    for record, cells in zip(table.records, rows, strict=True):
        told = dict(zip(head, cells, strict=True))
        for name, value in record.items():
            if isinstance(value, Interval):
                assert float(told[f"{name}: low"]) == pytest.approx(value.low, abs=1e-6)
                assert float(told[f"{name}: high"]) == pytest.approx(value.high, abs=1e-6)
            elif isinstance(value, (int, float)):
                assert float(told[name]) == pytest.approx(value, abs=1e-6)


def test_a_small_p_value_is_not_shown_as_zero() -> None:
    table = Table("t", "T", ({"metric": "m", "p": 0.00004}, {"metric": "n", "p": 0.0312}))
    assert "| m | < 0.001 |" in table.markdown()
    assert "| n | 0.031 |" in table.markdown()


def test_a_table_without_a_plot_says_so(tmp_path: Path) -> None:
    assert not draw(Table("t", "T", ({"a": 1},)), tmp_path / "t.png")
    assert not list(tmp_path.iterdir())


# --- folders ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def retrieved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a folder of extractions of the samples with their cited law resolved, and the store."""
    folder = tmp_path_factory.mktemp("samples")
    store, out = folder / "store", folder / "none"
    acts = SAMPLE_GOLD.parent / "acts"
    CliRunner().invoke(app, ["fetch", "--from", str(acts), "--store", str(store), "--quiet"])
    documents = load_source("samples").documents
    units = [u for d in documents for u in d.units]
    Extractor(settings_of(store), documents=documents).extract_to(units, out)
    return out, store


def settings_of(store: Path) -> Settings:
    """Return settings of a run with retrieval."""
    return load(["rag=on", f"rag.store={store}", "tracking=off"])


def test_passages_read_again_score_as_those_in_use(retrieved: tuple[Path, Path]) -> None:
    """The scores of a folder are those that each summary gets beside the very passages that it was made of."""
    out, store = retrieved
    documents = load_source("samples").documents
    enricher = build_enricher(settings_of(store), documents)
    units = {(d.document, u.key): u for d in documents for u in d.units}
    expected = []
    for path in sorted(out.glob("*/*.json")):
        extraction = Extraction.model_validate_json(path.read_text(encoding="utf-8"))
        unit = units[extraction.source.document, extraction.unit]
        for reference in enricher.references(unit, extraction.criteria):
            done = enricher.resolve(unit, reference)
            told = done.enrichment
            if told is not None and told.status == "retrieved":
                pair, passages = reference.pair(unit), views(done.found.passages)
                facts, limits = told.key_facts or (), told.thresholds or ()
                scored = score_summary(pair.text, pair.reference, passages, told.summary or "", facts, limits)
                expected.append([reference.phrase, *(getattr(scored, name).score for name in SCORES)])
    found = pair_scores(out, settings_of(store), documents)
    assert len(found) >= 15
    assert [[p.source, *(getattr(p, name) for name in SCORES)] for p in found] == expected


def test_a_folder_is_scored_with_all_it_holds(retrieved: tuple[Path, Path], tmp_path: Path) -> None:
    out, store = retrieved
    for name in ("CCM-21.1__SC.json", "CCM-21.2__SC.json"):
        (tmp_path / name).write_bytes((SAMPLE_GOLD / name).read_bytes())
    made, left_out = tables([str(out)], Reading(store=store), Choice(agreement=(tmp_path, tmp_path)))
    assert {t.key for t in made} == {
        "table2", "table4", "table5", "table8", "figure2", "reliability", "reliability_by_question",
    }  # fmt: skip
    assert [line.partition(":")[0] for line in left_out] == ["table 3", "table 7"]
    kappa = column(made[-1], "Cohen's kappa", "dimension")
    assert {v for v in kappa.values() if v is not None} == {1.0}


def test_a_folder_without_store_has_no_scores_of_summaries(
    retrieved: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REGREACT_STORE", raising=False)
    run = read_folder(retrieved[0], Reading())
    assert (run.variant, run.data, run.pairs) == ("none", "samples", ())
    assert len(run.rows) == 40 and len(run.answers) > 500


def test_command_writes_and_says_what_is_left_out(retrieved: tuple[Path, Path], tmp_path: Path) -> None:
    out, store = retrieved
    arguments = ["report", "tables", str(out), "--store", str(store), "--out", str(tmp_path / "t"), "--seed", "3"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "left out: table 8" in result.stderr
    assert "seed 3" in (tmp_path / "t/tables.md").read_text(encoding="utf-8")


# --- mistakes -----------------------------------------------------------------------------------------------------


def test_mistakes_name_what_is_wrong(retrieved: tuple[Path, Path], tmp_path: Path) -> None:
    out, _ = retrieved
    empty = tmp_path / "empty"
    empty.mkdir()
    how = Reading(uri=f"sqlite:///{tmp_path}/none.db")
    with pytest.raises(RunError, match="no extraction files"):
        read_runs([str(empty)], how)
    with pytest.raises(RunError, match=r"neither a folder nor a run.*none\.db"):
        read_runs(["nothing"], how)
    with pytest.raises(RunError, match="no such variant among the runs; there are none"):
        tables([str(out)], how, Choice(system="no_odr"))
    with pytest.raises(RunError, match="nothing to report on"):
        CliRunner().invoke(app, ["report", "tables"], catch_exceptions=False)


# --- tracked runs -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tracked(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a database with a sweep of two variants, a run of another data set and one of the same variant."""
    folder = tmp_path_factory.mktemp("tracking")
    uri = f"sqlite:///{folder}/mlflow.db"
    settings = load([f"tracking.uri={uri}"]).tracking
    base, floor = hand_made("none"), hand_made("markup", 30)
    with tracking.run(settings, "sweep on invented") as parent:
        pass
    logged = [("none on invented", base, parent), ("markup on invented", floor, parent)]
    for name, run, below in [*logged, ("none on other", base, None), ("again", base, None)]:
        with tracking.run(settings, name, below):
            log(run, "other" if "other" in name else "invented")
    return uri


def log(run: Run, data: str) -> None:
    """Log a hand-made run as an experiment does."""
    import mlflow  # noqa: PLC0415

    mlflow.log_params({"ablation.name": run.variant, "data.name": data, "lm.engine": "endpoint"})
    tracking.log_results({"category": 1.0}, list(run.rows), {})
    tracking.log_records("rag_pairs.json", [p.to_json() for p in run.pairs])


def test_a_sweep_stands_for_its_variants(tracked: str) -> None:
    runs = read_runs(["sweep on invented"], Reading(uri=tracked))
    assert [r.variant for r in runs] == ["none", "markup"]
    assert runs[0].values("category") == hand_made("none").values("category")
    assert runs[0].values("threshold") == hand_made("none").values("threshold")
    assert runs[0].pairs == hand_made("none").pairs
    assert (runs[0].answers, runs[0].simulated) == ((), False)
    made, left_out = tables(["sweep on invented"], Reading(uri=tracked), Choice())
    assert {t.key for t in made} == {"table2", "table4", "table5", "figure2", "table7", "table7_detail"}
    assert any(line.startswith("reliability") for line in left_out)
    alone = read_runs(["none on other"], Reading(uri=tracked))
    assert len(alone) == 1 and alone[0].data == "other"


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("nonsense",), "no run of that id or name on sqlite.*there are .*none on other"),
        (("sweep on invented", "none on other"), r"different data \(invented, other\)"),
        (("none on invented", "again"), r"again .* and none on invented .* are both the variant none"),
    ],
)
def test_runs_that_do_not_fit(tracked: str, names: tuple[str, ...], words: str) -> None:
    with pytest.raises(RunError, match=words):
        read_runs(list(names), Reading(uri=tracked))


def test_a_run_given_twice_counts_once(tracked: str) -> None:
    assert len(read_runs(["sweep on invented", "markup on invented"], Reading(uri=tracked))) == 2
