"""Printed numbers: decimal marks, spaced thousands, words, fractions, magnitudes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreact.legal.numbers import DIGITS, FRACTION, FRACTIONS, NUMBER, SPACES, WORDS, parse_number


@pytest.mark.parametrize("space", list(SPACES))
def test_every_space_separates_thousands(space: str) -> None:
    assert parse_number(f"1{space}234{space}567") == 1234567


@pytest.mark.parametrize("word", sorted(WORDS))
def test_every_number_word_is_read(word: str) -> None:
    assert re.fullmatch(NUMBER, word)
    assert parse_number(word.capitalize()) == WORDS[word]


@pytest.mark.parametrize("fraction", sorted(FRACTIONS))
def test_fractions_are_read_with_space_and_hyphen(fraction: str) -> None:
    assert parse_number(fraction) == parse_number(fraction.replace(" ", "-")) == FRACTIONS[fraction]


def test_an_ordinal_is_no_fraction() -> None:
    assert re.search(FRACTION, "the third party") is None
    assert re.search(FRACTION, "two thirds of it") is not None


@pytest.mark.parametrize(
    ("printed", "value"),
    [("½", 0.5), ("7½", 7.5), ("7 ½", 7.5), ("12¾", 12.75), ("three hundred", 300), ("five-hundred", 500),
     ("one hundred and fifty", 150), ("seven and a half", 7.5), ("two and a quarter", 2.25)],
)  # fmt: skip
def test_mixed_numbers_are_read_whole(printed: str, value: float) -> None:
    match = re.search(NUMBER, f"below {printed} kg")
    assert match is not None and match[0] == printed
    assert parse_number(printed) == pytest.approx(value)


@given(st.integers(21, 99).filter(lambda n: n % 10))
def test_hyphenated_tens(number: int) -> None:
    tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()[number // 10 - 2]
    ones = "one two three four five six seven eight nine".split()[number % 10 - 1]
    assert parse_number(f"{tens}-{ones}") == number


@given(st.integers(0, 10**8), st.integers(0, 999))
def test_a_number_is_found_whole_in_a_sentence(whole: int, decimals: int) -> None:
    printed = f"{whole:,}".replace(",", " ") + f",{decimals:03d}"
    match = re.search(DIGITS, f"below {printed} kg")
    assert match is not None and match[0] == printed
    assert parse_number(printed) == pytest.approx(whole + decimals / 1000)


@pytest.mark.parametrize("text", ["", "many", "1.2.3", "five or six"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_number(text)
