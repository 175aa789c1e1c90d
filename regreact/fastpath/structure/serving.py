"""Which paragraphs of a section without numbers only serve an earlier criterion (guidelines section 2).

A paragraph that says how an earlier quantity is calculated, who verifies it, what its terms mean or whom it
spares is anchored; every other one states a requirement of its own and is counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import dataclass

from regreact.fastpath.cues import CueMatch, anchored_type, sentences
from regreact.fastpath.structure.points import subject_points

_LIMIT = re.compile(
    r"\b(?:lower|less|more|higher|greater) than\b|\bbelow\b|\babove\b|\bnot exceed|\bat least\b|\bat most\b",
    re.IGNORECASE,
)
_ABOUT_EARLIER = re.compile(
    r"^(?:quantified|compliance with|the implementation of (?:those|these|such)|(?:those|these|that|this|such|it|they) "
    r"|the (?:results?|outcome|findings?|calculation|measurements?|readings?|figures?)\b(?! of))",
    re.IGNORECASE,
)
_TAKES_UP = re.compile(
    r"^(?:It|They|(?:The|This|That|Such an?) ((?:[\w-]+ ){0,5}(?:assessment|analysis|calculation|comparison|study"
    r"|verification|audit|inspection|survey)))"
    r" (?:is (?:based|proportionate|performed|carried out|conducted|done)|considers|covers|takes|assesses|includes"
    r"|identifies|looks|extends|follows|relies)\b"
)
# "a ship that is certified …" names a kind of ship.
_RELATIVE = re.compile(r"\b(?:that|which|whose)\s+(?:is|are)?\s*$|\b(?:that|which|whose)\b(?![^,]*,)")
_WORD = re.compile(r"[^\W\d_]{4,}")
_ENDING = re.compile(r"(?<=\w{4})(?:e?ments?|ions?|es|(?<!s)s|ed|ing|e)$")
_STOP = frozenset("with from that this which their where when will into than such used using".split())


@dataclass(frozen=True, slots=True)
class ServingRule:
    """A way of serving an earlier criterion.

    Attributes:
        name: Name of the rule.
        serves: Function of paragraph text, its cue and the content words before; True if the paragraph serves.
        source: Guideline that the rule follows.
        example: Earlier text and a paragraph that serves it.
    """

    name: str
    serves: Callable[[str, CueMatch, Set[str]], bool]
    source: str
    example: tuple[str, str]


def content_words(text: str) -> set[str]:
    """Return the content words of a text, lower-cased and without the endings of plurals and participles.

    Example:
        >>> sorted(content_words("Kiln losses covered by the kilns that cover them"))
        ['cover', 'kiln', 'loss', 'them']
    """
    words = (w.lower() for w in _WORD.findall(text))
    return {_ENDING.sub("", w) for w in words if w not in _STOP}


def subject(text: str, cue: CueMatch) -> str:
    """Return what stands before the words of the cue in its sentence: the thing calculated or verified."""
    start = next((a for a, b in sentences(text) if a <= cue.start < b), 0)
    return text[start : cue.start]


def about_earlier(text: str) -> bool:
    """True if a paragraph begins with words that can only point back: "Those losses …", "The result …"."""
    return _ABOUT_EARLIER.match(text) is not None


def _names_earlier_quantity(text: str, cue: CueMatch, earlier: Set[str]) -> bool:
    said = subject(text, cue)
    if _RELATIVE.search(said):
        return False
    if about_earlier(text) or subject_points(text):
        return True
    words = content_words(said) - content_words("quantified resulting")
    return bool(words) and len(words & earlier) * 2 >= len(words)


def _calculated(text: str, cue: CueMatch, earlier: Set[str]) -> bool:
    first = text[slice(*sentences(text)[0])]
    return cue.rule == "calculation" and not _LIMIT.search(first) and _names_earlier_quantity(text, cue, earlier)


def _verified(text: str, cue: CueMatch, earlier: Set[str]) -> bool:
    if cue.rule == "validators act":
        checked = content_words(text[cue.end : sentences(text)[0][1]])
        return len(checked & earlier) * 2 >= max(1, len(checked))
    if cue.rule == "what a certificate says":
        return content_words(text[cue.start : cue.end]) <= earlier
    return cue.rule == "validated by others" and _names_earlier_quantity(text, cue, earlier)


def _by_cue(*rules: str) -> Callable[[str, CueMatch, Set[str]], bool]:
    return lambda text, cue, earlier: cue.rule in rules


def _takes_up(text: str, cue: CueMatch, earlier: Set[str]) -> bool:
    match = _TAKES_UP.match(text)
    return match is not None and (match[1] is None or content_words(match[1]) <= earlier)


SERVING_RULES: tuple[ServingRule, ...] = (
    ServingRule(
        "how a quantity is calculated",
        _calculated,
        "guidelines 2; D24",
        ("Heat losses are lower than 3 W.", "Heat losses are calculated using ISO 99999."),
    ),
    ServingRule(
        "who verifies it",
        _verified,
        "guidelines 2; D24",
        ("Heat losses are lower than 3 W.", "Quantified heat losses are verified by an independent third party."),
    ),
    ServingRule(
        "how it is proved",
        _by_cue("proof of compliance", "proof verified by others", "group check", "what does not count"),
        "guidelines 2",
        ("Dust is kept inside.", "Use of the label is a proof of compliance with the requirement on dust."),
    ),
    ServingRule(
        "what validators and authorities do",
        _by_cue(
            "independence of the validator",
            "outcome of the validation",
            "what the Commission or Member States do",
            "what the validator weighs",
            "audits together",
        ),
        "guidelines 5; D1",
        ("Kilns are audited.", "In order to save effort, audits may be performed together with a label audit."),
    ),
    ServingRule(
        "what its terms mean",
        _by_cue("definition", "note", "specifications", "scope note"),
        "guidelines 2; R19",
        ("Clean loads are used.", "For this purpose, ‘clean load’ means a load without metal."),
    ),
    ServingRule(
        "whom it spares",
        _by_cue("exemption", "exemption on conditions", "derogation"),
        "R4; D11",
        ("A register is kept.", "Workshops below 20 m2 are not required to keep a register."),
    ),
    ServingRule(
        "what it permits",
        _by_cue("permission", "conditional permission"),
        "R8",
        ("Fees reward prevention.", "Lower fees may be considered as a reward."),
    ),
    ServingRule(
        "how an assessment is done",
        _takes_up,
        "guidelines 2",
        ("An assessment of springs is made.", "The assessment is based on recent data."),
    ),
    ServingRule(
        "which values count",
        _by_cue("reference values"),
        "guidelines 2",
        ("Fleet fuel use is below the target.", "The target values to be considered are:"),
    ),
)
"""Asked in this order; the first that applies makes the paragraph an anchored one."""


def serves(text: str, earlier: Set[str]) -> ServingRule | None:
    """Return the rule by which a paragraph serves the text before it, None if it stands by itself.

    Args:
        text: The paragraph.
        earlier: Content words of the criteria before it in the section.
    """
    cue = anchored_type(text)
    if cue.start >= sentences(text)[0][1]:
        # The first sentence makes a demand of its own.
        return None
    return next((rule for rule in SERVING_RULES if rule.serves(text, cue, earlier)), None)
