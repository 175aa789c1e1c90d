"""Enrichment of the Compass criteria with the acts at hand: statuses, numbers told, scores, times.

How to run me:  python experiments/enrichment.py [--source FOLDER] [--store FOLDER] [--unit GLOB] [--out FILE]

Without --store a temporary store is filled from the folders `acts` and `taxonomy` of the data. The command line
extracts twice, so that times are those of a user. No text of the sources is written.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from retrieval import acts_folder

from regreact.config import Settings, load
from regreact.evaluation.rag import RagScores, score_summary
from regreact.rag.cited import Reference
from regreact.rag.enrich import Enricher, Resolved
from regreact.rag.iterate import views
from regreact.rag.pinpoint import text_of_place
from regreact.rag.sections import UNIT
from regreact.rag.setup import build_enricher
from regreact.schema import Extraction
from regreact.sources import find_source, read
from regreact.sources.model import Document, Unit

COMMAND = "python experiments/enrichment.py"
DOCUMENT = "compass-1.0.4"
# A provision below this is reported with all its numbers and dates.
SHORT = 300
PAPER = {"faithfulness": 4.61, "relevance": 4.14, "completeness": 4.07, "coverage": 4.01}
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_TOKEN = re.compile(rf"\b\d{{1,2}}\s(?:{_MONTHS})\s\d{{4}}\b|(?<![\w.,])\d+(?:[.,]\d+)*(?!\w)")
_LINE_LABEL = re.compile(r"(?m)^\s*(?:Article \d+\w*|Annex \w+|\d+\w?(?:\.\d+)*\.?(?=\s)|\(\w{1,5}\))")


@dataclass(frozen=True)
class Case:
    """A reference of a unit and what became of it."""

    unit: Unit
    reference: Reference
    done: Resolved

    @property
    def status(self) -> str:
        return self.done.enrichment.status if self.done.enrichment else "citation only"


# --- running ------------------------------------------------------------------------------------------------


def regreact(*arguments: str) -> float:
    """Run the command line and return its seconds."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "regreact", *arguments], check=True, capture_output=True)
    return time.perf_counter() - start


def filled(folder: Path, data: Path) -> Path:
    """Return a store with the acts of the data."""
    for name in ("acts", "taxonomy"):
        if (data / name).is_dir():
            regreact("fetch", "--from", str(data / name), "--store", str(folder))
    return folder


def extracted(source: Path, pattern: str, store: Path, out: Path) -> tuple[float, float]:
    """Extract twice and return the seconds of both runs."""
    sets = ("--set", "rag=on", "--set", f"rag.store={store}")
    command = ("extract", str(source), "--unit", pattern, *sets, "--out", str(out))
    return regreact(*command, "--fresh"), regreact(*command)


def cases(document: Document, out: Path, enricher: Enricher) -> Iterator[Case]:
    """Yield the references of all extractions with what they require."""
    units = {u.key: u for u in document.units}
    for path in sorted((out / document.document).glob("*.json")):
        extraction = Extraction.model_validate_json(path.read_bytes())
        unit = units[extraction.unit]
        for reference in enricher.references(unit, extraction.criteria):
            yield Case(unit, reference, enricher.resolve(unit, reference))


# --- measures -----------------------------------------------------------------------------------------------


def is_at_hand(case: Case, enricher: Enricher) -> bool:
    """True if the act is in the store, readable or not, or the section in a document at hand."""
    reference = case.reference
    if not reference.fetched or reference.standard:
        return False
    units = [a for a in reference.addresses if a.startswith(UNIT)]
    if units:
        return any(enricher.sections.criteria(case.unit.document, a) for a in units)
    return bool(reference.celex) and enricher.library.store.best(str(reference.celex)) is not None


def reason(case: Case) -> str:
    """Return why a reference is skipped, without the id of the act."""
    told = "; ".join(case.done.problems)
    if "not in the store" in told:
        return "the act is not in the store"
    return re.sub(r"unit:\S+|\b\d{5}[A-Z]\d{4}\b", "…", told)


def untold(case: Case, enricher: Enricher) -> Iterator[tuple[str, list[str]]]:
    """Yield each cited provision below 300 words with the numbers and dates that the enrichment leaves out.

    Independent of the solver: every digit string and written date of the provision, labels of lines and footnote
    markers aside, is looked for in summary, key facts and thresholds.
    """
    done = case.done.enrichment
    act = enricher.act(case.reference.celex) if case.reference.celex else None
    if done is None or act is None:
        return
    told = " ".join([done.summary or "", *(done.key_facts or ()), *(done.thresholds or ())])
    known = tokens(told)
    markers = {n.partition(")")[0] + ")" for n in act.notes if n.startswith("(")}
    for place in (p for c in case.reference.cited for p in c.resolution.places):
        text = text_of_place(place)
        if len(text.split()) < SHORT:
            yield place.address, sorted(tokens(without(text, markers)) - known)


def without(text: str, markers: set[str]) -> str:
    """Return a text without labels of lines and footnote markers."""
    bare = _LINE_LABEL.sub("", text)
    return re.sub(r"(?<![\d)])\s?\(\d{1,3}\)", lambda m: "" if m[0].strip() in markers else m[0], bare)


