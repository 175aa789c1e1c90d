"""Words of a place within an act as addresses."""

import json
import os
import re
from pathlib import Path

import pytest

from regreact.legal.pinpoints import addresses

PINPOINTS = Path(os.environ.get("REGREACT_DATA", "../shared/data")) / "../gold/pinpoints.json"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Article 30", ["art_30"]),
        ("Article 29(7), point (b)", ["art_29/par_7/pnt_b"]),
        ("Article 29, paragraphs 2 to 4", ["art_29/par_2", "art_29/par_3", "art_29/par_4"]),
        ("Article 4(1), point (a)(i)", ["art_4/par_1/pnt_a/pnt_i"]),
        ("Article 29(4)(a), (b) and (c)", ["art_29/par_4/pnt_a", "art_29/par_4/pnt_b", "art_29/par_4/pnt_c"]),
        ("Article 29(2) to (4) and (10)", ["art_29/par_2", "art_29/par_3", "art_29/par_4", "art_29/par_10"]),
        ("Articles 7(2) – 7(4) and Annex V", ["art_7/par_2", "art_7/par_3", "art_7/par_4", "anx_V"]),
        ("Article 10a(5) and (5a)", ["art_10a/par_5", "art_10a/par_5a"]),
        ("points (i) and (ii) of Article 19(1)(b)", ["art_19/par_1/pnt_b/pnt_i", "art_19/par_1/pnt_b/pnt_ii"]),
        ("point 3 of part C of Annex I", ["anx_I/prt_C/pnt_3"]),
        ("Annex II, part 2", ["anx_II/prt_2"]),
        ("Annex II.2", ["anx_II/pnt_2"]),
        ("Table 2 of the Annex", ["anx/tbl_2"]),
        ("Table 1 of Appendix 9 to Annex I", ["anx_I/apx_9/tbl_1"]),
        ("Chapter III, Section 2", ["chp_III/sec_2"]),
        ("Section B, points 1 to 3, and points 8 and 9 of Annex VIII",
         [f"anx_VIII/sec_B/pnt_{n}" for n in (1, 2, 3, 8, 9)]),
        ("Sections 3.10 to 3.12 of Annex II", ["anx_II/sec_3.10", "anx_II/sec_3.11", "anx_II/sec_3.12"]),
        ("second subparagraph of paragraph 3", ["par_3/sub_2"]),
        ("Article 10, paragraph 3, indents (a) or (b)", ["art_10/par_3/ind_a", "art_10/par_3/ind_b"]),
        ("Component Material Categories (CMC) 4 and 5 in Annex II", ["anx_II/cmc_4", "anx_II/cmc_5"]),
        # older acts: a stop for the brackets; letters of annexes behind a stop or in brackets
        ("Article 11.4", ["art_11/par_4"]),
        ("Annex I.A", ["anx_I/prt_A"]),
        ("Annex I.A.2", ["anx_I/prt_A/pnt_2"]),
        ("Annex I(A)", ["anx_I/prt_A"]),
        ("Section A.2.1", ["sec_A/pnt_2.1"]),
        ("Annexes I to III", ["anx_I", "anx_II", "anx_III"]),
        # labels put in later, long lists of definitions
        ("Article 3gb(2)", ["art_3gb/par_2"]),
        ("Article 3(13aa)", ["art_3/par_13aa"]),
        ("Article 12(3-a)", ["art_12/par_3-a"]),
        ("paragraph 3-a", ["par_3-a"]),
        ("Article 4(1)(127)", ["art_4/par_1/pnt_127"]),
        ("Article 4(1), point (127)", ["art_4/par_1/pnt_127"]),
        # translations
        ("Article 6(1), letter (a)", ["art_6/par_1/pnt_a"]),
        ("Article 6(1) lit. (a)", ["art_6/par_1/pnt_a"]),
        ("Annex XVII, entry 63", ["anx_XVII/itm_63"]),
        # inside out with commas, points of points
        ("point 2(c), Part B, Annex III", ["anx_III/prt_B/pnt_2/pnt_c"]),
        ("Article 6(1), point (a), points (i) and (ii)", ["art_6/par_1/pnt_a/pnt_i", "art_6/par_1/pnt_a/pnt_ii"]),
        ("Article 2, point (5), point (a)", ["art_2/pnt_5/pnt_a"]),
        ("Article 6(1), point (h), point (i)", ["art_6/par_1/pnt_h", "art_6/par_1/pnt_i"]),
        ("criterion (iv) under point (b) of Article 19(1)", ["art_19/par_1/pnt_b/cri_iv"]),
        # an annex or part is not in the article named before it
        ("Articles 10, 12(c), Annex I, points 3 and 4, Annex II",
         ["art_10", "art_12/pnt_c", "anx_I/pnt_3", "anx_I/pnt_4", "anx_II"]),
        ("Articles 45(1) and 48(3) and point 1 of Part 6", ["art_45/par_1", "art_48/par_3", "prt_6/pnt_1"]),
        ("point (b) of paragraph 2, in point (a) of paragraph 5 and in paragraph 6",
         ["par_2/pnt_b", "par_5/pnt_a", "par_6"]),
        ("Article 4 of, and Annex II to,", ["art_4", "anx_II"]),
        ("that point. In addition", []),
        ("category 17 05 04", ["cat_17 05 04"]),
        ("BAT 23 point (b)", ["bat_23/pnt_b"]),
        ("Modules B and D1 of Annex II", ["anx_II/mod_B", "anx_II/mod_D1"]),
        ("Regulation 14 of Annex VI", ["anx_VI/reg_14"]),
        ("amendment 10 of Volume II, Chapters 2 and 4, of Annex 16", ["anx_16/vol_II/chp_2/amd_10", "anx_16/vol_II/chp_4/amd_10"]),
    ],
)  # fmt: skip
def test_addresses(words: str, expected: list[str]) -> None:
    assert sorted(addresses(words)) == sorted(expected)


def test_annotated_pinpoints() -> None:
    """All but a few of the annotated citations of acts have the address meant, apart from what only the act tells."""
    if not PINPOINTS.is_file():
        pytest.skip(f"{PINPOINTS} is not there")
    act = r",?\s(?:of|to|in)\s(?:the |that |this )?(?:[A-Z]\w+ )*(?:Regulation|Directive|Decision)\b.*"

    def plain(found: list[str]) -> list[str]:
        return sorted(re.sub(r"(?:par|pnt|sec)_", "", re.sub(r"/sec_\d+(?=/pnt_\d+\.)", "", a)) for a in found)

    entries = [e for e in json.loads(PINPOINTS.read_text()) if e["celex"] and not e["addresses"][0].startswith("unit:")]
    right = [e for e in entries if plain(list(addresses(re.sub(act, "", e["citation"])))) == plain(e["addresses"])]
    assert len(entries) > 100
    assert len(right) / len(entries) > 0.93
