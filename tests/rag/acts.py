"""Invented acts for the tests of retrieval: a builder, a small act, and random acts for properties."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from regreact.rag.act import Content, LegalAct, Provision, ProvisionKind, Table


def provision(kind: ProvisionKind, label: str, *content: Content, heading: str = "") -> Provision:
    """Return a provision whose own address and those below it are set by `act`."""
    return Provision(kind, label, "", heading, content)


def act(*content: Content, notes: tuple[str, ...] = (), celex: str = "32099R0001") -> LegalAct:
    """Return an act with addresses; articles are addressed by number alone."""
    placed = tuple(_placed(part, "", n) for n, part in enumerate(content))
    return LegalAct(celex, "", "en", "text", "0" * 64, "Regulation on mooring", placed, notes)


def _placed(part: Content, above: str, position: int) -> Content:
    if not isinstance(part, Provision):
        return part
    own = f"{part.kind}_{part.label}" if part.label else part.kind
    address = own if part.kind in ("art", "rec") or not above else f"{above}/{own}"
    below = tuple(_placed(inner, address, n) for n, inner in enumerate(part.content))
    return replace(part, address=address, content=below)


SMALL = act(
    "Having regard to the lakes,",
    provision("rec", "1", "Herons nest where reeds grow and boats are few."),
    provision("rec", "2", "Moorings shade the lake bed and hinder water plants."),
    provision(
        "chp",
        "I",
        provision("art", "1", "This Regulation lays down rules on moorings.", heading="Subject matter"),
        provision(
            "art",
            "2",
            "For the purposes of this Regulation:",
            provision("pnt", "1", "‘mooring’ means a place where a boat is tied;"),
            provision("pnt", "2", "‘reed belt’ means a strip of reeds wider than 4 metres;"),
            heading="Definitions",
        ),
        heading="General rules",
    ),
    provision(
        "chp",
        "II",
        provision(
            "art",
            "3",
            provision(
                "par",
                "1",
                "A mooring keeps a distance:",
                provision("pnt", "a", "of 20 metres from reed belts;"),
                provision("pnt", "b", "of 50 metres from nests of herons."),
                "The distance is measured at low water.",
            ),
            provision("par", "2", "Paragraph 1 does not apply to rescue boats."),
            heading="Distances",
        ),
        heading="Siting",
    ),
    provision(
        "anx",
        "I",
        provision(
            "prt",
            "A",
            provision("pnt", "1", "Electric engines of up to 3 kW are quiet."),
            Table((("Engine", "Noise limit"), ("electric", "48 dB"), ("petrol", "62 dB"))),
            heading="Noise",
        ),
        provision("prt", "B", provision("pnt", "1", "Wave height is read from a gauge."), heading="Waves"),
        heading="Engines and waves",
    ),
    notes=("(1) Register of lakes, sheet 7.",),
)

# --- random acts ------------------------------------------------------------------------------------------

WORDS = ("reed", "heron", "boat", "lake", "gauge", "50", "metres", "the", "of", "quiet.", "bank;", "Ropes", "(EU)")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=60).map(" ".join)
tables = st.lists(st.tuples(texts, texts), min_size=1, max_size=6).map(lambda rows: Table(tuple(rows)))


def _labelled(kind: ProvisionKind, contents: list[list[Content]], heading: str = "") -> list[Provision]:
    return [provision(kind, str(n), *content, heading=heading) for n, content in enumerate(contents, 1)]


def _lists(kind: ProvisionKind, inner: st.SearchStrategy[Content], heading: str = "") -> st.SearchStrategy[list[Provision]]:
    contents = st.lists(st.lists(inner, max_size=4), min_size=1, max_size=4)
    return contents.map(lambda made: _labelled(kind, made, heading))


def _unique(content: list[Content | list[Provision]]) -> list[Content]:
    """Flatten lists of provisions and keep one of each label, so that addresses are unique."""
    flat: list[Content] = []
    for part in content:
        flat.extend(part if isinstance(part, list) else [part])
    seen: set[tuple[str, str]] = set()
    kept: list[Content] = []
    for part in flat:
        if isinstance(part, Provision):
            if (part.kind, part.label) in seen:
                continue
            seen.add((part.kind, part.label))
        kept.append(part)
    return kept


points = st.lists(texts | _lists("ind", texts), min_size=1, max_size=3).map(_unique)
paragraphs = st.lists(texts | tables | _lists("pnt", texts), min_size=1, max_size=4).map(_unique)


@st.composite
def random_acts(draw: st.DrawFn) -> LegalAct:
    """Recitals, articles with paragraphs and points, annexes with parts, tables, notes; any of them may be empty."""
    recitals = _labelled("rec", [[text] for text in draw(st.lists(texts, max_size=3))])
    bodies = draw(st.lists(paragraphs, max_size=4))
    articles = [
        provision("art", str(n), *(_labelled("par", [body]) if n % 2 else body), heading="Boats" if n % 3 else "")
        for n, body in enumerate(bodies, 1)
    ]
    parts = [provision("prt", str(n), *body) for n, body in enumerate(draw(st.lists(paragraphs, max_size=3)), 1)]
    annex = provision("anx", "", draw(texts), *parts, heading="Lists")
    chapter = provision("chp", "I", *articles, heading="Rules")
    return act(draw(texts), *recitals, chapter, annex, notes=tuple(draw(st.lists(texts, max_size=2))))
