"""What two criteria have in common: their content words, rare words counting more."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

_WORD = re.compile(r"[A-Za-z][A-Za-z-]{3,}|[A-Z]{2,}")
_STEM = 6
_PLURAL = re.compile(r"(?<![su'])s$|(?<=x)es$")
_EMPTY = frozenset(
    "with that this these those from which where when into than then they their there have been being such only also"
    " shall must will would could should point points referred specified laid down criteria criterion requirement"
    " requirements comply complies compliance activity activities following accordance least more less other each both"
    " under above below between within whether over after before annex section article operator economic"
    " technical screening applicable relevant respectively including certifying assessing verified".split()
)


def content_words(text: str) -> frozenset[str]:
    """Return the words that tell what a text is about, cut to their stems.

    Example:
        >>> sorted(content_words("the dust limit that is referred to in point 1"))
        ['dust', 'limit']
    """
    words = (w.lower() for w in _WORD.findall(text))
    return frozenset(_PLURAL.sub("", w)[:_STEM] for w in words if w not in _EMPTY)


class TopicIndex:
    """Weights of words over the criteria of a section.

    Example:
        >>> topics = TopicIndex(["dust is low", "noise is low", "dust is swept"])
        >>> topics.overlap("the noise", "noise is low") > topics.overlap("the dust", "dust is low")
        True
    """

    def __init__(self, texts: Iterable[str]) -> None:
        documents = [content_words(t) for t in texts]
        self._count = len(documents)
        self._frequency: dict[str, int] = {}
        for words in documents:
            for word in words:
                self._frequency[word] = self._frequency.get(word, 0) + 1

    def overlap(self, a: str, b: str) -> float:
        """Return the summed weight of the words that both texts hold."""
        shared = content_words(a) & content_words(b)
        return sum(math.log(1 + self._count / (1 + self._frequency.get(w, 0))) for w in shared)
