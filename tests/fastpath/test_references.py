"""Sources of criteria: what counts, which CELEX id, fetch type, logic, place in the text."""

from itertools import pairwise

import pytest

from regreact.fastpath.references import BACKGROUND, BackgroundRule, extract_references
from regreact.schema import References
from signatures.types import CriterionView, FootnoteView, UnitHeader


def extract(*texts: str, section: str = "SC", notes: dict[str, str] | None = None) -> list[References | None]:
    """Return the references of criteria "1", "2", … with these texts."""
    unit = UnitHeader(unit="CCM-91.1/SC", activity="Lake mills", objective="mitigation", section=section)
    views = [
        CriterionView(criterion_id=str(n), parent="ROOT", block=n - 1, text=text) for n, text in enumerate(texts, 1)
    ]
    footnotes = [FootnoteView(id=i, criterion_id="1", text=text) for i, text in (notes or {}).items()]
    answers = {a.id: a for a in extract_references(unit, views, footnotes)}
    for view in views:
        for block, start, end in answers[view.criterion_id].evidence:
            assert block == view.block
            assert view.text[start:end]
    return [answers[v.criterion_id].value for v in views]


def sources(references: References | None) -> list[tuple[str, str, str | None]]:
    return [(s.text, s.type, s.celex_id) for s in references.sources] if references else []


def test_a_source_has_phrase_id_and_link() -> None:
    (found,) = extract("the mill complies with Article 6(3) of Directive 92/43/EEC.")
    assert found is not None
    assert found.logic is None
    (source,) = found.sources
    assert (source.text, source.type, source.celex_id) == (
        "Article 6(3) of Directive 92/43/EEC", "must_be_fetched", "31992L0043",
    )  # fmt: skip
    assert (source.link, source.link_status) == (
        "https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:31992L0043", "generated",
    )  # fmt: skip


def test_a_standard_has_neither_id_nor_link() -> None:
    (found,) = extract("water is measured under ISO 14046:2014.")
    assert found is not None
    assert (found.sources[0].celex_id, found.sources[0].link, found.sources[0].link_status) == (None, None, None)


def test_no_source_is_an_answer() -> None:
    assert extract("the ore is washed twice.", "national rules on lakes are met.") == [None, None]


def test_criteria_without_text_are_left_out() -> None:
    unit = UnitHeader(unit="CCM-91.1/SC", activity="", objective="", section="SC")
    root = CriterionView(criterion_id="ROOT", parent=None, block=None, text="")
    assert extract_references(unit, [root], []) == []


def test_that_directive_in_the_next_item() -> None:
    first, second = extract("requirements in Annex I to Directive 1999/31/EC;", "procedures in Annex III to that Directive.")
    assert sources(first)[0][2] == sources(second)[0][2] == "31999L0031"
    assert sources(second)[0][0] == "Annex III to that Directive"


def test_the_named_act_stands_for_nameless_ones_under_it() -> None:
    """Ruling D19."""
    (found,) = extract("mills comply with Directive 2009/125/EC and with implementing regulations under that Directive.")
    assert sources(found) == [("Directive 2009/125/EC", "must_be_fetched", "32009L0125")]


def test_a_source_is_listed_once() -> None:
    (found,) = extract("with Directive 92/43/EEC; species under Directive 92/43/EEC; CLC/EN 50625-1:2014, as CLC/EN 50625-1")
    assert [s[0] for s in sources(found)] == ["Directive 92/43/EEC", "CLC/EN 50625-1:2014"]
    again, places = extract(
        "mud under Regulation (EU) 2019/1009 or stricter than Regulation 2019/1009",
        "mud under Regulation (EU) 2019/1009 and Annex II to Regulation (EU) 2019/1009",
    )
    assert len(sources(again)) == 1
    assert len(sources(places)) == 2


def test_resolutions_in_general_count_only_without_a_member() -> None:
    general, alone = extract(
        "the plan follows relevant resolutions of the Lakes Convention, including resolution IX/4;",
        "the plan follows relevant resolutions of the Lakes Convention;",
    )
    assert [s[0] for s in sources(general)] == ["resolution IX/4"]
    assert [s[0] for s in sources(alone)] == ["Lakes Convention"]


