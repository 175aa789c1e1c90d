"""First passes: what numbers, markers, headings and colons of the blocks say (guidelines section 2)."""

from __future__ import annotations

import re

from regreact.fastpath.structure.draft import Draft, Node, Role

# "1. Text", "2.1. Text", "3.Text": a number closed by a full stop. "1.2 Text" without one is read only where the
# sequence makes it plain, since a quantity could open a paragraph too ("1.5 MW plants …").
_DOTTED = re.compile(r"(\d{1,2}(?:\.\d{1,2})*)\.\s*(?=[^\W\d]|[‘“\"(\[])")
_UNDOTTED = re.compile(r"(\d{1,2}(?:\.\d{1,2})+)\s+(?=[A-Z‘“])")
_BRACKETED = re.compile(r"\(?(\d{1,2})\)\s+(?=[A-Za-z‘“])")
_ROMAN_HEADING = re.compile(r"([IVX]{1,4})\.\s+(?=[A-Z])")
_LETTER = re.compile(r"\(([a-z]{1,5})\)\s+|([a-z])\)\s+")
_BULLET = re.compile(r"[-–—•·]\s+")
_NUMERIC = re.compile(r"\d{1,2}(?:\.\d{1,2})*\.?")
_FOOTNOTE_TAIL = re.compile(r"(?:\s*\(\d{1,3}\))+\s*$")
_ANNOUNCES = re.compile(r"(?::[\s–—-]*|\bthe following)$")
_MAX_HEADING_WORDS = 16
FINITE_VERB = re.compile(
    r"\b(?:is|are|was|were|be|has|have|does|do|may|shall|must|compl(?:y|ies)|uses?|meets?|ensures?|provides?)\b"
)


def read_numbers(draft: Draft) -> None:
    """Read explicit numbers: "1.", "2.1.", "1.2 Text", "(1)", and the numeric markers of outermost lists."""
    for node in draft:
        if node.view.tag == "p":
            _read_text_number(node)
    _read_undotted(draft)
    _read_numeric_markers(draft)


def _read_text_number(node: Node) -> None:
    match = _DOTTED.match(node.text)
    if match is None and node.view.heading:
        match = _ROMAN_HEADING.match(node.text)
    if match is None and not node.view.depth:
        match = _BRACKETED.match(node.text)
    if match is not None:
        node.number, node.label_span = match[1], match.span(1)


def _read_undotted(draft: Draft) -> None:
    seen: set[str] = set()
    for node in draft:
        match = _UNDOTTED.match(node.text) if node.number is None and node.view.tag == "p" else None
        if match is not None:
            stem, _, last = match[1].rpartition(".")
            # The sequence vouches for it: the criterion above or the one before stands in the text.
            if stem in seen or f"{stem}.{int(last) - 1}" in seen:
                node.number, node.label_span = match[1], match.span(1)
        if node.number is not None:
            seen.add(node.number)


def _read_numeric_markers(draft: Draft) -> None:
    """Take numeric list markers for numbers where the list is the numbered top level or part of it.

    It is the top level if nothing but a chapeau stands before it and no paragraph has a number; "2.1" is part of
    it where "2" is a number.
    """
    numbered = {n.number for n in draft if n.number is not None}
    top_path: str | None = None
    for node in draft:
        marker = node.view.marker
        if node.view.tag != "li" or marker is None or not _NUMERIC.fullmatch(marker):
            continue
        number = marker.rstrip(".")
        if "." in number:
            if number.rpartition(".")[0] in numbered or not numbered:
                node.number = number
        elif node.view.depth == 1 and _opens_top_level(draft, node, top_path, numbered):
            top_path = node.view.list_path
            node.number = number
        if node.number is not None:
            numbered.add(node.number)


def _opens_top_level(draft: Draft, node: Node, top_path: str | None, numbered: set[str]) -> bool:
    if top_path is not None:
        return node.view.list_path == top_path or str(int(node.view.marker or "0") - 1) in numbered
    before = [n for n in draft[: node.at] if n.view.tag == "p" and not n.view.heading]
    return not any(n.number for n in draft[: node.at]) and len(before) <= 1


def read_markers(draft: Draft) -> None:
    """Read list labels: those of the markup, and "(i) ", "a) ", "– " at the beginning of a paragraph."""
    for node in draft:
        if node.number is not None:
            continue
        if node.view.tag == "li":
            node.marker = (node.view.marker or "-").strip("().") or "-"
        elif match := _LETTER.match(node.text):
            node.marker, node.label_span = match[1] or match[2], (match.start(), match.end())
        elif match := _BULLET.match(node.text):
            node.marker, node.label_span = "-", (match.start(), match.end())


def read_headings(draft: Draft) -> None:
    """Mark blocks that only name a topic (ruling R1): emphasised or numbered, short, and no sentence."""
    for node in draft:
        body = node.text[node.label_span[1] :] if node.label_span else node.text
        closed = _FOOTNOTE_TAIL.sub("", body).rstrip().endswith((".", ";", ","))
        short = 0 < len(body.split()) <= _MAX_HEADING_WORDS
        if node.view.depth or closed or not short:
            continue
        named = node.number is not None and not body.rstrip().endswith(":") and not FINITE_VERB.search(body)
        node.heading = node.view.heading or named


def read_introductions(draft: Draft) -> None:
    """Mark blocks that announce a list: a colon or "the following" at the end."""
    for node in draft:
        node.introduces = _ANNOUNCES.search(_FOOTNOTE_TAIL.sub("", node.text).rstrip()) is not None


def drop_noise(draft: Draft) -> None:
    """Set blocks without a letter or digit aside as layout."""
    for node in draft:
        if not any(c.isalnum() for c in node.text):
            node.role = Role.NOISE
