"""From typed lines to provisions with addresses, by the grammar of drafting."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from regreact.rag.act import Content, DocumentFormat, LegalAct, Provision, ProvisionKind, Table
from regreact.rag.convert import labels
from regreact.rag.convert.grammar import classify
from regreact.rag.convert.labels import Ordinal, Reading
from regreact.rag.convert.lines import Line

# Divisions, outermost first; a division closes those of its rank and below.
_RANK = {"prt": 1, "ttl": 2, "chp": 3, "sec": 4}
_NOUNS: dict[str, ProvisionKind] = {"part": "prt", "title": "ttl", "chapter": "chp", "section": "sec", "cmc": "cmc"}
_DIVISION = re.compile(r"(?i)(part|title|chapter|section|sub-?section|table|cmc)\s+([0-9]+[a-z]?|[a-z]+)\b[.:]?")
_STRUCTURE = ("division", "article", "annex", "appendix", "end", "recital", "title")


@dataclass
class _Node:
    kind: ProvisionKind | None
    label: str = ""
    heading: str = ""
    depth: int = 0
    content: list[str | Table | _Node] = field(default_factory=list)
    last: dict[str, Ordinal] = field(default_factory=dict)  # of each list below, the label it has come to

    @property
    def tail(self) -> str:
        """Text printed last in it, itself included, without what is below."""
        return next((part for part in reversed(self.content) if isinstance(part, str)), self.heading)

    @property
    def is_item(self) -> bool:
        return self.kind in ("par", "pnt", "ind")


class _Builder:
    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.root = _Node(None)
        self.stack = [self.root]
        self.title: list[str] = []
        self.notes: list[str] = []
        self.awaiting = False  # a label stood on a line of its own
        self.position = 0

    # --- lines ---------------------------------------------------------------------------------------------

    def read(self) -> None:
        for self.position, line in enumerate(self.lines):
            if line.quoted:
                self._add(line)
            elif line.role == "title":
                self.title.append(line.text)
            elif line.role == "note":
                self.notes.append(f"{line.label} {line.text}".strip())
            elif line.role in ("recital", "article", "annex", "appendix", "division", "end"):
                self._structure(line)
            elif line.role == "heading":
                self._heading(line)
            elif line.label and not line.table and self._item(line):
                continue
            else:
                self._text(line)

    def _structure(self, line: Line) -> None:
        role, label = line.role, _number(line.label)
        self.awaiting = False
        if role == "end":
            self.stack = [self.root]
            self._add(line)
        elif role == "recital":
            self.stack = [self.root]
            self._open("rec", label).content.extend([line.text] if line.text else [])
        elif role == "article":
            while self.top.kind not in (None, *_RANK) or self._annex:
                self.stack.pop()
            self._open("art", label, line.text)
        elif role == "annex":
            outer = self._annex
            self.stack = self.stack[: self.stack.index(outer) + 1] if outer and line.depth > 1 else [self.root]
            self._open("anx", label, line.text)
        elif role == "appendix":
            outer = self._annex
            self.stack = self.stack[: self.stack.index(outer) + 1] if outer else [self.root]
            self._open("apx", label, line.text)
        else:
            self._division(line)

    def _division(self, line: Line) -> None:
        found = _DIVISION.match(line.label) or _DIVISION.match(line.text)
        noun = found[1].lower() if found else "section"
        label = found[2] if found else labels.bare(line.label)
        kind: ProvisionKind = "tbl" if noun == "table" else _NOUNS.get(noun, "sec")
        rank = _RANK.get(kind, 5)
        while self.top.kind not in (None, "anx", "apx") and _RANK.get(self.top.kind or "", 9) >= rank:
            self.stack.pop()
        self._open(kind, label, line.text)

    def _heading(self, line: Line) -> None:
        while self.top.is_item and self.top.content:
            self.stack.pop()
        if self.top.kind and not self.top.content and not line.label:
            self.top.heading = f"{self.top.heading} {line.text}".strip()
        elif not (line.label and self._item(line)):
            self._add(line)

    # --- items of lists ------------------------------------------------------------------------------------

    def _item(self, line: Line) -> bool:
        ways = labels.readings(line.label)
        if not ways:
            return False
        found = self._at_depth(line, ways) or self._continued(ways) or self._begun(ways)
        if not found:
            if line.role == "text":
                return False
            found = self.top, ways[0]
        parent, reading = found
        del self.stack[self.stack.index(parent) + 1 :]
        kind: ProvisionKind = "ind" if reading.series == "-" else "par" if self._is_par(parent, line) else "pnt"
        ordinal = (parent.last[reading.series][0] + 1,) if kind == "ind" and "-" in parent.last else reading.ordinal
        parent.last[reading.series] = ordinal
        node = self._open(kind, str(ordinal[0]) if kind == "ind" else labels.bare(line.label))
        node.depth = line.depth
        if line.text:
            node.content.append(line.text)
        self.awaiting = not line.text
        return True

    def _is_par(self, parent: _Node, line: Line) -> bool:
        """Numbered items of an article are paragraphs unless they hang on an unnumbered introductory sentence."""
        if parent.kind != "art" or not re.match(r"\(?\d", line.label):
            return False
        siblings = [part for part in parent.content if isinstance(part, _Node) and part.kind in ("par", "pnt")]
        if siblings:
            return siblings[-1].kind == "par"
        return not parent.tail.endswith((":", "—")) or parent.tail == parent.heading

    def _at_depth(self, line: Line, ways: tuple[Reading, ...]) -> tuple[_Node, Reading] | None:
        if not line.depth:
            return None
        parent = next(n for n in reversed(self.stack) if not n.is_item or n.kind == "par" or n.depth < line.depth)
        exact = [w for w in ways if w.series in parent.last and w.follows(parent.last[w.series])]
        return parent, (exact or [w for w in ways if w.first] or list(ways))[0]

    def _continued(self, ways: tuple[Reading, ...]) -> tuple[_Node, Reading] | None:
        for parent in self._open_containers():
            for way in ways:
                if way.series in parent.last and way.series != "-" and way.follows(parent.last[way.series]):
                    return None if self._opens_below(way, ways) else (parent, way)
            if "-" in parent.last and ways[0].series == "-" and not self.top.tail.endswith(":"):
                return parent, ways[0]
        return None

    def _begun(self, ways: tuple[Reading, ...]) -> tuple[_Node, Reading] | None:
        for way in ways:
            if way.first:
                same = [n for n in self._open_containers() if way.series in n.last]
                if same and not self.top.tail.endswith(":"):
                    return same[0], way
                return self.top, way
        return None

    def _opens_below(self, way: Reading, ways: tuple[Reading, ...]) -> bool:
        """Whether a label that continues a list begins one instead, as the next label shows: (h), (i), (ii)."""
        others = [w for w in ways if w.first and w.series != way.series]
        following = next((line for line in self.lines[self.position + 1 :] if line.label), None)
        if not others or following is None or following.role in _STRUCTURE:
            return False
        after = labels.readings(following.label)
        continues = any(a.series == way.series and a.follows(way.ordinal) for a in after)
        return not continues and any(a.series == o.series and a.follows(o.ordinal) for a in after for o in others)

    def _open_containers(self) -> list[_Node]:
        found: list[_Node] = []
        for node in reversed(self.stack):
            found.append(node)
            if not node.is_item:
                break
        return found

    # --- text ----------------------------------------------------------------------------------------------

    def _text(self, line: Line) -> None:
        if self.awaiting and self.top.is_item:
            self._add(line)
            return
        if self.top.is_item:
            self._leave(line)
        self._add(line)

    def _leave(self, line: Line) -> None:
        """Leave the lists that do not go on: text between two items belongs to the first, text after a list to what
        the list hangs on."""
        following = next((n for n in self.lines[self.position + 1 :] if n.label or n.role in _STRUCTURE), None)
        base = next((i for i, n in enumerate(self.stack) if n.is_item), len(self.stack))
        if following and following.role not in _STRUCTURE and not line.text.endswith(":"):
            ways = labels.readings(following.label)
            for depth in range(len(self.stack) - 1, 0, -1):
                last = self.stack[depth - 1].last
                if any(w.series in last and w.series != "-" and w.follows(last[w.series]) for w in ways):
                    del self.stack[depth + 1 :]
                    return
        if base < len(self.stack) and (self.stack[base].kind == "par" or self._annex):
            base += 1
        del self.stack[base:]

    def _add(self, line: Line) -> None:
        self.awaiting = False
        text = f"{line.label} {line.text}".strip()
        if line.table:
            self.top.content.append(line.table)
        elif text:
            self.top.content.append(text)

    # --- tree ----------------------------------------------------------------------------------------------

    @property
    def top(self) -> _Node:
        return self.stack[-1]

    @property
    def _annex(self) -> _Node | None:
        return next((n for n in self.stack if n.kind in ("anx", "apx")), None)

    def _open(self, kind: ProvisionKind, label: str, heading: str = "") -> _Node:
        node = _Node(kind, label, heading)
        self.top.content.append(node)
        self.stack.append(node)
        return node


def _number(label: str) -> str:
    """Number of an article, annex, appendix or recital: "Article 10a" gives "10a", "ANNEX" gives ""."""
    return labels.bare(re.sub(r"(?i)\b(?:articles?|annex(?:es)?|appendix|title|chapter|section|part)\b", "", label))


def _freeze(node: _Node, path: str, used: set[str]) -> Provision:
    kind = node.kind or "pnt"
    step = f"{kind}_{node.label.replace(' ', '')}" if node.label else kind
    step = re.sub(r"[/\s]+", "-", step)
    address = f"{path}/{step}" if path and kind != "art" else step
    unique, count = address, 1
    while unique in used:
        count += 1
        unique = f"{address}-{count}"
    used.add(unique)
    return Provision(kind, node.label, unique, node.heading, _contents(node, unique, used))


def _contents(node: _Node, path: str, used: set[str]) -> tuple[Content, ...]:
    return tuple(_freeze(part, path, used) if isinstance(part, _Node) else part for part in node.content)


def build(
    lines: Iterable[Line], *, celex: str, version: str, language: str, format: DocumentFormat, sha256: str
) -> LegalAct:
    """Arrange typed lines as an act with addressed provisions.

    Args:
        lines: The document in order.
        celex: CELEX id of the act.
        version: Date of a consolidated version, "" for the original.
        language: Two-letter code.
        format: Format the lines were read from.
        sha256: Hash of the document.
    """
    builder = _Builder(classify(lines))
    builder.read()
    return LegalAct(
        celex=celex,
        version=version,
        language=language,
        format=format,
        sha256=sha256,
        title=" ".join(builder.title),
        content=_contents(builder.root, "", set()),
        notes=tuple(builder.notes),
    )
