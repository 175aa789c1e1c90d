"""Sections of the delegated acts that a reference leads to, with their criterion trees.

A place is named by an address `unit:<key>`, `unit:<key>#<criterion id>` (one criterion with what is below it) or
`unit:<key>/sec_II` (a section of an appendix, whose heading is the criterion `II`).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence

from regreact.errors import UnitError
from regreact.rag.internal import ANNEXES
from regreact.schema import Criterion
from regreact.sources.model import Document, Unit

UNIT = "unit:"
_ADDRESS = re.compile(r"^unit:(?P<key>[^#]+?)(?:/sec_(?P<section>\w+)|#(?P<criterion>.+))?$")

# Delegated acts by the annex that a unit key begins with.
ANNEX_ACTS = {annex: act for act, annexes in ANNEXES.items() for annex in annexes}


def unit_key(address: str) -> str:
    """Return the key of the unit that an address is in.

    Example:
        >>> unit_key("unit:CCM-5.7/SC#1"), unit_key("unit:CCM-Appendix-A/sec_II")
        ('CCM-5.7/SC', 'CCM-Appendix-A')
    """
    return address.removeprefix(UNIT).partition("#")[0].partition("/sec_")[0]


class Sections:
    """Looks sections up by key and extracts their trees when asked for.

    Args:
        documents: Documents of the run.
        extract: Returns the criterion tree of a unit.
        further: Returns a delegated act from the store by CELEX id, None if it is not there. Asked for what the
            documents of the run lack: a dump of the Compass has no appendices.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        extract: Callable[[Unit], Criterion],
        further: Callable[[str], Document | None] = lambda _: None,
    ) -> None:
        self._documents = {d.document: {u.key: u for u in d.units} for d in documents}
        self._extract, self._further = extract, further
        self._trees: dict[tuple[str, str], Criterion] = {}
        self._stored: dict[str, dict[str, Unit]] = {}
        self._lock = threading.RLock()

    def keys(self, document: str) -> frozenset[str]:
        """Return the keys of a document's units, none if it is not at hand."""
        return frozenset(self._documents.get(document, ()))

    def unit(self, document: str, key: str) -> Unit | None:
        """Return a unit of the citing document, else of any document at hand, else of the act in the store."""
        own = self._documents.get(document, {})
        if key in own:
            return own[key]
        for units in self._documents.values():
            if key in units:
                return units[key]
        act = ANNEX_ACTS.get(key.partition("-")[0])
        return None if act is None else self._of_store(act).get(key)

    def criteria(self, document: str, address: str) -> tuple[Criterion, ...]:
        """Return the criteria at an address with their children; empty if there is nothing at it.

        Args:
            document: Document that cites.
            address: `unit:CCM-5.12/SC`, `unit:CCM-5.7/SC#1` or `unit:CCM-Appendix-A/sec_II`.

        A section that is too large to be read counts as not at hand: that costs the reference, not who cites.
        """
        match = _ADDRESS.match(address)
        unit = self.unit(document, match["key"]) if match else None
        if match is None or unit is None:
            return ()
        try:
            tree = self._tree(unit)
        except UnitError:
            return ()
        wanted = match["criterion"] or match["section"]
        return tuple(c for c in tree.walk() if c.criterion_id == wanted) if wanted else (tree,)

    def _tree(self, unit: Unit) -> Criterion:
        place = unit.document, unit.key
        with self._lock:
            if place not in self._trees:
                self._trees[place] = self._extract(unit)
            return self._trees[place]

    def _of_store(self, act: str) -> dict[str, Unit]:
        with self._lock:
            if act not in self._stored:
                document = self._further(act)
                self._stored[act] = {u.key: u for u in document.units} if document else {}
            return self._stored[act]
