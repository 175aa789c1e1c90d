"""Footnotes: documents, fetch types, Official Journal references, categories, terms (guidelines section 9)."""

import pytest

from regreact.fastpath.footnotes import process_footnotes
from regreact.fastpath.footnotes.categories import EXPLANATIONS, ExplanationRule
from regreact.fastpath.footnotes.fetching import RULES as FETCH_RULES
from regreact.fastpath.footnotes.fetching import BackgroundRule
from regreact.fastpath.footnotes.terms import RULES as TERM_RULES
from regreact.fastpath.footnotes.terms import DefinitionRule, definitions, term_before
from regreact.fastpath.footnotes.titles import KINDS, KindRule, bibliographic_title, clean, kind_of
from signatures.types import CriterionView, FootnoteValue, FootnoteView, UnitHeader

UNIT = UnitHeader(unit="CCM-91.1/SC", activity="Lake mills", objective="mitigation", section="SC")


def process(text: str, body: str = "the mill is clean(1).") -> FootnoteValue:
    """Return the decomposition of footnote 1 of a criterion."""
    criterion = CriterionView(criterion_id="1", parent="ROOT", block=4, text=body, footnotes=("fn-1",))
    (answer,) = process_footnotes(UNIT, [criterion], [FootnoteView(id="fn-1", criterion_id="1", text=text)])
    assert answer.id == "fn-1"
    assert 0 < answer.confidence < 1
    assert all(body[start:end] == "(1)" for _, start, end in answer.evidence)
    return answer.value


def items(value: FootnoteValue) -> list[tuple[str, str | None, str]]:
    return [(i.title, i.celex_id, i.type) for i in value.items]


# Acts
def test_an_act_with_what_it_amends_and_repeals() -> None:
    value = process(
        "Regulation (EU) 2018/1999 of the European Parliament and of the Council of 11 December 2018 on lakes, amending "
        "Regulations (EC) No 63/2009 and (EC) No 75/2009, Directives 94/2/EC and 98/7/EC, Council Directives 2009/19/EC "
        "and (EU) 2015/65 and repealing Regulation (EU) No 55/2013 (OJ L 328, 21.12.2018, p. 1)."
    )
    assert items(value) == [
        ("Regulation (EU) 2018/1999", "32018R1999", "must_be_fetched"),
        ("Regulation (EC) No 63/2009", "32009R0063", "citation_only"),
        ("Regulation (EC) No 75/2009", "32009R0075", "citation_only"),
        ("Directive 94/2/EC", "31994L0002", "citation_only"),
        ("Directive 98/7/EC", "31998L0007", "citation_only"),
        ("Council Directive 2009/19/EC", "32009L0019", "citation_only"),
        ("Council Directive (EU) 2015/65", "32015L0065", "citation_only"),
        ("Regulation (EU) No 55/2013", "32013R0055", "citation_only"),
    ]
    assert [i.oj for i in value.items] == ["OJ L 328, 21.12.2018, p. 1", *[None] * 7]
    assert {i.kind for i in value.items} == {"EU Legal Act"}
    assert value.categories == ("Legal Reference",)
    assert (value.definitions, value.notes) == ((), ())


def test_a_treaty_in_the_title_of_an_act_is_background() -> None:
    value = process("Directive (EU) 2099/1 of 12 January 2099 on reeds, implementing the Lakes Convention (OJ L 12, 20.1.2099, p. 4).")
    assert [(i.kind, i.title, i.type) for i in value.items] == [
        ("EU Legal Act", "Directive (EU) 2099/1", "must_be_fetched"),
        ("International Convention/Treaty", "Lakes Convention", "citation_only"),
    ]


def test_several_acts_for_themselves() -> None:
    value = process(
        "Regulation (EC) No 1/2003 of 22 May 2003 on boats (OJ L 268, 18.10.2003 p. 29), Regulation (EU) 2017/745 of the "
        "European Parliament and of the Council of 5 April 2017 on rafts, amending Directive 2001/83/EC (OJ L 117, "
        "5.5.2017, p. 1) or Directive 2001/83/EC of the European Parliament and of the Council of 6 November 2001 on "
        "lakes (OJ L 311, 28.11.2001, p. 67)."
    )
    assert [(i.celex_id, i.type, i.oj) for i in value.items] == [
        ("32003R0001", "must_be_fetched", "OJ L 268, 18.10.2003, p. 29"),
        ("32017R0745", "must_be_fetched", "OJ L 117, 5.5.2017, p. 1"),
        ("32001L0083", "must_be_fetched", "OJ L 311, 28.11.2001, p. 67"),
    ]


