"""Web pages from files that nobody vouches for, as XHTML trees."""

from __future__ import annotations

import re

from lxml import etree

from regreact.errors import SourceFormatError
from regreact.sources.eurlex_markup import XHTML
from regreact.sources.xml import parse_xml

# Pages that stand in for a document: a challenge to tell bots from readers, which loads a script and nothing else.
# HTML has names that XML has not: "o:p" of word processors
_NO_NAME = re.compile(r"^[^A-Za-z_]|[^\w.-]")
_CHALLENGE = re.compile(r"aws-?waf|challenge\.js|captcha|JavaScript is disabled|verify that you", re.IGNORECASE)


def parse_page(path: object, data: bytes) -> etree._Element:
    """Return the root of the page; one in HTML, which is not well-formed XML, gets the names of XHTML.

    What declares itself XML is read as such: reading it with the lenient parser could hide that a part is lost.

    Args:
        path: Where the bytes come from, for the message.
        data: Content of the file.

    Raises:
        SourceFormatError: The page is cut off, nested beyond the parser's limits or a challenge to bots.
    """
    try:
        return parse_xml(path, data)
    except SourceFormatError as error:
        is_xml = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?xml")
        if is_xml or not data.rstrip().lower().endswith(b"</html>"):
            raise (challenge(path, data) or error) from error
    parser = etree.HTMLParser(no_network=True, huge_tree=False, encoding="utf-8")
    try:
        root = etree.fromstring(data, parser)
    except etree.LxmlError as error:
        raise SourceFormatError(path, f"not readable as HTML: {error}", "download the file again") from error
    if root is None:
        raise SourceFormatError(path, "not readable as HTML: it has no element", "download the file again")
    # Beyond its limits the parser drops the rest without raising.
    for entry in parser.error_log.filter_from_fatals():
        raise SourceFormatError(path, f"not readable as HTML: {entry.message}", "download the file again")
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = f"{XHTML}{_NO_NAME.sub('_', element.tag)}"
    return root


def challenge(path: object, data: bytes) -> SourceFormatError | None:
    """Return the error for a page that asks for a proof of being no bot, None for other pages."""
    if not _CHALLENGE.search(data.decode("utf-8", errors="replace")):
        return None
    return SourceFormatError(
        path, "a challenge page for bots, not the document", "open the act in a browser and save it, or use Cellar"
    )
