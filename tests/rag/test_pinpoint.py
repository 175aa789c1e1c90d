"""Citations become addresses: every form against an invented act."""

import pytest

from regreact.legal.citations import Citation, find_citations
from regreact.rag.act import LegalAct, Provision, ProvisionKind, Table
from regreact.rag.internal import own_sections
from regreact.rag.pinpoint import cited_places, resolve, resolve_internal, resolve_words, text_of


def part(kind: ProvisionKind, label: str, *content: str | Table | Provision, heading: str = "") -> Provision:
    return Provision(kind, label, "", heading, content)


def points(labels: str, *inner: str | Provision) -> list[Provision]:
    return [part("pnt", label, f"item {label}", *inner) for label in labels.split()]


def placed(provision: Provision, above: str = "") -> Provision:
    """Give addresses as the readers do: an article by its number alone, a second list with `-2`."""
    step = f"{provision.kind}_{provision.label}" if provision.label else provision.kind
    address = step if provision.kind == "art" or not above else f"{above}/{step}"
    used: dict[str, int] = {}
    content: list[str | Table | Provision] = []
    for inner in provision.content:
        if not isinstance(inner, Provision):
            content.append(inner)
            continue
        below = placed(inner, address)
        count = used[below.address] = used.get(below.address, 0) + 1
        content.append(below if count == 1 else renamed(below, f"{below.address}-{count}"))
    return Provision(provision.kind, provision.label, address, provision.heading, tuple(content))


def renamed(provision: Provision, address: str) -> Provision:
    return Provision(provision.kind, provision.label, address, provision.heading, provision.content)


def act_of(*parts: Provision, celex: str = "32091R0007") -> LegalAct:
    return LegalAct(celex, "", "en", "text", "0" * 64, "On lakes", tuple(placed(p) for p in parts))


