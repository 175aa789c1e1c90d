"""An invented consolidated act in Formex; the expected units and blocks are written out."""

from __future__ import annotations

from pathlib import Path

import pytest

from regreact.errors import SourceFormatError
from regreact.sources.formex import read_formex
from regreact.sources.model import Amendment, Document, Unit

NAMES = {
    1: "Climate change mitigation",
    2: "Climate change adaptation",
    3: "Sustainable use and protection of water and marine resources",
    4: "Transition to a circular economy",
    5: "Pollution prevention and control",
    6: "Protection and restoration of biodiversity and ecosystems",
}
SC_HEADING = "<ROW><CELL COLSPAN='2'>Substantial contribution to climate change mitigation</CELL></ROW>"
DNSH_HEADING = (
    "<ROW><CELL COLSPAN='2'>Do no significant harm (<QUOT.START CODE='2018'/>DNSH<QUOT.END CODE='2019'/>)</CELL></ROW>"
)
NA = "N/A"


def row(number: int, content: str, name: str | None = None) -> str:
    label = f"<NP><NO.P>({number})</NO.P><TXT>{name or NAMES[number]}</TXT></NP>"
    return f"<ROW><CELL COL='1'>{label}</CELL><CELL COL='2'>{content}</CELL></ROW>"


def harm(own: int = 1, **cells: str) -> str:
    """DNSH rows of all objectives but one; `cells` gives the content by `n<number>`."""
    return DNSH_HEADING + "".join(row(n, cells.get(f"n{n}", NA)) for n in NAMES if n != own)


def table(rows: str, notes: str = "") -> str:
    return f"<TBL COLS='2'><GR.NOTES>{notes}</GR.NOTES><CORPUS>{rows}</CORPUS></TBL>"


def activity(number: str, title: str, criteria: str, description: str = "<P>Milling of grain.</P>") -> str:
    return (
        f"<GR.SEQ LEVEL='2'><TITLE><TI><NP><NO.P>{number}.</NO.P><TXT><HT TYPE='ITALIC'>{title}</HT></TXT></NP></TI>"
        f"</TITLE><GR.SEQ LEVEL='3'><TITLE><TI><P>Description of the activity</P></TI></TITLE>{description}</GR.SEQ>"
        f"<GR.SEQ LEVEL='3'><TITLE><TI><P>Technical screening criteria</P></TI></TITLE>{criteria}</GR.SEQ></GR.SEQ>"
    )


def annex(activities: str, objective: str = "climate change mitigation", title: str = "ANNEX I") -> str:
    return (
        f"<CONS.ANNEX><TITLE><TI><P>{title}</P></TI><STI><P>Criteria for contributing substantially to {objective}, "
        f"and for harm to other objectives such as climate change adaptation</P></STI></TITLE><CONTENTS>"
        f"<GR.SEQ LEVEL='1'><TITLE><TI><NP><NO.P>1.</NO.P><TXT>MILLS</TXT></NP></TI></TITLE>{activities}</GR.SEQ>"
        f"</CONTENTS></CONS.ANNEX>"
    )


def act(*annexes: str) -> Document:
    info = "<INFO.CONSLEG CONSLEG.REF='2099R0001' START.DATE='20990102'/>"
    text = f"<?xml version='1.0' encoding='utf-8'?><CONS.ACT>{info}{''.join(annexes)}</CONS.ACT>"
    return read_formex("act.fmx.xml", text.encode(), "0" * 64)


def one(criteria: str) -> Unit:
    """The SC unit of an act whose only activity has this content in its SC cell."""
    document = act(annex(activity("1.1", "Windmills", table(criteria_rows(criteria)))))
    return {unit.key: unit for unit in document.units}["CCM-1.1/SC"]


def criteria_rows(content: str) -> str:
    return f"{SC_HEADING}<ROW><CELL COLSPAN='2'>{content}</CELL></ROW>{harm()}"


def rows(unit: Unit) -> list[tuple[str, int, str | None, str]]:
    return [(b.tag, b.depth, b.marker, b.text) for b in unit.blocks]


