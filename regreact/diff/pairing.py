"""Which criterion of one version is which of the other.

Scoring pairs by id first (`regreact.evaluation.alignment`), since both sides describe one text. Between versions an
inserted point shifts the ids behind it, so that here the text decides, and the id where the text does not.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

from regreact.evaluation.alignment import MINIMUM_RATIO, similarity
from regreact.schema import Criterion
from regreact.sources.comparison import normal_text, without_markers
from regreact.sources.model import Block


@dataclass(frozen=True, slots=True)
class Placed:
    """A criterion, the id of its parent (None for ROOT), and its text as it is compared."""

    node: Criterion
    parent: str | None
    plain: str

    @property
    def id(self) -> str:
        """Its id."""
        return self.node.criterion_id


@dataclass(frozen=True, slots=True)
class Pairs:
    """Every criterion of the second side after its partner of the first, None if added; and those removed."""

    pairs: tuple[tuple[Placed | None, Placed], ...]
    removed: tuple[Placed, ...]


def plain_text(node: Criterion) -> str:
    """Return a criterion's text without footnote markers, list label, kinds of quotes and dashes, and white space.

    Footnotes count from 1 in each section, so that a new one renumbers the markers of those behind it.
    """
    return normal_text(_block(node))


def plain(text: str) -> str:
    """Return a text for comparison: kinds of quotes and dashes made equal, without white space."""
    return normal_text(Block(0, "p", 0, None, text), label=True)


def shown_text(node: Criterion) -> str:
    """Return a criterion's text without footnote markers."""
    return without_markers(_block(node))


def _block(node: Criterion) -> Block:
    notes = tuple(footnote.id for footnote in node.footnotes)
    return Block(0, "p", 0, None, node.verbatim_text, footnotes=notes)


def placed(root: Criterion) -> list[Placed]:
    """Return the criteria of a tree in document order."""
    parents: dict[int, str] = {}
    found = []
    for node in root.walk():
        found.append(Placed(node, parents.get(id(node)), plain_text(node)))
        parents.update((id(child), node.criterion_id) for child in node.sub_criteria)
    return found


def pair(a: Criterion, b: Criterion) -> Pairs:
    """Pair the criteria of two trees.

    In this order, each criterion at most once: same id and text; same text, the same parent preferred; same id and
    similar text (ratio of at least 0.80); similar text, the most similar first; same id, whatever the text.
    """
    old, new = placed(a), placed(b)
    partner: dict[int, int] = {}
    for step in (_same_id_and_text, _same_text, _same_id_similar, _similar, _same_id):
        taken = set(partner.values())
        free_old = [i for i in range(len(old)) if i not in partner]
        free_new = [j for j in range(len(new)) if j not in taken]
        partner.update(step(old, new, free_old, free_new))
    back = {j: i for i, j in partner.items()}
    return Pairs(
        tuple((old[back[j]] if j in back else None, p) for j, p in enumerate(new)),
        tuple(p for i, p in enumerate(old) if i not in partner),
    )


_Side = Sequence[Placed]


def _same_id_and_text(old: _Side, new: _Side, free_old: list[int], free_new: list[int]) -> dict[int, int]:
    at = {(new[j].id, new[j].plain): j for j in reversed(free_new)}
    return {i: at.pop(key) for i in free_old if (key := (old[i].id, old[i].plain)) in at}


def _same_text(old: _Side, new: _Side, free_old: list[int], free_new: list[int]) -> dict[int, int]:
    """Pair equal texts in document order: first below the same parent, then anywhere."""
    found: dict[int, int] = {}
    for by_parent in (True, False):
        waiting: dict[tuple[str, str | None], deque[int]] = defaultdict(deque)
        taken = set(found.values())
        for j in free_new:
            if new[j].plain and j not in taken:
                waiting[new[j].plain, new[j].parent if by_parent else None].append(j)
        for i in free_old:
            key = (old[i].plain, old[i].parent if by_parent else None)
            if i not in found and waiting.get(key):
                found[i] = waiting[key].popleft()
    return found


def _same_id_similar(old: _Side, new: _Side, free_old: list[int], free_new: list[int]) -> dict[int, int]:
    same = _same_id(old, new, free_old, free_new)
    return {i: j for i, j in same.items() if _ratio(old[i], new[j]) >= MINIMUM_RATIO}


def _similar(old: _Side, new: _Side, free_old: list[int], free_new: list[int]) -> dict[int, int]:
    scored = []
    for i in free_old:
        for j in free_new:
            ratio = _ratio(old[i], new[j])
            if ratio >= MINIMUM_RATIO:
                scored.append((-ratio, i, j))
    found: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in sorted(scored):
        if i not in found and j not in taken:
            found[i] = j
            taken.add(j)
    return found


def _same_id(old: _Side, new: _Side, free_old: list[int], free_new: list[int]) -> dict[int, int]:
    at = {new[j].id: j for j in reversed(free_new)}
    return {i: at.pop(old[i].id) for i in free_old if old[i].id in at}


def _ratio(old: Placed, new: Placed) -> float:
    return similarity(old.plain, new.plain) if old.plain and new.plain else 0.0