DEFINITIONS = part("art", "3", "In this act:", *points("1 2 3 4"), part("pnt", "5", "‘mill’ is:", *points("a b")))
PARAGRAPHS = part(
    "art", "5",
    part("par", "1", "Mills close at night."),
    part("par", "2", "Mills are, where they stand", *points("a b"), part("pnt", "c", "in towns:", *points("i ii iii iv"))),
    part("par", "2a", "Mills hum."),
    part("par", "3", "First of three.", "Second of three:", part("ind", "1", "dash one"), part("ind", "2", "dash two"),
         "Third of three."),
    part("par", "4", "Wheels turn:", *points("a b"), "Wheels rest:", *points("a b c"), "Wheels stop."),
    part("par", "10", "Ten wheels."),
)  # fmt: skip
ACT = act_of(
    part("rec", "1", "Lakes are wet."),
    part("rec", "2", "Mills are dry."),
    part("ttl", "I", part("art", "1", "Scope."), part("art", "2", "First paragraph.", "Second paragraph.")),
    part("ttl", "II",
         part("chp", "I", DEFINITIONS, part("art", "4", *points("a b c d"))),
         part("chp", "II", part("sec", "1", PARAGRAPHS), part("sec", "2", part("art", "6", *points("1 2 3")),
                                                               part("art", "6a", "Lettered.")))),
    part("ttl", "III", part("chp", "I", part("art", "7", part("par", "1", "One."), part("par", "2", "Two.")))),
    part("anx", "I",
         part("prt", "A", part("sec", "1", "General", part("pnt", "1.1", "x"), part("pnt", "1.2", "y", *points("a b"))),
              part("sec", "2", part("pnt", "2.1", "z"))),
         part("prt", "B", *points("1 2 3"), part("tbl", "1", Table((("1", "2"),)))),
         part("prt", "C", *points("1"), part("tbl", "2", Table((("3", "4"),))))),
    part("anx", "II", "Qualitative markers of good lakes:", *points("1 2 3 4 5")),
    part("anx", "IIa", *points("1 2")),
    part("anx", "III",
         part("sec", "10", part("pnt", "10.1", "a"), part("pnt", "10.1.5", "b", *points("a b")), part("pnt", "10.2", "c")),
         part("apx", "1", "Forms", *points("1 2"))),
    part("anx", "IV", part("prt", "I", part("cmc", "4", "named")),
         part("prt", "II", part("cmc", "4", "set out at length, with all that it needs"), part("cmc", "5", "also"))),
    part("anx", "V", part("sec", "A", *points("1 2 3")), part("sec", "B", *points("1 2 3 4 5 6 7 8 9"))),
)  # fmt: skip


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        # articles, paragraphs, points
        ("Article 1", "art_1"),
        ("Article 6a", "art_6a"),
        ("Art. 5(1)", "art_5/par_1"),
        ("Article 5(2)", "art_5/par_2"),
        ("Article 5 (2)", "art_5/par_2"),
        ("Article 5, paragraph 2", "art_5/par_2"),
        ("paragraph 2 of Article 5", "art_5/par_2"),
        ("Article 5(2)(a)", "art_5/par_2/pnt_a"),
        ("Article 5(2), point (a)", "art_5/par_2/pnt_a"),
        ("point (a) of Article 5(2)", "art_5/par_2/pnt_a"),
        ("point (a) of paragraph 2 of Article 5", "art_5/par_2/pnt_a"),
        ("Article 5, paragraph 2, point (c)(ii)", "art_5/par_2/pnt_c/pnt_ii"),
        ("Article 5(2)(c)(i) and (iii)", "art_5/par_2/pnt_c/pnt_i art_5/par_2/pnt_c/pnt_iii"),
        ("Article 5(2)(c)(i) to (iii)", "art_5/par_2/pnt_c/pnt_i art_5/par_2/pnt_c/pnt_ii art_5/par_2/pnt_c/pnt_iii"),
        ("points (i) and (ii) of Article 5(2)(c)", "art_5/par_2/pnt_c/pnt_i art_5/par_2/pnt_c/pnt_ii"),
        ("Article 5(2)(a) or (b) and (3)", "art_5/par_2/pnt_a art_5/par_2/pnt_b art_5/par_3"),
        ("Article 5(2), first sentence", "art_5/par_2"),
        # what a number is, the act says
        ("Article 3(2)", "art_3/pnt_2"),
        ("Article 3, point 2", "art_3/pnt_2"),
        ("Article 3 point 2", "art_3/pnt_2"),
        ("Article 3, point (2)", "art_3/pnt_2"),
        ("Article 3, points (2)", "art_3/pnt_2"),
        ("Article 3(5)(b)", "art_3/pnt_5/pnt_b"),
        ("point 5(a) of Article 3", "art_3/pnt_5/pnt_a"),
        ("Article 4(b)", "art_4/pnt_b"),
        ("criterion (b) under Article 4", "art_4/pnt_b"),
        ("Article 6(3)", "art_6/pnt_3"),
        ("Article 5, point 10", "art_5/par_10"),
        # lists and ranges
        ("Articles 1 and 6a", "art_1 art_6a"),
        ("Article 1 or 2", "art_1 art_2"),
        ("Articles 5 to 7", "art_5 art_6 art_6a art_7"),
        ("Article 5 to Article 6a", "art_5 art_6 art_6a"),
        ("Articles 3(1) and 5(3)", "art_3/pnt_1 art_5/par_3"),
        ("Article 5(1), (2) or (3)", "art_5/par_1 art_5/par_2 art_5/par_3"),
        ("Article 5(2) to (4) and (10)", "art_5/par_2 art_5/par_2a art_5/par_3 art_5/par_4 art_5/par_10"),
        ("Article 5, paragraphs 2 to 3", "art_5/par_2 art_5/par_2a art_5/par_3"),
        ("Article 5, paragraphs 1-2", "art_5/par_1 art_5/par_2"),
        ("Articles 5(1) – 5(2)", "art_5/par_1 art_5/par_2"),
        ("Article 3, points (1) to (3) and (5)", "art_3/pnt_1 art_3/pnt_2 art_3/pnt_3 art_3/pnt_5"),
        ("points (a) and (b) to (d) of Article 4", "art_4/pnt_a art_4/pnt_b art_4/pnt_c art_4/pnt_d"),
        ("point (b) to point (d) of Article 4", "art_4/pnt_b art_4/pnt_c art_4/pnt_d"),
        ("Article 5(2) and (2a)", "art_5/par_2 art_5/par_2a"),
        ("points (1) to (2), (5)(b) and (4) of Article 3", "art_3/pnt_1 art_3/pnt_2 art_3/pnt_5/pnt_b art_3/pnt_4"),
        ("Article 5(2), point (a), and Article 6(1)", "art_5/par_2/pnt_a art_6/pnt_1"),
        ("Article 5(2) of and Annex II", "art_5/par_2 anx_II"),
        ("paragraph 1 and point (b) of paragraph 2 of Article 5", "art_5/par_1 art_5/par_2/pnt_b"),
        ("Article 5, paragraph 1 and paragraph 2, point (b)", "art_5/par_1 art_5/par_2/pnt_b"),
        ("Article 5(1) and paragraph 3", "art_5/par_1 art_5/par_3"),
        ("Article 1, points (a) and (b) of Article 4 and Article 7", "art_1 art_4/pnt_a art_4/pnt_b art_7"),
        ("point (d) of Article 4 and with Article 7(2)", "art_4/pnt_d art_7/par_2"),
        ("Article 1, third subparagraph of Article 5(3), point (b) of Article 4",
         "art_1 art_5/par_3/sub_3 art_4/pnt_b"),
        ("points (a) and (b) of paragraph 2 and paragraphs 1 and 3 of Article 5",
         "art_5/par_2/pnt_a art_5/par_2/pnt_b art_5/par_1 art_5/par_3"),
        ("Articles 1 and 4, point (b)", "art_1 art_4/pnt_b"),
        ("point (b) of Articles 3(5) and 4", "art_3/pnt_5/pnt_b art_4/pnt_b"),
        ("Article 5(1), 10 %", "art_5/par_1"),
        ("Article 5(1), 2090", "art_5/par_1"),
        # what is counted
        ("Article 5(3), second subparagraph", "art_5/par_3/sub_2"),
        ("third subparagraph of Article 5(3)", "art_5/par_3/sub_3"),
        ("last subparagraph of Article 5(3)", "art_5/par_3/sub_3"),
        ("first and third subparagraphs of Article 5(3)", "art_5/par_3/sub_1 art_5/par_3/sub_3"),
        ("Article 5(4), second subparagraph, points (a) and (c)", "art_5/par_4/sub_2/pnt_a art_5/par_4/sub_2/pnt_c"),
        ("point (b) of the first subparagraph of Article 5(4)", "art_5/par_4/sub_1/pnt_b"),
        ("second paragraph of Article 2", "art_2/sub_2"),
        ("second indent of Article 5(3)", "art_5/par_3/ind_2"),
        ("Article 5(3), second subparagraph, first indent", "art_5/par_3/sub_2/ind_1"),
        # divisions
        ("Title II", "ttl_II"),
        ("Chapter II of Title II", "ttl_II/chp_II"),
        ("Title II, Chapter II, Section 2", "ttl_II/chp_II/sec_2"),
        ("Chapter II", "ttl_II/chp_II"),
        ("recital 2", "rec_2"),
        # annexes
        ("Annex II", "anx_II"),
        ("Annexes I to IIa", "anx_I anx_II anx_IIa"),
        ("Annex IIa, point 2", "anx_IIa/pnt_2"),
        ("Annexes I or II", "anx_I anx_II"),
        ("Annex 2", "anx_II"),
        ("Part A of Annex I", "anx_I/prt_A"),
        ("Annex I, part B", "anx_I/prt_B"),
        ("Annex I Part B", "anx_I/prt_B"),
        ("point 2 of part B of Annex I", "anx_I/prt_B/pnt_2"),
        ("Annex I, Part A, point 1", "anx_I/prt_A/sec_1"),
        ("Annex I, Section 1.2(b)", "anx_I/prt_A/sec_1/pnt_1.2/pnt_b"),
        ("Annex I, Part A, points 1.2 to 2.1", "anx_I/prt_A/sec_1/pnt_1.2 anx_I/prt_A/sec_2/pnt_2.1"),
        ("point 3 of Annex I", "anx_I/prt_B/pnt_3"),
        ("point 10.1.5(a) of Annex III", "anx_III/sec_10/pnt_10.1.5/pnt_a"),
        ("Annex III, Section 10, point 10.2", "anx_III/sec_10/pnt_10.2"),
        ("paragraphs 10.1 and 10.2 of Annex III", "anx_III/sec_10/pnt_10.1 anx_III/sec_10/pnt_10.2"),
        ("Appendix 1 to Annex III", "anx_III/apx_1"),
        ("point 2 of Appendix 1", "anx_III/apx_1/pnt_2"),
        ("Table 1 of Annex I", "anx_I/prt_B/tbl_1"),
        ("Table 1 and Table 2 of Annex I", "anx_I/prt_B/tbl_1 anx_I/prt_C/tbl_2"),
        ("Table II in Annex I", "anx_I/prt_C/tbl_2"),
        ("Section A and Section B of Annex V", "anx_V/sec_A anx_V/sec_B"),
        ("Section B, points 1 to 3, and points 8 and 9 of Annex V",
         "anx_V/sec_B/pnt_1 anx_V/sec_B/pnt_2 anx_V/sec_B/pnt_3 anx_V/sec_B/pnt_8 anx_V/sec_B/pnt_9"),
        ("point 2 of Part B of Annex I and point 3 of Annex II", "anx_I/prt_B/pnt_2 anx_II/pnt_3"),
        ("Component Material Categories (CMC) 4 and 5 in Annex IV", "anx_IV/prt_II/cmc_4 anx_IV/prt_II/cmc_5"),
        # items of a kind that the act names
        ("Marker 4 (fish), set out in Annex II", "anx_II/pnt_4"),
        ("Markers 1 (reeds) and 3 (sand, mud), laid down in Annex II", "anx_II/pnt_1 anx_II/pnt_3"),
        ("Markers 2 to 4 of Annex II", "anx_II/pnt_2 anx_II/pnt_3 anx_II/pnt_4"),
        ("entry 5 of Annex II", "anx_II/pnt_5"),
        ("Equation 3 of Annex II", "anx_II"),
    ],
)  # fmt: skip
def test_words_of_a_place_in_an_act(words: str, expected: str) -> None:
    resolution = resolve_words(words, ACT)
    assert (resolution.cause, resolution.addresses) == ("", tuple(expected.split()))


