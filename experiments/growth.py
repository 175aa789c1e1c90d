"""How time and memory grow with the size of the input, one shape of input a case.

How to run me, from the root of the project:

    python -m experiments.growth                       # all cases, about ten minutes
    python -m experiments.growth --only citations,nesting --limit 20

Each case runs in a process of its own at n, 2n, 4n and 8n. Seconds are CPU time; the exponent is that of the last two
doublings (1 is linear, 2 quadratic); peak memory is that of the process at 8n, what Python and the package take
included. A case that exceeds the limit of a size is cut off there.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from regreact.config import Settings
from regreact.errors import RegReActError

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Case:
    """One shape of input.

    Attributes:
        name: What it is made of.
        size: The smallest size.
        unit: What `size` counts.
        make: Makes the input of a size, returns what is measured.
    """

    name: str
    size: int
    unit: str
    make: Callable[[int], Work]


@dataclass(frozen=True, slots=True)
class Row:
    """What a case took: CPU seconds by doubling, the refusal or cut that ended it, MB at the end."""

    seconds: tuple[float, ...]
    end: str
    megabytes: float

    @property
    def exponent(self) -> float | None:
        """Growth over the last two doublings; None where too little was measured."""
        if len(self.seconds) < 3:
            return None
        return math.log2(max(self.seconds[-1], 1e-4) / max(self.seconds[-3], 1e-4)) / 2


# --- inputs ---------------------------------------------------------------------------------------------------

# Phrases that, repeated, have made one rule or another go back and forth; invented, in the style of the real ones.
PHRASES = {
    "words": "the pond is kept clear of weeds and ",
    "deadlines": "not later than the date of the ",
    "numbers": "5 000 l/t 12,5 % 100 g ",
    "digits": "1234567890",
    "digits and dots": "1.2.3.",
    "thousands": "000 ",
    "and/or": "ponds and/or ",
    "or": "or ",
    "parentheses": "(",
    "closed parentheses": "(a) ",
    "nested parentheses": "((",
    "brackets": "[1] ",
    "quotes": "‘mooring’ ",
    "open quotes": "‘",
    "articles": "Article 1, ",
    "articles of": "Article 1 of ",
    "points of points": "point (a) of ",
    "points": "points (a), (b) and (c), ",
    "paragraphs": "paragraphs 1, 2 and 3 ",
    "annexes": "Annex I, Section 1, point 2, ",
    "acts": "Regulation (EU) 2099/123 ",
    "acts with places": "Article 4(2) of Directive 2099/12/EU, ",
    "acts in a row": "Directives 2099/12/EU, 2099/13/EU and ",
    "that act": "Article 3 of that Directive and ",
    "standards": "ISO 14999:2099, ",
    "in accordance": "in accordance with ",
    "hyphens": "sub-",
    "dashes": "– ",
    "spaces": "\u00a0",
    "spaces and words": "a\u00a0\u00a0",
    "capitals": "Pond ",
    "letters": "a",
    "percent": "5 % of the ",
    "at least": "at least 5 % ",
    "either": "either one of the following ",
    "unless": "unless the pond is ",
    "where": "where the pond is dry, ",
    "lower than": "lower than 5 g/kg of wool, ",
    "average": "the average over the ",
    "by date": "by 31 December 2099, ",
    "from until": "from 1 January 2098 until ",
    "years": "at least every three years ",
    "share of": "share of the ",
    "sentences": "The pond is kept clear. ",
    "semicolons": "the pond is clear; ",
    "colons": "the pond: ",
    "commas": "ponds, ",
    "notes": "(1) ",
    "sections": "Section 4.1 of this Annex, ",
    "appendix": "Appendix A to this Annex and ",
    "units": "kg CO2e/m3 ",
    "superscripts": "m2 ",
    "comparisons": "≤ 5 ",
    "ratio": "5/10/",
    "ands": "and ",
    "the": "the ",
    "of the": "of the ",
    "not": "not ",
    "conditions": "if the share of wool is below 5 %, ",
    "listed in": "listed in ",
    "laid down": "laid down in Article 4 and ",
    "terms": "‘moor’ means a ",
}


def paragraph(text: str) -> str:
    """Return a section of two paragraphs, the second long."""
    return f"<p>The activity meets all of the following:</p><p>1. {text}</p>"


def extraction(markup: str) -> Work:
    """Return the reading, extraction and writing of a fragment."""
    from regreact.program import RegReAct  # noqa: PLC0415  heavy
    from regreact.sources.reader import read_data  # noqa: PLC0415

    program, data = RegReAct(Settings()), markup.encode()

    def work() -> object:
        (unit,) = read_data(Path("case.html"), data).units
        return json.dumps(program(unit=unit).to_json())

    return work


def repeated(phrase: str) -> Callable[[int], Work]:
    """Return the case of a paragraph of `n` characters of one phrase."""
    return lambda n: extraction(paragraph(phrase * (n // len(phrase))))


def numbered(n: int) -> Work:
    """Numbered paragraphs."""
    return extraction("".join(f"<p>{i}. Losses of pond {i} are below {i} %.</p>" for i in range(1, n + 1)))


def unnumbered(n: int) -> Work:
    """Paragraphs without numbers."""
    return extraction("<p>The activity:</p>" + "".join(f"<p>Pond {i} is kept clear.</p>" for i in range(n)))


def items(n: int) -> Work:
    """Items of one list."""
    inside = "".join(f"<li>pond {i} loses less than 5 % of its water;</li>" for i in range(n))
    return extraction(f"<p>1. One of the following is met:</p><ol type='a'>{inside}</ol>")


def plain_items(n: int) -> Work:
    """Items of one list without labels or numbers."""
    return extraction(f"<p>1. The ponds are:</p><ul>{'<li>kept clear;</li>' * n}</ul>")


def lists(n: int) -> Work:
    """Lists of two items."""
    one = "<p>{}. All of the following are met:</p><ol type='a'><li>the pond is clear;</li><li>it is dry.</li></ol>"
    return extraction("".join(one.format(i) for i in range(1, n + 1)))


def nesting(n: int) -> Work:
    """Lists within lists."""
    inner = "".join(f"<ol type='a'><li>pond {i} is clear and:" for i in range(n))
    return extraction(f"<p>1. All are met:</p>{inner}{'</li></ol>' * n}")


def footnotes(n: int) -> Work:
    """Footnotes, each with an act."""
    note = (
        '<p>{0}. The pond is clear<span class="popover-tooltip">({0})</span><span class="popover-tooltip-content">'
        "Directive 2099/{0}/EU on ponds (OJ L {0}, 1.1.2099, p. 1).</span>.</p>"
    )
    return extraction("".join(note.format(i) for i in range(1, n + 1)))


def footnotes_of_one(n: int) -> Work:
    """Footnotes of one paragraph."""
    note = (
        'pond {0}<span class="popover-tooltip">({0})</span><span class="popover-tooltip-content">'
        "See Article {0} of Directive 2099/{0}/EU.</span>, "
    )
    return extraction("<p>1. The ponds are clear: " + "".join(note.format(i) for i in range(1, n + 1)) + "</p>")


def cells(n: int) -> Work:
    """Table cells."""
    row = "<tr><td>pond {0}</td><td>5 %</td><td>{0} g/l</td></tr>"
    return extraction(f"<p>1. Limits:</p><table>{''.join(row.format(i) for i in range(n))}</table>")


def points(n: int) -> Work:
    """Criteria that name each other."""
    return extraction("".join(f"<p>{i}. Where point {i % n + 1} is met, the pond is dry.</p>" for i in range(1, n + 1)))


def cited(n: int) -> Work:
    """Criteria that each cite an act."""
    one = "<p>{0}. The pond meets Article {0} of Regulation (EU) 2099/{1} and Annex II thereto.</p>"
    return extraction("".join(one.format(i, i % 900 + 100) for i in range(1, n + 1)))


def unclosed(n: int) -> Work:
    """Paragraphs without end tags, read only."""
    from regreact.sources.reader import read_data  # noqa: PLC0415

    data = ("<div>" + "<p>Pond" * n).encode()
    return lambda: read_data(Path("case.html"), data)


def entries(n: int) -> list[dict[str, object]]:
    """Return entries of a dump of the Compass."""
    return [
        {
            "naceCodes": [],
            "activityNumber": f"{i // 40 + 1}.{i % 40 + 1}",
            "objective": "mitigation",
            "sector": "Ponds",
            "activity": f"Pond keeping {i}",
            "description": "Keeping of ponds.",
            "scCriteria": f"<p>1. Losses of pond {i} are below 5 %.</p>",
        }
        for i in range(n)
    ]


def description(n: int) -> Work:
    """A long description of the activity."""
    from regreact.program import RegReAct  # noqa: PLC0415
    from regreact.sources.model import Block, Unit  # noqa: PLC0415

    program = RegReAct(Settings())
    block = Block(0, "p", 0, None, "1. Losses are below 5 %.")
    unit = Unit(
        "X-1/SC", "Ponds", "", "SC", "x", "0" * 64, "html", (block,),
        description="Keeping of ponds, with NACE codes A1 and B2. " * (n // 45),
    )  # fmt: skip
    return lambda: program(unit=unit)


def act_xhtml(n: int, body: str = "") -> bytes:
    """Return an invented act of `n` articles in the Official Journal's markup."""
    article = (
        '<div id="art_{0}"><p class="oj-ti-art">Article {0}</p><p class="oj-sti-art">Ponds {0}</p>'
        '<p class="oj-normal">1.   Keepers of ponds shall measure the level of pond {0} every week.</p>'
        '<p class="oj-normal">2.   They shall report losses above {0} litres to the authority of the place.</p></div>'
    )
    inside = body or "".join(article.format(i) for i in range(1, n + 1))
    return (
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>L_2099001EN</title></head><body>'
        '<p class="oj-doc-ti">REGULATION (EU) 2099/1 on ponds</p>'
        f"{inside}</body></html>"
    ).encode()


