"""Strategies that draft: numbers, dates, citations, sentences and sections in the style of acts, invented throughout."""

from __future__ import annotations

import datetime as dt
import html
import os
import re
from collections import Counter
from dataclasses import dataclass, field

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from regreact.legal.celex import LETTERS
from regreact.legal.numbers import WORDS
from regreact.sources.blocks import BlockCollector, Text
from regreact.sources.model import Unit


def examples(count: int, slow: bool = False) -> settings:
    """Settings of one test: the same examples each time, REGREACT_FUZZ=n times as many."""
    more = int(os.environ.get("REGREACT_FUZZ", "1"))
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large] if slow else []
    return settings(
        max_examples=count * more, deadline=None, derandomize=more == 1, suppress_health_check=checks, database=None
    )


# --- numbers and dates ------------------------------------------------------------------------------------

SPACE = st.sampled_from([" ", "\u00a0", "\u2009", "\u202f"])
UNITS = st.sampled_from(["%", "kg", "mg/m3", "kWh", "g CO2e/kWh", "tCO2e/t", "dB(A)", "m3 per hectare"])


@st.composite
def printed_numbers(draw: st.DrawFn) -> tuple[str, float]:
    """A number as printed, and its value; forms that have one reading only."""
    form = draw(st.sampled_from(["spaced", "decimal", "zero", "groups", "word", "plain", "million"]))
    if form == "word":
        return draw(st.sampled_from(sorted(WORDS.items())))
    if form == "plain":
        value = draw(st.integers(0, 999))
        return str(value), float(value)
    if form == "million":
        value = draw(st.integers(1, 99))
        return f"{value} million", value * 1e6
    if form == "groups":
        value = draw(st.integers(10**6, 10**9))
        return f"{value:,}".replace(",", draw(st.sampled_from(",."))), float(value)
    if form == "spaced":
        value = draw(st.integers(1000, 10**9))
        return f"{value:,}".replace(",", draw(SPACE)), float(value)
    digits = draw(st.text("0123456789", min_size=1, max_size=2 if form == "decimal" else 6))
    whole = draw(st.integers(1, 999)) if form == "decimal" else 0
    return f"{whole}{draw(st.sampled_from(',.'))}{digits}", float(f"{whole}.{digits}")


DAYS = st.dates(dt.date(1950, 1, 1), dt.date(2099, 12, 31))
DATE_FORMS = st.sampled_from(["{d} {m} {y}", "{d}\u00a0{m}\u00a0{y}", "{d}th of {m} {y}", "{d}.{n}.{y}", "{y}-{n:02}-{d:02}"])


@st.composite
def printed_dates(draw: st.DrawFn) -> tuple[str, str]:
    """A date as printed, and in ISO form."""
    day = draw(DAYS)
    return draw(DATE_FORMS).format(d=day.day, m=f"{day:%B}", n=day.month, y=day.year), day.isoformat()


# --- citations --------------------------------------------------------------------------------------------

PLACES = st.sampled_from(
    [
        ("", ()), ("Article 7", ("art_7",)), ("Article 7(2)", ("art_7/par_2",)),
        ("Article 7(2), point (b)", ("art_7/par_2/pnt_b",)), ("point (c) of Article 12", ("art_12/pnt_c",)),
        ("Annex II", ("anx_II",)),
    ]
)  # fmt: skip


@st.composite
def printed_acts(draw: st.DrawFn) -> tuple[str, str, tuple[str, ...]]:
    """A citation as printed, its CELEX id and the addresses of the place."""
    kind = draw(st.sampled_from(["Regulation", "Directive", "Decision"]))
    number = draw(st.integers(1, 1949))
    words, places = draw(PLACES)
    if kind == "Regulation" and draw(st.booleans()):
        year = draw(st.integers(1994, 2014))
        name = f"Regulation ({draw(st.sampled_from(['EC', 'EU']))}) No {number}/{year}"
    else:
        year = draw(st.integers(2015, 2030))
        name = f"{kind} (EU) {year}/{number}"
    letter = LETTERS[kind]  # type: ignore[index]
    return f"{words} of {name}" if words else name, f"3{year}{letter}{number:04d}", places


# --- what shows nothing -----------------------------------------------------------------------------------


@st.composite
def disguised(draw: st.DrawFn, text: str) -> str:
    """The text with other spaces and with characters inside its words that show nothing."""
    out = []
    for char in text:
        if char == " ":
            out.append(draw(st.sampled_from([" ", "\u00a0", "\u2009", "\u202f", "  ", " \u200b"])))
        else:
            out.append(char + draw(st.sampled_from(["", "", "", "\u00ad", "\u200b", "\u200d", "\u2060", "\ufeff"])))
    return "".join(out)


