"""Optimizers over the gold metrics, with a model that is right if its prompt holds a certain word."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dspy.lm15 import Message, Request, Response, TextPart, Usage

from regreact import compiled, config
from regreact.answers import Answer
from regreact.config import Settings, load
from regreact.corpus import load as load_corpus
from regreact.corpus import select
from regreact.digests import config_hash
from regreact.errors import ConfigError, LMRequiredError, OptimizerError, ProgramFileError, RegReActError
from regreact.evaluation.stage_gold import GoldQuestion, stage_gold
from regreact.optimize import main, optimize
from regreact.program import RegReAct
from regreact.runner import Extractor
from regreact.simulated import SimulatedEngine
from regreact.simulated_proposals import outputs
from regreact.tuning import run, tasks
from regreact.tuning.comparison import compare
from regreact.tuning.ledger import Ledger
from regreact.tuning.run import Outcome, tune
from regreact.tuning.scores import judge

WORD = "carefully"
SIZES = {
    "bootstrap": ["optimizer.candidates=3"],
    "mipro": ["optimizer.candidates=2", "optimizer.trials=3"],
    "gepa": ["optimizer.batch=2", "optimizer.metric_calls=30"],
    "simba": ["optimizer.batch=3", "optimizer.candidates=2", "optimizer.steps=2", "optimizer.seed=1"],
    "copro": ["optimizer.breadth=2", "optimizer.depth=1"],
}


class WordEngine:
    """Answers right where the instructions hold the word or the prompt brings examples, else only now and then.

    Asked for better prompts, it proposes the word.
    """

    supports_response_schema = False
    supported_params: frozenset[str] = frozenset()

    def __init__(self, sometimes: int = 4) -> None:
        self.sometimes = sometimes
        self.prompts: list[tuple[bool, str]] = []
        self.searching = False
        self.calls = 0
        self.lock = threading.Lock()
        self.solve = SimulatedEngine().reply

    def complete(self, request: Request) -> Response:
        system = request.system if isinstance(request.system, str) else "".join(p.text for p in request.system or ())
        question = request.messages[-1].text or ""
        with self.lock:
            self.calls += 1
            self.prompts.append((self.searching, "\n".join([system, *(m.text or "" for m in request.messages)])))
            lucky = self.calls % self.sometimes == 0
        text = self.solve(system, question)
        if "module_advice" in outputs(system):
            text = text.replace("{}", json.dumps({"step.predict": WORD, "step.predict.predict": WORD}))
        elif "answers" in outputs(system):
            if not (WORD in system or len(request.messages) > 1 or lucky):
                text = "[[ ## reasoning ## ]]\nNone.\n\n[[ ## answers ## ]]\n[]\n\n[[ ## completed ## ]]"
        else:
            text = re.sub(r"state nothing that they do not state", f"work {WORD}", text)
        return Response(
            id=None,
            model="word",
            message=Message.assistant([TextPart(text)]),
            finish_reason="stop",
            usage=Usage(input_tokens=10, output_tokens=10),
        )


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> WordEngine:
    """A model in place of any other, that knows while an optimizer is at work."""
    made = WordEngine()
    monkeypatch.setattr("regreact.lm._open", lambda *_: (made, ""))

    def watched(search: Any) -> Any:
        def started(*arguments: Any) -> Any:
            made.searching = True
            try:
                return search(*arguments)
            finally:
                made.searching = False

        return started

    for name, search in list(run.SEARCHES.items()):
        monkeypatch.setitem(run.SEARCHES, name, watched(search))
    return made


def settings(out: Path, optimizer: str, *more: str) -> Settings:
    """Settings of a small run on ten sample units."""
    if optimizer == "mipro":
        pytest.importorskip("optuna", reason="optuna absent: pip install 'regreact[optimize]'")
    return load(
        [
            "lm=compatible", "lm.model=openai/word", "lm.cache=false", "lm.examples=0", "lm.input_price=1", "lm.output_price=1",
            "fastpath=off", "stage=thresholds", "data.units=[CCM-21.*]", f"optimizer={optimizer}", f"optimizer.out={out}",
            *SIZES[optimizer], *more,
        ]
    )  # fmt: skip


def prompt_of(outcome: Outcome) -> compiled.TunedQuestion:
    return outcome.program.questions["ExtractThresholds"]


@pytest.mark.parametrize("optimizer", SIZES)
def test_an_optimizer_finds_what_makes_the_model_better(optimizer: str, engine: WordEngine, tmp_path: Path) -> None:
    outcome = tune(settings(tmp_path, optimizer))
    (result,) = outcome.results
    assert result.problem == "" and outcome.program.stopped is None
    assert result.changed and result.test is not None
    assert result.test.gain.mean > 20
    assert result.test.n == len(outcome.program.split["units"]["test"]) or result.test.n < len(outcome.program.split["units"]["test"])
    found = prompt_of(outcome)
    assert WORD in found.instructions or found.demos
    # The file alone makes the stages ask with that prompt.
    asking = load(["lm=compatible", "lm.cache=false", "lm.examples=0", "fastpath=off", f"program={outcome.path}"])
    engine.prompts.clear()
    Extractor(asking).extract(select(load_corpus("samples").documents, ["CCM-21.1/SC"]).units[0])
    limits = [p for _, p in engine.prompts if "list[ThresholdItem]" in p]
    assert limits
    assert all((WORD in p) or found.demos for p in limits)
    assert all(d["unit"]["unit"] in outcome.program.split["units"]["train"] for d in found.demos)


def marked(question: GoldQuestion, unit: str) -> GoldQuestion:
    """The same question with gold whose metrics name their unit."""
    answers = {}
    for i, a in question.answers.items():
        value = a.value
        if question.signature.__name__ == "ExtractThresholds" and value is not None and value.quantitative is not None:
            items = tuple(q.model_copy(update={"metric": f"{q.metric} MARK-{unit}-MARK"}) for q in value.quantitative.items)
            value = value.model_copy(update={"quantitative": value.quantitative.model_copy(update={"items": items})})
        answers[i] = dataclasses.replace(a, value=value)
    return dataclasses.replace(question, answers=answers)


@pytest.mark.parametrize("optimizer", ["gepa", "bootstrap"])
def test_only_gold_of_training_units_reaches_a_prompt(
    optimizer: str, engine: WordEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        tasks, "stage_gold", lambda gold, unit: [marked(q, gold.unit) for q in stage_gold(gold, unit)]
    )
    outcome = tune(settings(tmp_path, optimizer))
    units = outcome.program.split["units"]
    for searching, prompt in engine.prompts:
        asked = re.findall(r'"unit": ?"([^"]+)"', prompt)
        shown = re.findall(r"MARK-(.*?)-MARK", prompt)
        assert set(shown) <= set(units["train"])
        if searching:
            assert not set(asked) & set(units["test"]), "the test part stays untouched during the search"
    assert any("MARK-" in p for _, p in engine.prompts), "gold of training units is what the search learns from"


@pytest.mark.parametrize("optimizer", SIZES)
def test_a_used_up_budget_ends_the_search_and_keeps_the_best_so_far(
    optimizer: str, engine: WordEngine, tmp_path: Path
) -> None:
    outcome = tune(settings(tmp_path, optimizer, "optimizer.max_calls=9"))
    assert "optimizer.max_calls" in str(outcome.program.stopped)
    assert outcome.stopped is None, "the run itself goes to its end"
    assert outcome.results[0].test is not None
    assert sum(searching for searching, _ in engine.prompts) <= 9
    assert compiled.load(outcome.path) == outcome.program


def test_the_best_so_far_is_kept_when_the_budget_ends_in_the_middle(engine: WordEngine, tmp_path: Path) -> None:
    engine.sometimes = 10**6
    # One proposal, then four training units with the word and a part of those without.
    outcome = tune(settings(tmp_path, "copro", "optimizer.max_calls=6"))
    assert outcome.program.stopped
    assert WORD in prompt_of(outcome).instructions
    assert outcome.results[0].test is not None and outcome.results[0].test.gain.mean > 50


def test_a_budget_in_dollars(engine: WordEngine, tmp_path: Path) -> None:
    # 20 tokens a call at a dollar per million.
    outcome = tune(settings(tmp_path, "copro", "optimizer.max_cost=0.0001"))
    assert "dollars" in str(outcome.program.stopped)
    assert sum(searching for searching, _ in engine.prompts) <= 6


def test_a_run_budget_that_leaves_nothing_is_refused_before_the_search(engine: WordEngine, tmp_path: Path) -> None:
    with pytest.raises(OptimizerError, match=r"lm\.max_calls"):
        tune(settings(tmp_path, "copro", "lm.max_calls=10"))
    assert not any(searching for searching, _ in engine.prompts)
    assert list(tmp_path.iterdir()) == []


def test_equal_candidates_leave_the_prompt_as_it_was(engine: WordEngine, tmp_path: Path) -> None:
    engine.sometimes = 1
    outcome = tune(settings(tmp_path, "copro"))
    assert not outcome.results[0].changed
    assert WORD not in prompt_of(outcome).instructions
    assert outcome.results[0].test is not None and outcome.results[0].test.gain.mean == 0


@pytest.mark.parametrize(
    ("overrides", "error", "words"),
    [
        (["fastpath=only"], ConfigError, "nothing would be tuned"),
        (["optimizer=none"], ConfigError, "bootstrap, mipro, gepa, simba, copro"),
        (["lm.model=null"], LMRequiredError, "lm=openai"),
        (["program=markup"], ConfigError, "seven stages"),
        (["data.gold=null"], ConfigError, "no gold"),
        (["data.units=[CCM-21.1/SC]"], ConfigError, "parts"),
    ],
)
def test_runs_that_make_no_sense_are_refused(
    overrides: list[str], error: type[RegReActError], words: str, engine: WordEngine, tmp_path: Path
) -> None:
    with pytest.raises(error, match=words):
        tune(settings(tmp_path, "copro", *overrides))
    assert engine.calls == 0


def test_a_question_without_examples_is_left_out(engine: WordEngine, tmp_path: Path) -> None:
    outcome = tune(settings(tmp_path, "copro", "stage=classification"))
    assert "DetectPathways" in outcome.left_out
    assert {r.name for r in outcome.results} == {"ClassifyApplicability", "AssignTags", "InferLogic"}
    assert set(outcome.program.questions) == {r.name for r in outcome.results}


def test_the_command_line(engine: WordEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("sys.argv", ["optimize"])
    flags = ["lm=compatible", "lm.model=openai/word", "lm.examples=0", "lm.cache=false", "tracking=off", "data.units=[CCM-21.*]"]
    flags += ["stage=thresholds", "optimizer=copro", *SIZES["copro"], f"optimizer.out={tmp_path}"]
    assert main([*flags, "fastpath=only"]) == 2
    shown = capsys.readouterr()
    assert "nothing would be tuned" in shown.err and len(shown.err.splitlines()) == 1
    assert main(flags) == 0, "fastpath is off where none is named"
    shown = capsys.readouterr()
    assert shown.err == ""
    assert "thresholds-copro.json" in shown.out and "Extra" in shown.out


@pytest.fixture
def program_file(tmp_path: Path) -> Path:
    """A compiled program for limits, with an example."""
    step = compiled.steps_of(RegReAct(Settings()))["ExtractThresholds"]
    question = compiled.tuned(step)
    assert question.demos
    made = compiled.CompiledProgram(
        regreact="0", dspy="0", stage="thresholds", optimizer="copro", model="m", split={}, scores={}, calls=0,
        questions={"ExtractThresholds": question.model_copy(update={"instructions": f"Read {WORD}."})},
    )  # fmt: skip
    path = tmp_path / "thresholds.json"
    made.save(path)
    return path


def test_a_compiled_program_gives_back_what_was_saved(program_file: Path) -> None:
    program = RegReAct(Settings())
    before = compiled.steps_of(program)["ExtractThresholds"].predictor.demos
    compiled.apply(program, program_file)
    step = compiled.steps_of(program)["ExtractThresholds"]
    assert step.predictor.signature.instructions == f"Read {WORD}."
    assert step.predictor.demos[0].criteria == before[0].criteria, "inputs are typed again"
    assert step.predictor is step.predict.predictors()[0]


def changed(path: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    edit(data)
    path.write_text(json.dumps(data), encoding="utf-8")


def rehash(question: dict[str, Any]) -> None:
    fields = tuple(compiled.FieldName(**f) for f in question["fields"])
    question["fields_hash"] = compiled.fields_hash(fields)


def _renamed(data: dict[str, Any]) -> None:
    question = data["questions"]["ExtractThresholds"]
    question["fields"][1]["name"] = "clauses"
    rehash(question)


def _retyped(data: dict[str, Any]) -> None:
    question = data["questions"]["ExtractThresholds"]
    question["fields"][3]["type"] = "int"
    rehash(question)


def _swapped(data: dict[str, Any]) -> None:
    question = data["questions"]["ExtractThresholds"]
    question["fields"][:2] = question["fields"][1::-1]
    rehash(question)


def _shorter(data: dict[str, Any]) -> None:
    question = data["questions"]["ExtractThresholds"]
    del question["fields"][3]
    rehash(question)


def _by_hand(data: dict[str, Any]) -> None:
    data["questions"]["ExtractThresholds"]["fields"][1]["name"] = "clauses"


def _other_question(data: dict[str, Any]) -> None:
    data["questions"]["CountWords"] = data["questions"].pop("ExtractThresholds")


def _bad_example(data: dict[str, Any]) -> None:
    data["questions"]["ExtractThresholds"]["demos"][0]["criteria"] = "none"


def _newer(data: dict[str, Any]) -> None:
    data["format"] = 2


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (_renamed, "the field clauses does not exist any more"),
        (_retyped, "the field guidance was input int and is input str"),
        (_swapped, "stood in the order criteria, unit"),
        (_shorter, "the field guidance is new"),
        (_by_hand, "fields_hash"),
        (_other_question, "CountWords is no question"),
        (_bad_example, "an example does not fit"),
        (_newer, "format"),
    ],
)
def test_a_program_that_does_not_fit_is_refused(
    edit: Callable[[dict[str, Any]], None], words: str, program_file: Path
) -> None:
    changed(program_file, edit)
    with pytest.raises(ProgramFileError, match=words):
        compiled.apply(RegReAct(Settings()), program_file)


def test_a_program_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(ProgramFileError, match="cannot be read"):
        compiled.load(tmp_path / "nowhere.json")
    (tmp_path / "x.json").write_text("{", encoding="utf-8")
    with pytest.raises(ProgramFileError, match="is no compiled program"):
        compiled.load(tmp_path / "x.json")


def test_where_a_compiled_program_is_named(program_file: Path) -> None:
    for override in (f"program={program_file}", f"program.path={program_file}"):
        assert load([override, "lm=simulated", "fastpath=off"]).program == config.ProgramSettings(path=str(program_file))
    with pytest.raises(ConfigError, match="asks none of them"):
        load([f"program={program_file}"])
    with pytest.raises(ConfigError, match="single_pass"):
        load(["program=single_pass", f"program.path={program_file}", "lm=simulated"])


def test_another_compiled_program_is_another_configuration(program_file: Path) -> None:
    settings = load([f"program={program_file}", "lm=simulated", "fastpath=off"])
    first = config_hash(settings)
    copy = program_file.with_name("copy.json")
    copy.write_bytes(program_file.read_bytes())
    assert config_hash(load([f"program={copy}", "lm=simulated", "fastpath=off"])) == first
    changed(program_file, lambda data: data["questions"]["ExtractThresholds"].update(instructions="Read."))
    assert config_hash(settings) != first


def questions() -> list[GoldQuestion]:
    """All questions on all samples."""
    gold, units = run.annotated(load([]))
    return [q for g, u in zip(gold, units, strict=True) for q in stage_gold(g, u)]


ALL = questions()


@pytest.mark.parametrize("name", tasks.QUESTIONS)
def test_the_gold_is_right_and_silence_is_wrong(name: str) -> None:
    for question in (q for q in ALL if q.signature.__name__ == name and q.answers):
        assert judge(question, question.answers).score == 1
        assert judge(question, question.answers).mistakes == ()
        silent = judge(question, {})
        assert silent.score == 0 and {m.given for m in silent.mistakes} == {"no answer"}


def test_a_score_by_hand() -> None:
    (question,) = [q for q in ALL if q.signature.__name__ == "InferLogic" and q.inputs["unit"].unit == "CCM-21.1/SC"]
    kept = dict(list(question.answers.items())[:2])
    two = dataclasses.replace(question, answers=kept)
    first, second = kept
    found = judge(two, {first: kept[first], second: Answer(second, "nonsense", 1.0)})
    assert found.score == 0.5
    assert [(m.item_id, m.given) for m in found.mistakes] == [(second, '"nonsense"')]


def test_a_comparison_by_hand() -> None:
    found = compare({1: 0.2, 2: 0.6}, {1: 0.4, 2: 0.6})
    assert (found.n, found.before.mean, found.after.mean, found.gain.mean) == (2, pytest.approx(40), pytest.approx(50), pytest.approx(10))
    assert (found.gain.low, found.gain.high) == (pytest.approx(0), pytest.approx(20))


def test_the_ledger_compares_candidates_that_saw_enough() -> None:
    ledger = Ledger()
    marks = [ledger.seen({"Q": compiled.TunedQuestion(fields=(), fields_hash="", instructions=t)}) for t in "abc"]
    for number in range(4):
        ledger.note(marks[0], number, 0.5)
        ledger.note(marks[1], number, 0.6)
    ledger.note(marks[2], 0, 1.0)
    best = ledger.best(dict.fromkeys(range(4)))
    assert best is not None and best["Q"].instructions == "b"
    assert ledger.best({9: None}) is None


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", SIZES)
def test_the_whole_program_with_the_simulated_model(optimizer: str, tmp_path: Path) -> None:
    if optimizer == "mipro":
        pytest.importorskip("optuna", reason="optuna absent: pip install 'regreact[optimize]'")
    # Without self-correction, so that the model's faults leave something to gain.
    flags = ["lm=simulated", "lm.faults.rate=0.3", "fastpath=off", "odr=off", "data.units=[CCM-21.*]", "stage=all", "optimizer.batch=2"]
    outcome = tune(load([*flags, f"optimizer={optimizer}", *SIZES[optimizer], "optimizer.max_calls=400", f"optimizer.out={tmp_path}"]))
    (result,) = outcome.results
    assert "failed" not in result.problem
    assert result.test is not None and 50 < result.test.before.mean < 100
    assert set(outcome.program.questions) == set(tasks.QUESTIONS)
    compiled.apply(RegReAct(Settings()), outcome.path)


@pytest.mark.slow
def test_a_run_is_logged(engine: WordEngine, tmp_path: Path) -> None:
    import mlflow  # noqa: PLC0415  heavy

    tracked = [f"tracking.uri=sqlite:///{tmp_path}/mlflow.db", f"tracking.folder={tmp_path}/artifacts"]
    outcome = optimize(settings(tmp_path / "out", "copro", *tracked))
    (run_of,) = mlflow.MlflowClient(f"sqlite:///{tmp_path}/mlflow.db").search_runs(["1"])
    before, after = (run_of.data.metrics[f"ExtractThresholds.test_{when}"] for when in ("before", "after"))
    assert after > before
    assert run_of.data.tags["stage"] == "thresholds" and run_of.data.tags["optimizer"] == "copro"
    assert run_of.data.params["optimizer.breadth"] == "2"
    (version,) = mlflow.MlflowClient().search_model_versions("name = 'regreact-thresholds'")
    assert version.run_id == run_of.info.run_id and version.tags["optimizer"] == "copro"
    assert version.source.endswith(f"program/{outcome.path.name}")
    logged = {p.name for p in (tmp_path / "artifacts").rglob("*") if p.is_file()}
    assert logged == {"config.yaml", outcome.path.name}, "no pickled model"


GGUF = os.environ.get("REGREACT_GGUF", "")


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("llama_cpp") is None or not Path(GGUF).is_file(),
    reason="no llama-cpp-python, or REGREACT_GGUF names no model file",
)
def test_bootstrap_on_a_small_model(tmp_path: Path) -> None:
    flags = ["lm=local", f"lm.file={GGUF}", "lm.cache=false", "lm.reasoning=false", "lm.examples=0", "lm.max_tokens=80", "celex=off"]
    small = ["optimizer=bootstrap", "optimizer.candidates=3", "optimizer.demos=1", "optimizer.labeled=1", "optimizer.max_calls=6"]
    data = ["stage=footnotes", "data.units=[CCM-2*]", "lm.batch_tokens=1000", "fastpath=off"]
    outcome = tune(load([*flags, *small, *data, f"optimizer.out={tmp_path}"]))
    assert outcome.results
    for result in outcome.results:
        assert "failed" not in result.problem
        assert result.validation[1] >= result.validation[0], "the choice is never worse where it is made"
    compiled.apply(RegReAct(Settings()), outcome.path)
