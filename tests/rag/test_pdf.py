"""PDF of the Official Journal: columns, hyphens, running heads, footnotes, tables, and files that are traps."""

from __future__ import annotations

import json
import random
import re
import time
import zlib
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from lxml import html

from regreact.errors import DocumentRefusedError, SourceFormatError
from regreact.rag.act import LegalAct
from regreact.rag.convert.lines import Line
from regreact.rag.convert.pdf import pdf_lines, read_pdf
from regreact.rag.convert.pdf_words import Vocabulary, joined
from tests.rag.pdf_builder import HEIGHT, PageDrawing, assemble, stream, write

LEFT, RIGHT = 45, 310  # left edges of the two columns; each is 240 points wide, 50 characters
CELEX = "32031L0099"


def drawn(number: int) -> PageDrawing:
    """A page with the Journal's running head."""
    page = PageDrawing()
    page.text(45, 50, f"L 99/{number}", 7)
    page.centred(45, 550, 50, "Official Journal of the European Union", "regular", 7)
    page.text(508, 50, "30.2.2031", 7)
    page.rule(45, 60, 550, 60)
    return page


def lines_of(*pages: PageDrawing) -> list[Line]:
    return pdf_lines(write(pages), name="test.pdf")


def texts(lines: list[Line]) -> list[str]:
    return [line.text for line in lines if line.role == "text" and not line.table]


# --- columns and paragraphs -------------------------------------------------------------------------------


def two_columns() -> PageDrawing:
    page = drawn(1)
    page.column(LEFT, 100, ["(1) Operators of tidal mills keep a log of all the", "    tides that they have used and show it to every", "    inspector who asks for it."])
    page.column(LEFT, 150, ["(2) A mill that stands still is not used and needs", "    no log, unless the tide turns the wheel at any", "    time of the night, when the owner of the mill"])
    page.column(RIGHT, 102, ["    is held to be at home and to have seen it, and", "    to know of the log."])
    page.column(RIGHT, 142, ["(3) Nothing in this rule keeps a mill from being a", "    lighthouse too."])
    return page


def test_columns_are_read_one_after_the_other_and_paragraphs_go_on_in_the_next() -> None:
    assert texts(lines_of(two_columns())) == [
        "(1) Operators of tidal mills keep a log of all the tides that they have used and show it to every inspector who asks for it.",
        "(2) A mill that stands still is not used and needs no log, unless the tide turns the wheel at any time of the night, when the owner of the mill is held to be at home and to have seen it, and to know of the log.",
        "(3) Nothing in this rule keeps a mill from being a lighthouse too.",
    ]


def test_what_stands_across_both_columns_parts_them() -> None:
    page = two_columns()
    page.centred(45, 550, 230, "RULES THAT STAND ACROSS BOTH OF THE COLUMNS")
    page.column(LEFT, 260, ["The rules that follow hold for every lighthouse of", "the coast and for all of the mills upstream of it,", "whoever owns them."])
    page.column(RIGHT, 260, ["They do not hold for mills that are driven by wind", "alone or by the keeper of the light himself."])
    lines = lines_of(page)
    heading = next(i for i, line in enumerate(lines) if line.role == "heading")
    assert lines[heading].text == "RULES THAT STAND ACROSS BOTH OF THE COLUMNS"
    assert lines[heading - 1].text.startswith("(3) Nothing")
    assert [line.text[:9] for line in lines[heading + 1 :]] == ["The rules", "They do n"]


def test_a_page_of_one_column_is_read_across() -> None:
    page = drawn(1)
    page.column(LEFT, 100, ["Member States shall see to it that every tidal mill is known by a name of its own, which is painted", "above its wheel.",], width=505)
    page.column(LEFT, 140, ["(a) the name is short;"])
    page.column(LEFT, 160, ["(b) the paint is blue."])
    assert texts(lines_of(page)) == [
        "Member States shall see to it that every tidal mill is known by a name of its own, which is painted above its wheel.",
        "(a) the name is short;",
        "(b) the paint is blue.",
    ]


