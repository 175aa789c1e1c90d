"""List labels: letters, Roman numerals, numbers, and the label that follows another one."""

from __future__ import annotations

from typing import Literal

LabelKind = Literal["letter", "roman", "number"]

_ROMAN_PAIRS = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def roman(value: int) -> str:
    """Return a small Roman numeral.

    Example:
        >>> roman(14)
        'xiv'
    """
    result = ""
    for amount, numeral in _ROMAN_PAIRS:
        while value >= amount:
            result += numeral
            value -= amount
    return result


_ROMANS = {roman(n): n for n in range(1, 40)}


def letters(value: int) -> str:
    """Return the label of the n-th item of a lettered list, counted from 1.

    Example:
        >>> letters(1), letters(26), letters(27)
        ('a', 'z', 'aa')
    """
    repeats, offset = divmod(value - 1, 26)
    return chr(ord("a") + offset) * (repeats + 1)


def make(kind: LabelKind, value: int) -> str:
    """Return the n-th label of a kind, counted from 1."""
    if kind == "number":
        return str(value)
    return letters(value) if kind == "letter" else roman(value)


def position(label: str, kind: LabelKind) -> int | None:
    """Return where a label of this kind stands in its list, counted from 1; None if it is of another kind.

    Example:
        >>> position("iv", "roman"), position("d", "letter"), position("iv", "letter")
        (4, 4, None)
    """
    if kind == "number":
        return int(label) if label.isdigit() else None
    if kind == "roman":
        return _ROMANS.get(label)
    same = len(set(label)) == 1 and label.isascii() and label.islower()
    return (len(label) - 1) * 26 + ord(label[0]) - ord("a") + 1 if same else None


def kind_of(labels: list[str]) -> LabelKind | None:
    """Return the kind of the labels of one list in order, None for bullets and other marks.

    "i" opens a Roman list, unless "h" or "j" stands beside it.

    Example:
        >>> kind_of(["i", "ii"]), kind_of(["h", "i", "j"]), kind_of(["-", "-"])
        ('roman', 'letter', None)
    """
    first = labels[0] if labels else ""
    if first.isdigit():
        return "number"
    as_roman, as_letter = position(first, "roman"), position(first, "letter")
    if as_roman is None:
        return None if as_letter is None else "letter"
    if as_letter is None or len(labels) == 1:
        return "letter" if as_letter not in (None, 9) else "roman"
    return "letter" if position(labels[1], "letter") == as_letter + 1 else "roman"


def below(kind: LabelKind | None) -> LabelKind:
    """Return the kind that bullets take below a label: numerals below letters, letters below all else."""
    return "roman" if kind == "letter" else "letter"
