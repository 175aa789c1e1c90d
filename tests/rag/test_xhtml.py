"""EUR-Lex pages of every style become acts: invented pages for each, hostile ones, and the published acts at hand.

The text and the articles of the published pages are found here from the markup itself, without the reader's walker.
"""

from __future__ import annotations

import difflib
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from regreact.errors import DocumentRefusedError, SourceFormatError
from regreact.rag.act import LegalAct, Table
from regreact.rag.convert.limits import LIMITS
from regreact.rag.convert.lines import Line
from regreact.rag.convert.quotes import mark_quoted
from regreact.rag.convert.xhtml import read_xhtml
from regreact.rag.convert.xhtml_text import clean, split_number

NB = "\xa0\xa0\xa0"


def convert(page: str | bytes, celex: str = "") -> LegalAct:
    data = page.encode() if isinstance(page, str) else page
    return read_xhtml(data, name="page.xhtml", celex=celex, version="", language="en")


def xhtml(body: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML//EN" "xhtml-strict.dtd">'
        f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>{body}</body></html>'
    )


def columns(label: str, content: str, css: str = "oj-normal") -> str:
    """An item as the Official Journal sets it: a table without lines, label and text side by side."""
    text = content if content.startswith("<") else f'<p class="{css}">{content}</p>'
    cells = f'<td valign="top"><p class="{css}">{label}</p></td><td valign="top">{text}</td>'
    return f'<table><col width="4%"/><col width="96%"/><tbody><tr>{cells}</tr></tbody></table>'


def own(act: LegalAct, address: str) -> list[str]:
    return [part for part in act.by_address[address].content if isinstance(part, str)]


# --- invented pages: Official Journal ---------------------------------------------------------------------


def journal(prefix: str) -> str:
    """A page of the Official Journal, of the new style with the prefix "oj-", of the middle one without."""
    p, art, sub = f"{prefix}normal", f"{prefix}ti-art", f"{prefix}sti-art"
    head = f'<table><tbody><tr><td><p class="{prefix}hd-date">1.2.2019</p></td></tr></tbody></table>'
    title = f'<p class="{prefix}doc-ti">REGULATION (EU) 2019/777 OF THE HARBOUR</p><p class="{prefix}doc-ti">on ships</p>'
    preamble = f'<p class="{p}">THE HARBOUR,</p><p class="{p}">Whereas:</p>' + columns("(1)", "Ships are wet.", p)
    note = f'<a href="#ntr1-E1"> (<span class="{prefix}super">1</span>)</a>'
    first = (
        f'<p class="{prefix}ti-section-1">CHAPTER I</p><p class="{prefix}ti-section-2">Ships</p>'
        f'<p class="{art}">Article 1</p><p class="{sub}">Scope</p>'
        f'<p class="{p}">1.{NB}Ships shall sail{note} where:</p>'
        + columns("(a)", f'<p class="{p}">the sea is calm, that is:</p>' + columns("(i)", "flat;", p) + columns("(ii)", "blue.", p), p)
        + f'<p class="{p}">They shall return.</p><p class="{p}">2.{NB}CO<span class="{prefix}sub">2</span> is counted.</p>'
    )
    second = (
        f'<p class="{art}">Article 2</p><p class="{sub}">Definitions</p><p class="{p}">In this Regulation:</p>'
        + columns("(1)", "‘ship’ means what floats;", p)
        + columns("(2)", "‘sea’ means what is salt.", p)
    )
    end = f'<div class="{prefix}final"><p class="{p}">Done at Sea, 1 February 2019.</p></div><hr/>'
    end += f'<p class="{prefix}note"><a id="ntr1-E1">(<span class="{prefix}super">1</span>)</a> OJ of ships.</p>'
    table = (
        f'<p class="{prefix}ti-tbl">Table 2</p><p class="{prefix}ti-tbl">Masts</p>'
        f'<table class="{prefix}table"><tbody><tr><td colspan="2">Kind</td><td rowspan="2">All</td></tr>'
        "<tr><td>big</td><td>small</td></tr></tbody></table>"
    )
    annex = (
        f'<hr class="{prefix}doc-sep"/><div id="L_2019"><p class="{prefix}doc-ti">ANNEX I</p><p class="{prefix}doc-ti">MASTS</p>'
        f'<p class="{prefix}ti-grseq-1">Part A: Wood</p><p class="{prefix}ti-grseq-1">1.{NB}Oak</p>'
        f'<p class="{p}">1.1.{NB}Oak is hard.</p>{table}</div>'
    )
    return head + title + preamble + first + second + end + annex


