"""Acts of the store as data, converted once."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, cast

from regreact.config import Settings
from regreact.errors import ConfigError, RegReActError, SourceFormatError, StoreError
from regreact.rag import act as model
from regreact.rag.act import Content, LegalAct, Provision, ProvisionKind, Table
from regreact.rag.entry import Entry
from regreact.rag.store import Store, default_folder
from regreact.remember import Recent

# Acts in memory at a time, with what searches them: the taxonomy's acts cite some dozen, a large act takes some MB.
ACTS = 64


class Library:
    """Acts as they stood at a date, in one language; safe to share between threads.

    Args:
        store: Where the documents are.
        as_of: Date, None for the originals (`Store.best`).
        language: Two-letter code.
    """

    def __init__(self, store: Store, as_of: date | None = None, language: str = "en") -> None:
        self.store, self.as_of, self.language = store, as_of, language
        self._acts: Recent[tuple[str, str, str], LegalAct] = Recent(ACTS)
        self._busy: dict[tuple[str, str, str], threading.Lock] = {}
        self._lock = threading.Lock()

    def act(self, celex: str) -> LegalAct | None:
        """Return an act, None if the store does not hold it.

        Args:
            celex: CELEX id of the act; that of a consolidated version means this version and no other.

        Raises:
            StoreError: The id is none, or the document is missing or damaged.
            SourceError: The document cannot be converted, or says that it is another act.
        """
        entry = self.store.best(celex, self.as_of, self.language)
        return None if entry is None else self._of(entry)

    def _of(self, entry: Entry) -> LegalAct:
        key = entry.sha256, entry.id, entry.language
        with self._lock:
            busy = self._busy.setdefault(key, threading.Lock())
        # Two threads that want the same act convert it once; others go on.
        with busy:
            act = self._acts.get(key)
            if act is None:
                act = self._load(entry)
                self._acts.put(key, act)
            return act

    def others(self, celex: str) -> Iterator[LegalAct]:
        """Yield the other versions of an act that the store holds: earlier ones, the youngest first, then later ones.

        Versions that cannot be read are passed over: `act` tells of damage.
        """
        chosen = self.store.best(celex, self.as_of, self.language)
        held = [e.version for e in self.store.entries(celex) if e.language == self.language]
        now = chosen.version if chosen else ""
        earlier, later = sorted({v for v in held if v < now}, reverse=True), sorted({v for v in held if v > now})
        for version in (*earlier, *later):
            day = date.fromisoformat(version) if version else date.min
            entry = self.store.best(celex, day, self.language)
            try:
                if entry is not None:
                    yield self._of(entry)
            except RegReActError:
                continue

    def path(self, celex: str) -> Path | None:
        """Return the file of an act's document in Formex or XHTML, None if the store does not hold one."""
        entry = self.store.best(celex, self.as_of, self.language)
        return self.store.path(entry) if entry is not None and entry.format in ("formex", "xhtml") else None

    def _load(self, entry: Entry) -> LegalAct:
        name = f"acts/{converter_version()}/{entry.sha256}-{entry.id}-{entry.language}.json"
        kept = self.store.read_derived(name)
        if kept is not None:
            try:
                return act_from_json(json.loads(kept))
            except (ValueError, TypeError, KeyError, RecursionError):
                pass  # what is derived can be made anew
        act = self._convert(entry)
        # A store that can only be read serves as well, more slowly.
        with suppress(StoreError):
            self.store.write_derived(name, json.dumps(act_to_json(act), ensure_ascii=False).encode())
        return act

    def _convert(self, entry: Entry) -> LegalAct:
        from regreact.rag.convert import convert  # noqa: PLC0415  heavy
        from regreact.rag.identify import check, examine  # noqa: PLC0415  heavy

        data = self.store.read(entry)
        try:
            # What the manifest says may have been written by anyone: another act must not pass for this one.
            wanted = f"0{entry.id[1:]}" if entry.version else entry.celex
            check(entry.source, wanted, entry.language, examine(entry.source, data))
            return convert(data, name=entry.source, celex=entry.celex, version=entry.version, language=entry.language)
        except RegReActError:
            raise
        except Exception as error:  # a defect of a reader costs this act and no other
            problem = f"cannot be converted: {type(error).__name__} {error}"[:300]
            raise SourceFormatError(entry.source, problem, "please report; another format may do") from error


