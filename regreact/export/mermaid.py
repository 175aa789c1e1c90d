"""Flowcharts in Mermaid, one a unit, in a Markdown file that GitHub, GitLab and many editors draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from regreact.export.cells import clean
from regreact.phrases import logic_text, threshold_phrases
from regreact.schema import Criterion, Extraction

_TEXT_LENGTH = 80
# Shape by logic: AND is a box, OR a diamond, N_OF_K a hexagon, a leaf a rounded box.
_SHAPES = {"AND": ("[", "]"), "OR": ("{", "}"), "N_OF_K": ("{{", "}}"), "LEAF": ("(", ")")}
# Edges beside the hierarchy, as drawn.
_LINES = {"depends_on": "-. depends on .->", "inherits_threshold": "-. inherits .->", "corrects": "-. corrects .->"}
_CLASSES = (
    "  classDef conditional stroke-dasharray: 5 3;",
    "  classDef quantitative fill:#e7f0fb,stroke:#1f3864,color:#111;",
)


def flowchart(extraction: Extraction) -> str:
    """Return the flowchart of a unit.

    Boxes: AND; diamonds: OR; hexagons: N_OF_K; round: single criteria. Conditional criteria have a broken border,
    quantitative ones a tint. Labels hold letters, digits and entities only, so that no text can end its label.
    """
    ids = {node.criterion_id: f"c{at}" for at, node in enumerate(extraction.criteria.walk())}
    lines = ["flowchart TD"]
    for node in extraction.criteria.walk():
        lines.append(f"  {_box(node, ids[node.criterion_id], extraction.unit)}")
    for node in extraction.criteria.walk():
        lines.extend(f"  {ids[node.criterion_id]} --> {ids[child.criterion_id]}" for child in node.sub_criteria)
    for edge in extraction.edges:
        if edge.type in _LINES and edge.source in ids and edge.target in ids:
            lines.append(f"  {ids[edge.source]} {_LINES[edge.type]} {ids[edge.target]}")
    lines.extend(_CLASSES)
    for name, members in _members(extraction, ids):
        lines.append(f"  class {','.join(members)} {name};")
    return "\n".join(lines) + "\n"


def _box(node: Criterion, at: str, unit: str) -> str:
    opening, closing = _SHAPES[node.evaluation_logic]
    head = unit if node.criterion_id == "ROOT" else node.criterion_id
    logic = "" if node.evaluation_logic == "LEAF" else f" ({logic_text(node)})"
    text = " ".join(node.verbatim_text.split())
    short = text if len(text) <= _TEXT_LENGTH else text[:_TEXT_LENGTH].rsplit(" ", 1)[0] + " …"
    parts = [head + logic, short, *threshold_phrases(node.threshold)]
    label = "<br/>".join(_safe(part) for part in parts if part)
    return f'{at}{opening}"{label}"{closing}'


def _safe(text: str) -> str:
    """Return a label: what is no letter, digit, space or plain mark becomes a character entity of Mermaid (#35;)."""
    return "".join(c if c.isalnum() or c in " .,()/-" else f"#{ord(c)};" for c in clean(" ".join(text.split())))


def _members(extraction: Extraction, ids: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    nodes = list(extraction.criteria.walk())
    groups = {
        "quantitative": [ids[n.criterion_id] for n in nodes if n.category == "Quantitative"],
        "conditional": [ids[n.criterion_id] for n in nodes if n.applicability == "Conditional"],
    }
    return ((name, members) for name, members in groups.items() if members)


def mermaid(extractions: Iterable[Extraction]) -> bytes:
    """Return a Markdown file with a heading and a flowchart for each unit."""
    parts = ["# Criteria\n\nBox: AND. Diamond: OR. Hexagon: a number of them. Round: one criterion.\n"]
    for e in extractions:
        heading = _plain(f"{e.unit} {e.activity} ({e.source.document})")
        parts.append(f"\n## {heading}\n\n```mermaid\n{flowchart(e)}```\n")
    return "".join(parts).encode("utf-8", "replace")


def _plain(text: str) -> str:
    """Return a text as one line of Markdown without markup of its own."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>()#!|~" else c for c in clean(" ".join(text.split())))
