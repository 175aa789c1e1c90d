"""Converted acts: each is converted once, kept on disk as JSON, and made anew where what is kept is of no use."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from datetime import date
from pathlib import Path

import pytest

from regreact.errors import SourceFormatError, StoreError
from regreact.rag import library as module
from regreact.rag.act import LegalAct, Provision, Table
from regreact.rag.library import Library, act_from_json, act_to_json
from regreact.rag.store import Store

POND = Provision(
    "art",
    "2",
    "art_2",
    "Ponds",
    (
        "Ponds are clean.",
        Provision("par", "1", "art_2/par_1", content=("Depth:", Provision("pnt", "a", "art_2/par_1/pnt_a", content=("1 m",)), "at most.")),
        Table((("fish", "2"), ("frogs", "")), "Animals"),
    ),
)  # fmt: skip


class Converter:
    """Stands in for the conversion; counts what it is asked."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, str, str]] = []

    def __call__(self, data: bytes, *, name: str, celex: str, version: str, language: str) -> LegalAct:
        self.calls.append((name, celex, version, language))
        time.sleep(0.02)
        if data == b"bad":
            raise SourceFormatError(name, "not an act")
        sha256 = hashlib.sha256(data).hexdigest()
        return LegalAct(celex, version, language, "xhtml", sha256, data.decode(), ("Whereas", POND), ("(1) A note",))


@pytest.fixture
def converter(monkeypatch: pytest.MonkeyPatch) -> Converter:
    stand_in = Converter()
    monkeypatch.setattr("regreact.rag.convert.convert", stand_in, raising=False)
    return stand_in


@pytest.fixture
def store(tmp_path: Path) -> Store:
    held = Store(tmp_path / "store")
    for id, language, data in (
        ("32099L0001", "en", b"first"),
        ("02099L0001-21000101", "en", b"amended"),
        ("32099L0001", "fr", b"premier"),
        ("32099L0002", "en", b"bad"),
    ):
        held.add(data, id=id, language=language, format="xhtml", media_type="text/html", source=f"{id}.xhtml")
    return held


def test_an_act_comes_back_from_json_as_it_was() -> None:
    act = LegalAct("32099L0001", "2100-01-01", "en", "formex", "a" * 64, "On ponds", ("Whereas", POND), ("(1) A note",))
    assert act_from_json(json.loads(json.dumps(act_to_json(act)))) == act


def test_the_act_at_a_date_in_a_language(store: Store, converter: Converter) -> None:
    assert Library(store).act("32099L0001").title == "first"  # type: ignore[union-attr]
    assert Library(store, date(2100, 6, 1)).act("32099L0001").id == "32099L0001-21000101"  # type: ignore[union-attr]
    assert Library(store, language="fr").act("32099L0001").title == "premier"  # type: ignore[union-attr]
    assert Library(store).act("32099L0003") is None
    assert converter.calls[1] == ("02099L0001-21000101.xhtml", "32099L0001", "2100-01-01", "en")


def test_an_act_is_converted_once(store: Store, converter: Converter) -> None:
    library = Library(store)
    first = library.act("32099L0001")
    assert library.act("32099L0001") is first
    again = Library(Store(store.folder)).act("32099L0001")
    assert again == first and again is not first
    assert len(converter.calls) == 1


def test_threads_wait_for_the_one_that_converts(store: Store, converter: Converter) -> None:
    library = Library(store)
    found: list[LegalAct | None] = []
    threads = [threading.Thread(target=lambda: found.append(library.act("32099L0001"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(converter.calls) == 1
    assert len({id(act) for act in found}) == 1 and len(found) == 8


@pytest.mark.parametrize("damage", [b"", b"{}", b"[1", b'{"celex": 1}', b"\xff"])
def test_what_is_kept_and_damaged_is_made_anew(store: Store, converter: Converter, damage: bytes) -> None:
    act = Library(store).act("32099L0001")
    (kept,) = (store.folder / "derived").rglob("*.json")
    kept.write_bytes(damage)
    assert Library(store).act("32099L0001") == act
    assert len(converter.calls) == 2


def test_another_converter_converts_anew(store: Store, converter: Converter, monkeypatch: pytest.MonkeyPatch) -> None:
    Library(store).act("32099L0001")
    monkeypatch.setattr(module, "converter_version", lambda: "another")
    Library(store).act("32099L0001")
    assert len(converter.calls) == 2


def test_a_store_that_cannot_be_written_serves(store: Store, converter: Converter) -> None:
    (store.folder / "derived").write_text("in the way")
    act = Library(store).act("32099L0001")
    assert act is not None and act.title == "first"


def test_what_cannot_be_converted_or_read_is_told(store: Store, converter: Converter) -> None:
    library = Library(store)
    for _ in range(2):
        with pytest.raises(SourceFormatError, match=r"32099L0002\.xhtml"):
            library.act("32099L0002")
    with pytest.raises(StoreError, match="no CELEX id"):
        library.act("../32099L0001")
    (store.folder / "objects").rename(store.folder / "gone")
    with pytest.raises(StoreError, match="fetch it again"):
        library.act("32099L0001")
    assert len(converter.calls) == 2


def test_real_acts_are_kept_as_they_were_converted(data_root: Path, tmp_path: Path) -> None:
    path = data_root / "acts" / "31999L0031.eurlexsum.json"
    if not path.is_file():
        pytest.skip(f"real act absent: {path}")
    store = Store(tmp_path / "store")
    store.add(path.read_bytes(), id="31999L0031", format="text", media_type="application/json", source=path.name)
    act = Library(store).act("31999L0031")
    assert act is not None and "art_5" in act.by_address
    assert Library(store).act("31999L0031") == act
