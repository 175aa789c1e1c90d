"""`regreact fetch`: from a folder, from Cellar, for what a source cites; its exit codes and what it prints."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from regreact.cli import app, main
from regreact.errors import RegReActError
from regreact.legal.web import WebClient
from regreact.rag import fetch
from regreact.rag.store import Store
from tests.rag.pages import consolidated, formex, original
from tests.stub_cellar import CHALLENGE, Stub, says, serving

XHTML = "application/xhtml+xml"
DOCUMENTS = {
    ("32099L0007", XHTML, "eng"): [(XHTML, original())],
    ("32099L0008", XHTML, "eng"): [(XHTML, original("(EU) 2099/8"))],
    ("02099L0007-21000101", XHTML, "eng"): [(XHTML, consolidated("01.01.2100"))],
}
VERSIONS = {"32099L0007": ["02099L0007-21000101"]}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["fetch", *map(str, arguments)])


def ask(stub: Stub, store: Path, *arguments: object) -> Result:
    return run(*arguments, "--store", store, "--set", f"celex.base_url={stub.url}", "--set", "celex.rate=20")


@pytest.fixture
def acts(tmp_path: Path) -> Path:
    folder = tmp_path / "acts"
    (folder / "sub").mkdir(parents=True)
    (folder / "32099L0007.xhtml").write_bytes(original())
    (folder / "32099L0007.cons-2100-01-01.fmx.xml").write_bytes(formex("2099L0007 21000101"))
    (folder / "sub" / "32099L0008.fr.xhtml").write_bytes(original("(UE) 2099/8", language="FR"))
    (folder / "notes.tsv").write_text("not a document")
    (folder / ".hidden.xhtml").write_bytes(original())
    return folder


def test_a_folder(acts: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    first = run("--from", acts, "--store", store)
    assert (first.exit_code, first.stdout.splitlines()[0]) == (0, f"3 stored, 0 unchanged, 0 failed -> {store}")
    assert "next: regreact fetch --cited-in" in first.stdout
    again = run("--from", acts, "--store", store)
    assert (again.exit_code, again.stdout.splitlines()[0]) == (0, f"0 stored, 3 unchanged, 0 failed -> {store}")
    entries = Store(store).entries()
    assert [(e.id, e.language, e.format) for e in entries] == [
        ("32099L0007", "en", "xhtml"),
        ("32099L0007-21000101", "en", "formex"),
        ("32099L0008", "fr", "xhtml"),
    ]
    assert str(tmp_path) not in (store / "manifest.jsonl").read_text(encoding="utf-8")


def test_unreadable_files_are_listed_and_the_rest_is_stored(acts: Path, tmp_path: Path) -> None:
    (acts / "32099L0009.xhtml").write_bytes(original())
    (acts / "32099L0010.pdf").write_bytes(b"")
    (acts / "huge.xml").write_bytes(b"")
    result = run("--from", acts, "--store", tmp_path / "store")
    assert result.exit_code == 1
    assert "3 stored, 0 unchanged, 3 failed" in result.stdout
    assert "failed: 32099L0009.xhtml: the document's title prints 2099/7" in result.stderr
    assert "failed: 32099L0010.pdf: the file is empty" in result.stderr


def test_a_file_beyond_the_limit_is_refused(acts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "MAX_BYTES", 300)
    result = run("--from", acts / "32099L0007.xhtml", "--store", tmp_path / "store")
    assert result.exit_code == 1 and "larger than 300 bytes" in result.stderr


def test_a_dry_run_writes_nothing(acts: Path, tmp_path: Path) -> None:
    result = run("32099L0012", "--from", acts, "--store", tmp_path / "store", "--dry-run")
    assert result.exit_code == 0
    assert [line.split("\t")[:3] for line in result.stdout.splitlines()] == [
        ["32099L0007.cons-2100-01-01.fmx.xml", "found", "02099L0007-21000101"],
        ["32099L0007.xhtml", "found", "32099L0007"],
        ["32099L0008.fr.xhtml", "found", "32099L0008"],
        ["32099L0012", "to ask", "32099L0012"],
    ]
    assert not (tmp_path / "store").exists()


def test_json_and_quiet(acts: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in run("--from", acts, "--store", tmp_path / "s", "--json").stdout.splitlines()]
    assert [(line["wanted"], line["status"]) for line in lines][1] == ("32099L0007.xhtml", "stored")
    assert run("--from", acts, "--store", tmp_path / "s", "--quiet").output == ""


def test_acts_from_cellar(tmp_path: Path) -> None:
    store = tmp_path / "store"
    with serving(documents=DOCUMENTS, versions=VERSIONS) as stub:
        first = ask(stub, store, "32099L0007", "32099L0008", "32099L0009")
        assert first.exit_code == 1
        assert "2 stored, 0 unchanged, 1 failed" in first.stdout
        assert "failed: 32099L0009: " in first.stderr and "no document in eng of 32099L0009" in first.stderr
        asked = len(stub.gets)
        assert "0 stored, 2 unchanged, 0 failed" in ask(stub, store, "32099L0007", "32099L0008").stdout
        assert len(stub.gets) == asked
        assert "1 stored" in ask(stub, store, "32099L0007", "--as-of", "2100-06-01").stdout
    best = Store(store).best("32099L0007", date(2100, 6, 1))
    assert best is not None and best.version == "2100-01-01"


def test_once_the_service_stops_answering_the_rest_is_not_asked(tmp_path: Path) -> None:
    with serving(documents=DOCUMENTS, script=[says(202, CHALLENGE, "text/html")]) as stub:
        result = ask(stub, tmp_path / "store", "32099L0007", "32099L0008")
        assert len(stub.gets) == 1
        assert result.exit_code == 1
        assert "challenge page" in result.stderr and "not asked: 1 acts; run the same command again" in result.stderr
        assert "2 stored" in ask(stub, tmp_path / "store", "32099L0007", "32099L0008").stdout


def test_acts_that_a_source_cites(tmp_path: Path) -> None:
    source = tmp_path / "pond.html"
    source.write_text("<p>Ponds fulfil Article 3 of Directive (EU) 2099/7 and Annex I to Directive (EU) 2099/8.</p>")
    with serving(documents=DOCUMENTS) as stub:
        assert "2 stored, 0 unchanged, 0 failed" in ask(stub, tmp_path / "store", "--cited-in", source).stdout
        assert [e.celex for e in Store(tmp_path / "store").entries()] == ["32099L0007", "32099L0008"]
        (tmp_path / "folder").mkdir()
        source.rename(tmp_path / "folder" / "pond.html")
        (tmp_path / "folder" / "cut.xml").write_text("<ACT>")
        result = ask(stub, tmp_path / "store", "--cited-in", tmp_path / "folder")
        assert result.exit_code == 1 and "failed: cut.xml: not well-formed" in result.stderr
        assert "0 stored, 2 unchanged, 1 failed" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((), 2, "nothing to fetch"),
        (("--from", "nowhere"), 2, "no such folder"),
        (("--from", "."), 2, "holds no document"),
        (("../../etc/passwd",), 2, "no CELEX id"),
        (("32099L0007", "--language", "tlh"), 2, "none of the Union's"),
        (("32099L0007", "--as-of", "soon"), 2, "no date"),
        (("32099L0007", "--set", "celex.nonsense=1"), 2, "nonsense"),
        (("--cited-in", "nowhere.json"), 2, "nowhere.json"),
        (("--cited-in", "bare.html"), 3, "cites no act"),
        (("32099L0007", "--store", "bare.html"), 2, "not a folder"),
    ],
)  # fmt: skip
def test_errors(
    arguments: tuple[str, ...], code: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("REGREACT_STORE", str(tmp_path / "store"))
    if "bare.html" in arguments:
        Path("bare.html").write_text("<p>Ponds are kept clean.</p>")
    monkeypatch.setattr("sys.argv", ["regreact", "fetch", *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == code
    error = capsys.readouterr().err
    assert words in error and len(error.splitlines()) == 1


def test_the_default_store(acts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REGREACT_STORE", raising=False)
    assert run("--from", acts).exit_code == 0
    assert (tmp_path / "store" / "manifest.jsonl").is_file()
    shutil.rmtree(tmp_path / "store")
    monkeypatch.setenv("REGREACT_STORE", str(tmp_path / "elsewhere"))
    assert run("--from", acts).exit_code == 0
    assert (tmp_path / "elsewhere" / "manifest.jsonl").is_file()


@pytest.mark.parametrize("folder", ["acts", "taxonomy"])
def test_all_documents_at_hand_are_stored(
    data_root: Path, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (data_root / folder).is_dir():
        pytest.skip(f"real acts absent: {data_root / folder}")
    monkeypatch.setattr(WebClient, "send", lambda *_, **__: (_ for _ in ()).throw(RegReActError("no network here")))
    files = [f for f in (data_root / folder).iterdir() if f.suffix != ".tsv"]
    result = run("--from", data_root / folder, "--store", tmp_path / "store")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{len(files)} stored, 0 unchanged, 0 failed")
    store = Store(tmp_path / "store")
    assert {e.source for e in store.entries()} == {f.name for f in files}
    assert all(store.read(e) == (data_root / folder / e.source).read_bytes() for e in store.entries())
