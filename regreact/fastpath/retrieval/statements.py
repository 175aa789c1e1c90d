"""Passages taken apart into statements: sentences, items of lists with their chapeau, rows of tables; each located."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from regreact.fastpath.cues import sentences
from regreact.fastpath.retrieval.wording import is_legend, opens_definitions, refers_back
from signatures.passages import PassageView

StatementKind = Literal["value", "duty", "condition", "exception", "definition", "guidance", "other"]


@dataclass(frozen=True, slots=True)
class KindRule:
    """Words that make a statement one of a kind; the first rule that matches decides."""

    kind: StatementKind
    pattern: re.Pattern[str]
    example: str


KIND_RULES: tuple[KindRule, ...] = (
    KindRule("definition", re.compile(r"[‘“'\"’][^’”'\"]{2,80}[’”'\"]\s*(?:\([^)]*\)\s*)?(?:means?|shall mean|refers? to)\b"),
             "‘brine’ means water with more than 5 % of salt"),
    KindRule("definition", re.compile(r"^(?:[\w‘’'\"() ,-]{2,80}\s)?means?\b(?! of\b)", re.IGNORECASE), "dryer means a plant"),
    KindRule("exception", re.compile(r"\b(?:by way of derogation|derogat\w+|exempt\w*|except (?:for|where|if|in|when)|shall not apply|does not apply"
                                     r"|do not apply|unless|notwithstanding|without prejudice)\b", re.IGNORECASE),
             "Paragraph 2 does not apply to small kilns"),
    KindRule("duty", re.compile(r"\b(?:shall|must|ha(?:s|ve) to|(?:is|are) (?:required|obliged|prohibited|forbidden|limited|to be)|may not|may only)\b",
                                re.IGNORECASE),
             "Operators shall measure dust"),
    KindRule("condition", re.compile(r"\b(?:where|if|when|provided that|only (?:if|where|when)|on condition that|in the case of|subject to)\b", re.IGNORECASE),
             "in the case of old kilns, each year"),
    KindRule("guidance", re.compile(r"\b(?:should|may|can|could|is recommended)\b", re.IGNORECASE), "Operators may use filters"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, list item or table row of a passage.

    Attributes:
        passage: Id of the passage.
        order: Position among all statements.
        address: Provision that it stands in, "" if unknown.
        text: Its words without label, as printed.
        label: Label of the list item or paragraph it opens, as printed.
        chapeau: Sentence that introduces the list it is an item of, "" outside lists.
        kind: What it does.
        cells: Cells of a table row, named by the header and not verbatim; empty for other statements.
    """

    passage: str
    order: int
    address: str
    text: str
    label: str
    chapeau: str
    kind: StatementKind
    cells: tuple[str, ...] = ()

    @property
    def row(self) -> bool:
        """True for a table row, whose words are not verbatim."""
        return bool(self.cells)

    @property
    def full(self) -> str:
        """The words with the chapeau in front."""
        return f"{self.chapeau} {self.text}" if self.chapeau else self.text


_LABEL = re.compile(
    r"^(?:(?P<noun>Article|ANNEX|Annex|Appendix|CHAPTER|Chapter|TITLE|Title|Part|PART|Table|CMC|Section|SECTION)\s+(?P<named>[\dIVXLA-Z]+[\w.]*)"
    r"|\((?P<bracket>[\da-z]{1,5})\)|(?P<number>\d+[a-z]?(?:\.\d+)*)(?P<stop>\.)?(?=\s)|(?P<dash>[—–-])(?=\s))\s*"
)
# Headings have no finite verb and no stop: an article's title, "Water plans".
_HEADING = re.compile(r"^(?!.*[.;:]$)(?!.*\b(?:shall|must|means?|may|is|are|has|have|does|do|should)\b).{0,120}$")
# A number whose text stands in the next line, or was cut off by the end of a chunk, says nothing.
_LABEL_ALONE = re.compile(r"^(?:\d{1,3}[a-z]?(?:\.\d+)*\.|\([\da-z]{1,5}\)|[—–-])$")
_NUMBERED = re.compile(r"^(?:\d+[a-z]?(?:\.\d+)*\.?|\([\da-z]{1,5}\))\s+")
# The stop behind a number is part of its label: "3.2."
_END_OF_CELL = re.compile(r"(?:(?<=[^\d\s])\.|[\s;,])+$")
_LISTS = ("pnt", "ind")
# Sentences that belong together stay below the length of a quote.
_TOGETHER = 90


