"""A legal act as data: provisions with their addresses, whatever format it was published in.

An address is a path, outermost part first, `kind_label` joined by `/`, labels as printed without brackets or final
stop: `art_29/par_2`, `art_6/par_1/pnt_b/pnt_i`, `art_10a/par_5a`, `anx_VII/sec_10/pnt_10.1.5/pnt_a`. Articles are
addressed by their number alone, also inside titles, chapters and sections, which have addresses of their own
(`chp_III/sec_2`). What a number is depends on the act: a numbered paragraph is `par`, an item of a list `pnt`, so that
a list of definitions has `art_3/pnt_17`. Lettered or numbered divisions of an annex are `prt` or `sec` as the act calls
them; a number whose parts repeat it is `sec`, and its parts follow at once with their full number
(`sec_5/pnt_5.1/pnt_c`); any other number is `pnt`. An only annex is `anx`.

An address may be shorter than the way to its provision: articles stand in their chapters, 10.1.5 stands in 10.1, and a
numbered table stands where it is printed, though their addresses skip what holds them. A label that returns below one
provision, as in a second list of (a), (b) in one paragraph, gets "-2" and so on (`art_12/par_3/pnt_a-2`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

ProvisionKind = Literal[
    "rec",  # recital
    "art",
    "par",  # numbered paragraph
    "pnt",  # lettered or numbered item of a list
    "ind",  # dash, counted from 1
    "ttl",
    "chp",
    "sec",
    "prt",
    "anx",
    "apx",  # appendix
    "tbl",  # table that the act numbers
    "cmc",  # component material category (32019R1009)
]
DocumentFormat = Literal["formex", "xhtml", "html", "text", "pdf"]


@dataclass(frozen=True, slots=True)
class Table:
    """A table as printed.

    Attributes:
        rows: Cell texts; a cell that spans columns stands once, the rest of its width is "".
        caption: Title of the table, "" if it has none.
    """

    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Provision:
    """A part of an act that has an address.

    Attributes:
        kind: What it is.
        label: Label as printed, without brackets, dashes and final stop ("29", "10a", "a", "iv", "10.1.5", "V"); "" for
            an only annex.
        address: Path within the act; unique there.
        heading: Title, "" if it has none.
        content: Own text (one string a printed paragraph, white space folded, footnote markers kept as "(n)"), tables,
            and the provisions below, in the order printed. An unnumbered subparagraph is a string of its own.
    """

    kind: ProvisionKind
    label: str
    address: str
    heading: str = ""
    content: tuple[Content, ...] = ()

    @property
    def children(self) -> tuple[Provision, ...]:
        """Provisions directly below."""
        return tuple(part for part in self.content if isinstance(part, Provision))

    def walk(self) -> Iterator[Provision]:
        """Yield this provision and all below it, in document order."""
        stack = [self]
        while stack:
            provision = stack.pop()
            yield provision
            stack.extend(reversed(provision.children))

    def lines(self) -> Iterator[str]:
        """Yield the printed lines: label and heading, text, table rows (cells joined by tabs), what is below."""
        yield from _lines(self)

    @property
    def text(self) -> str:
        """All text with labels, one printed paragraph a line."""
        return "\n".join(self.lines())


Content: TypeAlias = str | Table | Provision


@dataclass(frozen=True)
class LegalAct:
    """An act in one language and version.

    Attributes:
        celex: CELEX id of the act itself (`32018L2001`), also for a consolidated version.
        version: Date of a consolidated version (`2022-06-07`), "" for the Official Journal's original.
        language: Two-letter code (`en`).
        format: What it was converted from.
        sha256: Hash of the bytes it was converted from.
        title: Full title, "" if the document does not hold it.
        content: Everything of the document in order: preamble text, recitals, titles, chapters, articles, annexes.
        notes: Footnotes in order, each with its marker ("(1) …").
    """

    celex: str
    version: str
    language: str
    format: DocumentFormat
    sha256: str
    title: str
    content: tuple[Content, ...]
    notes: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """CELEX id, with the date if consolidated: `32018L2001-20220607`."""
        return f"{self.celex}-{self.version.replace('-', '')}" if self.version else self.celex

    def walk(self) -> Iterator[Provision]:
        """Yield all provisions in document order."""
        for part in self.content:
            if isinstance(part, Provision):
                yield from part.walk()

    @cached_property
    def by_address(self) -> dict[str, Provision]:
        """Provisions by address."""
        return {p.address: p for p in self.walk()}

    def headings_above(self, address: str) -> tuple[str, ...]:
        """Return label and heading of the provisions around one, outermost first."""
        above = []
        around = self._around.get(address)
        while around is not None:
            above.append(f"{printed_label(around)} {around.heading}".strip())
            around = self._around.get(around.address)
        return tuple(reversed(above))

    def chapeaux_above(self, address: str) -> tuple[str, ...]:
        """Return the sentences that introduce the lists which a provision is an item of, outermost first."""
        found: list[str] = []
        child, around = self.by_address.get(address), self._around.get(address)
        while child is not None and around is not None:
            opening = _opening(around, child)
            found.extend([opening] if opening else [])
            child, around = around, self._around.get(around.address)
        return tuple(reversed(found))

    @cached_property
    def _around(self) -> dict[str, Provision]:
        return {child.address: p for p in self.walk() for child in p.children}

    @property
    def text(self) -> str:
        """All text of the document, one printed paragraph a line, footnotes last."""
        lines = [line for part in self.content for line in _content_lines(part)]
        return "\n".join([*lines, *self.notes])


def _opening(around: Provision, item: Provision) -> str:
    """Return the sentence before the list that an item stands in, "" if none ends in a colon."""
    opening = ""
    for part in around.content:
        if part is item:
            return opening if item.kind in ("pnt", "ind", "par") else ""
        if isinstance(part, str):
            opening = part if part.endswith(":") else ""
    return ""


_PRINTED = {"art": "Article {}", "ttl": "Title {}", "chp": "Chapter {}", "anx": "Annex {}", "apx": "Appendix {}"}
_PRINTED |= {"rec": "({})", "par": "{}.", "pnt": "({})", "ind": "—", "sec": "{}", "prt": "Part {}", "tbl": "Table {}"}
_PRINTED |= {"cmc": "CMC {}"}


def printed_label(provision: Provision) -> str:
    """Return the label as acts print it: `Article 29`, `2.`, `(a)`, `Annex` for an only annex."""
    return _PRINTED[provision.kind].format(provision.label).strip()


def _lines(provision: Provision) -> Iterator[str]:
    label = printed_label(provision)
    opening = f"{label} {provision.heading}".strip()
    parts = list(provision.content)
    if not provision.heading and parts and isinstance(parts[0], str) and provision.kind in ("rec", "par", "pnt", "ind"):
        opening = f"{label} {parts.pop(0)}"
    yield opening
    for part in parts:
        yield from _content_lines(part)


def _content_lines(part: Content) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, Table):
        if part.caption:
            yield part.caption
        yield from ("\t".join(row) for row in part.rows)
    else:
        yield from _lines(part)
