"""Blocks in the making: list nesting, paths, footnote markers and text cleaning, the same for every format.

A reader walks its markup and tells a `BlockCollector` what it meets; the collector numbers the blocks, keeps
the depth and the path, and sets the footnote markers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from regreact.controls import unseen_removed
from regreact.sources.model import Block

# Printed number before an emphasised heading ("4. "): no part of the emphasis in some sources.
_NUMBER_LABEL = re.compile(r"\(?\d+(\.\d+)*[.)]?|\(?[a-z]\)")
_DASHES = frozenset("-–—•·◦▪−")
_ROMAN = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def fold(text: str) -> str:
    """Return the text as a reader of the page sees it, on one line.

    Every run of white space (no-break spaces too) is one space, ends are trimmed. Characters that only tell where a
    line may break, or that show nothing, are left out: "2010/\u200b75" is "2010/75".
    """
    return " ".join(unseen_removed(text).split())


def loses_letters(shown: Iterable[str], kept: Iterable[str]) -> bool:
    """True if some letter stands more often in the texts shown than in those kept.

    Spaces, digits and marks are left aside: readers fold, number and bracket them.

    Example:
        >>> loses_letters(["Losses (1)"], ["osses"]), loses_letters(["5 % ", "or"], ["or 5%"])
        (True, False)
    """
    letters, held = Counter("".join(shown)), Counter("".join(kept))
    return any(count > held[char] for char, count in letters.items() if char.isalpha())


def clean_marker(label: str) -> str | None:
    """Return a printed list label without brackets and final stop; None if nothing is left.

    Example:
        >>> [clean_marker(x) for x in ("(a)", "1.", "2.1.", "—", "")]
        ['a', '1', '2.1', '-', None]
    """
    label = fold(label)
    if label in _DASHES:
        return "-"
    return label.strip("(). ") or None


def ordinal_marker(kind: str, number: int) -> str:
    """Return the label that a browser prints for item `number` of `<ol type=kind>`, without punctuation.

    Example:
        >>> [ordinal_marker(k, 4) for k in ("a", "A", "i", "1")]
        ['d', 'D', 'iv', '4']
    """
    if kind in ("a", "A"):
        letters = ""
        while number > 0:
            number, rest = divmod(number - 1, 26)
            letters = chr(ord("a") + rest) + letters
        return letters.upper() if kind == "A" else letters
    if kind in ("i", "I"):
        numeral = ""
        for value, digits in _ROMAN:
            count, number = divmod(number, value)
            numeral += digits * count
        return numeral.upper() if kind == "I" else numeral
    return str(number)


@dataclass(frozen=True, slots=True)
class Text:
    """A run of characters; `emphasis` if it stands in italics, bold or underlined."""

    text: str
    emphasis: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote at the place of its marker.

    Attributes:
        key: What identifies the note in the source; two markers of one note share it.
        text: The footnote's text.
        label: Number as printed, or None if the unit numbers its notes itself.
    """

    key: str
    text: str
    label: str | None = None


Part = Text | Note


@dataclass
class _Container:
    """Something that holds paragraphs and lists: the section or a list item."""

    path: str
    counts: Counter[str] = field(default_factory=Counter)

    def step(self, name: str) -> str:
        self.counts[name] += 1
        return f"{self.path}{name}[{self.counts[name]}]"


class BlockCollector:
    """Builds the blocks and footnotes of one unit from what a reader meets, in document order.

    Paths count paragraphs (`p[2]`), lists (`ol[1]`) and items (`ol[1]/li[3]`) within the item or section that
    holds them; elements that only wrap (divisions, table cells, groups) leave no step.

    Example:
        >>> collector = BlockCollector()
        >>> _ = collector.add([Text("Either:")])
        >>> with collector.in_list(), collector.in_item("a"):
        ...     _ = collector.add([Text("less noise")], tag="li")
        >>> [(b.text, b.depth, b.marker, b.path) for b in collector.blocks]
        [('Either:', 0, None, 'p[1]'), ('less noise', 1, 'a', 'ol[1]/li[1]')]
    """

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.footnotes: dict[str, str] = {}
        self._labels: dict[str, str] = {}
        self._containers = [_Container("")]
        self._lists: list[_Container] = []
        self._marker: str | None = None

    @contextmanager
    def in_list(self, name: str = "ol") -> Iterator[None]:
        """Enter a list element; `name` is its step in the path."""
        self._lists.append(_Container(self._containers[-1].step(name) + "/"))
        yield
        self._lists.pop()

    @contextmanager
    def in_item(self, marker: str | None) -> Iterator[None]:
        """Enter an item of the innermost list."""
        outer, self._marker = self._marker, marker
        self._containers.append(_Container(self._lists[-1].step("li") + "/"))
        yield
        self._containers.pop()
        self._marker = outer

    @property
    def depth(self) -> int:
        """Number of lists around the place that the reader has reached."""
        return len(self._lists)

    def add(self, parts: list[Part], tag: str = "p", heading: bool = False) -> Block | None:
        """Add the block that `parts` make up, or nothing if they hold no text.

        Args:
            parts: Text and notes of the block itself, without nested blocks.
            tag: `p`, or `li` for the block of the current list item.
            heading: True if the place makes it a heading, whatever its emphasis.

        Returns:
            The block, or None if there is no text.
        """
        if not any(isinstance(p, Note) or unseen_removed(p.text).strip() for p in parts):
            return None
        notes = [(p, self._number(p)) for p in parts if isinstance(p, Note)]
        labels = {id(note): note.label or identifier for note, identifier in notes}
        orig = "".join(f"({labels[id(p)]})" if isinstance(p, Note) else p.text for p in parts)
        is_item = tag == "li"
        container = self._containers[-1]
        block = Block(
            index=len(self.blocks),
            tag=tag,
            depth=self.depth,
            marker=self._marker if is_item else None,
            text=fold(orig),
            orig=orig,
            path=container.path.rstrip("/") if is_item else container.step("p"),
            footnotes=tuple(f"fn-{identifier}" for _, identifier in notes),
            heading=heading or _all_emphasised(parts),
        )
        self.blocks.append(block)
        return block

    def _number(self, note: Note) -> str:
        """Return what identifies the note: its printed number, its own if it had a marker before, or the next one.

        Two notes of different texts that print one number are told apart: "3" and "3-2".
        """
        label = note.label or self._labels.get(note.key) or str(len(self.footnotes) + 1)
        self._labels[note.key] = label
        identifier, count = label, 1
        while note.text and self.footnotes.get(f"fn-{identifier}", "") not in ("", note.text):
            count += 1
            identifier = f"{label}-{count}"
        self.footnotes[f"fn-{identifier}"] = note.text or self.footnotes.get(f"fn-{identifier}", "")
        return identifier


def _all_emphasised(parts: list[Part]) -> bool:
    """True if all words are emphasised; a printed number before them need not be."""
    texts = [p for p in parts if isinstance(p, Text) and p.text.strip()]
    plain = fold("".join(p.text for p in texts if not p.emphasis))
    return any(p.emphasis for p in texts) and (not plain or _NUMBER_LABEL.fullmatch(plain) is not None)
