"""An act as Markdown: its structure, its addresses, and nothing of its text as markup."""

from __future__ import annotations

import re

from regreact.rag.act import LegalAct, Provision, Table
from regreact.rag.convert.markdown import to_markdown


def act(*content: str | Table | Provision, title: str = "Act on ships", notes: tuple[str, ...] = ()) -> LegalAct:
    return LegalAct("32099R0001", "", "en", "xhtml", "", title, content, notes)


def test_headings_lists_and_anchors() -> None:
    roman = Provision("pnt", "i", "art_2/par_1/pnt_a/pnt_i", content=("flat;",))
    letter = Provision("pnt", "a", "art_2/par_1/pnt_a", content=("the sea is:", roman, "and blue."))
    paragraph = Provision("par", "1", "art_2/par_1", content=("Ships sail if:", letter, "They return."))
    article = Provision("art", "2", "art_2", "Ships", (paragraph,))
    chapter = Provision("chp", "I", "chp_I", "General", (article,))
    assert to_markdown(act("Preamble", chapter, notes=("(1) A note.",))) == "\n".join(
        [
            "# Act on ships", "", "Preamble", "", '## <a id="chp_I"></a>Chapter I General', "",
            '### <a id="art_2"></a>Article 2 Ships', "", '- <a id="art_2/par_1"></a>1. Ships sail if:', "",
            '  - <a id="art_2/par_1/pnt_a"></a>(a) the sea is:', "",
            '    - <a id="art_2/par_1/pnt_a/pnt_i"></a>(i) flat;', "", "    and blue.", "", "  They return.", "",
            "---", "", "(1) A note.", "",
        ]
    )  # fmt: skip


def test_tables() -> None:
    table = Table((("Kind", "a|b"), ("<b>", "line\nbreak")), "Masts")
    point = Provision("pnt", "1", "anx/pnt_1", content=("See:", table))
    text = to_markdown(act(table, point))
    rows = ["| Kind | a\\|b |", "| --- | --- |", "| &lt;b&gt; | line break |"]
    assert "**Masts**\n\n" + "\n".join(rows) in text
    assert "\n".join(f"  {row}" for row in rows) in text


def test_an_empty_table_is_no_table() -> None:
    assert "|" not in to_markdown(act(Table(())))


def test_text_does_not_become_markup() -> None:
    hostile = ["<script>alert(1)</script>", "# no heading", "1. no list", "- no list", "*no* _stress_", "[no](x)", "`no`", "a &lt; b"]
    evil = Provision("pnt", 'a"><img src=x>', 'art_1/pnt_a"><img src=x>', content=("text",))
    text = to_markdown(act(*hostile, evil, title="<b>Act</b>"))
    assert re.findall(r"<(?!/?a\b)", text) == []
    assert not re.search(r"^(?:# no|1\. no|- no)", text, re.MULTILINE)
    for mark in ("\\*no\\*", "\\[no\\]", "\\`no\\`", "a &amp;lt; b", "&quot;&gt;&lt;img"):
        assert mark in text


def test_levels_end_at_six() -> None:
    inner = Provision("sec", "9", "x")
    for n in range(8, 0, -1):
        inner = Provision("sec", str(n), "x" * n, content=(inner,))
    assert max(len(marks) for marks in re.findall(r"^#+", to_markdown(act(inner)), re.MULTILINE)) == 6