@pytest.mark.parametrize(
    ("words", "place", "expected"),
    [
        ("paragraph 3", "art_5/par_10", "art_5/par_3"),
        ("second subparagraph of paragraph 3", "art_5/par_1", "art_5/par_3/sub_2"),
        ("point (b)", "art_5/par_2/pnt_c", "art_5/par_2/pnt_b"),
        ("point (iii)", "art_5/par_2/pnt_c/pnt_i", "art_5/par_2/pnt_c/pnt_iii"),
        ("second subparagraph", "art_5/par_3", "art_5/par_3/sub_2"),
        ("point 10.2", "anx_III/sec_10/pnt_10.1", "anx_III/sec_10/pnt_10.2"),
        ("point 2 of this Annex", "anx_II/pnt_5", "anx_II/pnt_2"),
        ("point 2 of this Part", "anx_I/prt_B/pnt_1", "anx_I/prt_B/pnt_2"),
        ("Part C", "anx_I/prt_B/pnt_1", "anx_I/prt_C"),
        ("Section 2 of this Chapter", "art_5/par_1", "ttl_II/chp_II/sec_2"),
        ("this Article", "art_5/par_1", "art_5"),
        ("Article 3(2)", "art_5/par_1", "art_3/pnt_2"),
        ("Annex II to this Regulation", "art_1", "anx_II"),
        ("point (b) of this subparagraph", "art_5/par_4/pnt_b", "art_5/par_4/pnt_b"),
        ("points (a) and (c) of this subparagraph", "art_5/par_4/pnt_c", "art_5/par_4/pnt_a-2 art_5/par_4/pnt_c"),
        ("first sentence", "art_5/par_2", "art_5/par_2"),
        ("this Part", "anx_V/sec_A/pnt_2", "anx_V/sec_A"),
        ("this Section", "anx_II/pnt_2", "anx_II/pnt_2"),
    ],
)
def test_places_of_the_citing_act_itself(words: str, place: str, expected: str) -> None:
    resolution = resolve_words(words, ACT, place)
    assert (resolution.cause, resolution.addresses) == ("", tuple(expected.split()))


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("Article 8", "no art_8"),
        ("Article 5(9)", "no par_9"),
        ("Article 5(3), fourth subparagraph", "3 subparagraphs"),
        ("Article 5(1) and (11)", "no par_11"),
        ("Chapter I", "ttl_II/chp_I and ttl_III/chp_I"),
        ("paragraph 2", "not named"),
        ("this Article", "outside"),
        ("Annex IX", "no anx_IX"),
        ("the lakes", "names no place"),
    ],
)
def test_what_is_not_in_the_act_is_said(words: str, cause: str) -> None:
    assert cause in resolve_words(words, ACT).cause


