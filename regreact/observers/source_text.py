"""Characters and words of a source that make a program read something else than a person (Unicode TR 36 and 39).

What is found goes to review whatever the answers are: no stage can answer better on a text that misleads.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache

from regreact.controls import UNSEEN
from regreact.observers.base import Issue
from regreact.schema import Severity, Span
from regreact.sources.model import Unit

OBSERVER = "source_text"
# Places shown for one kind of doubt in one block
_MOST_PLACES = 5

# Letters of other scripts that look like Latin ones; single Greek small letters are symbols of quantities
_CYRILLIC = "АВЕЅІЈКМНОРСТУХаеорсухіјѕһԁԛԝѡ"
_GREEK = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο"
_LIKE = f"[{_CYRILLIC}{_GREEK}]"
# "аt" with a Cyrillic а; in a text of Latin letters a word of look-alikes alone ("СОР")
_MIXED = rf"\b(?=\w*[A-Za-z])\w*{_LIKE}\w*"
_ALIKE = {False: re.compile(_MIXED), True: re.compile(rf"{_MIXED}|\b{_LIKE}+\b")}
_LATIN = re.compile(r"[A-Za-z]")
# Words meant for a language model: fields of a prompt, marks of a chat, orders to drop what it was told
_ORDER = re.compile(
    r"\[\[ ?## ?\w+ ?## ?\]\]|<\|[\w ]{1,30}\|>|"
    r"\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|the|your|of)\s+){0,3}"
    r"(?:previous|prior|above|preceding|earlier)\s+(?:\w+\s+)?(?:instructions?|prompts?|messages?)\b|"
    r"\b(?:system|developer) prompt\b|\byou are (?:now )?an? (?:AI|(?:\w+ )?assistant|language model|chatbot)\b",
    re.IGNORECASE,
)
_COMPATIBLE = frozenset({"<font>", "<wide>", "<narrow>", "<square>", "<compat>", "<circle>"})


@lru_cache(maxsize=4096)
def _doubt(char: str) -> str:
    """Return what is doubtful about a character, "" if nothing is."""
    category = unicodedata.category(char)
    if category == "Cf":
        return "marks that set the direction of writing or show nothing"
    if category in ("Cc", "Co", "Cn", "Cs") or char == "\ufffd":
        return "characters that are no text"
    if category == "Nd" and not char.isascii():
        return "digits of another script"
    if category in ("Mn", "Me"):
        return "marks set over or through other characters"
    tag, _, codes = unicodedata.decomposition(char).partition(" ")
    if tag in _COMPATIBLE and any(chr(int(c, 16)).isascii() and chr(int(c, 16)).isalnum() for c in codes.split()):
        return "letters or digits in another form"
    return ""


def _places(text: str) -> dict[str, list[tuple[int, int]]]:
    """Return the ranges of a text that are doubtful, by what is doubtful about them."""
    found: dict[str, list[tuple[int, int]]] = {}
    if text.isascii() and text.isprintable():
        doubtful: set[str] = set()
    else:
        # A letter with an accent may be written as two characters; what makes one letter is no doubt.
        composed = set(unicodedata.normalize("NFC", text))
        doubtful = {c for c in set(text) if _doubt(c) and (c in composed or not unicodedata.combining(c))}
    for position, char in enumerate(text if doubtful else ""):
        if char in doubtful:
            found.setdefault(_doubt(char), []).append((position, position + 1))
    if not text.isascii():
        mainly_latin = 2 * len(_LATIN.findall(text)) > sum(map(str.isalpha, text))
        for match in _ALIKE[mainly_latin].finditer(text):
            found.setdefault("letters of another alphabet that look like Latin ones", []).append(match.span())
    for match in _ORDER.finditer(text):
        found.setdefault("words that address a language model", []).append(match.span())
    return found


_CRITICAL: tuple[Callable[[str], bool], ...] = (lambda doubt: "Latin" in doubt, lambda doubt: "no text" in doubt)


def _issues(item_id: str, text: str, orig: str, block: int | None) -> Iterator[Issue]:
    for doubt, places in _places(text).items():
        start, end = places[0]
        shown = ", ".join(f"U+{ord(c):04X}" for c in dict.fromkeys(text[start:end]) if not c.isascii())
        spans: tuple[Span, ...] = () if block is None else tuple((block, *p) for p in places[:_MOST_PLACES])
        severity: Severity = "critical" if any(test(doubt) for test in _CRITICAL) else "major"
        said = f"the source has {doubt}" + (f" ({shown})" if shown else "")
        yield Issue(item_id, "semantic", severity, "verbatim_text", said, spans, OBSERVER)
    unseen = UNSEEN.findall(orig)
    if unseen:
        shown = ", ".join(f"U+{ord(c):04X}" for c in dict.fromkeys(unseen))
        said = f"{len(unseen)} characters that show nothing were left out of the text ({shown})"
        yield Issue(item_id, "semantic", "minor", "verbatim_text", said, (), OBSERVER)


def doubtful_blocks(unit: Unit) -> Iterator[Issue]:
    """Yield what is doubtful about the texts of a unit; item ids are block numbers, `fn-n` for footnotes."""
    for block in unit.blocks:
        yield from _issues(str(block.index), block.text, block.orig, block.index)
    for footnote, text in unit.footnotes.items():
        yield from _issues(footnote, text, "", None)
