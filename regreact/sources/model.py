"""What every source reader returns: units made of addressable blocks.

The definition of a block is section 1 of the annotation guidelines; `Block.text` is the exact text that
evidence spans count characters in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

SECTIONS = ("SC", "DNSH.mitigation", "DNSH.adaptation", "DNSH.water", "DNSH.circular", "DNSH.pollution",
            "DNSH.biodiversity")
OBJECTIVES = {"CCM": "mitigation", "CCA": "adaptation", "WTR": "water", "CE": "circular", "PPC": "pollution",
              "BIO": "biodiversity"}
SourceFormat = Literal["compass-json", "formex", "xhtml-cons", "xhtml-oj", "html"]


@dataclass(frozen=True, slots=True)
class Block:
    """One addressable piece of source text.

    Attributes:
        index: Position in the unit, from 0, in document order.
        tag: `p` or `li`.
        depth: Number of lists around it (0 outside lists).
        marker: List marker without brackets (`a`, `ii`, `-`), None outside lists.
        text: Cleaned text: white space folded, sub/superscripts flattened, footnote markers as `(n)`.
        orig: The same content before cleaning (white space as in the source, no folding).
        path: Element path in the source; blocks of one list share the path up to the list element.
        footnotes: Ids (`fn-n`) of the footnotes whose markers stand in the text, in order.
        heading: True if all of the text is emphasised (italic, bold or underlined) or it is a heading row.
    """

    index: int
    tag: str
    depth: int
    marker: str | None
    text: str
    orig: str = ""
    path: str = ""
    footnotes: tuple[str, ...] = ()
    heading: bool = False


@dataclass(frozen=True, slots=True)
class Amendment:
    """An amendment mark of a consolidated text, kept as provenance.

    Attributes:
        act: CELEX id of the amending act.
        action: What it did (`INSERTED`, `REPLACED`, `DELETED` …).
        blocks: Indexes of the blocks it covers; empty if it covers the whole section.
    """

    act: str
    action: str
    blocks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """One section of one activity under one objective (or one appendix, or one fragment).

    Attributes:
        key: Unit key, e.g. `CCM-4.29/SC`, `CCM-Appendix-A`, `stem/SC`.
        activity: Title of the activity as printed (the appendix's title for an appendix).
        objective: `mitigation`, `adaptation`, `water`, `circular`, `pollution`, `biodiversity` or "".
        section: `SC`, `DNSH.<objective>`, or `Appendix`.
        document: Source document id, e.g. `02021R2139-20250108`.
        sha256: Hex digest of the document's bytes.
        format: Format of the document.
        blocks: In document order.
        footnotes: Footnote text by id (`fn-n`), in order of first marker.
        description: Text of the activity description ("" where the source has none).
        amendments: Amendment marks inside or around the section.
    """

    key: str
    activity: str
    objective: str
    section: str
    document: str
    sha256: str
    format: SourceFormat
    blocks: tuple[Block, ...]
    footnotes: dict[str, str] = field(default_factory=dict)
    description: str = ""
    amendments: tuple[Amendment, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitFailure:
    """A unit that the reader found but could not read. The other units are not affected."""

    key: str
    document: str
    place: str
    problem: str


@dataclass(frozen=True, slots=True)
class Document:
    """All units of one source document.

    Attributes:
        document: Source document id.
        sha256: Hex digest of the file's bytes.
        format: Format of the file.
        units: In document order, keys unique.
        failures: Units that could not be read, with the reason.
    """

    document: str
    sha256: str
    format: SourceFormat
    units: tuple[Unit, ...]
    failures: tuple[UnitFailure, ...] = ()
