"""Running text of Formex: quotation marks, footnote markers and formulas become characters."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from regreact.sources.blocks import fold
from regreact.sources.formex_context import QUOTES, quotation_mark

# Elements within a sentence; any other element ends the paragraph that it stands in.
INLINE = frozenset(
    "HT DATE FT REF.DOC REF.DOC.OJ REF.DOC.SE QUOT.START QUOT.END NOTE INCL.ELEMENT LINK IE ADDR.S KEYWORD MARGIN BR"
    " FORMULA FORMULA.S EXPR FRACTION DIVIDEND DIVISOR IND EXPONENT SUM INTEGRAL PRODUCT ROOT OVER UNDER OVERLINE"
    " OP.CMP OP.MATH FMT.VALUE BAR OP.ACT VECTOR ITEM.CONT NO.ITEM REF.PHYS TXT.REF".split()
)
_OPERATORS = {
    "EQ": "=", "NE": "≠", "LT": "<", "GT": ">", "LE": "≤", "GE": "≥", "AP": "≈",
    "PLUS": "+", "MINUS": "−", "PLUSMINUS": "±", "MULT": "×", "DIV": "/",
}  # fmt: skip
_BRACKETS = {"BRACKET": "()", "SQBRACKET": "[]", "BRACE": "{}", "BAR": "||"}
_SIGNS = {"SUM": "∑", "PRODUCT": "∏", "INTEGRAL": "∫", "ROOT": "√"}


class Notes:
    """Footnotes of a document, numbered from 1 in the order of their first markers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._elements: dict[str, etree._Element] = {}
        self._order: list[str] = []
        self._file = 0

    def open(self, root: etree._Element) -> None:
        """Learn the footnotes of a file; ids count anew in each file of an archive."""
        self._file += 1
        for note in root.iter("NOTE"):
            if note.get("NOTE.ID"):
                self._elements.setdefault(self._key(note.get("NOTE.ID", "")), note)

    def marker(self, note: etree._Element) -> str:
        """Return "(n)" for a marker; those that refer to one footnote share its number."""
        key = self._key(note.get("NOTE.REF") or note.get("NOTE.ID") or f"#{id(note)}")
        if key not in self._numbers:
            self._elements.setdefault(key, note)
            self._number(key)
        return f"({self._numbers[key]})"

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield marker and text of each footnote; those that nothing refers to come last."""
        done = 0
        while done < len(self._order):  # a footnote may have footnotes
            key = self._order[done]
            done += 1
            yield f"({self._numbers[key]})", _paragraphs(self._elements[key], self)
            if done == len(self._order):
                for left in [k for k in self._elements if k not in self._numbers]:
                    self._number(left)
        if not self._order and self._elements:
            for left in self._elements:
                self._number(left)
            yield from self.texts()

    def _number(self, key: str) -> None:
        self._order.append(key)
        self._numbers[key] = len(self._order)

    def _key(self, identifier: str) -> str:
        return f"{self._file} {identifier}"


def inline_text(element: etree._Element, notes: Notes) -> str:
    """Return the folded text of an element that is one paragraph or part of one."""
    return fold("".join(_inner(element, notes)))


def child_text(child: etree._Element, notes: Notes) -> str:
    """Return the text of an inline element as it stands in its paragraph, white space kept."""
    return "".join(_inline(child, notes))


def is_block(element: etree._Element) -> bool:
    """Whether an element is set as a paragraph, or holds some; comments and instructions are nothing."""
    return isinstance(element.tag, str) and element.tag not in INLINE


def _paragraphs(element: etree._Element, notes: Notes) -> str:
    return fold("".join(_inner(element, notes)))


def _inner(element: etree._Element, notes: Notes) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if is_block(child):
            yield " "
            yield from _inner(child, notes)
            yield " "
        else:
            yield from _inline(child, notes)
        yield child.tail or ""


def _inline(child: etree._Element, notes: Notes) -> Iterator[str]:
    tag = child.tag
    if not isinstance(tag, str):
        return
    if tag == "NOTE":
        yield f" {notes.marker(child)}" if _is_glued(child) else notes.marker(child)
    elif tag in QUOTES:
        yield quotation_mark(child)
    elif tag == "BR":
        yield " "
    elif tag in ("OP.CMP", "OP.MATH"):
        yield f" {_OPERATORS.get(child.get('TYPE', ''), child.get('TYPE', ''))} "
    elif tag in ("DIVIDEND", "DIVISOR"):
        yield "/" if tag == "DIVISOR" else ""
        yield from _bracketed(child, notes, "()" if _is_compound(child) else "")
    elif tag == "EXPR":
        yield from _bracketed(child, notes, _BRACKETS.get(child.get("TYPE", ""), ""))
    else:
        yield _SIGNS.get(tag, "")
        yield from _inner(child, notes)


def _bracketed(element: etree._Element, notes: Notes, pair: str) -> Iterator[str]:
    yield pair[:1]
    yield from _inner(element, notes)
    yield pair[1:]


def _is_compound(element: etree._Element) -> bool:
    """Whether one side of a fraction needs brackets on a line."""
    return next(element.iter("OP.MATH", "SUM", "FRACTION"), None) is not None


def _is_glued(note: etree._Element) -> bool:
    """Whether a marker would run into the word or the marker before it: printed raised, it needs a space here."""
    before = note.getprevious()
    text = (before.tail if before is not None else getattr(note.getparent(), "text", None)) or ""
    return not text[-1:].isspace() and bool(text or before is not None)
