"""Tags of criteria: every rule finds its words, and what stands above, in the id or in the text is combined."""

from __future__ import annotations

import pytest
from criteria_outline import (
    ROOT,
    SAMPLES,
    UNIT,
    criteria,
    gold_criteria,
    gold_facts,
    gold_header,
    gold_trees,
    limits,
    sample_units,
    values,
)

from regreact.fastpath.classification import assign_tags
from regreact.fastpath.classification.tag_masks import MASK_RULES, masked
from regreact.fastpath.classification.tag_model import TagRule, hits
from regreact.fastpath.classification.tag_rules import BACKGROUND_RULES, TAG_RULES
from regreact.fastpath.cues import ANCHOR_TYPES
from regreact.schema import References, ReferenceSource
from regreact.sources.model import Unit
from signatures.types import CriterionFacts

V, M, C, A, R, B = "Verification", "Methodology", "Commitment", "Assessment", "Replacement", "BackgroundInformation"


def tagged(outline: str, facts: list[CriterionFacts] | None = None) -> dict[str, set[str]]:
    found = values(assign_tags(unit=UNIT, criteria=criteria(outline), facts=facts or []))
    return {i: set(tags) for i, tags in found.items()}


@pytest.mark.parametrize("rule", TAG_RULES, ids=lambda rule: rule.name)
def test_every_rule_tags_its_example(rule: TagRule) -> None:
    assert rule in [h.rule for h in hits(masked(rule.example), TAG_RULES)]
    assert rule.tag in tagged(f"1 | {rule.example}")["1"]


@pytest.mark.parametrize("rule", BACKGROUND_RULES, ids=lambda rule: rule.name)
def test_every_background_rule_decides_its_example(rule: TagRule) -> None:
    assert next(r for r in BACKGROUND_RULES if r.pattern.search(rule.example)) is rule
    assert tagged(f"1 | {rule.example}")["1"] == {B}


def test_rules_have_names_of_their_own() -> None:
    rules = (*TAG_RULES, *BACKGROUND_RULES)
    assert len({(r.tag, r.name) for r in rules}) == len(rules)


