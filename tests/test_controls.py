"""Texts of documents cannot steer what shows them."""

from __future__ import annotations

from pathlib import Path

import pytest
from markupsafe import Markup
from typer.testing import CliRunner

from regreact.cli import app
from regreact.controls import in_order, lines, one_line, shown
from regreact.errors import OutputError
from regreact.export.commands import write_bytes


def test_terminals_obey_nothing() -> None:
    assert one_line("a\x1b[31mb\n\u202ec") == "a [31mb c"
    assert lines("a\tb\nc\x1b[0m\x07\u2066") == "a\tb\nc\ufffd[0m\ufffd\ufffd"


def test_pages_keep_order_length_and_markup() -> None:
    assert in_order("limit \u202e001") == "limit \ufffd001"
    assert shown(Markup("<b>\u202ex</b>")) == Markup("<b>\ufffdx</b>") and isinstance(shown(Markup("x")), Markup)
    assert shown(3) == 3


def test_an_export_overwrites_no_device_link_or_input(tmp_path: Path) -> None:
    target, link, own = tmp_path / "t.csv", tmp_path / "l.csv", tmp_path / "own.json"
    for path in (target, own):
        path.write_bytes(b"old")
    link.symlink_to(target)
    write_bytes(link, b"new")
    assert link.is_symlink() and target.read_bytes() == b"new"
    with pytest.raises(OutputError, match="one of the extractions"):
        write_bytes(own, b"new", [own])
    folder = tmp_path / "folder"
    folder.mkdir()
    for path, told in ((folder, "no file"), (own / "x.csv", "cannot be written")):
        with pytest.raises(OutputError, match=told):
            write_bytes(path, b"new")
    assert own.read_bytes() == b"old"


def test_the_ending_decides_the_format(tmp_path: Path) -> None:
    run = CliRunner().invoke
    out = str(tmp_path / "out")
    assert run(app, ["extract", "samples", "-u", "CCM-21.1/SC", "--out", out, "-q"]).exit_code == 0
    assert run(app, ["export", out, "--to", str(tmp_path / "w.csv")]).exit_code == 0
    assert (tmp_path / "w.csv").read_bytes()[:3] != b"PK\x03"
