"""Reciprocal rank fusion and the ranking modes built on it."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from regreact.errors import ConfigError
from regreact.rag.encoders import make_encoder
from regreact.rag.fusion import reciprocal_rank_fusion
from regreact.config import RetrieverMode, RetrieverSettings
from regreact.rag.retriever import ActRetriever, retriever, without_own_name
from tests.rag.acts import SMALL

MODES: tuple[RetrieverMode, ...] = ("lexical", "dense", "fused", "fused_maxsim")


def test_fusion_by_hand() -> None:
    fused = reciprocal_rank_fusion([["a", "b", "c"], ["c", "a"]], k=60)
    assert [item for item, _ in fused] == ["a", "c", "b"]
    assert dict(fused) == pytest.approx({"a": 1 / 61 + 1 / 62, "c": 1 / 63 + 1 / 61, "b": 1 / 62})


def test_weights_and_k_by_hand() -> None:
    fused = reciprocal_rank_fusion([["a", "b"], ["b"]], k=1, weights=(1, 0.5))
    assert fused == [("b", pytest.approx(1 / 3 + 0.5 / 2)), ("a", pytest.approx(1 / 2))]


def test_equal_scores_keep_the_order_in_which_they_are_met() -> None:
    assert [item for item, _ in reciprocal_rank_fusion([["a", "b"], ["b", "a"]])] == ["a", "b"]


def test_no_ranking_gives_nothing() -> None:
    assert reciprocal_rank_fusion([[], []]) == []


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_finds_the_paragraph(mode: RetrieverMode) -> None:
    found = retriever(SMALL, RetrieverSettings(mode=mode)).search("distance of moorings from nests of a heron", k=3)
    assert found[0].chunk.addresses[0] == "art_3/par_1"
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)


def test_ranks_name_the_rankings_that_took_part() -> None:
    ranks = {m: retriever(SMALL, RetrieverSettings(mode=m)).search("nests of herons")[0].ranks for m in MODES}
    assert ranks == {
        "lexical": {"lexical": 1},
        "dense": {"dense": 1},
        "fused": {"lexical": 1, "dense": 1},
        "fused_maxsim": {"lexical": 1, "dense": 1, "maxsim": 1},
    }


def test_fused_scores_are_those_of_reciprocal_ranks() -> None:
    for passage in retriever(SMALL, RetrieverSettings(mode="fused")).search("noise of a petrol engine"):
        assert passage.score == pytest.approx(sum(1 / (60 + rank) for rank in passage.ranks.values()))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("query", ["", "of the and", "zebra"])
def test_a_query_without_a_word_of_the_act_finds_nothing(mode: RetrieverMode, query: str) -> None:
    assert retriever(SMALL, RetrieverSettings(mode=mode)).search(query) == []


def test_recitals_preamble_and_notes_are_searched_on_request_only() -> None:
    def kinds(found: ActRetriever) -> set[str]:
        return {(p.chunk.addresses or ("",))[0][:3] for p in found.search("lakes, herons, register", k=20)}

    assert kinds(retriever(SMALL)) == {"art", "anx"}
    assert kinds(retriever(SMALL, RetrieverSettings(scope="all"))) == {"art", "anx", "rec", ""}


def test_a_word_of_every_chunk_still_finds_them() -> None:
    """BM25 gives such a word a weight of zero or less."""
    found = retriever(SMALL, RetrieverSettings(mode="lexical", target_words=400)).search("boat moorings engines", k=20)
    assert {p.chunk.addresses[0] for p in found} >= {"art_1", "art_2", "art_3/par_1", "anx_I/prt_A/pnt_1"}


@pytest.mark.parametrize(
    ("name", "celex"),
    [
        ("Directive (EU) 2018/2001", "32018L2001"),
        ("Council Directive 92/43/EEC", "31992L0043"),
        ("Directive 2003/87/EC", "32003L0087"),
        ("Commission Delegated Regulation (EU) 2019/331", "32019R0331"),
        ("Commission Implementing Regulation (EU) 2021/447", "32021R0447"),
        ("Regulation (EC) No 715/2007 of the European Parliament and of the Council", "32007R0715"),
        ("Regulation (EU) 2016/679 of the Council", "32016R0679"),
        ("Decision 1999/31/Euratom", "31999D0031"),
        ("Regulation (EU, Euratom) 2018/1046", "32018R1046"),
        ("Recommendation 2013/179/EU", "32013H0179"),
    ],
)
def test_the_acts_own_name_is_cut_from_queries_to_it(name: str, celex: str) -> None:
    assert without_own_name(f"reeds under {name}.", celex) == "reeds under ."
    assert without_own_name(f"reeds under {name}.", "32088L0001") == f"reeds under {name}."
    assert without_own_name(f"reeds under {name}.", "") == f"reeds under {name}."


@pytest.mark.parametrize(
    "values",
    [
        {"mode": "best"},
        {"encoder": "word2vec"},
        {"target_words": 60, "overlap_words": 40},
        {"mode": "fused", "encoder": "lexical"},
        {"encoder": "colbert"},
        {"k": 0},
        {"colour": "red"},
    ],
)
def test_settings_that_cannot_hold_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        RetrieverSettings.model_validate(values)


def test_colbert_without_checkpoint_says_what_to_do(tmp_path: object) -> None:
    with pytest.raises(ConfigError, match=r"retriever\.checkpoint"):
        make_encoder("colbert", None)
    with pytest.raises(ConfigError, match="no such folder"):
        make_encoder("colbert", f"{tmp_path}/missing")
