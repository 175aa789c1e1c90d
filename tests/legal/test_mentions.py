"""Numbers, dates, acts and places of a text in a form that compares, and addresses in words."""

from __future__ import annotations

import pytest

from regreact.legal.mentions import Stated, find_mentions, is_within, names_part_of, unstated
from regreact.legal.place_names import place_name


def keys(text: str) -> list[tuple[str, str]]:
    return [(m.kind, m.key) for m in find_mentions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10 000 kW", [("number", "10000")]),
        ("0,7 mg and 0.7 mg", [("number", "0.7"), ("number", "0.7")]),
        ("5\u00a0% of ash", [("number", "5")]),
        ("for nine years", [("number", "9")]),
        ("by 31 March 2027 or 31.3.2027", [("date", "2027-03-31"), ("date", "2027-03-31")]),
        ("in January 2031, after 2033", [("date", "2031-01"), ("date", "2033")]),
        ("by 30 June of each year", [("date", "-06-30")]),
        ("Directive 2097/5/EU", [("act", "2097/5")]),
        ("Regulation (EC) No 338/2097", [("act", "338/2097")]),
        ("Article 4(2), point (b)", [("place", "art_4/par_2/pnt_b")]),
        ("paragraphs 2 and 3", [("place", "par_2"), ("place", "par_3")]),
        ("recitals 9 and (10)", [("place", "rec_10"), ("place", "rec_9")]),
        ("(12) dust(3) is swept", []),
        ("2. Dust is swept", []),
        ("CO2, PM10 and NH3", []),
        ("24/7 service", []),
    ],
)
def test_what_a_text_mentions(text: str, expected: list[tuple[str, str]]) -> None:
    assert keys(text) == expected


STATED = Stated.of(
    ["1. Dust stays below 10 000 mg/kg of ash and 5 years pass before 1 June 2031.", "Kilns\t150\t0,7 %"],
    own=["art_4/par_1/pnt_a", "anx_V"],
)


@pytest.mark.parametrize(
    "text",
    ["10000 mg/kg", "10,000 mg/kg", "below 0.7 %", "150 mg/Nm3", "in June 2031", "in 2031", "by 1 June", "Article 4(1)", "point (a)",
     "Article 4", "the Annex", "three of them", "Annex V"],
)  # fmt: skip
def test_said_in_another_form_is_stated(text: str) -> None:
    assert unstated(text, STATED) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [("11 000 mg/kg", "11 000 mg/kg"), ("5 %", "5 %"), ("7 June 2031", "7 June 2031"), ("Article 5", "Article 5"),
     ("Article 4(2)", "Article 4(2)"), ("Annex VI", "Annex VI"), ("Directive 2097/6/EU", "2097/6/EU"),
     ("six years", "six years")],
)  # fmt: skip
def test_what_is_not_stated_is_named(text: str, named: str) -> None:
    assert [m.text for m in unstated(text, STATED)] == [named]


def test_a_provision_lies_within_what_holds_it_whatever_its_number_is_called() -> None:
    assert is_within("art_3/pnt_17", "art_3/par_17")
    assert is_within("art_3/par_1/pnt_a", "art_3")
    assert not is_within("art_3", "art_3/par_1")
    assert not is_within("art_31", "art_3")


def test_a_place_may_leave_out_steps_but_not_change_their_order() -> None:
    assert names_part_of("art_6/pnt_a", "art_6/par_1/pnt_a")
    assert not names_part_of("pnt_a/art_6", "art_6/par_1/pnt_a")
    assert names_part_of("anx", "anx_V/pnt_3")


@pytest.mark.parametrize(
    ("address", "name"),
    [("art_29", "Article 29"), ("art_29/par_2", "Article 29(2)"), ("art_6/par_1/pnt_b/pnt_i", "Article 6(1)(b)(i)"),
     ("anx_V/prt_C/pnt_3", "Annex V, Part C, point 3"), ("anx", "the Annex"), ("anx_I/pnt_3/pnt_a", "Annex I, point 3(a)"),
     ("chp_III/sec_2", "Chapter III, Section 2"), ("", "")],
)  # fmt: skip
def test_an_address_in_words(address: str, name: str) -> None:
    assert place_name(address) == name


def test_the_name_of_an_address_names_it() -> None:
    for address in ("art_29/par_2/pnt_a", "anx_V/prt_C/pnt_3", "chp_III"):
        (mention,) = find_mentions(place_name(address))
        assert names_part_of(mention.key, address)
