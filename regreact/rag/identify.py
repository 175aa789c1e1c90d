"""Which legal act is a file? From its name, checked against what the document says of itself.

Names: `<CELEX>.<suffix>`, `0<CELEX>-<YYYYMMDD>.<suffix>`, with `.cons-<YYYY-MM-DD>` or `.oj` for the version and `.fr`
for the language before the suffix.
"""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from regreact.errors import DocumentRefusedError, SourceFormatError, StoreError
from regreact.legal.acts import numbered_acts
from regreact.legal.celex import LETTERS
from regreact.legal.dates import FULL_DATE, parse_date
from regreact.legal.web import is_challenge_page
from regreact.rag.act import DocumentFormat
from regreact.rag.convert.archive import is_archive, read_archive
from regreact.rag.convert.limits import check_markup, check_size, parse_xml
from regreact.rag.entry import COMPILATION_LICENCE, LICENCE, parse_id

_HEAD = 65_536
_NAME = re.compile(
    r"(?P<id>0\d{4}[A-Z]{1,2}\d{4}(?:\(\d{2}\))?-\d{8}|[0-9CE]\d{4}[A-Z]{1,2}\d{4}(?:\(\d{2}\))?)"
    r"(?:\.cons-(?P<date>\d{4}-\d{2}-\d{2})|\.oj)?(?:\.(?P<language>[a-z]{2}))?(?:\.[a-z]+){0,2}",
    re.ASCII,
)
_ROOT = re.compile(r"(?:\s|<\?.*?\?>|<!--.*?-->|<!\w[^>\[]*(?:\[.*?\]\s*)?>)*+<([A-Za-z][\w.:-]*)([^>]*)>", re.DOTALL)
_TAG = re.compile(r"<[^<>]+>")
_ATTRIBUTE = re.compile(r'([\w.:]+)\s*=\s*["\']([^"\']*)["\']')
# The number of an act in its title, year first or last: "2018/2001", "995/2010", "98/70/EC".
_NUMBER = re.compile(r"(?<![\d/])(\d{1,4})/(\d{1,4})(?!\d|/\d)")
_DATED = re.compile(rf"\bof (?P<date>{FULL_DATE})")
# What a consolidated page states on top: "02009L0031 — EN — 24.12.2018 — 003.001"
_REFERENCE = re.compile(
    r'class="reference">\s*0(\d{4}[A-Z]{1,2}\d{4})\s*—\s*([A-Z]{2})\s*—\s*(\d{2})\.(\d{2})\.(\d{4})'
)
# What repeats is bounded or possessive, so that no input makes the search go over the same text again and again.
_TITLE = re.compile(r'class="(?:oj-)?doc-ti"[^<>]{0,200}+>')
_PAGE_TITLE = re.compile(r"<title[^<>]{0,200}+>\s{0,50}+EUR-Lex - (\S{1,50}) - ([A-Z]{2})\s{0,50}+</title>")
_PAGE_LANGUAGE = re.compile(r'class="(?:oj-)?hd-lg"[^<>]{0,200}+>\s{0,50}+([A-Z]{2})\s{0,50}+<')
_CONSLEG = re.compile(r"<INFO\.CONSLEG\b([^<>]{0,2000}+)>")
_INSTANCE = re.compile(r"<BIB\.INSTANCE>")
_CURRENT = re.compile(r"<NO\.CURRENT>\s*(\d+)\s*</NO\.CURRENT>\s*<YEAR>\s*(\d{2,4})\s*</YEAR>")
_FORMEX_ROOT = re.compile(r"[A-Z]+(?:\.[A-Z]+)*")
# A title that shouts is put into the letters that citations have.
_ACT_WORDS = re.compile(rf"\b(?:DELEGATED|IMPLEMENTING|{'|'.join(t.upper() for t in LETTERS)})\b")

_MEDIA: dict[DocumentFormat, str] = {
    "formex": "application/xml",
    "xhtml": "application/xhtml+xml",
    "html": "text/html",
    "text": "text/plain",
    "pdf": "application/pdf",
}


@dataclass(frozen=True, slots=True)
class Identity:
    """What a document is.

    Attributes:
        id: CELEX id, that of a consolidated version with its date (`02018L2001-20220607`); "" if it is not known.
        titled: CELEX id of the first act that its title prints, "" if it prints none.
        original: True if it shows that it is the Official Journal's, no consolidated version.
        language: Two-letter code, "" if it is not known.
        format: How it is written.
        media_type: Media type.
        date: Day of the document, "" if it is not known.
        numbers: Numbers that its title prints, in order, as pairs.
        licence: Terms of reuse.
    """

    id: str
    language: str
    format: DocumentFormat
    media_type: str
    titled: str = ""
    original: bool = False
    date: str = ""
    numbers: tuple[tuple[int, int], ...] = ()
    licence: str = LICENCE


