"""The words for places within an act: nouns, labels, and what joins them (regular expressions only)."""

from __future__ import annotations

import re
from dataclasses import dataclass

SP = r"[ \u00a0]"
# no year, no percentage
# "10a", "3-a" (put in before 3a); a word glued to a number is no label
NUMBER = r"\d{1,3}(?:-?(?:[a-z]|(?!in|of|or|to)[a-z]{2})(?![a-z]))?(?:\.\d+)*\.?(?!\d|[ \u00a0]?%)"
# "V", "II.2", "I.A", "I.A.2", and annexes and parts put in later: "IIa"; "In" and "It" after a stop begin a sentence
ROMAN = r"(?!I[fnst](?![A-Za-z]))[IVXL]+[a-z]?(?![A-Za-z])(?:\.[A-Z](?![A-Za-z]))?(?:\.\d+)*"
LETTER = r"[A-Z](?![A-Za-z])(?:\.\d+)*"
# Three digits right behind a label are a definition, after a space a footnote's marker.
BRACKETS = rf"(?:{SP}?\((?:\d{{1,2}}(?:-?[a-z]{{1,2}})?|[a-z]{{1,2}}|[ivxl]{{1,5}}|[A-Z])\)|\(\d{{3}}\))"
LABEL = rf"(?:(?:{NUMBER}|{ROMAN}|{LETTER}){BRACKETS}*|{SP}?\(\d{{3}}\)|{BRACKETS}+)(?!\w)"
# "7(4), 17, 18 and 19", "29(2) to (7) and (10)", "7(2) – 7(4)", "(a), (b) or (c)"
LABELS = rf"{LABEL}(?:(?:,{SP}|,?{SP}(?:and|or|to){SP}|{SP}?[–-]{SP}?){LABEL})*"


@dataclass(frozen=True, slots=True)
class PlaceKind:
    """A kind of place. `head` is the noun that opens it, `label` what follows, `example` a place of the kind."""

    kind: str
    head: str
    example: str
    label: str = LABELS
    gap: str = SP


KINDS: tuple[PlaceKind, ...] = (
    PlaceKind("art", r"Articles?|Arts?\.", "Articles 3 to 8"),
    PlaceKind("anx", r"Annex(?:es)?", "Annexes I or II"),
    PlaceKind("anx", r"[Tt]he{_SP}Annex|Annex", "the Annex", ""),
    PlaceKind("apx", r"Appendi(?:x|ces)", "Appendix 9"),
    PlaceKind("rec", r"[Rr]ecitals?", "recitals (4) and (5)"),
    PlaceKind("par", r"[Pp]aragraphs?", "paragraphs 6 and 7"),
    PlaceKind("pnt", r"[Pp]oints?\.?", "points (22) and (23)"),
    PlaceKind("pnt", r"[Ll]etters?(?={_SP}\()|lit\.", "letter (a)"),
    PlaceKind("itm", r"(?<=,{_SP})(?:entr(?:y|ies)|items?|rows?)", "Annex XVII, entry 63"),
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
    PlaceKind("bat", r"BAT", "BAT 4", r"\d{1,3}[a-z]?(?:{_SP}point{_SP}\([a-z]\))?", rf"{SP}?"),
    PlaceKind("mod", r"[Mm]odules?", "Module D1", r"[A-H]\d?(?:(?:,{_SP}|,?{_SP}(?:and|or|to){_SP})[A-H]\d?)*(?!\w)"),
    PlaceKind("cat", r"[Cc]ategor(?:y|ies)", "category 17 05 04", r"\d\d{_SP}\d\d{_SP}\d\d\*?"),
    PlaceKind("cri", r"[Cc]riteri(?:on|a)", "criteria 1 and 2"),
)
ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "last",
)  # fmt: skip
# An unnumbered paragraph of an article is counted like a subparagraph.
ORDINAL_KINDS = {"subparagraph": "sub", "paragraph": "sub", "indent": "ind", "sentence": "snt"}
_ORDINAL = rf"(?:{'|'.join(ORDINALS)})"
# "second subparagraph", "first and third indents"
ORDINAL = rf"{_ORDINAL}(?:(?:,|,?{SP}(?:and|or|to)){SP}{_ORDINAL})*{SP}(?:{'|'.join(ORDINAL_KINDS)})s?\b"


