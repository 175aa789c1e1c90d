"""Citations become addresses: which provisions of an act, or which sections of the criteria, a citation means.

The words of the place come from `regreact.legal`; here they are looked up in the act as it is built. What cannot be
found is said with its cause, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from regreact.legal.citations import Citation, find_citations
from regreact.legal.pinpoints import Path, places
from regreact.legal.place_grammar import ITEMS_OF
from regreact.rag.act import LegalAct, Provision
from regreact.rag.internal import is_internal, own_sections, resolve_internal
from regreact.rag.lookup import Place, PlaceError, find

__all__ = [
    "CitedPlace", "Resolution", "citations_of", "cited_places", "resolve", "resolve_internal", "resolve_words",
    "text_of", "text_of_place",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a citation means.

    Attributes:
        celex: CELEX id of the act meant, None for a place in the citing document or a document that is no act.
        addresses: Places meant, in the order cited, each once; empty for the whole act and where nothing was found.
        places: The places as found, parallel to `addresses`; empty if the act is not at hand or the places are units.
        cause: Why something is missing, "" if all is found.
    """

    celex: str | None
    addresses: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    cause: str = ""

    @property
    def provisions(self) -> tuple[Provision, ...]:
        """Provisions parallel to `addresses`; for a counted subparagraph the provision that holds it."""
        return tuple(place.provision for place in self.places)


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A citation with what it means.

    Attributes:
        citation: The citation.
        resolution: What it means.
        act: The version of the act in which that was found, None if the act is not at hand or it is none.
    """

    citation: Citation
    resolution: Resolution
    act: LegalAct | None = None


def citations_of(text: str, previous: Sequence[Citation] = ()) -> list[Citation]:
    """Return the citations of a text, with the places that are no references of their own but lead somewhere.

    These are sections of the appendix itself, and numbered items of an act just named ("that Directive’s Descriptors 1
    (lakes) and 6 (sea bed)").

    Args:
        text: Text of one criterion or footnote.
        previous: Citations of earlier criteria, which "that Directive" may mean.
    """
    found = find_citations(text, previous)
    items = [c for match in ITEMS_OF.finditer(text) for c in _items_of(match, [*previous, *found], found)]
    return sorted([*found, *own_sections(text), *items], key=lambda c: c.start)


def _items_of(match: re.Match[str], known: Sequence[Citation], found: Sequence[Citation]) -> list[Citation]:
    """Return the items of the act of that type named last, none if a citation behind them holds them."""
    held = any(c.items and c.start - len(c.items) <= match.start("items") < c.start for c in found)
    acts = [c for c in known if c.celex and match["act"] in c.title and (c not in found or c.end <= match.start())]
    if held or not acts:
        return []
    words = f"{match['items']} in the Annex"
    return [Citation(*match.span(), match[0], "eu-act", acts[-1].celex, words, acts[-1].title, "items of that act")]


def resolve(citation: Citation, act: LegalAct | None, place: str = "") -> Resolution:
    """Return the provisions of an act that a citation means.

    Args:
        citation: A citation of an act, as `find_citations` returns it.
        act: The act cited; None if it is not at hand: the addresses are then what the words alone say.
        place: Address of the citing provision where the act cites itself ("this Annex", "paragraph 2").
    """
    if act is None:
        cause = f"{citation.celex} is not at hand" if citation.celex else "the act is not known"
        return Resolution(citation.celex, citation.addresses, (), cause)
    if citation.celex not in (None, act.celex):
        return Resolution(citation.celex, (), (), f"{citation.celex} is cited, {act.celex} is at hand")
    if not citation.pinpoint:
        return Resolution(act.celex)
    return resolve_words(citation.place, act, place)


def resolve_words(words: str, act: LegalAct, place: str = "") -> Resolution:
    """Return the provisions that the words of a place mean in an act.

    Args:
        words: A place without its act: "Article 3(17)", "points 1 and 2 of this Annex".
        act: The act it is in.
        place: Address of the citing provision where the act cites itself.
    """
    paths = places(words)
    found: list[Place] = []
    causes: list[str] = [] if paths else [f"{words!r} names no place"]
    for path in paths:
        try:
            found.extend(find(act, path, place))
        except PlaceError as error:
            causes.append(f"{act.id}: {error}")
            found.extend(_around(act, path, place))
    found = list({p.address: p for p in found}.values())
    return Resolution(act.celex, tuple(p.address for p in found), tuple(found), "; ".join(causes))


def _around(act: LegalAct, path: Path, place: str) -> list[Place]:
    """Return the place around items that the act does not number; they are somewhere in it."""
    if path[-1].kind != "itm" or len(path) == 1:
        return []
    try:
        return find(act, path[:-1], place)
    except PlaceError:
        return []


def text_of(resolution: Resolution, act: LegalAct) -> str:
    """Return the text of the places found, one printed paragraph a line; of the whole act if none is cited."""
    if not resolution.addresses and not resolution.cause:
        return act.text
    return "\n".join(text_of_place(place) for place in resolution.places)


def text_of_place(place: Place) -> str:
    """Return what is printed at a place, one printed paragraph a line."""
    if place.address == place.provision.address or place.content == place.provision.content:
        return place.provision.text
    # a provision without label and heading prints its content alone
    return Provision("anx", "", place.address, "", place.content).text.partition("\n")[2]


def _in_an_act(
    citation: Citation, act_of: Callable[[str], LegalAct | None], others_of: Callable[[str], Iterable[LegalAct]]
) -> CitedPlace:
    act = act_of(citation.celex) if citation.celex else None
    found = resolve(citation, act)
    if act is None or not citation.celex or not found.cause:
        return CitedPlace(citation, found, act)
    for other in others_of(citation.celex):
        elsewhere = resolve(citation, other)
        if not elsewhere.cause:
            return CitedPlace(citation, elsewhere, other)
    return CitedPlace(citation, found, act)


def cited_places(
    text: str,
    unit: str,
    act_of: Callable[[str], LegalAct | None],
    keys: Collection[str] = (),
    previous: Sequence[Citation] = (),
    others_of: Callable[[str], Iterable[LegalAct]] = lambda _: (),
) -> list[CitedPlace]:
    """Return the citations of a text in order, each with what it means.

    Args:
        text: Text of one criterion or footnote.
        unit: Key of the unit that prints it.
        act_of: Gives the act with a CELEX id, None if it is not at hand.
        keys: Keys of the units at hand; a criterion of one may stand beside it as `key#criterion`.
        previous: Citations of earlier criteria, which "that Directive" may mean.
        others_of: Gives the other versions of an act, the likeliest first; a place that the act has no more, or not
            yet, is the place in the first version that has it.
    """
    found = []
    for citation in citations_of(text, previous):
        if is_internal(citation):
            addresses = resolve_internal(citation, unit, text, keys)
            cause = "" if addresses else f"no unit at hand is {citation.phrase!r} of {unit}"
            found.append(CitedPlace(citation, Resolution(citation.celex, addresses, (), cause)))
        elif citation.kind == "eu-act":
            found.append(_in_an_act(citation, act_of, others_of))
        else:
            found.append(CitedPlace(citation, Resolution(None, (), (), f"a {citation.kind} is no act of the Union")))
    return found