def test_an_activity_gives_its_six_sections_under_the_official_number() -> None:
    cells = harm(n4="<P>Sails are reused.</P>")
    criteria = table(SC_HEADING + "<ROW><CELL>It turns.</CELL></ROW>" + cells)
    document = act(annex(activity("1.10", "Windmills", criteria)))
    assert document.document == "02099R0001-20990102"
    assert [unit.key for unit in document.units] == [
        f"CCM-1.10/{section}"
        for section in ("SC", "DNSH.adaptation", "DNSH.water", "DNSH.circular", "DNSH.pollution", "DNSH.biodiversity")
    ]
    by_section = {unit.section: unit for unit in document.units}
    assert rows(by_section["SC"]) == [("p", 0, None, "It turns.")]
    assert rows(by_section["DNSH.circular"]) == [("p", 0, None, "Sails are reused.")]
    assert rows(by_section["DNSH.water"]) == [("p", 0, None, "N/A")]
    unit = by_section["SC"]
    assert (unit.activity, unit.objective, unit.description) == ("Windmills", "mitigation", "Milling of grain.")
    assert document.failures == ()


def test_numbers_stay_in_numbered_paragraphs_and_become_markers_in_lists() -> None:
    unit = one(
        "<NP><NO.P>1.</NO.P><TXT>The mill:</TXT><P><LIST TYPE='alpha'>"
        "<ITEM><NP><NO.P>(a)</NO.P><TXT>turns;</TXT></NP></ITEM>"
        "<ITEM><NP><NO.P>(b)</NO.P><TXT>is:</TXT><P><LIST TYPE='DASH'><ITEM><P>red,</P></ITEM><ITEM><P>blue.</P></ITEM>"
        "</LIST></P><P>Red is a colour.</P></NP></ITEM></LIST></P><P>It stands.</P></NP>"
        "<LIST TYPE='ARAB'><ITEM><NP><NO.P>2.1.</NO.P><TXT>It grinds.</TXT></NP></ITEM></LIST>"
        "<LIST TYPE='NONE'><ITEM><P>Flour comes out.</P><P>White flour.</P></ITEM></LIST>"
    )
    assert rows(unit) == [
        ("p", 0, None, "1. The mill:"),
        ("li", 1, "a", "turns;"),
        ("li", 1, "b", "is:"),
        ("li", 2, "-", "red,"),
        ("li", 2, "-", "blue."),
        ("p", 1, None, "Red is a colour."),
        ("p", 0, None, "It stands."),
        ("li", 1, "2.1", "It grinds."),
        ("li", 1, None, "Flour comes out."),
        ("p", 1, None, "White flour."),
    ]
    assert [b.path for b in unit.blocks][2:6] == [
        "ol[1]/li[2]",
        "ol[1]/li[2]/ol[1]/li[1]",
        "ol[1]/li[2]/ol[1]/li[2]",
        "ol[1]/li[2]/p[1]",
    ]


def test_an_item_outside_any_list_is_a_numbered_paragraph() -> None:
    assert rows(one("<ITEM><NP><NO.P>5.</NO.P><TXT>It turns.</TXT></NP></ITEM>")) == [("p", 0, None, "5. It turns.")]


def test_quotation_marks_and_subscripts_are_set_in_the_text() -> None:
    unit = one(
        "Less CO<HT TYPE='SUB'>2</HT> from a <QUOT.START CODE='201C'/>mill<QUOT.END CODE='201D'/> of"
        " <FT TYPE='NUMBER'>10000</FT>\u00a0t<?COL.PAGE?> by <DATE ISO='20990101'>1 January 2099</DATE>"
    )
    assert unit.blocks[0].text == "Less CO2 from a “mill” of 10000 t by 1 January 2099"


def test_a_quotation_mark_with_a_wrong_code_is_seen() -> None:
    assert one("a <QUOT.START CODE='mill'/>mill").blocks[0].text == "a \ufffdmill"


