"""Blocks of HTML fragments: the walker that the Compass reader and the fragment reader share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import lxml.html
from lxml import etree

from regreact.sources.blocks import BlockCollector, Note, Part, Text, fold, ordinal_marker
from regreact.sources.model import Block

_EMPHASIS = frozenset({"em", "i", "b", "strong", "u"})
_LISTS = frozenset({"ol", "ul"})
_HTML_BLOCKS = frozenset(
    "p li ol ul div section article table caption thead tbody tfoot tr td th dl dt dd blockquote"
    " h1 h2 h3 h4 h5 h6 body html".split()
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "th", "caption"})
_UNSEEN = frozenset({"script", "style", "head", "title"})
_ORDINAL = re.compile(r"\s*[0-9]{1,4}\s*")
_POPOVER_MARKER, _POPOVER_CONTENT = "popover-tooltip", "popover-tooltip-content"


def html_blocks(markup: str) -> tuple[tuple[Block, ...], dict[str, str]]:
    """Return the blocks and footnotes of an HTML fragment (guidelines section 1).

    A footnote is a marker span of class `popover-tooltip` with a `popover-tooltip-content` span after it; the
    number printed in the marker is the footnote's id. List labels come from `<ol type>`, `start` and
    `<li value>`; items of `<ul>` have the label `-`. Text outside `<p>` and `<li>` makes blocks of its own.

    Raises:
        lxml.etree.ParserError: The markup cannot be parsed, or the parser gives up part of it (more than 256
            elements within each other).
    """
    collector = BlockCollector()
    _walk_container(parse_fragment(markup), collector)
    return tuple(collector.blocks), collector.footnotes


def parse_fragment(markup: str) -> lxml.html.HtmlElement:
    """Return a fragment below an element `section`.

    Raises:
        lxml.etree.ParserError: As for `html_blocks`, or the parser gives up part of the markup.
    """
    parser = lxml.html.HTMLParser(no_network=True, huge_tree=False, remove_comments=True, remove_pis=True)
    try:
        root = lxml.html.fragment_fromstring(markup, create_parent="section", parser=parser)
    except AssertionError as error:
        raise etree.ParserError("whole pages within each other") from error
    # Beyond its limits the parser drops the rest without raising; losing criteria silently is worse.
    for entry in parser.error_log.filter_from_fatals():
        raise etree.ParserError(entry.message)
    return root


def _classes(element: etree._Element) -> list[str]:
    return (element.get("class") or "").split()


def _is_block(element: etree._Element) -> bool:
    return element.tag in _HTML_BLOCKS and not {_POPOVER_MARKER, _POPOVER_CONTENT} & set(_classes(element))


def _holds_blocks(element: etree._Element) -> bool:
    """True for an element that is no block and has blocks in it (`<main>`, `<form>`, `<font>` around a list).

    A pop-over is inline whatever stands in it.
    """
    if _is_block(element) or element.tag in _UNSEEN or {_POPOVER_MARKER, _POPOVER_CONTENT} & set(_classes(element)):
        return False
    return any(_is_block(child) or _holds_blocks(child) for child in element)


def _all_text(element: etree._Element) -> str:
    """Return the text below an element, blocks separated by a space."""
    parts = [element.text or ""]
    for child in element:
        space = " " if child.tag in _HTML_BLOCKS else ""
        parts += [space, _all_text(child), space, child.tail or ""]
    return "".join(parts)


def _inline(element: etree._Element, emphasis: bool = False) -> Iterator[Part]:
    """Yield the parts of an element's own content; a nested block leaves a space."""
    emphasis = emphasis or element.tag in _EMPHASIS
    if element.text:
        yield Text(element.text, emphasis)
    for child in element:
        yield from _inline_child(child, emphasis)
        if child.tail:
            yield Text(child.tail, emphasis)


def _inline_child(child: etree._Element, emphasis: bool) -> Iterator[Part]:
    if _is_block(child):
        yield Text(" ")
    elif child.tag == "br":
        yield Text("\n")
    elif _POPOVER_MARKER in _classes(child):
        yield _popover(child)
    elif _POPOVER_CONTENT in _classes(child):
        before = child.getprevious()
        if before is None or _POPOVER_MARKER not in _classes(before):
            # A footnote whose marker is gone: its text belongs where it stands.
            yield Text(f" {_all_text(child)} ", emphasis)
    elif child.tag not in _UNSEEN:
        yield from _inline(child, emphasis)


def _popover(marker: etree._Element) -> Note:
    label = fold(_all_text(marker)).strip("()[] ")
    content = marker.getnext()
    text = ""
    if content is not None and _POPOVER_CONTENT in _classes(content):
        text = fold(_all_text(content))
    return Note(key=label, text=text, label=label)


def _walk_container(element: etree._Element, collector: BlockCollector) -> None:
    """Walk an element that is no block itself: runs of loose text between its blocks become paragraphs."""
    run: list[Part] = [Text(element.text)] if element.text else []
    heading = element.tag in _HEADINGS
    for child in element:
        if _is_block(child) or _holds_blocks(child):
            collector.add(run, heading=heading)
            run = []
            _walk_block(child, collector)
        else:
            run.extend(_inline_child(child, False))
        if child.tail:
            run.append(Text(child.tail))
    collector.add(run, heading=heading)


def _walk_block(element: etree._Element, collector: BlockCollector) -> None:
    if element.tag in _LISTS:
        _walk_list(element, collector)
    elif element.tag == "p":
        collector.add(list(_inline(element)))
        _walk_nested(element, collector)
    else:
        _walk_container(element, collector)


def _walk_nested(element: etree._Element, collector: BlockCollector) -> None:
    for child in element:
        if _is_block(child):
            _walk_block(child, collector)
        elif _POPOVER_CONTENT not in _classes(child):
            _walk_nested(child, collector)


def _walk_list(element: etree._Element, collector: BlockCollector) -> None:
    label = _labeller(element)
    with collector.in_list(str(element.tag)):
        _walk_items(element, label, collector)


def _walk_items(element: etree._Element, label: Callable[[etree._Element], str], collector: BlockCollector) -> None:
    """Walk what stands in a list, items inside other elements included."""
    collector.add([Text(element.text or "")])
    for child in element:
        if child.tag == "li":
            with collector.in_item(label(child)):
                collector.add(list(_inline(child)), tag="li")
                _walk_nested(child, collector)
        elif _is_block(child):
            _walk_block(child, collector)
        elif _holds_blocks(child):
            _walk_items(child, label, collector)
        else:
            collector.add(list(_inline_child(child, False)))
        collector.add([Text(child.tail or "")])


def _labeller(element: etree._Element) -> Callable[[etree._Element], str]:
    """Return a function that gives the label of each `<li>` of the list, called once an item, in order."""
    if element.tag == "ul":
        return lambda item: "-"
    kind, number = element.get("type") or "1", _integer(element.get("start"), 1) - 1

    def label(item: etree._Element) -> str:
        nonlocal number
        number = _integer(item.get("value"), number + 1)
        return ordinal_marker(kind, number)

    return label


def _integer(value: str | None, default: int) -> int:
    """Return an ordinal of up to four digits; anything else counts as not given."""
    return int(value) if value and _ORDINAL.fullmatch(value) else default
