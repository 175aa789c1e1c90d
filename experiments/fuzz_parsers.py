"""Coverage-guided fuzzing of the parsers with atheris: any input is read, or refused with a typed error.

    make fuzz-atheris [SECONDS=300]
    python experiments/fuzz_parsers.py TARGET [CORPUS] -max_total_time=60    (any option of libFuzzer)

TARGET is one of `formex`, `xhtml`, `html`, `json`, `act`, `text`. The seeds are the samples. Needs the extra `fuzz`.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["regreact.sources", "regreact.legal", "regreact.rag.convert",
                                         "regreact.fastpath.thresholds"]):  # fmt: skip
    from regreact.errors import RegReActError
    from regreact.fastpath.thresholds import extract_thresholds
    from regreact.legal.citations import find_citations, find_internal_points
    from regreact.legal.dates import parse_date
    from regreact.legal.mentions import find_mentions
    from regreact.legal.numbers import parse_number
    from regreact.legal.pinpoints import addresses
    from regreact.rag.convert import convert
    from regreact.rag.convert.markdown import to_markdown
    from regreact.sources import read_data
    from regreact.sources.blocks import fold
    from signatures.types import CriterionView, UnitHeader

SAMPLES = Path(__file__).resolve().parent.parent / "data/samples"
UNIT = UnitHeader(unit="KILN-1/SC", activity="Making bricks", objective="", section="SC")
# Longest input in bytes
LONGEST = {"text": 1_000, "html": 4_000, "json": 20_000, "formex": 40_000, "xhtml": 40_000, "act": 40_000}
FORMEX = (
    b"<CONS.ACT><CONS.ANNEX><TITLE><TI><P>ANNEX I</P></TI><STI><P>Criteria for contributing substantially to climate "
    b"change mitigation</P></STI></TITLE><CONTENTS><GR.SEQ LEVEL='2'><TITLE><TI><NP><NO.P>1.1.</NO.P><TXT>Bricks</TXT>"
    b"</NP></TI></TITLE><GR.SEQ><TITLE><TI><P>Technical screening criteria</P></TI></TITLE><TBL><CORPUS><ROW><CELL>"
    b"Substantial contribution to climate change mitigation</CELL></ROW><ROW><CELL><P>1. Losses:</P><LIST><ITEM><NP>"
    b"<NO.P>(a)</NO.P><TXT>below 5 %</TXT></NP></ITEM></LIST></CELL></ROW></CORPUS></TBL></GR.SEQ></GR.SEQ></CONTENTS>"
    b"</CONS.ANNEX></CONS.ACT>"
)
COUNTS = {"tried": 0, "read": 0, "refused": 0}


def source(name: str, opening: bytes = b"") -> Callable[[bytes], None]:
    """Return a target that reads bytes as a source document."""

    def run(data: bytes) -> None:
        document = read_data(Path(name), opening + data)
        assert document.units or document.failures, "nothing read and nothing said"
        for unit in document.units:
            assert unit.blocks and all(b.text == fold(b.orig) and b.text for b in unit.blocks)

    return run


def act(data: bytes) -> None:
    """Read bytes as a legal act."""
    to_markdown(convert(data, name="act", celex="32099R0001"))


def text(data: bytes) -> None:
    """Run the grammars over a text."""
    words = fold(data.decode("utf-8", "surrogateescape"))
    for found in (*find_citations(words), *find_internal_points(words)):
        assert 0 <= found.start < found.end <= len(words), "a span outside the text"
    for mention in find_mentions(words):
        assert words[mention.start : mention.end] == mention.text, "a mention that does not quote"
    addresses(words)
    for read in (parse_number, lambda t: parse_date(t, last_day=True)):
        try:
            read(words)
        except ValueError:
            pass
    view = CriterionView(criterion_id="1", parent="ROOT", block=0, text=words)
    for answer in extract_thresholds(UNIT, [view]):
        assert all(0 <= start < end <= len(words) for _, start, end in answer.evidence), "evidence outside the text"


TARGETS = {
    "formex": source("act.fmx.xml"),
    "xhtml": source("page.xhtml"),
    "html": source("kiln.html", b"<p>"),
    "json": source("taxonomy-9.9.9.json"),
    "act": act,
    "text": text,
}


def seeds(target: str) -> list[bytes]:
    """Return invented documents of the target's kind, small enough to be varied quickly."""
    if target == "text":
        dump = json.loads((SAMPLES / "compass/samples-compass.json").read_bytes())
        markup = " ".join(f for m in dump["matches"] for f in m["substantial_contribution_criteria"])
        return [t.strip().encode() for t in re.split(r"<[^>]*>", markup) if len(t.strip()) > 20][:300]
    if target == "json":
        dump = json.loads((SAMPLES / "compass/samples-compass.json").read_bytes())
        return [json.dumps({**dump, "matches": [match]}).encode() for match in dump["matches"][:10]]
    acts = sorted(SAMPLES.rglob("*.x*ml"))
    pages = [p.read_bytes() for p in acts if (p.suffix == ".xml") == (target == "formex")]
    small = [FORMEX, b"<ol type='a'><li>x<ul><li>y</li></ul></li></ol>"]
    page = b"<html xmlns='http://www.w3.org/1999/xhtml'><body><table><tr><td>1. Losses</td></tr></table></body></html>"
    return [page, *small, *(p for p in pages if len(p) < LONGEST[target])]


def main() -> None:
    target = TARGETS[sys.argv[1]]

    def one(data: bytes) -> None:
        COUNTS["tried"] += 1
        try:
            target(data)
        except RegReActError:
            COUNTS["refused"] += 1
        else:
            COUNTS["read"] += 1
        if COUNTS["tried"] % 100 == 0:
            report.write_text(f"{sys.argv[1]}: " + ", ".join(f"{k} {v}" for k, v in COUNTS.items()) + "\n")

    report = Path(os.environ.get("FUZZ_REPORT", os.devnull))
    with tempfile.TemporaryDirectory() as corpus:
        for n, seed in enumerate(seeds(sys.argv[1])):
            Path(corpus, str(n)).write_bytes(seed)
        marks = f"-artifact_prefix={tempfile.gettempdir()}/"
        options = [f"-max_len={LONGEST[sys.argv[1]]}", "-timeout=30", "-rss_limit_mb=3000", marks]
        atheris.Setup([sys.argv[0], corpus, *options, *sys.argv[2:]], one)
        atheris.Fuzz()


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    main()
