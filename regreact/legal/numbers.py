"""Numbers as legal texts print them: decimal comma or point, spaced thousands, words."""

from __future__ import annotations

import re

# Spaces that separate thousands: ordinary, no-break, thin, narrow no-break.
SPACES = " \u00a0\u2009\u202f"

WORDS = {
    word: float(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": 30.0, "forty": 40.0, "fifty": 50.0, "hundred": 100.0}
FRACTIONS = {"half": 0.5, "one half": 0.5, "one third": 1 / 3, "two thirds": 2 / 3, "three quarters": 0.75}
MAGNITUDES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}

# "10 000", "1 200 000,5", "0,722", "73.4", "1,000,000"
DIGITS = rf"\d{{1,3}}(?:[{SPACES}]\d{{3}})+(?:[.,]\d+)?(?!\d)|\d{{1,3}}(?:,\d{{3}}){{2,}}|\d+(?:[.,]\d+)?"
_NUMBER_WORD = "|".join(sorted(WORDS, key=len, reverse=True))
NUMBER = rf"(?:{DIGITS}|\b(?:{_NUMBER_WORD})\b)(?:[{SPACES}](?:{'|'.join(MAGNITUDES)})\b)?"


def parse_number(text: str) -> float:
    """Return the value of a printed number.

    A comma or point before other than exactly six digits is a decimal mark; commas before two or more groups of three
    digits are thousands marks.

    Raises:
        ValueError: The text is no number.

    Example:
        >>> [parse_number(x) for x in ("0,722", "10 000", "73.4", "two", "100 million", "1,000,000")]
        [0.722, 10000.0, 73.4, 2.0, 100000000.0, 1000000.0]
    """
    text = text.strip().lower()
    for word, factor in MAGNITUDES.items():
        if text.endswith(word):
            return parse_number(text.removesuffix(word)) * factor
    if text in FRACTIONS:
        return FRACTIONS[text]
    if text in WORDS:
        return WORDS[text]
    digits = re.sub(f"[{SPACES}]", "", text)
    if re.fullmatch(r"\d{1,3}(?:,\d{3}){2,}", digits):
        return float(digits.replace(",", ""))
    return float(digits.replace(",", "."))
