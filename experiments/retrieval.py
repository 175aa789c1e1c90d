"""Retrieval of the cited provision by the text of the criterion that cites it, without the place it names.

Run me:  python experiments/retrieval.py [--pinpoints FILE] [--source FOLDER] [--checkpoint COLBERT] [--cache FOLDER]

For each citation of the pinpoint list: the query is the block that prints it (with the footnote that prints it, or, for
citations outside criteria, the printed paragraph), from which the words of all places ("Article 29, paragraphs 2 to 5,
of") are cut and acts' names kept. Recall@5 is the share of the cited provisions of which a chunk is among the first
five, MRR the mean reciprocal rank of the first chunk that holds any. Citations of an act within itself, and of
criteria, are left out. Figures are means over the citations of an act, then over acts, with a 95 % bootstrap interval
over acts. Linear algebra runs in one thread (OPENBLAS_NUM_THREADS=1) if times are to be compared. No text of the
sources is written.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from regreact.errors import ConfigError, RegReActError, SourceNotFoundError
from regreact.rag.act import LegalAct
from regreact.rag.chunk import holding
from regreact.rag.convert import convert
from regreact.rag.encoders import make_encoder
from regreact.rag.encoders.base import Encoder
from regreact.rag.passages import Chunk
from regreact.rag.retriever import ActRetriever, RetrieverSettings, retriever
from regreact.sources import find_source, read
from regreact.sources.model import Document, Unit

COMMAND = "python experiments/retrieval.py"
ROOT = Path(__file__).resolve().parent.parent
PINPOINTS = ROOT.parent / "shared/gold/pinpoints.json"
FORMATS = (".fmx.xml", ".xhtml", ".html", ".json")  # best first; PDF only repeats an act at hand
DEPTH = 50  # ranks that are looked at

# A place is a noun of division with its labels ("Article 29, paragraphs 2 to 5", "point 10.1.5(a)", "Part A").
_LABEL = r"(?:\(?(?:\d+[a-z]?(?:\.\d+)*|[IVXLC]+|[a-z]|[ivx]+|[A-Z])\)?(?:\s?\((?:\d+[a-z]?|[a-z]|[ivx]+)\))*)(?![\w])"
_REMARK = r"(?:\s\([^()]*\))?"  # "Descriptors 1 (biodiversity) and 6 (seabed)"
_LABELS = rf"{_LABEL}(?:{_REMARK}(?:,\s|\s?[-–]\s?|,?\s(?:and|or|to)\s){_LABEL})*"
_NOUN = (
    r"(?:Articles?|[Pp]aragraphs?|[Pp]oints?|Annex(?:es)?|[Pp]arts?|[Ss]ections?|Chapters?|Tables?|Descriptors?"
    r"|Appendi(?:x|ces)|(?:Component Material Categories )?\(?CMC\)?)"
)
PLACE = re.compile(rf"\b{_NOUN}\s{_LABELS}{_REMARK}(?:,?\s(?:of|to|in)(?=\s))?,?")


@dataclass(frozen=True)
class Case:
    """One citation: what is asked of which act, and where the answer stands."""

    id: str
    celex: str
    query: str
    addresses: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """True if all that is cited is a whole annex, chapter or larger part of the act."""
        return all("/" not in a and not a.startswith("art_") for a in self.addresses)


class Acts:
    """The acts of a folder, converted when they are asked for; of several files of an act the best format."""

    def __init__(self, folder: Path) -> None:
        order = {suffix: n for n, suffix in enumerate(FORMATS)}
        found = [(n, p) for p in sorted(folder.iterdir()) for s, n in order.items() if p.name.endswith(s)]
        self._files = {p.name.partition(".")[0]: p for _, p in sorted(found, reverse=True)}
        self.held = sorted(self._files)
        self._read: dict[str, LegalAct | None] = {}
        self.failures: list[str] = []

    def get(self, celex: str) -> LegalAct | None:
        """Return an act, or None if it is not at hand or cannot be converted."""
        path = self._files.get(celex)
        if celex not in self._read:
            try:
                self._read[celex] = convert(path.read_bytes(), name=path.name, celex=celex) if path else None
            except RegReActError as error:
                self.failures.append(f"{celex}: {error}")
                self._read[celex] = None
        return self._read[celex]


def acts_folder(source: Path | None) -> Path:
    """Return the folder `acts` of the data.

    Raises:
        SourceNotFoundError: There is none.
    """
    named = os.environ.get("REGREACT_DATA")
    places = [source] if source else [Path(named)] if named else [ROOT / "data/raw", ROOT.parent / "shared/data"]
    for place in places:
        if (place / "acts").is_dir():
            return place / "acts"
    raise SourceNotFoundError(places[0], "no folder acts below it", "name the data with --source or REGREACT_DATA")


def squeeze(text: str) -> str:
    """Text without white space, for comparison."""
    return "".join(text.split())


def without_places(text: str) -> str:
    """Cut the words of places.

    Example:
        >>> without_places("complies with Article 29, paragraphs 2 to 5, of Directive (EU) 2018/2001.")
        'complies with Directive (EU) 2018/2001.'
    """
    return " ".join(PLACE.sub(" ", text).split()).replace(" ,", ",").replace(" .", ".")


# --- cases ------------------------------------------------------------------------------------------------


def cases(entries: Sequence[Mapping[str, object]], source: Path | None, acts: Acts) -> Iterator[Case]:
    """Yield the citations that have a query and an act at hand."""
    for entry in entries:
        celex, addresses = entry["celex"], entry["addresses"]
        assert isinstance(addresses, list)
        if not isinstance(celex, str) or any(str(a).startswith("unit:") for a in addresses):
            continue
        printed = criterion(entry, source) if entry["unit"] else sentence(entry, source, acts)
        if printed:
            yield Case(str(entry["id"]), celex, without_places(printed), tuple(map(str, addresses)))


def criterion(entry: Mapping[str, object], source: Path | None) -> str:
    """Return the block that prints the citation, with the footnote if that prints it; "" if neither is found."""
    document = str(entry["note"]).rpartition("printed in ")[2].split(" and ")[-1].strip()
    unit = next((u for u in opened(document, source).units if u.key == entry["unit"]), None)
    return printing(unit, str(entry["citation"])) if unit else ""


def printing(unit: Unit, citation: str) -> str:
    """Return the block of a unit, or the block and its footnote, in which the citation stands."""
    wanted = squeeze(citation)
    for block in unit.blocks:
        if wanted in squeeze(block.text):
            return block.text
        for note in block.footnotes:
            if wanted in squeeze(unit.footnotes.get(note, "")):
                return f"{block.text} {unit.footnotes[note]}"
    return ""


def sentence(entry: Mapping[str, object], source: Path | None, acts: Acts) -> str:
    """Return the printed paragraph of another act, or the description of an activity, in which the citation stands."""
    note, wanted = str(entry["note"]), squeeze(str(entry["citation"]))
    cited_in = re.search(r"\b3\d{4}[A-Z]\d{4}\b", note)
    if not cited_in or cited_in[0] == entry["celex"]:
        return ""
    taxonomy = {"32021R2139": "02021R2139-20250108", "32023R2486": "02023R2486-20260101"}.get(cited_in[0])
    if taxonomy:
        units = opened(taxonomy, source).units
        lines = [u.description for u in units] + [n for u in units for n in u.footnotes.values()]
    else:
        act = acts.get(cited_in[0])
        lines = act.text.splitlines() if act else []
    return next((line for line in lines if wanted in squeeze(line)), "")


@cache
def opened(document: str, source: Path | None) -> Document:
    """Read a source document once."""
    return read(find_source(document, source))


# --- measures ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Variant:
    """A row of the table."""

    name: str
    settings: RetrieverSettings
    encoder: Encoder | None = None


@dataclass
class Row:
    """What a variant scores: by act, (recall@5, reciprocal rank) of each case; times in seconds."""

    all: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    fine: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    chunks: int = 0
    indexing: float = 0.0
    searching: list[float] = field(default_factory=list)


def score(ranked: Sequence[Chunk], provisions: Sequence[Sequence[Chunk]]) -> tuple[float, float]:
    """Return recall@5 of the cited provisions and the reciprocal rank of the first chunk that holds any."""
    first = set(ranked[:5])
    recall = sum(not first.isdisjoint(holders) for holders in provisions) / len(provisions)
    wanted = {chunk for holders in provisions for chunk in holders}
    return recall, next((1 / rank for rank, chunk in enumerate(ranked, 1) if chunk in wanted), 0.0)


def run(variant: Variant, asked: Sequence[Case], acts: Acts, cache: Path | None) -> Row:
    """Search with one variant for all cases."""
    row, made = Row(), {}
    for case in asked:
        act = acts.get(case.celex)
        assert act is not None
        if case.celex not in made:
            start = time.perf_counter()
            made[case.celex] = retriever(act, variant.settings, encoder=variant.encoder, cache=cache)
            row.indexing += time.perf_counter() - start
            row.chunks += len(made[case.celex].index.chunks)
        own: ActRetriever = made[case.celex]
        start = time.perf_counter()
        found = own.search(case.query, DEPTH)
        row.searching.append(time.perf_counter() - start)
        provisions = [holding(own.index.chunks, act.by_address[address]) for address in case.addresses]
        result = score([passage.chunk for passage in found], provisions)
        row.all[case.celex].append(result)
        if not case.whole:
            row.fine[case.celex].append(result)
    return row


def macro(by_act: Mapping[str, Sequence[tuple[float, float]]]) -> list[str]:
    """Return recall@5 and MRR as text, with the 95 % bootstrap interval over acts."""
    means = np.array([np.mean(results, axis=0) for results in by_act.values()])
    drawn = np.random.default_rng(0).integers(0, len(means), size=(2000, len(means)))
    low, high = np.percentile(means[drawn].mean(axis=1), (2.5, 97.5), axis=0)
    return [f"{m:.3f} ({a:.2f}–{b:.2f})" for m, a, b in zip(means.mean(axis=0), low, high, strict=True)]


def variants(checkpoint: str | None) -> Iterator[Variant]:
    """Yield the rows: words alone, then each encoder that can be loaded alone, fused, and fused with MaxSim."""
    yield Variant("lexical, with recitals", RetrieverSettings(mode="lexical", scope="all"))
    yield Variant("lexical", RetrieverSettings(mode="lexical"))
    for name in ("terms", "minilm", "colbert"):
        try:
            encoder = make_encoder(name, checkpoint)
        except ConfigError as error:
            print(f"left out: {error}")
            continue
        common = RetrieverSettings(mode="fused", encoder=name, checkpoint=checkpoint if name == "colbert" else None)
        yield Variant(f"{name} alone", common.model_copy(update={"mode": "dense"}), encoder)
        yield Variant(f"lexical + {name}, fused", common, encoder)
        yield Variant(f"lexical + {name}, fused alike", common.model_copy(update={"dense_weight": 1.0}), encoder)
        yield Variant(
            f"lexical + {name}, fused, MaxSim", common.model_copy(update={"mode": "fused_maxsim"}), encoder
        )


def table(rows: Mapping[str, Row]) -> list[str]:
    """Return the table of results."""
    lines = [
        "| variant | recall@5, all | MRR, all | recall@5, article or finer | MRR, article or finer "
        "| index, s / 1000 chunks | query, ms |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, row in rows.items():
        times = [f"{1000 * row.indexing / row.chunks:.1f}", f"{1000 * float(np.median(row.searching)):.0f}"]
        lines.append(f"| {' | '.join([name, *macro(row.all), *macro(row.fine), *times])} |")
    return lines


def main() -> None:
    """Search, score, write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pinpoints", type=Path, default=PINPOINTS, help="list of citations and what they mean")
    parser.add_argument("--source", type=Path, help="folder with the sources and, below it, the acts")
    parser.add_argument("--checkpoint", help="ColBERT checkpoint: a folder, or a name on the hub")
    parser.add_argument("--cache", type=Path, help="folder for indexes; index times are then those of opening them")
    parser.add_argument("--acts", nargs="+", default=[], metavar="CELEX", help="these acts only")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    arguments = parser.parse_args()
    acts = Acts(acts_folder(arguments.source))
    entries = json.loads(arguments.pinpoints.read_text(encoding="utf-8"))
    found = list(cases(entries, arguments.source, acts))
    found = [c for c in found if not arguments.acts or c.celex in arguments.acts]
    held = [c for c in found if (act := acts.get(c.celex)) and all(a in act.by_address for a in c.addresses)]
    rows = {}
    for variant in variants(arguments.checkpoint):
        print(variant.name, flush=True)
        rows[variant.name] = run(variant, held, acts, arguments.cache)
    missed = ", ".join(c.id for c in found if c not in held) or "none"
    options = f" --acts {' '.join(arguments.acts)}" if arguments.acts else ""
    lines = [
        "# Retrieval of cited provisions",
        "",
        f"Made by `{COMMAND}{options}`. {len(held)} citations of {len({c.celex for c in held})} acts, of which "
        f"{sum(not c.whole for c in held)} cite an article or something smaller; {len(found) - len(held)} more have a "
        f"query but not all of their addresses in the converted act ({missed}).",
        "",
        "Query: the criterion without the places it names. Recall@5: share of the cited provisions of which a chunk is",
        "among the first five. Means over acts, 95 % bootstrap intervals over acts. Recitals, preamble and footnotes",
        "are not searched but for the first row. Fused: by reciprocal ranks, late interaction with half the weight of",
        "BM25; alike: with the same weight.",
        *(["Index times are those of opening saved indexes."] if arguments.cache else []),
        "",
        *table(rows),
    ]
    arguments.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(arguments.out)


if __name__ == "__main__":
    main()
