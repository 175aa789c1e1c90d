"""Words of a clause as the name of a quantity: without markers, insertions, openers and articles."""

from __future__ import annotations

import re

from regreact.legal.dates import DATE

_FOLD = re.compile(r"\s+")
_BASIS_IN_BRACKETS = re.compile(
    r"\s?\((?:expressed |measured )?(by|in) (weight|mass|volume|area|number)(?: in [\w ]+)?\)"
)
# Brackets are dropped, except abbreviations and "(tailpipe)", which are part of a name
_BRACKETS = re.compile(r"\s?\((?!tailpipe\)|[A-Z][\w/-]{1,9}\)|%\))[^()]*\)|\s?\[[^\[\]]*\]|[\[\]]")
# A comma before a digit is a decimal mark
_UP_TO_COMMA = r"(?:(?!\sand where\b)[^,]|,(?=\d))*"
# Participles that open an insertion: ", calculated using …," says how, not what
_INSERTED = (
    r"(?:as(?! to\b)|calculated|measured|expressed|defined|defining|setting out|set out|laid down|referred|including|excluding|"
    r"in accordance|in line|in terms|in analogy|determined|divided|estimated|certified|reduced|initially|covering|"
    r"whether|other than|either in|and being|such as|in particular|compared|not dedicated|averaged|"
    r"on average|where (?:applicable|relevant|appropriate|available)|demonstrated|manufactured|"
    r"inclusive of|exclusive of|tested|corrected|converted|standardised|normalised|net of|irrespective|regardless|"
    r"apart from|except for|not counting|taken together|counted|without counting|checked|verified|observed|recorded|"
    r"(?:at |in |by |of )?(?:whatever|whichever|wherever)|once (?:this|these|it|they))"
)
# ", stand-by units not being counted,", ", that used for rinsing included,", ", each of them,"
_LEFT_OR_TAKEN = (
    r"(?:(?:not )?being(?: \w+){1,6}|(?:not )?(?:included|excluded|excepted|counted|disregarded|considered)|"
    r"(?:set|left|put) (?:aside|out of account)|apart|aside)"
)
_ABSOLUTE = re.compile(
    r",\s(?:(?:each|all|both|none|either)(?: of (?:them|these|which))?(?: (?:alone|separately|together|in (?:its|their) own right))?|"
    rf"[^,;:]{{2,80}}?\s{_LEFT_OR_TAKEN})"
    r"(?=,\s(?:is|are|has|have|does|do|shall|must|amounts?|remains?|stays?|lies?|lie|keeps?|falls?|goes|averages?|reach(?:es)?|an?|the|not|below|above|at)\b|,?\s*$)"
)
# ", at full load and without firing, amounts to": a circumstance between subject and verb
_CIRCUMSTANCE = re.compile(
    rf",\s(?:at|in|on|under|over|during|with|without|for|within|by|from|per|as)\b{_UP_TO_COMMA},"
    r"(?=\s(?:is|are|has|have|does|do|shall|must|amounts?|remains?|stays?|reach(?:es)?|attains?|exceeds?|equals?)\b)"
)
_LISTED_INSERTION = re.compile(r",\s(?:including|such as)\s(?:[^,]+,\s)+?[^,]+?\s(?:and|or)\s[^,]+(?=,)")
_INSERTION = re.compile(
    rf",\s(?:and |but )?{_INSERTED}\b{_UP_TO_COMMA}(?=,\s|,?$|\sand where\b)",
    re.I,
)
# Marks the place of an insertion: the comma that closes it before a verb goes too
_TAKEN_OUT = "\u2400"
_DATE_INSERTION = re.compile(rf",\s(?:from|until|till|as of|by|after|before)\s{DATE},(?=\s)", re.I)
_OPENING = (
    r"(?:where|when|if|until|till|from|for|in|as of|as regards|as an alternative|alternatively|by|within|during|after|"
    r"before|prior to|at|on|with|without|over|under|through|upon|regarding|moreover|furthermore|besides|however|"
    r"every (?:\w+ ){0,2}?(?:years?|months?|weeks?|days?|quarters?)|once (?:an?|every|per) \w+|twice an? \w+|"
    r"specifically|only|in addition|compared|averaged|calculated|measured|expressed|assessed|determined|taken|based|counted)"
)
_OPENER = re.compile(rf"^(?:and |or |but )?(?:only )?{_OPENING}\b(?P<words>{_UP_TO_COMMA}),\s*(?:and\s)?", re.I)
_LEAD = re.compile(
    r"^(?:\s|[,;:)]|and\s|or\s|that\s|which\s|whereby\s|the\s|an?\s|its\s|their\s|either\s|both\s|it\s|this\s|these\s|"
    r"those\s|all\s|such\s|no\s(?!net\b)|only\s)+",
    re.I,
)
_TAIL = re.compile(
    r"(?:[\s,:;.(¦-]|\s(?:of|is|are|by|to|at|an?|the|and|or|with|in|that|which|for|on|from|as|than|either|has|have|"
    r"be|not|per|in accordance|in line|set out|set|laid down|defined|referred|implementing|under|its|their))+$"
)
# "for brick, tile and ceramic,": nothing but the case
_CASES_ONLY = re.compile(r"^for (?:(?!\b(?:is|are|has|have|does|do|shall|must|may|can)\b).)*,$", re.I)
# "from 1 January 2026 onwards the losses": a date that no comma sets off
_DATED = re.compile(
    r"^(?:from|until|as of|by|after)\s[^,]*?(?:19|20)\d\d(?: onwards)?\s(?=the\s|an?\s|it\s|this\s|they\s)", re.I
)
_THAT = re.compile(
    r"^.*\b(?:ensur|demonstrat|show|prov|confirm|verif|certif|guarante|propos|requir|mean|indicat|agree|decid)\w*"
    r" that\s",
    re.I,
)


