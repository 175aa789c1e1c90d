"""Formats by content, documents by id, folders; and what a user is told about files that cannot be read."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from regreact.errors import SourceError, SourceFormatError, SourceNotFoundError
from regreact.sources import find_source, read, read_many
from regreact.sources.model import Document

FRAGMENT = "<p>1. The mill:</p><ol type='a'><li>turns;</li><li>stands.</li></ol>"
DUMP = {
    "activities": [{"name": "Windmills", "reference": "1.1"}],
    "matches": [
        {"activity": "Windmills", "objective": "mitigation", "substantial_contribution_criteria": ["<p>x</p>"],
         "dnsh": []}
    ],
}
ACT = """<?xml version="1.0"?><CONS.ACT><INFO.CONSLEG CONSLEG.REF="2099R0001" START.DATE="20990102"/><CONS.ANNEX>
<TITLE><TI><P>ANNEX I</P></TI><STI><P>contributing substantially to climate change mitigation</P></STI></TITLE>
<CONTENTS><GR.SEQ LEVEL="1"><TITLE><TI><P>1. Windmills</P></TI></TITLE><GR.SEQ><TBL><CORPUS>
<ROW><CELL><P>It turns.</P></CELL></ROW>
<ROW><CELL><P>(3) Water and marine resources</P></CELL><CELL>N/A</CELL></ROW>
</CORPUS></TBL></GR.SEQ></GR.SEQ></CONTENTS></CONS.ANNEX></CONS.ACT>"""


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (FRAGMENT, "html"),
        ("\ufeff\n <!-- criteria -->" + FRAGMENT, "html"),
        (json.dumps(DUMP), "compass-json"),
        ("\n  " + json.dumps(DUMP), "compass-json"),
        (ACT, "formex"),
        (ACT.partition("?>")[2], "formex"),
    ],
)
@pytest.mark.parametrize("name", ["a.json", "a.xml", "a.html", "a.txt", "a"])
def test_the_content_decides_the_format(content: str, kind: str, name: str, tmp_path: Path) -> None:
    assert read(write(tmp_path / name, content)).format == kind


@pytest.mark.parametrize(
    "content",
    [
        "<html><body/></html>",
        "<!DOCTYPE html>\n<HTML lang='fr'></HTML>",
        '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd"><html/>',
    ],
)
def test_pages_go_to_the_xhtml_reader(content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("regreact.sources.eurlex")
    page = Document("32099R0001", "0", "xhtml-oj", ())
    seen: list[tuple[Path, bytes]] = []

    def read_xhtml(path: Path, data: bytes) -> Document:
        seen.append((path, data))
        return page

    module.read_xhtml = read_xhtml  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    path = write(tmp_path / "page", content)
    assert read(path) is page
    assert seen == [(path, content.encode())]


def test_a_fragment_is_one_unit_named_after_the_file(tmp_path: Path) -> None:
    document = read(write(tmp_path / "CCM-9.99-draft.html", FRAGMENT))
    (unit,) = document.units
    assert (document.document, unit.key, unit.section, unit.objective) == (
        "CCM-9.99-draft",
        "CCM-9.99-draft/SC",
        "SC",
        "mitigation",
    )
    assert [b.text for b in unit.blocks] == ["1. The mill:", "turns;", "stands."]


ENTITIES = '<?xml version="1.0"?><!DOCTYPE CONS.ACT [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
BAD: list[tuple[str, str | bytes, str]] = [
    ("empty.json", "", "the file is empty"),
    ("blank.html", " \n ", "the file is empty"),
    ("binary.xml", b"PK\x03\x04\x00\x00\x00", "a binary file"),
    ("act.pdf", b"%PDF-1.7\n%\xe2\xe3", "a PDF"),
    ("note.txt", "The mill turns.", "plain text without markup"),
    ("feed.xml", "<rss><channel/></rss>", "markup of an unknown kind"),
    ("cut.fmx.xml", ACT[: len(ACT) // 2], "not well-formed XML"),
    ("cut.json", json.dumps(DUMP)[:-20], "not valid JSON"),
    ("other.json", '{"summary": "x", "reference": "y"}', "JSON of another shape"),
    ("nothing.html", "<p> </p><!-- none -->", "no text in the fragment"),
    ("deep.html", "<p>It turns.</p>" + "<div>" * 300 + "x" + "</div>" * 300, "Excessive depth"),
    ("latin.html", "<p>caf\xe9</p>".encode("latin-1"), "not UTF-8 text"),
    ("entity.xml", ENTITIES + "<CONS.ACT>&a;</CONS.ACT>", "no activity with technical screening criteria"),
]


@pytest.mark.parametrize(("name", "content", "problem"), BAD, ids=[name for name, _, _ in BAD])
def test_bad_files_are_refused_in_one_line(name: str, content: str | bytes, problem: str, tmp_path: Path) -> None:
    path = write(tmp_path / name, content)
    with pytest.raises(SourceFormatError) as caught:
        read(path)
    message = str(caught.value)
    assert problem in message
    assert str(path) in message
    assert caught.value.hint
    assert "\n" not in message


def test_a_missing_file_and_a_folder_are_no_documents(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFoundError, match="no such file"):
        read(tmp_path / "none.json")
    with pytest.raises(SourceFormatError, match="a folder"):
        read(tmp_path)


def test_entities_are_never_expanded(tmp_path: Path) -> None:
    secret = write(tmp_path / "secret.txt", "hidden words")
    act = ACT.replace(
        '<?xml version="1.0"?>', f'<!DOCTYPE CONS.ACT [<!ENTITY a SYSTEM "{secret.as_uri()}"><!ENTITY b "inner">]>'
    ).replace("It turns.", "It &a;&b; turns.")
    document = read(write(tmp_path / "act.xml", act))
    assert "hidden words" not in str(document) and "inner" not in str(document)
    # What the entity stands for is not there, so the section that needs it is told, not read without it.
    assert any("would be lost" in failure.problem for failure in document.failures)


def test_a_folder_gives_each_document_once_and_lists_what_it_cannot_read(tmp_path: Path) -> None:
    write(tmp_path / "b/fragment.html", FRAGMENT)
    write(tmp_path / "taxonomy-1.0.0.json", json.dumps(DUMP))
    write(tmp_path / "act.fmx.xml", ACT)
    copy = write(tmp_path / "z/act-again.xml", ACT)
    broken = write(tmp_path / "broken.json", "{")
    write(tmp_path / "README.md", "no document")
    write(tmp_path / ".cache/x.html", FRAGMENT)
    reading = read_many(tmp_path)
    assert [d.document for d in reading.documents] == ["02099R0001-20990102", "fragment", "compass-1.0.0"]
    assert [failure.path for failure in reading.failures] == [str(broken)]
    assert all(isinstance(failure, SourceError) for failure in reading.failures)
    assert reading.duplicates == (copy,)


def test_a_file_is_read_as_a_folder_of_one(tmp_path: Path) -> None:
    assert len(read_many(write(tmp_path / "x.html", FRAGMENT)).documents) == 1
    with pytest.raises(SourceNotFoundError):
        read_many(tmp_path / "none")


def test_a_folder_without_documents_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "README.md", "no document")
    with pytest.raises(SourceNotFoundError, match="holds no document"):
        read_many(tmp_path)


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder whose parent has no shared data, with no data folder named."""
    work = tmp_path / "root/work"
    work.mkdir(parents=True)
    monkeypatch.chdir(work)
    monkeypatch.delenv("REGREACT_DATA", raising=False)
    return work


