"""Text of EUR-Lex pages: what an element prints, without what is no text of the act."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import html5

from lxml import etree

from regreact.sources.blocks import fold
from regreact.sources.eurlex_markup import XHTML, name_of

BLOCKS = frozenset(
    "address article aside blockquote body center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr"
    " li main nav ol p pre section table tbody td tfoot th thead tr ul".split()
)
# Elements whose content is no text of the page.
HIDDEN = frozenset("applet audio canvas head iframe noscript object script style svg template title video".split())
_BLOCK_TAGS = tuple(XHTML + name for name in BLOCKS)
# Marks of consolidated texts: "▼M1", "►B", "►(2) C1", and the end of an inline amendment.
_ARROW = re.compile(r"[▼►]\s*(?:\(\d+\)\s*)?[A-Z]{1,2}\d*\b\s*|◄")
_MARKER = re.compile(r"\(\s*(\*?\d+)\s*\)")
# A line of dashes stands for text that was deleted.
_DELETED = re.compile(r"[—–_\s-]{3,}")
# A number that no-break spaces set off from its text ("1.   Text").
_SET_OFF = re.compile(
    r"\s*([‘“„«\"]?(?:\(?\d{1,3}[a-z]{0,3}\)|\d{1,3}[a-z]{0,3}\.|\d{1,3}(?:\.\d{1,3})+[a-z]?\.?|\(?[a-zA-Z]{1,5}\)|[A-Z]\."
    r"|[IVXLC]{1,7}\.|[—–•-]))[ \xa0]*\xa0[ \xa0]*(?=\S)"
)


def classes_of(element: etree._Element) -> frozenset[str]:
    """Return the classes of an element; `oj-normal` and `normal` are the new and the older name of one."""
    return frozenset(name.removeprefix("oj-") for name in element.get("class", "").split())


def holds_blocks(element: etree._Element) -> bool:
    """True if paragraphs, tables or the like stand below the element."""
    found = element.iterdescendants(*_BLOCK_TAGS)
    return next(found, None) is not None


def raw_text(element: etree._Element) -> str:
    """Return all characters that an element prints, white space as in the source.

    A line break is a space, and so is the edge of a paragraph or cell.
    """
    return "".join(_pieces(element))


def _pieces(element: etree._Element) -> Iterator[str]:
    skipped: etree._Element | None = None
    for event, node in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        if skipped is not None:
            if event == "end" and node is skipped:
                skipped = None
                yield "" if node is element else node.tail or ""
        elif event in ("comment", "pi"):
            yield node.tail or ""
        elif event == "start":
            if name_of(node) in HIDDEN:
                skipped = node
                continue
            yield " " if name_of(node) == "br" or (name_of(node) in BLOCKS and node is not element) else ""
            yield node.text or ""
        elif node is not element:
            yield " " if name_of(node) in BLOCKS else ""
            yield node.tail or ""


def clean(text: str) -> str:
    """Return printed text: folded, amendment marks dropped, footnote markers as "(n)".

    Example:
        >>> clean("►M1  ships ( 3 ) ◄ and boats"), clean("▼M2 —————")
        ('ships (3) and boats', '')
    """
    had_mark = _ARROW.search(text) is not None
    text = fold(_ARROW.sub(" ", text)) if had_mark else fold(text)
    if _DELETED.fullmatch(text):
        return ""
    return _MARKER.sub(r"(\1)", text)


def split_number(raw: str) -> tuple[str, str]:
    """Return a number that spaces wider than one set off at the beginning of a text, "" if there is none, and the rest.

    Example:
        >>> split_number("1.\u00a0\u00a0 Ships shall sail."), split_number("1. Ships shall sail.")
        (('1.', 'Ships shall sail.'), ('', '1. Ships shall sail.'))
    """
    found = _SET_OFF.match(raw)
    return (found[1], clean(raw[found.end() :])) if found else ("", clean(raw))


def resolve_entities(root: etree._Element) -> list[str]:
    """Put the characters of HTML's named entities, which XML leaves unresolved, into the text.

    Returns:
        Names that HTML does not know.
    """
    unknown = []
    for entity in list(root.iter(etree.Entity)):
        name = (entity.text or "").strip("&;")
        character = html5.get(f"{name};")
        if character is None:
            unknown.append(name)
        text = (character or "") + (entity.tail or "")
        before, parent = entity.getprevious(), entity.getparent()
        if parent is None:
            continue
        if before is not None:
            before.tail = (before.tail or "") + text
        else:
            parent.text = (parent.text or "") + text
        entity.tail = None
        parent.remove(entity)
    return unknown
