"""Real documents damaged in a hundred ways: read whole, or told what is wrong, within bounds of time and memory.

    python experiments/mutate.py [--count 300] [--seed 1] [--source FOLDER] [--only NAME] [--verbose]

Each mutant is read in a process of its own (and up to three sections that changed are extracted). The outcome is
`correct` (every word of the damaged file that the whole file's reading keeps is in a unit), `told` (a typed error, a
failed unit or a review flag), `crash` (any other exception, or a killed process), `time`, `memory`, or `silent` (words
are gone and nothing says so). Exit 1 if any of the last four occurs.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mutations import Mutant, mutations, parse

from regreact.config import Settings
from regreact.errors import RegReActError
from regreact.program import RegReAct
from regreact.rag.convert import convert
from regreact.rag.convert.markdown import to_markdown
from regreact.runner import Extractor
from regreact.schema import Extraction
from regreact.sources import read_data
from regreact.sources.model import Unit

SECONDS, MEGABYTES = 60, 3000
SECTIONS = 3  # changed sections that are extracted
FEW = 8  # lost words that labels and headings account for
BAD = ("crash", "time", "memory", "silent")


@dataclass(frozen=True)
class Base:
    """A real file that is damaged: its place, how it is damaged, and which reader reads it."""

    name: str
    kind: str
    reader: str


BASES = (
    Base("taxonomy/02023R2486-20260101.fmx.xml", "markup", "units"),
    Base("taxonomy/02021R2139-20250108.xhtml", "markup", "units"),
    Base("compass/taxonomy-1.0.4.json", "json", "units"),
    Base("compass/CCM-4.29-paper.html", "markup", "units"),
    Base("acts/32021R0447.xhtml", "markup", "act"),
    Base("acts/31998L0070.xhtml", "markup", "act"),
    Base("acts/32003L0087.cons-2024-03-01.fmx.xml", "markup", "act"),
    Base("acts/32001L0042.eurlexsum.json", "json", "act"),
    Base("acts/32009L0125.pdf", "bytes", "act"),
)


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", re.sub("[\u00ad\u200b\u2060]", "", text)))


def shown_words(base: Base, data: bytes) -> Counter[str]:
    """Words that a file shows where its criteria (or, of an act, its text) stand; the readers have no part in it."""
    if base.kind == "json":
        content = json.loads(data)
        if base.reader == "act":
            return words(str(content.get("reference", ""))) if isinstance(content, dict) else Counter()
        found: Counter[str] = Counter()
        for match in content.get("matches", ()) if isinstance(content, dict) else ():
            if isinstance(match, dict):
                found += _fragments(match.get("substantial_contribution_criteria"))
                for harm in match.get("dnsh") or ():
                    found += _fragments(harm.get("criteria")) if isinstance(harm, dict) else Counter()
        return found
    root = parse(data)
    if base.reader == "units" and base.name.startswith("taxonomy/"):
        table = "*[local-name()='TBL' or local-name()='table']"
        outermost = root.xpath(f"//{table}[not(ancestor::{table})]")
        return words(" ".join(t for found in outermost for t in found.itertext()))
    return words(" ".join(t for t in root.xpath("//text()[not(ancestor::*[local-name()='head'])]")))


def _fragments(value: object) -> Counter[str]:
    text = " ".join(v for v in value if isinstance(v, str)) if isinstance(value, list) else ""
    return words(re.sub(r"<[^>]*>", " ", text).replace("&nbsp;", " ").replace("&amp;", "&"))


def _parts(units: tuple[Unit, ...]) -> str:
    return " ".join(t for u in units for t in (*(b.text for b in u.blocks), *u.footnotes.values()))


@dataclass
class Reading:
    """What a reader made of a file."""

    words: Counter[str]
    units: dict[str, Unit]
    told: str = ""


def read(base: Base, data: bytes) -> Reading:
    """Read a file as the program does."""
    name = Path(base.name).name
    if base.reader == "act":
        act = convert(data, name=name, celex=name.partition(".")[0])
        return Reading(words(to_markdown(act)), {}, "; ".join(str(n) for n in getattr(act, "problems", ())))
    document = read_data(Path(name), data)
    told = "; ".join(f"{f.key}: {f.problem}" for f in document.failures)
    return Reading(words(_parts(document.units)), {u.key: u for u in document.units}, told)


def examine(base: Base, mutant: Mutant, whole: Reading, lost: Counter[str]) -> tuple[str, str]:
    """Read and extract a mutant.

    Returns:
        Outcome (`correct`, `told`, `silent`) and what was told or lost.
    """
    try:
        reading = read(base, mutant.data)
    except RegReActError as error:
        return "told", f"{type(error).__name__}: {error}"
    told = reading.told if reading.told != whole.told else ""
    changed = [u for k, u in reading.units.items() if whole.units.get(k) is None or whole.units[k].blocks != u.blocks]
    extractor = Extractor(Settings())
    for unit in changed[:SECTIONS]:
        result = extractor._attempt(unit)
        if isinstance(result, Extraction):
            kept = words(" ".join(n.verbatim_text for n in result.criteria.walk()))
            if words(" ".join(b.text for b in unit.blocks if any(c.isalnum() for c in b.text))) - kept:
                return "silent", f"{unit.key}: words of blocks in no criterion"
            told = told or "; ".join(r.reason for r in result.review)
        elif "internal error" in str(result):
            return "crash", str(result)
        else:
            told = told or str(result)
    if mutant.shows is not None:
        missing = shown_words(base, mutant.shows) - reading.words - lost
        if sum(missing.values()) > FEW and not told:
            return "silent", f"{sum(missing.values())} words gone: {' '.join(list(missing)[:12])}"
    return ("told", told) if told else ("correct", "")


def in_a_process(work: Callable[[], tuple[str, str]]) -> tuple[str, str]:
    """Run in a process of its own with limits of time and memory."""
    with tempfile.NamedTemporaryFile() as report:
        pid = os.fork()
        if pid == 0:
            resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES * 2**20,) * 2)
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
            signal.signal(signal.SIGXCPU, signal.SIG_DFL)
            try:
                result = work()
            except MemoryError:
                result = ("memory", f"more than {MEGABYTES} MB")
            except BaseException:
                result = ("crash", traceback.format_exc(limit=-3))
            Path(report.name).write_text(json.dumps(result))
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        if os.WIFSIGNALED(status):
            killed = os.WTERMSIG(status)
            slow = killed == signal.SIGXCPU
            return ("time", f"more than {SECONDS} s of CPU") if slow else ("crash", f"signal {killed}")
        found = json.loads(Path(report.name).read_text() or '["crash", "no result"]')
        return str(found[0]), str(found[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--source", type=Path, default=Path(os.environ.get("REGREACT_DATA", "../shared/data")))
    parser.add_argument("--only", default="", help="names of files and mutations that hold this")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    bases = [b for b in BASES if (given.source / b.name).is_file()]
    plan = [(b, m) for b in bases for m in mutations(b.kind) if given.only in f"{b.name} {m.__name__}"]
    if not plan:
        print(f"no file to damage in {given.source}", file=sys.stderr)
        return 2
    RegReAct(Settings())  # imports all that is heavy once
    rng = random.Random(given.seed)
    rng.shuffle(plan)
    chosen = sorted((plan * (given.count // len(plan) + 1))[: given.count], key=lambda p: p[0].name)
    outcomes: dict[str, Counter[str]] = {}
    begun, at, base_of = time.monotonic(), 0, ""
    for base, mutation in chosen:
        if base.name != base_of:
            data = (given.source / base.name).read_bytes()
            whole = read(base, data)
            lost = shown_words(base, data) - whole.words if base.kind != "bytes" else Counter()
            base_of = base.name
        at += 1
        mutant = Mutant(mutation.__name__, *mutation(data, random.Random(f"{given.seed} {at}")))
        outcome, what = in_a_process(lambda: examine(base, mutant, whole, lost))  # noqa: B023  runs at once
        outcomes.setdefault(f"{base.reader} {Path(base.name).suffix[1:]}", Counter())[outcome] += 1
        if outcome in BAD or given.verbose:
            print(f"{outcome}: {base.name} {mutant.how} (mutant {at}): {what[:600]}", flush=True)
    print(f"seed {given.seed}, {len(chosen)} mutants of {len(bases)} files, {time.monotonic() - begun:.0f} s")
    columns = ("correct", "told", *BAD)
    print("| reader | tried | " + " | ".join(columns) + " |\n|---|---|" + "---|" * len(columns))
    for name, counts in sorted(outcomes.items()):
        print(f"| {name} | {counts.total()} | " + " | ".join(str(counts[c]) for c in columns) + " |")
    return 1 if any(counts[c] for counts in outcomes.values() for c in BAD) else 0


if __name__ == "__main__":
    sys.exit(main())
