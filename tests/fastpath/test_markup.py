"""The floor follows numbers and list nesting, and nothing else."""

from __future__ import annotations

from section_outline import blocks

from regreact.fastpath.markup import markup_structure


def ids(outline: str) -> list[str]:
    return [a.value.criterion_id for a in markup_structure(blocks(outline))]


def test_numbers_and_nesting() -> None:
    outline = "1. Plan\n1.1. It is one of:\n  a) new;\n  b) old:\n    i) very;\n1.2 It is signed."
    places = {a.value.criterion_id: a.value.parent for a in markup_structure(blocks(outline))}
    assert places == {"1": "ROOT", "1.1": "1", "1.1(a)": "1.1", "1.1(b)": "1.1", "1.1(b)(i)": "1.1(b)", "1.2": "1"}


def test_paragraphs_without_number_are_counted_or_stay_beside_the_number_before() -> None:
    assert ids("Kilns are closed.\nLosses are calculated.") == ["1", "2"]
    assert ids("1. Kilns are closed.\nLosses are calculated.\n2. Clay is local.") == ["1", "1-2", "2"]


def test_it_does_not_read_the_wording() -> None:
    outline = "1. One of:\n  a) kilns;\n  b) fittings, including:\n  c) fans;\n  d) lids."
    assert ids(outline) == ["1", "1(a)", "1(b)", "1(c)", "1(d)"]


def test_repeated_labels_take_a_suffix() -> None:
    assert ids("1. One of:\n  * kilns;\n  * ovens.") == ["1", "1(-)", "1(-)-2"]
