"""Damaged stores, defective readers and absurd texts cost the reference they touch and a bounded time, not the unit."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from regreact import config, corpus
from regreact.cli import app
from regreact.errors import ConfigError, DocumentRefusedError, SourceFormatError
from regreact.rag import fetch
from regreact.rag.convert.text import read_text
from regreact.rag.fetch import Request
from regreact.rag.identify import identify
from regreact.rag.library import Library, library_of
from regreact.rag.pinpoint import cited_places
from regreact.rag.retriever import retriever
from regreact.rag.store import Store
from regreact.runner import Extractor
from regreact.schema import Extraction
from tests.rag.pages import original

SECONDS = 15.0  # what these take is far less; going over the text again and again takes minutes


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """The acts of the samples."""
    held = Store(tmp_path / "store")
    for path in fetch.documents(config.data_dir("samples") / "acts"):
        fetch.from_file(held, path, Request())
    return held


def enriched(store: Store) -> Extraction:
    """Extract a sample that cites acts of the store in several ways."""
    settings = config.load(["rag=on", f"rag.store={store.folder}"])
    documents = corpus.load("samples").documents
    (unit,) = (u for d in documents for u in d.units if u.key == "CCM-31.1/SC")
    return Extractor(settings, documents=documents).extract(unit)


def statuses(extraction: Extraction) -> list[str]:
    """Return the statuses of the enrichments, in order."""
    sources = [s for c in extraction.criteria.walk() if c.references for s in c.references.sources]
    items = [i for c in extraction.criteria.walk() for f in c.footnotes for i in f.items]
    found = [*(s.enrichment for s in sources), *(i.enrichment for i in items)]
    return [enrichment.status for enrichment in found if enrichment]


def no_object(store: Store) -> None:
    shutil.rmtree(store.folder / "objects")


def flipped(store: Store) -> None:
    for path in (p for p in (store.folder / "objects").rglob("*") if p.is_file()):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 4
        path.write_bytes(data)


def relabelled(store: Store) -> None:
    """The manifest calls each act by the number of another."""
    manifest = store.folder / "manifest.jsonl"
    hashes = re.findall(r'"sha256":"(\w+)"', manifest.read_text(encoding="utf-8"))
    following = dict(zip(hashes, hashes[1:] + hashes[:1], strict=True))
    changed = re.sub("|".join(hashes), lambda m: following[m[0]], manifest.read_text(encoding="utf-8"))
    manifest.write_text(changed, encoding="utf-8")


@pytest.mark.parametrize("damage", [no_object, flipped, relabelled])
def test_a_damaged_store_costs_its_references_and_a_person_is_told(
    store: Store, damage: Callable[[Store], None]
) -> None:
    assert "retrieved" in statuses(enriched(store))
    shutil.rmtree(store.folder / "derived")
    damage(store)
    extraction = enriched(Store(store.folder))
    assert "skipped" in statuses(extraction) and "retrieved" not in statuses(extraction)
    told = [item.reason for item in extraction.review if item.stage == "retrieval"]
    assert any("cannot be read" in reason for reason in told)


def test_a_store_that_cannot_be_written_serves_as_well(store: Store) -> None:
    wanted = enriched(store)
    shutil.rmtree(store.folder / "derived")
    (store.folder / "derived").write_text("in the way")
    assert enriched(Store(store.folder)) == wanted


def test_a_defect_of_a_reader_costs_the_act(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("column")

    monkeypatch.setattr("regreact.rag.convert.convert", broken)
    with pytest.raises(SourceFormatError, match="cannot be converted: KeyError"):
        Library(store).act("32099L0001")
    assert "retrieved" not in statuses(enriched(store))


def test_a_defect_of_retrieval_costs_the_reference(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("no words")

    monkeypatch.setattr("regreact.rag.enrich.Enricher._summarised", broken)
    extraction = enriched(store)
    assert "skipped" in statuses(extraction)
    assert any("please report: ZeroDivisionError" in item.reason for item in extraction.review)


def test_a_flipped_bit_in_what_is_derived_is_no_law(store: Store) -> None:
    act = Library(store).act("32099L0001")
    (kept,) = (store.folder / "derived" / "acts").rglob("*.json")
    data = kept.read_bytes()
    place = re.search(rb"\d(?= )", data[100:])
    assert place
    changed = bytearray(data)
    changed[100 + place.start()] ^= 1
    kept.write_bytes(changed)
    assert Library(Store(store.folder)).act("32099L0001") == act


@pytest.mark.parametrize("header", ["(" * 100, "{'descr': '|O', 'shape': (1,), 'fortran_order': False}", "exit()", "\\"])
def test_an_index_with_a_hostile_array_is_made_anew(store: Store, tmp_path: Path, header: str) -> None:
    act = Library(store).act("32099L0001")
    assert act is not None
    wanted = retriever(act, cache=tmp_path / "indexes").search("depth of water")
    (folder,) = (tmp_path / "indexes").iterdir()
    line = f"{header:<117}\n".encode()
    with zipfile.ZipFile(folder / "vectors.npz", "w") as archive:
        archive.writestr("vectors.npy", b"\x93NUMPY\x01\x00" + len(line).to_bytes(2, "little") + line)
    head = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    head["arrays"] = hashlib.sha256((folder / "vectors.npz").read_bytes()).hexdigest()
    (folder / "index.json").write_text(json.dumps(head), encoding="utf-8")
    assert retriever(act, cache=tmp_path / "indexes").search("depth of water") == wanted


# --- settings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("day", ["2025-13-01", "2025-02-30", "2025-1-1", "tomorrow"])
def test_a_day_that_is_none(day: str) -> None:
    with pytest.raises(ConfigError, match=r"rag\.as_of"):
        config.load(["rag=on", f"rag.as_of={day}"])


def test_a_store_without_acts_or_in_another_language(store: Store, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds acts in en only"):
        library_of(config.load(["rag=on", f"rag.store={store.folder}", "rag.language=xx"]))
    (tmp_path / "photos").mkdir()
    with pytest.raises(ConfigError, match="photos holds no act"):
        library_of(config.load(["rag=on", f"rag.store={tmp_path / 'photos'}"]))


def test_a_baseline_says_that_it_resolves_nothing_and_needs_no_store(tmp_path: Path) -> None:
    settings = ["--set", "program=markup", "--set", "rag=on", "--set", f"rag.store={tmp_path / 'none'}"]
    result = CliRunner().invoke(app, ["extract", "samples", "-u", "CCM-21.1/SC", "-o", str(tmp_path / "o"), *settings])
    assert result.exit_code == 0
    assert "program=markup resolves no references: rag=on changes nothing" in result.stderr


def test_keys_that_contradict_each_other_are_told_without_the_whole_group() -> None:
    with pytest.raises(ConfigError, match=r"^configuration of retriever: mode=fused needs an encoder with vectors"):
        config.load(["retriever=lexical", "retriever.mode=fused"])


# --- time -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "1234567890",
        "in accordance with Article 4(1) of Directive (EU) 2099/1 and ",
        "criteria 1 and 2 of Section 5.7 of this Annex, ",
        "Section 5.7, ",
        "that Directive ",
        "ISO 14067:2018, ",
    ],
)
def test_citations_of_a_long_criterion_take_bounded_time(words: str) -> None:
    begun = time.perf_counter()
    cited_places(words * (20_000 // len(words)), "CCM-4.1/SC", lambda _: None)
    assert time.perf_counter() - begun < SECONDS


HEAD = original().removesuffix(b"</body></html>")


@pytest.mark.parametrize(
    "page",
    [
        HEAD + b"<p>" + b'class="doc-ti"' * 150_000 + b"</p></body></html>",
        HEAD + b"<p>" + b'class="hd-lg"' * 150_000 + b"</p></body></html>",
        b"<ACT><X><![CDATA[" + b"<BIB.INSTANCE>" * 150_000 + b"]]></X></ACT>",
    ],
    ids=["titles", "language marks", "instances"],
)
def test_marks_that_never_close_take_bounded_time(page: bytes) -> None:
    begun = time.perf_counter()
    assert identify("32099L0007.xhtml", page).id == "32099L0007"
    assert time.perf_counter() - begun < SECONDS


def test_a_pdf_is_measured_before_its_title_is_read() -> None:
    packer = zlib.compressobj(9)
    packed = b"".join([*(packer.compress(bytes(2**20)) for _ in range(80)), packer.flush()])
    head = b"%PDF-1.5\n1 0 obj<</Type/Catalog>>endobj\n"
    table = b"3 0 obj<</Type/XRef/Size 4/W[1 2 1]/Root 1 0 R/Filter/FlateDecode/Length %d>>stream\n" % len(packed)
    bomb = head + table + packed + b"\nendstream endobj\nstartxref\n%d\n%%%%EOF" % len(head)
    with pytest.raises(DocumentRefusedError, match="a stream unpacks to more than allowed"):
        identify("32099L0007.pdf", bomb)
    with pytest.raises(DocumentRefusedError, match="300,000 objects; the limit is 200,000 objects"):
        identify("32099L0007.pdf", b"%PDF-1.5\n" + b"1 0 obj<<>>endobj\n" * 300_000 + b"%%EOF")


def test_json_that_nests_without_end_is_a_format_error() -> None:
    with pytest.raises(SourceFormatError, match="malformed JSON"):
        read_text(b'{"reference":' + b"[" * 100_000, name="deep.json")
