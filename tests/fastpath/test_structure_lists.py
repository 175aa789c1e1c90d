"""Passes that hang list items below their chapeaux, repair broken nesting and label them."""

from __future__ import annotations

import pytest
from section_outline import UNIT, blocks, ids, parents

from regreact.fastpath.structure import parse_structure
from regreact.fastpath.structure.totals import announced_total


def test_items_add_their_marker_to_the_criterion_that_announces_them() -> None:
    outline = """
1. The kiln meets one of the following:
  a) it is closed;
  b) it is either:
    i) cooled by air; or
    ii) cooled by water.
2. Clay is local.
"""
    assert ids(outline) == ["1", "1(a)", "1(b)", "1(b)(i)", "1(b)(ii)", "2"]
    assert parents(outline)["1(b)(ii)"] == "1(b)"


def test_a_list_belongs_to_its_chapeau_also_without_number() -> None:
    assert ids("The kiln is:\n  a) closed;\n  b) cold.") == ["1", "1(a)", "1(b)"]


def test_bullets_are_lettered_and_numbered_below_a_letter() -> None:
    outline = """
1. The plan covers:
  * clay;
  * water;
2. The kiln is:
  a) fitted with:
    * a lid;
    * a fan;
"""
    assert ids(outline) == ["1", "1(a)", "1(b)", "2", "2(a)", "2(a)(i)", "2(a)(ii)"]


def test_bullets_below_a_numeral_are_lettered() -> None:
    outline = """
1. The plan covers:
  a) kilns:
    i) old ones:
      * red;
      * blue;
"""
    assert ids(outline)[-2:] == ["1(a)(i)(a)", "1(a)(i)(b)"]


def test_a_second_list_after_a_colon_continues_the_last_item() -> None:
    outline = """
1. The kiln meets either of the following:
  a) it is closed;
  b) it meets all of the following:
  ~
  a) it is cold;
  b) it is old.
"""
    assert ids(outline) == ["1", "1(a)", "1(b)", "1(b)(a)", "1(b)(b)"]


def test_a_list_broken_in_two_is_one_list() -> None:
    outline = """
1. The kiln meets three of the following:
  a) it is closed;
  b) it is cold;
  ~
  a) it is old;
  b) it is red.
"""
    assert ids(outline) == ["1", "1(a)", "1(b)", "1(c)", "1(d)"]


def test_a_list_interrupted_by_its_own_items_as_paragraphs_goes_on() -> None:
    outline = """
1. The account meets the following criteria:
  a) it is public;
  b) the year it starts from is one of the following:
the year of the permit;
the last year before the works.
  a) it is complete;
  b) it is signed.
2. Clay is local.
"""
    expected = ["1", "1(a)", "1(b)", "1(b)(i)", "1(b)(ii)", "1(c)", "1(d)", "2"]
    assert ids(outline) == expected


def test_labels_that_go_on_after_a_nested_list_return_to_the_outer_one() -> None:
    outline = """
1. The kiln has:
  a) a door;
  b) the following fittings:
  ~
  * a lid;
  * a fan;
  ~
  c) a floor.
"""
    assert ids(outline) == ["1", "1(a)", "1(b)", "1(b)(i)", "1(b)(ii)", "1(c)"]


def test_items_that_continue_an_including_item_become_its_children() -> None:
    outline = """
1. The activity is one of the following:
  a) construction of kilns;
  b) installation of fittings, including:
  c) sensors for heat;
  d) fans.
  e) installation of doors;
  f) repair of kilns.
"""
    assert ids(outline) == ["1", "1(a)", "1(b)", "1(b)(i)", "1(b)(ii)", "1(c)", "1(d)"]


def test_an_including_item_keeps_at_least_two_items_whatever_their_article() -> None:
    outline = """
1. The plan contains the following:
  a) a chart of the quarry;
  b) the clay that is dug, including:
  c) where it comes from;
  d) the share of sand;
  e) the weeks of rest.
"""
    assert ids(outline) == ["1", "1(a)", "1(b)", "1(b)(i)", "1(b)(ii)", "1(c)"]


def test_siblings_of_the_same_wording_stay_siblings() -> None:
    outline = """
1. The activity is one of the following:
  a) repair of kilns, including:
  b) repair of ovens.
"""
    assert ids(outline) == ["1", "1(a)", "1(b)"]


