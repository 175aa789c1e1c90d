"""An act as Markdown: headings by level, points as nested lists, tables with pipes, an anchor for every address."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

from regreact.rag.act import Content, LegalAct, Provision, Table

_ITEMS = ("rec", "par", "pnt", "ind")
_INLINE = re.compile(r"[\\`*_\[\]|~$]")
# What Markdown would read as the beginning of a list, heading, quotation, rule or indented code.
_LEADING = re.compile(r"^(\d{1,9}(?=[.)])|(?=[#+=-]))")
_DEEPEST = 6
"""Markdown knows six levels of headings."""


def to_markdown(act: LegalAct) -> str:
    """Return the act as Markdown (GitHub's dialect).

    Every provision stands behind an anchor with its address, so that `#art_29/par_2` links to it. Nothing in the act's
    text becomes markup: characters that HTML or Markdown reads as such are escaped.

    Example:
        >>> from regreact.rag.act import Provision
        >>> par = Provision("par", "1", "art_2/par_1", content=("Sail <fast>.",))
        >>> art = Provision("art", "2", "art_2", "Ships", (par,))
        >>> print(to_markdown(LegalAct("32099R0001", "", "en", "xhtml", "", "Act", (art,))))
        # Act
        <BLANKLINE>
        ## <a id="art_2"></a>Article 2 Ships
        <BLANKLINE>
        - <a id="art_2/par_1"></a>1. Sail &lt;fast&gt;.
        <BLANKLINE>
    """
    blocks = [f"# {_escaped(act.title or act.id)}", *_blocks(act.content, level=2)]
    if act.notes:
        blocks += ["---", *map(_paragraph, act.notes)]
    return "\n\n".join(blocks) + "\n"


def _blocks(content: Iterable[Content], level: int) -> Iterator[str]:
    for part in content:
        if isinstance(part, str):
            yield _paragraph(part)
        elif isinstance(part, Table):
            yield from _table(part)
        elif part.kind in _ITEMS:
            yield _item(part, level)
        else:
            yield f"{'#' * min(level, _DEEPEST)} {_anchor(part)}{_escaped(next(part.lines()))}"
            yield from _blocks(part.content, level + 1)


def _item(provision: Provision, level: int) -> str:
    """Return a list item; what belongs to it is indented below."""
    content = provision.content
    starts_with_text = bool(content) and isinstance(content[0], str) and not provision.heading
    first = f"{_anchor(provision)}{_escaped(next(provision.lines()))}"
    blocks = [first, *_blocks(content[1:] if starts_with_text else content, level)]
    return "- " + "\n\n".join(blocks).replace("\n", "\n  ").replace("\n  \n", "\n\n")


def _anchor(provision: Provision) -> str:
    return f'<a id="{html.escape(provision.address)}"></a>'


def _table(table: Table) -> Iterator[str]:
    if table.caption:
        yield f"**{_escaped(table.caption)}**"
    if not table.rows:
        return
    header, *rows = [f"| {' | '.join(map(_escaped, row))} |" for row in table.rows]
    yield "\n".join([header, "|" + " --- |" * len(table.rows[0]), *rows])


def _paragraph(text: str) -> str:
    return _LEADING.sub(r"\1\\", _escaped(text))


def _escaped(text: str) -> str:
    """Return the text on one line, with the characters escaped that would become markup."""
    return _INLINE.sub(r"\\\g<0>", html.escape(" ".join(text.split()), quote=False))
