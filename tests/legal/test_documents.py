"""Documents outside the law of the Union: one example of each form, and where names end."""

import re

import pytest

from regreact.legal.citations import find_citations
from regreact.legal.document_rules import RULES, DocumentRule
from regreact.legal.documents import find_documents

# Examples that need words before them are given whole in the rule.
_WHOLE = {"index used for calculation", "another instrument", "as defined by a body", "tool"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_finds_its_example(rule: DocumentRule) -> None:
    text = f"the mill complies with the {rule.example}."
    found = [c for c in find_documents(text, []) if c.rule == rule.name]
    assert found, rule.name
    if rule.name not in _WHOLE and rule.name != "Level(s) indicators":
        assert found[0].phrase == re.sub(r"^the |\(\d+\)$", "", rule.example)
    assert all(c.kind == rule.kind for c in found)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        # up to the footnote marker, commas included
        ("the best available techniques (BAT) conclusions for the making of cement, lime and glass(7). No effects",
         "best available techniques (BAT) conclusions for the making of cement, lime and glass"),
        ("BAT 4 of the BAT conclusions for lake mills to apply", "BAT 4 of the BAT conclusions for lake mills"),
        ("the Best Available Techniques Reference Document (BREF) for the production of oils (OIL) for new plants",
         "Best Available Techniques Reference Document (BREF) for the production of oils (OIL)"),
        # up to the last capitalised word
        ("with the European Code of Conduct on Lake Water Efficiency or other equivalent sources",
         "European Code of Conduct on Lake Water Efficiency"),
        ("the 2019 Refinement to the 2006 IPCC Guidelines for National Lake Inventories regarding fish",
         "2019 Refinement to the 2006 IPCC Guidelines for National Lake Inventories"),
        ("the EU Green Public Procurement Criteria for Lake Design, Construction and Maintenance(1), and",
         "EU Green Public Procurement Criteria for Lake Design, Construction and Maintenance"),
        # in small letters up to punctuation, a verb or a conjunction
        ("the principles of the IUCN Global Standard for lake-based solutions.", "IUCN Global Standard for lake-based solutions"),
        ("awarded with an EU Ecolabel for tourist boats or an equivalent label", "EU Ecolabel for tourist boats"),
        # to the closing quotation mark
        ("follows the “Alpine Guidelines for Shores with a special focus on the reeds”(7).",
         "Alpine Guidelines for Shores with a special focus on the reeds"),
        # an acronym closes a name, a date is no part of it
        ("the Agreement concerning the Carriage of Boats by Road (ACB)(1), the boats",
         "Agreement concerning the Carriage of Boats by Road (ACB)"),
        ("the International Convention on the Control of Harmful Paints adopted on 5 October 2001",
         "International Convention on the Control of Harmful Paints"),
        # pinpoints and markers inside
        ("comply with Regulation 14(253) of Annex VI to the IMO MARPOL Convention",
         "Regulation 14 of Annex VI to the IMO MARPOL Convention"),
        ("amendment 3 of Volume I (waves), Chapter 4 of Annex 6 to the Alpine Convention, where",
         "amendment 3 of Volume I (waves), Chapter 4 of Annex 6 to the Alpine Convention"),
        ("under Article 41 of the Euratom Treaty or", "Article 41 of the Euratom Treaty"),
        ("adopted under Article 192 TFEU, in particular", "Article 192 TFEU"),
        ("the IFC General Environmental, Health, and Safety Guidelines(181).",
         "IFC General Environmental, Health, and Safety Guidelines"),
    ],
)  # fmt: skip
def test_where_names_begin_and_end(text: str, phrase: str) -> None:
    assert [c.phrase for c in find_citations(text)] == [phrase]


def test_names_in_a_row_stay_apart() -> None:
    text = "listed in the Alpine Convention on Mercury, the Montreal Protocol on Substances that Deplete the Ozone Layer, and"
    assert [c.phrase for c in find_citations(text)] == [
        "Alpine Convention on Mercury",
        "Montreal Protocol on Substances that Deplete the Ozone Layer",
    ]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("the plan follows the resolution IX/4, and", "resolution IX/4"),
        ("under Resolution IX.4 (2090) of the Lakes Convention", "Resolution IX.4 (2090) of the Lakes Convention"),
        ("under Resolution MEPC.77(12)", "Resolution MEPC.77(12)"),
        ("in the document MSC.1/Circ.12 of the committee", "MSC.1/Circ.12"),
        ("calculated using the Lake Mill Operational Indicator(5), 5 % lower", "Lake Mill Operational Indicator"),
        ("ABCD requirements applicable on 1 April 2022(4) if", "ABCD requirements applicable on 1 April 2022"),
        ("under the LAKES 2090 WORK PROGRAMME 2096– 2097, p. 9", "LAKES 2090 WORK PROGRAMME 2096– 2097"),
    ],
)
def test_documents_known_by_number(text: str, phrase: str) -> None:
    assert [c.phrase for c in find_citations(text)] == [phrase]


def test_indicators_are_written_out() -> None:
    found = find_citations("reporting on the Level(s) indicators 2.3(5) and 2.4(6) at Level 2")
    assert [c.phrase for c in found] == ["Level(s) indicator 2.3", "Level(s) indicator 2.4"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("using ISO standard 14067:2018", "ISO 14067:2018"),
        ("CEN/TS 16516: 2013, lakes", "CEN/TS 16516:2013"),
        ("CLC/EN 50625-1:2014", "CLC/EN 50625-1:2014"),
        ("in CEN-CENELEC document CLC TR50600-99-1", "CLC TR50600-99-1"),
        ("ISO 14064-1:2018(en), gases", "ISO 14064-1:2018"),
        ("ETSI ES 203 199, lakes", "ETSI ES 203 199"),
        ("the standard ITU–T L.1410", "ITU–T L.1410"),
        ("EN IEC TS 60034-30-2 motors", "EN IEC TS 60034-30-2"),
        ("recognised under HD 12345-8-1: Mills – Part 8-1", "HD 12345-8-1"),
        ("the draft prEN 12345", "prEN 12345"),
        ("CWA 17000:2090", "CWA 17000:2090"),
        ("IEEE 12345-2018 for grids", "IEEE 12345-2018"),
    ],
)
def test_designations_of_standards(text: str, title: str) -> None:
    (citation,) = find_citations(text)
    assert (citation.kind, citation.title) == ("standard", title)


@pytest.mark.parametrize(
    "text",
    [
        "high handling standards for claims",
        "a documented procedure for the guidance of fish",
        "the monitoring scheme has indicators",
        "is calculated using the Lake Leakage Index (LLI)(2) rating method",
        "meets the technical screening criteria",
        "an image with a resolution of 1.5 m",
        "the resolution IV of the council",
        "an HD camera",
        "an EU-wide water framework",
        "national guidelines on lakes",
        "the parties to the Convention meet",
        "under the Agreement to build mills",
    ],
)
def test_common_nouns_are_no_documents(text: str) -> None:
    assert find_citations(text) == []
