"""Which criterion an unnumbered paragraph belongs to (paper E.1, guidelines section 2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from regreact.fastpath.cues import anchored_type
from regreact.fastpath.structure import labels
from regreact.fastpath.structure.draft import Draft, Node, Role
from regreact.fastpath.structure.names import LAST_LABEL, Names
from regreact.fastpath.structure.points import Point, normalise, points, subject_points, this_point
from regreact.fastpath.structure.serving import content_words, subject

_ANY = re.compile(r"^\w+")
_ABOUT_VALIDATION = frozenset(
    {"what the Commission or Member States do", "what the validator weighs", "independence of the validator"}
)
_WHOLE_SECTION = re.compile(r"^for the purposes? of this (?:section|activity|annex)\b", re.IGNORECASE)
_RESTATED = re.compile(r"\bthe requirements? (?:that|on|to)\b", re.IGNORECASE)
_RESUMES = re.compile(
    r"^(?:on the basis of (?:the|those|these|such)|as a result of (?:the|this|that)|when undertaking the"
    r"|the independent)\b",
    re.IGNORECASE,
)
# Words that any criterion may be called by.
_NO_QUANTITY = content_words("quantified threshold value limit requirement criteria criterion compliance result")
_REFERRED = re.compile(
    r"(?:,\s*)?\b(?:referred to|specified|set out|laid down|mentioned|stated)\s+in\s+(?:the )?points?\s*$"
)
# "The machines are …", "The source of the heat has …": the words of the subject.
_THE_THING = re.compile(
    r"(?:The|That|Those|These|This|Such(?: an?)?) ((?:(?!\b(?:is|are|was|were|has|have|does|do|may|shall|must|can|will)\b)"
    r"[\w-]+ ?){1,5})"
)
# Subjects that say nothing of an item.
_NO_THING = _NO_QUANTITY | content_words("activity operator undertaking following point condition case owner")


@dataclass(frozen=True, slots=True)
class Anchor:
    """The criterion a paragraph belongs to, as a position, with the rule that found it."""

    at: int
    rule: str
    confidence: float
    span: tuple[int, int] | None = None


AnchorRule = Callable[[Draft, Names, Node], Anchor | None]


def _whole_section(draft: Draft, names: Names, node: Node) -> Anchor | None:
    """ "For the purposes of this Section, …" goes to the first criterion it serves (ruling R19)."""
    match = _WHOLE_SECTION.match(node.text)
    first = next((n.at for n in draft[: node.at] if n.role is Role.NUMBER and not n.heading), None)
    return Anchor(first, "whole section", 0.75, match.span()) if match and first is not None else None


def _named_point(draft: Draft, names: Names, node: Node) -> Anchor | None:
    """ "Compliance with point 1(b) is verified": the point named as subject, corrected if the source errs."""
    for point in subject_points(node.text):
        at = resolve(draft, names, node, point)
        if at is not None:
            return Anchor(at, "named point", 0.95, (point.start, point.end))
    return None


def _between_parts(draft: Draft, names: Names, node: Node) -> Anchor | None:
    """A paragraph that stands between two parts of one list belongs to the item before it."""
    later = next((n for n in draft[node.at + 1 :] if n.role in (Role.ITEM, Role.NUMBER)), None)
    if later is None or later.role is not Role.ITEM or node.view.depth:
        return None
    before = next((n for n in reversed(draft[: node.at]) if n.role is Role.ITEM and n.host == later.host), None)
    return Anchor(before.at, "between the parts of a list", 0.75) if before is not None else None


def _inside_item(draft: Draft, names: Names, node: Node) -> Anchor | None:
    """A paragraph inside a list item belongs to the item.

    Right after the last item of an inner list it belongs to the item around that list: markup puts the
    paragraphs that close a list into its last item.
    """
    if not node.view.depth:
        return None
    item = enclosing_item(draft, node)
    if item is None:
        return None
    own = this_point(node.text) or any(p.relative for p in points(node.text))
    follows_directly = all(n.role is Role.ANCHORED for n in draft[item.at + 1 : node.at])
    host = item.host
    if host is None or own or not follows_directly or not _closes_list(draft, item, node):
        return Anchor(item.at, "inside the item", 0.9)
    if draft[host].role is Role.ITEM or (item.view.depth > 1 and draft[host].role is Role.NUMBER):
        return Anchor(host, "after the inner list", 0.75)
    return Anchor(item.at, "inside the item", 0.85)


def enclosing_item(draft: Draft, node: Node) -> Node | None:
    """Return the item of the markup that a paragraph inside a list stands in."""
    for other in reversed(draft[: node.at]):
        if other.view.tag == "li" and other.view.depth <= node.view.depth:
            same = other.view.list_path == node.view.list_path
            if other.view.depth == node.view.depth and (same or not node.view.list_path):
                return other if other.role in (Role.ITEM, Role.NUMBER) else None
            if other.view.depth < node.view.depth:
                return other if other.role in (Role.ITEM, Role.NUMBER) else None
    return None


def _closes_list(draft: Draft, item: Node, node: Node) -> bool:
    return not any(n.role is Role.ITEM and n.host == item.host for n in draft[node.at + 1 :])


def _restated(draft: Draft, names: Names, node: Node) -> Anchor | None:
    """ "… is a proof of the requirement that dust stays inside": the list item whose words it repeats."""
    match = _RESTATED.search(node.text)
    nearest = names.nearest
    if match is None or nearest is None:
        return None
    words = content_words(node.text[match.end() :])
    below = [n for n in draft[nearest.at : node.at] if n.role is Role.ITEM]
    scored = [(len(words & content_words(n.text)) / max(1, len(words)), n.at) for n in below]
    best = max(scored, default=(0.0, -1))
    # More than half of the restated words stand in the item.
    return Anchor(best[1], "restated requirement", 0.7, match.span()) if best[0] > 0.5 else None


def _resumes(draft: Draft, names: Names, node: Node) -> Anchor | None:
    """ "On the basis of the reports, …" stays with the anchor of the paragraph before it."""
    before = next((n for n in reversed(draft[: node.at]) if n.role is Role.ANCHORED), None)
    nearest = names.nearest
    if before is None or before.host is None or (nearest is not None and nearest.at > before.at):
        return None
    cue = anchored_type(node.text)
    match = _RESUMES.match(node.text) or (_ANY.match(node.text) if cue.rule in _ABOUT_VALIDATION else None)
    return Anchor(before.host, "resumes the paragraph before", 0.75, match.span()) if match else None


def _thing_of_item(draft: Draft, names: Names, node: Node) -> Anchor | None:
    """ "The lids are …": the list item that alone speaks of lids, if its chapeau does not."""
    match = _THE_THING.match(node.text)
    nearest = names.nearest
    if match is None or nearest is None or node.view.depth:
        return None
    words = content_words(match[1]) - _NO_THING
    if not words or any(n.role is Role.ANCHORED for n in draft[nearest.at : node.at] if n.introduces):
        return None
    shares = [
        (len(words & content_words(n.text)) / len(words), n.at)
        for n in draft[nearest.at : node.at]
        if n.role is not Role.ANCHORED
    ]
    best, at = max(shares)
    # At least half of the words stand in the item, and fewer of them anywhere else.
    alone = sum(share == best for share, _ in shares) == 1 and draft[at].role is Role.ITEM
    return Anchor(at, "thing named in one item", 0.7, match.span(1)) if alone and best >= 0.5 else None


def _quantity(draft: Draft, names: Names, node: Node) -> Anchor | None:
    """ "Heat losses are calculated …": the nearest criterion that names the quantity."""
    cue = anchored_type(node.text)
    if cue.rule not in ("calculation", "validated by others") or node.view.depth:
        return None
    words = content_words(subject(node.text, cue)) - _NO_QUANTITY
    if not words:
        return None
    for criterion in reversed([n for n in draft[: node.at] if n.role is Role.NUMBER]):
        if criterion.heading:
            break
        share = len(words & content_words(_with_items(draft, criterion))) / len(words)
        if share > 0.5:
            return Anchor(criterion.at, "same quantity", 0.9, (cue.start, cue.end))
    return None


def _with_items(draft: Draft, criterion: Node) -> str:
    own = [criterion.text]
    for node in draft[criterion.at + 1 :]:
        if node.role is not Role.ITEM:
            break
        own.append(node.text)
    return " ".join(own)


def _nearest(draft: Draft, names: Names, node: Node) -> Anchor | None:
    """Else the nearest preceding criterion, whose obligation it continues."""
    nearest = names.nearest
    return Anchor(nearest.at, "nearest preceding criterion", 0.85) if nearest is not None else None


ANCHOR_RULES: tuple[AnchorRule, ...] = (
    _whole_section,
    _named_point,
    _resumes,
    _between_parts,
    _inside_item,
    _restated,
    _thing_of_item,
    _quantity,
    _nearest,
)
"""Asked in this order; the first that answers decides."""


def find_anchor(draft: Draft, names: Names, node: Node) -> Anchor | None:
    """Return the criterion that an unnumbered paragraph belongs to, None if none stands before it.

    Args:
        draft: The section; all blocks before the paragraph have their places.
        names: Identifiers of the section, and the last numbered or counted criterion before the paragraph.
        node: The paragraph.
    """
    return next((a for rule in ANCHOR_RULES if (a := rule(draft, names, node)) is not None), None)


def resolve(draft: Draft, names: Names, node: Node, point: Point) -> int | None:
    """Return the position of a cited point, after correction; None if it is not in the section."""
    ids = {names.id_of(n.at): n.at for n in draft[: node.at]}
    if point.relative:
        found = [at for i, at in ids.items() if i and _is_number(i.removesuffix(point.path)) and i.endswith(point.path)]
        printed = max(found, default=None)
    else:
        printed = ids.get(corrections(draft, names).get(point.path, point.path))
    meant = described(draft, names, node, point, printed)
    if meant is None and names.find(point.path) is None:
        return _misprinted(draft, names, node, point)
    return meant


def _misprinted(draft: Draft, names: Names, node: Node, point: Point) -> int | None:
    """Return what is meant by a point that does not exist: a numeral for a letter, or another number with the letter.

    "Point 1(ii)" is the second item of 1; "point 3(b)" is 2(b), if the paragraph takes up the words of 2(b).
    """
    part = LAST_LABEL.search(point.path)
    stem = normalise(point.path[: part.start()]) if part else ""
    if part is None or not stem:
        return None
    above = names.find(stem)
    items = names.children(above) if above is not None else []
    if items:
        kind = labels.kind_of([n.label for n in items])
        other: labels.LabelKind = "letter" if kind == "roman" else "roman"
        place = labels.position(part[1], other)
        return items[place - 1].at if place is not None and place <= len(items) else above
    nearest = names.nearest
    same = names.find(f"{names.id_of(nearest.at)}({part[1]})") if nearest is not None else None
    if nearest is None or same is None:
        return None
    own = content_words(draft[same].text) - content_words(nearest.text)
    return same if own & content_words(node.text) else None


def described(draft: Draft, names: Names, node: Node, point: Point, printed: int | None) -> int | None:
    """Return what the words before "referred to in point …" describe: the printed point, unless another fits better.

    "The winter value referred to in point 1(d)" means the item that speaks of winter, if 1(d) does not.
    """
    match = _REFERRED.search(node.text[: point.start])
    words = content_words(node.text[: match.start()]) - _NO_QUANTITY if match else set()
    if not words:
        return printed
    own = _family_text(draft, printed) if printed is not None else ""
    items = [n for n in draft[: node.at] if n.role is Role.ITEM]
    scored = [(len(words & content_words(n.text)) / len(words), -n.at) for n in items]
    best, at = max(scored, default=(0.0, 0))
    share = len(words & content_words(own)) / len(words)
    # At least half of the words, and plainly more than the printed point has.
    return -at if best >= 0.5 and best - share > 0.3 else printed


def _family_text(draft: Draft, at: int) -> str:
    below = [n.text for n in draft if n.host == at and n.role is Role.ITEM]
    return " ".join([draft[at].text, *below])


def _is_number(text: str) -> bool:
    return text.replace(".", "").isdigit()


def corrections(draft: Draft, names: Names) -> dict[str, str]:
    """Return the points that are cited with sub-points they do not have, and the sibling that is meant.

    "Point 1(b)(v)" where 1(b) has no list, or does not exist, can only mean the one item of 1 whose list reaches (v).
    """
    found: dict[str, str] = {}
    for stem, reach in names.cited_items.items():
        at = names.find(stem)
        siblings = _siblings(draft, names, stem, at)
        if siblings is None or (at is not None and names.children(at)):
            continue
        fitting = [n for n in siblings if len(names.children(n.at)) >= reach]
        if len(fitting) == 1:
            found[stem] = names.id_of(fitting[0].at) or stem
    return found


def _siblings(draft: Draft, names: Names, stem: str, at: int | None) -> list[Node] | None:
    """Return the list that a cited point stands in, or would stand in if it existed; None if there is none."""
    host = draft[at].host if at is not None else names.find(stem[: stem.rindex("(")])
    return None if host is None else [n for n in draft if n.role is Role.ITEM and n.host == host]
