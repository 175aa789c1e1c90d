"""`regreact show`: criterion trees in the terminal."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regreact.controls import one_line

if TYPE_CHECKING:
    from rich.text import Text
    from rich.tree import Tree

    from regreact.extractions import Found
    from regreact.schema import Criterion, Extraction

# Characters of a criterion's text that are shown without --full.
_SHORT = 160
_LOGIC_STYLES = {"AND": "bold cyan", "OR": "bold magenta", "N_OF_K": "bold yellow", "LEAF": ""}
_STATE_STYLES = {"retrieved": "green", "paywalled": "yellow", "skipped": "red"}


def show(
    unit: Annotated[str, typer.Argument(help="Unit key such as CCM-4.1/SC; * and ? match.")],
    out: Annotated[Path, typer.Argument(help="Folder that `regreact extract` wrote, or one file of it.")] = Path("out"),
    source: Annotated[
        str | None, typer.Option(help="Extract from this SOURCE (as of extract) instead of reading OUT.")
    ] = None,
    override: Annotated[
        list[str] | None, typer.Option("--set", help="Setting of that extraction such as rag=on. Repeatable.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Whole texts, footnotes and what references require.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print each extraction as one line of JSON.")] = False,
) -> None:
    """Show the criterion tree of a unit: logic, limits, conditions, references."""
    found = None if source is not None else _read(out, unit)
    extractions = found.extractions if found else _extracted(source or "", unit, override or [])
    _print(extractions, full, as_json)
    if found is not None:
        raise typer.Exit(found.tell())


def _print(extractions: list[Extraction], full: bool, as_json: bool) -> None:
    if as_json:
        for extraction in extractions:
            text = json.dumps(extraction.to_json(), ensure_ascii=False)
            sys.stdout.write(text.encode("utf-8", "replace").decode() + "\n")
        return
    from rich.console import Console  # noqa: PLC0415  heavy

    console = Console(highlight=False, markup=False, emoji=False)
    for extraction in extractions:
        console.print(tree_of(extraction, full))


def _read(out: Path, unit: str) -> Found:
    from regreact.errors import NoUnitMatchedError  # noqa: PLC0415
    from regreact.extractions import read_extractions  # noqa: PLC0415

    try:
        return read_extractions(out, [unit])
    except NoUnitMatchedError as error:
        raise NoUnitMatchedError(f"{error}; --source FILE extracts without a folder") from None


def _extracted(source: str, unit: str, overrides: list[str]) -> list[Extraction]:
    """Extract the units of a source that match.

    Raises:
        UnitError: A unit cannot be read.
    """
    from regreact import config, corpus, runner  # noqa: PLC0415  heavy
    from regreact.errors import UnitError  # noqa: PLC0415

    settings = config.load(overrides)
    loaded = corpus.load(source)
    selection = corpus.select(loaded.documents, [unit])
    officials = corpus.officials(selection.units, loaded.documents)
    extractor = runner.Extractor(settings, officials, documents=loaded.documents)
    for failure in selection.failures:
        raise UnitError(failure.key, failure.place, failure.problem)
    return [extractor.extract(u) for u in selection.units]


def tree_of(extraction: Extraction, full: bool = False) -> Tree:
    """Return the tree of an extraction for a terminal.

    Args:
        extraction: The extraction.
        full: Whole texts, footnotes and what references require.
    """
    from rich.text import Text  # noqa: PLC0415
    from rich.tree import Tree  # noqa: PLC0415

    head = Text()
    head.append(one_line(extraction.unit), "bold")
    head.append(f"  {one_line(extraction.activity)}")
    head.append(f"  ({one_line(extraction.source.document)})", "dim")
    root = Tree(head, guide_style="dim")
    flags: dict[str, list[str]] = {}
    for item in extraction.review:
        flags.setdefault(item.criterion_id, []).append(f"{item.severity}: {item.reason}")
    for edge in extraction.edges:
        if edge.type == "inherits_threshold":
            flags.setdefault(edge.source, []).append(f"threshold of {edge.target} applies")
    for fix in extraction.corrections:
        flags.setdefault(fix.criterion_id, []).append(f"{fix.from_} is printed, {fix.to} is meant")
    branches = {id(extraction.criteria): root}
    root.label = Text("\n").join([head, *_node(extraction.criteria, flags, full)])
    for node in extraction.criteria.walk():
        for child in node.sub_criteria:
            label = Text("\n").join(_node(child, flags, full))
            branches[id(child)] = branches[id(node)].add(label)
    return root


def _node(node: Criterion, flags: dict[str, list[str]], full: bool) -> list[Text]:
    """Return the lines of a criterion."""
    from rich.text import Text  # noqa: PLC0415

    from regreact.phrases import dependency_text, joined_phrases, logic_text  # noqa: PLC0415

    head = Text()
    head.append(one_line(node.criterion_id), "bold")
    if node.evaluation_logic != "LEAF":
        head.append(f" {logic_text(node)}", _LOGIC_STYLES[node.evaluation_logic])
    if node.applicability == "Conditional":
        head.append(" if applicable", "italic yellow")
    for tag in node.tags:
        head.append(f" #{tag}", "blue")
    for joiner, phrase in joined_phrases(node.threshold):
        head.append(f" {joiner} " if joiner else " ")
        head.append(f"[{one_line(phrase)}]", "bold green")
    lines = [head]
    if node.verbatim_text.strip():
        lines.append(Text(_shown(node.verbatim_text, full)))
    if node.dependencies is not None:
        lines.append(Text(f"depends on: {one_line(dependency_text(node.dependencies))}", "yellow"))
    lines.extend(_references(node, full))
    lines.extend(Text(f"! {one_line(flag)}", "red") for flag in flags.get(node.criterion_id, ()))
    if full:
        lines.extend(Text(f"{one_line(f.id)}: {one_line(f.verbatim)}", "dim") for f in node.footnotes)
    return lines


def _references(node: Criterion, full: bool) -> list[Text]:
    from rich.text import Text  # noqa: PLC0415

    from regreact.phrases import reference_state  # noqa: PLC0415

    lines = []
    for source in node.references.sources if node.references else ():
        state = reference_state(source.type, source.enrichment)
        line = Text("→ ")
        line.append(one_line(source.text), "underline")
        line.append(f" {source.celex_id}" if source.celex_id else "", "dim")
        line.append(f" ({state})", _STATE_STYLES.get(state, "dim"))
        found = source.enrichment.summary if source.enrichment else None
        if found:
            line.append(f": {_shown(found, full)}")
        lines.append(line)
    return lines


def _shown(text: str, full: bool) -> str:
    line = one_line(text)
    return line if full or len(line) <= _SHORT else line[:_SHORT].rsplit(" ", 1)[0] + " …"