# One text for each alternative of a pattern that its example does not show.
ALTERNATIVES = {
    "verified": ["An expert attests the tonnage."],
    "verified assessment": ["Gates are certified under a label.", "A system certified to ISO 99999 runs."],
    "checked by others": [
        "An approved inspector enters the hall.",
        "The authority yearly checks the hall.",
        "A laboratory tests the dust.",
        "Drives are inspected every year by an independent expert.",
        "The result is confirmed by an accredited auditor.",
        "Nets are checked twice a year by divers who are independent of the farm.",
    ],
    "certification by others": [
        "A certification by the guild is shown.",
        "The verification of scales is carried out by the guild.",
    ],
    "permit, label or certificate": [
        "The permit obtained from the town covers the bay.",
        "The owner has a proof of origin.",
        "The energy performance certificate is of class B.",
        "The kiln undergoes type-approval.",
        "The paper has been awarded the lake label.",
        "The paper bears the lake label.",
        "The yard holds a chain-of-custody certificate.",
        "The certificate is issued by the town.",
    ],
    "opinion of an authority": ["The Commission issues a favourable opinion.", "An inspector grants the consent."],
    "certificate under a standard": [
        "The bags bear a certification standard EN 99999.",
        "Nets are certified under EN 9.",
    ],
    "margin to a limit of others": ["The label goes beyond the rules of national law."],
    "points of a checklist": ["Questions from a hall questionnaire are answered."],
    "under a standard": ["Nets are consistent with the lake and shore strategies."],
    "calculation": [
        "The count is carried out by using traps.",
        "Losses, calculated from readings, are low.",
        "The depth is determined by echo.",
        "The share is established from calibrated meters.",
        "The hull passed in the test of 2031.",
    ],
    "measures taken": [
        "The mill takes all necessary measures against dust.",
        "The mill deploys measures.",
        "The owner has taken wave-proof measures.",
        "The quarry implements quick safety improvements.",
    ],
    "equipment in place": [
        "The boat is fitted with a net.",
        "Gates have two scales installed.",
        "The line has a leak detection.",
        "Such measures include nets.",
        "The mill implements quiet solutions.",
        "Pumps include metering.",
        "The quarry has a closed water system.",
        "The kiln is equipped with a filter.",
        "Hoods are installed above the looms.",
        "The installation of the burners has been completed.",
    ],
    "limit set by others": [
        "Soot is below the BAT-AEL.",
        "Soot is within the low ranges of the conclusions.",
    ],
    "taken into account": ["The results of the survey of the lake are taken into account."],
    "demonstrated by a method": [
        "Tightness is demonstrated by proof of origin.",
        "The owner shows proof of alignment.",
        "Dust is stated with reference to EN 99999.",
    ],
    "way of counting": ["The share is to be calculated for each year."],
    "support to others' criteria": ["The fund contributes to the targets of Directive 2099/1/EU."],
    "class supplied by an act": [
        "The lake belongs to the Lake Convention.",
        "Paints contain no biocides other than those approved under Regulation (EU) 2099/9.",
    ],
    "plan in place": ["An agreement with the growers is in force."],
    "content of a plan": ["The return programme specifies the bins.", "The agreement with the town makes sand traceable."],
    "operator has a plan": [
        "The furnace is run under a sand sourcing plan.",
        "The town has sand and gravel programmes.",
        "The town has in place, since 2031, a repair fund.",
    ],
    "stands in a plan": ["The basin is roofed and included in the valley plan."],
    "declaration, guarantee, contract": [
        "Jars return through yearly contractual agreements.",
        "Opening hours are discussed and agreed upon with the town.",
    ],
    "demonstrated by a plan": ["The town has issued a plan for the basin."],
    "public disclosure": [
        "Readings are publicly available.",
        "Readings are available publicly.",
        "Readings are published.",
        "The owner publishes readings.",
        "Readings are made available, on request, to the authorities.",
    ],
    "information is provided": [
        "An explanation of the readings is provided.",
        "The mill has reported the readings.",
        "The mill is committed to report readings.",
    ],
    "records and rules": [
        "The register lists all loads.",
        "The register of loads is open to the public.",
        "A tree register is in place.",
        "Records of the origin and destination of each load are kept.",
        "Test reports are retained for six years.",
        "Loads are entered in a fertiliser register.",
        "The charter provides rules on noise.",
        "The mill has a governance structure.",
        "The mill draws up documentation.",
        "The mill sets binding targets.",
    ],
    "study made": ["The study of noise covers the night.", "A study of noise has been discussed with the town."],
    "based on a study": [
        "A cost-benefit assessment supports the bridge.",
        "The lake scheme contains careful consideration of soils.",
    ],
    "operator assesses": [
        "The mill conducts an energy audit.",
        "The owner has performed a suitable hall-specific assessment.",
        "The effectiveness of nets is monitored.",
        "The lake is surveyed annually.",
        "Dust is compared with the reference hall.",
    ],
    "demonstrates that": [
        "The owner has submitted a demonstration of fire safety.",
        "The projected noise is below the baseline.",
        "Quiet is demonstrated by yearly tests.",
    ],
    "risks identified": ["The owner identifies impacts on the lake."],
    "tracking by indicators": [
        "Indicators are used to track noise.",
        "The mill carries out performance monitoring and assessment.",
    ],
    "consultation": [
        "Public consultations take place.",
        "The route is set in consultation with the town.",
        "Consultations with fishers take place.",
        "The mill involves the nearby communities.",
    ],
    "replaces what exists": [
        "Lamps are replaced.",
        "The work is a replacement of old lamps.",
        "repair or replacement of lamps;",
        "The work consists in replacing existing lamps.",
        "The power is half of the replaced lamp.",
    ],
    "withdrawn": ["Coal kilns are phased out."],
    "definition": ["Jars are understood as vessels with a lid.", "Note that lids count."],
    "exemption": [
        "Point 1 does not apply to museums.",
        "No further noise survey is required for saws.",
        "Museums are exempt from this point.",
    ],
    "permission": [
        "Glass may also be used for lids.",
        "Until 2031, the floor may be left open.",
        "Nets may remain in the lake.",
    ],
}
RULES = {r.name: r for r in (*TAG_RULES, *BACKGROUND_RULES)}


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in ALTERNATIVES.items() for t in texts])
def test_rules_match_by_other_words(name: str, text: str) -> None:
    rule = RULES[name]
    words = text if rule.tag == B else masked(text)
    assert rule.pattern.search(words)
    assert rule.tag in tagged(f"1 | {text}")["1"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dust emissions are below 5 mg/m3.", set()),
        ("The activity produces bricks as listed in Annex XX.", set()),
        ("Soot is calculated using ISO 99999 and verified by a third party.", {V, M}),
        ("Where the survey is verified by an auditor, the gate is closed.", set()),
        ("The gate is closed (this is verified by an auditor).", set()),
        ("The mill complies with one of the following criteria:", set()),
        ("The walls meet the limits set out in point 1(b).", set()),
        ("Risks for the lake are identified and addressed in line with a valley management plan.", {A, C}),
        ("The plan includes provisions to meet the criteria of Annex XX.", {C}),
        ("The office is certified to ISO 99999.", {V, M}),
        ("The lake reaches good ecological status as defined in Directive 2099/1/EU.", set()),
        ("Nets are hung in line with applicable national legislation.", set()),
        ("Savings are at least 9 % compared to the plan in place.", set()),
        ("Dust is low, unless the limits of Annex XX are met.", set()),
        # The rule applies to something; it applies no technique.
        ("That ban applies to equipment of the yard.", set()),
        ("Readings are disclosed to clients on demand.", set()),
        ("Readings are disclosed to clients and the public.", {C}),
        ("The mill takes into account all measures.", set()),
        # The tests are those listed below, or those of another point of the unit.
        ("The mill keeps to each of these limits:", set()),
        ("At least two of the conditions which are set out hereunder are complied with by the mill:", set()),
        ("Out of the conditions hereinafter mentioned, two are met:", set()),
        ("The mill satisfies any two of the requirements below:", set()),
        ("It meets the value in point 1.", set()),
        ("It meets the value in point 1 of Annex XX.", {M}),
        # The rules by which a permit or label is given are not those of the operator.
        ("The mill has obtained a permit in accordance with Article 9 of Directive 2099/1/EU.", {V}),
        ("The paper bears the lake label or one which is awarded in conformity with EN 99999.", {V}),
        ("The permit lies open in accordance with Directive 2099/1/EU.", {M}),
        # Neither counted nor defined, neither checked by others nor permitted.
        ("Sand makes up 3 %, bark not being counted.", set()),
        ("Staff travel by one of the following means:", set()),
        ("Losses are quantified by means of a balance.", {M}),
        ("Walls are inspected by the owner.", set()),
        ("The yard is parted, in order that fire may be stopped, by a wall.", set()),
        ("Glass may be stored in one bay only if it is dry.", set()),
        ("Bricks that are installed later are red.", set()),
        ("The latest analysis results are published.", {C}),
        ("The walls are compared to snow.", set()),
        ("The yard has been linked with the town programmes.", set()),
        ("The study is performed, at least by using traps.", {M}),
        ("A study is performed using traps.", {M, A}),
        ("The mill complies with the law, including as regards the assessment of dust.", {M}),
        ("The mill complies with legislation that carries out the acts referred to in point 1(a).", {M}),
        ("Reuse is 90 %. This excludes sand referred to in the list of Annex XX.", set()),
        ("Reuse is 90 %, excluding sand listed in Annex XX.", set()),
        ("The plan covers nets excluding those of the lake.", {C}),
        ("The pier was notified to the Commission under Article 9 and included in the coast plan.", {C}),
        ("The body has given its opinion in accordance with Article 9.", {V}),
        (
            "Where the tested, proven or certified pump, valve or gate already meets the criteria of Annex XX, work is"
            " on quieter pumps.",
            set(),
        ),
    ],
)
def test_own_words_alone(text: str, expected: set[str]) -> None:
    assert tagged(f"1 | {text}")["1"] == expected