# Fetch types (guidelines section 7)
@pytest.mark.parametrize("rule", BACKGROUND, ids=lambda rule: rule.name)
def test_each_background_rule_on_its_example(rule: BackgroundRule) -> None:
    (found,) = extract(f"{rule.example}.")
    assert sources(found)[-1][1] == "citation_only"


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("losses do not result in non-compliance with Regulation (EU) 2020/852", ["citation_only"]),
        ("as referred to in Article 11(1), point (b), of Regulation (EU) 2020/852", ["must_be_fetched"]),
        ("with a scheme such as ISO 14001:2015 or equivalent", ["must_be_fetched"]),
        ("with due regard to Regulation (EU) 2016/679", ["must_be_fetched"]),
        ("in national measures implementing Directive 2010/31/EU", ["must_be_fetched"]),
        ("for example EN ISO 14090:2019 for lakes as well as ISO 14091:2021 for shores", ["citation_only"] * 2),
        ("draws on the reports in its review under Article 9 of Regulation (EU) 2020/8", ["citation_only"]),
        ("under recognised standards such as Recommendation (EU) 2021/2279, ISO 14067:2018(2) or EN 14040, and under ISO 9001:2015",
         ["citation_only"] * 3 + ["must_be_fetched"]),
        ("schemes such as the EU Eco-Management and Audit Scheme(9) (EMAS), ISO 14001:2015(1) or equivalent",
         ["must_be_fetched"] * 2),
        ("a carrier such as steam or water complies with Regulation (EU) 2019/5", ["must_be_fetched"]),
        ("instruments such as a plan under Directive 92/43/EEC", ["must_be_fetched"]),
        ("law on lakes adopted under Article 192 TFEU, in particular Directive 2011/92/EU", ["citation_only", "must_be_fetched"]),
        ("mills comply with Article 41 of the Euratom Treaty", ["must_be_fetched"]),
        ("measures adopted under Article 4 of Directive 2000/60/EC", ["must_be_fetched"]),
        ("mills meet delegated acts under Directive 2009/125/EC", ["must_be_fetched"]),
        ("for example by boats. Lakes are under Directive 2000/60/EC", ["must_be_fetched"]),
    ],
)  # fmt: skip
def test_fetch_types(text: str, types: list[str]) -> None:
    (found,) = extract(text)
    assert [s[1] for s in sources(found)] == types


# Logic (guidelines section 7, ruling R10)
@pytest.mark.parametrize(
    ("text", "logic"),
    [
        ("using Recommendation 2013/17/EU or, alternatively, using ISO 1406:2018 or ISO 1407-1:2018.", "OR"),
        ("using ISO 14067:2018(1), ISO 14064-1:2018(2) or the L-res tool(3).", "OR"),
        ("certified under ISO 14001:2015, ISO 9001:2015, or equivalent schemes.", "OR"),
        ("an EU Ecolabel for boats or an equivalent EN ISO 14024:2018 label", "OR"),
        ("with Directive 92/43/EEC and Directive 2009/147/EC.", "AND"),
        ("with Annex XVII to Regulation (EC) No 1907/2006 and with EN 16516 or ISO 16000-3:2011", "AND"),
        ("crops under Article 3 of Directive (EU) 2018/2001 while wood is under Article 4 of that Directive", "AND"),
        ("scope of Directive 2010/75/EU, emissions are within or lower than the limits in ISO 16000-3:2011", "AND"),
        ("mills under ISO 9001:2015. Boats or rafts are under ISO 14001:2015.", "AND"),
        ("mills under ISO 9001:2015.", None),
    ],
)  # fmt: skip
def test_logic(text: str, logic: str | None) -> None:
    (found,) = extract(text)
    assert found is not None
    assert found.logic == logic


# Acts named by subject (rulings R16, D20)
def test_bat_conclusions_take_the_id_of_their_footnote_also_later_on() -> None:
    first, second = extract(
        "levels in relevant best available techniques (BAT) conclusions, including the best available techniques (BAT) "
        "conclusions for lake mills(7). No effects occur.",
        "below the thresholds for the BAT conclusions for lake mills to apply",
        notes={"fn-7": "Implementing Decision (EU) 2018/1147."},
    )
    assert sources(first) == [
        ("best available techniques (BAT) conclusions for lake mills", "must_be_fetched", "32018D1147")
    ]
    assert sources(second) == [("BAT conclusions for lake mills", "must_be_fetched", "32018D1147")]


