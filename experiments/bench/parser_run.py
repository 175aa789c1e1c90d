"""Parse documents with one parser, in this process, and write what it found and how long it took as JSON lines.

How to run me:  python parser_run.py PARSER OUT FILE…     (PARSER as in `PARSERS`; its packages on PYTHONPATH)

A line holds the file's name, CPU seconds, all text in the order in which the parser gives it, and the labels of
articles, annexes and numbered paragraphs, or the error.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Found = dict[str, Any]
PARAGRAPH = re.compile(r"\s*(\d+[a-z]?)\.\s")


def label(heading: str) -> str:
    """Return the label in a heading: "Article 5a" gives "5a", "ANNEX IV" "IV", "ANNEX" ""."""
    return re.sub(r"(?i)^\W*(?:article|annex)\s*", "", " ".join(heading.split())).strip().partition(" ")[0]


def strings(data: Any) -> Iterator[str]:
    """Yield all strings of nested data in order, identifiers and kinds left out."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            if key not in ("eId", "parent", "type", "structure"):
                yield from strings(value)
    elif isinstance(data, list):
        for one in data:
            yield from strings(one)


def regreact(path: Path) -> Found:
    """RegReAct's conversion of acts."""
    from regreact.rag.convert import convert  # noqa: PLC0415

    act = convert(path.read_bytes(), name=path.name, celex=path.name.partition(".")[0])
    articles = [p for p in act.walk() if p.kind == "art"]
    # A numbered list of definitions holds points here, and paragraphs by its lines.
    numbered = [(a, p) for a in articles for p in a.children if p.kind == "par" or p.label.isdigit()]
    paragraphs = [[a.label, p.label] for a, p in numbered]
    annexes = [p.label for p in act.walk() if p.kind == "anx"]
    return {"text": act.text, "articles": [a.label for a in articles], "annexes": annexes, "paragraphs": paragraphs}


def tulit(path: Path) -> Found:
    """The parser that tulit registers for XHTML of Cellar."""
    from tulit.parser.registry import get_parser  # noqa: PLC0415

    parser = get_parser("cellar-xhtml")
    parser.parse(str(path))
    found = parser.to_dict()
    articles = [a for a in found["articles"] if a["num"]]
    paragraphs = [
        [label(a["num"]), c["eId"].removeprefix("par_")]
        for a in articles
        for c in a["children"]
        if c["eId"].startswith("par_")
    ]
    annexes = [label(a["num"] or "") for a in found["annexes"] if a["eId"].startswith("anx")]
    return {
        "text": "\n".join(strings(found)), "articles": [label(a["num"]) for a in articles], "annexes": annexes,
        "paragraphs": paragraphs,
    }  # fmt: skip


def eurlex_parser(path: Path) -> Found:
    """What eurlex-parser does with the page that it has fetched, without the parts that fetch more."""
    import eurlex  # noqa: PLC0415
    from bs4 import BeautifulSoup  # noqa: PLC0415

    soup = BeautifulSoup(path.read_text(encoding="utf-8"), "lxml")
    preamble = eurlex.parse_pbl(soup)
    articles, annexes = eurlex.parse_articles(soup), eurlex.parse_annexes(soup)
    parts = [eurlex.parse_title(soup), preamble["text"]]
    parts += [a[key] for a in articles for key in ("id", "title", "text")] + [eurlex.parse_fnp(soup)]
    parts += [a[key] for a in annexes for key in ("id", "title", "text", "table")]
    notes = preamble["notes"] + [n for a in articles for n in a["notes"]]
    parts += [f"{n['id']} {n['text']}" for n in notes]
    paragraphs = [
        [label(a["id"]), found[1]] for a in articles for line in a["text"].splitlines()
        if (found := PARAGRAPH.match(line))
    ]  # fmt: skip
    return {
        "text": "\n".join(parts), "articles": [label(a["id"]) for a in articles],
        "annexes": [label(a["id"]) for a in annexes], "paragraphs": paragraphs,
    }  # fmt: skip


def eurlex(path: Path) -> Found:
    """`eurlex.parse_html`: a table with a row a text."""
    from eurlex.parser import parse_html  # noqa: PLC0415

    table = parse_html(path.read_text(encoding="utf-8"))
    columns = {name: table[name].fillna("").astype(str) for name in ("text", "article", "paragraph") if name in table}
    articles = list(dict.fromkeys(a for a in columns.get("article", ()) if a))
    pairs = zip(columns.get("article", ()), columns.get("paragraph", ()), strict=False)
    return {
        "text": "\n".join(columns.get("text", ())), "articles": articles, "annexes": [],
        "paragraphs": [list(p) for p in dict.fromkeys(pairs) if all(p)],
    }  # fmt: skip


def eurlex2lexparency(path: Path) -> Found:
    """The transformation of HTML of eurlex2lexparency."""
    from eurlex2lexparency.transformation.conductor import transform  # noqa: PLC0415
    from lxml import etree  # noqa: PLC0415

    tree = etree.parse(str(path), etree.HTMLParser()).getroot()
    made = transform(tree, "EN").source
    articles = [a.get("id", "") for a in made.iter("article")]
    return {"text": "\n".join(made.itertext()), "articles": articles, "annexes": [], "paragraphs": []}


PARSERS: dict[str, Callable[[Path], Found]] = {
    "regreact": regreact,
    "tulit": tulit,
    "eurlex-parser": eurlex_parser,
    "eurlex": eurlex,
    "eurlex2lexparency": eurlex2lexparency,
}


def main() -> None:
    """Parse the files."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    name, out, *files = sys.argv[1:]
    with Path(out).open("w", encoding="utf-8") as target:
        # The first file twice: imports and what is made once are not counted.
        for number, file in enumerate([files[0], *files]):
            start = time.process_time()
            try:
                found = PARSERS[name](Path(file))
            except ImportError as error:
                print(f"{error}")
                sys.exit(3)
            except Exception as error:  # whatever a parser raises, the next file is its chance
                found = {"error": f"{type(error).__name__}: {error}"[:120]}
            found |= {"file": Path(file).name, "seconds": time.process_time() - start}
            if number:
                target.write(json.dumps(found, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
