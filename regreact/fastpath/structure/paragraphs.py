"""The pass that counts or anchors the paragraphs without number (guidelines section 2)."""

from __future__ import annotations

from collections import Counter

from regreact.fastpath.cues import AnchorType, anchored_type, sentences
from regreact.fastpath.structure.anchors import Anchor, enclosing_item, find_anchor
from regreact.fastpath.structure.draft import Draft, Node, Role
from regreact.fastpath.structure.names import Names
from regreact.fastpath.structure.points import points
from regreact.fastpath.structure.serving import content_words, serves
from regreact.fastpath.structure.top import Counting

_LABEL_WORDS = 12


def place_paragraphs(draft: Draft) -> None:
    """Give every paragraph that is still open its place, in document order.

    Where the top level is numbered, or under a topic heading, a paragraph is anchored. Elsewhere one with a
    requirement of its own takes the next ordinal, one that serves an earlier criterion is anchored to it.
    """
    placing = _Placing(draft)
    for node in draft:
        if node.role is Role.OPEN:
            anchor = find_anchor(draft, placing.names, node) if placing.is_anchored(node) else None
            if anchor is None:
                placing.count(node)
            else:
                placing.anchor(node, anchor)
        if node.role is Role.NUMBER:
            placing.names.nearest = node


class _Placing:
    """What is known of the blocks before the one that is being placed.

    Attributes:
        names: Identifiers, and the last numbered or counted criterion.
    """

    def __init__(self, draft: Draft) -> None:
        self.names = Names(draft)
        self._draft = draft
        self._numbered = any(n.number is not None and n.role is Role.NUMBER for n in draft)
        self._counting = Counting(draft)
        self._words: set[str] = set()
        self._read = 0
        self._anchored = Counter((n.host, n.label.split("-")[0]) for n in draft if n.role is Role.ANCHORED)

    def is_anchored(self, node: Node) -> bool:
        """True if a paragraph qualifies an earlier criterion."""
        nearest = self.names.nearest
        if self._numbered or nearest is None or nearest.heading or node.heading:
            return nearest is not None
        if node.view.depth and not _leaves_list(self._draft, node):
            return True
        for earlier in self._draft[self._read : node.at]:
            self._words |= content_words(earlier.text)
        self._read = node.at
        return serves(node.text, self._words) is not None

    def count(self, node: Node) -> None:
        """Make a paragraph a criterion of the top level."""
        node.role, node.label = Role.NUMBER, self._counting.next(node.at)
        node.unsure(0.9, "paragraph counted through")
        node.cite(*sentences(node.text)[0])

    def anchor(self, node: Node, anchor: Anchor) -> None:
        """Hang a paragraph on its criterion."""
        draft, host = self._draft, anchor.at
        while draft[host].role is Role.ANCHORED and draft[host].host is not None:
            host = draft[host].host or 0
        kind, cue = paragraph_type(node.text)
        if anchor.span is not None:
            node.cite(*anchor.span)
        if cue is not None:
            node.cite(*cue)
        self._anchored[host, kind] += 1
        before = self._anchored[host, kind] - 1
        node.role, node.host = Role.ANCHORED, host
        node.label = f"{kind}-{before + 1}" if before else kind
        node.unsure(anchor.confidence, f"anchor: {anchor.rule}")


def _leaves_list(draft: Draft, node: Node) -> bool:
    """True for a paragraph in the last item of the outermost list that speaks of several of its items."""
    item = enclosing_item(draft, node)
    if item is None or item.view.depth > 1:
        return False
    last = not any(n.view.tag == "li" and n.view.depth == 1 for n in draft[node.at + 1 :])
    named = {p.path for p in points(node.text[slice(*sentences(node.text)[0])]) if p.relative}
    return last and len(named) > 1


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
