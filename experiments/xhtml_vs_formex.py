"""Compare the EUR-Lex pages of the delegated acts with their Formex, block by block.

Run me:  python experiments/xhtml_vs_formex.py [--source FOLDER] [--out FILE]

Writes counts and a table of the differing blocks by cause, with unit keys and block indexes and no text of the
sources.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from regreact.sources import find_source, read
from regreact.sources.model import Block, Document, Unit

COMMAND = "python experiments/xhtml_vs_formex.py"
Signature = tuple[object, ...]
CAUSES = {
    "depth": "the same text at another depth: the page does not print to which item a paragraph belongs",
    "number": "a numbered paragraph on one side, a list item with this number on the other: the page prints both alike",
    "repealed": "kept in Formex as deleted, a dash on the page",
    "amended": "the Formex is of a later version, which an amendment has changed here",
    "quotation mark": "the amending act quotes the inserted text, so that its own quotation marks are double",
    "unlabelled item": "a list item without label, printed like a paragraph",
    "wording": "other text",
}


@dataclass(frozen=True)
class Pair:
    """A page and the Formex it is compared with; `whole` compares text too, else form alone."""

    page: str
    formex: str
    whole: bool


PAIRS = (
    Pair("02021R2139-20250108.xhtml", "02021R2139-20250108", whole=True),
    Pair("32023R2486.fr.xhtml", "02023R2486-20260101", whole=False),
    Pair("32022R1214.xhtml", "02021R2139-20250108", whole=True),
    Pair("32023R2485.xhtml", "02021R2139-20250108", whole=True),
)


def whole(block: Block) -> Signature:
    """Return all that must be the same in one language."""
    return (*form(block), block.text)


def form(block: Block) -> Signature:
    """Return what must be the same in two languages."""
    return (block.tag, block.depth, block.marker, len(block.footnotes), block.heading)


@dataclass(frozen=True)
class Difference:
    """Differing blocks of one unit: indexes in the Formex and on the page, and the cause."""

    unit: str
    formex: range
    page: range
    cause: str


def differences(one: Unit, other: Unit, signature: Callable[[Block], Signature]) -> Iterator[Difference]:
    """Yield the stretches of blocks that differ between Formex (`one`) and page (`other`)."""
    left, right = [signature(b) for b in one.blocks], [signature(b) for b in other.blocks]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag != "equal":
            cause = _cause(one, other, range(i1, i2), range(j1, j2), signature)
            yield Difference(one.key, range(i1, i2), range(j1, j2), cause)


def _cause(one: Unit, other: Unit, ours: range, theirs: range, signature: Callable[[Block], Signature]) -> str:
    deleted = {i for mark in one.amendments if mark.action == "DELETED" for i in mark.blocks}
    a, b = [one.blocks[i] for i in ours], [other.blocks[i] for i in theirs]
    if ours and set(ours) <= deleted and not theirs:
        return "repealed"
    if signature is form:
        unlabelled = len(a) == len(b) and all(x.tag == "li" and x.marker is None for x in a)
        return "unlabelled item" if unlabelled else ("amended" if one.amendments else "wording")
    tests: tuple[tuple[str, Callable[[Block], str]], ...] = (
        ("depth", lambda x: f"{x.marker} {x.text}"),
        ("number", lambda x: f"{x.marker}. {x.text}" if (x.marker or "")[:1].isdigit() else x.text),
        ("quotation mark", lambda x: x.text.translate(str.maketrans("‘’“”", "''''")).rstrip("'")),
    )
    for cause, of in tests:
        if [of(x) for x in a] == [of(x) for x in b]:
            unlabelled = cause == "depth" and any(x.tag != y.tag for x, y in zip(a, b, strict=True))
            return "unlabelled item" if unlabelled else cause
    return "amended" if len(one.amendments) > 1 else "wording"


def section(pair: Pair, page: Document, formex: Document) -> list[str]:
    """Return the lines of the report on one page."""
    signature = whole if pair.whole else form
    units = {unit.key: unit for unit in formex.units}
    shared = [(units[unit.key], unit) for unit in page.units if unit.key in units]
    found = [d for one, other in shared for d in differences(one, other, signature)]
    causes = Counter[str]()
    for difference in found:
        causes[difference.cause] += max(len(difference.formex), len(difference.page))
    notes = sum(one.footnotes != other.footnotes for one, other in shared)
    same = len(shared) - len({difference.unit for difference in found})
    return [
        f"## {pair.page} ({page.document}) against {pair.formex}",
        "",
        "| measure | value |",
        "|---|---|",
        f"| units of the page | {len(page.units)} |",
        f"| of them in the Formex | {len(shared)} |",
        f"| units of the Formex not on the page | {len(units) - len(shared)} |",
        f"| blocks of the page | {sum(len(other.blocks) for _, other in shared)} |",
        f"| units with the same {'blocks' if pair.whole else 'form of blocks'} | {same} |",
        *([f"| units with other footnote texts | {notes} |"] if pair.whole else []),
        *(f"| differing blocks: {cause} | {count} |" for cause, count in causes.most_common()),
        "",
        "| unit | Formex blocks | page blocks | cause |",
        "|---|---|---|---|",
        *(f"| {d.unit} | {_indexes(d.formex)} | {_indexes(d.page)} | {d.cause} |" for d in found),
        "",
    ]


def _indexes(indexes: range) -> str:
    if not indexes:
        return "none"
    return str(indexes[0]) if len(indexes) == 1 else f"{indexes[0]} to {indexes[-1]}"


def main() -> None:
    """Read the documents, compare, write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, help="folder with the documents")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    arguments = parser.parse_args()
    lines = [
        "# EUR-Lex pages against Formex",
        "",
        f"Made by `{COMMAND}`. Blocks are the same if tag, depth, marker, number of footnotes, heading and (in one",
        "language) text are.",
        "",
        "| cause | meaning |",
        "|---|---|",
        *(f"| {cause} | {meaning} |" for cause, meaning in CAUSES.items()),
        "",
    ]
    for pair in PAIRS:
        formex = read(find_source(pair.formex, arguments.source))
        place = find_source(pair.formex, arguments.source).parent
        page = next(p for folder in (place, place.parent) for p in folder.rglob(pair.page))
        lines += section(pair, read(page), formex)
    arguments.out.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    print(arguments.out)


if __name__ == "__main__":
    main()
