"""What an unnumbered paragraph is for: the type in the identifier of an anchored paragraph.

The table is shared by the structure parser, which writes the type into the identifier, and by the tag rules,
so that `1.Verification` is tagged `Verification`. The questions behind it are those of appendix E.1 of arXiv
2604.12054 (can an auditor test it, must the operator act, does compliance fail if it is ignored) and of
section 5 of the annotation guidelines; a binding paragraph to which no type applies is a `Requirement`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from regreact.fastpath.cue_rules import ANCHOR_TYPES, DECISIVE_RULES, REQUIREMENT_RULES, AnchorType, CueRule
from regreact.remember import remembered

__all__ = [
    "ANCHOR_TYPES",
    "DECISIVE_RULES",
    "REQUIREMENT_RULES",
    "AnchorType",
    "CueMatch",
    "CueRule",
    "anchored_type",
    "main_clause",
    "sentences",
]


@dataclass(frozen=True, slots=True)
class CueMatch:
    """The type of a paragraph, the rule that decided and the characters [start, end) it matched."""

    type: AnchorType
    rule: str
    start: int
    end: int


# A situation put before the main clause says when, not what.
_OPENING = re.compile(
    r"^(?:where|when|if|for|in case of|in the absence of|in the Union|in third countries|in order (?:to|that|for)|so that"
    r"|in relation to|during|at the beginning|with regard to|as regards)\b[^,;:]*(?:\([^)]*\)[^,;:]*)*,\s*",
    re.IGNORECASE,
)
# A full stop ends a sentence before a capital letter, but not in "No", "e.g.", "i.e." or "Section 3.21.".
_SENTENCE_END = re.compile(
    r"(?<!\bNo)(?<!\be\.g)(?<!\bi\.e)(?<!\d)[.;](?:\(\d+\))?\s+(?=[A-Z‘“])|(?<=\d)\.\s+(?=[A-Z][a-z])"
)


# A verb or relative pronoun before "may" shows that "may" is not the predicate of the main clause.
_FINITE = re.compile(r"\b(?:is|are|has|have|does|do|shall|must|which|complies|ensures|uses)\b")
# What a later sentence may add to a first one without cue.
_LATER_RULES = frozenset({"validated by others", "validators act", "calculation", "proof of compliance"})


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the half-open ranges of the sentences of a block, which together cover it.

    Example:
        >>> sentences("One. Two two.")
        [(0, 5), (5, 13)]
    """
    return list(_ranges(text))


@remembered
def _ranges(text: str) -> tuple[tuple[int, int], ...]:
    cuts = [0, *(m.end() for m in _SENTENCE_END.finditer(text)), len(text)]
    return tuple((a, b) for a, b in pairwise(cuts) if b > a)


def main_clause(text: str, start: int = 0, end: int | None = None) -> int:
    """Return where the main clause begins, after an opening such as "Where the kiln is old, ".

    Example:
        >>> text = "Where the kiln is old, its walls are insulated."
        >>> text[main_clause(text):]
        'its walls are insulated.'
    """
    stop = len(text) if end is None else end
    while (match := _OPENING.match(text[start:stop])) and start + match.end() < stop:
        start += match.end()
    return start


def _first_decisive(text: str, start: int, end: int) -> CueMatch | None:
    main = main_clause(text, start, end)
    for rule in DECISIVE_RULES:
        match = rule.pattern.search(text, start, end)
        if match and not (rule.predicate and _FINITE.search(text, main, match.start())):
            return CueMatch(rule.type, rule.name, match.start(), match.end())
    return None


def _earliest_duty(text: str, start: int, end: int) -> CueMatch | None:
    found = [
        CueMatch(rule.type, rule.name, match.start(), match.end())
        for rule in REQUIREMENT_RULES
        if (match := rule.pattern.search(text, start, end))
    ]
    return min(found, key=lambda m: m.start, default=None)


@remembered
def anchored_type(text: str) -> CueMatch:
    """Return what an unnumbered paragraph is for (guidelines sections 2 and 5, paper E.1).

    The first sentence decides; if it holds no cue, further sentences are asked for a calculation, a proof or a
    verification. Without any cue the paragraph is a `Requirement` with an empty match.

    Example:
        >>> anchored_type("The yearly tonnage is verified by an independent third party.").type
        'Verification'
        >>> anchored_type("Lead shot is not used.").type
        'Requirement'
    """
    for number, (start, end) in enumerate(sentences(text)):
        decisive = _first_decisive(text, start, end) if number == 0 else None
        match = decisive or _earliest_duty(text, main_clause(text, start, end), end)
        if match is not None and (number == 0 or match.rule in _LATER_RULES):
            return match
    return CueMatch("Requirement", "no cue", 0, 0)