def test_items_that_the_act_does_not_name_leave_their_annex() -> None:
    resolution = resolve_words("Ladder 3 of Annex II", ACT)
    assert resolution.addresses == ("anx_II",)
    assert "ladder" in resolution.cause


@pytest.mark.parametrize(
    ("annexes", "words", "expected"),
    [
        ([""], "Annex", "anx"),
        ([""], "the Annex", "anx"),
        ([""], "Annex I", "anx"),
        (["I"], "the Annex", "anx_I"),
        (["I", "II"], "the Annex", "anx_I"),
    ],
)
def test_an_only_annex(annexes: list[str], words: str, expected: str) -> None:
    act = act_of(part("art", "1", "Scope."), *(part("anx", label, "Lakes.") for label in annexes))
    assert resolve_words(words, act).addresses == (expected,)


def test_points_of_an_act_without_articles() -> None:
    act = act_of(part("pnt", "2", "use", *points("a b")), part("pnt", "3", "report"))
    assert resolve_words("point 2(a)", act).addresses == ("pnt_2/pnt_a",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("set out in Article 5(2) of Regulation (EU) 2091/7", ["art_5/par_2"]),
        ("Article 3 of Regulation (EU) 2091/7 applies, and Article 5(1) of that Regulation too", ["art_3", "art_5/par_1"]),
        ("Article 5 of Regulation (EU) 2091/7 and paragraph 3 of that Article", ["art_5", "art_5/par_3"]),
        ("Article 5(2) of Regulation (EU) 2091/7 and point (b) of that paragraph", ["art_5/par_2", "art_5/par_2/pnt_b"]),
        ("Article 5 of Regulation (EU) 2091/7, in particular paragraph 3 thereof", ["art_5", "art_5/par_3"]),
        ("under Regulation (EU) 2091/7, in particular with what is laid down in Article 4 of the Regulation", ["art_4"]),
        ("as defined in Article 3, point 2; of, Regulation (EU) 2091/7", ["art_3/pnt_2"]),
        ("meets Annex I to Regulation (EU) 2091/7, in Part A, point 1.2", ["anx_I/prt_A/sec_1/pnt_1.2"]),
        ("Marker 4 (fish), laid down in Annex II to Regulation (EU) 2091/7", ["anx_II/pnt_4"]),
        ("by Regulation (EU) 2091/7, as to that Regulation’s Markers 1 (reeds), 3 (sand)", ["anx_II/pnt_1", "anx_II/pnt_3"]),
        ("by Regulation (EU) 2091/7, as to that Regulation’s Marker 4, set out in Annex II to that Regulation",
         ["anx_II/pnt_4"]),
        ("Articles 4 and 5(3) of Regulation (EU) 2091/7", ["art_4", "art_5/par_3"]),
    ],
)  # fmt: skip
def test_citations_in_a_text(text: str, expected: list[str]) -> None:
    found = cited_places(text, "CCM-1.1/SC", {"32091R0007": ACT}.get)
    assert [a for place in found for a in place.resolution.addresses] == expected


