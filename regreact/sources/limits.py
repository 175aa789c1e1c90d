"""Limits on a section that nobody vouches for, checked before anything is asked about it.

Every rule reads a section in time that grows about linearly with its criteria and characters; what one of them costs
is some milliseconds, so that sections many times larger than any that was published would take minutes or more.
Such a section is refused as a whole, never cut; the other sections of its document go on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from regreact.errors import UnitError
from regreact.sources.model import Unit

_NUMBER = re.compile(r"\d+")
_SPLIT = "split the section, or check that the document is what it should be"


@dataclass(frozen=True, slots=True)
class UnitLimits:
    """What a section may ask for, beside what the largest published one has (Union law on taxonomy, until 2026).

    Attributes:
        blocks: Paragraphs, list items and table cells; published: 109.
        block_characters: Characters of one of them; published: 1,143.
        block_numbers: Groups of digits in one of them; published: 24. Each number is read with the 1,500 characters
            before and behind it, in up to 30 ms.
        characters: Characters of all of them, footnotes included; published: 14,873.
        footnotes: Footnotes; published: 18.
        footnote_characters: Characters of one footnote; published: 2,448.
        description_characters: Characters of the activity's description; published: 7,765.
        depth: Lists within each other, and levels of the criterion tree; published: 4. An extraction file nests
            twice as deep as its tree, and readers of JSON give up at 200.
    """

    blocks: int = 5_000
    block_characters: int = 25_000
    block_numbers: int = 500
    characters: int = 500_000
    footnotes: int = 2_000
    footnote_characters: int = 25_000
    description_characters: int = 200_000
    depth: int = 40


UNIT_LIMITS = UnitLimits()


def check_unit(unit: Unit, *, limits: UnitLimits = UNIT_LIMITS) -> None:
    """Refuse a section that exceeds a limit.

    Args:
        unit: The section.
        limits: What is allowed.

    Raises:
        UnitError: It does; the message tells where, by how much, and what to do.
    """
    _check(unit.key, "blocks", len(unit.blocks), limits.blocks, "paragraphs and list items")
    _check(unit.key, "footnotes", len(unit.footnotes), limits.footnotes, "footnotes")
    size = len(unit.description)
    _check(unit.key, "description", size, limits.description_characters, "characters of description")
    for block in unit.blocks:
        place = f"block {block.index}"
        _check(unit.key, place, len(block.text), limits.block_characters, "characters in one paragraph")
        numbers = sum(1 for _ in _NUMBER.finditer(block.text))
        _check(unit.key, place, numbers, limits.block_numbers, "numbers in one paragraph")
        _check(unit.key, place, block.depth, limits.depth, "lists within each other")
    for name, text in unit.footnotes.items():
        _check(unit.key, name, len(text), limits.footnote_characters, "characters in one footnote")
    total = sum(len(b.text) for b in unit.blocks) + sum(map(len, unit.footnotes.values()))
    _check(unit.key, "blocks", total, limits.characters, "characters in all")


def check_depth(unit: str, parents: Mapping[str, str | None], *, limits: UnitLimits = UNIT_LIMITS) -> None:
    """Refuse a criterion tree that is too deep to be written and read again.

    Args:
        unit: Key of the section.
        parents: Parent of each criterion, None for ROOT; without circles.
        limits: What is allowed.

    Raises:
        UnitError: A criterion has more than `depth` others above it.
    """
    depths: dict[str, int] = {}
    for criterion in parents:
        for above in reversed(list(_unknown(criterion, parents, depths))):
            parent = parents.get(above)
            depths[above] = 0 if parent is None else depths[parent] + 1
        _check(unit, f"criterion {criterion[:80]}", depths[criterion], limits.depth, "levels of criteria")


def _unknown(criterion: str, parents: Mapping[str, str | None], depths: Mapping[str, int]) -> Iterable[str]:
    """Yield a criterion and those above it whose depth is not known yet."""
    up: str | None = criterion
    while up is not None and up not in depths:
        yield up
        up = parents.get(up)


def _check(unit: str, place: str, found: int, allowed: int, what: str) -> None:
    if found > allowed:
        raise UnitError(unit, place, f"{found:,} {what}; the limit is {allowed:,} ({_SPLIT})")
