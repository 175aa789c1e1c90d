"""`regreact report`: which pages are written, where block texts come from, and what is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from lxml import html
from typer.testing import CliRunner

from regreact.cli import app
from regreact.errors import NoUnitMatchedError, PredictionError, RegReActError, SourceNotFoundError
from regreact.report.command import PagesByDefault
from regreact.report.reading import Sources, own_block, rebuilt
from regreact.schema import Extraction
from regreact.sources import read
from tests.report.builders import KILN, criterion, full, write

PAGE = """<p>1. The kiln meets two of the following:</p><ol type="a"><li>the lime is white;</li>
<li>the soot is swept.</li></ol>"""


def report(*arguments: str | Path) -> tuple[int, str, RegReActError | None]:
    """Run the command; returns exit code, output, and the package's error if it raised one."""
    result = CliRunner().invoke(app, ["report", *map(str, arguments)])
    error = result.exception if isinstance(result.exception, RegReActError) else None
    return result.exit_code, result.output, error


def test_one_page_a_unit_and_an_index(tmp_path: Path) -> None:
    second = {**full(), "unit": "CCM-77.2/SC", "review": []}
    out = write(tmp_path / "out", full(), second)
    code, told, _ = report(out)
    assert code == 0
    assert "2 pages ->" in told
    pages = sorted(p.relative_to(out / "report").as_posix() for p in (out / "report").rglob("*.html"))
    assert pages == ["index.html", "lime/CCM-77.1__SC.html", "lime/CCM-77.2__SC.html"]
    index = html.document_fromstring((out / "report/index.html").read_text(encoding="utf-8"))
    for href in index.xpath("//tbody//a/@href"):
        page = html.document_fromstring((out / "report" / href).read_text(encoding="utf-8"))
        home = page.xpath("//a[@class='home']/@href")
        assert (out / "report" / href).parent.joinpath(home[0]).resolve() == (out / "report/index.html").resolve()


def test_folder_and_unit_are_chosen(tmp_path: Path) -> None:
    out = write(tmp_path / "out", full(), {**full(), "unit": "CCM-77.2/SC"})
    code, _, _ = report("--to", tmp_path / "pages", "--unit", "CCM-77.2/*", out, "--quiet")
    assert code == 0
    assert [p.name for p in (tmp_path / "pages/lime").iterdir()] == ["CCM-77.2__SC.html"]


def test_report_is_repeatable(tmp_path: Path) -> None:
    out = write(tmp_path / "out", full())
    report(out)
    first = (out / "report/lime/CCM-77.1__SC.html").read_bytes()
    assert report(out)[0] == 0
    assert (out / "report/lime/CCM-77.1__SC.html").read_bytes() == first


def test_without_extractions_it_says_what_to_do(tmp_path: Path) -> None:
    _, _, error = report(tmp_path)
    assert isinstance(error, NoUnitMatchedError)
    assert "regreact extract" in str(error)
    _, _, error = report(write(tmp_path, full()), "--unit", "nothing")
    assert isinstance(error, NoUnitMatchedError)
    assert "CCM-77.1/SC" in str(error)


def test_a_damaged_file_costs_no_other(tmp_path: Path) -> None:
    out = write(tmp_path, full())
    (out / "lime/broken.json").write_text("{", encoding="utf-8")
    code, told, _ = report(out)
    assert code == 1
    assert "damaged:" in told
    assert "broken.json" in (out / "report/index.html").read_text(encoding="utf-8")
    (out / "lime/CCM-77.1__SC.json").unlink()
    assert isinstance(report(out)[2], PredictionError)


def test_units_that_failed_are_listed(tmp_path: Path) -> None:
    out = write(tmp_path, full())
    line = {"document": "lime", "unit": "CCM-78.1/SC", "status": "failed", "file": None, "seconds": 0.0, "lm_calls": 0,
            "prompt_tokens": 0, "completion_tokens": 0, "cost": 0.0, "review": 0, "input_hash": "", "config_hash": "",
            "problem": "UnitError: burnt"}  # fmt: skip
    (out / "manifest.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert report(out)[0] == 0
    assert "CCM-78.1/SC: failed: UnitError: burnt" in (out / "report/index.html").read_text(encoding="utf-8")


def test_help_names_the_pages() -> None:
    code, told, _ = report("--help")
    assert code == 0
    assert "pages" in told


def test_other_words_are_subcommands() -> None:
    group = typer.Typer(cls=PagesByDefault)
    group.command("pages")(lambda out: typer.echo(f"pages of {out}"))
    group.command("tables")(lambda: typer.echo("tables"))
    told = [CliRunner().invoke(group, [word]).output.strip() for word in ("tables", "some/folder")]
    assert told == ["tables", "pages of some/folder"]


@pytest.fixture
def lime(tmp_path: Path) -> tuple[Path, Extraction]:
    """A source file, and an extraction of it whose first criterion is missing from the tree."""
    path = tmp_path / "lime.html"
    path.write_text(PAGE, encoding="utf-8")
    document = read(path)
    data = full()
    data["unit"], data["source"] = document.units[0].key, {"document": "lime", "sha256": document.sha256, "format": "html"}
    return path, Extraction.model_validate(data)


def test_texts_come_from_the_source(lime: tuple[Path, Extraction]) -> None:
    text = Sources(lime[0]).text_of(lime[1])
    assert text.from_source
    assert [(b.index, b.marker, b.text) for b in text.blocks][1] == (1, "a", "the lime is white;")


def test_another_edition_of_the_source_is_not_shown(lime: tuple[Path, Extraction]) -> None:
    path, extraction = lime
    path.write_text(PAGE.replace("white", "grey"), encoding="utf-8")
    text = Sources(path).text_of(extraction)
    assert not text.from_source
    assert "not the one the criteria were extracted from" in text.note


def test_texts_of_the_samples_are_at_hand() -> None:
    sample = Sources()._document("samples-compass")
    assert sample is not None
    assert sample.units


def test_source_must_exist(tmp_path: Path) -> None:
    assert isinstance(report(write(tmp_path / "out", full()), "--source", tmp_path / "no")[2], SourceNotFoundError)


def test_blocks_are_rebuilt_from_the_criteria() -> None:
    extraction = Extraction.model_validate(full())
    text = rebuilt(extraction, "nothing was found")
    assert [(b.index, b.text) for b in text.blocks if b.index is not None][1] == (1, KILN)
    assert {b.text for b in text.blocks if b.index is None} == {"chalk;", "marl."}
    assert "missing" in text.note


def test_an_inferred_group_has_no_block() -> None:
    extraction = Extraction.model_validate({**full(), "criteria": criterion("ROOT", sub_criteria=[criterion("1", "")])})
    assert own_block(extraction.criteria.sub_criteria[0], extraction) is None
