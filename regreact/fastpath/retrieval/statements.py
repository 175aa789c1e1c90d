"""Passages taken apart into statements: sentences, items of lists with their chapeau, rows of tables; each located."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from regreact.fastpath.cues import sentences
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
        row: True for a table row, whose cells are named by the header and are not verbatim.
    """

    passage: str
    order: int
    address: str
    text: str
    label: str
    chapeau: str
    kind: StatementKind
    row: bool = False

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
_LISTS = ("pnt", "ind")


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
    header: list[str] = []
    for line in passage.text.splitlines():
        words = " ".join(line.split(" ")).strip(" ")
        if not words.strip():
            continue
        if "\t" in words:
            row, header = _row(words, header)
            if row:
                kind: StatementKind = "value" if _digits(row) else "other"
                yield Statement(passage.id, 0, cursor.address, row, "", "", kind, row=True)
            continue
        header = []
        match = _label(words, cursor)
        label = match[0].strip() if match else ""
        text = words[match.end() :].strip() if match else words
        cursor.read(match)
        titled = match is None or match["noun"] is not None
        if not text or (titled and _HEADING.match(text) and not _digits(text)):
            continue
        depth = cursor.depth
        above = max((d for d in chapeaux if d < depth), default=None)
        chapeaux = {d: c for d, c in chapeaux.items() if d < depth}
        chapeau = chapeaux.get(above, "") if above is not None and cursor.in_list else ""
        if text.endswith(":"):
            chapeaux[depth] = f"{chapeau} {text}".strip()
        yield from _sentences(passage.id, cursor.address, label, text, chapeau)


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
    for number, (a, b) in enumerate(sentences(text)):
        words = text[a:b].strip()
        if words:
            shown = label if number == 0 else ""
            # Recitals explain and bind nobody.
            kind = "guidance" if address.startswith("rec_") else kind_of(words, chapeau)
            yield Statement(passage, 0, address, words, shown, chapeau, kind)


def kind_of(text: str, chapeau: str = "") -> StatementKind:
    """Return what a statement does; an item of a list does what its chapeau says, unless it says so itself.

    Example:
        >>> kind_of("Operators shall keep accounts."), kind_of("the yearly dust;", "Accounts shall contain:")
        ('duty', 'duty')
    """
    for words in (text, chapeau):
        for rule in KIND_RULES:
            if words and rule.pattern.search(words):
                return rule.kind
    return "value" if _digits(text) else "other"


def _digits(text: str) -> bool:
    return re.search(r"\d", text) is not None


def _row(line: str, header: list[str]) -> tuple[str, list[str]]:
    """Return a table row as text, cells named by the header where there is one, and the header to go on with."""
    cells = [c.strip() for c in line.split("\t")]
    if not header and not any(_digits(c) for c in cells[1:]):
        return "", cells
    named = len(header) == len(cells)
    heads = header if named else [""] * len(cells)
    parts = [f"{h}: {c}" if h and n else c for n, (h, c) in enumerate(zip(heads, cells, strict=True)) if c]
    return "; ".join(parts), header or [""]


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
