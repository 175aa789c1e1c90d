"""Extract copies of documents once, in this process, and print what that took as one line of JSON.

How to run me:  python -m experiments.bench.corpus_run '{"sources": ["act.fmx.xml"], "copies": 2, "overrides": []}'
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from regreact.sources.model import Block, Document, Unit

MEGABYTE = 1024  # ru_maxrss counts kilobytes


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def marked(text: str, mark: str) -> str:
    """Put a mark behind the longest word, so that no copy of a text equals another one.

    Example:
        >>> marked("the pumping station is dry", "b")
        'the pumpingb station is dry'
    """
    words = text.split(" ")
    longest = max(range(len(words)), key=lambda at: len(words[at]))
    words[longest] = words[longest] + mark if words[longest].isalpha() else words[longest]
    return " ".join(words)


def copied(document: Document, number: int) -> Document:
    """Return a copy under another id; its texts differ in one word, so that nothing known of the first serves it."""
    if not number:
        return document
    mark = "abcdefghijklmnopqrstuvwxyz"[number % 26] * (1 + number // 26)

    def block(one: Block) -> Block:
        return replace(one, text=marked(one.text, mark))

    def unit(one: Unit) -> Unit:
        return replace(one, document=name, blocks=tuple(map(block, one.blocks)))

    name = f"{document.document}-copy{number}"
    return replace(document, document=name, units=tuple(map(unit, document.units)))


def run(sources: Sequence[str], copies: int, overrides: Sequence[str]) -> dict[str, Any]:
    """Read, copy and extract.

    Returns:
        `units`, `activities`, `failed`, `written_mb`; seconds on the clock and of CPU of reading (`read_s`,
        `read_cpu_s`) and of extraction (`seconds`, `cpu_s`), CPU seconds of the process in all (`process_cpu_s`); peak
        memory before any document is read (`start_mb`), once copies and program are made (`documents_mb`), at the end
        (`peak_mb`), and of the largest child (`child_mb`).
    """
    from regreact import config, corpus  # noqa: PLC0415  heavy
    from regreact.runner import Extractor  # noqa: PLC0415

    settings = config.load(list(overrides))
    start_mb = _memory()
    began, used = time.perf_counter(), cpu_seconds()
    read = [d for source in sources for d in corpus.load(source).documents]
    read_s, read_cpu = time.perf_counter() - began, cpu_seconds() - used
    documents = [copied(d, number) for number in range(copies) for d in read]
    units = [u for d in documents for u in d.units]
    extractor = Extractor(settings, documents=documents)
    _ = extractor.program, extractor.enricher
    documents_mb = _memory()
    with tempfile.TemporaryDirectory(prefix="regreact-") as folder:
        began, used = time.perf_counter(), cpu_seconds()
        summary = extractor.extract_to(units, Path(folder))
        seconds, cpu = time.perf_counter() - began, cpu_seconds() - used
        written = sum(f.stat().st_size for f in Path(folder).glob("*/*.json"))
    activities = {(u.document, u.key.partition("/")[0]) for u in units if "/" in u.key}
    return {
        "units": len(units), "activities": len(activities), "failed": len(summary.failed), "written_mb": written / 1e6,
        "read_s": read_s, "seconds": seconds, "cpu_s": cpu, "read_cpu_s": read_cpu, "process_cpu_s": cpu_seconds(),
        "start_mb": start_mb, "documents_mb": documents_mb, "peak_mb": _memory(),
        "child_mb": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / MEGABYTE,
    }  # fmt: skip


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE


if __name__ == "__main__":
    print(json.dumps(run(**json.loads(sys.argv[1]))))