def pattern(kind: PlaceKind) -> str:
    """Return the regular expression of one kind of place."""
    head = kind.head.replace("{_SP}", SP).replace("{{", "{").replace("}}", "}")
    label = kind.label.replace("{_SP}", SP)
    return rf"(?:{head}){kind.gap}{label}" if label else rf"(?:{head})(?!{SP}(?:[IVXL\d]+|[A-Z])\b)\b"


ATOM = rf"(?<![\w/])(?:{'|'.join(pattern(k) for k in KINDS)}|{ORDINAL})"
# "this Article", "this Part": only where an act cites itself
OWN = rf"\bthis{SP}(?:Article|Annex|Appendix|Chapter|Title|Part|[Ss]ection|paragraph|point|subparagraph)\b(?!{SP}[\d(])"
# "Volume I (noise)", "Regulation 14(253)"
_ASIDE = rf"(?:{SP}\([A-Za-z][^()\d]{{2,60}}\))?"
# "of", ", in the", ", and", "of, and" before a place with another preposition ("Article 4 of, and Annex II to, …"), and
# nothing at all ("Article 2 point 7"), unless a sentence ends there
_CONNECTOR = (
    rf"(?:(?:\(\d{{1,3}}\))?,?{SP}(?:of|to|in|under|and|or)(?:{SP}(?:and|in|under|with|the))?{SP}|"
    rf"{SP}(?:of|to),{SP}(?:and|or)(?:{SP}(?:in|under|with|to))?{SP}|"
    rf",{SP}(?:in{SP}|and{SP}(?:in{SP})?)?|(?<!\.){SP}(?=(?:[Pp]ara|[Pp]oint|[Pp]art|[Ss]ection|[Ii]ndent)))"
)
PINPOINT = rf"{ATOM}{_ASIDE}(?:{_CONNECTOR}{ATOM}{_ASIDE})*"

# "Article 12 and in Annex III, Part B": two places, each with the act repeated (rulings R15, D17)
CUT = re.compile(
    rf",?{SP}(?:of,?{SP}|to,?{SP})?(?:and|or){SP}(?:(?:in|under|with|the){SP})?(?=(?:Article|Annex)(?:s|es)?{SP})|,{SP}(?=Articles?{SP})"
)

# "Descriptors 1 (lakes) and 6 (sea bed), laid down in" before an annex: numbered items of a kind that the annex names.
# What is drawn or calculated is no provision; the nouns of `KINDS` are read by themselves.
_OTHER = r"Equations?|Formula[es]?|Figures?|Regulations?|Directives?|Decisions?|Component"
_HEADS = "|".join(k.head.replace("{_SP}", SP) for k in KINDS if k.label and k.kind not in ("reg", "cmc"))
_NOT = rf"(?:{_OTHER}|{_HEADS})"
_ITEM = rf"(?:{NUMBER}|{ROMAN}|[A-Z]\d?(?![A-Za-z]))(?:{SP}\([^()]{{2,60}}\))?"
_ITEMS = (
    rf"(?<![\w/])(?P<noun>(?:(?!{_NOT}\b)[A-Z][A-Za-z-]+{SP}){{0,3}}(?!{_NOT}\b)(?:[A-Z][a-z]{{3,}}|entr(?:y|ies)|items?|rows?)"
    rf"(?:{SP}\([A-Z]{{2,6}}s?\))?)"
    rf"{SP}(?P<labels>{_ITEM}(?:(?:,|,?{SP}(?:and|or|to)){SP}{_ITEM})*)"
)
ITEMS = re.compile(
    rf"{_ITEMS},?{SP}(?:of|in|(?:as{SP})?(?:laid{SP}down|set{SP}out|listed|described|specified|referred{SP}to|defined){SP}in){SP}(?:the{SP})?(?=$|(?:Annex|Appendix|Part|Table)\b)"
)
# "that Directive’s Descriptors 1 (lakes) and 6 (sea bed)": the annex is not named
ITEMS_OF = re.compile(rf"\bthat{SP}(?P<act>Regulation|Directive|Decision)’s{SP}(?P<items>{_ITEMS})")
