"""Passes that repair the nesting of lists by their wording, and label the items (guidelines section 2)."""

from __future__ import annotations

import re
from itertools import pairwise

from regreact.fastpath.structure import labels
from regreact.fastpath.structure.draft import Draft, Node
from regreact.fastpath.structure.lists import Listing, Listings
from regreact.fastpath.structure.reading import FINITE_VERB
from regreact.fastpath.structure.totals import announced_total, connective, unfinished

# Confidence of lists whose nesting was put right.
_UNFOLDED = 0.75
_CONTINUED = "items that continue an item"

# A colon after these words leaves the item open; after a full clause it may be a slip for a semicolon.
_OPENS_SUBLIST = re.compile(
    r"(?:\b(?:includ(?:es?|ing)|compris(?:es?|ing)|cover(?:s|ing)|contain(?:s|ing)|such as|namely|either|consist(?:s|ing)"
    r" of|(?:made up|composed) of|in particular|as follows|for (?:example|instance)|(?:set out|listed) below|that|which"
    r"|with|by|on|of|to|for|from|whether|where)"
    r"|\b(?:the following|these|both|all|each)(?: [\w-]+){0,3})\s*:$",
    re.IGNORECASE,
)
_LIMITS = re.compile(r"\b(?:exceeds?|remains?|stays?|amounts?|accounts?|reach(?:es)?|makes? up)\b")
_CASE_FIRST = re.compile(r"(?:where|if|when|for|in case|until|from)\b", re.IGNORECASE)
_RELATIVE = re.compile(r"\b(?:that|which|who|whose|where|of which)\b")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_PLAIN_OPENERS = frozenset("the a an where for if in all any".split())


def lift_complete(draft: Draft, listings: Listings) -> None:
    """Move items that stand one level too deep up beside their host.

    They do if nothing announces them and the host is a complete item, closed with a semicolon, or if the chapeau
    of the outer list announces as many items as both lists have together.
    """
    for inner in list(listings):
        host = inner.host
        outer = next((x for x in listings if host in x.items), None)
        if host is None or outer is None or draft[host].introduces:
            continue
        total = announced_total(draft[outer.host].text) if outer.host is not None else None
        if not unfinished(draft[host].text) and total != len(outer.items) + len(inner.items):
            continue
        place = outer.items.index(host) + 1
        outer.items[place:place] = inner.items
        listings.remove(inner)
        outer.path = ""
        outer.unsure(_UNFOLDED, "items one level too deep")


def unfold_siblings(draft: Draft, listings: Listings) -> None:
    """Make the items that continue an "including:" item its children, where the markup has them as siblings.

    They end where an item takes up the wording of the earlier ones, or after a full stop.
    """
    for listing in list(listings):
        at = 0
        while at < len(listing.items) - 1:
            children = _unfolded(draft, listing, at)
            if children:
                host = listing.items[at]
                nested = Listing(host, listing.depth + 1, "", children, _UNFOLDED, _CONTINUED)
                listings.append(nested)
                del listing.items[at + 1 : at + 1 + len(children)]
                listing.path = ""
                listing.unsure(_UNFOLDED, _CONTINUED)
                for child in children:
                    draft[child].marker = "-"
            at += 1


def _unfolded(draft: Draft, listing: Listing, at: int) -> list[int]:
    here, after = listing.items[at], listing.items[at + 1]
    if after != here + 1 or not _OPENS_SUBLIST.search(draft[here].text.strip()):
        return []
    following = listing.items[at + 1 :]
    counted = _counted(draft, listing, at)
    if counted is not None:
        return following[:counted]
    first = [_first_word(draft[i]) for i in following]
    earlier = {_first_word(draft[i]) for i in listing.items[: at + 1]}
    if first[0] in earlier and first[0] not in _PLAIN_OPENERS:
        return []
    closed = _closed(draft, following)
    if closed is not None:
        return following[:closed]
    for count in range(1, len(following)):
        if draft[following[count - 1]].text.rstrip().endswith(".") or (count > 1 and _resumes(first, count, earlier)):
            return following[:count]
    return following


def _counted(draft: Draft, listing: Listing, at: int) -> int | None:
    """Return how many items an item has below it by the numbers in its words or in those of its chapeau."""
    left = len(listing.items) - at - 1
    own = announced_total(draft[listing.items[at]].text)
    if own is None and listing.host is not None:
        total = announced_total(draft[listing.host].text)
        own = len(listing.items) - total if total is not None else None
    return own if own is not None and 0 < own <= left else None


