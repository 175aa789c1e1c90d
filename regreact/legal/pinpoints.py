"""Places within an act: "Article 29, paragraphs 2 to 5", "point 3 of part C of Annex I", "Annexes VII and VIII".

An address is a path, outermost part first, `kind_label` joined by `/` (`art_29/par_2`, `anx_I/prt_C/pnt_3`). What a
number in brackets is (paragraph, or point of a list of definitions) depends on the act; the words alone say `par`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from regreact.legal import place_grammar as grammar
from regreact.legal.points import expand

__all__ = ["Path", "Step", "addresses", "place_up_to", "places"]


class Step(NamedTuple):
    """One step of a path.

    Attributes:
        kind: Kind by the words (`art`, `par`, `pnt` …).
        label: Label without brackets and stop; "" where none is printed ("the Annex"); "this" for "this Annex".
        last: Last label of a range, "" if it is none.
        noun: For an item (`itm`) of a kind that the act itself names, the noun ("descriptor").
    """

    kind: str
    label: str = ""
    last: str = ""
    noun: str = ""

    def __str__(self) -> str:
        return self.kind if self.label in ("", "this") else f"{self.kind}_{self.label}"


Path = tuple[Step, ...]


@dataclass(slots=True)
class _Chain:
    """Places that one run of atoms names, nested in each other; `inner` is the atom that a comma goes on from."""

    steps: list[tuple[str, list[Path]]] = field(default_factory=list)
    inner: int = 0
    outward: int = 0  # number of steps, from the outermost, that "of" put around those before

    @property
    def kind(self) -> str:
        """Kind of the atom named last."""
        return self.steps[self.inner][0]

    def add(self, kind: str, paths: list[Path], outward: bool) -> None:
        """Put an atom around all others ("of Annex I"), or into the one named last (", point 2")."""
        self.inner = 0 if outward else min(self.inner + 1, len(self.steps))
        self.outward += outward
        self.steps.insert(self.inner, (kind, paths))

    def extend_range(self, last: Path) -> None:
        """Make the place named last a range: "point (c) to point (e)"."""
        paths = self.steps[self.inner][1]
        paths[-1] = (*paths[-1][:-1], paths[-1][-1]._replace(last=last[-1].label))

    def released(self, kind: str) -> list[_Chain]:
        """Return the atoms after the first as a chain of their own if the first is of a kind that holds them too.

        In "Article 4, points (b) and (c) of Article 7" the points are not in Article 4.
        """
        if kind not in _TOP or len(self.steps) < 2 or self.steps[0][0] != kind:
            return []
        inner = _Chain(self.steps[1:], self.inner - 1)
        self.steps, self.inner = self.steps[:1], 0
        return [inner]

    def paths(self) -> list[Path]:
        """Return the paths named, each atom in all paths of the one around it."""
        found: list[Path] = [()]
        for _, inner in self.steps:
            found = [p + q for p in found for q in inner]
        return found


_TOP = ("art", "anx", "apx", "ttl", "chp", "rec")
_OUTWARD = re.compile(r"^(?!,\s*in\b).*\b(?:of|to|in)\b")
_AND = re.compile(r"\b(?:and|or)\b")


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
        kind, paths = _atom(match)
        joined = bool(_AND.search(gap)) or (bool(chains) and chains[-1].kind == kind and "," in gap)
        outward = bool(_OUTWARD.match(gap))
        if chains and gap.strip() == "to" and chains[-1].kind == kind:
            chains[-1].extend_range(paths[0])
        elif chains and not joined:
            chains.extend(chains[-1].released(kind) if outward else [])
            chains[-1].add(kind, paths, outward)
        elif chains and _goes_on(chains[-1], kind, words, atoms, number):
            chains[-1].steps[chains[-1].inner][1].extend(paths)
        else:
            chains.append(_Chain([(kind, paths)]))
    return [path for path in _complete(chains) if path]


def _goes_on(chain: _Chain, kind: str, words: str, atoms: list[re.Match[str]], number: int) -> bool:
    """True for a list under one place ("Part B, points 1 to 5, and points 8 and 9"); an atom with parts is its own."""
    if chain.kind != kind:
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
        if first[0].kind not in _TOP:
            found[number] = [_above(before, first[0].kind, before) + path for path in found[number]]
    return [path for paths in found for path in paths]


def _above(path: Path, kind: str, otherwise: Path) -> Path:
    """Return the part of a path above its last step of a kind."""
    at = [number for number, step in enumerate(path) if step.kind == kind]
    return path[: at[-1]] if at else otherwise


_PATTERNS = [(kind, re.compile(grammar.pattern(kind))) for kind in grammar.KINDS]
_ORDINAL = re.compile(grammar.ORDINAL)


def _atom(atom: re.Match[str]) -> tuple[str, list[Path]]:
    """Return the kind of an atom and the paths it names."""
    if atom[0].startswith("this"):
        kind = _kind(atom[0].split()[-1])
        return kind, [(Step(kind, "this"),)]
    if _ORDINAL.fullmatch(atom[0]):
        *_, noun = atom[0].split()
        kind = grammar.ORDINAL_KINDS[noun.removesuffix("s")]
        return kind, _ordinal(kind, atom[0])
    # matched in place, because some heads look at what follows
    kind = next(k.kind for k, p in _PATTERNS if (m := p.match(atom.string, atom.start())) and m[0] == atom[0])
    return kind, _paths(kind, atom[0])


def _kind(noun: str) -> str:
    return next((k.kind for k in grammar.KINDS if k.label and re.fullmatch(k.head, noun)), "")


def _ordinal(kind: str, words: str) -> list[Path]:
    """Return the paths of counted places: "first and third indents"."""
    found: list[Path] = []
    position = 0
    for match in re.finditer(rf"\b(?:{'|'.join(grammar.ORDINALS)})\b", words):
        label = "last" if match[0] == "last" else str(grammar.ORDINALS.index(match[0]) + 1)
        if found and re.search(r"\bto\b", words[position : match.start()]):
            found[-1] = (found[-1][0]._replace(last=label),)
        else:
            found.append((Step(kind, label),))
        position = match.end()
    return found


_ITEM = re.compile(rf"(?P<base>{grammar.NUMBER}|{grammar.ROMAN}|[A-Z](?![A-Za-z]))?(?P<brackets>{grammar.BRACKETS}*)")


def _paths(kind: str, atom: str) -> list[Path]:
    """Return the paths of one atom: "Articles 7(2) – 7(4)" names paragraphs of one article."""
    if kind == "cat":
        return [(Step("cat", " ".join(re.findall(r"\d\d", atom))),)]
    if kind == "mod":
        return [(Step("mod", label),) for label in re.findall(r"\b[A-H]\d?\b", atom)]
    if kind == "bat":
        number, letter = re.findall(r"\d+[a-z]?", atom)[0], re.findall(r"\(([a-z])\)", atom)
        return [(Step("bat", number), *(Step("pnt", x) for x in letter))]
    labels = re.search(rf"(?<=[ \u00a0]){grammar.LABELS}$", atom)
    if labels is None:
        return [(Step(kind),)]
    found: list[Path] = []
    end: Path = ()
    position = labels.start()
    for match in re.finditer(grammar.LABEL, atom[labels.start() :]):
        start = labels.start() + match.start()
        item = _ITEM.fullmatch(match[0])
        if item is None:  # no label without a base and brackets matches LABEL
            continue
        path = _item_path(kind, item, end)
        if re.search(r"\bto\b|[–-]", atom[position:start]) and found and path[:-1] == end[:-1]:
            found[-1] = (*end[:-1], end[-1]._replace(last=path[-1].label))
        else:
            found.append(path)
        end = path
        position = labels.start() + match.end()
    return found


def _item_path(kind: str, item: re.Match[str], previous: Path) -> Path:
    """Return the path of one label; brackets alone go on from the label before."""
    brackets = [b.strip("() \u00a0") for b in re.findall(r"\([^)]*\)", item["brackets"])]
    if item["base"]:
        path = _own(kind, item["base"].rstrip("."))
    else:
        path = _base(kind, previous, brackets[0])
    for label in brackets:
        path = (*path, Step(_bracket_kind(kind, label, len(path)), label))
    return path


def _own(kind: str, label: str) -> Path:
    """Return the steps of a label: "II.2" of an annex is two."""
    stem, dot, rest = label.partition(".")
    if kind == "anx" and dot and not stem.isdigit():
        return Step("anx", stem), Step("pnt", rest)
    return (Step(kind, label),)


def _bracket_kind(kind: str, label: str, depth: int) -> str:
    """Return what a label in brackets is: a digit right behind an article is a paragraph, anything else a point."""
    if kind == "art":
        return "par" if depth == 1 and label[0].isdigit() else "pnt"
    return kind if depth == 0 else "pnt"


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
    kind = _kind(noun) if noun else ""
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


_SMALL_ROMAN = re.compile(r"[ivxl]+")


def _base(kind: str, current: Path, label: str) -> Path:
    """Return the path that a label in brackets goes on from: "(c)" after "29(4)(a)" stands in 29(4).

    A letter that is no numeral does not go on from a numeral: "(c)" after "6(1)(b)(i)" stands in 6(1).
    """
    if not current or len(current) == 1:
        return current if kind == "art" else ()
    depth = len(current) - 1
    top = 1 if kind == "art" else 0
    while depth > top and current[depth].label[0].isdigit() != label[0].isdigit():
        depth -= 1
    above = current[depth - 1].label if depth else ""
    numeral = bool(_SMALL_ROMAN.fullmatch(current[depth].label)) and not _SMALL_ROMAN.fullmatch(label)
    if numeral and above.isalpha() and above.islower():
        depth -= 1
    return current[:depth]
