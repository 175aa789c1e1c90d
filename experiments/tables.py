"""Make every table of experiments/tables anew, without a model: rules, and a SIMULATED model for the ablations.

How to run me:  make tables   (or: python experiments/tables.py [OUT])
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from regreact.errors import ConfigError
from regreact.evaluation.report_command import Choice, tables, write
from regreact.evaluation.runs import Reading

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "experiments" / "README.md"
COMMAND = "make tables"
# Folder of tables -> what it shows, the run it is made of, and the experiment that makes this run.
TABLES = {
    "test": (
        "Rules on 16 real units that nobody who writes rules has opened.",
        "sweep on test",
        ["-m", "data=test", "+ablation=none,markup"],
    ),
    "gold": (
        "Rules on the 79 annotated units that they were made on: this shows fit, not what to expect.",
        "sweep on gold",
        ["-m", "+experiment=ablations"],
    ),
    "simulated": (
        "A SIMULATED model that knows the annotated answers and spoils 15 % of the items: what loop and graph mend.",
        "sweep on gold, SIMULATED model",
        ["-m", "+experiment=ablation_simulated", "+ablation=none,no_odr,no_graph,single_pass,markup"],
    ),
    "retrieval": (
        "Cited law resolved by rules for the 79 annotated units, from the acts at hand.",
        "none on gold",
        ["data=gold", "rag=on"],
    ),
}
# Kept per folder, so that no table stands twice.
KEPT = {"simulated": ("table3", "table7", "table7_detail"), "retrieval": ("table4", "table5", "figure2")}


def shell(*arguments: str) -> None:
    """Run a module of this checkout."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, env=environment, check=True, stdout=sys.stderr)


def fill_store(store: Path) -> None:
    """Store the acts at hand.

    Raises:
        ConfigError: There are no texts.
    """
    named = os.environ.get("REGREACT_DATA")
    places = [*([Path(named)] if named else []), ROOT / "data" / "raw", ROOT.parent / "shared" / "data"]
    folder = next((place for place in places if (place / "acts").is_dir()), None)
    if folder is None:
        raise ConfigError("no legal acts found: set REGREACT_DATA to a folder with acts/ and taxonomy/")
    for part in ("acts", "taxonomy"):
        shell("regreact", "fetch", "--from", str(folder / part), "--store", str(store), "--quiet")


def annotations() -> tuple[Path, Path] | None:
    """Return the two folders of annotations made apart, if they are at hand."""
    folders = (ROOT / "data" / "agreement", ROOT.parent / "shared" / "gold" / "agreement")
    return next(((f / "a", f / "b") for f in folders if f.is_dir()), None)


def make(out: Path) -> dict[str, float]:
    """Run the experiments and write their tables.

    Returns:
        Seconds by folder of tables.
    """
    seconds = {}
    with tempfile.TemporaryDirectory(prefix="regreact-") as folder:
        store = Path(folder) / "store"
        fill_store(store)
        for name, (about, run, arguments) in TABLES.items():
            start = time.monotonic()
            place = f"sqlite:///{folder}/{name}.db"
            shell("regreact.experiment", *arguments, f"tracking.uri={place}", f"rag.store={store}")
            pair = annotations() if name == "gold" else None
            choice = Choice(agreement=pair, like=ROOT / "data" / "gold" if pair else None)
            made, _ = tables([run], Reading(uri=place), choice)
            kept = [t for t in made if t.key in KEPT.get(name, (t.key,))]
            write(kept, out / name, f"Tables: {name}", [about, "", f"Made by `{COMMAND}`; run `{run}`."])
            seconds[name] = time.monotonic() - start
            print(f"{name}: {seconds[name]:.0f} s", file=sys.stderr)
    return seconds


def commit() -> str:
    """Return the commit of the checkout, and whether files of the program differ from it."""

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", "regreact", "signatures", "conf", "data")
        return git("rev-parse", "--short", "HEAD") + (" with uncommitted changes" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown (no git checkout)"


def machine() -> str:
    """Return the class of the machine: cores, processor, Python."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        named = [line for line in cpuinfo.read_text("utf-8").splitlines() if line.startswith("model name")]
        processor = named[0].partition(":")[2].strip() if named else processor
    return f"{os.cpu_count()} cores ({processor}), {platform.system()}, Python {platform.python_version()}, no GPU used"


def summary(seconds: dict[str, float]) -> str:
    """Return what the page says of the last time the tables were made."""
    lines = [
        f"Made by `{COMMAND}` at commit {commit()}, on {machine()}, in {sum(seconds.values()) / 60:.0f} minutes.",
        "",
        "| tables | what they show | files | seconds |",
        "|---|---|---|---:|",
    ]
    for name, (about, _, _) in TABLES.items():
        files = sorted((ROOT / "experiments" / "tables" / name).glob("*.csv"))
        links = ", ".join(f"[{f.stem}](tables/{name}/{f.stem}.md)" for f in files)
        lines.append(f"| [{name}](tables/{name}/tables.md) | {about} | {links} | {seconds[name]:.0f} |")
    return "\n".join(lines)


def main() -> None:
    """Make the tables; say so on the page if they are the recorded ones."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "experiments" / "tables"
    seconds = make(target)
    if len(sys.argv) == 1:
        text = PAGE.read_text(encoding="utf-8")
        before, rest = text.split("<!-- made:start -->\n")
        after = rest.partition("<!-- made:end -->")[2]
        PAGE.write_text(f"{before}<!-- made:start -->\n{summary(seconds)}\n<!-- made:end -->{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
