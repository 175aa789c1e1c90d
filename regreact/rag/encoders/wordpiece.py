"""WordPiece, the tokenizer of BERT without case (Devlin et al., 2019)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

_LONGEST = 100  # characters; a longer word is [UNK], as in the original


def word_pieces(text: str, vocabulary: Mapping[str, int]) -> list[str]:
    """Return the pieces of a text: the longest known beginning of each word, and the rest as `##…`.

    Example:
        >>> word_pieces("Moorings!", {"moor": 0, "##ing": 1, "##s": 2, "!": 3})
        ['moor', '##ing', '##s', '!']
    """
    return [piece for word in _words(text) for piece in _pieces(word, vocabulary)]


def is_punctuation(piece: str) -> bool:
    """True for a piece without letter or digit, which MaxSim leaves out (ColBERT does alike)."""
    return not any(character.isalnum() for character in piece)


def _words(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFD", text.lower())
    spaced = "".join(
        "" if unicodedata.category(c) == "Mn" else f" {c} " if not (c.isalnum() or c.isspace()) else c for c in folded
    )
    yield from spaced.split()


def _pieces(word: str, vocabulary: Mapping[str, int]) -> list[str]:
    if len(word) > _LONGEST:
        return ["[UNK]"]
    found: list[str] = []
    start = 0
    while start < len(word):
        mark = "##" if start else ""
        end = next((e for e in range(len(word), start, -1) if mark + word[start:e] in vocabulary), start)
        if end == start:
            return ["[UNK]"]
        found.append(mark + word[start:end])
        start = end
    return found