def plain(text: str) -> str:
    """Return a text without footnote markers and brackets; "(by weight)" becomes words.

    Example:
        >>> plain("the ore(12)  (excluding slag) washed (by mass in kilogrammes) at the mill (MX)")
        'the ore washed by mass at the mill (MX)'
    """
    text = re.sub(r"(?<=\S)\(\d{1,3}\)", "", text)
    text = _BASIS_IN_BRACKETS.sub(r" \1 \2", text)
    text = _BRACKETS.sub("", _BRACKETS.sub("", text))
    opened = text.rfind("(")
    if opened >= 0 and ")" not in text[opened:]:
        text = f"{text[:opened]} {text[opened + 1 :]}"
    return _FOLD.sub(" ", text).strip()


def without_insertions(text: str) -> str:
    """Return a clause without what stands between commas to say how something is measured.

    Example:
        >>> without_insertions("the losses, calculated by the miller, are")
        'the losses are'
    """
    text = _DATE_INSERTION.sub(",", _LISTED_INSERTION.sub(_TAKEN_OUT, text))
    previous = None
    while previous != text:
        previous, text = text, _INSERTION.sub(_TAKEN_OUT, text)
    text = _BEFORE_PARTICLE.sub(r"\1", text)
    text = _AFTER_VERB.sub("", _CIRCUMSTANCE.sub("", _ABSOLUTE.sub(_TAKEN_OUT, text)))
    text = re.sub(rf"\b(has|have|is|are){_TAKEN_OUT},", r"\1", text)
    text = re.sub(rf"{_TAKEN_OUT},(?=\s(?:is|are|has|have|does|do)\b)", "", text)
    return _FOLD.sub(" ", text.replace(_TAKEN_OUT, "")).strip()


