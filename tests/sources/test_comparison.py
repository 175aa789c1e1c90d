"""Agreement of two invented documents, with the cause of each difference."""

from __future__ import annotations

from dataclasses import replace

import pytest

from regreact.sources.comparison import Difference, compare_documents, normal_text, without_markers
from regreact.sources.model import Block, Document, Unit


def block(text: str, index: int = 0, *notes: str) -> Block:
    return Block(index, "p", 0, None, text, footnotes=tuple(f"fn-{n}" for n in notes))


def unit(key: str, *texts: str) -> Unit:
    blocks = tuple(block(text, i) for i, text in enumerate(texts))
    return Unit(key, "Mills", "mitigation", "SC", "d", "0", "html", blocks)


def document(*units: Unit) -> Document:
    return Document("d", "0", "html", units)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1. It turns.", "It turns."),
        ("1.2 It turns.", "1.2. It turns."),
        ("(iv) it turns", "it turns"),
        ("3.Mills", "3. Mills"),
        ("a “mill” – or ‘kiln’", "a 'mill' - or \"kiln\""),
        ("5 m³ of CO₂", "5 m3 of CO2"),
        ("270gCO2e", "270 g\u00a0CO2e"),
        ("10 000", "10000"),
    ],
)
def test_what_is_set_aside(one: str, other: str) -> None:
    assert normal_text(block(one)) == normal_text(block(other))


@pytest.mark.parametrize(
    ("one", "other"), [("1.5 t", "1,5 t"), ("5 t", "6 t"), ("It turns", "it turns"), ("1.5 t of it", "t of it")]
)
def test_what_is_a_difference(one: str, other: str) -> None:
    assert normal_text(block(one)) != normal_text(block(other))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("mills(1) and kilns(2)", "mills and kilns"),
        ("in point (1), mills(1)", "in point (1), mills"),
        ("under Article 29(1)(2), mills(1) turn(2)", "under Article 29(1)(2), mills turn"),
        ("Directive 2000/60/EC(1) of point (2), turn(2)", "Directive 2000/60/EC of point (2), turn"),
    ],
)
def test_citations_are_no_footnote_markers(text: str, plain: str) -> None:
    notes = ("1", "2") if "(2)" in text else ("1",)
    assert without_markers(block(text, 0, *notes)) == plain


def test_share_and_causes() -> None:
    left = document(
        unit("CCM-1.1/SC", "1. Mills turn.", "At 1.5 Hz.", "They are red. They stand."),
        unit("CCM-1.2/SC", "where wind blows", "lower than :", "Kilns burn wood and coal.", "xyz"),
        unit("CCM-1.9/SC", "Nothing like it."),
    )
    right = document(
        unit("CCM-2.1/SC", "Mills turn.", "At 1,5 Hz.", "They are red.", "They stand."),
        unit("CCM-1.2/SC", "Where wind blows", "lower than:", "Kilns burn wood and only some coal.", "###"),
    )
    result = compare_documents(left, right, {"CCM-1.1": "CCM-2.1", "CCM-1.2": "CCM-1.2"})
    one, two = ("CCM-1.1/SC", "CCM-2.1/SC"), ("CCM-1.2/SC", "CCM-1.2/SC")
    assert set(result.differences) == {
        Difference(*one, (1,), (1,), "decimal mark"),
        Difference(*one, (2,), (2, 3), "block boundary"),
        Difference(*two, (0,), (0,), "case"),
        Difference(*two, (2,), (2,), "wording"),
        Difference(*two, (3,), (), "only in left"),
        Difference(*two, (), (3,), "only in right"),
    }
    assert (result.units, result.blocks, result.identical) == (2, 8, 2)
    assert result.share == 0.25
    assert result.only_left == ("CCM-1.9/SC",)


def test_equal_documents_agree_wholly() -> None:
    same = document(unit("CCM-1.1/SC", "1. Mills turn.", "N/A"))
    assert compare_documents(same, same, {"CCM-1.1": "CCM-1.1"}).share == 1.0
    assert compare_documents(same, replace(same, units=()), {"CCM-1.1": "CCM-1.1"}).share == 0.0