@pytest.mark.parametrize(
    ("text", "note", "celex"),
    [
        ("such as the EU Eco-Management and Audit Scheme(9) (EMAS)", "In accordance with Regulation (EC) No 1221/2009.", "32009R1221"),
        ("the Council recommendation on noise at lakes(9) applies",
         "Council Recommendation of 12 July 1999 on noise at lakes (1999/519/EC) (OJ L 199, 30.7.1999, p. 59).", "31999H0519"),
        ("conform to Euro V standards(9)", "In accordance with Regulation (EU) 2018/858.", None),
        ("the Alpine Guidelines for Lakes(9)", "Alpine Guidelines for Lakes (version of 1.2.2023).", None),
        ("the EMAS Reference Document for Mills(9)", "A document adopted some time after Regulation (EC) No 1221/2009.", None),
    ],
)  # fmt: skip
def test_which_documents_take_the_id_of_their_footnote(text: str, note: str, celex: str | None) -> None:
    (found,) = extract(text, notes={"fn-9": note})
    assert [s[2] for s in sources(found)] == [celex]


def test_acts_only_in_footnotes_are_no_sources() -> None:
    """Ruling R3."""
    assert extract("vehicles of category M2(1) are clean", notes={"fn-1": "As set out in Annex I to Directive 2005/64/EC."}) == [None]


def test_conclusions_in_general_count_only_without_a_member() -> None:
    general, chapeau, alone = extract(
        "in best available techniques (BAT) conclusions and the best available techniques (BAT) conclusions for mills;",
        "ranges set out in relevant best available techniques (BAT) conclusions, including:",
        "ranges set out in the latest relevant best available techniques (BAT) conclusions.",
    )
    assert [s[0] for s in sources(general)] == ["best available techniques (BAT) conclusions for mills"]
    assert chapeau is None
    assert [s[0] for s in sources(alone)] == ["best available techniques (BAT) conclusions"]


def test_an_emission_class_counts_only_without_an_act() -> None:
    alone, beside = extract("meet at least Euro V standards", "the EURO VI standard under Regulation (EC) No 595/2009")
    assert [s[0] for s in sources(alone)] == ["Euro V standards"]
    assert [s[0] for s in sources(beside)] == ["Regulation (EC) No 595/2009"]


# Points of the substantial contribution section, cited in a DNSH section
@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("details in points 1.2(k) (Lake plan) and 1.4(i) (Shore plan) are", ["point 1.2(k) (Lake plan)", "point 1.4(i) (Shore plan)"]),
        ("details in point 1.2.(i) comply with Appendix B to this Annex", ["point 1.2.(i)", "Appendix B to this Annex"]),
        ("boats in points (b) to (d) are clean", ["points (b) to (d)"]),
        ("boats in point (a) are clean", ["point (a)"]),
        ("the plan in point 1 (Lake plan) of this Section", ["point 1 (Lake plan)"]),
        ("the limit in point 2 holds", []),
    ],
)  # fmt: skip
def test_points_that_a_dnsh_section_does_not_have(text: str, phrases: list[str]) -> None:
    found = extract(text, "the limit is 5 m.", section="DNSH.water")[0]
    assert [s[0] for s in sources(found)] == phrases


def test_points_of_the_own_section_are_no_sources() -> None:
    assert extract("details in point 1.2(k) are", "as in point 1(b)") == [None, None]


def test_confidence_falls_from_acts_to_documents_to_unknown_acts() -> None:
    unit = UnitHeader(unit="CCM-91.1/SC", activity="", objective="", section="SC")
    texts = ["under Directive 92/43/EEC", "under the Alpine Guidelines for Lakes", "under Article 4 of that Directive"]
    for text, other in pairwise(texts):
        pair = [
            extract_references(unit, [CriterionView(criterion_id="1", parent="ROOT", block=0, text=t)], [])[0].confidence
            for t in (text, other)
        ]
        assert pair[0] > pair[1]
