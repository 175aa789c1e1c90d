"""The benchmark of retrieval: what is cut from queries, and its measures by hand."""

from __future__ import annotations

import pytest

from regreact.rag.passages import Chunk

retrieval = pytest.importorskip("experiments.retrieval", reason="readers of acts are absent", exc_type=ImportError)


@pytest.mark.parametrize(
    ("printed", "cut"),
    [
        ("as in Article 29, paragraphs 2 to 5, of Directive (EU) 2099/7", "as in Directive (EU) 2099/7"),
        ("as in Article 4(1), point (a)(i), of Regulation (EU) 2099/7", "as in Regulation (EU) 2099/7"),
        ("as in point 10.1.5(a) of Annex VII to Regulation (EU) 2099/7", "as in Regulation (EU) 2099/7"),
        ("as in Articles 7(2) – 7(4) and Annex V to that Regulation", "as in and that Regulation"),
        ("as in Section B, points 1 to 5, and points 8 and 9 of Annex VIII", "as in and"),
        ("as in Chapter V of Directive 2099/7/EU", "as in Directive 2099/7/EU"),
        ("as in Table 1 and Part A of the Directive", "as in and the Directive"),
        ("Descriptors 1 (reeds) and 6 (nests), laid down", "laid down"),
        ("as in Appendix C to this Annex", "as in this Annex"),
        ("as in CMC 4 of it", "as in it"),
        ("at least 70 % in part since 2020", "at least 70 % in part since 2020"),
    ],
)
def test_places_are_cut_and_acts_kept(printed: str, cut: str) -> None:
    assert retrieval.without_places(printed) == cut


def test_measures_by_hand() -> None:
    a, b, c = (Chunk("x", (address,), "", address) for address in ("art_1", "art_2", "art_3"))
    assert retrieval.score([a, b, c], [[b], [c]]) == (1.0, 0.5)
    assert retrieval.score([a, a, a, a, a, c], [[b], [c]]) == (0.0, pytest.approx(1 / 6))
    assert retrieval.score([a], [[b]]) == (0.0, 0.0)


def test_the_mean_is_over_acts() -> None:
    assert retrieval.macro({"one": [(1.0, 1.0)], "two": [(0.0, 0.0), (0.0, 0.5)]})[0].startswith("0.500")
