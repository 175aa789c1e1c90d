"""Faults that fuzzing and mutation found: each is read whole or told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_sources_property import FORMEX

from regreact.errors import SourceFormatError
from regreact.rag.convert import convert
from regreact.sources import read_data
from regreact.sources.blocks import loses_letters
from regreact.sources.html_blocks import html_blocks
from regreact.sources.page import parse_page

PAGE = "<html xmlns='http://www.w3.org/1999/xhtml'><body>{}</body></html>"


@pytest.mark.parametrize("page", ["<html xmlns='x>1. Losses</body></html>", "<html </html>", "<html>\0</html>"])
def test_a_page_without_elements_is_refused(page: str) -> None:
    with pytest.raises(SourceFormatError, match=r"kiln\.html"):
        read_data(Path("kiln.html"), page.encode())


@pytest.mark.parametrize("field", ["activity_description", "substantial_contribution_criteria"])
@pytest.mark.parametrize("markup", ["<body>a</body><html b='><body>c", "<p>a" + "<div>" * 300 + "b", "<!--", "\x00\x01"])
def test_a_damaged_fragment_costs_its_section_only(field: str, markup: str) -> None:
    good = {"activity": "Bricks", "objective": "mitigation", "dnsh": [], "activity_description": "<p>Bricks.</p>",
            "substantial_contribution_criteria": ["<p>1. Losses are low.</p>"]}  # fmt: skip
    bad = {**good, "objective": "water", field: markup if field == "activity_description" else [markup]}
    dump = {"activities": [{"name": "Bricks", "reference": "1.1"}], "matches": [bad, good]}
    document = read_data(Path("taxonomy-9.9.9.json"), json.dumps(dump).encode())
    keys = {u.key for u in document.units} | {f.key for f in document.failures}
    assert "CCM-1.1/SC" in {u.key for u in document.units} and len(keys) == 2


def test_names_of_word_processors_are_read() -> None:
    root = parse_page("kiln.html", b"<html><body><o:p>Clay<br></o:p><1a>x</1a></body></html>")
    assert "Clay" in "".join(map(str, root.itertext()))


def test_an_act_with_an_element_of_another_namespace_is_read() -> None:
    page = "<html><body><p>Article 1</p><p>Kites fly.</p><x:p xmlns:x='urn:x-other'>They land.</x:p></body></html>"
    assert convert(page.encode(), name="act.xhtml", celex="32099R0001").content


@pytest.mark.parametrize("name", ["li", "UNKNOWN", "FORMULA", "x:y"])
def test_a_list_in_an_unknown_element_is_read(name: str) -> None:
    inner = f"<{name} xmlns:x='urn:x'><LIST><ITEM><NP><NO.P>(a)</NO.P><TXT>a lid</TXT></NP></ITEM></LIST></{name}>"
    for content in (f"<P>It has:</P>{inner}", f"<P>It has:{inner}</P>"):
        unit = read_data(Path("act.xml"), FORMEX.replace("{}", content).encode()).units[0]
        assert [b.text for b in unit.blocks] == ["It has:", "a lid"]


def test_text_between_the_items_of_a_list_costs_the_unit_not_the_text() -> None:
    content = "<LIST>between<ITEM><NP><NO.P>(a)</NO.P><TXT>a lid</TXT></NP></ITEM></LIST>"
    document = read_data(Path("act.xml"), FORMEX.replace("{}", content).encode())
    assert next(f.problem for f in document.failures if f.key == "CCM-1.1/SC").endswith("would be lost")


@pytest.mark.parametrize(("shown", "kept", "lost"), [("ab 1", "ba", False), ("aab", "ab", True), ("é", "e", True)])
def test_letters_are_counted(shown: str, kept: str, lost: bool) -> None:
    assert loses_letters([shown], [kept]) is lost


def test_two_footnotes_with_one_number_are_both_kept() -> None:
    def note(text: str) -> str:
        return f"<span class='popover-tooltip'>(3)</span><span class='popover-tooltip-content'>{text}</span>"

    blocks, footnotes = html_blocks(f"<p>Clay{note('A law.')} and lime{note('A standard.')}, clay{note('A law.')}</p>")
    assert footnotes == {"fn-3": "A law.", "fn-3-2": "A standard."}
    assert blocks[0].footnotes == ("fn-3", "fn-3-2", "fn-3") and blocks[0].text == "Clay(3) and lime(3), clay(3)"


def test_a_footnote_without_marker_stays_in_the_text() -> None:
    blocks, footnotes = html_blocks("<p>Clay<span class='popover-tooltip-content'><p>A law.</p></span> burns.</p>")
    assert [b.text for b in blocks] == ["Clay A law. burns."] and footnotes == {}
