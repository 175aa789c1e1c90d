"""A criterion with the children that take part in its evaluation."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from regreact.answers import LogicValue
from regreact.fastpath.cues import sentences
from regreact.schema import Logic
from signatures.types import CriterionView

_LABEL = re.compile(r"^\d{1,2}(?:\.\d{1,2})*\.\s+|^\d{1,2}(?:\.\d{1,2})+\s+(?=[A-Z])|^\([a-z]{1,5}\)\s+")
_FOOTNOTES = re.compile(r"\s?\(\d{1,3}\)")

OR = LogicValue("OR")
AND = LogicValue("AND")


@dataclass(frozen=True, slots=True)
class Family:
    """A criterion and the children that decide its logic.

    Attributes:
        parent: The criterion.
        chapeau: Its last sentence, which announces the children, without its number.
        offset: Where that sentence begins in the text of the block.
        children: The children; no background, and no anchored paragraphs.
        texts: Their texts without number, label and footnote markers.
        above: Logic of the criterion above, None if it is not decided or there is none.
    """

    parent: CriterionView
    chapeau: str
    offset: int
    children: tuple[CriterionView, ...]
    texts: tuple[str, ...]
    above: Logic | None = None


Decision = tuple[LogicValue, tuple[int, int] | None]
"""Logic, and the characters of the chapeau that decided, None if the children did."""

Decide = Callable[[Family], Decision | None]


def family_of(parent: CriterionView, children: Sequence[CriterionView], above: Logic | None = None) -> Family:
    """Return a criterion with its children, texts stripped of labels."""
    start = sentences(parent.text)[-1][0] if parent.text else 0
    chapeau = parent.text[start:]
    if start == 0 and (label := _LABEL.match(chapeau)):
        start, chapeau = label.end(), chapeau[label.end() :]
    texts = tuple(_FOOTNOTES.sub("", _LABEL.sub("", c.text)).strip() for c in children)
    return Family(parent, chapeau, start, tuple(children), texts, above)