def test_a_colon_without_announcing_words_opens_no_nested_list() -> None:
    outline = """
1. The works meet two of the following:
  a) heat use is at most 3 W per brick:
  b) water use is at most 2 l per brick.
"""
    assert ids(outline) == ["1", "1(a)", "1(b)"]


def test_items_left_in_an_inner_list_are_lifted_by_their_wording() -> None:
    outline = """
1. Two of the following hold for the clay:
  a) it is dug by hand:
    i) in dry weather;
    ii) every spring;
    iii) it is washed;
    iv) it is sieved.
"""
    assert ids(outline) == ["1", "1(a)", "1(a)(i)", "1(a)(ii)", "1(b)", "1(c)"]


def test_labels_in_the_text_follow_their_chapeau() -> None:
    outline = """
The activity is one of the following:
  a) repair;
  b) the following:
(i) cleaning;
(ii) painting.
"""
    assert ids(outline) == ["1", "1(a)", "1(b)", "1(b)(i)", "1(b)(ii)"]


def test_items_without_chapeau_are_counted() -> None:
    assert ids("  * Kilns are closed.\n  * Ovens are cold.") == ["1", "2"]


def test_an_item_whose_number_markup_has_lost_takes_it_back() -> None:
    outline = """
  a) The heat use is lower than:
    i) 3 W for small kilns;
    ii) 5 W for large kilns.
Heat use may take into account recovered heat.
2. Clay is local.
"""
    assert ids(outline) == ["1", "1(a)", "1(b)", "1.BackgroundInformation", "2"]


def test_repeated_markers_are_counted_through() -> None:
    assert ids("1. The kiln is:\n  a) closed;\n  a) cold;\n  c) old.") == ["1", "1(a)", "1(b)", "1(c)"]


@pytest.mark.parametrize(
    ("outline", "at", "sure"),
    [
        ("1. The kiln is:\n  a) closed;\n  b) cold.", 1, True),
        ("1. The kiln is:\n  a) closed;\n  b) as follows:\n  ~\n  a) cold;\n  b) old.", 3, False),
        ("1. The kiln is:\n  a) closed;\n  b) cold;\n  ~\n  a) old.", 3, False),
    ],
)
def test_repairs_lower_the_confidence(outline: str, at: int, sure: bool) -> None:
    answer = parse_structure(UNIT, blocks(outline))[at]
    assert (answer.confidence > 0.9) is sure


def test_the_evidence_of_an_item_is_the_colon_that_announces_it() -> None:
    given = blocks("1. The kiln is one of these:\n  a) closed.")
    answer = parse_structure(UNIT, given)[1]
    assert [(block, given[block].text[start:end]) for block, start, end in answer.evidence] == [(0, "these:")]


def test_bullets_below_an_item_whose_number_is_lost_are_lettered() -> None:
    assert ids("  * The heat use is lower than:\n    * 3 W;\n    * 5 W.\n2. Clay is local.")[:3] == [
        "1",
        "1(a)",
        "1(b)",
    ]


@pytest.mark.parametrize(
    ("chapeau", "first", "expected"),
    [
        # Nothing but the semicolon, or the number of items announced, shows that the list goes on.
        ("The kiln meets the following:", "it is cold;", "1(c)"),
        ("The kiln meets the following:", "it is cold; and", "1(c)"),
        ("The kiln meets all three of the following:", "it is cold.", "1(c)"),
        ("The kiln meets two of the three conditions below:", "it is cold.", "1(c)"),
        # A list that was complete belongs to the paragraph before it.
        ("The kiln meets the following:", "it is cold.", "1.Requirement(a)"),
        ("The kiln meets both of the following:", "it is cold.", "1.Requirement(a)"),
    ],
)
def test_a_list_broken_by_a_paragraph_goes_on_if_it_was_not_complete(chapeau: str, first: str, expected: str) -> None:
    outline = f"""
1. {chapeau}
  a) it is closed;
  b) {first}
Lead is not used in it.
  a) it is old.
2. Clay is local.
"""
    assert ids(outline)[4] == expected


def test_a_paragraph_between_the_parts_of_a_list_belongs_to_the_item_before() -> None:
    outline = """
1. The kiln meets all of the following:
  a) it is closed;
  b) its lid is tight;
Lead is not used.
  a) it is old.
"""
    assert parents(outline)["1(b).Requirement"] == "1"
    assert ids(outline)[-1] == "1(c)"


def test_a_paragraph_that_announces_a_list_has_it() -> None:
    outline = """
1. The kiln meets all of the following:
  a) it is closed;
  b) it is cold;
The lid is made of the following:
  a) clay.
"""
    assert ids(outline)[-2:] == ["1.Requirement", "1.Requirement(a)"]


