"""Blocks of HTML fragments in the style of the Compass; the expected blocks are written out."""

from __future__ import annotations

import pytest

from regreact.sources.html_blocks import html_blocks

POPOVER = (
    "<sup><span class='popover-tooltip' data-toggle='popover'>({n})</span>"
    "<span class='popover-tooltip-content' style='display: none;'>{text}</span></sup>"
)


def rows(markup: str) -> list[tuple[str, int, str | None, str]]:
    return [(b.tag, b.depth, b.marker, b.text) for b in html_blocks(markup)[0]]


def test_paragraphs_and_nested_lists() -> None:
    markup = """<p>1. The windmill complies with one of the following:</p>
    <ol type="a"><li>its sails are made of:<ol type="i"><li>linen;</li><li>hemp;</li></ol></li>
    <li>it has no sails.</li></ol><p>2. It turns.</p>"""
    assert rows(markup) == [
        ("p", 0, None, "1. The windmill complies with one of the following:"),
        ("li", 1, "a", "its sails are made of:"),
        ("li", 2, "i", "linen;"),
        ("li", 2, "ii", "hemp;"),
        ("li", 1, "b", "it has no sails."),
        ("p", 0, None, "2. It turns."),
    ]


def test_text_after_a_nested_list_belongs_to_the_item_that_holds_it() -> None:
    assert rows("<ol type='a'><li>either<ol type='i'><li>one</li></ol>or none</li></ol>") == [
        ("li", 1, "a", "either or none"),
        ("li", 2, "i", "one"),
    ]


def test_a_paragraph_in_an_item_is_a_block_of_its_own() -> None:
    assert rows("<ul><li><p>a mill</p><p>that turns</p></li></ul>") == [
        ("p", 1, None, "a mill"),
        ("p", 1, None, "that turns"),
    ]


def test_list_labels_follow_type_start_and_value() -> None:
    markup = (
        "<ol><li>x</li></ol><ol type='A' start='3'><li>x</li><li value='7'>x</li><li>x</li></ol>"
        "<ol type='i'><li>x</li></ol><ul><li>x</li></ul>"
    )
    assert [row[2] for row in rows(markup)] == ["1", "C", "G", "H", "i", "-"]


def test_impossible_ordinals_count_as_not_given() -> None:
    markup = "<ol type='i' start='99999999'><li value='²'>x</li><li value='-3'>x</li></ol>"
    assert [row[2] for row in rows(markup)] == ["i", "ii"]


def test_two_lists_in_a_row_have_different_paths() -> None:
    blocks, _ = html_blocks("<ol type='a'><li>x</li></ol><ol type='a'><li>y</li></ol>")
    assert [b.path for b in blocks] == ["ol[1]/li[1]", "ol[2]/li[1]"]


def test_footnote_markers_stay_and_their_content_goes_to_the_footnotes() -> None:
    note = POPOVER.format(n=230, text="See <a href='#'>Mill Act\u00a07</a>, <em>last</em> page.")
    blocks, footnotes = html_blocks(f"<p>under the Mill Act{note}, mills turn</p>")
    assert [(b.text, b.footnotes) for b in blocks] == [("under the Mill Act(230), mills turn", ("fn-230",))]
    assert footnotes == {"fn-230": "See Mill Act 7, last page."}


def test_paragraphs_inside_a_footnote_are_no_blocks() -> None:
    note = POPOVER.replace("span", "div").format(n=1, text="<p>one</p><p>two</p>")
    blocks, footnotes = html_blocks(f"<ol type='a'><li>mill{note} turns</li></ol>")
    assert [b.text for b in blocks] == ["mill(1) turns"]
    assert footnotes == {"fn-1": "one two"}


def test_sub_and_superscripts_are_flattened_and_white_space_folded() -> None:
    assert rows("<p>5\u00a0 g CO<sub>2</sub>e\n per m<sup>3</sup><br>of air</p>")[0][3] == "5 g CO2e per m3 of air"


def test_emphasised_paragraphs_are_headings() -> None:
    blocks, _ = html_blocks("<p><em>1. Sails</em></p><p><em>Sails</em> turn.</p><p><strong>A</strong> <b>b</b></p>")
    assert [b.heading for b in blocks] == [True, False, True]


def test_text_outside_paragraphs_is_not_lost() -> None:
    markup = "loose <p>one</p> between <div>in a box<p>two</p></div>"
    markup += "<table><tr><th>Head</th><td>cell</td></tr></table>end"
    blocks, _ = html_blocks(markup)
    assert [b.text for b in blocks] == ["loose", "one", "between", "in a box", "two", "Head", "cell", "end"]
    assert [b.text for b in blocks if b.heading] == ["Head"]


def test_text_between_the_items_of_a_list_is_not_lost() -> None:
    assert rows("<ol type='a'><li>one</li>and<li>two</li></ol>") == [
        ("li", 1, "a", "one"),
        ("p", 1, None, "and"),
        ("li", 1, "b", "two"),
    ]


def test_scripts_and_comments_are_no_text() -> None:
    assert rows("<p>one<script>var x</script><!-- two --></p>") == [("p", 0, None, "one")]


@pytest.mark.parametrize(
    ("markup", "texts"),
    [
        ("<p>1. Flour is dry.</p><main><p>2. Dust is swept.</p></main>", ["1. Flour is dry.", "2. Dust is swept."]),
        ("<div><font><ol><li>a lid;</li></ol></font></div><p>A log.</p>", ["a lid;", "A log."]),
        ("<ol type='a'><font><li>a lid;</li></font><li>a hood.</li></ol>", ["a lid;", "a hood."]),
        ("<form><p>Dust is swept.</p></form>", ["Dust is swept."]),
        ("<p>Dust <font>is</font> swept.</p>", ["Dust is swept."]),
    ],
)
def test_blocks_inside_unknown_elements_are_kept(markup: str, texts: list[str]) -> None:
    blocks, _ = html_blocks(markup)
    assert [b.text for b in blocks] == texts


def test_items_inside_an_unknown_element_keep_their_labels() -> None:
    blocks, _ = html_blocks("<ol type='a'><font><li>a lid;</li></font><li>a hood.</li></ol>")
    assert [b.marker for b in blocks] == ["a", "b"]