def tokens(text: str) -> set[str]:
    """Return the digit strings and written dates of a text.

    Example:
        >>> sorted(tokens("By 3 May 2031, 0,5 % of CO2"))
        ['0,5', '3 May 2031']
    """
    return {" ".join(m[0].split()) for m in _TOKEN.finditer(text)}


def scored(found: Sequence[Case]) -> list[RagScores]:
    """Return the scores of every retrieved reference."""
    known: dict[int, RagScores] = {}
    scores = []
    for case in found:
        value = case.done.enrichment
        if value is None or value.status != "retrieved":
            continue
        if id(case.done) not in known:
            pair = case.reference.pair(case.unit)
            texts = (value.summary or "", value.key_facts or (), value.thresholds or ())
            known[id(case.done)] = score_summary(pair.text, pair.reference, views(case.done.found.passages), *texts)
        scores.append(known[id(case.done)])
    return scores


# --- report -------------------------------------------------------------------------------------------------


def report(found: Sequence[Case], enricher: Enricher, times: tuple[float, float], units: int) -> Iterator[str]:
    """Yield the lines of the document."""
    yield "# Enrichment of the Compass criteria"
    yield ""
    yield f"`{COMMAND}` over {units} sections of {DOCUMENT}. All figures depend on the acts at hand: an act that is"
    yield "not in the store is skipped, and `regreact fetch` gets it."
    yield ""
    yield from _statuses(found)
    yield from _at_hand(found, enricher)
    yield from _numbers(found, enricher)
    yield from _scores(scored(found))
    yield "## Time"
    yield ""
    first, second = times
    yield f"First run {first:.1f} s, second run (kept files) {second:.1f} s: {second / first:.1%} of the first."


def _statuses(found: Sequence[Case]) -> Iterator[str]:
    total = len(found)
    yield "## References by status"
    yield ""
    yield "| status | reason | references | share |"
    yield "|---|---|---:|---:|"
    rows = Counter((c.status, reason(c) if c.status == "skipped" else "") for c in found)
    for (status, why), n in sorted(rows.items(), key=lambda r: (r[0][0], -r[1])):
        yield f"| {status} | {why} | {n} | {n / total:.1%} |"
    yield f"| all | | {total} | |"
    yield ""


def _at_hand(found: Sequence[Case], enricher: Enricher) -> Iterator[str]:
    own = [c for c in found if is_at_hand(c, enricher)]
    rest = [c for c in own if c.status != "retrieved"]
    share = (len(own) - len(rest)) / len(own) if own else 0.0
    yield f"Of {len(own)} references whose act or section is at hand, {share:.1%} are retrieved (target: 95 %)."
    yield ""
    for line, n in Counter(f"{c.reference.phrase}: {'; '.join(c.done.problems)}" for c in rest).items():
        yield f"* {line} ({n})"
    if rest:
        yield ""


def _numbers(found: Sequence[Case], enricher: Enricher) -> Iterator[str]:
    checked = [(c, place, lost) for c in found if c.status == "retrieved" for place, lost in untold(c, enricher)]
    full = sum(not lost for _, _, lost in checked)
    share = full / len(checked) if checked else 0.0
    yield "## Numbers and dates"
    yield ""
    yield f"Of {len(checked)} citations of a provision of an act with fewer than {SHORT} words, {share:.1%} have every"
    yield "digit string and written date of the provision in summary, key facts or thresholds (target: 100 %)."
    yield ""
    lost = Counter(f"{c.reference.celex} {place}: {', '.join(t)}" for c, place, t in checked if t)
    yield from (f"* {line} ({n})" for line, n in lost.items())
    if lost:
        yield ""


def _scores(scores: Sequence[RagScores]) -> Iterator[str]:
    yield "## Scores"
    yield ""
    yield "| score | mean | std | median | n | paper |"
    yield "|---|---:|---:|---:|---:|---:|"
    for name, paper in PAPER.items():
        values = [getattr(s, name).score for s in scores]
        mean, spread = (statistics.mean(values), statistics.pstdev(values)) if values else (0.0, 0.0)
        middle = statistics.median(values) if values else 0
        yield f"| {name} | {mean:.2f} | {spread:.2f} | {middle:g} | {len(values)} | {paper} |"
    yield ""
    yield "The columns do not compare like with like. Ours come from a deterministic rubric"
    yield "(`regreact/evaluation/rag.py`) that reads passages with the same rules (statements, mentions) as the"
    yield "extractive summary which it scores, and so flatters it; the paper's come from GPT-4o as a judge of"
    yield "other summaries."
    yield ""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write the document."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--source", type=Path, help="folder of the data (default: $REGREACT_DATA, ../shared/data)")
    parser.add_argument("--store", type=Path, help="store of acts (default: a temporary one, filled from the data)")
    parser.add_argument("--unit", default="*/SC", help="sections to extract")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    options = parser.parse_args(arguments)
    source = find_source(DOCUMENT, options.source)
    with tempfile.TemporaryDirectory() as folder:
        store = options.store or filled(Path(folder) / "store", acts_folder(options.source).parent)
        out = Path(folder) / "out"
        times = extracted(source, options.unit, store, out)
        document = read(source)
        settings: Settings = load(["rag=on", f"rag.store={store}"])
        enricher = build_enricher(settings, [document])
        found = list(cases(document, out, enricher))
        units = len(list((out / document.document).glob("*.json")))
        options.out.write_text("\n".join(report(found, enricher, times, units)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
