"""Passes that read numbers, list labels, headings and colons."""

from __future__ import annotations

import pytest
from section_outline import blocks

from regreact.fastpath.structure import draft_of
from regreact.fastpath.structure.draft import Role
from regreact.fastpath.structure.labels import below, kind_of, letters, position, roman
from regreact.fastpath.structure.reading import (
    drop_noise,
    read_headings,
    read_introductions,
    read_markers,
    read_numbers,
)

READING = (drop_noise, read_numbers, read_markers, read_headings, read_introductions)


def numbers(outline: str) -> list[str | None]:
    return [n.number for n in draft_of(blocks(outline), READING)]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1. The kiln is closed.", "1"),
        ("12. The kiln is closed.", "12"),
        ("2.1. The kiln is closed.", "2.1"),
        ("2.1.3. The kiln is closed.", "2.1.3"),
        ("3.Kilns", "3"),
        ("(4) The kiln is closed.", "4"),
        ("5) The kiln is closed.", "5"),
        ("1.5 MW kilns are closed.", None),
        ("0,0050 % of lead", None),
        ("70 % of the clay is local.", None),
        ("2027 is the first year.", None),
        ("The kiln of class 1. It is closed.", None),
    ],
)
def test_a_number_opens_a_paragraph(text: str, number: str | None) -> None:
    assert numbers(text) == [number]


def test_a_number_without_a_full_stop_counts_where_the_sequence_vouches_for_it() -> None:
    assert numbers("1. Plan\n1.1. It exists.\n1.2 It is new.\n2.7 It is lost.") == ["1", "1.1", "1.2", None]


def test_a_number_without_a_full_stop_counts_below_its_criterion() -> None:
    assert numbers("2. Plan\n2.1 It exists.\n2.1.1 It is signed.") == ["2", "2.1", "2.1.1"]


def test_numeric_markers_are_numbers_where_the_list_is_the_top_level() -> None:
    assert numbers("  1) Kilns are closed.\n  2) Ovens are closed.\n    2.1) They are cold.") == ["1", "2", "2.1"]


def test_numeric_markers_are_numbers_below_a_chapeau_of_the_whole_section() -> None:
    assert numbers("One of the following:\n  1) Kilns.\n  2) Ovens.") == [None, "1", "2"]


def test_numeric_markers_below_a_numbered_criterion_are_labels() -> None:
    draft = draft_of(blocks("1. The kiln:\n  1) is closed;\n  2) is cold."), READING)
    assert [(n.number, n.marker) for n in draft] == [("1", None), (None, "1"), (None, "2")]


@pytest.mark.parametrize(
    ("text", "marker"),
    [("(i) a kiln;", "i"), ("b) a kiln;", "b"), ("– a kiln;", "-"), ("- a kiln;", "-"), ("(see) a kiln", "see")],
)
def test_labels_in_the_text_make_list_items(text: str, marker: str) -> None:
    assert [n.marker for n in draft_of(blocks(text), READING)] == [marker]


def test_an_item_without_marker_is_a_bullet() -> None:
    assert [n.marker for n in draft_of(blocks("Kilns:\n  * red;\n  * blue."), READING)] == [None, "-", "-"]


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("1. Kiln plan", True),
        ("# Group audit", True),
        ("# 2. Product design:", True),
        ("2.5. Design for reuse", True),
        ("1. The kiln is closed", False),
        ("# 4. The kiln is closed and meets the criteria of Annex XX.", False),
        ("Group audit", False),
        ("1. The kiln meets the following:", False),
    ],
)
def test_headings_name_a_topic(line: str, heading: bool) -> None:
    assert [n.heading for n in draft_of(blocks(line), READING)] == [heading]


@pytest.mark.parametrize(
    ("text", "introduces"),
    [
        ("The kiln is one of these:", True),
        ("The kiln is one of these(4):", True),
        ("The kiln is one of these:(4)", True),
        ("The kiln is either :", True),
        ("The kiln meets the following", True),
        ("The kiln is closed.", False),
    ],
)
def test_a_colon_announces_a_list(text: str, introduces: bool) -> None:
    assert [n.introduces for n in draft_of(blocks(text), READING)] == [introduces]


def test_blocks_without_letters_are_layout() -> None:
    assert [n.role is Role.NOISE for n in draft_of(blocks("1. Kilns.\n* * *\n2. Ovens."), READING)] == [
        False,
        True,
        False,
    ]


def test_label_sequences() -> None:
    assert [letters(n) for n in (1, 3, 26, 28)] == ["a", "c", "z", "bb"]
    assert [roman(n) for n in (1, 4, 9, 14)] == ["i", "iv", "ix", "xiv"]
    assert position("bb", "letter") == 28
    assert position("3", "number") == 3


@pytest.mark.parametrize(
    ("marks", "kind"),
    [
        (["a", "b"], "letter"),
        (["i"], "roman"),
        (["i", "ii"], "roman"),
        (["i", "j"], "letter"),
        (["v", "vi"], "roman"),
        (["c", "d"], "letter"),
        (["1", "2"], "number"),
        (["-", "-"], None),
        ([], None),
    ],
)
def test_kinds_of_labels(marks: list[str], kind: str | None) -> None:
    assert kind_of(marks) == kind


def test_bullets_take_numerals_below_letters_and_letters_below_the_rest() -> None:
    assert (below("letter"), below("roman"), below("number"), below(None)) == ("roman", "letter", "letter", "letter")
