"""The table of cue words that name anchored paragraphs."""

from __future__ import annotations

import pytest

from regreact.fastpath.cues import (
    ANCHOR_TYPES,
    DECISIVE_RULES,
    REQUIREMENT_RULES,
    CueRule,
    anchored_type,
    main_clause,
    sentences,
)
from regreact.fastpath.structure.paragraphs import paragraph_type

RULES = (*DECISIVE_RULES, *REQUIREMENT_RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_decides_its_example(rule: CueRule) -> None:
    match = anchored_type(rule.example)
    assert (match.rule, match.type) == (rule.name, rule.type)
    assert rule.pattern.search(rule.example, match.start, match.end)


def test_every_type_has_a_rule_and_names_are_unique() -> None:
    assert {rule.type for rule in RULES} == set(ANCHOR_TYPES)
    assert len({rule.name for rule in RULES}) == len(RULES)


# One text per alternative of the patterns that carry more than their example shows.
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Loads may be checked only when wet.", "Methodology"),
        ("Mixed loads may be used on condition that they are dry.", "Methodology"),
        ("The independent certifier holds no shares in the quarry.", "Verification"),
        ("The certifier has taken no part in running the quarry.", "Verification"),
        ("The third-party auditor is independent of the owner.", "Verification"),
        ("Member States may use older plans.", "BackgroundInformation"),
        ("The Commission shall take those reports into account.", "BackgroundInformation"),
        ("When checking, the independent third party looks at planned hours.", "BackgroundInformation"),
        ("The register duty does not apply to museums.", "BackgroundInformation"),
        ("Where a study exists, no additional study of noise is required.", "BackgroundInformation"),
        ("Museums are exempt from the register.", "BackgroundInformation"),
        ("Levies are not considered a contribution.", "Methodology"),
        ("Kilns above 9 kW are not compliant.", "Requirement"),
        ("Consoles for coal do not qualify.", "Requirement"),
        ("‘Kiln’ is defined as an oven above 900 degrees.", "BackgroundInformation"),
        ("Glaze is preferably dried in the open.", "BackgroundInformation"),
        ("Net heat may take into account recovered heat.", "BackgroundInformation"),
        ("The plant is inspected by the town.", "Verification"),
        ("The value is measured by an accredited laboratory.", "Verification"),
        ("An audit confirms that the quarry is safe.", "Verification"),
        ("The certification body certifies the kiln.", "Verification"),
        ("Losses are determined in accordance with ISO 99999.", "Methodology"),
        ("Compliance with this point is demonstrated by the label.", "Methodology"),
        ("Dust is within the levels set in the permit conclusions.", "Methodology"),
        ("The campaigns have the features described in BAT 9.", "Methodology"),
        ("The yard applies washing techniques.", "Methodology"),
        ("Side measures include, where relevant:", "Methodology"),
        ("Springs are safe, as a survey shows.", "Assessment"),
        ("The use of steel is shown in a mass balance.", "Assessment"),
        ("Noise is monitored against indicators.", "Assessment"),
        ("The survey programme is repeated every five years.", "Commitment"),
        ("The duty is written into the contract of sale.", "Commitment"),
        ("The owner keeps records of loads.", "Commitment"),
        ("The result is published.", "Commitment"),
        ("Old kilns are permanently withdrawn.", "Replacement"),
        ("Lead shot is not used.", "Requirement"),
        ("The expert has no financial interest in the quarry.", "Verification"),
        ("The engineers hold no shares in the works.", "Verification"),
        ("That body was not involved in building the kiln.", "Verification"),
        ("The surveyor is independent from the owner.", "Verification"),
        ("The owner has an interest in the quarry.", "Requirement"),
        ("Each year an accredited verifier audits compliance with these criteria.", "Verification"),
        ("An auditor who is paid by the town reviews the books.", "Verification"),
        ("A chartered engineer examines the vault.", "Verification"),
        ("The competent authority approves the drawing.", "Verification"),
        ("The figure is confirmed by an authorised body.", "Verification"),
        ("The figure is confirmed between May and June by an accredited body.", "Verification"),
        ("The certificate names the glaze.", "Verification"),
        ("The verification of the tonnage takes place in May.", "Requirement"),
        ("The audit plan is new.", "Commitment"),
        ("The water level is taken from the records of ten years.", "Methodology"),
        ("The share is derived from meter readings.", "Methodology"),
        ("Losses are worked out in line with the contract.", "Methodology"),
        ("Water is taken from the river.", "Requirement"),
        ("The measurement follows the sun.", "Methodology"),
        ("Night kilns within the meaning of point 1(d) are kilns fired after dark.", "BackgroundInformation"),
        ("A lid counts as a part of the jar.", "BackgroundInformation"),
        ("A fine does not count as a contribution.", "Methodology"),
        ("‘Kiln’ has the same meaning as in the permit.", "BackgroundInformation"),
        ("Small kilns are not obliged to have a lid.", "BackgroundInformation"),
        ("Museums are excluded from this requirement.", "BackgroundInformation"),
        ("The plan referred to in point 1(b) states the origin of the clay.", "Commitment"),
        ("The yard draws up a written protocol for spills.", "Commitment"),
        ("The owner signs a contract with the town.", "Commitment"),
        ("The yearly figure is made public.", "Commitment"),
        ("A register of loads is kept.", "Commitment"),
        ("Old kilns are taken out of service.", "Replacement"),
        ("All values are determined at low water.", "Methodology"),
        ("The sampling programme under point 1(b) is audited by a third party.", "Verification"),
        ("The plan is reviewed by an independent expert.", "Verification"),
        ("The plan is reviewed every two years.", "Commitment"),
        ("The operator compares them with the meters.", "Assessment"),
        ("The kiln is compared to an oven.", "Requirement"),
        ("Audit reports are kept for eight years.", "Commitment"),
        ("The audit reports are retained for eight years.", "Commitment"),
        ("The audit report names the glaze.", "Verification"),
        ("Loads are entered in a register.", "Commitment"),
        ("Sand is kept in a hall.", "Requirement"),
        ("The third party has no commercial, financial or family tie with the owner.", "Verification"),
        ("The auditor is not bound to the owner.", "Verification"),
        ("In order that costs may be saved, the audit may be combined with any other one.", "BackgroundInformation"),
        ("Inspections may take place together with those of the label.", "BackgroundInformation"),
        ("Staff travel by one of the following means:", "Requirement"),
        ("Those means are used by day.", "Requirement"),
        ("Clean load means a load without metal.", "BackgroundInformation"),
    ],
)
def test_alternatives_of_the_rules(text: str, expected: str) -> None:
    assert anchored_type(text).type == expected


