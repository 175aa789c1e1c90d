"""Which units a command works on: samples, files and folders, selected by key."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from regreact.config import data_dir
from regreact.errors import ConfigError, NoUnitMatchedError, SourceError, SourceFormatError, SourceNotFoundError
from regreact.legal.citations import find_internal_points
from regreact.sources import read, read_many
from regreact.sources.comparison import normal_text
from regreact.sources.model import Document, Unit, UnitFailure

SAMPLES = "samples"
# Share of the blocks of a unit that its official counterpart has word for word.
_SAME_SECTION = 0.5


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents of a source, files that could not be read, and files left out because another is that document."""

    documents: tuple[Document, ...]
    unreadable: tuple[SourceError, ...] = ()
    duplicates: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """Units to work on, units that cannot be read, and patterns that matched nothing."""

    units: tuple[Unit, ...]
    failures: tuple[UnitFailure, ...]
    unmatched: tuple[str, ...] = ()


def load(source: str) -> Corpus:
    """Read a source: `samples`, a file, or a folder with files of any format.

    Raises:
        SourceNotFoundError: There is nothing at the path.
        SourceFormatError: The file is of no known format, or damaged.
    """
    if not source.strip():
        raise SourceNotFoundError("''", "an empty name", "give a file, a folder, or the word samples")
    if source == SAMPLES:
        folders = [read_many(data_dir("samples") / name) for name in ("compass", "formex")]
    elif Path(source).is_dir():
        folders = [read_many(Path(source))]
    else:
        return Corpus((read(Path(source)),))
    return Corpus(
        tuple(d for folder in folders for d in folder.documents),
        tuple(e for folder in folders for e in folder.failures),
        tuple(p for folder in folders for p in folder.duplicates),
    )


def select(documents: Sequence[Document], patterns: Sequence[str] = ()) -> Selection:
    """Select units by key; `*` and `?` work as in file names.

    Args:
        documents: Where to look.
        patterns: Unit keys such as `CCM-4.1/SC` or `CCM-4.*/SC`; empty for all.

    Raises:
        NoUnitMatchedError: No pattern matches any unit; the message names close keys.
    """
    units = [u for d in documents for u in d.units]
    failures = [f for d in documents for f in d.failures]
    if not patterns:
        if not units and not failures:
            raise NoUnitMatchedError("the source holds no units")
        return Selection(tuple(units), tuple(failures))

    def wanted(key: str) -> bool:
        return any(fnmatchcase(key, p) for p in patterns)

    chosen = tuple(u for u in units if wanted(u.key))
    failed = tuple(f for f in failures if wanted(f.key))
    keys = [u.key for u in (*units,)] + [f.key for f in failures]
    unmatched = tuple(p for p in patterns if not any(fnmatchcase(k, p) for k in keys))
    if not chosen and not failed:
        raise NoUnitMatchedError(f"no unit matches {', '.join(patterns)}{_hint(patterns[0], keys)}")
    return Selection(chosen, failed, unmatched)


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several equal parts of any corpus. Which part a unit is in rests on its document and key alone.

    Attributes:
        number: From 1.
        of: Number of parts.
    """

    number: int
    of: int

    @staticmethod
    def parse(text: str) -> Shard:
        """Read `2/8`.

        Raises:
            ConfigError: It has another form, or there is no such part.
        """
        match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
        shard = Shard(int(match[1]), int(match[2])) if match else Shard(0, 0)
        if not 1 <= shard.number <= shard.of:
            raise ConfigError(f"{text!r} is no part of a corpus: write 2/8 for the second of eight")
        return shard

    def holds(self, document: str, key: str) -> bool:
        """True if a unit is in this part."""
        digest = hashlib.sha256(f"{document}\0{key}".encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8]) % self.of == self.number - 1

    def of_selection(self, selection: Selection) -> Selection:
        """Return what of a selection is in this part."""
        return replace(
            selection,
            units=tuple(u for u in selection.units if self.holds(u.document, u.key)),
            failures=tuple(f for f in selection.failures if self.holds(f.document, f.key)),
        )


def _hint(pattern: str, keys: Sequence[str]) -> str:
    close = difflib.get_close_matches(pattern, keys, n=3, cutoff=0.5)
    if close:
        return f"; close keys: {', '.join(close)}"
    return f"; the source holds {len(keys)} units, for instance {keys[0]}" if keys else "; the source holds no units"


def official_acts(path: Path) -> tuple[Document, ...]:
    """Read the official acts of a file or folder.

    Raises:
        SourceNotFoundError: There is nothing at the path.
        SourceFormatError: It holds no act in Formex, the only form that keeps the official nesting.
    """
    acts = tuple(d for d in load(str(path)).documents if any(u.format == "formex" for u in d.units))
    if not acts:
        raise SourceFormatError(path, "no act in Formex, which alone keeps the official nesting", "give a .fmx.xml act")
    return acts


def officials(units: Sequence[Unit], acts: Sequence[Document]) -> dict[tuple[str, str], Unit]:
    """Return the same section of an official act for each unit that comes from elsewhere and cites points.

    The Compass counts some activities otherwise than the Official Journal, and a fragment has no number at all: the
    section that shares most texts with the unit is its counterpart, if it shares at least half of them.

    Args:
        units: What is to be extracted.
        acts: Documents; those in Formex are official. Of several versions of an act the closest in wording counts.

    Returns:
        Official units by document id and key of the unit.
    """
    official = [u for act in acts for u in act.units if u.format == "formex"]
    asking = [u for u in units if u.format != "formex"] if official else []
    asking = [u for u in asking if any(find_internal_points(b.text) for b in u.blocks)]
    if not asking:
        return {}
    by_text: dict[str, list[int]] = {}
    for at, section in enumerate(official):
        for text in {normal_text(b) for b in section.blocks}:
            by_text.setdefault(text, []).append(at)
    found: dict[tuple[str, str], Unit] = {}
    for unit in asking:
        shared = Counter(at for b in unit.blocks for at in by_text.get(normal_text(b), ()))
        if shared:
            best = max(shared, key=lambda at: (shared[at], official[at].key == unit.key, official[at].document))
            if shared[best] >= _SAME_SECTION * len(unit.blocks):
                found[unit.document, unit.key] = official[best]
    return found
