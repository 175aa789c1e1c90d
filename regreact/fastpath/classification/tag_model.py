"""What a rule about words for tags is, and what it finds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.schema import Tag
from regreact.screen import Screened


@dataclass(frozen=True, slots=True)
class TagRule:
    """Words that earn a tag.

    Attributes:
        name: Name of the rule.
        tag: The tag.
        pattern: The words, matched without regard to case in the masked text.
        source: Paper section or guideline that the rule follows.
        example: A criterion that the rule tags.
        weak: The tag counts only if nothing else, inherited tags included, tags the criterion.
        confidence: How often a careful annotator agrees.
        instead_of: Tags of other rules that these words rule out.
    """

    name: str
    tag: Tag
    pattern: Screened
    source: str
    example: str
    weak: bool = False
    confidence: float = 0.9
    instead_of: frozenset[Tag] = frozenset()


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule that matched the characters [start, end)."""

    rule: TagRule
    start: int
    end: int


def tag_rule(
    tag: Tag,
    name: str,
    source: str,
    pattern: str,
    example: str,
    *,
    weak: bool = False,
    confidence: float = 0.9,
    instead_of: tuple[Tag, ...] = (),
) -> TagRule:
    compiled = Screened(pattern, re.IGNORECASE)
    return TagRule(name, tag, compiled, source, example, weak, confidence, frozenset(instead_of))


def hits(words: str, rules: tuple[TagRule, ...], start: int = 0) -> list[Hit]:
    """Return the first match of each rule at or after `start`, without rules that another one rules out."""
    found = [(r, m) for r in rules if (m := r.pattern.search(words, start)) is not None]
    ruled_out = frozenset[Tag]().union(*(r.instead_of for r, _ in found))
    return [Hit(r, m.start(), m.end()) for r, m in found if r.tag not in ruled_out]
