"""Open the workbook in LibreOffice, without a window, and check that it shows the numbers that were extracted.

How to run me:  make check-office   (installs LibreOffice Calc by apt if it is missing and one is root)
                python experiments/check_office.py OUT   checks the workbook of an output folder
"""

from __future__ import annotations

import csv
import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from regreact import corpus
from regreact.config import load
from regreact.export.cells import clean
from regreact.export.workbook import workbook
from regreact.extractions import read_extractions
from regreact.phrases import OBJECTIVE_NAMES
from regreact.runner import Extractor
from regreact.schema import Extraction

# Comma, double quotes, UTF-8, from line 1; values as stored, not as shown; no formulas; all sheets.
_CSV = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1"
_PACKAGE = "libreoffice-calc"
# What a text would be computed to if it were taken for a formula; "3" must not come of it.
_TRAP = "=1+2"


def office() -> str:
    """Return the program, installed if need be; ends the script with a message if that is not possible."""
    found = shutil.which("soffice") or shutil.which("libreoffice")
    if found:
        return found
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit(f"LibreOffice is missing: install it (Debian: apt-get install {_PACKAGE}) and run me again")
    print(f"installing {_PACKAGE}", file=sys.stderr)
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", _PACKAGE]
    for command in (["apt-get", "update", "-qq"], install):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    return shutil.which("soffice") or sys.exit(f"{_PACKAGE} was installed, but there is no soffice")


def convert(program: str, book: Path, form: str) -> None:
    """Convert a workbook beside itself."""
    profile = f"-env:UserInstallation=file://{book.parent}/profile"
    command = [program, profile, "--headless", "--convert-to", form, "--outdir", str(book.parent), str(book)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)


def table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a sheet."""
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def problems_of(folder: Path, extractions: list[Extraction]) -> list[str]:
    """Return what LibreOffice shows otherwise than it was extracted."""
    found = []
    items = [
        (e.unit, n.criterion_id, item)
        for e in extractions for n in e.criteria.walk()
        if n.threshold and n.threshold.quantitative for item in n.threshold.quantitative.items
    ]  # fmt: skip
    limits = [row for row in table(folder / "book-Thresholds.csv") if row["Kind"] == "limit"]
    if len(limits) != len(items):
        found.append(f"{len(items)} limits, {len(limits)} rows in the sheet Thresholds")
    for (unit, criterion, item), row in zip(items, limits, strict=False):
        shown = (row["Unit"], row["Criterion"], row["Operator"], row["Unit of measure"])
        if shown != (unit, criterion, item.operator, item.unit) or not math.isclose(float(row["Value"]), item.value):
            found.append(f"{unit} {criterion}: {item.operator} {item.value} {item.unit} is shown as {row['Value']}")
    sheets = [p for p in folder.glob("book-*.csv") if p.stem[5:] in OBJECTIVE_NAMES.values() or p.stem == "book-Other"]
    rows = {(r["Document"], r["Unit"], r["Criterion"]): r for path in sheets for r in table(path)}
    for e in extractions:
        for node in e.criteria.walk():
            row = rows.get((e.source.document, e.unit, node.criterion_id))
            if row is None:
                found.append(f"{e.unit} {node.criterion_id}: no row")
            elif node.verbatim_text and row["Text"] != clean(node.verbatim_text):
                found.append(f"{e.unit} {node.criterion_id}: the text is shown as {row['Text'][:60]!r}")
    return found


def trapped(extraction: Extraction) -> Extraction:
    """Return an extraction with a text that must not be computed."""
    trap = extraction.criteria.model_copy(update={"verbatim_text": _TRAP, "rule_summary": _TRAP})
    return extraction.model_copy(update={"unit": "trap/SC", "criteria": trap, "edges": (), "activity": _TRAP})


def main(out: str | None) -> int:
    """Check the workbook of a folder, or of the samples."""
    program = office()
    if out is not None:
        extractions = read_extractions(Path(out)).extractions
    else:
        extractor = Extractor(load())
        units = [unit for document in corpus.load("samples").documents for unit in document.units]
        extractions = [extractor.extract(unit) for unit in units]
        extractions.append(trapped(extractions[0]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        book = folder / "book.xlsx"
        book.write_bytes(workbook(extractions))
        convert(program, book, _CSV)
        problems = problems_of(folder, extractions)
        convert(program, book, "pdf")
        if not (folder / "book.pdf").read_bytes().startswith(b"%PDF"):
            problems.append("no PDF came of it")
        sheets = len(list(folder.glob("book-*.csv")))
    for problem in problems:
        print(problem)
    count = sum(1 for e in extractions for _ in e.criteria.walk())
    print(f"{sheets} sheets, {count} criteria read in LibreOffice, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else None))