def store_of(settings: Settings) -> Store:
    """Return the store of acts that the settings name.

    Raises:
        ConfigError: There is none at its place, or it holds nothing in the language asked for.
        StoreError: Its manifest is damaged.
    """
    folder = Path(settings.rag.store) if settings.rag.store else default_folder()
    store = Store(folder) if folder.is_dir() else None
    held = sorted({entry.language for entry in store.entries()}) if store is not None else []
    if store is None or not held:
        raise ConfigError(
            f"rag.enabled=true needs a store of acts and {folder} {'is none' if store is None else 'holds no act'}: "
            "fill one with `regreact fetch --cited-in SOURCE` or `regreact fetch --from FOLDER`, and name it with "
            "rag.store if it is elsewhere"
        )
    if settings.rag.language not in held:
        raise ConfigError(
            f"rag.language={settings.rag.language}: {folder} holds acts in {', '.join(held)} only; fetch them in that "
            "language (`regreact fetch --language`) or choose another"
        )
    return store


def library_of(settings: Settings) -> Library:
    """Return the acts at hand: at `rag.as_of`, else in the youngest version."""
    day = date.fromisoformat(settings.rag.as_of) if settings.rag.as_of else date.max
    return Library(store_of(settings), day, settings.rag.language)


def store_digest(settings: Settings) -> str:
    """Return a digest of what the store holds."""
    held = [f"{e.id} {e.language} {e.sha256}" for e in store_of(settings).entries()]
    return hashlib.sha256("\n".join(held).encode()).hexdigest()[:16]


@cache
def converter_version() -> str:
    """Return a name for the code that converts, so that what older code made is not taken for its result."""
    folder = Path(__file__).parent / "convert"
    files = sorted([*folder.rglob("*.py"), Path(model.__file__)])
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def act_to_json(act: LegalAct) -> dict[str, Any]:
    """Return an act as JSON values; `act_from_json` leads back to an equal one."""
    return {
        "celex": act.celex,
        "version": act.version,
        "language": act.language,
        "format": act.format,
        "sha256": act.sha256,
        "title": act.title,
        "content": _dump(act.content),
        "notes": list(act.notes),
    }


def act_from_json(data: dict[str, Any]) -> LegalAct:
    """Return the act that `act_to_json` wrote.

    Raises:
        KeyError: A field is missing.
        TypeError, ValueError: A field is of another type.
    """
    plain = {name: data[name] for name in ("celex", "version", "language", "format", "sha256", "title")}
    if not all(isinstance(value, str) for value in plain.values()):
        raise TypeError("a field of the act is no text")
    return LegalAct(**plain, content=_load(data["content"]), notes=tuple(data["notes"]))


def _dump(content: Iterable[Content]) -> list[Any]:
    """Texts stay texts, tables are objects, provisions are lists of their five fields."""
    found: list[Any] = []
    for part in content:
        if isinstance(part, str):
            found.append(part)
        elif isinstance(part, Table):
            found.append({"rows": [list(row) for row in part.rows], "caption": part.caption})
        else:
            found.append([part.kind, part.label, part.address, part.heading, _dump(part.content)])
    return found


def _load(values: Iterable[Any]) -> tuple[Content, ...]:
    found: list[Content] = []
    for value in values:
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            found.append(Table(tuple(tuple(row) for row in value["rows"]), value["caption"]))
        else:
            kind, label, address, heading, below = value
            found.append(Provision(cast("ProvisionKind", kind), label, address, heading, _load(below)))
    return tuple(found)
