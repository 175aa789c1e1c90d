"""The top level: explicit numbers, the chapeau of the section, lost numbers, topic headings."""

from __future__ import annotations

from section_outline import UNIT, blocks, ids, parents

from regreact.fastpath.structure import parse_structure


def test_numbers_nest_by_their_prefix() -> None:
    outline = "1. Kiln plan\n1.1. It exists.\n1.1.1. It is signed.\n1.2. It is new.\n2. Clay is local."
    assert parents(outline) == {"1": "ROOT", "1.1": "1", "1.1.1": "1.1", "1.2": "1", "2": "ROOT"}


def test_a_number_whose_prefix_is_missing_belongs_to_the_next_one_above() -> None:
    assert parents("1. Kiln plan\n1.2.3. It is signed.\n4.1. It is new.") == {"1": "ROOT", "1.2.3": "1", "4.1": "ROOT"}


def test_numbers_may_skip() -> None:
    assert ids("1. Kilns are closed.\n4. Clay is local.") == ["1", "4"]


def test_a_chapeau_before_the_first_number_is_the_root() -> None:
    outline = "The works meet one of the following criteria:\n1. Kilns are closed.\n2. Clay is local."
    assert ids(outline) == ["ROOT", "1", "2"]
    assert parents(outline)["ROOT"] == ""


def test_a_paragraph_before_number_two_is_number_one() -> None:
    assert ids("Kilns are closed.\n2. Clay is local.") == ["1", "2"]


def test_the_title_of_a_section_without_numbers_is_the_root() -> None:
    assert ids("# CRITERIA FOR KILNS\nKilns are closed.\nClay is local.") == ["ROOT", "1", "2"]


def test_a_heading_without_number_goes_on_counting() -> None:
    outline = """
# 1. Kiln plan
1.1. It exists.
# 2. Audit
2.1. It is yearly.
# Group audit
Compliance may be checked together.
"""
    assert ids(outline) == ["1", "1.1", "2", "2.1", "3", "3.Verification"]


def test_labels_of_a_table_are_background_of_their_heading() -> None:
    outline = "# I. Criteria\nKilns are closed.\n# II. Kinds of clay\n# Red\n# Blue\nRiver clay\nSea clay"
    assert ids(outline)[2:] == ["II", *("II.BackgroundInformation" + n for n in ("", "-2", "-3", "-4"))]


def test_a_repeated_number_takes_a_suffix() -> None:
    answers = parse_structure(UNIT, blocks("1. Kilns are closed.\n1. Clay is local.\n2. Lead is not used."))
    assert [a.value.criterion_id for a in answers] == ["1", "1-2", "2"]
    assert answers[1].confidence <= 0.5


def test_a_section_of_one_paragraph_is_number_one() -> None:
    assert ids("Kilns are closed.") == ["1"]


def test_layout_has_no_place() -> None:
    answers = parse_structure(UNIT, blocks("1. Kilns are closed.\n———\n2. Clay is local."))
    assert [(a.value.criterion_id, a.value.parent) for a in answers] == [("1", "ROOT"), ("", ""), ("2", "ROOT")]


def test_the_evidence_of_a_number_is_the_number() -> None:
    answer = parse_structure(UNIT, blocks("2.1. Kilns are closed."))[0]
    assert answer.evidence == ((0, 0, 3),)


def test_a_number_printed_twice_in_a_row_is_read_as_the_next() -> None:
    answers = parse_structure(UNIT, blocks("1. Kilns are closed.\n2. Clay is local.\n2. Lead is not used."))
    assert [a.value.criterion_id for a in answers] == ["1", "2", "3"]
    assert answers[2].confidence <= 0.6