@pytest.mark.parametrize(
    ("name", "content", "document"),
    [
        ("deep/down/taxonomy-1.0.4.json", json.dumps(DUMP), "compass-1.0.4"),
        ("02099R0001-20990102.fmx.xml", ACT, "02099R0001-20990102"),
        ("32099R0001.cons-2099-01-02.xml", ACT, "02099R0001-20990102"),
        ("CCM-9.99-draft.html", FRAGMENT, "CCM-9.99-draft"),
        ("32099R0001.fr.xhtml", "<html/>", "32099R0001"),
        ("32099R0001.xhtml", "<html/>", "32099R0001"),
    ],
)
def test_a_document_is_found_by_its_id(name: str, content: str, document: str, places: Path) -> None:
    path = write(places / "data/raw" / name, content)
    assert find_source(document).resolve() == path
    assert find_source(document, places).resolve() == path
    assert find_source(document, path) == path


def test_formex_is_preferred_to_the_page_of_the_same_act(places: Path) -> None:
    write(places / "data/raw/a/02099R0001-20990102.xhtml", "<html/>")
    path = write(places / "data/raw/b/02099R0001-20990102.fmx.xml", ACT)
    assert find_source("02099R0001-20990102").resolve() == path


def test_places_are_searched_in_order(places: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given, named = tmp_path / "given", tmp_path / "named"
    last = write(places / "../shared/data/mill.html", FRAGMENT)
    assert find_source("mill").resolve() == last.resolve()
    raw = write(places / "data/raw/mill.html", FRAGMENT)
    assert find_source("mill").resolve() == raw
    variable = write(named / "mill.html", FRAGMENT)
    monkeypatch.setenv("REGREACT_DATA", str(named))
    assert find_source("mill") == variable
    explicit = write(given / "mill.html", FRAGMENT)
    assert find_source("mill", given) == explicit
    assert find_source("mill", explicit) == explicit


def test_an_unknown_document_is_refused_with_the_places(places: Path) -> None:
    write(places / "data/raw/mill.html", FRAGMENT)
    with pytest.raises(SourceNotFoundError, match=r"compass-9\.9: .*data/raw.*--source"):
        find_source("compass-9.9")
    with pytest.raises(SourceNotFoundError, match=r"kiln: .*mill\.html"):
        find_source("kiln", places / "data/raw/mill.html")
    with pytest.raises(SourceNotFoundError, match="no such file or folder"):
        find_source("mill", places / "elsewhere")