def conversion(data: bytes) -> Work:
    """Return the conversion of an act."""
    from regreact.rag.convert import convert  # noqa: PLC0415

    return lambda: convert(data, name="32099R0001.xhtml", celex="32099R0001")


def articles(n: int) -> Work:
    """Articles of an act, converted."""
    return conversion(act_xhtml(n))


def act_paragraphs(n: int) -> Work:
    """Paragraphs of one article, converted."""
    one = '<p class="oj-normal">{}.   Keepers of ponds shall measure the level.</p>'
    return conversion(
        act_xhtml(0, '<p class="oj-ti-art">Article 1</p>' + "".join(one.format(i) for i in range(1, n + 1)))
    )


def act_unclosed(n: int) -> Work:
    """Paragraphs without end tags, converted."""
    return conversion(act_xhtml(0, "<p>Pond" * n))


def act_words(n: int) -> Work:
    """One long paragraph of an act, converted and cut."""
    return chunking(act_xhtml(0, f'<p class="oj-ti-art">Article 1</p><p class="oj-normal">{"pond " * n}</p>'))


def act_notes(n: int) -> Work:
    """Footnotes of an act, converted."""
    note = '<p class="oj-note">(<a id="ntr{0}" href="#ntc{0}">{0}</a>) OJ L {0}, 1.1.2099, p. 1.</p>'
    mark = '<p class="oj-normal">Pond <a id="ntc{0}" href="#ntr{0}">({0})</a></p>'
    body = "".join(mark.format(i) for i in range(n)) + "".join(note.format(i) for i in range(n))
    return conversion(act_xhtml(0, body))


