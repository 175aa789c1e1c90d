"""One place named by one noun: "Articles 7(2) to (4)", "points (a) and (b)", "second subparagraph"."""

from __future__ import annotations

import re
from typing import NamedTuple

from regreact.legal import place_grammar as grammar


class Step(NamedTuple):
    """One step of a path.

    Attributes:
        kind: Kind by the words (`art`, `par`, `pnt` …).
        label: Label without brackets and stop; "" where none is printed ("the Annex"); "this" for "this Annex".
        last: Last label of a range, "" if it is none.
        noun: For an item (`itm`) of a kind that the act itself names, the noun ("descriptor").
    """

    kind: str
    label: str = ""
    last: str = ""
    noun: str = ""

    def __str__(self) -> str:
        return self.kind if self.label in ("", "this") else f"{self.kind}_{self.label}"


Path = tuple[Step, ...]


_PATTERNS = [(kind, re.compile(grammar.pattern(kind))) for kind in grammar.KINDS]
_ORDINAL = re.compile(grammar.ORDINAL)


def read_atom(atom: re.Match[str]) -> tuple[str, list[Path]]:
    """Return the kind of an atom and the paths it names."""
    if atom[0].startswith("this"):
        kind = kind_of(atom[0].split()[-1])
        return kind, [(Step(kind, "this"),)]
    if _ORDINAL.fullmatch(atom[0]):
        *_, noun = atom[0].split()
        kind = grammar.ORDINAL_KINDS[noun.removesuffix("s")]
        return kind, _ordinal(kind, atom[0])
    # matched in place, because some heads look at what follows
    kind = next(k.kind for k, p in _PATTERNS if (m := p.match(atom.string, atom.start())) and m[0] == atom[0])
    return kind, _paths(kind, atom[0])


def kind_of(noun: str) -> str:
    return next((k.kind for k in grammar.KINDS if k.label and re.fullmatch(k.head, noun)), "")


def _ordinal(kind: str, words: str) -> list[Path]:
    """Return the paths of counted places: "first and third indents"."""
    found: list[Path] = []
    position = 0
    for match in re.finditer(rf"\b(?:{'|'.join(grammar.ORDINALS)})\b", words):
        label = "last" if match[0] == "last" else str(grammar.ORDINALS.index(match[0]) + 1)
        if found and re.search(r"\bto\b", words[position : match.start()]):
            found[-1] = (found[-1][0]._replace(last=label),)
        else:
            found.append((Step(kind, label),))
        position = match.end()
    return found


_ITEM = re.compile(rf"(?P<base>{grammar.NUMBER}|{grammar.ROMAN}|{grammar.LETTER})?(?P<brackets>{grammar.BRACKETS}*)")


def _paths(kind: str, atom: str) -> list[Path]:
    """Return the paths of one atom: "Articles 7(2) – 7(4)" names paragraphs of one article."""
    if kind == "cat":
        return [(Step("cat", " ".join(re.findall(r"\d\d", atom))),)]
    if kind == "mod":
        return [(Step("mod", label),) for label in re.findall(r"\b[A-H]\d?\b", atom)]
    if kind == "bat":
        number, letter = re.findall(r"\d+[a-z]?", atom)[0], re.findall(r"\(([a-z])\)", atom)
        return [(Step("bat", number), *(Step("pnt", x) for x in letter))]
    labels = re.search(rf"(?<=[ \u00a0]){grammar.LABELS}$", atom)
    if labels is None:
        return [(Step(kind),)]
    found: list[Path] = []
    end: Path = ()
    position = labels.start()
    for match in re.finditer(grammar.LABEL, atom[labels.start() :]):
        start = labels.start() + match.start()
        item = _ITEM.fullmatch(match[0])
        if item is None:  # no label without a base and brackets matches LABEL
            continue
        path = _item_path(kind, item, end)
        if re.search(r"\bto\b|[–-]", atom[position:start]) and found and path[:-1] == end[:-1]:
            found[-1] = (*end[:-1], end[-1]._replace(last=path[-1].label))
        else:
            found.append(path)
        end = path
        position = labels.start() + match.end()
    return found


def _item_path(kind: str, item: re.Match[str], previous: Path) -> Path:
    """Return the path of one label; brackets alone go on from the label before."""
    brackets = [b.strip("() \u00a0") for b in re.findall(r"\([^)]*\)", item["brackets"])]
    if item["base"]:
        path = _own(kind, item["base"].rstrip("."))
    else:
        path = _base(kind, previous, brackets[0])
    for label in brackets:
        path = (*path, Step(_bracket_kind(kind, label, len(path)), label))
    return path


def _own(kind: str, label: str) -> Path:
    """Return the steps of a label: "II.2" of an annex is two, "I.A.2" three; older acts write 11.4 for Article 11(4)."""
    stem, dot, rest = label.partition(".")
    if kind == "art" and dot:
        return Step("art", stem), Step("par", rest)
    if not dot or stem.isdigit() or kind in _COUNTED:
        return (Step(kind, label),)
    letter, _, inner = rest.partition(".")
    if letter.isalpha():
        return Step(kind, stem), Step("prt", letter), *([Step("pnt", inner)] if inner else [])
    return Step(kind, stem), Step("pnt", rest)


# Parts whose label is one, with its dots.
_COUNTED = ("tbl", "apx")


def _bracket_kind(kind: str, label: str, depth: int) -> str:
    """Return what a label in brackets is: a digit right behind an article is a paragraph, anything else a point."""
    if kind == "art":
        return "par" if depth == 1 and label[0].isdigit() else "pnt"
    if kind == "anx" and label.isupper():  # "Annex I(A)"
        return "prt"
    return kind if depth == 0 else "pnt"


_SMALL_ROMAN = re.compile(r"[ivxl]+")


def _base(kind: str, current: Path, label: str) -> Path:
    """Return the path that a label in brackets goes on from: "(c)" after "29(4)(a)" stands in 29(4).

    A letter that is no numeral does not go on from a numeral: "(c)" after "6(1)(b)(i)" stands in 6(1).
    """
    if not current or len(current) == 1:
        return current if kind == "art" else ()
    depth = len(current) - 1
    top = 1 if kind == "art" else 0
    while depth > top and current[depth].label[0].isdigit() != label[0].isdigit():
        depth -= 1
    above = current[depth - 1].label if depth else ""
    numeral = bool(_SMALL_ROMAN.fullmatch(current[depth].label)) and not _SMALL_ROMAN.fullmatch(label)
    if numeral and above.isalpha() and above.islower():
        depth -= 1
    return current[:depth]