def identify(name: str, data: bytes) -> Identity:
    """Return what a file is.

    Args:
        name: File name without folder.
        data: Its bytes.

    Returns:
        The identity, with id and language (`en` where neither name nor document tells).

    Raises:
        SourceFormatError: It is no document of a known format, neither it nor its name tells the act, or they
            contradict each other.
        DocumentRefusedError: It exceeds a limit on documents, or declares entities.
    """
    stated = examine(name, data)
    named = _NAME.fullmatch(name)
    wanted = named["id"] if named else stated.id or stated.titled
    if not wanted:
        raise SourceFormatError(name, "neither the name nor the document tells the act", "name it <CELEX>.<suffix>")
    if named and named["date"]:
        wanted = f"0{wanted[1:]}-{named['date'].replace('-', '')}"
    language = (named["language"] if named else None) or ""
    check(name, wanted, language, stated)
    return replace(stated, id=wanted, language=language or stated.language or "en")


def check(name: str, wanted: str, language: str, stated: Identity) -> None:
    """Check that a document is the one it is taken for.

    Args:
        name: File name or address, for the message.
        wanted: CELEX id, that of a version with its date.
        language: Two-letter code, "" if any will do.
        stated: What the document says.

    Raises:
        SourceFormatError: It says that it is another act, version or language, or `wanted` is no id.
    """
    hint = "give it its own name, or download it again"
    try:
        act, version = parse_id(wanted)
    except StoreError as error:
        raise SourceFormatError(name, str(error), "name it <CELEX>.<suffix>") from None
    if stated.id and stated.id != wanted:
        raise SourceFormatError(name, f"the document is {stated.id}, not {wanted}", hint)
    if version and stated.original:
        raise SourceFormatError(name, f"the document is the original of the Official Journal, not {wanted}", hint)
    if stated.numbers and not any(_is_number(act, pair) for pair in stated.numbers):
        printed = ", ".join(f"{a}/{b}" for a, b in stated.numbers[:3])
        raise SourceFormatError(name, f"the document's title prints {printed}, which is not {act}", hint)
    if language and stated.language and language != stated.language:
        raise SourceFormatError(name, f"the document is in {stated.language!r}, not in {language!r}", hint)


def _is_number(celex: str, pair: tuple[int, int]) -> bool:
    """True if two printed numbers are year and number of an act, in either order, the year in full or not."""
    found = re.match(r".(\d{4})[A-Z]+(\d{4})", celex)
    year, number = (int(found[1]), int(found[2])) if found else (0, 0)
    return any((y in (year, year - 1900)) and n == number for y, n in (pair, pair[::-1]))


def examine(name: str, data: bytes) -> Identity:
    """Return what a document says of itself; id and language are "" where it does not say.

    Raises:
        SourceFormatError: It is of no known format.
        DocumentRefusedError: It exceeds a limit on documents, or declares entities.
    """
    check_size(name, len(data.strip()))
    if data.startswith(b"%PDF"):
        return _pdf(name, data)
    if is_archive(data):
        return _archive(name, data)
    if b"\0" in data[:_HEAD]:
        raise SourceFormatError(name, "a binary file", "give Formex, XHTML, HTML, PDF or a text of EUR-Lex")
    text = data.decode("utf-8", errors="replace").lstrip("\ufeff \t\r\n")
    if text.startswith(("{", "[")):
        return _json(name, data)
    root = _ROOT.match(text)
    if root is None:
        return _text(text)
    if root[1].lower() == "html":
        return _page(name, data, text, dict(_ATTRIBUTE.findall(root[2])))
    if _FORMEX_ROOT.fullmatch(root[1]):
        parse_xml(name, data)
        return _formex(text)
    raise SourceFormatError(name, f"markup of an unknown kind (root element <{root[1]}>)", "give an act of EUR-Lex")


def _formex(text: str) -> Identity:
    """Read the heading of a Formex document: `INFO.CONSLEG` of a version, `BIB.INSTANCE` of an act or annex."""
    found = Identity("", "", "formex", _MEDIA["formex"])
    version = _CONSLEG.search(text)
    stated = dict(_ATTRIBUTE.findall(version[1])) if version else {}
    if stated.get("CONSLEG.REF") and stated.get("START.DATE"):
        found = replace(found, id=f"0{stated['CONSLEG.REF']}-{stated['START.DATE']}")
    consolidated = found.id or "<CONS." in text[:_HEAD]
    instance = next(_between(text, _INSTANCE, "</BIB.INSTANCE>"), None)
    if instance is None:
        return found
    language = re.search(r"<LG\.DOC>\s*([A-Z]{2})\s*<", instance)
    day = re.search(r'<DATE ISO="(\d{4})(\d{2})(\d{2})"', instance)
    number = None if consolidated else _CURRENT.search(instance)
    return replace(
        found,
        original=not consolidated,
        language=language[1].lower() if language else "",
        date="-".join(day.groups()) if day and not consolidated else "",
        numbers=((int(number[2]), int(number[1])),) if number else (),
    )


