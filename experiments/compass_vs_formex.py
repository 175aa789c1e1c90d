"""Compare the Compass dump of the criteria with the Official Journal, block by block.

Run me:  python experiments/compass_vs_formex.py [--source FOLDER] [--out FILE]

Writes a table of the differing blocks by cause, with unit keys and block indexes and no text of the sources.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from regreact.legal.activities import match_activities
from regreact.sources import find_source, read
from regreact.sources.comparison import CAUSES, Comparison, compare_documents

LEFT, RIGHT = "compass-1.0.4", "02021R2139-20230101"
COMMAND = "python experiments/compass_vs_formex.py"
NOTES = {
    "wording": "one side has words that the other lacks",
    "block boundary": "the same text, cut into blocks otherwise",
    "only in left": "no counterpart",
    "only in right": "no counterpart",
} | {cause.name: f"e.g. {cause.example.replace('|', 'against')}" for cause in CAUSES}


def report(comparison: Comparison, renumbered: dict[str, str], unmatched: tuple[str, ...]) -> str:
    """Return the Markdown report."""
    lines = [
        f"# {LEFT} against {RIGHT}",
        "",
        f"Made by `{COMMAND}`. Blocks are compared without footnote markers, list labels and numbers in front,",
        "kinds of quotation mark and dash, super- and subscript characters, and white space",
        "(`regreact.sources.comparison.normal_text`).",
        "",
        "| measure | value |",
        "|---|---|",
        f"| shared units | {comparison.units} |",
        f"| units without counterpart | {len(comparison.only_left)} |",
        f"| blocks (of the side that has more) | {comparison.blocks} |",
        f"| identical blocks | {comparison.identical} |",
        f"| share | {comparison.share:.2%} |",
        f"| activities matched by title under another number | {len(renumbered)} |",
        f"| activities without match | {len(unmatched)} |",
        "",
        "## Differences by cause",
        "",
        "| cause | blocks | meaning |",
        "|---|---|---|",
        *(f"| {cause} | {count} | {NOTES[cause]} |" for cause, count in comparison.by_cause().items()),
        "",
        "## Each of them",
        "",
        f"| {LEFT} | blocks | {RIGHT} | blocks | cause |",
        "|---|---|---|---|---|",
        *(
            f"| {d.left_unit} | {_indexes(d.left_blocks)} | {d.right_unit} | {_indexes(d.right_blocks)} | {d.cause} |"
            for d in comparison.differences
        ),
        "",
        "## Activities under another number",
        "",
        f"| {LEFT} | {RIGHT} |",
        "|---|---|",
        *(f"| {own} | {official} |" for own, official in renumbered.items()),
    ]
    return "\n".join(lines) + "\n"


def _indexes(blocks: tuple[int, ...]) -> str:
    return ", ".join(map(str, blocks)) or "none"


def main() -> None:
    """Read both documents, compare, write the report and print the share."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, help="folder with the documents")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    arguments = parser.parse_args()
    left = read(find_source(LEFT, arguments.source))
    right = read(find_source(RIGHT, arguments.source))
    match = match_activities(left, [right])
    comparison = compare_documents(left, right, match.numbers)
    renumbered = {own: official for own, official in match.numbers.items() if own != official}
    arguments.out.write_text(report(comparison, renumbered, match.unmatched), encoding="utf-8")
    print(f"{comparison.identical} of {comparison.blocks} blocks identical ({comparison.share:.2%}): {arguments.out}")


if __name__ == "__main__":
    main()
