"""What the identifier of an anchored paragraph says ("1(f).Verification-2": guidelines section 2)."""

from __future__ import annotations

import re

# The type at the end of an anchored paragraph's id, with the number of a further one.
ANCHORED = re.compile(r"\.([A-Z][A-Za-z]+)(?:-\d+)?$")
_FIRST_ANCHOR = re.compile(r"^(.*?)\.([A-Z][A-Za-z]+)(?:-\d+)?(.*)$")


def anchor_of(criterion_id: str) -> str | None:
    """Return the anchor of an anchored paragraph, None for other criteria and for items below one.

    Example:
        >>> anchor_of("1(f).Verification-2"), anchor_of("1(f).Verification(a)"), anchor_of("1.2")
        ('1(f)', None, None)
    """
    match = ANCHORED.search(criterion_id)
    return criterion_id[: match.start()] if match else None


def anchor_above(criterion_id: str) -> str | None:
    """Return the criterion that an anchored paragraph, or an item below one, qualifies.

    Example:
        >>> anchor_above("1(f).Verification(a)"), anchor_above("1(f)")
        ('1(f)', None)
    """
    match = _FIRST_ANCHOR.match(criterion_id)
    return match[1] if match and match[1] else None


def anchor_type(criterion_id: str) -> str | None:
    """Return the type of an anchored paragraph, None for other criteria and for items below it.

    Example:
        >>> anchor_type("2.Methodology-2"), anchor_type("1(f).Verification(a)")
        ('Methodology', None)
    """
    match = _FIRST_ANCHOR.match(criterion_id)
    return match[2] if match and not match[3] else None