@pytest.mark.parametrize("prefix", ["oj-", ""])
def test_official_journal(prefix: str) -> None:
    act = convert(xhtml(journal(prefix)))
    assert (act.celex, act.version, act.format) == ("32019R0777", "", "xhtml")
    assert act.title == "REGULATION (EU) 2019/777 OF THE HARBOUR on ships"
    assert own(act, "rec_1") == ["Ships are wet."]
    assert act.by_address["chp_I"].heading == "Ships"
    assert act.by_address["art_1"].heading == "Scope"
    assert own(act, "art_1/par_1") == ["Ships shall sail (1) where:", "They shall return."]
    assert own(act, "art_1/par_1/pnt_a") == ["the sea is calm, that is:"]
    assert own(act, "art_1/par_1/pnt_a/pnt_ii") == ["blue."]
    assert own(act, "art_1/par_2") == ["CO2 is counted."]
    assert own(act, "art_2/pnt_2") == ["‘sea’ means what is salt."]
    assert act.notes == ("(1) OJ of ships.",)
    assert act.by_address["anx_I"].heading == "MASTS"
    assert act.by_address["anx_I/prt_A"].heading == "Wood"
    assert "Oak is hard." in act.by_address["anx_I/prt_A/sec_1/pnt_1.1"].text
    tables = [part for p in act.walk() for part in p.content if isinstance(part, Table)]
    assert [t.rows for t in tables] == [(("Kind", "", "All"), ("big", "small", ""))]
    assert "Table 2 Masts" in act.text
    assert "1.2.2019" not in act.text


def test_numbers_of_an_annex_are_no_paragraphs() -> None:
    body = f'<p class="ti-art">Article 1</p><p class="normal">Sail.</p><p class="doc-ti">ANNEX</p><p class="normal">1.{NB}Keel.</p>'
    act = convert(xhtml('<p class="doc-ti">DECISION</p>' + body + f'<p class="normal">2.{NB}Hull.</p>'))
    assert [p.address for p in act.walk()] == ["art_1", "anx", "anx/pnt_1", "anx/pnt_2"]


def test_french_page_says_who_it_is() -> None:
    act = convert(xhtml('<p class="oj-hd-lg">FR</p><p class="oj-doc-ti">RÈGLEMENT (UE) 2019/777 SUR LES NAVIRES</p>' + ARTICLE))
    assert act.celex == "32019R0777"


def test_ids_tell_recitals_articles_and_annexes() -> None:
    body = (
        '<div class="eli-container"><div class="eli-main-title"><p class="oj-doc-ti">DECISION (EU) 2020/5</p></div>'
        '<div class="eli-subdivision" id="rct_1">'
        + columns("(1)", '<p class="oj-normal">Two reasons:</p>' + columns("—", "one,") + columns("—", "two."))
        + '</div><div class="eli-subdivision" id="enc_1"><div class="eli-subdivision" id="art_1">'
        '<p class="oj-ti-art">Article 1</p><div class="eli-title"><p class="oj-sti-art">Aim</p></div>'
        '<p class="oj-normal">Sail.</p></div></div></div>'
        '<div class="eli-container" id="anx_I"><p class="oj-doc-ti">ANNEX I</p><p class="oj-normal">Masts</p></div>'
        '<div class="eli-container" id="anx_Ia"><p class="oj-doc-ti">ANNEX Ia</p><p class="oj-doc-ti">ANNEX A</p></div>'
    )
    act = convert(xhtml(body))
    assert [p.address for p in act.walk() if p.kind != "ind"] == [
        "rec_1", "art_1", "anx_I", "anx_Ia", "anx_Ia/anx_A",
    ]  # fmt: skip


def test_enumeration_in_lines_and_indented_columns_are_points() -> None:
    spaced = '<div class="oj-enumeration-spacing"><p style="display: inline;">{}</p><p>{}</p></div>'
    indented = "<table><tbody><tr><td> </td><td><p>{}</p></td><td><p>{}</p></td></tr></tbody></table>"
    body = '<div id="anx_I"><p class="oj-doc-ti">ANNEX I</p>'
    body += spaced.format("1.", "Keel.") + spaced.format("2.", "Hull:") + indented.format("(a)", "oak;") + "</div>"
    act = convert(xhtml(body))
    assert own(act, "anx_I/pnt_1") == ["Keel."]
    assert own(act, "anx_I/pnt_2/pnt_a") == ["oak;"]


