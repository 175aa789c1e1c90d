"""The collector that every reader feeds: paths, depth, footnote numbers, headings."""

from __future__ import annotations

import pytest

from regreact.sources.blocks import BlockCollector, Note, Text, clean_marker, fold, ordinal_marker


@pytest.mark.parametrize(
    ("label", "marker"),
    [("(a)", "a"), ("(iv)", "iv"), ("1.", "1"), ("2.1.", "2.1"), ("b)", "b"), ("—", "-"), ("•", "-"), (" ", None)],
)
def test_printed_labels_lose_brackets_and_stop(label: str, marker: str | None) -> None:
    assert clean_marker(label) == marker


@pytest.mark.parametrize(
    ("kind", "number", "marker"),
    [("a", 1, "a"), ("a", 26, "z"), ("a", 27, "aa"), ("A", 3, "C"), ("i", 9, "ix"), ("i", 14, "xiv"), ("I", 40, "XL"),
     ("1", 12, "12")],
)
def test_labels_of_ordered_lists(kind: str, number: int, marker: str) -> None:
    assert ordinal_marker(kind, number) == marker


def test_folding_takes_no_break_and_thin_spaces() -> None:
    assert fold(" 5\u00a0%\n of\u2009it\t") == "5 % of it"


def test_lists_in_lists_give_depth_and_path() -> None:
    collector = BlockCollector()
    collector.add([Text("Either:")])
    with collector.in_list():
        with collector.in_item("a"):
            collector.add([Text("a mill that:")], tag="li")
            with collector.in_list(), collector.in_item("i"):
                collector.add([Text("is quiet")], tag="li")
            collector.add([Text("Quiet means silent.")])
        with collector.in_item("b"):
            collector.add([Text("a kiln")], tag="li")
    with collector.in_list(), collector.in_item("a"):
        collector.add([Text("another list")], tag="li")
    assert [(b.index, b.tag, b.depth, b.marker, b.path) for b in collector.blocks] == [
        (0, "p", 0, None, "p[1]"),
        (1, "li", 1, "a", "ol[1]/li[1]"),
        (2, "li", 2, "i", "ol[1]/li[1]/ol[1]/li[1]"),
        (3, "p", 1, None, "ol[1]/li[1]/p[1]"),
        (4, "li", 1, "b", "ol[1]/li[2]"),
        (5, "li", 1, "a", "ol[2]/li[1]"),
    ]


def test_empty_parts_make_no_block() -> None:
    collector = BlockCollector()
    assert collector.add([Text(" \n\u00a0")]) is None
    assert collector.blocks == []


def test_notes_without_printed_number_count_from_one_and_keep_theirs() -> None:
    collector = BlockCollector()
    collector.add([Text("mill"), Note("E7", "A mill grinds."), Text(" and kiln"), Note("E9", "A kiln burns.")])
    collector.add([Text("mill again"), Note("E7", "A mill grinds.")])
    assert [b.text for b in collector.blocks] == ["mill(1) and kiln(2)", "mill again(1)"]
    assert [b.footnotes for b in collector.blocks] == [("fn-1", "fn-2"), ("fn-1",)]
    assert collector.footnotes == {"fn-1": "A mill grinds.", "fn-2": "A kiln burns."}


def test_printed_note_numbers_stay() -> None:
    collector = BlockCollector()
    collector.add([Text("mill"), Note("230", "A mill grinds.", label="230")])
    assert collector.blocks[0].text == "mill(230)"
    assert collector.footnotes == {"fn-230": "A mill grinds."}


@pytest.mark.parametrize(
    ("parts", "heading"),
    [
        ([Text("4. Audit", emphasis=True)], True),
        ([Text("4. "), Text("Audit", emphasis=True)], True),
        ([Text("Audit", emphasis=True), Note("1", "Once a year.")], True),
        ([Text("See "), Text("Audit", emphasis=True)], False),
        ([Text("Audit")], False),
        ([Text("4. ")], False),
    ],
)
def test_a_block_is_a_heading_if_all_its_words_are_emphasised(parts: list[Text | Note], heading: bool) -> None:
    collector = BlockCollector()
    collector.add(list(parts))
    assert collector.blocks[0].heading is heading


def test_original_spacing_is_kept_beside_the_clean_text() -> None:
    collector = BlockCollector()
    collector.add([Text("at  least\n5\u00a0%")])
    assert (collector.blocks[0].text, collector.blocks[0].orig) == ("at least 5 %", "at  least\n5\u00a0%")
