"""Duties made explicit: "is verified" becomes "must be verified", "meets" becomes "must meet"."""

from __future__ import annotations

import re

_AUXILIARIES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(?:does|do) not\b"), "must not"),
    (re.compile(r"\b(?:is|are) not\b"), "must not be"),
    (re.compile(r"\b(?:was|were)\b"), "must have been"),
    (re.compile(r"\b(?:may|shall|must) not\b"), "must not"),
    (re.compile(r"\bcannot\b"), "cannot"),
    (re.compile(r"\b(?:may|can)\b"), r"\g<0>"),
    (re.compile(r"\b(?:shall|must|will)\b"), "must"),
    (re.compile(r"\b(?:is|are)\b"), "must be"),
    (re.compile(r"\b(?:has|have)\b"), "must have"),
)
_VERBS = frozenset(
    """
    accept achieve adhere adopt allow apply ascertain assess attain attest avoid bear belong bring carry certify cease
    choose clarify close collect come commit communicate compensate comply conduct confirm conform consist consult
    contain continue contribute convert cover decrease define deliver demonstrate depend deploy derive describe
    determine develop disclose draw emit employ enable engage ensure enter equip establish evaluate exceed exclude
    explain favour follow fulfil generate give go hamper help hold identify implement improve include indicate inform
    innovate inspect install integrate invest justify keep lead leave lie lower maintain make manage manufacture
    match meet minimise monitor move notify obtain occur offer open operate originate overhaul participate pay perform
    possess prepare preserve prevent produce promote protect prove provide publish put qualify reach receive recover
    recycle reduce refer reflect refrain rely remain remove repair replace repurpose require research resist respect
    restore retain retrofit satisfy select send separate serve show specify stand stay stop store submit support
    take tolerate transmit treat undergo undertake uphold upgrade use verify withstand
    """.split()
)
# Forms of these are nouns too: they are verbs only before an object ("record the trips", not "records of trips").
_ALSO_NOUNS = frozenset(
    """
    account aim burn calculate check control equal finance fund grant increase limit list look map mark measure
    name need place plan process reach record report result run sample set start state test track train work
    """.split()
)
_OBJECT = re.compile(
    r" (?:(?:the|an?|its|their|this|that|these|those|no|each|every|all|any|one|both|whether|how|which|at (?:least|most))\b"
    r"|\d|[A-Z])"
)


def _third_person(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeo":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "sh", "ch", "o")) else "s")


_BASE = {form: verb for verb in _VERBS | _ALSO_NOUNS for form in (verb, _third_person(verb))}
_NEVER_NOUNS = frozenset(
    """
    achieve adopt avoid comply confirm contain contribute demonstrate describe determine enable ensure exceed favour
    identify include integrate maintain meet obtain perform provide reflect rely remain remove require satisfy undergo
    withstand
    """.split()
)
_TOKEN = re.compile(r"[A-Za-z]+(?: not\b)?")
_LISTED_VERBS = re.compile(r"(?:,? (?:and|or) (?:[a-z]+s)\b|, [a-z]+s(?=,| or| and))+")
_PROVISO = re.compile(r"\b(?:provided that|unless|except where|on condition that)\b")
_RELATIVE = frozenset(("that", "which", "who", "where", "whose", "when", "whether"))
# A verb form after one of these is a noun: "the use of", "in place", "by shore power"; or no main verb: "as follows".
_NOUN_BEFORE = frozenset("the a an of in by for with to and or its their no any all each such other on under as".split())


def with_duty(clause: str) -> str | None:
    """Return a clause with its main verb as a duty, None if it has no finite verb.

    Example:
        >>> with_duty("the area on which the mill relies is fenced")
        'the area on which the mill relies must be fenced'
        >>> with_duty("windows and doors of kilns") is None
        True
    """
    pending, previous = 0, ""
    proviso = _PROVISO.search(clause)
    for token in _TOKEN.finditer(clause, 0, proviso.start() if proviso else len(clause)):
        word = token[0].lower()
        if word in _RELATIVE:
            # "that activity …" at the start points back and opens no relative clause.
            pending += token.start() > 0
        elif form := _duty_form(token, previous):
            if pending == 0:
                return _put(clause, token, form)
            pending -= 1
        previous = word
    return None


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


def _duty_form(token: re.Match[str], previous: str) -> str | None:
    """Return a word as a duty, None if it is no finite verb."""
    word = token[0].lower()
    for pattern, instead in _AUXILIARIES:
        if pattern.fullmatch(word):
            return pattern.sub(instead, word)
    base = _BASE.get(word)
    if base is None or token[0][0].isupper() or previous in _NOUN_BEFORE:
        return None
    if base in _ALSO_NOUNS and not _OBJECT.match(token.string, token.end()):
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
    if relative := re.search(r"((?:(?!an?\b|the\b)[\w-]+ )?[\w-]+) that$", clause):
        # "uses modelling techniques that:"
        return f"the {relative[1]}"
    duty = with_duty(clause)
    if duty is None:
        return ""
    same = next((i for i, (a, b) in enumerate(zip(clause, duty, strict=False)) if a != b), 0)
    return clause[:same].strip(" ,")