@pytest.mark.parametrize(
    ("text", "oj"),
    [
        ("Regulation (EU) 2024/590 of 7 February 2024 on lakes (OJ L, 2024/590, 20.2.2024, ELI: http://data.example/oj).",
         "OJ L, 2024/590, 20.2.2024"),
        ("Decision 2014/738/EU of 9 October 2014 on mills (OJ L307, 28.10.2014, p. 38).", "OJ L 307, 28.10.2014, p. 38"),
        ("Directive (EU) 2019/944 of 5 June 2019 on rivers (OJ L 158/125, 14.6.2019),", "OJ L 158, 14.6.2019"),
        ("Alpine Convention on Mercury (OJ L 142, 2.6.2017, p. 6.).", "OJ L 142, 2.6.2017, p. 6"),
        ("Directive 2001/3/EC.", None),
    ],
)  # fmt: skip
def test_official_journal(text: str, oj: str | None) -> None:
    assert [i.oj for i in process(text).items] == [oj]


@pytest.mark.parametrize(
    ("text", "title", "celex"),
    [
        ("As set out in point 3 of Annex I to Regulation (EU) 2018/858.", "Regulation (EU) 2018/858", "32018R0858"),
        ("Implementing Decision (EU) 2018/1147.", "Implementing Decision (EU) 2018/1147", "32018D1147"),
        ("Commission Regulation (EU) No 206/2012 of 6 March 2012.", "Commission Regulation (EU) No 206/2012", "32012R0206"),
        ("In accordance with Article 3 of the Waste Framework Directive.", "Waste Framework Directive", "32008L0098"),
    ],
)  # fmt: skip
def test_titles_are_type_and_number(text: str, title: str, celex: str) -> None:
    """Ruling D22."""
    assert items(process(text)) == [(title, celex, "must_be_fetched")]


# Fetch types (clarification C8)
@pytest.mark.parametrize("rule", FETCH_RULES, ids=lambda rule: rule.name)
def test_each_background_rule_on_its_example(rule: BackgroundRule) -> None:
    value = process(rule.example if "…" not in rule.example else rule.example.replace("…", "the Alpine Guidelines on Lakes."))
    assert value.items[-1].type == "citation_only"


@pytest.mark.parametrize(
    ("text", "body", "fetch"),
    [
        ("Calculated in accordance with Regulation (EU) 2019/331.", "values(1)", "must_be_fetched"),
        ("Reflecting the average value set out in the Annex to Regulation (EU) 2021/447.", "values(1)", "citation_only"),
        ("The Commission will review this once Directive 94/62/EC is revised.", "bags(1)", "citation_only"),
        ("As set in national regulations implementing Directive 2010/31/EU.", "renovation(1)", "must_be_fetched"),
        ("Such as labels under Regulation (EU) 2018/848.", "labels(1)", "citation_only"),
        ("See Handbook on Lakes (version of 1.2.2023: https://example.org).", "lakes are clean(1)", "citation_only"),
        ("See Level(s) indicator 2.3: Design, user manual (Publication version 1.1), https://example.org.",
         "reporting on the Level(s) indicator 2.3(1)", "must_be_fetched"),
        ("ISO 18400 series on soil", "for example using standard ISO 18400(1)", "citation_only"),
        ("ISO standard 22057:2022, Data templates (version of 2022)", "for example using EN ISO 22057:2022 for data(1)", "citation_only"),
        ("ISO standard 22057:2022, Data templates", "for example using EN ISO22057:2022 for data(1)", "citation_only"),
        ("ISO 18400 series on soil", "using standard ISO 18400(1)", "must_be_fetched"),
        ("Mills are old, see Alpine Lake Glossary, available at: https://example.org.", "mills(1)", "citation_only"),
        ("For reporting, the sheet to be used: Alpine mud template (version 1.1), https://example.org.", "mud(1)", "must_be_fetched"),
    ],
)  # fmt: skip
def test_fetch_types(text: str, body: str, fetch: str) -> None:
    assert [i.type for i in process(text, body).items] == [fetch]


