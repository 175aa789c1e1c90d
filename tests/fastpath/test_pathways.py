"""Joint pathways among the children of criteria that offer alternatives."""

from __future__ import annotations

import pytest
from section_outline import UNIT, blocks

from regreact.fastpath.pathways import detect_pathways
from regreact.fastpath.structure import parse_structure
from signatures.types import CriterionView


def groups(outline: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    given = blocks(outline)
    criteria = [CriterionView(criterion_id="ROOT", parent=None, block=None, text="")]
    criteria += [
        CriterionView(criterion_id=a.value.criterion_id, parent=a.value.parent, block=b.index, text=b.text)
        for a, b in zip(parse_structure(UNIT, given), given, strict=True)
    ]
    return {a.id: a.value for a in detect_pathways(UNIT, criteria)}


def test_a_limit_with_its_method_and_its_check_is_one_pathway() -> None:
    outline = """
1. The kiln meets either of the following:
  a) the heat losses are lower than 3 W.
  b) Heat losses are calculated using ISO 99999.
  c) Quantified heat losses are verified by an independent third party.
  d) Where the kiln has a flue, the flue complies with the criteria of Annex XX.
  e) kilns with a permit before 2030 meet all of the following:
    i) they are cold;
    ii) they are old.
2. Lead is not used.
"""
    assert groups(outline) == {"ROOT": (), "1": (("1(a)", "1(b)", "1(c)", "1(d)"),), "1(e)": ()}


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        (
            (
                "on the dry path, clay is sieved;",
                "on the dry path, dust stays inside;",
                "on the wet path, mud is pressed;",
            ),
            (("1(a)", "1(b)"),),
        ),
        (
            (
                "bricks are made of straw;",
                "at least 85 % of those bricks are dried outside;",
                "bricks are made of glass;",
            ),
            (("1(a)", "1(b)"),),
        ),
        (
            (
                "the heat loss is lower than 3 W;",
                "the heat loss referred to in point (a) is published;",
                "no heat is used;",
            ),
            (("1(a)", "1(b)"),),
        ),
        (
            ("no heat is used;", "the losses are below 3 W;", "a third party checks the losses;", "coal is not used;"),
            (("1(b)", "1(c)"),),
        ),
        (
            ("kilns are closed;", "where (a) is not feasible, kilns are cold;", "until 2030, kilns that are new;"),
            (),
        ),
        (
            (
                "carts without engine;",
                "carts under Annex XX to that Directive;",
                "carts that meet the limit of point (a);",
            ),
            (),
        ),
        (
            ("losses below 3 W;", "losses are calculated using ISO 99999;"),
            (),
        ),
        # Subjects that only an earlier item has named.
        (("it uses less than 3 W;", "that heat is metered all year;", "it is new;"), (("1(a)", "1(b)"),)),
        (("losses are below 3 W;", "such losses are known to the town;", "coal is not used;"), (("1(a)", "1(b)"),)),
        (
            ("losses are below 3 W;", "the result is confirmed by an external expert;", "it is new;"),
            (("1(a)", "1(b)"),),
        ),
        (("losses are below 3 W;", "they are worked out from bills;", "coal is not used;"), (("1(a)", "1(b)"),)),
        (("steam covers 90 % of the heat;", "the share so covered is published;", "it is new;"), (("1(a)", "1(b)"),)),
        (("losses are below 3 W;", "where point (a) applies, a meter is fitted;", "it is new;"), (("1(a)", "1(b)"),)),
        # A point that the opening or the subject names, whatever the item begins with.
        (("a fan cools it;", "in respect of the fan under point (a), noise is low;", "it is new;"), (("1(a)", "1(b)"),)),
        (("a fan cools it;", "whatever heat a fan under point (a) takes is used;", "it is new;"), (("1(a)", "1(b)"),)),
        (("it lies on a field;", "in addition to point (a), its lead is low;", "it is fired;"), (("1(a)", "1(b)"),)),
        (("a fan cools it;", "in addition, the fan is silent;", "it is new;"), (("1(a)", "1(b)"),)),
        (("a kiln is cold;", "dust of the same kiln is low;", "it is new;"), (("1(a)", "1(b)"),)),
        # Alternatives of their own.
        (("it lies on a field;", "in place of point (a), it is fired;", "it is sold;"), ()),
        (("it is dried;", "failing the drying under point (a), it is fired;", "it is sold;"), ()),
        (("kilns are closed;", "kilns under point (a) that are old;", "kilns are new;"), ()),
        (("kilns are closed;", "those used in farming are cold;", "kilns that are new;"), ()),
        (("kilns are closed;", "those works are cold;", "kilns are new;"), ()),
        (("it is closed;", "it is certified by an independent body;", "it is new;"), ()),
        (("the kiln is closed;", "the kiln is cold;", "the list of its owners is published;"), ()),
        (("kilns are closed;", "this activity has a permit;", "kilns are new;"), ()),
        # "And" and "or" say it outright.
        (("it is old; and", "it is cold; or", "it is new; and", "it is red."), (("1(a)", "1(b)"), ("1(c)", "1(d)"))),
        (("it is old;", "it is cold; and", "it is red; or", "it is new."), (("1(a)", "1(b)", "1(c)"),)),
        (("it is old;", "it is cold; or", "it is red, and", "it is new."), (("1(c)", "1(d)"),)),
        (("it is old;", "it is cold; and", "it is new."), ()),
        (("it is old;", "it is cold; or", "it is new."), ()),
    ],
)
def test_items_that_make_no_sense_alone_are_joint(
    items: tuple[str, ...], expected: tuple[tuple[str, ...], ...]
) -> None:
    listed = "\n".join(f"  {'abcdef'[n]}) {text}" for n, text in enumerate(items))
    assert groups(f"1. The works meet one of the following:\n{listed}")["1"] == expected


