"""A screened pattern matches what the pattern alone matches."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from regreact.fastpath import cue_rules
from regreact.fastpath.classification import situations, tag_masks, tag_rules
from regreact.fastpath.thresholds import limits, masking, reading, temporal
from regreact.legal import document_rules
from regreact.legal.numbers import FRACTIONS, WORDS, may_hold_number
from regreact.screen import Screened, folded

TABLES = (
    cue_rules.DECISIVE_RULES,
    cue_rules.REQUIREMENT_RULES,
    situations.WORD_RULES,
    tag_masks.MASK_RULES,
    tag_rules.BACKGROUND_RULES,
    tag_rules.TAG_RULES,
    masking.RULES,
    temporal.RULES,
    document_rules.RULES,
)
EXAMPLES = sorted({r.example for table in TABLES for r in table if hasattr(r, "example")})


def screened() -> Iterator[Screened]:
    yield from (rule.pattern for table in TABLES for rule in table)
    yield from (reading._AMOUNT, reading._TWICE, limits._PER)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\bby way of (?:derogation|exception)s?\b", ("derogation", "exception")),
        (r"\b(?:checked|controlled)\b", ("hecked", "ontrolled")),  # the parser takes a common first letter out
        (r"\b(?:in|on)\b", ()),  # too short to tell anything
        (r"(?:washed)?", ()),  # may be missing
        (r"(?:washed)+ ore", ("washed",)),
        (r"(?<=washed )ore\b", ("ore",)),  # what stands around is not looked for
        (r"ore(?= washed)", ("ore",)),
        (r"(?!washed)\w+", ()),
        (r"washed|\d+", ()),  # a branch that needs no word
        (r"l’ore", ("ore",)),  # ASCII letters only
        (r"(?i:WASHED)", ("washed",)),
        (r"a(?>washed)", ("washed",)),
    ],
)
def test_words_that_a_pattern_needs(pattern: str, words: tuple[str, ...]) -> None:
    assert Screened(pattern).words == words


def test_a_screen_changes_no_match() -> None:
    texts = [*EXAMPLES, *(t.upper() for t in EXAMPLES), *(t.replace("s", "ſ").replace("k", "\u212a") for t in EXAMPLES)]
    found = 0
    for pattern in screened():
        plain = re.compile(pattern.pattern, pattern.flags)
        for text in texts:
            assert [m.span() for m in pattern.finditer(text)] == [m.span() for m in plain.finditer(text)]
            first, expected = pattern.search(text, 3), plain.search(text, 3)
            assert (first and first.span()) == (expected and expected.span())
            found += expected is not None
    assert found > 500


def test_most_rules_have_a_screen() -> None:
    tags = [rule.pattern for rule in tag_rules.TAG_RULES]
    assert sum(bool(p.words) for p in tags) > 0.8 * len(tags)


def test_every_character_that_matches_an_ascii_letter_is_folded_to_it() -> None:
    letters = re.compile("[a-z0-9]", re.IGNORECASE)
    for character in map(chr, range(0x110000)):
        if letters.match(character):
            (plain,) = folded(character)
            assert re.match(plain, character, re.IGNORECASE)
            assert plain.isascii()


def test_words_may_be_told() -> None:
    assert Screened(r"\w+ per \w+", words=("per",)).search("2 t per day") is not None
    assert Screened(r"\w+ a \w+", words=("per",)).search("2 t a day") is None
    assert Screened(r"t a", words=()).match("2 t a day", 2) is not None


@pytest.mark.parametrize("word", [*WORDS, *FRACTIONS, "½", "7", "\u0663"])
def test_every_number_passes_the_screen_for_numbers(word: str) -> None:
    assert may_hold_number(f"Each {word.upper()} of them")


def test_a_text_without_number_does_not_pass() -> None:
    assert not may_hold_number("Dust is swept daily.")