def test_spaces_that_a_tight_line_hardly_shows_are_kept() -> None:
    page = drawn(1)
    page.text(LEFT, 100, "a wheel in a tight line", spacing=-4)
    assert texts(lines_of(page)) == ["a wheel in a tight line"]


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        # leading: a wider space
        ([(100, "The first rule is about mills that have no wheels,"), (118, "The second rule is about wheels that have no mills")], 2),
        # hanging text: labels to the left of the text
        ([(100, "(a) wheels that turn to the left when they look to"), (110, "    the sea;"), (120, "(b) others.")], 2),
        # a label with its text flush below
        ([(100, "1. Every wheel that is turned by the sea is looked"), (110, "after by a keeper who cannot swim.")], 1),
        # an indented first line
        ([(100, "A keeper who cannot swim shall wear a jacket of"), (110, "cork."), (120, "  A jacket of cork is blue.")], 2),
        # a short last line
        ([(100, "A keeper who can swim wears none."), (110, "He may wear a hat.")], 2),
    ],
    ids=["leading", "hanging", "flush", "indented", "short"],
)
def test_paragraphs_are_told_apart(printed: list[tuple[int, str]], expected: int) -> None:
    page = drawn(1)
    for y, line in printed:
        page.column(LEFT, y, [line, ""] if len(line) > 46 else [line])
    # text that shows the usual leading and the width of the column
    page.column(LEFT, 300, ["Wheels of all kinds are kept dry when they are not", "in use and are greased with the fat of a seal that", "has died of old age, or with butter that is salted"] * 3)
    assert len(texts(lines_of(page))) == expected + 1


def test_headings_have_the_role_that_typography_shows() -> None:
    page = drawn(1)
    page.centred(45, 550, 90, "DIRECTIVE 2031/99/EU ON TIDAL MILLS")
    page.column(45, 110, ["Having regard to the sea, to the wheels that it turns and to the advice of the keepers of the lights,", "which they gave at low tide."], width=505)
    page.centred(45, 550, 150, "CHAPTER II", "regular")
    page.centred(45, 550, 165, "KEEPERS")
    page.centred(45, 550, 185, "Article 12a", "italic")
    page.centred(45, 550, 200, "Lights")
    page.column(45, 220, ["Keepers keep lights."])
    page.centred(45, 550, 240, "ANNEX IV", "italic")
    page.centred(45, 550, 255, "Appendix 2", "italic")
    found = [(line.role, line.label, line.text) for line in lines_of(page) if line.role != "text"]
    assert found == [
        ("title", "", "DIRECTIVE 2031/99/EU ON TIDAL MILLS"),
        ("division", "CHAPTER II", ""),
        ("heading", "", "KEEPERS"),
        ("article", "Article 12a", ""),
        ("heading", "", "Lights"),
        ("annex", "ANNEX IV", ""),
        ("appendix", "Appendix 2", ""),
    ]


# --- running heads, footnotes, tables ---------------------------------------------------------------------


def test_running_heads_and_page_numbers_are_dropped() -> None:
    pages = []
    for number in range(1, 4):
        page = two_columns()
        page.operators[0] = page.operators[0].replace("L 99/1", f"L 99/{number}")
        page.text(290, HEIGHT - 30, f"{number}/3", 7)
        pages.append(page)
    everything = " ".join(line.text for line in lines_of(*pages))
    assert "Journal" not in everything
    assert "30.2.2031" not in everything
    assert "/3" not in everything
    assert everything.count("inspector") == 3


def test_footnotes_of_each_column_are_set_apart_and_their_markers_stay() -> None:
    page = two_columns()
    end = page.marker(LEFT + 26 * 4.8, 120 + 80, "1")
    page.text(LEFT, 200, "Mills are listed in a book")
    page.text(end, 200, ", with their keepers.")
    page.rule(LEFT, 740, LEFT + 50, 740)
    page.text(page.marker(LEFT, 752, "1") + 3, 752, "OJ L 98, 29.2.2031,", 7)
    page.text(LEFT + 12, 762, "p. 7.", 7)
    page.text(page.marker(LEFT, 772, "2") + 3, 772, "Not yet published.", 7)
    lines = lines_of(page)
    assert [(line.label, line.text) for line in lines if line.role == "note"] == [
        ("(1)", "OJ L 98, 29.2.2031, p. 7."),
        ("(2)", "Not yet published."),
    ]
    assert "Mills are listed in a book (1), with their keepers." in texts(lines)
    assert lines[-1].role == "note"


