"""Documents outside the law of the Union: standards, conventions, guidelines, reference documents, schemes, tools.

`document_rules` names the forms of drafting. What follows a head noun ("Guidelines for …") is read to the end of the
name by `name_end`, since a name has no closing mark but the footnote behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from regreact.legal.document_rules import CAP, RULES, SMALL, SP, DocumentRule
from regreact.legal.model import Citation, Taken

# Words that open a sentence or a clause, no part of a name.
_OPENING = re.compile(r"(?:(?:The|A|An|In|This|These|Where|If|With|Under|For|By|See|Such|As|Or|And|All|Of)\s+)+")
# "Regulation 14 of Annex VI to the IMO …": a place within the document, no part of its name
_PLACE_BEFORE = re.compile(
    rf".*\b(?:Annex(?:es)?|Articles?|Chapters?|Section|Part|Appendix|Table|Decision){SP}[\w().]+(?:/\d+)?(?:,{SP}[IVX\d]+\b)*,?(?:{SP}(?:and|or){SP}[\w()]+,?)?"
    rf"(?:{SP}(?:of|to){SP}(?:the{SP})?|{SP})|.*\bContracting{SP}Part(?:y|ies){SP}to{SP}(?:the{SP})?"
)
# "the Convention", "the Agreement to build mills": a treaty without its name
_NAMELESS_TREATY = re.compile(r"(?:the )?(?:Convention|Agreement)s?(?: (?!on\b|for\b|concerning\b|relating\b)|$)")
_STOP_WORDS = frozenset(
    "is are was were be been has have may shall apply applies applicable adopted as where which or but than in-line "
    "regarding when if unless under set laid when while without are: relating and/or including provided before after "
    "emit emissions".split()
)
_STOP_PHRASES = re.compile(
    r"(?:in accordance|in line|in particular|in relation|as well|to apply|to provide|with the|by the|from the|and the|"
    r"and in|and that|that (?:is|are|have|has)|of \d{1,2} [A-Z]\w+)\b"
)
_AFTER_HEAD = re.compile(rf"{SP}(?:for|on|of|concerning|to|in|relating{SP}to)(?={SP})")
# "… for Road Design, Construction and Maintenance(1)": an enumeration in capitals that ends at the marker
_LISTEDCAPITALS = re.compile(
    rf"(?:,{SP}{CAP})*,?{SP}(?:and|or){SP}{CAP}(?:{SP}{CAP})*\(\d{{1,3}}\)|,{SP}{CAP},?{SP}(?:and|or){SP}{CAP}\(\d{{1,3}}\)"
)
_LOWER_LIMIT = 16


def name_end(text: str, end: int) -> int:
    """Return where a name ends that goes on behind its head noun.

    Up to a footnote marker where the words before it are one phrase, else up to punctuation, a verb or a conjunction. A
    name in capitals ends with its last capitalised word.

    Example:
        >>> text = "the Lake Convention on the prior notice of cargo(7), and"
        >>> text[: name_end(text, 19)]
        'the Lake Convention on the prior notice of cargo'
    """
    head = _AFTER_HEAD.match(text, end)
    if head is None:
        return end
    words = list(re.finditer(r"\S+", text[end : end + 220]))
    capital_mode = len(words) > 1 and _first_content(words).isupper()
    best = end
    for number, word in enumerate(words):
        token = word[0]
        if number and _stops(text, end + word.start(), token):
            break
        if number >= _LOWER_LIMIT:
            return best if capital_mode else end
        acronym = re.match(r"\([A-Z]{2,8}\)", token)
        if acronym:
            return end + word.start() + acronym.end()
        cut = _cut(token)
        if capital_mode and token[cut : cut + 1] == "," and _LISTEDCAPITALS.match(text, end + word.start() + cut):
            best = end + word.start() + cut
            continue
        stop = end + word.start() + cut
        bare = token[:cut]
        if not capital_mode or bare[:1].isupper() or bare[:1].isdigit():
            best = stop
        if cut < len(token):
            if token[cut] == "(" and not capital_mode:
                best = stop
            break
    return _without_small_end(text, end, best)


def _first_content(words: list[re.Match[str]]) -> str:
    """Return the first letter of the first word that is no small word."""
    for word in words:
        if not re.fullmatch(SMALL, word[0]):
            return word[0].lstrip("‘“(")[:1]
    return ""


def _stops(text: str, position: int, token: str) -> bool:
    return token.strip(",.;") in _STOP_WORDS or bool(_STOP_PHRASES.match(text, position))


def _cut(token: str) -> int:
    """Return how much of a word belongs to the name: up to a footnote marker or closing punctuation."""
    match = re.search(r"\(\d{1,3}\)|^\((?![A-Z]{2,8}\))|[.,;:”’\"](?=$|\W)|\)(?=[.,;:]|$)(?<!\w\))", token)
    return match.start() if match else len(token)


def _without_small_end(text: str, end: int, stop: int) -> int:
    """Return the end without trailing small words; the head noun's end if nothing else is left."""
    tail = re.sub(rf"(?:{SP}{SMALL})+$", "", text[end:stop])
    return end + len(tail) if tail.strip() else end


