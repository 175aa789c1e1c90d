"""Paragraphs without number: counted where they demand something, anchored where they serve."""

from __future__ import annotations

import pytest
from section_outline import UNIT, blocks, ids, parents

from regreact.fastpath.structure import parse_structure
from regreact.fastpath.structure.points import points, subject_points, this_point
from regreact.fastpath.structure.serving import SERVING_RULES, ServingRule, content_words, serves


def test_paragraphs_with_a_demand_of_their_own_are_counted() -> None:
    assert ids("Kilns are closed.\nWhere clay is imported, its origin is known.\nLead is not used.") == ["1", "2", "3"]


@pytest.mark.parametrize("rule", SERVING_RULES, ids=lambda rule: rule.name)
def test_every_serving_rule_decides_its_example(rule: ServingRule) -> None:
    earlier, text = rule.example
    assert serves(text, content_words(earlier)) is rule
    assert ids(f"{earlier}\n{text}")[1].startswith("1.")


@pytest.mark.parametrize(
    "text",
    [
        "Heat losses are calculated yearly and are lower than 3 W.",
        "Ovens are certified by the guild.",
        "The glaze is applied by hand. Glaze use is calculated using ISO 99999.",
        "Measures are taken, which may include lids, to keep dust inside.",
        "The assessment shows that springs are safe.",
    ],
)
def test_a_demand_with_a_serving_word_is_still_counted(text: str) -> None:
    assert ids(f"Kilns are closed.\n{text}") == ["1", "2"]


def test_a_calculation_goes_to_the_nearest_criterion_with_its_quantity() -> None:
    outline = "Heat losses are lower than 3 W.\nClay is local.\nHeat losses are calculated using ISO 99999."
    assert ids(outline) == ["1", "2", "1.Methodology"]


def test_anchored_paragraphs_stand_beside_their_anchor() -> None:
    outline = """
1. Kiln plan
1.1. The plan is new.
The plan covers at least eight years.
2. Clay is local.
Lead is not used.
"""
    assert parents(outline) == {"1": "ROOT", "1.1": "1", "1.1.Commitment": "1", "2": "ROOT", "2.Requirement": "ROOT"}


def test_under_a_heading_they_are_its_children() -> None:
    outline = """
1. Kilns are closed.
2. Audit
The yearly tonnage is verified by either of the following:
  a) the town;
  b) a third party.
Audits may be combined with a label audit.
The auditor has no conflict of interest.
"""
    assert parents(outline) == {
        "1": "ROOT",
        "2": "ROOT",
        "2.Verification": "2",
        "2.Verification(a)": "2.Verification",
        "2.Verification(b)": "2.Verification",
        "2.BackgroundInformation": "2",
        "2.Verification-2": "2",
    }


def test_a_named_point_is_the_anchor() -> None:
    outline = """
1. The kiln meets either of the following:
  a) it is closed;
  b) it is cold.
Compliance with point 1(b) is verified by an independent third party.
"""
    assert parents(outline)["1(b).Verification"] == "1"


def test_a_point_without_number_is_looked_for_below_the_criterion_before() -> None:
    outline = """
1. The town has:
  a) a plan;
  b) a fund.
For the purposes of point (b), Member States may use loans.
2. Clay is local.
"""
    assert ids(outline)[3] == "1(b).BackgroundInformation"


def test_points_cited_in_the_predicate_are_no_anchor() -> None:
    outline = """
1. The town has:
  a) a plan;
  b) a fund.
2. The town reports.
The Commission shall review the fund of point 1(b).
"""
    assert ids(outline)[-1] == "2.BackgroundInformation"


def test_a_point_whose_sub_points_do_not_exist_is_corrected() -> None:
    outline = """
1. The kiln meets either of the following:
  a) it is closed;
  b) heat losses are calculated using ISO 99999;
  c) kilns with a permit before 2030 meet all of the following:
  ~
  a) they are cold;
  b) they are old;
  c) they are red.
Compliance with the criteria referred to in point 1(b) is verified by a third party, which publishes a report:
  a) on the heat referred to in point 1(b)(i);
  b) on the colour referred to in point 1(b)(iii).
"""
    assert ids(outline)[-3:] == ["1(c).Verification", "1(c).Verification(a)", "1(c).Verification(b)"]