def act_table(n: int) -> Work:
    """Rows of a table of an act, converted and cut."""
    row = "<tr><td><p>pond {0}</p></td><td><p>5 %</p></td></tr>"
    body = f'<p class="oj-ti-art">Article 1</p><table>{"".join(row.format(i) for i in range(n))}</table>'
    return chunking(act_xhtml(0, body))


def chunking(data: bytes) -> Work:
    """Return conversion and cutting of an act."""
    from regreact.rag.chunk import chunks  # noqa: PLC0415
    from regreact.rag.convert import convert  # noqa: PLC0415

    return lambda: chunks(convert(data, name="32099R0001.xhtml", celex="32099R0001"))


def indexing(n: int) -> Work:
    """Articles of an act, indexed and asked once."""
    from regreact.rag.chunk import chunks  # noqa: PLC0415
    from regreact.rag.convert import convert  # noqa: PLC0415
    from regreact.rag.encoders import make_encoder  # noqa: PLC0415
    from regreact.rag.index import Index  # noqa: PLC0415

    made = chunks(convert(act_xhtml(n), name="32099R0001.xhtml", celex="32099R0001"))
    encoder = make_encoder("terms")

    def work() -> object:
        index = Index.build(made, encoder)
        return index.lexical("level of the pond"), index.dense(index.encoder.encode_query("level of the pond"))

    return work


