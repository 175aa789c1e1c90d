"""Wrong cross-references where the same section is at hand from a page that flattens lists and from the official act."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from regreact import corpus
from regreact.answers import Answer
from regreact.cli import app
from regreact.config import Settings
from regreact.errors import SourceFormatError
from regreact.odr import Outcome
from regreact.program import RegReAct
from regreact.second_source import OfficialReading, Verdict, settle
from regreact.sources.reader import read
from signatures.types import CorrectionValue, CriterionView

PAPER = Path("../shared/data/compass/CCM-4.29-paper.html")
OFFICIAL = Path("../shared/data/taxonomy/02021R2139-20250108.fmx.xml")

CHAPEAU = "The kiln meets either of the following criteria:"
SOLAR = "the heat of the kiln comes from solar collectors;"
SOLAR_CHECK = "Ash is taken to a brickyard."
SOLAR_LOG = "Water is drawn from a rain tank."
GAS = "kilns permitted by 31 December 2031 comply with all of the following:"
GAS_LIMIT = "direct emissions are lower than 90 g CO2e/kWh;"
GAS_PLAN = "a plan for the switch to hydrogen is in place."
VERIFIED = "Compliance with the criteria referred to in point 1({}) is verified by an independent third party."


def item(label: str, text: str, below: str = "") -> str:
    return f"<ITEM><NP><NO.P>({label})</NO.P><TXT>{text}</TXT>{below}</NP></ITEM>"


def formex(cited: str, folder: Path) -> Path:
    """The official act: two alternatives, the first with two paragraphs, the second with a list."""
    solar = f"<P>{SOLAR_CHECK}</P><P>{SOLAR_LOG}</P>"
    gas = f"<P><LIST TYPE='roman'>{item('i', GAS_LIMIT)}{item('ii', GAS_PLAN)}</LIST></P>"
    criteria = (
        f"<NP><NO.P>1.</NO.P><TXT>{CHAPEAU}</TXT><P><LIST TYPE='alpha'>{item('a', SOLAR, solar)}{item('b', GAS, gas)}"
        f"</LIST></P></NP><P>{VERIFIED.format(cited)}</P>"
    )
    names = ["Climate change adaptation", "Sustainable use and protection of water and marine resources",
             "Transition to a circular economy", "Pollution prevention and control",
             "Protection and restoration of biodiversity and ecosystems"]  # fmt: skip
    harm = "".join(
        f"<ROW><CELL COL='1'><NP><NO.P>({n})</NO.P><TXT>{name}</TXT></NP></CELL><CELL COL='2'>N/A</CELL></ROW>"
        for n, name in enumerate(names, 2)
    )
    table = (
        "<TBL COLS='2'><CORPUS><ROW><CELL COLSPAN='2'>Substantial contribution to climate change mitigation</CELL></ROW>"
        f"<ROW><CELL COLSPAN='2'>{criteria}</CELL></ROW>"
        "<ROW><CELL COLSPAN='2'>Do no significant harm (‘DNSH’)</CELL></ROW>" + harm + "</CORPUS></TBL>"
    )
    act = (
        "<?xml version='1.0' encoding='utf-8'?><CONS.ACT><INFO.CONSLEG CONSLEG.REF='2099R0001' START.DATE='20990102'/>"
        "<CONS.ANNEX><TITLE><TI><P>ANNEX I</P></TI><STI><P>Criteria for contributing substantially to climate change "
        "mitigation</P></STI></TITLE><CONTENTS><GR.SEQ LEVEL='1'><TITLE><TI><NP><NO.P>1.</NO.P><TXT>KILNS</TXT></NP></TI>"
        "</TITLE><GR.SEQ LEVEL='2'><TITLE><TI><NP><NO.P>1.1.</NO.P><TXT>Firing of bricks</TXT></NP></TI></TITLE>"
        "<GR.SEQ LEVEL='3'><TITLE><TI><P>Description of the activity</P></TI></TITLE><P>Firing.</P></GR.SEQ>"
        f"<GR.SEQ LEVEL='3'><TITLE><TI><P>Technical screening criteria</P></TI></TITLE>{table}</GR.SEQ></GR.SEQ></GR.SEQ>"
        "</CONTENTS></CONS.ANNEX></CONS.ACT>"
    )
    path = folder / "kilns.fmx.xml"
    path.write_text(act, encoding="utf-8")
    return path


def flattened(cited: str, folder: Path) -> Path:
    """The page: the paragraphs of the first alternative stand in one list with both alternatives."""
    flat = "".join(f"<li>{t}</li>" for t in (SOLAR, SOLAR_CHECK, SOLAR_LOG))
    inner = f"<ol type='i'><li>{GAS_LIMIT}</li><li>{GAS_PLAN}</li></ol>"
    path = folder / "kiln-page.html"
    html = f"<p>1. {CHAPEAU}</p><ol type='a'>{flat}<li>{GAS}{inner}</li></ol><p>{VERIFIED.format(cited)}</p>"
    path.write_text(html, encoding="utf-8")
    return path


def corrections(page: Path, *options: str, out: Path) -> tuple[list[tuple[str, str, str]], list[str]]:
    result = CliRunner().invoke(app, ["extract", str(page), "--out", str(out), *options])
    assert result.exit_code == 0, result.output
    data = json.loads((out / page.stem / f"{page.stem}__SC.json").read_text(encoding="utf-8"))
    found = [(c["from"], c["to"], c["decided_by"]) for c in data["corrections"]]
    return found, [r["reason"] for r in data["review"]]


def test_the_official_numbering_decides_what_a_point_of_a_flattened_list_is(tmp_path: Path) -> None:
    page, act = flattened("b", tmp_path), formex("b", tmp_path)
    decided, _ = corrections(page, "--official", str(act), out=tmp_path / "two")
    assert decided == [("1(b)", "1(d)", "02099R0001-20990102")]


def test_in_a_folder_the_official_act_is_found_by_its_texts(tmp_path: Path) -> None:
    flattened("b", tmp_path)
    formex("b", tmp_path)
    result = CliRunner().invoke(app, ["extract", str(tmp_path), "--out", str(tmp_path / "out")])
    assert result.exit_code == 0
    data = json.loads((tmp_path / "out/kiln-page/kiln-page__SC.json").read_text(encoding="utf-8"))
    assert [c["decided_by"] for c in data["corrections"]] == ["02099R0001-20990102"]


def test_dependencies_and_summaries_follow_the_official_structure(tmp_path: Path) -> None:
    page, act = read(flattened("b", tmp_path)), read(formex("b", tmp_path))
    official = corpus.officials(page.units, [act])["kiln-page", page.units[0].key]
    tree = RegReAct(Settings())(unit=page.units[0], official=official)
    node = next(c for c in tree.criteria.walk() if "independent third party" in c.verbatim_text)
    assert "TO:1(d)" in node.rule_summary
    assert ("1(d)", "corrects") in {(e.target, e.type) for e in tree.edges}


def test_a_section_without_cited_points_or_without_common_text_has_no_official_counterpart(tmp_path: Path) -> None:
    act = read(formex("b", tmp_path))
    for html in ("<p>1. Kilns are insulated.</p>", "<p>1. Point 2(a) is met.</p>"):
        (tmp_path / "other.html").write_text(html, encoding="utf-8")
        assert corpus.officials(read(tmp_path / "other.html").units, [act]) == {}


def test_points_that_are_right_stay_right(tmp_path: Path) -> None:
    page = tmp_path / "kiln-page.html"
    nested = (
        f"<p>1. {CHAPEAU}</p><ol type='a'><li>{SOLAR}<p>{SOLAR_CHECK}</p><p>{SOLAR_LOG}</p></li>"
        f"<li>{GAS}<ol type='i'><li>{GAS_LIMIT}</li><li>{GAS_PLAN}</li></ol></li></ol><p>{VERIFIED.format('b')}</p>"
    )
    page.write_text(nested, encoding="utf-8")
    decided, _ = corrections(page, "--official", str(formex("b", tmp_path)), out=tmp_path / "two")
    assert decided == []


def test_a_correction_is_rejected_where_the_official_text_has_the_point_as_printed() -> None:
    criteria = [
        CriterionView(criterion_id="ROOT", parent=None, block=None, text=""),
        CriterionView(criterion_id="1", parent="ROOT", block=0, text="1. Kilns meet point 2 and are insulated."),
        CriterionView(criterion_id="2", parent="ROOT", block=1, text="2. Kilns have a log."),
        CriterionView(criterion_id="3", parent="ROOT", block=2, text="3. Kilns have a filter."),
    ]
    own = Outcome({"1": Answer("1", (CorrectionValue(from_="2", to="3"),), 0.8)})
    same = OfficialReading("act", {"1": "1", "2": "2", "3": "3"}, {})
    settled, verdicts = settle(criteria, own, same)
    assert settled.value("1") == ()
    assert [(v.decision, v.printed, v.proposed) for v in verdicts] == [("rejected", "2", "3")]
    renumbered = OfficialReading("act", {"1": "1", "2": "3"}, {})
    settled, verdicts = settle(criteria, own, renumbered)
    assert [(c.from_, c.to) for c in settled.value("1")] == [("2", "3")]
    assert [v.decision for v in verdicts] == ["confirmed"]
    silent = OfficialReading("act", {"1": "1"}, {})
    assert settle(criteria, own, silent) == (own, ())


@pytest.mark.parametrize(
    ("proposed", "meant", "decision"),
    [(None, "1(d)", "added"), ("1(d)", "1(d)", "confirmed"), ("1(c)", "1(d)", "replaced"), ("1(d)", "1(b)", "rejected")],
)
def test_verdicts_name_the_document(proposed: str | None, meant: str, decision: str) -> None:
    verdict = Verdict("1.Verification", "1(b)", proposed, meant, "02099R0001-20990102")
    assert verdict.decision == decision
    assert "02099R0001-20990102" in str(verdict) and "1(b)" in str(verdict)


def test_a_slip_of_the_official_text_itself_is_followed() -> None:
    official = OfficialReading("act", {"1(b)": "1(d)", "2": "2", "1(a)": "1(a)"}, {("2", "1(c)"): "1(b)"})
    assert official.meant("2", "1(c)") == "1(d)"
    assert official.meant("2", "1(a)") == "1(a)"
    assert official.meant("2", "7") is None and official.meant("3", "1(a)") is None


@pytest.mark.skipif(not (PAPER.exists() and OFFICIAL.exists()), reason="no real sources here")
def test_on_the_papers_example_the_official_journal_shows_that_the_points_are_right(tmp_path: Path) -> None:
    decided, _ = corrections(PAPER, "--official", str(OFFICIAL), out=tmp_path)
    by = "02021R2139-20250108"
    assert decided == [
        ("1(b)", "1(f)", by),
        ("1(b)(i)", "1(f)(a)", by),
        ("1(b)(i)", "1(f)(a)", by),
        ("1(b)(v)", "1(f)(e)", by),
        ("1(b)", "1(f)", by),
    ]
    act = CliRunner().invoke(app, ["extract", str(OFFICIAL), "-u", "CCM-4.29/SC", "--out", str(tmp_path)])
    assert act.exit_code == 0
    data = json.loads((tmp_path / by / "CCM-4.29__SC.json").read_text(encoding="utf-8"))
    assert data["corrections"] == []


def test_an_official_act_must_be_one_and_must_fit(tmp_path: Path) -> None:
    page, act = flattened("b", tmp_path), formex("b", tmp_path)
    with pytest.raises(SourceFormatError, match="no act in Formex"):
        corpus.official_acts(page)
    other = tmp_path / "other.html"
    other.write_text("<p>1. Point 2(a) is met.</p>", encoding="utf-8")
    result = CliRunner().invoke(app, ["extract", str(other), "--official", str(act), "--out", str(tmp_path / "out")])
    assert result.exit_code == 0 and "nothing to decide there" in result.output


def test_a_file_left_out_of_a_folder_is_named(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mill.html").write_text(f"<p>1. Mill {name} is clean.</p>", encoding="utf-8")
    result = CliRunner().invoke(app, ["extract", str(tmp_path), "--out", str(tmp_path / "out")])
    assert "left out" in result.output and "mill.html" in result.output
