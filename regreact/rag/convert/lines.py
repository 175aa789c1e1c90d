"""What every format is read into before it gets addresses: typed lines.

A reader says what the markup says and no more. What it leaves open (role `text` without label) the outline decides by
the grammar of drafting, the same for XHTML of the old style, plain text and PDF.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from regreact.rag.act import Table

Role = Literal[
    "title",  # part of the act's title
    "recital",  # label: its number
    "division",  # title, chapter, section or part that holds articles, or a division of an annex that is called so
    "article",  # label: its number; text: its heading
    "heading",  # heading of what was opened last, or an unlabelled heading within an annex
    "paragraph",  # numbered paragraph of an article; label: its number
    "point",  # labelled item of a list; depth: its nesting
    "text",  # anything else; the outline may find a label at its beginning
    "annex",  # opens an annex; label: its number or ""; text: its heading
    "appendix",  # opens an appendix
    "note",  # footnote, with its marker
    "end",  # closing formula, signatures: after it come only annexes and notes
]


@dataclass(frozen=True, slots=True)
class Line:
    """A printed paragraph, heading, item or table.

    Attributes:
        role: What the markup says it is.
        text: Text without label, white space folded, superscripts flattened, footnote markers kept as "(n)".
        label: Label as printed ("1.", "(a)", "Article 29", "CHAPTER III", "—"), "" if there is none or the markup does
            not set it apart; the outline strips brackets, dashes, nouns and stops.
        depth: Nesting of lists by the markup, 1 for the outermost; 0 where the markup does not tell.
        table: The table, for a line that is one.
        quoted: Stands in quotation marks as the new wording of another act: its labels are not addresses of this act.
    """

    role: Role
    text: str = ""
    label: str = ""
    depth: int = 0
    table: Table | None = None
    quoted: bool = False