def _between(text: str, opening: re.Pattern[str], closing: str) -> Iterator[str]:
    """Yield what stands between each opening tag and the closing one that follows, in one pass over the text."""
    found = opening.search(text)
    while found:
        end = text.find(closing, found.end())
        if end < 0:
            return
        yield text[found.end() : end]
        found = opening.search(text, end)


def _archive(name: str, data: bytes) -> Identity:
    """Read the headings in an archive of Formex files."""
    heads = [m.data[:_HEAD].decode("utf-8", errors="replace").lstrip("\ufeff") for m in read_archive(name, data)]
    formex = [h for h in heads if (root := _ROOT.match(h)) and _FORMEX_ROOT.fullmatch(root[1])]
    if not formex:
        raise SourceFormatError(name, "an archive without Formex files", "give the Formex archive of an act")
    told = [_formex(h) for h in formex]
    best = max(told, key=lambda t: (bool(t.id), bool(t.numbers), bool(t.language)))
    return replace(best, media_type="application/zip")


def _pdf(name: str, data: bytes) -> Identity:
    """Read the title among a PDF's properties; the Publications Office sets it."""
    import pdfplumber  # noqa: PLC0415  heavy

    from regreact.rag.convert.pdf_document import check_packing  # noqa: PLC0415  heavy

    check_packing(name, data)
    try:
        with pdfplumber.open(io.BytesIO(data), pages=[]) as pdf:
            title = str(pdf.metadata.get("Title", ""))
    except Exception as error:  # what pdfminer raises on damaged files is not of one kind
        problem = f"not a readable PDF: {error or type(error).__name__}"
        raise SourceFormatError(name, problem, "download it again") from error
    return _titled(Identity("", "", "pdf", _MEDIA["pdf"]), " ".join(title.split()))


def _page(name: str, data: bytes, text: str, attributes: dict[str, str]) -> Identity:
    head = text[:_HEAD]
    check_markup(name, data)
    if is_challenge_page(data):
        hint = "open the act in a browser and save it, or fetch it from Cellar"
        raise SourceFormatError(name, "a challenge page for bots, not the document", hint)
    try:
        parse_xml(name, data)
        kind: DocumentFormat = "xhtml" if "xmlns" in attributes else "html"
    except DocumentRefusedError:
        raise
    except SourceFormatError:
        if head.startswith("<?xml") or not text.rstrip().lower().endswith("</html>"):
            raise
        kind = "html"
    found = Identity("", "", kind, _MEDIA[kind], original='class="oj-doc-ti"' in text)
    reference = _REFERENCE.search(head)
    if reference:
        act, language, day, month, year = reference.groups()
        return replace(found, id=f"0{act}-{year}{month}{day}", language=language.lower(), original=False)
    titled = _PAGE_TITLE.search(head)
    if titled:
        known = _NAME.fullmatch(titled[1]) is not None
        return replace(found, id=titled[1] if known else "", language=titled[2].lower())
    language_mark = _PAGE_LANGUAGE.search(text)
    titles = [html.unescape(_TAG.sub(" ", t)) for t in _between(text, _TITLE, "</p>")]
    # The title of the act; those of its annexes follow in the same class.
    start = next((n for n, t in enumerate(titles) if _NUMBER.search(t)), None)
    title = " ".join(" ".join(titles[start : start + 3]).split()) if start is not None else ""
    language = language_mark[1] if language_mark else attributes.get("lang", "")[:2]
    return _titled(replace(found, language=language.lower()), title)


def _titled(found: Identity, title: str) -> Identity:
    """Add what a title says: the act's number first, then those of acts it amends or repeals."""
    dated = _DATED.search(title)
    spelled = _ACT_WORDS.sub(lambda m: m[0].capitalize(), title)
    act = next((c.celex for c in numbered_acts(spelled) if c.celex), None)
    return replace(
        found,
        titled=act or "",
        date=_day(dated["date"]) if dated else "",
        numbers=tuple((int(a), int(b)) for a, b in _NUMBER.findall(title)),
    )


def _day(text: str) -> str:
    try:
        return parse_date(text, last_day=False)
    except ValueError:
        return ""


def _json(name: str, data: bytes) -> Identity:
    """Read a text of EUR-Lex with its summary: `{"celex_id", "reference", "summary"}`."""
    try:
        held = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise SourceFormatError(name, f"not readable as JSON: {error}", "download it again") from error
    if not isinstance(held, dict) or not isinstance(held.get("reference"), str):
        raise SourceFormatError(name, "no text of an act in it", "give a JSON with celex_id and reference")
    dated = _DATED.search(held["reference"][:3000])
    return Identity(
        str(held.get("celex_id", "")),
        "en",
        "text",
        "application/json",
        date=_day(dated["date"]) if dated else "",
        licence=COMPILATION_LICENCE,
    )


def _text(text: str) -> Identity:
    """Read plain text by its opening."""
    return _titled(Identity("", "", "text", _MEDIA["text"]), " ".join(text[:1000].split()))
