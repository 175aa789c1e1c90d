"""Places within an act: "Article 29, paragraphs 2 to 5", "point 3 of part C of Annex I", "Annexes VII and VIII".

An address is a path, outermost part first, `kind_label` joined by `/` (`art_29/par_2`, `anx_I/prt_C/pnt_3`). What a
number in brackets is (paragraph, or point of a list of definitions) depends on the act; the words alone say `par`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from regreact.legal.points import expand

_SP = r"[ \u00a0]"
_NUMBER = r"\d+[a-z]?(?:\.\d+)*\.?(?!\d)"
_ROMAN = r"[IVXL]+(?:\.\d+)*"
_BRACKETS = rf"(?:{_SP}?\((?:\d{{1,2}}[a-z]?|[a-z]|[ivxl]{{1,5}})\))"
_LABEL = rf"(?:(?:{_NUMBER}|{_ROMAN}|[A-Z](?![A-Za-z])){_BRACKETS}*|{_BRACKETS}+)(?!\w)"
# "7(4), 17, 18 and 19", "29(2) to (7) and (10)", "7(2) – 7(4)", "(a), (b) or (c)"
LABELS = rf"{_LABEL}(?:(?:,{_SP}|,?{_SP}(?:and|or|to){_SP}|{_SP}?[–-]{_SP}?){_LABEL})*"


@dataclass(frozen=True, slots=True)
class PlaceKind:
    """A kind of place. `head` is the noun that opens it, `label` what follows, `example` a place of the kind."""

    kind: str
    head: str
    example: str
    label: str = LABELS
    gap: str = _SP


KINDS: tuple[PlaceKind, ...] = (
    PlaceKind("art", r"Articles?", "Articles 3 to 8"),
    PlaceKind("anx", r"Annex(?:es)?", "Annexes I or II"),
    PlaceKind("anx", r"[Tt]he{_SP}Annex|Annex", "the Annex", ""),
    PlaceKind("apx", r"Appendi(?:x|ces)", "Appendix 9"),
    PlaceKind("par", r"[Pp]aragraphs?", "paragraphs 6 and 7"),
    PlaceKind("pnt", r"[Pp]oints?\.?", "points (22) and (23)"),
    PlaceKind("ind", r"[Ii]ndents?", "indents (a), (b) or (c)"),
    PlaceKind("sub", r"[Ss]ubparagraphs?", "subparagraph 2"),
    PlaceKind("prt", r"[Pp]arts?", "part C"),
    PlaceKind("chp", r"Chapters?", "Chapter V"),
    PlaceKind("ttl", r"Titles?", "Title II"),
    PlaceKind("sec", r"[Ss]ections?", "Section 5.1(c)"),
    PlaceKind("tbl", r"Tables?", "Table 2"),
    PlaceKind("vol", r"Volumes?", "Volume II"),
    PlaceKind("amd", r"[Aa]mendments?", "amendment 13"),
    PlaceKind("reg", r"Regulations?(?={_SP}\d{{1,2}}(?:\(\d{{1,3}}\))?{_SP}of{_SP}Annex)", "Regulation 14"),
    PlaceKind("cmc", r"Component{_SP}Material{_SP}Categor(?:y|ies)(?:{_SP}\(CMC\))?", "Component Material Category 3"),
    PlaceKind("bat", r"BAT", "BAT 4", r"\d{1,3}[a-z]?(?:{_SP}point{_SP}\([a-z]\))?", rf"{_SP}?"),
    PlaceKind("mod", r"[Mm]odules?", "Module D1", r"[A-H]\d?(?:(?:,{_SP}|,?{_SP}(?:and|or|to){_SP})[A-H]\d?)*(?!\w)"),
    PlaceKind("cat", r"[Cc]ategor(?:y|ies)", "category 17 05 04", r"\d\d{_SP}\d\d{_SP}\d\d\*?"),
    PlaceKind("cri", r"[Cc]riteri(?:on|a)", "criteria 1 and 2"),
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORDINAL = rf"(?P<ordinal>{'|'.join(_ORDINALS)}){_SP}(?P<what>subparagraph|indent|sentence)"
_ORDINAL_KINDS = {"subparagraph": "sub", "indent": "ind", "sentence": "snt"}


def _pattern(kind: PlaceKind) -> str:
    head = kind.head.replace("{_SP}", _SP).replace("{{", "{").replace("}}", "}")
    label = kind.label.replace("{_SP}", _SP)
    return rf"(?:{head}){kind.gap}{label}" if label else rf"(?:{head})(?!{_SP}(?:[IVXL\d]+|[A-Z])\b)\b"


_ORDINAL_PLAIN = _ORDINAL.replace("?P<ordinal>", "?:").replace("?P<what>", "?:")
ATOM = rf"(?<![\w/])(?:{'|'.join(_pattern(k) for k in KINDS)}|{_ORDINAL_PLAIN})"
# "Volume I (noise)", "Regulation 14(253)"
_ASIDE = rf"(?:{_SP}\([A-Za-z][^()\d]{{2,60}}\))?"
_CONNECTOR = (
    rf"(?:(?:\(\d{{1,3}}\))?,?{_SP}(?:of|to|in|and|or)(?:{_SP}(?:and|in|under|with|the))?{_SP}|"
    rf",{_SP}(?:in{_SP}|and{_SP}(?:in{_SP})?)?)"
)
PINPOINT = rf"{ATOM}{_ASIDE}(?:{_CONNECTOR}{ATOM}{_ASIDE})*"

# "Article 12 and in Annex III, Part B": two places, each with the act repeated (rulings R15, D17)
CUT = re.compile(
    rf",?{_SP}(?:of{_SP}|to{_SP})?(?:and|or){_SP}(?:in{_SP})?(?=(?:Article|Annex)(?:s|es)?{_SP})|,{_SP}(?=Articles?{_SP})"
)

_ATOMS = [(kind, re.compile(_pattern(kind))) for kind in KINDS]
_ORDINAL_ATOM = re.compile(_ORDINAL)


@dataclass(slots=True)
class _Step:
    """One atom with the labels it names; `inner` if a comma puts it inside the atom before."""

    kind: str
    paths: list[tuple[str, ...]] = field(default_factory=list)


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
    found: list[str] = []
    for piece in CUT.split(words):
        found.extend(a for a in _piece(piece) if a not in found)
    return tuple(found)


def _piece(words: str) -> list[str]:
    """Return the addresses of a pinpoint without independent parts."""
    steps: list[_Step] = []
    place, position = 0, 0
    for match in re.finditer(ATOM, words):
        gap = words[position : match.start()]
        step = _step(match)
        position = match.end()
        if steps and steps[place].kind == step.kind and re.search(r"\b(?:and|or)\b", gap):
            steps[place].paths.extend(step.paths)
            continue
        outward = bool(re.search(r"\b(?:of|to|in)\b", gap)) and not re.match(r",\s*in\b", gap)
        place = 0 if outward else min(place + 1, len(steps))
        steps.insert(place, step)
    paths: list[tuple[str, ...]] = [()]
    for step in steps:
        paths = [p + q for p in paths for q in step.paths]
    return ["/".join(p) for p in paths if p]


def _step(atom: re.Match[str]) -> _Step:
    ordinal = _ORDINAL_ATOM.fullmatch(atom[0])
    if ordinal:
        kind = _ORDINAL_KINDS[ordinal["what"]]
        return _Step(kind, [(f"{kind}_{_ORDINALS.index(ordinal['ordinal']) + 1}",)])
    # matched in place, because some heads look at what follows
    kind = next(k.kind for k, pattern in _ATOMS if (m := pattern.match(atom.string, atom.start())) and m[0] == atom[0])
    return _Step(kind, _paths(kind, atom[0]))


_ITEM = re.compile(rf"(?P<base>{_NUMBER}|{_ROMAN}|[A-Z](?![A-Za-z]))?(?P<brackets>{_BRACKETS}*)")


def _paths(kind: str, atom: str) -> list[tuple[str, ...]]:
    """Return the label paths of one atom: "Articles 7(2) – 7(4)" names three paragraphs of one article."""
    if kind == "cat":
        return [("cat_" + " ".join(re.findall(r"\d\d", atom)),)]
    if kind == "mod":
        return [(f"mod_{label}",) for label in re.findall(r"\b[A-H]\d?\b", atom)]
    if kind == "bat":
        number, letter = re.findall(r"\d+[a-z]?", atom)[0], re.findall(r"\(([a-z])\)", atom)
        return [(f"bat_{number}", *(f"pnt_{x}" for x in letter))]
    labels = re.search(rf"(?<=[ \u00a0]){LABELS}$", atom)
    if labels is None:
        return [(kind,)]
    paths: list[tuple[str, ...]] = []
    position = labels.start()
    for match in re.finditer(_LABEL, atom[labels.start() :]):
        start = labels.start() + match.start()
        item = _ITEM.fullmatch(match[0])
        if item is None:  # no label without a base and brackets matches _LABEL
            continue
        path = _item_path(kind, item, paths[-1] if paths else ())
        if re.search(r"\bto\b|[–-]", atom[position:start]) and paths:
            paths.extend(_range(paths[-1], path))
        paths.append(path)
        position = labels.start() + match.end()
    return paths


def _item_path(kind: str, item: re.Match[str], previous: tuple[str, ...]) -> tuple[str, ...]:
    """Return the path of one label; brackets alone go on from the label before."""
    brackets = [b.strip("() \u00a0") for b in re.findall(r"\([^)]*\)", item["brackets"])]
    if item["base"]:
        path = _own(kind, item["base"].rstrip("."))
    else:
        path = _base(kind, previous, brackets[0])
    for label in brackets:
        path = (*path, f"{_bracket_kind(kind, label, len(path))}_{label}")
    return path


def _own(kind: str, label: str) -> tuple[str, ...]:
    """Return the steps of a label: "II.2" of an annex is two."""
    stem, dot, rest = label.partition(".")
    if kind == "anx" and dot and not stem.isdigit():
        return f"anx_{stem}", f"pnt_{rest}"
    return (f"{kind}_{label}",)


def _bracket_kind(kind: str, label: str, depth: int) -> str:
    """Return what a label in brackets is: a digit right behind an article is a paragraph, anything else a point."""
    if kind == "art":
        return "par" if depth == 1 and label[0].isdigit() else "pnt"
    return kind if depth == 0 else "pnt"


def _base(kind: str, current: tuple[str, ...], label: str) -> tuple[str, ...]:
    """Return the path that a label in brackets goes on from: "(c)" after "29(4)(a)" stands in 29(4)."""
    if not current or len(current) == 1:
        return current if kind == "art" else ()
    depth = len(current) - 1
    while depth > 1 and current[depth].split("_")[1][0].isdigit() != label[0].isdigit():
        depth -= 1
    return current[:depth]


def _range(first: tuple[str, ...], last: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the paths strictly between two of one parent."""
    if first[:-1] != last[:-1]:
        return []
    kind, _, a = first[-1].partition("_")
    b = last[-1].partition("_")[2]
    return [(*first[:-1], f"{kind}_{label}") for label in expand(a, b)]
