"""Resolve annotated citations to the provisions they mean, and count how many are right.

Run me:  python experiments/pinpoints.py ../shared/gold/pinpoints.json [--source FOLDER] [--out FILE]

The file holds citations with the addresses they mean (its format is described beside it). A citation printed in a unit
is found in the unit's own text, in every document at hand that prints it; one that stands in another act is read from
its words, with the place that the note names. It counts as resolved if act and set of addresses are equal in every
document and every version of the act at hand for which the note holds. The report has no text of the sources.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from regreact.errors import RegReActError
from regreact.fastpath.structure import parse_structure
from regreact.legal.citations import Citation, find_citations
from regreact.legal.pinpoints import addresses
from regreact.rag.act import LegalAct
from regreact.rag.convert import convert
from regreact.rag.internal import is_internal, resolve_internal
from regreact.rag.pinpoint import citations_of, resolve, resolve_words, text_of
from regreact.sources import find_source, read
from regreact.sources.model import Unit
from regreact.sources.views import block_views
from signatures.types import UnitHeader

COMMAND = "python experiments/pinpoints.py ../shared/gold/pinpoints.json"
_CELEX = re.compile(r"\b3\d{4}[A-Z]\d{4}\b")


def _act(path: Path) -> LegalAct:
    """Return the act of a file; its name holds the CELEX id and, if consolidated, the date."""
    dated = re.search(r"cons-(\d{4}-\d\d-\d\d)", path.name)
    celex = _CELEX.findall(path.name)[0]
    return convert(path.read_bytes(), name=path.name, celex=celex, version=dated[1] if dated else "")


@dataclass
class Outcome:
    """What became of one entry: the causes why it is no hit, and strings that the provisions found do not have."""

    entry: dict[str, Any]
    misses: list[str] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)


@dataclass
class Sources:
    """Documents with criteria and acts at hand."""

    folder: Path

    @cached_property
    def documents(self) -> dict[str, dict[str, Unit]]:
        """Units by document id and key; two formats of one document give the same units."""
        files = [*self.folder.glob("compass/*.json"), *self.folder.glob("taxonomy/*.fmx.xml")]
        found = [read(path) for path in sorted(files)]
        return {d.document: {u.key: u for u in d.units} for d in found}

    @cached_property
    def keys(self) -> list[str]:
        """Keys of all units."""
        return sorted({key for units in self.documents.values() for key in units})

    @cached_property
    def acts(self) -> dict[str, list[LegalAct]]:
        """Versions and formats of each act by CELEX id."""
        found: dict[str, list[LegalAct]] = {}
        for path in sorted((self.folder / "acts").iterdir()):
            if path.suffix != ".tsv":
                try:
                    found.setdefault(_CELEX.findall(path.name)[0], []).append(_act(path))
                except RegReActError as error:
                    print(f"not read: {error}")
        return found

    def versions(self, celex: str, note: str) -> list[LegalAct]:
        """Return the versions of an act for which a note holds: all, unless it names one."""
        every = self.acts.get(celex, [])
        dated = re.search(r"version (\d{4}-\d\d-\d\d)", note)
        other = re.search(rf"stands in [^;]*{_CELEX.pattern}, version", note)  # the version of the citing act
        if dated and not other:
            return [act for act in every if act.version == dated[1]]
        return [act for act in every if not act.version] if "version of the Official Journal" in note else every


def in_unit(entry: dict[str, Any], unit: Unit) -> Iterator[tuple[Citation, str]]:
    """Yield the citations of a unit that stand in the words of an entry, each with the text it stands in."""
    words = r"\s*".join(map(re.escape, entry["citation"].split()))
    previous: list[Citation] = []
    for block in unit.blocks:
        for text in (block.text, *(unit.footnotes.get(note, "") for note in block.footnotes)):
            found = citations_of(text, previous)
            place = re.search(words, text)
            if place:
                for citation in found:
                    if citation.start < place.end() and place.start() < citation.end:
                        begins = place.start() < citation.start
                        yield citation if begins else replace(citation, items=""), text
                return
            previous.extend(found)


def check_in_units(outcome: Outcome, sources: Sources) -> None:
    """Resolve a citation in every document that prints its unit and, by the note, the citation."""
    entry = outcome.entry
    printed = [d for d in sources.documents if d in entry["note"] and entry["unit"] in sources.documents[d]]
    if not printed:
        outcome.misses.append("no document at hand prints it")
    for document in printed:
        unit = sources.documents[document][entry["unit"]]
        cited = list(in_unit(entry, unit))
        if any(is_internal(citation) for citation, _ in cited):
            found = [a for c, text in cited for a in resolve_internal(c, unit.key, text, sources.keys)]
            _compare(outcome, found, document)
            _contains(outcome, _unit_text(found, sources), document)
            continue
        if {c.celex for c, _ in cited} != {entry["celex"]}:
            outcome.misses.append(f"{document}: cites {sorted(str(c.celex) for c, _ in cited)}")
            continue
        for act in _needed(outcome, sources):
            resolutions = [resolve(citation, act) for citation, _ in cited]
            causes = [r.cause for r in resolutions if r.cause]
            _compare(outcome, [a for r in resolutions for a in r.addresses], _name(act), causes)
            _contains(outcome, "\n".join(text_of(r, act) for r in resolutions), _name(act))


def check_by_words(outcome: Outcome, sources: Sources) -> None:
    """Resolve a citation that stands in an act, or outside the criteria, from its words and the note."""
    entry = outcome.entry
    note = entry["note"]
    if entry["celex"] is None:
        citations = citations_of(entry["citation"])
        found = [a for c in citations for a in resolve_internal(c, _citing_unit(note), entry["citation"], sources.keys)]
        _compare(outcome, found, "units")
        return
    own = "which is the act meant" in note
    citations = [c for c in find_citations(entry["citation"], find_citations(note)) if c.kind == "eu-act"]
    if not own and {c.celex for c in citations} != {entry["celex"]}:
        outcome.misses.append(f"cites {sorted(str(c.celex) for c in citations)}")
        return
    for act in _needed(outcome, sources):
        if own:
            place = _citing_place(note, act)
            resolutions = [resolve_words(entry["citation"], act, place)]
        else:
            resolutions = [resolve(citation, act) for citation in citations]
        causes = [r.cause for r in resolutions if r.cause]
        _compare(outcome, [a for r in resolutions for a in r.addresses], _name(act), causes)
        _contains(outcome, "\n".join(text_of(r, act) for r in resolutions), _name(act))


def _needed(outcome: Outcome, sources: Sources) -> list[LegalAct]:
    acts = sources.versions(outcome.entry["celex"], outcome.entry["note"])
    if not acts:
        outcome.misses.append("the act, or the version that the note names, is not at hand")
    return acts


def _name(act: LegalAct) -> str:
    return f"{act.id} ({act.format})"


def _citing_place(note: str, act: LegalAct) -> str:
    """Return the address of the provision that a note says the citation stands in."""
    stands = re.search(r"stands in (.*?),? (?:of|to) " + act.celex, note)
    if stands is None:
        return ""
    resolution = resolve_words(stands[1], act)
    return resolution.addresses[0] if resolution.addresses else (addresses(stands[1]) or ("",))[0]


def _citing_unit(note: str) -> str:
    """Return the appendix that a note says the citation stands in."""
    stands = re.search(r"Appendix ([A-Z]) to (Annex [IVX]+ to) (3\d{4}[A-Z]\d{4})", note)
    if stands is None:
        return ""
    cited = Citation(0, 0, "", "eu-act", stands[3], f"Appendix {stands[1]} to {stands[2].removesuffix(' to')}")
    annex = (
        {"I": "CCM", "II": "CCA"}
        if stands[3] == "32021R2139"
        else dict(zip(("I", "II", "III", "IV"), ("WTR", "CE", "PPC", "BIO"), strict=True))
    )
    return f"{annex[cited.pinpoint.split()[-1]]}-Appendix-{stands[1]}"


def _compare(outcome: Outcome, found: Sequence[str], where: str, causes: Sequence[str] = ()) -> None:
    wanted = outcome.entry["addresses"]
    if {_plain(a) for a in found} != {_plain(a) for a in wanted}:
        because = f" ({'; '.join(causes)})" if causes else ""
        outcome.misses.append(f"{where}: {' '.join(found) or 'nothing'}{because}")


def _plain(address: str) -> str:
    """Return an address for comparison: sections and points of annexes count as equal."""
    return re.sub(r"/sec_", "/pnt_", address) if address.startswith("an") else address


def _contains(outcome: Outcome, text: str, where: str) -> None:
    squeezed = _squeezed(text)
    lacking = [s for s in outcome.entry["must_contain"] if _squeezed(s) not in squeezed]
    if lacking:
        outcome.lacking.append(f"{where}: {len(lacking)} of {len(outcome.entry['must_contain'])} strings")


def _squeezed(text: str) -> str:
    return re.sub(r"[\s\u00ad]+", "", text).translate(str.maketrans("‘’´`", "''''")).casefold()


def _unit_text(found: Sequence[str], sources: Sources) -> str:
    """Return the text of units and criteria in all documents that have them."""
    parts = []
    for address in found:
        key, _, criterion = address.removeprefix("unit:").partition("#")
        for units in sources.documents.values():
            unit = units.get(key.partition("/sec_")[0])
            if unit is not None:
                parts.extend(_criterion_text(unit, criterion) if criterion else [*_texts(unit)])
    return "\n".join(parts)


def _texts(unit: Unit) -> Iterator[str]:
    yield unit.activity
    yield from (block.text for block in unit.blocks)
    yield from unit.footnotes.values()


def _criterion_text(unit: Unit, criterion: str) -> list[str]:
    """Return the texts of a criterion and those below it."""
    header = UnitHeader(unit=unit.key, activity=unit.activity, objective=unit.objective, section=unit.section)
    below = re.compile(re.escape(criterion) + r"(?:[.(].*)?")
    answers = parse_structure(header, block_views(unit))
    return [
        block.text
        for block, answer in zip(unit.blocks, answers, strict=True)
        if answer.value is not None and below.fullmatch(answer.value.criterion_id)
    ]


def report(outcomes: Sequence[Outcome]) -> str:
    """Return the table of shares and the list of misses as Markdown."""
    groups = {
        "all": outcomes,
        "printed in a unit": [o for o in outcomes if o.entry["unit"]],
        "standing elsewhere": [o for o in outcomes if not o.entry["unit"]],
        "internal": [o for o in outcomes if o.entry["addresses"][0].startswith("unit:")],
    }
    lines = ["# Citations resolved to the provisions they mean", "", f"`{COMMAND}`", ""]
    lines += ["| citations | n | resolved | share | with every string |", "|---|---|---|---|---|"]
    for name, group in groups.items():
        right = [o for o in group if not o.misses]
        whole = [o for o in right if not o.lacking]
        lines.append(f"| {name} | {len(group)} | {len(right)} | {len(right) / max(1, len(group)):.1%} | {len(whole)} |")
    for title, name in (("Not resolved", "misses"), ("Resolved, but a string is not in the text found", "lacking")):
        listed = [o for o in outcomes if getattr(o, name) and (name == "misses" or not o.misses)]
        lines += ["", f"## {title}", ""] + ([] if listed else ["None."])
        lines += [
            f"- {o.entry['id']} `{' '.join(o.entry['addresses'])}`: {'; '.join(getattr(o, name))}" for o in listed
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Resolve all entries, print and write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pinpoints", type=Path, help="file with annotated citations")
    parser.add_argument("--source", type=Path, help="folder with the documents")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    options = parser.parse_args()
    sources = Sources(options.source or find_source("compass-1.0.4").parent.parent)
    outcomes = [Outcome(entry) for entry in json.loads(options.pinpoints.read_text(encoding="utf-8"))]
    for outcome in outcomes:
        (check_in_units if outcome.entry["unit"] else check_by_words)(outcome, sources)
    text = report(outcomes)
    options.out.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
