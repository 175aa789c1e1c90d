"""Acts in Formex: invented documents in the markup of the Official Journal, and the published ones where they are."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from regreact.errors import SourceFormatError
from regreact.rag.act import LegalAct, Table
from regreact.rag.convert.formex import read_formex
from regreact.rag.convert.formex_titles import annex_line, division_lines, opening_division, section_lines
from regreact.rag.convert.xhtml import read_xhtml

ROOT = Path(__file__).resolve().parents[2]


def convert(text: str, **own: Any) -> LegalAct:
    """Read invented markup."""
    given: dict[str, Any] = {"celex": "32099R0001", "version": "", "language": "en"} | own
    return read_formex(text.encode(), name="kites.fmx.xml", **given)


def act_of(enacting: str = "", annexes: str = "", preamble: str = "") -> LegalAct:
    """Read an act with these parts."""
    return convert(f"<ACT>{preamble}<ENACTING.TERMS>{enacting}</ENACTING.TERMS>{annexes}</ACT>")


def article(content: str, number: str = "1") -> str:
    return f"<ARTICLE><TI.ART>Article {number}</TI.ART><STI.ART>Kites</STI.ART>{content}</ARTICLE>"


def annex(content: str, title: str = "<TI><P>ANNEX</P></TI>") -> str:
    return f"<ANNEX><TITLE>{title}</TITLE><CONTENTS>{content}</CONTENTS></ANNEX>"


def item(label: str, text: str, below: str = "") -> str:
    return f"<ITEM><NP><NO.P>{label}</NO.P><TXT>{text}</TXT>{below}</NP></ITEM>"


def group(title: str, content: str, level: int = 1) -> str:
    return f'<GR.SEQ LEVEL="{level}"><TITLE><TI>{title}</TI></TITLE>{content}</GR.SEQ>'


def addresses(act: LegalAct) -> list[str]:
    return [provision.address for provision in act.walk()]


WHOLE = """<?xml version="1.0" encoding="UTF-8"?>
<ACT>
<BIB.INSTANCE><DOCUMENT.REF><COLL>L</COLL></DOCUMENT.REF><LG.DOC>EN</LG.DOC><NO.DOC><YEAR>2099</YEAR></NO.DOC></BIB.INSTANCE>
<TITLE><TI><P><HT TYPE="UC">Regulation</HT> (EU) 2099/1 of the Council</P><P>on kites</P></TI></TITLE>
<PREAMBLE><PREAMBLE.INIT>THE COUNCIL,</PREAMBLE.INIT>
<GR.VISA><VISA>Having regard to the wind<NOTE NOTE.ID="E0001"><P>Its force.</P></NOTE>,</VISA></GR.VISA>
<GR.CONSID><GR.CONSID.INIT>Whereas:</GR.CONSID.INIT>
<CONSID><NP><NO.P>(1)</NO.P><TXT>Kites rise<NOTE NOTE.ID="E0002"><P>See note 1.</P></NOTE> and<?PAGE NO="2"?> fall.</TXT></NP></CONSID>
<CONSID><NP><NO.P>(2)</NO.P><TXT>Strings break<NOTE NOTE.REF="E0001"/>.</TXT><P>Knots hold.</P></NP></CONSID></GR.CONSID>
<PREAMBLE.FINAL>HAS ADOPTED THIS REGULATION:</PREAMBLE.FINAL></PREAMBLE>
<ENACTING.TERMS><DIVISION><TITLE><TI><P>CHAPTER I</P></TI><STI><P>General</P></STI></TITLE>
<DIVISION><TITLE><TI><P>Section 1</P></TI><STI><P>Words</P></STI></TITLE>
<ARTICLE IDENTIFIER="001"><TI.ART>Article 1</TI.ART><STI.ART>Definitions</STI.ART><ALINEA><P>For this Regulation:</P>
<LIST TYPE="ARAB"><ITEM><NP><NO.P>(1)</NO.P><TXT><QUOT.START CODE="2018"/>kite<QUOT.END CODE="2019"/> means a toy;</TXT></NP></ITEM>
<ITEM><NP><NO.P>(2)</NO.P><TXT>a tail is CO<HT TYPE="SUB">2</HT> free.</TXT></NP></ITEM></LIST></ALINEA></ARTICLE></DIVISION>
<ARTICLE IDENTIFIER="002"><TI.ART>Article 2</TI.ART><STI.ART>Flight</STI.ART>
<PARAG IDENTIFIER="002.001"><NO.PARAG>1.</NO.PARAG><ALINEA>By <DATE ISO="20990101">1 January 2099</DATE> kites fly.</ALINEA><ALINEA>At dusk they land.</ALINEA></PARAG>
<PARAG IDENTIFIER="002.001A"><NO.PARAG>1a.</NO.PARAG><ALINEA><P>They carry:</P><LIST TYPE="alpha">
<ITEM><NP><NO.P>(a)</NO.P><TXT>a lamp:</TXT><P><LIST TYPE="roman"><ITEM><NP><NO.P>(i)</NO.P><TXT>red;</TXT></NP></ITEM><ITEM><NP><NO.P>(ii)</NO.P><TXT>green;</TXT></NP></ITEM></LIST></P><P>lit at night;</P></NP></ITEM>
<ITEM><NP><NO.P>(b)</NO.P><TXT>a tail.</TXT></NP></ITEM></LIST><P>Nothing else is carried.</P></ALINEA></PARAG></ARTICLE></DIVISION></ENACTING.TERMS>
<FINAL><P>This Regulation binds all kites.</P><SIGNATURE><PL.DATE><P>Done at Windhoven, <DATE>1 May 2098</DATE>.</P></PL.DATE><SIGNATORY><P>The President</P></SIGNATORY></SIGNATURE></FINAL>
</ACT>"""


@pytest.fixture(scope="module")
def whole() -> LegalAct:
    return convert(WHOLE, celex="", language="")


def test_every_part_of_an_act_has_its_address(whole: LegalAct) -> None:
    assert addresses(whole) == [
        "rec_1", "rec_2", "chp_I", "chp_I/sec_1", "art_1", "art_1/pnt_1", "art_1/pnt_2", "art_2", "art_2/par_1",
        "art_2/par_1a", "art_2/par_1a/pnt_a", "art_2/par_1a/pnt_a/pnt_i", "art_2/par_1a/pnt_a/pnt_ii",
        "art_2/par_1a/pnt_b",
    ]  # fmt: skip
    assert whole.by_address["art_2"].heading == "Flight"
    assert whole.by_address["chp_I/sec_1"].heading == "Words"


def test_the_document_says_what_it_is(whole: LegalAct) -> None:
    assert (whole.celex, whole.version, whole.language, whole.format) == ("32099R0001", "", "en", "formex")
    assert whole.title == "Regulation (EU) 2099/1 of the Council on kites"


def test_text_stands_where_the_markup_puts_it(whole: LegalAct) -> None:
    assert whole.by_address["art_2/par_1"].content == ("By 1 January 2099 kites fly.", "At dusk they land.")
    assert whole.by_address["art_1/pnt_1"].content == ("‘kite’ means a toy;",)
    assert whole.by_address["art_1/pnt_2"].content == ("a tail is CO2 free.",)
    assert whole.by_address["art_2/par_1a/pnt_a"].content[-1] == "lit at night;"
    assert whole.by_address["art_2/par_1a"].content[-1] == "Nothing else is carried."
    assert "DOCUMENT" not in whole.text
    assert [part for part in whole.content[-3:] if isinstance(part, str)] == [
        "This Regulation binds all kites.", "Done at Windhoven, 1 May 2098.", "The President"
    ]  # fmt: skip


def test_footnotes_are_counted_and_shared_by_their_markers(whole: LegalAct) -> None:
    assert whole.notes == ("(1) Its force.", "(2) See note 1.")
    assert whole.by_address["rec_1"].content == ("Kites rise (2) and fall.",)
    assert whole.by_address["rec_2"].content == ("Strings break (1).", "Knots hold.")


def test_a_footnote_without_marker_is_kept_and_marked_last() -> None:
    notes = '<GR.NOTES><NOTE NOTE.ID="E1"><P>Lonely.</P></NOTE><NOTE NOTE.ID="E2"><P>Used.</P></NOTE></GR.NOTES>'
    table = f'<TBL>{notes}<CORPUS><ROW><CELL COL="1">x<NOTE NOTE.REF="E2"/></CELL></ROW></CORPUS></TBL>'
    act = act_of(annexes=annex(f"<P>See:</P>{table}"))
    assert act.notes == ("(1) Used.", "(2) Lonely.")
    assert act_of(annexes=annex(f"<TBL>{notes}</TBL>")).notes == ("(1) Lonely.", "(2) Used.")


def test_a_footnote_of_a_footnote_is_kept() -> None:
    note = '<NOTE NOTE.ID="E1"><P>Outer<NOTE NOTE.ID="E2"><P>Inner.</P></NOTE>.</P></NOTE>'
    assert act_of(article(f"<ALINEA>Kites{note}.</ALINEA>")).notes == ("(1) Outer (2).", "(2) Inner.")


def test_quoted_amendments_are_text_and_not_addresses() -> None:
    quoted = (
        '<QUOT.S LEVEL="1"><ARTICLE><TI.ART><QUOT.START CODE="2018"/>Article 9</TI.ART><STI.ART>Old</STI.ART>'
        '<PARAG><NO.PARAG>1.</NO.PARAG><ALINEA>Ropes hold.<QUOT.END CODE="2019"/>;</ALINEA></PARAG></ARTICLE>'
        f"{annex('<P>Inside.</P>', '<TI><P>ANNEX IX</P></TI>')}</QUOT.S>"
    )
    points = item("(1)", "Article 9 is replaced:", f"<P>{quoted}</P>") + item("(2)", "Article 10 is deleted.")
    act = act_of(article(f'<ALINEA><P>It is amended as follows:</P><LIST TYPE="ARAB">{points}</LIST></ALINEA>'))
    assert addresses(act) == ["art_1", "art_1/pnt_1", "art_1/pnt_2"]
    text = act.by_address["art_1/pnt_1"].text
    assert text.splitlines()[1:] == ["‘Article 9 Old", "1. Ropes hold.’;", "ANNEX IX", "Inside."]


def test_lists_of_dashes_have_them_as_labels() -> None:
    dashes = '<LIST TYPE="DASH"><ITEM><P>wind,</P></ITEM><ITEM><P>sun,</P><P>or moon.</P></ITEM></LIST>'
    act = act_of(article(f"<ALINEA><P>With:</P>{dashes}</ALINEA>"))
    assert addresses(act) == ["art_1", "art_1/ind_1", "art_1/ind_2"]
    assert act.by_address["art_1/ind_2"].content == ("sun,", "or moon.")


def test_a_list_without_labels_is_text() -> None:
    plain = '<LIST TYPE="NONE"><ITEM><P>wind</P></ITEM><ITEM><P>sun</P></ITEM></LIST>'
    act = act_of(article(f"<ALINEA><P>With:</P>{plain}</ALINEA>"))
    assert act.by_address["art_1"].content == ("With:", "wind", "sun")


def test_symbols_and_formulas_are_lines() -> None:
    terms = (
        '<DLIST SEPARATOR="="><DLIST.ITEM><TERM>E<HT TYPE="SUB">C</HT></TERM><DEFINITION>energy of the kite</DEFINITION>'
        "</DLIST.ITEM></DLIST>"
    )
    formula = (
        "<FORMULA><EXPR>E</EXPR><OP.CMP TYPE='EQ'/><EXPR><FRACTION><DIVIDEND>m<OP.MATH TYPE='PLUS'/>n</DIVIDEND>"
        "<DIVISOR>t<EXPONENT>2</EXPONENT></DIVISOR></FRACTION></EXPR></FORMULA>"
    )
    act = act_of(
        annexes=annex(
            f"<P>Energy is:</P><P>{formula}</P><P>where</P><P>{terms}</P><P>Seen <INCL.ELEMENT FILEREF='a.tif'/>.</P>"
        )
    )
    assert act.by_address["anx"].content == (
        "Energy is:",
        "E = (m + n)/t2",
        "where",
        "EC = energy of the kite",
        "Seen .",
    )


def test_spans_of_tables_leave_their_places_empty() -> None:
    rows = (
        '<ROW TYPE="HEADER"><CELL COL="1" COLSPAN="2">Kite</CELL><CELL COL="3" ROWSPAN="2">Tail</CELL></ROW>'
        '<ROW><CELL COL="1">red</CELL><CELL COL="2"><IE/></CELL></ROW>'
        '<BLK><TI.BLK COL.START="1" COL.END="3">LARGE</TI.BLK><ROW><CELL COL="1">blue</CELL>'
        f'<CELL COL="3"><P>long:</P><LIST TYPE="alpha">{item("(a)", "one")}</LIST></CELL></ROW></BLK>'
    )
    table = f"<TBL COLS='3'><TITLE><TI><P>Sizes</P></TI></TITLE><CORPUS>{rows}</CORPUS></TBL>"
    act = act_of(annexes=annex(f"<P>As follows:</P>{table}"))
    assert act.by_address["anx"].content == (
        "As follows:",
        Table((("Kite", "", "Tail"), ("red", "", ""), ("LARGE", "", ""), ("blue", "", "long: (a) one")), "Sizes"),
    )


def test_notes_on_a_table_follow_it() -> None:
    note = "<GR.NOTES><GR.ANNOTATION><TITLE><TI><P>Note</P></TI></TITLE><ANNOTATION><P>Dry.</P></ANNOTATION></GR.ANNOTATION></GR.NOTES>"
    act = act_of(annexes=annex(f"<TBL>{note}<CORPUS><ROW><CELL>x</CELL></ROW></CORPUS></TBL>"))
    assert act.by_address["anx"].content == (Table((("x",),)), "Note", "Dry.")


def test_numbers_of_groups_follow_the_nesting_of_the_markup() -> None:
    """A list within 1.1 that begins with "1." ends neither 1 nor 1.1: the groups tell."""
    inner = group("<NP><NO.P>1.1.</NO.P><TXT>Wood</TXT></NP>", "<NP><NO.P>1.</NO.P><TXT>Ash.</TXT></NP>", 2)
    inner += group("<NP><NO.P>1.2.</NO.P><TXT>Silk</TXT></NP>", "<P>White.</P>", 2)
    groups = group("<NP><NO.P>1.</NO.P><TXT>MATTER</TXT></NP>", inner) + group("<P>2. FORM</P>", "<P>Flat.</P>")
    act = act_of(annexes=annex(groups, "<TI><P>ANNEX II</P></TI><STI><P>Making</P></STI>"))
    assert addresses(act) == [
        "anx_II", "anx_II/sec_1", "anx_II/sec_1/pnt_1.1", "anx_II/sec_1/pnt_1.1/pnt_1", "anx_II/sec_1/pnt_1.2",
        "anx_II/pnt_2",
    ]  # fmt: skip
    assert act.by_address["anx_II"].heading == "Making"
    assert act.by_address["anx_II/sec_1/pnt_1.2"].heading == "Silk"


def test_numbers_that_the_markup_does_not_nest_are_nested_by_their_form() -> None:
    flat = "".join(group(f"<P>{title}</P>", "<P>Text.</P>") for title in ("1. Wood", "1.1. Ash", "2. Silk", "2.1. Raw"))
    assert addresses(act_of(annexes=annex(flat))) == [
        "anx",
        "anx/sec_1",
        "anx/sec_1/pnt_1.1",
        "anx/sec_2",
        "anx/sec_2/pnt_2.1",
    ]


def test_a_list_beside_a_number_is_below_it() -> None:
    content = (
        f'<NP><NO.P>1.</NO.P><TXT>Use:</TXT></NP><LIST TYPE="alpha">{item("(a)", "ash;")}{item("(b)", "silk.")}</LIST>'
    )
    act = act_of(annexes=annex(f"{content}<NP><NO.P>2.</NO.P><TXT>Fly.</TXT></NP>"))
    assert addresses(act) == ["anx", "anx/pnt_1", "anx/pnt_1/pnt_a", "anx/pnt_1/pnt_b", "anx/pnt_2"]


def test_a_number_of_a_group_without_title() -> None:
    content = "".join(f"<GR.SEQ><NO.GR.SEQ>{n}.</NO.GR.SEQ><P>Rule {n}.</P></GR.SEQ>" for n in (1, 2))
    assert act_of(annexes=annex(content)).by_address["anx/pnt_2"].content == ("Rule 2.",)


def test_parts_that_a_paragraph_names() -> None:
    lists = [f'<LIST TYPE="alpha">{item("(a)", text)}</LIST>' for text in ("ash", "silk")]
    act = act_of(annexes=annex(f"<P>Part A. Woods, namely:</P>{lists[0]}<P>Part B. Cloths, namely:</P>{lists[1]}"))
    assert addresses(act) == ["anx", "anx/prt_A", "anx/prt_A/pnt_a", "anx/prt_B", "anx/prt_B/pnt_a"]


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("Part A. Woods", ("Part A", "Woods")),
        ("PART II: Woods", ("PART II", "Woods")),
        ("Part 3. Woods", ("Part 3", "Woods")),
        ("Part A of this Annex applies.", None),
        ("Part A. and more", None),
        ("In Part A. Woods", None),
    ],
)
def test_words_that_open_a_part(text: str, opens: tuple[str, str] | None) -> None:
    assert opening_division(text) == opens


@pytest.mark.parametrize(
    ("parts", "role", "label", "text"),
    [
        (["ANNEX"], "annex", "ANNEX", ""),
        (["ANNEX IIa", "Woods"], "annex", "ANNEX IIa", "Woods"),
        (["Annex 3 — Woods"], "annex", "Annex 3", "Woods"),
        (["ANNEX B"], "annex", "ANNEX B", ""),
        (["ANNEX Woods"], "annex", "ANNEX", "Woods"),
        (["Appendix A: Woods", "of ash"], "appendix", "Appendix A", "Woods of ash"),
        (["APPENDIX"], "appendix", "APPENDIX", ""),
        (["Woods"], "annex", "", "Woods"),
        ([], "annex", "", ""),
    ],
)
def test_titles_of_annexes(parts: list[str], role: str, label: str, text: str) -> None:
    line = annex_line(parts)
    assert (line.role, line.label, line.text) == (role, label, text)


@pytest.mark.parametrize(
    ("parts", "lines"),
    [
        (["CHAPTER II", "Winds"], [("division", "CHAPTER II", "Winds")]),
        (["TITLE IV — Winds"], [("division", "TITLE IV", "Winds")]),
        (["Section 2"], [("division", "Section 2", "")]),
        (["PART A —", "Winds"], [("division", "PART A", "Winds")]),
        (["Winds"], [("heading", "", "Winds")]),
        ([], []),
    ],
)
def test_titles_of_divisions(parts: list[str], lines: list[tuple[str, str, str]]) -> None:
    assert [(line.role, line.label, line.text) for line in division_lines(parts)] == lines


@pytest.mark.parametrize(
    ("parts", "lines"),
    [
        (["PART B — Winds"], [("division", "PART B", "Winds")]),
        (["Part B: Winds"], [("division", "Part B", "Winds")]),
        (["PART B", "Winds"], [("division", "PART B", "Winds")]),
        (["Part a of the wind"], [("heading", "", "Part a of the wind")]),
        (["1.2. Winds"], [("heading", "1.2.", ""), ("heading", "", "Winds")]),
        (["A.", "Winds"], [("heading", "A.", ""), ("heading", "", "Winds")]),
        (["Winds"], [("heading", "", "Winds")]),
        ([], []),
    ],
)
def test_titles_of_sections(parts: list[str], lines: list[tuple[str, str, str]]) -> None:
    assert [(line.role, line.label, line.text) for line in section_lines(parts)] == lines


def test_a_table_of_contents_opens_nothing() -> None:
    entry = "<TOC.ITEM><NO.ITEM>1.</NO.ITEM><ITEM.CONT>Wood</ITEM.CONT></TOC.ITEM>"
    toc = f"<TOC><TITLE><TI><P>Contents</P></TI></TITLE><TOC.BLK>{entry}</TOC.BLK></TOC>"
    act = act_of(annexes=annex(toc + group("<P>1. Wood</P>", "<P>Ash.</P>")))
    assert addresses(act) == ["anx", "anx/pnt_1"]
    assert act.by_address["anx"].content[:2] == ("Contents", "1. Wood")


FLOATING = '<ALINEA>Kites<?CLG.MDFO ID="O1" ACTION="REPLACED"?> float<?CLG.MDFC ID="C1"?>.</ALINEA>'
CONSOLIDATED = (
    '<CONS.ACT><INFO.CONSLEG CONSLEG.REF="2099L0007" START.DATE="21000203"/><INFO.PROD><DATE>1</DATE></INFO.PROD>'
    "<CONS.DOC><BIB.INSTANCE><LG.DOC>FR</LG.DOC></BIB.INSTANCE><FAM.COMP><BIB.DATA><TITLE><TI><P>Amending act</P></TI>"
    "</TITLE></BIB.DATA></FAM.COMP><TITLE><TI><P>Directive on kites</P></TI></TITLE><ENACTING.TERMS>"
    f"{article(FLOATING, '1a')}"
    "</ENACTING.TERMS><CONS.ANNEX><TITLE><TI><P>ANNEX I</P></TI></TITLE><CONTENTS><P>Wood.</P></CONTENTS></CONS.ANNEX>"
    "</CONS.DOC></CONS.ACT>"
)


def test_a_consolidated_act_names_its_version_and_shows_no_marks() -> None:
    act = convert(CONSOLIDATED, celex="", language="")
    assert (act.id, act.version, act.language) == ("32099L0007-21000203", "2100-02-03", "fr")
    assert addresses(act) == ["art_1a", "anx_I"]
    assert act.by_address["art_1a"].content == ("Kites float.",)
    assert "Amending" not in act.text
    assert act.title == "Directive on kites"


def test_what_the_caller_knows_goes_before_what_the_document_says() -> None:
    act = convert(CONSOLIDATED, celex="32099L0008", version="2101-01-01", language="EN")
    assert (act.id, act.language) == ("32099L0008-21010101", "en")


# --- several files ----------------------------------------------------------------------------------------

MAIN = f"<ACT><TITLE><TI><P>Regulation on kites</P></TI></TITLE><ENACTING.TERMS>{article('<ALINEA>Fly.</ALINEA>')}</ENACTING.TERMS></ACT>"


def annex_file(number: str) -> str:
    note = f'<NOTE NOTE.ID="E0001"><P>Of annex {number}.</P></NOTE>'
    return annex(f"<P>Wood {number}{note}.</P>", f"<TI><P>ANNEX {number}</P></TI>")


def archive(**members: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in members.items():
            packed.writestr(f"{name}.xml", text)
        packed.writestr("figure.tif", b"\0\1\2")
    return target.getvalue()


def read(data: bytes) -> LegalAct:
    return read_formex(data, name="kites.zip", celex="32099R0001", version="", language="en")


def test_an_archive_is_one_act_with_its_annexes_in_the_order_of_names() -> None:
    act = read(archive(L_3=annex_file("II"), L_2=annex_file("I"), L_9=MAIN))
    assert addresses(act) == ["art_1", "anx_I", "anx_II"]
    assert act.title == "Regulation on kites"


def test_footnotes_of_several_files_do_not_mix() -> None:
    act = read(archive(L_1=MAIN, L_2=annex_file("I"), L_3=annex_file("II")))
    assert act.notes == ("(1) Of annex I.", "(2) Of annex II.")
    assert act.by_address["anx_II"].content == ("Wood II (2).",)


def test_the_order_of_annexes_is_that_of_the_description() -> None:
    refs = "".join(f'<DOC.SUB.PUB><REF.PHYS FILE="{name}.xml"/></DOC.SUB.PUB>' for name in ("L_7", "L_5"))
    doc = f'<DOC><BIB.DOC/><FMX><DOC.MAIN.PUB><REF.PHYS FILE="L_6.xml"/></DOC.MAIN.PUB>{refs}</FMX></DOC>'
    act = read(archive(L_5=annex_file("II"), L_6=MAIN, L_7=annex_file("I"), L_doc=doc))
    assert addresses(act) == ["art_1", "anx_I", "anx_II"]


def test_files_joined_into_one() -> None:
    joined = "".join(f'<?xml version="1.0"?>{text}' for text in (MAIN, annex_file("I"), annex_file("II")))
    assert addresses(read(joined.encode())) == ["art_1", "anx_I", "anx_II"]
    wrapped = f"<FILES>{annex_file('I')}{MAIN}</FILES>"
    assert addresses(read(wrapped.encode())) == ["art_1", "anx_I"]


def test_an_archive_without_an_act_says_what_it_holds() -> None:
    with pytest.raises(SourceFormatError, match="no act in Formex: <DOC>, <PUBLICATION>"):
        read(archive(a="<DOC/>", b="<PUBLICATION/>"))


def test_what_is_deleted_is_law_no_more() -> None:
    def deleted(content: str) -> str:
        return f'<?CLG.MDFO ID="O1" IDREF="C1" ACTION="DELETED"?>{content}<?CLG.MDFC ID="C1" IDREF="O1"?>'

    old = "<PARAG><NO.PARAG>2.</NO.PARAG><ALINEA>Kites sink.</ALINEA></PARAG>"
    new = "<PARAG><NO.PARAG>2.</NO.PARAG><ALINEA>Kites fly.</ALINEA></PARAG>"
    opened = '<?CLG.MDFO ID="O2" IDREF="C2" ACTION="DELETED"?>'
    first = f"<PARAG><NO.PARAG>1.</NO.PARAG><ALINEA>Kites rise{deleted(' by day')} again.{opened}</ALINEA></PARAG>"
    act = act_of(article(first + deleted(old) + new))
    assert addresses(act) == ["art_1", "art_1/par_1", "art_1/par_2"]
    assert act.by_address["art_1/par_1"].content == ("Kites rise again.",)
    assert act.by_address["art_1/par_2"].content == ("Kites fly.",)


def test_paragraphs_put_in_before_the_first_inserted_one() -> None:
    def paragraph(label: str) -> str:
        return f"<PARAG><NO.PARAG>{label}</NO.PARAG><ALINEA>Kites.</ALINEA></PARAG>"

    act = act_of(article("".join(map(paragraph, ("3.", "3-b.", "3-a.", "3a.", "4.")))))
    assert addresses(act) == ["art_1", *(f"art_1/par_{label}" for label in ("3", "3-b", "3-a", "3a", "4"))]


# --- the published acts -----------------------------------------------------------------------------------

FILES = {
    "acts/32016R0679.oj.fmx.xml": ("32016R0679", "en"),
    "acts/32018L2001.cons-2022-06-07.fmx.xml": ("32018L2001-20220607", "en"),
    "acts/32003L0087.cons-2024-03-01.fmx.xml": ("32003L0087-20240301", "en"),
    "taxonomy/02021R2139-20230101.fmx.xml": ("32021R2139-20230101", "en"),
    "taxonomy/02021R2139-20240101.fmx.xml": ("32021R2139-20240101", "en"),
    "taxonomy/02021R2139-20250108.fmx.xml": ("32021R2139-20250108", "en"),
    "taxonomy/02021R2139-20260101.fmx.xml": ("32021R2139-20260101", "en"),
    "taxonomy/02023R2486-20260101.fmx.xml": ("32023R2486-20260101", "en"),
}
UNPRINTED = {"BIB.INSTANCE", "BIB.DATA", "INFO.CONSLEG", "INFO.PROD", "FAM.COMP", "GR.NOTES", "NOTE", "FORMULA"}
RUNS = {
    "HT",
    "DATE",
    "FT",
    "REF.DOC.OJ",
    "REF.DOC",
    "QUOT.START",
    "QUOT.END",
    "LINK",
    "NOTE",
    "IND",
    "INCL.ELEMENT",
}


def bytes_of(root: Path, name: str) -> bytes:
    path = root / name
    if not path.is_file():
        pytest.skip(f"real source absent: {path}")
    return path.read_bytes()


DELETED = rb'<\?CLG\.MDFO ID="(\w+)"[^>]*ACTION="DELETED"[^>]*\?>.*?<\?CLG\.MDFC ID="\w+" IDREF="\1"\?>'


def in_force(data: bytes) -> bytes:
    """A consolidated file without what stands between the marks of a deletion."""
    return re.sub(DELETED, b"", data, flags=re.DOTALL)


@cache
def real_act(root: Path, name: str) -> LegalAct:
    return read_formex(bytes_of(root, name), name=name, celex="", version="", language="")


@cache
def real_page(root: Path, name: str) -> LegalAct:
    return read_xhtml(bytes_of(root, name), name=name, celex="", version="", language="")


@pytest.mark.parametrize("name", FILES)
def test_all_articles_and_annexes_are_found(data_root: Path, name: str) -> None:
    act = real_act(data_root, name)
    assert (act.id, act.language) == FILES[name]
    root = etree.fromstring(in_force(bytes_of(data_root, name)))

    def own(*tags: str) -> list[Any]:
        return [e for e in root.iter(*tags) if not any(above.tag == "QUOT.S" for above in e.iterancestors())]

    printed = ["".join("".join(e.find("TI.ART").itertext()).split()[1:]) for e in own("ARTICLE")]
    assert [p.label for p in act.walk() if p.kind == "art"] == printed
    assert sum(p.kind in ("anx", "apx") for p in act.walk()) == len(own("ANNEX", "CONS.ANNEX"))
    for element in own("ARTICLE"):
        number = "".join("".join(element.find("TI.ART").itertext()).split()[1:])
        found = {p.label for p in act.by_address[f"art_{number}"].children if p.kind == "par"}
        labels = {
            "".join(e.itertext()).strip(" .")
            for e in element.iter("NO.PARAG")
            if not any(a.tag == "QUOT.S" for a in e.iterancestors())
        }
        assert found >= {label for label in labels if re.fullmatch(r"\d+(?:[a-z]*|-[a-z])", label)}
    assert sum(p.kind == "rec" for p in act.walk()) == len(own("CONSID"))
    assert len(act.by_address) == len(list(act.walk()))
    assert act.title


def source_words(element: Any) -> Iterator[str]:
    """Printed text from the markup itself, without footnotes and formulas (which are set anew on a line)."""
    yield element.text or ""
    for child in element:
        printed = isinstance(child.tag, str) and child.tag not in UNPRINTED
        if printed:
            space = "" if child.tag in RUNS else " "
            yield space
            yield from source_words(child)
            yield space
        yield child.tail or ""


MARKERS = re.compile(r"\(\s*[\w*]+\s*\)")


def words(text: str) -> list[str]:
    return re.findall(r"\w+", MARKERS.sub(" ", text).casefold())


@pytest.mark.parametrize("name", FILES)
def test_text_is_conserved_in_order(data_root: Path, name: str) -> None:
    act = real_act(data_root, name)
    root = etree.fromstring(in_force(bytes_of(data_root, name)))
    expected = words("".join(source_words(root)))
    body = act.text.removesuffix("\n".join(act.notes))
    found = words(f"{act.title}\n{body}")
    kept = sum((Counter(expected) & Counter(found)).values())
    assert kept / len(expected) >= 0.999
    # Order: runs of three words; a note on a table, printed after it, breaks two of them.
    runs, found_runs = (Counter(zip(w, w[1:], w[2:], strict=False)) for w in (expected, found))
    assert sum((runs & found_runs).values()) / len(expected) >= 0.99
    surplus = sum((Counter(found) - Counter(expected)).values())
    assert surplus / len(expected) < 0.01


@pytest.mark.parametrize("name", FILES)
def test_footnotes_are_conserved(data_root: Path, name: str) -> None:
    act = real_act(data_root, name)
    root = etree.fromstring(in_force(bytes_of(data_root, name)))
    texts = [" ".join("".join(source_words(e)).split()) for e in root.iter("NOTE") if e.get("NOTE.ID") or len(e)]
    texts = [text for text in texts if text]
    assert len(act.notes) == len(texts)
    expected, found = Counter(words(" ".join(texts))), Counter(words(" ".join(act.notes)))
    assert sum((expected - found).values()) <= 0.001 * sum(expected.values())


def pinpoints(root: Path) -> list[dict[str, Any]]:
    path = root.parent / "gold/pinpoints.json"
    if not path.is_file():
        path = ROOT.parent / "shared/gold/pinpoints.json"
    if not path.is_file():
        pytest.skip("gold citations absent")
    entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return entries


def plain(text: str) -> str:
    return re.sub(r"[\s\u00ad]", "", re.sub("[‘’ʼ]", "'", text)).casefold()


@pytest.mark.parametrize(
    "name",
    [
        "acts/32016R0679.oj.fmx.xml",
        "acts/32018L2001.cons-2022-06-07.fmx.xml",
        "acts/32003L0087.cons-2024-03-01.fmx.xml",
        "taxonomy/02021R2139-20250108.fmx.xml",
        "taxonomy/02023R2486-20260101.fmx.xml",
    ],
)
def test_provisions_that_citations_mean_are_there_with_their_words(data_root: Path, name: str) -> None:
    act = real_act(data_root, name)
    entries = [e for e in pinpoints(data_root) if e["celex"] == act.celex and e["addresses"]]
    # Criteria of activities are read by the reader of criteria.
    entries = [e for e in entries if not any(a.startswith("unit:") for a in e["addresses"])]
    missing: list[Any] = []
    for entry in entries:
        held = [act.by_address[a].text for a in entry["addresses"] if a in act.by_address]
        text = plain(" ".join(held))
        if len(held) < len(entry["addresses"]) or any(plain(s) not in text for s in entry["must_contain"]):
            missing.append((entry["citation"], entry["addresses"]))
    assert missing == []
    if name.startswith("acts/"):
        assert len(entries) >= 4


def test_formex_and_page_of_one_act_have_the_same_addresses_and_text(data_root: Path) -> None:
    formex = real_act(data_root, "acts/32016R0679.oj.fmx.xml")
    page = real_page(data_root, "acts/32016R0679.xhtml")
    assert addresses(formex) == addresses(page)
    unequal = [
        a
        for a, p in formex.by_address.items()
        if re.sub(r"\W", "", p.text) != re.sub(r"\W", "", page.by_address[a].text)
    ]
    assert unequal == []


def test_consolidated_and_original_differ_only_where_the_act_is_amended(data_root: Path) -> None:
    name = "acts/32018L2001.cons-2022-06-07.fmx.xml"
    formex, page = real_act(data_root, name), real_page(data_root, "acts/32018L2001.xhtml")
    root: Any = etree.fromstring(bytes_of(data_root, name))
    amended = set()
    for place, element in [("art", e) for e in root.iter("ARTICLE")] + [("anx", e) for e in root.iter("CONS.ANNEX")]:
        inside = [i for i in element.iter(etree.PI) if i.target.startswith("CLG.MDF")]
        around = element.itersiblings(etree.PI, preceding=True)
        if inside or next((i.target for i in around if i.target.startswith("CLG.MDF")), "") == "CLG.MDFO":
            title = element.find("TI.ART" if place == "art" else "TITLE/TI")
            amended.add(f"{place}_{''.join(title.itertext()).split()[1]}")
    differing = {a.split("/")[0] for a in set(addresses(formex)) ^ set(addresses(page)) if not a.startswith("rec_")}
    assert differing <= amended
    assert len(amended) < 30
