"""The review as reviewers use it: decide, correct, undo, export, agree."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from regreact.app.access import access
from regreact.app.review.apply import correct
from regreact.app.review.desk import Desk
from regreact.app.review.export import export
from regreact.app.review.log import DecisionLog
from regreact.app.review.queue import Item, Workspace
from regreact.app.review.texts import SourceTexts
from regreact.app.review.verdict import agreement
from regreact.evaluation.gold import read_gold
from regreact.evaluation.predictions import read_extraction, validate_folder
from regreact.schema import Criterion, Extraction
from tests.app.browsing import Browser


def item(desk: Desk, **wanted: str) -> Item:
    return next(i for i in desk.workspace.items if all(getattr(i, k) == v for k, v in wanted.items()))


def node(record: Extraction, criterion_id: str) -> Criterion:
    return next(c for c in record.criteria.walk() if c.criterion_id == criterion_id)


def log(out: Path) -> list[dict[str, Any]]:
    return [json.loads(x) for x in (out / "review/decisions.jsonl").read_text(encoding="utf-8").splitlines()]


def threshold(value: Any) -> str:
    item = {"metric": "Direct GHG emissions", "operator": "<", "value": value, "unit": "g CO2e/kWh", "period": None}
    return json.dumps({"quantitative": {"logic": None, "items": [item]}, "temporal": None})


def test_the_gravest_comes_first_then_the_least_sure(desk: Desk) -> None:
    found = [i.severity for i in desk.workspace.items]
    assert found[:3] == ["critical", "major", "minor"]
    assert set(found[3:]) == {"low confidence"}
    sure = [i.confidence for i in desk.workspace.items[3:]]
    assert sure == sorted(sure, key=float)


def test_an_item_shows_source_value_reason_and_marked_evidence(ada: Browser, desk: Desk) -> None:
    wanted = item(desk, severity="critical")
    page = ada.http.get(f"/item/{wanted.id}").text
    unit = desk.texts.unit(desk.workspace.record(wanted))
    assert unit is not None
    assert f"<mark>{unit.blocks[2].text[91:118]}</mark>" in page
    assert wanted.reason in page
    assert "must_be_fetched" in page


def test_ten_decisions_are_ten_lines_and_the_files_stay_as_they_are(ada: Browser, desk: Desk, out: Path) -> None:
    before = {p: p.read_bytes() for p in out.glob("*/*.json")}
    actions = ["accept", "reject", "skip", "accept", "accept", "reject", "accept", "skip", "accept", "accept"]
    where = f"/item/{desk.workspace.items[0].id}"
    for action in actions:
        reply = ada.post(where, action=action, note="seen")
        assert reply.status_code == 200
        where = reply.url.path
    lines = log(out)
    assert [x["action"] for x in lines] == actions
    assert {x["reviewer"] for x in lines} == {"Ada"}
    assert len({x["item"] for x in lines}) == 10
    assert all(x["at"].endswith("+00:00") for x in lines)
    assert before == {p: p.read_bytes() for p in out.glob("*/*.json")}
    assert "8 of" in ada.page


def test_undo_takes_back_one_decision_at_a_time_and_is_a_line_too(ada: Browser, desk: Desk, out: Path) -> None:
    first, second = desk.workspace.items[:2]
    ada.post(f"/item/{first.id}", action="accept")
    ada.post(f"/item/{second.id}", action="accept")
    assert ada.post("/undo").url.path == f"/item/{second.id}"
    assert ada.post("/undo").url.path == f"/item/{first.id}"
    assert ada.post("/undo").url.path == "/"
    assert desk.own("Ada") == {}
    assert [x["action"] for x in log(out)] == ["accept", "accept", "undo", "undo"]


def test_a_correction_that_does_not_fit_is_told_and_not_kept(ada: Browser, desk: Desk, out: Path) -> None:
    wanted = item(desk, field="threshold")
    path = f"/item/{wanted.id}"
    for given, told in (
        ("{", "no JSON: Expecting property name"),
        ('{"quantitative": null, "temporal": null}', "must be null"),
        (threshold("many"), "quantitative.items.0.value: Input should be a valid number"),
        (threshold(80).replace('"<"', '"about"'), "quantitative.items.0.operator: Input should be"),
        ('{"quantitative": {"items": [{"metric": "m", "operator": "<", "value": NaN, "unit": "t"}]}}', "NaN"),
        (threshold(80).replace("80", "1e999"), "1e999 is no number"),
        ("[" * 100_000, "nested too deeply"),
    ):
        reply = ada.post(path, action="correct", value=given)
        assert reply.status_code == 422, given[:50]
        assert told in reply.text.replace("&#39;", "'"), given[:50]
    assert not (out / "review/decisions.jsonl").exists()


def test_limits_are_corrected_in_rows(ada: Browser, desk: Desk) -> None:
    wanted = item(desk, field="threshold")
    path = f"/item/{wanted.id}"
    before = node(desk.workspace.record(wanted), wanted.criterion_id).threshold
    assert before is not None and before.quantitative is not None and before.quantitative.items[1].period is not None
    page = ada.http.get(path).text
    assert page.count('name="metric"') == 4
    periods = [html.unescape(p) for p in re.findall(r'name="period" value="([^"]*)"', page)]
    rows = {
        "metric": ["Direct GHG emissions", "Yearly emissions", "", ""],
        "operator": ["<", "<=", "<=", "<="],
        "number": ["0,722", "1 500", "", ""],
        "unit": ["g CO2e/kWh", "kg CO2e/kW", "", ""],
        "period": periods,
        "temporal": "null",
    }
    for number in ("nan", "inf", "1e999", "1,2,3", ""):
        assert ada.post(path, action="correct", **{**rows, "number": [number, "1", "", ""]}).status_code == 422
    wrong = ada.post(path, action="correct", logic="OR", **{**rows, "number": ["many", "1", "", ""]})
    assert wrong.status_code == 422 and "row 1: 'many' is no number" in html.unescape(wrong.text)
    assert 'value="many"' in wrong.text
    assert ada.post(path, action="correct", logic="OR", **rows).status_code == 200
    value = desk.own("Ada")[wanted.id].value
    assert [(i["value"], i["unit"]) for i in value["quantitative"]["items"]] == [(0.722, "g CO2e/kWh"), (1500.0, "kg CO2e/kW")]
    assert value["quantitative"]["logic"] == "OR"
    assert value["quantitative"]["items"][1]["period"] == before.quantitative.items[1].period.model_dump()


def test_empty_rows_are_no_threshold(ada: Browser, desk: Desk) -> None:
    wanted = item(desk, field="threshold")
    ada.post(f"/item/{wanted.id}", action="correct", metric=["", " "], number="", unit="", temporal="")
    assert desk.own("Ada")[wanted.id].action == "correct" and desk.own("Ada")[wanted.id].value is None


def test_a_correction_must_fit_the_graph(ada: Browser, desk: Desk) -> None:
    wanted = item(desk, severity="major")
    leaf = ada.post(f"/item/{wanted.id}", action="correct", field="evaluation_logic", value="LEAF", n_required="")
    assert leaf.status_code == 422
    assert "LEAF, but" in leaf.text
    clause = {"condition_summary": "c", "min_conditions_to_meet": 1}
    gated = json.dumps({**clause, "clauses": [{"criterion_id": "99", "status": "Affirmation"}]})
    nowhere = ada.post(f"/item/{wanted.id}", action="correct", field="dependencies", value=gated)
    assert "depends_on edge to 99, which does not exist" in nowhere.text
    looped = json.dumps({**clause, "clauses": [{"criterion_id": "1(e)", "status": "Affirmation"}]})
    circle = ada.post(f"/item/{wanted.id}", action="correct", field="dependencies", value=looped)
    assert "runs in a circle" in circle.text


def test_export_applies_corrections_and_stays_valid(ada: Browser, desk: Desk, out: Path) -> None:
    limit, cited = item(desk, field="threshold"), item(desk, field="references")
    flagged, summary = item(desk, severity="major"), item(desk, field="rule_summary", unit=limit.unit)
    ada.post(f"/item/{limit.id}", action="correct", value=threshold(75))
    ada.post(f"/item/{cited.id}", action="reject")
    ada.post(f"/item/{flagged.id}", action="accept")
    ada.post(f"/item/{summary.id}", action="reject")
    reply = ada.post("/export")
    assert reply.status_code == 200
    (folder,) = (out / "review").glob("export-*")
    assert validate_folder(folder / "extractions") == (3, [])
    corrected = read_extraction(folder / "extractions/samples-compass/CCM-21.2__SC.json")
    quantitative = node(corrected, limit.criterion_id).threshold.quantitative  # type: ignore[union-attr]
    assert quantitative is not None and [i.value for i in quantitative.items] == [75.0]
    assert node(corrected, cited.criterion_id).references is None
    assert not [e for e in corrected.edges if e.type == "references" and e.source == cited.criterion_id]
    assert node(desk.workspace.record(cited), cited.criterion_id).references is not None
    told = corrected.provenance[limit.criterion_id]["threshold"]
    assert (told.answered_by, told.confidence, told.rule) == ("default", 1.0, "review: corrected by Ada")
    assert [(r.criterion_id, r.severity) for r in corrected.review] == [(summary.criterion_id, "major")]
    assert all("rejected by Ada: rule_summary" in r.reason for r in corrected.review)
    account = corrected.memory["review"]
    assert {x["result"] for x in account} >= {"applied", "emptied", "confirmed"}
    gold = read_gold(folder / "gold/samples-compass/CCM-21.2__SC.json")
    (marked,) = [n for n in gold.nodes if n.criterion_id == limit.criterion_id]
    assert marked.threshold is not None and marked.threshold.quantitative is not None
    assert marked.threshold.quantitative.items[0].value == 75.0


def test_removing_the_last_limit_makes_a_criterion_qualitative(ada: Browser, desk: Desk, out: Path) -> None:
    wanted = item(desk, field="threshold")
    assert node(desk.workspace.record(wanted), wanted.criterion_id).category == "Quantitative"
    ada.post(f"/item/{wanted.id}", action="correct", value="null")
    done = desk.export()
    corrected = read_extraction(done.folder / "extractions/samples-compass/CCM-21.2__SC.json")
    assert node(corrected, wanted.criterion_id).category == "Qualitative"


def test_reviewers_who_differ_change_nothing_and_agreement_says_so(
    browser: Callable[[str], Browser], desk: Desk
) -> None:
    ada, ben = browser("Ada"), browser("Ben")
    chosen = [i for i in desk.workspace.items if i.field == "rule_summary"][:4]
    for i, (one, other) in zip(chosen, (("accept", "accept"), ("accept", "accept"), ("reject", "reject"), ("reject", "accept")), strict=True):
        ada.post(f"/item/{i.id}", action=one)
        ben.post(f"/item/{i.id}", action=other)
    (pair,) = agreement(desk.decisions())
    # Observed 3/4; by chance 1/2 x 3/4 + 1/2 x 1/4 = 1/2.
    assert (pair.first, pair.second, pair.n, pair.observed, pair.kappa) == ("Ada", "Ben", 4, 0.75, 0.5)
    assert "kappa 0.50" in ada.http.get("/").text
    done = desk.export()
    assert done.results["disputed"] == 1 and done.exit_code == 1
    assert any("Ada, Ben" in p for p in done.problems)


def test_kappa_is_not_defined_where_all_decisions_are_alike(browser: Callable[[str], Browser], desk: Desk) -> None:
    for name in ("Ada", "Ben"):
        browser(name).post(f"/item/{desk.workspace.items[0].id}", action="accept")
    (pair,) = agreement(desk.decisions())
    assert pair.kappa is None and pair.observed == 1.0


def test_a_decision_on_what_has_changed_since_is_not_applied(ada: Browser, desk: Desk, out: Path) -> None:
    wanted = item(desk, field="threshold")
    ada.post(f"/item/{wanted.id}", action="correct", value=threshold(75))
    path = out / "samples-compass/CCM-21.2__SC.json"
    data = path.read_text(encoding="utf-8").replace("80.0", "81.0")
    path.write_text(data, encoding="utf-8")

    done = export(Workspace(out), desk.decisions(), desk.texts, out.parent / "new")
    assert done.results["outdated"] == 1 and done.exit_code == 1
    assert "81.0" in (out.parent / "new/extractions/samples-compass/CCM-21.2__SC.json").read_text(encoding="utf-8")


def test_hostile_texts_are_shown_as_text(out: Path, browser: Callable[[str], Browser]) -> None:
    path = out / "samples-compass/CCM-21.2__SC.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7*7 }}"
    data["review"] = [{"criterion_id": "1", "stage": "s2", "severity": "critical", "reason": evil, "evidence": [[0, 0, 99999], [-1, -5, 3]]}]
    data["activity"] = evil
    data["criteria"]["sub_criteria"][0]["rule_summary"] = evil
    path.write_text(json.dumps(data), encoding="utf-8")


    desk = Desk(Workspace(out), DecisionLog(out), SourceTexts("samples"))
    eve = Browser(desk, access("127.0.0.1", 8321, None, reviewer="Eve"))
    pages = [eve.page, eve.http.get(f"/item/{desk.workspace.items[0].id}").text]
    pages.append(eve.post(f"/item/{desk.workspace.items[0].id}", action="correct", value=evil, note=evil).text)
    for page in pages:
        assert "&lt;script&gt;alert(1)" in page
        scripts = re.findall(r"<script[^>]*>", page)
        assert scripts == ['<script src="/static/review.js" defer>']
        assert "<img" not in page


def test_a_name_is_needed_before_deciding(browser: Callable[[str], Browser], desk: Desk, out: Path) -> None:
    nobody = browser("")
    path = f"/item/{desk.workspace.items[0].id}"
    assert nobody.post(path, action="accept").status_code == 400
    assert nobody.post("/reviewer", reviewer="x" * 61).status_code == 400
    assert nobody.post("/reviewer", reviewer=" Grace  H ").status_code == 200
    nobody.post(path, action="accept")
    assert [x["reviewer"] for x in log(out)] == ["Grace H"]


def test_without_the_source_the_criteria_stand_in(desk: Desk, out: Path) -> None:


    away = Desk(desk.workspace, DecisionLog(out), SourceTexts(str(out / "samples-compass/CCM-21.2__SC.json")))
    page = Browser(away, access("127.0.0.1", 8321, None, reviewer="Ada")).http.get(f"/item/{desk.workspace.items[0].id}")
    assert page.status_code == 200 and "not at hand" in page.text


def test_filters_and_unknown_items(ada: Browser) -> None:
    assert "1 item(s)" in ada.http.get("/?severity=critical").text
    assert "0 item(s)" in ada.http.get("/?unit=no-such").text
    assert ada.http.get("/item/0123").status_code == 404
    assert ada.post("/item/0123", action="accept").status_code == 404


def test_one_field_corrected_differently_under_two_items_is_refused_once(out: Path) -> None:
    path = out / "samples-compass/CCM-21.2__SC.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["review"].append({**data["review"][0], "reason": "another doubt"})
    path.write_text(json.dumps(data), encoding="utf-8")
    desk = Desk(Workspace(out), DecisionLog(out), SourceTexts("samples"))
    both = [i for i in desk.workspace.items if i.field == "threshold"]
    assert len(both) == 2
    for i, value in zip(both, (75, 76), strict=True):
        desk.decide(i, "Ada", "correct", field=None, value=json.loads(threshold(value)))
    done = desk.export()
    assert (done.results["applied"], done.results["refused"]) == (1, 1)
    corrected = read_extraction(done.folder / "extractions/samples-compass/CCM-21.2__SC.json")
    kept = [r for r in corrected.review if r.stage == "s2"]
    assert len(kept) == 1 and kept[0].reason.startswith("refused: threshold was corrected otherwise")


def test_what_nobody_decided_stays_flagged(desk: Desk) -> None:
    done = desk.export()
    corrected = read_extraction(done.folder / "extractions/samples-compass/CCM-21.2__SC.json")
    assert {r.reason for r in corrected.review} == {"two limits, one duty", "the act is not known", "an option stands alone"}
    assert done.gold == 0 and "review" not in corrected.memory


def _rewritten(out: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Replace the extraction of one unit by another, as a new run does."""
    path = out / "samples-compass/CCM-21.2__SC.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    path.with_suffix(".new").write_text(json.dumps(data), encoding="utf-8")
    path.with_suffix(".new").replace(path)


