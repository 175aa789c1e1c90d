"""How far around a citation its words are looked for."""

from __future__ import annotations

# Characters around a citation that may belong to it; the longest lead-ins have about 300.
WINDOW = 2000


def window_before(end: int) -> tuple[int, int]:
    """Return start and end of the characters before a place that are read for what leads up to it.

    Reading from the beginning of the text for each citation takes time that grows with the square of its length.

    Example:
        >>> window_before(50), window_before(10_000)
        ((0, 50), (8000, 10000))
    """
    return max(0, end - WINDOW), end
