"""Acts as EUR-Lex and Cellar publish them in XHTML and HTML: Official Journal and consolidated texts of all years."""

from __future__ import annotations

import hashlib
import re
from itertools import chain

from lxml import etree

from regreact.errors import DocumentRefusedError, SourceFormatError
from regreact.legal import celex as celex_numbers
from regreact.legal.citations import find_citations
from regreact.rag.act import DocumentFormat, LegalAct
from regreact.rag.convert.limits import check_markup, check_tree
from regreact.rag.convert.lines import Line
from regreact.rag.convert.outline import build
from regreact.rag.convert.quotes import mark_quoted
from regreact.rag.convert.xhtml_text import classes_of, clean, raw_text, resolve_entities
from regreact.rag.convert.xhtml_walk import Walker
from regreact.sources.eurlex_cons import reference_of
from regreact.sources.eurlex_markup import XHTML
from regreact.sources.eurlex_oj import language_of, official_journal_id
from regreact.sources.page import challenge, parse_page

_CELEX = re.compile(r"\b3\d{4}[A-Z]\d{4}\b")
# "Article 5", "Article 5 Inspections", "Article 5a Inspections": a heading, not the beginning of a sentence.
_ARTICLE_TITLE = re.compile(
    r"(?P<label>(?:Article|ARTICLE) (?P<number>\d+)(?P<letter>[a-z]?))(?:\s+(?P<title>[A-Z][^.;:]{0,200}[^.;:,]))?"
)
# Parts of a page that hold the text of the act and nothing else: pages before 2003, pages of the EUR-Lex site.
_TEXT_PARTS = ("TexteOnly", "docHtml")


def read_xhtml(data: bytes, *, name: str, celex: str, version: str, language: str) -> LegalAct:
    """Convert a page.

    Args:
        data: The page.
        name: File name, for messages.
        celex: CELEX id of the act, "" to take it from the page.
        version: Date of a consolidated version (`2018-12-24`), "" to take it from the page.
        language: Two-letter code, "" to take it from the page.

    Raises:
        DocumentRefusedError: The page is too large or nested too deep, or declares entities.
        SourceFormatError: The page is cut off, a challenge to bots, or no act.
    """
    root = _root(data, name)
    own_celex, own_version, own_language = _identity(root)
    body = _body(root)
    walker = Walker(name)
    lines = _without_classes(root, walker.walk(body))
    parts = zip([0, *walker.breaks], [*walker.breaks, len(lines)], strict=True)
    act = build(
        chain.from_iterable(mark_quoted(lines[start:end]) for start, end in parts),
        celex=celex or own_celex or _celex_of(root, lines),
        version=version or own_version,
        language=(language or own_language).lower(),
        format=_format(data),
        sha256=hashlib.sha256(data).hexdigest(),
    )
    if not act.content or not (_is_eurlex(root) or any(act.walk())):
        hint = "give the page of an act as EUR-Lex publishes it"
        raise challenge(name, data) or SourceFormatError(name, "a web page that is no act", hint)
    return act


def _root(data: bytes, name: str) -> etree._Element:
    page = _in_utf8(data)
    check_markup(name, page)
    try:
        root = parse_page(name, page)
    except (etree.LxmlError, ValueError) as error:
        raise SourceFormatError(name, f"not readable as a page: {error}", "download it again") from error
    _in_namespace(root)
    unknown = resolve_entities(root)
    check_tree(name, root)
    if unknown:
        raise DocumentRefusedError(name, f"declares entities of its own {unknown}", "do not use this file")
    return root


def _in_utf8(data: bytes) -> bytes:
    """Return a page that neither declares itself XML nor is UTF-8 as browsers read it: as Windows-1252."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        if not data.lstrip()[:5] == b"<?xml" and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return data.decode("cp1252", errors="replace").encode()
    return data


def _in_namespace(root: etree._Element) -> None:
    """Give the names of XHTML to the elements of a well-formed page that leaves its namespace out."""
    if isinstance(root.tag, str) and not root.tag.startswith("{"):
        for element in root.iter(etree.Element):
            if not str(element.tag).startswith("{"):
                element.tag = f"{XHTML}{element.tag}"


def _format(data: bytes) -> DocumentFormat:
    return (
        "xhtml"
        if b"http://www.w3.org/1999/xhtml" in data[:2000] or data[:200].lstrip().startswith(b"<?xml")
        else "html"
    )


def _body(root: etree._Element) -> etree._Element:
    for part in _TEXT_PARTS:
        found = root.find(f".//{{*}}div[@id='{part}']")
        if found is not None:
            return found
    body = root.find(f"{XHTML}body")
    return body if body is not None else root


def _identity(root: etree._Element) -> tuple[str, str, str]:
    """Return CELEX id, version and language that the page states, "" for what it does not."""
    reference = reference_of(root)
    if reference is None:
        return "", "", language_of(root)
    number, _, date = reference.document.partition("-")
    return f"3{number[1:]}", f"{date[:4]}-{date[4:6]}-{date[6:]}", reference.language


def _celex_of(root: etree._Element, lines: list[Line]) -> str:
    """Return the CELEX id that the page's heading is or the act's title gives, "" if there is none."""
    for heading in root.iter(f"{XHTML}h1", f"{XHTML}title"):
        if (found := _CELEX.search(raw_text(heading) or heading.text or "")) and celex_numbers.parse(found[0]):
            return found[0]
    title = " ".join(line.text for line in lines if line.role == "title")
    # The grammar of citations knows the type as running text prints it.
    readable = re.sub(r"\b[A-Z]{4,}\b", lambda word: word[0].capitalize(), title)
    named = next((c.celex for c in find_citations(readable) if c.kind == "eu-act" and c.celex), None)
    return named or official_journal_id(root) or ""


def _without_classes(root: etree._Element, lines: list[Line]) -> list[Line]:
    """Read what pages before about 2003 say without classes: the title, and the headings of articles.

    The title is the first paragraph that repeats what the page's head calls the act. The number of an article and its
    title share a paragraph ("Article 5 Inspections"); articles count on, and a title has no final stop.
    """
    if any(line.role in ("title", "article") for line in lines):
        return lines
    named = {m.get("content", "") for m in root.iter(f"{XHTML}meta") if m.get("name") in ("DC.description", "DC.title")}
    titles = {_key(text) for text in named}
    found: list[Line] = []
    last = 0
    for line in lines:
        heading = _ARTICLE_TITLE.fullmatch(line.text) if line.role == "text" and not line.label else None
        if not found and _key(line.text) in titles:
            found.append(Line("title", line.text))
        elif heading and (int(heading["number"]) == last + 1 or (heading["letter"] and int(heading["number"]) == last)):
            last = int(heading["number"])
            found.append(Line("article", heading["title"] or "", heading["label"]))
        else:
            found.append(line)
    return found


def _key(text: str) -> str:
    return re.sub(r"\W+", " ", clean(text)).strip().casefold()


def _is_eurlex(root: etree._Element) -> bool:
    marks = {"normal", "doc-ti", "title-doc-first", "norm", "ti-art", "title-article-norm"}
    return any(classes_of(p) & marks for p in root.iter(f"{XHTML}p"))
