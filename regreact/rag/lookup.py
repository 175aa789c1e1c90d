"""Looks the path of a citation up in the tree of an act.

The words say how a part is called in speech, the act how it is built: "Article 3(17)" may be a point of a list,
"point 2" of an annex a section, and "point 10.1.5" stands in section 10 without naming it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from regreact.legal.pinpoints import Path, Step
from regreact.rag.act import LegalAct, Provision
from regreact.rag.place import Place, PlaceError, chain_of, roots, subparagraphs, this_place, whole

__all__ = ["Place", "PlaceError", "find", "subparagraphs"]

# What numbers and letters count in articles and in annexes; annexes are cited without regard to the kind.
_ITEMS = ("par", "pnt")
_ANNEX_PARTS = ("pnt", "sec", "par", "prt", "cmc", "chp", "ttl")
_DIVISIONS = ("prt", "ttl", "chp", "sec", "anx", "apx", "tbl")
# Parts whose number alone is enough, however deep they stand.
_ANYWHERE = ("tbl", "cmc", "art", "chp", "ttl", "apx", "itm")
# Kinds of the grammar that are no kinds of provisions: the act numbers things of that name.
_NAMED = {"mod": "module", "cri": "criteri", "cat": "categor", "bat": "bat", "vol": "volume", "amd": "amendment",
          "reg": "regulation"}  # fmt: skip
# Words for any item of a list, which no heading need repeat.
_ANY_ITEM = ("entr", "item", "row", "criteri")


def find(act: LegalAct, path: Path, place: str = "") -> list[Place]:
    """Return the places that a path names.

    Args:
        act: The act cited.
        path: Steps, outermost first.
        place: Address of the provision that cites its own act; "" if another act cites.

    Raises:
        PlaceError: The act has no such place, or several.
    """
    chain = chain_of(act, place)
    if chain and path and all(step.kind == "snt" for step in path):
        return [whole(chain[-1])]
    path = tuple(_as_item(step) for step in path if step.kind != "snt")
    if not path:
        raise PlaceError("no place is named")
    if path[0].label == "this":
        return _below([this_place(chain, path[0])], path[1:])
    if path[0] == Step("anx") and len(path) > 1 and path[1].kind == "itm":
        return _in_the_annex_that_names(act, path[1:])
    if path[0].kind in ("art", "anx", "rec"):
        return _below(_top(act, path[0]), path[1:])
    return _around(act, chain, path)


def _around(act: LegalAct, chain: Sequence[Provision], path: Path) -> list[Place]:
    """Return the places of a path that does not begin with an article or annex: near the citing provision, else those
    that the act has only once."""
    for exact in (True, False):
        for scope in reversed(chain):
            try:
                return _below([whole(scope)], path, exact=exact)
            except PlaceError:
                continue
    if path[0].kind == "itm" and path[0].noun not in _ANY_ITEM:
        return _in_the_annex_that_names(act, path)
    if path[0].kind in ("chp", "ttl", "prt", "sec", "tbl", "apx") or any(p.kind in _ITEMS for p in roots(act)):
        return _below(_top(act, path[0]), path[1:])
    raise PlaceError(f"the article or annex of {_words(path)} is not named")


def _in_the_annex_that_names(act: LegalAct, path: Path) -> list[Place]:
    """Return items cited without the number of their annex: they are in the first that names their kind."""
    error = PlaceError("the act has no annex")
    for annex in (p for p in act.walk() if p.kind == "anx"):
        try:
            return _below([whole(annex)], path)
        except PlaceError as missing:
            error = missing
    raise error


def _as_item(step: Step) -> Step:
    return step._replace(kind="itm", noun=_NAMED[step.kind]) if step.kind in _NAMED else step


def _words(path: Path) -> str:
    return "/".join(map(str, path))


def _top(act: LegalAct, step: Step) -> list[Place]:
    """Return the articles, annexes, chapters … that a first step names."""
    every = [p for p in act.walk() if p.kind == step.kind]
    top = [p for p in every if "/" not in p.address] or every
    if step.kind == "anx" and (not step.label or (len(top) == 1 and not top[0].label)):
        if not top:
            raise PlaceError("the act has no annex")
        return [whole(top[0])]
    if not top and step.kind in (*_ITEMS, "sec", "prt"):
        top = roots(act)
    return [whole(p) for p in _ranged(top, top, step)]


def _below(found: list[Place], path: Path, exact: bool = False) -> list[Place]:
    """Go down a path from places found."""
    for step in path:
        found = [below for place in found for below in _step(place, step, exact)]
    return found


def _step(place: Place, step: Step, exact: bool) -> list[Place]:
    if step.kind == "sub" and (step.label.isdigit() or step.label == "last"):
        return _counted(place, step)
    if step.kind == "sub":  # "subparagraph (b)"
        step = step._replace(kind="pnt")
    inside = [part for part in place.content if isinstance(part, Provision)]
    if step.kind == "ind" and (step.label.isdigit() or step.label == "last"):
        found = _numbered(_indents(inside), step)
    else:
        scope = place.provision
        annex = scope.address.startswith(("anx", "apx"))
        found = _ranged(_levels(inside, step, annex, exact), list(_walk(inside)), step)
        if step.kind == "itm" and not all(_is_named(scope, p, step.noun) for p in found):
            raise PlaceError(f"{scope.address} names no numbered {step.noun}…")
    if not found:
        raise PlaceError(f"{place.address} has no {step}")
    below = place.address != place.provision.address  # within a counted subparagraph
    return [replace(whole(p), address=f"{place.address}/{p.kind}_{p.label}") if below else whole(p) for p in found]


def _counted(place: Place, step: Step) -> list[Place]:
    """Return unnumbered subparagraphs, counted with the first; in an article of numbered paragraphs, those."""
    numbered = [p for p in place.provision.children if p.kind == "par"]
    if place.provision.kind == "art" and numbered:
        return [whole(p) for p in _numbered(numbered, step)]
    groups = subparagraphs(place.content)
    numbers = _count(len(groups), step)
    if not numbers:
        raise PlaceError(f"{place.address} has {len(groups)} subparagraphs, no {step}")
    return [Place(f"{place.address}/sub_{n}", place.provision, groups[n - 1]) for n in numbers]


def _indents(provisions: Sequence[Provision]) -> list[Provision]:
    """Return the dashes of a place, or those of its points where it has none itself."""
    return [p for p in provisions if p.kind == "ind"] or [c for p in provisions for c in p.children if c.kind == "ind"]


def _numbered(provisions: Sequence[Provision], step: Step) -> list[Provision]:
    return [provisions[n - 1] for n in _count(len(provisions), step)]


def _count(total: int, step: Step) -> list[int]:
    """Return the numbers that a counted step means, empty if one of them is beyond the total."""
    first, last = (total if label == "last" else int(label) for label in (step.label, step.last or step.label))
    return list(range(first, last + 1)) if 1 <= first <= last <= total else []


def _walk(provisions: Sequence[Provision]) -> Iterator[Provision]:
    for provision in provisions:
        yield from provision.walk()


def _levels(inside: Sequence[Provision], step: Step, annex: bool, exact: bool) -> list[Provision]:
    """Return the provisions among which a label is looked for: the nearest level that has it.

    A number with dots, and what the act numbers by its name ("Table 2"), may be cited without the parts around it; any
    other label belongs to the place itself, or to the only part of it.
    """
    kinds = {step.kind} if exact else _kinds(step, annex)
    deep = "." in step.label or step.kind in _ANYWHERE
    for same in (_same, _alike):
        level = list(inside)
        while level:
            fitting = [p for p in level if p.kind in kinds]
            called = [p for p in fitting if step.noun and _called(p, step)]
            named = called or [p for p in fitting if same(p, step.label)]
            if named:
                best = [p for p in named if p.kind == step.kind] or named
                return fitting if step.last else [_most(best) if step.kind in _ANYWHERE else best[0]]
            level = [c for p in level for c in p.children] if deep or len(level) == 1 else []
    return _in_divisions(inside, step, kinds) if annex else []


def _in_divisions(inside: Sequence[Provision], step: Step, kinds: set[str]) -> list[Provision]:
    """Return the only part of the divisions of an annex that has a label; the division need not be cited then."""
    divisions = [p for p in inside if p.kind in ("prt", "sec", "chp", "ttl")]
    named = [c for p in divisions for c in p.children if c.kind in kinds and _same(c, step.label)]
    return named if len(named) == 1 and not step.last else []


def _most(provisions: Sequence[Provision]) -> Provision:
    """Return the provision that sets a thing out, where others only list it."""
    return max(provisions, key=lambda p: len(p.text))


def _kinds(step: Step, annex: bool) -> set[str]:
    if step.kind in ("tbl", "anx", "apx", "rec", "art"):
        return {step.kind}
    if annex:
        return {step.kind, *_ANNEX_PARTS}
    if step.kind in (*_ITEMS, "ind", "itm"):
        return {step.kind, *_ITEMS}
    return {step.kind}


def _ranged(level: Sequence[Provision], every: Sequence[Provision], step: Step) -> list[Provision]:
    """Return the provisions with a label, or all from the first label of a range to the last, in the act's order."""
    first = _labelled(level, step, step.label)
    if not step.last:
        return [first]
    last = next((p for p in level if _same(p, step.last)), None) or _labelled(every, step, step.last)
    kind = first.kind
    order = list(every)
    a, b = (next(n for n, p in enumerate(order) if p is end) for end in (first, last))
    depth = first.address.count("/")
    found = [p for p in order[a : b + 1] if p.kind == kind and p.address.count("/") == depth]
    if not found:
        raise PlaceError(f"{step.last} does not follow {step.label}")
    return found