MASKED = {
    "choice from a list below": ("Two of the conditions below are met in the hall:", "conditions below are met"),
    "test of a point of the unit": ("Walls meet the limit in point 1(b).", "meet the limit in point 1(b)"),
    "class by its permit": (
        "Kilns for which the operating permit is granted by 2030 use dry clay.",
        "for which the operating permit is granted by 2030",
    ),
    "rules by which a permit or label is given": ("It has a permit under Article 9, too.", "under Article 9"),
    "footnote marker": ("Dust(12) is low.", "(12)"),
    "introduction of a list": ("The mill complies with the following rules:", "complies with the following rules"),
    "point of the unit itself": ("Walls meet the limits set out in point 1(b).", "set out in point 1(b)"),
    "definition of a plan by law": ("Hedges, as defined in national law, are cut.", ", as defined in national law"),
    "reason of a relative clause": ("Sand, in which case it is wet, is used.", ", in which case it is wet, is used"),
    "what is verified": ("Compliance with the criteria of Annex XX is verified.", "Compliance with the criteria"),
    "how it is verified": ("It is verified in accordance with ISO 99999.", "in accordance with ISO 99999"),
    "procedure of an authority": ("It was notified to the Commission under Article 9, twice.", "under Article 9"),
    "study named before": ("The noise study is carried out by using traps.", "The noise study"),
    "what a quantity leaves out": ("Reuse is 90 %. This excludes sand of Annex XX.", "This excludes sand of Annex XX"),
    "time clause": ("Nets are hung until the plan is adopted.", "until the plan is adopted"),
    "where clause": ("Nets, where a plan is adopted, are hung.", ", where a plan is adopted,"),
    "equivalent": ("EN 99999 or equivalent standards are used.", "or equivalent standards are used"),
    "all measures below": ("The following measures are taken: nets.", "following measures are taken"),
    "result of a study": (
        "The results of this noise study are published.",
        "results of this noise study are published",
    ),
    "conditions below": ("The following criteria are met:", "following criteria are met"),
    "example": ("Nets, for example under a plan.", ", for example under a plan"),
    "aside": ("Nets (under a plan) are hung.", "(under a plan)"),
    "quantity defined by an act": ("Output as defined in Annex XX is high.", "Output as defined in Annex XX"),
    "outcome for the environment under an act": (
        "A lake of good chemical status as defined in Annex XX.",
        "good chemical status as defined in Annex XX",
    ),
    "general law": ("Hedges are cut in accordance with national law.", "in accordance with national law"),
    "regard to law": ("It acts with due regard to EN 99999, always.", "with due regard to EN 99999,"),
    "comparator of savings": ("Power falls compared to the old plan.", "compared to the old plan"),
}


