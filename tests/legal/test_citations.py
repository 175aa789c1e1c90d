"""Citation phrases: pinpoints, conjunctions, anaphora, named acts (guidelines section 7, rulings R15, D17, D19, C1)."""

import pytest

from regreact.legal.citations import find_citations


def phrases(text: str) -> list[str]:
    return [c.phrase for c in find_citations(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the ore complies with Article 29, paragraphs 2 to 5, of Directive (EU) 2018/2001.",
         ["Article 29, paragraphs 2 to 5, of Directive (EU) 2018/2001"]),
        ("in accordance with Article 3(1), point (h), of Regulation (EU) 2019/631, boats",
         ["Article 3(1), point (h), of Regulation (EU) 2019/631"]),
        ("as defined in point 5 of Article 3 of Directive 2008/56/EC", ["point 5 of Article 3 of Directive 2008/56/EC"]),
        ("as listed in Table 2 of the Annex to Directive 2009/33/EC of the European Parliament and of the Council",
         ["Table 2 of the Annex to Directive 2009/33/EC of the European Parliament and of the Council"]),
        ("items in Part B of Annex to Directive (EU) 2019/904", ["Part B of Annex to Directive (EU) 2019/904"]),
        ("in Table 1 of Appendix 9 to Annex I to Regulation (EU) No 582/2011",
         ["Table 1 of Appendix 9 to Annex I to Regulation (EU) No 582/2011"]),
        ("laid down in Chapter V of the Regulation (EU) No 12/2013", ["Chapter V of the Regulation (EU) No 12/2013"]),
        ("see Annex I, Section 5.1(c) of Directive 2010/75/EU", ["Annex I, Section 5.1(c) of Directive 2010/75/EU"]),
        ("Component Material Category 3 in Annex II to Regulation (EU) 2019/1009",
         ["Component Material Category 3 in Annex II to Regulation (EU) 2019/1009"]),
        ("in Annex I to Regulation (EU) 2019/631, in Part A, point 6.0 for carts",
         ["Annex I to Regulation (EU) 2019/631, in Part A, point 6.0"]),
        ("See Directive 2004/35/CE, Annex II, for dams", ["Directive 2004/35/CE, Annex II"]),
        ("checked under Module B1 laid down in Directive 2014/32/EU", ["Module B1 laid down in Directive 2014/32/EU"]),
        ("Modules B and E of Annex II to Directive 2014/32/EU", ["Modules B and E of Annex II to Directive 2014/32/EU"]),
        ("two solar modules of Directive 2014/32/EU", ["Directive 2014/32/EU"]),
        ("the ore is washed twice.", []),
    ],
)  # fmt: skip
def test_a_pinpoint_and_its_act_are_one_citation(text: str, expected: list[str]) -> None:
    assert phrases(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("species covered by Directives 92/43/EEC and 2009/147/EC", ["Directive 92/43/EEC", "Directive 2009/147/EC"]),
        ("Directives 91/271/EEC, 2008/105/EC, (EU) 2020/2184 and 76/160/EEC",
         ["Directive 91/271/EEC", "Directive 2008/105/EC", "Directive (EU) 2020/2184", "Directive 76/160/EEC"]),
        ("under Council Directives 2009/119/EC and (EU) 2015/652",
         ["Council Directive 2009/119/EC", "Council Directive (EU) 2015/652"]),
        ("with Regulation (EC) No 663/2009 and (EC) No 715/2009",
         ["Regulation (EC) No 663/2009", "Regulation (EC) No 715/2009"]),
        ("set out in Article 2 and in Annex IV, Part C, of Directive 2006/6/EC",
         ["Article 2 of Directive 2006/6/EC", "Annex IV, Part C, of Directive 2006/6/EC"]),
        ("set out in Article 25(2) of and Annex V to Directive (EU) 2018/2001",
         ["Article 25(2) of Directive (EU) 2018/2001", "Annex V to Directive (EU) 2018/2001"]),
        ("meeting Article 7 and listed in accordance with Article 9(1) of Regulation (EC) No 97/2006",
         ["Article 7 of Regulation (EC) No 97/2006", "Article 9(1) of Regulation (EC) No 97/2006"]),
        ("with Articles 7(2) – 7(4) and Annex V to Regulation (EU) 2019/1021",
         ["Articles 7(2) – 7(4) of Regulation (EU) 2019/1021", "Annex V to Regulation (EU) 2019/1021"]),
        ("in Articles 4 and 11 of Directive 2000/60/EC",
         ["Article 4 of Directive 2000/60/EC", "Article 11 of Directive 2000/60/EC"]),
        ("Articles 4(2), 6 or 9 of the Waste Framework Directive",
         ["Article 4(2) of the Waste Framework Directive", "Article 6 of the Waste Framework Directive",
          "Article 9 of the Waste Framework Directive"]),
        ("in Annexes I or II to Regulation (EU) 2019/1021",
         ["Annex I to Regulation (EU) 2019/1021", "Annex II to Regulation (EU) 2019/1021"]),
        ("the Annexes I, II and IV to the Lakes Convention",
         ["Annex I to the Lakes Convention", "Annex II to the Lakes Convention", "Annex IV to the Lakes Convention"]),
        ("Articles 3 to 5 and 7 of Directive 2000/60/EC",
         ["Articles 3 to 5 of Directive 2000/60/EC", "Article 7 of Directive 2000/60/EC"]),
        # one pinpoint stays one (ruling D17)
        ("in Articles 4 to 11 of Directive 2000/60/EC", ["Articles 4 to 11 of Directive 2000/60/EC"]),
        ("in Articles 7(2) and (3) of Directive 2000/60/EC", ["Articles 7(2) and (3) of Directive 2000/60/EC"]),
        ("in paragraphs 6 and 7 of Article 4 of Directive 2000/60/EC",
         ["paragraphs 6 and 7 of Article 4 of Directive 2000/60/EC"]),
        ("in points 1 and 2 of Articles 3 and 4 of Directive 2000/60/EC",
         ["points 1 and 2 of Articles 3 and 4 of Directive 2000/60/EC"]),
    ],
)  # fmt: skip
def test_independent_parts_are_written_out(text: str, expected: list[str]) -> None:
    assert phrases(text) == expected


