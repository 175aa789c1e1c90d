"""How far two documents agree block by block, and why not where they do not.

Used to check one source against another: the Compass dump of the criteria against the Official Journal.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from regreact.sources.model import Block, Document, Unit

_QUOTES = str.maketrans(dict.fromkeys("‘’‚‛′`´“”„‟″«»\"", "'"))
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
# Leading label of a numbered paragraph or list item: "1.", "1.2", "2.6.1.", "(a)", "(iv)".
_LABEL = re.compile(r"(?:(?:\d+\.)+|\([a-z0-9]{1,5}\)|\d+(?:\.\d+)+(?=\s*[A-Z]))(?=\s|[A-Z])\s*")
_DECIMAL = re.compile(r"(?<=\d),(?=\d)")
_NO_WORD = re.compile(r"[^\w]")
# Before a "(7)" that is no footnote marker: "point (7)", "Article 29(7)", "Article 4(1)(7)".
_CITATION_BEFORE = re.compile(r"(?:\s|\bArticles?\s\d+[a-z]?|\))$")
# From this ratio of common characters two blocks count as wordings of one provision.
_SAME_PROVISION = 0.6


def normal_text(block: Block, label: bool = False) -> str:
    """Return a block's text for comparison between documents.

    Set aside: footnote markers, the leading list label or number (one source has it in the text, the other in
    the marker), kinds of quotation mark and dash, super- and subscript characters, all white space.

    Args:
        block: The block.
        label: True keeps the leading label.

    Example:
        >>> one = Block(0, "p", 0, None, "1.2 Less than 5 g CO₂ per m³(7) of ‘air’", footnotes=("fn-7",))
        >>> two = Block(0, "li", 1, "1.2", "Less than 5g CO2 per m3(1) of 'air'", footnotes=("fn-1",))
        >>> normal_text(one) == normal_text(two)
        True
    """
    text = without_markers(block)
    if not label:
        text = _LABEL.sub("", text, count=1) if _LABEL.match(text) else text
    text = unicodedata.normalize("NFKC", text).translate(_QUOTES).translate(_DASHES)
    return "".join(text.split())


def without_markers(block: Block) -> str:
    """Return a block's text without its footnote markers; "Article 29(2)" and "point (2)" stay.

    Example:
        >>> without_markers(Block(0, "p", 0, None, "under Article 3(1), targets(1).", footnotes=("fn-1",)))
        'under Article 3(1), targets.'
    """
    text, start = block.text, 0
    for note in block.footnotes:
        marker = f"({note.removeprefix('fn-')})"
        places = [m.start() for m in re.finditer(re.escape(marker), text) if m.start() >= start]
        plain = [place for place in places if not _CITATION_BEFORE.search(text[:place])]
        if places:
            start = (plain or places)[0]
            text = text[:start] + text[start + len(marker) :]
    return text


@dataclass(frozen=True, slots=True)
class Cause:
    """A class of differences: two texts differ by it alone if they are equal once `remove` has been applied."""

    name: str
    example: str
    remove: Callable[[str], str]


# In this order; the first that makes the two texts equal is the cause.
CAUSES: tuple[Cause, ...] = (
    Cause("decimal mark", "1.5 | 1,5", lambda text: _DECIMAL.sub(".", text)),
    Cause("case", "Where | where", str.lower),
    Cause("punctuation", "lower than : | lower than:", lambda text: _NO_WORD.sub("", text).lower()),
)
WORDING, BOUNDARY, ONLY_LEFT, ONLY_RIGHT = "wording", "block boundary", "only in left", "only in right"


@dataclass(frozen=True, slots=True)
class Difference:
    """Blocks that have no identical counterpart: unit keys and block indexes on both sides, and the cause."""

    left_unit: str
    right_unit: str
    left_blocks: tuple[int, ...]
    right_blocks: tuple[int, ...]
    cause: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Agreement of two documents on the units that both have.

    Attributes:
        units: Number of shared units.
        blocks: Blocks of those units, of the side that has more, summed over units.
        identical: Blocks with an identical counterpart in the same order.
        differences: The others.
        only_left: Units of the left document that the right one lacks.
    """

    units: int
    blocks: int
    identical: int
    differences: tuple[Difference, ...]
    only_left: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """Identical blocks over blocks, in [0, 1]; 0 if nothing is shared."""
        return self.identical / self.blocks if self.blocks else 0.0

    def by_cause(self) -> dict[str, int]:
        """Return the number of differing blocks (of the side with more) by cause, largest first."""
        counts: Counter[str] = Counter()
        for difference in self.differences:
            counts[difference.cause] += max(len(difference.left_blocks), len(difference.right_blocks))
        return dict(counts.most_common())