def test_an_antecedent_stands_in_an_earlier_criterion() -> None:
    earlier = find_citations("as laid down in Article 5(3) of Regulation (EU) 2091/7")
    found = cited_places("see paragraph 10 of that Article", "CCM-1.1/SC", {"32091R0007": ACT}.get, previous=earlier)
    assert found[0].resolution.addresses == ("art_5/par_10",)


def test_without_the_act_the_words_count() -> None:
    citation = find_citations("Article 9(2) of Directive 2089/3/EU")[0]
    resolution = resolve(citation, None)
    assert resolution.addresses == ("art_9/par_2",)
    assert "not at hand" in resolution.cause


def test_another_act_is_refused() -> None:
    citation = find_citations("Article 5(2) of Directive (EU) 2090/5")[0]
    assert "is cited" in resolve(citation, ACT).cause


def test_the_text_of_places() -> None:
    def text(words: str) -> str:
        return text_of(resolve_words(words, ACT), ACT)

    assert text("Article 5(10)") == "10. Ten wheels."
    assert text("Article 5(3), second subparagraph") == "Second of three:\n— dash one\n— dash two"
    assert text("Article 5(3), first and third subparagraphs") == "First of three.\nThird of three."
    assert text("Article 5(4), second subparagraph, point (c)") == "(c) item c"
    assert text("Article 99") == ""
    assert text_of(resolve(Citation(0, 0, "", "eu-act", ACT.celex), ACT), ACT) == ACT.text