def test_a_decision_on_what_is_no_longer_there_is_refused(ada: Browser, desk: Desk, out: Path) -> None:
    shown = item(desk, field="threshold", unit="CCM-21.2/SC")
    seen = re.search(r'name="seen" value="(\w+)"', ada.http.get(f"/item/{shown.id}").text)
    assert seen

    def emptied(data: dict[str, Any]) -> None:
        record = Extraction.model_validate(data)
        data["criteria"] = correct(record, shown.criterion_id, "threshold", None).to_json()["criteria"]

    _rewritten(out, emptied)
    refused = ada.post(f"/item/{shown.id}", action="accept", seen=seen[1])
    assert refused.status_code == 409 and "has changed on the disk" in refused.text and "not kept" in refused.text
    assert not (out / "review").exists()
    # Once it is shown as it is now, it can be decided; the page of before stays refused.
    now = re.search(r'name="seen" value="(\w+)"', ada.http.get(f"/item/{shown.id}").text)
    assert now and now[1] != seen[1]
    assert ada.post(f"/item/{shown.id}", action="accept", seen=seen[1]).status_code == 409
    ada.post(f"/item/{shown.id}", action="accept", seen=now[1])
    assert [x["seen"] for x in log(out)] == [now[1]]


def test_a_change_elsewhere_in_the_file_costs_no_decision(ada: Browser, desk: Desk, out: Path) -> None:
    shown = item(desk, field="threshold", unit="CCM-21.2/SC")
    _rewritten(out, lambda data: data.update(activity="Another title"))
    assert ada.post(f"/item/{shown.id}", action="accept").status_code == 200
    assert [x["item"] for x in log(out)] == [shown.id]
    assert "Another title" in ada.http.get(f"/item/{shown.id}").text


def test_a_damaged_extraction_is_told_and_costs_no_other(out: Path) -> None:
    sound = len(Workspace(out).records)
    (out / "samples-compass/CCM-99.9__SC.json").write_text('{"unit": ', encoding="utf-8")
    desk = Desk(Workspace(out), DecisionLog(out), SourceTexts("samples"))
    assert len(desk.workspace.records) == sound
    page = Browser(desk, access("127.0.0.1", 8321, None, reviewer="Ada")).page
    assert "Left out:" in page and "CCM-99.9__SC.json" in page and "extract the unit again" in page
    done = desk.export()
    assert done.units == sound and done.exit_code == 1 and "CCM-99.9__SC.json" in done.problems[-1]
