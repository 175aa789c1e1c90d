"""Deletions in consolidated Formex: what an act has deleted still stands between its marks, but is law no more."""

from __future__ import annotations

from lxml import etree


def drop_deleted(root: etree._Element) -> None:
    """Remove what stands between a mark of deletion and its closing mark.

    A change is a pair of processing instructions, `<?CLG.MDFO ID="O1" … ACTION="DELETED"?>` and
    `<?CLG.MDFC IDREF="O1"?>`, around what it concerns. The marks themselves stay. A mark that is not closed beside its
    opening deletes nothing.
    """
    opening = [mark for mark in root.iter(etree.ProcessingInstruction) if _is(mark, "CLG.MDFO")]
    for mark in opening:
        parent = mark.getparent()
        between = _up_to_closing(mark) if mark.get("ACTION") == "DELETED" else None
        if parent is not None and between is not None:
            mark.tail = None
            for node in between:
                parent.remove(node)


def _up_to_closing(mark: etree._Element) -> list[etree._Element] | None:
    """Return the siblings between a mark and the one that closes it, None if none does."""
    between: list[etree._Element] = []
    for node in mark.itersiblings():
        if _is(node, "CLG.MDFC") and node.get("IDREF") == mark.get("ID"):
            return between
        between.append(node)
    return None


def _is(node: etree._Element, target: str) -> bool:
    return isinstance(node, etree._ProcessingInstruction) and node.target == target