def compare_documents(left: Document, right: Document, numbers: Mapping[str, str]) -> Comparison:
    """Compare the blocks of all units that two documents share.

    Args:
        left: E.g. the Compass.
        right: E.g. a delegated act.
        numbers: Activity key in `right` by activity key in `left` (`regreact.legal.activities`); activities
            that are not in it count as missing on the right.
    """
    by_key = {unit.key: unit for unit in right.units}
    pairs: list[tuple[Unit, Unit]] = []
    only_left: list[str] = []
    for unit in left.units:
        activity, _, section = unit.key.partition("/")
        found = by_key.get(f"{numbers.get(activity)}/{section}")
        if found is None:
            only_left.append(unit.key)
        else:
            pairs.append((unit, found))
    differences = tuple(d for one, other in pairs for d in compare_units(one, other))
    blocks = sum(max(len(one.blocks), len(other.blocks)) for one, other in pairs)
    identical = sum(_identical(one, other) for one, other in pairs)
    return Comparison(len(pairs), blocks, identical, differences, tuple(only_left))


def _texts(unit: Unit) -> list[str]:
    return [normal_text(block) for block in unit.blocks]


def _identical(left: Unit, right: Unit) -> int:
    matcher = SequenceMatcher(a=_texts(left), b=_texts(right), autojunk=False)
    return sum(run.size for run in matcher.get_matching_blocks())


def compare_units(left: Unit, right: Unit) -> Iterator[Difference]:
    """Yield the blocks of two units without an identical counterpart, paired where they belong together."""
    matcher = SequenceMatcher(a=_texts(left), b=_texts(right), autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            for ours, theirs, cause in _explain(left, right, range(i1, i2), range(j1, j2)):
                yield Difference(left.key, right.key, tuple(ours), tuple(theirs), cause)


def matching_blocks(left: Unit, right: Unit) -> dict[int, int]:
    """Return the indexes of blocks on the right by those of their counterparts on the left, in order.

    Counterparts have the same text, or are wordings of one provision that stand between the same neighbours.
    """
    matcher = SequenceMatcher(a=_texts(left), b=_texts(right), autojunk=False)
    pairs: dict[int, int] = {}
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            pairs.update(zip(range(i1, i2), range(j1, j2), strict=True))
            continue
        for ours, theirs, _ in _explain(left, right, range(i1, i2), range(j1, j2)):
            if len(ours) == len(theirs) == 1:
                pairs[ours[0]] = theirs[0]
    return pairs


_Explained = tuple[Sequence[int], Sequence[int], str]


def _explain(left: Unit, right: Unit, ours: range, theirs: range) -> Iterator[_Explained]:
    """Pair the blocks of a differing stretch in order, and name the cause of each pair's difference."""
    while ours:
        i = ours.start
        partner = next((j for j in theirs if _related(left.blocks[i], right.blocks[j])), None)
        if partner is None:
            yield (i,), (), ONLY_LEFT
            ours = ours[1:]
            continue
        yield from (((), (j,), ONLY_RIGHT) for j in range(theirs.start, partner))
        theirs = range(partner, theirs.stop)
        n, m = _same_text(left, right, ours, theirs)
        cause = _cause(left.blocks[i], right.blocks[partner]) if (n, m) == (1, 1) else BOUNDARY
        yield ours[:n], theirs[:m], cause
        ours, theirs = ours[n:], theirs[m:]
    yield from (((), (j,), ONLY_RIGHT) for j in theirs)


def _same_text(left: Unit, right: Unit, ours: range, theirs: range) -> tuple[int, int]:
    """Return how many blocks of either side, from the first, make up one text; (1, 1) if one against one."""
    for n in range(2, len(theirs) + 1):
        if _joined(left, ours[:1]) == _joined(right, theirs[:n]):
            return 1, n
    for n in range(2, len(ours) + 1):
        if _joined(left, ours[:n]) == _joined(right, theirs[:1]):
            return n, 1
    return 1, 1


def _joined(unit: Unit, indexes: range) -> str:
    return "".join(normal_text(unit.blocks[i], label=True) for i in indexes)


def _related(one: Block, other: Block) -> bool:
    """True if the blocks are wordings of one provision, or one begins with the other."""
    a, b = normal_text(one), normal_text(other)
    if a.startswith(b) or b.startswith(a):
        return True
    return SequenceMatcher(None, a, b, autojunk=False).ratio() >= _SAME_PROVISION


def _cause(one: Block, other: Block) -> str:
    a, b = normal_text(one), normal_text(other)
    for cause in CAUSES:
        a, b = cause.remove(a), cause.remove(b)
        if a == b:
            return cause.name
    return WORDING