def cases() -> Iterator[Case]:
    """Yield all cases."""
    for name, phrase in PHRASES.items():
        yield Case(f"paragraph: {name}", 4_000, "characters", repeated(phrase))
    yield Case("numbered criteria", 250, "criteria", numbered)
    yield Case("unnumbered paragraphs", 250, "paragraphs", unnumbered)
    yield Case("list items", 250, "items", items)
    yield Case("plain list items", 250, "items", plain_items)
    yield Case("lists", 100, "lists", lists)
    yield Case("nesting", 8, "levels", nesting)
    yield Case("footnotes", 100, "notes", footnotes)
    yield Case("footnotes of one paragraph", 100, "notes", footnotes_of_one)
    yield Case("table rows", 100, "rows", cells)
    yield Case("criteria that name each other", 100, "criteria", points)
    yield Case("criteria that cite", 100, "criteria", cited)
    yield Case("unclosed paragraphs, read", 2_000, "paragraphs", unclosed)
    yield Case("description", 10_000, "characters", description)
    yield Case("act: articles", 250, "articles", articles)
    yield Case("act: paragraphs of an article", 500, "paragraphs", act_paragraphs)
    yield Case("act: unclosed paragraphs", 5_000, "paragraphs", act_unclosed)
    yield Case("act: words of a paragraph", 10_000, "words", act_words)
    yield Case("act: footnotes", 250, "notes", act_notes)
    yield Case("act: table rows", 500, "rows", act_table)
    yield Case("act: index", 500, "articles", indexing)


# --- measuring ------------------------------------------------------------------------------------------------


def _measured(case: Case, sizes: list[int], limit: float, sender: Connection) -> None:
    """Send CPU seconds and peak kB of each size, or the refusal."""
    case.make(max(1, case.size // 8))()  # imports and caches
    for n in sizes:
        work = case.make(n)
        # The default action ends the process, also within a search of a regular expression.
        signal.setitimer(signal.ITIMER_PROF, limit)
        begun = time.process_time()
        try:
            work()
        except RegReActError as error:
            sender.send(f"refused at {n:,}: {type(error).__name__}: {str(error)[:90]}")
            return
        except RecursionError:
            sender.send(f"RecursionError at {n:,}")
            return
        sender.send((time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))
    sender.send("")


def measure(case: Case, limit: float, doublings: int = 3) -> Row:
    """Run a case in a process of its own; a size may take `limit` seconds of CPU time."""
    sizes = [case.size * 2**i for i in range(doublings + 1)]
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_measured, args=(case, sizes, limit, sender))
    process.start()
    sender.close()
    seconds: list[float] = []
    megabytes, end = 0.0, ""
    try:
        while not isinstance(told := receiver.recv(), str):
            seconds.append(told[0])
            megabytes = told[1]
        end = told
    except EOFError:
        end = f"over {limit:g} s at {sizes[min(len(seconds), doublings)]:,}"
    process.kill()
    process.join()
    return Row(tuple(seconds), end, megabytes)


def line(case: Case, row: Row) -> str:
    """Return a line of the table."""
    shown = [f"{s:.2f}" for s in row.seconds] + [""] * (4 - len(row.seconds))
    exponent = "" if row.exponent is None else f"{row.exponent:.2f}"
    size = f"{case.size:,} {case.unit}"
    return f"| {case.name} | {size} | {' | '.join(shown)} | {exponent} | {row.megabytes:.0f} | {row.end} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="parts of names of cases, joined by commas")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds that a size may take")
    parser.add_argument("--scale", type=int, default=1, help="times the smallest size")
    arguments = parser.parse_args()
    import regreact.program  # noqa: PLC0415  once, not in each process

    assert regreact.program
    wanted = [part for part in arguments.only.split(",") if part]
    print("| case | n | s at n | 2n | 4n | 8n | exponent | MB at 8n | |")
    print("|---" * 9 + "|")
    for case in cases():
        if not wanted or any(part in case.name for part in wanted):
            larger = Case(case.name, case.size * arguments.scale, case.unit, case.make)
            print(line(larger, measure(larger, arguments.limit)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