def table_page(top: float = 200) -> PageDrawing:
    """Rules across and between the columns, none at the outer sides; the last head spans two columns."""
    page = drawn(1)
    page.column(45, 100, ["The keepers of the mills that are listed in this table shall be paid in butter, at these rates and no", "others:"], width=505)
    for y in (0, 15, 30, 60):
        page.rule(100, top + y, 500, top + y)
    page.rule(200, top, 200, top + 60)
    page.rule(300, top + 15, 300, top + 60)
    for x, y, cell in ((105, 10, "Mill"), (205, 10, "Butter (kg)"), (205, 25, "day"), (305, 25, "night"), (105, 40, "Tide"), (205, 40, "1,5"), (305, 40, "2"), (105, 55, "Ebb"), (205, 55, "3")):
        page.text(x, top + y, cell)
    page.column(45, top + 80, ["Rates are doubled on Sundays."])
    return page


def test_ruled_tables_keep_their_rows_and_cells() -> None:
    lines = lines_of(table_page())
    place = next(i for i, line in enumerate(lines) if line.table)
    table = lines[place].table
    assert table is not None
    assert table.rows == (("Mill", "Butter (kg)", ""), ("", "day", "night"), ("Tide", "1,5", "2"), ("Ebb", "3", ""))
    assert lines[place - 1].text.endswith("and no others:")
    assert lines[place + 1].text == "Rates are doubled on Sundays."


def test_a_page_that_is_set_sideways_is_turned() -> None:
    upright, sideways = PageDrawing(), PageDrawing()
    for page in (upright, sideways):
        page.column(100, 400, ["Rates hold at ebb."])
        page.operators += [o for o in table_page(420).operators[4:] if "keepers" not in o and "others" not in o]
    sideways.turn()
    expected = lines_of(upright)
    assert [line.table is not None for line in expected] == [False, True, False]
    assert lines_of(sideways) == expected


def test_a_table_that_goes_on_over_the_page_is_one() -> None:
    first, second = table_page(), table_page(80)
    first.operators = first.operators[:-1]
    second.operators = [o for o in second.operators if "Tj" not in o or ("keepers" not in o and "others" not in o)]
    tables = [line.table for line in lines_of(first, second) if line.table]
    assert len(tables) == 1
    assert [row[0] for row in tables[0].rows] == ["Mill", "", "Tide", "Ebb", "", "Tide", "Ebb"]


# --- words broken at line ends ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "document", "expected"),
    [
        (["water wheels in opera\u00ad", "tion at night"], "", "water wheels in operation at night"),
        (["the long\u00ad", "term plan"], "a long-term view", "the long-term plan"),
        (["cases of non\u00ad", "compliance"], "", "cases of non-compliance"),
        (["tidal non-", "millers"], "", "tidal non-millers"),
        (["an inspec-", "tor of mills"], "the inspector comes", "an inspector of mills"),
        (["an inspec-", "tor of mills"], "", "an inspector of mills"),
        (["energy-", "related wheels"], "brea\u00ad\nkers of energy", "energy-related wheels"),
        (["short-", "and long-term plans"], "", "short- and long-term plans"),
        (["non-", "EU mills"], "", "non-EU mills"),
        (["phase 2-", "3 of the plan"], "", "phase 2-3 of the plan"),
        (["keepers and/", "or owners"], "", "keepers and/or owners"),
        (["a mill -", "or a light"], "", "a mill - or a light"),
    ],
)
def test_words_are_joined_only_where_the_document_bears_it_out(lines: list[str], document: str, expected: str) -> None:
    assert joined(lines, Vocabulary.of([*lines, *document.split("\n")])) == expected


# --- files that are no help, or traps ---------------------------------------------------------------------

PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F0 << /Type /Font /Subtype /Type1 /BaseFont /Courier >> >> /XObject << /X0 5 0 R >> >> >>"
CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
HELLO = stream(b"BT /F0 8 Tf 50 700 Td (Tidal mills are mills.) Tj ET")


