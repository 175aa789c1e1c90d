"""What is printed in a legal style is read back equal, and what is found stands in the text."""

from __future__ import annotations

import itertools
import re

from drafting import DAYS, UNITS, disguised, examples, printed_acts, printed_dates, printed_numbers, sentences
from hypothesis import given
from hypothesis import strategies as st

from regreact.legal.citations import find_citations, find_internal_points
from regreact.legal.dates import DATE, parse_date
from regreact.legal.mentions import find_mentions
from regreact.legal.numbers import NUMBER, parse_number
from regreact.legal.units import UNIT, normalise_unit, spell_unit
from regreact.sources.blocks import fold


@examples(200)
@given(printed_numbers())
def test_numbers_are_read_back(drawn: tuple[str, float]) -> None:
    printed, value = drawn
    match = re.search(rf"{NUMBER}", f"of {printed} kg", re.I)
    assert match is not None and match[0] == printed
    assert parse_number(printed) == value


@examples(50)
@given(st.integers(1, 999), st.integers(0, 999), st.sampled_from(",."))
def test_one_group_of_three_follows_the_mark_of_thousands(whole: int, rest: int, mark: str) -> None:
    printed = f"{whole}{mark}{rest:03}"
    assert parse_number(printed) == float(f"{whole}.{rest:03}")
    assert parse_number(printed, mark) == whole * 1000 + rest
    assert parse_number(f"0{mark}{rest:03}", mark) == float(f"0.{rest:03}")


@examples(60)
@given(st.text("0123456789", min_size=1, max_size=1200), st.sampled_from([" ", ",", ".", ""]))
def test_numbers_of_any_length_are_finite_or_refused(digits: str, mark: str) -> None:
    printed = mark.join(digits[i : i + 3] for i in range(0, len(digits), 3))
    try:
        assert parse_number(printed) < float("inf")
    except ValueError:
        pass


@examples(100)
@given(printed_dates())
def test_dates_are_read_back(drawn: tuple[str, str]) -> None:
    printed, iso = drawn
    match = re.search(DATE, f"by {printed}.")
    assert match is not None and match[0] == printed
    assert parse_date(printed, last_day=True) == parse_date(printed, last_day=False) == iso


@examples(50)
@given(DAYS, st.integers(29, 99))
def test_impossible_days_are_refused(day: object, number: int) -> None:
    printed = f"{number} February 2030"
    try:
        parse_date(printed, last_day=True)
    except ValueError:
        return
    raise AssertionError(f"{printed} was read")


@examples(50)
@given(UNITS)
def test_units_are_read_back(unit: str) -> None:
    assert re.fullmatch(UNIT, unit)
    assert spell_unit(spell_unit(unit)) == spell_unit(unit)
    assert normalise_unit(unit) == normalise_unit(spell_unit(unit))


@examples(150)
@given(printed_acts())
def test_citations_are_read_back(drawn: tuple[str, str, tuple[str, ...]]) -> None:
    printed, celex, places = drawn
    found = find_citations(f"The kiln complies with {printed}, as amended.")
    assert [(c.phrase, c.celex, c.addresses) for c in found] == [(printed, celex, places)]


@examples(80)
@given(printed_acts(), st.data())
def test_citations_are_found_whatever_shows_nothing(drawn: tuple[str, str, tuple[str, ...]], data: st.DataObject) -> None:
    printed, celex, _ = drawn
    text = f"The kiln complies with {printed}."
    seen = fold(data.draw(disguised(text)))
    assert seen == text
    assert [c.celex for c in find_citations(seen)] == [celex]


@examples(120)
@given(sentences() | st.text(max_size=200))
def test_what_is_found_stands_in_the_text(text: str) -> None:
    citations = find_citations(text)
    for c in citations:
        assert 0 <= c.start < c.end <= len(text) and c.phrase
    for a, b in itertools.pairwise(citations):
        assert a.start <= b.start
    for point in find_internal_points(text):
        assert 0 <= point.start < point.end <= len(text)
    for mention in find_mentions(text):
        assert text[mention.start : mention.end] == mention.text
