"""The index: exact MaxSim, candidates, and files that are read as data."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regreact.errors import DocumentRefusedError, StoreError
from regreact.rag import index_files
from regreact.rag.chunk import chunks
from regreact.rag.encoders.base import Encoder, Vectors
from regreact.rag.encoders.lexical import LexicalEncoder
from regreact.rag.encoders.terms import TermEncoder
from regreact.rag.index import Index, content_hash
from regreact.rag.late_interaction import TokenVectors
from regreact.rag.retriever import RetrieverSettings, retriever
from regreact.rag.tokens import tokenize
from tests.rag.acts import SMALL

QUERIES = ("nests of herons", "noise limit of petrol engines", "rescue boats", "width of a reed belt in metres")


def vectors(seed: int, tokens: int, dimensions: int = 16) -> Vectors:
    drawn = np.random.default_rng(seed).standard_normal((tokens, dimensions)).astype(np.float32)
    unit: Vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return unit


# --- words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("2018/2001", ["2018/2001"]),
        ("92/43/EEC", ["92/43/eec"]),
        ("29(2)", ["29(2)"]),
        ("6(1)(b)", ["6(1)(b)"]),
        ("5.1(c)", ["5.1(c)"]),
        ("10.1.5", ["10.1.5"]),
        ("0,722 t", ["0,722", "t"]),
        ("10a(5)", ["10a(5)"]),
        ("2018/2001(15)", ["2018/2001", "15"]),
        ("2018(1)", ["2018", "1"]),
        ("CO2e", ["co2e"]),
        ("high-carbon", ["high", "carbon"]),
        ("Member State’s", ["member", "state"]),
        ("policies", ["policy"]),
        ("emissions", ["emission"]),
        ("gas process status basis", ["gas", "process", "status", "basis"]),
        ("the use of that", ["use"]),
    ],
)
def test_words_of_legal_text(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


# --- late interaction -------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 9), min_size=1, max_size=8), st.integers(1, 6), st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_maxsim_is_the_sum_of_best_similarities(lengths: list[int], asked: int, seed: int) -> None:
    passages = [vectors(seed + n, length) for n, length in enumerate(lengths)]
    query = vectors(seed + 99, asked)
    tokens = TokenVectors.of(passages, hnsw_above=10**6)
    order = list(reversed(range(len(passages))))
    naive = [sum(max(float(q @ d) for d in passages[n]) for q in query) if len(passages[n]) else 0.0 for n in order]
    assert tokens.maxsim(query, order) == pytest.approx(naive, abs=1e-5)


def test_flat_candidates_are_the_nearest_tokens() -> None:
    passages = [vectors(n, 20) for n in range(30)]
    query = vectors(77, 4)
    tokens = TokenVectors.of(passages, hnsw_above=10**6)
    similarity = query @ np.concatenate(passages).T
    nearest = {int(n) // 20 for row in similarity for n in np.argsort(-row)[:8]}
    assert set(tokens.candidates(query, per_token=8).tolist()) == nearest


def test_hnsw_finds_nearly_all_that_exact_search_finds() -> None:
    pytest.importorskip("faiss", reason="faiss is an extra (index-cpu)")
    passages = [vectors(n, 100, dimensions=48) for n in range(60)]
    query = vectors(7777, 40, dimensions=48)
    tokens = TokenVectors.of(passages, hnsw_above=1000)
    assert tokens.uses_hnsw
    exact, found = tokens.flat(query, 20), tokens.nearest(query, 20)
    recall = np.mean([len(set(e) & set(f)) / 20 for e, f in zip(exact.tolist(), found.tolist(), strict=True)])
    assert recall >= 0.95


def test_without_faiss_exact_search_stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regreact.rag.late_interaction.faiss_or_none", lambda: None)
    tokens = TokenVectors.of([vectors(1, 5), vectors(2, 5)], hnsw_above=0)
    assert not tokens.uses_hnsw
    assert tokens.candidates(vectors(3, 2), per_token=10).tolist() == [0, 1]


def test_hnsw_and_exact_search_rank_alike() -> None:
    pytest.importorskip("faiss", reason="faiss is an extra (index-cpu)")
    flat, hnsw = (retriever(SMALL, RetrieverSettings(mode="dense", hnsw_above=n)) for n in (10**6, 0))
    assert hnsw.index.tokens.uses_hnsw
    for query in QUERIES:
        assert [p.chunk for p in flat.search(query)] == [p.chunk for p in hnsw.search(query)]


# --- term vectors -----------------------------------------------------------------------------------------


def test_term_vectors_are_unit_rows_and_liken_inflected_forms() -> None:
    encoder = TermEncoder().fitted(["the moored boat", "a mooring for boats", "herons nest in reeds"])
    assert all(np.linalg.norm(v, axis=1) == pytest.approx(1, abs=1e-3) for v in encoder.encode_passages(["boat reed"]))
    moored, mooring, heron = (encoder.encode_query(w)[0] for w in ("moored", "mooring", "herons"))
    assert float(moored @ mooring) > 2 * abs(float(moored @ heron))


def test_numbers_are_not_alike() -> None:
    first, second = (TermEncoder().encode_query(n)[0] for n in ("2018/2001", "2018/2002"))
    assert abs(float(first @ second)) < 0.01


def test_a_rare_word_weighs_more() -> None:
    encoder = TermEncoder().fitted(["boat reed", "boat", "boat quay"])
    rare, common = (float(np.linalg.norm(encoder.encode_query(w))) for w in ("reed", "boat"))
    assert rare > 3 * common


def test_a_passage_without_words_has_no_rows() -> None:
    assert TermEncoder().fitted(["", "of the"]).encode_passages(["", "of the"])[0].shape == (0, TermEncoder.dimensions)
    assert Index.build([], TermEncoder()).lexical("boat") == []


# --- files ------------------------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    Index.build(chunks(SMALL), TermEncoder()).save(tmp_path / "index")
    return tmp_path / "index"


@pytest.mark.parametrize("encoder", [TermEncoder(), LexicalEncoder()])
def test_a_reopened_index_ranks_exactly_alike(encoder: Encoder, tmp_path: Path) -> None:
    built = Index.build(chunks(SMALL), encoder)
    built.save(tmp_path)
    opened = Index.open(tmp_path, encoder, content_hash(chunks(SMALL)))
    assert opened.chunks == built.chunks
    for query in QUERIES:
        assert opened.lexical(query) == built.lexical(query)
        assert opened.dense(opened.encoder.encode_query(query)) == built.dense(built.encoder.encode_query(query))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["index.json", "vectors.npz"]


def test_a_missing_index_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"index\.json: there is no index"):
        Index.open(tmp_path, TermEncoder())


def test_other_content_version_or_encoder_is_refused(saved: Path) -> None:
    with pytest.raises(StoreError, match="another act"):
        Index.open(saved, TermEncoder(), content="0" * 64)
    with pytest.raises(StoreError, match="encoder terms, asked for is lexical"):
        Index.open(saved, LexicalEncoder())
    change(saved, version=99)
    with pytest.raises(StoreError, match="version 99"):
        Index.open(saved, TermEncoder())


def change(folder: Path, **values: object) -> None:
    """Change keys of the head."""
    head = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    (folder / "index.json").write_text(json.dumps(head | values), encoding="utf-8")


def replace_arrays(folder: Path, data: bytes) -> None:
    """Put other arrays beside the head, with the hash that it wants."""
    (folder / "vectors.npz").write_bytes(data)
    change(folder, arrays=index_files._sha256(folder / "vectors.npz"))


def npz(**arrays: object) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]  # hostile on purpose
    return file.getvalue()


def test_changed_chunks_are_refused(saved: Path) -> None:
    head = json.loads((saved / "index.json").read_text(encoding="utf-8"))
    head["chunks"][0]["text"] = "Boats may moor anywhere."
    change(saved, chunks=head["chunks"])
    with pytest.raises(StoreError, match="have changed"):
        Index.open(saved, TermEncoder())


@pytest.mark.parametrize("head", ["", "{", "[]", '{"version": "1"}', '{"version": 1, "chunks": [3]}'])
def test_a_damaged_head_is_refused(saved: Path, head: str) -> None:
    (saved / "index.json").write_text(head, encoding="utf-8")
    with pytest.raises(StoreError, match=r"index\.json"):
        Index.open(saved, TermEncoder())


def test_arrays_of_another_index_are_refused(saved: Path) -> None:
    (saved / "vectors.npz").write_bytes(npz(vectors=np.zeros(1)))
    with pytest.raises(StoreError, match="does not belong"):
        Index.open(saved, TermEncoder())


def test_objects_are_never_unpickled(saved: Path) -> None:
    replace_arrays(saved, npz(vectors=np.array([{"boat": 1}], dtype=object)))
    with pytest.raises(DocumentRefusedError, match="Python objects"):
        Index.open(saved, TermEncoder())


def test_an_array_that_claims_more_than_it_holds_is_refused(saved: Path) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f2", "fortran_order": False, "shape": (10**9, 192)})
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("vectors.npy", header.getvalue() + b"\0" * 64)
    replace_arrays(saved, packed.getvalue())
    with pytest.raises(DocumentRefusedError, match="claims"):
        Index.open(saved, TermEncoder())


def test_files_above_the_limit_are_refused(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_files, "MAX_BYTES", 100)
    with pytest.raises(DocumentRefusedError, match="larger"):
        Index.open(saved, TermEncoder())


@pytest.mark.parametrize(
    "arrays",
    [
        {},
        {"starts": np.array([0, 5])},
        {"starts": np.array([0, 9, 3, 4, 5, 6, 7, 8, 9, 10])},
        {"vectors": np.full((3, 192), np.nan, dtype=np.float16)},
        {"vectors": np.zeros((3, 7), dtype=np.float16)},
        {"state_weights": np.zeros(1)},
    ],
)
def test_arrays_that_do_not_fit_are_refused(saved: Path, arrays: dict[str, object]) -> None:
    with np.load(saved / "vectors.npz", allow_pickle=False) as loaded:
        own = dict(loaded)
    replace_arrays(saved, npz(**(own | arrays if arrays else {})))
    with pytest.raises(StoreError, match="fit"):
        Index.open(saved, TermEncoder())


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 broken", b"\x80\x04N."])
def test_what_is_no_archive_is_refused(saved: Path, data: bytes) -> None:
    replace_arrays(saved, data)
    with pytest.raises(StoreError, match="cannot be read"):
        Index.open(saved, TermEncoder())


def test_the_cache_is_used_and_mended(tmp_path: Path) -> None:
    first = retriever(SMALL, cache=tmp_path).search("herons")
    (folder,) = tmp_path.iterdir()
    written = (folder / "vectors.npz").stat().st_mtime_ns
    assert retriever(SMALL, cache=tmp_path).search("herons") == first
    assert (folder / "vectors.npz").stat().st_mtime_ns == written
    (folder / "vectors.npz").write_bytes(b"")
    assert retriever(SMALL, cache=tmp_path).search("herons") == first
    assert retriever(SMALL, RetrieverSettings(target_words=20, overlap_words=0), cache=tmp_path).search("herons")
    assert len(list(tmp_path.iterdir())) == 2
