"""References: identity of a source, each deduction of the table, and how deductions add up."""

from typing import Any

import pytest

from regreact.evaluation.semantic import reference_score
from regreact.evaluation.semantic.citations import citation, same_source, stands_in
from regreact.schema import References
from tests.evaluation.builders import sources


@pytest.mark.parametrize(
    ("text", "celex", "acts", "pins"),
    [
        ("Directive 2010/75/EU", "32010L0075", {(75, 2010)}, set()),
        ("Directive 2010/75/EU", None, {(75, 2010)}, set()),
        ("Regulation (EC) No 1907/2006", "32006R1907", {(1907, 2006)}, set()),
        ("Regulation (EU) No 10/2011", "32011R0010", {(10, 2011)}, set()),
        ("Directive 92/43/EEC", "31992L0043", {(43, 1992)}, set()),
        ("Directive 94/62/EC of 20 December 1994", None, {(62, 1994)}, set()),
        ("Annex I to that Directive", "31999L0031", {(31, 1999)}, {"i"}),
        ("Article 29(7), point (b), of Directive (EU) 2018/2001", "32018L2001", {(2001, 2018)}, {"29", "7", "b"}),
        ("Annex II.2 to Directive (EU)2016/797", None, {(797, 2016)}, {"ii", "2"}),
        ("Section 5.11 of this Annex", None, set(), {"5.11"}),
        ("Appendix B to this Annex", None, set(), {"b"}),
        ("ISO 14064-1:2018", None, set(), {"14064-1", "2018"}),
    ],
)
def test_what_identifies_a_source(text: str, celex: str | None, acts: set[Any], pins: set[str]) -> None:
    found = citation(text, celex)
    assert (found.acts, found.pins) == (
        {(min(a), max(a)) for a in acts},
        pins,
    )


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        # acts: by CELEX id or by number, never by wording
        (("Directive 2010/75/EU", "32010L0075"), ("the Emissions Directive", "32010L0075"), True),
        (("Directive 2010/75/EU", "32010L0075"), ("Directive 2010/75/EU", None), True),
        (("Directive 2010/75/EU", "32010L0075"), ("Directive 2010/76/EU", "32010L0076"), False),
        (("BAT rules for kilns", "32099D0001"), ("best available techniques (BAT) rules for kilns", None), True),
        (("BAT rules for kilns", "32099D0001"), ("BAT rules for mills", None), False),
        # places and standards: by number or letter
        (("Appendix A to this Annex", None), ("Appendix B to this Annex", None), False),
        (("Appendix A to this Annex", None), ("Appendix A", None), True),
        (("Annex I to the Convention on Tides", None), ("Annex II to the Convention on Tides", None), False),
        (("Section 5.11", None), ("Section 5.12", None), False),
        (("Section 3.21, points (b) or (c)", None), ("Section 3.21", None), True),
        (("ISO 16000-3", None), ("ISO 16000-3:2011", None), True),
        (("ISO 9999:2018", None), ("EN 1:2018", None), False),
        (("Section 4", None), ("Article 4", None), False),
        # documents without number: by name
        (("Handbook for Safe Rooms", None), ("handbook for a safe room", None), True),
        (("Handbook for Safe Rooms", None), ("Manual for Marine Carbon Accounting", None), False),
    ],
)
def test_same_source(a: tuple[str, str | None], b: tuple[str, str | None], same: bool) -> None:
    assert same_source(citation(*a), citation(*b)) is same
    assert same_source(citation(*b), citation(*a)) is same


@pytest.mark.parametrize(
    ("phrase", "celex", "there"),
    [
        ("ISO 333:2020", None, True),
        ("Section 5.12", None, True),
        ("Directive 92/43/EEC", "31992L0043", True),
        ("Section 5.13", None, False),
        ("Article 5.12", None, False),
        ("Directive 92/44/EEC", "31992L0044", False),
    ],
)
def test_whether_a_source_stands_in_the_text(phrase: str, celex: str | None, there: bool) -> None:
    text = "in line with Sections 5.11 and 5.12, Directives 92/43/EEC and 2009/147/EC, and ISO 333:2020"
    assert stands_in(citation(phrase, celex), text) is there


DIRECTIVE = "32010L0075"
THREE = sources("ISO 1:2018", "ISO 22:2019", "ISO 333:2020", logic="AND")
FOUR = sources("ISO 1:2018", "ISO 22:2019", "ISO 333:2020", "ISO 4444:2021", logic="AND")


@pytest.mark.parametrize(
    ("gold", "found", "score"),
    [
        # CELEX id absent, or of another act than the number printed
        (sources("Directive 2010/75/EU", celex=DIRECTIVE), sources("Directive 2010/75/EU"), 4.0),
        (sources("Directive 2010/75/EU", celex=DIRECTIVE), sources("Directive 2010/75/EU", celex="32010R0075"), 4.0),
        # another article, and none
        (sources("Article 3 of Directive 2010/75/EU", celex=DIRECTIVE),
         sources("Article 4 of Directive 2010/75/EU", celex=DIRECTIVE), 4.0),
        (sources("Article 3 of Directive 2010/75/EU", celex=DIRECTIVE),
         sources("Directive 2010/75/EU", celex=DIRECTIVE), 4.0),
        # the same pinpoint in other words
        (sources("Article 29, paragraph 2, of Directive 2010/75/EU", celex=DIRECTIVE),
         sources("Article 29(2) of Directive 2010/75/EU", celex=DIRECTIVE), 5.0),
        # null logic; absent ones: one, two of three, three of four
        (sources("ISO 1:2018", "ISO 22:2019", logic="OR"), sources("ISO 1:2018", "ISO 22:2019"), 4.0),
        (THREE, sources("ISO 1:2018", "ISO 22:2019", logic="AND"), 3.0),
        (THREE, sources("ISO 1:2018"), 2.0),
        (FOUR, sources("ISO 1:2018"), 1.0),
        # types: one mismatch is minor, most of several are not
        (sources("ISO 1:2018"), sources("ISO 1:2018", kind="citation_only"), 4.0),
        (sources("ISO 1:2018", "ISO 22:2019", logic="OR"),
         sources("ISO 1:2018", "ISO 22:2019", logic="OR", kind="citation_only"), 2.0),
        # errors of detail alone do not go below 2
        (sources("Article 3 of Directive 2010/75/EU", celex=DIRECTIVE),
         sources("Article 4 of Directive 2010/75/EU", kind="citation_only"), 2.0),
        # an invented one beside a right one; several
        (sources("ISO 1:2018"), sources("ISO 1:2018", "ISO 22:2019", logic="AND"), 3.0),
        (sources("ISO 1:2018"), THREE, 2.0),
    ],
)  # fmt: skip
def test_deductions(gold: References, found: References, score: float) -> None:
    assert reference_score(gold, found) == score


def test_two_provisions_of_one_act_pair_with_their_own() -> None:
    a, b = "Article 12 of Directive 2010/75/EU", "Annex III to Directive 2010/75/EU"
    gold, found = sources(a, b, logic="AND", celex=DIRECTIVE), sources(b, a, logic="AND", celex=DIRECTIVE)
    assert reference_score(gold, found) == 5.0
    assert reference_score(gold, sources(b, celex=DIRECTIVE)) == 3.0
