"""XML from files that nobody vouches for: no entities, no network, no oversized trees."""

from __future__ import annotations

from lxml import etree

from regreact.errors import SourceFormatError


def parse_xml(path: object, data: bytes) -> etree._Element:
    """Return the root element of an XML file.

    Args:
        path: Where the bytes come from, for the message.
        data: Content of the file.

    Raises:
        SourceFormatError: The XML is not well-formed (cut off, say).
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise SourceFormatError(
            path, f"not well-formed XML: {error.msg}", "download the file again; it may be cut off"
        ) from error
