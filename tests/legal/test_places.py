"""Sections, appendices and annexes of the same act (guidelines section 7, rulings R15, D17, D18)."""

import pytest

from regreact.legal.citations import find_citations
from regreact.legal.places import RULES, PlaceRule


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_finds_its_example(rule: PlaceRule) -> None:
    (citation,) = find_citations(f"the mill complies with {rule.example}.")
    assert (citation.phrase, citation.kind) == (rule.example, rule.kind)


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("the criteria of Sections 5.11 and 5.12 of this Annex", ["Section 5.11", "Section 5.12"]),
        ("in Sections 5.11 and 5.12, respectively, of this Annex", ["Section 5.11", "Section 5.12"]),
        ("in Sections 4.8, 4.20, 4.24 in this Annex", ["Section 4.8", "Section 4.20", "Section 4.24"]),
        ("the criteria of Sections 3.7 to 3.17 of this Annex", ["Sections 3.7 to 3.17 of this Annex"]),
        ("in Sections 15.6 and criteria 3 and 4 of Section 15.7 of this Annex",
         ["Section 15.6", "criteria 3 and 4 of Section 15.7 of this Annex"]),
        ("in point (d) and paragraph 2 of Section 6.19 of this Annex",
         ["point (d) and paragraph 2 of Section 6.19 of this Annex"]),
        ("in Section 3.21., subsection ‘Lakes’, points (b) or (c);", ["Section 3.21., subsection ‘Lakes’, points (b) or (c)"]),
        ("set out in Section 3.21;", ["Section 3.21"]),
        ("included in Section 7.4. is excluded", ["Section 7.4"]),
        ("water in Section 4.5 (Electricity from rivers).", ["Section 4.5 (Electricity from rivers)"]),
        ("in Section 3.10 of this Annex (Making of oils)", ["Section 3.10 of this Annex"]),
        ("with Section 3.3. of Annex I to this Regulation", ["Section 3.3. of Annex I to this Regulation"]),
        ("in Sections 13.1 to 13.6 of Annex II to Delegated Regulation (EU) 2021/39",
         ["Sections 13.1 to 13.6 of Annex II to Delegated Regulation (EU) 2021/39"]),
        ("See Appendix A.", ["Appendix A"]),
        ("set out in Appendix A to Annex I.", ["Appendix A to Annex I"]),
        ("in Appendix E to Annex I to Delegated Regulation (EU) 2021/39", ["Appendix E to Annex I to Delegated Regulation (EU) 2021/39"]),
        ("listed in Section II of this Appendix", []),
        ("the criteria of this Section", []),
        ("as specified in this Annex", []),
    ],
)  # fmt: skip
def test_places(text: str, phrases: list[str]) -> None:
    assert [c.phrase for c in find_citations(text)] == phrases


def test_places_have_no_id_unless_an_act_is_named() -> None:
    assert [c.celex for c in find_citations("Appendix E to Annex I to this Regulation; Section 3.10 of this Annex")] == [
        None,
        None,
    ]
