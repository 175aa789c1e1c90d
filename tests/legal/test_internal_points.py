"""Points of the section itself: which criterion ids a text names."""

import pytest

from regreact.legal.citations import find_internal_points
from regreact.legal.points import expand


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("the criteria in point 1(b)", ["1(b)"]),
        ("referred to in point 1(b)(i)", ["1(b)(i)"]),
        ("to comply with point 1(b)(v).", ["1(b)(v)"]),
        ("points 1.2(k) and 1.4(i)", ["1.2(k)", "1.4(i)"]),
        ("information in point 1.2. (i) includes", ["1.2(i)"]),
        ("in points 1.2(k) (Lake plan) and 1.4(i) (Shore plan)", ["1.2(k)", "1.4(i)"]),
        ("points (a) to (c)", ["(a)", "(b)", "(c)"]),
        ("points 1.2.1 to 1.2.4", ["1.2.1", "1.2.2", "1.2.3", "1.2.4"]),
        ("points (i) to (iii)", ["(i)", "(ii)", "(iii)"]),
        ("the plants in point 1(e) and (f)", ["1(e)", "1(f)"]),
        ("point 1(b)(i) and (ii)", ["1(b)(i)", "1(b)(ii)"]),
        ("point 1(b)(ii) and (c)", ["1(b)(ii)", "1(c)"]),
        ("Points 1 and 2 do not apply", ["1", "2"]),
        ("criterion 2 is met", ["2"]),
        ("paragraph 3 does not apply", ["3"]),
        ("the emission limit in point 1 of this Section", ["1"]),
        ("points (a) and (b) of point 1 apply", ["1(a)", "1(b)"]),
        ("point 1, point (a), is met", ["1(a)"]),
        ("paragraph 2, letter (c)", ["2(c)"]),
        ("requirements 1 and 2 do not apply", ["1", "2"]),
        ("option (b) is chosen", ["(b)"]),
        ("point 1 and point (a)", ["1", "(a)"]),
        ("points (a) and (b) of point 1 of Annex V", []),
        ("letter (a) of Article 3(2)", []),
        ("in the plan (see point 4).", ["4"]),
        ("Article 3, point (2), of Regulation (EU) 2019/631", []),
        ("point 1.2 of Annex V to Directive 2009/125/EC", []),
        ("point 5 of Article 3 of Directive 2008/56/EC", []),
        ("criteria 1 and 2 of Section 5.7 of this Annex", []),
        ("point (d) and paragraph 2 of Section 6.19 of this Annex", []),
        ("paragraph 7 of that Article", []),
        ("in accordance with point (c) of that category", []),
        ("BAT 23 point (b) of the best available techniques (BAT) conclusions", []),
        ("subsection ‘Contribution to clean lakes’, points (b) or (c)", []),
        ("points 1(a) and/or (b)", ["1(a)", "1(b)"]),
        ("points 1(a) as well as 1(b)", ["1(a)", "1(b)"]),
        ("points 1(a) or, as the case may be, (b)", ["1(a)", "1(b)"]),
        ("points 1(a) through 1(c)", ["1(a)", "1(b)", "1(c)"]),
        ("points 1 up to and including 3", ["1", "2", "3"]),
        ("criterion No 2 and requirement number 3", ["2", "3"]),
        ("subpoint 1(b)", ["1(b)"]),
        ("indent (b) of point 2", ["2(b)"]),
        ("letters (a) and (b) under point 2", ["2(a)", "2(b)"]),
        ("route (b) is taken", ["(b)"]),
        ("point a) and point 1 b)", ["(a)", "1(b)"]),
        ("kilns described in 1(a)", ["1(a)"]),
        ("the log referred to in (a) is kept", ["(a)"]),
        ("it is fired in (a) kilns or (b) ovens", []),
        ("phase 2 of the works", []),
        ("clause 5 of the contract", []),
        ("point 5 of EN 99999", []),
        ("paragraph 2 of the Gas Convention", []),
        ("Directive 2099/1/EU and point 3 thereof", []),
        ("at this point the ore is dry", []),
    ],
)
def test_internal_points(text: str, paths: list[str]) -> None:
    assert [p.path for p in find_internal_points(text)] == paths


def test_labels_alone_are_relative() -> None:
    points = find_internal_points("as in point 1(e) and (f), and in points (a) and (b)")
    assert [(p.path, p.relative) for p in points] == [("1(e)", False), ("1(f)", False), ("(a)", True), ("(b)", True)]


def test_titles_and_spans() -> None:
    text = "referred to in points 1.2(k) (Lake plan) and 1.4(i)."
    first, second = find_internal_points(text)
    assert (first.phrase, first.title) == ("points 1.2(k) (Lake plan)", "Lake plan")
    assert (second.phrase, second.title) == ("1.4(i)", "")
    assert [text[slice(*p.span)] for p in (first, second)] == [first.phrase, second.phrase]


@pytest.mark.parametrize(
    ("first", "last", "between"),
    [("a", "d", ["b", "c"]), ("i", "iv", ["ii", "iii"]), ("3.9", "3.12", ["3.10", "3.11"]), ("h", "j", ["i"]), ("a", "3", [])],
)  # fmt: skip
def test_expand(first: str, last: str, between: list[str]) -> None:
    assert expand(first, last) == between
