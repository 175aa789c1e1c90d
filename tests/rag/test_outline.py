"""Typed lines become provisions with addresses: one invented act for each rule of drafting."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regreact.rag.act import LegalAct, Table
from regreact.rag.convert import labels, outline
from regreact.rag.convert.lines import Line, Role


def act(lines: Iterable[Line]) -> LegalAct:
    return outline.build(lines, celex="32099R0001", version="", language="en", format="text", sha256="0")


def texts(printed: str) -> list[Line]:
    """Lines of role "text", one for each line of a string."""
    return [Line("text", line.strip()) for line in printed.strip().splitlines()]


def addresses(printed: str | Sequence[Line], below: str = "") -> list[str]:
    found = act(texts(printed) if isinstance(printed, str) else printed)
    return [p.address for p in found.walk() if p.address.startswith(below)]


def own_text(found: LegalAct, address: str) -> list[str]:
    return [part for part in found.by_address[address].content if isinstance(part, str)]


# --- labels -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "bare"),
    [("(a)", "a"), ("1.", "1"), ("10.1.5.", "10.1.5"), ("a)", "a"), ("(10a)", "10a"), ("IV.", "IV"), ("—", "")],
)
def test_labels_lose_brackets_and_stops(label: str, bare: str) -> None:
    assert labels.bare(label) == bare


@pytest.mark.parametrize(
    ("before", "after", "follows"),
    [
        ("(a)", "(b)", True),
        ("(h)", "(i)", True),
        ("(i)", "(ii)", True),
        ("(iv)", "(v)", True),
        ("(z)", "(aa)", True),  # the alphabet goes on with two letters
        ("(b)", "(ba)", True),  # inserted later
        ("(ba)", "(bb)", True),
        ("(ba)", "(c)", True),
        ("10.", "10a.", True),
        ("10a.", "11.", True),
        ("1.9.", "1.10.", True),
        ("(a)", "(c)", False),
        ("(a)", "b)", False),  # another form is another list
        ("1.", "(2)", False),
    ],
)
def test_one_label_follows_another(before: str, after: str, follows: bool) -> None:
    pairs = [(b, a) for b in labels.readings(before) for a in labels.readings(after)]
    assert any(a.series == b.series and a.follows(b.ordinal) for b, a in pairs) is follows


@pytest.mark.parametrize("word", ["and", "2009.", "(EU)", "e.g.", "see", "", "(2018)"])
def test_words_are_no_labels(word: str) -> None:
    assert labels.readings(word) == ()


@pytest.mark.parametrize(
    ("line", "label", "rest"),
    [
        ("(a) a mill", "(a)", "a mill"),
        ("1. A mill", "1.", "A mill"),
        ("1.2.3 A mill", "1.2.3", "A mill"),
        ("5a. A mill", "5a.", "A mill"),
        ("a) a mill", "a)", "a mill"),
        ("A. Mills", "A.", "Mills"),
        ("IV. Mills", "IV.", "Mills"),
        ("— a mill", "—", "a mill"),
        ("(10a) a mill", "(10a)", "a mill"),
        ("Mills (a) grind", "", "Mills (a) grind"),
        ("22.11.2008 is a day", "", "22.11.2008 is a day"),
        ("2 mills", "", "2 mills"),
        ("-5 degrees", "", "-5 degrees"),
    ],
)
def test_a_line_may_begin_with_its_label(line: str, label: str, rest: str) -> None:
    assert labels.split(line) == (label, rest)


# --- articles ---------------------------------------------------------------------------------------------


def test_paragraphs_points_and_text_after_a_list() -> None:
    found = act(
        texts(
            """
            Article 1
            Scope
            1. A miller shall keep:
            (a) a book;
            (b) a bell, which:
            (i) rings;
            (ii) is heard.
            The bell shall be of bronze.
            2. Wind mills are exempt.
            Their owners shall say so.
            Article 2
            Entry into force
            This Regulation shall apply to mills.
            """
        )
    )
    assert [p.address for p in found.walk()] == [
        "art_1",
        "art_1/par_1",
        "art_1/par_1/pnt_a",
        "art_1/par_1/pnt_b",
        "art_1/par_1/pnt_b/pnt_i",
        "art_1/par_1/pnt_b/pnt_ii",
        "art_1/par_2",
        "art_2",
    ]
    assert found.by_address["art_1"].heading == "Scope"
    assert own_text(found, "art_1/par_1") == ["A miller shall keep:", "The bell shall be of bronze."]
    assert own_text(found, "art_1/par_2") == ["Wind mills are exempt.", "Their owners shall say so."]
    assert own_text(found, "art_2") == ["This Regulation shall apply to mills."]


def test_items_of_an_introductory_sentence_are_points_even_if_numbered() -> None:
    defined = "Article 3\nDefinitions\nFor this Regulation:\n(1) ‘mill’ means a mill;\n(2) ‘miller’ means:\n"
    found = addresses("Article 1\nMills grind.\nArticle 2\nSacks hold.\n" + defined + "(a) an owner;\n(b) a tenant.")
    assert found[2:] == ["art_3", "art_3/pnt_1", "art_3/pnt_2", "art_3/pnt_2/pnt_a", "art_3/pnt_2/pnt_b"]


def test_a_paragraph_that_the_markup_names_is_one_without_introduction() -> None:
    lines = [Line("article", "Rules", "Article 1"), Line("paragraph", "Mills grind.", "1."), Line("text", "Well.")]
    assert addresses(lines) == ["art_1", "art_1/par_1"]


def test_letter_or_numeral_is_told_by_what_follows() -> None:
    letters = "Article 1\nMills are:\n" + "\n".join(f"({c}) kind {c.upper()};" for c in "abcdefghij")
    assert addresses(letters)[-2:] == ["art_1/pnt_i", "art_1/pnt_j"]
    nested = "Article 1\nMills are:\n" + "\n".join(f"({c}) kind {c.upper()};" for c in "abcdefgh")
    assert addresses(nested + "\n(i) of wood;\n(ii) of stone;")[-2:] == ["art_1/pnt_h/pnt_i", "art_1/pnt_h/pnt_ii"]


def test_dashes_are_counted() -> None:
    printed = (
        "Article 1\n1. Mills are:\n— tall,\n— white.\n2. Sacks are:\n(a) of cloth:\n- linen,\n- hemp;\n(b) of paper."
    )
    assert addresses(printed) == [
        "art_1",
        "art_1/par_1",
        "art_1/par_1/ind_1",
        "art_1/par_1/ind_2",
        "art_1/par_2",
        "art_1/par_2/pnt_a",
        "art_1/par_2/pnt_a/ind_1",
        "art_1/par_2/pnt_a/ind_2",
        "art_1/par_2/pnt_b",
    ]


def test_text_between_two_items_belongs_to_the_first() -> None:
    printed = "Article 1\nMills are:\n(a) of wood.\nWood is dry.\n(b) of stone, which is:\n(i) hard;\n(ii) heavy.\nIt is dear.\n(c) of clay."
    found = act(texts(printed))
    assert own_text(found, "art_1/pnt_a") == ["of wood.", "Wood is dry."]
    assert own_text(found, "art_1/pnt_b") == ["of stone, which is:", "It is dear."]


def test_a_second_list_of_one_paragraph_gets_a_suffix() -> None:
    printed = "Article 1\n1. The owner shall:\n(a) sweep;\n(b) grind.\nThe tenant shall:\n(a) pay;\n(b) go;\n(c) stay."
    found = act(texts(printed))
    assert "art_1/par_1/pnt_a-2" in found.by_address
    assert own_text(found, "art_1/par_1/pnt_b") == ["grind."]
    assert own_text(found, "art_1/par_1/pnt_b-2") == ["go;"]
    assert own_text(found, "art_1/par_1/pnt_c") == ["stay."]


def test_labels_inserted_later() -> None:
    printed = "Article 1\n1. Mills.\n1a. Sacks.\n2. Flour is:\n(a) white;\n(aa) grey;\n(b) black.\nArticle 1a\nMore.\nArticle 2\nEnd."
    assert addresses(printed) == [
        "art_1",
        "art_1/par_1",
        "art_1/par_1a",
        "art_1/par_2",
        "art_1/par_2/pnt_a",
        "art_1/par_2/pnt_aa",
        "art_1/par_2/pnt_b",
        "art_1a",
        "art_2",
    ]


def test_double_letters_below_a_numeral() -> None:
    printed = "Article 1\nMills:\n(a) grind:\n(i) corn:\n(aa) rye;\n(bb) oats;\n(ii) salt;\n(b) rest."
    assert addresses(printed)[3:] == [
        "art_1/pnt_a/pnt_i/pnt_aa",
        "art_1/pnt_a/pnt_i/pnt_bb",
        "art_1/pnt_a/pnt_ii",
        "art_1/pnt_b",
    ]


def test_an_item_may_begin_with_a_list_of_its_own() -> None:
    printed = "Article 1\nMills:\n(a) stand;\n(b) (i) turn;\n(ii) creak;\n(c) fall."
    assert addresses(printed)[1:] == [
        "art_1/pnt_a",
        "art_1/pnt_b",
        "art_1/pnt_b/pnt_i",
        "art_1/pnt_b/pnt_ii",
        "art_1/pnt_c",
    ]


def test_a_line_that_names_another_article_is_no_heading() -> None:
    printed = "Article 1\nScope\nMills under\nArticle 7\nare exempt.\nArticle 2\nSacks are not."
    assert addresses(printed) == ["art_1", "art_2"]


def test_an_article_may_have_its_title_beside_its_number() -> None:
    printed = "Article 1 Scope\nMills.\nArticle 2 – Sacks of grain\nArticle 3 Sacks are heavy.\nArticle 3\nDust."
    found = act(texts(printed))
    assert [(p.address, p.heading) for p in found.walk()] == [
        ("art_1", "Scope"), ("art_2", "Sacks of grain"), ("art_3", ""),
    ]  # fmt: skip


def test_articles_may_be_missing() -> None:
    assert addresses("Article 1\nMills.\nArticle 4\nSacks.\nArticle 5\nBells.") == ["art_1", "art_4", "art_5"]


def test_titles_chapters_and_sections_hold_articles_but_do_not_number_them() -> None:
    printed = "TITLE I\nMILLS\nCHAPTER I\nWIND\nSection 1\nSails\nArticle 1\nTurn.\nSection 2\nArticle 2\nStop.\nCHAPTER II\nWATER\nArticle 3\nFlow.\nTITLE II\nCHAPTER I\nArticle 4\nEnd."
    assert addresses(printed) == [
        "ttl_I",
        "ttl_I/chp_I",
        "ttl_I/chp_I/sec_1",
        "art_1",
        "ttl_I/chp_I/sec_2",
        "art_2",
        "ttl_I/chp_II",
        "art_3",
        "ttl_II",
        "ttl_II/chp_I",
        "art_4",
    ]
    assert act(texts(printed)).by_address["ttl_I/chp_I"].heading == "WIND"


def test_a_title_printed_over_an_article_is_not_its_neighbours() -> None:
    found = act(texts("Article 1\nMills grind.\nProtection of sacks\nArticle 2\nSacks hold."))
    assert own_text(found, "art_1") == ["Mills grind."]
    assert "Protection of sacks" in found.content


def test_recitals_are_counted_in_the_preamble_only() -> None:
    printed = "Whereas:\n(1) Mills are old.\n(2)\nSacks are new.\nHAVE ADOPTED THIS REGULATION:\nArticle 1\nMills:\n(1) grind."
    found = act(texts(printed))
    assert [p.address for p in found.walk()] == ["rec_1", "rec_2", "art_1", "art_1/pnt_1"]
    assert own_text(found, "rec_2") == ["Sacks are new."]


def test_an_act_without_articles_has_points() -> None:
    printed = "HAS ADOPTED THIS RECOMMENDATION:\n1. PURPOSE\n1.1. To grind.\n1.2. To rest.\n2. USE\nMillers should:\n(a) grind."
    assert addresses(printed) == ["sec_1", "sec_1/pnt_1.1", "sec_1/pnt_1.2", "pnt_2", "pnt_2/pnt_a"]


# --- amending acts ----------------------------------------------------------------------------------------

AMENDING = """
Article 1
Regulation (EC) No 1/2099 is amended as follows:
(1) Article 3 is replaced by the following:
‘Article 3
Bells
1. A bell shall ring.
(a) loud;
2. It shall not crack.’;
(2) in Article 4, ‘mill’ is replaced by ‘wind mill’.
Article 2
This Regulation shall apply.
"""


def test_new_wording_of_another_act_has_no_addresses() -> None:
    assert addresses(AMENDING) == ["art_1", "art_1/pnt_1", "art_1/pnt_2", "art_2"]
    assert "It shall not crack." in act(texts(AMENDING)).by_address["art_1/pnt_1"].text


def test_new_wording_ends_with_the_point_if_its_closing_mark_is_lost() -> None:
    assert addresses(AMENDING.replace("crack.’;", "crack.")) == ["art_1", "art_1/pnt_1", "art_1/pnt_2", "art_2"]


def test_defined_terms_in_quotation_marks_are_no_new_wording() -> None:
    printed = "Article 1\nThe following definitions apply:\n‘mill’ means a house that grinds:\n(a) corn;\n(b) salt."
    assert addresses(printed) == ["art_1", "art_1/pnt_a", "art_1/pnt_b"]


def test_quoted_lines_stay_text() -> None:
    lines = [
        Line("article", "", "Article 1"),
        Line("point", "is replaced:", "(1)"),
        Line("article", "‘Bells", "Article 9", quoted=True),
    ]
    found = act(lines)
    assert [p.address for p in found.walk()] == ["art_1", "art_1/par_1"]
    assert own_text(found, "art_1/par_1")[-1] == "Article 9 ‘Bells"


# --- annexes ----------------------------------------------------------------------------------------------

HEAD = "Article 1\nMills grind.\nDone at Brussels, 1 May 2099.\nFor the Council\nA. MILLER\n"


def annex(printed: str) -> list[str]:
    return addresses(HEAD + printed, "anx")


def test_an_only_annex_has_no_number() -> None:
    assert annex("ANNEX\nLIST\n1. Mill\n2. Sack") == ["anx", "anx/pnt_1", "anx/pnt_2"]


def test_a_number_whose_parts_repeat_it_is_a_section() -> None:
    printed = (
        "ANNEX VII\nRULES\n10. MILLS\n10.1. Wind\n10.1.5. Sails are:\n(a) white;\n(b) red.\n10.2. Water\n11. Bells"
    )
    assert annex(printed) == [
        "anx_VII",
        "anx_VII/sec_10",
        "anx_VII/sec_10/pnt_10.1",
        "anx_VII/sec_10/pnt_10.1.5",
        "anx_VII/sec_10/pnt_10.1.5/pnt_a",
        "anx_VII/sec_10/pnt_10.1.5/pnt_b",
        "anx_VII/sec_10/pnt_10.2",
        "anx_VII/pnt_11",
    ]


def test_the_parts_of_a_part_are_read_with_it() -> None:
    found = act(texts(HEAD + "ANNEX I\n1. MILLS\n1.1. Wind\n1.1.1. Sails are white.\n1.2. Water"))
    assert "Sails are white." in found.by_address["anx_I/sec_1/pnt_1.1"].text
    assert "Sails are white." not in found.by_address["anx_I/sec_1/pnt_1.2"].text


def test_parts_and_sections_as_the_act_calls_them() -> None:
    printed = "ANNEX I\nMILLS\nPart A\nWind\n1. Sails\n2. Doors\nPart B — Water\n1. Wheels\nSection 1: Wood\n(a) oak\nSection 2: Iron"
    assert annex(printed) == [
        "anx_I",
        "anx_I/prt_A",
        "anx_I/prt_A/pnt_1",
        "anx_I/prt_A/pnt_2",
        "anx_I/prt_B",
        "anx_I/prt_B/pnt_1",
        "anx_I/prt_B/sec_1",
        "anx_I/prt_B/sec_1/pnt_a",
        "anx_I/prt_B/sec_2",
    ]
    assert act(texts(HEAD + printed)).by_address["anx_I/prt_B"].heading == "Water"


def test_letters_and_numerals_with_a_stop_divide_an_annex() -> None:
    printed = (
        "ANNEX I\nA. Wind\n1. Sails\n2. Doors\nB. Water\nI. Wheels\nII. Ponds\nC. Forms\nSection 1\nSmall\nSection 2"
    )
    assert annex(printed)[1:] == [
        "anx_I/sec_A",
        "anx_I/sec_A/pnt_1",
        "anx_I/sec_A/pnt_2",
        "anx_I/sec_B",
        "anx_I/sec_B/sec_I",
        "anx_I/sec_B/sec_II",
        "anx_I/sec_C",
        "anx_I/sec_C/sec_1",
        "anx_I/sec_C/sec_2",
    ]


def test_points_may_be_counted_on_from_division_to_division() -> None:
    printed = "ANNEX I\nSection A. Wind\n1. Sails.\n2. Doors.\nSection B. Water\n3. Wheels.\n4. Ponds."
    assert annex(printed)[-3:] == ["anx_I/sec_B", "anx_I/sec_B/pnt_3", "anx_I/sec_B/pnt_4"]


def test_a_formula_within_an_item_does_not_end_its_list() -> None:
    printed = "ANNEX I\n1. Rules:\n(a) for wind:\n(i) A = B.\nB\nis the wind.\n(ii) C.\n(b) for water."
    assert annex(printed)[-3:] == ["anx_I/pnt_1/pnt_a/pnt_i", "anx_I/pnt_1/pnt_a/pnt_ii", "anx_I/pnt_1/pnt_b"]


def test_a_number_without_stop_is_known_by_its_parts() -> None:
    assert annex("ANNEX I\n1 WIND MILLS\n1.1. Sails\n1.2. Doors\n2 mills are enough.")[1:] == [
        "anx_I/sec_1",
        "anx_I/sec_1/pnt_1.1",
        "anx_I/sec_1/pnt_1.2",
    ]


def test_text_below_a_number_of_several_levels_is_its_own() -> None:
    printed = (
        "ANNEX I\n1. MILLS\n1.1. Wind\n1.1.1. Sails\nThere are:\n(a) white ones;\n(b) red ones.\nThey turn.\n1.2. Water"
    )
    found = act(texts(HEAD + printed))
    assert found.by_address["anx_I/sec_1/pnt_1.1.1"].text.endswith("They turn.")
    assert "anx_I/sec_1/pnt_1.1.1/pnt_b" in found.by_address


def test_inserted_annexes_are_no_annexes_of_an_annex() -> None:
    lines = [Line("annex", "", label) for label in ("ANNEX I", "ANNEX Ia", "ANNEX IB", "ANNEX II", "ANNEX IV")]
    assert addresses(lines) == ["anx_I", "anx_Ia", "anx_IB", "anx_II", "anx_IV"]


def test_numbered_tables_stand_right_under_the_annex_or_part() -> None:
    printed = "ANNEX I\n1. LIMITS\n1.1. Dust\nTable 1\nLimits\nMill\n—\n5\n1.2. Noise\nPART 2\nTable 1\n9\nTable 2\n7"
    found = annex(printed)
    assert found[1:] == [
        "anx_I/sec_1",
        "anx_I/sec_1/pnt_1.1",
        "anx_I/tbl_1",
        "anx_I/sec_1/pnt_1.2",
        "anx_I/prt_2",
        "anx_I/prt_2/tbl_1",
        "anx_I/prt_2/tbl_2",
    ]
    assert own_text(act(texts(HEAD + printed)), "anx_I/tbl_1") == ["Mill", "—", "5"]


def test_a_table_is_numbered_by_its_title() -> None:
    table = Table((("Mill", "5"),), "Table 3 — Limits")
    lines = [
        Line("annex", "LIMITS", "ANNEX I"),
        Line("point", "Dust", "1."),
        Line("text", table=table),
        Line("text", "So it is."),
    ]
    found = act(lines)
    assert [p.address for p in found.walk()] == ["anx_I", "anx_I/pnt_1", "anx_I/tbl_3"]
    assert found.by_address["anx_I/tbl_3"].text == "Table 3 Limits\nMill\t5"
    assert found.by_address["anx_I/pnt_1"].text == "(1) Dust\nTable 3 Limits\nMill\t5\nSo it is."


def test_categories_that_the_act_defines() -> None:
    printed = (
        "ANNEX II\nPART II\nRULES\nCMC 1: FLOUR\n1. White.\n2. Dry.\nCMC 2: BRAN\n1. Brown.\nXYZ 1(A): SACKS\n1. Firm."
    )
    assert annex(printed)[1:] == [
        "anx_II/prt_II",
        "anx_II/prt_II/cmc_1",
        "anx_II/prt_II/cmc_1/pnt_1",
        "anx_II/prt_II/cmc_1/pnt_2",
        "anx_II/prt_II/cmc_2",
        "anx_II/prt_II/cmc_2/pnt_1",
        "anx_II/prt_II/sec_XYZ-1-A",
        "anx_II/prt_II/sec_XYZ-1-A/pnt_1",
    ]


def test_modules_and_steps_are_divisions_counted_without_their_noun() -> None:
    found = annex(
        "ANNEX\nPART II\nMODULE A – INTERNAL CONTROL OF KITES\n1. Description\nKites are controlled.\n"
        "MODULE A1 – CONTROL WITH TESTS\n1. Description\nKites are tested.\n"
    )
    assert found == [
        "anx", "anx/prt_II", "anx/prt_II/sec_A", "anx/prt_II/sec_A/pnt_1", "anx/prt_II/sec_A1", "anx/prt_II/sec_A1/pnt_1",
    ]  # fmt: skip
    printed = "ANNEX\nStep 1: Data\n(a) wind;\nStep 2: Flight\n(a) height.\n"
    assert annex(printed) == ["anx", "anx/sec_1", "anx/sec_1/pnt_a", "anx/sec_2", "anx/sec_2/pnt_a"]
    steps = [
        Line("annex", label="ANNEX"),
        Line("division", "Data", "Step 1"),
        Line("point", "wind;", "(a)"),
        Line("division", "Flight", "Step 2"),
        Line("point", "height.", "(a)"),
        Line("division", "Rise", "Step 2.1"),
    ]
    assert addresses(steps, "anx/") == [
        "anx/sec_1", "anx/sec_1/pnt_a", "anx/sec_2", "anx/sec_2/pnt_a", "anx/sec_2/sec_2.1",
    ]  # fmt: skip


def test_an_item_of_a_number_has_no_part_of_the_next_number() -> None:
    assert annex("ANNEX\n1. Mills\nTurn.\n2. Fuels\n2.1. Inputs\n1. Coal.\n2. Peat.\n2.2. Outputs\n1. Heat.") == [
        "anx", "anx/pnt_1", "anx/sec_2", "anx/sec_2/pnt_2.1", "anx/sec_2/pnt_2.1/pnt_1", "anx/sec_2/pnt_2.1/pnt_2",
        "anx/sec_2/pnt_2.2",
        "anx/sec_2/pnt_2.2/pnt_1",
    ]  # fmt: skip


def test_letters_that_divide_an_annex_may_lack_the_first() -> None:
    printed = "1. Small kites.\n2. Large kites.\nB. Kites by sea\nOne a mile.\nC. Kites by lake\nNone."
    found = annex(f"ANNEX\nLIST\nKites by town\n{printed}")
    assert found == ["anx", "anx/pnt_1", "anx/pnt_2", "anx/sec_B", "anx/sec_C"]


def appendices(*labels: str) -> list[str]:
    """Addresses of the parts and appendices of an annex, in the order printed."""
    lines = [Line("annex", label="ANNEX")]
    for label in labels:
        lines += [Line("division" if label.startswith("Part") else "appendix", "Kites", label), Line("text", "Text.")]
    return addresses(lines, "anx/")


def test_appendices_before_another_part_belong_to_theirs() -> None:
    assert appendices("Part I", "Appendix 1", "Part II", "Appendix 1", "Appendix 2") == [
        "anx/prt_I", "anx/prt_I/apx_1", "anx/prt_II", "anx/prt_II/apx_1", "anx/prt_II/apx_2",
    ]  # fmt: skip


def test_appendices_after_the_last_part_belong_to_the_annex() -> None:
    assert appendices("Part A", "Part B", "Appendix 1", "Appendix 2") == [
        "anx/prt_A", "anx/prt_B", "anx/apx_1", "anx/apx_2",
    ]  # fmt: skip


def test_an_appendix_may_have_parts_of_its_own() -> None:
    assert appendices("Part I", "Appendix 1", "Part I", "Part II", "Part II") == [
        "anx/prt_I", "anx/prt_I/apx_1", "anx/prt_I/apx_1/prt_I", "anx/prt_I/apx_1/prt_II", "anx/prt_II",
    ]  # fmt: skip
    assert appendices("Part A", "Part B", "Appendix 1", "Part A", "Part B", "Part C") == [
        "anx/prt_A", "anx/prt_B", "anx/apx_1", "anx/apx_1/prt_A", "anx/apx_1/prt_B", "anx/apx_1/prt_C",
    ]  # fmt: skip


def test_annexes_of_an_annex_stay_below_it() -> None:
    printed = "ANNEX I\nOne\nANNEX II\nGuide\n1. Grind.\nAnnex I\nForms\n1. Form\nAnnex II\nSigns\nANNEX III\nMore"
    assert annex(printed) == [
        "anx_I",
        "anx_II",
        "anx_II/pnt_1",
        "anx_II/anx_I",
        "anx_II/anx_I/pnt_1",
        "anx_II/anx_II",
        "anx_III",
    ]


def test_annexes_that_are_numbered_again_stay_below() -> None:
    lines = [Line("annex", "", f"ANNEX {n}") for n in ("I", "II", "I", "II", "III", "III")]
    assert addresses(lines) == ["anx_I", "anx_II", "anx_II/anx_I", "anx_II/anx_II", "anx_II/anx_III", "anx_III"]


def test_appendices_stand_below_their_annex() -> None:
    lines = [
        Line("annex", "Mills", "ANNEX I"),
        Line("appendix", "Wind", "Appendix A"),
        Line("appendix", "Water", "Appendix B"),
    ]
    assert addresses([*lines, Line("annex", "", "ANNEX II")]) == ["anx_I", "anx_I/apx_A", "anx_I/apx_B", "anx_II"]


def test_correlation_tables_address_nothing() -> None:
    assert annex("ANNEX I\nCORRELATION TABLE\nArticle 1\nAnnex I\nPart A\n(a)\n—") == ["anx_I"]


def test_a_table_of_contents_does_not_take_the_addresses() -> None:
    titles = ["Wind", "Water", "Steam", "Sacks", "Bells"]
    contents = "\n".join(f"{i}. {title}" for i, title in enumerate(titles, 1))
    body = "\n".join(
        f"{i}. {title}\nIt is old.\nIt is good.\nIt is dear.\nIt is so." for i, title in enumerate(titles, 1)
    )
    found = act(texts(f"{HEAD}ANNEX I\nGUIDE\n{contents}\n{body}"))
    assert own_text(found, "anx_I/pnt_3")[-1] == "It is so."
    assert "anx_I/pnt_3-2" not in found.by_address


@pytest.mark.parametrize("noun", ["Annex", "ANNEX"])
def test_a_list_of_annexes_opens_none(noun: str) -> None:
    listed = f"LIST OF ANNEXES\n{noun} I\nMills\nPart A\nWind\n{noun} II\nSacks\n"
    assert annex(listed + "ANNEX I\nMills\nPart A\nWind\n1. Sail.\nANNEX II\nSacks") == [
        "anx_I",
        "anx_I/prt_A",
        "anx_I/prt_A/pnt_1",
        "anx_II",
    ]


def test_headings_within_an_annex_stand_between_its_items() -> None:
    found = act(
        texts(
            HEAD + "ANNEX I\nMEASURES\nOn wind\n1. Sails are set.\n2. Doors are shut.\nOn water\n3. Ponds are filled."
        )
    )
    assert own_text(found, "anx_I") == ["On wind", "On water"]


def test_a_heading_within_a_number_does_not_end_it() -> None:
    numbers = [Line("annex", "", "ANNEX I"), Line("heading", "MILLS", "4."), Line("heading", "Wind", "4.1.")]
    below = [Line("heading", "Rules"), Line("text", "The miller shall:"), Line("point", "grind.", "1.", 1)]
    found = addresses([*numbers, *below, Line("heading", "SACKS", "5.")], "anx_I/")
    assert found == ["anx_I/sec_4", "anx_I/sec_4/pnt_4.1", "anx_I/sec_4/pnt_4.1/pnt_1", "anx_I/pnt_5"]


def test_repeated_annex_lists_do_not_overwrite() -> None:
    found = annex("ANNEX I\nMILLS\n1. Wind.\n2. Water.\n1. Steam.\n2. Horse.")
    assert found[1:] == ["anx_I/pnt_1", "anx_I/pnt_2", "anx_I/pnt_1-2", "anx_I/pnt_2-2"]


# --- markup tells -----------------------------------------------------------------------------------------


def test_nesting_by_the_markup() -> None:
    lines = [
        Line("article", "Mills", "Article 1"),
        Line("paragraph", "They have:", "1."),
        Line("point", "sails:", "(a)", 1),
        Line("point", "white", "(i)", 2),
        Line("text", "or grey", depth=2),
        Line("point", "doors", "(b)", 1),
        Line("text", "and more."),
    ]
    found = act(lines)
    assert [p.address for p in found.walk()][2:] == [
        "art_1/par_1/pnt_a",
        "art_1/par_1/pnt_a/pnt_i",
        "art_1/par_1/pnt_b",
    ]
    assert own_text(found, "art_1/par_1/pnt_a/pnt_i") == ["white", "or grey"]
    assert own_text(found, "art_1/par_1") == ["They have:", "and more."]


def test_notes_and_titles_are_set_apart() -> None:
    found = act(
        [Line("title", "Regulation"), Line("title", "on mills"), Line("text", "Text (1)"), Line("note", "OJ", "(1)")]
    )
    assert (found.title, found.notes, found.content) == ("Regulation on mills", ("(1) OJ",), ("Text (1)",))


def test_nesting_is_bounded() -> None:
    lines = [Line("text", "", label) for label in ("(a)", "(i)", "1.", "A.") * 500]
    lines += [Line("point", "x", "(a)", depth) for depth in range(1, 500)]
    found = act([Line("article", "", "Article 1"), *lines])
    assert max(provision.address.count("/") for provision in found.walk()) < 50
    assert len(found.text) > 2000


# --- whatever comes ---------------------------------------------------------------------------------------

WORDS = st.lists(st.sampled_from(["millers", "grinding", "corn’s", "sacks;", "bells:", "flour."]), max_size=4).map(
    " ".join
)
LABELS = st.sampled_from(
    [
        "",
        "(a)",
        "(b)",
        "(i)",
        "(ii)",
        "(aa)",
        "1.",
        "2.",
        "1.1.",
        "1.2",
        "10.1.5.",
        "A.",
        "II.",
        "(1)",
        "a)",
        "—",
        "7.",
        "(EU)",
    ]
)
NOUNS = st.sampled_from(
    [
        "Article 1",
        "Article 2",
        "CHAPTER I",
        "Section 2",
        "ANNEX",
        "ANNEX I",
        "Annex I",
        "Table 1",
        "CMC 3: X",
        "‘Article 9",
    ]
)
ROLES: st.SearchStrategy[Role] = st.sampled_from(
    [
        "title",
        "recital",
        "division",
        "article",
        "heading",
        "paragraph",
        "point",
        "text",
        "text",
        "text",
        "annex",
        "appendix",
        "note",
        "end",
    ]
)
LINE = st.builds(Line, ROLES, WORDS, LABELS | NOUNS, st.integers(0, 3), st.none(), st.booleans())
PLAIN = st.builds(lambda label, words: Line("text", f"{label} {words}".strip()), LABELS | NOUNS, WORDS)


def words_of(text: str) -> list[str]:
    return re.findall(r"millers|grinding|corn’s|sacks;|bells:|flour\.", text)


@settings(max_examples=150, deadline=None)
@given(st.lists(LINE | PLAIN, max_size=40))
def test_no_word_is_lost_or_moved_and_no_address_is_given_twice(lines: list[Line]) -> None:
    found = act(lines)
    every = [provision.address for provision in found.walk()]
    assert len(set(every)) == len(every)
    printed = [line for line in lines if line.role not in ("title", "note")]
    # Notes that plain text prints after the act's end go to the notes, in order.
    kept = words_of(found.text)
    expected = words_of("\n".join(line.text for line in printed))
    notes = words_of("\n".join(line.text for line in lines if line.role == "note"))
    assert sorted(kept) == sorted(expected + notes)
    assert words_of(found.title) == words_of("\n".join(line.text for line in lines if line.role == "title"))
    if not found.notes:
        assert kept == expected