def _closed(draft: Draft, following: list[int]) -> int | None:
    """Return how many items make up an inner list whose punctuation tells its end, None if it does not.

    Its items end with commas and the last with a semicolon; or "and" or "or" stands before its last item, and
    more items follow.
    """
    ends = [draft[i].text.rstrip() for i in following]
    if ends[0].endswith(","):
        semicolon = next((n for n, end in enumerate(ends, start=1) if end.endswith(";")), None)
        if semicolon is not None:
            return semicolon
    linked = next((n for n, end in enumerate(ends, start=1) if connective(end)), None)
    return linked + 1 if linked is not None and linked + 1 < len(ends) else None


def _resumes(first: list[str], count: int, earlier: set[str]) -> bool:
    """True if the first word of the item after `count` nested ones shows that the outer list goes on."""
    alike = first[0] == first[1]
    word = first[count]
    return word != first[0] if alike else word in earlier


def lift_tails(draft: Draft, listings: Listings) -> None:
    """Move items that markup has left in an inner list up to the outer one.

    They are told by the wording, where the outer list has one item only: that item is "it …:", and the inner list
    goes over from other forms to "it …"; or that item is a clause, and the inner list goes over from phrases without
    a verb ("by day, 50 dB;") to clauses.
    """
    for outer in list(listings):
        inner = next((x for x in listings if outer.items[-1] == x.host), None)
        if inner is None or len(outer.items) > 1:
            continue
        start = _resumed(draft, outer.items[0], inner.items) or _clauses_from(draft, outer.items[0], inner.items)
        if not start:
            continue
        outer.items.extend(inner.items[start:])
        del inner.items[start:]
        outer.path = ""
        outer.unsure(_UNFOLDED, "items left in an inner list")


def _resumed(draft: Draft, host: int, items: list[int]) -> int:
    """Return how many items stand before those that all begin like the host, 0 if there are none."""
    word = _first_word(draft[host])
    same = [_first_word(draft[i]) == word for i in items]
    start = same.index(True) if True in same else 0
    return start if word not in _PLAIN_OPENERS and all(same[start:]) else 0


def _clauses_from(draft: Draft, host: int, items: list[int]) -> int:
    """Return how many phrases without a verb stand before the clauses of a list, 0 if the two do not part so.

    A phrase that opens with the words of a case ("where …") goes on in the inner list.
    """
    clauses = [_is_clause(draft[i]) for i in items]
    start = clauses.index(True) if True in clauses else 0
    wanted = announced_total(draft[host].text)
    complete = wanted == start if wanted is not None else start > 1
    return start if complete and _is_clause(draft[host]) and all(clauses[start:]) else 0


def _is_clause(node: Node) -> bool:
    """True if an item has a verb of its own, not one of a relative clause or of a case."""
    verb = FINITE_VERB.search(node.text) or _LIMITS.search(node.text)
    if verb is None or _CASE_FIRST.match(node.text):
        return False
    return _RELATIVE.search(node.text[: verb.start()]) is None or len(FINITE_VERB.findall(node.text)) > 1


def _first_word(node: Node) -> str:
    match = _FIRST_WORD.search(node.text)
    return match[0].lower() if match else ""


def label_items(draft: Draft, listings: Listings) -> None:
    """Give every item its host and label: the item's own marker, counted through where the list was repaired.

    Bullets are lettered, below a lettered item they take numerals. A list item without chapeau will be read as a
    numbered criterion: numerals below it belong to the level that it has left, so letters take their place.
    """
    kinds: dict[int, labels.LabelKind] = {}
    for listing in sorted(listings, key=lambda x: x.items[0]):
        marks = listing.marks(draft)
        own = labels.kind_of(marks)
        outermost = listing.host is not None and draft[listing.host].listed and draft[listing.host].host is None
        if own == "roman" and outermost:
            own = None
        above = kinds.get(listing.host) if listing.host is not None and not outermost else None
        kind = own or labels.below(above)
        places = [labels.position(m, kind) for m in marks] if own else []
        known = [p for p in places if p is not None]
        rising = len(known) == len(marks) and all(b > a for a, b in pairwise(known))
        kept = rising and listing.path != ""
        for count, at in enumerate(listing.items, start=1):
            node = draft[at]
            node.host = listing.host
            node.label = marks[count - 1] if kept else labels.make(kind, count)
            node.unsure(listing.confidence, listing.doubt)
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