def is_heading(text: str) -> bool:
    """True for a heading, or an entry of a list, without verb and stop.

    Example:
        >>> is_heading("Water plans"), is_heading("Water is saved.")
        (True, False)
    """
    return bool(text.strip()) and _HEADING.match(text) is not None


def statements(passages: Sequence[PassageView]) -> list[Statement]:
    """Return the statements of passages in order, without headings and repetitions (chunks may overlap)."""
    return list(_statements(tuple(passages)))


@lru_cache(maxsize=64)
def _statements(passages: tuple[PassageView, ...]) -> tuple[Statement, ...]:
    found: list[Statement] = []
    seen: set[tuple[str, str]] = set()
    for passage in passages:
        for statement in _of_passage(passage):
            key = (statement.full, statement.address)
            if key not in seen:
                seen.add(key)
                found.append(statement)
    return tuple(replace(s, order=n) for n, s in enumerate(found))


def _of_passage(passage: PassageView) -> Iterator[Statement]:
    cursor = _Cursor(passage.addresses)
    chapeaux: dict[int, str] = {}
    lead = chapeau_of(passage.context)
    home = cursor.address.rpartition("/")[0]
    header: list[str] = []
    for number, line in enumerate(passage.text.splitlines()):
        words = " ".join(line.split(" ")).strip(" ")
        if not words.strip():
            continue
        if "\t" in words:
            cells, header = _row(words, header)
            if cells:
                row = "; ".join(cells)
                kind: StatementKind = "value" if _digits(row) else "other"
                yield Statement(passage.id, 0, cursor.address, row, "", "", kind, cells)
            continue
        header = []
        match = _label(words, cursor)
        label = match[0].strip() if match else ""
        text = words[match.end() :].strip() if match else words
        cursor.read(match)
        titled = match is None or match["noun"] is not None
        if not text or _LABEL_ALONE.match(text) or (titled and _HEADING.match(text) and not _digits(text)):
            continue
        depth = cursor.depth
        chapeaux = {d: c for d, c in chapeaux.items() if d < depth}
        outer = lead if _is_below(cursor.address, home) else ""
        chapeau = chapeaux[max(chapeaux)] if chapeaux and cursor.in_list else outer if cursor.in_list or not number else ""
        if text.endswith(":"):
            chapeaux[depth] = "" if opens_definitions(text) else f"{chapeau} {text}".strip()
        yield from _sentences(passage.id, cursor.address, label, text, chapeau)


def chapeau_of(context: str) -> str:
    """Return the chapeaux that a context ends with: lines below the headings, for a passage that begins in a list.

    Example:
        >>> chapeau_of("Chapter II, Article 4 Limits\\nThe dust of kilns shall not exceed:")
        'The dust of kilns shall not exceed:'
    """
    lines = (_NUMBERED.sub("", line) for line in context.splitlines()[1:])
    return " ".join(line for line in lines if not opens_definitions(line))


def _is_below(address: str, home: str) -> bool:
    return not home or address.startswith(f"{home}/")


def _label(line: str, cursor: _Cursor) -> re.Match[str] | None:
    """Return the label that a line opens with, None for a sentence that begins like one ("90 MW are …")."""
    match = _LABEL.match(line)
    if match is None:
        return None
    text = line[match.end() :]
    if match["noun"]:
        # "Article 5 shall apply …" begins with a citation; "Part A. Substances that …" with a label.
        named = match["named"]
        titled = (named.endswith(".") or cursor.expects(named)) and not text[:1].islower()
        return match if _HEADING.match(text) or titled else None
    if match["number"] is None or match["stop"] or cursor.expects(match["number"]):
        return match
    return match if "." in match["number"] and re.match(r"[A-Z][a-z]", text) else None


