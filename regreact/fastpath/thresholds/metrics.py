"""Names of measured quantities: the noun phrase that a limit is about, with its qualifiers (appendix D.2)."""

from __future__ import annotations

import re

# Verbs that end the subject of a limit.
_VERB = re.compile(
    r"\s(?:is|are|be|was|were|has|have|having|does|do|shall|must|can|cannot|may|will|equals?|exceeds?|amounts?|"
    r"covers?|achieves?|"
    r"attains?|reaches?|leads?|reduces?|uses?|emits?|contains?|consists?|comes?|represents?|corresponds?|remains?|"
    r"meets?|complies|comply|ensures?|delivers?|provides?|operates?|generates?|results?|demonstrates?|shows?)\s",
    re.I,
)
_LEAD = re.compile(
    r"^(?:\s|[,;:)]|\d+(?:\.\d+)*\.?\s|\([a-z]+\)\s|and\s|or\s|that\s|which\s|the\s|an?\s|where\s[^,]*,\s?|"
    r"if\s[^,]*,\s?|"
    r"for\s[^,:]*,\s?|(?:un)?til[^,]*,\s?|from\s[^,]*,\s?|by\s[^,]*,\s?|in\s(?:the\s)?[^,]*,\s?|in addition,?\s|"
    r"as an alternative,?\s|alternatively,?\s|"
    r"its\s|their\s|in particular,?\s|specifically,?\s|either\s|both\s|moreover,?\s|furthermore,?\s|it\s)+",
    re.I,
)
_PARENTHESIS = re.compile(
    r",\s(?:as|calculated|measured|expressed|defined|referred|including|where|which|in accordance|"
    r"determined)\b[^,]*(?:,|$)"
)
_REDUCTION = re.compile(
    r"(?:reduc(?:es?|ing)|decreas(?:es?|ing)|lower(?:s|ing)|cut(?:s|ting)?)\s(?P<what>[^.;]*?)\s(?:by|of)\s?$|"
    r"(?:reductions?|decreases?|savings?)\s(?:of|in)\s(?P<of>[^.;]*?)(?:\s(?:of|by|is|are|amounts? to))?\s?$|"
    r"(?P<saving>[^.;,]*?(?:reductions?|savings?)[^.;,]*?)(?:\s(?:of|is|are|by))?\s?$",
    re.I,
)
_HAVE = re.compile(
    r"^(?P<subject>.*?)\s(?:has|have|having|use|uses|with|achieves?|attains?|"
    r"reaches?)\s(?:an?\s)?(?P<noun>[^,;]*?)(?:\sof)?\s*$",
    re.I,
)


def _tidy(phrase: str) -> str:
    phrase = re.sub(r"\(\d{1,3}\)", "", phrase)
    phrase = _PARENTHESIS.sub(" ", phrase)
    previous = None
    while previous != phrase:
        previous, phrase = phrase, _LEAD.sub("", phrase)
    phrase = re.sub(r"[\s,:;(]+$", "", re.sub(r"\s+", " ", phrase)).strip()
    phrase = re.sub(r"\s(?:of|is|are|by|to|at|a|an|the|and|or|with|in|that)$", "", phrase)
    return phrase[:1].upper() + phrase[1:]


def metric_before(text: str) -> str:
    """Return the subject of a limit from the words of its clause before the comparison.

    Example:
        >>> metric_before("1. The life-cycle GHG emissions from ore washing are")
        'Life-cycle GHG emissions from ore washing'
        >>> metric_before("showers have a maximum water flow of")
        'Water flow of showers'
    """
    led = re.search(r"\b(?:lead|result|give rise)s?\s(?:to|in)\s(?P<noun>[^.;,]+?)\s*$", text)
    if led:
        return _tidy(led["noun"])
    beyond = re.match(r"(?P<subject>.*?)\s(?:does|do) not exceed (?P<base>.*?)\s(?:by)\s*$", text)
    if beyond:
        return f"{_tidy(beyond['subject'])} increase over {_lower(_tidy(beyond['base']))}"
    text = re.sub(r"\b(?:an?\s)?(?:maximum|minimum)\s(?:of\s)?", "", text)
    have = _HAVE.match(text)
    if have and have["noun"].strip():
        noun, subject = _tidy(have["noun"]), _tidy(have["subject"])
        if noun and len(noun.split()) <= 12:
            return f"{noun} of {_lower(subject)}" if subject and len(subject.split()) <= 12 else noun
    verbs = list(_VERB.finditer(text + " "))
    subject = text[: verbs[-1].start()] if verbs else text
    if verbs and not _tidy(subject):
        subject = text[verbs[-1].end() :]
    earlier = list(_VERB.finditer(subject + " "))
    tail = re.split(r"\b(?:and|that|which|where)\s", subject)[-1] if earlier else subject
    return _tidy(tail if len(_tidy(tail).split()) > 1 else subject)