@pytest.mark.parametrize("name", [r.name for r in MASK_RULES])
def test_every_mask_hides_its_words_and_keeps_the_length(name: str) -> None:
    text, words = MASKED[name]
    (rule,) = (r for r in MASK_RULES if r.name == name)
    assert rule.pattern.search(text)
    start = text.index(words)
    out = masked(text)
    assert len(out) == len(text)
    assert out[start : start + len(words)].strip() == ""


def test_openings_that_gate_are_hidden_and_others_are_not() -> None:
    assert masked("Where a plan is adopted, nets are hung.").strip() == "nets are hung."
    assert "ISO 99999" in masked("In accordance with ISO 99999, nets are hung.")


def test_root_headings_containers_and_titles_have_no_tag() -> None:
    outline = """
    1 | # Verification by a third party
      1.1 | 1.1. Audit and plan
        1.1(a) | A noise plan is in place.
      1(a-b)
        1(b) | Dust is swept.
    """
    expected = {"1": set(), "1.1": set(), "1.1(a)": {C}, "1(a-b)": set(), "1(b)": set()}
    assert tagged(outline) == {"ROOT": set(), **expected}


def test_a_container_of_anchored_paragraphs_has_their_type() -> None:
    outline = """
    1 | Dust is swept.
    1.Verification
      1.Verification-2 | The auditor holds no shares.
    """
    assert tagged(outline)["1.Verification"] == {V}


@pytest.mark.parametrize("name", sorted(set(ANCHOR_TYPES) - {"Requirement"}))
def test_the_type_in_an_identifier_is_a_tag(name: str) -> None:
    found = tagged(f"1 | Dust is swept.\n1.{name} | The hall is aired.\n1.{name}-2 | The hall is aired twice.")
    assert (found[f"1.{name}"], found[f"1.{name}-2"]) == ({name}, {name})


def test_a_requirement_has_no_tag_whatever_its_words() -> None:
    assert tagged("1 | Dust is swept.\n1.Requirement | A plan is in place.")["1.Requirement"] == set()


