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
# Participles that open an insertion: ", calculated using …," says how, not what
_INSERTED = (
    r"(?:as|calculated|measured|expressed|defined|defining|setting out|set out|laid down|referred|including|excluding|"
    r"in accordance|in line|in terms|in analogy|determined|divided|estimated|certified|reduced|initially|covering|"
    r"whether|other than|either in|and being|such as|in particular|compared|not dedicated|averaged|"
    r"on average|where (?:applicable|relevant|appropriate|available)|demonstrated|manufactured)"
)
_LISTED_INSERTION = re.compile(r",\s(?:including|such as)\s(?:[^,]+,\s)+?[^,]+?\s(?:and|or)\s[^,]+(?=,)")
# A comma before a digit is a decimal mark
_UP_TO_COMMA = r"(?:(?!\sand where\b)[^,]|,(?=\d))*"
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
    r"specifically|only|in addition|averaged|calculated|measured|expressed|assessed|determined|taken|based|counted)"
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
    text = re.sub(rf"{_TAKEN_OUT},(?=\s(?:is|are|has|have|does|do)\b)", "", text)
    return _FOLD.sub(" ", text.replace(_TAKEN_OUT, "")).strip()


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


BASIS = re.compile(r"\b(?:by|in(?: terms of)?) (?:dry )?(?P<basis>weight|mass|volume|area|number of units)\b")


def basis_of(text: str) -> str:
    """Return "by weight" and the like if the clause says in what a share is measured, else ""."""
    match = BASIS.search(text)
    return f"by {match['basis']}" if match else ""
