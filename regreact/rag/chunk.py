"""Chunks of an act that follow its articles, paragraphs and annex divisions.

A paragraph (numbered paragraph, point, unnumbered subparagraph or table of an article, a recital, a point of an annex)
stays whole unless it is longer than the target. Then it is cut where it prints a new line (point, subparagraph, table
row), a longer line at its sentences, a longer sentence between words. Short neighbours are joined up to the target, but
no chunk holds text of two articles, two recitals or two annex divisions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from regreact.errors import ConfigError
from regreact.rag.act import Content, LegalAct, Provision, Table, printed_label
from regreact.rag.passages import Chunk

TARGET_WORDS = 160
OVERLAP_WORDS = 30

# Provisions that begin chunks of their own. Paragraphs, points and dashes are joined within them.
DIVISIONS = frozenset({"rec", "art", "ttl", "chp", "sec", "prt", "anx", "apx", "tbl", "cmc"})
# A stop, semicolon or colon ends a sentence where the next one begins with a capital, bracket, quotation mark or dash,
# unless it belongs to an abbreviation before a number or name ("No. 5", "Art. 3", "e.g. Annex I", initials).
SENTENCE_END = re.compile(
    r"(?<=[.;:?!])(?<!\b[A-Z]\.)(?<!No\.)(?<!Nos\.)(?<!Art\.)(?<!e\.g\.)(?<!i\.e\.)\s+(?=[A-Z(‘“—–])"
)


@dataclass(frozen=True, slots=True)
class _Line:
    """A printed line, or a piece of one: its words counted, the provision it stands in, the header of its table."""

    text: str
    address: str
    header: str = ""

    @property
    def words(self) -> int:
        return len(self.text.split())


_Block = tuple[_Line, ...]  # lines that stay together


@dataclass(frozen=True, slots=True)
class _Group:
    """What may be joined: the paragraphs of one article, recital or division, in order, under their headings."""

    context: str
    paragraphs: tuple[_Paragraph, ...]


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """Own text or a provision below a division."""

    part: Content
    address: str

    def lines(self) -> _Block:
        return tuple(_content_lines(self.part, self.address))

    def pieces(self, limit: int) -> Iterator[_Block]:
        """Yield the largest stretches of at most `limit` words that the drafting sets apart."""
        lines = self.lines()
        if _words(lines) <= limit:
            yield lines
        elif isinstance(self.part, Provision):
            opening, rest = _opening(self.part)
            yield from _cut(_Line(opening, self.part.address), limit)
            for part in rest:
                yield from _Paragraph(part, self.part.address).pieces(limit)
        else:
            for line in lines:
                yield from _cut(line, limit)


def chunks(act: LegalAct, target_words: int = TARGET_WORDS, overlap_words: int = OVERLAP_WORDS) -> list[Chunk]:
    """Cut an act into chunks, in document order.

    Args:
        act: The act.
        target_words: Most words of a chunk, overlap included; a repeated table header may exceed it.
        overlap_words: Most words that the parts of a cut paragraph share, taken by whole sentences.

    Raises:
        ConfigError: The target is below 20 words, or the overlap is negative or over half of the target.

    Example:
        >>> article = Provision("art", "4", "art_4", "Mooring", ("Boats keep off.",))
        >>> act = LegalAct("32099R0001", "", "en", "text", "", "", (article,))
        >>> chunks(act)[0]
        Chunk(act='32099R0001', addresses=('art_4',), context='Article 4 Mooring', text='Boats keep off.')
    """
    if target_words < 20 or not 0 <= overlap_words <= target_words // 2:
        raise ConfigError(
            f"chunks of {target_words} words with an overlap of {overlap_words} are not possible: "
            "the target is at least 20 words, the overlap between 0 and half of the target"
        )
    made = []
    for group in _groups(act):
        for block in _pack(group.paragraphs, target_words, overlap_words):
            addresses = tuple(dict.fromkeys(line.address for line in block if line.address))
            made.append(Chunk(act.id, addresses, group.context, "\n".join(line.text for line in block)))
    return made


def holding(made: Iterable[Chunk], provision: Provision) -> list[Chunk]:
    """Return the chunks that hold text of a provision or of what is below it, such as the articles of a chapter."""
    wanted = {p.address for p in provision.walk()}
    return [chunk for chunk in made if wanted.intersection(chunk.addresses)]


# --- groups -------------------------------------------------------------------------------------------------


def _groups(act: LegalAct) -> Iterator[_Group]:
    yield from _divide(act.content, "", ())
    if act.notes:
        yield _Group("Footnotes", tuple(_Paragraph(note, "") for note in act.notes))


def _divide(content: Iterable[Content], address: str, headings: tuple[str, ...]) -> Iterator[_Group]:
    """Yield the groups below a division; its own text before, between and after inner divisions is a group each."""
    context = ", ".join(headings)
    own: list[_Paragraph] = []
    for part in content:
        if isinstance(part, Provision) and part.kind in DIVISIONS:
            if own:
                yield _Group(context, tuple(own))
                own = []
            yield from _division(part, headings)
        else:
            own.append(_Paragraph(part, address))
    if own:
        yield _Group(context, tuple(own))


def _division(provision: Provision, headings: tuple[str, ...]) -> Iterator[_Group]:
    if provision.kind == "rec" and not provision.heading:
        # A recital prints its number before its text, like a paragraph.
        yield _Group("Recitals", (_Paragraph(provision, provision.address),))
        return
    heading = f"{printed_label(provision)} {provision.heading}".strip()
    above = (*headings, heading)
    if provision.content:
        yield from _divide(provision.content, provision.address, above)
    else:  # a heading alone, such as that of a deleted article
        yield _Group(", ".join(headings), (_Paragraph(heading, provision.address),))


# --- lines --------------------------------------------------------------------------------------------------


def _opening(provision: Provision) -> tuple[str, Sequence[Content]]:
    """Return the line that a provision begins with (label and heading, or label and first text), and the rest."""
    label, rest = printed_label(provision), provision.content
    if provision.heading or not rest or not isinstance(rest[0], str):
        return f"{label} {provision.heading}".strip(), rest
    return f"{label} {rest[0]}".strip(), rest[1:]


def _content_lines(part: Content, address: str) -> Iterator[_Line]:
    if isinstance(part, Provision):
        opening, rest = _opening(part)
        yield _Line(opening, part.address)
        for below in rest:
            yield from _content_lines(below, part.address)
    elif isinstance(part, Table):
        if part.caption:
            yield _Line(part.caption, address)
        rows = ["\t".join(row) for row in part.rows]
        header = rows[0] if len(rows) > 1 else ""
        yield from (_Line(row, address, header if n else "") for n, row in enumerate(rows) if row.strip())
    else:
        yield _Line(part, address)


def _words(lines: Iterable[_Line]) -> int:
    return sum(line.words for line in lines)


def _cut(line: _Line, limit: int) -> Iterator[_Block]:
    """Yield a line, its sentences if it is longer than the limit, and longer sentences in slices of words."""
    if line.words <= limit:
        yield (line,)
        return
    for sentence in SENTENCE_END.split(line.text):
        words = sentence.split()
        slices = [words[n : n + limit] for n in range(0, len(words), limit)] if len(words) > limit else [[sentence]]
        yield from ((replace(line, text=" ".join(s)),) for s in slices)


# --- packing ------------------------------------------------------------------------------------------------


def _pack(paragraphs: Iterable[_Paragraph], target: int, overlap: int) -> Iterator[_Block]:
    """Join short paragraphs up to the target; cut long ones."""
    block: _Block = ()
    for paragraph in paragraphs:
        lines = paragraph.lines()
        if block and _words(block) + _words(lines) > target:
            yield block
            block = ()
        if _words(lines) > target:
            yield from _parts(paragraph, target, overlap)
        else:
            block += lines
    if block:
        yield block


def _parts(paragraph: _Paragraph, target: int, overlap: int) -> Iterator[_Block]:
    """Cut a long paragraph into parts; a part begins with the end of the one before, or with the table's header."""
    block: _Block = ()
    for piece in paragraph.pieces(target - overlap):
        if block and _words(block) + _words(piece) > target:
            yield block
            block = _opening_of_part(piece[0], block, target, overlap)
        block += piece
    if block:
        yield block


def _opening_of_part(line: _Line, before: _Block, target: int, overlap: int) -> _Block:
    """Return what a part repeats: the header of the table that goes on, unless it fills the part, else the overlap."""
    if line.header:
        header = replace(line, text=line.header)
        return (header,) if header.words <= target // 2 else ()
    return _tail(before, overlap)


def _tail(block: _Block, limit: int) -> _Block:
    """Return the last whole sentences of a block, at most `limit` words; none of a table."""
    tail: _Block = ()
    for line in reversed(block):
        if line.header:
            break
        for sentence in reversed(SENTENCE_END.split(line.text)):
            piece = replace(line, text=sentence)
            if _words(tail) + piece.words > limit:
                return tail
            tail = (piece, *tail)
    return tail
