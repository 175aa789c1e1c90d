"""Invented acts in the forms in which they are published."""

from __future__ import annotations

import io
import zipfile


def original(
    number: str = "(EU) 2099/7", body: str = "<p class='oj-normal'>Ponds are kept clean.</p>", language: str = "EN"
) -> bytes:
    """A page of the Official Journal."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>L_2099</title></head>'
        f'<body><p class="oj-hd-lg">{language}</p><p class="oj-doc-ti">DIRECTIVE {number} OF THE COUNCIL</p>'
        f'<p class="oj-doc-ti">of 3 May 2099</p><p class="oj-doc-ti">on garden ponds</p>{body}</body></html>'
    ).encode()  # fmt: skip


def annex(text: str = "Depth of ponds") -> bytes:
    """A page with an annex, a part of an act."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>L_2099</title></head>'
        f'<body><p class="oj-doc-ti">ANNEX</p><p class="oj-normal">{text}</p></body></html>'
    ).encode()  # fmt: skip


def consolidated(version: str, act: str = "02099L0007", language: str = "EN") -> bytes:
    """A consolidated page as of DD.MM.YYYY."""
    return (
        '<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Consolidated</title></head>'
        f'<body><p class="reference">{act} — {language} — {version} — 001.001</p><p class="norm">Ponds.</p></body></html>'
    ).encode()  # fmt: skip


def formex(consleg: str = "", number: str = "7", year: str = "2099") -> bytes:
    """A Formex act; `consleg` is `2099L0007 20990607` for a consolidated version."""
    instance = f"<NO.DOC><NO.CURRENT>{number}</NO.CURRENT><YEAR>{year}</YEAR><COM>EU</COM></NO.DOC>"
    root, info = "ACT", ""
    if consleg:
        reference, start = consleg.split()
        root, info = "CONS.ACT", f'<INFO.CONSLEG CONSLEG.REF="{reference}" START.DATE="{start}"/>'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><{root}>{info}<BIB.INSTANCE><DATE ISO="20990503">3 May 2099</DATE>'
        f"<LG.DOC>EN</LG.DOC>{instance}</BIB.INSTANCE><TITLE><TI><P>Directive</P></TI></TITLE></{root}>"
    ).encode()


def archive(**members: bytes) -> bytes:
    """A zip archive; a double underscore in a name is a stop."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name.replace("__", "."), data)
    return out.getvalue()


def one_page_pdf(title: str = "Directive 2099/7/EU of 3 May 2099") -> bytes:
    """A PDF with properties and one empty page."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>",
        f"<</Title({title})>>".encode(),
    ]
    out, places = io.BytesIO(), []
    out.write(b"%PDF-1.4\n")
    for number, body in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % p for p in places))
    out.write(b"trailer<</Size 5/Root 1 0 R/Info 4 0 R>>\nstartxref\n%d\n%%%%EOF" % start)
    return out.getvalue()