def minimal(pages: bytes = b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>", content: bytes = HELLO, **more: bytes) -> bytes:
    objects = {1: CATALOG, 2: pages, 3: PAGE, 4: content}
    return assemble(objects | {int(key[1:]): value for key, value in more.items()})


def laughing_forms() -> bytes:
    """Forms of which each draws the next ten times."""
    header = "/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X0 {} 0 R >> >>"
    forms = {f"n{i}": stream(b"/X0 Do " * 10, header.format(i + 1)) for i in range(5, 15)}
    return minimal(content=stream(b"/X0 Do"), **forms)


def deep_tree() -> bytes:
    objects = {1: CATALOG, 3: PAGE, 4: HELLO}
    objects |= {n: f"<< /Type /Pages /Count 1 /Kids [{n + 1} 0 R] >>".encode() for n in range(10, 4000)}
    return assemble(objects | {2: b"<< /Type /Pages /Count 1 /Kids [10 0 R] >>", 4000: PAGE})


def many_pages() -> bytes:
    kids = " ".join(f"{n} 0 R" for n in range(10, 10_010))
    objects = {1: CATALOG, 2: f"<< /Type /Pages /Count 1 /Kids [{kids}] >>".encode(), 4: HELLO}
    return assemble(objects | dict.fromkeys(range(10, 10_010), PAGE))


def encrypted() -> bytes:
    secret = "/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <" + "ab" * 32 + "> /U <" + "cd" * 32 + "> >> /ID [<01> <01>]"
    return assemble({1: CATALOG, 2: b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>", 3: PAGE, 4: HELLO}, secret)


def packed(content: bytes, times: int = 1) -> bytes:
    for _ in range(times):
        content = zlib.compress(content)
    return minimal(content=stream(content, "/Filter [" + "/FlateDecode " * times + "]"))


TRAPS = {
    "claims 10,000 pages": lambda: minimal(b"<< /Type /Pages /Count 10000 /Kids [3 0 R] >>"),
    "has 10,000 pages": many_pages,
    "page tree in a loop": lambda: assemble({1: CATALOG, 2: b"<< /Type /Pages /Count 2 /Kids [2 0 R 2 0 R] >>"}),
    "page tree too deep": deep_tree,
    "encrypted": encrypted,
    "a page of 100,000 characters": lambda: minimal(content=stream(b"BT /F0 1 Tf 9 9 Td (" + b"a" * 100_000 + b") Tj ET")),
    "a page that draws without end": lambda: minimal(content=stream(b"q Q " * 1_200_000)),
    "forms that multiply": laughing_forms,
    "a stream that swells": lambda: packed(bytes(70_000_000)),
    "a stream packed twice that swells": lambda: packed(bytes(70_000_000), 2),
    "a stream packed with LZW": lambda: minimal(content=stream(bytes(100_000), "/Filter /LZW#44ecode")),
    "a stream whose filter stands elsewhere": lambda: minimal(content=stream(bytes(100_000), "/Filter 9 0 R")),
    "tables of places in a loop": lambda: minimal().replace(b"/Root 1 0 R ", b"/Root 1 0 R /Prev %d " % minimal().rindex(b"xref\n0")),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_traps_are_refused_in_bounded_time(trap: str) -> None:
    data = TRAPS[trap]()
    begun = time.monotonic()
    with pytest.raises(DocumentRefusedError) as caught:
        pdf_lines(data, name="trap.pdf")
    assert time.monotonic() - begun < 10
    assert "trap.pdf" in str(caught.value)


UNUSABLE = {
    "empty": (b"", "empty"),
    "no PDF": (b"<html>Wait</html>" * 100, "not a PDF"),
    "truncated": (write([two_columns()])[:1500], "truncated"),
    "no pages": (minimal(b"<< /Type /Pages /Count 0 /Kids [] >>").replace(b"/Type /Page /", b"/Type /Leaf /"), "no pages"),
    "a scan": (minimal(content=stream(b"10 10 500 700 re f")), "no text"),
    "no catalogue": (assemble({2: b"<< >>"}), "no pages"),
}


@pytest.mark.parametrize("case", UNUSABLE)
def test_unusable_files_say_what_is_wrong(case: str) -> None:
    data, problem = UNUSABLE[case]
    with pytest.raises(SourceFormatError, match=problem):
        pdf_lines(data, name="broken.pdf")


def test_scripts_and_embedded_files_are_not_read(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    catalog = f"<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.launchURL\\('file:{marker}'\\)) >> /Names << /EmbeddedFiles << /Names [(x) 6 0 R] >> >> >>"
    data = minimal(n1=catalog.encode(), n6=b"<< /Type /Filespec /F (x) /EF << /F 7 0 R >> >>", n7=stream(b"hidden", "/Type /EmbeddedFile"))
    assert [line.text for line in pdf_lines(data, name="x.pdf")] == ["Tidal mills are mills."]
    assert not marker.exists()


def test_damage_is_always_a_typed_error() -> None:
    original = write([two_columns()])
    chance = random.Random(7)
    outcomes = set()
    for _ in range(60):
        data = bytearray(original)
        for _ in range(chance.randint(1, 12)):
            data[chance.randrange(9, len(data) - 10)] = chance.choice(b"0 9/<>[]()R\x00\xff")
        try:
            pdf_lines(bytes(data), name="damaged.pdf")
            outcomes.add("read")
        except SourceFormatError:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}


# --- the real documents -----------------------------------------------------------------------------------


def words(text: str) -> list[str]:
    """Runs of letters and digits in lower case: what a word is when two formats are compared."""
    return re.findall(r"[^\W_]+", text.casefold())


def xhtml_words(path: Path) -> list[str]:
    """Words of an act in XHTML as printed, without the masthead, footnotes last."""
    body = html.fromstring(path.read_bytes()).find(".//body")
    masthead = next(body.iter("table"))
    masthead.getparent().remove(masthead)
    notes = []
    for element in body.iter("p", "td", "div"):
        if "oj-note" in element.get("class", "").split():
            notes.append("".join(element.itertext()))
            element.text = ""
            del element[:]
        element.tail = f"{element.tail or ''}\n"
    return words("\n".join(["".join(body.itertext()), *notes]))


def kept_in_order(expected: list[str], found: list[str]) -> float:
    """Share of the expected words that are found in the same order (longest matching blocks of difflib)."""
    blocks = SequenceMatcher(None, expected, found, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / len(expected)


def convert(data_root: Path, celex: str) -> LegalAct:
    data = (data_root / "acts" / f"{celex}.pdf").read_bytes()
    return read_pdf(data, name=f"{celex}.pdf", celex=celex, version="", language="en")


@pytest.fixture(scope="module")
def ecodesign(data_root: Path) -> tuple[LegalAct, float]:
    begun = time.process_time()  # of this process: other work on the machine does not count
    return convert(data_root, "32009L0125"), time.process_time() - begun


def test_the_pdf_keeps_the_words_of_the_xhtml_in_order(ecodesign: tuple[LegalAct, float], data_root: Path) -> None:
    act, seconds = ecodesign
    expected = xhtml_words(data_root / "acts" / "32009L0125.xhtml")
    found = words(f"{act.title} {act.text}")
    share, precision = kept_in_order(expected, found), kept_in_order(found, expected)
    print(f"32009L0125: {len(expected):,} words, {share:.4f} kept in order, {precision:.4f} of the found ones right, {26 / seconds:.1f} pages/s")
    assert share >= 0.98
    assert precision >= 0.98
    assert seconds < 30


def test_every_article_of_the_pdf_is_found_with_its_heading(ecodesign: tuple[LegalAct, float], data_root: Path) -> None:
    body = html.fromstring((data_root / "acts" / "32009L0125.xhtml").read_bytes())

    def printed(name: str) -> list[str]:
        return [" ".join("".join(p.itertext()).split()) for p in body.iter("p") if name in p.get("class", "").split()]

    expected = list(zip(printed("oj-ti-art"), printed("oj-sti-art"), strict=True))
    found = [(f"Article {p.label}", p.heading) for p in ecodesign[0].walk() if p.kind == "art"]
    assert len(expected) == 26
    assert found == expected


def test_every_footnote_of_the_pdf_is_a_note(ecodesign: tuple[LegalAct, float], data_root: Path) -> None:
    """The XHTML numbers them through, the PDF from 1 on each page: the numbers are set aside."""
    body = html.fromstring((data_root / "acts" / "32009L0125.xhtml").read_bytes())
    printed = [words("".join(p.itertext()))[1:] for p in body.iter("p") if "oj-note" in p.get("class", "").split()]
    assert len(printed) == 26
    assert [words(note)[1:] for note in ecodesign[0].notes] == printed


@pytest.mark.slow
def test_the_long_pdf_has_all_articles_and_the_cited_provisions(data_root: Path) -> None:
    act = convert(data_root, "32010L0075")
    assert [p.label for p in act.walk() if p.kind == "art"] == [str(n) for n in range(1, 85)]
    assert all(p.heading for p in act.walk() if p.kind == "art")
    pinpoints = json.loads((data_root.parent / "gold" / "pinpoints.json").read_text(encoding="utf-8"))
    cited = [entry for entry in pinpoints if entry["celex"] == "32010L0075"]
    assert cited
    for entry in cited:
        text = "".join(act.by_address[address].text for address in entry["addresses"])
        missing = [s for s in entry["must_contain"] if squeezed(s) not in squeezed(text)]
        assert missing == [], entry["id"]


def squeezed(text: str) -> str:
    return re.sub(r"[\s\u00ad]", "", text).casefold().replace("’", "'").replace("‘", "'")
