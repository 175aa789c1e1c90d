"""From typed lines to provisions with addresses, by the grammar of drafting."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from regreact.rag.act import DocumentFormat, LegalAct, ProvisionKind
from regreact.rag.convert import labels
from regreact.rag.convert.grammar import DIVISION, classify, is_title, number_of
from regreact.rag.convert.labels import Reading
from regreact.rag.convert.lines import Line
from regreact.rag.convert.tree import ANNEXES, Node, freeze

_NOUNS: dict[str, ProvisionKind] = {"part": "prt", "title": "ttl", "chapter": "chp", "table": "tbl", "cmc": "cmc"}
# Divisions, outermost first: a division closes those of its rank and below.
_RANK: dict[str | None, int] = {"prt": 1, "ttl": 2, "chp": 3, "sec": 4, "cmc": 4}
_STRUCTURE = ("division", "article", "annex", "appendix", "end", "recital", "title")
_Test = Callable[[Node], bool]
_AHEAD = 200  # lines that are searched for the next item of a list
_GAP = 3  # numbers that a list may lack (repealed, or lost on the way)


class _Builder:
    """Reads lines one by one; `stack` holds the provisions that are open, outermost first."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.root = Node(None)
        self.stack = [self.root]
        self.title: list[str] = []
        self.notes: list[str] = []
        self.awaiting = False  # the label stood on a line of its own
        self.position = 0

    def read(self) -> None:
        for self.position, line in enumerate(self.lines):
            if line.role == "title":
                self.title.append(line.text)
            elif line.role == "note":
                self.notes.append(f"{line.label} {line.text}".strip())
            elif line.quoted:
                self._add(line)
            elif line.role in _STRUCTURE:
                self._structure(line)
            elif line.label and not line.table and self._item(line):
                continue
            elif line.role == "heading":
                self._heading(line)
            else:
                self._text(line)

    # --- articles, divisions, annexes ----------------------------------------------------------------------

    def _structure(self, line: Line) -> None:
        self.awaiting = False
        if line.role == "end":
            self.stack = [self.root]
            self._add(line)
        elif line.role == "recital":
            self.stack = [self.root]
            self._open(Node("rec", number_of(line.label), content=[line.text] if line.text else []))
        elif line.role == "article":
            self._close_to(lambda n: n.kind in _RANK and not n.series and not self._annex)
            self._open(Node("art", number_of(line.label), line.text))
        elif line.role == "annex":
            self._close_to(lambda n: n.kind == "anx" and n is self._annex and line.depth > 1)
            self._open(Node("anx", number_of(line.label), line.text))
        elif line.role == "appendix":
            self._close_to(lambda n: n.kind == "anx")
            self._open(Node("apx", number_of(line.label), line.text))
        else:
            self._division(line)

    def _division(self, line: Line) -> None:
        found = DIVISION.match(line.label)
        noun = found["noun"].replace("-", "").lower() if found else ""
        label = found["number"] if found else labels.bare(line.label)
        kind = _NOUNS.get(noun, "sec")
        if found and kind == "sec" and not noun.endswith("section"):
            label = f"{found['noun']} {label}"  # a category that the act defines
        way = next(iter(labels.readings(f"{label.split('(')[0]}.")), None)
        series = f"{noun} {way.series if way else ''}"
        if kind == "tbl":
            self._close_to(lambda n: n.kind != "tbl")
        elif any(n.heading != "" or n.kind for n in self.stack if series in n.last):
            self._close_to(lambda n: series in n.last)
        else:
            self._close_to(lambda n: n.kind in (*ANNEXES, None) or (not n.series and _rank(n) < _RANK[kind]))
        self.stack[-1].last[series] = way.ordinal if way else (1,)
        self._open(Node(kind, label, line.text))

    def _heading(self, line: Line) -> None:
        if self.top.kind and not self.top.content and (not self.top.series or self.awaiting):
            self.top.heading = f"{self.top.heading} {line.text}".strip()
            self.awaiting = False
            return
        if self.top.series:
            self._leave(line, heading=True)
        self._add(line)

    # --- items of lists ------------------------------------------------------------------------------------

    def _item(self, line: Line) -> bool:
        found = self._place(line)
        if not found:
            return False
        parent, way = found
        self._close_to(lambda n: n is parent)
        label, kind = labels.bare(line.label), self._kind(parent, line, way)
        if kind == "ind":
            count = parent.last.get("-", (0,))[0] + 1
            label, way = str(count), Reading("-", (count,))
        parent.last[way.series] = way.ordinal
        self._open(Node(kind, label, series=way.series, depth=line.depth))
        if line.text:
            self.top.content.append(line.text)
        self.awaiting = not line.text
        return True

    def _place(self, line: Line) -> tuple[Node, Reading] | None:
        """The provision that a labelled line belongs under, and how to read its label."""
        ways = labels.readings(line.label)
        if not ways:
            return None
        sure = line.role != "text"
        if sure and line.depth:
            parent = self._at_depth(line)
            return parent, next((w for w in ways if _continues(parent, w)), None) or next(
                (w for w in ways if w.first), ways[0]
            )
        found = self._continued(line.label, self._next_label())
        if found:
            return self.stack[found[0]], found[1]
        return self._begun(ways) or self._with_gap(ways) or ((self.top, ways[0]) if sure else None)

    def _continued(self, label: str, following: str) -> tuple[int, Reading] | None:
        """Index of the open provision with a list that the label continues."""
        ways = labels.readings(label)
        if not ways:
            return None
        if labels.is_multi(labels.bare(label)):
            return self._part_of(ways[0], labels.bare(label))
        for index in self._scope():
            parent = self.stack[index]
            for way in ways:
                if way.series == "-":
                    if "-" in parent.last and not self.top.tail.endswith(":"):
                        return index, way
                elif _continues(parent, way):
                    return None if _opens_list(way, ways, following) else (index, way)
        return None

    def _part_of(self, way: Reading, number: str) -> tuple[int, Reading] | None:
        """10.1.5 is a part of what is numbered 10.1 or, failing that, 10."""
        for index in range(len(self.stack) - 1, -1, -1):
            node = self.stack[index]
            last = node.last.get(way.series, way.ordinal[:-1] + (-1,))
            if node.label and number.startswith(f"{node.label}.") and node.kind in ("pnt", "par", "sec", "prt", "chp"):
                return (index, way) if last < way.ordinal and way.ordinal[-1] <= last[-1] + 2 + _GAP else None
            if node.kind in (*ANNEXES, "art", None) and way.series in node.last and node.last[way.series] < way.ordinal:
                return index, way
            if node.kind in (*ANNEXES, "art"):
                break
        return None

    def _begun(self, ways: tuple[Reading, ...]) -> tuple[Node, Reading] | None:
        """A new list stands below what introduces it: the last item before a colon, else the last one of higher rank."""
        for way in ways:
            if not way.first or self.top.kind == "tbl":
                continue
            introduced = self.awaiting or self.top.tail.endswith(":") or self._is_titled_item()
            if introduced and not (self._is_open(way.series) and self._is_titled_item()):
                return self.top, way
            for index in self._scope():
                node = self.stack[index]
                if way.series in node.last or not node.series or _item_rank(node) < way.rank:
                    return node, way
                if node is self.top and _item_rank(node) == way.rank and node.series != way.series:
                    return node, way
        return None

    def _is_titled_item(self) -> bool:
        """Whether an item has been opened that so far is a title only: what comes next stands below it."""
        return bool(self.top.series) and len(self.top.content) == 1 and is_title(self.top.tail)

    def _with_gap(self, ways: tuple[Reading, ...]) -> tuple[Node, Reading] | None:
        for index in self._scope():
            for way in ways:
                last = self.stack[index].last.get(way.series)
                if last and way.series != "-" and 0 < way.ordinal[0] - last[0] <= 1 + _GAP:
                    return self.stack[index], way
        return None

    def _at_depth(self, line: Line) -> Node:
        return next(n for n in reversed(self.stack) if not n.series or n.kind == "par" or n.depth < line.depth)

    def _scope(self) -> Iterator[int]:
        """Indexes of the provisions that an item may still join: the open items, up to their article or division."""
        for index in range(len(self.stack) - 1, -1, -1):
            if self.stack[index].kind == "tbl":
                continue
            yield index
            if not self.stack[index].series:
                return

    def _kind(self, parent: Node, line: Line, way: Reading) -> ProvisionKind:
        if way.series == "-":
            return "ind"
        if parent.kind == "art" and way.series.strip("().") == "1":
            return self._numbered(parent, line)
        return "sec" if way.rank == 1 and (self._annex or not parent.kind) else "pnt"

    def _numbered(self, article: Node, line: Line) -> ProvisionKind:
        """Numbered parts of an article are paragraphs unless they hang on an unnumbered introductory sentence."""
        siblings = [child.kind for child in article.children if child.kind in ("par", "pnt")]
        if siblings:
            return "par" if siblings[-1] == "par" else "pnt"
        introduction = next((part for part in reversed(article.content) if isinstance(part, str)), "")
        hangs = introduction.endswith((":", "—")) or (
            line.role != "paragraph" and bool(introduction) and not is_title(introduction)
        )
        return "pnt" if hangs else "par"

    # --- text ----------------------------------------------------------------------------------------------

    def _text(self, line: Line) -> None:
        if self._heads_articles(line):
            self._close_to(lambda n: n.kind in _RANK and not n.series)
        elif self.top.series and not self.awaiting:
            self._leave(line)
        self._add(line)

    def _heads_articles(self, line: Line) -> bool:
        """Older acts print titles over groups of articles before the word "Article"."""
        following = self.lines[self.position + 1] if self.position + 1 < len(self.lines) else None
        ended = self.top.tail.endswith(".") and not self._annex
        return bool(following and following.role == "article" and ended and not line.table and is_title(line.text))

    def _leave(self, line: Line, heading: bool = False) -> None:
        """Close the lists that are over: text between two items belongs to the first of them (a heading to what holds
        both), text after the last item to what the list hangs on."""
        heading = heading or bool(
            self._annex and not line.table and is_title(line.text) and self.top.tail.endswith((".", ";"))
        )
        index = self._goes_on(line)
        if index:
            del self.stack[index + (0 if heading else 1) :]
        else:
            self._close_to(self._holds_text)

    def _goes_on(self, line: Line) -> int:
        """Index of the open item whose list goes on after the text, 0 if there is none.

        What the text introduces by a colon is skipped, so that "(a) … text: (i) … (ii) … (b)" stays in point (a); but
        a list that begins anew, "(a) … (b) … text: (a) … (b) … (c)", is over.
        """
        over: set[str] = set()
        introduces = line.text.endswith(":")
        for ahead in self._labels_ahead():
            ways = labels.readings(ahead)
            restarted = any(w.first and w.series != "-" and self._is_open(w.series) for w in ways)
            found = None if introduces and ways[0].series == "-" else self._continued(ahead, "")
            if found and found[1].series not in over and found[0] + 1 < len(self.stack):
                return found[0] + 1
            if restarted:
                over.update(w.series for w in ways if w.first)
            elif not introduces:
                return 0
            introduces = True
        return 0

    def _is_open(self, series: str) -> bool:
        return any(series in self.stack[index].last for index in self._scope())

    def _holds_text(self, node: Node) -> bool:
        """Paragraphs of articles, and numbers and letters that divide an annex, hold several printed paragraphs."""
        if not node.series or node.kind in ("par", "sec"):
            return True
        return node.kind == "pnt" and _item_rank(node) <= 2 and not any(n.kind == "art" for n in self.stack)

    def _next_label(self) -> str:
        return next(self._labels_ahead(), "")

    def _labels_ahead(self) -> Iterator[str]:
        """Labels of the lines to come, up to the next article, division or annex."""
        for index in range(self.position + 1, min(self.position + _AHEAD, len(self.lines))):
            line = self.lines[index]
            if line.role in _STRUCTURE and not line.quoted:
                return
            if line.label and not line.quoted and labels.readings(line.label):
                yield line.label

    def _add(self, line: Line) -> None:
        self.awaiting = False
        text = f"{line.label} {line.text}".strip()
        if line.table:
            self.top.content.append(line.table)
        elif text:
            self.top.content.append(text)

    # --- the stack -----------------------------------------------------------------------------------------

    @property
    def top(self) -> Node:
        return self.stack[-1]

    @property
    def _annex(self) -> Node | None:
        return next((n for n in self.stack if n.kind in ANNEXES), None)

    def _open(self, node: Node) -> None:
        self.top.content.append(node)
        self.stack.append(node)

    def _close_to(self, holds: _Test) -> None:
        """Close what is open until a provision fulfils the condition (the act itself always stays)."""
        keep = next((i for i in range(len(self.stack) - 1, 0, -1) if holds(self.stack[i])), 0)
        del self.stack[keep + 1 :]


def _continues(parent: Node, way: Reading) -> bool:
    return way.series in parent.last and way.follows(parent.last[way.series])


def _opens_list(way: Reading, ways: tuple[Reading, ...], following: str) -> bool:
    """Whether a label that would continue a list begins one instead, as the next label shows: (h), (i), (ii)."""
    after = labels.readings(following)
    if any(a.series == way.series and a.follows(way.ordinal) for a in after):
        return False
    begun = [w for w in ways if w.first and w.series != way.series]
    return any(a.series == w.series and a.follows(w.ordinal) for a in after for w in begun)


def _rank(node: Node) -> int:
    return _RANK.get(node.kind, 9)


def _item_rank(node: Node) -> int:
    return Reading(node.series, (1,)).rank if node.series else 0


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
        content=freeze(builder.root),
        notes=tuple(builder.notes),
    )
