"""Numbers as legal texts print them: decimal comma or point, spaced thousands, words, fractions."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable

from regreact.screen import folded

# Spaces that separate thousands: ordinary, no-break, thin, narrow no-break.
SPACES = " \u00a0\u2009\u202f"

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_BELOW_HUNDRED: dict[str, float] = (
    {word: float(value) for value, word in enumerate(_ONES)}
    | {word: 10.0 * value for value, word in enumerate(_TENS, start=2)}
    | {f"{ten}-{one}": 10.0 * t + o for t, ten in enumerate(_TENS, start=2) for o, one in enumerate(_ONES[:10]) if o}
)
WORDS: dict[str, float] = (
    _BELOW_HUNDRED
    | {f"{count} hundred": 100.0 * n for n, count in enumerate(_ONES[:10]) if n}
    | {"hundred": 100.0, "a hundred": 100.0, "dozen": 12.0}
)
FRACTIONS: dict[str, float] = {
    "half": 1 / 2,
    "one half": 1 / 2,
    "a half": 1 / 2,
    "third": 1 / 3,
    "one third": 1 / 3,
    "a third": 1 / 3,
    "two thirds": 2 / 3,
    "quarter": 1 / 4,
    "one quarter": 1 / 4,
    "a quarter": 1 / 4,
    "three quarters": 3 / 4,
    **{
        f"{count} {part}{'s' if n > 1 else ''}": n / whole
        for part, whole in (("fifth", 5), ("sixth", 6), ("seventh", 7), ("eighth", 8), ("ninth", 9), ("tenth", 10),
                            ("twentieth", 20))
        for n, count in enumerate(_ONES[:10])
        if 0 < n < whole
    },
    **{f"a {part}": 1 / whole for part, whole in (("fifth", 5), ("sixth", 6), ("eighth", 8), ("tenth", 10), ("twentieth", 20))},
}
# Fractions set as one character: "7½ years", "2 ¼"
SIGNS = {c: unicodedata.numeric(c) for c in "¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
MAGNITUDES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}

# "10 000", "1 200 000,5", "0,722", "73.4", "1,000,000"
_SIGN = f"[{''.join(SIGNS)}]"
DIGITS = rf"(?:\d+[{SPACES}]?)?{_SIGN}|\d{{1,3}}(?:[{SPACES}]\d{{3}})+(?:[.,]\d+)?(?!\d)|\d{{1,3}}(?:,\d{{3}}){{2,}}|\d{{1,3}}(?:\.\d{{3}}){{2,}}(?!\d)|(?<!\d)\d{{1,15}}(?!\d)(?:[.,]\d+)?"


def _alternatives(words: dict[str, float]) -> str:
    return "|".join(w.replace(" ", f"[{SPACES}-]") for w in sorted(words, key=len, reverse=True))


# "one hundred and fifty", "seven and a half"
_AND = rf"[{SPACES}]and[{SPACES}](?:{_alternatives(_BELOW_HUNDRED)}|a[{SPACES}-](?:half|quarter))"
NUMBER = (
    rf"(?:{DIGITS}|\b(?:{_alternatives(WORDS)})(?:(?<=hundred){_AND}|[{SPACES}]and[{SPACES}]a[{SPACES}-](?:half|quarter))?\b)"
    rf"(?:[{SPACES}](?:{'|'.join(MAGNITUDES)})\b)?"
)
# Fractions that say part of what: "half of", "two thirds of"; a bare "third" also ranks ("third party")
FRACTION = rf"\b(?:{_alternatives({f: v for f, v in FRACTIONS.items() if f not in ('third', 'quarter')})})\b"


# "1,000", "1.250": one group of three digits behind a mark, which may be a decimal or a thousands mark
ONE_GROUP = r"(?<![\d.,])[1-9]\d{0,2}[.,]\d{3}(?![\d.,]*\d)"
# Numbers that tell what their marks mean, where a unit follows: "0,5 %", "12.75 kg"; "1,000,000"; "10 000 t"
_MEASURED = rf"[{SPACES}]?(?:[%‰°€]|[A-Za-zµμ])"
_DECIMALS = {
    mark: re.compile(rf"(?<![\d.,/])(?:0{re.escape(mark)}\d+|\d+{re.escape(mark)}(?:\d{{1,2}}|\d{{4,}}))(?![\d.,]*\d){_MEASURED}")
    for mark in ",."
}
_GROUPS = {mark: re.compile(rf"(?<![\d.,])\d{{1,3}}(?:{re.escape(mark)}\d{{3}}){{2,}}(?![\d.,]*\d)") for mark in ",."}
_SPACED = re.compile(rf"(?<![\d.,])(?<!\d[{SPACES}])[1-9]\d{{0,2}}(?:[{SPACES}]\d{{3}})+(?:[.,]\d+)?(?!\d){_MEASURED}")


def thousands_mark(texts: Iterable[str]) -> str:
    """Return what surely separates thousands in texts of one drafter, "" if their numbers do not tell.

    A mark that stands before two groups of three digits separates thousands, unless it is a decimal mark elsewhere.
    Decimals with the other mark prove nothing: acts print "15.5 MWh" beside "1,484 t".

    Example:
        >>> thousands_mark(["1,000,000 t", "1,000 t"]), thousands_mark(["2.5 kg", "1,000 t"])
        (',', '')
    """
    joined = _with_digits(texts)
    return next((m for m in ",." if _GROUPS[m].search(joined) and not _DECIMALS[m].search(joined)), "")


def decimal_marks(texts: Iterable[str]) -> frozenset[str]:
    """Return which of comma and point are surely decimal marks in texts of one drafter.

    A mark is one before one, two or more than three digits and behind a zero; both are where a space separates
    thousands.

    Example:
        >>> sorted(decimal_marks(["0,722 t"])), sorted(decimal_marks(["10 000 t"])), sorted(decimal_marks(["1,000 t"]))
        ([','], [',', '.'], [])
    """
    joined = _with_digits(texts)
    if _SPACED.search(joined):
        return frozenset(",.")
    return frozenset(m for m in ",." if _DECIMALS[m].search(joined))


def _with_digits(texts: Iterable[str]) -> str:
    return "\n".join(t for t in texts if any(c.isdigit() for c in t))


_FIGURE = re.compile(rf"\d|{_SIGN}")
# In each number word and fraction stands one of these: "one" in "twenty-one", "four" in "three fourths".
_LAST_WORDS = {re.split(r"[ -]", w)[-1] for w in (*WORDS, *FRACTIONS)}
_STEMS = tuple(sorted(w for w in _LAST_WORDS if not any(other in w for other in _LAST_WORDS - {w})))


def may_hold_number(text: str) -> bool:
    """False if a text holds no number for sure: no figure and no letters of a number word or fraction.

    Example:
        >>> may_hold_number("Dust is low."), may_hold_number("Two thirds of the dust"), may_hold_number("5 mg")
        (False, True, True)
    """
    return _FIGURE.search(text) is not None or any(map(folded(text).__contains__, _STEMS))


def parse_number(text: str, thousands: str = "") -> float:
    """Return the value of a printed number.

    A comma or point is a decimal mark; before two or more groups of three digits they are thousands marks. Number
    words, fractions ("two thirds", "two-thirds", "½") and magnitudes ("100 million") count.

    Args:
        text: The number as printed.
        thousands: What separates thousands in the section ("," or "."), if its other numbers tell (`thousands_mark`):
            then "1,000" is one thousand.

    Raises:
        ValueError: The text is no number, or one that no computer number holds.

    Example:
        >>> [parse_number(x) for x in ("0,722", "10 000", "73.4", "two", "100 million", "1.000.000")]
        [0.722, 10000.0, 73.4, 2.0, 100000000.0, 1000000.0]
    """
    text = re.sub(f"[{SPACES}]+", " ", text).strip().lower()
    for word, factor in MAGNITUDES.items():
        if text.endswith(word):
            return _finite(parse_number(text.removesuffix(word), thousands) * factor)
    if text[-1:] in SIGNS:
        return SIGNS[text[-1]] + (parse_number(text[:-1], thousands) if text[:-1].strip() else 0.0)
    if thousands and thousands in text and re.fullmatch(ONE_GROUP, text):
        text = text.replace(thousands, "")
    return _in_words(text) if text[:1].isalpha() else _finite(_in_digits(text))


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("a number too large to compute with")
    return value


def _in_words(text: str) -> float:
    whole, joined, rest = text.partition(" and ")
    if joined and whole in WORDS:
        return WORDS[whole] + parse_number(rest)
    spaced = text.replace("-", " ")
    for key in (text, spaced):
        if key in WORDS:
            return WORDS[key]
    return FRACTIONS[spaced] if spaced in FRACTIONS else float(text)


def _in_digits(text: str) -> float:
    digits = text.replace(" ", "")
    if re.fullmatch(r"\d{1,3}(?:,\d{3}){2,}", digits):
        return float(digits.replace(",", ""))
    if re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}", digits):
        return float(digits.replace(".", ""))
    return float(digits.replace(",", "."))