def test_a_point_of_the_section_does_not_take_the_act_behind_it() -> None:
    text = "where point (a) is not met and until 2025, the limits in Article 11 of Regulation 2019/1242 apply"
    assert phrases(text) == ["Article 11 of Regulation 2019/1242"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("under Regulation (EU) 2019/1009(3), in particular with the requirements of Annex II on mud;", ["Annex II"]),
        ("under Regulation (EU) 2019/1009, and in particular Articles 3 and 5, where", ["Article 3", "Article 5"]),
        ("under Regulation (EU) 2019/1009, in particular its quality", []),
        ("under Regulation (EU) 2019/1009. Annex II names mud", []),
        ("under Regulation (EU) 2019/1009, including Annex II to the plan", []),
    ],
)
def test_a_place_named_in_particular_is_one_of_the_act_before(text: str, expected: list[str]) -> None:
    act, *places = find_citations(text)
    assert act.phrase == "Regulation (EU) 2019/1009"
    assert [(p.phrase, p.celex) for p in places] == [(phrase, "32019R1009") for phrase in expected]
    assert all(p.addresses for p in places)


def test_in_particular_another_act() -> None:
    text = "under Regulation (EU) 2019/1009, in particular Annex II to this Regulation and Article 6 of Directive 92/43/EEC"
    assert [c.celex for c in find_citations(text)] == ["32019R1009", None, "31992L0043"]


def test_that_directive_is_the_last_one_named() -> None:
    text = (
        "crops comply with Article 3 of Directive (EU) 2018/2001, fish with Regulation (EU) 2019/1009 and wood with "
        "Article 4 and Annex I to that Directive"
    )
    assert [(c.phrase, c.celex) for c in find_citations(text)][2:] == [
        ("Article 4 of that Directive", "32018L2001"),
        ("Annex I to that Directive", "32018L2001"),
    ]


def test_that_directive_may_stand_in_an_earlier_criterion() -> None:
    earlier = find_citations("complies with Directive 91/271/EEC")
    assert [c.celex for c in find_citations("as in Annex I to that Directive", earlier)] == ["31991L0271"]


def test_that_directive_without_a_place_is_no_citation() -> None:
    assert phrases("a permit under Directive 2010/75/EU and measures adopted under that Directive") == [
        "Directive 2010/75/EU"
    ]


def test_that_article() -> None:
    text = "under Article 4 of Directive 2000/60/EC and in particular paragraph 7 of that Article"
    last = find_citations(text)[-1]
    assert (last.phrase, last.celex) == ("paragraph 7 of that Article", "32000L0060")


def test_unknown_that_directive_has_no_id() -> None:
    (citation,) = find_citations("as set out in Article 4 of that Directive")
    assert citation.celex is None


@pytest.mark.parametrize(
    ("text", "phrase", "celex"),
    [
        ("in accordance with Article 3 of the Waste Framework Directive", "Article 3 of the Waste Framework Directive",
         "32008L0098"),
        ("with the implementing act on fuel quality adopted under Article 9(8) of Directive (EU) 2018/2001",
         "implementing act on fuel quality adopted under Article 9(8) of Directive (EU) 2018/2001", "32018L2001"),
        ("defined in category 18 06 03 in the European List of Waste established by Decision 2001/53/EC",
         "category 18 06 03 in the European List of Waste established by Decision 2001/53/EC", "32001D0053"),
        ("on the European List of lake mills as laid down in Decision 2016/2323",
         "European List of lake mills as laid down in Decision 2016/2323", "32016D2323"),
        ("Council Recommendation of 12 July 1999 on fields (0 Hz to 3 GHz) (1999/519/EC) applies",
         "Council Recommendation of 12 July 1999 on fields (0 Hz to 3 GHz) (1999/519/EC)", "31999H0519"),
    ],
)  # fmt: skip
def test_acts_named_otherwise_than_by_number(text: str, phrase: str, celex: str) -> None:
    (citation,) = find_citations(text)
    assert (citation.phrase, citation.celex) == (phrase, celex)


@pytest.mark.parametrize(
    "text",
    [
        "as required by this Annex",
        "the forestry activities defined in this Regulation",
        "national rules on fertilisers",
        "Decision 14/8 of the council of the town",
        "in accordance with EU waste law",
    ],
)
def test_what_is_no_source(text: str) -> None:
    assert phrases(text) == []


def test_spans_hold_the_words() -> None:
    text = "Where relevant, Article 6(3) of Directive 92/43/EEC and ISO 14001:2015 apply."
    for citation in find_citations(text):
        assert text[citation.start : citation.end] == citation.phrase


def test_act_and_addresses() -> None:
    (citation,) = find_citations("under Article 6(3) of Directive 92/43/EEC")
    assert citation.act is not None
    assert (citation.act.type, citation.act.year, citation.act.number) == ("Directive", 1992, 43)
    assert (citation.pinpoint, citation.addresses, citation.title) == (
        "Article 6(3)",
        ("art_6/par_3",),
        "Directive 92/43/EEC",
    )
