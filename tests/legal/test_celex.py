"""CELEX ids from printed numbers: every trap of EU numbering has a row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreact.legal.celex import Celex, derive, parse
from regreact.legal.citations import find_citations


@pytest.mark.parametrize(
    ("printed", "celex"),
    [
        ("Directive 2010/75/EU", "32010L0075"),
        ("Directive 98/70/EC", "31998L0070"),
        ("Directive 92/43/EEC", "31992L0043"),
        ("Regulation (EC) No 338/97", "31997R0338"),
        ("Regulation (EC) No. 715/2007", "32007R0715"),
        ("Regulation (EU) No 528/2012", "32012R0528"),
        ("Regulation (EU) 168/2013", "32013R0168"),
        ("Regulation (EU) 2019/631", "32019R0631"),
        ("Regulation (EC) No 2003/2003", "32003R2003"),
        ("Regulation (EEC) 1408/71", "31971R1408"),
        ("Regulation 2019/1242", "32019R1242"),
        ("Directive (EU)2016/797", "32016L0797"),
        ("Directive (EU) 2015/2193", "32015L2193"),
        ("Decision (EU) 2017/848", "32017D0848"),
        ("Decision 2000/532/EC", "32000D0532"),
        ("Decision No 676/2002/EC", "32002D0676"),
        ("Decision 676/2002/EC", "32002D0676"),
        ("Commission Recommendation 2013/179/EU", "32013H0179"),
        ("Commission Delegated Regulation (EU) No 807/2014", "32014R0807"),
        ("Council Directive 2013/59/Euratom", "32013L0059"),
    ],
)
def test_printed_acts(printed: str, celex: str) -> None:
    (citation,) = find_citations(f"it complies with {printed}.")
    assert citation.celex == celex


@given(st.integers(2015, 2099), st.integers(1, 9999), st.sampled_from(["Regulation", "Directive", "Decision"]))
def test_acts_since_2015_round_trip(year: int, number: int, kind: str) -> None:
    celex = derive(kind, str(year), str(number), domain="EU")  # type: ignore[arg-type]
    assert celex is not None
    assert parse(celex) == Celex(year, kind, number)  # type: ignore[arg-type]


@given(st.integers(1958, 2014), st.integers(100, 999))
def test_numbered_regulations_round_trip(year: int, number: int) -> None:
    celex = derive("Regulation", str(number), str(year), numero=True, domain="EC")
    assert celex == str(Celex(year, "Regulation", number))


@pytest.mark.parametrize("text", ["", "2010L0075", "32010X0075", "32010L75", "02010L0075-20240804", "32010L0075R(01)"])
def test_other_identifiers_are_no_acts(text: str) -> None:
    assert parse(text) is None


def test_a_number_without_year_has_no_id() -> None:
    assert derive("Regulation", "12", "345") is None
