"""(e) Retrieval: time to index and to ask, recall, HNSW against exact search, rank-bm25 against bm25s.

How to run me:  python -m experiments.bench.bench_e_retrieval [--quick]
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module, metadata
from typing import Any

import numpy as np

from experiments.bench.common import SAMPLES, data_folder, exponent, main, prose, spread, told
from experiments.retrieval import PINPOINTS, Acts, Case, cases, score, without_places
from regreact.rag.act import LegalAct
from regreact.rag.chunk import chunks, holding
from regreact.rag.encoders import make_encoder
from regreact.rag.index import HNSW_ABOVE, Index, searched_text
from regreact.rag.late_interaction import TokenVectors, faiss_or_none
from regreact.rag.passages import Chunk
from regreact.rag.retriever import RetrieverSettings, is_enacting, retriever, without_own_name
from regreact.rag.tokens import tokenize

TITLE = "Retrieval"
TOP = 5
# Chunks of the growing index; token vectors are searched up to the second number, since an HNSW graph of all takes
# minutes to build.
SIZES, MOST_WITH_VECTORS = (500, 1000, 2000, 4000, 8000), 2000
QUERIES = 40

Search = Callable[[str], Sequence[Chunk]]


class BM25S:
    """Chunks searched by bm25s with the package's own words: the variant and constants of rank-bm25."""

    def __init__(self, cut: Sequence[Chunk]) -> None:
        bm25s = import_module("bm25s")
        self.chunks = list(cut)
        self._index = bm25s.BM25(method="robertson", k1=1.5, b=0.75)
        self._index.index([tokenize(searched_text(c)) for c in cut], show_progress=False)

    def search(self, query: str, k: int = TOP) -> list[Chunk]:
        """Return the best chunks."""
        words = list(dict.fromkeys(tokenize(query)))
        found, _ = self._index.retrieve([words], k=min(k, len(self.chunks)), show_progress=False)
        return [self.chunks[int(n)] for n in found[0]]


def has_bm25s() -> bool:
    """True if bm25s is installed; it is no dependency."""
    try:
        import_module("bm25s")
    except ImportError:
        return False
    return True


# --- recall, act by act ---------------------------------------------------------------------------------------


def variants() -> dict[str, Callable[[LegalAct], Search]]:
    """Return what makes a search over one act, by name."""

    def packaged(**settings: Any) -> Callable[[LegalAct], Search]:
        def make(act: LegalAct) -> Search:
            made = retriever(act, RetrieverSettings(**settings))
            return lambda query: [p.chunk for p in made.search(query, TOP)]

        return make

    def rival(act: LegalAct) -> Search:
        made = BM25S([c for c in chunks(act) if is_enacting(c)])
        return lambda query: made.search(without_own_name(query, act.celex))

    found = {"rank-bm25": packaged(mode="lexical")}
    if has_bm25s():
        found["bm25s"] = rival
    found["token vectors, exact"] = packaged(mode="dense")
    found["rank-bm25 and token vectors fused (default)"] = packaged(mode="fused")
    return found


def recall(asked: Mapping[str, tuple[LegalAct, list[Case]]]) -> Iterator[str]:
    """Yield the table of recall."""
    yield "| search of the cited act | recall@5 | index, ms CPU an act | query, ms CPU |"
    yield "|---|---:|---:|---:|"
    for name, make in variants().items():
        means, indexing, asking = [], 0.0, []
        for act, own in asked.values():
            start = time.process_time()
            search = make(act)
            search(own[0].query)  # what is made at the first query belongs to the index
            indexing += time.process_time() - start
            results = []
            cut = [c for c in chunks(act) if is_enacting(c)]
            for case in own:
                start = time.process_time()
                ranked = search(case.query)
                asking.append(time.process_time() - start)
                results.append(score(ranked, [holding(cut, act.by_address[a]) for a in case.addresses])[0])
            means.append(float(np.mean(results)))
        index = 1000 * indexing / len(asked)
        yield f"| {name} | {np.mean(means):.3f} | {index:.0f} | {1000 * float(np.median(asking)):.2f} |"
        told(name)