@pytest.mark.parametrize(
    ("chapeau", "item", "expected"),
    [
        ("The kiln meets the following:", "it is cold;", ["1(b)", "1(c)", "1(d)", "1(e)"]),
        ("The kiln meets each of the following five conditions:", "it is cold.", ["1(b)", "1(c)", "1(d)", "1(e)"]),
        ("The kiln meets the following:", "it is cooled by", ["1(b)", "1(b)(i)", "1(b)(ii)", "1(c)"]),
        ("The kiln meets the following:", "it is cooled by:", ["1(b)", "1(b)(i)", "1(b)(ii)", "1(c)"]),
    ],
)
def test_items_one_level_too_deep_stand_beside_a_complete_item(chapeau: str, item: str, expected: list[str]) -> None:
    outline = f"""
1. {chapeau}
  a) it is closed;
  b) {item}
    i) air and water;
    ii) sand and gravel;
  c) it is old.
"""
    assert ids(outline)[2:] == expected


@pytest.mark.parametrize(
    ("chapeau", "opener", "inner", "expected"),
    [
        # The numbers in the chapeaux tell how long the inner list is.
        ("The plan has the following parts:", "fittings, covering both of these:", ("a lid;", "a fan;"), "1(c)"),
        ("The plan has the following three parts:", "fittings, comprising:", ("a lid;", "a fan;"), "1(c)"),
        ("The plan has the following parts:", "the following three fittings:", ("a lid;", "a fan;", "a hood;"), "1(c)"),
        # Commas inside, semicolon at the end.
        ("The plan has the following parts:", "fittings made up of:", ("a lid,", "a fan,", "a hood;"), "1(c)"),
        # "and" before the last item.
        ("The plan has the following parts:", "fittings, such as:", ("a lid;", "a fan; and", "a hood;"), "1(c)"),
    ],
)
def test_the_end_of_an_inner_list_is_told_by_counts_and_punctuation(
    chapeau: str, opener: str, inner: tuple[str, ...], expected: str
) -> None:
    items = ["a map of the quarry;", opener, *inner, "weeks of rest;"]
    listed = "\n".join(f"  {'abcdefgh'[n]}) {text}" for n, text in enumerate(items))
    found = ids(f"1. {chapeau}\n{listed}")
    assert found[3 : 3 + len(inner)] == [f"1(b)({'i' * n})" for n in range(1, len(inner) + 1)]
    assert found[-1] == expected


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("The plan contains the following three parts:", 3),
        ("The plan contains the three following parts:", 3),
        ("The plan contains the three parts set out below:", 3),
        ("All four of the following hold:", 4),
        ("Each of the following two conditions is met:", 2),
        ("3 of the 5 conditions set out below are met:", 5),
        ("It does both of the following:", 2),
        ("At least two of the following are met:", None),
        ("Any three of the following are met:", None),
        ("The following 20 % limits are kept:", None),
        ("The parts are:", None),
    ],
)
def test_how_many_items_a_chapeau_announces(text: str, total: int | None) -> None:
    assert announced_total(text) == total


def test_a_second_list_that_nothing_announces_counts_on() -> None:
    outline = (
        "1. The kiln has:\n  a) a door;\n  b) a floor.\nDoors are red.\n  a) a roof;\n  b) a lid.\n2. Clay is local."
    )
    assert ids(outline)[-3:] == ["1(c)", "1(d)", "2"]


def test_clauses_after_phrases_without_a_verb_go_back_to_the_outer_list() -> None:
    outline = """
1. The yard meets all of the requirements below:
  a) as regards noise, each of these values is kept:
    i) by day, at most 50 dB;
    ii) by night, at most 40 dB;
    iii) the water which is drawn does not exceed 3 m3.
"""
    assert ids(outline) == ["1", "1(a)", "1(a)(i)", "1(a)(ii)", "1(b)"]


@pytest.mark.parametrize(
    "last",
    ["a list of the trees that are old.", "where the kiln is old, its drawing.", "a drawing."],
)
def test_phrases_with_a_relative_clause_or_a_case_stay_in_the_inner_list(last: str) -> None:
    outline = f"""
1. The yard meets all of the requirements below:
  a) the plan contains:
    i) a map of the yard;
    ii) a list of gates;
    iii) {last}
"""
    assert ids(outline)[-1] == "1(a)(iii)"
