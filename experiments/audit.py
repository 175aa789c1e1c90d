"""Audit what is installed: known vulnerabilities, declared ranges, where packages came from.

How to run me:  make audit            exits 1 on a finding; says plainly if no vulnerability service answered
                make audit STRICT=1   exits 1 also if nothing could be asked

Before a service is believed it must know a vulnerability of a release that has one: an index without advisories calls
every package clean.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
IGNORED = Path(__file__).with_name("audit_ignore.toml")
OWN = "regreact"
SERVICES = ("pypi", "osv", "esms")
# Template injection and sandbox escapes, published in 2019 and later.
PROBE = "jinja2==2.10"
PROBE_S, AUDIT_S = 60, 900


@dataclass(frozen=True, slots=True)
class Finding:
    """A known vulnerability of an installed package.

    Attributes:
        package: Name and version.
        ids: The names it is known by.
        fixed: Versions without it.
    """

    package: str
    ids: tuple[str, ...]
    fixed: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.package}: {', '.join(self.ids)}; fixed in {', '.join(self.fixed) or 'no version yet'}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a service says of a set of packages.

    Attributes:
        findings: Known vulnerabilities.
        asked: Number of packages that it knows.
        skipped: Packages that it says nothing about.
    """

    findings: tuple[Finding, ...]
    asked: int
    skipped: tuple[str, ...]


def parse(report: str) -> Answer:
    """Return what a JSON report of pip-audit says."""
    findings, asked, skipped = [], 0, []
    for told in json.loads(report)["dependencies"]:
        if "skip_reason" in told:
            skipped.append(told["name"])
            continue
        asked += 1
        for v in told["vulns"]:
            ids = (v["id"], *v.get("aliases", ()))
            findings.append(Finding(f"{told['name']} {told['version']}", ids, tuple(v.get("fix_versions", ()))))
    return Answer(tuple(findings), asked, tuple(skipped))


def ask(service: str, seconds: float, requirements: Path | None = None) -> Answer | None:
    """Ask a service about this environment or a file of requirements; None if it does not answer."""
    command = [sys.executable, "-m", "pip_audit", "-s", service, "-f", "json", "--progress-spinner", "off"]
    command += ["--timeout", "10"]
    command += ["-r", str(requirements), "--no-deps", "--disable-pip"] if requirements else ["--skip-editable"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
        return parse(done.stdout)
    except (subprocess.TimeoutExpired, ValueError, KeyError, TypeError):
        return None


def answering_service() -> str | None:
    """Return the first service that knows the vulnerabilities of a release that has some, None if none does."""
    with tempfile.TemporaryDirectory() as folder:
        probe = Path(folder) / "probe.txt"
        probe.write_text(PROBE, encoding="utf-8")
        for service in SERVICES:
            answer = ask(service, PROBE_S, probe)
            if answer is not None and answer.findings:
                return service
    return None


def ignored(text: str, today: date) -> tuple[dict[str, str], list[str]]:
    """Return the ids to pass over with their reasons, and what is wrong with the list.

    Args:
        text: TOML: `[[ignore]]` with `id`, `reason` and `until` (a date after which it counts again).
        today: Day that counts.
    """
    reasons: dict[str, str] = {}
    problems = []
    for entry in tomllib.loads(text).get("ignore", []):
        name, reason, until = entry.get("id"), entry.get("reason"), entry.get("until")
        if not (name and reason and isinstance(until, date)):
            problems.append(f"{IGNORED.name}: an entry needs id, reason and until (a date): {entry}")
        elif until < today:
            problems.append(f"{IGNORED.name}: {name} expired on {until}: update the package, or decide anew")
        else:
            reasons[name] = f"{reason} (until {until})"
    return reasons, problems


def range_problems(pyproject: Mapping[str, Any], installed: Mapping[str, str]) -> list[str]:
    """Return what is declared by address instead of by version, or installed in a version outside of its range.

    Args:
        pyproject: Content of pyproject.toml.
        installed: Versions by canonical name.
    """
    project = pyproject["project"]
    extras = [r for listed in project.get("optional-dependencies", {}).values() for r in listed]
    problems = []
    for needed in map(Requirement, [*project["dependencies"], *extras, *pyproject["build-system"]["requires"]]):
        version = installed.get(canonicalize_name(needed.name))
        if needed.url:
            problems.append(f"{needed.name}: declared by an address: {needed.url}")
        elif version and needed.name != OWN and not needed.specifier.contains(version, prereleases=True):
            problems.append(f"{needed.name} {version}: outside of the declared {needed.specifier}")
    return problems


def origin_problems(installed: Iterable[Distribution]) -> list[str]:
    """Return the installed packages that came from an address or a repository instead of an index."""
    problems = []
    for found in installed:
        told = found.read_text("direct_url.json")
        if told and canonicalize_name(found.metadata["Name"]) != OWN:
            problems.append(f"{found.metadata['Name']}: installed from {json.loads(told).get('url')}")
    return problems


def offline_problems() -> list[str]:
    """Return what can be found wrong without asking anybody."""
    held = {canonicalize_name(d.metadata["Name"]): d.version for d in distributions()}
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    done = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False)
    broken = done.stdout.splitlines() if done.returncode else []
    return [*broken, *range_problems(pyproject, held), *origin_problems(distributions())]


def main(arguments: list[str] | None = None) -> int:
    """Audit and print.

    Returns:
        1 on a finding; with `--strict` also if no service answered or some packages are not known to it.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strict", action="store_true", help="exit 1 if not everything could be asked")
    strict = parser.parse_args(arguments).strict
    text = IGNORED.read_text(encoding="utf-8") if IGNORED.is_file() else ""
    reasons, problems = ignored(text, date.today())
    problems = [*problems, *offline_problems()]
    print("versions, ranges, origins: " + ("as declared" if not problems else f"{len(problems)} problems"))
    service = answering_service()
    answer = ask(service, AUDIT_S) if service else None
    if answer is None:
        print("known vulnerabilities: not audited: no service answered"
              f" ({', '.join(SERVICES)}; each is first asked about {PROBE}, which has some)")  # fmt: skip
    else:
        open_ones = [f for f in answer.findings if not reasons.keys() & set(f.ids)]
        problems += [f"known vulnerability: {f}" for f in open_ones]
        print(f"known vulnerabilities: {answer.asked} packages asked at {service}, {len(open_ones)} findings, "
              f"{len(answer.findings) - len(open_ones)} passed over by {IGNORED.name}")  # fmt: skip
        if answer.skipped:
            print(f"not audited, since {service} does not know them: {', '.join(answer.skipped)}")
    for problem in problems:
        print(problem, file=sys.stderr)
    incomplete = answer is None or bool(answer.skipped)
    return 1 if problems or (strict and incomplete) else 0


if __name__ == "__main__":
    sys.exit(main())
