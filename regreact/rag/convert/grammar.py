"""What readers leave open, decided by the grammar of drafting: roles and labels of plain text lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from regreact.rag.convert import labels
from regreact.rag.convert.contents import mark_contents
from regreact.rag.convert.lines import Line

_ARTICLE = re.compile(r"(?:Article\s+(?P<number>\d+)(?P<inserted>[a-z]*)|Sole Article|Article\s+1er)\.?")
# The title on the line of the number: "Article 3 Definitions", "Article 3 – Definitions"; no other article is in it.
_TITLED = re.compile(
    r"Article\s+(?P<number>\d+)(?P<inserted>[a-z]*)\s+(?:[—–-]\s+)?(?P<title>[A-Z](?!.*\bArticle\b).{2,150})"
)
_ANNEX = re.compile(r"(?:ANNEX|Annex)(?:\s+(?:\d+|[IVXL]+[a-zA-Z]?|[A-Z]))?[.:]?")
_APPENDIX = re.compile(r"(?:APPENDIX|Appendix)(?:\s+(?:\d+|[IVXL]+|[A-Z]))?[.:]?")
DIVISION = re.compile(
    r"""(?P<noun>part|title|chapter|(?:sub-?)?section|table|module|stage|[A-Z]{2,5}(?=\s\d))\s+
        (?P<number>\d+(?:\([a-z]+\))+|[a-z]\d(?!\w)|\d+(?:\.\d+)*[a-z]?|[ivxl]+[a-z]?|[a-z]|one|two|three|four|five|six)(?!\w)
        \s*[.:—–-]?\s*""",
    re.VERBOSE | re.IGNORECASE,
)
# A division in plain text: its noun in capitals or capitalised, alone or set apart from its title.
_DIVISION_LINE = re.compile(
    r"""(?P<label>(?:PART|TITLE|CHAPTER|(?:SUB-?)?SECTION|TABLE|Part|Title|Chapter|(?:Sub-?s|S)ection|Table)\s+
        (?:\d+[a-z]?|[IVXL]+[a-z]?|[A-Z]|ONE|TWO|THREE|FOUR|FIVE|SIX)
      | (?:TABLE|Table)\s+\d+(?:\.\d+)+
      | (?:MODULE|Module)\s+[A-H]\d?(?=\s*[:—–-])   # of conformity assessment
      | (?:STEP|Step|STAGE|Stage)\s+\d+(?:\.\d+)*(?=:\s)
      | [A-Z]{2,5}\ \d{1,2}(?:\([A-Za-z]+\))*(?=:\ ))   # a category that the act defines
        (?:\s*[.:](?=\s|$)|\s+[—–-](?=\s)|$)\s*(?P<title>.*)""",
    re.VERBOSE,
)
_INSERTED = re.compile(r"[\dIVXL](?:[a-z]|[A-HJKM-UWYZ])$")  # "ANNEX Ia", "ANNEX IIA"
_NOUN = re.compile(r"(?i)\b(?:sole|articles?|annexe?s?|appendi(?:x|ces?))\b")
ENACTING = re.compile(r"HA(?:S|VE) (?:ADOPTED|DECIDED|RECOMMENDED|AGREED)|HEREBY RECOMMENDS")
_END = re.compile(r"Done (?:at|in) .{3,60}\d{4}\.?")
_CORRELATION = re.compile(r"(?i)correlation table|table of equivalence")
_LIST_OF_ANNEXES = re.compile(r"(?i)list of annexes")
_OPENERS = ("article", "division", "annex", "appendix")
_LONGEST_TITLE = 250
_LONGEST_DIVISION = 500
_NEAR = 5  # lines
_MISSING = 4  # articles whose headings may be lost or repealed one after another
_OPENING, _CLOSING = '‘“"', '’”"'


def _article_of(line: Line) -> re.Match[str] | None:
    titled = _TITLED.fullmatch(line.text)
    return titled if titled and is_title(titled["title"]) else _ARTICLE.fullmatch(line.text)


def is_title(text: str) -> bool:
    """Headings have no final stop and begin with a capital or a number; formulas are none."""
    unfinished = text.endswith((".", ";", ":", ",", " and", " or"))
    return bool(text) and len(text) < _LONGEST_TITLE and not unfinished and not text[0].islower() and "=" not in text


def number_of(label: str) -> str:
    """Number of an article, annex, appendix or recital: "Article 10a" gives "10a", "ANNEX" gives ""."""
    number = labels.bare(_NOUN.sub(" ", label))
    return "1" if number.lower() in ("premier", "1er") else number


def classify(lines: Iterable[Line]) -> list[Line]:
    """Give lines of role "text" the role and label that their wording shows, and annexes of annexes their depth."""
    reader = _Reader(mark_contents(list(lines)))
    return _nest_annexes(reader.read())


class _Reader:
    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.found: list[Line] = []
        self.part = "preamble"  # preamble, body, end, annex
        self.article = (0, "")
        self.recital = 0
        self.quote_end = self.list_end = -1  # last line of a quotation, of a list of annexes
        self.correlation = False
        self.recital_open = False
        self.last_place = {int(m["number"] or 0): i for i, m in enumerate(map(_article_of, lines)) if m}

    def read(self) -> list[Line]:
        for index, line in enumerate(self.lines):
            if line.role == "text" and not line.table and not line.quoted:
                self._text(index, line)
            else:
                self._keep(line)
        return self.found

    def _keep(self, line: Line) -> None:
        previous = self.found[-1] if self.found else None
        if line.role in ("article", "division"):
            self.part = "annex" if self.part == "annex" else "body"
        elif line.role in ("annex", "appendix"):
            self.part, self.correlation = "annex", False
        elif line.role == "end":
            self.part = "end"
        if line.role == "article" and (number := re.search(r"(\d+)([a-z]*)", line.label)):
            self.article = int(number[1]), number[2]
        opened = bool(previous and previous.role in _OPENERS and not previous.text)
        if opened and line.role == "text" and not line.label and not line.quoted and is_title(line.text):
            line = replace(line, role="heading")
        titles_annex = line.role == "annex" or (line.role == "heading" and self.part == "annex")
        if titles_annex and _CORRELATION.search(line.text):
            self.correlation = True
        self.recital_open = line.role == "recital" and not line.text
        self.found.append(line)

    def _text(self, index: int, line: Line) -> None:
        if self.recital_open and not line.label:
            self.found[-1] = replace(self.found[-1], text=line.text)
            self.recital_open = False
        elif self._is_set_aside(index, line):
            self._keep(replace(line, quoted=True))
        elif not line.label and (structural := self._structural(index, line)):
            self._keep(structural)
        elif self.correlation:
            self._keep(replace(line, quoted=True))
        else:
            for part in self._labelled(index, line):
                self._keep(part)

    def _is_set_aside(self, index: int, line: Line) -> bool:
        """Whether the line stands in new wording of another act, or in the list of annexes."""
        if index > self.quote_end:
            self._open_quotation(index, line)
        if _LIST_OF_ANNEXES.fullmatch(line.text):
            self.list_end = self._end_of_list(index)
        return index <= self.quote_end or index <= self.list_end

    def _labelled(self, index: int, line: Line) -> list[Line]:
        if ENACTING.match(line.text):
            self.part = "body"
            return [line]
        if self.part == "end":
            is_note = not line.label and re.match(r"\(\d+\)\s", line.text)
            return [replace(line, role="note") if is_note else line]
        label, rest = (line.label, line.text) if line.label else labels.split(line.text)
        if self.part == "preamble":
            return [self._recital(line, label, rest)]
        return self._items(line, label, rest) if label else [self._without_stop(index, line)]

    def _recital(self, line: Line, label: str, rest: str) -> Line:
        number = re.fullmatch(r"\((\d+)\)", label)
        if number is None or int(number[1]) != self.recital + 1:
            return line
        self.recital += 1
        return replace(line, role="recital", label=label, text=rest)

    @staticmethod
    def _items(line: Line, label: str, rest: str) -> list[Line]:
        """An item; "(d) (i) within a year" is two, its list begins in its first line."""
        inner, after = labels.split(rest)
        if after and any(way.first and way.series != "-" for way in labels.readings(inner)):
            return [replace(line, label=label, text=""), replace(line, label=inner, text=after)]
        return [replace(line, label=label, text=rest)]

    def _without_stop(self, index: int, line: Line) -> Line:
        """A heading "1 TITLE" of an annex has no stop after its number, but its parts (1.1.) repeat it."""
        found = re.fullmatch(r"(\d{1,2}) ([A-Z].*)", line.text)
        if not found or self.part != "annex" or not is_title(line.text):
            return line
        below = self.lines[index + 1 : index + 1 + _NEAR]
        parts = any((other.label or other.text).startswith(f"{found[1]}.1") for other in below)
        return replace(line, label=f"{found[1]}.", text=found[2]) if parts else line

    def _structural(self, index: int, line: Line) -> Line | None:
        text = line.text
        if self.part in ("preamble", "body") and (found := _article_of(line)) and self._is_next(found, index):
            title = found.groupdict().get("title") or ""
            return replace(line, role="article", label=text.removesuffix(title).rstrip(" —–-"), text=title)
        if self.part != "preamble" and _ANNEX.fullmatch(text) and (text.startswith("ANNEX") or self._inner()):
            return replace(line, role="annex", label=text, text="")
        if self.part == "annex" and _APPENDIX.fullmatch(text) and not self.correlation:
            return replace(line, role="appendix", label=text, text="")
        if _END.match(text) and self.part == "body":
            return replace(line, role="end")
        found = _DIVISION_LINE.fullmatch(text)
        if found and len(text) < _LONGEST_DIVISION and not self.correlation:
            if self.part == "annex" or re.match("(?i)part|title|chapter|(?:sub-?)?section", text):
                return replace(line, role="division", label=found["label"], text=found["title"])
        return None

    def _inner(self) -> bool:
        """Headings of annexes in small letters count after the end of the act, but not in correlation tables."""
        return self.part in ("end", "annex") and not self.correlation

    def _is_next(self, found: re.Match[str], index: int) -> bool:
        """Headings count on (5, 5a, 5b, 6); a line that names another article is a citation, unless the ones between
        are missing altogether."""
        if not found["number"]:
            return self.article == (0, "")
        number, (last, inserted) = int(found["number"]), self.article
        if number == last:
            return found["inserted"] > inserted
        missing = range(last + 1, number)
        return 0 < number - last <= _MISSING and all(self.last_place.get(n, -1) < index for n in missing)

    def _open_quotation(self, index: int, line: Line) -> None:
        """New wording of another act stands in quotation marks after a colon."""
        before = self.found[-1].text if self.found else ""
        if not (line.text and line.text[0] in _OPENING and before.endswith(":")) or _is_definition(line.text):
            return
        depth = 0
        for end in range(index, len(self.lines)):
            if end > index and self._ends_quotation(end, line.text[0]):
                self.quote_end = self._before_next_point(index, end)
                return
            depth = _quotation_depth(self.lines[end].text, line.text[0], depth)
            if depth <= 0:
                self.quote_end = end
                return
        self.quote_end = self._before_next_point(index, len(self.lines))

    def _end_of_list(self, start: int) -> int:
        """Last line of a list of annexes: next comes the first annex itself, whose number the list names too."""
        annexes = [i for i in range(start, len(self.lines)) if _ANNEX.fullmatch(self.lines[i].text)]
        first = [i for i in annexes if _value(number_of(self.lines[i].text)) == 1]
        capitals = [i for i in first if self.lines[i].text.isupper()] or first
        listed = len(capitals) > 1 and any(0 < i - capitals[0] <= _NEAR for i in annexes)
        return (capitals[1 if listed else 0] if capitals else start) - 1

    def _ends_quotation(self, index: int, opening: str) -> bool:
        """What shows that the closing mark is missing: the act's next article, its end, or the next quotation."""
        line = self.lines[index]
        found = _ARTICLE.fullmatch(line.text) if line.role == "text" else None
        if line.role in ("article", "annex", "end") or _END.match(line.text) or (found and self._is_next(found, index)):
            return True
        return line.text.startswith(opening) and self.lines[index - 1].text.endswith(":")

    def _before_next_point(self, start: int, stop: int) -> int:
        """Last line before the point that follows the one with the quotation, or before `stop`."""
        last = next((line.label for line in reversed(self.found) if line.label and not line.quoted), "")
        for index in range(start + 1, stop):
            label = self.lines[index].label or labels.split(self.lines[index].text)[0]
            pairs = product(labels.readings(label), labels.readings(last))
            if any(way.series == before.series and way.follows(before.ordinal) for way, before in pairs):
                return index - 1
        return stop - 1


