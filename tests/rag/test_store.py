"""The store of legal acts: what is in it is whole, whoever writes and whenever a run is stopped."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import stat
from datetime import date
from pathlib import Path

import pytest

from regreact.errors import StoreError
from regreact.rag.act import DocumentFormat
from regreact.rag.entry import Entry, parse_id
from regreact.rag.store import Store


def put(store: Store, id: str, data: bytes = b"text", format: DocumentFormat = "xhtml", language: str = "en") -> Entry:
    return store.add(data, id=id, language=language, format=format, media_type="text/plain", source="a.xhtml")[0]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def test_what_is_stored_can_be_read(store: Store) -> None:
    entry = put(store, "02098L0001-20990607", b"some law")
    assert (entry.celex, entry.version, entry.id) == ("32098L0001", "2099-06-07", "32098L0001-20990607")
    assert (entry.date, entry.bytes) == ("2099-06-07", 8)
    assert store.read(entry) == b"some law"
    assert Store(store.folder).entries("32098L0001") == [entry]


def test_the_same_document_is_stored_once(store: Store) -> None:
    first = put(store, "32099L0001")
    again, new = store.add(b"text", id="32099L0001", format="xhtml", media_type="x", source="other")
    assert (again, new) == (first, False)
    assert len((store.folder / "manifest.jsonl").read_text().splitlines()) == 1


def test_a_later_document_takes_the_place_of_an_earlier_one(store: Store) -> None:
    put(store, "32099L0001", b"cut off")
    whole = put(store, "32099L0001", b"whole")
    assert store.entries() == [whole]


@pytest.mark.parametrize(
    "id",
    ["../../etc/passwd", "32099L0001/../x", "32099L0001\n", "", "3२०99L0001", "02099L0001-20990231", "02099L0001-2099", "32099l0001"],
)  # fmt: skip
def test_an_id_that_is_none_is_refused(store: Store, id: str) -> None:
    with pytest.raises(StoreError):
        put(store, id)
    with pytest.raises(StoreError):
        store.best(id)
    assert not store.folder.exists()


@pytest.mark.parametrize("language", ["../x", "EN", "eng", ""])
def test_a_language_that_is_none_is_refused(store: Store, language: str) -> None:
    with pytest.raises(StoreError, match="language"):
        put(store, "32099L0001", language=language)


def test_ids() -> None:
    assert parse_id("02099L0001-20990607") == ("32099L0001", "2099-06-07")
    assert parse_id("32099L0001") == ("32099L0001", "")
    assert parse_id("32099D0001(01)") == ("32099D0001(01)", "")


@pytest.fixture
def versions(store: Store) -> Store:
    put(store, "32090L0001", b"pdf", "pdf")
    put(store, "32090L0001", b"html", "html")
    put(store, "02090L0001-20920101", b"92 html", "html")
    put(store, "02090L0001-20920101", b"92 formex", "formex")
    put(store, "02090L0001-20950101", b"95", "xhtml")
    put(store, "02090L0001-20970101", b"97 fr", "xhtml", "fr")
    put(store, "02091R0002-20930101", b"only a version")
    return store


@pytest.mark.parametrize(
    ("celex", "as_of", "language", "data"),
    [
        ("32090L0001", date(2091, 12, 31), "en", b"html"),
        ("32090L0001", date(2092, 1, 1), "en", b"92 formex"),
        ("32090L0001", date(2094, 12, 31), "en", b"92 formex"),
        ("32090L0001", date(2099, 1, 1), "en", b"95"),
        ("32090L0001", date(2099, 1, 1), "fr", b"97 fr"),
        ("32090L0001", None, "en", b"html"),
        ("02090L0001-20920101", None, "en", b"92 formex"),
        ("02090L0001-20920101", date(2099, 1, 1), "en", b"92 formex"),
        ("02090L0001-20930101", None, "en", None),
        ("32091R0002", None, "en", b"only a version"),
        ("32091R0002", date(2092, 1, 1), "en", None),
        ("32090L0001", None, "de", None),
        ("32099L0009", None, "en", None),
    ],
)
def test_the_version_in_force_and_the_best_format(
    versions: Store, celex: str, as_of: date | None, language: str, data: bytes | None
) -> None:
    best = versions.best(celex, as_of, language)
    assert (versions.read(best) if best else None) == data


def test_entries_are_of_the_act_not_of_a_version(versions: Store) -> None:
    assert len(versions.entries("32090L0001")) == 6
    with pytest.raises(StoreError, match="version"):
        versions.entries("02090L0001-20920101")


def test_a_damaged_document_is_told_and_put_right(store: Store) -> None:
    entry = put(store, "32099L0001", b"some law")
    path = store.folder / "objects" / entry.sha256[:2] / entry.sha256
    path.write_bytes(b"some lie")
    with pytest.raises(StoreError, match=r"32099L0001 is damaged; fetch it again from a\.xhtml"):
        store.read(entry)
    put(store, "32099L0001", b"some law")
    assert store.read(entry) == b"some law"
    path.unlink()
    with pytest.raises(StoreError, match="cannot be read"):
        store.read(entry)


def test_a_run_stopped_between_document_and_entry_leaves_a_usable_store(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, "32099L0001")
    with monkeypatch.context() as patch:
        patch.setattr(Store, "_append", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            put(store, "32099L0002", b"other")
    assert [e.celex for e in Store(store.folder).entries()] == ["32099L0001"]
    entry = put(Store(store.folder), "32099L0002", b"other")
    assert store.read(entry) == b"other"


def test_a_half_written_document_is_not_there(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            put(store, "32099L0001")
    assert [p for p in (store.folder / "objects").rglob("*") if p.is_file()] == []


def test_a_half_written_entry_is_passed_over(store: Store) -> None:
    put(store, "32099L0001")
    manifest = store.folder / "manifest.jsonl"
    with manifest.open("a", encoding="utf-8") as file:
        file.write('{"celex":"32099L0002","vers')
    assert [e.celex for e in store.entries()] == ["32099L0001"]
    put(store, "32099L0003")
    assert [e.celex for e in Store(store.folder).entries()] == ["32099L0001", "32099L0003"]


@pytest.mark.parametrize("change", [{"sha256": "../../secret"}, {"celex": "x"}, {"version": "soon"}, {"format": "doc"}])
def test_a_damaged_line_of_the_manifest_is_told_and_costs_no_other(
    store: Store, change: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    put(store, "32099L0001")
    manifest = store.folder / "manifest.jsonl"
    line = json.loads(manifest.read_text())
    with manifest.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line | change) + "\n")
    put(store, "32099L0003")
    assert [e.celex for e in store.entries()] == ["32099L0001", "32099L0003"]
    [told] = [r.getMessage() for r in caplog.records]
    assert re.search(rf"manifest\.jsonl, line 2: {next(iter(change))}.*delete the line", told)


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../b", "", "a//b", ".hidden", "a/.b", "a\nb"])
def test_names_of_what_is_derived(store: Store, name: str) -> None:
    with pytest.raises(StoreError, match="not allowed"):
        store.write_derived(name, b"")
    store.write_derived("a/32099D0001(01).json", b"x")
    assert (store.read_derived("a/32099D0001(01).json"), store.read_derived("a/other")) == (b"x", None)


def test_only_the_owner_reads_the_store(store: Store) -> None:
    entry = put(store, "32099L0001")
    files = [store.folder, store.folder / "manifest.jsonl", store.folder / "objects" / entry.sha256[:2] / entry.sha256]
    assert [stat.S_IMODE(f.stat().st_mode) for f in files] == [0o700, 0o600, 0o600]


def test_a_place_that_is_no_folder_or_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="not a folder"):
        Store(tmp_path / "file")
    with pytest.raises(StoreError, match="name another store"):
        put(Store(tmp_path / "file" / "below"), "32099L0001")


def _add_many(folder: Path, first: int) -> None:
    for number in range(first, first + 20):
        put(Store(folder), f"32099L{number:04d}", f"law {number}".encode())
        put(Store(folder), "32099L9999", b"the same")


def test_two_processes_write_at_once(store: Store) -> None:
    context = multiprocessing.get_context("fork" if hasattr(os, "fork") else "spawn")
    workers = [context.Process(target=_add_many, args=(store.folder, first)) for first in (1, 101)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    entries = store.entries()
    assert len(entries) == 41
    assert all(store.read(e) for e in entries)
    assert len((store.folder / "manifest.jsonl").read_text().splitlines()) == 41
