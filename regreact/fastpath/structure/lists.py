"""Passes that find the lists of a section and give every item its chapeau, whatever the markup's nesting says.

The tree follows the meaning (guidelines section 2): a list belongs to the block that announces it, and a list broken
in two is one list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from regreact.fastpath.structure import labels
from regreact.fastpath.structure.draft import Draft, Node, Role
from regreact.fastpath.structure.totals import announced_total, unfinished

# Confidence of placements that do not follow markup and colon alike.
_ADOPTED, _JOINED, _NO_COLON = 0.85, 0.8, 0.8

_ITEM_END = re.compile(r"(?:[;,]|;\s*(?:and|or)|,\s*(?:and|or))$")


@dataclass(slots=True)
class Listing:
    """One list as the parser sees it: its chapeau (None at the top level) and its items in order."""

    host: int | None
    depth: int
    path: str
    items: list[int] = field(default_factory=list)
    confidence: float = 1.0
    doubt: str = ""

    def unsure(self, confidence: float, why: str) -> None:
        """Lower the confidence to at most this value; the least sure pass names the doubt."""
        if confidence < self.confidence:
            self.confidence, self.doubt = confidence, why

    def marks(self, draft: Draft) -> list[str]:
        """Labels that the source gives to the items."""
        return [draft[i].marker or "-" for i in self.items]


Listings = list[Listing]


def find_paragraph_items(draft: Draft) -> None:
    """Turn unmarked paragraphs after a colon into list items, if they read like items.

    They do if they begin in lower case or end like an item.
    """
    chapeau: Node | None = None
    for node in draft:
        free = node.view.tag == "p" and node.number is None and not node.listed and not node.heading
        if free and chapeau is not None and node.role is Role.OPEN and _reads_like_item(node.text.strip()):
            node.marker = "-"
            node.unsure(_ADOPTED, "paragraph that reads like an item")
            if node.introduces:
                chapeau = node
            continue
        chapeau = node if node.introduces and not node.heading else None


def _reads_like_item(text: str) -> bool:
    return text[:1].islower() or _ITEM_END.search(text) is not None


def hang_lists(draft: Draft) -> Listings:
    """Return the lists of the section, each with its chapeau; sets role and host of every item."""
    listings: Listings = []
    for node in draft:
        if not node.listed or node.role is not Role.OPEN:
            continue
        listing = _open_list(draft, listings, node)
        if listing is None:
            listing = _new_list(draft, node)
            earlier = next((x for x in reversed(listings) if _second_list(draft, x, listing, node)), None)
            if earlier is None:
                listings.append(listing)
            else:
                listing = earlier
                listing.unsure(_JOINED, "list broken in two")
        listing.items.append(node.at)
        node.role = Role.ITEM
    return listings


def _open_list(draft: Draft, listings: Listings, node: Node) -> Listing | None:
    """Return the list that the item continues, None if it opens a new one."""
    for listing in reversed(listings):
        if _same_list(draft, listing, node):
            return listing
    if node.view.tag != "li" or (node.at and draft[node.at - 1].introduces):
        return None
    for continues in (_taken_up, _broken_off):
        for listing in reversed(listings):
            if continues(draft, listing, node):
                listing.unsure(_JOINED, "list broken in two")
                return listing
    return None


def _same_list(draft: Draft, listing: Listing, node: Node) -> bool:
    """True if markup has the item in the list; for labels in the text, if they go on."""
    if listing.path != _path(node) or listing.depth != node.view.depth:
        return False
    if node.view.tag == "p" and node.at - 1 == listing.items[-1] and draft[node.at - 1].introduces:
        return False
    return bool(node.view.list_path) or not _restarts(draft, listing, node)


def _path(node: Node) -> str:
    return node.view.list_path if node.view.tag == "li" else f"text:{node.view.list_path}"


def _restarts(draft: Draft, listing: Listing, node: Node) -> bool:
    """Without list paths: a label that does not follow, or a block of a smaller depth in between, ends a list."""
    between = draft[listing.items[-1] + 1 : node.at]
    if any(n.view.depth < node.view.depth and not n.listed for n in between):
        return True
    if node.marker == "-":
        return draft[listing.items[-1]].marker != "-" or (bool(between) and between[-1].introduces)
    return not _follows(listing.marks(draft), node.marker or "-")


def _rises(marks: list[str], mark: str) -> bool:
    kind = labels.kind_of([*marks, mark])
    if kind is None:
        return False
    last, this = labels.position(marks[-1], kind), labels.position(mark, kind)
    return last is not None and this is not None and this > max(last, 1)


def _follows(marks: list[str], mark: str) -> bool:
    kind = labels.kind_of([*marks, mark])
    if kind is None:
        return False
    last, this = labels.position(marks[-1], kind), labels.position(mark, kind)
    return last is not None and this == last + 1


def _taken_up(draft: Draft, listing: Listing, node: Node) -> bool:
    """True if the label goes on with a list that markup has interrupted or put at another depth.

    "(c)" after "(b)" goes on as long as no numbered criterion stands between them; at another depth nothing but
    list items may.
    """
    between = draft[listing.items[-1] + 1 : node.at]
    marks, mark = listing.marks(draft), node.marker or "-"
    if listing.depth == node.view.depth and _rises(marks, mark):
        return not any(n.number is not None for n in between)
    inside = listing.depth < node.view.depth and _is_first(mark)
    return not inside and _follows(marks, mark) and all(n.listed or n.view.depth > 0 for n in between)


def _is_first(mark: str) -> bool:
    return labels.position(mark, labels.kind_of([mark]) or "letter") == 1


def _broken_off(draft: Draft, listing: Listing, node: Node) -> bool:
    """True if the labels start afresh although nothing announces a list: markup has closed the list too early.

    Paragraphs without number may stand between the parts, if the first part is plainly not the whole list.
    """
    between = draft[listing.items[-1] + 1 : node.at]
    mark = node.marker or "-"
    alike = labels.kind_of([mark]) == labels.kind_of(listing.marks(draft)) and (mark == "-" or _is_first(mark))
    if not alike or listing.depth != node.view.depth:
        return False
    if all(n.view.tag == "p" and n.listed for n in between):
        return True
    plain = all(n.listed or (n.number is None and not n.heading) for n in between)
    return plain and _goes_on(draft, listing, node)


def _goes_on(draft: Draft, listing: Listing, node: Node) -> bool:
    """True if the last item before a block ends with a semicolon, or items are missing that the chapeau announces."""
    last = next(n for n in reversed(draft[: node.at]) if n.listed)
    total = announced_total(draft[listing.host].text) if listing.host is not None else None
    return unfinished(last.text) or (total is not None and len(listing.items) < total)


def _second_list(draft: Draft, earlier: Listing, new: Listing, node: Node) -> bool:
    """True if nothing announces a list whose criterion has one already: it goes on with that one."""
    announced = bool(node.at) and draft[node.at - 1].introduces
    return not announced and new.host is not None and earlier.host == new.host and earlier.depth == new.depth


def _new_list(draft: Draft, node: Node) -> Listing:
    listing = Listing(None, node.view.depth, _path(node))
    previous = draft[node.at - 1] if node.at else None
    if previous is None or previous.role is Role.NOISE:
        listing.host = _owner(draft, node)
    elif previous.introduces:
        listing.host = previous.at
        if node.view.depth != previous.view.depth + 1:
            listing.unsure(_ADOPTED, "list at another depth than its chapeau")
    else:
        listing.host = _owner(draft, node)
        listing.unsure(_NO_COLON, "list that nothing announces")
    return listing


def _owner(draft: Draft, node: Node) -> int | None:
    """Return the block that the markup puts the list under: the item around it, else the paragraph before it."""
    for other in reversed(draft[: node.at]):
        if other.role is Role.NOISE:
            continue
        if node.view.depth > 1:
            path = other.view.list_path
            around = not path or node.view.list_path.startswith(path)
            if other.view.depth == node.view.depth - 1 and other.listed and around:
                return other.at
        elif not other.listed and (other.number is not None or _is_sentence(other)):
            return other.at
    return None


def _is_sentence(node: Node) -> bool:
    """True for a paragraph that can own a list; the cells of a table cannot."""
    return not node.heading and len(node.text.split()) > 5