def test_titles_and_emphasised_paragraphs_are_headings() -> None:
    unit = one(
        "<GR.SEQ LEVEL='4'><TITLE><TI><NP><NO.P>1.</NO.P><TXT>Sails</TXT></NP></TI></TITLE><P>Linen.</P></GR.SEQ>"
        "<GR.SEQ LEVEL='4'><TITLE><TI><P>Stones</P></TI></TITLE><NP><NO.P>2.1.</NO.P><TXT>Granite.</TXT></NP></GR.SEQ>"
        "<P><HT TYPE='ITALIC'>Flour</HT></P><P>CO<HT TYPE='SUB'>2</HT></P>"
    )
    assert [(b.text, b.heading) for b in unit.blocks] == [
        ("1. Sails", True),
        ("Linen.", False),
        ("Stones", True),
        ("2.1. Granite.", False),
        ("Flour", True),
        ("CO2", False),
    ]


def test_footnotes_count_from_one_in_each_unit() -> None:
    notes = (
        "<NOTE NOTE.ID='E1'><P>Mill Act.</P></NOTE><NOTE NOTE.ID='E2'><P>A <QUOT.START CODE='2018'/>sail"
        "<QUOT.END CODE='2019'/> is cloth.</P><P>Linen, mostly.</P></NOTE>"
    )
    marked = "turns<NOTE NOTE.REF='E2' TYPE='TABLE'/> and<NOTE NOTE.REF='E1'/> turns<NOTE NOTE.REF='E2'/>"
    rows_ = SC_HEADING + f"<ROW><CELL><P>It {marked}.</P></CELL></ROW>" + harm(n3="Water<NOTE NOTE.REF='E1'/>.")
    units = {u.section: u for u in act(annex(activity("1.1", "Windmills", table(rows_, notes)))).units}
    assert units["SC"].blocks[0].text == "It turns(1) and(2) turns(1)."
    assert units["SC"].blocks[0].footnotes == ("fn-1", "fn-2", "fn-1")
    assert units["SC"].footnotes == {"fn-1": "A sail is cloth. Linen, mostly.", "fn-2": "Mill Act."}
    assert units["DNSH.water"].blocks[0].text == "Water(1)."
    assert units["DNSH.water"].footnotes == {"fn-1": "Mill Act."}


def test_a_note_written_where_it_is_marked_is_a_footnote() -> None:
    unit = one("It turns<NOTE NOTE.ID='E5' TYPE='FOOTNOTE'><P>Mill Act.</P></NOTE> fast.")
    assert (unit.blocks[0].text, unit.footnotes) == ("It turns(1) fast.", {"fn-1": "Mill Act."})


def test_a_table_in_the_criteria_gives_a_block_for_each_cell() -> None:
    rows_ = (
        SC_HEADING + "<ROW><CELL COLSPAN='2'>Limits:</CELL></ROW>"
        "<ROW><CELL>Wheat</CELL><CELL>5 %</CELL></ROW><ROW><CELL><IE/></CELL><CELL><P>6 %</P><P>7 %</P></CELL></ROW>"
        "<ROW TYPE='HEADER'><CELL>Rye</CELL></ROW>" + harm()
    )
    unit = act(annex(activity("1.1", "Windmills", table(rows_)))).units[0]
    assert [(b.text, b.heading) for b in unit.blocks] == [
        ("Limits:", False),
        ("Wheat", False),
        ("5 %", False),
        ("6 %", False),
        ("7 %", False),
        ("Rye", True),
    ]


def test_criteria_in_two_tables_with_headings_of_their_own() -> None:
    general = "General criteria pertaining to substantial contribution to climate change mitigation and harm"
    additional = "Additional criteria pertaining to substantial contribution to climate change mitigation"
    more_harm = harm().replace("Do no significant", "Additional criteria pertaining to Do no significant")
    second = table(f"<ROW><CELL>{additional}</CELL></ROW><ROW><CELL><P>It is red.</P></CELL></ROW>{more_harm}")
    criteria = (
        f"<TBL><CORPUS><ROW><CELL>{general}</CELL></ROW></CORPUS></TBL><NP><NO.P>1.</NO.P><TXT>It turns.</TXT></NP>"
        f"<NP><NO.P>2.</NO.P><TXT>It stands.</TXT><P>{second}</P></NP>"
    )
    document = act(annex(activity("1.1", "Windmills", criteria)))
    assert [(b.text, b.heading) for b in document.units[0].blocks] == [
        (general, True),
        ("1. It turns.", False),
        ("2. It stands.", False),
        (additional, True),
        ("It is red.", False),
    ]
    assert len(document.units) == 6


