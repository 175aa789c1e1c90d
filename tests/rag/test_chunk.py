"""Chunks follow articles, paragraphs and annex divisions, lose no word and know where they stand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regreact.errors import ConfigError
from regreact.rag.act import LegalAct, Provision, Table
from regreact.rag.chunk import DIVISIONS, SENTENCE_END, chunks, holding
from regreact.rag.passages import Chunk
from tests.rag.acts import SMALL, act, provision, random_acts


def words(text: str) -> Counter[str]:
    return Counter(text.split())


def by_first(made: list[Chunk]) -> dict[str, Chunk]:
    return {c.addresses[0]: c for c in made if c.addresses}


def test_short_paragraphs_of_an_article_are_joined_under_its_headings() -> None:
    chunk = by_first(chunks(SMALL))["art_3/par_1"]
    assert chunk.addresses == ("art_3/par_1", "art_3/par_1/pnt_a", "art_3/par_1/pnt_b", "art_3/par_2")
    assert chunk.context == "Chapter II Siting, Article 3 Distances"
    assert chunk.text.splitlines() == [
        "1. A mooring keeps a distance:",
        "(a) of 20 metres from reed belts;",
        "(b) of 50 metres from nests of herons.",
        "The distance is measured at low water.",
        "2. Paragraph 1 does not apply to rescue boats.",
    ]


def test_recitals_preamble_annex_parts_and_footnotes_are_chunks_of_their_own() -> None:
    made = chunks(SMALL)
    assert [(c.addresses[:1], c.context) for c in made] == [
        ((), ""),
        (("rec_1",), "Recitals"),
        (("rec_2",), "Recitals"),
        (("art_1",), "Chapter I General rules, Article 1 Subject matter"),
        (("art_2",), "Chapter I General rules, Article 2 Definitions"),
        (("art_3/par_1",), "Chapter II Siting, Article 3 Distances"),
        (("anx_I/prt_A/pnt_1",), "Annex I Engines and waves, Part A Noise"),
        (("anx_I/prt_B/pnt_1",), "Annex I Engines and waves, Part B Waves"),
        ((), "Footnotes"),
    ]
    assert made[1].text == "(1) Herons nest where reeds grow and boats are few."


def test_a_paragraph_is_whole_unless_it_is_longer_than_the_target() -> None:
    twelve = "Boats keep off the reeds where herons nest in early spring"
    article = provision("art", "1", *(provision("par", str(n), f"{twelve}.") for n in range(1, 4)))
    made = chunks(act(article), target_words=25, overlap_words=0)
    assert [c.addresses for c in made] == [("art_1/par_1", "art_1/par_2"), ("art_1/par_3",)]


def test_a_long_paragraph_is_cut_at_its_points() -> None:
    points = (provision("pnt", label, f"rule {label} on reeds and boats;") for label in "abcdef")
    article = provision("art", "1", provision("par", "1", "Boats observe:", *points))
    made = chunks(act(article), target_words=20, overlap_words=8)
    assert [c.text.splitlines() for c in made[:2]] == [
        ["1. Boats observe:", "(a) rule a on reeds and boats;", "(b) rule b on reeds and boats;"],
        ["(b) rule b on reeds and boats;", "(c) rule c on reeds and boats;"],
    ]
    assert made[1].addresses == ("art_1/par_1/pnt_b", "art_1/par_1/pnt_c")


def test_a_long_sentence_is_cut_at_sentences_then_words() -> None:
    first, second = " ".join(["reed"] * 18) + ".", " ".join(["Boat"] * 45) + "."
    made = chunks(act(provision("art", "1", f"{first} {second}")), target_words=20, overlap_words=0)
    assert [len(c.text.split()) for c in made] == [18, 20, 20, 5]


def test_a_table_is_cut_between_rows_and_repeats_its_header() -> None:
    rows = (("Engine", "Noise limit"), *((f"engine {n}", f"{n} dB") for n in range(12)))
    made = chunks(act(provision("anx", "", Table(rows, caption="Engines"))), target_words=20, overlap_words=10)
    assert made[0].text.splitlines()[:2] == ["Engines", "Engine\tNoise limit"]
    assert len(made) > 2
    assert all(c.text.splitlines()[0] == "Engine\tNoise limit" for c in made[1:])
    assert [line for c in made for line in c.text.splitlines() if "dB" in line] == ["\t".join(r) for r in rows[1:]]


def test_a_heading_without_text_is_kept() -> None:
    made = chunks(act(provision("chp", "I", provision("art", "2", heading="Deleted"))))
    assert [(c.addresses, c.context, c.text) for c in made] == [(("art_2",), "Chapter I", "Article 2 Deleted")]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Boats keep off. Herons nest.", 2),
        ("Boats keep off; Herons nest.", 2),
        ("Boats keep off: (a) reeds.", 2),
        ("Boats keep off. ‘Reeds’ are plants.", 2),
        ("Boats keep off. — Herons.", 2),
        ("Regulation (EU) No. 5 applies.", 1),
        ("See Nos. A and B.", 1),
        ("See Art. I of it.", 1),
        ("Boats, e.g. Ferries.", 1),
        ("Boats, i.e. Ferries.", 1),
        ("By J. Smith alone.", 1),
        ("At 4.5 metres.", 1),
    ],
)
def test_ends_of_sentences(text: str, parts: int) -> None:
    assert len(SENTENCE_END.split(text)) == parts


@pytest.mark.parametrize(
    ("address", "first"),
    [
        ("chp_I", ["art_1", "art_2"]),
        ("art_3/par_1/pnt_b", ["art_3/par_1"]),
        ("anx_I", ["anx_I/prt_A/pnt_1", "anx_I/prt_B/pnt_1"]),
    ],
)
def test_chunks_that_hold_a_provision_or_what_is_below_it(address: str, first: list[str]) -> None:
    assert [c.addresses[0] for c in holding(chunks(SMALL), SMALL.by_address[address])] == first


@pytest.mark.parametrize(("target", "overlap"), [(10, 0), (100, -1), (100, 60)])
def test_impossible_sizes_are_refused(target: int, overlap: int) -> None:
    with pytest.raises(ConfigError, match="overlap"):
        chunks(SMALL, target, overlap)


# --- properties -------------------------------------------------------------------------------------------


def division(by_address: dict[str, Provision], address: str) -> str:
    """Innermost division that a provision is or stands in."""
    while by_address[address].kind not in DIVISIONS:
        address = address.rpartition("/")[0]
    return address


@given(random_acts(), st.integers(20, 80), st.integers(0, 10))
@settings(max_examples=60, deadline=None)
def test_no_word_is_lost(made: LegalAct, target: int, overlap: int) -> None:
    found: Counter[str] = Counter()
    contexts: set[str] = set()
    for chunk in chunks(made, target, overlap):
        found += words(chunk.text)
        contexts.add(chunk.context)
    for context in contexts:
        found += words(context.replace(",", ""))
    assert not words(made.text) - found


@given(random_acts(), st.integers(20, 80))
@settings(max_examples=60, deadline=None)
def test_without_overlap_nothing_is_repeated_and_the_order_is_kept(made: LegalAct, target: int) -> None:
    bare = _without_tables(made)
    printed = iter(bare.text.split())
    assert all(word in printed for chunk in chunks(bare, target, 0) for word in chunk.text.split())


@given(random_acts(), st.integers(20, 80), st.integers(0, 10))
@settings(max_examples=60, deadline=None)
def test_chunks_keep_within_one_division_and_know_their_provisions(made: LegalAct, target: int, overlap: int) -> None:
    by_address = made.by_address
    for chunk in chunks(made, target, overlap):
        assert len({division(by_address, a) for a in chunk.addresses}) <= 1
        text = Counter(word for a in chunk.addresses for word in by_address[a].text.split())
        if chunk.addresses:
            assert set(words(chunk.text)) <= set(text)


@given(random_acts(), st.integers(20, 80), st.integers(0, 10))
@settings(max_examples=60, deadline=None)
def test_every_provision_is_held(made: LegalAct, target: int, overlap: int) -> None:
    cut = chunks(made, target, overlap)
    assert all(holding(cut, p) for p in made.walk())


@given(random_acts(), st.integers(20, 80), st.integers(0, 10))
@settings(max_examples=60, deadline=None)
def test_no_chunk_is_longer_than_the_target_but_for_a_header(made: LegalAct, target: int, overlap: int) -> None:
    for chunk in chunks(made, target, overlap):
        assert len(chunk.text.split()) <= target + target // 2


def _without_tables(made: LegalAct) -> LegalAct:
    def bare(part: Provision) -> Provision:
        kept = tuple(bare(p) if isinstance(p, Provision) else p for p in part.content if not isinstance(p, Table))
        return replace(part, content=kept)

    return replace(made, content=tuple(bare(p) if isinstance(p, Provision) else p for p in made.content))
