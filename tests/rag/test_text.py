"""Plain text of acts: split into paragraphs, read into provisions, and the addresses of the real ones."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regreact.errors import SourceFormatError
from regreact.rag.act import LegalAct, Provision
from regreact.rag.convert import convert, sniff
from regreact.rag.convert.runon import split_paragraphs, split_run_on
from regreact.rag.convert.text import lines_of, read_text

GOLD = Path(__file__).resolve().parents[3] / "shared/gold/pinpoints.json"


def read(text: str) -> LegalAct:
    return read_text(text.encode(), name="mill.txt")


# --- one paragraph a line ---------------------------------------------------------------------------------

ACT = """1.5.2099
EN
Official Journal of the European Union
REGULATION (EU) 2099/1 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL
of 1 May 2099
on mills
THE EUROPEAN PARLIAMENT AND THE COUNCIL OF THE EUROPEAN UNION,
Having regard to the proposal from the millers (1),
Whereas:
(1)
Mills are old.
(2)
Sacks are new.
HAVE ADOPTED THIS REGULATION:
CHAPTER I
MILLS
Article 1
Scope
1.   Mills shall be:
(a)
tall;
(b)
white.
2.   Sacks are exempt.
Article 2
Definitions
For this Regulation:
(1)
‘mill’ means a mill;
(2)
‘sack’ means a sack.
Done at Brussels, 1 May 2099.
For the Council
A. MILLER
(1)  OJ C 1, 1.1.2099, p. 1.
ANNEX I
LIMITS
A.   Dust
1.   Near mills: 5 (1)
B.   Noise
(1)  Measured by day.
ANNEX II
CORRELATION TABLE
Article 1
Article 2
—
"""


def test_an_act_with_a_paragraph_a_line() -> None:
    act = read(ACT)
    assert [p.address for p in act.walk()] == [
        "rec_1",
        "rec_2",
        "chp_I",
        "art_1",
        "art_1/par_1",
        "art_1/par_1/pnt_a",
        "art_1/par_1/pnt_b",
        "art_1/par_2",
        "art_2",
        "art_2/pnt_1",
        "art_2/pnt_2",
        "anx_I",
        "anx_I/sec_A",
        "anx_I/sec_A/pnt_1",
        "anx_I/sec_B",
        "anx_II",
    ]
    assert act.title.endswith("of 1 May 2099 on mills")
    assert act.notes == ("(1) OJ C 1, 1.1.2099, p. 1.",)
    assert "(1) Measured by day." in act.by_address["anx_I"].text
    assert "A. MILLER" in act.content


def test_json_of_a_collection_names_the_act() -> None:
    data = json.dumps({"celex_id": "32099R0001", "reference": ACT}).encode()
    act = convert(data, name="mill.json")
    assert (act.celex, act.format, act.id) == ("32099R0001", "text", "32099R0001")
    assert convert(data, name="mill.json", celex="32098R0001", version="2099-06-01").id == "32098R0001-20990601"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "empty"),
        (b"  \n ", "empty"),
        (b"{}", "reference"),
        (b'{"reference": 5}', "reference"),
        (b'{"reference": ', "JSON"),
        (b'{"reference": "  "}', "no text"),
        (b"mill \xff\xfe", "UTF-8"),
        (b"\x01\x00\x02", "binary"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, problem: str) -> None:
    with pytest.raises(SourceFormatError, match=problem) as refused:
        convert(data, name="mill.txt")
    assert "mill.txt" in str(refused.value)


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (b"%PDF-1.7 ...", "pdf"),
        (b"PK\x03\x04...", "formex"),
        (b'<?xml version="1.0"?><ACT xmlns="x">', "formex"),
        (b"<?xml version='1.0'?>\n<!-- no html -->\n<CONS.ACT>", "formex"),
        (b"\xef\xbb\xbf<!DOCTYPE html><html>", "xhtml"),
        (b'<!DOCTYPE html PUBLIC "-//W3C//DTD" "x.dtd"[ <!ENTITY a "b"> ]>\n<HTML>', "xhtml"),
        (b"<div>mill</div>", "xhtml"),
        (b'{"reference": "x"}', "text"),
        (b"Article 1", "text"),
    ],
)
def test_the_format_is_told_by_the_content(data: bytes, format: str) -> None:
    assert sniff(data, "mill") == format


# --- run together -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("Treaty thereof,Having regard", ["Treaty thereof,", "Having regard"]),
        ("in the mill.The miller", ["in the mill.", "The miller"]),
        ("fallow land;(2) Whereas", ["fallow land;", "(2) Whereas"]),
        ("such waste:- bran,- dust.", ["such waste:", "- bran,", "- dust."]),
        ("under point (b).The rest", ["under point (b).", "The rest"]),
        ("the ObjectivesThe aim is", ["the Objectives", "The aim is"]),
        ("ON MILLSThe aim is", ["ON MILLS", "The aim is"]),
        ("ON MILLSreferred to in Article 4", ["ON MILLS", "referred to in Article 4"]),
        ("ON MILLSA. Dust", ["ON MILLS", "A. Dust"]),
        ("on a millTHE COUNCIL OF", ["on a mill", "THE COUNCIL OF"]),
        ("the following(a) the mill", ["the following", "(a) the mill"]),
        ("the word mill means- the house", ["the word mill means", "- the house"]),
        ("LIMITS>TABLE>of dust", ["LIMITS", ">TABLE>", "of dust"]),
        ("the Scope1. This applies.2. That does not.", ["the Scope", "1. This applies.", "2. That does not."]),
        ("for mills1.1. Wind1.2. Water2. Sacks", ["for mills", "1.1. Wind", "1.2. Water", "2. Sacks"]),
        ("1. Under Article 21.2. Mills", ["1. Under Article 21.", "2. Mills"]),
        ("1.1. As in point 1.5.1.2. Mills", ["1.1. As in point 1.5.", "1.2. Mills"]),
        ("of groundwaterA. Sampling of mills", ["of groundwater", "A. Sampling of mills"]),
        ("1. Mills.2. Sacks, see paragraph 1.3. Dust", ["1. Mills.", "2. Sacks, see paragraph 1.", "3. Dust"]),
        ("1. Mills, see Articles 5 and 8.2. Dust", ["1. Mills, see Articles 5 and 8.", "2. Dust"]),
        ("1. Mills1.1. Wind, see Article 11.2. Dust", ["1. Mills", "1.1. Wind, see Article 11.", "2. Dust"]),
        ("referred to in Article 51. Dust is", ["referred to in Article 5", "1. Dust is"]),
        # no break
        ("Article 3(1)(a) and point (b)(ii) of it", None),
        ("of 5 km2. The mill", None),
        ("of 1,5 g and No 1/2099 (OJ L 1, 1.1.2099, p. 1)", None),
        ("by A.Miller at pH 7", None),
        ("in section 1.2. Mills", None),
    ],
)
def test_where_paragraphs_were_run_together(line: str, parts: list[str] | None) -> None:
    assert list(split_run_on(line)) == (parts or [line])


RUN_ON = (
    "Council Directive of 1 May 2099on millsTHE COUNCIL,Having regard to Article 9 thereof,Whereas:(1) Mills are old."
    "(2) Sacks are new.HAS ADOPTED THIS DIRECTIVE:Article 1Scope1. Mills shall be:(a) tall;(b) white as in Article 3(1)(a)."
    '2. Sacks are exempt under Article 3.Article 2DefinitionsFor this Directive:(a) "mill" means a mill;(b) "sack" means '
    "a sack.Article 31. A bell shall ring.2. It shall not crack under Article 21.3. It is loud.Done at Brussels, 1 May 2099."
    "For the CouncilA. Miller(1) OJ L 1, p. 1.ANNEX ILIMITS1. Dust1.1. Near mills.1.2. Elsewhere.2. Noise>TABLE>"
    "ANNEX IIILLNESSESPART AWheat rust.PART BBunt."
)


def test_an_act_run_together() -> None:
    act = read(RUN_ON)
    assert [p.address for p in act.walk()] == [
        "rec_1",
        "rec_2",
        "art_1",
        "art_1/par_1",
        "art_1/par_1/pnt_a",
        "art_1/par_1/pnt_b",
        "art_1/par_2",
        "art_2",
        "art_2/pnt_a",
        "art_2/pnt_b",
        "art_3",
        "art_3/par_1",
        "art_3/par_2",
        "art_3/par_3",
        "anx_I",
        "anx_I/sec_1",
        "anx_I/sec_1/pnt_1.1",
        "anx_I/sec_1/pnt_1.2",
        "anx_I/pnt_2",
        "anx_II",
        "anx_II/prt_A",
        "anx_II/prt_B",
    ]
    assert act.by_address["art_1"].heading == "Scope"
    assert act.by_address["anx_II"].heading == "ILLNESSES"


def test_a_lost_heading_costs_no_other_article() -> None:
    act = read(RUN_ON.replace("Article 2Definitions", " "))
    assert [p.address for p in act.walk() if p.kind == "art"] == ["art_1", "art_3"]


def squeezed(text: str) -> str:
    return "".join(text.split())


PIECES = st.sampled_from(
    [
        "Mills",
        "grind",
        "corn",
        "The bell",
        "(a) ",
        "(ii) ",
        "1. ",
        "2. ",
        "1.1. ",
        "Article 1",
        "ANNEX I",
        "PART A",
        "- ",
        ";",
        ".",
        ":",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_splitting_loses_nothing(line: str) -> None:
    assert squeezed("".join(split_run_on(line))) == squeezed(line)


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("aA1(). ;:\n—‘’\u00a0"), max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    lines = lines_of(text)
    assert squeezed("".join(f"{line.label}{line.text}" for line in lines)) == squeezed(text)


# --- the acts that are at hand as text only ----------------------------------------------------------------


@pytest.fixture(scope="module")
def real(data_root: Path) -> dict[str, LegalAct]:
    """Acts at hand as plain text, by CELEX."""
    paths = sorted((data_root / "acts").glob("*.eurlexsum.json"))
    if not paths:
        pytest.skip(f"no plain texts of acts in {data_root / 'acts'}")
    return {path.name.split(".")[0]: convert(path.read_bytes(), name=path.name) for path in paths}


@pytest.fixture(scope="module")
def citations() -> list[dict[str, Any]]:
    """Citations of acts that are at hand as text only."""
    if not GOLD.is_file():
        pytest.skip(f"list of citations absent: {GOLD}")
    return [entry for entry in json.loads(GOLD.read_text()) if "text only" in entry["note"]]


def comparable(text: str) -> str:
    """Text without case, white space, soft hyphens and kinds of apostrophe."""
    return re.sub(r"[\s\u00ad]+", "", text.casefold()).translate({0x2019: "'", 0x2018: "'"})


def at(act: LegalAct, address: str) -> Provision | None:
    """The provision at an address; within annexes sections and points count as equal."""
    steps = [[step] for step in address.split("/")]
    if address.startswith("anx"):
        steps = [[f"sec_{s[4:]}", f"pnt_{s[4:]}"] if s[:4] in ("sec_", "pnt_") else [s] for [s] in steps]
    return next((p for path in product(*steps) if (p := act.by_address.get("/".join(path)))), None)


def test_cited_provisions_are_found_with_their_text(real: dict[str, LegalAct], citations: list[dict[str, Any]]) -> None:
    wrong: list[str] = []
    for entry in citations:
        found = [at(real[entry["celex"]], address) for address in entry["addresses"]]
        text = comparable("\n".join(provision.text for provision in found if provision))
        if None in found or any(comparable(string) not in text for string in entry["must_contain"]):
            wrong.append(entry["id"])
    assert len(citations) > 50
    assert len(wrong) <= 0.03 * len(citations), wrong


def test_articles_and_annexes_of_real_acts_count_on(real: dict[str, LegalAct]) -> None:
    for celex, act in real.items():
        articles = [p.label for p in act.walk() if p.kind == "art"]
        assert articles == [str(number) for number in range(1, len(articles) + 1)], celex
        assert len({p.address for p in act.walk()}) == sum(1 for _ in act.walk()), celex


def test_real_acts_lose_no_word(real: dict[str, LegalAct], data_root: Path) -> None:
    """Every word is in the act as often as in the text; only the nouns before printed numbers may differ."""
    nouns = set("article annex chapter section part title table appendix".split())
    for celex, act in real.items():
        reference = json.loads((data_root / "acts" / f"{celex}.eurlexsum.json").read_text())["reference"]
        before = Counter(words("\n".join(split_paragraphs(reference))))
        after = Counter(words(f"{act.title}\n{act.text}"))
        assert set(before - after) | set(after - before) <= nouns, celex


def words(text: str) -> list[str]:
    return re.findall(r"[a-zà-ÿ]{4,}", text.casefold())