KEYS = (
    *(f"CCM-{number}/SC" for number in ("1.1", "2.3", "2.9", "2.10", "2.11", "3.1")),
    *(f"{act}-2.{n}/DNSH.{objective}" for act in ("CCM", "CCA") for n in (3, 9) for objective in ("water", "circular")),
    "CCA-2.3/SC", "CCM-Appendix-A", "CCM-Appendix-B", "CCA-Appendix-A", "WTR-2.3/SC", "CE-2.3/SC", "BIO-Appendix-D",
    "CCM-3.1/SC#1(d)", "CCM-3.1/SC#2",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("meets Section 2.3 of this Annex", "CCM-1.1/SC", "CCM-2.3/SC"),
        ("meets Section 2.3 of this Annex", "CCA-1.1/SC", "CCA-2.3/SC"),
        ("meets Section 2.3.", "CCM-1.1/SC", "CCM-2.3/SC"),
        ("meets Section 2.3 (Building mills)", "CCM-1.1/SC", "CCM-2.3/SC"),
        ("meets Sections 2.3 and 3.1, respectively, of this Annex", "CCM-1.1/SC", "CCM-2.3/SC CCM-3.1/SC"),
        ("meets Sections 2.9 to 3.1 of this Annex", "CCM-1.1/SC", "CCM-2.9/SC CCM-2.10/SC CCM-2.11/SC CCM-3.1/SC"),
        ("meets Sections 2.3 and 3.1 of Annex I to this Regulation", "CCA-1.1/SC", "CCM-2.3/SC CCM-3.1/SC"),
        ("meets Section 2.3 of Annex II to Delegated Regulation (EU) 2021/2139", "PPC-1.1/SC", "CCA-2.3/SC"),
        ("meets Section 2.3 of Annex II to Delegated Regulation (EU) 2023/2486", "CCM-1.1/SC", "CE-2.3/SC"),
        ("meets criteria 1 and 2 of Section 2.3 of this Annex", "CCM-1.1/SC", "CCM-2.3/SC#1 CCM-2.3/SC#2"),
        ("meets Sections 3.1 and criterion 2 of Section 2.3 of this Annex", "CCM-1.1/SC", "CCM-3.1/SC CCM-2.3/SC#2"),
        ("meets points 1(a) to (c) of Section 2.3 of this Annex", "CCM-1.1/SC",
         "CCM-2.3/SC#1(a) CCM-2.3/SC#1(b) CCM-2.3/SC#1(c)"),
        ("meets point (d) and paragraph 2 of Section 3.1 of this Annex", "CCM-1.1/SC", "CCM-3.1/SC#1(d) CCM-3.1/SC#2"),
        ("meets Section 2.3, subsection ‘Substantial contribution to climate change mitigation’, points (b) or (c)",
         "CCM-1.1/SC", "CCM-2.3/SC#1(b) CCM-2.3/SC#1(c)"),
        ("meets the criteria for DNSH to sustainable use and protection of water and marine resources of Section 2.3 "
         "(Building mills)", "CCM-1.1/DNSH.water", "CCM-2.3/DNSH.water"),
        ("meets Section 2.3 of this Annex and its do no significant harm criteria for the transition to a circular "
         "economy", "CCA-1.1/SC", "CCA-2.3/DNSH.circular"),
        ("Mills do no significant harm to water and marine resources. They meet Section 2.3 of this Annex", "CCM-1.1/SC",
         "CCM-2.3/SC"),
        ("meets the DNSH criteria of Section 2.9 of this Annex", "CCM-1.1/SC", "CCM-2.9/DNSH.water CCM-2.9/DNSH.circular"),
        ("meets Appendix A to this Annex", "CCA-1.1/SC", "CCA-Appendix-A"),
        ("meets Appendices A and B to this Annex", "CCM-1.1/SC", "CCM-Appendix-A CCM-Appendix-B"),
        ("meets Appendix A to Annex I to this Regulation", "CCA-1.1/SC", "CCM-Appendix-A"),
        ("meets Appendix D to Annex IV to Delegated Regulation (EU) 2023/2486", "CCM-1.1/SC", "BIO-Appendix-D"),
        ("listed in Section II of Appendix A to this Annex", "CCM-1.1/SC", "CCM-Appendix-A/sec_II"),
        ("listed in Section II of this Appendix", "CCM-Appendix-A", "CCM-Appendix-A/sec_II"),
        ("See the Guidance for lakes, Section 2.3 (Reeds)", "CCM-1.1/SC", ""),
        ("meets Section 9.9 of this Annex", "CCM-1.1/SC", ""),
        ("meets the relevant Section of this Annex", "CCM-1.1/SC", ""),
    ],
)  # fmt: skip
def test_places_within_the_criteria(text: str, unit: str, expected: str) -> None:
    citations = [*find_citations(text), *own_sections(text)]
    found = [a for c in citations for a in resolve_internal(c, unit, text, KEYS)]
    assert found == [f"unit:{key}" for key in expected.split()]


def test_a_section_that_is_not_at_hand_is_said() -> None:
    found = cited_places("meets Section 9.9 of this Annex", "CCM-1.1/SC", lambda _: None, KEYS)
    assert "no unit at hand" in found[0].resolution.cause
