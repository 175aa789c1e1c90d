"""From typed lines to provisions with addresses, by the grammar of drafting.

* Items nest by the count of their labels: (i) after (h) is a letter, (i) before (ii) a numeral; a list begins below the
  item that introduces it and is over when an outer list goes on.
* Text between two items of a list belongs to the first of them, text after the last item to what the list hangs on.
* Numbered parts of an article are paragraphs; if they hang on an unnumbered introductory sentence they are points.
* New wording of other acts stays text of the point that amends them.
* A label that returns below one provision gets "-2" and so on: no provision overwrites another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from regreact.rag.act import DocumentFormat, LegalAct, ProvisionKind, Table
from regreact.rag.convert import labels
from regreact.rag.convert.grammar import DIVISION, ENACTING, classify, is_title, number_of
from regreact.rag.convert.labels import Ordinal, Reading
from regreact.rag.convert.lines import Line
from regreact.rag.convert.placement import OpenProvisions
from regreact.rag.convert.tree import ANNEXES, Node, freeze

_NOUNS: dict[str, ProvisionKind] = {"part": "prt", "title": "ttl", "chapter": "chp", "table": "tbl", "cmc": "cmc"}
# Divisions, outermost first: a division closes those of its rank and below.
_RANK: dict[str | None, int] = {"prt": 1, "ttl": 2, "chp": 3, "sec": 4, "cmc": 4}
_STRUCTURE = ("division", "article", "annex", "appendix", "end", "recital", "title")
_TABLE = re.compile(r"(?i)table\s+(?P<number>\d+(?:\.\d+)*[a-z]?|[IVXL]+|[A-Z])(?!\w)\s*[.:—–-]?\s*")
_AHEAD = 200  # lines that are searched for the next item of a list


class _Builder(OpenProvisions):
    """Reads lines one by one."""

    def __init__(self, lines: Sequence[Line]) -> None:
        super().__init__()
        self.lines = lines
        self.position = 0
        self.awaiting = False  # the label stood on a line of its own
        self.title: list[str] = []
        self.notes: list[str] = []

    def read(self) -> None:
        for position, line in enumerate(self.lines):
            self.position = position
            self._line(line)

    def _line(self, line: Line) -> None:
        if line.role == "title":
            self.title.append(line.text)
        elif line.role == "note":
            self.notes.append(f"{line.label} {line.text}".strip())
        elif line.quoted:
            self._add(line)
        elif line.role in _STRUCTURE:
            self._structure(line)
        elif line.label and not line.table and self._item(line):
            return
        elif line.role == "heading":
            self._heading(line)
        else:
            self._text(line)

    # --- articles, divisions, annexes ----------------------------------------------------------------------

    def _structure(self, line: Line) -> None:
        self.awaiting = False
        if line.role == "end":
            self.close_to(lambda n: False)
            self._add(line)
        elif line.role == "recital":
            self.close_to(lambda n: False)
            self.open(Node("rec", number_of(line.label), content=[line.text] if line.text else []))
        elif line.role == "article":
            self.close_to(lambda n: n.kind in _RANK and not n.series and not self.annex)
            self.open(Node("art", number_of(line.label), line.text))
        elif line.role == "annex":
            self.close_to(lambda n: n is self.annex and n.kind == "anx" and line.depth > 1)
            self.open(Node("anx", number_of(line.label), line.text))
        elif line.role == "appendix":
            label = number_of(line.label)
            part = self._part_with_appendices(label)
            self.close_to(lambda n: n is part if part else n.kind == "anx")
            self.open(Node("apx", label, line.text))
        else:
            self._division(line)

    def _part_with_appendices(self, label: str) -> Node | None:
        """The part that an appendix belongs to: another part follows, or the annex has an appendix of that number.

        The appendices after the last part are those of the annex if nothing tells otherwise.
        """
        annex = next((n for n in self.stack if n.kind == "anx"), None)
        part = next((n for n in self.stack if n.kind == "prt"), None)
        if not annex or not part:
            return None
        known = (a.label for p in (annex, *annex.children) for a in p.children if a.kind == "apx")
        begun = any(child.kind == "apx" for child in part.children)
        return part if begun or label in known or self._parts_go_on(annex) else None

    def _parts_go_on(self, annex: Node) -> bool:
        """Whether a later part counts on from the annex's last one; those between may be an appendix's own."""
        inner: Ordinal | None = None
        for line in self.lines[self.position + 1 :]:
            if line.role == "annex":
                return False
            if line.role != "division" or line.quoted or not re.match("(?i)part\\b", line.label):
                continue
            number = DIVISION.match(line.label)
            for way in labels.readings(f"{number['number']}.") if number else ():
                outer = annex.last.get(f"part {way.series}")
                if outer and way.follows(outer) and not (inner and way.follows(inner)):
                    return True
                inner = way.ordinal
                break
        return False

    def _division(self, line: Line) -> None:
        found = DIVISION.match(line.label)
        noun = found["noun"].replace("-", "").lower() if found else ""
        label = found["number"] if found else labels.bare(line.label)
        kind = _NOUNS.get(noun, "sec")
        way = next(iter(labels.readings(f"{label.split('(')[0]}.")), None)
        series = f"{noun} {way.series if way else ''}"
        if found and kind == "sec" and not noun.endswith("section"):
            label = f"{found['noun']} {label}"  # a category that the act defines
        holder = self._holder(series, way, label)
        if kind == "tbl":
            self.close_to(lambda n: n.kind != "tbl")
        elif holder:
            self.close_to(lambda n: n is holder)
        else:
            self.close_to(lambda n: _holds_division(n, kind))
        self.top.last[series] = way.ordinal if way else (1,)
        self.open(Node(kind, label, line.text))

    def _holder(self, series: str, way: Reading | None, label: str) -> Node | None:
        """What a division goes on below: the list that it continues, the number that it repeats (Step 3 of Step 3.1),
        the appendix that begins its own parts."""
        lists = [n for n in self.stack if series in n.last]
        if way and not (continued := [n for n in lists if way.follows(n.last[series])]):
            appendix = next((n for n in reversed(self.stack) if n.kind == "apx"), None)
            if way.first and appendix and series not in appendix.last:
                return appendix
        elif way and continued:
            return continued[-1]
        repeated = [n for n in self.stack if n.label and " " in n.label and label.startswith(f"{n.label}.")]
        return next(reversed(repeated or lists), None)

    def _heading(self, line: Line) -> None:
        if self.top.kind and not self.top.content and (not self.top.series or self.awaiting):
            self.top.heading = f"{self.top.heading} {line.label} {line.text}".replace("  ", " ").strip()
            self.awaiting = False
            return
        if self.top.series:
            self._leave(line, heading=True)
        self._add(line)

    # --- items of lists ------------------------------------------------------------------------------------

    def _item(self, line: Line) -> bool:
        found = self.place(line, self._next_label(), self.awaiting)
        if not found:
            return False
        parent, way = found
        self.close_to(lambda n: n is parent)
        label, kind = labels.bare(line.label), self._kind(parent, line, way)
        if kind == "ind":
            count = parent.last.get("-", (0,))[0] + 1
            label, way = str(count), Reading("-", (count,))
        parent.last[way.series] = way.ordinal
        heading = line.text if line.role == "heading" else ""
        self.open(Node(kind, label, heading, series=way.series, depth=line.depth))
        if line.text and not heading:
            self.top.content.append(line.text)
        self.awaiting = not line.text
        return True

    def _kind(self, parent: Node, line: Line, way: Reading) -> ProvisionKind:
        if way.series == "-":
            return "ind"
        if parent.kind == "art" and way.series.strip("().") == "1":
            return _numbered(parent, line)
        return "sec" if way.rank == 1 and (self.annex or not parent.kind) else "pnt"

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

    # --- text ----------------------------------------------------------------------------------------------

    def _text(self, line: Line) -> None:
        if not self.awaiting:
            self._close_before(line)
        self._add(line)

    def _close_before(self, line: Line) -> None:
        if self.top.kind == "tbl" and any(isinstance(part, Table) for part in self.top.content):
            self.stack.pop()
        if self.top.kind == "rec" and ENACTING.match(line.text):
            self.close_to(lambda n: False)
        if self._heads_articles(line):
            self.close_to(lambda n: n.kind in _RANK and not n.series)
        if any(n.depth == line.depth for n in self.stack if n.depth) or (not line.depth and not self.annex):
            # The markup tells which item holds it; in annexes, text outside of an item may still belong to it.
            self.close_to(lambda n: n.depth <= line.depth)
        if self.top.series and not (line.depth and self.top.depth == line.depth):
            self._leave(line)

    def _heads_articles(self, line: Line) -> bool:
        """Older acts print titles over groups of articles before the word "Article"."""
        ended = self.top.tail.endswith(".") and not self.annex
        return ended and self._following.role == "article" and not line.table and is_title(line.text)

    def _heads_items(self, line: Line) -> bool:
        """Annexes print titles over groups of items, right before the first of the group."""
        ended = self.top.tail.endswith((".", ";")) and bool(self.annex)
        return ended and bool(self._following.label) and not line.table and is_title(line.text)

    def _precedes_item(self) -> bool:
        """Whether the next line that is no heading has a label."""
        ahead = self.lines[self.position + 1 : self.position + _AHEAD]
        return next((bool(line.label) for line in ahead if line.role != "heading" or line.label), False)

    @property
    def _following(self) -> Line:
        return self.lines[self.position + 1] if self.position + 1 < len(self.lines) else Line("end")

    def _leave(self, line: Line, heading: bool = False) -> None:
        """Close the lists that are over: text between two items belongs to the first of them (a heading to what holds
        both), text after the last item to what the list hangs on."""
        index = self._goes_on(line)
        if index and (self._precedes_item() if heading else self._heads_items(line)):
            del self.stack[index:]
        else:
            # What holds several paragraphs (10.1.5) keeps the text even if the list that goes on is an outer one.
            holder = max((i for i, node in enumerate(self.stack) if self._holds_text(node)), default=0)
            del self.stack[max(index, holder) + 1 :]

    def _goes_on(self, line: Line) -> int:
        """Index of the open item whose list goes on after the text, 0 if there is none.

        What the text introduces by a colon is skipped, so that "(a) … text: (i) … (ii) … (b)" stays in point (a); but
        a list that begins anew, "(a) … (b) … text: (a) … (b) … (c)", is over.
        """
        over: set[str] = set()
        introduces = line.text.endswith(":")
        for ahead in self._labels_ahead():
            ways = labels.readings(ahead)
            found = None if introduces and ways[0].series == "-" else self.continued(ahead, "")
            if found and found[1].series not in over:
                return found[0] + 1
            if any(w.first and w.series != "-" and self.has_list(w.series) for w in ways):
                over.update(w.series for w in ways if w.first)
            elif not introduces:
                return 0
            introduces = True
        return 0

    def _holds_text(self, node: Node) -> bool:
        """Paragraphs of articles, and numbers and letters that divide an annex, hold several printed paragraphs."""
        if not node.series or node.kind in ("par", "sec"):
            return True
        return node.kind == "pnt" and node.rank <= 2 and not any(n.kind == "art" for n in self.stack)

    def _add(self, line: Line) -> None:
        self.awaiting = False
        text = f"{line.label} {line.text}".strip()
        if text:
            self.top.content.append(text)
        if line.table:
            self._table(line.table)

    def _table(self, table: Table) -> None:
        """Add a table; one that its title numbers is a provision of its own."""
        found = _TABLE.match(table.caption)
        if not found:
            self.top.content.append(table)
            return
        node = Node("tbl", found["number"], table.caption[found.end() :], content=[Table(table.rows)])
        self.top.content.append(node)


def _holds_division(node: Node, kind: ProvisionKind) -> bool:
    """A division stands in those of higher rank, and a Section also under "A." or "I."."""
    if node.series:
        return kind == "sec" and node.rank == 1
    return node.kind in (*ANNEXES, None) or _RANK.get(node.kind, 9) < _RANK[kind]


def _numbered(article: Node, line: Line) -> ProvisionKind:
    """Numbered parts of an article are paragraphs unless they hang on an unnumbered introductory sentence."""
    siblings = [child.kind for child in article.children if child.kind in ("par", "pnt")]
    if siblings:
        return "par" if siblings[-1] == "par" else "pnt"
    introduction = next((part for part in reversed(article.content) if isinstance(part, str)), "")
    unfinished = introduction.endswith((":", "—"))
    return "pnt" if unfinished or (introduction and line.role != "paragraph" and not is_title(introduction)) else "par"


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