# What an insertion adds to the quantity itself: ", referred to dry gas,", ", bark not being counted,", ", at full load,"
_QUALIFIERS = (
    re.compile(
        rf",\s(?P<q>(?:referred to(?! in| under| above| as)|related to|inclusive of|exclusive of|net of|corrected to|converted to|"
        rf"not counting|without counting|apart from)\b{_UP_TO_COMMA})(?=,|$)"
    ),
    re.compile(rf",\s(?:measured|determined|taken|tested|read)\s(?P<q>(?:at|in|on|under)\s(?:the|an?|each|its)\s(?!reference|accordance)"
               rf"{_UP_TO_COMMA})(?=,)"),
    re.compile(rf",\s(?P<q>(?!each|all|both|none|either)[^,;:]{{2,80}}?\s{_LEFT_OR_TAKEN})(?=,|$)"),
    re.compile(
        rf",\s(?P<q>(?:at|in|on|under|with|without|by)\s(?!accordance|line|terms|order|addition|any|all|no|principle|general|"
        rf"average|analogy|which|whatever|the case)(?:(?!{DATE}){_UP_TO_COMMA}?)),(?=\s(?:is|are|has|have|does|do|amounts?|"
        r"remains?|stays?|reach(?:es)?|attains?|exceeds?)\b)"
    ),
)
# "is, by volume,": between the verb and its complement
_AFTER_VERB = re.compile(
    rf"(?:(?<=\bis)|(?<=\bare)),\s(?P<q>(?:at|in|on|under|with|without|by|for|over|per)\s{_UP_TO_COMMA}),?$"
)
# "account, by number, for": between a verb and its preposition
_BEFORE_PARTICLE = re.compile(r"\b(accounts?|amounts?|consists?|extends?|contributes?),\s[^,;]{2,50},(?=\s(?:for|to|of|over)\b)")
_MOST_WORDS = 14


def qualifiers(text: str) -> str:
    """Return what the insertions of a clause add to its quantity, without participles of their own, "" if nothing.

    Example:
        >>> qualifiers("the heat use, stops being included, at full load, does")
        'stops included, at full load'
    """
    found = [m["q"] for pattern in (*_QUALIFIERS, _AFTER_VERB) for m in pattern.finditer(text)]
    short = [tidy(re.sub(r"\b(?:being |that which is |which (?:is|are) )", "", q)) for q in found]
    return ", ".join(q for q in short if len(q.split()) <= _MOST_WORDS)


def split_openers(text: str) -> tuple[str, str]:
    """Return what the openers of a clause apply to, and the clause without them.

    The first part is what stands after "for" ("For concrete, …": the case), else "".

    Example:
        >>> split_openers("from 2027, for wet ores, the losses are")
        ('wet ores', 'the losses are')
    """
    case = ""
    text = text.strip()
    previous = None
    if _CASES_ONLY.match(text):
        return tidy(text[4:]), ""
    while previous != text:
        previous = text
        while (match := _OPENER.match(text)) is not None:
            if match[0].lower().lstrip().startswith("for "):
                case = tidy(match["words"])
            text = text[match.end() :]
        text = _THAT.sub("", _DATED.sub("", text))
    return case, text


def tidy(phrase: str) -> str:
    """Return a phrase without articles in front and particles at the end."""
    previous = None
    while previous != phrase:
        previous = phrase
        phrase = _TAIL.sub("", _LEAD.sub("", phrase))
    return _FOLD.sub(" ", phrase).strip()


def capitalised(phrase: str) -> str:
    """Return a phrase with a capital first letter ("pH" keeps its own)."""
    return phrase if phrase[1:2].isupper() else phrase[:1].upper() + phrase[1:]


def lowered(phrase: str) -> str:
    """Return a phrase to stand inside another: a small first letter unless it starts an abbreviation or name."""
    first, _, rest = phrase.partition(" ")
    named = len(first) > 1 and any(c.isupper() or c.isdigit() for c in first[1:])
    return phrase if named or rest[:1].isupper() else phrase[:1].lower() + phrase[1:]


BASIS = re.compile(r"\b(?:by|in(?: terms of)?) (?:dry )?(?P<basis>weight|mass|volume|area|number of units|number|cost|value|length|energy content)\b")


def basis_of(text: str) -> str:
    """Return "by weight" and the like if the clause says in what a share is measured, else ""."""
    match = BASIS.search(text)
    return f"by {match['basis']}" if match else ""
