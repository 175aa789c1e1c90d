"""(d) Parsing of EUR-Lex XHTML: time and completeness beside other parsers from PyPI.

How to run me:  python -m experiments.bench.bench_d_parsers [--quick]

The others are no dependencies: `make bench-parsers` installs each into a folder of its own below .parsers (or
$REGREACT_PARSERS); what is found in the environment counts too. What is not there is left out, with the reason.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from importlib import metadata
from pathlib import Path
from typing import Any

from lxml import html

from experiments.bench.common import ROOT, SAMPLES, data_folder, main, prose, spread, told
from experiments.bench.parser_run import PARAGRAPH

TITLE = "Parsing beside other EUR-Lex parsers"
ROUNDS = 2
# Longer files are left out of the comparison in order, which takes difflib some ten seconds each.
MOST_WORDS = 60_000
# What each was made for.
MADE_FOR = {
    "regreact": "acts as a tree with addresses and all text",
    "tulit": "law of the EU and Member States as JSON; drops footnotes of articles by design",
    "eurlex-parser": "pages of the EUR-Lex website since 2013 as JSON; its own downloading left out",
    "eurlex": "a table of texts; headings and list markers are columns, only layout tables of two cells are read",
    "eurlex2lexparency": "HTML and Formex for the Lexparency site",
    "pyeurlex": "SPARQL queries and downloads",
}
LEFT_OUT = {"pyeurlex": "it fetches documents and returns the text of the page; it has no parser to compare"}

# Lines that open a provision.
ARTICLE = re.compile(r"Article\s+(\d+[a-z]*)", re.IGNORECASE)
ANNEX = re.compile(r"ANNEX(?:\s+([IVXLC]+[a-z]?|\d+|[A-Z]))?")
# What amending acts quote: a provision behind a quotation mark, up to a line that ends in one. A term that is defined
# stands in quotation marks too, and opens none.
QUOTED = re.compile(r"[‘“](?:Article\s|ANNEX\b|CHAPTER\b|SECTION\b|\d+[a-z]?\.|\()", re.IGNORECASE)
QUOTE_ENDS = re.compile(r"[’”]\s?[.;,]?$")
# Class of a footnote's paragraph.
NOTE = re.compile(r"(?:oj-)?note")
JUNK = ("script", "style", "head")


@dataclass
class Yardstick:
    """What a file holds, read without any parser of law: words, words without footnotes, lines that open provisions."""

    words: list[str]
    without_notes: list[str] = field(default_factory=list)
    articles: Counter[str] = field(default_factory=Counter)
    annexes: Counter[str] = field(default_factory=Counter)
    paragraphs: Counter[tuple[str, str]] = field(default_factory=Counter)


def words(text: str) -> list[str]:
    """Return the words and numbers of a text."""
    return re.findall(r"\w+", text)


def follows(label: str, other: str) -> bool:
    """True if one number of an article is the next of another: 8 of 7a, 1 of none."""
    numbers = [int(re.sub(r"\D", "", text) or 0) for text in (label, other)]
    return numbers[0] == numbers[1] + 1


def yardstick(path: Path) -> Yardstick:
    """Read the visible text of a file; what stands in quotation marks opens no provision."""
    tree = html.fromstring(path.read_bytes(), parser=html.HTMLParser(encoding="utf-8"))
    for junk in list(tree.iter(*JUNK)):
        junk.drop_tree()
    found = Yardstick(words("\n".join(tree.itertext())))
    article, quoted, annexed = "", False, False
    notes = [e for e in tree.iter("p") if NOTE.fullmatch(e.get("class") or "")]
    for element in tree.iter("p"):
        line = " ".join("".join(element.itertext()).split())
        named = ARTICLE.fullmatch(line)
        # The next article of the act itself ends a quotation whose end is printed otherwise.
        quoted = (quoted or QUOTED.match(line) is not None) and not (named and follows(named[1], article))
        if not quoted:
            if named and not annexed:
                article = named[1]
                found.articles[article] += 1
            elif annex := ANNEX.fullmatch(line):
                annexed = True
                found.annexes[annex[1] or ""] += 1
            elif article and not annexed and (numbered := PARAGRAPH.match(f"{line} ")):
                found.paragraphs[article, numbered[1]] += 1
        quoted = quoted and not QUOTE_ENDS.search(line)
    for note in notes:
        note.drop_tree()
    found.without_notes = words("\n".join(tree.itertext()))
    return found


def completeness(held: Yardstick, found: Mapping[str, Any]) -> dict[str, float]:
    """Return counts: words in order and at all, words given, and provisions found, each beside `…_of`."""
    given = words(found.get("text", ""))
    result = {"given": float(len(given)), "words_of": float(len(held.words))}
    result["all"] = float((Counter(held.words) & Counter(given)).total())
    if len(held.words) <= MOST_WORDS:
        matcher = SequenceMatcher(None, held.without_notes, given)
        result["order"] = float(sum(block.size for block in matcher.get_matching_blocks()))
        result["order_of"] = float(len(held.without_notes))
    for name in ("articles", "annexes", "paragraphs"):
        wanted: Counter[Any] = getattr(held, name)
        labels = Counter(tuple(x) if isinstance(x, list) else x for x in found.get(name, ()))
        result |= {name: float((wanted & labels).total()), f"{name}_of": float(wanted.total())}
    return result


def parse(name: str, files: Sequence[Path]) -> list[dict[str, Any]] | str:
    """Run a parser over files in a process of its own; the reason if it cannot be run."""
    folder = Path(os.environ.get("REGREACT_PARSERS", ROOT / ".parsers")) / name
    path = os.pathsep.join([*([str(folder)] if folder.is_dir() else []), str(ROOT)])
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as out:
        command = [sys.executable, str(Path(__file__).with_name("parser_run.py")), name, out.name, *map(str, files)]
        environment = {**os.environ, "PYTHONPATH": path}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            return (done.stdout or done.stderr).strip().splitlines()[-1][:120]
        return [json.loads(line) for line in Path(out.name).read_text("utf-8").splitlines()]


def version(name: str) -> str:
    """Return the version of a package, in its own folder or the environment."""
    folder = Path(os.environ.get("REGREACT_PARSERS", ROOT / ".parsers")) / name
    found = metadata.distributions(name=name, path=[str(folder), *sys.path])
    return next((f.version for f in found), "")


def row(name: str, runs: Sequence[Sequence[Mapping[str, Any]]], held: Mapping[str, Yardstick]) -> str:
    """Return the row of a parser."""
    failed = sum("error" in one for one in runs[0])
    sums: Counter[str] = Counter()
    for one in runs[0]:
        sums.update(completeness(held[one["file"]], one))
    seconds = [sum(one["seconds"] for one in run) for run in runs]
    shares = [f"{100 * sums['order'] / sums['order_of']:.1f}"]
    shares += [f"{100 * sums[key] / sums['words_of']:.1f}" for key in ("all", "given")]
    kinds = [f"{sums[k]:.0f} of {sums[f'{k}_of']:.0f}" for k in ("articles", "annexes", "paragraphs")]
    return f"| {name} {version(name)} | {' | '.join([spread(seconds), str(failed), *shares, *kinds])} |"


def lines(quick: bool) -> Iterator[str]:
    """Yield the section."""
    folder = SAMPLES / "acts" if quick else data_folder() / "acts"
    files = sorted(folder.glob("*.xhtml"))
    held = {path.name: yardstick(path) for path in files}
    names = ["regreact"] if quick else [n for n in MADE_FOR if n not in LEFT_OUT]
    runs: dict[str, list[list[dict[str, Any]]]] = {name: [] for name in names}
    reasons = {n: r for n, r in LEFT_OUT.items() if not quick}
    for _ in range(1 if quick else ROUNDS):
        for name in names:
            if name not in reasons:
                found = parse(name, files)
                if isinstance(found, str):
                    reasons[name] = f"cannot be run here: {found}"
                else:
                    runs[name].append(found)
        told("round")
    megabytes = sum(p.stat().st_size for p in files) / 1e6
    short = sum(len(one.words) <= MOST_WORDS for one in held.values())
    yield from prose(
        f"{len(files)} acts in XHTML, {megabytes:.1f} MB, published since 1998, most with today's markup, one of "
        "them consolidated. CPU seconds for all, each parser in a process of its own, imports not counted, median "
        f"of {len(next(iter(runs.values())))} rounds in turn. Yardstick: the visible text of the files, read with "
        "lxml alone: words in order by difflib's matching blocks, footnotes aside, which parsers put where they "
        f"like ({short} files of up to {MOST_WORDS:,} words); words at all by counting, words given as share of "
        "those of the files; articles, annexes and numbered paragraphs of articles by the lines that open them, "
        "quoted ones of other acts left out. What a parser finds beside these is not counted against it."
    )
    yield ""
    yield "| | CPU, s | failed | words in order, % | words at all, % | given, % | articles | annexes | paragraphs |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for name, found in runs.items():
        if found:
            yield row(name, found, held)
            told(name)
    yield ""
    yield from (f"* {name}: made for {MADE_FOR[name]}." for name, found in runs.items() if found)
    yield from (f"* {name} {version(name)}: left out: {reason}." for name, reason in reasons.items())
    rivals = {n: statistics.median(sum(o["seconds"] for o in r) for r in f) for n, f in runs.items() if f}
    own = rivals.pop("regreact")
    if rivals:
        yield ""
        yield "Time as a multiple of RegReAct's: " + ", ".join(f"{n} {s / own:.1f}" for n, s in rivals.items()) + "."


if __name__ == "__main__":
    main(lines)