# Other documents
@pytest.mark.parametrize(
    ("text", "body", "title", "kind"),
    [
        ("ISO standard 14067:2018, Gases — Requirements (version of 1.1.2020: https://example.org).", "ISO 14067:2018(1)",
         "ISO 14067:2018", "Standard"),
        ("2019 Refinement to the 2006 IPCC Guidelines for National Lakes (version of 1.1.2020: https://example.org).", "the guidelines(1)",
         "2019 Refinement to the 2006 IPCC Guidelines for National Lakes", "Official Guideline/Manual"),
        ("Alpine Convention on the Prior Consent Procedure (OJ L 63, 6.3.2003, p. 29).", "under the convention(1)",
         "Alpine Convention on the Prior Consent Procedure", "International Convention/Treaty"),
        ("Energy Efficiency Lake Index (version of 1.1.2020: https://example.org).", "the index(1)",
         "Energy Efficiency Lake Index", "Standard"),
        ("See Appendix A.", "perils(1)", "Appendix A", "Other"),
        ("National Reef Programme 2090 of the State.", "in the plan(1)", "National Reef Programme 2090", "Member-State Plan/Programme"),
        ("Manual for Lake Accounting, second edition, Lakeside 2096.", "under the manual(1)", "Manual for Lake Accounting", "Official Guideline/Manual"),
        # what the criterion names, where the footnote only says where it is found
        ("Version of 27.6.2023, available at: https://example.org.", "under the Alpine Convention on Boats(1)",
         "Alpine Convention on Boats", "International Convention/Treaty"),
        ("Publicly available online tool made by a union (version of 1.1.2020: https://example.org).", "or the L-res tool(1).",
         "L-res tool", "Other"),
        ('Issued on 1 July 2019 by the committee (version of 1.1.2020: https://example.org).',
         'in CEN-CENELEC document CLC TR12345-1 "Lakes"(1).', "CLC TR12345-1", "Standard"),
        ("Treatment of lakes – Part 4: Specification for the mud.", "set in CLC/TS 50625-4:2017(1)", "CLC/TS 50625-4:2017", "Standard"),
        ("Commission Recommendation of 9 April 2013 on methods (OJ L 124, 4.5.2013, p. 1).", "using Recommendation 2013/179/EU(1)",
         "Recommendation 2013/179/EU", "EU Legal Act"),
    ],
)  # fmt: skip
def test_documents(text: str, body: str, title: str, kind: str) -> None:
    (item,) = process(text, body).items
    assert (item.title, item.kind) == (title, kind)


def test_sections_keep_their_annex() -> None:
    value = process("Fuels that meet the criteria in sections 3.10 and 4.13 of this Annex.", "on fuels from lakes(1).")
    assert [i.title for i in value.items] == ["Section 3.10 of this Annex", "Section 4.13 of this Annex"]
    assert value.categories == ("Technical Definition",)
    assert [d.term for d in value.definitions] == ["fuels from lakes"]


def test_a_standard_with_and_without_year_is_one_item() -> None:
    assert [i.title for i in process("In accordance with EN 15978 (EN 15978:2011).").items] == ["EN 15978:2011"]


def test_a_label_that_an_act_lays_down_is_that_act() -> None:
    value = process("Such as the EU Ecolabel for boats, in accordance with Commission Decision (EU) 2017/175.")
    assert items(value) == [("Commission Decision (EU) 2017/175", "32017D0175", "citation_only")]


