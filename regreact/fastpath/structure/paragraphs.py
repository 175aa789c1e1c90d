"""The pass that counts or anchors the paragraphs without number (guidelines section 2)."""

from __future__ import annotations

from regreact.fastpath.cues import AnchorType, anchored_type, sentences
from regreact.fastpath.structure.anchors import Anchor, enclosing_item, find_anchor, nearest_criterion
from regreact.fastpath.structure.draft import Draft, Node, Role
from regreact.fastpath.structure.points import points
from regreact.fastpath.structure.serving import serves
from regreact.fastpath.structure.top import next_number

_LABEL_WORDS = 12


def place_paragraphs(draft: Draft) -> None:
    """Give every paragraph that is still open its place, in document order.

    Where the top level is numbered, or under a topic heading, a paragraph is anchored. Elsewhere one with a
    requirement of its own takes the next ordinal, one that serves an earlier criterion is anchored to it.
    """
    numbered = any(n.number is not None and n.role is Role.NUMBER for n in draft)
    for node in draft:
        if node.role is not Role.OPEN:
            continue
        anchor = find_anchor(draft, node) if _is_anchored(draft, node, numbered) else None
        if anchor is None:
            _count(draft, node)
        else:
            _anchor(draft, node, anchor)


def _is_anchored(draft: Draft, node: Node, numbered: bool) -> bool:
    nearest = nearest_criterion(draft, node)
    if numbered or nearest is None or nearest.heading or node.heading:
        return nearest is not None
    if node.view.depth and not _leaves_list(draft, node):
        return True
    earlier = " ".join(n.text for n in draft[: node.at])
    return serves(node.text, earlier) is not None


def _leaves_list(draft: Draft, node: Node) -> bool:
    """True for a paragraph in the last item of the outermost list that speaks of several of its items."""
    item = enclosing_item(draft, node)
    if item is None or item.view.depth > 1:
        return False
    last = not any(n.view.tag == "li" and n.view.depth == 1 for n in draft[node.at + 1 :])
    named = {p.path for p in points(node.text[slice(*sentences(node.text)[0])]) if p.relative}
    return last and len(named) > 1


def _count(draft: Draft, node: Node) -> None:
    node.role, node.label = Role.NUMBER, next_number(draft, node.at)
    node.unsure(0.9, "paragraph counted through")
    node.cite(*sentences(node.text)[0])


def _anchor(draft: Draft, node: Node, anchor: Anchor) -> None:
    host = anchor.at
    while draft[host].role is Role.ANCHORED and draft[host].host is not None:
        host = draft[host].host or 0
    kind, cue = paragraph_type(node.text)
    if anchor.span is not None:
        node.cite(*anchor.span)
    if cue is not None:
        node.cite(*cue)
    before = [n for n in draft if n.role is Role.ANCHORED and n.host == host and n.label.split("-")[0] == kind]
    node.role, node.host = Role.ANCHORED, host
    node.label = f"{kind}-{len(before) + 1}" if before else kind
    node.unsure(anchor.confidence, f"anchor: {anchor.rule}")


def paragraph_type(text: str) -> tuple[AnchorType, tuple[int, int] | None]:
    """Return the type of an anchored paragraph and the characters of its cue.

    A label, such as the cell of a table, is no sentence and so background.

    Example:
        >>> paragraph_type("Heat losses are calculated using ISO 99999.")[0]
        'Methodology'
        >>> paragraph_type("Wind-related")[0]
        'BackgroundInformation'
    """
    cue = anchored_type(text)
    if cue.end > cue.start:
        return cue.type, (cue.start, cue.end)
    plain = text.rstrip()
    if not plain.endswith((".", ":", ";")) and len(plain.split()) <= _LABEL_WORDS:
        return "BackgroundInformation", None
    return cue.type, None
