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
        >>> place_name("unit:CCM-5.12/SC#1(b)"), place_name("unit:CCA-Appendix-A/sec_II")
        ('CCM 5.12, SC, criterion 1(b)', 'CCA Appendix A, Section II')
    """
    if address.startswith("unit:"):
        return _unit_name(address.removeprefix("unit:"))
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


def _unit_name(address: str) -> str:
    unit, _, criterion = address.partition("#")
    unit, _, section = unit.partition("/sec_")
    words = unit.replace("-", " ").replace("/", ", ")
    words += f", Section {section}" if section else ""
    return f"{words}, criterion {criterion}" if criterion else words