@pytest.mark.parametrize("rule", KINDS[:-1], ids=lambda rule: rule.kind)
def test_each_kind_on_its_example(rule: KindRule) -> None:
    assert kind_of(rule.example) == rule.kind


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("See Handbook on lakes (version of 1.2.2023: https://example.org).", "Handbook on lakes"),
        ("Handbook on lakes, version of 1.2.2023 available at: https://example.org.", "Handbook on lakes"),
        ("EU Lake Protocol, September 2016: https://example.org.", "EU Lake Protocol, September 2016"),
        ("Reports on Lakes: Impacts, published periodically by the council", "Reports on Lakes: Impacts"),
        ("Alpine Guidelines for Lakes adopted by the meeting on 12 November, 2008 (version of 2.2.2020)", "Alpine Guidelines for Lakes"),
        ("Annex 2 of the Resolution L2. Guidelines for Lakes. Third Conference 1998 (version of 2.2.2020)",
         "Guidelines for Lakes (Annex 2 of the Resolution L2)"),
        ("WHO, Safe lakes, 2nd edition (version of 2.2.2020)", "Safe lakes, 2nd edition"),
        ("See Communication from the Commission to the Parliament and the Committee of the Regions: Lakes (COM/2013/9 final).",
         "Commission Communication Lakes (COM/2013/9 final)"),
        ("Lakes Convention (2002) Principles for lakes. Adopted by Resolution IX.4 (2002) of the Convention (version of 2.2.2020)",
         "Principles for lakes (Resolution IX.4)"),
        ("Lakes Convention (2002) Resolution IX.4 New Guidelines for lakes (version of 2.2.2020)", "New Guidelines for lakes (Resolution IX.4)"),
        ("Commission Staff Working Document. EU Lake Criteria (SWD(2016) 9), 2016, p. 17, (version of 2.2.2020)", "EU Lake Criteria (SWD(2016) 9)"),
        ("Guidelines for audits of mills. EU Lake Management, May 2018: https://example.org.", "Guidelines for audits of mills"),
        ("FAO Lake Assessment 2020. Terms and definitions (version of 2.2.2020)", "FAO Lake Assessment 2020. Terms and definitions"),
        ("Lakes are defined as waters (version of 2.2.2020: https://example.org).", None),
        ("The ore is washed twice.", None),
    ],
)  # fmt: skip
def test_bibliographic_titles(text: str, title: str | None) -> None:
    assert bibliographic_title(text) == title


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("See Handbook on lakes (version of 1.2.2023: https://example.org). For reporting, the sheet on the website is to be used: Lake "
         "sheet and mud template: for estimating (Level 2) lakes (version 1.1), https://example.org.",
         ["Handbook on lakes", "Lake sheet and mud template (version 1.1)"]),
        ("Mills are old, see also the Alpine Lake Glossary, available at: https://example.org.", ["Alpine Lake Glossary"]),
        ("Mills are old, see Directive 2001/3/EC, available at: https://example.org.", ["Directive 2001/3/EC"]),
        ("Mills are old, see EN 12345:2011, available at: https://example.org.", ["EN 12345:2011"]),
        ("Mills are old, see below what is available at: https://example.org.", []),
    ],
)  # fmt: skip
def test_entries_inside_sentences(text: str, titles: list[str]) -> None:
    assert [i.title for i in process(text, "mud(1)").items] == titles


def test_notices_keep_their_number() -> None:
    assert clean("European Commission notice C(2020) 77 final “Guidance on lakes”") == (
        "European Commission notice C(2020) 77 final, Guidance on lakes"
    )


# Categories (rulings D23, C8)
@pytest.mark.parametrize("rule", EXPLANATIONS, ids=lambda rule: rule.name)
def test_each_explanation_on_its_example(rule: ExplanationRule) -> None:
    assert rule.pattern.search(rule.example)
    assert process(rule.example).categories[-1] == "Explanatory Note"


@pytest.mark.parametrize(
    ("text", "categories"),
    [
        ("As referred to in Article 4 of Regulation (EU) 2018/858.", ("Legal Reference",)),
        ("As defined in Article 2 of Directive (EU) 2018/2001.", ("Legal Reference", "Technical Definition")),
        ("This includes boats set out in Annex I to Regulation (EU) 2018/858.", ("Legal Reference", "Explanatory Note")),
        ("This can be demonstrated under Directive 2010/31/EU.", ("Legal Reference", "Explanatory Note")),
        ("ISO 14001:2015 Management systems.", ("Official Guideline/Standard",)),
        ("For activities in third countries, in accordance with national law, for example IFC Performance Standard 1: Lakes.",
         ("Official Guideline/Standard", "Explanatory Note")),
        ("For example, following the Alpine Guidelines for Lakes (version of 2.2.2020).", ("Official Guideline/Standard", "Explanatory Note")),
        ("Such as the EU Ecolabel for boats.", ("Official Guideline/Standard",)),
        ("Applying to paints and floors.", ("Explanatory Note",)),
        ("Future scenarios include two lake paths.", ("Explanatory Note",)),
        ("The levels relate to a test of 28 days.", ("Explanatory Note",)),
    ],
)  # fmt: skip
def test_categories(text: str, categories: tuple[str, ...]) -> None:
    assert process(text, "the share of lake crops(1)").categories == categories


