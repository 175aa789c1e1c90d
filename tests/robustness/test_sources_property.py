"""What a page shows is in some block, or the reader says what it could not read."""

from __future__ import annotations

import hashlib
import html
import json
from pathlib import Path

from drafting import Item, examples, items_of, sections, to_formex, to_html, words
from hypothesis import given
from hypothesis import strategies as st

from regreact.errors import SourceError
from regreact.sources import read_data
from regreact.sources.blocks import fold
from regreact.sources.model import Document
from regreact.sources.objectives import acts_by_objective

TEXTS = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs", "S"]), min_size=1, max_size=30).map(
    lambda t: f"x {t} y"
)
NAMES = st.sampled_from("p div ol ul li table tr td span b em section h2 blockquote dl dt main font a br".split())


@st.composite
def markup(draw: st.DrawFn, depth: int = 4) -> tuple[str, str]:
    """Random markup, nested as no author would, and the text that it shows."""
    source, shown = [], []
    for _ in range(draw(st.integers(1, 4))):
        if depth and draw(st.booleans()):
            name, (inner, text) = draw(NAMES), draw(markup(depth - 1))
            source.append(f"<{name}>{inner}</{name}>")
            shown.append(text)
        else:
            text = draw(st.sampled_from(["kiln", "clay is dry", "5 %", "\u00a0", "at least & more", "(a)", ""]))
            source.append(f" {html.escape(text)} ")
            shown.append(text)
    return "".join(source), " ".join(shown)


def read_fragment(source: str) -> Document | SourceError:
    try:
        return read_data(Path("kiln.html"), f"<section>{source}</section>".encode())
    except SourceError as error:
        return error


@examples(60)
@given(markup())
def test_every_word_of_a_fragment_is_in_a_block(drawn: tuple[str, str]) -> None:
    source, shown = drawn
    document = read_fragment(source)
    if isinstance(document, SourceError):
        assert not words(shown), f"{document}, but the fragment shows {shown!r}"
        return
    (unit,) = document.units
    assert words(" ".join(b.text for b in unit.blocks)) == words(shown)
    assert document == read_fragment(source)
    for n, block in enumerate(unit.blocks):
        assert block.index == n and block.text == fold(block.orig) != ""


@examples(40)
@given(sections(TEXTS))
def test_a_section_written_as_html_is_read_back(section: list[Item]) -> None:
    document = read_fragment(to_html(section))
    assert isinstance(document, Document)
    found = [(b.text, b.marker, b.depth) for b in document.units[0].blocks]
    assert found == [(fold(text), marker, depth) for text, marker, depth in items_of(section)]


FORMEX = (
    "<CONS.ACT><INFO.CONSLEG CONSLEG.REF='2099R0001' START.DATE='20990102'/><CONS.ANNEX><TITLE><TI><P>ANNEX I</P></TI>"
    "<STI><P>Criteria for contributing substantially to climate change mitigation</P></STI></TITLE><CONTENTS>"
    "<GR.SEQ LEVEL='1'><TITLE><TI><NP><NO.P>1.</NO.P><TXT>KILNS</TXT></NP></TI></TITLE><GR.SEQ LEVEL='2'><TITLE><TI><NP>"
    "<NO.P>1.1.</NO.P><TXT>Making bricks</TXT></NP></TI></TITLE><GR.SEQ LEVEL='3'><TITLE><TI><P>Description of the "
    "activity</P></TI></TITLE><P>Bricks.</P></GR.SEQ><GR.SEQ LEVEL='3'><TITLE><TI><P>Technical screening criteria</P></TI>"
    "</TITLE><TBL COLS='2'><CORPUS><ROW><CELL COLSPAN='2'>Substantial contribution to climate change mitigation</CELL>"
    "</ROW><ROW><CELL COLSPAN='2'>{}</CELL></ROW></CORPUS></TBL></GR.SEQ></GR.SEQ></GR.SEQ></CONTENTS></CONS.ANNEX>"
    "</CONS.ACT>"
)


def formex_blocks(section: list[Item]) -> list[tuple[str, str | None, int]]:
    document = read_data(Path("act.fmx.xml"), FORMEX.replace("{}", to_formex(section)).encode())
    unit = next(u for u in document.units if u.key == "CCM-1.1/SC")
    return [(b.text, b.marker, b.depth) for b in unit.blocks]


@examples(40)
@given(sections(TEXTS))
def test_a_section_written_as_formex_is_read_back(section: list[Item]) -> None:
    assert formex_blocks(section) == [(fold(text), marker, depth) for text, marker, depth in items_of(section)]


@examples(30)
@given(st.lists(sections(TEXTS, 1), min_size=1, max_size=3), st.data())
def test_a_dump_tells_of_every_section(drawn: list[list[Item]], data: st.DataObject) -> None:
    objectives = sorted(acts_by_objective())
    matches = [
        {
            "activity": data.draw(st.sampled_from(["Making bricks", "Unlisted"])),
            "objective": data.draw(st.sampled_from([*objectives, "unheard"])),
            "substantial_contribution_criteria": [to_html(section)],
            "dnsh": [],
        }
        for section in drawn
    ]
    dump = {"activities": [{"name": "Making bricks", "reference": "1.1"}], "matches": matches}
    document = read_data(Path("taxonomy-9.9.9.json"), json.dumps(dump).encode())
    assert len(document.units) + len(document.failures) == len(matches)
    assert len({u.key for u in document.units}) == len(document.units)


@examples(150)
@given(st.binary(max_size=300), st.sampled_from(["", "<p>", "{", "<CONS.ACT>", "<html xmlns='http://www.w3.org/1999/xhtml'>"]))
def test_any_bytes_are_read_or_refused_with_a_reason(data: bytes, opening: str) -> None:
    content = opening.encode() + data
    try:
        document = read_data(Path("kiln.x"), content)
    except SourceError as error:
        assert "kiln.x" in str(error)
    else:
        assert document.sha256 == hashlib.sha256(content).hexdigest() and (document.units or document.failures)
