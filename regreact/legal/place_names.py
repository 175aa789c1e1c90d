"""Addresses in words: `art_29/par_2/pnt_a` is "Article 29(2)(a)"."""

from __future__ import annotations

# What opens an address, and what is set apart by a comma within an annex.
_NOUNS = {
    "art": "Article", "anx": "Annex", "apx": "Appendix", "chp": "Chapter", "ttl": "Title", "sec": "Section",
    "prt": "Part", "tbl": "Table", "cmc": "CMC", "rec": "recital", "par": "paragraph", "pnt": "point",
    "ind": "indent", "sub": "subparagraph",
}  # fmt: skip


def place_name(address: str) -> str:
    """Return an address as acts cite it, "" for none.

    Example:
        >>> place_name("art_29/par_2/pnt_a"), place_name("anx_V/prt_C/pnt_3"), place_name("anx")
        ('Article 29(2)(a)', 'Annex V, Part C, point 3', 'the Annex')
    """
    words = ""
    in_article = False
    previous = ""
    for step in address.split("/") if address else ():
        kind, _, label = step.partition("_")
        if not label:
            name = f"the {_NOUNS.get(kind, kind)}"
        elif in_article and kind in ("par", "pnt"):
            words += f"({label})"
            continue
        elif kind == previous == "pnt":
            words += f"({label})"
            continue
        else:
            name = f"{_NOUNS.get(kind, kind)} {label}"
        words = f"{words}, {name}" if words else name
        in_article = kind == "art"
        previous = kind
    return words