def test_a_table_without_heading_row_and_a_table_with_the_title_of_its_part() -> None:
    bare = table("<ROW><CELL><NP><NO.P>1.</NO.P><TXT>It turns.</TXT></NP></CELL></ROW>" + harm())
    title = "<TITLE><TI><P>Criteria</P></TI></TITLE>"
    titled = table(criteria_rows("It stands.")).replace("<GR.NOTES>", f"{title}<GR.NOTES>")
    document = act(annex(activity("1.1", "Windmills", bare) + activity("1.2", "Watermills", titled)))
    texts = {unit.key: [b.text for b in unit.blocks] for unit in document.units if unit.section == "SC"}
    assert texts == {"CCM-1.1/SC": ["1. It turns."], "CCM-1.2/SC": ["It stands."]}


def test_a_first_level_section_can_be_the_activity() -> None:
    group = activity("11", "SCHOOLS", table(criteria_rows("It teaches."))).replace("LEVEL='2'", "LEVEL='1'")
    document = act(annex("").replace("<GR.SEQ LEVEL='1'>", group + "<GR.SEQ LEVEL='1'>"))
    assert document.units[0].key == "CCM-11/SC"


@pytest.mark.parametrize(
    ("number", "name"),
    [(2, "Climate change mitigation"), (1, "Climate change adaptation"), (2, "Climate change adaptation")],
)
def test_a_slip_in_the_label_of_a_row_does_not_lose_the_section(number: int, name: str) -> None:
    """In an adaptation annex the mitigation row carries the wrong number, the wrong name, or both."""
    cells = DNSH_HEADING + row(number, "Few emissions.", name) + "".join(row(n, NA) for n in (3, 4, 5, 6))
    text = table("<ROW><CELL><P>It adapts.</P></CELL></ROW>" + cells)
    document = act(annex(activity("1.1", "Windmills", text), objective="climate change adaptation"))
    units = {unit.key: unit for unit in document.units}
    assert units["CCA-1.1/DNSH.mitigation"].blocks[0].text == "Few emissions."
    assert document.failures == ()


def test_appendices_follow_the_annex_before_them() -> None:
    appendix = (
        "<CONS.ANNEX><TITLE><TI><P>Appendix {letter}</P></TI>{sub}</TITLE><CONTENTS><GR.SEQ LEVEL='1'><TITLE><TI><NP>"
        "<NO.P>I.</NO.P><TXT>Mills</TXT></NP></TI></TITLE><P>They turn.</P></GR.SEQ></CONTENTS></CONS.ANNEX>"
    )
    criteria = activity("1.1", "Windmills", table(criteria_rows("It turns.")))
    document = act(
        annex(criteria),
        appendix.format(letter="A", sub="<STI><P>GENERIC CRITERIA</P></STI>"),
        appendix.format(letter="B", sub=""),
        annex(criteria, objective="a circular economy", title="ANNEX II"),
        appendix.format(letter="A", sub="<STI><P>OTHER CRITERIA</P></STI>"),
    )
    found = {u.key: (u.activity, u.section, u.objective) for u in document.units if u.section == "Appendix"}
    assert found == {
        "CCM-Appendix-A": ("GENERIC CRITERIA", "Appendix", "mitigation"),
        "CCM-Appendix-B": ("I. Mills", "Appendix", "mitigation"),
        "CE-Appendix-A": ("OTHER CRITERIA", "Appendix", "circular"),
    }
    unit = next(u for u in document.units if u.key == "CCM-Appendix-A")
    assert [(b.text, b.heading) for b in unit.blocks] == [("I. Mills", True), ("They turn.", False)]


