"""A model as judge: what it is asked, what becomes of bad replies, what is paid for, and how two judges agree."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import stamina
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from regreact.cli import app
from regreact.config import load
from regreact.corpus import load as load_source
from regreact.errors import BudgetError, ConfigError, LMAccessError, LMRequiredError, OutputError, PredictionError
from regreact.evaluation import command
from regreact.evaluation.gold import GoldTree, GoldUnit, attach
from regreact.evaluation.judge import Case, Judgement, Rubric, bare_model, build_judge
from regreact.evaluation.judge_agreement import agreement, compare_files, compare_judges, spearman
from regreact.evaluation.judge_cache import JudgeCache
from regreact.evaluation.judging import JudgementLine, extracting_models, read_judgements, write_judgements
from regreact.evaluation.lm_judge import LMJudge
from regreact.evaluation.score_report import ScoreReport
from regreact.evaluation.scoring import score_folder, score_unit
from regreact.experiment import run_variant
from regreact.runner import Extractor
from regreact.schema import References
from tests.evaluation.builders import NO, UNIT, facts, gold, gold_node, limits, note, sources
from tests.stub_openai import Kind, StubServer

CHECKS = [{"item": "dust", "gold": "< 5 kg/t", "system": "< 6 kg/t", "verdict": "major"}]


@pytest.fixture(autouse=True)
def _no_waiting() -> Iterator[None]:
    with stamina.set_testing(True, attempts=1):
        yield


def reply(score: Any = 4, comparisons: Any = CHECKS, reason: str = "The value differs.") -> Kind:
    """Return a kind of the stub that judges like this."""

    def judged(system: str, question: str) -> str:
        fields = {"comparisons": json.dumps(comparisons), "score": score, "reason": reason}
        return "\n\n".join(f"[[ ## {k} ## ]]\n{v}" for k, v in fields.items())

    return judged


def overrides(server: StubServer, *more: str) -> list[str]:
    return [
        "judge=lm", f"judge.lm.api_base={server.url}", "judge.lm.model=hosted_vllm/stub", "judge.lm.retries=0",
        "judge.cache=null", *more,
    ]  # fmt: skip


def judge(server: StubServer, *more: str) -> LMJudge:
    return LMJudge(load(overrides(server, *more)).judge)


def case(value: float = 6) -> Case:
    return Case("threshold", "Dust is below 5 kg/t.", limits({}), limits({"value": value}))


def judged(kinds: Sequence[Kind], default: Kind = "solve", *more: str) -> tuple[Judgement, StubServer]:
    with StubServer(kinds, default=default) as server:
        (found,) = judge(server, *more).judge([case()])
    return found, server


# What the judge is asked


def test_the_judge_sees_text_gold_and_prediction_and_compares_before_it_scores() -> None:
    _, server = judged([reply()])
    (entry,) = server.log
    assert "Dust is below 5 kg/t." in entry.question and entry.body["max_tokens"] == 1000
    assert [float(v) for v in re.findall(r'"value": ?([\d.]+)', entry.question)] == [5.0, 6.0]
    places = [entry.system.index(f"`{name}`") for name in ("comparisons", "score", "reason")]
    assert all(a < b for a, b in pairwise(places))


ENRICHED = {
    "sources": [{
        "text": "Directive 2097/5/EU", "type": "must_be_fetched", "link": "https://invented.example/1",
        "enrichment": {"status": "retrieved", "summary": "An invented summary."},
    }]
}  # fmt: skip


def test_what_retrieval_added_is_no_part_of_the_question() -> None:
    found = References.model_validate(ENRICHED)
    with StubServer(default=reply()) as server:
        judge(server).judge([Case("reference", "See it.", sources("Directive 2097/5/EU"), found)])
    assert "Directive 2097/5/EU" in server.log[0].question
    assert "invented" not in server.log[0].question


def test_every_field_has_its_own_question() -> None:
    cases = [
        case(),
        Case("reference", "t", sources("ISO 1"), None),
        Case("footnote", "t", (note(),), ()),
        Case("dependency", "t", facts(("1(a)", NO), fixed=[("1(x)", "1(b)")]), facts()),
    ]
    with StubServer(default=reply()) as server:
        judge(server, "judge.workers=1").judge(cases)
    words = ("threshold", "references", "footnotes", "links a criterion")
    assert all(w in e.system for w, e in zip(words, server.log, strict=True))
    assert '"printed": "1(x)"' in server.log[3].question and '"threshold_from": null' in server.log[3].question


# What becomes of replies


def test_score_reason_and_comparisons_are_kept() -> None:
    found, _ = judged([reply(3)])
    assert found == Judgement(3.0, "The value differs.", tuple(CHECKS))


@pytest.mark.parametrize("form", ["json", "xml"])
def test_replies_in_other_forms_are_read(form: str) -> None:
    told = {"comparisons": CHECKS, "score": 3, "reason": "So."}
    items = "".join(f"<{k}>{v.replace('<', '&lt;')}</{k}>" for k, v in CHECKS[0].items())
    xml = f"<comparisons><item>{items}</item></comparisons><score>3</score><reason>So.</reason>"
    content = json.dumps(told) if form == "json" else xml
    found, server = judged([lambda *_: content], "solve", f"judge.lm.adapter={form}")
    assert (found.score, found.comparisons, len(server.log)) == (3.0, tuple(CHECKS), 1)


BAD: dict[str, Kind] = {
    "empty": "empty",
    "null": "null",
    "no form": "no form",
    "nulls": lambda *_: '{"comparisons": null, "score": null, "reason": null}',
    "score above the range": reply(7),
    "score of nothing to judge": reply(0),
    "half a point": reply("4.5"),
    "a word for a score": reply("good"),
    "no comparisons": reply(5, []),
    "an unknown verdict": reply(5, [{**CHECKS[0], "verdict": "fine"}]),
    "cut off": lambda *_: '[[ ## comparisons ## ]]\n[{"item": "dust", "gol',
}


@pytest.mark.parametrize("kind", BAD.values(), ids=BAD)
@pytest.mark.parametrize("adapter", ["chat", "json"])
def test_a_bad_reply_is_asked_for_once_more_then_the_field_is_unscored(kind: Kind, adapter: str) -> None:
    found, server = judged([], kind, f"judge.lm.adapter={adapter}")
    assert found.score is None and len(server.log) == 2
    assert found.problem.startswith("the reply cannot be read") and "asked 2 times" in found.problem


def test_the_second_reply_counts_and_is_sampled_afresh() -> None:
    found, server = judged(["empty", reply(2)])
    assert found.score == 2 and found.problem == ""
    first, second = (e.body.get("temperature") for e in server.log)
    assert first == 0 and second == 0.7


def test_a_judge_that_does_not_answer_in_time_leaves_the_field_unscored() -> None:
    found, server = judged([], "drip", "judge.lm.timeout_s=0.3")
    assert found.score is None and "gave no reply" in found.problem and len(server.log) == 1


def test_a_busy_judge_is_asked_again_by_the_guard() -> None:
    with stamina.set_testing(True, attempts=3, cap=True):
        found, server = judged(["503"], reply(5), "judge.lm.retries=2")
    assert found.score == 5 and server.seen == ["503", "judged"]


def test_a_refused_key_stops_and_names_the_judge_s_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_KEY", "sk-invented-1147")
    with StubServer(default="401") as server, pytest.raises(LMAccessError, match=r"^judge: .*JUDGE_KEY") as caught:
        judge(server, "judge.lm.api_key_env=JUDGE_KEY").judge([case(v) for v in range(6, 40)])
    assert "sk-invented" not in str(caught.value)
    assert len(server.log) <= 8


# What is paid for


def test_equal_questions_are_put_once_and_a_rerun_puts_none(tmp_path: Path) -> None:
    kept = f"judge.cache={tmp_path / 'deep/kept.jsonl'}"
    with StubServer(default=reply()) as server:
        first = judge(server, kept)
        found = first.judge([case(6), case(7), case(6)])
        assert len(server.log) == first.usage.lm_calls == 2
        again = judge(server, kept)
        assert again.judge([case(6), case(7)]) == found[:2]
        assert (len(server.log), again.usage.lm_calls, again.replayed) == (2, 0, 2)
        assert "0 calls" in again.account() and "2 from cache" in again.account()
        judge(server, kept, "judge.lm.temperature=1").judge([case(6)])
        assert len(server.log) == 3, "another setting of the model is another judge"


def test_unscored_fields_are_asked_again_in_a_rerun(tmp_path: Path) -> None:
    kept = f"judge.cache={tmp_path / 'kept.jsonl'}"
    with StubServer(["empty", "empty"], default=reply(4)) as server:
        assert judge(server, kept).judge([case()])[0].score is None
        assert judge(server, kept).judge([case()])[0].score == 4


def test_a_used_up_budget_stops_and_keeps_what_was_judged(tmp_path: Path) -> None:
    kept = f"judge.cache={tmp_path / 'kept.jsonl'}"
    cases = [case(v) for v in range(6, 12)]
    with StubServer(default=reply()) as server:
        with pytest.raises(BudgetError, match=r"judge\.lm\.max_calls=2"):
            judge(server, kept, "judge.lm.max_calls=2", "judge.workers=1").judge(cases)
        assert all(j.score == 4 for j in judge(server, kept).judge(cases))
    assert len(server.log) == 6


def test_questions_are_put_side_by_side() -> None:
    with StubServer(default=reply(), wait_s=0.3) as server:
        judge(server, "judge.workers=6").judge([case(v) for v in range(6, 12)])
    times = [e.at for e in server.log]
    # One after the other they would start 1.5 s apart.
    assert max(times) - min(times) < 1.2


def test_a_damaged_cache_costs_only_the_damaged_lines(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    cache = JudgeCache(path)
    cache.put("a", Judgement(4.0, "x", ({"item": "i"},)))
    cache.put("b", Judgement(None, problem="p"))
    with path.open("a") as file:
        file.write('[]\n{"key": "c", "score": "much"}\n{"key": "d", "sco')
    JudgeCache(path).put("e", Judgement(1.0))
    read = JudgeCache(path)
    assert read.get("a") == Judgement(4.0, "x", ({"item": "i"},)) and read.get("e") == Judgement(1.0)
    assert [read.get(k) for k in "bcd"] == [None] * 3
    with pytest.raises(OutputError, match=r"judge\.cache"):
        JudgeCache(tmp_path)


# Which model may judge


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("openai/gpt-4o", "gpt-4o"),
        ("azure/gpt-4o-2024-08-06", "gpt-4o"),
        ("openrouter/openai/GPT-4o", "gpt-4o"),
        ("anthropic/claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
        ("openai/gpt-4o-mini", "gpt-4o-mini"),
        ("anthropic/claude-sonnet-latest", "claude-sonnet"),
        ("models\\Judge.GGUF", "judge"),
    ],
)
def test_a_model_is_known_whoever_serves_it(name: str, bare: str) -> None:
    assert bare_model(name) == bare


def test_a_model_does_not_judge_its_own_answers_unless_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-invented-1")
    extracted_by = ["azure/gpt-4o-2024-08-06"]
    with pytest.raises(ConfigError, match=r"judge\.same_model=true"):
        build_judge(load(["judge=lm"]).judge, extracted_by)
    forced = build_judge(load(["judge=lm", "judge.same_model=true"]).judge, extracted_by)
    assert "own answers" in forced.label
    assert build_judge(load(["judge=lm"]).judge, ["openai/gpt-4o-mini"]).label == "lm openai/gpt-4o"


def test_an_experiment_refuses_before_it_extracts(tmp_path: Path) -> None:
    with StubServer() as server:
        lm = ["lm=compatible", f"lm.api_base={server.url}", "lm.model=hosted_vllm/stub", "fastpath=off"]
        with pytest.raises(ConfigError, match="own answers"):
            run_variant(load([*overrides(server), *lm]), tmp_path)
    assert server.log == [] and list(tmp_path.iterdir()) == []


def test_an_experiment_is_scored_by_the_judge_it_names(tmp_path: Path) -> None:
    report = run_variant(load(["judge=simulated", "data.units=[CCM-21.1/SC]"]), tmp_path)
    assert report.judge == "lm simulated/rubric" and report.exit_code == 0
    assert any(f.reason.startswith("The rubric gives") for u in report.units for f in u.fields)


def test_a_judge_needs_a_model_and_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(LMRequiredError, match=r"judge\.lm\.model=…"):
        build_judge(load(["judge=lm", "judge.lm.model=null"]).judge)
    with pytest.raises(LMRequiredError, match=r"judge: judge\.lm\.model=openai/gpt-4o .*judge\.lm\.api_key_env"):
        build_judge(load(["judge=lm"]).judge)
    with pytest.raises(ConfigError, match="may hold a key") as caught:
        load(["judge=lm", "judge.lm.api_key_env=sk-invented-77"])
    assert "invented" not in str(caught.value)


# In the scores

LIMIT = limits({}).model_dump(mode="json")
WORSE = limits({"value": 6}).model_dump(mode="json")


def tree() -> GoldTree:
    nodes = gold_node("1", "ROOT", 0, threshold=LIMIT), gold_node("2", "ROOT", 1, threshold=LIMIT)
    return attach(GoldUnit.model_validate(gold(*nodes)), UNIT)


def predicted(**fields: Any) -> dict[str, Any]:
    criteria = tree().root.model_dump(mode="json")
    criteria["sub_criteria"][0].update(fields)
    return {"criteria": criteria}


def test_scores_carry_the_comparisons_and_the_reason() -> None:
    with StubServer([reply(2)], default=reply(5)) as server:
        score = score_unit(tree(), predicted(threshold=WORSE), judge(server, "judge.workers=1"))
    assert score.semantic["threshold"] == (2.0, 5.0)
    (wrong,) = score.errors
    assert (wrong.field, wrong.score, wrong.reason, wrong.comparisons) == ("threshold", 2.0, "The value differs.", tuple(CHECKS))
    text = command._error_lines(wrong)
    assert "The value differs." in text and "major: dust" in text


def test_nothing_is_asked_where_both_sides_are_empty_unreadable_or_without_partner() -> None:
    broken = predicted(threshold={"quantitative": {"items": [{"metric": "dust"}]}})
    broken["criteria"]["sub_criteria"][1:] = [{"criterion_id": "9", "threshold": LIMIT}]
    with StubServer(default=reply()) as server:
        score = score_unit(tree(), broken, judge(server))
        assert score_unit(tree(), None, judge(server)).semantic["threshold"] == (1.0, 1.0)
    assert server.log == []
    assert score.semantic == {"threshold": (1.0, 1.0, 1.0), "reference": (), "footnote": (), "dependency": ()}
    reasons = {f.reason for f in score.fields if f.score == 1}
    assert {"the criterion is missing", "the criterion is surplus"} < reasons
    assert any(r.startswith("unreadable") for r in reasons)
    assert {f.score for f in score.fields if f.field == "dependency"} == {0.0}


def test_an_unscored_field_counts_nowhere_and_is_listed(tmp_path: Path) -> None:
    units, listed = {("doc-1", "X-1/SC"): UNIT}, [tree_unit()]
    write_prediction(tmp_path, predicted(threshold=WORSE))
    with StubServer(["no form", "no form"], default=reply(5)) as server:
        report = score_folder(tmp_path, listed, units, judge(server, "judge.workers=1"))
    (unit,) = report.units
    assert unit.semantic["threshold"] == (5.0,) and unit.errors == ()
    assert report.exit_code == 1 and report.metrics()["unscored"] == 1
    assert report.shortcomings() == [f"unscored: X-1/SC 1 threshold: {report.unscored[0].reason}"]
    assert report.to_json()["unscored"][0]["criterion_id"] == "1" and report.to_json()["judge"] == "lm hosted_vllm/stub"


def tree_unit() -> GoldUnit:
    nodes = gold_node("1", "ROOT", 0, threshold=LIMIT), gold_node("2", "ROOT", 1, threshold=LIMIT)
    return GoldUnit.model_validate(gold(*nodes))


def write_prediction(folder: Path, data: dict[str, Any]) -> None:
    (folder / "doc-1").mkdir(parents=True)
    (folder / "doc-1/X-1__SC.json").write_text(json.dumps(data), encoding="utf-8")


def test_the_simulated_judge_gives_the_rubric_s_scores_in_whole_points() -> None:
    cases = [
        *(case(v) for v in (5, 6)), Case("threshold", "t", limits({}, {"value": 9}, logic="OR"), None),
        Case("reference", "See ISO 1.", sources("ISO 1"), sources("ISO 1", "ISO 2", logic="AND")),
        Case("footnote", "t", (note(),), (note(categories=["Explanatory Note", "Official Guideline/Standard"]),)),
        Case("dependency", "t", facts(("1", NO), inherits="2"), facts(inherits="2", fixed=[("3", "4")])),
    ]  # fmt: skip
    exact = [j.score for j in Rubric().judge(cases)]
    for adapter in ("chat", "json", "xml"):
        found = LMJudge(load(["judge=simulated", f"judge.lm.adapter={adapter}"]).judge).judge(cases)
        assert [j.score for j in found] == [int((s or 0) + 0.5) for s in exact]
    assert exact[4] == 4.5 and found[4].score == 5


# On the command line


def extract(out: Path, *lm: str) -> None:
    Extractor(load(lm)).extract_to([UNIT], out)


def test_the_manifest_names_the_model_that_extracted(tmp_path: Path) -> None:
    extract(tmp_path / "rules")
    extract(tmp_path / "model", "lm=simulated", "fastpath=off")
    assert extracting_models(tmp_path / "rules") == set()
    assert extracting_models(tmp_path / "model") == {"simulated/rules"}
    assert extracting_models(tmp_path / "nowhere") is None
    (tmp_path / "rules/manifest.jsonl").write_text('{"unit": "of an older version"}\n')
    assert extracting_models(tmp_path / "rules") is None


def test_the_command_judges_and_writes_judgements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    chosen = [u for d in load_source("samples").documents for u in d.units if u.key.startswith("CCM-2")]
    Extractor(load()).extract_to(chosen, Path("o"))
    run = CliRunner()
    named = ["score", "o", "--gold", "samples", "--judgements"]
    for name in ("rubric", "simulated"):
        done = run.invoke(app, [*named, f"{name}.jsonl", "--judge", name])
        assert done.exit_code == 1, "units without prediction"
        assert ("judge: lm simulated/rubric" in done.stdout) is (name == "simulated")
        assert ("judge simulated/rubric: " in done.stderr) is (name == "simulated")
    found = json.loads(run.invoke(app, ["agreement", "judges", "rubric.jsonl", "simulated.jsonl", "--json"]).stdout)
    assert found["agreements"][0]["n"] > 10 and found["agreements"][-1]["within_one"] == 1
    assert found["judges"] == ["rubric", "lm simulated/rubric"]
    table = run.invoke(app, ["agreement", "judges", "rubric.jsonl", "simulated.jsonl"]).stdout
    assert "Spearman" in table and "kappa" in table
    assert not list(tmp_path.glob("*.cache.jsonl"))
    refused = run.invoke(app, [*named, "x.jsonl", "--judge", "simulated", "--set", "lm.model=other/rubric"])
    assert isinstance(refused.exception, ConfigError) and "judge.same_model=true" in str(refused.exception)
    unknown = run.invoke(app, [*named, "x.jsonl", "--judge", "person"])
    assert isinstance(unknown.exception, ConfigError) and "judge/person" in str(unknown.exception)


def test_a_folder_that_does_not_name_its_model_gets_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "source_units", lambda *_: {("doc-1", "X-1/SC"): UNIT})
    monkeypatch.setattr(command, "load_gold_for", lambda *_: [tree_unit()])
    write_prediction(tmp_path, predicted())
    judging = command.Judging("simulated")
    assert command.run(tmp_path, "g", None, as_json=False, validate_only=False, errors=False, judging=judging) == 0
    assert "does not say which model extracted" in capsys.readouterr().err


# Agreement


def line(criterion_id: str, score: float | None, **changes: Any) -> JudgementLine:
    values = {"judge": "a", "document": "d", "unit": "u", "field": "threshold", "content": criterion_id}
    return JudgementLine.model_validate({**values, "criterion_id": criterion_id, "score": score, **changes})


def test_agreement_by_hand() -> None:
    # Ranks of 5 5 3 1 are 3.5 3.5 2 1, of 5 4 1 3: 4 3 1 2. Products about the mean 2.5: 1.5 + 0.5 + 0.75 + 0.75
    # = 3.5; spreads 4.5 and 5. Three of four within one. Good: yes yes no no against yes yes no no.
    found = agreement("threshold", [(5, 5), (5, 4), (3, 1), (1, 3)])
    assert found.spearman == pytest.approx(3.5 / (4.5 * 5) ** 0.5)
    assert (found.n, found.within_one, found.kappa) == (4, 0.5, 1.0)
    assert (found.mean_first, found.mean_second) == (3.5, 3.25)
    # 3 against 4 is within one, but not good against good: observed 1/2, chance 1/2.
    assert agreement("x", [(3, 4), (4, 4)]).kappa == 0.0
    assert agreement("x", [(3.5, 2), (3.4, 2)]).kappa == agreement("x", [(4, 2), (3, 2)]).kappa


def test_only_what_both_scored_counts() -> None:
    first = [line("1", 5), line("2", 4), line("3", None), line("4", 1), line("5", 2, content="old")]
    second = [line("1", 4, judge="b"), line("3", 5, judge="b"), line("4", 1, judge="b"), line("5", 2, judge="b")]
    found = compare_judges(first, second)
    assert found.judges == ("a", "b") and [(a.field, a.n) for a in found.agreements] == [("threshold", 2)]
    assert (found.only_first, found.only_second) == (2, 2)
    both = compare_judges([*first, line("1", 5, field="footnote")], [*second, line("1", 2, field="footnote")])
    assert [(a.field, a.n) for a in both.agreements] == [("threshold", 2), ("footnote", 1), ("all", 3)]
    assert both.agreements[1].spearman is None


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=12))
def test_spearman_is_the_correlation_of_ranks(pairs: list[tuple[int, int]]) -> None:
    def ranks(values: list[int]) -> list[float]:
        return [sum(w < v for w in values) + (sum(w == v for w in values) + 1) / 2 for v in values]

    a, b = ranks([x for x, _ in pairs]), ranks([y for _, y in pairs])
    mean = sum(a) / len(a)
    top = sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    below = sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)
    found = spearman([x for x, _ in pairs], [y for _, y in pairs])
    assert found is None if below == 0 else found == pytest.approx(top / below**0.5)


def test_judgement_files_are_read_back_and_damage_is_named(tmp_path: Path) -> None:
    with StubServer([reply(2), "empty", "empty"]) as server:
        report = ScoreReport([score_unit(tree(), predicted(threshold=WORSE), judge(server, "judge.workers=1"))], judge="lm x")
    path = tmp_path / "a/b.jsonl"
    write_judgements(path, report)
    first, second = read_judgements(path)
    assert (first.judge, first.criterion_id, first.score, first.comparisons) == ("lm x", "1", 2.0, tuple(CHECKS))
    assert second.score is None and "cannot be read" in second.reason
    with path.open("a") as file:
        file.write('{"judge": "me", "document": "d", "unit": "u", "criterion_id": "1", "field": "threshold", "score": 9}\n')
    with pytest.raises(PredictionError, match=r"b\.jsonl, line 3: score"):
        read_judgements(path)
    with pytest.raises(PredictionError, match="cannot be read"):
        read_judgements(tmp_path / "none.jsonl")
    other = tmp_path / "other.jsonl"
    other.write_text(line("77", 5).model_dump_json() + "\n")
    path.write_text(first.model_dump_json() + "\n")
    with pytest.raises(PredictionError, match="share no scored field"):
        compare_files(path, other)