def test_tables_without_lines_that_are_no_list_stay_tables() -> None:
    rows = "<tr><td>length of the ship</td><td>beam</td></tr><tr><td>ten</td><td>two</td></tr>"
    act = convert(xhtml(f'<p class="oj-ti-art">Article 1</p><p class="oj-normal">Sizes:</p><table><tbody>{rows}</tbody></table>'))
    table = act.by_address["art_1"].content[-1]
    assert isinstance(table, Table)
    assert table.rows == (("length of the ship", "beam"), ("ten", "two"))


# --- invented pages: consolidated texts and pages without classes -----------------------------------------

CONSOLIDATED = f"""
<p class="reference">02019R0777 — EN — 03.04.2021 — 002.001</p><p class="disclaimer">No legal effect.</p>
<table><tr><td><p class="arrow"><a href="x" title="32019R0777">►B</a></p></td><td><p class="title-doc-first">OLD</p></td></tr></table>
<div class="eli-container"><p class="arrow">▼B</p>
<div class="eli-main-title" id="tit_1"><p class="title-doc-first">REGULATION (EU) 2019/777</p></div>
<div class="eli-subdivision" id="enc_1"><div id="cpt_1"><p class="title-division-1">CHAPTER 1</p><p class="title-division-2">SHIPS</p>
<div class="eli-subdivision" id="art_4a"><p class="title-article-norm">Article 4a</p>
<div class="eli-title"><p class="stitle-article-norm">Sails</p></div>
<p class="modref"><a href="x" title="32020R0001">▼M1</a></p>
<div class="norm"><span class="no-parag">1.  </span><div class="norm inline-element">►M1  Sails (<a href="#E0001"><span>1</span></a>) are white ◄:
<div class="grid-container grid-list"><div class="list grid-list-column-1"><span>(a) </span></div>
<div class="grid-list-column-2"><p class="norm">at sea;</p><p class="modref">▼M2 —————</p></div></div></div></div>
<div class="norm"><span class="no-parag">1a.  </span><div class="norm inline-element">Sails are clean.</div></div></div></div></div>
<div id="anx_I"><p class="title-annex-1">ANNEX I</p><p class="title-annex-2">MASTS</p>
<p class="title-gr-seq-level-1"><span>2. Pine</span></p>{columns("2.1", "Pine bends.", "norm")}</div></div>
<p class="footnote">(<a href="#src.E0001" id="E0001"><span>1</span></a>) OJ of sails.</p>
"""


def test_consolidated_text() -> None:
    act = convert(xhtml(CONSOLIDATED))
    assert act.id == "32019R0777-20210403"
    assert act.title == "REGULATION (EU) 2019/777"
    assert act.by_address["art_4a"].heading == "Sails"
    assert own(act, "art_4a/par_1") == ["Sails (1) are white :"]
    assert own(act, "art_4a/par_1/pnt_a") == ["at sea;"]
    assert own(act, "art_4a/par_1a") == ["Sails are clean."]
    assert "Pine bends." in act.by_address["anx_I/sec_2/pnt_2.1"].text
    assert act.notes == ("(1) OJ of sails.",)
    assert not re.search("[▼►◄]|—{3}|M1|legal effect|OLD", act.text)


def test_consolidated_page_that_is_html_only() -> None:
    act = convert(f"<html><body>{CONSOLIDATED}<script>var a = 1 < 2;</script></body></html>")
    assert (act.id, act.format) == ("32019R0777-20210403", "html")
    assert "var a" not in act.text


def test_page_without_classes() -> None:
    page = (
        '<!DOCTYPE HTML><html><head><meta name="DC.description" content="Directive 97/5/EC on ships">'
        "<title>EUR-Lex - 31997L0005 - EN</title></head><body><div id=banner><p>Legal notice</p></div><h1>31997L0005</h1>"
        "<div id=TexteOnly><p><TXT_TE><p>DIRECTIVE 97/5/EC on ships</p><p>(1) Whereas ships are wet;</p>"
        "<p>HAVE ADOPTED THIS DIRECTIVE:</p><p>Article 1 Scope </p><p>1. Ships sail:</p><p>(a) far;</p><p>2. They return.</p>"
        "<p>Article 2</p><p>Article 1 applies to boats.</p><p>Done at Sea, 1 May 1997.</p><p>ANNEX I</p><p>MASTS</p></TXT_TE></p></div>"
    )
    act = convert(page + "</body></html>")
    assert (act.celex, act.title, act.format) == ("31997L0005", "DIRECTIVE 97/5/EC on ships", "html")
    assert [p.address for p in act.walk()] == [
        "rec_1", "art_1", "art_1/par_1", "art_1/par_1/pnt_a", "art_1/par_2", "art_2", "anx_I",
    ]  # fmt: skip
    assert act.by_address["art_1"].heading == "Scope"
    assert "Legal notice" not in act.text


