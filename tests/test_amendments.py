"""Extractions taken over from an earlier version of an act: the bytes of a fresh extraction, at no cost."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from regreact import cli
from regreact.amendments import earlier_version
from regreact.config import Settings, load
from regreact.errors import ConfigError
from regreact.manifest import read_manifest, unit_path
from regreact.runner import Extractor
from regreact.sources.model import Block, Document, Unit
from tests.test_runner import unit

OLD = [unit(f"X-1.{n}/SC", f"1. Water losses are below {n} %.", "2. A plan is in place.") for n in range(4)]


def later(units: list[Unit], document: str = "doc-2") -> list[Unit]:
    """Return the units as they stand in another document."""
    return [replace(u, document=document, sha256="1" * 64) for u in units]


def test_only_what_changed_is_extracted_and_the_bytes_are_those_of_a_fresh_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    extractor = Extractor(Settings())
    extractor.extract_to(OLD, tmp_path)
    new = later(OLD)
    new[1] = replace(new[1], blocks=(Block(0, "p", 0, None, "1. Water losses are below 9 %."),))
    new[2] = replace(new[2], description="Reworded.")
    new.append(replace(new[0], key="X-1.9/SC"))
    Extractor(Settings()).extract_to(new, tmp_path / "fresh")
    asked: list[str] = []
    extract = extractor.extract
    monkeypatch.setattr(extractor, "extract", lambda u: (asked.append(u.key), extract(u))[1])
    summary = extractor.extract_to(new, tmp_path, since=earlier_version(tmp_path / "doc-1"))
    assert asked == ["X-1.1/SC", "X-1.2/SC", "X-1.9/SC"]
    assert [line.status for line in summary.lines] == ["kept", "done", "done", "kept", "done"]
    for u in new:
        ours, fresh = (unit_path(out, "doc-2", u.key).read_bytes() for out in (tmp_path, tmp_path / "fresh"))
        assert ours == fresh, u.key
    lines, fresh_lines = read_manifest(tmp_path), read_manifest(tmp_path / "fresh")
    assert all(lines["doc-2", u.key].input_hash == fresh_lines["doc-2", u.key].input_hash for u in new)
    again = extractor.extract_to(new, tmp_path, resume=True)
    assert {line.status for line in again.lines} == {"kept"}


def test_other_settings_a_failure_or_a_damaged_file_are_not_taken_over(tmp_path: Path) -> None:
    Extractor(Settings()).extract_to(OLD, tmp_path)
    other = Extractor(load(["odr.tau=0.123"])).extract_to(
        later(OLD), tmp_path / "b", since=earlier_version(tmp_path / "doc-1")
    )
    assert {line.status for line in other.lines} == {"done"}
    unit_path(tmp_path, "doc-1", OLD[0].key).write_text("{}", encoding="utf-8")
    unit_path(tmp_path, "doc-1", OLD[1].key).unlink()
    lines = (
        Extractor(Settings()).extract_to(later(OLD), tmp_path / "c", since=earlier_version(tmp_path / "doc-1")).lines
    )
    assert [line.status for line in lines] == ["done", "done", "kept", "kept"]


def test_a_folder_without_extractions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="give OUT/<document>"):
        earlier_version(tmp_path / "doc-1")


def test_the_command_takes_over_a_fragment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*arguments: str | Path) -> int:
        monkeypatch.setattr(sys, "argv", ["regreact", "extract", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        return int(stop.value.code or 0)

    source = tmp_path / "wash.html"
    source.write_text("<p>1. Water losses are lower than 5 %.</p>", encoding="utf-8")
    assert run(source, "--out", tmp_path / "one", "-q") == 0
    assert run(source, "--out", tmp_path / "two", "--since", tmp_path / "one/wash") == 0
    assert "0 extracted, 1 unchanged" in capsys.readouterr().out
    assert run(source, "--out", tmp_path / "two", "--since", tmp_path / "none") == 2
    assert "--since" in capsys.readouterr().err


def test_sections_that_an_amendment_leaves_alone_have_equal_hashes(
    formex_climate_2023: Document, formex_climate: Document, tmp_path: Path
) -> None:
    old, new = formex_climate_2023, formex_climate
    extractor = Extractor(Settings())
    before = {u.key: u for u in old.units}

    def content(u: Unit) -> str:
        return json.dumps([u.activity, u.description, [b.orig for b in u.blocks], u.footnotes], sort_keys=True)

    untouched = [u for u in new.units if u.key in before and content(u) == content(before[u.key])]
    touched = [u for u in new.units if u.key in before and content(u) != content(before[u.key])]
    assert len(untouched) > 1000 and touched
    for u in untouched:
        assert extractor.digest(u, old.document) == extractor.digest(before[u.key]), u.key
    for u in touched:
        assert extractor.digest(u, old.document) != extractor.digest(before[u.key]), u.key
    some = [u for u in untouched if len(u.blocks) > 3][:4] + touched[:2]
    extractor.extract_to([before[u.key] for u in some], tmp_path)
    lines = extractor.extract_to(some, tmp_path, since=earlier_version(tmp_path / old.document)).lines
    assert [line.status for line in lines] == ["kept"] * 4 + ["done"] * 2
    extractor.extract_to(some, tmp_path / "fresh")
    for u in some:
        ours, fresh = (unit_path(out, new.document, u.key).read_bytes() for out in (tmp_path, tmp_path / "fresh"))
        assert ours == fresh, u.key
