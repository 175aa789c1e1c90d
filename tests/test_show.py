"""`regreact show`: what a reader sees in the terminal, and that no text drives the terminal."""

from __future__ import annotations

import json
import sys
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from regreact import cli
from regreact.schema import Edge, Extraction
from regreact.show import tree_of
from tests.dataset.builders import criterion
from tests.export import cases
from tests.export.cases import extraction


@pytest.fixture
def washing() -> Extraction:
    return cases.washing()


@pytest.fixture
def hostile() -> Extraction:
    return cases.hostile()


CONTROL = set(map(chr, (*range(10), *range(11, 32), 127, 0x9B, 0x202E)))


def shown(found: Extraction, width: int = 100, full: bool = False, colour: bool = False) -> str:
    target = StringIO()
    console = Console(file=target, width=width, force_terminal=colour, highlight=False, markup=False, emoji=False)
    console.print(tree_of(found, full))
    return "\n".join(line.rstrip() for line in target.getvalue().splitlines())


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> int:
    monkeypatch.setattr(sys, "argv", ["regreact", "show", *map(str, arguments)])
    try:
        cli.main()
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def test_the_tree_shows_logic_limits_conditions_and_references(washing: Extraction) -> None:
    assert shown(washing) == (
        "CE-1.1/SC  Washing  (act)\n"
        "ROOT AND\n"
        "└── 1 OR\n"
        "    1. Either is met:\n"
        "    ├── 1(a) [Losses ≤ 5 %] AND [Losses < 0.25 l/kg] [by 2031-12-31]\n"
        "    │   losses are at most 5 % and 0,25 l/kg by 2031;\n"
        "    └── 1(b) if applicable\n"
        "        water is treated as in Directive (EU) 2099/1(1).\n"
        "        depends on: Where steam is not used [1(a) not met]\n"
        "        → Directive (EU) 2099/1 32099L0001 (retrieved): Rinsing water is filtered.\n"
        "        ! major: tags are unsure\n"
        "        ! threshold of 1(a) applies"
    )


def test_full_shows_footnotes_and_whole_texts(washing: Extraction) -> None:
    long = extraction("CE-1.1/SC", criterion("1", "word " * 60 + "end"))
    assert "…" in shown(long) and "end" not in shown(long)
    assert "end" in shown(long, full=True)
    assert "fn-1: Steam above 2 bar." in shown(washing, full=True)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(washing: Extraction, width: int) -> None:
    assert max(map(len, shown(washing, width).splitlines())) <= width


def test_colours_only_on_a_terminal(washing: Extraction) -> None:
    assert "\x1b[" in shown(washing, colour=True)
    assert "\x1b[" not in shown(washing)


def test_no_text_drives_the_terminal(hostile: Extraction) -> None:
    evil = extraction("CE-1.1/SC", criterion("1", "a\x1b]0;title\x07\x9b2Jb\u202etxt [bold]x[/bold] :smile:"))
    assert not CONTROL & set(shown(evil, full=True)) and not CONTROL & set(shown(hostile, full=True))
    assert "[bold]x[/bold] :smile:" in shown(evil, full=True)


def test_a_count_of_conditions_and_what_is_meant_are_told() -> None:
    choice = criterion(
        "1", "Two of:", *(criterion(f"1({c})", c) for c in "abc"), evaluation_logic="N_OF_K", n_required=2
    )
    fix = {"criterion_id": "1", "from": "2(a)", "to": "1(a)", "reason": "no point 2", "decided_by": "rule"}
    found = extraction("CE-1.1/SC", choice, edges=(Edge(source="ROOT", target="1", type="hierarchy"),))
    found = Extraction.model_validate({**found.to_json(), "corrections": [fix]})
    assert "1 at least 2 of 3" in shown(found) and "! 2(a) is printed, 1(a) is meant" in shown(found)


def test_a_unit_is_found_by_pattern_in_a_folder(
    washing: Extraction,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "act").mkdir()
    (tmp_path / "act/CE-1.1__SC.json").write_text(json.dumps(washing.to_json()), encoding="utf-8")
    assert command(monkeypatch, "CE-*", tmp_path) == 0
    assert "\x1b" not in (out := capsys.readouterr().out) and "1(a)" in out
    assert command(monkeypatch, "CE-1.1/SC", tmp_path / "act", "--json") == 0
    assert Extraction.model_validate_json(capsys.readouterr().out) == washing
    assert command(monkeypatch, "CCM-1.1/SC", tmp_path) == 3
    assert "CE-1.1/SC" in capsys.readouterr().err


def test_a_unit_is_extracted_from_a_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wash.html"
    path.write_text("<p>1. Water losses are lower than 5 %.</p>", encoding="utf-8")
    assert command(monkeypatch, "wash/SC", "--source", path) == 0
    assert "[Water losses < 5 %]" in capsys.readouterr().out
    assert command(monkeypatch, "dry/SC", "--source", path) == 3