# --- quoted wordings --------------------------------------------------------------------------------------


def test_new_wording_of_another_act_gives_no_addresses() -> None:
    quoted = (
        '<p class="oj-normal">the following Article is inserted:</p><div><p class="oj-ti-art">‘Article 9a</p>'
        f'<p class="oj-sti-art">Oars</p><p class="oj-normal">1.{NB}Oars are wood.</p>' + columns("(a)", "oak;") + columns("(b)", "ash.’;") + "</div>"
    )
    body = f'<p class="oj-ti-art">Article 1</p><p class="oj-normal">The Act is amended:</p>{columns("(1)", quoted)}'
    act = convert(xhtml(body + columns("(2)", "Article 3 is deleted.") + '<p class="oj-ti-art">Article 2</p>'))
    assert [p.address for p in act.walk()] == ["art_1", "art_1/pnt_1", "art_1/pnt_2", "art_2"]
    assert "Oars are wood." in act.by_address["art_1/pnt_1"].text


@pytest.mark.parametrize(
    ("texts", "quoted"),
    [
        (["‘one.’;", "two"], [True, False]),
        (["‘one", "two’, and", "three"], [True, True, False]),
        (["‘ship’ means what floats;"], [False]),
        (["“one", "the ‘word’ in it", "two”.", "three"], [True, True, True, False]),
        (["„eins“;", "«deux", "trois».", "four"], [True, True, True, False]),
        (['"one', 'two";', "three"], [True, True, False]),
        (["‘Boats’ owners and", "the ships’ crews.’", "x"], [False, False, False]),
        (["‘a misprint", "never closed"], [False, False]),
        (["‘the owner’s boat", "sails (*1).’ (2);", "x"], [True, True, False]),
    ],
)
def test_quotations(texts: list[str], quoted: list[bool]) -> None:
    assert [line.quoted for line in mark_quoted([Line("text", text) for text in texts])] == quoted


def test_the_label_before_a_quotation_is_the_act_s_own() -> None:
    found = mark_quoted([Line("point", "‘Ships sail.’;", "(a)", 1), Line("point", "Boats sail.’", "‘(b)", 1)])
    assert [(line.label, line.text, line.quoted) for line in found] == [
        ("(a)", "", False), ("", "‘Ships sail.’;", True), ("‘(b)", "Boats sail.’", True),
    ]  # fmt: skip


# --- text -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("▼M1", ""), ("►(2) C1  ships ◄", "ships"), ("▼B —————", ""), ("ships ( 3 ), boats", "ships (3), boats"),
        ("see (\n *1 )", "see (*1)"), ("a\xa0 b", "a b"), ("▼ This medicine", "▼ This medicine"),
    ],
)  # fmt: skip
def test_clean(raw: str, text: str) -> None:
    assert clean(raw) == text


@pytest.mark.parametrize("label", ["1.", "10a.", "(1)", "(a)", "a)", "10.1.5.", "2.1", "A.", "IV.", "—", "‘2.", "(iii)"])
def test_numbers_set_off_by_no_break_spaces(label: str) -> None:
    assert split_number(f"{label}{NB}Ships sail.") == (label, "Ships sail.")
    assert split_number(f"{label} Ships sail.") == ("", f"{label} Ships sail.")


def test_named_entities_are_characters() -> None:
    act = convert(xhtml('<p class="oj-ti-art">Article&nbsp;1</p><p class="oj-normal">Caf&eacute; &amp; bar</p>'))
    assert own(act, "art_1") == ["Café & bar"] or act.by_address["art_1"].heading == "Café & bar"


# --- hostile and broken pages -----------------------------------------------------------------------------

ARTICLE = '<p class="oj-ti-art">Article 1</p><p class="oj-normal">Ships shall sail.</p>'


def test_scripts_styles_and_comments_are_no_text() -> None:
    hidden = "<script>alert(1)</script><style>p {}</style><!-- secret --><?php secret ?><noscript>secret</noscript>"
    act = convert(xhtml(f'{hidden}{ARTICLE}<p class="oj-normal">Boats{hidden} float.</p>{hidden}'))
    assert act.text == "Article 1\nShips shall sail.\nBoats float."


