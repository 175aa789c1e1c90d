"""Texts whose paragraphs were run together: where a space is missing, a paragraph ended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_RUN_ON = 0.5  # share of the text in one line from which on it may be run together
_MISSING = 3  # articles whose headings may be lost one after another
_BREAKS_AT_LEAST = 5  # places in such a line at which a space is missing
_WORD = "A-Za-zÀ-ÿ"


def split_paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text: its lines, and the parts of a line in which paragraphs were run together."""
    for line in text.splitlines():
        if len(line) > _RUN_ON * len(text) and len(_BREAK.findall(line)) >= _BREAKS_AT_LEAST:
            yield from split_run_on(line)
        else:
            yield line


# Where a paragraph ended, by what stands on both sides of the missing space. Each rule has an example in the tests.
_BREAKS = (
    # a sentence or item ended: "thereof,Having", "Member State.The", "land;(2) Whereas", "waste:- sludge"
    rf"(?<=[{_WORD})\d][;:,])(?=[A-Z(“‘\"]|- )",
    rf"(?<=[{_WORD}]{{2}}[.?!])(?=[A-Z(“‘\"]|- )",
    r"(?<=[)\d][.])(?=[A-Z(“‘\"]|- )",
    # a lettered division after a heading or word: "of groundwaterA. Sampling"
    r"(?<=[a-z]{3})(?=[A-Z]\. [A-Z][a-z])",
    # a heading and the text after it: "ObjectivesThe aim", "RULESThe aim", "RULESreferred to in"
    r"(?<=[a-z]{3})(?=[A-Z][a-z]+ |A )",
    r"(?<=[A-Z]{3})(?=[A-Z](?!referred)[a-z]+ )",
    r"(?<=[A-Z]{3})(?=referred to in )",
    r"(?<=[A-Z]{3})(?=[A-Z]\. [A-Z])",
    # the title of an act and the institution: "on millsTHE COUNCIL"
    r"(?<=[a-z\d)])(?=THE (?:EUROPEAN|COUNCIL|COMMISSION)\b)",
    # a letter or dash right after a word: "following(a) the", "means- the"
    rf"(?<=[{_WORD}]{{2}})(?=\([a-z]{{1,4}}\) )",
    r"(?<=[a-z]{3})(?=- [a-z])",
    # what stood for tables and pictures
    r"(?=>TABLE>)|(?<=>TABLE>)|(?=>PIC FILE=)|(?<=TIF\">)",
)
_BREAK = re.compile("|".join(_BREAKS))
# A number that no space separates from what stands before it: "Scope1. This", "States.2.1. For".
_NUMBER = re.compile(
    rf"(?:(?<=[{_WORD}]{{3}})|(?<=[).;:,>\"”’])(?<!\d\.))"
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,4})(?:\.|(?<=\.\d)) (?=\S)"
)
# The same after a sentence that ends in a number: "in Article 21.2. Where", "in paragraph 1.5.2.6. The".
_CHAIN = re.compile(r"(?P<before>\S+)\s\(?(?P<chain>\d{1,4}(?:\.\d{1,2}){1,8})\. (?=[A-Z\"“‘])")
# What cites a number before such a sentence end: "Article 21", "paragraph 1", "Articles 5 and 8".
_CITES = re.compile(r"(?:Articles?|paragraphs?)\s(?:[\w()]+(?:,|\s(?:and|or|to))\s)*\(?$")
# The number of the article that an annex refers to, and the 1 of its first point: "referred to in Article 51. Scope".
_FIRST_POINT = re.compile(r"\bArticle (?P<article>\d{1,3}?)(?P<first>1)\. (?=[A-Z])")
_ARTICLE = re.compile(r"(?<=[^\s(])Article (\d+)")
_ANNEX = re.compile(r"(?<=\S)ANNEX(?: ([IVXL]+))?")
_PART = re.compile(r"(?<=[A-Za-z.]{3})PART ([A-Z])(?=[A-Z][a-z ])")


def split_run_on(line: str) -> Iterator[str]:
    """Yield the paragraphs of a line in which they were run together."""
    articles = 0
    for part in _with_headings(line):
        if heading := re.fullmatch(r"(?:Article (\d+)|ANNEX(?: [IVXL]+)?|PART [A-Z])", part):
            articles = int(heading[1] or articles)
            yield part
        else:
            yield from _with_numbers((piece.strip() for piece in _BREAK.split(part) if piece.strip()), articles)


