"""Run the benchmarks and write experiments/bench.md.

How to run me:  make bench   (or: python experiments/bench.py [LETTER…] [--quick] [--out FILE])

Each `experiments/bench/bench_LETTER_*.py` measures one claim and prints its section. Named letters alone are measured
anew; the other sections stay as they are.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = "make bench"
PAGE = ROOT / "experiments" / "bench.md"
HEAD = f"""# Benchmarks

    {COMMAND}

measures every section anew, `python experiments/bench.py e f` those named. Each section is one script below
`experiments/bench/`, run in a process of its own; what is compared is measured in one run, in turn where times are
compared, so that ratios hold where seconds depend on the machine. CPU seconds are of one core. The texts are looked for
in `$REGREACT_DATA`, `./data/raw` or `../shared/data`."""


def scripts() -> dict[str, Path]:
    """Return the scripts by letter."""
    found = sorted((ROOT / "experiments" / "bench").glob("bench_[a-z]_*.py"))
    return {path.name.split("_")[1]: path for path in found}


def title(script: Path) -> str:
    """Return the title that a script gives its section, without running it."""
    for line in ast.parse(script.read_text(encoding="utf-8")).body:
        if isinstance(line, ast.Assign) and getattr(line.targets[0], "id", "") == "TITLE":
            return str(ast.literal_eval(line.value))
    return script.stem


def section(letter: str, script: Path, quick: bool) -> str:
    """Run a script and return its section.

    Raises:
        SystemExit: It failed; what it said is on stderr.
    """
    sys.path.insert(0, str(ROOT))
    from experiments.tables import commit, machine  # noqa: PLC0415  heavy; works without being installed

    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", f"experiments.bench.{script.stem}", *(["--quick"] if quick else [])]
    print(f"{letter}: {title(script)}", file=sys.stderr, flush=True)
    code = commit()  # as it is when the script starts
    started = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    seconds = time.perf_counter() - started
    if done.returncode:
        raise SystemExit(f"bench {letter} failed with exit code {done.returncode}")
    load = f"{os.getloadavg()[1]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    made = (
        f"Made by `python experiments/bench.py {letter}` on {datetime.now(UTC):%Y-%m-%d} at commit {code}, on "
        f"{machine()}, in {seconds:.0f} s; load of the machine over five minutes: {load}."
    )
    return f"## {letter}. {title(script)}\n\n{made}\n\n{done.stdout.strip()}"


def sections(page: str) -> dict[str, str]:
    """Return the sections of a page by letter.

    Example:
        >>> sections("<!-- b:start -->\\nText\\n<!-- b:end -->")
        {'b': 'Text'}
    """
    return dict(re.findall(r"<!-- ([a-z]):start -->\n(.*?)\n<!-- \1:end -->", page, re.DOTALL))


def main() -> None:
    """Measure what is asked for and write the page after each section."""
    known = scripts()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("letters", nargs="*", metavar="LETTER", help=f"of {' '.join(known)}; default: all")
    parser.add_argument("--quick", action="store_true", help="tiny inputs, to see that all work; needs --out")
    parser.add_argument("--out", type=Path, default=PAGE, help="page to write")
    arguments = parser.parse_args()
    if unknown := [letter for letter in arguments.letters if letter not in known]:
        parser.error(f"no such section: {', '.join(unknown)}; there are {', '.join(known)}")
    if arguments.quick and arguments.out == PAGE:
        parser.error("--quick measures nothing worth keeping: name another page with --out")
    held = sections(arguments.out.read_text(encoding="utf-8")) if arguments.out.is_file() else {}
    for letter in arguments.letters or known:
        held[letter] = section(letter, known[letter], arguments.quick)
        parts = [f"<!-- {name}:start -->\n{held[name]}\n<!-- {name}:end -->" for name in sorted(held)]
        arguments.out.write_text("\n\n".join([HEAD, *parts]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