@pytest.mark.parametrize("wrap", [xhtml, "<html><body>{}</body></html>".format])
def test_deep_nesting_is_refused(wrap) -> None:  # type: ignore[no-untyped-def]
    for depth in (5000, 200):
        with pytest.raises(SourceFormatError, match=r"(?i)depth|deep"):
            convert(wrap("<div>" * depth + ARTICLE + "</div>" * depth))


def test_a_page_that_is_too_large_is_refused() -> None:
    with pytest.raises(DocumentRefusedError, match="limit"):
        convert(b" " * (LIMITS.document_bytes + 1))


@pytest.mark.parametrize(("encoding", "told"), [("utf-8", "entities"), ("utf-16", "UTF-16")])
def test_entities_are_refused(encoding: str, told: str) -> None:
    page = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE html [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    page += f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{ARTICLE}<p>&a;</p></body></html>'
    with pytest.raises(SourceFormatError, match=told):
        convert(page.encode(encoding))


def test_a_table_that_claims_too_many_cells_is_refused() -> None:
    rows = '<tr><td colspan="1000000" rowspan="1000000">x</td></tr>' * 2000
    with pytest.raises(DocumentRefusedError, match="cells"):
        convert(xhtml(f'{ARTICLE}<table class="oj-table"><tbody>{rows}</tbody></table>'))


@pytest.mark.parametrize(
    "page",
    [
        b"", b"  \n", bytes(range(256)), b"PK\x03\x04" + bytes(50), b"<html><body><h1>Shop</h1></body></html>",
        b'<html><head><script src="challenge.js"></script></head><body>JavaScript is disabled</body></html>',
        xhtml(ARTICLE).encode()[:-40],
    ],
)  # fmt: skip
def test_what_is_no_act_is_refused(page: bytes) -> None:
    with pytest.raises(SourceFormatError):
        convert(page)


def test_broken_html_keeps_its_text() -> None:
    act = convert(f'<html><body>{ARTICLE}<p class="oj-normal">Boats <b>float<table><tr><td>far</body></html>')
    assert act.text.split() == "Article 1 Ships shall sail. Boats float far".split()


def test_a_long_page_takes_time_in_proportion() -> None:
    body = ARTICLE + columns("(a)", "oak;") * 5000
    began = time.perf_counter()
    act = convert(xhtml(body))
    assert len(list(act.walk())) == 5001
    assert time.perf_counter() - began < 20


# --- the published acts -----------------------------------------------------------------------------------

XHTML = "{http://www.w3.org/1999/xhtml}"
PINPOINTS = Path(__file__).resolve().parents[3] / "shared/gold/pinpoints.json"


def pages(root: Path) -> list[Path]:
    return sorted((root / "acts").glob("*html"))


@pytest.fixture(scope="module")
def acts(data_root: Path) -> dict[Path, LegalAct]:
    found = {path: convert(path.read_bytes()) for path in pages(data_root)}
    if not found:
        pytest.skip(f"real acts absent: {data_root / 'acts'}")
    return found


def test_acts_say_who_they_are(acts: dict[Path, LegalAct]) -> None:
    for path, act in acts.items():
        number, *rest = path.name.split(".")
        assert act.celex == number
        assert act.version == (rest[0].removeprefix("cons-") if len(rest) > 1 else "")
        assert act.title


def test_all_articles_are_found(acts: dict[Path, LegalAct]) -> None:
    for path, act in acts.items():
        page = path.read_text(encoding="utf-8")
        expected = (
            re.findall(r'id="art_(\w+)"', page)
            or re.findall(r'class="ti-art">Article\s(\w+)<', page)
            or re.findall(r"<p>Article (\d+) [A-Z]", page)
        )
        assert [p.label for p in act.walk() if p.kind == "art"] == expected, path.name


def test_annexes_are_found(acts: dict[Path, LegalAct]) -> None:
    for path, act in acts.items():
        expected = set(re.findall(r'id="(anx_\w+)"', path.read_text(encoding="utf-8")))
        addresses = {p.address for p in act.walk()}
        # An only annex has no number to the reader, and "1" in the page's id.
        assert expected <= addresses or (len(expected) == 1 and "anx" in addresses), path.name


FURNITURE = re.compile(r"(oj-)?hd-(date|lg|ti|oj|coll|uniq)|reference|disclaimer|hd-modifiers|arrow|toc-\d|title-fam.*")
ARROW = re.compile(r"[▼►]\s*(\(\d+\)\s*)?[A-Z]\d*")
INLINE = ("span", "a", "sub", "sup", "b", "i", "em", "strong")


def printed(element: etree._Element, notes: list[str], in_cell: bool = False) -> Iterator[str]:
    """Text of an element; footnotes go to `notes`."""
    name, css = str(element.tag).removeprefix(XHTML), element.get("class", "")
    classes = {c.get("class", "") for c in element.iter() if isinstance(c.tag, str)} if name == "table" else {css}
    if name in ("script", "style") or element.get("id") == "banner" or any(map(FURNITURE.fullmatch, classes)):
        return
    is_cell = in_cell or css in ("table", "oj-table", "borderOj")
    first = next(element.iter(f"{XHTML}p"), None) if name == "table" else None
    starred = first is not None and re.fullmatch(r"\(?\*\d*\)?", "".join(map(str, first.itertext())).strip())
    # On pages without classes: those of recitals before 2003 go on with "Whereas".
    numbered = name == "p" and not css and re.match(r"\(\d+\) (?!Whereas)\S", "".join(map(str, element.itertext())))
    if (css in ("note", "oj-note", "footnote") or starred or numbered) and not is_cell and "" not in notes[-1:]:
        notes.append("")
        text = "".join(printed(element, notes, in_cell=True))
        notes[notes.index("")] = text
        return
    yield "" if name in INLINE else " "
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str):
            yield from printed(child, notes, is_cell)
        yield child.tail or ""
    yield "" if name in INLINE else " "


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", ARROW.sub(" ", text).casefold())


