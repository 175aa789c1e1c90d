"""Places within an act: "Article 29, paragraphs 2 to 5", "point 3 of part C of Annex I", "Annexes VII and VIII".

An address is a path, outermost part first, `kind_label` joined by `/` (`art_29/par_2`, `anx_I/prt_C/pnt_3`). What a
number in brackets is (paragraph, or point of a list of definitions) depends on the act; the words alone say `par`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from regreact.legal import place_grammar as grammar
from regreact.legal.place_atoms import Path, Step, kind_of, read_atom
from regreact.legal.points import expand

__all__ = ["Path", "Step", "addresses", "place_up_to", "places"]


@dataclass(slots=True)
class _Named:
    """An atom with the paths it names and where it stands in the words."""

    kind: str
    paths: list[Path]
    position: int


@dataclass(slots=True)
class _Chain:
    """Places that one run of atoms names, nested in each other; `inner` is the atom that a comma goes on from."""

    steps: list[_Named] = field(default_factory=list)
    inner: int = 0
    outward: int = 0  # number of steps, from the outermost, that "of" put around those before

    @property
    def last(self) -> _Named:
        """The atom named last."""
        return self.steps[self.inner]

    def add(self, atom: _Named, outward: bool) -> None:
        """Put an atom around all others ("of Annex I"), or into the one named last (", point 2")."""
        self.inner = 0 if outward else min(self.inner + 1, len(self.steps))
        self.outward += outward
        self.steps.insert(self.inner, atom)

    def extend_range(self, end: Path) -> None:
        """Make the place named last a range: "point (c) to point (e)"."""
        paths = self.last.paths
        paths[-1] = (*paths[-1][:-1], paths[-1][-1]._replace(last=end[-1].label))

    def released(self, kind: str) -> list[_Chain]:
        """Return the atoms after the outermost as a chain of their own if what follows is to hold them instead.

        In "Article 4, points (b) and (c) of Article 7" the points are not in Article 4.
        """
        outermost = self.steps[0]
        inner = [atom for atom in self.steps if atom.position > outermost.position]
        if kind not in _TOP or outermost.kind != kind or not inner:
            return []
        self.steps = [atom for atom in self.steps if atom not in inner]
        self.inner = 0
        return [_Chain(inner, len(inner) - 1)]

    def paths(self) -> list[Path]:
        """Return the paths named: an atom in all paths of the one around it, after a comma in the last of them.

        "point (a) of Articles 3 and 5" is in both, "Articles 3 and 5, point (a)" in the second.
        """
        found: list[Path] = [()]
        around = 0
        for atom in self.steps:
            own = found[-1:] if atom.position > around else found
            found = found[: len(found) - len(own)] + [p + q for p in own for q in atom.paths]
            around = atom.position
        return found


_TOP = ("art", "anx", "apx", "ttl", "chp", "rec")
_OUTWARD = re.compile(r"^(?!,\s*in\b).*\b(?:of|to|in|under)\b")
_AND = re.compile(r"\b(?:and|or)\b")
# Divisions from the outermost on: one after a comma that holds what is named before it ("point 2(c), Part B, Annex III").
_HOLDS = {"anx": 0, "prt": 1, "sec": 2, "par": 3, "pnt": 3, "ind": 4, "itm": 4}
# What an article never has.
_NOT_IN_ARTICLES = ("anx", "prt", "sec", "tbl")


def addresses(words: str) -> tuple[str, ...]:
    """Return the addresses that a pinpoint names, ranges and lists written out.

    Args:
        words: A pinpoint without its act.

    Example:
        >>> addresses("Article 29, paragraphs 2 to 4"), addresses("point 3 of part C of Annex I")
        (('art_29/par_2', 'art_29/par_3', 'art_29/par_4'), ('anx_I/prt_C/pnt_3',))
        >>> addresses("Article 25(2) of and Annex V"), addresses("the Annex")
        (('art_25/par_2', 'anx_V'), ('anx',))
    """
    found = ["/".join(map(str, path)) for place in places(words) for path in _written_out(place)]
    return tuple(dict.fromkeys(found))


def places(words: str) -> tuple[Path, ...]:
    """Return the paths that a pinpoint names; a range is one step with its two ends.

    Example:
        >>> [[tuple(step) for step in path] for path in places("Article 5(2) to (4)")]
        [[('art', '5', '', ''), ('par', '2', '4', '')]]
    """
    items = grammar.ITEMS.match(words)
    if items:
        noun = re.sub(rf"{grammar.SP}\(.*", "", items["noun"]).split()[-1].lower()
        stem = re.sub(r"(?:ies|es|s|y)$", "", noun)
        steps = [(step._replace(kind="itm", noun=stem),) for (step,) in _labels(items["labels"])]
        return tuple(path + step for path in places(words[items.end() :]) for step in steps)
    found = [path for piece in grammar.CUT.split(words) for path in _piece(piece) if path]
    return tuple(dict.fromkeys(found))


def _written_out(path: Path) -> list[Path]:
    found: list[Path] = [()]
    for step in path:
        labels = [step.label, *expand(step.label, step.last), step.last] if step.last else [step.label]
        found = [(*p, Step(step.kind, label)) for p in found for label in labels]
    return found


def _piece(words: str) -> list[Path]:
    """Return the paths of a pinpoint without independent parts."""
    chains: list[_Chain] = []
    atoms = list(re.finditer(f"{grammar.OWN}|{grammar.ATOM}", words))
    for number, match in enumerate(atoms):
        gap = words[atoms[number - 1].end() : match.start()] if number else ""
        atom = _Named(*read_atom(match), match.start())
        same = bool(chains) and chains[-1].last.kind == atom.kind
        around = bool(chains) and _holds(atom, chains[-1], gap)
        outward = bool(_OUTWARD.match(gap)) or around
        joined = bool(chains) and not around and _joined(atom, chains[-1], gap)
        if same and gap.strip() == "to":
            chains[-1].extend_range(atom.paths[0])
        elif chains and not joined:
            chains.extend(chains[-1].released(atom.kind) if outward else [])
            chains[-1].add(atom, outward)
        elif same and _goes_on(chains[-1], words, atoms, number):
            chains[-1].last.paths.extend(atom.paths)
        else:
            chains.append(_Chain([atom]))
    return [path for path in _complete(chains) if path]


def _holds(atom: _Named, chain: _Chain, gap: str) -> bool:
    """True for a part named after a comma that holds what stands before it: "point 2, Part B, Annex III"."""
    outermost = chain.steps[0].kind
    return gap.strip() == "," and _HOLDS.get(atom.kind, 9) < min(3, _HOLDS.get(outermost, 0))


def _joined(atom: _Named, chain: _Chain, gap: str) -> bool:
    """True for a place of its own, false for one that goes into the place before it or around it."""
    if _AND.search(gap):
        return True
    if "," not in gap:
        return False
    if atom.kind == chain.last.kind:
        return not _is_finer(atom, chain.last)
    above = {step.kind for step in chain.steps}
    apart = ("art" in above and atom.kind in _NOT_IN_ARTICLES) or (atom.kind == "anx" and "anx" in above)
    # "point (b) of paragraph 2, in point (a) of paragraph 5"
    return apart or (gap.strip() == ", in" and bool(chain.outward) and chain.inner == 0)


def _is_finer(atom: _Named, before: _Named) -> bool:
    """True for the point of a point: "point (5), point (a)", "point (a), points (i) and (ii)"."""
    inner, outer = atom.paths[0][0].label, before.paths[-1][-1].label
    if atom.kind != "pnt" or not inner.isalpha() or not inner.islower():
        return False
    numeral = bool(re.fullmatch(r"[ivx]+", inner)) and len(outer) == 1 and outer.isalpha()
    return outer.isdigit() or (numeral and ord(outer) + 1 != ord(inner[0]))


def _goes_on(chain: _Chain, words: str, atoms: list[re.Match[str]], number: int) -> bool:
    """True for a list under one place ("Part B, points 1 to 5, and points 8 and 9"); an atom with parts is its own.

    Nor do parts named before go into it: in "point (a) of paragraph 3 and paragraph 7" all of the latter is meant.
    """
    if chain.outward and chain.inner == 0:
        return False
    following = words[atoms[number].end() : atoms[number + 1].start()] if number + 1 < len(atoms) else ""
    return not following.startswith((",", " ")) or bool(_AND.search(following) or _OUTWARD.match(following))


def _complete(chains: list[_Chain]) -> list[Path]:
    """Return the paths of all chains, each with the place that its words leave to its neighbours.

    "paragraph 2 and point (a) of paragraph 3 of Article 5" are both in Article 5, "Article 5(2) and paragraph 3" too.
    """
    found = [chain.paths() for chain in chains]
    for number in range(len(chains) - 2, -1, -1):
        first, behind = found[number][0], found[number + 1][0]
        if first[0].kind not in _TOP and chains[number + 1].outward:
            found[number] = [_above(behind, first[0].kind, ()) + path for path in found[number]]
    for number in range(1, len(chains)):
        first, before = found[number][0], found[number - 1][-1]
        if first[0].kind not in _TOP and not (before[0].kind == "art" and first[0].kind in _NOT_IN_ARTICLES):
            found[number] = [_above(before, first[0].kind, before) + path for path in found[number]]
    return [path for paths in found for path in paths]


def _above(path: Path, kind: str, otherwise: Path) -> Path:
    """Return the part of a path above its last step of a kind."""
    at = [number for number, step in enumerate(path) if step.kind == kind]
    return path[: at[-1]] if at else otherwise


def _labels(words: str) -> list[tuple[Step]]:
    """Return the numbers of a list of items, what stands in brackets behind them left out."""
    found: list[tuple[Step]] = []
    position = 0
    bare = re.sub(rf"{grammar.SP}\([^()]*\)", lambda m: " " * len(m[0]), words)
    for match in re.finditer(r"\b(?:\d[\w.]*\w|\d|[IVXL]+|[A-Z]\d?)\b", bare):
        if found and re.search(r"\bto\b", bare[position : match.start()]):
            found[-1] = (found[-1][0]._replace(last=match[0]),)
        else:
            found.append((Step("itm", match[0]),))
        position = match.end()
    return found


def place_up_to(words: str, noun: str) -> str:
    """Return the last place of a pinpoint as words, outermost part first, down to a part of the kind that a noun names.

    Args:
        words: A pinpoint without its act.
        noun: "Article", "paragraph" …; "" for the whole place.

    Example:
        >>> place_up_to("Articles 4 and 11(2)", "Article"), place_up_to("point (b) of Article 11(2)", "paragraph")
        ('Article 11', 'Article 11, paragraph 2')
    """
    found = places(words)
    if not found:
        return ""
    path = list(_written_out(found[-1])[-1])
    kind = kind_of(noun) if noun else ""
    at = [number for number, step in enumerate(path) if step.kind == kind]
    if noun and not at:
        return ""
    steps = path[: at[-1] + 1] if at else path
    return ", ".join(filter(None, (_in_words(step) for step in steps)))


_WORDS = {
    "art": "Article", "anx": "Annex", "apx": "Appendix", "rec": "recital", "par": "paragraph", "pnt": "point",
    "prt": "Part", "chp": "Chapter", "ttl": "Title", "sec": "Section", "tbl": "Table", "sub": "subparagraph",
    "ind": "indent",
}  # fmt: skip


def _in_words(step: Step) -> str:
    if step.kind not in _WORDS:
        return ""
    label = f"({step.label})" if step.kind == "pnt" else step.label
    return f"{_WORDS[step.kind]} {label}".strip()