def find_documents(text: str, taken: list[Citation]) -> list[Citation]:
    """Return the documents that a text names, in order; of two that overlap the one that starts first, then the longer.

    Args:
        text: Text of a criterion or footnote.
        taken: Citations whose characters are spoken for.
    """
    candidates = [citation for rule in RULES for citation in _apply(rule, text)]
    candidates.sort(key=lambda c: (c.start, -c.end))
    spoken_for = Taken(taken)
    found: list[Citation] = []
    for citation in candidates:
        if not spoken_for.overlaps(citation.start, citation.end):
            found.append(citation)
            spoken_for.add(citation.start, citation.end)
    return found


def _apply(rule: DocumentRule, text: str) -> Iterator[Citation]:
    for match in rule.pattern.finditer(text):
        group = "name" if "name" in match.groupdict() and match["name"] else 0
        start, end = match.span(group)
        for cut in (_PLACE_BEFORE, _OPENING):
            before = cut.match(text, start, end)
            start = before.end() if before else start
        if rule.extend:
            end = _quoted_end(text, start, end) or _conclusions_end(rule, text, end)
        yield from _BUILD.get(rule.name, _plain)(rule, text, start, end)


def _quoted_end(text: str, start: int, end: int) -> int | None:
    """Return the end of the quotation that opens right before a name."""
    if start and text[start - 1] in '“‘"':
        closing = re.compile(r"[”’\"]").search(text, end)
        return closing.start() if closing else None
    return None


def _conclusions_end(rule: DocumentRule, text: str, end: int) -> int:
    """Return the end of a name; that of BAT documents may hold commas up to its footnote marker."""
    if rule.name.startswith("BAT"):
        marked = re.compile(
            r"(?P<rest> (?:for|on) (?:(?!conclusions|Document|\(\d|\([A-Z]{2,8}\) )[^.;:]){3,150}?)\(\d{1,3}\)"
        ).match(text, end)
        if marked:
            return marked.end("rest")
    return name_end(text, end)


def _plain(rule: DocumentRule, text: str, start: int, end: int) -> Iterator[Citation]:
    phrase = text[start:end].removesuffix("’s").strip()
    if rule.name == "convention" and _NAMELESS_TREATY.match(phrase):
        return
    if len(phrase.split()) > 1 or rule.kind != "document" or phrase[-1].isdigit():
        yield Citation(start, start + len(phrase), phrase, rule.kind, None, "", phrase, rule.name)


def _standard(rule: DocumentRule, text: str, start: int, end: int) -> Iterator[Citation]:
    title = re.sub(r"[Ss]tandards?[ \u00a0]?|^CEN-CENELEC document |\(en\)$", "", text[start:end])
    title = re.sub(r"[ \u00a0]+", " ", re.sub(r":[ \u00a0]", ":", title)).strip()
    yield Citation(start, end, text[start:end], rule.kind, None, "", title, rule.name)


def _indicators(rule: DocumentRule, text: str, start: int, end: int) -> Iterator[Citation]:
    for number, match in enumerate(re.finditer(r"\d+\.\d+", text[start:end])):
        phrase = f"Level(s) indicator {match[0]}"
        begin = start if number == 0 else start + match.start()
        yield Citation(begin, start + match.end(), phrase, rule.kind, None, "", phrase, rule.name)


_BUILD: dict[str, Callable[[DocumentRule, str, int, int], Iterator[Citation]]] = {
    "standard": _standard,
    "Level(s) indicators": _indicators,
}
