"""Which act a file is: its name and what it says of itself, one of which is enough and which must agree."""

from __future__ import annotations

import json

import pytest

from regreact.errors import SourceFormatError
from regreact.rag.entry import COMPILATION_LICENCE, LICENCE
from regreact.rag.identify import identify
from tests.rag.pages import archive, consolidated, formex, one_page_pdf, original
from tests.stub_cellar import CHALLENGE

OLD_PAGE = (
    b'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"><html lang="EN"><head><title>EUR-Lex - 31998L0007 - EN</title>'
    b"</head><body><p>On ponds<br>and fish</body></html>"
)
TEXT = json.dumps(
    {"celex_id": "32099L0007", "reference": "DIRECTIVE 2099/7/EU\nof 3 May 2099\non garden ponds", "summary": ""}
)
BOMB = b'<!DOCTYPE ACT [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><ACT>&b;</ACT>'
CONSOLIDATED = consolidated("07.06.2099")


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("32099L0007.xhtml", original(), ("32099L0007", "en", "xhtml", "2099-05-03")),
        ("32099L0007.fr.xhtml", original(language="FR"), ("32099L0007", "fr", "xhtml", "2099-05-03")),
        ("32099L0007.xhtml", original(language="FR"), ("32099L0007", "fr", "xhtml", "2099-05-03")),
        ("32099L0007.cons-2099-06-07.xhtml", CONSOLIDATED, ("02099L0007-20990607", "en", "xhtml", "")),
        ("02099L0007-20990607.html", CONSOLIDATED, ("02099L0007-20990607", "en", "xhtml", "")),
        ("saved page.html", CONSOLIDATED, ("02099L0007-20990607", "en", "xhtml", "")),
        ("saved page.xhtml", original(), ("32099L0007", "en", "xhtml", "2099-05-03")),
        ("32099L0007.oj.fmx.xml", formex(), ("32099L0007", "en", "formex", "2099-05-03")),
        ("32099L0007.cons-2099-06-07.fmx.xml", formex("2099L0007 20990607"), ("02099L0007-20990607", "en", "formex", "")),
        ("a.xml", formex("2099L0007 20990607"), ("02099L0007-20990607", "en", "formex", "")),
        ("32099L0007.zip", archive(doc__xml=b"<DOC/>", a__xml=formex()), ("32099L0007", "en", "formex", "2099-05-03")),
        ("31998L0007.xhtml", OLD_PAGE, ("31998L0007", "en", "html", "")),
        ("old.html", OLD_PAGE, ("31998L0007", "en", "html", "")),
        ("32099L0007.eurlexsum.json", TEXT.encode(), ("32099L0007", "en", "text", "2099-05-03")),
        ("32099L0007.txt", b"DIRECTIVE 2099/7/EU\nof 3 May 2099", ("32099L0007", "en", "text", "2099-05-03")),
        ("32099L0007.pdf", one_page_pdf(), ("32099L0007", "en", "pdf", "2099-05-03")),
        ("32099L0007.pdf", one_page_pdf("untitled"), ("32099L0007", "en", "pdf", "")),
        ("32099R0007.xhtml", original("(EU) No 7/2099"), ("32099R0007", "en", "xhtml", "2099-05-03")),
        ("31998L0007.xhtml", original("98/7/EC"), ("31998L0007", "en", "xhtml", "2099-05-03")),
    ],
)  # fmt: skip
def test_documents(name: str, data: bytes, expected: tuple[str, str, str, str]) -> None:
    found = identify(name, data)
    assert (found.id, found.language, found.format, found.date) == expected


def test_terms_of_reuse() -> None:
    assert identify("32099L0007.json", TEXT.encode()).licence == COMPILATION_LICENCE
    assert identify("32099L0007.xhtml", original()).licence == LICENCE


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("32099L0008.xhtml", original(), "prints 2099/7, which is not 32099L0008"),
        ("32098L0007.xhtml", original(), "which is not 32098L0007"),
        ("32099L0008.oj.fmx.xml", formex(), "which is not 32099L0008"),
        ("32099L0008.zip", archive(a__xml=formex()), "which is not 32099L0008"),
        ("32099L0008.pdf", one_page_pdf(), "which is not 32099L0008"),
        ("32099L0008.json", TEXT.encode(), "the document is 32099L0007, not 32099L0008"),
        ("32099L0007.html", CONSOLIDATED, "the document is 02099L0007-20990607, not 32099L0007"),
        ("32099L0007.cons-2099-06-08.html", CONSOLIDATED, "not 02099L0007-20990608"),
        ("02099L0007-20990607.xhtml", original(), "the original of the Official Journal"),
        ("02099L0007-20990607.fmx.xml", formex(), "the original of the Official Journal"),
        ("32099L0007.cons-2099-02-31.html", CONSOLIDATED, "not 02099L0007-20990231|no date"),
        ("32099L0007.de.xhtml", original(), "is in 'en', not in 'de'"),
        ("ponds.xhtml", original("on ponds"), "neither the name nor the document tells"),
        ("ponds.txt", b"Ponds are kept clean.", "neither the name nor the document tells"),
        ("x.json", json.dumps({"celex_id": "../x", "reference": ""}).encode(), "no CELEX id"),
        ("32099L0007.json", b'{"activities": []}', "no text of an act"),
        ("32099L0007.json", b"{" * 100_000, "not readable as JSON"),
        ("32099L0007.xhtml", b"", "empty"),
        ("32099L0007.xhtml", b"\0\1", "binary"),
        ("32099L0007.xhtml", original()[:-40], "not well-formed"),
        ("32099L0007.html", b"<html><body><p>cut o", "not well-formed"),
        ("32099L0007.html", CHALLENGE, "challenge page"),
        ("32099L0007.xml", b"<svg/>", "unknown kind"),
        ("32099L0007.fmx.xml", b"<ACT><P>cut off", "not well-formed"),
        ("32099L0007.zip", b"PK\x03\x04 no archive", "damaged archive"),
        ("32099L0007.zip", archive(a__xml=formex())[:-60], "damaged archive"),
        ("32099L0007.zip", archive(readme__txt=b"hello"), "no .xml file in the archive"),
        ("32099L0007.zip", archive(a__xml=b"<svg/>"), "without Formex"),
        ("32099L0007.zip", archive(a__xml=b" " * 30_000_000), "expands"),
        ("32099L0007.xml", BOMB, "declares entities"),
        ("32099L0007.html", BOMB.replace(b"ACT", b"html"), "declares entities"),
        ("32099L0007.pdf", b"%PDF-1.4 no pdf", "not a readable PDF"),
    ],
)  # fmt: skip
def test_what_is_refused(name: str, data: bytes, problem: str) -> None:
    with pytest.raises(SourceFormatError, match=problem):
        identify(name, data)
