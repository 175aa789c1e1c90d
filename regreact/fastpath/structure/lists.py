"""Passes that give every list item its chapeau and its label, whatever the markup's nesting says.

The tree follows the meaning (guidelines section 2): a list belongs to the block that announces it; a list broken
in two is one list; items that continue an "including:" item are its children.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from regreact.fastpath.structure import labels
from regreact.fastpath.structure.draft import Draft, Node, Role

# Confidence of placements that do not follow markup and colon alike.
_ADOPTED, _JOINED, _UNFOLDED, _NO_COLON = 0.85, 0.8, 0.75, 0.8

_ITEM_END = re.compile(r"(?:[;,]|;\s*(?:and|or)|,\s*(?:and|or))$")
_OPENS_SUBLIST = re.compile(
    r"\b(?:includ(?:es?|ing)|following|such as|namely|either|consist(?:s|ing) of|in particular)\s*:$", re.IGNORECASE
)
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_PLAIN_OPENERS = frozenset("the a an where for if it in all any".split())


@dataclass(slots=True)
class Listing:
    """One list as the parser sees it: its chapeau (None at the top level) and its items in order."""

    host: int | None
    depth: int
    path: str
    items: list[int] = field(default_factory=list)
    confidence: float = 1.0

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
            node.unsure(_ADOPTED)
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
            listing = _new_list(draft, listings, node)
            listings.append(listing)
        listing.items.append(node.at)
        node.role = Role.ITEM
    return listings


def _open_list(draft: Draft, listings: Listings, node: Node) -> Listing | None:
    """Return the list that the item continues."""
    previous = draft[node.at - 1] if node.at else None
    announced = previous is not None and previous.introduces
    for listing in reversed(listings):
        same = listing.path == _path(node) and listing.depth == node.view.depth
        if same and (node.view.list_path or not _restarts(draft, listing, node)):
            if node.view.tag == "li" or not announced or draft[listing.items[-1]] is not previous:
                return listing
            return None
        if _current(draft, listing, node) and not announced and _continues(draft, listing, node):
            listing.confidence = min(listing.confidence, _JOINED)
            return listing
    return None


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


def _current(draft: Draft, listing: Listing, node: Node) -> bool:
    """True if no other criterion has begun since: a paragraph outside lists, or for "(c)" after "(b)" a number."""
    between = draft[listing.items[-1] + 1 : node.at]
    if node.view.depth == listing.depth and _rises(listing.marks(draft), node.marker or "-"):
        return not any(n.number is not None for n in between)
    return all(n.listed or n.view.depth > 0 for n in between)


def _continues(draft: Draft, listing: Listing, node: Node) -> bool:
    """True if the item takes up a list that the markup has broken in two or put at another depth."""
    if node.view.tag != "li":
        return False
    if _rises(listing.marks(draft), node.marker or "-") and listing.depth == node.view.depth:
        return True
    if _follows(listing.marks(draft), node.marker or "-"):
        return not (listing.depth < node.view.depth and _inside(draft, listing, node))
    return listing.depth == node.view.depth and _broken_off(draft, listing, node)


def _inside(draft: Draft, listing: Listing, node: Node) -> bool:
    """True if the markup puts the item into an item of the list and its own list opens there afresh."""
    return labels.position(node.marker or "-", labels.kind_of([node.marker or "-"]) or "letter") == 1


def _broken_off(draft: Draft, listing: Listing, node: Node) -> bool:
    """True if the labels start afresh although the last item's own sub-items have just ended."""
    between = draft[listing.items[-1] + 1 : node.at]
    return bool(between) and all(n.view.tag == "p" and n.listed for n in between)


def _new_list(draft: Draft, listings: Listings, node: Node) -> Listing:
    listing = Listing(None, node.view.depth, _path(node))
    previous = draft[node.at - 1] if node.at else None
    if previous is None or previous.role is Role.NOISE:
        listing.host = _owner(draft, node)
    elif previous.introduces:
        listing.host = previous.at
        if node.view.depth != previous.view.depth + 1:
            listing.confidence = _ADOPTED
    else:
        listing.host = _owner(draft, node)
        listing.confidence = _NO_COLON
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


def unfold_siblings(draft: Draft, listings: Listings) -> None:
    """Make the items that continue an "including:" item its children, where the markup has them as siblings.

    They end where an item takes up the wording of the earlier ones, else after the first full stop.
    """
    for listing in list(listings):
        at = 0
        while at < len(listing.items) - 1:
            children = _unfolded(draft, listing, at)
            if children:
                host = listing.items[at]
                nested = Listing(host, listing.depth + 1, "", children, _UNFOLDED)
                listings.append(nested)
                del listing.items[at + 1 : at + 1 + len(children)]
                listing.path = ""
                listing.confidence = min(listing.confidence, _UNFOLDED)
                for child in children:
                    draft[child].marker = "-"
            at += 1


def _unfolded(draft: Draft, listing: Listing, at: int) -> list[int]:
    here, after = listing.items[at], listing.items[at + 1]
    if after != here + 1 or not _OPENS_SUBLIST.search(draft[here].text.strip()):
        return []
    earlier = {_first_word(draft[i]) for i in listing.items[: at + 1]}
    following = listing.items[at + 1 :]
    first = _first_word(draft[after])
    if first in earlier and first not in _PLAIN_OPENERS:
        return []
    if first not in earlier:
        for count, item in enumerate(following):
            if _first_word(draft[item]) in earlier:
                return following[:count]
    for count, item in enumerate(following[:-1], start=1):
        if draft[item].text.rstrip().endswith("."):
            return following[:count]
    return following


def _first_word(node: Node) -> str:
    match = _FIRST_WORD.search(node.text)
    return match[0].lower() if match else ""


def label_items(draft: Draft, listings: Listings) -> None:
    """Give every item its host and label: the item's own marker, counted through where the list was repaired.

    Bullets are lettered, below a lettered item they take numerals.
    """
    kinds: dict[int, labels.LabelKind] = {}
    for listing in sorted(listings, key=lambda x: x.items[0]):
        marks = listing.marks(draft)
        own = labels.kind_of(marks)
        kind = own or labels.below(kinds.get(listing.host) if listing.host is not None else None)
        places = [labels.position(m, kind) for m in marks] if own else []
        known = [p for p in places if p is not None]
        rising = len(known) == len(marks) and all(b > a for a, b in pairwise(known))
        kept = rising and listing.path != ""
        for count, at in enumerate(listing.items, start=1):
            node = draft[at]
            node.host = listing.host
            node.label = marks[count - 1] if kept else labels.make(kind, count)
            node.unsure(listing.confidence)
            kinds[at] = kind
            _cite(draft, node)


def _cite(draft: Draft, node: Node) -> None:
    if node.label_span is not None:
        node.cite(*node.label_span)
    elif node.host is not None and draft[node.host].introduces:
        chapeau = draft[node.host]
        end = len(chapeau.text.rstrip())
        start = chapeau.text.rstrip().rfind(" ") + 1
        node.evidence.append((chapeau.view.index, start, end))