def test_the_word_of_duty_that_stands_first_names_the_paragraph() -> None:
    assert (
        anchored_type("Losses are calculated using ISO 99999 and are verified by a third party.").type == "Methodology"
    )
    assert anchored_type("Losses are verified by a third party using ISO 99999.").type == "Verification"


def test_a_later_sentence_is_asked_only_for_calculation_and_proof() -> None:
    assert anchored_type("The share is small. It is calculated yearly.").type == "Methodology"
    assert anchored_type("The share is small. A study of it exists.").type == "Requirement"


def test_a_permission_in_a_relative_clause_is_none() -> None:
    assert anchored_type("Lids are fitted, which may include fans.").type == "Requirement"


def test_the_opening_situation_is_passed_over() -> None:
    text = "In the absence of a certificate of the tested glaze, the maker delivers a declaration."
    assert text[main_clause(text) :] == "the maker delivers a declaration."
    assert anchored_type(text).type == "Commitment"


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("One is. Two is.", ["One is. ", "Two is."]),
        ("See No 7 and e.g. ISO 99999. It is new.", ["See No 7 and e.g. ISO 99999. ", "It is new."]),
        ("As in Section 3.21., it is new.", ["As in Section 3.21., it is new."]),
        ("It is so(4). It is new.", ["It is so(4). ", "It is new."]),
        ("", []),
    ],
)
def test_sentences(text: str, pieces: list[str]) -> None:
    assert [text[a:b] for a, b in sentences(text)] == pieces


def test_a_label_is_background() -> None:
    assert paragraph_type("0,0050 % w/w") == ("BackgroundInformation", None)
    assert paragraph_type("Lead shot is not used.") == ("Requirement", None)
    assert paragraph_type("Loads are verified by a guild.") == ("Verification", (6, 18))