def _sentences(passage: str, address: str, label: str, text: str, chapeau: str) -> Iterator[Statement]:
    for number, words in enumerate(_joined(text)):
        shown = label if number == 0 else ""
        # Recitals explain and bind nobody.
        kind = "guidance" if address.startswith("rec_") else kind_of(words, chapeau)
        yield Statement(passage, 0, address, words, shown, chapeau, kind)


def _joined(text: str) -> Iterator[str]:
    """Yield sentences; one that refers back ("Such plans shall …") stays with the one before it."""
    start = None
    end = 0
    for a, b in sentences(text):
        words = text[a:b].strip()
        if start is not None and not (refers_back(words) and len(text[start:b].split()) <= _TOGETHER):
            if text[start:end].strip():
                yield text[start:end].strip()
            start = None
        start = a if start is None else start
        end = b
    if start is not None and text[start:end].strip():
        yield text[start:end].strip()


def kind_of(text: str, chapeau: str = "") -> StatementKind:
    """Return what a statement does; an item of a list does what its chapeau says, unless it says so itself.

    Example:
        >>> kind_of("Operators shall keep accounts."), kind_of("the yearly dust;", "Accounts shall contain:")
        ('duty', 'duty')
    """
    if is_legend(text):
        return "value" if _digits(text.partition("=")[2]) else "other"
    for words in (text, chapeau):
        for rule in KIND_RULES:
            if words and rule.pattern.search(words):
                return rule.kind
    return "value" if _digits(text) else "other"


def _digits(text: str) -> bool:
    return re.search(r"\d", text) is not None


def _row(line: str, header: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """Return the cells of a table row, named by the header where there is one, and the header to go on with."""
    cells = [c.strip() for c in line.split("\t")]
    if "=" in cells:  # explains a symbol of a formula: "e", "=", "emissions"
        return (" ".join(c for c in cells if c),), header
    if not header and not any(_digits(c) for c in cells[1:]):
        return (), cells
    heads = header if len(header) == len(cells) else [""] * len(cells)
    named = [f"{h.rstrip(' :')}: {c}" if h and n else c for n, (h, c) in enumerate(zip(heads, cells, strict=True)) if c]
    # The number of a row is the label of a line: "3.2."
    told = named[1:] if len(named) > 1 and _LABEL_ALONE.match(named[0]) else named
    return tuple(_END_OF_CELL.sub("", c) for c in told), header or [""]


class _Cursor:
    """Follows the addresses of a passage by the labels of its lines."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self.addresses = tuple(addresses)
        self.position = 0
        self.address = self.addresses[0] if self.addresses else ""
        self.in_list = False

    @property
    def depth(self) -> int:
        """Number of steps of the address; a list whose items have no address is one step deeper."""
        return self.address.count("/") + (1 if self.in_list and not self._is_item() else 0)

    def read(self, label: re.Match[str] | None) -> None:
        """Go on to the provision that a line opens; an unlabelled line after a list goes back to what holds the list."""
        if label is None:
            while self._is_item() and self.position:
                self.address = self.address.rpartition("/")[0]
            self.in_list = False
            return
        self.in_list = bool(label["bracket"] or label["dash"])
        wanted = label["named"] or label["bracket"] or label["number"]
        for at in range(self.position, len(self.addresses)):
            if self._opened_by(self.addresses[at], wanted, dash=bool(label["dash"])) and (
                at > self.position or self.address == self.addresses[at]
            ):
                self.position, self.address = at, self.addresses[at]
                return

    def expects(self, label: str) -> bool:
        """True if a provision with this label is still to come."""
        return any(a.rpartition("/")[2].partition("_")[2] == label for a in self.addresses[self.position :])

    def _is_item(self) -> bool:
        return self.address.rpartition("/")[2].startswith(_LISTS)

    @staticmethod
    def _opened_by(address: str, wanted: str | None, dash: bool) -> bool:
        kind, _, label = address.rpartition("/")[2].partition("_")
        return kind == "ind" if dash else wanted is not None and label == wanted.rstrip(".")