def _quotation_depth(text: str, opening: str, depth: int) -> int:
    """Quotation marks that are open after a line; an apostrophe closes none."""
    closing = _CLOSING[_OPENING.index(opening)]
    if opening == closing:
        return (depth + text.count(opening)) % 2
    own = 0  # opened in the line itself
    for place, mark in enumerate(text):
        after = text[place + 1 : place + 2]
        if mark == opening:
            own += 1
        elif mark == closing and not after.isalnum() and (own or not after or after in ".,;)"):
            own, depth = (own - 1, depth) if own else (own, depth - 1)
    return depth + own


def _is_definition(text: str) -> bool:
    """A line that begins with a quoted word and goes on ("‘waste’ means …") is no new wording."""
    closing = _CLOSING[_OPENING.index(text[0])]
    end = text.find(closing, 1)
    return 0 < end < len(text.rstrip(".;, ")) - 1


def _nest_annexes(lines: list[Line]) -> list[Line]:
    """Give annexes of an annex depth 2: they are printed otherwise than the outer ones, or numbered from I again."""
    found = list(lines)
    # A depth that the markup tells stands; inserted annexes (Ia) neither restart the count nor change the form.
    places = [i for i, line in enumerate(lines) if line.role == "annex" and not line.quoted and not line.depth]
    places = [i for i in places if not _INSERTED.search(lines[i].label)]
    numbers = {i: _value(number_of(lines[i].label)) for i in places}
    latest = {number: i for i, number in numbers.items()}
    outer, inner, form = 0, 0, None
    for i in places:
        number, capitals = numbers[i], lines[i].label.isupper()
        other = form is not None and capitals != form
        again = latest[number] > i
        restarts = number == 1 and outer >= 1
        goes_on = inner > 0 and number == inner + 1 and (other or number != outer + 1 or again)
        if number and ((other and number == 1) or restarts or goes_on):
            inner = number
            found[i] = replace(lines[i], depth=2)
        else:
            outer, inner = number, 0
            form = capitals if form is None else form
    return found


def _value(number: str) -> int:
    digits = re.match(r"\d+", number)
    if digits:
        return int(digits[0])
    numeral = re.match(r"[IVXL]+", number)
    return labels.roman(numeral[0]) if numeral else 0
