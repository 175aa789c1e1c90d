"""Citation phrases: pinpoints, conjunctions, anaphora, places, standards, internal points."""

import pytest

from regreact.legal.citations import find_citations, find_internal_points


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("the ore complies with Article 29, paragraphs 2 to 5, of Directive (EU) 2018/2001.",
         ["Article 29, paragraphs 2 to 5, of Directive (EU) 2018/2001"]),
        ("as listed in Table 2 of the Annex to Directive 2009/33/EC of the European Parliament and of the Council",
         ["Table 2 of the Annex to Directive 2009/33/EC of the European Parliament and of the Council"]),
        ("species covered by Directives 92/43/EEC and 2009/147/EC", ["Directive 92/43/EEC", "Directive 2009/147/EC"]),
        ("in accordance with Article 12 and Annex III, Part B, of Directive 2006/66/EC",
         ["Article 12 of Directive 2006/66/EC", "Annex III, Part B, of Directive 2006/66/EC"]),
        ("the criteria of Sections 5.11 and 5.12 of this Annex", ["Section 5.11", "Section 5.12"]),
        ("the criteria of Sections 3.7 to 3.17 of this Annex", ["Sections 3.7 to 3.17 of this Annex"]),
        ("criteria 1 and 2 of Section 5.7 of this Annex", ["criteria 1 and 2 of Section 5.7 of this Annex"]),
        ("the criteria set out in Appendix C to this Annex", ["Appendix C to this Annex"]),
        ("using ISO 14067:2018 or EN ISO 14024:2018", ["ISO 14067:2018", "EN ISO 14024:2018"]),
        ("as laid down in CLC/TS 50625-4:2017", ["CLC/TS 50625-4:2017"]),
        ("the ore is washed twice.", []),
    ],
)  # fmt: skip
def test_phrases(text: str, phrases: list[str]) -> None:
    found = [c.phrase for c in find_citations(text)]
    assert [p.replace(", to ", " to ").replace(", of ", " of ") for p in found] == [
        p.replace(", to ", " to ").replace(", of ", " of ") for p in phrases
    ]


def test_that_directive_is_the_last_one_named() -> None:
    text = "crops comply with Article 3 of Directive (EU) 2018/2001 and wood with Article 4 of that Directive"
    assert [c.celex for c in find_citations(text)] == ["32018L2001", "32018L2001"]


def test_that_directive_may_stand_in_an_earlier_criterion() -> None:
    earlier = find_citations("complies with Directive 91/271/EEC")
    assert [c.celex for c in find_citations("as in Annex I to that Directive", earlier)] == ["31991L0271"]


def test_spans_hold_the_words() -> None:
    text = "Where relevant, Article 6(3) of Directive 92/43/EEC and ISO 14001:2015 apply."
    for citation in find_citations(text):
        assert text[citation.start : citation.end] == citation.phrase


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("the criteria in point 1(b)", ["1(b)"]),
        ("referred to in point 1(b)(i)", ["1(b)(i)"]),
        ("points 1.2(k) and 1.4(i)", ["1.2(k)", "1.4(i)"]),
        ("points (a) to (c)", ["(a)", "(b)", "(c)"]),
        ("criterion 2 is met", ["2"]),
        ("Article 3, point (2), of Regulation (EU) 2019/631", []),
        ("point 1.2 of Annex V to Directive 2009/125/EC", []),
        ("point 5 of Article 3 of Directive 2008/56/EC", []),
        ("at this point the ore is dry", []),
    ],
)
def test_internal_points(text: str, paths: list[str]) -> None:
    assert [p.path for p in find_internal_points(text)] == paths
