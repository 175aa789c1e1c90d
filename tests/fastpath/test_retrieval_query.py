"""Questions from criteria, and sharper ones from gaps; none names what the criterion does not print."""

from __future__ import annotations

import pytest

from regreact.fastpath.retrieval.abbreviations import ABBREVIATIONS, expand
from regreact.fastpath.retrieval.needs import DATES, DEFINITIONS, VALUES, needs_of
from regreact.fastpath.retrieval.query import invented, refine_query, rewrite_query
from regreact.schema import Definition
from signatures.passages import CitedSource, Gap
from tests.fastpath.kiln_act import ACT, CRITERION, PARAGRAPH, WHOLE


def question(text: str, reference: CitedSource = PARAGRAPH, section: str = "SC", terms: tuple[Definition, ...] = ()) -> str:
    (answer,) = rewrite_query(text, "Lime burning with PV power", "mitigation", section, reference, terms)
    return answer.value


def test_the_question_names_section_activity_objective_place_and_subject() -> None:
    asked = question(CRITERION)
    for words in (
        "substantial contribution criteria", "Lime burning with photovoltaic power", "climate change mitigation",
        f"Article 4(2) of {ACT}", "limit values", "dust of lime kilns",
    ):  # fmt: skip
        assert words in asked
    assert asked.endswith("?") and "2. The" not in asked


def test_a_dnsh_question_names_the_objective_of_its_section() -> None:
    asked = question(CRITERION, section="DNSH.water")
    assert "do no significant harm criteria" in asked and "water and marine resources" in asked
    assert "mitigation" not in asked


def test_numbers_and_units_stay_as_printed() -> None:
    assert "10 000 kW and 0,5 g" in question(f"Kilns of 10 000 kW and 0,5 g follow {ACT}.", WHOLE)


@pytest.mark.parametrize("text", [CRITERION, f"Kilns comply with {ACT}.", f"See {ACT}, Annex II.", "Kilns are clean."])
@pytest.mark.parametrize("reference", [PARAGRAPH, WHOLE])
def test_no_reference_is_invented(text: str, reference: CitedSource) -> None:
    asked = question(text, reference, terms=(Definition(term="LKR", definition="rules of Annex VII of Directive 2096/1/EU"),))
    assert invented(asked, [text, reference.text], reference.addresses) == []


def test_a_term_of_the_section_is_written_out_unless_it_names_an_act() -> None:
    terms = (Definition(term="LKI", definition="lime kiln index"), Definition(term="BAT", definition="lists of Annex IX"))
    asked = question(f"The LKI of the BAT follows {ACT}.", WHOLE, terms=terms)
    assert "lime kiln index" in asked and "Annex IX" not in asked


@pytest.mark.parametrize(("short", "full"), ABBREVIATIONS.items())
def test_every_abbreviation_is_written_out_as_a_whole_word(short: str, full: str) -> None:
    assert expand(f"the {short} of kilns", {}) == f"the {full} of kilns"
    assert expand(f"the x{short}x", {}) == f"the x{short}x"
    assert invented(full, []) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GHGs and BAT-AELs", "greenhouse gases and emission levels associated with the best available techniques"),
        ("best available techniques (BAT)", "best available techniques"),
        ("VOCs", "volatile organic compounds"),
    ],
)
def test_plurals_and_abbreviations_behind_their_full_form(text: str, expected: str) -> None:
    assert expand(text, {}) == expected


@pytest.mark.parametrize(
    ("text", "values", "dates", "terms"),
    [
        (f"Dust stays within the limit values of {ACT}.", True, False, ()),
        (f"Dust meets {ACT} and the ceilings there.", True, False, ()),
        (f"Dust stays below the threshold of 5 mg, measured under {ACT}.", False, False, ()),
        (f"Kilns close by the date set in {ACT}.", False, True, ()),
        (f"From the date of its application kilns follow {ACT}.", False, False, ()),
        (f"The site uses lime kilns as defined in {ACT}.", False, False, ("lime kilns",)),
        (f"Lime, within the meaning of {ACT}, is stored dry.", False, False, ("Lime",)),
        (f"The definition of old kiln in {ACT} is met.", False, False, ("old kiln",)),
        (f"Lime kilns as defined in Directive 2096/1/EU comply with {ACT}.", False, False, ()),
        (f"Kilns comply with {ACT}.", False, False, ()),
    ],
)
def test_what_is_taken_from_the_source(text: str, values: bool, dates: bool, terms: tuple[str, ...]) -> None:
    needs = needs_of(text, WHOLE)
    assert (needs.values, needs.dates, needs.terms) == (values, dates, terms)


@pytest.mark.parametrize("rule", [VALUES, DATES, DEFINITIONS], ids=lambda r: r.name)
def test_each_rule_holds_for_its_example(rule: object) -> None:
    example = rule.example  # type: ignore[attr-defined]
    needs = needs_of(example, CitedSource(text="Article 7 of Directive 2097/5/EU" if "Article 7" in example else "Article 2, point 5" if "point 5" in example else f"Article 4 of {ACT}"))
    assert {"value": needs.values, "date": needs.dates, "definition": bool(needs.terms)}[rule.name]  # type: ignore[attr-defined]


def test_a_criterion_without_subject_asks_for_the_act_as_a_whole() -> None:
    assert "subject matter, scope and obligations" in question(f"The activity complies with {ACT}.", WHOLE)


def test_only_the_citing_sentence_is_the_subject() -> None:
    needs = needs_of(f"Wells are sealed. Dust of kilns follows {ACT}. Noise is low.", WHOLE)
    assert needs.subject == {"dust", "kiln", "follow"}


def test_a_citation_that_begins_another_one_is_not_taken_for_it() -> None:
    reference = CitedSource(text="Article 2")
    assert needs_of("Dust follows Article 29. Noise follows Article 2.", reference).subject == {"nois", "follow"}


@pytest.mark.parametrize(
    ("gap", "words"),
    [
        (Gap(kind="definition", wanted="old kiln"), "old kiln means"),
        (Gap(kind="threshold", wanted="dust of kilns"), "limit value and unit for dust of kilns"),
        (Gap(kind="date", wanted="closing of kilns"), "deadline by or from which for closing of kilns"),
        (Gap(kind="provision", wanted="Article 4(2)"), "text of Article 4(2)"),
        (Gap(kind="subject", wanted="GHG of kilns"), "requirements and conditions for greenhouse gas of kilns"),
    ],
)
def test_a_refined_query_goes_for_the_gap(gap: Gap, words: str) -> None:
    (answer,) = refine_query(question(CRITERION), [gap])
    assert words in answer.value
    assert invented(answer.value, [CRITERION, gap.wanted]) == []


def test_gaps_of_one_subject_are_one_part_and_no_gap_no_query() -> None:
    gaps = [Gap(kind="threshold", wanted="dust"), Gap(kind="subject", wanted="dust"), Gap(kind="definition", wanted="kiln")]
    (answer,) = refine_query("Which rules?", gaps)
    assert answer.value == "maximum or minimum value, limit value and unit, requirements and conditions for dust; kiln means?"
    assert refine_query("Which rules?", []) == []
