"""Searches one act: by words, by token vectors, or by both fused and reranked."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from regreact.config import RetrieverSettings
from regreact.errors import DocumentRefusedError, StoreError
from regreact.rag.act import LegalAct
from regreact.rag.chunk import chunks
from regreact.rag.encoders import make_encoder
from regreact.rag.encoders.base import Encoder
from regreact.rag.fusion import reciprocal_rank_fusion
from regreact.rag.index import Index, content_hash
from regreact.rag.passages import Chunk, Passage


class ActRetriever:
    """A `Retriever` over an index.

    Example:
        >>> from regreact.rag.act import Provision
        >>> boats = Provision("art", "4", "art_4", "Mooring", ("Boats keep off the reeds.",))
        >>> act = LegalAct("32099R0001", "", "en", "text", "", "", (boats,))
        >>> [p.chunk.addresses for p in retriever(act).search("boats near reeds")]
        [('art_4',)]
    """

    def __init__(self, index: Index, settings: RetrieverSettings) -> None:
        self.index = index
        self.settings = settings
        self._celex = index.chunks[0].act.partition("-")[0] if index.chunks else ""

    def search(self, query: str, k: int | None = None) -> list[Passage]:
        """Return the best passages (`settings.k` unless `k` is given), best first.

        Empty if no chunk has a word of the query in it, whatever the vectors say.
        """
        settings = self.settings
        query = without_own_name(query, self._celex)
        rankings: dict[str, list[tuple[int, float]]] = {"lexical": self.index.lexical(query)[: settings.depth]}
        if not rankings["lexical"]:
            return []
        if settings.mode == "lexical":
            return self._passages(rankings["lexical"], rankings, k)
        vectors = self.index.encoder.encode_query(query)
        rankings["dense"] = self.index.dense(vectors)[: settings.depth]
        if settings.mode == "dense":
            return self._passages(rankings["dense"], {"dense": rankings["dense"]}, k)
        order = [[n for n, _ in ranking] for ranking in rankings.values()]
        best = reciprocal_rank_fusion(order, settings.rrf_k, (1, settings.dense_weight))
        if settings.mode == "fused_maxsim":
            best = rankings["maxsim"] = self.index.maxsim(vectors, [n for n, _ in best[: settings.rerank]])
        return self._passages(best, rankings, k)

    def _passages(
        self, best: Sequence[tuple[int, float]], rankings: dict[str, list[tuple[int, float]]], k: int | None
    ) -> list[Passage]:
        ranks = {name: {n: rank for rank, (n, _) in enumerate(ranking, 1)} for name, ranking in rankings.items()}
        return [
            Passage(self.index.chunks[n], score, {name: rank[n] for name, rank in ranks.items() if n in rank})
            for n, score in best[: k or self.settings.k]
        ]


def is_enacting(chunk: Chunk) -> bool:
    """True for text of articles and annexes, and of the divisions that hold them."""
    return bool(chunk.addresses) and not chunk.addresses[0].startswith("rec_")


# The act's type with what stands before it, and what may stand between type and number: "Council Directive 92/43/EEC",
# "Commission Delegated Regulation (EU) 2019/331", "Regulation (EC) No 715/2007 of the European Parliament and of the
# Council".
_NAME = (
    r"(?:(?:Council|Commission|Delegated|Implementing)\s)*"
    r"(?:Directive|Regulation|Decision|Recommendation)\s(?:\((?:EU|EC|EEC|Euratom)(?:,\s\w+)*\)\s)?(?:No\s)?"
    r"(?:{numbers})(?:/(?:EU|EC|EEC|Euratom))?(?!\d)"
    r"(?:\sof\sthe\s(?:European\sParliament\sand\sof\sthe\s)?Council)?"
)


def without_own_name(query: str, celex: str) -> str:
    """Cut an act's own name from a query to it: there it finds its title, notes and final provisions only.

    Example:
        >>> without_own_name("forests under Directive (EU) 2018/2001 and Directive 92/43/EEC", "32018L2001")
        'forests under and Directive 92/43/EEC'
    """
    number = re.fullmatch(r"3(\d{2})(\d{2})[A-Z]0*(\d+)", celex)
    if not number:
        return query
    century, year, running = number.groups()
    numbers = "|".join(rf"{y}/{running}|{running}/{y}" for y in (century + year, year))
    return " ".join(re.sub(_NAME.format(numbers=numbers), " ", query).split())


def retriever(
    act: LegalAct,
    settings: RetrieverSettings | None = None,
    *,
    encoder: Encoder | None = None,
    cache: Path | None = None,
) -> ActRetriever:
    """Return a retriever over an act.

    Args:
        act: The act.
        settings: How to chunk, index and rank; defaults if None.
        encoder: A loaded encoder to share between acts; made from the settings if None.
        cache: Folder in which indexes are kept. One that is damaged or stale is made anew.

    Raises:
        ConfigError: The encoder needs an extra or a checkpoint that is not there.
    """
    chosen = settings or RetrieverSettings()
    maker = encoder or make_encoder("lexical" if chosen.mode == "lexical" else chosen.encoder, chosen.checkpoint)
    cut = chunks(act, chosen.target_words, chosen.overlap_words)
    if chosen.scope == "enacting":
        cut = [chunk for chunk in cut if is_enacting(chunk)]
    if cache is None:
        return ActRetriever(Index.build(cut, maker, chosen.hnsw_above), chosen)
    content = content_hash(cut)
    key = hashlib.sha256(f"{content} {maker.name} {chosen.hnsw_above}".encode()).hexdigest()
    try:
        index = Index.open(cache / key, maker, content)
    except (StoreError, DocumentRefusedError):
        index = Index.build(cut, maker, chosen.hnsw_above)
        # A store that can only be read, or a full disk, serves as well, more slowly.
        with suppress(StoreError):
            index.save(cache / key)
    return ActRetriever(index, chosen)