def test_a_point_past_the_end_of_its_list_is_corrected_by_its_sub_points() -> None:
    outline = """
1. The kiln meets either of the following:
  a) it is closed;
  b) kilns with a permit meet both of the following:
    i) they are cold;
    ii) they are old.
Compliance with point 1(c) is certified by a third party, which each year:
  a) checks the heat under point 1(c)(i);
  b) checks the drawing under point 1(c)(ii).
"""
    assert ids(outline)[-3:] == ["1(b).Verification", "1(b).Verification(a)", "1(b).Verification(b)"]


def test_a_point_is_corrected_by_what_the_citation_describes() -> None:
    outline = """
1. The works keep one of the following values:
  a) for crushing, 4 W;
  b) for firing, 160 W;
  c) for packing, 2 W.
The value for firing referred to in point 1(c) is checked by an accredited verifier.
"""
    assert ids(outline)[-1] == "1(b).Verification"


def test_a_restated_requirement_goes_to_the_item_that_states_it() -> None:
    outline = """
1. For broken tiles:
  a) tiles are collected apart;
  b) transport preserves the glaze and prevents dust;
  c) a register is kept.
The tile label is a proof of compliance with the requirement that transport preserves the glaze.
"""
    assert parents(outline)["1(b).Methodology"] == "1"


def test_specifications_for_the_section_go_to_the_first_criterion() -> None:
    outline = """
1. Kilns are closed.
2. Clay is local.
For the purposes of this Section, the following specifications apply:
  a) a kiln is hot.
"""
    assert ids(outline)[2:] == ["1.Methodology", "1.Methodology(a)"]


def test_a_paragraph_about_the_reports_stays_with_the_reports() -> None:
    outline = """
1. The kiln meets either of the following:
  a) it is closed;
  b) it is cold.
Compliance with point 1(b) is verified by a third party, which writes reports.
On the basis of the reports, the Commission may address an opinion to the owner.
"""
    assert ids(outline)[-2:] == ["1(b).Verification", "1(b).BackgroundInformation"]


def test_a_paragraph_inside_an_item_belongs_to_it() -> None:
    outline = """
  1) The activity makes one of the following:
    a) kilns.
    | Clay of these kilns is local;
    b) ovens.
  | Lead is not used.
  2) Dust stays inside.
"""
    assert ids(outline) == ["1", "1(a)", "1(a).Requirement", "1(b)", "1.Requirement", "2"]


def test_after_the_last_item_of_an_inner_list_it_belongs_to_the_outer_item() -> None:
    outline = """
The activity makes one of the following:
  a) kilns;
  b) ovens that are:
    i) red;
    ii) blue.
    | The share of ovens is limited by the renewal ratio.
  c) tiles.
"""
    assert parents(outline)["1(b).Methodology"] == "1"


def test_unless_it_speaks_of_this_point() -> None:
    outline = """
The activity makes one of the following:
  a) ovens that are:
    i) red;
    ii) blue.
    | The glaze of this point complies with Annex XX.
  b) tiles.
"""
    assert parents(outline)["1(a)(ii).Methodology"] == "1(a)"


def test_after_a_nested_list_it_belongs_to_the_item_around() -> None:
    outline = """
The activity rents one of the following:
  a) kilns;
  b) ovens with the commitment that another one is either:
    i) sold; or
    ii) broken up;
  | whereby the other one:
    i) is older;
    ii) is larger.
"""
    assert ids(outline)[-3:] == ["1(b).Requirement", "1(b).Requirement(i)", "1(b).Requirement(ii)"]


def test_in_the_last_item_but_about_several_items_it_is_counted() -> None:
    outline = """
The activity rents one of the following:
  a) kilns;
  b) ovens;
  c) tiles.
  | The owner ensures that clay in points (b) or (c) is local.
"""
    assert ids(outline)[-1] == "2"


