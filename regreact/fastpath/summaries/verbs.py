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
    determine develop disclose draw emit employ enable engage ensure enter equip equal establish evaluate exceed exclude
    explain favour follow fulfil generate give go hamper help hold identify implement improve include indicate inform
    innovate inspect install integrate invest justify keep lead leave lie look maintain make manage manufacture
    match meet minimise monitor move notify obtain occur offer open operate originate overhaul participate pay perform
    possess prepare preserve prevent produce promote protect prove provide publish put qualify reach receive recover
    recycle reduce refer reflect refrain rely remain remove repair replace repurpose require research resist respect
    restore retain retrofit run satisfy select send separate serve show specify stay stop store submit support
    take tolerate transmit treat undergo undertake uphold upgrade use verify withstand
    """.split()
)
# Forms of these are nouns too: they are verbs only before an object ("record the trips", not "records of trips").
_ALSO_NOUNS = frozenset(
    """
    account aim burn calculate cause check control finance fund grant impact increase limit list map mark measure
    name need place plan process reach record report result sample set stand start state test track train work
    """.split()
)
_OBJECT = re.compile(
    r" (?:(?:the|an?|its|their|this|that|these|those|no|each|every|all|any|one|both|whether|how|which|at (?:least|most))\b"
    r"|\d|[A-Z])"
)
# "measures that …" opens a noun phrase.
_FIRST_OBJECT = re.compile(r"(?! that\b)" + _OBJECT.pattern)


def _third_person(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeo":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "sh", "ch", "o")) else "s")


_BASE = {form: verb for verb in _VERBS | _ALSO_NOUNS for form in (verb, _third_person(verb))}
_NEVER_NOUNS = frozenset(
    """
    achieve adopt avoid comply confirm contain contribute deliver demonstrate describe determine enable ensure exceed favour
    identify include integrate maintain meet obtain perform provide reflect rely remain remove require satisfy undergo
    withstand
    """.split()
)
_TOKEN = re.compile(r"[A-Za-z]+(?: not\b)?")
_LISTED_VERBS = re.compile(r"(?:,? (?:and|or) (?:[a-z]+s)\b|, [a-z]+s(?=,| or| and))+")
_PROVISO = re.compile(r"\b(?:provided that|unless|except where|on condition that)\b")
_RELATIVE = frozenset(("that", "which", "who", "where", "whose", "when", "whether"))
# A verb after one of these is the rest of theirs ("does not meet", "shall meet").
_AUXILIARY_BEFORE = re.compile(r"(?:do|does|shall|must|may|can|will)(?: not)?|cannot")
# "infrastructure that … is not compliant", "it is possible to …": a finding, which nobody has to bring about
_FINDING = re.compile(r" (?:not )?(?:compliant|considered|deemed|regarded|eligible|possible|understood|defined as)\b")
_SECOND_DENIAL = re.compile(r"\b(and|or|nor) (?:does|do) not\b")
_OPENS_RELATIVE = re.compile(r"\b(?:that|which|who|where|whose|when|whether)\b")
# Words in -s that are no plural noun before a verb.
_NO_PLURALS = frozenset("is as was has does this its thus less plus".split())
# A verb form after one of these is a noun: "the use of", "in place", "by shore power"; or no main verb: "as follows".
_NOUN_BEFORE = frozenset(
    "the a an of in by for with to and or its their no any all each such other on under as".split()
)


def with_duty(clause: str) -> str | None:
    """Return a clause with its main verb as a duty, None if it has no finite verb.

    Example:
        >>> with_duty("the area on which the mill relies is fenced")
        'the area on which the mill relies must be fenced'
        >>> with_duty("a mill that does not meet the limits is not compliant")
        'a mill that does not meet the limits is not compliant'
        >>> with_duty("the kiln is a tunnel kiln and does not have a chimney")
        'the kiln must be a tunnel kiln and must not have a chimney'
        >>> with_duty("windows and doors of kilns") is None
        True
    """
    found = _main_verb(clause)
    return _put(clause, *found) if found else None


def _main_verb(clause: str) -> tuple[re.Match[str], str] | None:
    """Return the main verb of a clause and its form as a duty; the verbs of relative clauses are passed over."""
    pending, previous = 0, ""
    proviso = _PROVISO.search(clause)
    for token in _TOKEN.finditer(clause, 0, proviso.start() if proviso else len(clause)):
        word = token[0].lower()
        if word in _RELATIVE:
            # "that activity …" at the start points back and opens no relative clause.
            pending += token.start() > 0
        elif form := _duty_form(token, previous):
            if pending == 0:
                return token, form
            pending -= 1
        previous = word if token.start() > 0 or word not in _RELATIVE else "the"
    return None


_ADVERB_BEFORE = re.compile(r"\b[a-z]+ly $")
_NONE_OF = re.compile(r"(?:no|none)\b", re.IGNORECASE)


def _put(clause: str, token: re.Match[str], form: str) -> str:
    """Return the clause with the duty in the place of its verb, and verbs listed with it in the base form."""
    before, rest = clause[: token.start()], clause[token.end() :]
    if _FINDING.match(rest):
        return clause
    if form.startswith("must "):
        relative = _OPENS_RELATIVE.search(rest)
        own = relative.start() if relative else len(rest)
        rest = _SECOND_DENIAL.sub(r"\1 must not", rest[:own]) + rest[own:]
    if form.startswith("must ") and (more := _LISTED_VERBS.match(rest)):
        rest = _TOKEN.sub(lambda m: _base_of(m[0]), more[0]) + rest[more.end() :]
    if form.startswith("must ") and _NONE_OF.match(before):
        # "no leaks occur" is no duty to have none of them occur.
        form = form.replace("must", "may", 1)
    if form.startswith("must ") and _BASE.get(token[0].lower()) and (adverb := _ADVERB_BEFORE.search(before)):
        return f"{before[: adverb.start()]}must {adverb[0]}{form.removeprefix('must ')}{rest}"
    return before + form + rest


def _base_of(word: str) -> str:
    """Return the base of a verb in a list of verbs; words of the list that are no verbs stay."""
    if word in _BASE:
        return _BASE[word]
    return word[:-1] if word.endswith("s") and word not in ("as", "is") else word


def _duty_form(token: re.Match[str], previous: str) -> str | None:
    """Return a word as a duty, None if it is no finite verb."""
    word = token[0].lower()
    if _AUXILIARY_BEFORE.fullmatch(previous):
        return None
    for pattern, instead in _AUXILIARIES:
        if pattern.fullmatch(word):
            return pattern.sub(instead, word)
    base = _BASE.get(word)
    if base is None or word == "equal" or token[0][0].isupper() or previous in _NOUN_BEFORE:
        return None
    if base in _ALSO_NOUNS and not (_OBJECT if previous else _FIRST_OBJECT).match(token.string, token.end()):
        return None
    after_subject = previous in _RELATIVE or (previous.endswith("s") and previous not in _NO_PLURALS)
    return f"must {base}" if word != base or after_subject or word in _NEVER_NOUNS else None


_ADVERB = re.compile(r"(?:[a-z]+ly )?")


def starts_with_verb(clause: str) -> bool:
    """True if a clause begins with a finite verb and goes on with the subject of its chapeau.

    Example:
        >>> starts_with_verb("uses quiet saws"), starts_with_verb("use of quiet saws")
        (True, False)
    """
    token = _TOKEN.match(clause, _ADVERB.match(clause).end())  # type: ignore[union-attr]  # it matches nothing too
    goes_on = token and not re.match(r" (?:of|and|or)\b", clause[token.end() :])
    return bool(token and goes_on and _duty_form(token, ""))


_BEFORE_LIMIT = re.compile(
    r"\b(?:the|an?|each|every) (?:\w+ )*?[a-z]{3,}s (?:\w+ )?(?:at least|at most|no more|no less|no fewer)\b"
)


def is_clause(text: str) -> bool:
    """True if a word in -s before a limit shows that the words are a clause, although its verb is not known.

    Example:
        >>> is_clause("the hull glides over at least 3 m"), is_clause("pipes of at least 3 m")
        (True, False)
    """
    return _BEFORE_LIMIT.match(text) is not None


def subject_of(clause: str) -> str:
    """Return the words before the main verb of a clause, "" if it has none.

    Example:
        >>> subject_of("the mill complies with the following criteria")
        'the mill'
    """
    if relative := re.search(r"((?:(?!an?\b|the\b)[\w-]+ )?[\w-]+) that$", clause):
        # "uses modelling techniques that:"
        return f"the {relative[1]}"
    verb = _main_verb(clause)
    return clause[: verb[0].start()].strip(" ,") if verb else ""