def _lower(phrase: str) -> str:
    return phrase if phrase[:2].isupper() else phrase[:1].lower() + phrase[1:]


def reduction_metric(before: str, after: str) -> str | None:
    """Return the metric of a relative reduction, None if the words speak of none.

    Args:
        before: Clause before the number and its comparison words.
        after: Text behind the number and its unit.

    Example:
        >>> reduction_metric("the retrofit reduces fuel consumption of the vessel by", " expressed in litres")
        'Fuel consumption of the vessel reduction'
        >>> reduction_metric("the emissions of the plant are", " lower than the reference value")
        'Emissions of the plant reduction'
    """
    if re.match(r"\s*(?:\(\d+\))?\s*(?:lower|less|below|under|smaller)\b", after, re.I):
        before = re.sub(r",\s(?:calculated|measured|as)\b[^,]*,?\s*$", " ", before)
        return f"{metric_before(before)} reduction"
    if re.match(r"\s*(?:reduction|saving|decrease)s?\s(?:of|in)\s", after, re.I):
        what = re.match(r"\s*\w+\s(?:of|in)\s(?P<what>[^,.;]*)", after)
        return f"{_tidy(what['what'])} reduction" if what else None
    match = _REDUCTION.search(before)
    if match is None:
        return None
    saving = match["saving"]
    if saving is not None:
        words = _tidy(saving)
        return words if re.search(r"reduction|saving", words, re.I) else None
    return f"{_tidy(match['what'] or match['of'])} reduction"


def share_metric(after: str, before: str) -> str | None:
    """Return the metric of "at least 65 % of the product consists of recycled material", None if it is no share.

    Example:
        >>> share_metric(" of the packaging product by weight consists of recycled material;", "")
        'Recycled material share of the packaging product by weight'
    """
    aside = re.match(r"\s*(?P<aside>\(by [^)]*\)|,? by (?:weight|mass|volume),?)", after)
    if aside:
        after = after[aside.end() :]
    by = f" {aside['aside'].strip(' (),')}" if aside else ""
    after = re.sub(r"\s?\([^()]*\)", "", after)
    match = re.match(
        r"\s*of (?:the |all )?(?P<whole>[^,.;]*?)\s(?:consists? of|comes? from|is|are|originates? from|stems? from|"
        r"must be|shall be)\s(?P<part>[^,.;]*)",
        after,
    )
    if match is not None:
        # "… for contact sensitive packaging and at least 10 % for …": the part ends where the next limit begins
        part = re.split(r"\s(?:and|or)\s(?:at least|at most|a minimum|a maximum|\d)", match["part"])[0]
        return f"{_tidy(part)} share{by} of the {_lower(_tidy(match['whole']))}"
    verb = re.search(
        r"(?P<subject>[^.;:]*?)\s(?P<verb>derives?|converts?|recycles?|recovers?|sources?|treats?|uses?)\s*$", before
    )
    what = re.match(r"\s*(?:,[^,]*,\s)?of (?:the |all |their |its )?(?P<what>[^,.;]*)", after)
    if verb and what:
        return f"Share of {_lower(_tidy(what['what']))} {verb['verb']} by {_lower(_tidy(verb['subject']))}"
    relative = re.match(r"^\s*(?:has|have|is|are)?\s*$", before) and what
    if relative and what:
        return f"Share of {_lower(_tidy(what['what']))}"
    return None
