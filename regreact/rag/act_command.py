"""What `regreact act` prints: an act of the store, or what stands at a place in it."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from regreact.errors import NoUnitMatchedError, StoreError
from regreact.rag.act import LegalAct
from regreact.rag.command import parse_day
from regreact.rag.convert.markdown import to_markdown
from regreact.rag.library import Library
from regreact.rag.pinpoint import resolve_words, text_of_place
from regreact.rag.store import Store, default_folder


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for.

    Attributes:
        celex: CELEX id of an act, or of one consolidated version.
        at: Address of a provision, "" for the whole act.
        cited: A place in words, "" for none.
        markdown: As Markdown.
        store: Folder of the store, None for the usual one.
        as_of: Day whose version counts, None for the youngest.
        language: Two-letter code.
    """

    celex: str
    at: str = ""
    cited: str = ""
    markdown: bool = False
    store: Path | None = None
    as_of: str | None = None
    language: str = "en"


def run(wanted: Wanted) -> str:
    """Return the text asked for.

    Raises:
        StoreError: The store does not hold the act.
        NoUnitMatchedError: The act has no such place; the message names close addresses.
    """
    folder = wanted.store or default_folder()
    day = parse_day(wanted.as_of) if wanted.as_of else date.max
    found = Library(Store(folder), day, wanted.language).act(wanted.celex)
    if found is None:
        raise StoreError(f"{folder} does not hold {wanted.celex}: regreact fetch {wanted.celex}")
    if wanted.cited:
        return _cited(found, wanted.cited)
    if wanted.at:
        return _at(found, wanted.at)
    return to_markdown(found) if wanted.markdown else found.text


def _cited(act: LegalAct, words: str) -> str:
    resolution = resolve_words(words, act)
    if not resolution.places:
        raise NoUnitMatchedError(resolution.cause)
    return "\n".join(f"[{p.address}] {text_of_place(p)}" for p in resolution.places)


def _at(act: LegalAct, address: str) -> str:
    provision = act.by_address.get(address)
    if provision is None:
        close = difflib.get_close_matches(address, act.by_address, n=3, cutoff=0.5)
        raise NoUnitMatchedError(f"{act.id} has no {address}; close addresses: {', '.join(close) or 'none'}")
    return provision.text
