"""Pages of one document that is published in parts."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from regreact.errors import SourceFormatError
from regreact.rag.convert.limits import parse_xml


def join_pages(name: str, pages: Sequence[bytes]) -> bytes:
    """Return one page with the bodies of all, in order.

    Args:
        name: Where the pages come from, for the message.
        pages: XHTML or HTML pages, at least one; a single one is returned as it is.

    Raises:
        SourceFormatError: A page cannot be parsed or has no body.
    """
    if len(pages) == 1:
        return pages[0]
    roots = [_parse(name, page) for page in pages]
    bodies = [_body(name, root) for root in roots]
    for body in bodies[1:]:
        if body.text and body.text.strip():
            raise SourceFormatError(name, "a part has text outside any paragraph", "fetch another format")
        bodies[0].extend(list(body))
    # An XHTML page keeps its namespace; plain HTML stays plain.
    method = "xml" if etree.QName(roots[0]).namespace else "html"
    return etree.tostring(roots[0].getroottree(), encoding="utf-8", xml_declaration=method == "xml", method=method)


def _parse(name: str, page: bytes) -> etree._Element:
    try:
        return parse_xml(name, page)
    except SourceFormatError:
        if page.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?xml") or b"</html>" not in page[-200:].lower():
            raise
    return etree.fromstring(page, etree.HTMLParser(no_network=True, huge_tree=False, encoding="utf-8"))


def _body(name: str, root: etree._Element) -> etree._Element:
    found = next((e for e in root.iter() if isinstance(e.tag, str) and etree.QName(e).localname == "body"), None)
    if found is None:
        raise SourceFormatError(name, "a part without a body", "fetch another format")
    return found
