"""Labels of provisions: what they look like, how they count, and which one follows which.

Rules of drafting behind it (Interinstitutional style guide; Joint Practical Guide, guideline 15): paragraphs are
numbered 1., 2.; points are lettered (a), (b); sub-points are (i), (ii), then (1) or (aa), then dashes; what is inserted
later takes the label before it with a letter (10a, 5a, (ba)); annexes number their divisions 1., 1.1., 1.1.1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

Ordinal = tuple[int, ...]

DASH = re.compile(r"[-‐-―−•▪·]")
_BARE = re.compile(r"[\s().\[\]:—–-]+")
_FRAMED = re.compile(
    r"""\(?(?P<body>
        \d{1,3}(?:\.\d{1,3})+[a-z]? | \d{1,3}[a-z]{0,2}   # 10.1.5, 10a
      | \d{1,3}-[a-z]                                    # 3-a, put in before 3a
      | [a-z]{1,3} | [ivxl]{1,7}                          # a, ba, viii
      | [A-Z]{1,2} | [IVXL]{1,7}                          # A, IV
    )(?P<close>\)|\.\)|\.)?""",
    re.VERBOSE,
)
# A label at the beginning of a line that sets it apart by nothing but a space.
_LEADING = re.compile(
    r"""(?P<label>
        \(?(?:\d{1,3}[a-z]{0,2}|[a-z]{1,2}|[ivxl]{1,7}|[A-Z])\)    # (1) (10a) (a) (ba) (iv) a) A)
      | \d{1,3}(?:\.\d{1,3}){1,4}\.?                              # 1.1. 10.1.5
      | \d{1,3}[a-z]?\.                                           # 1. 5a.
      | [A-Z]\. | [IVXL]{1,7}\.                                   # A. IV.
      | [-‐-―−•▪·](?=\s)                                          # dash or bullet
    )(?=\s|$)""",
    re.VERBOSE,
)
_ROMAN = re.compile(r"(x{0,4})(ix|iv|v?i{0,3})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a label.

    Attributes:
        series: List that it counts in: frame and alphabet ("(a)", "1.", "(i)"); labels of one list share it.
        ordinal: Place in the list, counted from 1; an inserted label has a second number (10a: `(10, 1)`), one
            below zero if it stands before those (10-a: `(10, -1)`); a number of several levels has all of them.
    """

    series: str
    ordinal: Ordinal

    @property
    def rank(self) -> int:
        """Level that its form usually has, 1 for the outermost; dashes come last."""
        if self.series == "-":
            return 6
        alphabet = self.series.strip("().")
        if self.series.startswith("1.1"):
            return 2
        if alphabet in ("A", "I", "AA"):
            return 1 if self.series.endswith(".") else 3
        return {"1": 2 if self.series == "1." else 3, "a": 3, "i": 4}.get(alphabet, 5)

    @property
    def first(self) -> bool:
        """Whether a list may begin with it."""
        return self.ordinal == (1,) or (self.series.startswith("1.1") and self.ordinal[-1] <= 1)

    def follows(self, last: Ordinal) -> bool:
        """Whether it comes right after `last` in one list: the next number, or an insertion before that."""
        if len(self.ordinal) == 1:
            return self.ordinal[0] == last[0] + 1
        depth = len(self.ordinal)
        before = last[depth - 1] if len(last) >= depth else 0
        if self.ordinal[-1] < 0 and not before:
            return self.ordinal[:-1] == last[: depth - 1]
        following = before + 1 or 1  # 3a (1) comes after 3-a (-1)
        return self.ordinal[:-1] == last[: depth - 1] and self.ordinal[-1] == following


def bare(label: str) -> str:
    """Label without brackets, dashes, stops and white space: "(a)" gives "a", "10.1.5." gives "10.1.5"."""
    kept = re.sub(r"(?<=\d)-(?=[a-z]\b)", "\1", label.replace(".", "\0"))
    return _BARE.sub(" ", kept).replace("\0", ".").replace("\1", "-").strip(" .")


def is_dash(label: str) -> bool:
    """Whether the label is a dash or bullet."""
    return bool(DASH.fullmatch(label.strip()))


def is_multi(body: str) -> bool:
    """Whether it is a number of several levels (10.1.5)."""
    return bool(re.fullmatch(r"\d+(?:\.\d+)+[a-z]?", body))


def split(text: str) -> tuple[str, str]:
    """Split a line into the label it begins with ("" if none) and the rest."""
    found = _LEADING.match(text)
    return (found["label"], text[found.end() :].lstrip()) if found else ("", text)


@lru_cache(maxsize=4096)
def readings(label: str) -> tuple[Reading, ...]:
    """All ways to read a label; none if it is no label of a list ("(i)" is the ninth letter and the first numeral)."""
    text = label.strip()
    if is_dash(text):
        return (Reading("-", (1,)),)
    found = _FRAMED.fullmatch(text)
    if not found:
        return ()
    body, frame = found["body"], ("(" if text.startswith("(") else "") + "{}" + (found["close"] or "")
    return tuple(Reading(frame.format(alphabet), ordinal) for alphabet, ordinal in _bodies(body))


def _bodies(body: str) -> list[tuple[str, Ordinal]]:
    if is_multi(body):
        digits = re.findall(r"\d+", body)
        return [(f"1.1 {len(digits)}", tuple(int(d) for d in digits))]
    if number := re.fullmatch(r"(\d+)-([a-z])", body):
        return [("1", (int(number[1]), 96 - ord(number[2])))]
    if number := re.fullmatch(r"(\d+)([a-z]*)", body):
        return [("1", (int(number[1]), *_letters(number[2])))]
    case = "a" if body.islower() else "A"
    found: list[tuple[str, Ordinal]] = []
    if value := roman(body):
        found.append(("i" if case == "a" else "I", (value,)))
    low = body.lower()
    if len(low) == 1:
        found.append((case, (ord(low) - 96,)))
    elif len(low) == 2 and case == "a":
        found.append((case, (ord(low[0]) - 96, ord(low[1]) - 96)))  # inserted: (ba) after (b)
        if low[0] == "a":
            found.append((case, (26 + ord(low[1]) - 96,)))  # after (z)
    if len(low) == 2 and low[0] == low[1]:
        found.append((case * 2, (ord(low[0]) - 96,)))
    return found


def _letters(letters: str) -> Ordinal:
    return (sum((ord(c) - 96) * 26**i for i, c in enumerate(reversed(letters))),) if letters else ()


def roman(numeral: str) -> int:
    """Value of a Roman numeral up to 48, 0 if it is none."""
    found = _ROMAN.fullmatch(numeral)
    if not found or not numeral:
        return 0
    units = {"": 0, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9}
    return 10 * len(found[1]) + units[found[2].lower()]