def test_words_add_to_the_type_but_not_to_a_verification() -> None:
    outline = """
    1 | Dust is swept.
    1.Commitment | A plan is in place, and dust is measured using EN 99999.
    1.Verification | Dust is measured using EN 99999 and verified by an auditor.
    """
    found = tagged(outline)
    assert found["1.Commitment"] == {C, M}
    assert found["1.Verification"] == {V}


def test_what_stands_below_a_verification_or_background_is_that() -> None:
    outline = """
    1 | Dust is swept.
    1.Verification | An auditor checks:
      1.Verification(a) | whether a plan is in place;
        1.Verification(a)(i) | for each hall;
    1.BackgroundInformation | These halls count:
      1.BackgroundInformation(a) | halls for which a plan is in place.
    """
    found = tagged(outline)
    assert found["1.Verification(a)"] == found["1.Verification(a)(i)"] == {V}
    assert found["1.BackgroundInformation(a)"] == {B}


def test_items_take_over_the_tag_of_the_words_that_introduce_them() -> None:
    outline = """
    1 | The noise plan covers all of the following:
      1(a) | saws and belts;
      1(b) | the yard.
    """
    found = tagged(outline)
    assert (found["1(a)"], found["1(b)"]) == ({C}, {C})


def test_items_take_over_nothing_from_an_earlier_sentence() -> None:
    outline = """
    1 | A noise plan is in place. The yard is closed to:
      1(a) | carts;
      1(b) | sledges.
    """
    found = tagged(outline)
    assert (found["1"], found["1(a)"]) == ({C}, set())


def test_a_silent_chapeau_hands_on_what_it_has_been_handed() -> None:
    outline = """
    1 | The noise plan covers the following:
      1(a) | machines of the yard, that is:
        1(a)(i) | saws.
    """
    assert tagged(outline)["1(a)(i)"] == {C}


@pytest.mark.parametrize(
    ("chapeau", "expected"),
    [
        ("The mill meets the following standards:", {M}),
        ("What stands in the noise plan:", {C}),
        ("The calculation of the share leaves out:", {M}),
    ],
)
def test_plans_methods_and_standards_hand_down_by_what_they_are(chapeau: str, expected: set[str]) -> None:
    assert tagged(f"1 | {chapeau}\n  1(a) | jars of the yard;")["1(a)"] == expected


def test_what_a_term_takes_in_is_background_among_specifications_only() -> None:
    outline = """
    1 | Dust is swept.
    1.Methodology | For this Section, the following specifications apply:
      1.Methodology(a) | a hall or an annex to a hall includes its gates;
      1.Methodology(b) | the ten-day period is based on readings, including the latest;
    2 | The yard keeps to all of the following:
      2(a) | a hall includes its gates;
    """
    found = tagged(outline)
    assert (found["1.Methodology(a)"], found["1.Methodology(b)"], found["2(a)"]) == ({B}, {M}, set())


def test_what_a_product_can_do_earns_only_the_standard_it_follows() -> None:
    outline = """
    1 | The scales offer at least one of the following functions:
      1(a) | checking a load through analysis and simulation;
      1(b) | tracking the carriers' compliance with the rules of Annex XX;
      1(c) | weighing in accordance with EN 99999;
    2 | The noise plan covers the following services:
      2(a) | weighing of jars;
    """
    found = tagged(outline)
    assert (found["1(a)"], found["1(b)"], found["1(c)"], found["2(a)"]) == (set(), set(), {M}, {C})


def test_what_an_activity_is_for_earns_nothing() -> None:
    outline = """
    1 | The activity:
      1(a) | is aimed at quieting the machines listed in Annex XX;
      1(b) | sieves the sands listed in Annex XX;
    """
    found = tagged(outline)
    assert (found["1(a)"], found["1(b)"]) == (set(), {M})


def test_a_part_of_a_plan_with_parts_of_its_own_is_still_content_of_the_plan() -> None:
    outline = """
    1 | The noise plan covers the following:
      1(a) | a section on saws, including both of the following:
        1(a)(i) | their place;
    """
    found = tagged(outline)
    assert (found["1(a)"], found["1(a)(i)"]) == ({C}, {C})