def _called(provision: Provision, step: Step) -> bool:
    """True for a division whose label has a noun of its own: "Module D1", "Step 3"."""
    noun, _, number = provision.label.rpartition(" ")
    return number == step.label and noun.casefold().startswith(step.noun)


def _labelled(provisions: Sequence[Provision], step: Step, label: str) -> Provision:
    hits = [p for p in provisions if step.noun and _called(p, step._replace(label=label))]
    hits = hits or [p for p in provisions if _same(p, label)]
    hits = hits or [p for p in provisions if _alike(p, label)]
    exact = [p for p in hits if p.kind == step.kind] or hits
    if not exact:
        raise PlaceError(f"there is no {step._replace(label=label)}")
    if len(exact) > 1 and exact[0].address.rpartition("/")[0] != exact[1].address.rpartition("/")[0]:
        raise PlaceError(f"{step._replace(label=label)} is in {exact[0].address} and {exact[1].address}")
    return exact[0]


def _same(provision: Provision, label: str) -> bool:
    return provision.label.rstrip(".") == label


_NUMERALS = {"I": 1, "V": 5, "X": 10, "L": 50}


def _alike(provision: Provision, label: str) -> bool:
    """True for a division or table of that label without regard to case and numerals: "Part 2" may be "PART II"."""
    return provision.kind in _DIVISIONS and _value(provision.label) == _value(label)


def _value(label: str) -> str:
    upper = label.upper()
    if not re.fullmatch(r"[IVXL]+", upper):
        return upper
    values = [_NUMERALS[c] for c in upper]
    return str(sum(-v if v < max(values[n:]) else v for n, v in enumerate(values)))


def _is_named(scope: Provision, item: Provision, noun: str) -> bool:
    """True if an annex, or the item itself, says that its items are of the kind that a noun names."""
    if not noun or noun in _ANY_ITEM:
        return True
    heads = (scope, item, *(p for p in scope.walk() if item in p.children))
    words = " ".join(
        f"{p.kind} {p.label} {p.heading} {' '.join([s for s in p.content if isinstance(s, str)][:2])}" for p in heads
    )
    return noun in words.casefold()