def test_and_and_or_between_the_items_offer_a_choice_without_further_words() -> None:
    listed = "\n  a) it is old; and\n  b) it is cold; or\n  c) it is new."
    assert groups(f"1. The kiln is run as follows:{listed}")["1"] == (("1(a)", "1(b)"),)
    assert groups(f"1. The kiln meets all of the following:{listed}")["1"] == ()


def test_two_pathways() -> None:
    outline = """
1. The works follow one of the following paths:
  a) on the dry path, clay is sieved;
  b) on the dry path, dust stays inside;
  c) on the wet path, mud is pressed;
  d) on the wet path, water is returned.
"""
    assert groups(outline)["1"] == (("1(a)", "1(b)"), ("1(c)", "1(d)"))


def test_anchored_paragraphs_go_with_the_member_they_belong_to() -> None:
    outline = """
1. The works meet one of the following:
  a) the heat losses are lower than 3 W;
  b) the heat losses referred to in point (a) are published;
  c) no heat is used.
Compliance with point 1(a) is verified by an independent third party.
"""
    assert groups(outline)["1"] == (("1(a)", "1(a).Verification", "1(b)"),)


def test_the_group_can_be_named_after_its_first_and_last_member() -> None:
    outline = """
1. The works meet one of the following:
  a) the heat losses are lower than 3 W;
  b) the heat losses referred to in point (a) are published;
  c) no heat is used.
Compliance with point 1(b) is verified by an independent third party.
"""
    assert groups(outline)["1"] == (("1(a)", "1(b).Verification", "1(b)"),)


def test_without_a_choice_there_are_no_pathways() -> None:
    outline = """
1. The kiln meets all of the following:
  a) losses are below 3 W;
  b) losses are calculated yearly;
  c) it is new.
"""
    assert groups(outline)["1"] == ()


def test_all_children_together_are_no_group() -> None:
    outline = """
1. One of the following:
  a) losses are below 3 W;
  b) losses are calculated yearly;
  c) losses are verified by a guild.
"""
    assert groups(outline)["1"] == ()