def kept(source: list[str], target: list[str]) -> float:
    """Share of the source's words that the target has in order; found window by window, as both are nearly equal."""
    found = place = 0
    for start in range(0, len(source), 2000):
        part = source[start : start + 2000]
        window = target[place : place + 2300]
        blocks = difflib.SequenceMatcher(None, part, window, autojunk=False).get_matching_blocks()
        found += sum(block.size for block in blocks)
        place += max((block.b + block.size for block in blocks if block.size), default=0)
    return found / len(source)


@pytest.mark.slow
def test_text_is_conserved(acts: dict[Path, LegalAct]) -> None:
    for path, act in acts.items():
        data = path.read_bytes()
        parser = etree.HTMLParser(encoding="utf-8")
        root = etree.fromstring(data) if data.startswith(b"<?xml") else etree.fromstring(data, parser)
        body = next(e for e in root.iter() if str(e.tag).endswith("body"))
        part = next((e for e in body.iter() if e.get("id") == "TexteOnly"), body)
        notes: list[str] = []
        text = "".join(printed(part, notes))
        assert kept(words(f"{text} {' '.join(notes)}"), words(f"{act.title} {act.text}")) >= 0.999, path.name


def loose(text: str) -> str:
    return re.sub(r"\s+|\xad", "", re.sub("[’‘`´]", "'", text.casefold()))


def test_cited_provisions_are_there(acts: dict[Path, LegalAct]) -> None:
    """Every citation whose act is at hand in a version that it means."""
    if not PINPOINTS.is_file():
        pytest.skip(f"citations absent: {PINPOINTS}")
    checked = 0
    for entry in json.loads(PINPOINTS.read_text(encoding="utf-8")):
        for path, act in acts.items():
            if entry["celex"] != act.celex or not means(entry["note"], act):
                continue
            checked += 1
            paths = ["/".join(s for s in a.split("/") if not s.startswith("sub_")) for a in entry["addresses"]]
            provisions = [by_label(act, address) for address in paths]
            text = loose("\n".join(p.text for p in provisions))
            assert [s for s in entry["must_contain"] if loose(s) not in text] == [], (entry["id"], path.name)
    assert checked >= 60


def means(note: str, act: LegalAct) -> bool:
    named = re.search(r"version (\d{4}-\d{2}-\d{2})", note)
    return (named is None or named[1] == act.version) and not ("(PDF)" in note and act.version)


def by_label(act: LegalAct, address: str):  # type: ignore[no-untyped-def]
    """The provision; `sec` and `pnt` count as equal within annexes."""
    if address in act.by_address:
        return act.by_address[address]
    same = re.compile(re.sub(r"(?:sec|pnt)_", "(?:sec|pnt)_", re.escape(address).replace("\\_", "_")))
    return next(p for a, p in act.by_address.items() if address.startswith("anx") and same.fullmatch(a))