# Terms
@pytest.mark.parametrize("rule", TERM_RULES, ids=lambda rule: rule.name)
def test_each_definition_rule_on_its_example(rule: DefinitionRule) -> None:
    match = rule.pattern.search(rule.example)
    assert match is not None
    (definition,) = definitions(rule.example, f"the {match['term'].lower()}")
    assert definition.term == match["term"]


@pytest.mark.parametrize(
    ("text", "before", "terms"),
    [
        ("Area that is kept as a lake.", "is classified as a permanent lake estate", ["permanent lake estate"]),
        ("The procedure through which the authority decides on lakes.", "an assessment or a screening", ["screening"]),
        ("As defined in Article 2 of Directive (EU) 2018/2001.", "the share of food and feed crops", ["food and feed crops"]),
        ("Scope 1 means the lake. Scope 2 means the shore.", "scope 1 and 2", ["Scope 1", "Scope 2"]),
        ("For the purposes of this act, clean lakes means lakes without oil.", "clean lakes", ["clean lakes"]),
        ("Reusable and reuse system are defined and implemented in accordance with law.", "reuse", ["Reusable", "reuse system"]),
        ("Recovery rate is the proportion of waste that is recovered.", "a mill", []),
        ("The rate can be developed later.", "recovery rate", []),
        ("The demand before the works is the mean of three seasons.", "heat demand", []),
        ("U-value means the loss as defined in EN 673:2011.", "the U-value", ["U-value"]),
        ("Lake mills are driven by water (not oil), as defined in COM(2090) 7. They turn.", "for lake mills", ["Lake mills"]),
        ("Lake mills are driven by water. Boats float, as defined in COM(2090) 7.", "for lake mills", []),
        ("Including an analysis of lakes that are deep.", "an analysis", []),
        ("Only the boats which float are counted.", "boats", []),
    ],
)  # fmt: skip
def test_terms(text: str, before: str, terms: list[str]) -> None:
    assert [d.term for d in definitions(text, before)] == terms


def test_a_title_defines_nothing() -> None:
    assert definitions("Alpine Protocol on Substances that Float", "the protocol", titled=True) == ()


def test_the_term_may_stand_behind_the_marker() -> None:
    (definition,) = definitions(
        "The stewardship and use of lakes in a way that keeps them.",
        "matches the Alpine definition",
        "(1) of clean lakes, and",
    )
    assert definition.term == "clean lakes"


@pytest.mark.parametrize(
    ("before", "term"),
    [("‘long lake plan’", "long lake plan"), ("shows protection of soil and water", "protection of soil and water"), ("", None)],
)  # fmt: skip
def test_term_before(before: str, term: str | None) -> None:
    found = term_before(before)
    assert (found or "").endswith(term or "")
    assert (found is None) == (term is None)


def test_the_marker_is_not_a_paragraph_number() -> None:
    body = "as defined in Article 3(1), point (h), of Regulation (EU) 2019/631(1), zero"
    criterion = CriterionView(criterion_id="1", parent="ROOT", block=0, text=body, footnotes=("fn-1",))
    footnote = FootnoteView(id="fn-1", criterion_id="1", text="Regulation (EU) 2019/631 (OJ L 111, 25.4.2019, p. 13).")
    (answer,) = process_footnotes(UNIT, [criterion], [footnote])
    assert answer.evidence == ((0, body.rindex("(1)"), body.rindex("(1)") + 3),)


def test_a_footnote_without_criterion_is_answered_too() -> None:
    (answer,) = process_footnotes(UNIT, [], [FootnoteView(id="fn-2", criterion_id="9", text="See Appendix A.")])
    assert [i.title for i in answer.value.items] == ["Appendix A"]
    assert answer.evidence == ()
