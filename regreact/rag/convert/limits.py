"""Limits on documents that nobody vouches for, and the checks that every reader makes before it reads.

Bytes are checked before anything is parsed, so that time and memory stay bounded: size, encoding, declarations of
entities, number of tags. What only the tree shows (nesting, references to entities) is checked right after parsing.
A document that exceeds a limit, or does what a document must not, is refused; one that is broken is a format error.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from lxml import etree
from lxml import html as lxml_html

from regreact.errors import DocumentRefusedError, SourceFormatError
from regreact.sources.xml import parse_xml as parse_well_formed


@dataclass(frozen=True, slots=True)
class Limits:
    """What a document may ask for; a few times what the largest consolidated acts need.

    Attributes:
        document_bytes: Size of a file as it arrives, packed or not.
        members: Files in an archive.
        expanded_bytes: Size of all members of an archive, unpacked.
        expansion: Unpacked over packed size of a member; markup reaches 50.
        tags: Opening and closing tags of a file.
        attributes: Attributes of one tag; parsers compare each with all others.
        depth: Nesting of elements.
        pages: Pages of a PDF.
    """

    document_bytes: int = 32 * 1024 * 1024
    members: int = 500
    expanded_bytes: int = 64 * 1024 * 1024
    expansion: int = 200
    tags: int = 1_500_000
    attributes: int = 100
    depth: int = 120
    pages: int = 3_000


LIMITS = Limits()

_ELSEWHERE = "get the document from the Publications Office (Cellar) again, or split it"
_BYTE_ORDER_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Encodings in which "<", "!" and letters are the bytes of ASCII, so that checks on bytes cannot be evaded.
_ASCII_BASED = re.compile(r"utf-?8|us-ascii|ascii|iso-?8859-\d{1,2}|latin-?1|windows-125\d", re.IGNORECASE)
_XML_DECLARATION = re.compile(rb"<\?xml\b[^>]*?\bencoding\s*=\s*[\"']([^\"']*)[\"']")
# Declarations of a document type stand in its internal subset: `<!DOCTYPE ACT [ <!ENTITY … ]>`.
_DECLARATION = re.compile(rb"<!\s*(ENTITY|ATTLIST|ELEMENT|NOTATION)\b", re.IGNORECASE)
_INTERNAL_SUBSET = re.compile(rb"<!DOCTYPE[^>\[]{0,1000}\[", re.IGNORECASE)
# A tag as HTML reads it, up to its attributes; possessive, so that no input makes the search go back.
_TAG = rb"<[a-zA-Z][^\s/>]*+"
_ATTRIBUTE = rb"(?:[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"']++))?+)"
# What a page does rather than says; `template` and `noscript` are not shown where scripts run.
_ACTIVE = frozenset("script style noscript template iframe object embed applet".split())


def check_size(name: object, size: int, *, limits: Limits = LIMITS) -> None:
    """Refuse a file that is empty or too large.

    Args:
        name: The file, for the message.
        size: Its size in bytes.
        limits: What is allowed.

    Raises:
        SourceFormatError: The file is empty.
        DocumentRefusedError: It is larger than `document_bytes`.
    """
    if size == 0:
        raise SourceFormatError(name, "the file is empty", "download it again")
    if size > limits.document_bytes:
        raise refusal(name, f"{size:,} bytes", f"{limits.document_bytes:,} bytes a document")


def check_pages(name: object, pages: int, *, limits: Limits = LIMITS) -> None:
    """Refuse a PDF with more pages than allowed.

    Raises:
        DocumentRefusedError: It has, or claims, more than `pages`.
    """
    if pages > limits.pages:
        raise refusal(name, f"{pages:,} pages", f"{limits.pages:,} pages a document")


def check_characters(name: object, data: bytes) -> None:
    """Refuse what is no text in an encoding based on ASCII.

    Raises:
        SourceFormatError: UTF-16 or UTF-32, or NUL bytes.
    """
    wide = data.startswith(_BYTE_ORDER_MARKS) or data[:4] in (b"<\0?\0", b"\0<\0?", b"<\0!\0", b"\0<\0!")
    if wide:
        raise SourceFormatError(name, "the text is UTF-16 or UTF-32", "save it as UTF-8")
    place = data.find(b"\0")
    if place >= 0:
        raise SourceFormatError(
            name, f"NUL byte at {place:,}: binary data, not text", "download it again; save text as UTF-8"
        )


def check_markup(name: object, data: bytes, *, limits: Limits = LIMITS) -> None:
    """Check the bytes of a markup file (XML, XHTML, HTML) before it is parsed.

    Args:
        name: The file, for the message.
        data: Its bytes.
        limits: What is allowed.

    Raises:
        DocumentRefusedError: Too large, too many tags or attributes, or declarations of its own (entities).
        SourceFormatError: Empty, binary, or in an encoding that is not based on ASCII.
    """
    check_size(name, len(data), limits=limits)
    check_characters(name, data)
    declared = _XML_DECLARATION.search(data, 0, 1000)
    if declared and _ASCII_BASED.fullmatch(declared[1].decode("ascii", "replace")) is None:
        encoding = declared[1][:40].decode("ascii", "replace")
        raise SourceFormatError(name, f"encoding {encoding!r} is not supported", "save it as UTF-8")
    found = _DECLARATION.search(data) or _INTERNAL_SUBSET.search(data)
    if found:
        raise DocumentRefusedError(
            name,
            f"declares entities or types of its own at byte {found.start():,} (0 declarations allowed)",
            "remove the document type declaration; published acts have none",
        )
    tags = data.count(b"<")
    if tags > limits.tags:
        raise refusal(name, f"{tags:,} tags", f"{limits.tags:,} tags a document")
    crowded = re.search(_TAG + _ATTRIBUTE + b"{%d}" % (limits.attributes + 1), data)
    if crowded:
        raise refusal(name, f"a crowded tag at byte {crowded.start():,}", f"{limits.attributes} attributes a tag")


def check_tree(name: object, root: etree._Element, *, limits: Limits = LIMITS) -> None:
    """Check nesting and references to entities of a parsed document.

    Raises:
        DocumentRefusedError: Elements nest deeper than `depth`, or an entity is left unresolved.
    """
    for entity in root.iter(etree.Entity):
        parent = entity.getparent()
        place = "" if parent is None else f" within <{parent.tag}>"
        raise DocumentRefusedError(name, f"refers to an entity{place}", "replace entities by characters (UTF-8)")
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > limits.depth:
            raise refusal(name, f"elements nested more than {limits.depth} deep", f"{limits.depth} levels")


def parse_xml(name: object, data: bytes, *, limits: Limits = LIMITS) -> etree._Element:
    """Return the root element of an XML file that keeps to the limits.

    Args:
        name: The file, for the message.
        data: Its bytes.
        limits: What is allowed.

    Raises:
        DocumentRefusedError: A limit is exceeded.
        SourceFormatError: Broken, binary, or in an encoding that is not supported.
    """
    check_markup(name, data, limits=limits)
    try:
        root = parse_well_formed(name, data)
    except SourceFormatError as error:
        if "depth" in error.problem:  # the parser has a bound of its own
            raise refusal(name, "elements nested too deep to parse", f"{limits.depth} levels") from error
        raise
    check_tree(name, root, limits=limits)
    return root


def parse_html(name: object, data: bytes, *, limits: Limits = LIMITS) -> etree._Element:
    """Return the `html` element of a page that keeps to the limits, without scripts, styles and embedded objects.

    Args:
        name: The file, for the message.
        data: Its bytes; UTF-8 unless the page or an XML declaration says otherwise.
        limits: What is allowed.

    Raises:
        DocumentRefusedError: A limit is exceeded.
        SourceFormatError: Binary, without an element, or in an encoding that is not supported.
    """
    check_markup(name, data, limits=limits)
    parser = lxml_html.HTMLParser(no_network=True, huge_tree=False, remove_comments=True, encoding=_encoding(data))
    try:
        root = lxml_html.document_fromstring(data, parser=parser)
    except (etree.LxmlError, ValueError) as error:
        raise SourceFormatError(name, f"not readable as HTML: {error}", "download the page again") from error
    if any("depth" in entry.message.lower() for entry in parser.error_log):
        raise refusal(name, "elements nested too deep to parse", f"{limits.depth} levels")
    drop_active_content(root)
    check_tree(name, root, limits=limits)
    return root


def drop_active_content(root: etree._Element) -> None:
    """Remove scripts, styles, embedded objects and event handlers from a page; text around them stays."""
    for element in [e for e in root.iter() if isinstance(e.tag, str) and _local(e.tag) in _ACTIVE]:
        _drop(element)
    for element in root.iter(etree.Element):
        for attribute in [a for a in element.attrib if str(a).lower().startswith("on")]:
            del element.attrib[attribute]


def refusal(name: object, found: str, allowed: str) -> DocumentRefusedError:
    """Return the error of a document that exceeds a limit.

    Args:
        name: The file.
        found: What it holds or asks for.
        allowed: The limit.
    """
    return DocumentRefusedError(name, f"{found}; the limit is {allowed}", _ELSEWHERE)


def _local(tag: str) -> str:
    return tag.rpartition("}")[2].lower()


def _encoding(data: bytes) -> str | None:
    """Return "utf-8" if the bytes are valid UTF-8, else None: the parser then reads what the page declares."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _drop(element: etree._Element) -> None:
    """Remove an element and keep the text after it."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    if element.tail:
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    parent.remove(element)