def test_amendment_marks_become_provenance() -> None:
    opening = '<?CLG.MDFO ID="O{n}" IDREF="C{n}" ACTION="{action}" ACTIVE.DOC="{act}"?>'
    mark = opening + '{text}<?CLG.MDFC ID="C{n}" IDREF="O{n}"?>'
    item = "<ITEM><NP><NO.P>({x})</NO.P><TXT>{text}</TXT></NP></ITEM>"
    content = "<P>It:</P><LIST TYPE='alpha'>" + item.format(x="a", text="turns;")
    content += mark.format(n=1, action="INSERTED", act="32098R0005", text=item.format(x="b", text="stands;"))
    new = mark.format(n=2, action="REPLACED", act="32098R0006", text="grinds")
    content += item.format(x="c", text=f"always {new} well.") + "</LIST>"
    cells = harm().replace("</CORPUS>", "")
    rows_ = SC_HEADING + f"<ROW><CELL>{content}</CELL></ROW>"
    rows_ += mark.format(n=3, action="REPLACED", act="32098R0007", text=cells)
    units = {u.section: u for u in act(annex(activity("1.1", "Windmills", table(rows_)))).units}
    assert [b.text for b in units["SC"].blocks] == ["It:", "turns;", "stands;", "always grinds well."]
    assert units["SC"].amendments == (
        Amendment("32098R0005", "INSERTED", (2,)),
        Amendment("32098R0006", "REPLACED", (3,)),
    )
    assert units["DNSH.water"].amendments == (Amendment("32098R0007", "REPLACED"),)


def test_one_bad_section_does_not_cost_the_others() -> None:
    good = activity("1.2", "Watermills", table(criteria_rows("It turns.")))
    bad = activity("1.1", "Windmills", table(criteria_rows("It turns<NOTE NOTE.REF='E404'/>.")))
    document = act(annex(bad + good))
    assert [u.key for u in document.units if u.section == "SC"] == ["CCM-1.2/SC"]
    assert [(f.key, f.place) for f in document.failures] == [("CCM-1.1/SC", "NOTE E404")]
    assert "CCM-1.1/DNSH.water" in {u.key for u in document.units}


def test_a_missing_row_is_reported() -> None:
    rows_ = criteria_rows("It turns.").replace(row(6, NA), "")
    document = act(annex(activity("1.1", "Windmills", table(rows_))))
    assert [f.key for f in document.failures] == ["CCM-1.1/DNSH.biodiversity"]
    assert len(document.units) == 5


def test_an_empty_section_is_reported() -> None:
    document = act(annex(activity("1.1", "Windmills", table(SC_HEADING + harm(n5="<IE/>")))))
    assert {f.key: f.problem for f in document.failures} == {
        "CCM-1.1/SC": "the section is empty",
        "CCM-1.1/DNSH.pollution": "the section is empty",
    }


def test_a_number_given_twice_is_reported() -> None:
    group = activity("1.1", "Windmills", table(criteria_rows("It turns.")))
    document = act(annex(group + group))
    assert len(document.units) == 6
    assert len(document.failures) == 6


def test_an_act_without_criteria_is_refused() -> None:
    with pytest.raises(SourceFormatError, match="no activity with technical screening criteria"):
        act("<CONS.ANNEX><TITLE><TI><P>ANNEX I</P></TI></TITLE><CONTENTS><P>Mills.</P></CONTENTS></CONS.ANNEX>")


def test_without_consolidation_data_the_celex_number_or_the_file_name_is_the_document() -> None:
    body = annex(activity("1.1", "Windmills", table(criteria_rows("It turns."))))
    named = read_formex("m.xml", f"<ACT><NO.CELEX>32099R0001</NO.CELEX>{body}</ACT>".encode(), "0")
    bare = read_formex(Path("/tmp/mills.fmx.xml"), f"<ACT>{body}</ACT>".encode(), "0")
    assert (named.document, bare.document) == ("32099R0001", "mills")