def test_a_second_paragraph_of_a_type_takes_a_suffix() -> None:
    outline = "1. Kilns are closed.\nLead is not used.\nTin is not used.\nZinc is not used.\n2. Clay is local."
    assert ids(outline)[1:4] == ["1.Requirement", "1.Requirement-2", "1.Requirement-3"]


def test_captured_gas_has_its_own_number_only_without_numbers() -> None:
    text = "Where the gas is captured, it is stored in accordance with the criteria set out in Section 9.9."
    assert ids(f"Kilns are closed.\n{text}") == ["1", "2"]
    assert ids(f"1. Kilns are closed.\n{text}\n2. Clay is local.") == ["1", "1.Methodology", "2"]


def test_anchors_are_less_sure_than_numbers_and_cite_their_cue() -> None:
    given = blocks("1. Heat losses are low.\nHeat losses are calculated using ISO 99999.")
    number, anchored = parse_structure(UNIT, given)
    assert anchored.confidence < number.confidence
    assert "calculated" in {given[b].text[s:e].split()[-1] for b, s, e in anchored.evidence}


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("Compliance with point 1(b) is checked.", ["1(b)"]),
        ("The clay of points 1.2.(k) and 1.4(i) is local.", ["1.2(k)", "1.4(i)"]),
        ("For the purposes of points 1 and 2, heat is net.", ["1", "2"]),
        ("Clay in point (b) or (c) is local.", ["(b)", "(c)"]),
        ("as defined in Article 2, point (30), of Directive (EU) 2018/2001", []),
        ("as set out in point 5 of Annex XX", []),
        ("at this point in time", []),
    ],
)
def test_points_of_the_section_are_read(text: str, paths: list[str]) -> None:
    assert [p.path for p in points(text)] == paths


def test_only_points_before_the_verb_are_the_subject() -> None:
    assert [p.path for p in subject_points("The check under point 2(a) is made as in point 3.")] == ["2(a)"]


def test_this_point() -> None:
    assert this_point("For the purpose of this point, clay is wet.") == (19, 29)
    assert this_point("At that time, clay is wet.") is None


_WAYS = """
1. Kilns are closed.
2. Kilns are fired in one of the following ways:
  a) by day, with a guard;
  b) by night, behind a fence.
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The thing is named in one item alone.
        ("The fence is made of wood.", "2(b).Requirement"),
        ("Such guards are at least two.", "2(a).Requirement"),
        ("The kilns are red.", "2.Requirement"),
        ("The yard is swept.", "2.Requirement"),
        # A point named in the opening is what the paragraph is about.
        ("Where kilns are fired as described in point 2(b), the town is told.", "2(b).Requirement"),
        ("If point 2(a) applies, the town is told.", "2(a).Requirement"),
        # Points that do not exist: a wrong number, a numeral for a letter.
        ("Where kilns are fired by night in accordance with point 4(b), the town is told.", "2(b).Requirement"),
        ("The town is told of the kilns under point 2(ii).", "2.Requirement"),
        ("Firing under point 2(ii) is announced to the town.", "2(b).Requirement"),
        ("Where the town is told under point 4(b), it answers.", "2.Requirement"),
    ],
)
def test_a_paragraph_after_a_list_belongs_to_the_item_it_is_about(text: str, expected: str) -> None:
    assert ids(f"{_WAYS}{text}\n3. Lead is not used.")[-2] == expected


@pytest.mark.parametrize(
    "text",
    ["It is calculated using ISO 99999.", "The result is confirmed by an independent expert.", "They are metered."],
)
def test_words_that_point_back_serve(text: str) -> None:
    assert ids(f"The heat loss is lower than 3 W.\n{text}")[1].startswith("1.")


def test_what_a_certificate_says_serves_where_one_was_asked_for() -> None:
    text = "The certificate covers all kinds of glaze."
    assert ids(f"The owner holds a certificate.\n{text}") == ["1", "1.Verification"]
    assert ids(f"The owner holds a permit.\n{text}") == ["1", "2"]
