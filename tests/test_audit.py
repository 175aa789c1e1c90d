"""The audit of what is installed: it finds what it should, and never takes silence for an answer."""

from __future__ import annotations

import importlib.util
import json
import sys
from datetime import date
from importlib.metadata import Distribution
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOUND = {
    "dependencies": [
        {"name": "wash", "version": "1.0", "vulns": [{"id": "GHSA-1", "aliases": ["CVE-1"], "fix_versions": ["1.1"]}]},
        {"name": "kiln", "version": "2.0", "vulns": []},
    ]
}
# What pip-audit reports, with exit code 0, where the index has no advisories.
SILENT = {"dependencies": [{"name": "jinja2", "skip_reason": "Dependency not found on PyPI"}]}


@pytest.fixture
def audit(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    path = Path(__file__).parent.parent / "experiments/audit.py"
    spec = importlib.util.spec_from_file_location("audit", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "audit", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "offline_problems", list)
    return module


def services(audit: ModuleType, monkeypatch: pytest.MonkeyPatch, **answers: Any) -> list[str]:
    """Let each named service give a report; the others do not answer. Returns who was asked."""
    asked: list[str] = []

    def ask(service: str, seconds: float, requirements: Path | None = None) -> Any:
        asked.append(service)
        return audit.parse(json.dumps(answers[service])) if service in answers else None

    monkeypatch.setattr(audit, "ask", ask)
    return asked


def test_silence_is_not_taken_for_an_answer(
    audit: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = services(audit, monkeypatch, pypi=SILENT)
    assert audit.main([]) == 0
    assert "not audited: no service answered" in capsys.readouterr().out
    assert audit.main(["--strict"]) == 1
    assert asked[:3] == ["pypi", "osv", "esms"]


def test_a_known_vulnerability_fails_the_audit(
    audit: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    services(audit, monkeypatch, pypi=SILENT, osv=FOUND)
    assert audit.main([]) == 1
    told = capsys.readouterr()
    assert "2 packages asked at osv, 1 findings" in told.out
    assert told.err == "known vulnerability: wash 1.0: GHSA-1, CVE-1; fixed in 1.1\n"


@pytest.mark.parametrize(("until", "code"), [("9999-01-01", 0), ("2020-01-01", 1)])
def test_one_is_passed_over_for_a_reason_and_a_time(
    until: str, code: int, audit: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    services(audit, monkeypatch, pypi=FOUND)
    path = tmp_path / "ignore.toml"
    path.write_text(f'[[ignore]]\nid = "CVE-1"\nreason = "not used"\nuntil = {until}\n', encoding="utf-8")
    monkeypatch.setattr(audit, "IGNORED", path)
    assert audit.main(["--strict"]) == code


def test_the_list_in_use_is_in_order(audit: ModuleType) -> None:
    assert audit.ignored(audit.IGNORED.read_text(encoding="utf-8"), date.today())[1] == []
    assert audit.ignored('[[ignore]]\nid = "CVE-1"\nuntil = 2099-01-01\n', date.today())[1]


def test_versions_ranges_and_origins(audit: ModuleType) -> None:
    declared = {
        "build-system": {"requires": []},
        "project": {
            "dependencies": ["wash>=2,<3", "kiln>=1"],
            "optional-dependencies": {"x": ["ore @ https://example.org/ore.zip", "absent>9"]},
        },
    }
    found = audit.range_problems(declared, {"wash": "3.1", "kiln": "1.4", "ore": "1"})
    assert found == ["wash 3.1: outside of the declared <3,>=2", "ore: declared by an address: https://example.org/ore.zip"]

    class Held(Distribution):
        @property
        def metadata(self) -> Any:
            return {"Name": "ore"}

        def read_text(self, filename: str) -> str:
            return '{"url": "https://example.org/ore.git", "vcs_info": {}}'

        def locate_file(self, path: Any) -> Any:
            raise NotImplementedError

    assert audit.origin_problems([Held()]) == ["ore: installed from https://example.org/ore.git"]