# --- growth, acts joined ---------------------------------------------------------------------------------------


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """Return what a call gives and its CPU seconds."""
    start = time.process_time()
    result = call()
    return result, time.process_time() - start


def asked_all(search: Callable[[str], Sequence[int]], queries: Sequence[str]) -> tuple[list[set[int]], list[float]]:
    """Return the first five of each query and its CPU seconds; the first query is asked once more untimed."""
    search(queries[0])
    found = [timed(lambda q=q: set(search(q)[:TOP])) for q in queries]
    return [f for f, _ in found], [max(s, 1e-6) for _, s in found]


def overlap(left: Sequence[set[int]], right: Sequence[set[int]]) -> float:
    """Return the mean share of the first five that two searches share."""
    return float(np.mean([len(a & b) / max(len(a), 1) for a, b in zip(left, right, strict=True)]))


def words(cut: Sequence[Chunk], queries: Sequence[str]) -> dict[str, list[float]]:
    """Return CPU seconds of rank-bm25 and bm25s, and `same`, how far they agree."""
    own, built = timed(lambda: Index.build(cut, make_encoder("lexical")))
    first, times = asked_all(lambda q: [n for n, _ in own.lexical(q)], queries)
    found = {"index": [built], "query": times}
    if has_bm25s():
        rival, built = timed(lambda: BM25S(cut))
        places = {id(c): n for n, c in enumerate(cut)}
        second, times = asked_all(lambda q: [places[id(c)] for c in rival.search(q)], queries)
        found |= {"index_s": [built], "query_s": times, "same": [overlap(first, second)]}
    return found


def vectors(cut: Sequence[Chunk], queries: Sequence[str]) -> dict[str, list[float]]:
    """Return CPU seconds of exact and HNSW search, tokens, and `same`, how far they agree in the first five."""
    index, built = timed(lambda: Index.build(cut, make_encoder("terms"), hnsw_above=10**9))
    encoded = {q: index.encoder.encode_query(q) for q in queries}
    first, times = asked_all(lambda q: [n for n, _ in index.dense(encoded[q])], queries)
    found = {"index": [built], "query": times, "tokens": [float(len(index.tokens.vectors))]}
    faiss = faiss_or_none()
    if faiss is not None:
        faiss.omp_set_num_threads(1)  # waiting threads would count as CPU time
        index.tokens = TokenVectors(index.tokens.vectors, index.tokens.starts, hnsw_above=0)
        _, graph = timed(lambda: index.dense(encoded[queries[0]]))
        second, times = asked_all(lambda q: [n for n, _ in index.dense(encoded[q])], queries)
        found |= {"graph": [graph], "query_h": times, "same": [overlap(first, second)]}
    return found


def growth(acts: Sequence[LegalAct], queries: Sequence[str], sizes: Sequence[int]) -> Iterator[str]:
    """Yield the tables of growth."""
    joined = [(c, act) for act in acts for c in chunks(act)]
    held = len({(act.celex, p.address) for _, act in joined for p in act.walk() if p.kind == "art"})
    yield ""
    yield from prose(
        f"Growth: the first chunks of all acts at hand ({held:,} articles, {len(joined):,} chunks) in one index, "
        f"{len(queries)} queries, CPU milliseconds, queries as median (least–greatest). Agreement: share of the "
        "first five chunks that two searches have in common; for HNSW that is its recall of what exact search finds."
    )
    yield ""
    yield "| chunks | rank-bm25 index | rank-bm25 query | bm25s index | bm25s query | agreement |"
    yield "|---:|---:|---:|---:|---:|---:|"
    sizes = sorted({min(n, len(joined)) for n in sizes})
    by_words = {}
    for n in sizes:
        found = by_words[n] = words([c for c, _ in joined[:n]], queries)
        told(f"{n} chunks by words")
        yield f"| {n:,} | {_columns(found, 'index', 'query', 'index_s', 'query_s')} |"
    yield ""
    yield "| chunks | tokens | encode and index | exact query | HNSW graph | HNSW query | agreement |"
    yield "|---:|---:|---:|---:|---:|---:|---:|"
    for n in [s for s in sizes if s <= MOST_WITH_VECTORS]:
        found = vectors([c for c, _ in joined[:n]], queries)
        told(f"{n} chunks by vectors")
        yield f"| {n:,} | {found['tokens'][0]:,.0f} | {_columns(found, 'index', 'query', 'graph', 'query_h')} |"
    yield ""
    largest = max(sum(len(tokenize(searched_text(c))) for c in chunks(act)) for act in acts)
    yield from prose(
        f"HNSW is taken above {HNSW_ABOVE:,} tokens in one act; the largest at hand has {largest:,}. "
        f"{_exponents(by_words)}"
    )


