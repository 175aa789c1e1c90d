"""What the criteria of an extraction cite: their sources and the items of their footnotes, with the places meant."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from regreact.legal.citations import Citation
from regreact.rag.act import LegalAct
from regreact.rag.iterate import Pair
from regreact.rag.pinpoint import CitedPlace, cited_places
from regreact.schema import Criterion, Definition, FootnoteItem, ReferenceSource
from regreact.sources.model import Unit
from signatures.passages import CitedSource
from signatures.types import CriterionView, UnitHeader

Slot = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """A source of a criterion, or an item of one of its footnotes, and the citations that name it.

    Attributes:
        criterion: The criterion.
        above: Texts of the criteria above it, outermost first.
        text: The citation as printed, or the item's title.
        celex: CELEX id, None if it is no act of the Union or unknown.
        fetched: Whether compliance cannot be judged without it.
        standard: Whether it is a standard.
        cited: The citations with what they mean; several in a footnote that names an act twice.
        slot: Where the enrichment goes: ("source", index) or ("item", footnote index, item index).
    """

    criterion: Criterion
    above: tuple[str, ...]
    text: str
    celex: str | None
    fetched: bool
    standard: bool
    cited: tuple[CitedPlace, ...]
    slot: Slot

    @property
    def addresses(self) -> tuple[str, ...]:
        """Places that the citations name."""
        return tuple(dict.fromkeys(a for c in self.cited for a in c.resolution.addresses))

    @property
    def causes(self) -> tuple[str, ...]:
        """Why places are missing."""
        return tuple(dict.fromkeys(c.resolution.cause for c in self.cited if c.resolution.cause))

    @property
    def acts(self) -> dict[str, LegalAct]:
        """The versions of the act in which the places were found, by id."""
        return {c.act.id: c.act for c in self.cited if c.act is not None}

    @property
    def phrase(self) -> str:
        """The citations as printed; the item's title where its footnote cites otherwise."""
        return "; ".join(dict.fromkeys(c.citation.phrase for c in self.cited)) or self.text

    def pair(self, unit: Unit) -> Pair:
        """Return criterion and source as the questions of retrieval take them."""
        own = self.criterion
        return Pair(
            unit=UnitHeader(unit=unit.key, activity=unit.activity, objective=unit.objective, section=unit.section),
            criterion=CriterionView(criterion_id=own.criterion_id, parent=None, block=None, text=own.verbatim_text),
            reference=CitedSource(text=self.phrase, celex_id=self.celex, addresses=self.addresses),
            above=self.above,
            terms=tuple(Definition(term=d.term, definition=d.definition) for f in own.footnotes for d in f.definitions),
        )


class Citations:
    """Reads what the criteria of a unit cite.

    Args:
        unit: The unit.
        act_of: Gives the act with a CELEX id, None if it is not at hand.
        others_of: Gives its other versions, the likeliest first.
        keys: Keys of the units at hand.
    """

    def __init__(
        self,
        unit: Unit,
        act_of: Callable[[str], LegalAct | None],
        others_of: Callable[[str], Iterable[LegalAct]],
        keys: Collection[str],
    ) -> None:
        self.unit, self.act_of, self.others_of, self.keys = unit, act_of, others_of, keys
        self._previous: list[Citation] = []

    def references(self, tree: Criterion) -> Iterator[Reference]:
        """Yield the sources and footnote items of all criteria, in document order."""
        above: dict[str, tuple[str, ...]] = {}
        for criterion in tree.walk():
            own = above.setdefault(criterion.criterion_id, ())
            chain = (*own, criterion.verbatim_text) if criterion.verbatim_text else own
            above.update({c.criterion_id: chain for c in criterion.sub_criteria})
            cited = self._places(criterion.verbatim_text)
            self._previous.extend(c.citation for c in cited)
            for index, source in enumerate(criterion.references.sources if criterion.references else ()):
                places = _named(source.text, source.celex_id, cited) or self._alone(source)
                standard = any(p.citation.kind == "standard" for p in places)
                fetched = source.type == "must_be_fetched"
                slot = ("source", index)
                yield Reference(criterion, own, source.text, source.celex_id, fetched, standard, places, slot)
            for number, footnote in enumerate(criterion.footnotes):
                noted = self._places(footnote.verbatim)
                for index, item in enumerate(footnote.items):
                    yield _item(criterion, own, item, (noted, cited), ("item", number, index))

    def _places(self, text: str) -> list[CitedPlace]:
        if not text:
            return []
        return cited_places(text, self.unit.key, self.act_of, self.keys, self._previous, self.others_of)

    def _alone(self, source: ReferenceSource) -> tuple[CitedPlace, ...]:
        """Return what the words of a source mean by themselves, for one that is not printed as it stands."""
        found = self._places(source.text)
        return tuple(c for c in found if source.celex_id is None or c.citation.celex == source.celex_id)


def _named(text: str, celex: str | None, cited: list[CitedPlace]) -> tuple[CitedPlace, ...]:
    """Return the citations with a source's words; of an act named otherwise, the one with most words in common."""
    same = tuple(c for c in cited if c.citation.phrase == text)
    if same or celex is None:
        return same
    words = set(text.split())
    close = [c for c in cited if c.citation.celex == celex and words & set(c.citation.phrase.split())]
    return (max(close, key=lambda c: len(words & set(c.citation.phrase.split()))),) if close else ()


def _item(
    criterion: Criterion,
    above: tuple[str, ...],
    item: FootnoteItem,
    texts: tuple[list[CitedPlace], list[CitedPlace]],
    slot: Slot,
) -> Reference:
    """Return a footnote's item as a reference, with the citations that name its act.

    A footnote that gives no place is the full name of an act that the text cites by one: the place is the text's.

    Args:
        criterion: The criterion.
        above: Texts of the criteria above it.
        item: The item.
        texts: Citations of the footnote and of the criterion itself.
        slot: Where the enrichment goes.
    """
    noted, body = texts
    of_act = tuple(c for c in noted if item.celex_id and c.citation.celex == item.celex_id)
    if of_act and not any(c.citation.pinpoint for c in of_act):
        placed = tuple(c for c in body if c.citation.celex == item.celex_id and c.citation.pinpoint)
        of_act = placed or of_act
    cited = of_act or tuple(c for c in noted if c.citation.title == item.title)
    fetched = item.type == "must_be_fetched"
    standard = item.kind == "Standard"
    return Reference(criterion, above, item.title, item.celex_id, fetched, standard, cited, slot)
