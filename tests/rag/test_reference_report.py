"""What became of references, from extraction files."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from regreact.cli import app
from regreact.errors import NoUnitMatchedError
from regreact.extractions import read_extractions
from regreact.rag.reference_report import ReferenceLine, lines_of, render


def read_lines(out: Path) -> list[ReferenceLine]:
    return [line for e in read_extractions(out).by_path for line in lines_of(e)]


@pytest.fixture(scope="module")
def extracted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples, extracted with the sample acts at hand."""
    folder = tmp_path_factory.mktemp("references")
    runner = CliRunner()
    store, out = str(folder / "store"), str(folder / "out")
    assert runner.invoke(app, ["fetch", "--from", "samples", "--store", store]).exit_code == 0
    for more, to in (["--set", "rag=on", "--set", f"rag.store={store}"], "on"), ([], "off"):
        arguments = ["extract", "samples", "--unit", "CCM-2*", "--out", f"{out}-{to}", "--quiet", *more]
        assert runner.invoke(app, arguments).exit_code == 0
    return folder


def test_every_reference_has_a_state_and_what_is_not_retrieved_a_reason(extracted: Path) -> None:
    lines = read_lines(extracted / "out-on")
    states = {line.state for line in lines}
    assert states == {"retrieved", "paywalled", "skipped", "citation only"}
    for line in lines:
        assert bool(line.reason) == (line.state in ("paywalled", "skipped")), line
        assert (line.confidence is not None) == (line.state == "retrieved"), line
    by_text = {(line.unit, line.text): line for line in lines}
    wood = by_text["CCM-21.2/SC", "Article 7, paragraphs 2 to 4, of Directive (EU) 2099/1"]
    assert wood.addresses == ("art_7/par_2", "art_7/par_3", "art_7/par_4")
    section = by_text["CCM-21.2/SC", "Section 21.7 of this Annex"]
    assert (section.state, section.addresses) == ("retrieved", ("unit:CCM-21.7/SC",))
    missing = by_text["CCM-22.7/SC", "Directive 92/9043/EEC"]
    assert missing.reason == "31992L9043 is not in the store: regreact fetch 31992L9043"


def test_the_summary_of_a_provision_has_its_numbers(extracted: Path) -> None:
    path = extracted / "out-on" / "compass-samples-compass" / "CCM-21.2__SC.json"
    path = path if path.exists() else next((extracted / "out-on").glob("*/CCM-21.2__SC.json"))
    text = json.dumps(json.loads(path.read_text(encoding="utf-8"))["criteria"])
    # Article 7(2) to (4) of the sample directive: five years, 70 %, 150 years
    for number in ("five years", "70 %", "150 years"):
        assert number in text


def test_the_report_ends_with_what_to_do(extracted: Path) -> None:
    told = render(read_lines(extracted / "out-on")).splitlines()
    assert told[0].endswith("citation only") and "retrieved" in told[0]
    assert told[-1].startswith("next: regreact fetch 3")
    off = render(read_lines(extracted / "out-off")).splitlines()
    assert "not asked for" in off[0] and off[-1].startswith("next: regreact extract")


def test_the_command_prints_one_json_object_a_reference(extracted: Path) -> None:
    result = CliRunner().invoke(app, ["references", str(extracted / "out-on"), "--json"])
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(rows) == len(read_lines(extracted / "out-on"))
    assert {"document", "unit", "criterion_id", "text", "celex_id", "state", "reason", "addresses"} <= set(rows[0])


def test_a_folder_without_extractions_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoUnitMatchedError, match="no extraction file"):
        read_lines(tmp_path)


def test_a_broken_file_is_told_and_costs_no_other(extracted: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(extracted / "out-on", out)
    sound = CliRunner().invoke(app, ["references", str(out)])
    (out / "x").mkdir()
    (out / "x" / "a.json").write_text("{}", encoding="utf-8")
    broken = CliRunner().invoke(app, ["references", str(out)])
    assert (sound.exit_code, broken.exit_code) == (0, 1)
    assert broken.stdout == sound.stdout
    assert re.search(r"damaged: .*a\.json: .*extract the unit again", broken.stderr)