def test_a_heading_hands_down_nothing() -> None:
    assert tagged("1 | # Noise plan:\n  1.1 | 1.1. Saws are silent.")["1.1"] == set()


def test_an_item_worded_as_a_study_or_a_replacement_is_that_only() -> None:
    outline = """
    1 | The noise plan covers the following:
      1(a) | an assessment of the yard;
      1(b) | replacement of saws;
    """
    found = tagged(outline)
    assert (found["1(a)"], found["1(b)"]) == ({A}, {R})


def test_own_words_add_to_what_the_chapeau_hands_down() -> None:
    outline = """
    1 | The noise plan covers the following:
      1(a) | readings are calculated using EN 99999;
      1(b) | readings are verified by an auditor;
    """
    found = tagged(outline)
    assert (found["1(a)"], found["1(b)"]) == ({C, M}, {V})


def test_an_item_that_only_states_a_limit_takes_over_no_tag() -> None:
    outline = """
    1 | The noise plan covers the following:
      1(a) | noise is at most 60 dB;
      1(b) | noise is low;
    """
    facts = [CriterionFacts(criterion_id="1(a)", threshold=limits(None, ("Noise", "<=", 60, "dB")))]
    found = tagged(outline, facts)
    assert (found["1(a)"], found["1(b)"]) == (set(), {C})


def test_a_class_supplied_by_an_act_counts_only_where_nothing_else_does() -> None:
    assert tagged("1 | Sands listed in Annex XX are sieved.")["1"] == {M}
    assert tagged("1 | Sands listed in Annex XX are verified by an auditor.")["1"] == {V}
    below = tagged("1 | The noise plan covers the following:\n  1(a) | sands listed in Annex XX;")
    assert below["1(a)"] == {C}


def test_a_document_that_must_be_fetched_is_a_method_where_no_word_says_more() -> None:
    source = ReferenceSource(text="Lake Codex, edition 2031", type="must_be_fetched", celex_id=None)
    facts = [CriterionFacts(criterion_id="1", references=References(logic=None, sources=(source,)))]
    assert tagged("1 | Nets are hung as the Lake Codex, edition 2031 asks.", facts)["1"] == {M}
    assert tagged("1 | Nets are hung as the Lake Codex, edition 2031 asks.")["1"] == set()
    gated = "1 | Where the Lake Codex, edition 2031 holds, nets are hung."
    assert tagged(gated, facts)["1"] == set()


def test_of_more_than_three_tags_the_type_in_the_identifier_and_the_surest_stay() -> None:
    # The consultation is less sure than the others.
    text = (
        "The public consultation of the town, readings calculated using EN 99999, a plan is in place and yearly"
        " verified by an auditor."
    )
    assert tagged(f"1 | {text}")["1"] == {V, M, C}
    assert tagged(f"1 | Dust is swept.\n1.Assessment | {text}")["1.Assessment"] == {V, M, A}


def test_tags_stand_in_one_order_with_the_words_they_rest_on() -> None:
    views = criteria("1 | Dust is calculated using EN 99999 and verified by an auditor.")
    answer = assign_tags(unit=UNIT, criteria=views, facts=[])[1]
    assert answer.value == (V, M)
    words = [views[1].text[start:end] for _, start, end in answer.evidence]
    assert any("verified" in w for w in words)
    assert any("calculated" in w for w in words)


def _share_right(trees: list[dict], units: dict[tuple[str, str], Unit]) -> float:  # type: ignore[type-arg]
    right = total = 0
    for tree in trees:
        views = gold_criteria(tree, units[tree["source"], tree["unit"]])
        found = values(assign_tags(unit=gold_header(tree), criteria=views, facts=gold_facts(tree)))
        total += len(tree["nodes"])
        right += sum(set(found[n["criterion_id"]]) == set(n["tags"]) for n in tree["nodes"])
    return right / total


def test_samples_are_tagged_as_annotated() -> None:
    assert _share_right(gold_trees(SAMPLES / "gold"), sample_units()) >= 0.97


def test_gold_units_are_tagged_as_annotated(real_units: dict[tuple[str, str], Unit]) -> None:
    assert _share_right(gold_trees(ROOT / "data/gold"), real_units) >= 0.97
