"""Clauses of a legal text made shorter, and duties made explicit ("is verified" becomes "must be verified")."""

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
    _rule("issuer", r" of the European Parliament and of the Council", "", "Directive 2099/1/EU of the European Parliament and of the Council"),
    _rule("gram with its gas", r"(?<=\d)g ?CO2", " g CO2", "20gCO2e/kWh"),
    _rule("decimal comma", r"(?<=\d),(?=\d)", ".", "0,7 %"),
    _rule(
        "reminder",
        r", (?:respectively|where applicable|as applicable|where relevant|as appropriate),(?= )"
        r"|,? (?:respectively|where applicable|as applicable|where relevant|as appropriate)(?=[,.;]|$)",
        "",
        "walls, as applicable, are dry",
    ),
)
"""Applied to every text."""

WHEN_LONG: tuple[CutRule, ...] = (
    _rule("examples", r",? \(?(?:such as|e\.g\.|i\.e\.|for example|including but not limited to)[^,.;()]*(?:,(?! (?:is|are|has|have|and|that)\b)[^,.;()]*)*\)?", "", "noise, such as that of saws, is low"),
    _rule("bracket", r" \((?!EU|EC|EEC|No|Euratom|[a-z]\)|[ivx]+\))[^()]*\)", "", "the kiln (of any kind) is old"),
    _rule(
        "included things",
        r"(?:,? including|, (?:in particular|notably))\b(?:[^,.;‘’]|\.\d)*(?:,(?! (?:is|are|has|have|complies|comply)\b)(?:[^,.;‘’]|\.\d)*)*",
        "",
        "waste, including ash, is stored",
    ),
    _rule("purpose at the end", r",? (?:in order to|with the aim of|so as to|to ensure that)\b[^.;]*", "", "the hall is closed in order to keep dust inside"),
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


_AUXILIARIES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(?:does|do) not\b"), "must not"),
    (re.compile(r"\b(?:is|are|was|were) not\b"), "must not be"),
    (re.compile(r"\b(?:may|shall|must) not\b"), "must not"),
    (re.compile(r"\bcannot\b"), "cannot"),
    (re.compile(r"\b(?:may|can)\b"), r"\g<0>"),
    (re.compile(r"\b(?:shall|must|will)\b"), "must"),
    (re.compile(r"\b(?:is|are)\b"), "must be"),
    (re.compile(r"\b(?:has|have)\b"), "must have"),
)
_VERBS = (
    "comply|meet|fulfil|apply|use|follow|respect|derive|emit|attain|prevent|preserve|take|provide|include|contain|exceed"
    "|support|assess|adopt|ensure|demonstrate|cover|commit|replace|reduce|improve|lead|convert|consist|generate|produce"
    "|manufacture|store|conform|equal|match|monitor|implement|deploy|disclose|publish|offer|minimise|identify"
    "|contribute|keep|develop|recycle|remove|favour|rely|enable|undergo|achieve|close|install|perform|conduct|establish"
    "|show|promote|define|describe|monitor|engage|evaluate|attest|carry|stay|remain|recover|help|hamper"
    "|repair|maintain|overhaul|retrofit|repurpose|upgrade|research|innovate|transmit|reflect|integrate|avoid"
    "|originate|separate|certify|verify|make|operate"
)


def _third_person(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeo":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "sh", "ch", "o")) else "s")


_BASE = {form: verb for verb in _VERBS.split("|") for form in (verb, _third_person(verb))}
_NEVER_NOUNS = frozenset("rely integrate favour comply meet contribute ensure reflect enable demonstrate adopt avoid".split())
_TOKEN = re.compile(r"[A-Za-z]+(?: not\b)?")
_LISTED_VERBS = re.compile(r"(?:,? (?:and|or) (?:[a-z]+s)\b|, [a-z]+s(?=,| or| and))+")
_RELATIVE = frozenset(("that", "which", "who", "where", "whose", "when", "whether"))
# A verb form after one of these is a noun: "the use of", "in place", "by shore power".
_NOUN_BEFORE = frozenset("the a an of in by for with to and or its their no any all each such other on under".split())


def with_duty(clause: str) -> str | None:
    """Return a clause with its main verb as a duty, None if it has no finite verb.

    Example:
        >>> with_duty("the area on which the mill stands is fenced")
        'the area on which the mill stands must be fenced'
        >>> with_duty("windows and doors of kilns") is None
        True
    """
    pending, previous = 0, ""
    skipped: tuple[re.Match[str], str] | None = None
    for token in _TOKEN.finditer(clause):
        word = token[0].lower()
        if word in _RELATIVE:
            # "that activity …" at the start points back and opens no relative clause.
            pending += token.start() > 0
        elif form := _duty_form(token[0], previous):
            if pending == 0:
                return _put(clause, token, form)
            pending -= 1
            skipped = (token, form)
        previous = word
    # A relative clause with a verb that is not known hides the main verb: the last one found is taken for it.
    return _put(clause, *skipped) if pending and skipped else None


def _put(clause: str, token: re.Match[str], form: str) -> str:
    """Return the clause with the duty in the place of its verb, and verbs listed with it in the base form."""
    rest = clause[token.end() :]
    if form.startswith("must ") and (more := _LISTED_VERBS.match(rest)):
        rest = _TOKEN.sub(lambda m: _base_of(m[0]), more[0]) + rest[more.end() :]
    return clause[: token.start()] + form + rest


def _base_of(word: str) -> str:
    """Return the base of a verb in a list of verbs; words of the list that are no verbs stay."""
    if word in _BASE:
        return _BASE[word]
    return word[:-1] if word.endswith("s") and word not in ("as", "is") else word


def _duty_form(word: str, previous: str) -> str | None:
    for pattern, instead in _AUXILIARIES:
        if pattern.fullmatch(word.lower()):
            return pattern.sub(instead, word.lower())
    base = _BASE.get(word.lower())
    if base is None or word[0].isupper() or previous in _NOUN_BEFORE:
        return None
    if word == base and not previous.endswith("s") and word not in _NEVER_NOUNS:
        return None
    return f"must {base}"


_ADVERB = re.compile(r"(?:[a-z]+ly )?")


def starts_with_verb(clause: str) -> bool:
    """True if a clause begins with a finite verb and goes on with the subject of its chapeau.

    Example:
        >>> starts_with_verb("uses quiet saws"), starts_with_verb("use of quiet saws")
        (True, False)
    """
    token = _TOKEN.match(clause, _ADVERB.match(clause).end())  # type: ignore[union-attr]  # it matches nothing too
    if token is None:
        return False
    word = token[0].lower()
    auxiliary = any(p.fullmatch(word) for p, _ in _AUXILIARIES)
    base = _BASE.get(word)
    goes_on = not re.match(r" (?:of|and|or)\b", clause[token.end() :])
    return auxiliary or (base is not None and (word != base or word in _NEVER_NOUNS) and goes_on)


def subject_of(clause: str) -> str:
    """Return the words before the main verb of a clause, "" if it has none.

    Example:
        >>> subject_of("the mill complies with the following criteria")
        'the mill'
    """
    if relative := re.search(r"((?:[\w-]+ )?[\w-]+) that$", clause):
        # "uses modelling techniques that:"
        return f"the {relative[1]}"
    duty = with_duty(clause)
    if duty is None:
        return ""
    same = next((i for i, (a, b) in enumerate(zip(clause, duty, strict=False)) if a != b), 0)
    return clause[:same].strip(" ,")


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
