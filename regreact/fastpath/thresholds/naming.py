"""Name of the measured quantity from the words before a limit (appendix D.2 "Metric Naming")."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from regreact.fastpath.thresholds.phrases import (
    capitalised,
    lowered,
    plain,
    qualifiers,
    split_openers,
    tidy,
    without_insertions,
)
from regreact.fastpath.thresholds.reading import READ
from regreact.legal.dates import DATE

Match = re.Match[str]
# Subjects that name nothing measured
GENERIC = re.compile(
    r"^(?:economic |whole )?(?:activit(?:y|ies)|operators?(?: of the activity)?|project|following|criteria|"
    r"requirements?|technology|it|they|manufacturer|producer|undertaking|infrastructure|system)?$",
    re.I,
)
_FINITE = re.compile(
    r"\s(?:is|are|was|were|has|have|does|do|shall|must|may|can|will|provides?|uses|covers?|achieves?|attains?|"
    r"complies|comply|ensures?|meets?|fulfils?|respects?|observes?|satisfy|satisfies|respects?|observes?|satisfy|satisfies|consists?|produces?|generates?|operates?|implements?|applies|apply|"
    r"include|includes|demonstrates?|contains?|enables?|leads?(?=\s(?:to|in)\b)|installs?|converts?|represents?|closes|reduces?|exceeds?|relies|rely|makes?|lies|lie|stays?|keeps?|takes?|carries|carry|goes|go|holds?|runs?|remains?)\s"
)
# Adjectives that say more than "high" when they become nouns
_NOUNS = {"intensive": "intensity", "efficient": "efficiency", "dense": "density", "old": "age"}
_USES = {"use": "Use", "consume": "Consumption", "emit": "Emissions", "produce": "Production", "require": "Demand",
         "generate": "Generation", "need": "Demand", "lose": "Loss", "discharge": "Discharge"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class NameRule:
    """A wording before a limit and the quantity it names. `example` ends where the comparison words start."""

    name: str
    pattern: re.Pattern[str]
    make: Callable[[Match], str]
    example: str
    result: str


def _of(quantity: str, subject: str) -> str:
    """Return "quantity of subject" unless the subject names nothing or the quantity has a complement."""
    quantity, subject = tidy(quantity), noun_phrase(subject)
    if GENERIC.match(subject) or re.search(rf"\bof (?:the )?{re.escape(subject)}$", quantity, re.I):
        return quantity
    return f"{quantity} of {lowered(subject)}"


# "silos built before 2015 have a roof with a transmittance of": the owner of the owner
_OWNER_OF_OWNER = re.compile(
    r"^(?P<o>[^,;]+?)\s(?:has|have|(?:is|are) (?:fitted|equipped|provided) with)\s(?:an?\s|the\s)?(?P<p>[^,;]+)$"
)


def _have(m: Match) -> str:
    own = re.split(rf"{READ}[^{READ}]*?\b(?:and|or)\s", m["q"])[-1]
    own = re.sub(r"^(?:maximum|minimum|max\.?|min\.?)\s(?!permi|allow|take)", "", own)
    first, *others = re.split(READ, m["s"] or "")
    bearer = others[-1] if others and _FINITE.search(f"{others[-1]} ") else first
    chain = _OWNER_OF_OWNER.match(bearer)
    return _of(_of(own, chain["p"]), chain["o"]) if chain and _is_noun(chain["o"]) else _of(own, bearer)


def _is_noun(words: str) -> bool:
    return not (_FINITE.search(f"{words} ") or re.search(r"\b(?:that|which|who)\b", words))


def _where(m: Match) -> str:
    inner = quantity(m["q"])
    return inner if re.search(r"\s(?:of|from|in|for)\s", inner) else _of(inner, m["s"])


def _use(m: Match) -> str:
    verb = m["v"] if m["v"] in _USES else m["v"].removesuffix("s")
    return f"{_USES[verb]} of {lowered(_subject(m['s'] + ' is'))}"


# Verbs of change, and their nouns
_CHANGES = {"rises": "Rise", "rise": "Rise", "falls": "Fall", "fall": "Fall", "drops": "Drop", "drop": "Drop", "sinks": "Fall",
            "sink": "Fall", "grows": "Growth", "grow": "Growth", "increases": "Increase", "increase": "Increase",
            "decreases": "Decrease", "decrease": "Decrease", "cools": "Cooling", "warms": "Warming", "shrinks": "Shrinking",
            "settles": "Settling", "deviates": "Deviation", "deviate": "Deviation", "differs": "Difference", "differ": "Difference",
            "exceeds": "Excess"}  # fmt: skip


# "fuel use" is a noun, "urinals use" none
_USED = r"(?i:fuel|water|energy|power|heat|land|materials?|resources?|electricity|gas)"
_METHOD = r"(?:is|are) (?:either )?(?:calculated|measured|determined|assessed|established) (?:using|with|by|under)"
RULES = (
    NameRule(
        "value of a method",
        re.compile(
            rf"^(?P<s>.+?) {_METHOD} (?P<m>.+?),? and (?:the |its )?(?:threshold )?(?:value|result|level)s?\b.*$"
        ),
        lambda m: f"{tidy(m['s'])} under {m['m']}",
        "the loss level is calculated using the Mill Loss Index (MLI) method and the threshold value",
        "Loss level under the Mill Loss Index (MLI) method",
    ),
    NameRule(
        "effect",
        re.compile(r"(?<!of )\b(?:(?:leads?|leading|gives? rise|giving rise) to|(?:results?|resulting) in) (?P<q>[^¦]+)$"),
        lambda m: tidy(m["q"]),
        "washing does not lead to dust losses",
        "Dust losses",
    ),
    NameRule(
        "extension",
        re.compile(r"^(?P<s>.+?) (?:may|shall|can|will|must) be (?:extended|prolonged)(?: by)?$"),
        lambda m: f"Extension of {lowered(tidy(m['s']))}",
        "that repair period may be extended by",
        "Extension of repair period",
    ),
    NameRule(
        "distance",
        re.compile(r"^(?P<s>.+?) (?:is|are) (?:not )?\w+ over (?:a )?distances?$"),
        lambda m: f"Transport distance of {lowered(noun_phrase(m['s']))}",
        "the ores are not moved over distances",
        "Transport distance of ores",
    ),
    NameRule(
        "count",
        re.compile(r"^(?P<s>.+?),? of which there (?:is|are)$"),
        lambda m: tidy(m["s"]),
        "weed seeds, of which there are",
        "Weed seeds",
    ),
    NameRule(
        "quantity of which",
        re.compile(r"^(?P<s>.+?),?\s(?:and\s|or\s)?the (?P<q>(?:[\w()-]+\s){1,6}?)of (?:which|whom)(?: is| are)?$"),
        lambda m: _of(m["q"], m["s"]),
        "a kiln that burns wood and the heat loss of which is",
        "Heat loss of kiln",
    ),
    NameRule(
        "changes by",
        re.compile(
            rf"^(?P<s>[^,;{READ}]+?)\s(?P<v>{'|'.join(_CHANGES)})\b(?:\s[^;{READ}]*?)?,?\sby$"
        ),
        lambda m: _of(_CHANGES[m["v"]], m["s"]),
        "the water table rises on its own, by",
        "Rise of water table",
    ),
    NameRule(
        "done by",
        re.compile(rf"^(?P<s>[^,;{READ}]+?)\s(?:is|are)\s(?P<p>(?!(?:us|own|serv|shar|occupi|visit|attend|operat|cover)ed)[a-z]+ed)(?:,?\s[^;{READ}]*?)?,?\sby$"),
        lambda m: _of(re.sub(r"ed$", "ing", re.sub(r"ied$", "yed", m["p"])), m["s"]),
        "the feed is preheated, with spent steam, by",
        "Preheating of feed",
    ),
    NameRule(
        "brought to",
        re.compile(
            rf"^(?P<s>[^,;{READ}]+?)\s(?:is|are)\s(?:[\w-]+\s){{1,5}}?(?:to|at|under)\s(?:an?|the)\s"
            r"(?P<q>(?!(?:rate|level|extent|amount|share|value)\b)(?:(?!of\b)[\w-]+\s){0,4}?[\w-]+)\sof$"
        ),
        lambda m: _of(m["q"], m["s"]),
        "the ore is dried in drums to a moisture content of",
        "Moisture content of ore",
    ),
    NameRule(
        "brought so far",
        re.compile(
            rf"^(?P<s>[^,;{READ}]+?)\s(?:is|are)\s(?:[\w-]+\s){{1,4}}?(?:until|so that|such that|in such a (?:way|manner) that)\s"
            r"(?:its|their)\s(?P<q>[^,;]+?)(?:\s(?:is|are|falls|lies|remains|stays))?$"
        ),
        lambda m: _of(m["q"], m["s"]),
        "the ore is dried until its moisture is",
        "Moisture of ore",
    ),
    NameRule(
        "where",
        re.compile(r"^(?P<s>.*?),? (?:where|for which|of which|whose|and where) (?P<q>(?!.*\b(?:is|are) [a-z]+ (?:has|have|is|are)\b)[^¦]+?)(?: is| are)?$"),
        _where,
        "washed ore where the specific dust emissions are",
        "Specific dust emissions of washed ore",
    ),
    NameRule(
        "property",
        re.compile(
            r"^(?:(?P<s>.*)\s)?(?:has|have|having|with(?! which\b)|attains?|achieves?|reaches?|shows?|attain|achieve|reach)\s"
            r"(?:an?\s|the\s)?(?P<q>[^,;]+?)(?: is| are)?$"
        ),
        _have,
        "showers have a water flow of",
        "Water flow of showers",
    ),
    NameRule(
        "use",
        re.compile(rf"^(?P<s>[^{READ}]*?(?!{_USED}\b)\b[\w-]+) (?P<v>(?:{'|'.join(_USES)})s?)$"),
        _use,
        "urinals use",
        "Use of urinals",
    ),
)


DATES_ONLY = re.compile(
    rf"(?:(?:(?:from|until|till|to|by|as of|after|before|and|in)\s+)+{DATE}(?: onwards)?,?\s*)+", re.I
)
_LEADING_VERB = re.compile(r"^(?:is|are|has|have|enables?|provides?|ensures?|includes?|contains?)\s")


# "the panels of which the wall is made", "a boiler that burns wood"
RELATIVE = re.compile(r",?\s(?:(?:at|by|for|from|in|of|on|over|through|to|under|with) which|that|which|who|whose|whom)\s")


def noun_phrase(text: str) -> str:
    """Return the noun phrase at the end of a clause part: after its last verb, preposition of purpose or conjunction.

    Example:
        >>> noun_phrase("the site is dedicated to the operation of lorries")
        'lorries'
    """
    text = tidy(re.sub(r"\s(?:that|which|shall|must|may|can|will|should)\s*$", "", text))
    text = _LEADING_VERB.sub("", text)
    relative = RELATIVE.search(text)
    if relative and _is_noun(text[: relative.start()]):
        return tidy(text[: relative.start()])
    if _FINITE.search(f"{text} "):
        text = re.split(r"\b(?:of|by|for|on) (?:the )?|\bto (?:the |an? )", text)[-1]
        text = re.sub(r"^\s*(?:not [a-z]+ (?=\w)|(?:fitted|equipped|provided|supplied) with )", "", _FINITE.split(f" {text} ")[-1])
    return tidy(re.sub(r"\s(?:comply|complies|operated|equipped|designated|provided)$", "", tidy(text)))


# What says of a quantity only that it has a value: "is kept", "are stored at", "averages", "must not fall"
_HAS_VALUE = re.compile(
    r"(?:,?\s(?:does|do|shall|must|may|should|will|can))?(?:\snot|\snever)?(?:"
    r"\s(?:is|are|be|was|were)\s(?:\w+ly\s)?(?:not\s)?(?:[a-z]+ed|kept|held|done|run|built|set|laid|grown|sown|spread|"
    r"driven|drawn|brought|put|fed)(?:\s(?:at|to|down to|up to|by|with|on))?|"
    r"\s(?:amounts?|comes?|stays?|keeps?|lies?|lie|stands?|averages?|takes? place|falls?|drops?|sinks?|goes|go|rises?|climbs?|drives?|"
    r"runs?|weighs?|measures?|turns? out)(?:\s(?:at|to|down to))?)$"
)


def _subject(head: str) -> str:
    """Return the subject of the last clause of a head that ends where verb and comparison begin."""
    valued = _HAS_VALUE.search(head)
    if valued and _is_noun(tidy(head[: valued.start()])) and READ not in head:
        return tidy(head[: valued.start()])
    relative = re.search(r"\s(?:that|which)\s?(?:(?:is|are|shall|must|may|not|be)\s?)*$", head)
    head = re.sub(r",?\s(?:shall|may|must|should|can|will),?\s(?:\w+ly )?be \w+ed(?: to| by| at| to be)?$", "", head)
    head = re.sub(
        r",?\s(?:(?:is|are|be|was|were|has to be|have to be|is to(?: be)?|are to(?: be)?|remains?|that|which|must be|shall be|shall|must|may|"
        r"should|will|does|do),?\s?)+$",
        "",
        head,
    )
    if READ in head:
        last = re.split(r"(?:^|\s)(?:and|or|but)\s(?=(?:an?|the|its|their)\s)", head.rsplit(READ, 1)[1])[-1]
        last = re.sub(r"^[^\w(]*(?:(?:and|or|but)\s)?", "", last)
        named = len(tidy(last).split()) > 1 or re.match(r"(?:the|its|their)\s[a-z]{3,}", last)
        own = named and not re.match(r"(?:in|of|for|by|over|at|on|from)\s", last)
        head = last if own else head.split(READ, 1)[0]
    if relative:
        return _of_subject(head)
    if _one_clause(head):
        return tidy(head)
    if _FINITE.search(f"{head} "):
        parts = re.split(r"(?:,? (?:and|or) |, |; )(?=(?:the|its|their|an?|this|these)\s)", head)
        last = parts[-1]
        owner = parts[0] if re.match(r"(?:its|their)\s", last) else ""
        return _of(last, _owner(owner)) if owner else _trailing_noun(last)
    return tidy(head)


def _of_subject(head: str) -> str:
    """Return "pressure of steam" for "steam is distributed at a pressure (which is)"."""
    *first, last = re.split(r"\s(?:at|by|with|through|using|in|to|under)\s", head)
    verb = _FINITE.search(f"{first[0]} ") if first else None
    subject = first[0][: verb.start()] if verb else ""
    return _of(last, subject) if verb and _is_noun(subject) and not _FINITE.search(f"{last} ") else tidy(last)


def _one_clause(head: str) -> bool:
    """True for a noun with a relative clause: "the temperature at which water is drawn"."""
    relative = RELATIVE.search(head)
    if relative is None or relative.start() == 0 or READ in head or not _is_noun(head[: relative.start()]):
        return False
    return len(_FINITE.findall(f"{head[relative.start() :]} ")) <= 1 and not re.search(r",|\sand\s(?:the|its|an?)\s", head)


def _owner(clause: str) -> str:
    """Return what "its" refers to: the object of the clause where its subject names nothing."""
    verb = _FINITE.search(f"{clause} ")
    if verb is None:
        return clause
    subject = clause[: verb.start()]
    return clause[verb.end() :] if GENERIC.match(tidy(subject)) else subject


def _trailing_noun(clause: str) -> str:
    """Return the measured noun at the end of a clause that no rule could read."""
    measured = re.search(
        r"(?:[A-Za-z(][\w()-]* )?(?:[A-Za-z(][\w()-]* )?(?:emissions?|consumption|demand|concentrations?|efficiency|"
        r"losses|leakages?|shares?|rates?|intensity|potential)\b(?: (?:of|from|for) .+)?$",
        clause,
    )
    if measured:
        return tidy(measured[0])
    return tidy(_FINITE.split(f" {clause} ")[-1]) or tidy(clause)


def quantity(before: str, chapeau_subject: str = "") -> str:
    """Return the name of the quantity that the words before a limit speak of, "" if they name none.

    Args:
        before: Clause before the comparison words; read amounts stand as `¦`.
        chapeau_subject: What an item of a list without own subject is about.

    Example:
        >>> quantity("For wet ores, the life-cycle GHG emissions from ore washing are")
        'Life-cycle GHG emissions from ore washing'
    """
    name = _quantity(before, chapeau_subject)
    added = qualifiers(plain(before.rsplit(READ, 1)[-1])) if name and "," in before else ""
    return f"{name}, {added}" if added and added not in name else name


def _quantity(before: str, chapeau_subject: str) -> str:
    _, head = split_openers(without_insertions(_INVERTED.sub("", plain(before))))
    head = _ADVERB.sub("", head.strip(" ,"))
    resumed = _RESUMED.match(head)
    if resumed:
        head = _FINITE.split(resumed["first"])[0] if resumed["n"] in ("value", "result", "figure") else resumed["n"]
    if not head or DATES_ONLY.fullmatch(head.replace(READ, "")):
        return ""
    for rule in RULES:
        match = rule.pattern.search(head)
        if match:
            found = rule.make(match)
            own = match.groupdict().get("s")
            if found and not own and rule.name == "property" and chapeau_subject:
                found = _of(found, chapeau_subject)
            if len(tidy(found)) > 1:
                return capitalised(tidy(found))
    placed = _PLACED.match(head) if READ not in head else None
    name = _subject(head[placed.end() :] if placed else head)
    if chapeau_subject and _OF_THE_LIST.search(head):
        name = _of(name, chapeau_subject)
    elif placed and " in " not in name:
        name = f"{name} in {tidy(placed['p'])}"
    return capitalised(name)


# "At no time does the noise exceed"
_INVERTED = re.compile(r"^\W*(?:never|nowhere|on no occasion|(?:in|under|at) no \w+)\s(?:does|do|may|shall|must|is|are|will|can)\s", re.I)
# "…, the content so determined being": the quantity of the clause before, resumed
_RESUMED = re.compile(
    r"^(?P<first>[^,]+,?.*),\s(?:the|that|this|those|these)\s(?P<n>[\w-]+)(?:\s(?:so|thus|thereby)\s(?:\w+ly\s)?[a-z]+)?\s(?:being|having to be)$"
)
# "is instead", "are likewise": a word that only links a sentence to another
_ADVERB = re.compile(
    r"(?<=\b(?:is|as))\s(?:instead|also|likewise|then|still|always|therefore|thus|nevertheless|at all times|in (?:all|any|each) cases?)$|"
    r"(?<=\bare)\s(?:instead|also|likewise|then|still|always|therefore|thus|nevertheless|at all times|in (?:all|any|each) cases?)$"
)
# "its losses": what the list is about has them
_OF_THE_LIST = re.compile(rf"(?:^|{READ}[^{READ}]*?\b(?:and|or|but)\s)(?:its|their)\s[^,;]*$")
# "In new mills the losses are": a place that no comma closes
_PLACED = re.compile(
    r"^(?:in|on|at|within)\s(?P<p>(?:(?:the|an?|all|each|its|their)\s)?(?:(?!of\b|and\b|or\b|that\b|to\b)[\w-]+\s){1,5}?)"
    r"(?=(?:the|its|their)\s)",
    re.I,
)


_FRONTED = re.compile(
    r"^\W*(?:where|if|when|in cases where)\s(?P<s>[^,;]+?)\s(?:is|are|has|have|does|do|was|were|needs?|comes?|contains?|uses?)\b[^,;]*,", re.I
)


def antecedent(clause: str) -> str:
    """Return what "they" stands for: the subject of the clause in front, "" if there is none.

    Example:
        >>> antecedent("Where pumps are kept in reserve, they run for")
        'pumps'
    """
    match = _FRONTED.match(plain(clause))
    return tidy(match["s"]) if match else ""


def adjective_quantity(before: str, adjective: str) -> str:
    """Return the quantity of "a mill that is more greenhouse gas intensive than".

    Example:
        >>> adjective_quantity("a link between a network and a mill that is", "greenhouse gas intensive")
        'Greenhouse gas intensity of mill'
    """
    *first, last = adjective.split()
    bearer = re.sub(r"\s(?:(?:that|which)\s)?(?:is|are)\s*$", "", plain(before))
    bearer = re.split(r"\b(?:and|between|to|of|for),? (?=an? |[a-z-]+ing |[a-z-]+s? )", bearer)[-1]
    return capitalised(_of(" ".join([*first, _NOUNS.get(last, last)]), bearer))


def case_of(before: str) -> str:
    """Return the case that the opener of a clause names ("For concrete, …"), "" if none."""
    return split_openers(without_insertions(plain(before)))[0]


# "The renewed hall shows all four values below:": any verb in front of a number of conditions
_SHOWS_ALL = re.compile(
    r"^(?P<s>(?:(?:the|an?|each|every|all)\s)?(?:(?!(?:is|are|has|have|that|which|of)\b)[\w-]+\s){0,4}?[\w-]+)\s"
    r"(?:[a-z]+s|[a-z]+)(?:\s(?:to|with|within|by|in))?\s"
    r"(?:(?:at least|not? (?:fewer|less) than|any|exactly)\s)?(?:all|both|each|either|any|one|two|three|four|five|six|these|those|"
    r"the (?:following|two|three|four|five))\b(?!.*\b(?:is|are|has|have)\s)",
    re.I,
)


def chapeau_subject(text: str) -> str:
    """Return what the items of a list are about, "" if the chapeau names nothing.

    Example:
        >>> chapeau_subject("small lorries that:"), chapeau_subject("The activity complies with the following:")
        ('small lorries', '')
    """
    head = re.sub(r"\s?:\s*$", "", plain(text).split(". ")[-1])
    if head == plain(text).split(". ")[-1]:
        return ""
    _, head = split_openers(without_insertions(head))
    head = re.sub(r",? (?:that|which)(?: are| is)?(?: either)?\s?$", "", head)
    verb = _FINITE.search(f"{head} ")
    shown = _SHOWS_ALL.match(head)
    subject = tidy(shown["s"] if shown else head[: verb.start()] if verb else head)
    return "" if GENERIC.match(subject) or len(subject.split()) > 14 else lowered(subject)


def fuller(name: str, text: str) -> str:
    """Return a short name with the complement that an earlier mention in the text gives it.

    Example:
        >>> fuller("Availability", "Where the availability of pump parts is open, the")
        'Availability of pump parts'
    """
    if len(name.split()) > 2:
        return name
    mentions = re.findall(
        rf"\b{re.escape(name)} (of [\w -]+?)(?=\s(?:is|are|has|have|does|do|shall|must|may|can)\b|[,.;:])", text, re.I
    )
    return f"{name} {mentions[-1]}" if mentions else name
