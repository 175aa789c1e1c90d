"""Clauses of a legal text made shorter, and put together to sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regreact.fastpath.wording import Sentence


@dataclass(frozen=True, slots=True)
class CutRule:
    """Words that a summary does without.

    Attributes:
        name: Name of the rule.
        pattern: The words.
        instead: What is put in their place.
        example: A text that the rule shortens.
    """

    name: str
    pattern: re.Pattern[str]
    instead: str
    example: str


def _rule(name: str, pattern: str, instead: str, example: str) -> CutRule:
    return CutRule(name, re.compile(pattern, re.IGNORECASE), instead, example)


ALWAYS: tuple[CutRule, ...] = (
    _rule(
        "issuer",
        r" of the European Parliament and of the"
        r" Council",
        "",
        "Directive 2099/1/EU of the European Parliament and of the Council",
    ),
    _rule("gram with its gas", r"(?<=\d)g ?CO2", " g CO2", "20gCO2e/kWh"),
    _rule("decimal comma", r"(?<=\d),(?=\d)", ".", "0,7 %"),
    _rule(
        "reminder",
        r", (?:respectively|where applicable|as applicable|where relevant|where appropriate|where necessary|as appropriate),(?= )"
        r"|,? (?:respectively|where applicable|as applicable|where relevant|where appropriate|where necessary|as appropriate)(?=[,.;]|$)",
        "",
        "walls, as applicable, are dry",
    ),
)
"""Applied to every text."""

# The comma that closes an aside goes with it.
_COMMA_BEFORE_VERB = r"(?:,(?= (?:is|are|has|have|complies|comply)\b))?"

WHEN_LONG: tuple[CutRule, ...] = (
    _rule(
        "examples",
        r",? \(?(?:such as|e\.g\.|i\.e\.|for example|including but not limited to)[^,.;()]*(?:,(?! (?:is|are|has|have"
        rf"|and|that)\b)[^,.;()]*)*\)?{_COMMA_BEFORE_VERB}",
        "",
        "noise, such as that of saws, is low",
    ),
    _rule("bracket", r" \((?!EU|EC|EEC|No|Euratom|[a-z]\)|[ivx]+\))[^()]*\)", "", "the kiln (of any kind) is old"),
    _rule(
        "included things",
        r"(?:,? including|, (?:in particular|notably))\b(?:[^,.;‘’]|\.\d)*(?:,(?! (?:is|are|has|have|complies"
        rf"|comply)\b)(?:[^,.;‘’]|\.\d)*)*{_COMMA_BEFORE_VERB}",
        "",
        "waste, including ash, is stored",
    ),
    _rule(
        "purpose at the end",
        r",? (?:in order to|with the aim of|so as to"
        r"|to ensure that)\b[^.;]*",
        "",
        "the hall is closed in order to keep dust inside",
    ),
)
"""Applied in this order until the text is short enough."""

_MARKER = re.compile(r"(?<=[\w)’'”\"])\(\d{1,3}\)(?![a-z(])")
_PINPOINT = re.compile(r"(?:Articles?|paragraphs?|,|and|to) \d+[a-z]?$")


def without_markers(text: str) -> str:
    """Return a text without footnote markers; the paragraph of an article ("Article 6(3)") is none.

    Example:
        >>> without_markers("dust(12) under Article 6(3)")
        'dust under Article 6(3)'
    """
    return _MARKER.sub(lambda m: m[0] if _PINPOINT.search(text[: m.start()]) else "", text)


_LONG = 260
_SPACES = re.compile(r"\s+")


def shorten(text: str) -> str:
    """Return a text without what a summary does not need.

    Example:
        >>> shorten("Dust(3) stays below 0,7 mg/m3.")
        'Dust stays below 0.7 mg/m3.'
    """
    text = without_markers(text)
    for rule in ALWAYS:
        text = rule.pattern.sub(rule.instead, text)
    for rule in WHEN_LONG:
        if len(text) <= _LONG:
            break
        text = rule.pattern.sub(rule.instead, text)
    return _SPACES.sub(" ", text).strip()


def condition_words(text: str, sentence: Sentence) -> str:
    """Return the openings of a sentence as they are printed, "" if it has none."""
    if not sentence.openings:
        return ""
    return shorten(text[sentence.openings[0].start : sentence.openings[-1].end]).rstrip(" ,:;")


def full_sentence(*parts: str) -> str:
    """Join parts to one sentence with a capital letter and a full stop.

    Example:
        >>> full_sentence("where the kiln is old", "its walls must be dry;")
        'Where the kiln is old, its walls must be dry.'
    """
    kept = [re.sub(r"[;,:.\s]+(?:and|or)?\s*$", "", p.strip()) for p in parts if p.strip(" ,;:.")]
    text = ", ".join([*kept[:1], *(_inside(p) for p in kept[1:])])
    return text[:1].upper() + text[1:] + "."


def _inside(part: str) -> str:
    """Return a part for the middle of a sentence: a capital that only begins a sentence is dropped."""
    return part[:1].lower() + part[1:] if re.match(r"[A-Z][a-z]* [a-z(]|[A-Z][a-z]+,", part) else part