def _with_numbers(pieces: Iterable[str], articles: int) -> Iterator[str]:
    """Split before numbers that count on: after 1.2 come 1.3, 1.2.1 or 2, and anything may begin with 1.

    Args:
        pieces: What stands between two headings.
        articles: Number of the last article so far; a higher one in a citation holds the number of a point.
    """
    last: tuple[int, ...] = (0,)
    for piece in pieces:
        start = 0
        opening = re.match(r"(\d{1,2}(?:\.\d{1,2})*)\.? ", piece)
        if opening and _counts_on(_parts(opening[1]), last):
            last = _parts(opening[1])
        first = _FIRST_POINT.search(piece) if last == (0,) else None
        if first and int(first["article"] + first["first"]) > articles:
            start, last = first.start("first"), (1,)
            yield piece[:start]
        candidates = [*_NUMBER.finditer(piece), *_CHAIN.finditer(piece)]
        for found in sorted(candidates, key=lambda match: match.end()):
            place = _in_chain(found, last) if found.re is _CHAIN else found.start("number")
            if place <= start:
                continue
            number = _parts(piece[place : found.end()].rstrip(". "))
            if found.re is _CHAIN or _counts_on(number, last):
                yield piece[start:place]
                start, last = place, number
        yield piece[start:]


def _in_chain(found: re.Match[str], last: tuple[int, ...]) -> int:
    """Place within "21.2" or "1.5.2.6" where the next number begins, of the level of the last one or of one above it;
    0 if it is a single number."""
    parts = _parts(found["chain"])
    for level in range(len(last), 0, -1):
        following = (*last[: level - 1], last[level - 1] + 1)
        if len(parts) > level and parts[-level:] == following and (level > 1 or _is_split(found, last)):
            before = found["chain"].split(".")[:-level]
            return found.start("chain") + len(".".join(before)) + 1
    return 0


def _is_split(found: re.Match[str], last: tuple[int, ...]) -> bool:
    """Whether a number before the next plain one is that of an article, a paragraph or a year."""
    parts = found["chain"].split(".")
    if found["before"].startswith("Article") or len(parts[0]) == 4:
        return True
    return len(parts) == 2 and len(last) == 1 and bool(_CITES.search(found.string[: found.start("chain")]))


def _parts(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in number.split("."))


def _counts_on(number: tuple[int, ...], last: tuple[int, ...]) -> bool:
    if number[-1] == 1:
        return number[0] in (1, last[0], last[0] + 1)
    depth = len(number)
    before = last[depth - 1] if len(last) >= depth else number[-1]
    return number[:-1] == last[: depth - 1] and before < number[-1] <= before + 2  # one may have been lost


def _with_headings(line: str) -> Iterator[str]:
    """Split at the headings of articles, annexes and parts, which count on: in "Article 31. A" after Article 2 the
    number of the article is 3."""
    start, article, annex, part = 0, 0, 0, 0
    for found in re.finditer(f"{_ARTICLE.pattern}|{_ANNEX.pattern}|{_PART.pattern}", line):
        number, numeral, letter = found.groups()
        if number is not None:
            following = _next_article(line, found.start(), article)
            if annex or not following:
                continue
            article = following
            heading = f"Article {article}"
        elif letter is not None:
            if ord(letter) - 64 not in (1, part + 1):
                continue
            part = ord(letter) - 64
            heading = f"PART {letter}"
        else:
            heading = f"ANNEX {_numeral(annex + 1)}" if numeral else "ANNEX"
            if not article or not line.startswith(heading, found.start()):
                continue
            annex, part = annex + 1, 0
        yield line[start : found.start()]
        yield heading
        start = found.start() + len(heading)
    yield line[start:]


def _next_article(line: str, place: int, last: int) -> int:
    """Number of the article whose heading stands at a place, 0 if none does: the next one, or one after it if the
    headings between are not found below."""
    for number in range(last + 1, last + 1 + _MISSING):
        if line.startswith(f"Article {number}", place):
            return number
        if re.compile(rf"(?<=[^\s(])Article {number}(?!\d)").search(line, place):
            return 0
    return 0


def _numeral(value: int) -> str:
    units = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
    return "X" * (value // 10) + units[value % 10]
