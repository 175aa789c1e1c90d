"""CELEX ids from printed numbers: every trap of EU numbering has a row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreact.legal.celex import LETTERS, ActType, Celex, derive, format_number, link, parse, recover
from regreact.legal.citations import find_citations


@pytest.mark.parametrize(
    ("printed", "celex"),
    [
        ("Directive 2010/75/EU", "32010L0075"),
        ("Directive 98/70/EC", "31998L0070"),  # two digits are a year before 2000
        ("Directive 92/43/EEC", "31992L0043"),
        ("Directive 67/548/EEC", "31967L0548"),
        ("Directive 2004/35/CE", "32004L0035"),  # the French letters of the treaty
        ("Regulation (EC) No 338/97", "31997R0338"),  # "No" marks number before year
        ("Regulation (EEC) No 793/93", "31993R0793"),
        ("Regulation (EC) No. 715/2007", "32007R0715"),
        ("Regulation (EU) No 528/2012", "32012R0528"),
        ("Regulation (EC) 1907/2006", "32006R1907"),  # number first also where "No" is left out
        ("Regulation (EU) 168/2013", "32013R0168"),
        ("Regulation 517/2014", "32014R0517"),
        ("Regulation No 1005/2009", "32009R1005"),
        ("Regulation (EU) 2019/631", "32019R0631"),  # since 2015 the year comes first
        ("Regulation EU 2020/852", "32020R0852"),
        ("Regulation (EU) 2015/35", "32015R0035"),
        ("Regulation (EU) No 2016/679", "32016R0679"),  # "No" by mistake: 679 is no year
        ("Regulation (EC) No 2003/2003", "32003R2003"),
        ("Regulation (EC) No 1999/2001", "32001R1999"),
        ("Regulation (EEC) 1408/71", "31971R1408"),
        ("Regulation (Euratom) No 2587/1999", "31999R2587"),
        ("Council Regulation 2587/1999", "31999R2587"),  # 2587 is no year
        ("Regulation 2019/1242", "32019R1242"),
        ("Directive (EU)2016/797", "32016L0797"),
        ("Directive (EU) 2015/2193", "32015L2193"),
        ("Decision (EU) 2017/848", "32017D0848"),
        ("Decision 2016/2323", "32016D2323"),
        ("Decision 2000/532/EC", "32000D0532"),
        ("Decision 94/3/EC", "31994D0003"),
        ("Decision No 676/2002/EC", "32002D0676"),  # a decision, number first
        ("Decision No 661/2010/EU", "32010D0661"),
        ("Decision 676/2002/EC", "32002D0676"),
        ("Framework Decision 2008/913/JHA", "32008F0913"),
        ("Commission Recommendation 2013/179/EU", "32013H0179"),
        ("Commission Delegated Regulation (EU) No 807/2014", "32014R0807"),
        ("Council Directive 2013/59/Euratom", "32013L0059"),
    ],
)
def test_printed_acts(printed: str, celex: str) -> None:
    (citation,) = find_citations(f"it complies with {printed}.")
    assert citation.celex == celex


_NUMBERS = st.integers(1, 9999)
_ACTS = st.builds(
    Celex, st.integers(1958, 2099), st.sampled_from([t for t in LETTERS if t != "Framework Decision"]), _NUMBERS
) | st.builds(Celex, st.integers(1999, 2009), st.just("Framework Decision"), _NUMBERS)


@given(_ACTS)
def test_a_formatted_number_leads_back_to_its_id(act: Celex) -> None:
    (citation,) = find_citations(f"as laid down in {format_number(act)}.")
    assert (citation.celex, citation.act) == (str(act), act)


@given(_ACTS)
def test_parse_and_text_are_inverse(act: Celex) -> None:
    assert parse(str(act)) == act


@pytest.mark.parametrize(
    ("malformed", "celex"),
    [
        ("32013H179", "32013H0179"),  # number not padded
        ("2018R1999", "32018R1999"),  # sector missing
        ("3R20181999", "32018R1999"),  # letter before the year
        ("CELEX: 3 2010 L 0075", "32010L0075"),
        ("32010l0075", "32010L0075"),
        ("32010L0075-20240804", None),
        ("C(2020) 7730", None),
        ("32010L0000", None),
    ],
)
def test_recovery(malformed: str, celex: str | None) -> None:
    assert recover(malformed) == celex


@pytest.mark.parametrize(
    "text", ["", "2010L0075", "32010X0075", "32010L75", "02010L0075-20240804", "32010L0075R(01)", "31066L0001"]
)
def test_other_identifiers_are_no_acts(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(("kind", "first", "second"), [("Regulation", "12", "345"), ("Decision", "14", "8")])
def test_a_number_without_year_has_no_id(kind: ActType, first: str, second: str) -> None:
    assert derive(kind, first, second) is None


def test_link() -> None:
    assert link("32010L0075") == "https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:32010L0075"