def _columns(found: Mapping[str, Sequence[float]], *names: str) -> str:
    shown = [spread(found[n], 1, 1000) if n in found else "not installed" for n in names]
    return " | ".join([*shown, f"{found['same'][0]:.2f}" if "same" in found else "-"])


def _exponents(found: Mapping[int, Mapping[str, Sequence[float]]]) -> str:
    if len(found) < 2:
        return ""
    sizes = list(found)
    index, query = ([float(np.median(found[n][name])) for n in sizes] for name in ("index", "query"))
    shown = f"{exponent(sizes, index):.2f} (index) and {exponent(sizes, query):.2f} (query)"
    return f"Fitted exponents of rank-bm25 over chunks: {shown}."


# --- what is searched -----------------------------------------------------------------------------------------


def real() -> tuple[Acts, dict[str, tuple[LegalAct, list[Case]]]]:
    """Return the acts at hand and, by act, the citations that are looked for."""
    acts = Acts(data_folder() / "acts")
    found: dict[str, tuple[LegalAct, list[Case]]] = {}
    entries = json.loads(PINPOINTS.read_text(encoding="utf-8")) if PINPOINTS.is_file() else []
    for case in cases(entries, None, acts):
        act = acts.get(case.celex)
        if act is not None and all(a in act.by_address for a in case.addresses):
            found.setdefault(case.celex, (act, []))[1].append(case)
    return acts, found


def samples() -> tuple[Acts, dict[str, tuple[LegalAct, list[Case]]]]:
    """Return the invented acts, and of each its articles, looked for by their own text."""
    acts = Acts(SAMPLES / "acts")
    found = {}
    for celex in acts.held:
        act = acts.get(celex)
        assert act is not None
        articles = [p for p in act.walk() if p.kind == "art"]
        found[celex] = act, [Case(p.address, celex, without_places(p.text), (p.address,)) for p in articles]
    return acts, found


def lines(quick: bool) -> Iterator[str]:
    """Yield the section."""
    acts, asked = samples() if quick else real()
    held = [act for celex in acts.held if (act := acts.get(celex)) is not None]
    number = sum(len(own) for _, own in asked.values())
    versions = ", ".join(f"{name} {_version(name)}" for name in ("rank-bm25", "bm25s", "faiss-cpu"))
    yield from prose(
        f"{versions}. {number} citations of {len(asked)} acts: the query is the criterion that cites, without the "
        "place that it names ([how](retrieval.md)); recall@5 is the share of the cited provisions of which a chunk "
        "is among the first five, mean over acts."
    )
    yield ""
    if asked:
        yield from recall(asked)
    queries = [case.query for _, own in asked.values() for case in own] or [c.text for c in chunks(held[0])]
    yield from growth(held, queries[:: max(1, len(queries) // QUERIES)][:QUERIES], (20, 40) if quick else SIZES)


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


if __name__ == "__main__":
    main(lines)
