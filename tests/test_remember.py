"""What is kept of texts is bounded in number and length, and nobody changes it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from regreact.fastpath.wording import read_sentences
from regreact.legal.citations import find_citations
from regreact.legal.points import find_internal_points
from regreact.remember import LONGEST, TEXTS, remembered


def test_a_text_is_read_once() -> None:
    read: list[str] = []

    @remembered
    def words(text: str, start: int = 0) -> tuple[str, ...]:
        read.append(text)
        return tuple(text[start:].split())

    assert words("ore is washed") == words("ore is washed") == ("ore", "is", "washed")
    assert words("ore is washed", start=4) == ("is", "washed")
    assert read == ["ore is washed", "ore is washed"]


def test_number_and_length_of_texts_are_bounded() -> None:
    @remembered
    def length(text: str) -> int:
        return len(text)

    for i in range(TEXTS + 10):
        length(str(i))
    length("x" * (LONGEST + 1))
    info = length.cache_info()  # type: ignore[attr-defined]
    assert (info.currsize, info.maxsize) == (TEXTS, TEXTS)
    assert info.misses == TEXTS + 10  # the long text was not looked for


def test_changing_a_result_does_not_change_the_next() -> None:
    text = "Where the kiln is old, point 1(a) and Article 3 of Directive 2099/1/EU apply."
    for find in (find_citations, find_internal_points, read_sentences):
        found = find(text)
        assert found
        copy = list(found)
        found.clear()
        assert find(text) == copy


def test_citations_depend_on_those_before() -> None:
    text = "Article 3 of that Directive applies."
    before = find_citations("Directive 2099/1/EU applies.")
    assert [c.celex for c in find_citations(text, before)] != [c.celex for c in find_citations(text)]


def test_threads_get_the_same() -> None:
    texts = [f"Losses of mill {i % 7} are below {i % 7} %, as laid down in Article {i % 7} of Regulation (EU) 2099/{i % 7}." for i in range(200)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(find_citations, texts))
    assert found == [find_citations(t) for t in texts]