# --- sections ---------------------------------------------------------------------------------------------

SUBJECTS = ("the losses of the kiln", "direct GHG emissions", "the noise at the fence", "the clay", "a waste plan")
PREDICATES = (
    "are lower than {n} {u}", "do not exceed {n} {u}", "is at least {n} {u}", "comply with {act}",
    "is verified by an independent third party", "is in place by {date}", "is renewed every {n} years",
    "is not used where {act} applies", "is one of the following", "meets point (a) or (b) of criterion 1",
)  # fmt: skip
CHAPEAUX = (
    "The activity complies with one of the following criteria:", "All of the following apply:",
    "At least two of the following measures are taken:", "The kiln is closed, including:", "Either:",
    "Where the kiln is older than 10 years, the following values are not exceeded:",
)  # fmt: skip


@st.composite
def sentences(draw: st.DrawFn) -> str:
    """A sentence of a criterion."""
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        predicate = draw(st.sampled_from(PREDICATES))
        words = predicate.format(
            n=draw(printed_numbers())[0], u=draw(UNITS), act=draw(printed_acts())[0], date=draw(printed_dates())[0]
        )
        parts.append(f"{draw(st.sampled_from(SUBJECTS))} {words}")
    text = draw(st.sampled_from([", and ", "; or ", ". ", " unless ", ", where "])).join(parts)
    return text[:1].upper() + text[1:] + draw(st.sampled_from([".", ";", "; or", "; and", ","]))


@dataclass
class Item:
    """A paragraph or list item with the lists below it."""

    text: str
    lists: list[list[Item]] = field(default_factory=list)
    marker: str | None = None


@st.composite
def sections(draw: st.DrawFn, texts: st.SearchStrategy[str], depth: int = 3) -> list[Item]:
    """A section as a tree of paragraphs and lists."""
    found = []
    numbered = draw(st.booleans())
    for number in range(1, draw(st.integers(1, 4)) + 1):
        text = draw(st.sampled_from(CHAPEAUX) | texts)
        found.append(Item(f"{number}. {text}" if numbered else text, draw(_lists(texts, depth))))
    return found


@st.composite
def _lists(draw: st.DrawFn, texts: st.SearchStrategy[str], depth: int) -> list[list[Item]]:
    if not depth or draw(st.booleans()):
        return []
    return [
        [Item(draw(texts), draw(_lists(texts, depth - 1)), chr(ord("a") + n)) for n in range(draw(st.integers(1, 3)))]
        for _ in range(draw(st.integers(1, 2)))
    ]


def items_of(section: list[Item]) -> list[tuple[str, str | None, int]]:
    """Text, marker and depth of every paragraph and item, in document order."""

    def walk(item: Item, depth: int) -> list[tuple[str, str | None, int]]:
        below = [found for entries in item.lists for e in entries for found in walk(e, depth + 1)]
        return [(item.text, item.marker, depth), *below]

    return [found for item in section for found in walk(item, 0)]


def to_html(section: list[Item]) -> str:
    """The section as an HTML fragment."""

    def of(item: Item) -> str:
        lists = "".join(f"<ol type='a'>{''.join(map(of, entries))}</ol>" for entries in item.lists)
        text = html.escape(item.text)
        return f"<li>{text}{lists}</li>" if item.marker else f"<p>{text}</p>{lists}"

    return "".join(map(of, section))


def to_formex(section: list[Item]) -> str:
    """The section as the content of a Formex cell."""

    def of(item: Item) -> str:
        lists = "".join(f"<LIST>{''.join(f'<ITEM>{of(e)}</ITEM>' for e in entries)}</LIST>" for entries in item.lists)
        text = html.escape(item.text)
        own = f"<NP><NO.P>({item.marker})</NO.P><TXT>{text}</TXT>{{}}</NP>" if item.marker else f"<P>{text}</P>{{}}"
        return own.replace("{}", f"<P>{lists}</P>" if lists and item.marker else lists)

    return "".join(map(of, section))


def to_unit(section: list[Item]) -> Unit:
    """The section as a unit, without markup between."""
    collector = BlockCollector()

    def add(item: Item) -> None:
        collector.add([Text(item.text)], tag="li" if item.marker else "p")
        for entries in item.lists:
            with collector.in_list():
                for e in entries:
                    with collector.in_item(e.marker):
                        add(e)

    for item in section:
        add(item)
    return Unit(
        "KILN-1/SC", "Making bricks", "mitigation", "SC", "kiln", "0" * 64, "html", tuple(collector.blocks),
        collector.footnotes,
    )  # fmt: skip


def words(text: str) -> Counter[str]:
    """Words of a text with their numbers."""
    return Counter(re.findall(r"\w+", text))
